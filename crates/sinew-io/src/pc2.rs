//! PC2 point caches: positions of every frame, without faces.
//!
//! Version 1, little endian: a header of 32 bytes, then for each sample the `x y z` of every point as
//! `f32`. Header: `POINTCACHE2\0`, `i32` version, `i32` points, `f32` start frame, `f32` frames per
//! sample, `i32` samples. Points are in the input's order, with those that refinement added after them.

use crate::BakeWriter;
use crate::frame_count::FrameCount;
use crate::{Asset, AtomicFile, Error, Problem};
use glam::Vec3;
use sinew::Surface;
use std::io::Write;
use std::path::Path;

const SIGNATURE: &[u8; 12] = b"POINTCACHE2\0";
const HEADER: usize = 32;

/// A point cache in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct PointCache {
    /// Number of the first frame.
    pub start_frame: f32,
    /// Frames from one sample to the next.
    pub frames_per_sample: f32,
    /// Points in each sample.
    pub points: usize,
    /// The points of the first sample, then of the next.
    pub positions: Vec<Vec3>,
}

impl PointCache {
    /// The samples in order.
    pub fn samples(&self) -> impl Iterator<Item = &[Vec3]> {
        self.positions.chunks_exact(self.points.max(1))
    }
}

/// Reads a point cache.
pub fn read(bytes: &[u8]) -> Result<PointCache, Problem> {
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        return Err(Problem::malformed(
            "PC2 header",
            format!("it needs {HEADER} bytes, but the file has {}", bytes.len()),
        ));
    };
    if !header.starts_with(SIGNATURE) {
        return Err(Problem::malformed("PC2 header", "it does not begin with POINTCACHE2"));
    }
    let word = |at: usize| [header[at], header[at + 1], header[at + 2], header[at + 3]];
    let version = i32::from_le_bytes(word(12));
    if version != 1 {
        return Err(Problem::unsupported(format!("this is PC2 version {version}"), "only version 1 is known"));
    }
    let count = |at: usize, what: &str| {
        let count = i32::from_le_bytes(word(at));
        usize::try_from(count).map_err(|_| Problem::malformed("PC2 header", format!("it has {count} {what}")))
    };
    let (points, samples) = (count(16, "points")?, count(28, "samples")?);
    let expected = (points as u128) * (samples as u128) * 12;
    if expected != body.len() as u128 {
        let why = format!("{samples} samples of {points} points take {expected} bytes, but {} follow", body.len());
        return Err(Problem::malformed("PC2 body", why));
    }
    let number = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    let positions = body.chunks_exact(12).map(|p| Vec3::new(number(p), number(&p[4..]), number(&p[8..]))).collect();
    Ok(PointCache {
        start_frame: f32::from_le_bytes(word(20)),
        frames_per_sample: f32::from_le_bytes(word(24)),
        points,
        positions,
    })
}

/// Begins a bake of `frames` frames, each as it comes.
pub fn bake(path: &Path, asset: &Asset, start: f64, fps: f64, frames: usize) -> Result<Box<dyn BakeWriter>, Error> {
    let count = |count: usize, what: &str| {
        i32::try_from(count).map_err(|_| {
            Problem::unsupported(format!("PC2 cannot hold {count} {what}"), "bake a shorter range, or use .usda")
                .at(path)
        })
    };
    let order = asset.character.file_order();
    let points = count(order.len(), "points")?;
    let samples = count(frames, "samples")?;
    let mut header = Vec::with_capacity(HEADER);
    header.extend(SIGNATURE);
    header.extend(1i32.to_le_bytes());
    header.extend(points.to_le_bytes());
    header.extend(((start * fps) as f32).to_le_bytes());
    header.extend(1f32.to_le_bytes());
    header.extend(samples.to_le_bytes());
    let mut file = AtomicFile::new(path)?;
    file.write_all(&header).map_err(|error| Problem::from(error).at(path))?;
    let count = FrameCount::new(path, asset.character.vertex_count(), frames);
    Ok(Box::new(Pc2Bake { file, count, order }))
}

struct Pc2Bake {
    file: AtomicFile,
    count: FrameCount,
    order: Vec<usize>,
}

impl BakeWriter for Pc2Bake {
    fn frame(&mut self, surface: &Surface) -> Result<(), Error> {
        self.count.take(surface)?;
        for &vertex in &self.order {
            let bytes = surface.positions[vertex].to_array().map(f32::to_le_bytes);
            self.file.write_all(bytes.as_flattened()).map_err(|error| Problem::from(error).at(self.count.path()))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        self.count.finish()?;
        self.file.finish()
    }
}
