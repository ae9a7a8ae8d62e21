//! Hip, knee, ankle and toes of a leg.
//!
//! A leg lies on one side of the plane of symmetry below the crotch, and the centroids of its slices are its centre line.
//! The ankle is the lowest slice that is not deeper than the shin. The hip is above the centre of the thigh. The knee is
//! where the line between the two bends, or half-way.

use super::centerline::Centerline;
use super::occupancy_grid::OccupancyGrid;
use super::torso::{BodySide, Torso};
use glam::DVec3;

/// The height below the crotch of the thigh's centre, in body heights. Not tuned.
const THIGH_BELOW_CROTCH: f64 = 0.04;
/// The least height of the ankle, in body heights. Drillis and Contini 1966 have 0.039.
const MIN_ANKLE_HEIGHT: f64 = 0.04;
/// The largest height of the ankle, as a fraction of the leg. Not tuned.
const MAX_ANKLE_FRACTION: f64 = 0.3;
/// The shin, as fractions of the leg. Not tuned.
const SHIN_RANGE: [f64; 2] = [0.25, 0.5];
/// The depth relative to the shin above which a slice is part of the foot. Not tuned.
const MIN_FOOT_DEPTH_RATIO: f64 = 1.25;
/// The height above the ankle, in body heights, where the slice is free of the foot. Not tuned.
const FOOT_CLEARANCE: f64 = 0.03;
/// The height of the sole, in body heights. Not tuned.
const SOLE_HEIGHT: f64 = 0.035;
/// The ball of the foot, as a fraction from the ankle to the tip of the toes. Not tuned.
const BALL_FRACTION: f64 = 0.6;

/// Hip, knee, ankle, ball of the foot and tip of the toes.
pub(super) type LegJoints = [DVec3; 5];

/// The leg of one side.
#[derive(Debug)]
pub(super) struct Leg<'a> {
    grid: &'a OccupancyGrid,
    torso: &'a Torso,
    cells: Vec<usize>,
    line: Centerline,
}

impl<'a> Leg<'a> {
    /// The largest component below the crotch on one side, if any.
    pub fn new(grid: &'a OccupancyGrid, torso: &'a Torso, half: BodySide) -> Option<Self> {
        let is_leg = |cell: usize| {
            grid.inside[cell] && half.sign() * grid.center(cell).x > 0.0 && grid.cell_of(cell)[1] < torso.crotch
        };
        let cells = grid.components(is_leg).into_iter().next()?;
        let line = Centerline::by_height(grid, &cells)?;
        Some(Self { grid, torso, cells, line })
    }

    /// The distance of the sole ahead of the shin, along z.
    pub fn foot_ahead(&self) -> f64 {
        let (low, _) = self.line.range();
        let mean = |from: f64, to: f64| {
            let range = low + from * self.torso.height..low + to * self.torso.height;
            let layer = self.cells.iter().map(|&cell| self.grid.center(cell)).filter(|p| range.contains(&p.y));
            let (sum, count) = layer.fold((0.0, 0.0), |(sum, count), p| (sum + p.z, count + 1.0));
            sum / f64::max(count, 1.0)
        };
        mean(-1.0, SOLE_HEIGHT) - self.line.at(low + 0.12 * self.torso.height).z
    }

    /// The joints, for a body that faces +z or −z.
    pub fn joints(&self, front: f64) -> LegJoints {
        let height = self.torso.height;
        let (low, crotch) = self.line.range();
        let ankle_height = low + self.foot_height().max(MIN_ANKLE_HEIGHT * height);
        let hip_height = self.torso.hip;
        let thigh = self.line.at(crotch - THIGH_BELOW_CROTCH * height);
        let hip = thigh.with_y(hip_height);
        let ankle = self.line.at(ankle_height + FOOT_CLEARANCE * height).with_y(ankle_height);
        let knee =
            self.line.at(self.line.bend([ankle_height, crotch], [0.3, 0.7], self.middle(ankle_height, hip_height)));
        let tip = self.tip(front, low + SOLE_HEIGHT * height);
        let ball = ankle.lerp(tip, BALL_FRACTION).with_y(0.75 * tip.y + 0.25 * low);
        [hip, knee, ankle, ball, tip]
    }

    /// Half-way from ankle to hip, as a fraction from ankle to crotch.
    fn middle(&self, ankle: f64, hip: f64) -> f64 {
        0.5 * (hip - ankle) / (self.line.range().1 - ankle)
    }

    /// The height up to which the leg's slices are deeper than the shin.
    fn foot_height(&self) -> f64 {
        let mut ends: Vec<(f64, f64)> = vec![(f64::INFINITY, f64::NEG_INFINITY); self.torso.crotch];
        for &cell in &self.cells {
            let (low, high) = &mut ends[self.grid.cell_of(cell)[1]];
            let z = self.grid.center(cell).z;
            (*low, *high) = (low.min(z), high.max(z));
        }
        let depths = ends.iter().map(|(low, high)| high - low + self.grid.cell).filter(|depth| *depth > 0.0);
        let depths: Vec<f64> = depths.collect();
        let at = |fraction: f64| (fraction * depths.len() as f64) as usize;
        let mut shin = depths[at(SHIN_RANGE[0])..=at(SHIN_RANGE[1])].to_vec();
        shin.sort_by(f64::total_cmp);
        let limit = MIN_FOOT_DEPTH_RATIO * shin[shin.len() / 2];
        let foot = depths[..at(MAX_ANKLE_FRACTION)].iter().take_while(|&&depth| depth > limit).count();
        (foot as f64 + 0.5) * self.grid.cell
    }

    /// The foremost point of the sole.
    fn tip(&self, front: f64, below: f64) -> DVec3 {
        let sole = || self.cells.iter().map(|&cell| self.grid.center(cell)).filter(|p| p.y <= below);
        let foremost = sole().map(|p| front * p.z).fold(f64::NEG_INFINITY, f64::max);
        let tip = sole().filter(|p| front * p.z > foremost - 2.0 * self.grid.cell);
        let (sum, count) = tip.fold((DVec3::ZERO, 0.0), |(sum, count), p| (sum + p, count + 1.0));
        (sum / f64::max(count, 1.0)).with_z(front * foremost)
    }
}
