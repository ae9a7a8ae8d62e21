//! Buffer views that meshoptimizer compressed: `EXT_meshopt_compression` and its successor
//! `KHR_meshopt_compression`.
//!
//! A view says how many elements of which stride its bytes stand for, so that the memory is known before
//! anything is unpacked. Streams that end early, have bytes left over or use what is not in the
//! specification are refused.

mod attributes;
mod filter;
mod indices;

use serde::Deserialize;

/// What a buffer view says of its compressed form.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompressedView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: usize,
    pub count: usize,
    mode: Mode,
    #[serde(default)]
    filter: Filter,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Mode {
    Attributes,
    Triangles,
    Indices,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
enum Filter {
    #[default]
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

const CUT_OFF: &str = "the compressed data is cut off";
const LEFT_OVER: &str = "the compressed data does not end where it should";

impl CompressedView {
    /// Unpacks `count` elements of `byte_stride` bytes.
    pub fn decode(&self, bytes: &[u8]) -> Result<Vec<u8>, &'static str> {
        let stride = self.byte_stride;
        match self.mode {
            Mode::Attributes => {
                if !(4..=256).contains(&stride) || !stride.is_multiple_of(4) {
                    return Err("the stride of compressed attributes is not a multiple of 4 up to 256");
                }
                let mut elements = attributes::decode(bytes, self.count, stride)?;
                self.filter.apply(&mut elements, stride)?;
                Ok(elements)
            }
            _ if self.filter != Filter::None => Err("compressed indices have a filter"),
            Mode::Triangles => pack(indices::decode_triangles(bytes, self.count)?, stride),
            Mode::Indices => pack(indices::decode_sequence(bytes, self.count)?, stride),
        }
    }
}

impl Filter {
    fn apply(&self, elements: &mut [u8], stride: usize) -> Result<(), &'static str> {
        match (self, stride) {
            (Self::None, _) => {}
            (Self::Octahedral, 4) => filter::octahedral_8(elements),
            (Self::Octahedral, 8) => filter::octahedral_16(elements),
            (Self::Quaternion, 8) => filter::quaternion(elements),
            (Self::Exponential, _) => filter::exponential(elements),
            (Self::Color, 4) => filter::colour_8(elements),
            (Self::Color, 8) => filter::colour_16(elements),
            _ => return Err("the filter of the compressed data has no meaning for its stride"),
        }
        Ok(())
    }
}

/// Indices as bytes, of 16 or 32 bits.
fn pack(indices: Vec<u32>, stride: usize) -> Result<Vec<u8>, &'static str> {
    match stride {
        2 => Ok(indices.iter().flat_map(|&index| (index as u16).to_le_bytes()).collect()),
        4 => Ok(indices.iter().flat_map(|index| index.to_le_bytes()).collect()),
        _ => Err("compressed indices have neither 2 nor 4 bytes"),
    }
}

/// Bytes that are read from front to back.
struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], &'static str> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(CUT_OFF)?;
        self.rest = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, &'static str> {
        Ok(self.take(1)?[0])
    }

    fn finish(self) -> Result<(), &'static str> {
        if self.rest.is_empty() { Ok(()) } else { Err(LEFT_OVER) }
    }
}
