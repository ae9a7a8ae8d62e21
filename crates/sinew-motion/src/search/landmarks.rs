//! Landmarks that all humanoid bodies have in common, and the largest distance between two of them.
//!
//! Every skeleton of a person has these thirteen joints, under any name: head, shoulders, elbows, hands, hips, knees
//! and feet. The length of the path between two of them along the bones bounds their distance. A distance as a share of
//! its path length hardly depends on the proportions of the body.

use crate::Result;
use glam::DVec3;
use sinew_rig::Anatomy;
use sinew_rig::Skeleton;
use sinew_rig::anatomy::names::{Limb, Side};

/// The number of landmarks. The module's list of joints.
pub const LANDMARKS: usize = 13;
/// The number of pairs of landmarks at variable distance. All 78 less the 12 that are rigid: eight segments of limbs,
/// two girdles and two sides of the neck.
pub const PAIRS: usize = 66;

const HEAD: usize = 0;
const SHOULDERS: [usize; 2] = [1, 4];
const HIPS: [usize; 2] = [7, 10];
const LIMBS: [Limb; 6] = [Limb::UpperArm, Limb::Forearm, Limb::Hand, Limb::Thigh, Limb::Calf, Limb::Foot];

/// The landmark on the other side of the body.
pub(super) const MIRRORED: [usize; LANDMARKS] = [0, 4, 5, 6, 1, 2, 3, 10, 11, 12, 7, 8, 9];

/// The pairs of landmarks at variable distance.
pub(super) const fn pairs() -> [(usize, usize); PAIRS] {
    let mut pairs = [(0, 0); PAIRS];
    let (mut count, mut a) = (0, 0);
    while a < LANDMARKS {
        let mut b = a + 1;
        while b < LANDMARKS {
            if !is_rigid(a, b) {
                pairs[count] = (a, b);
                count += 1;
            }
            b += 1;
        }
        a += 1;
    }
    assert!(count == PAIRS);
    pairs
}

/// Whether a bone, a girdle or the neck lies between two landmarks, `a < b`.
const fn is_rigid(a: usize, b: usize) -> bool {
    let limb_segment = b == a + 1 && !a.is_multiple_of(3);
    let girdle = (a == SHOULDERS[0] && b == SHOULDERS[1]) || (a == HIPS[0] && b == HIPS[1]);
    let neck = a == HEAD && (b == SHOULDERS[0] || b == SHOULDERS[1]);
    limb_segment || girdle || neck
}

/// The pair on the other side of the body, for each pair.
pub(super) fn mirrored_pairs() -> [usize; PAIRS] {
    let pairs = pairs();
    pairs.map(|(a, b)| {
        let (a, b) = (MIRRORED[a], MIRRORED[b]);
        let other = (a.min(b), a.max(b));
        // The mirror image of a rigid pair is rigid, so the other pair always exists.
        pairs.iter().position(|&pair| pair == other).unwrap_or(0)
    })
}

/// The joints of a skeleton that are landmarks.
pub fn joints(skeleton: &Skeleton) -> Result<[usize; LANDMARKS]> {
    let none = |part: &str| sinew_rig::Error::NoLandmark { part: part.into() };
    let anatomy = Anatomy::of(skeleton).ok_or_else(|| none("pair of legs with arms or a head"))?;
    let head = anatomy.head.or(anatomy.neck.last().copied()).or(anatomy.spine.last().copied());
    let mut joints = [0; LANDMARKS];
    joints[HEAD] = head.ok_or_else(|| none("head"))?;
    for (k, limb) in LIMBS.into_iter().enumerate() {
        for (of_side, side) in [Side::Left, Side::Right].into_iter().enumerate() {
            let place = 1 + 6 * (k / 3) + 3 * of_side + k % 3;
            let part = || format!("{} {}", side_word(side), limb_word(limb));
            joints[place] = anatomy.limb(limb, side).ok_or_else(|| none(&part()))?;
        }
    }
    Ok(joints)
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

fn limb_word(limb: Limb) -> &'static str {
    match limb {
        Limb::UpperArm => "shoulder",
        Limb::Forearm => "elbow",
        Limb::Hand | Limb::Palm => "hand",
        Limb::Thigh => "hip",
        Limb::Calf => "knee",
        Limb::Foot | Limb::Toes => "foot",
        Limb::Clavicle => "collar bone",
    }
}

/// The lengths of a body at rest.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lengths {
    /// For each pair the length of its path along the bones.
    pub paths: [f64; PAIRS],
    /// Mean length of thigh and calf.
    pub leg: f64,
    /// Sum of the limbs' segments.
    pub limbs: f64,
    /// From the hips to the head.
    pub upwards: DVec3,
}

impl Lengths {
    pub fn of(places: &[DVec3; LANDMARKS]) -> Self {
        let middle = |[left, right]: [usize; 2]| (places[left] + places[right]) * 0.5;
        let (chest, pelvis) = (middle(SHOULDERS), middle(HIPS));
        let trunk = chest.distance(pelvis);
        // The path length from each landmark to the middle of its girdle.
        let mut inwards = [0.0; LANDMARKS];
        inwards[HEAD] = places[HEAD].distance(chest);
        for (first, girdle) in [(1, chest), (4, chest), (7, pelvis), (10, pelvis)] {
            inwards[first] = places[first].distance(girdle);
            for joint in first + 1..first + 3 {
                inwards[joint] = inwards[joint - 1] + places[joint].distance(places[joint - 1]);
            }
        }
        let limb = |landmark: usize| if landmark == HEAD { LANDMARKS } else { (landmark - 1) / 3 };
        let is_low = |landmark: usize| landmark >= HIPS[0];
        let path = |(a, b): (usize, usize)| match (limb(a) == limb(b), is_low(a) == is_low(b)) {
            (true, _) => (inwards[a] - inwards[b]).abs(),
            (false, true) => inwards[a] + inwards[b],
            (false, false) => inwards[a] + trunk + inwards[b],
        };
        let segment = |first: usize| inwards[first + 2] - inwards[first];
        Self {
            paths: pairs().map(path),
            leg: 0.5 * (segment(HIPS[0]) + segment(HIPS[1])),
            limbs: limb_length(places),
            upwards: places[HEAD] - pelvis,
        }
    }
}

/// The sum of the limbs' segments, which is the same in every pose.
pub(super) fn limb_length(places: &[DVec3; LANDMARKS]) -> f64 {
    [1, 4, 7, 10].iter().map(|&k| places[k].distance(places[k + 1]) + places[k + 1].distance(places[k + 2])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirroring_twice_is_the_identity() {
        let pairs = mirrored_pairs();
        assert!((0..PAIRS).all(|k| pairs[pairs[k]] == k));
        assert!((0..LANDMARKS).all(|k| MIRRORED[MIRRORED[k]] == k));
    }

    #[test]
    fn no_distance_exceeds_its_path_length() {
        // A stretched body, arms up: the path from hand to foot is nearly straight.
        let places = [
            (0.0, 1.7),
            (0.1, 1.5),
            (0.1, 1.8),
            (0.1, 2.1),
            (-0.1, 1.5),
            (-0.1, 1.8),
            (-0.1, 2.1),
            (0.1, 0.9),
            (0.1, 0.5),
            (0.1, 0.1),
            (-0.1, 0.9),
            (-0.1, 0.5),
            (-0.1, 0.1),
        ]
        .map(|(x, y)| DVec3::new(x, y, 0.0));
        let lengths = Lengths::of(&places);
        for ((a, b), path) in pairs().into_iter().zip(lengths.paths) {
            assert!(places[a].distance(places[b]) <= path + 1e-12, "{a} {b}");
        }
        assert!((lengths.leg - 0.8).abs() < 1e-12);
        assert!((lengths.limbs - 2.8).abs() < 1e-12);
    }
}
