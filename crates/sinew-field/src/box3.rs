//! Axis-aligned boxes outside which a field is zero.

use glam::{DAffine3, DVec3};

/// A box along the axes. One whose `min` is not below its `max` holds nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Box3 {
    /// Its lowest corner.
    pub min: DVec3,
    /// Its highest corner.
    pub max: DVec3,
}

impl Box3 {
    /// Holds nothing.
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
    /// Holds everything.
    pub const EVERYWHERE: Self = Self { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };

    /// The smallest box around points.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |all, p| Self { min: all.min.min(p), max: all.max.max(p) })
    }

    /// Is the point in it?
    pub fn contains(&self, point: DVec3) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// Does it hold nothing?
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// The lengths of its sides.
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }

    /// The smallest box around both.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The intersection.
    pub fn intersection(&self, other: &Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// Each side moved outwards.
    pub fn expanded(&self, by: impl Into<DVec3>) -> Self {
        let by = by.into();
        Self { min: self.min - by, max: self.max + by }
    }

    /// A box around its image under an affine map.
    pub fn transformed(&self, map: &DAffine3) -> Self {
        if self.is_empty() || !(self.min.is_finite() && self.max.is_finite()) {
            return *self;
        }
        let corner = |k: u32| DVec3::select(glam::BVec3::new(k & 1 > 0, k & 2 > 0, k & 4 > 0), self.max, self.min);
        Self::around((0..8).map(|k| map.transform_point3(corner(k))))
    }
}
