//! The layer where a hand branches into thumb and fingers.
//!
//! The cells of the limb form the layers of its centre line. The limb has branched where the cells of a layer, and of the
//! layers after it, are no longer connected.

use super::centerline::distances;
use super::occupancy_grid::OccupancyGrid;
use sinew_geometry::UnionFind;

/// The least fraction of its layer's cells in a branch. Not tuned.
const MIN_BRANCH_FRACTION: f64 = 0.1;
/// The number of consecutive branched layers that confirm a branching. Not tuned.
const CONFIRMING_LAYERS: usize = 3;

/// The first branched layer in the distal half of the limb, of the layers by path length from the start cells.
pub(super) fn branching_layer(
    grid: &OccupancyGrid,
    cells: &[usize],
    is_start: impl Fn(usize) -> bool,
) -> Option<usize> {
    let distances = distances(grid, cells, is_start);
    let layer = |cell: usize| distances[cell] as usize;
    let reached: Vec<usize> = cells.iter().copied().filter(|&cell| distances[cell].is_finite()).collect();
    let count = 1 + reached.iter().map(|&cell| layer(cell)).max()?;
    let mut components = UnionFind::new(grid.inside.len());
    for &cell in &reached {
        for (next, _) in grid.neighbors(cell).filter(|&(next, _)| layer(next) == layer(cell)) {
            components.join(cell as u32, next as u32);
        }
    }
    let (mut component_cells, mut layer_cells) = (vec![0.0; grid.inside.len()], vec![0.0; count]);
    for &cell in &reached {
        component_cells[components.root(cell as u32) as usize] += 1.0;
        layer_cells[layer(cell)] += 1.0;
    }
    let mut branches = vec![0; count];
    for &root in reached.iter().filter(|&&cell| component_cells[cell] >= MIN_BRANCH_FRACTION * layer_cells[layer(cell)])
    {
        branches[layer(root)] += 1;
    }
    // The centre line has no layers without cells.
    let is_branched: Vec<bool> = (0..count).filter(|&k| layer_cells[k] > 0.0).map(|k| branches[k] > 1).collect();
    let half = is_branched.len() / 2;
    let branching_layer =
        is_branched[half..].windows(CONFIRMING_LAYERS).position(|layers| layers.iter().all(|&is| is))?;
    Some(half + branching_layer)
}
