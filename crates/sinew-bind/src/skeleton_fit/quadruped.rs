//! The joints of a quadruped.
//!
//! The trunk lies between the hind and the fore legs. Its spine is in the plane of symmetry, nearer to the back than to
//! the belly. Neck and head lie ahead of the fore legs, the rump and perhaps a tail behind the hind legs; both have a
//! centre line from the trunk to their farthest cell. The front is where the feet point and where the body is higher.
//! Fore legs are named arms, so that names mean the same as in a humanoid.

use super::centerline::Centerline;
use super::four_legs::{FourLegs, QuadrupedLeg};
use super::humanoid::{add_arm, add_leg, chain, symmetrize};
use super::occupancy_grid::OccupancyGrid;
use super::{BodyInterior, missing};
use crate::Result;
use glam::DVec3;
use sinew_rig::PlacedJoint;

/// The height of the spine between belly (0) and back (1). Not tuned.
const SPINE_HEIGHT: f64 = 0.65;
/// The height of shoulders and hips between belly and back. Not tuned.
const HIP_HEIGHT: f64 = 0.5;
/// Elbow and wrist, as fractions from shoulder to ground. Not tuned.
const FORE_LEG_FRACTIONS: [f64; 2] = [0.47, 0.86];
/// Knee, hock and toes, as fractions from hip to ground. Not tuned.
const HIND_LEG_FRACTIONS: [f64; 3] = [0.38, 0.7, 0.94];
/// The starts of neck and head, as fractions from the fore legs to the farthest cell. Not tuned.
const NECK_FRACTIONS: [f64; 2] = [0.2, 0.5];
/// Hips, loins and chest, as fractions from the hind to the fore legs. Not tuned.
const SPINE_FRACTIONS: [f64; 3] = [0.0, 0.35, 0.75];
/// The start of a shoulder blade, as a fraction from neck to shoulder. Not tuned.
const SHOULDER_BLADE_FRACTION: f64 = 0.3;
/// The largest cross-section of a tail, relative to the rump. Not tuned.
const MAX_TAIL_AREA: f64 = 0.5;
/// The least length of a tail, relative to the trunk. Not tuned.
const MIN_TAIL_LENGTH: f64 = 0.15;
/// The forward extent of the feet, and the difference in height between the ends of the body, that decide the front
/// with certainty, in body heights. Neither is tuned.
const CERTAIN_FOOT_LENGTH: f64 = 0.02;
const CERTAIN_HEIGHT_DIFFERENCE: f64 = 0.15;
/// The certainty below which the fit warns. Not tuned.
const MIN_CERTAINTY: f64 = 0.3;

/// The joints, parents first, in the grid's coordinates, and warnings.
pub(super) fn fit(body: &BodyInterior) -> Result<(Vec<PlacedJoint>, Vec<String>)> {
    let grid = &body.grid;
    let found = FourLegs::new(grid).ok_or_else(|| missing("four legs that stand apart were"))?;
    let mut warnings = Vec::new();
    let certainty = front(grid, &found);
    if certainty.abs() < MIN_CERTAINTY {
        warnings.push("head and tail look alike: front and back, left and right may be exchanged".into());
    }
    let quadruped = Quadruped { grid, legs: &found, front: if certainty < 0.0 { -1.0 } else { 1.0 } };
    let mut fore = [0, 1].map(|half| quadruped.fore_leg(half));
    let mut hind = [0, 1].map(|half| quadruped.hind_leg(half));
    symmetrize(&mut fore, "fore legs", &mut warnings);
    symmetrize(&mut hind, "hind legs", &mut warnings);
    let head = quadruped.beyond(quadruped.fore()).ok_or_else(|| missing("head before the legs was"))?;
    let mut joints = quadruped.trunk(&head);
    let [left, right] = if quadruped.front > 0.0 { [0, 1] } else { [1, 0] };
    let chest = joints.iter().find(|joint| joint.name == "Spine1").map_or(DVec3::ZERO, |joint| joint.tail);
    for (name, side) in [("Left", left), ("Right", right)] {
        add_leg(&mut joints, name, hind[side]);
        let shoulder = fore[side][0];
        add_arm(&mut joints, name, chest.lerp(shoulder, SHOULDER_BLADE_FRACTION), fore[side]);
    }
    match quadruped.beyond(quadruped.hind()).and_then(|line| quadruped.tail(&line)) {
        Some(points) => joints.extend(chain(&["Tail", "Tail1", "Tail2"], Some(0), joints.len(), &points)),
        None => warnings.push("no tail was found, so the skeleton has none".into()),
    }
    Ok((joints, warnings))
}

/// The certainty that the front is +z; negative for −z.
fn front(grid: &OccupancyGrid, found: &FourLegs) -> f64 {
    let height = found.ends[1] - found.ends[0];
    let feet = found.legs.iter().flatten().map(QuadrupedLeg::foot_ahead).sum::<f64>() / 4.0;
    let mean_z = |end: usize| 0.5 * (found.legs[0][end].top().z + found.legs[1][end].top().z);
    let (back, ahead) = (mean_z(0), mean_z(1));
    let mean_height = |is_there: &dyn Fn(DVec3) -> bool| {
        let cells = (0..grid.inside.len()).filter(|&cell| grid.inside[cell]).map(|cell| grid.center(cell));
        let (sum, count) = cells.filter(|&p| is_there(p)).fold((0.0, 0.0), |(s, n), p| (s + p.y, n + 1.0));
        sum / f64::max(count, 1.0)
    };
    let rise = mean_height(&|p| p.z > ahead) - mean_height(&|p| p.z < back);
    let vote = |value: f64, certain: f64| (value / (certain * height)).clamp(-1.0, 1.0);
    0.5 * vote(feet, CERTAIN_FOOT_LENGTH) + vote(rise, CERTAIN_HEIGHT_DIFFERENCE)
}

struct Quadruped<'a> {
    grid: &'a OccupancyGrid,
    legs: &'a FourLegs,
    /// Towards +z or −z.
    front: f64,
}

impl Quadruped<'_> {
    /// The index of a side's fore leg.
    fn fore(&self) -> usize {
        usize::from(self.front > 0.0)
    }

    fn hind(&self) -> usize {
        1 - self.fore()
    }

    /// Shoulder, elbow, wrist and toes.
    fn fore_leg(&self, half: usize) -> [DVec3; 4] {
        let leg = &self.legs.legs[half][self.fore()];
        let [elbow, wrist] = FORE_LEG_FRACTIONS.map(|down| self.on_leg(leg, down));
        [self.on_leg(leg, 0.0), elbow, wrist, leg.tip(self.grid, self.front)]
    }

    /// Hip, knee, hock, ball and toes.
    fn hind_leg(&self, half: usize) -> [DVec3; 5] {
        let leg = &self.legs.legs[half][self.hind()];
        let [knee, hock, ball] = HIND_LEG_FRACTIONS.map(|down| self.on_leg(leg, down));
        [self.on_leg(leg, 0.0), knee, hock, ball, leg.tip(self.grid, self.front)]
    }

    /// The point of a leg at a fraction of the height from its joint in the trunk to the ground.
    fn on_leg(&self, leg: &QuadrupedLeg, down: f64) -> DVec3 {
        let top = leg.top();
        let hip = top.with_y(self.between_belly_and_back(top.z, HIP_HEIGHT));
        let height = hip.y - down * (hip.y - self.legs.ends[0]);
        if height <= self.legs.belly { leg.line.at(height) } else { hip.with_y(height) }
    }

    /// A height between the belly and the top of the longest vertical run of cells in the plane of symmetry.
    fn between_belly_and_back(&self, z: f64, fraction: f64) -> f64 {
        let grid = self.grid;
        let cell = ((z - grid.low.z) / grid.cell).clamp(0.0, grid.size[2] as f64 - 1.0) as usize;
        let is_inside = |y: &usize| {
            let middle = [grid.size[0] / 2 - 1, grid.size[0] / 2];
            middle.iter().any(|&x| grid.inside[grid.index([x, *y, cell])])
        };
        let heights: Vec<usize> = (0..grid.size[1]).filter(is_inside).collect();
        let runs = heights.chunk_by(|a, b| a + 1 == *b);
        let back = runs.max_by_key(|run| run.len()).and_then(|run| run.last());
        let back = back.map_or(self.legs.belly, |&y| grid.low.y + (y as f64 + 1.0) * grid.cell);
        self.legs.belly + fraction * (back - self.legs.belly).max(0.0)
    }

    /// The z where the legs of one end meet the trunk.
    fn z_of(&self, end: usize) -> f64 {
        0.5 * (self.legs.legs[0][end].top().z + self.legs.legs[1][end].top().z)
    }

    /// The centre line of the body beyond the legs of one end.
    fn beyond(&self, end: usize) -> Option<Centerline> {
        let (sign, z) = (if end == 1 { 1.0 } else { -1.0 }, self.z_of(end));
        let mut is_leg = vec![false; self.grid.inside.len()];
        self.legs.legs.iter().flatten().flat_map(|leg| &leg.cells).for_each(|&cell| is_leg[cell] = true);
        let past = |cell: usize| sign * (self.grid.center(cell).z - z);
        let allowed = |cell: usize| self.grid.inside[cell] && !is_leg[cell] && past(cell) > 0.0;
        let is_start = |cell: usize| past(cell) <= self.grid.cell;
        let cells = self.grid.flood_fill((0..self.grid.inside.len()).filter(|&cell| is_start(cell)), allowed);
        Centerline::by_distance(self.grid, &cells, is_start)
    }

    /// From the hips along the spine to the end of the head.
    fn trunk(&self, head: &Centerline) -> Vec<PlacedJoint> {
        let (from, to) = (self.z_of(self.hind()), self.z_of(self.fore()));
        let spine = SPINE_FRACTIONS.map(|fraction| {
            let z = from + fraction * (to - from);
            DVec3::new(0.0, self.between_belly_and_back(z, SPINE_HEIGHT), z)
        });
        let (start, end) = head.range();
        let [neck, skull] = NECK_FRACTIONS.map(|fraction| head.at(start + fraction * (end - start)).with_x(0.0));
        let tip = self.nose();
        let points = [spine[0], spine[1], spine[2], neck, skull, tip];
        chain(&["Hips", "Spine", "Spine1", "Neck", "Head"], None, 0, &points)
    }

    /// The foremost cells in the plane of symmetry.
    fn nose(&self) -> DVec3 {
        let grid = self.grid;
        let middle = || {
            let cells = (0..grid.inside.len()).filter(|&cell| grid.inside[cell]).map(|cell| grid.center(cell));
            cells.filter(|p| p.x.abs() < 2.0 * grid.cell)
        };
        let foremost = middle().map(|p| self.front * p.z).fold(f64::NEG_INFINITY, f64::max);
        let nose = middle().filter(|p| self.front * p.z > foremost - 1.5 * grid.cell);
        let (sum, count) = nose.fold((DVec3::ZERO, 0.0), |(sum, count), p| (sum + p, count + 1.0));
        (sum / f64::max(count, 1.0)).with_x(0.0)
    }

    /// Four points of a tail, if the rump ends in one.
    fn tail(&self, line: &Centerline) -> Option<[DVec3; 4]> {
        let (_, end) = line.range();
        let rump = line.parameters().iter().find(|&&cell| line.area(cell) < MAX_TAIL_AREA * line.area(0.0))?;
        let is_long = end - rump > MIN_TAIL_LENGTH * (self.z_of(1) - self.z_of(0));
        is_long.then(|| [0.0, 1.0, 2.0, 3.0].map(|k| line.at(rump + k / 3.0 * (end - rump))))
    }
}
