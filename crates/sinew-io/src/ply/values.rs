//! The numbers of a PLY body, one after another.

use super::header::{Encoding, Scalar};
use crate::Problem;

/// Reads numbers of any encoding. Every type fits an `f64`.
pub(super) struct Values<'a> {
    encoding: Encoding,
    rest: &'a [u8],
}

impl<'a> Values<'a> {
    pub fn new(encoding: Encoding, body: &'a [u8]) -> Self {
        Self { encoding, rest: body }
    }

    /// Bytes not read yet.
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// The next number; `at` is its element, for errors.
    pub fn next(&mut self, scalar: Scalar, at: &dyn Fn() -> String) -> Result<f64, Problem> {
        let value = match self.encoding {
            Encoding::Ascii => self.word(),
            Encoding::LittleEndian => self.binary(scalar, false),
            Encoding::BigEndian => self.binary(scalar, true),
        };
        value.map_err(|why| Problem::malformed(at(), why))
    }

    fn word(&mut self) -> Result<f64, String> {
        let text = self.rest.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        if word.is_empty() {
            return Err(ENDS.into());
        }
        let number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        number.ok_or_else(|| format!("\"{}\" is no number", String::from_utf8_lossy(word)))
    }

    fn binary(&mut self, scalar: Scalar, big_endian: bool) -> Result<f64, String> {
        let size = scalar.size();
        let (field, rest) = self.rest.split_at_checked(size).ok_or(ENDS)?;
        self.rest = rest;
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(field);
        if big_endian {
            bytes[..size].reverse();
        }
        let [a, b, c, d, ..] = bytes;
        Ok(match scalar {
            Scalar::I8 => f64::from(a as i8),
            Scalar::U8 => f64::from(a),
            Scalar::I16 => f64::from(i16::from_le_bytes([a, b])),
            Scalar::U16 => f64::from(u16::from_le_bytes([a, b])),
            Scalar::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Scalar::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Scalar::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Scalar::F64 => f64::from_le_bytes(bytes),
        })
    }
}

const ENDS: &str = "the file ends before it";
