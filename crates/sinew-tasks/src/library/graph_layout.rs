//! Is a stored graph one that can be walked?
//!
//! USearch follows the numbers of a stored graph without a look, so one that was damaged or made up would lead it out of
//! its memory. A graph is, in little endian: rows and bytes per row (u32), the rows; a head of 64 bytes that begins with a
//! magic word; the number of nodes, of neighbours, of neighbours in the lowest level, the highest level and where
//! searches begin (u64); the level of every node (i16); and the nodes, each with its key (u64), its level (i16) and for
//! every level from the lowest up a count and room for the numbers of its neighbours (u32).

use super::graph::COORDINATES;
use anyhow::{Context, Result, ensure};

const HEAD: usize = 64;
/// Parts of the head that must be as they are made here: the magic word with the major version, the kinds of numbers
/// and distances, the dimensions.
const SAME: [std::ops::Range<usize>; 3] = [0..9, 13..17, 33..42];

/// Checks a graph of so many windows against one without any that was made the same way.
pub fn check(bytes: &[u8], empty: &[u8], count: usize) -> Result<()> {
    let mut reader = Reader(bytes);
    let (rows, row) = (reader.u32()? as usize, reader.u32()? as usize);
    ensure!(rows == count && row == COORDINATES * size_of::<f32>(), "its approximate index is of other windows");
    reader.take(rows.checked_mul(row).context(DAMAGED)?)?;
    let (head, made) = (reader.take(HEAD)?, Reader(empty).skipped(2 * size_of::<u32>())?.take(HEAD)?);
    ensure!(
        SAME.iter().all(|part| head[part.clone()] == made[part.clone()]),
        "its approximate index is of another kind"
    );
    check_nodes(&mut reader, count).context(DAMAGED)?;
    ensure!(reader.0.is_empty(), DAMAGED);
    Ok(())
}

const DAMAGED: &str = "its approximate index is damaged";

fn check_nodes(reader: &mut Reader<'_>, count: usize) -> Result<()> {
    let [size, neighbours, lowest, highest, entry] =
        [reader.u64()?, reader.u64()?, reader.u64()?, reader.u64()?, reader.u64()?].map(usize::try_from);
    let (size, neighbours, lowest, highest) = (size?, neighbours?, lowest?, highest?);
    ensure!(size == count, "it has {size} nodes for {count} windows");
    let levels = reader.take(count.checked_mul(2).context("too many nodes")?)?;
    let level = |node: usize| {
        let stored = levels.get(node.checked_mul(2)?..)?.first_chunk()?;
        usize::try_from(i16::from_le_bytes(*stored)).ok()
    };
    ensure!(count == 0 || level(entry?) == Some(highest), "searches begin nowhere");
    for node in 0..count {
        let own = level(node).context("a node is below the lowest level")?;
        ensure!(own <= highest && reader.u64()? == node as u64, "node {node} is another");
        ensure!(usize::from(reader.u16()?) == own, "node {node} has two levels");
        for at in 0..=own {
            let room = if at == 0 { lowest } else { neighbours };
            let used = reader.u32()? as usize;
            let slots = reader.take(room.checked_mul(4).context("too many neighbours")?)?;
            let (slots, _) = slots.as_chunks::<4>();
            let used = slots.get(..used).context("a node has more neighbours than there is room for")?;
            // A neighbour that does not reach this level has no list to go on with.
            let reaches = |slot: &[u8; 4]| level(u32::from_le_bytes(*slot) as usize).is_some_and(|other| other >= at);
            ensure!(used.iter().all(reaches), "a neighbour of node {node} does not exist");
        }
    }
    Ok(())
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length).context("it is cut")?;
        self.0 = rest;
        Ok(taken)
    }

    fn skipped(mut self, length: usize) -> Result<Self> {
        self.take(length)?;
        Ok(self)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.take(N)?.try_into()?)
    }

    fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }
}
