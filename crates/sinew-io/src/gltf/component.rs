//! The types of an accessor's numbers, and how many make an element.

use crate::Problem;

/// The type of a number.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    pub fn of(code: u32, place: &str) -> Result<Self, Problem> {
        Ok(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return Err(Problem::malformed(place, format!("{code} is no component type"))),
        })
    }

    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Appends a number, limited to what the component can hold.
    pub fn write(self, number: f64, bytes: &mut Vec<u8>) {
        match self {
            Self::I8 => bytes.extend((number as i8).to_le_bytes()),
            Self::U8 => bytes.push(number as u8),
            Self::I16 => bytes.extend((number as i16).to_le_bytes()),
            Self::U16 => bytes.extend((number as u16).to_le_bytes()),
            Self::U32 => bytes.extend((number as u32).to_le_bytes()),
            Self::F32 => bytes.extend((number as f32).to_le_bytes()),
        }
    }
}

/// How many numbers an element has.
pub(super) fn width(kind: &str, place: &str) -> Result<usize, Problem> {
    match kind {
        "SCALAR" => Ok(1),
        "VEC2" => Ok(2),
        "VEC3" => Ok(3),
        "VEC4" => Ok(4),
        "MAT4" => Ok(16),
        _ => Err(Problem::malformed(place, format!("elements of type \"{kind}\" have no use in a character"))),
    }
}
