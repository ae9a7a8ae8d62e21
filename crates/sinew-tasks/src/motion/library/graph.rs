//! An approximate index of the nearest windows among very many.
//!
//! A hierarchical graph of neighbours (Malkov, Yashunin, *Efficient and robust approximate nearest neighbor search
//! using hierarchical navigable small world graphs*, 2018), as the library USearch makes it. The numbers of a window
//! depend on each other, so the graph has it by its 32 principal coordinates alone, which makes a step several times
//! cheaper. Windows are added one after another, so that the same library always has the same graph.

use super::graph_layout::{self, COORDINATES};
use crate::{Error, Result};
use rayon::prelude::*;
use sinew::motion::search::{WINDOW, principal_directions};
use std::fmt::Display;
use usearch::{Index, IndexOptions, MetricKind, ScalarKind};

/// Neighbours of a window in the graph; in its lowest level twice as many.
const CONNECTIVITY: usize = 16;
/// Windows that are visited for each that is added.
const EXPANSION_ADD: usize = 64;
/// Windows that are visited for each query.
const EXPANSION_SEARCH: usize = 128;
/// Windows that the principal directions are found from.
const SAMPLES: usize = 4096;

pub struct Graph {
    index: Index,
    /// A row for each number of a window, with its share in every coordinate.
    basis: Vec<f32>,
}

impl Graph {
    /// A graph of windows in a row.
    pub fn new(windows: &[f32]) -> Result<Self> {
        let graph = Self { index: empty()?, basis: principal_basis(windows) };
        graph.reserve(windows.len() / WINDOW)?;
        let reduced: Vec<[f32; COORDINATES]> = windows.par_chunks_exact(WINDOW).map(|w| graph.reduced(w)).collect();
        for (key, window) in reduced.iter().enumerate() {
            graph.index.add(key as u64, window).map_err(|why| failed("the approximate index cannot be built", why))?;
        }
        Ok(graph)
    }

    /// Every thread that asks at the same time needs memory of its own.
    fn reserve(&self, count: usize) -> Result<()> {
        let threads = rayon::current_num_threads() + 1;
        self.index
            .reserve_capacity_and_threads(count, threads)
            .map_err(|why| failed("there is not enough memory for the approximate index", why))
    }

    fn reduced(&self, window: &[f32]) -> [f32; COORDINATES] {
        let mut sums = [0.0; COORDINATES];
        for (value, row) in window.iter().zip(self.basis.chunks_exact(COORDINATES)) {
            sums.iter_mut().zip(row).for_each(|(sum, share)| *sum += value * share);
        }
        sums
    }

    /// For each of some windows the numbers and squared distances of the nearest ones, the nearest first.
    pub fn nearest(&self, windows: &[&[f32]], count: usize) -> Result<Vec<Vec<(usize, f32)>>> {
        let search = |window: &&[f32]| {
            let found = self.index.search(&self.reduced(window), count);
            let found = found.map_err(|why| failed("the approximate index cannot be searched", why))?;
            Ok(found.keys.into_iter().map(|key| key as usize).zip(found.distances).collect())
        };
        windows.par_iter().map(search).collect()
    }

    /// The graph as USearch keeps it in files.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        stored(&self.index)
    }

    /// The factor of windows.
    pub fn basis(&self) -> &[f32] {
        &self.basis
    }

    /// A graph of so many windows that was stored.
    pub fn from_parts(bytes: &[u8], basis: Vec<f32>, count: usize) -> Result<Self> {
        if basis.len() != WINDOW * COORDINATES {
            return Err(Error::BrokenIndex { what: "the basis of its approximate index has another size".into() });
        }
        let index = empty()?;
        graph_layout::check(bytes, &stored(&index)?, count)?;
        index.load_from_buffer(bytes).map_err(|why| failed("its approximate index is damaged", why))?;
        let graph = Self { index, basis };
        graph.reserve(count)?;
        Ok(graph)
    }
}

/// Changes the bytes of a sound graph by exclusive or, and asks what is read for neighbours.
#[cfg(fuzzing)]
pub fn fuzz(changes: &[u8]) {
    const WINDOWS: usize = 24;
    static SOUND: std::sync::OnceLock<(Vec<f32>, Vec<u8>, Vec<f32>)> = std::sync::OnceLock::new();
    let (windows, bytes, basis) = SOUND.get_or_init(|| {
        let windows: Vec<f32> = (0..WINDOWS * WINDOW).map(|k| ((k * 7919) % 1009) as f32).collect();
        let graph = Graph::new(&windows).expect("a graph");
        (windows, graph.to_bytes().expect("its bytes"), graph.basis)
    });
    let mut bytes = bytes.clone();
    bytes.resize(bytes.len().max(changes.len()), 0);
    bytes.iter_mut().zip(changes).for_each(|(byte, change)| *byte ^= change);
    if let Ok(graph) = Graph::from_parts(&bytes, basis.clone(), WINDOWS) {
        for found in graph.nearest(&[&windows[..WINDOW]], 5).expect("neighbours") {
            assert!(found.iter().all(|&(window, _)| window < WINDOWS), "a neighbour is a window");
        }
    }
}

fn failed(what: &'static str, why: impl Display) -> Error {
    Error::ApproximateIndex { what, why: why.to_string() }
}

fn empty() -> Result<Index> {
    let options = IndexOptions {
        dimensions: COORDINATES,
        metric: MetricKind::L2sq,
        quantization: ScalarKind::F32,
        connectivity: CONNECTIVITY,
        expansion_add: EXPANSION_ADD,
        expansion_search: EXPANSION_SEARCH,
        multi: false,
    };
    Index::new(&options).map_err(|why| failed("the approximate index cannot be built", why))
}

fn stored(index: &Index) -> Result<Vec<u8>> {
    let mut bytes = vec![0; index.serialized_length()];
    index.save_to_buffer(&mut bytes).map_err(|why| failed("the approximate index cannot be stored", why))?;
    Ok(bytes)
}

/// The directions along which windows differ most, as columns; those that there are not are zero.
fn principal_basis(windows: &[f32]) -> Vec<f32> {
    let step = (windows.len() / WINDOW).div_ceil(SAMPLES).max(1);
    let mut rows: Vec<[f64; WINDOW]> =
        windows.as_chunks::<WINDOW>().0.iter().step_by(step).map(|window| window.map(f64::from)).collect();
    let count = rows.len() as f64;
    for column in 0..WINDOW {
        let mean = rows.iter().map(|row| row[column]).sum::<f64>() / count;
        rows.iter_mut().for_each(|row| row[column] -= mean);
    }
    let mut basis = vec![0.0; WINDOW * COORDINATES];
    for (k, (_, direction)) in principal_directions(&rows, COORDINATES).iter().enumerate() {
        basis.iter_mut().skip(k).step_by(COORDINATES).zip(direction).for_each(|(share, x)| *share = *x as f32);
    }
    basis
}
