//! Where does a hand part into thumb and fingers?
//!
//! The limb's cells are cut into the layers of its centre line. Where the cells of a layer no longer
//! hang together, and in the layers after it neither, the limb has branched.

use super::centerline::distances;
use super::occupancy_grid::OccupancyGrid;
use sinew_geometry::UnionFind;

/// A piece with this share of its layer's cells is a branch.
const BRANCH: f64 = 0.1;
/// So many branched layers in a row are no accident of the cells.
const LAYERS: usize = 3;

/// The first layer of the limb's second half in which it is branched, of the layers by the length of
/// the way through the cells from those among them that are starts.
pub(super) fn parting(grid: &OccupancyGrid, cells: &[usize], is_start: impl Fn(usize) -> bool) -> Option<usize> {
    let distances = distances(grid, cells, is_start);
    let layer = |cell: usize| distances[cell] as usize;
    let reached: Vec<usize> = cells.iter().copied().filter(|&cell| distances[cell].is_finite()).collect();
    let count = 1 + reached.iter().map(|&cell| layer(cell)).max()?;
    let mut pieces = UnionFind::new(grid.inside.len());
    for &cell in &reached {
        for (next, _) in grid.neighbors(cell).filter(|&(next, _)| layer(next) == layer(cell)) {
            pieces.join(cell as u32, next as u32);
        }
    }
    let (mut in_piece, mut in_layer) = (vec![0.0; grid.inside.len()], vec![0.0; count]);
    for &cell in &reached {
        in_piece[pieces.root(cell as u32) as usize] += 1.0;
        in_layer[layer(cell)] += 1.0;
    }
    let mut branches = vec![0; count];
    for &root in reached.iter().filter(|&&cell| in_piece[cell] >= BRANCH * in_layer[layer(cell)]) {
        branches[layer(root)] += 1;
    }
    // The centre line has no layers without cells.
    let is_branched: Vec<bool> = (0..count).filter(|&k| in_layer[k] > 0.0).map(|k| branches[k] > 1).collect();
    let half = is_branched.len() / 2;
    let parting = is_branched[half..].windows(LAYERS).position(|layers| layers.iter().all(|&is| is))?;
    Some(half + parting)
}
