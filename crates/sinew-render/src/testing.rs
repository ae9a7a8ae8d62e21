//! Comparing pictures in tests.
//!
//! [`compare`] holds a picture against a committed reference. When they differ it leaves
//! `NAME.new.png` and `NAME.diff.png` beside the reference; run the test with `SINEW_BLESS=1` to accept
//! the new picture.

use crate::{Image, RenderError};
use glam::Vec4;
use std::path::{Path, PathBuf};

/// How far two pictures may be apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Steps of a byte by which a channel may differ without counting.
    pub steps: u8,
    /// The share of pixels that may differ by more.
    pub share: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { steps: 4, share: 0.002 }
    }
}

/// How two pictures of the same size differ, as bytes in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Bright where they differ, in the channels that do.
    pub image: Image,
    /// The mean over all channels, in steps of a byte.
    pub mean: f64,
    /// How many pixels have their largest difference at each number of steps.
    histogram: Vec<usize>,
}

impl Difference {
    /// The largest difference of a channel, in steps of a byte.
    pub fn largest(&self) -> u8 {
        self.histogram.iter().rposition(|&count| count > 0).unwrap_or(0) as u8
    }

    /// How many pixels differ by more than so many steps.
    pub fn pixels_beyond(&self, steps: u8) -> usize {
        self.histogram.iter().skip(usize::from(steps) + 1).sum()
    }

    /// Whether few enough pixels differ.
    pub fn is_within(&self, tolerance: &Tolerance) -> bool {
        let pixels = self.image.pixels().len() as f64;
        self.pixels_beyond(tolerance.steps) as f64 <= tolerance.share * pixels
    }
}

/// Compares two pictures of the same size.
pub fn difference(a: &Image, b: &Image) -> Result<Difference, RenderError> {
    let size = |image: &Image| (image.width(), image.height());
    if size(a) != size(b) {
        return Err(RenderError::SizeMismatch { found: size(a), expected: size(b) });
    }
    let mut image = Image::new(a.width(), a.height(), Vec4::W)?;
    let mut histogram = vec![0; 256];
    let mut sum = 0_u64;
    let (bytes_a, bytes_b) = (a.to_srgb8(), b.to_srgb8());
    let pairs = bytes_a.chunks_exact(4).zip(bytes_b.chunks_exact(4));
    for (pixel, (p, q)) in image.pixels_mut().iter_mut().zip(pairs) {
        let apart = [0, 1, 2, 3].map(|k| p[k].abs_diff(q[k]));
        sum += apart.iter().map(|&d| u64::from(d)).sum::<u64>();
        histogram[usize::from(apart.into_iter().max().unwrap_or(0))] += 1;
        let shown = apart.map(|d| (f32::from(d.max(apart[3])) / 32.0).min(1.0));
        *pixel = Vec4::new(shown[0], shown[1], shown[2], 1.0);
    }
    let mean = sum as f64 / bytes_a.len() as f64;
    Ok(Difference { image, mean, histogram })
}

/// Holds a picture against a reference file; see the module. With `SINEW_BLESS=1` in the environment the
/// picture becomes the reference.
pub fn compare(image: &Image, reference: &Path, tolerance: &Tolerance) -> Result<(), RenderError> {
    if std::env::var_os("SINEW_BLESS").is_some_and(|value| value == "1") {
        return write(reference, image);
    }
    check(image, reference, tolerance)
}

/// As [`compare`], but never changes the reference.
pub fn check(image: &Image, reference: &Path, tolerance: &Tolerance) -> Result<(), RenderError> {
    let new = reference.with_extension("new.png");
    let Ok(bytes) = std::fs::read(reference) else {
        write(&new, image)?;
        return Err(RenderError::NoReference { reference: reference.into(), new });
    };
    let expected = Image::from_png(&bytes)?;
    let (summary, picture) = match difference(image, &expected) {
        Ok(found) if found.is_within(tolerance) => return Ok(()),
        Ok(found) => {
            let (beyond, steps) = (found.pixels_beyond(tolerance.steps), tolerance.steps);
            let largest = found.largest();
            (format!("{beyond} pixels by more than {steps} of 255, at most by {largest}"), found.image)
        }
        Err(other_size) => (other_size.to_string(), expected),
    };
    let difference: PathBuf = reference.with_extension("diff.png");
    write(&new, image)?;
    write(&difference, &picture)?;
    Err(RenderError::Mismatch { reference: reference.into(), summary, new, difference })
}

fn write(path: &Path, image: &Image) -> Result<(), RenderError> {
    let file_error = |source| RenderError::File { path: path.into(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(file_error)?;
    }
    std::fs::write(path, image.to_png()?).map_err(file_error)
}
