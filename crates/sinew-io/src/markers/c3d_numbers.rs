//! Numbers as the processors wrote them that C3D files come from.
//!
//! Intel: little endian. MIPS: big endian. DEC: little endian, but a float has its two words exchanged and an exponent
//! that is larger by two, so it is four times the IEEE number of the same bits.

use crate::Problem;

/// A kind of processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Processor {
    Intel,
    Dec,
    Mips,
}

impl Processor {
    pub fn from_byte(byte: u8) -> Result<Self, Problem> {
        match byte {
            84 => Ok(Self::Intel),
            85 => Ok(Self::Dec),
            86 => Ok(Self::Mips),
            _ => Err(Problem::malformed(
                "C3D parameters",
                format!("processor type {byte} is none of 84 (Intel), 85 (DEC) and 86 (MIPS)"),
            )),
        }
    }

    pub fn word(self, bytes: [u8; 2]) -> i16 {
        if self == Self::Mips { i16::from_be_bytes(bytes) } else { i16::from_le_bytes(bytes) }
    }

    pub fn word_bytes(self, word: i16) -> [u8; 2] {
        if self == Self::Mips { word.to_be_bytes() } else { word.to_le_bytes() }
    }

    pub fn float(self, [a, b, c, d]: [u8; 4]) -> f32 {
        match self {
            Self::Intel => f32::from_le_bytes([a, b, c, d]),
            Self::Mips => f32::from_be_bytes([a, b, c, d]),
            Self::Dec => f32::from_le_bytes([c, d, a, b]) / 4.0,
        }
    }

    pub fn float_bytes(self, value: f32) -> [u8; 4] {
        match self {
            Self::Intel => value.to_le_bytes(),
            Self::Mips => value.to_be_bytes(),
            Self::Dec => {
                let [a, b, c, d] = (value * 4.0).to_le_bytes();
                [c, d, a, b]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for processor in [Processor::Intel, Processor::Dec, Processor::Mips] {
            for value in [0.0, 1.0, -1.0, 123.456, -0.001, 1e20] {
                assert_eq!(processor.float(processor.float_bytes(value)), value, "{processor:?}");
            }
            for word in [0, 1, -1, 12345, i16::MIN] {
                assert_eq!(processor.word(processor.word_bytes(word)), word, "{processor:?}");
            }
        }
        // One, as a VAX has it.
        assert_eq!(Processor::Dec.float([0x80, 0x40, 0, 0]), 1.0);
    }
}
