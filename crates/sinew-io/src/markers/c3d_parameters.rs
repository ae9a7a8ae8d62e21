//! The parameters of a C3D file: groups with names, and in them arrays with names.
//!
//! A record is the length of its name (negative: locked), its group (negative: it is a group), the name, and the
//! offset of the next record from there, zero at the end. A parameter goes on with its type (-1 text, 1 byte, 2 word,
//! 4 float), the number of its dimensions, these, and its values.

use super::c3d_numbers::Processor;
use crate::Problem;
use std::collections::HashMap;

const BLOCK: usize = 512;

/// All parameters by group and name.
pub(super) struct Parameters<'a> {
    pub processor: Processor,
    values: HashMap<(String, String), Parameter<'a>>,
}

struct Parameter<'a> {
    kind: i8,
    dimensions: &'a [u8],
    bytes: &'a [u8],
}

impl<'a> Parameters<'a> {
    /// Reads the section that begins at a block, counted from one.
    pub fn read(file: &'a [u8], block: u8) -> Result<Self, Problem> {
        let start = usize::from(block).saturating_sub(1) * BLOCK;
        let cut = || Problem::malformed("C3D parameters", "they are cut off; copy the file again");
        let section = file.get(start..).filter(|s| s.len() > 4 && block > 0).ok_or_else(cut)?;
        let processor = Processor::from_byte(section[3])?;
        let mut groups: HashMap<i8, String> = HashMap::new();
        let mut found = Vec::new();
        let mut at = 4;
        while let Some(&[length, id]) = section.get(at..at + 2).and_then(|b| b.first_chunk()) {
            let length = usize::from((length as i8).unsigned_abs());
            if length == 0 {
                break;
            }
            let name = section.get(at + 2..at + 2 + length).ok_or_else(cut)?;
            let name = String::from_utf8_lossy(name).to_ascii_uppercase();
            let link = at + 2 + length;
            let offset = section.get(link..link + 2).and_then(|b| b.first_chunk()).ok_or_else(cut)?;
            let offset = processor.word(*offset) as u16;
            let id = id as i8;
            if id < 0 {
                groups.insert(-id.max(-127), name);
            } else if let Some(parameter) = parameter(&section[link + 2..]) {
                found.push((id, name, parameter));
            }
            if offset == 0 {
                break;
            }
            at = link + usize::from(offset);
        }
        let named = |(id, name, parameter)| Some(((groups.get(&id)?.clone(), name), parameter));
        Ok(Self { processor, values: found.into_iter().filter_map(named).collect() })
    }

    fn get(&self, group: &str, name: &str) -> Option<&Parameter<'a>> {
        self.values.get(&(group.to_owned(), name.to_owned()))
    }

    /// The first number of a parameter.
    pub fn number(&self, group: &str, name: &str) -> Option<f64> {
        let parameter = self.get(group, name)?;
        match parameter.kind {
            1 => parameter.bytes.first().map(|&b| f64::from(b)),
            2 => Some(f64::from(self.processor.word(*parameter.bytes.first_chunk()?) as u16)),
            4 => Some(f64::from(self.processor.float(*parameter.bytes.first_chunk()?))),
            _ => None,
        }
    }

    /// A number of 32 bits that is kept in two words, the lower one first.
    pub fn long(&self, group: &str, name: &str) -> Option<u32> {
        let parameter = self.get(group, name).filter(|p| p.kind == 2)?;
        let [a, b, c, d] = *parameter.bytes.first_chunk()?;
        let word = |bytes| u32::from(self.processor.word(bytes) as u16);
        Some(word([a, b]) | word([c, d]) << 16)
    }

    /// The texts of a parameter.
    pub fn texts(&self, group: &str, name: &str) -> Vec<String> {
        let Some(parameter) = self.get(group, name).filter(|p| p.kind == -1) else { return Vec::new() };
        let length = usize::from(parameter.dimensions.first().copied().unwrap_or(1));
        if length == 0 {
            return Vec::new();
        }
        parameter
            .bytes
            .chunks_exact(length)
            .map(|t| String::from_utf8_lossy(t).trim_matches([' ', '\0']).into())
            .collect()
    }
}

fn parameter(bytes: &[u8]) -> Option<Parameter<'_>> {
    let &[kind, count] = bytes.first_chunk()?;
    let dimensions = bytes.get(2..2 + usize::from(count))?;
    let size = dimensions
        .iter()
        .try_fold(usize::from((kind as i8).unsigned_abs()), |size, &d| size.checked_mul(usize::from(d)))?;
    let values = bytes.get(2 + usize::from(count)..)?.get(..size)?;
    Some(Parameter { kind: kind as i8, dimensions, bytes: values })
}
