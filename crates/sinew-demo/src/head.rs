//! The left half of the neck and the head: rows of seven from the middle of the face to the nape, and
//! an ear.

use super::cage::{Cage, Shares};
use glam::Vec3;
use sinew_geometry::Face;

const HEAD: Shares<'static> = &[("Head", 1.0)];

/// From the base of the neck to the jaw.
const JAW: [([[f32; 3]; 7], Shares<'static>); 3] = [
    // The base of the neck.
    (
        [
            [0.0, 1.457, 0.032],
            [0.030, 1.460, 0.031],
            [0.057, 1.469, 0.008],
            [0.071, 1.485, -0.031],
            [0.061, 1.495, -0.062],
            [0.034, 1.501, -0.079],
            [0.0, 1.503, -0.081],
        ],
        &[("Neck", 0.6), ("Spine1", 0.35), ("LeftShoulder", 0.05)],
    ),
    // The throat.
    (
        [
            [0.0, 1.497, 0.032],
            [0.026, 1.500, 0.027],
            [0.047, 1.513, 0.006],
            [0.056, 1.528, -0.023],
            [0.049, 1.540, -0.052],
            [0.028, 1.548, -0.070],
            [0.0, 1.551, -0.076],
        ],
        &[("Neck", 0.4), ("Neck1", 0.6)],
    ),
    // The chin and the jaw line.
    (
        [
            [0.0, 1.523, 0.099],
            [0.021, 1.526, 0.090],
            [0.051, 1.545, 0.046],
            [0.067, 1.570, -0.008],
            [0.060, 1.584, -0.052],
            [0.034, 1.595, -0.086],
            [0.0, 1.599, -0.096],
        ],
        &[("Neck1", 0.1), ("Head", 0.9)],
    ),
];

/// The mouth, as far as the jaw's angle below the ear.
const MOUTH: [[f32; 3]; 4] =
    [[0.0, 1.563, 0.106], [0.025, 1.562, 0.098], [0.0545, 1.574, 0.060], [0.0715, 1.591, -0.009]];

/// From the nose to the forehead.
const SKULL: [[[f32; 3]; 7]; 4] = [
    // The tip of the nose, the cheek bones and the lobes of the ears.
    [
        [0.0, 1.597, 0.1255],
        [0.017, 1.593, 0.104],
        [0.058, 1.606, 0.067],
        [0.075, 1.616, -0.008],
        [0.072, 1.623, -0.043],
        [0.043, 1.643, -0.100],
        [0.0, 1.648, -0.1145],
    ],
    // The eyes.
    [
        [0.0, 1.636, 0.1035],
        [0.026, 1.632, 0.091],
        [0.061, 1.638, 0.065],
        [0.077, 1.653, -0.006],
        [0.074, 1.660, -0.040],
        [0.044, 1.681, -0.099],
        [0.0, 1.687, -0.1125],
    ],
    // The brow.
    [
        [0.0, 1.660, 0.1045],
        [0.028, 1.664, 0.0975],
        [0.060, 1.668, 0.0645],
        [0.076, 1.685, -0.002],
        [0.069, 1.699, -0.047],
        [0.039, 1.716, -0.086],
        [0.0, 1.722, -0.097],
    ],
    // The forehead.
    [
        [0.0, 1.709, 0.093],
        [0.026, 1.710, 0.086],
        [0.048, 1.712, 0.058],
        [0.062, 1.718, 0.001],
        [0.050, 1.730, -0.036],
        [0.029, 1.740, -0.052],
        [0.0, 1.744, -0.058],
    ],
];

/// The crown: in the middle and to the left.
const CROWN: [[f32; 3]; 2] = [[0.0, 1.752, 0.014], [0.033, 1.745, 0.012]];

/// The rim of the ear: before and behind the lobe, behind and before the top.
const EAR: [[f32; 3]; 4] =
    [[0.0785, 1.613, -0.016], [0.0815, 1.616, -0.034], [0.087, 1.657, -0.043], [0.081, 1.653, -0.016]];

/// Builds the neck and the head on the row at the top of the trunk.
pub(super) fn grow(cage: &mut Cage<'_>, neck: [u32; 7]) {
    let mut jaw = neck;
    for (points, shares) in JAW {
        let next = cage.vertices(points.map(Vec3::from), shares);
        cage.strip(&jaw, &next);
        jaw = next;
    }
    let mouth = cage.vertices(MOUTH.map(Vec3::from), HEAD);
    let [nose, eyes, brow, forehead] = SKULL.map(|points| cage.vertices(points.map(Vec3::from), HEAD));
    cage.strip(&jaw[..4], &mouth);
    cage.strip(&mouth, &nose[..4]);
    cage.faces.push(Face::triangle(jaw[3], jaw[4], mouth[3]));
    cage.strip(&[mouth[3], jaw[4], jaw[5], jaw[6]], &nose[3..]);

    cage.strip(&nose[..4], &eyes[..4]);
    cage.strip(&nose[4..], &eyes[4..]);
    let [a, b, c, d] = cage.vertices(EAR.map(Vec3::from), HEAD);
    cage.tube(&[nose[3], nose[4], eyes[4], eyes[3]], &[a, b, c, d]);
    cage.faces.push(Face::quad(a, b, c, d));

    cage.strip(&eyes, &brow);
    cage.strip(&brow, &forehead);
    let [middle, left] = cage.vertices(CROWN.map(Vec3::from), HEAD);
    let [a, b, c, d, e, f, g] = forehead;
    cage.strip(&[a, b, c], &[middle, left, d]);
    cage.strip(&[middle, left, d], &[g, f, e]);
}
