//! NumPy's archive of arrays (.npz): a ZIP of stored members, each an array in the format .npy or a plain text.
//!
//! Python opens one with `numpy.load`. Numbers are little-endian and in C order; nothing is compressed, so that an
//! archive is read about as fast as the disk gives it.

mod npy;
mod zip;

use crate::{AtomicFile, Problem};
use std::io::Write;
use std::path::Path;

/// An entry of an archive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Member<'a> {
    /// A table of float32.
    Floats {
        /// Numbers in a row.
        columns: usize,
        /// All rows, one after another.
        values: &'a [f32],
    },
    /// An array of uint8.
    Bytes(&'a [u8]),
    /// A member that is no array.
    Text(&'a str),
}

/// Writes an archive aside and renames it. Arrays are named without `.npy`, texts with their extension.
pub fn write(path: &Path, members: &[(&str, Member<'_>)]) -> Result<(), crate::Error> {
    let mut file = AtomicFile::new(path)?;
    write_to(&mut file, members).map_err(|problem| problem.at(path))?;
    file.finish()
}

fn write_to(out: &mut impl Write, members: &[(&str, Member<'_>)]) -> Result<(), Problem> {
    let mut archive = zip::Writer::new(out);
    for (name, member) in members {
        match member {
            Member::Floats { columns, values } => {
                let rows = values.len() / (*columns).max(1);
                let header = npy::header("<f4", &[rows, *columns]);
                archive.add(&format!("{name}.npy"), &[&header, &npy::little_endian(values)])?;
            }
            Member::Bytes(bytes) => {
                archive.add(&format!("{name}.npy"), &[&npy::header("|u1", &[bytes.len()]), bytes])?;
            }
            Member::Text(text) => archive.add(name, &[text.as_bytes()])?,
        }
    }
    archive.finish()
}

/// An archive in memory.
pub struct Archive<'a> {
    members: Vec<(String, &'a [u8])>,
}

impl<'a> Archive<'a> {
    /// Finds the members of an archive and checks that they are whole.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Problem> {
        Ok(Self { members: zip::members(bytes)? })
    }

    /// Whether there is a member of that name.
    pub fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(known, _)| known == name || known.strip_suffix(".npy") == Some(name))
    }

    /// A table of float32 with that many columns.
    pub fn floats(&self, name: &str, columns: usize) -> Result<Vec<f32>, Problem> {
        let (shape, data) = npy::parse(name, self.member(&format!("{name}.npy"))?, "<f4")?;
        match shape[..] {
            [_, found] if found == columns => Ok(npy::floats(data)),
            _ => Err(Problem::malformed(name, format!("its shape is {shape:?}, not rows of {columns} numbers"))),
        }
    }

    /// An array of uint8.
    pub fn bytes(&self, name: &str) -> Result<&'a [u8], Problem> {
        Ok(npy::parse(name, self.member(&format!("{name}.npy"))?, "|u1")?.1)
    }

    /// A text.
    pub fn text(&self, name: &str) -> Result<&'a str, Problem> {
        std::str::from_utf8(self.member(name)?).map_err(|_| Problem::malformed(name, "it is not UTF-8"))
    }

    fn member(&self, name: &str) -> Result<&'a [u8], Problem> {
        let found = self.members.iter().find(|(known, _)| known == name);
        found.map(|(_, bytes)| *bytes).ok_or_else(|| Problem::malformed(name, "there is no such member"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive() -> Vec<u8> {
        let mut bytes = Vec::new();
        let members = [
            ("table", Member::Floats { columns: 3, values: &[1.0, -2.5, 3e-20, 4.0, 5.0, f32::MAX] }),
            ("raw", Member::Bytes(&[7, 0, 255])),
            ("about.json", Member::Text("{\"größe\": 1}")),
        ];
        write_to(&mut bytes, &members).unwrap();
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = archive();
        let read = Archive::read(&bytes).unwrap();
        assert_eq!(read.floats("table", 3).unwrap(), [1.0, -2.5, 3e-20, 4.0, 5.0, f32::MAX]);
        assert_eq!(read.bytes("raw").unwrap(), [7, 0, 255]);
        assert_eq!(read.text("about.json").unwrap(), "{\"größe\": 1}");
        assert!(read.floats("table", 2).is_err() && read.floats("none", 3).is_err() && read.bytes("table").is_err());
        assert!(read.has("table") && !read.has("none"));
    }

    #[test]
    fn no_damage_goes_unseen_or_panics() {
        let bytes = archive();
        for length in 0..bytes.len() {
            assert!(Archive::read(&bytes[..length]).is_err(), "cut to {length}");
        }
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x55;
            if let Ok(read) = Archive::read(&damaged) {
                let _ = (read.floats("table", 3), read.bytes("raw"), read.text("about.json"));
            }
        }
    }
}
