//! A row of numbered OBJ files, one per frame.

use super::write_surface;
use crate::BakeWriter;
use crate::frame_count::FrameCount;
use crate::{Asset, AtomicFile, Error, Problem};
use sinew::Surface;
use std::path::Path;

/// Begins a bake beside `path`: `out.obj` becomes `out.0000.obj`, `out.0001.obj` and so on.
pub fn bake(path: &Path, asset: &Asset, frames: usize) -> Result<Box<dyn BakeWriter>, Error> {
    asset.character.check().map_err(|error| Problem::from(error).at(path))?;
    let count = FrameCount::new(path, asset.character.vertex_count(), frames);
    Ok(Box::new(ObjBake { asset: asset.clone(), count }))
}

struct ObjBake {
    asset: Asset,
    count: FrameCount,
}

impl BakeWriter for ObjBake {
    fn frame(&mut self, surface: &Surface) -> Result<(), Error> {
        let frame = self.count.take(surface)?;
        let digits = self.count.promised().saturating_sub(1).to_string().len().max(4);
        let path = self.count.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let numbered = path.with_file_name(format!("{stem}.{frame:0digits$}.obj"));
        AtomicFile::write(&numbered, &write_surface(&self.asset, surface))
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        self.count.finish()
    }
}
