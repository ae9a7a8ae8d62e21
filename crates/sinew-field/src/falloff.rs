//! Fall-offs: densities of compact support from distances.
//!
//! By a decreasing function K of it that is 1 inside, 0 from a radius R on, and ½ in between. The smooth
//! one \[R18 eq. 3.1\] takes a signed distance d and has its ½ at zero; with `x = d/R` in [−1, 1]
//!
//! ```text
//! K = ½ − 15/16 x + 5/8 x³ − 3/16 x⁵        K' = −15/16 (1 − x²)² / R
//! ```
//!
//! The kernels \[R18 §2.2.2\] take a distance to a skeleton, which is never negative, and have their ½ at
//! a distance of their own ([`Falloff::surface_distance`]). With `x = d/R` in [0, 1]
//!
//! ```text
//! metaball      1 − 3x²  below ⅓, then  3/2 (1 − x)²
//! soft object   1 − 22/9 x² + 17/9 x⁴ − 4/9 x⁶
//! blobby        (1 − x²)³
//! ```

use super::{Box3, CompactField, DistanceField, Sample};
use glam::DVec3;

/// A decreasing function of a distance, from 1 to 0. Radii must be positive.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Falloff {
    /// Of a signed distance: 1 at −R, ½ on the surface, 0 at R; twice continuously differentiable.
    Smooth {
        /// R.
        radius: f64,
    },
    /// Of a distance to a skeleton, by H. Nishimura et al. (1985).
    Metaball {
        /// The distance from which it is zero.
        radius: f64,
    },
    /// Of a distance to a skeleton, by G. Wyvill et al. (1986).
    SoftObject {
        /// The distance from which it is zero.
        radius: f64,
    },
    /// Of a distance to a skeleton, by J. Bloomenthal (1997).
    Blobby {
        /// The distance from which it is zero.
        radius: f64,
    },
}

impl Falloff {
    /// The distance from which the density is zero.
    pub fn radius(&self) -> f64 {
        match *self {
            Self::Smooth { radius }
            | Self::Metaball { radius }
            | Self::SoftObject { radius }
            | Self::Blobby { radius } => radius,
        }
    }

    /// The distance at which the density is ½.
    pub fn surface_distance(&self) -> f64 {
        match *self {
            Self::Smooth { .. } => 0.0,
            Self::Metaball { radius } => radius * (1.0 - 1.0 / 3f64.sqrt()),
            Self::SoftObject { radius } => radius * 0.5,
            Self::Blobby { radius } => radius * (1.0 - 0.5f64.cbrt()).sqrt(),
        }
    }

    /// The density at a distance.
    #[inline]
    pub fn apply(&self, distance: Sample) -> Sample {
        let radius = self.radius();
        let x = distance.value / radius;
        let (value, slope) = match self {
            Self::Smooth { .. } => smooth(x.clamp(-1.0, 1.0)),
            _ if x >= 1.0 => (0.0, 0.0),
            Self::Metaball { .. } => metaball(x.max(0.0)),
            Self::SoftObject { .. } => soft_object(x.max(0.0)),
            Self::Blobby { .. } => blobby(x.max(0.0)),
        };
        Sample { value, gradient: distance.gradient * (slope / radius) }
    }
}

fn smooth(x: f64) -> (f64, f64) {
    let square = x * x;
    let value = 0.5 - x * (0.9375 - square * (0.625 - square * 0.1875));
    (value.clamp(0.0, 1.0), -0.9375 * (1.0 - square) * (1.0 - square))
}

fn metaball(x: f64) -> (f64, f64) {
    if x < 1.0 / 3.0 { (1.0 - 3.0 * x * x, -6.0 * x) } else { (1.5 * (1.0 - x) * (1.0 - x), -3.0 * (1.0 - x)) }
}

fn soft_object(x: f64) -> (f64, f64) {
    let square = x * x;
    let value = 1.0 - square * (22.0 - square * (17.0 - square * 4.0)) / 9.0;
    (value, -x * (44.0 - square * (68.0 - square * 24.0)) / 9.0)
}

fn blobby(x: f64) -> (f64, f64) {
    let rest = 1.0 - x * x;
    (rest * rest * rest, -6.0 * x * rest * rest)
}

/// A distance field as a compact one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compact<F> {
    /// The distance field.
    pub field: F,
    /// The fall-off to a density.
    pub falloff: Falloff,
    bounds: Box3,
}

impl<F: DistanceField> Compact<F> {
    /// Gives a distance field a support. Its box is found now, and the field must not move out of it.
    pub fn new(field: F, falloff: Falloff) -> Self {
        Self { bounds: field.bounds_within(falloff.radius()), field, falloff }
    }
}

impl<F: DistanceField> CompactField for Compact<F> {
    #[inline]
    fn density(&self, point: DVec3) -> Sample {
        self.falloff.apply(self.field.distance(point))
    }

    fn bounds(&self) -> Box3 {
        self.bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(radius: f64) -> [Falloff; 4] {
        [
            Falloff::Smooth { radius },
            Falloff::Metaball { radius },
            Falloff::SoftObject { radius },
            Falloff::Blobby { radius },
        ]
    }

    fn at(falloff: &Falloff, value: f64) -> Sample {
        falloff.apply(Sample { value, gradient: DVec3::X })
    }

    #[test]
    fn each_is_one_at_the_core_half_on_the_surface_and_zero_outside() {
        for falloff in all(0.3) {
            let core = if falloff == (Falloff::Smooth { radius: 0.3 }) { -0.3 } else { 0.0 };
            assert_eq!(at(&falloff, core), Sample { value: 1.0, gradient: DVec3::ZERO }, "{falloff:?}");
            assert!((at(&falloff, falloff.surface_distance()).value - 0.5).abs() < 1e-12, "{falloff:?}");
            assert!(at(&falloff, 0.3).value.abs() < 1e-15 && at(&falloff, 0.3).gradient.length() < 1e-15);
            assert_eq!(at(&falloff, 7.0).value, 0.0);
            assert_eq!(at(&falloff, -7.0).value, 1.0);
        }
    }

    proptest! {
        #[test]
        fn the_slope_is_the_derivative_and_never_rises(distance in -1.5..1.5f64, radius in 0.1..1.2f64) {
            let h = 1e-5 * radius;
            for falloff in all(radius) {
                let slope = at(&falloff, distance).gradient.x;
                let difference = (at(&falloff, distance + h).value - at(&falloff, distance - h).value) / (2.0 * h);
                prop_assert!((slope - difference).abs() < 1e-4 / radius, "{falloff:?}: {slope} {difference}");
                prop_assert!(slope <= 0.0);
            }
        }
    }
}
