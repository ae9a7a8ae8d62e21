//! Where are shoulder, elbow and wrist of an arm?
//!
//! The arm is what lies beyond the upright plane through the armpit. Its centre line starts at the
//! shoulder and ends at the fingertips. The elbow is where the line bends, or where arms usually have
//! it; the wrist is the narrowest place about where arms usually have it. Proportions after R. Drillis
//! and R. Contini, *Body segment parameters*, 1966.

use super::centerline::Centerline;
use super::grid::Grid;
use super::torso::{Half, Torso};
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

/// Shoulder, elbow, wrist and fingertips.
pub(super) type Arm = [DVec3; 4];

/// The arm of one side; none where none stands off the trunk.
pub(super) fn arm(grid: &Grid, torso: &Torso, half: Half) -> Option<Arm> {
    let pit = torso.armpits[half as usize]?;
    let beyond = |cell: usize| half.sign() * grid.center(cell).x - pit.reach;
    let is_arm = |cell: usize| grid.inside[cell] && beyond(cell) > 0.0;
    let cells = grid.reached(torso.main[pit.slice + 1].iter().copied(), is_arm);
    let line = Centerline::by_distance(grid, &cells, |cell| beyond(cell) <= grid.cell)?;
    let (start, end) = line.range();
    if end - start < SHORTEST * torso.height {
        return None;
    }
    let at = |share: f64| start + share * (end - start);
    let cost = |along: f64| {
        let unusual = (along - start) / (end - start) - WRIST;
        line.area(along) * (1.0 + UNUSUAL_WRIST * unusual * unusual)
    };
    let places = line.places().iter().copied().filter(|&a| a >= at(WRISTS[0]) && a <= at(WRISTS[1]));
    let wrist = places.min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(at(WRIST));
    let elbow = line.bend([start, wrist], ELBOWS, ELBOW);
    Some([line.at(start), line.at(elbow), line.at(wrist), line.at(end)])
}

/// An arm that hangs down the side of the trunk, for bodies whose arms cannot be told from it.
pub(super) fn hanging_arm(grid: &Grid, torso: &Torso, half: Half) -> Arm {
    let shoulder = torso.neck - 0.045 * torso.height;
    [0.0, 0.17, 0.32, 0.43].map(|down| {
        let height = shoulder - down * torso.height;
        let x = half.sign() * 0.8 * torso.half_width(grid, height);
        torso.line.at(height).with_x(x).with_y(height)
    })
}
