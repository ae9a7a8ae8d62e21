//! The left hand: a palm that widens to four fingers side by side, and a thumb from its edge.

use super::arm::across;
use super::cage::{Cage, Shares};
use super::landmarks::{ELBOW, WRIST};
use glam::Vec3;
use sinew_geometry::Face;

/// A finger or the thumb.
pub(super) struct Digit {
    /// The parent joint.
    pub(super) parent: &'static str,
    /// Its joints from the palm outwards.
    pub(super) joints: [&'static str; 3],
    /// Its knuckles and its tip.
    pub(super) points: [Vec3; 4],
    /// Half its width at the second knuckle and near the tip.
    radii: [f32; 2],
    /// Unit vector out of the back of the digit.
    back: Vec3,
}

/// A point in the hand's frame: along the hand, towards the thumb, and above the palm.
fn at(along: f32, thumbwards: f32, above: f32) -> Vec3 {
    let [x, y, z] = axes();
    WRIST + along * x + thumbwards * y + above * z
}

/// Along the hand, towards the thumb, out of the back of the hand.
pub(super) fn axes() -> [Vec3; 3] {
    let along = (WRIST - ELBOW).normalize();
    let (above, thumbwards) = across(along);
    [along, thumbwards, above]
}

/// The position of the parent joint of the fingers.
pub(super) fn finger_base() -> Vec3 {
    at(0.045, 0.0, 0.0)
}

/// Index, middle, ring and little finger, then the thumb.
pub(super) fn digits() -> [Digit; 5] {
    let [along, thumbwards, above] = axes();
    // First knuckle, fan towards the thumb, lengths of the three segments, radii.
    let finger = |joints, knuckle: [f32; 3], fan: f32, segments: [f32; 3], radii| {
        let mut points = [at(knuckle[0], knuckle[1], knuckle[2]); 4];
        let mut bend = 0.10;
        for k in 0..3 {
            let direction = (along + fan * thumbwards).normalize() * f32::cos(bend) - above * f32::sin(bend);
            points[k + 1] = points[k] + segments[k] * direction;
            bend += 0.16;
        }
        Digit { parent: "LeftFingerBase", joints, points, radii, back: above }
    };
    let thumb_out = (0.70 * along + 0.60 * thumbwards - 0.38 * above).normalize();
    let thumb_end = (0.90 * along + 0.36 * thumbwards - 0.25 * above).normalize();
    let root = at(0.022, 0.022, -0.010);
    let points = [
        root,
        root + 0.040 * thumb_out,
        root + 0.040 * thumb_out + 0.032 * thumb_end,
        root + 0.040 * thumb_out + 0.058 * thumb_end,
    ];
    [
        finger(
            ["LeftHandIndex1", "LeftHandIndex2", "LeftHandIndex3"],
            [0.088, 0.031, 0.002],
            0.07,
            [0.043, 0.026, 0.021],
            [0.0088, 0.0080],
        ),
        finger(
            ["LeftHandMiddle1", "LeftHandMiddle2", "LeftHandMiddle3"],
            [0.090, 0.0105, 0.003],
            0.02,
            [0.047, 0.029, 0.022],
            [0.0090, 0.0082],
        ),
        finger(
            ["LeftHandRing1", "LeftHandRing2", "LeftHandRing3"],
            [0.086, -0.010, 0.002],
            -0.03,
            [0.043, 0.027, 0.022],
            [0.0086, 0.0078],
        ),
        finger(
            ["LeftHandPinky1", "LeftHandPinky2", "LeftHandPinky3"],
            [0.078, -0.029, 0.000],
            -0.09,
            [0.034, 0.021, 0.019],
            [0.0078, 0.0070],
        ),
        Digit {
            parent: "LeftHand",
            joints: ["LThumb", "LeftHandThumb2", "LeftHandThumb3"],
            points,
            radii: [0.0120, 0.0100],
            back: (thumbwards + 0.5 * above).normalize(),
        },
    ]
}

const PALM: Shares<'static> = &[("LeftHand", 1.0)];

/// The heel of the hand: offsets along, towards the thumb and above, from the top towards the thumb.
const HEEL: [[f32; 3]; 8] = [
    [0.026, 0.000, 0.019],
    [0.026, 0.022, 0.015],
    [0.024, 0.033, -0.002],
    [0.026, 0.024, -0.019],
    [0.026, 0.000, -0.019],
    [0.026, -0.020, -0.019],
    [0.026, -0.031, -0.002],
    [0.026, -0.021, 0.014],
];

/// The middle of the palm.
const MIDDLE: [[f32; 3]; 8] = [
    [0.066, 0.000, 0.0150],
    [0.066, 0.022, 0.0135],
    [0.064, 0.040, 0.000],
    [0.064, 0.023, -0.0145],
    [0.064, 0.000, -0.0135],
    [0.062, -0.020, -0.0160],
    [0.058, -0.038, -0.002],
    [0.062, -0.021, 0.0125],
];

/// The webs between the fingers, from the index's outside to the little finger's: on the back of the
/// hand and in the palm, and the weights.
const WEBS: [([f32; 3], [f32; 3], Shares<'static>); 5] = [
    ([0.092, 0.0405, 0.0075], [0.096, 0.0400, -0.0085], &[("LeftHand", 0.5), ("LeftHandIndex1", 0.5)]),
    (
        [0.100, 0.0205, 0.0080],
        [0.104, 0.0205, -0.0090],
        &[("LeftHand", 0.4), ("LeftHandIndex1", 0.3), ("LeftHandMiddle1", 0.3)],
    ),
    (
        [0.102, 0.0005, 0.0080],
        [0.105, 0.0005, -0.0090],
        &[("LeftHand", 0.4), ("LeftHandMiddle1", 0.3), ("LeftHandRing1", 0.3)],
    ),
    (
        [0.096, -0.0195, 0.0070],
        [0.099, -0.0195, -0.0090],
        &[("LeftHand", 0.4), ("LeftHandRing1", 0.3), ("LeftHandPinky1", 0.3)],
    ),
    ([0.082, -0.0375, 0.0055], [0.084, -0.0370, -0.0085], &[("LeftHand", 0.5), ("LeftHandPinky1", 0.5)]),
];

/// Builds the hand from the ring at the wrist.
pub(super) fn grow(cage: &mut Cage<'_>, wrist: [u32; 8]) {
    let place = |offsets: [f32; 3]| at(offsets[0], offsets[1], offsets[2]);
    let heel = cage.vertices(HEEL.map(place), &[("LeftHand", 0.9), ("LeftForeArm", 0.1)]);
    cage.tube(&wrist, &heel);
    let middle = cage.vertices(MIDDLE.map(place), PALM);
    let [top, top_thumb, thumb, low_thumb, low, low_little, little, top_little] = middle;
    cage.strip(&heel[..3], &middle[..3]);
    cage.strip(&heel[3..], &middle[3..]);
    cage.strip(&[heel[7], heel[0]], &[middle[7], middle[0]]);
    let [index, middle_finger, ring, pinky, thumb_digit] = digits();
    extend(cage, [heel[2], heel[3], low_thumb, thumb], &thumb_digit);

    let back = WEBS.map(|(back, _, shares)| cage.vertex(place(back), shares));
    let front = WEBS.map(|(_, front, shares)| cage.vertex(place(front), shares));
    cage.strip(&back, &[thumb, top_thumb, top, top_little, little]);
    cage.strip(&[thumb, low_thumb, low, low_little, little], &front);
    cage.faces.push(Face::triangle(thumb, front[0], back[0]));
    cage.faces.push(Face::triangle(little, back[4], front[4]));
    for (k, digit) in [index, middle_finger, ring, pinky].iter().enumerate() {
        extend(cage, [back[k], front[k], front[k + 1], back[k + 1]], digit);
    }
}

/// Builds a digit from four vertices: a ring at the second knuckle, one near the tip, and a cap.
fn extend(cage: &mut Cage<'_>, base: [u32; 4], digit: &Digit) {
    let [first_knuckle, second_knuckle, third_knuckle, tip] = digit.points;
    let [first, second, third] = digit.joints;
    let around = |center: Vec3, axis: Vec3, radius: f32| {
        let along = axis.normalize();
        let back = (digit.back - digit.back.dot(along) * along).normalize();
        let side = along.cross(back);
        let half = radius * std::f32::consts::FRAC_1_SQRT_2;
        [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(b, s)| center + half * (b * back + s * side))
    };
    let at_second = around(second_knuckle, third_knuckle - first_knuckle, digit.radii[0]);
    let near_tip = around(third_knuckle.lerp(tip, 0.72), tip - second_knuckle, digit.radii[1]);
    let middle = cage.vertices(at_second, &[(first, 0.5), (second, 0.5)]);
    let end = cage.vertices(near_tip, &[(second, 0.1), (third, 0.9)]);
    cage.tube(&base, &middle);
    cage.tube(&middle, &end);
    let [a, b, c, d] = end;
    cage.faces.push(Face::quad(a, b, c, d));
}
