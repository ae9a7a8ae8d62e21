//! A row of numbered OBJ files, one per frame.
//!
//! The frames are written into a hidden folder. When all are there, they replace those of an earlier bake of the same
//! name, also where it had more frames.

use super::write_surface;
use crate::BakeWriter;
use crate::atomic_file::{cannot_write_into, folder_of};
use crate::frame_count::FrameCount;
use crate::unfinished::{PREFIX, TemporaryFolder};
use crate::{Asset, AtomicFile, Error, Problem};
use sinew::Surface;
use std::path::{Path, PathBuf};

/// Digits of a frame's number, or more where there are more frames.
const DIGITS: usize = 4;

/// Begins a bake beside `path`: `out.obj` becomes `out.0000.obj`, `out.0001.obj` and so on.
pub fn bake(path: &Path, asset: &Asset, frames: usize) -> Result<Box<dyn BakeWriter>, Error> {
    asset.character.check().map_err(|error| Problem::from(error).at(path))?;
    let count = FrameCount::new(path, asset.character.vertex_count(), frames);
    let folder = folder_of(path);
    let frames = TemporaryFolder::new(folder, PREFIX).map_err(|error| cannot_write_into(folder, &error).at(path))?;
    Ok(Box::new(ObjBake { asset: asset.clone(), count, names: Vec::new(), frames }))
}

struct ObjBake {
    asset: Asset,
    count: FrameCount,
    names: Vec<String>,
    /// The hidden folder.
    frames: TemporaryFolder,
}

impl BakeWriter for ObjBake {
    fn frame(&mut self, surface: &Surface) -> Result<(), Error> {
        let frame = self.count.take(surface)?;
        let digits = self.count.promised().saturating_sub(1).to_string().len().max(DIGITS);
        let name = format!("{}.{frame:0digits$}.obj", stem(self.count.path()));
        AtomicFile::write(&self.frames.path().join(&name), &write_surface(&self.asset, surface))
            .map_err(|error| error.problem.at(self.count.path()))?;
        self.names.push(name);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        let Self { count, names, frames, .. } = *self;
        let path = count.path().to_owned();
        count.finish()?;
        let put = || -> std::io::Result<()> {
            for frame in numbered(&path)? {
                std::fs::remove_file(frame)?;
            }
            names.iter().try_for_each(|name| std::fs::rename(frames.path().join(name), path.with_file_name(name)))
        };
        put().map_err(|error| Problem::from(error).at(&path))
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The frames of an earlier bake to the same path.
fn numbered(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    let prefix = format!("{}.", stem(path));
    let is_frame = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let number = name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".obj"));
        number.is_some_and(|number| number.len() >= DIGITS && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    Ok(std::fs::read_dir(folder_of(path))?.flatten().map(|entry| entry.path()).filter(is_frame).collect())
}
