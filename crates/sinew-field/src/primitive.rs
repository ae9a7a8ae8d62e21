//! Distance fields of a sphere, a capsule and an ellipsoid.
//!
//! A sphere and a capsule are true signed distances, to a point and to a segment less a radius
//! \[R18 §2.2.1\]. The distance to an ellipsoid has no closed form; ours is, with its radii r,
//!
//! ```text
//! f = (|p/r| − 1) min r
//! ```
//!
//! zero on the ellipsoid, of the right sign everywhere, and with a gradient no longer than 1, so that
//! it never is larger than the distance; exact along the shortest axis.

use super::{Box3, DistanceField, Sample};
use glam::DVec3;

/// The points within a radius of a center. With a radius of zero it is a point, whose field is a
/// distance to a skeleton.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// Its center.
    pub center: DVec3,
    /// Its radius.
    pub radius: f64,
}

/// The points within a radius of a segment. With a radius of zero it is a segment, whose field is a
/// distance to a skeleton.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    /// One end of the segment.
    pub start: DVec3,
    /// The other.
    pub end: DVec3,
    /// Its radius.
    pub radius: f64,
}

/// An ellipsoid along the axes; for any other, see [`super::Transformed`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    /// Its center.
    pub center: DVec3,
    /// Half its lengths along the axes, all positive.
    pub radii: DVec3,
}

/// The distance to a point less a radius.
fn beyond(radius: f64, from: DVec3) -> Sample {
    let length = from.length();
    // At the skeleton every direction leads out.
    let gradient = if length > 0.0 { from / length } else { DVec3::ZERO };
    Sample { value: length - radius, gradient }
}

impl DistanceField for Sphere {
    #[inline]
    fn distance(&self, point: DVec3) -> Sample {
        beyond(self.radius, point - self.center)
    }

    fn bounds_within(&self, distance: f64) -> Box3 {
        Box3::around([self.center]).expanded(DVec3::splat(self.radius + distance))
    }
}

impl DistanceField for Capsule {
    #[inline]
    fn distance(&self, point: DVec3) -> Sample {
        let (axis, from_start) = (self.end - self.start, point - self.start);
        let squared = axis.length_squared();
        let share = if squared > 0.0 { (from_start.dot(axis) / squared).clamp(0.0, 1.0) } else { 0.0 };
        beyond(self.radius, from_start - share * axis)
    }

    fn bounds_within(&self, distance: f64) -> Box3 {
        Box3::around([self.start, self.end]).expanded(DVec3::splat(self.radius + distance))
    }
}

impl DistanceField for Ellipsoid {
    #[inline]
    fn distance(&self, point: DVec3) -> Sample {
        let scaled = (point - self.center) / self.radii;
        let (gauge, least) = (scaled.length(), self.radii.min_element());
        let gradient = if gauge > 0.0 { scaled / self.radii * (least / gauge) } else { DVec3::ZERO };
        Sample { value: (gauge - 1.0) * least, gradient }
    }

    fn bounds_within(&self, distance: f64) -> Box3 {
        let scale = 1.0 + distance / self.radii.min_element();
        Box3::around([self.center]).expanded(self.radii * scale)
    }
}
