//! Reading of any supported file by its extension.

use crate::folder::Folder;
use crate::{Asset, Error, Format, Problem};
use sinew::rig::{Character, Part};
use std::path::{Path, PathBuf};

/// Reads a file by its extension.
pub fn load(path: &Path) -> Result<Asset, Error> {
    let format = Format::of(path)?;
    let bytes = std::fs::read(path).map_err(|error| cannot_read(error).at(path))?;
    let folder = Folder::of(path);
    // The skeleton of a motion is chosen here, and not by the document.
    let sibling = |name: &str| match format {
        Format::Amc => std::fs::read(path.with_file_name(name)),
        _ => folder.read(name),
    };
    read(path, &bytes, &SiblingFiles { list: &|| folder.list(), read: &sibling })
}

/// The files that a document refers to, buffers and pictures of glTF: they are read with it. None if it cannot be read.
pub fn side_files(path: &Path) -> Vec<PathBuf> {
    match Format::of(path) {
        Ok(Format::Gltf | Format::Glb) => {
            let names = std::fs::read(path).map(|bytes| crate::gltf::side_files(&bytes)).unwrap_or_default();
            names.iter().map(|name| path.with_file_name(name)).collect()
        }
        _ => Vec::new(),
    }
}

/// The files that lie beside one.
pub struct SiblingFiles<'a> {
    /// Their names.
    pub list: &'a dyn Fn() -> std::io::Result<Vec<String>>,
    /// The bytes of one, by its path from there.
    pub read: &'a dyn Fn(&str) -> std::io::Result<Vec<u8>>,
}

/// Reads the bytes of a file by the extension of its name.
pub fn read(path: &Path, bytes: &[u8], siblings: &SiblingFiles<'_>) -> Result<Asset, Error> {
    let format = Format::of(path)?;
    let mut asset = match format {
        Format::Gltf | Format::Glb => crate::gltf::read(bytes, siblings.read),
        #[cfg(feature = "fbx")]
        Format::Fbx => crate::fbx::read(bytes),
        #[cfg(not(feature = "fbx"))]
        Format::Fbx => Err(Problem::unsupported("FBX is not read in this build", "convert it with the program sinew")),
        Format::Obj => crate::obj::read(bytes),
        Format::Ply => crate::ply::read(bytes),
        Format::Bvh => crate::bvh::read(bytes),
        Format::Asf => crate::asf::read_skeleton(bytes),
        Format::Amc => read_amc_beside_asf(path, bytes, siblings),
        Format::Toml => crate::skeleton_toml::read(bytes),
        Format::Pc2 | Format::Usda => Err(Problem::unsupported(
            format!("Sinew writes .{} files but does not read them", format.extension()),
            "give it the character they were made from",
        )),
    }
    .map_err(|problem| problem.at(path))?;
    asset.character.check().map_err(|error| Problem::from(error).at(path))?;
    check_joint_counts(&asset.character).map_err(|error| Problem::from(error).at(path))?;
    asset.format = format;
    if asset.character.name.is_empty() {
        asset.character.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
    Ok(asset)
}

/// The engine numbers the joints of a mesh with 16 bits.
fn check_joint_counts(character: &Character) -> sinew::rig::Result<()> {
    match character.parts.iter().find(|part| part.binding.joints.len() > 1 << 16) {
        None => Ok(()),
        Some(Part { mesh, binding, .. }) => {
            Err(sinew::rig::Error::TooManyJoints { mesh: mesh.name.clone(), count: binding.joints.len() })
        }
    }
}

fn cannot_read(error: std::io::Error) -> Problem {
    match error.kind() {
        std::io::ErrorKind::NotFound => Problem::unsupported("there is no such file", "check its name and folder"),
        _ => Problem::from(error),
    }
}

/// An AMC file has no skeleton of its own: it is the ASF of the same name, the one named by the part
/// before the first underscore (`02_01.amc` and `02.asf`), or the only ASF in the folder.
fn read_amc_beside_asf(path: &Path, amc: &[u8], siblings: &SiblingFiles<'_>) -> Result<Asset, Problem> {
    let name = skeleton_beside(path, &(siblings.list)()?)?;
    let asf = (siblings.read)(&name).map_err(|source| Problem::Missing { name, source })?;
    crate::asf::read_motion(&asf, amc)
}

fn skeleton_beside(path: &Path, names: &[String]) -> Result<String, Problem> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let subject = stem.split('_').next().unwrap_or_default();
    let named = [stem.as_str(), subject].map(|name| format!("{name}.asf"));
    if let Some(found) = named.into_iter().find(|name| names.contains(name)) {
        return Ok(found);
    }
    let is_skeleton = |name: &&String| Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("asf"));
    let mut skeletons = names.iter().filter(is_skeleton);
    match (skeletons.next(), skeletons.next()) {
        (Some(only), None) => Ok(only.clone()),
        _ => Err(Problem::unsupported(
            "an AMC motion needs its ASF skeleton",
            format!("put {stem}.asf or {subject}.asf beside it"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_joints_than_the_engine_can_number_are_refused() {
        let mut part = Part::default();
        part.binding.joints = vec![0; 1 << 16];
        let mut character = Character { parts: vec![part], ..Character::default() };
        assert!(check_joint_counts(&character).is_ok());
        character.parts[0].binding.joints.push(0);
        assert!(check_joint_counts(&character).is_err());
    }
}
