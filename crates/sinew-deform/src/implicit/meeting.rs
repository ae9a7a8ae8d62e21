//! How limbs meet: which may, how hard they push, and what many pushes make together.

use glam::DVec3;
use sinew_field::Box3;

/// A limb that another may meet.
#[derive(Clone, Copy)]
pub(super) struct Near {
    pub limb: usize,
    /// The box around its skin in the pose.
    pub bounds: Box3,
}

/// How far a place must move that is a distance short of its room: not at all from a band before it, and smoothly.
pub(super) fn push(short: f64, band: f64) -> f64 {
    let into = (short + band).clamp(0.0, 2.0 * band);
    short.max(band) - band + into * into / (4.0 * band)
}

/// The mean of pushes, in which strong ones count most: continuous where one overtakes another.
#[derive(Default)]
pub(super) struct Strongest {
    sum: DVec3,
    total: f64,
}

impl Strongest {
    pub fn add(&mut self, strength: f64, push: DVec3) {
        let weight = strength.powi(3);
        self.sum += weight * push;
        self.total += weight;
    }

    pub fn mean(&self) -> DVec3 {
        if self.total > 0.0 { self.sum / self.total } else { DVec3::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The push is 0 up to the band, the whole way beyond it, and goes over with its slope.
    #[test]
    fn a_push_sets_in_smoothly() {
        assert_eq!([-2.0, -1.0, 0.0, 1.0, 3.0].map(|short| push(short, 1.0)), [0.0, 0.0, 0.25, 1.0, 3.0]);
        for short in [-1.0, 1.0] {
            let slope = |side: f64| (push(short + side * 1e-6, 1.0) - push(short, 1.0)) / (side * 1e-6);
            assert!((slope(1.0) - slope(-1.0)).abs() < 1e-5);
        }
    }

    #[test]
    fn the_strongest_push_wins_without_a_jump() {
        let mean = |strengths: [f64; 2]| {
            let mut all = Strongest::default();
            all.add(strengths[0], strengths[0] * DVec3::X);
            all.add(strengths[1], strengths[1] * DVec3::Y);
            all.mean()
        };
        assert_eq!(mean([1.0, 0.0]), DVec3::X);
        assert!(mean([1.0, 0.3]).distance(DVec3::X) < 0.05);
        assert!(mean([1.0, 1.0 - 1e-9]).distance(mean([1.0 - 1e-9, 1.0])) < 1e-8);
        assert_eq!(mean([0.0, 0.0]), DVec3::ZERO);
    }
}
