//! The left half of the trunk, from the groin to the base of the neck.
//!
//! Rows of seven points run from the middle of the front around the left side to the middle of the
//! back. Two rows by two columns under the shoulder are open for the arm; the lowest row and a point between
//! the legs are the ring where the leg begins.

use super::cage::{Cage, Shares};
use glam::Vec3;

/// A point of a row with its weights.
type Point = ([f32; 3], Shares<'static>);

const GROIN: [Point; 7] = [
    ([0.0, 0.858, 0.079], &[("Hips", 0.7), ("LeftUpLeg", 0.3)]),
    ([0.064, 0.878, 0.091], &[("Hips", 0.5), ("LeftUpLeg", 0.5)]),
    ([0.134, 0.905, 0.064], &[("Hips", 0.5), ("LeftUpLeg", 0.5)]),
    ([0.171, 0.893, -0.005], &[("Hips", 0.45), ("LeftUpLeg", 0.55)]),
    ([0.146, 0.866, -0.082], &[("Hips", 0.4), ("LeftUpLeg", 0.6)]),
    ([0.082, 0.842, -0.114], &[("Hips", 0.4), ("LeftUpLeg", 0.6)]),
    ([0.0, 0.856, -0.076], &[("Hips", 0.7), ("LeftUpLeg", 0.3)]),
];

/// Between the legs.
const CROTCH: Point = ([0.0, 0.823, 0.002], &[("Hips", 0.6), ("LeftUpLeg", 0.4)]);

const HIPS: Shares<'static> = &[("Hips", 0.9), ("LeftUpLeg", 0.1)];
const ILIAC: Shares<'static> = &[("Hips", 0.8), ("LowerBack", 0.2)];
const WAIST: Shares<'static> = &[("Hips", 0.2), ("LowerBack", 0.55), ("Spine", 0.25)];
const RIBS: Shares<'static> = &[("LowerBack", 0.2), ("Spine", 0.6), ("Spine1", 0.2)];

/// Rows with the same weights all around.
const ROWS: [([[f32; 3]; 7], Shares<'static>); 4] = [
    (
        [
            [0.0, 0.925, 0.097],
            [0.066, 0.937, 0.095],
            [0.127, 0.957, 0.075],
            [0.166, 0.963, -0.004],
            [0.142, 0.940, -0.090],
            [0.078, 0.922, -0.130],
            [0.0, 0.928, -0.106],
        ],
        HIPS,
    ),
    (
        [
            [0.0, 1.005, 0.103],
            [0.059, 1.008, 0.098],
            [0.114, 1.017, 0.076],
            [0.149, 1.030, -0.004],
            [0.122, 1.015, -0.076],
            [0.062, 1.005, -0.104],
            [0.0, 1.002, -0.094],
        ],
        ILIAC,
    ),
    (
        [
            [0.0, 1.095, 0.097],
            [0.053, 1.095, 0.094],
            [0.104, 1.100, 0.074],
            [0.135, 1.108, -0.002],
            [0.112, 1.108, -0.062],
            [0.050, 1.105, -0.080],
            [0.0, 1.105, -0.072],
        ],
        WAIST,
    ),
    (
        [
            [0.0, 1.196, 0.103],
            [0.062, 1.192, 0.100],
            [0.117, 1.194, 0.075],
            [0.154, 1.200, -0.008],
            [0.125, 1.205, -0.080],
            [0.058, 1.205, -0.103],
            [0.0, 1.205, -0.094],
        ],
        RIBS,
    ),
];

const CHEST: [Point; 7] = [
    ([0.0, 1.268, 0.119], &[("Spine", 0.2), ("Spine1", 0.8)]),
    ([0.080, 1.261, 0.126], &[("Spine", 0.2), ("Spine1", 0.8)]),
    ([0.145, 1.290, 0.088], &[("Spine", 0.1), ("Spine1", 0.75), ("LeftShoulder", 0.05), ("LeftArm", 0.1)]),
    ([0.162, 1.325, -0.015], &[("Spine1", 0.7), ("LeftShoulder", 0.1), ("LeftArm", 0.2)]),
    ([0.150, 1.300, -0.100], &[("Spine", 0.1), ("Spine1", 0.75), ("LeftShoulder", 0.05), ("LeftArm", 0.1)]),
    ([0.074, 1.305, -0.124], &[("Spine", 0.2), ("Spine1", 0.8)]),
    ([0.0, 1.302, -0.115], &[("Spine", 0.2), ("Spine1", 0.8)]),
];

/// The row through the middle of the arm's opening has no point at the side.
const ARMPIT: [Point; 6] = [
    ([0.0, 1.356, 0.110], &[("Spine1", 1.0)]),
    ([0.076, 1.356, 0.108], &[("Spine1", 0.85), ("LeftShoulder", 0.15)]),
    ([0.147, 1.378, 0.070], &[("Spine1", 0.4), ("LeftShoulder", 0.25), ("LeftArm", 0.35)]),
    ([0.158, 1.380, -0.095], &[("Spine1", 0.4), ("LeftShoulder", 0.25), ("LeftArm", 0.35)]),
    ([0.080, 1.388, -0.124], &[("Spine1", 0.75), ("LeftShoulder", 0.25)]),
    ([0.0, 1.390, -0.113], &[("Spine1", 1.0)]),
];

const SHOULDERS: [Point; 7] = [
    ([0.0, 1.440, 0.067], &[("Spine1", 0.9), ("Neck", 0.1)]),
    ([0.062, 1.446, 0.064], &[("Spine1", 0.5), ("LeftShoulder", 0.45), ("Neck", 0.05)]),
    ([0.136, 1.456, 0.032], &[("Spine1", 0.1), ("LeftShoulder", 0.6), ("LeftArm", 0.3)]),
    ([0.166, 1.460, -0.030], &[("LeftShoulder", 0.65), ("LeftArm", 0.35)]),
    ([0.145, 1.452, -0.078], &[("Spine1", 0.1), ("LeftShoulder", 0.6), ("LeftArm", 0.3)]),
    ([0.072, 1.460, -0.096], &[("Spine1", 0.5), ("LeftShoulder", 0.4), ("Neck", 0.1)]),
    ([0.0, 1.458, -0.090], &[("Spine1", 0.85), ("Neck", 0.15)]),
];

/// The openings where the other parts begin.
pub(super) struct Openings {
    /// Starts inside in front and continues forwards and outwards.
    pub(super) leg: [u32; 8],
    /// Starts on top and continues forwards.
    pub(super) arm: [u32; 8],
    /// The row at the top, from front to back.
    pub(super) neck: [u32; 7],
}

/// Builds the trunk.
pub(super) fn grow(cage: &mut Cage<'_>) -> Openings {
    let groin = row(cage, &GROIN);
    let crotch = row(cage, &[CROTCH])[0];
    let mut last = groin;
    for (points, shares) in ROWS {
        let next = cage.vertices(points.map(Vec3::from), shares);
        cage.strip(&last, &next);
        last = next;
    }
    let chest = row(cage, &CHEST);
    cage.strip(&last, &chest);
    let armpit = row(cage, &ARMPIT);
    cage.strip(&chest[..3], &armpit[..3]);
    cage.strip(&chest[4..], &armpit[3..]);
    let shoulders = row(cage, &SHOULDERS);
    cage.strip(&armpit[..3], &shoulders[..3]);
    cage.strip(&armpit[3..], &shoulders[4..]);
    let [a, b, c, d, e, f, g] = groin;
    Openings {
        leg: [a, b, c, d, e, f, g, crotch],
        arm: [shoulders[3], shoulders[2], armpit[2], chest[2], chest[3], chest[4], armpit[3], shoulders[4]],
        neck: shoulders,
    }
}

fn row<const N: usize>(cage: &mut Cage<'_>, points: &[Point; N]) -> [u32; N] {
    std::array::from_fn(|k| cage.vertex(Vec3::from(points[k].0), points[k].1))
}
