//! Where do legs, arms and head of an upright body leave its trunk?
//!
//! The body is cut into horizontal slices, and of each the piece that crosses the plane of symmetry is
//! the trunk's. The *crotch* is where the gap or pinch between the legs ends; the hip joints are where the slices
//! above it stop growing, about the widest place of the pelvis. Upwards from there the trunk's
//! outline suddenly reaches far out, to the arm: the *armpit* is where that begins, for arms that hang
//! as for arms held level. The *neck* is the slice above that is narrowest compared with what is
//! below and above it.

use super::centerline::Centerline;
use super::occupancy_grid::OccupancyGrid;
use std::ops::Range;

/// The crotch of a usual body, in heights; legs that are not parted have it too.
const USUAL_CROTCH: f64 = 0.47;
/// A gap between the legs ends below this height.
const HIGHEST_CROTCH: f64 = 0.65;
/// Legs that touch are still parted where the depth between them is less than this share of theirs.
const PARTED: f64 = 0.65;
/// The pelvis ends this far above the crotch.
const PELVIS: f64 = 0.085;
/// A slice of the pelvis with this share of the largest one's cells is as large.
const AS_LARGE: f64 = 0.98;
/// The hip joint above the crotch, where the pelvis does not grow upwards …
const HIP: f64 = 0.02;
/// … and where it does, how far it follows the first of the largest slices.
const HIP_FOLLOWS: f64 = 0.9;
/// The trunk from the crotch up to here has no arms.
const SHORTEST_TRUNK: f64 = 0.1;
/// Arms leave the trunk below this height.
const HIGHEST_ARMPIT: f64 = 0.9;
/// A step of the outline that is an arm.
const ARM_STEP: f64 = 0.03;
/// The head is at least this high.
const LOWEST_HEAD: f64 = 0.05;
/// Neck ends where the cross-section is this much larger than at its narrowest …
const NECK_GROWTH: f64 = 1.5;
/// … or this far from it.
const NECK_REACH: f64 = 0.05;
/// A narrowest slice larger than this share of its surroundings is no neck.
const NO_NECK: f64 = 0.8;

/// One of the two sides of the plane of symmetry: towards +x or −x.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    Plus,
    Minus,
}

impl Half {
    pub const BOTH: [Self; 2] = [Self::Plus, Self::Minus];

    /// +1 or −1.
    pub fn sign(self) -> f64 {
        if self == Self::Plus { 1.0 } else { -1.0 }
    }
}

/// Where an arm leaves the trunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Armpit {
    /// The last slice below the arm.
    pub slice: usize,
    /// Half the trunk's width there.
    pub reach: f64,
}

/// The trunk of an upright body.
#[derive(Debug, Clone)]
pub(super) struct Torso {
    /// The lowest slice with cells, and the one after the highest.
    pub slices: [usize; 2],
    /// The height of the body.
    pub height: f64,
    /// The first slice in which the legs are one.
    pub crotch: usize,
    /// Height of the hip joints.
    pub hip: f64,
    /// Whether a gap between the legs was found.
    pub legs_are_parted: bool,
    /// For the halves towards +x and −x.
    pub armpits: [Option<Armpit>; 2],
    /// Height of the neck's base.
    pub neck: f64,
    /// Height of the neck's upper end.
    pub head: f64,
    /// Whether the body is narrower at the neck.
    pub has_neck: bool,
    /// The trunk without arms, by height, from the crotch to the top.
    pub line: Centerline,
    /// For each slice the cells of the piece that crosses the plane of symmetry.
    pub main: Vec<Vec<usize>>,
}

impl Torso {
    /// The trunk; none where hardly a slice crosses the plane of symmetry.
    pub fn new(grid: &OccupancyGrid) -> Option<Self> {
        let main: Vec<Vec<usize>> = (0..grid.size[1]).map(|y| main_piece(grid, y)).collect();
        let has_cells = |&y: &usize| grid.slice(y).any(|cell| grid.inside[cell]);
        let low = (0..grid.size[1]).find(has_cells)?;
        let high = (0..grid.size[1]).rfind(has_cells)? + 1;
        let count = (high - low) as f64;
        let at = |share: f64| low + (share * count) as usize;
        let gap = (low..at(HIGHEST_CROTCH)).rev().find(|&y| pinch(grid, &main[y]) < PARTED);
        let crotch = gap.map_or(at(USUAL_CROTCH), |gap| gap + 1);
        let armpits = Half::BOTH.map(|half| {
            let reaches: Vec<f64> = main.iter().map(|cells| reach(grid, cells, half)).collect();
            let slices = crotch + (SHORTEST_TRUNK * count) as usize..at(HIGHEST_ARMPIT);
            armpit(&reaches, slices, ARM_STEP * count * grid.cell, grid.cell)
        });
        let pits = || armpits.iter().flatten();
        let width = pits().map(|pit| pit.reach).fold(0.0, f64::max);
        let width = if width > 0.0 { width } else { f64::INFINITY };
        let shoulder = pits().map(|pit| pit.slice).min().unwrap_or((crotch + high) / 2);
        let trunk: Vec<Vec<usize>> = main
            .iter()
            .map(|cells| cells.iter().copied().filter(|&cell| grid.center(cell).x.abs() <= width).collect())
            .collect();
        let line = Centerline::by_height(grid, &trunk[crotch..high].concat())?;
        let mut neck = Neck::new(&trunk, shoulder, high, count)?;
        let has_neck = neck.narrowness < NO_NECK;
        if !has_neck && pits().next().is_some() {
            // The head sits on the shoulders, which end where the outline steps back from the arms.
            let width = |y: usize| Half::BOTH.map(|half| reach(grid, &main[y], half)).iter().sum::<f64>();
            let step = |y: usize| width(y) - width(y + 1);
            let base = (shoulder..high - 1).max_by(|&a, &b| step(a).total_cmp(&step(b)));
            neck.base = base.unwrap_or(neck.base);
            neck.end = neck.end.clamp(neck.base, high - 1);
        }
        Some(Self {
            slices: [low, high],
            height: count * grid.cell,
            crotch,
            hip: hip(grid, &trunk, crotch, high, count),
            legs_are_parted: gap.is_some(),
            armpits,
            neck: grid.slice_height(neck.base),
            head: grid.slice_height(neck.end),
            has_neck,
            line,
            main,
        })
    }

    /// Half the width of the trunk's slice at a height.
    pub fn half_width(&self, grid: &OccupancyGrid, height: f64) -> f64 {
        let reaches = Half::BOTH.map(|half| self.reach(grid, height, half));
        0.5 * (reaches[0] + reaches[1])
    }

    /// How far the trunk's slice at a height reaches to one side.
    pub fn reach(&self, grid: &OccupancyGrid, height: f64, half: Half) -> f64 {
        reach(grid, &self.main[self.slice_at(grid, height)], half)
    }

    /// The trunk's depth in the plane of symmetry at a height.
    pub fn depth(&self, grid: &OccupancyGrid, height: f64) -> f64 {
        let slice = self.slice_at(grid, height);
        let middle = self.main[slice].iter().map(|&cell| grid.center(cell)).filter(|p| p.x.abs() < 2.0 * grid.cell);
        let (low, high) = middle.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p.z), h.max(p.z)));
        (high - low + grid.cell).max(0.0)
    }

    fn slice_at(&self, grid: &OccupancyGrid, height: f64) -> usize {
        (((height - grid.low.y) / grid.cell).max(0.0) as usize).min(self.main.len() - 1)
    }
}

/// Of a slice the piece with the most cells beside the plane of symmetry; empty if there are none.
fn main_piece(grid: &OccupancyGrid, y: usize) -> Vec<usize> {
    let width = grid.size[0];
    let is_middle = |cell: &usize| [width / 2 - 1, width / 2].contains(&(cell % width));
    let slice = grid.slice(y);
    let mut left: Vec<bool> = grid.inside[slice.clone()].to_vec();
    let mut best: (usize, Vec<usize>) = (0, Vec::new());
    for start in slice.clone().filter(is_middle) {
        if !std::mem::take(&mut left[start - slice.start]) {
            continue;
        }
        let mut piece = vec![start];
        let mut next = 0;
        while next < piece.len() {
            let around = grid.neighbors(piece[next]).map(|(cell, _)| cell).filter(|cell| slice.contains(cell));
            piece.extend(around.filter(|cell| std::mem::take(&mut left[cell - slice.start])));
            next += 1;
        }
        let crossing = piece.iter().filter(|cell| is_middle(cell)).count();
        if crossing > best.0 {
            best = (crossing, piece);
        }
    }
    best.1
}

/// The depth of a piece in the plane of symmetry as a share of its largest depth; zero of none.
fn pinch(grid: &OccupancyGrid, cells: &[usize]) -> f64 {
    let mut columns = vec![0usize; grid.size[0]];
    cells.iter().for_each(|cell| columns[cell % grid.size[0]] += 1);
    let middle = columns[grid.size[0] / 2 - 1].max(columns[grid.size[0] / 2]);
    middle as f64 / columns.into_iter().max().unwrap_or(0).max(1) as f64
}

/// How far cells reach to one side of the plane of symmetry.
fn reach(grid: &OccupancyGrid, cells: &[usize], half: Half) -> f64 {
    cells.iter().map(|&cell| half.sign() * grid.center(cell).x + 0.5 * grid.cell).fold(0.0, f64::max)
}

/// The slice where the outline begins to reach out to the arm: the largest step of it, and downwards
/// from there what still is a slope flatter than 45°, which is the underside of a level arm.
fn armpit(reaches: &[f64], slices: Range<usize>, least: f64, cell: f64) -> Option<Armpit> {
    let step = |y: usize| reaches[y + 1] - reaches[y];
    let candidates = slices.start..slices.end.min(reaches.len() - 1);
    let mut slice = candidates.max_by(|&a, &b| step(a).total_cmp(&step(b)).then(b.cmp(&a)))?;
    if step(slice) < least {
        return None;
    }
    // Half a cell less for rounding.
    while slice > slices.start && step(slice - 1) >= 0.5 * cell {
        slice -= 1;
    }
    Some(Armpit { slice, reach: reaches[slice] })
}

/// The height of the hip joints.
fn hip(grid: &OccupancyGrid, trunk: &[Vec<usize>], crotch: usize, high: usize, count: f64) -> f64 {
    let pelvis = crotch..(crotch + (PELVIS * count) as usize + 1).min(high);
    let largest = pelvis.clone().map(|y| trunk[y].len()).max().unwrap_or(0) as f64;
    let first = pelvis.clone().find(|&y| trunk[y].len() as f64 >= AS_LARGE * largest).unwrap_or(crotch);
    let above = HIP * count + HIP_FOLLOWS * (first - crotch) as f64;
    grid.low.y + (crotch as f64 + above) * grid.cell
}

struct Neck {
    base: usize,
    end: usize,
    /// The area of the narrowest slice as a share of the lesser of those below and above.
    narrowness: f64,
}

impl Neck {
    fn new(trunk: &[Vec<usize>], shoulder: usize, high: usize, count: f64) -> Option<Self> {
        let area = |y: usize| trunk[y].len() as f64;
        let mean = |y: usize| (area(y - 1) + area(y) + area((y + 1).min(trunk.len() - 1))) / 3.0;
        let largest = |range: Range<usize>| range.map(mean).fold(0.0, f64::max);
        let last = high.saturating_sub((LOWEST_HEAD * count) as usize);
        let narrowness = |y: usize| mean(y) / largest(shoulder.max(1)..y + 1).min(largest(y..high)).max(1.0);
        let narrowest = (shoulder + 1..last).min_by(|&a, &b| narrowness(a).total_cmp(&narrowness(b)))?;
        let is_neck =
            |y: usize| area(y) < NECK_GROWTH * mean(narrowest) && y.abs_diff(narrowest) as f64 <= NECK_REACH * count;
        let base = (shoulder..narrowest).rev().find(|&y| !is_neck(y)).unwrap_or(shoulder);
        let end = (narrowest + 1..high).find(|&y| !is_neck(y)).unwrap_or(high - 1);
        Some(Self { base, end, narrowness: narrowness(narrowest) })
    }
}
