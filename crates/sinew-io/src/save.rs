//! A character, a motion or a skeleton, written by the extension of its path.

use crate::format::VRM;
use crate::{Asset, AtomicFile, Error, Format, Problem};
use std::path::Path;

/// Writes a rigged character, a motion or a skeleton by the path's extension.
pub fn save(path: &Path, asset: &Asset) -> Result<(), Error> {
    let format = Format::of(path)?;
    refuse_vrm(path)?;
    let bytes = match format {
        Format::Glb => crate::gltf::write(asset),
        Format::Gltf => crate::gltf::write_embedded(asset),
        Format::Obj => crate::obj::write(asset),
        Format::Ply => crate::ply::write(asset),
        Format::Bvh => crate::bvh::write(asset),
        Format::Toml => crate::skeleton_toml::write(asset),
        _ => Err(Problem::unsupported(
            format!("Sinew does not write a character as .{}", format.extension()),
            "use .glb, .gltf, .obj, .ply, .bvh or .toml (its skeleton), or bake to .pc2 or .usda",
        )),
    }
    .map_err(|problem| problem.at(path))?;
    AtomicFile::write(path, &bytes)
}

/// An avatar needs more than a rigged character has.
pub(crate) fn refuse_vrm(path: &Path) -> Result<(), Error> {
    if path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case(VRM)) {
        return Ok(());
    }
    Err(Problem::unsupported("Sinew reads VRM but does not write it", "use .glb").at(path))
}
