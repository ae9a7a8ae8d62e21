//! The order in which the deformer packs the vertices of a part.
//!
//! A block of sixteen vertices costs what its entries cost (see `influences`). Exporters that list neighbours one after
//! another leave two to seven joints to a block; an order without locality leaves twenty and more. So the vertices of
//! each *window* of the file are sorted by their entries. The deformer writes every vertex to its place in the window, which
//! stays in the cache (48 KiB, twice with normals). A window is what one thread skins at a time. Windows of 4096
//! vertices are long enough: a shuffled character has as few entries in a block as one
//! sorted as a whole, within a third.
//!
//! A vertex adds up its influences in the order of their joints, wherever it stands, and an entry of no weight adds
//! nothing. So its bits do not depend on the order.
//!
//! The file's order is kept where sorting does not pay. Building costs a sort of every window.

use super::entries::{Entries, entries_of};
use super::lanes::BLOCK;
use sinew_geometry::parallel::*;
use sinew_rig::Weights;
use std::ops::Range;

/// Vertices that are sorted together, and that one thread skins at a time: enough to outweigh the hand-over. A multiple
/// of [`BLOCK`]; 16 bits number the places of a window.
pub(super) const WINDOW: usize = 4096;

/// What writing a block to scattered places costs, in entries of a block. Measured with four influences on one thread
/// with AVX-512: an entry takes about 0.5 ns a vertex, scattered positions 1.5 ns, and 3.5 ns with normals. At 8 the
/// characters that Sinew is tested with keep the order of their files; half of it would sort some that gain nothing
/// with normals. Windows of 1024 vertices measured the same.
const SCATTER_ENTRIES: usize = 8;

/// Which vertex of the file each packed vertex is.
#[derive(Default)]
pub(super) struct Order {
    /// For each packed vertex, its place in its window of the file; empty where the file's order is kept.
    places: Vec<u16>,
}

impl Order {
    /// Sorts the vertices of a part by their entries, where that pays.
    pub fn new(weights: &Weights, entries: Entries, only_largest: bool) -> Self {
        let count = weights.len();
        let windows: Vec<Window> = (0..count.div_ceil(WINDOW))
            .into_par_iter()
            .map(|w| Window::new(weights, w * WINDOW..count.min((w + 1) * WINDOW), entries, only_largest))
            .collect();
        let [mut in_file, mut sorted] = [0, SCATTER_ENTRIES * count.div_ceil(BLOCK)];
        for window in &windows {
            in_file += window.entries_in_file;
            sorted += window.entries_sorted;
        }
        if in_file <= sorted {
            return Self::default();
        }
        Self { places: windows.into_iter().flat_map(|window| window.places).collect() }
    }

    /// The file's number of a packed vertex.
    pub fn vertex(&self, packed: usize) -> usize {
        self.places.get(packed).map_or(packed, |&place| packed / WINDOW * WINDOW + usize::from(place))
    }

    /// The values of a list by vertex, in this order. An empty list stays empty.
    pub fn arrange<T: Copy>(&self, values: &[T]) -> Vec<T> {
        (0..values.len()).map(|packed| values[self.vertex(packed)]).collect()
    }

    /// The places of some packed vertices in their window of the file; none where the file's order is kept.
    pub fn places(&self, packed: Range<usize>) -> Option<&[u16]> {
        self.places.get(packed)
    }
}

/// A window's vertices sorted, and the entries of its blocks before and after.
struct Window {
    places: Vec<u16>,
    entries_in_file: usize,
    entries_sorted: usize,
}

impl Window {
    fn new(weights: &Weights, vertices: Range<usize>, entries: Entries, only_largest: bool) -> Self {
        // Vertices of one largest influence first share their entries, where these are pairs.
        let key = |vertex: usize| {
            let entries = entries_of(weights.row(vertex), entries, only_largest);
            let mut key: Vec<[u32; 2]> = entries.map(|(entry, _)| [entry.largest, entry.joint]).collect();
            key.sort_unstable();
            key
        };
        let keys: Vec<Vec<[u32; 2]>> = vertices.map(key).collect();
        let count = |places: &[u16]| {
            let block = |places: &[u16]| {
                let mut entries: Vec<_> = places.iter().flat_map(|&place| &keys[usize::from(place)]).collect();
                entries.sort_unstable();
                entries.dedup();
                entries.len()
            };
            places.chunks(BLOCK).map(block).sum()
        };
        let mut places: Vec<u16> = (0..keys.len()).map(|place| place as u16).collect();
        let entries_in_file = count(&places);
        // Vertices alike stay in the file's order.
        places.sort_by_key(|&place| &keys[usize::from(place)]);
        Self { entries_in_file, entries_sorted: count(&places), places }
    }
}
