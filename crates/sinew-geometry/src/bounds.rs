//! Axis-aligned bounding boxes.
//!
//! Boxes along the axes, in f32. Tests against boxes, points and straight paths are conservative: rounding gives a
//! false positive, never a false negative.

use glam::{DVec3, Vec3, Vec3A};

/// An axis-aligned box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    low: Vec3A,
    high: Vec3A,
}

impl Bounds {
    /// The box of nothing, which overlaps nothing.
    pub const EMPTY: Self = Self { low: Vec3A::INFINITY, high: Vec3A::NEG_INFINITY };

    /// The smallest box around finite points.
    pub fn around(points: impl IntoIterator<Item = Vec3A>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| Self { low: b.low.min(p), high: b.high.max(p) })
    }

    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (self.low.cmple(other.high) & other.low.cmple(self.high)).all()
    }

    /// The smallest box around both.
    pub fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The box of what is within a distance of it along each axis.
    pub fn widened(self, distance: f64) -> Self {
        let rounding = ROUNDING as f32 * self.low.abs().max(self.high.abs());
        let margin = Vec3A::splat((distance * (1.0 + ROUNDING)) as f32) + rounding;
        Self { low: self.low - margin, high: self.high + margin }
    }

    /// Distance from a point to the corner that is farthest from it; infinite for a box of nothing.
    pub fn reach(&self, point: DVec3) -> f64 {
        let [low, high] = [self.low, self.high].map(|corner| Vec3::from(corner).as_dvec3());
        (point - low).abs().max((high - point).abs()).length()
    }

    /// Distance from a point to the nearest of the box, squared; infinite for a box of nothing.
    pub fn distance_squared(&self, point: DVec3) -> f64 {
        let [low, high] = [self.low, self.high].map(|corner| Vec3::from(corner).as_dvec3());
        (low - point).max(point - high).max(DVec3::ZERO).length_squared()
    }

    /// Whether a path comes through the box, or within rounding of it.
    pub fn meets(&self, path: &Path) -> bool {
        let a = (self.low - path.margin - path.from) * path.inverse;
        let b = (self.high + path.margin - path.from) * path.inverse;
        let is_something = self.low.cmple(self.high).all();
        is_something && a.min(b).max_element().max(0.0) <= a.max(b).min_element().min(1.0) + SLACK
    }

    /// Its middle; the origin for a box of nothing.
    pub fn center(&self) -> Vec3A {
        if self.low.cmple(self.high).all() { 0.5 * self.low + 0.5 * self.high } else { Vec3A::ZERO }
    }

    /// The axis along which it is longest.
    pub fn longest_side(&self) -> usize {
        (self.high - self.low).max_position()
    }
}

/// A straight path, ready to be held against many boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    from: Vec3A,
    /// One over its extent along each axis, or next to infinity.
    inverse: Vec3A,
    /// By how much boxes are larger for it, so that rounding hides none.
    margin: f32,
}

impl Path {
    /// The path from a point along a vector.
    pub fn new(from: DVec3, along: DVec3) -> Self {
        let margin = ROUNDING * (from.abs() + along.abs()).max_element();
        let inverse = |extent: f64| if extent.abs() > STEEPEST { 1.0 / extent } else { STEEPEST.recip() };
        let inverse = DVec3::new(inverse(along.x), inverse(along.y), inverse(along.z));
        Self { from: from.as_vec3a(), inverse: inverse.as_vec3a(), margin: margin as f32 }
    }
}

/// Relative error of a coordinate that was rounded to f32, with a margin. The epsilon of f32 is 1.2e-7; a larger value
/// only makes more boxes count as met.
const ROUNDING: f64 = 1e-6;

/// The same for a share of a path. Three operations of f32 lose less than 1e-6; a larger value only makes more boxes
/// count as met.
const SLACK: f32 = 1e-5;

/// The least extent of a path along an axis that can be divided by in f32. Its reciprocal times a coordinate up to 1e8
/// stays below the largest f32, 3.4e38.
const STEEPEST: f64 = 1e-30;
