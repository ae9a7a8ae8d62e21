//! The four legs of a quadruped, and the height of its belly.
//!
//! The inside below a height has several components. Four of them stand on the ground, two on either side, as long as the
//! height is below the belly. Bisection finds the largest such height, because components only merge as it rises.

use super::centerline::Centerline;
use super::occupancy_grid::OccupancyGrid;
use super::torso::BodySide;
use glam::DVec3;

/// The largest height of the lowest cell of a component on the ground, in body heights. Not tuned.
const MAX_GROUND_HEIGHT: f64 = 0.1;
/// The first heights tried; feet may touch further down. Bisection raises the height from there, so the values only
/// must be below the belly.
const FIRST_HEIGHTS: [f64; 3] = [0.12, 0.06, 0.2];
/// The largest height of the belly. Not tuned.
const MAX_BELLY: f64 = 0.75;
/// The least number of cells of a leg. Not tuned.
const MIN_LEG_CELLS: usize = 6;

/// A leg below the belly.
#[derive(Debug, Clone)]
pub(super) struct QuadrupedLeg {
    pub cells: Vec<usize>,
    pub line: Centerline,
}

impl QuadrupedLeg {
    /// Its mean z.
    fn z(&self, grid: &OccupancyGrid) -> f64 {
        self.cells.iter().map(|&cell| grid.center(cell).z).sum::<f64>() / self.cells.len() as f64
    }

    /// The point where it meets the belly.
    pub fn top(&self) -> DVec3 {
        self.line.at(self.line.range().1)
    }

    /// The foremost point of the foot, for a body that faces +z or −z.
    pub fn tip(&self, grid: &OccupancyGrid, front: f64) -> DVec3 {
        let (low, high) = self.line.range();
        let foot = self.cells.iter().map(|&cell| grid.center(cell)).filter(|p| p.y <= low + 0.1 * (high - low));
        let foremost = foot.map(|p| front * p.z).fold(f64::NEG_INFINITY, f64::max);
        self.line.at(low).with_z(front * foremost)
    }

    /// The distance of the foot ahead of the shin, along z.
    pub fn foot_ahead(&self) -> f64 {
        let (low, high) = self.line.range();
        self.line.at(low).z - self.line.at(low + 0.3 * (high - low)).z
    }
}

/// The four legs.
#[derive(Debug, Clone)]
pub(super) struct FourLegs {
    /// For the sides towards +x and −x, the leg with the lower z and the one with the higher.
    pub legs: [[QuadrupedLeg; 2]; 2],
    /// The height of the belly.
    pub belly: f64,
    /// The lowest and the highest height of the body.
    pub ends: [f64; 2],
}

impl FourLegs {
    /// The legs, if there are two on either side.
    pub fn new(grid: &OccupancyGrid) -> Option<Self> {
        let has_cells = |&y: &usize| grid.slice(y).any(|cell| grid.inside[cell]);
        let low = (0..grid.size[1]).find(has_cells)?;
        let high = (0..grid.size[1]).rfind(has_cells)? + 1;
        let at = |share: f64| low + (share * (high - low) as f64).ceil() as usize;
        let legs_below = |slice: usize| legs_below(grid, slice, at(MAX_GROUND_HEIGHT));
        let mut start = FIRST_HEIGHTS.into_iter().map(at).find(|&slice| legs_below(slice).is_some())?;
        let mut end = at(MAX_BELLY).max(start + 1);
        while end - start > 1 {
            let middle = (start + end) / 2;
            *(if legs_below(middle).is_some() { &mut start } else { &mut end }) = middle;
        }
        let height = |slice: usize| grid.low.y + slice as f64 * grid.cell;
        Some(Self { legs: legs_below(start)?, belly: height(start), ends: [height(low), height(high)] })
    }
}

/// The components below a slice that stand on the ground, if there are two on either side.
fn legs_below(grid: &OccupancyGrid, slice: usize, ground: usize) -> Option<[[QuadrupedLeg; 2]; 2]> {
    let components = grid.components(|cell| grid.inside[cell] && grid.cell_of(cell)[1] < slice);
    let stands = |component: &&Vec<usize>| {
        component.len() >= MIN_LEG_CELLS && component.iter().any(|&cell| grid.cell_of(cell)[1] < ground)
    };
    let standing: Vec<&Vec<usize>> = components.iter().filter(stands).collect();
    let of_half = |half: BodySide| {
        let is_here =
            |component: &&&Vec<usize>| component.iter().all(|&c| half.sign() * grid.center(c).x > -2.0 * grid.cell);
        let mut legs = standing.iter().filter(is_here).take(2).map(|cells| {
            let line = Centerline::by_height(grid, cells)?;
            Some(QuadrupedLeg { cells: cells.to_vec(), line })
        });
        let (first, second) = (legs.next()??, legs.next()??);
        Some(if first.z(grid) <= second.z(grid) { [first, second] } else { [second, first] })
    };
    Some([of_half(BodySide::Plus)?, of_half(BodySide::Minus)?])
}
