//! The validation of a stored graph.
//!
//! USearch follows the indices of a stored graph unchecked, so a damaged or forged graph would lead it out of its
//! memory. A graph is, in little endian: rows and bytes per row (u32), the rows; a head of 64 bytes that begins with a
//! magic word; the number of nodes, of neighbours, of neighbours in the lowest level, the highest level and where
//! searches begin (u64); the level of every node (i16); and the nodes, each with its key (u64), its level (i16) and for
//! every level from the lowest up a count and room for the numbers of its neighbours (u32).

use crate::Error;

/// Numbers of a window in the graph.
pub const COORDINATES: usize = 32;

const HEAD: usize = 64;
/// Parts of the head that must be as they are made here: the magic word with the major version, the kinds of numbers
/// and distances, the dimensions.
const SAME: [std::ops::Range<usize>; 3] = [0..9, 13..17, 33..42];

/// Checks a graph of `count` windows against an empty one that was made the same way.
pub fn check(bytes: &[u8], empty: &[u8], count: usize) -> Result<(), Error> {
    check_all(bytes, empty, count)
        .map_err(|Damage(why)| Error::BrokenIndex { what: format!("its approximate index {why}") })
}

/// The problem of a graph, as the end of a sentence.
struct Damage(String);

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<(), Damage> {
    if holds { Ok(()) } else { Err(Damage(why())) }
}

fn damaged(why: &str) -> Damage {
    Damage(format!("is damaged: {why}"))
}

fn check_all(bytes: &[u8], empty: &[u8], count: usize) -> Result<(), Damage> {
    let mut reader = Reader(bytes);
    let (rows, row) = (reader.u32()? as usize, reader.u32()? as usize);
    ensure(rows == count && row == COORDINATES * size_of::<f32>(), || "is of other windows".into())?;
    reader.take(rows.checked_mul(row).ok_or_else(|| damaged("it has too many rows"))?)?;
    let (head, made) = (reader.take(HEAD)?, Reader(empty).skipped(2 * size_of::<u32>())?.take(HEAD)?);
    ensure(SAME.iter().all(|part| head[part.clone()] == made[part.clone()]), || "is of another kind".into())?;
    check_nodes(&mut reader, count)?;
    ensure(reader.0.is_empty(), || "is damaged: it is too long".into())
}

fn check_nodes(reader: &mut Reader<'_>, count: usize) -> Result<(), Damage> {
    let [size, neighbours, lowest, highest, entry] =
        [reader.size()?, reader.size()?, reader.size()?, reader.size()?, reader.size()?];
    ensure(size == count, || format!("is damaged: it has {size} nodes for {count} windows"))?;
    let levels = reader.take(count.checked_mul(2).ok_or_else(|| damaged("it has too many nodes"))?)?;
    let level = |node: usize| {
        let stored = levels.get(node.checked_mul(2)?..)?.first_chunk()?;
        usize::try_from(i16::from_le_bytes(*stored)).ok()
    };
    ensure(count == 0 || level(entry) == Some(highest), || "is damaged: it has no entry for searches".into())?;
    for node in 0..count {
        let own = level(node).ok_or_else(|| damaged("a node is below the lowest level"))?;
        let wrong = || format!("is damaged: node {node} has another key or level");
        ensure(own <= highest && reader.u64()? == node as u64, wrong)?;
        ensure(usize::from(reader.u16()?) == own, wrong)?;
        for at in 0..=own {
            let room = if at == 0 { lowest } else { neighbours };
            let used = reader.u32()? as usize;
            let slots = reader.take(room.checked_mul(4).ok_or_else(|| damaged("it has too many neighbours"))?)?;
            let (slots, _) = slots.as_chunks::<4>();
            let used = slots.get(..used).ok_or_else(|| damaged("a node has more neighbours than slots"))?;
            // A neighbour that does not reach this level has no list to continue with.
            let reaches = |slot: &[u8; 4]| level(u32::from_le_bytes(*slot) as usize).is_some_and(|other| other >= at);
            ensure(used.iter().all(reaches), || format!("is damaged: a neighbour of node {node} does not exist"))?;
        }
    }
    Ok(())
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Damage> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(|| damaged("it is cut"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn skipped(mut self, length: usize) -> Result<Self, Damage> {
        self.take(length)?;
        Ok(self)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        let (array, rest) = self.0.split_first_chunk().ok_or_else(|| damaged("it is cut"))?;
        self.0 = rest;
        Ok(*array)
    }

    fn u16(&mut self) -> Result<u16, Damage> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, Damage> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Damage> {
        self.array().map(u64::from_le_bytes)
    }

    fn size(&mut self) -> Result<usize, Damage> {
        usize::try_from(self.u64()?).map_err(|_| damaged("a number is too large"))
    }
}
