//! Shoulder, elbow and wrist of an arm.
//!
//! The arm lies beyond the vertical plane through the armpit. Its centre line starts at the *shoulder*, which is inside
//! the trunk if the trunk leans inwards, and ends at the fingertips. The *elbow* is at the bend of the line, or at its
//! average position. If a rod leads into a thick forearm, as in robots, it is at the centre of the forearm's round end.
//! The *wrist* is the narrowest cross-section near its average position and before the palm. Proportions after
//! R. Drillis and R. Contini, *Body segment parameters*, 1966.

use super::centerline::Centerline;
use super::fingers;
use super::occupancy_grid::OccupancyGrid;
use super::torso::{Armpit, BodySide, Torso};
use glam::DVec3;

/// The least length of an arm, relative to the body's height. Not tuned.
const MIN_ARM_LENGTH: f64 = 0.12;
/// The elbow of a straight arm, as a fraction from shoulder to wrist. Drillis and Contini have 0.56 (upper arm 0.186,
/// forearm 0.146 of the height); the difference is not derived.
const USUAL_ELBOW: f64 = 0.54;
/// The range of the elbow of a bent arm. Not tuned.
const ELBOW_RANGE: [f64; 2] = [0.35, 0.68];
/// The usual wrist, as a fraction from shoulder to fingertips. Drillis and Contini have 0.75 (with a hand of 0.108 of
/// the height); the difference is not derived.
const USUAL_WRIST: f64 = 0.74;
/// The range of the wrist. Not tuned.
const WRIST_RANGE: [f64; 2] = [0.62, 0.84];
/// The cost of an unusual wrist: the cross-section is scaled by one plus this times the squared deviation. At the ends
/// of the range the factor is about two. Not tuned.
const WRIST_DEVIATION_COST: f64 = 80.0;
/// The least length of the palm, relative to the fingers beyond their branching. Not tuned.
const MIN_PALM_RATIO: f64 = 0.5;
/// The range of a step from upper arm to forearm, as fractions from shoulder to wrist. Not tuned.
const GROWTH_RANGE: [f64; 2] = [0.2, 0.68];
/// The fraction of that length over which the cross-section is averaged before and after. Not tuned.
const GROWTH_WINDOW: f64 = 0.08;
/// Growth factors of the cross-section: the first may be a muscle or a sleeve, the second is a separate part. Not
/// tuned.
const GROWTH_FACTORS: [f64; 2] = [2.0, 4.0];

/// Shoulder, elbow, wrist and fingertips.
pub(super) type Arm = [DVec3; 4];

/// The arm of one side; none if it does not stand off the trunk.
pub(super) fn arm(grid: &OccupancyGrid, torso: &Torso, half: BodySide) -> Option<Arm> {
    let armpit_of_arm = torso.armpits[half as usize]?;
    let beyond = |cell: usize| half.sign() * grid.center(cell).x - armpit_of_arm.extent;
    let is_arm = |cell: usize| grid.inside[cell] && beyond(cell) > 0.0;
    let cells = grid.flood_fill(torso.main[armpit_of_arm.slice + 1].iter().copied(), is_arm);
    let is_start = |cell: usize| beyond(cell) <= grid.cell;
    let line = Centerline::by_distance(grid, &cells, is_start)?;
    let (root, end) = line.range();
    if end - root < MIN_ARM_LENGTH * torso.height {
        return None;
    }
    let branching_layer =
        fingers::branching_layer(grid, &cells, is_start).map_or(end, |layer| line.parameters()[layer]);
    let shoulder = shoulder(grid, torso, half, armpit_of_arm, &line);
    let line = line.starting_at(shoulder);
    let wrist = wrist(&line, branching_layer - MIN_PALM_RATIO * (end - branching_layer));
    let elbow = elbow(&line, wrist, grid.cell);
    Some([shoulder, line.at(elbow), line.at(wrist), line.at(end)])
}

/// The start of the centre line, moved inwards by the lean of the trunk's side: as much as over the same height below
/// the armpit, at most by the radius of the arm.
fn shoulder(grid: &OccupancyGrid, torso: &Torso, half: BodySide, armpit_of_arm: Armpit, line: &Centerline) -> DVec3 {
    let (start, _) = line.range();
    let root = line.at(start);
    let armpit = grid.slice_height(armpit_of_arm.slice);
    let above = f64::max(root.y - armpit, 0.0);
    let lean = torso.extent(grid, armpit - above, half) - armpit_of_arm.extent;
    root - DVec3::X * half.sign() * lean.clamp(0.0, line.radius(start, grid.cell))
}

/// The narrowest cross-section before the palm.
fn wrist(line: &Centerline, palm: f64) -> f64 {
    let (start, end) = line.range();
    let at = |share: f64| start + share * (end - start);
    let cost = |along: f64| {
        let unusual = (along - start) / (end - start) - USUAL_WRIST;
        line.area(along) * (1.0 + WRIST_DEVIATION_COST * unusual * unusual)
    };
    let window = at(WRIST_RANGE[0])..=at(WRIST_RANGE[1]).min(palm);
    let parameters = line.parameters().iter().copied().filter(|along| window.contains(along));
    parameters.min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(at(USUAL_WRIST))
}

/// The bend of the line, blended with the end of a thick forearm's medial axis, a radius after the step, by how clear
/// the step is.
fn elbow(line: &Centerline, wrist: f64, cell: f64) -> f64 {
    let (start, _) = line.range();
    let bend = line.bend([start, wrist], ELBOW_RANGE, USUAL_ELBOW);
    let reach = GROWTH_WINDOW * (wrist - start);
    let growth = |along: f64| line.mean_area(along, along + reach) / line.mean_area(along - reach, along);
    let [first, last] = GROWTH_RANGE.map(|share| start + share * (wrist - start));
    let parameters = line.parameters().iter().copied().filter(|&along| along >= first && along <= last);
    parameters.max_by(|&a, &b| growth(a).total_cmp(&growth(b))).map_or(bend, |step| {
        let confidence = ((growth(step) - GROWTH_FACTORS[0]) / (GROWTH_FACTORS[1] - GROWTH_FACTORS[0])).clamp(0.0, 1.0);
        bend + confidence * (step + line.radius(step + reach, cell) - bend)
    })
}

/// An arm that hangs down the side of the trunk, for bodies whose arms do not stand off it.
pub(super) fn hanging_arm(grid: &OccupancyGrid, torso: &Torso, half: BodySide) -> Arm {
    let shoulder = torso.neck - 0.045 * torso.height;
    [0.0, 0.17, 0.32, 0.43].map(|down| {
        let height = shoulder - down * torso.height;
        let x = half.sign() * 0.8 * torso.half_width(grid, height);
        torso.line.at(height).with_x(x).with_y(height)
    })
}
