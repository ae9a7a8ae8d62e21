//! The left arm from the shoulder's opening to the wrist: edge loops around the deltoid, the elbow
//! and the wrist.

use super::cage::{Cage, Shares};
use super::landmarks::{ELBOW, SHOULDER, WRIST};
use super::section::Section;
use glam::Vec3;

/// A ring of the arm: the position along the bone, the offset of the centre upwards and forwards, the radii
/// towards up and out, front, down and in, back, and the weights.
struct Ring {
    along: f32,
    shift: [f32; 2],
    radii: [f32; 4],
    shares: Shares<'static>,
}

const UPPER: &[Ring] = &[
    Ring {
        along: 0.20,
        shift: [0.006, 0.0],
        radii: [0.065, 0.064, 0.052, 0.064],
        shares: &[("LeftArm", 0.85), ("LeftShoulder", 0.15)],
    },
    Ring { along: 0.47, shift: [0.000, 0.0], radii: [0.044, 0.054, 0.046, 0.055], shares: &[("LeftArm", 1.0)] },
    Ring {
        along: 0.82,
        shift: [0.000, 0.0],
        radii: [0.040, 0.043, 0.040, 0.043],
        shares: &[("LeftArm", 0.95), ("LeftForeArm", 0.05)],
    },
];

const FORE: &[Ring] = &[
    Ring {
        along: 0.00,
        shift: [0.000, -0.002],
        radii: [0.038, 0.037, 0.038, 0.038],
        shares: &[("LeftArm", 0.5), ("LeftForeArm", 0.5)],
    },
    Ring {
        along: 0.21,
        shift: [0.000, 0.0],
        radii: [0.045, 0.043, 0.043, 0.041],
        shares: &[("LeftArm", 0.05), ("LeftForeArm", 0.95)],
    },
    Ring { along: 0.58, shift: [0.000, 0.0], radii: [0.035, 0.036, 0.034, 0.035], shares: &[("LeftForeArm", 1.0)] },
    Ring {
        along: 0.96,
        shift: [0.000, 0.0],
        radii: [0.021, 0.029, 0.021, 0.028],
        shares: &[("LeftForeArm", 0.6), ("LeftHand", 0.4)],
    },
];

/// Up and out, and forwards, across a bone of the arm.
pub(super) fn across(along: Vec3) -> (Vec3, Vec3) {
    let up = Vec3::new(1.0, 1.0, 0.0);
    let up = (up - up.dot(along) * along).normalize();
    (up, along.cross(up))
}

/// Builds the arm from an opening of eight vertices, which starts at the top and continues to the front,
/// and returns the ring at the wrist.
pub(super) fn grow(cage: &mut Cage<'_>, opening: [u32; 8]) -> [u32; 8] {
    let mut last = opening;
    for (bone, rings) in [([SHOULDER, ELBOW], UPPER), ([ELBOW, WRIST], FORE)] {
        let axis = bone[1] - bone[0];
        let (up, front) = across(axis.normalize());
        for ring in rings {
            let center = bone[0] + ring.along * axis + ring.shift[0] * up + ring.shift[1] * front;
            let section = Section { center, first: up, second: front, radii: ring.radii };
            let next = cage.vertices(section.ring(), ring.shares);
            cage.tube(&last, &next);
            last = next;
        }
    }
    last
}
