//! A row of numbered OBJ files, one per frame.
//!
//! The frames are written into a hidden folder. When all are there, they replace those of an earlier bake of the same
//! name, and its frames beyond are removed.

use super::write_surface;
use crate::BakeWriter;
use crate::atomic_file::{cannot_write_into, folder_of};
use crate::frame_count::FrameCount;
use crate::unfinished::{PREFIX, TemporaryFolder};
use crate::{Asset, Error, Problem};
use sinew::Surface;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Digits of a frame's number, or more where there are more frames.
const DIGITS: usize = 4;

/// Digits of the longest bake that can be.
const MOST_DIGITS: usize = 8;

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
    names: Vec<OsString>,
    /// The hidden folder.
    frames: TemporaryFolder,
}

impl BakeWriter for ObjBake {
    fn frame(&mut self, surface: &Surface) -> Result<(), Error> {
        let frame = self.count.take(surface)?;
        let path = numbered(self.count.path(), frame, digits(self.count.promised()));
        let name = path.file_name().unwrap_or_default().to_owned();
        std::fs::write(self.frames.path().join(&name), write_surface(&self.asset, surface))
            .map_err(|error| Problem::from(error).at(self.count.path()))?;
        self.names.push(name);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        let Self { count, names, frames, .. } = *self;
        let path = count.path().to_owned();
        count.finish()?;
        let put = || -> std::io::Result<()> {
            for name in &names {
                std::fs::rename(frames.path().join(name), path.with_file_name(name))?;
            }
            remove_beyond(&path, names.len())
        };
        put().map_err(|error| Problem::from(error).at(&path))
    }
}

/// The path of a frame.
fn numbered(path: &Path, frame: usize, digits: usize) -> PathBuf {
    path.with_file_name(format!("{}.{frame:0digits$}.obj", path.file_stem().unwrap_or_default().to_string_lossy()))
}

/// Digits of the numbers of so many frames.
fn digits(frames: usize) -> usize {
    frames.saturating_sub(1).to_string().len().max(DIGITS)
}

/// Removes what an earlier bake to the same path wrote beyond so many frames, without a gap. A bake of many more frames
/// has longer numbers, from 0.
fn remove_beyond(path: &Path, frames: usize) -> std::io::Result<()> {
    let own = digits(frames);
    for digits in DIGITS..=MOST_DIGITS {
        let first = if digits == own { frames } else { 0 };
        let surplus = (first..).map(|frame| numbered(path, frame, digits)).take_while(|path| path.is_file());
        surplus.into_iter().try_for_each(std::fs::remove_file)?;
    }
    Ok(())
}
