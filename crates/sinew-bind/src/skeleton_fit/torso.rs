//! The trunk of an upright body: crotch, hips, armpits and neck.
//!
//! The body is cut into horizontal slices; in each, the component that crosses the plane of symmetry belongs to the trunk.
//! The *crotch* is where the gap or pinch between the legs ends. The hip joints are where the slices above it stop growing,
//! near the widest slice of the pelvis. Further up the outline of the trunk steps outward to the arm: the *armpit* is where
//! that begins, for hanging as for level arms. The *neck* is the slice above that is narrowest relative to those below and
//! above it. Heights are in body heights.

use super::centerline::Centerline;
use super::occupancy_grid::OccupancyGrid;
use std::ops::Range;

/// The usual height of the crotch, used if no gap is found. Not tuned.
const USUAL_CROTCH: f64 = 0.47;
/// The largest height of the crotch. Not tuned.
const MAX_CROTCH: f64 = 0.65;
/// The depth between touching legs, relative to theirs, below which they are separate. Not tuned.
const MAX_PINCH: f64 = 0.65;
/// The height of the pelvis above the crotch. Not tuned.
const PELVIS_HEIGHT: f64 = 0.085;
/// The area, relative to the largest slice of the pelvis, from which a slice counts as largest. Slices of cells vary by
/// about as much. Not tuned.
const LARGEST_FRACTION: f64 = 0.98;
/// The height of the hip joint above the crotch of a straight pelvis …
const HIP_ABOVE_CROTCH: f64 = 0.02;
/// … and the fraction of the height of the first of the largest slices that is added. Neither is tuned.
const HIP_GROWTH_FRACTION: f64 = 0.9;
/// The least height of the armpit above the crotch. Not tuned.
const MIN_TRUNK: f64 = 0.1;
/// The largest height of the armpit. Not tuned.
const MAX_ARMPIT: f64 = 0.9;
/// The least outward step of the outline at an arm. Not tuned.
const MIN_ARM_STEP: f64 = 0.03;
/// The least height of the head. Not tuned.
const MIN_HEAD: f64 = 0.05;
/// The neck ends where the cross-section is larger than the narrowest by this factor …
const MAX_NECK_GROWTH: f64 = 1.5;
/// … or at this distance from it. Neither is tuned.
const MAX_NECK_EXTENT: f64 = 0.05;
/// The area of the narrowest slice, relative to its surroundings, above which there is no neck. Not tuned.
const MAX_NARROWNESS: f64 = 0.8;

/// A side of the plane of symmetry: towards +x or −x.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodySide {
    Plus,
    Minus,
}

impl BodySide {
    pub const BOTH: [Self; 2] = [Self::Plus, Self::Minus];

    /// +1 or −1.
    pub fn sign(self) -> f64 {
        if self == Self::Plus { 1.0 } else { -1.0 }
    }
}

/// The armpit of an arm.
#[derive(Debug, Clone, Copy)]
pub(super) struct Armpit {
    /// The last slice below the arm.
    pub slice: usize,
    /// Half the width of the trunk there.
    pub extent: f64,
}

/// The trunk of an upright body.
#[derive(Debug, Clone)]
pub(super) struct Torso {
    /// The lowest slice with cells, and the one after the highest.
    pub slices: [usize; 2],
    /// The height of the body.
    pub height: f64,
    /// The first slice above the gap between the legs.
    pub crotch: usize,
    /// Height of the hip joints.
    pub hip: f64,
    /// Whether a gap between the legs was found.
    pub legs_are_parted: bool,
    /// For the sides towards +x and −x.
    pub armpits: [Option<Armpit>; 2],
    /// Height of the neck's base.
    pub neck: f64,
    /// Height of the neck's upper end.
    pub head: f64,
    /// Whether the body is narrower at the neck.
    pub has_neck: bool,
    /// The trunk without arms, by height, from the crotch to the top.
    pub line: Centerline,
    /// For each slice, the cells of the component that crosses the plane of symmetry.
    pub main: Vec<Vec<usize>>,
}

impl Torso {
    /// The trunk; none if too few slices cross the plane of symmetry.
    pub fn new(grid: &OccupancyGrid) -> Option<Self> {
        let main: Vec<Vec<usize>> = (0..grid.size[1]).map(|y| main_component(grid, y)).collect();
        let has_cells = |&y: &usize| grid.slice(y).any(|cell| grid.inside[cell]);
        let low = (0..grid.size[1]).find(has_cells)?;
        let high = (0..grid.size[1]).rfind(has_cells)? + 1;
        let count = (high - low) as f64;
        let at = |share: f64| low + (share * count) as usize;
        let gap = (low..at(MAX_CROTCH)).rev().find(|&y| pinch(grid, &main[y]) < MAX_PINCH);
        let crotch = gap.map_or(at(USUAL_CROTCH), |gap| gap + 1);
        let armpits = BodySide::BOTH.map(|half| {
            let extents: Vec<f64> = main.iter().map(|cells| extent(grid, cells, half)).collect();
            let slices = crotch + (MIN_TRUNK * count) as usize..at(MAX_ARMPIT);
            armpit(&extents, slices, MIN_ARM_STEP * count * grid.cell, grid.cell)
        });
        let pits = || armpits.iter().flatten();
        let width = pits().map(|pit| pit.extent).fold(0.0, f64::max);
        let width = if width > 0.0 { width } else { f64::INFINITY };
        let shoulder = pits().map(|pit| pit.slice).min().unwrap_or((crotch + high) / 2);
        let trunk: Vec<Vec<usize>> = main
            .iter()
            .map(|cells| cells.iter().copied().filter(|&cell| grid.center(cell).x.abs() <= width).collect())
            .collect();
        let line = Centerline::by_height(grid, &trunk[crotch..high].concat())?;
        let mut neck = Neck::new(&trunk, shoulder, high, count)?;
        let has_neck = neck.narrowness < MAX_NARROWNESS;
        if !has_neck && pits().next().is_some() {
            // Without a neck, the head starts where the outline steps inward from the shoulders.
            let width = |y: usize| BodySide::BOTH.map(|half| extent(grid, &main[y], half)).iter().sum::<f64>();
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
        let extents = BodySide::BOTH.map(|half| self.extent(grid, height, half));
        0.5 * (extents[0] + extents[1])
    }

    /// The extent of the trunk's slice at a height to one side.
    pub fn extent(&self, grid: &OccupancyGrid, height: f64, half: BodySide) -> f64 {
        extent(grid, &self.main[self.slice_at(grid, height)], half)
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

/// The component of a slice with the most cells at the plane of symmetry; empty if there are none.
fn main_component(grid: &OccupancyGrid, y: usize) -> Vec<usize> {
    let width = grid.size[0];
    let is_middle = |cell: &usize| [width / 2 - 1, width / 2].contains(&(cell % width));
    let slice = grid.slice(y);
    let mut left: Vec<bool> = grid.inside[slice.clone()].to_vec();
    let mut best: (usize, Vec<usize>) = (0, Vec::new());
    for start in slice.clone().filter(is_middle) {
        if !std::mem::take(&mut left[start - slice.start]) {
            continue;
        }
        let mut component = vec![start];
        let mut next = 0;
        while next < component.len() {
            let around = grid.neighbors(component[next]).map(|(cell, _)| cell).filter(|cell| slice.contains(cell));
            component.extend(around.filter(|cell| std::mem::take(&mut left[cell - slice.start])));
            next += 1;
        }
        let crossing = component.iter().filter(|cell| is_middle(cell)).count();
        if crossing > best.0 {
            best = (crossing, component);
        }
    }
    best.1
}

/// The depth of a component in the plane of symmetry relative to its largest depth; zero if empty.
fn pinch(grid: &OccupancyGrid, cells: &[usize]) -> f64 {
    let mut columns = vec![0usize; grid.size[0]];
    cells.iter().for_each(|cell| columns[cell % grid.size[0]] += 1);
    let middle = columns[grid.size[0] / 2 - 1].max(columns[grid.size[0] / 2]);
    middle as f64 / columns.into_iter().max().unwrap_or(0).max(1) as f64
}

/// The extent of cells to one side of the plane of symmetry.
fn extent(grid: &OccupancyGrid, cells: &[usize], half: BodySide) -> f64 {
    cells.iter().map(|&cell| half.sign() * grid.center(cell).x + 0.5 * grid.cell).fold(0.0, f64::max)
}

/// The slice where the outline begins to step outward to the arm: the largest step, then downwards while the slope is
/// flatter than 45°, which is the underside of a level arm.
fn armpit(extents: &[f64], slices: Range<usize>, least: f64, cell: f64) -> Option<Armpit> {
    let step = |y: usize| extents[y + 1] - extents[y];
    let candidates = slices.start..slices.end.min(extents.len() - 1);
    let mut slice = candidates.max_by(|&a, &b| step(a).total_cmp(&step(b)).then(b.cmp(&a)))?;
    if step(slice) < least {
        return None;
    }
    // Half a cell of tolerance for rounding.
    while slice > slices.start && step(slice - 1) >= 0.5 * cell {
        slice -= 1;
    }
    Some(Armpit { slice, extent: extents[slice] })
}

/// The height of the hip joints.
fn hip(grid: &OccupancyGrid, trunk: &[Vec<usize>], crotch: usize, high: usize, count: f64) -> f64 {
    let pelvis = crotch..(crotch + (PELVIS_HEIGHT * count) as usize + 1).min(high);
    let largest = pelvis.clone().map(|y| trunk[y].len()).max().unwrap_or(0) as f64;
    let first = pelvis.clone().find(|&y| trunk[y].len() as f64 >= LARGEST_FRACTION * largest).unwrap_or(crotch);
    let above = HIP_ABOVE_CROTCH * count + HIP_GROWTH_FRACTION * (first - crotch) as f64;
    grid.low.y + (crotch as f64 + above) * grid.cell
}

struct Neck {
    base: usize,
    end: usize,
    /// The area of the narrowest slice, relative to the smaller of the largest below and above.
    narrowness: f64,
}

impl Neck {
    fn new(trunk: &[Vec<usize>], shoulder: usize, high: usize, count: f64) -> Option<Self> {
        let area = |y: usize| trunk[y].len() as f64;
        let mean = |y: usize| (area(y - 1) + area(y) + area((y + 1).min(trunk.len() - 1))) / 3.0;
        let largest = |range: Range<usize>| range.map(mean).fold(0.0, f64::max);
        let last = high.saturating_sub((MIN_HEAD * count) as usize);
        let narrowness = |y: usize| mean(y) / largest(shoulder.max(1)..y + 1).min(largest(y..high)).max(1.0);
        let narrowest = (shoulder + 1..last).min_by(|&a, &b| narrowness(a).total_cmp(&narrowness(b)))?;
        let is_neck = |y: usize| {
            area(y) < MAX_NECK_GROWTH * mean(narrowest) && y.abs_diff(narrowest) as f64 <= MAX_NECK_EXTENT * count
        };
        let base = (shoulder..narrowest).rev().find(|&y| !is_neck(y)).unwrap_or(shoulder);
        let end = (narrowest + 1..high).find(|&y| !is_neck(y)).unwrap_or(high - 1);
        Some(Self { base, end, narrowness: narrowness(narrowest) })
    }
}
