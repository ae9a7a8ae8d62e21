//! The header of a PLY file: encoding, elements and their properties.

use crate::Problem;

/// How the body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

/// A number's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes in a binary body.
    pub const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// A named number, or list of numbers, of each item of an element.
#[derive(Debug, Clone)]
pub(super) struct Property {
    pub name: String,
    /// The type of the list's length; none for a single number.
    pub length: Option<Scalar>,
    pub scalar: Scalar,
}

/// A table of items with the same properties.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub name: String,
    pub count: usize,
    pub properties: Vec<Property>,
}

impl Element {
    /// The fewest bytes that an item can take: empty lists, or a digit and a blank for each number.
    pub fn least_size(&self, encoding: Encoding) -> usize {
        let least = |property: &Property| match encoding {
            Encoding::Ascii => 2,
            _ => property.length.unwrap_or(property.scalar).size(),
        };
        self.properties.iter().map(least).sum()
    }

    /// The place of a property by any of its names.
    pub fn position(&self, names: &[&str]) -> Option<usize> {
        self.properties.iter().position(|p| names.contains(&p.name.as_str()))
    }
}

pub(super) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
}

/// Parses the header and returns it with the body.
pub(super) fn parse(bytes: &[u8]) -> Result<(Header, &[u8]), Problem> {
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    let mut rest = bytes;
    for line in 1.. {
        let fail = |why: String| Problem::malformed(format!("header line {line}"), why);
        let Some(end) = rest.iter().position(|&b| b == b'\n') else {
            return Err(fail("the header does not end with \"end_header\"".into()));
        };
        let text = String::from_utf8_lossy(rest[..end].trim_ascii());
        rest = &rest[end + 1..];
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match words[..] {
            ["ply"] if line == 1 => {}
            _ if line == 1 => return Err(fail("a PLY file begins with the line \"ply\"".into())),
            ["format", name, _version] => {
                encoding = Some(match name {
                    "ascii" => Encoding::Ascii,
                    "binary_little_endian" => Encoding::LittleEndian,
                    "binary_big_endian" => Encoding::BigEndian,
                    _ => return Err(fail(format!("\"{name}\" is no known format"))),
                });
            }
            ["element", name, count] => {
                let count = count.parse().map_err(|_| fail(format!("\"{count}\" is no number of items")))?;
                elements.push(Element { name: name.into(), count, properties: Vec::new() });
            }
            ["property", ref types @ .., name] => {
                let element = elements.last_mut().ok_or_else(|| fail("a property comes before any element".into()))?;
                let scalar = |name: &str| Scalar::named(name).ok_or_else(|| fail(format!("\"{name}\" is no type")));
                let (length, scalar) = match types {
                    [one] => (None, scalar(one)?),
                    ["list", length, item] => (Some(scalar(length)?), scalar(item)?),
                    _ => return Err(fail("a property has a type and a name, or is a list of a type".into())),
                };
                element.properties.push(Property { name: name.into(), length, scalar });
            }
            ["end_header"] => break,
            [] | ["comment" | "obj_info", ..] => {}
            _ => return Err(fail(format!("\"{text}\" is no header line"))),
        }
    }
    let encoding = encoding.ok_or_else(|| Problem::malformed("header", "it names no format"))?;
    Ok((Header { encoding, elements }, rest))
}
