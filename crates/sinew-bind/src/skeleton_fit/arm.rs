//! Where are shoulder, elbow and wrist of an arm?
//!
//! The arm is what lies beyond the upright plane through the armpit. Its centre line starts at the
//! *shoulder*, which is inside the trunk where that leans inwards, and ends at the fingertips. The
//! *elbow* is where the line bends, or where arms usually have it; where a rod runs into a thick
//! forearm, as in robots, it is in the middle of that one's round end. The *wrist* is the narrowest
//! place about where arms usually have it, and before the palm. Proportions after R. Drillis and R.
//! Contini, *Body segment parameters*, 1966.

use super::centerline::Centerline;
use super::fingers;
use super::occupancy_grid::OccupancyGrid;
use super::torso::{Armpit, Half, Torso};
use glam::DVec3;

/// An arm that is shorter than this share of the body's height is none.
const SHORTEST: f64 = 0.12;
/// The elbow of a straight arm on the way from shoulder to wrist.
const ELBOW: f64 = 0.54;
/// Where a bent arm may have it.
const ELBOWS: [f64; 2] = [0.35, 0.68];
/// The wrist on the way from shoulder to fingertips.
const WRIST: f64 = 0.74;
/// Where else it may be.
const WRISTS: [f64; 2] = [0.62, 0.84];
/// What a wrist away from its usual place costs: the cross-section grows by this times the square of
/// the distance.
const UNUSUAL_WRIST: f64 = 80.0;
/// The palm is at least so many times as long as the fingers beyond where they part.
const PALM: f64 = 0.5;
/// Where the cross-section may grow from upper arm to forearm, on the way from shoulder to wrist.
const GROWTHS: [f64; 2] = [0.2, 0.68];
/// The share of that way over which the cross-section is averaged before and after.
const GROWTH_REACH: f64 = 0.08;
/// A growth by the first factor may be a muscle or a sleeve, by the second it is another piece.
const GROWN: [f64; 2] = [2.0, 4.0];

/// Shoulder, elbow, wrist and fingertips.
pub(super) type Arm = [DVec3; 4];

/// The arm of one side; none where none stands off the trunk.
pub(super) fn arm(grid: &OccupancyGrid, torso: &Torso, half: Half) -> Option<Arm> {
    let pit = torso.armpits[half as usize]?;
    let beyond = |cell: usize| half.sign() * grid.center(cell).x - pit.reach;
    let is_arm = |cell: usize| grid.inside[cell] && beyond(cell) > 0.0;
    let cells = grid.reached(torso.main[pit.slice + 1].iter().copied(), is_arm);
    let is_start = |cell: usize| beyond(cell) <= grid.cell;
    let line = Centerline::by_distance(grid, &cells, is_start)?;
    let (root, end) = line.range();
    if end - root < SHORTEST * torso.height {
        return None;
    }
    let parting = fingers::parting(grid, &cells, is_start).map_or(end, |layer| line.places()[layer]);
    let shoulder = shoulder(grid, torso, half, pit, &line);
    let line = line.starting_at(shoulder);
    let wrist = wrist(&line, parting - PALM * (end - parting));
    let elbow = elbow(&line, wrist, grid.cell);
    Some([shoulder, line.at(elbow), line.at(wrist), line.at(end)])
}

/// The start of the centre line, moved inwards as the trunk's side leans: from the armpit up to the
/// arm's middle by as much as over the same height below. No deeper than the arm is thick.
fn shoulder(grid: &OccupancyGrid, torso: &Torso, half: Half, pit: Armpit, line: &Centerline) -> DVec3 {
    let (start, _) = line.range();
    let root = line.at(start);
    let armpit = grid.slice_height(pit.slice);
    let above = f64::max(root.y - armpit, 0.0);
    let lean = torso.reach(grid, armpit - above, half) - pit.reach;
    root - DVec3::X * half.sign() * lean.clamp(0.0, line.radius(start, grid.cell))
}

/// The narrowest place before the palm.
fn wrist(line: &Centerline, palm: f64) -> f64 {
    let (start, end) = line.range();
    let at = |share: f64| start + share * (end - start);
    let cost = |along: f64| {
        let unusual = (along - start) / (end - start) - WRIST;
        line.area(along) * (1.0 + UNUSUAL_WRIST * unusual * unusual)
    };
    let window = at(WRISTS[0])..=at(WRISTS[1]).min(palm);
    let places = line.places().iter().copied().filter(|along| window.contains(along));
    places.min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(at(WRIST))
}

/// The bend of the line, or, as far as the cross-section grows at once, the end of the medial axis of
/// what is thick, a radius from where that begins.
fn elbow(line: &Centerline, wrist: f64, cell: f64) -> f64 {
    let (start, _) = line.range();
    let bend = line.bend([start, wrist], ELBOWS, ELBOW);
    let reach = GROWTH_REACH * (wrist - start);
    let growth = |along: f64| line.mean_area(along, along + reach) / line.mean_area(along - reach, along);
    let [first, last] = GROWTHS.map(|share| start + share * (wrist - start));
    let places = line.places().iter().copied().filter(|&along| along >= first && along <= last);
    places.max_by(|&a, &b| growth(a).total_cmp(&growth(b))).map_or(bend, |step| {
        let trust = ((growth(step) - GROWN[0]) / (GROWN[1] - GROWN[0])).clamp(0.0, 1.0);
        bend + trust * (step + line.radius(step + reach, cell) - bend)
    })
}

/// An arm that hangs down the side of the trunk, for bodies whose arms cannot be told from it.
pub(super) fn hanging_arm(grid: &OccupancyGrid, torso: &Torso, half: Half) -> Arm {
    let shoulder = torso.neck - 0.045 * torso.height;
    [0.0, 0.17, 0.32, 0.43].map(|down| {
        let height = shoulder - down * torso.height;
        let x = half.sign() * 0.8 * torso.half_width(grid, height);
        torso.line.at(height).with_x(x).with_y(height)
    })
}
