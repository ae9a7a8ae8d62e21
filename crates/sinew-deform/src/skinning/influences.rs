//! Weights as the hot loop wants them: block by block, with the joints that a block has in common.
//!
//! Neighbouring vertices of a file mostly have the same few joints: sixteen consecutive ones have two to seven
//! together, on average, in each of the characters that Sinew is tested with. So a block lists its
//! joints once, with a weight of each for every vertex, zero where a vertex does not have it. A transform
//! is then loaded once per block and used for all lanes, and nothing has to be gathered.
//!
//! Dual quaternions take their sign from the vertex's largest influence. What a block lists is therefore
//! an [`Entry`] of the frame's palette: a joint *as seen from* the largest one, with its sign settled once
//! per frame.

use super::entries::{Entries, Entry, entries_of};
use super::lanes::BLOCK;
use super::order::Order;
use sinew_rig::{Influence, Weights};
use std::collections::{BTreeMap, HashMap};

/// The influences of all vertices, in blocks of [`BLOCK`]. Within a block entries are in the order of
/// their joints, so that a vertex adds its influences up in the same order wherever it stands.
pub(super) struct Influences {
    pub entries: Vec<Entry>,
    /// Where each block's influences begin, and where the last one's end.
    begins: Vec<usize>,
    slots: Vec<u16>,
    weights: Vec<[f32; BLOCK]>,
}

impl Influences {
    /// Packs all influences in an order, or only the largest of each vertex. None if there are more entries than 16
    /// bits can count.
    pub fn pack(weights: &Weights, order: &Order, entries: Entries, only_largest: bool) -> Option<Self> {
        let mut packed = Self { entries: Vec::new(), begins: vec![0], slots: Vec::new(), weights: Vec::new() };
        let mut known = HashMap::new();
        for block in 0..weights.len().div_ceil(BLOCK) {
            let vertices = block * BLOCK..weights.len().min((block + 1) * BLOCK);
            let rows = vertices.map(|packed| weights.row(order.vertex(packed)));
            for (entry, shares) in block_of(rows, entries, only_largest) {
                let slot = *known.entry(entry).or_insert_with(|| {
                    packed.entries.push(entry);
                    packed.entries.len() - 1
                });
                packed.slots.push(u16::try_from(slot).ok()?);
                packed.weights.push(shares);
            }
            packed.begins.push(packed.slots.len());
        }
        Some(packed)
    }

    /// The influences of a block, for the vertices from `lane` on.
    #[inline(always)]
    pub fn batch(&self, block: usize, lane: usize) -> Batch<'_> {
        let range = self.begins[block]..self.begins[block + 1];
        Batch { first: range.start, slots: &self.slots[range.clone()], weights: &self.weights[range], lane }
    }
}

/// The entries of a block with the share of each vertex.
fn block_of<'a>(
    rows: impl Iterator<Item = &'a [Influence]>,
    entries: Entries,
    only_largest: bool,
) -> BTreeMap<Entry, [f32; BLOCK]> {
    let mut block: BTreeMap<Entry, [f32; BLOCK]> = BTreeMap::new();
    for (lane, row) in rows.enumerate() {
        for (entry, share) in entries_of(row, entries, only_largest) {
            block.entry(entry).or_default()[lane] = share;
        }
    }
    block
}

/// The influences of the vertices in some lanes of a block.
#[derive(Clone, Copy)]
pub(super) struct Batch<'a> {
    /// The number of the block's first entry among those of all blocks.
    pub first: usize,
    /// Places in the palette.
    pub slots: &'a [u16],
    /// Weights of the block's vertices; those from `lane` on are meant.
    pub weights: &'a [[f32; BLOCK]],
    pub lane: usize,
}
