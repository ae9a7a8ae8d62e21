//! The constraints of contact, bulge and detail.
//!
//! Each is a thin plate ([`super::plate`]), fixed along lines of the unit square \[R18 §2.3.4, fig. 2.14\].
//!
//! **Contact**, symmetric: `G(f, 0) = f`; `G = ½` where `f₁ = ½, f₂ ≤ ½`, the surface that is not
//! touched; `G(1, f) = 1` for `f ≤ ½`; on the diagonal from (½, ½) to (1, 1), where both are inside, `G
//! = (1 − α) f + α/2`: for α = 1 a wall at ½ between the bodies. The plate may crease along that half
//! diagonal, for without a crease the field would be level on the wall and nothing could be moved onto
//! it. G falls in the smaller density by design.
//!
//! **Bulge**, symmetric: the wall begins already outside, in (c, c) with `c = ⅜`, and the surface goes
//! there from (½, 0) along
//!
//! ```text
//! f₁ = ½ − (½ − c) t² (3 − 2t),        t = f₂ / c,
//! ```
//!
//! so that each body grows the nearer the other comes; with the smooth fall-off by 0.13 of its radius at
//! the rim of the wall. α = 0 is that of contact.
//!
//! **Detail**, f₁ the main body and f₂ what is put onto it: `G(f, 0) = f`, `G(1, f) = 1`, `G(0, f) = f` for
//! `f ≤ ½`, and `G = ½` where `f₁ = ½, f₂ ≤ ½` or `f₂ = ½, f₁ ≤ ½`. No crease.

use super::plate::{CELLS, NODES, Plate};

/// The node at ½.
const HALF: usize = CELLS / 2;

/// The node at c, where the wall of the bulge begins.
const RIM: usize = CELLS * 3 / 8;

/// The node of the diagonal where the wall of the contact begins.
pub(super) const CONTACT_CREASE: usize = HALF;
/// The node of the diagonal where the wall of the bulge begins.
pub(super) const BULGE_CREASE: usize = RIM;
/// The node of the diagonal where the surfaces of body and detail meet.
pub(super) const DETAIL_TURN: usize = HALF;

fn density(k: usize) -> f64 {
    k as f64 / CELLS as f64
}

/// Contact with α = 0 and with α = 1.
pub(super) fn contact() -> [Vec<f64>; 2] {
    let mut plate = Plate::with_crease_from(CONTACT_CREASE);
    fix_single_bodies(&mut plate);
    for k in 0..=HALF {
        fix_symmetric(&mut plate, (HALF, k), [0.5; 2]);
    }
    for k in HALF..NODES {
        plate.fix((k, k), [density(k), 0.5]);
    }
    plate.solve()
}

/// Bulge with α = 1.
pub(super) fn bulge() -> Vec<f64> {
    let mut plate = Plate::with_crease_from(BULGE_CREASE);
    fix_single_bodies(&mut plate);
    for k in 1..RIM {
        let t = density(k) / density(RIM);
        let surface = 0.5 - (0.5 - density(RIM)) * t * t * (3.0 - 2.0 * t);
        for mirrored in [false, true] {
            plate.constrain_between(surface * CELLS as f64, k, mirrored, [0.5]);
        }
    }
    for k in RIM..NODES {
        plate.fix((k, k), [0.5]);
    }
    let [values] = plate.solve();
    values
}

/// The detail operator.
pub(super) fn detail() -> Vec<f64> {
    let mut plate = Plate::with_crease_from(NODES);
    for k in 0..NODES {
        plate.fix((k, 0), [density(k)]);
        plate.fix((CELLS, k), [1.0]);
    }
    for k in 0..=HALF {
        plate.fix((0, k), [density(k)]);
        fix_symmetric(&mut plate, (HALF, k), [0.5]);
    }
    let [values] = plate.solve();
    values
}

/// Fixes the values for one body alone, and deep inside a body that the other does not reach.
fn fix_single_bodies<const SETS: usize>(plate: &mut Plate<SETS>) {
    for k in 0..NODES {
        fix_symmetric(plate, (k, 0), [density(k); SETS]);
    }
    for k in 0..=HALF {
        fix_symmetric(plate, (CELLS, k), [1.0; SETS]);
    }
}

/// Fixes a node and its mirror image.
fn fix_symmetric<const SETS: usize>(plate: &mut Plate<SETS>, (i, j): (usize, usize), values: [f64; SETS]) {
    plate.fix((i, j), values);
    plate.fix((j, i), values);
}
