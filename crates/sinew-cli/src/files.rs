//! Files in and out: loading with warnings, and writing.

use crate::failure::{Result, refuse};
use crate::terminal::warn;
use sinew_io::markers::MarkerFile;
use sinew_io::{Asset, AtomicFile};
use sinew_tasks::Error;
use std::path::{Path, PathBuf};

/// Reads a file, with its warnings on stderr.
pub fn load(path: &Path) -> Result<Asset> {
    let asset = read(path)?;
    asset.warnings.iter().for_each(|warning| warn(path.display(), warning));
    Ok(asset)
}

/// Reads a file without printing its warnings.
pub fn read(path: &Path) -> Result<Asset> {
    if path.is_dir() {
        refuse!("{} is a folder; give a file", path.display());
    }
    Ok(sinew_io::load(path)?)
}

/// Reads a file that must have a mesh, for commands that need a rig.
pub fn load_character(path: &Path) -> Result<Asset> {
    load_with_mesh(path, "a rigged character (.glb, .gltf or .fbx)")
}

/// Reads a file that must have a mesh, rigged or not.
pub fn load_mesh(path: &Path) -> Result<Asset> {
    load_with_mesh(path, "a mesh (.glb, .gltf, .fbx, .obj or .ply)")
}

fn load_with_mesh(path: &Path, wanted: &str) -> Result<Asset> {
    let asset = load(path)?;
    if asset.character.vertex_count() == 0 {
        refuse!("{}: it has no mesh; give {wanted}", path.display());
    }
    Ok(asset)
}

/// Reads a capture of markers, with its warnings on stderr.
pub fn load_markers(path: &Path) -> Result<MarkerFile> {
    if path.is_dir() {
        refuse!("{} is a folder; give a file", path.display());
    }
    let file = MarkerFile::load(path)?;
    file.warnings.iter().for_each(|warning| warn(path.display(), warning));
    Ok(file)
}

/// A path relative to a folder; absolute where the two have nothing in common.
pub fn relative(path: &Path, folder: &Path) -> Result<PathBuf> {
    let whole = |path: &Path| {
        std::path::absolute(path).map_err(|source| Error::Io { action: "find", path: path.into(), source })
    };
    let (path, folder) = (whole(path)?, whole(folder)?);
    let common = path.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return Ok(path);
    }
    let up = folder.components().skip(common).map(|_| std::path::Component::ParentDir);
    Ok(up.chain(path.components().skip(common)).collect())
}

/// Writes a file as a whole or not at all.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    AtomicFile::write(path, bytes.as_ref())?;
    Ok(())
}

/// Makes a folder and those above it.
pub fn make_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|source| Error::Io {
        action: "make the folder",
        path: path.into(),
        source,
    })?;
    Ok(())
}
