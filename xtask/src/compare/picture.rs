//! Pictures, pixel by pixel.

use super::difference::Difference;
use anyhow::Result;
use std::io::Cursor;

/// Compares two PNG files that have different bytes.
pub fn compare(old: &[u8], new: &[u8]) -> Result<Difference> {
    let (old, new) = (Picture::read(old)?, Picture::read(new)?);
    if (old.size, old.pixel) != (new.size, new.pixel) {
        return Ok(Difference::other(format!("{:?} and {:?} pixels", old.size, new.size)));
    }
    let pixels = old.bytes.chunks(old.pixel).zip(new.bytes.chunks(new.pixel)).filter(|(a, b)| a != b).count();
    match pixels {
        0 => Ok(Difference::of_encoding()),
        _ => Ok(Difference { pixels, ..Difference::default() }),
    }
}

struct Picture {
    size: (u32, u32),
    /// Bytes of a pixel.
    pixel: usize,
    bytes: Vec<u8>,
}

impl Picture {
    fn read(file: &[u8]) -> Result<Self> {
        let mut reader = png::Decoder::new(Cursor::new(file)).read_info()?;
        let mut bytes = vec![0; reader.output_buffer_size().unwrap_or_default()];
        let info = reader.next_frame(&mut bytes)?;
        bytes.truncate(info.buffer_size());
        let pixel = (info.line_size / info.width.max(1) as usize).max(1);
        Ok(Self { size: (info.width, info.height), pixel, bytes })
    }
}
