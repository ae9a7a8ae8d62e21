//! A moving surface, written frame by frame in the format of its extension.

use crate::save::refuse_vrm;
use crate::{Asset, BakeWriter, Error, Format, Problem};
use std::path::Path;

/// Begins a bake of `frames` frames at `fps`, the first at `start` seconds.
pub fn bake(path: &Path, asset: &Asset, start: f64, fps: f64, frames: usize) -> Result<Box<dyn BakeWriter>, Error> {
    refuse_vrm(path)?;
    match Format::of(path) {
        Ok(Format::Glb) => crate::gltf::bake(path, asset, start, fps, frames),
        Ok(Format::Pc2) => crate::pc2::bake(path, asset, start, fps, frames),
        Ok(Format::Usda) => crate::usda::bake(path, asset, start, fps, frames),
        Ok(Format::Obj) => crate::obj::bake(path, asset, frames),
        _ => {
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            let what = format!("a bake cannot be written as \".{extension}\"");
            Err(Problem::unsupported(what, "use .glb, .pc2, .usda or .obj").at(path))
        }
    }
}
