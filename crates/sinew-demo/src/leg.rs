//! The left leg from the groin's ring to the toes.

use super::cage::{Cage, Shares};
use super::section::Section;
use glam::Vec3;

/// A level ring of the leg: its centre, the radii towards front, outside, back and inside, and the
/// weights.
struct Ring {
    center: [f32; 3],
    radii: [f32; 4],
    shares: Shares<'static>,
}

const RINGS: &[Ring] = &[
    Ring {
        center: [0.096, 0.790, -0.008],
        radii: [0.086, 0.076, 0.088, 0.079],
        shares: &[("LeftUpLeg", 0.95), ("Hips", 0.05)],
    },
    Ring { center: [0.098, 0.670, 0.000], radii: [0.080, 0.066, 0.073, 0.067], shares: &[("LeftUpLeg", 1.0)] },
    Ring {
        center: [0.101, 0.560, 0.000],
        radii: [0.061, 0.053, 0.055, 0.056],
        shares: &[("LeftUpLeg", 0.95), ("LeftLeg", 0.05)],
    },
    Ring {
        center: [0.102, 0.487, 0.004],
        radii: [0.055, 0.046, 0.046, 0.048],
        shares: &[("LeftUpLeg", 0.5), ("LeftLeg", 0.5)],
    },
    Ring {
        center: [0.103, 0.420, -0.006],
        radii: [0.045, 0.050, 0.054, 0.050],
        shares: &[("LeftUpLeg", 0.05), ("LeftLeg", 0.95)],
    },
    Ring { center: [0.104, 0.315, -0.015], radii: [0.043, 0.051, 0.060, 0.052], shares: &[("LeftLeg", 1.0)] },
    Ring {
        center: [0.108, 0.150, -0.029],
        radii: [0.034, 0.031, 0.036, 0.032],
        shares: &[("LeftLeg", 0.8), ("LeftFoot", 0.2)],
    },
];

/// The rings of the foot, which are level at the ankle and upright at the toes: on top inside,
/// in the middle and outside, the outer edge, below, and the inner edge.
const FOOT: [([[f32; 3]; 8], Shares<'static>); 4] = [
    (
        [
            [0.087, 0.082, 0.007],
            [0.109, 0.087, 0.026],
            [0.131, 0.079, 0.009],
            [0.140, 0.068, -0.035],
            [0.130, 0.045, -0.073],
            [0.107, 0.037, -0.087],
            [0.085, 0.045, -0.073],
            [0.075, 0.072, -0.030],
        ],
        &[("LeftFoot", 0.85), ("LeftLeg", 0.15)],
    ),
    (
        [
            [0.092, 0.065, 0.048],
            [0.113, 0.071, 0.060],
            [0.135, 0.058, 0.048],
            [0.141, 0.026, 0.002],
            [0.131, 0.002, -0.048],
            [0.108, 0.000, -0.060],
            [0.085, 0.002, -0.048],
            [0.078, 0.032, 0.004],
        ],
        &[("LeftFoot", 1.0)],
    ),
    (
        [
            [0.094, 0.042, 0.100],
            [0.116, 0.050, 0.108],
            [0.144, 0.036, 0.095],
            [0.162, 0.018, 0.075],
            [0.152, 0.001, 0.065],
            [0.120, 0.003, 0.080],
            [0.088, 0.001, 0.085],
            [0.079, 0.020, 0.095],
        ],
        &[("LeftFoot", 0.6), ("LeftToeBase", 0.4)],
    ),
    (
        [
            [0.097, 0.026, 0.159],
            [0.119, 0.026, 0.163],
            [0.143, 0.021, 0.150],
            [0.157, 0.012, 0.132],
            [0.149, 0.001, 0.130],
            [0.122, 0.001, 0.152],
            [0.094, 0.001, 0.155],
            [0.083, 0.014, 0.148],
        ],
        &[("LeftToeBase", 1.0)],
    ),
];

/// The foremost point of the toes.
const TOES: [f32; 3] = [0.118, 0.013, 0.179];

/// Builds the leg from the groin's ring of eight, which starts inside in front and continues forwards and
/// outwards.
pub(super) fn grow(cage: &mut Cage<'_>, groin: [u32; 8]) {
    let mut last = groin;
    for ring in RINGS {
        let next = cage.vertices(level_ring(ring), ring.shares);
        cage.tube(&next, &last);
        last = next;
    }
    for (points, shares) in FOOT {
        let next = cage.vertices(points.map(Vec3::from), shares);
        cage.tube(&next, &last);
        last = next;
    }
    let [a, b, c, d, e, f, g, h] = last;
    let tip = cage.vertex(Vec3::from(TOES), &[("LeftToeBase", 1.0)]);
    cage.strip(&[h, tip, d], &[a, b, c]);
    cage.strip(&[g, f, e], &[h, tip, d]);
}

/// Eight vertices, the second of which is at the front.
fn level_ring(ring: &Ring) -> [Vec3; 8] {
    let section = Section { center: Vec3::from(ring.center), first: Vec3::Z, second: Vec3::X, radii: ring.radii };
    let mut vertices = section.ring();
    vertices.rotate_right(1);
    vertices
}
