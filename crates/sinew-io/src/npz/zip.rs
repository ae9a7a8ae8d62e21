//! ZIP archives of stored members (PKWARE's application note, without ZIP64).

use crate::Problem;
use std::io::Write;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END_LENGTH: usize = 22;
/// Version 2.0 of the format is needed.
const VERSION: u16 = 20;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;
/// The first of January 1980, where the format's calendar begins: the same content makes the same file.
const NO_DATE: u16 = 1 << 5 | 1;

/// Writes members one after another.
pub struct Writer<'a, W: Write> {
    out: &'a mut W,
    offset: u64,
    directory: Vec<u8>,
    count: usize,
}

impl<'a, W: Write> Writer<'a, W> {
    pub fn new(out: &'a mut W) -> Self {
        Self { out, offset: 0, directory: Vec::new(), count: 0 }
    }

    /// Adds a member that is the given pieces in a row.
    pub fn add(&mut self, name: &str, pieces: &[&[u8]]) -> Result<(), Problem> {
        let size = small(pieces.iter().map(|piece| piece.len() as u64).sum())?;
        let offset = small(self.offset)?;
        let mut checksum = crc32fast::Hasher::new();
        pieces.iter().for_each(|piece| checksum.update(piece));
        let mut common = Vec::new();
        for half in [VERSION, UTF8, 0, 0, NO_DATE] {
            common.extend(half.to_le_bytes());
        }
        for word in [checksum.finalize(), size, size] {
            common.extend(word.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend(0u16.to_le_bytes());
        let header = [&LOCAL.to_le_bytes(), &common[..], name.as_bytes()].concat();
        self.write(&header)?;
        for piece in pieces {
            self.write(piece)?;
        }
        self.directory.extend(CENTRAL.to_le_bytes());
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(&common);
        // Comment, disk, attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.count += 1;
        Ok(())
    }

    /// Writes the directory.
    pub fn finish(mut self) -> Result<(), Problem> {
        let (offset, size) = (small(self.offset)?, small(self.directory.len() as u64)?);
        let directory = std::mem::take(&mut self.directory);
        self.write(&directory)?;
        let count = (self.count as u16).to_le_bytes();
        let end =
            [&END.to_le_bytes()[..], &[0; 4], &count, &count, &size.to_le_bytes(), &offset.to_le_bytes(), &[0; 2]];
        self.write(&end.concat())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        self.offset += bytes.len() as u64;
        Ok(self.out.write_all(bytes)?)
    }
}

fn small(size: u64) -> Result<u32, Problem> {
    let too_large = |_| Problem::unsupported("it would be larger than 4 GiB", "split what goes into it");
    u32::try_from(size).map_err(too_large)
}

/// The names and contents of an archive's members.
pub fn members(bytes: &[u8]) -> Result<Vec<(String, &[u8])>, Problem> {
    let cut = || Problem::malformed("end of the file", "it is no ZIP archive, or only the beginning of one");
    let end = bytes.len().checked_sub(END_LENGTH).ok_or_else(cut)?;
    if word(bytes, end) != Some(END) {
        return Err(cut());
    }
    let count = half(bytes, end + 10).ok_or_else(cut)?;
    let mut at = word(bytes, end + 16).ok_or_else(cut)? as usize;
    let mut members = Vec::new();
    let mut left = bytes.len();
    for number in 0..count {
        let broken = || Problem::malformed(format!("member {number}"), "its entry in the directory is broken");
        let (name, content, next) = member(bytes, at).ok_or_else(broken)?;
        let name = String::from_utf8_lossy(name).into_owned();
        if half(bytes, at + 10) != Some(0) {
            return Err(Problem::unsupported(
                format!("member \"{name}\" is compressed"),
                "use numpy.savez to store it",
            ));
        }
        // Members that overlap would be summed once for each, for hours.
        left = left.checked_sub(content.len()).ok_or_else(broken)?;
        if word(bytes, at + 16) != Some(crc32fast::hash(content)) {
            return Err(Problem::malformed(format!("member \"{name}\""), "its checksum is wrong; the file is damaged"));
        }
        members.push((name, content));
        at = next;
    }
    Ok(members)
}

/// The name and content of the member whose directory entry is at an offset, and where the next entry is.
fn member(bytes: &[u8], at: usize) -> Option<(&[u8], &[u8], usize)> {
    if word(bytes, at)? != CENTRAL {
        return None;
    }
    let [name, extra, comment] = [28, 30, 32].map(|offset| half(bytes, at + offset).map(usize::from));
    let (name, size, local) = (name?, word(bytes, at + 20)? as usize, word(bytes, at + 42)? as usize);
    let after = at.checked_add(46)?.checked_add(name)?;
    if word(bytes, local)? != LOCAL {
        return None;
    }
    let [local_name, local_extra] = [26, 28].map(|offset| half(bytes, local + offset).map(usize::from));
    let start = local.checked_add(30)?.checked_add(local_name?)?.checked_add(local_extra?)?;
    let content = bytes.get(start..start.checked_add(size)?)?;
    Some((bytes.get(at + 46..after)?, content, after + extra? + comment?))
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    let piece = bytes.get(at..)?.first_chunk::<2>()?;
    Some(u16::from_le_bytes(*piece))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let piece = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*piece))
}
