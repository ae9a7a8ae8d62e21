//! Constraints on points.
//!
//! Every constraint is a residual that is zero when it is met, in units of length, and linear rows
//! `residual + g·(dx_a − dx_b)` of it. For a distance the residual is `(‖x_a − x_b‖² − d²) / 2d`: squaring it
//! once more, as L13 eq. 3.3 does, makes the gradient vanish at the solution, where Newton's iteration
//! then only halves the error. A distance of zero is three equations, `x_a = x_b`, for the same reason.

use glam::DVec3;

/// Something that is asked of one or two points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Constraint {
    /// Two points are so far apart.
    Distance {
        /// One point.
        a: u32,
        /// The other.
        b: u32,
        /// Their distance.
        length: f64,
    },
    /// A point is at a place.
    Target {
        /// The point.
        point: u32,
        /// The place.
        position: DVec3,
    },
    /// A point is on the plane `n·x = offset`.
    Plane {
        /// The point.
        point: u32,
        /// The plane's unit normal.
        normal: DVec3,
        /// How far the plane is from the origin along its normal.
        offset: f64,
    },
    /// A point is on a sphere: at a known distance from a known place.
    Sphere {
        /// The point.
        point: u32,
        /// The sphere's centre.
        center: DVec3,
        /// Its radius.
        radius: f64,
    },
}

/// One linear equation: `residual + gradient·(dx_a − dx_b) = 0`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row {
    pub gradient: DVec3,
    pub residual: f64,
}

impl Constraint {
    /// The points that it moves.
    pub fn points(&self) -> (u32, Option<u32>) {
        match *self {
            Self::Distance { a, b, .. } => (a, Some(b)),
            Self::Target { point, .. } | Self::Plane { point, .. } | Self::Sphere { point, .. } => (point, None),
        }
    }

    /// Whether it constrains the position of a point, rather than two points relative to each other.
    pub fn is_goal(&self) -> bool {
        !matches!(self, Self::Distance { .. })
    }

    /// How far the points are from meeting it, in length.
    pub fn error(&self, positions: &[DVec3]) -> f64 {
        match *self {
            Self::Distance { a, b, length } => (positions[a as usize].distance(positions[b as usize]) - length).abs(),
            Self::Target { point, position } => positions[point as usize].distance(position),
            Self::Plane { point, normal, offset } => (normal.dot(positions[point as usize]) - offset).abs(),
            Self::Sphere { point, center, radius } => (positions[point as usize].distance(center) - radius).abs(),
        }
    }

    /// The length that it names, as a measure of how large things are.
    pub(super) fn length(&self) -> f64 {
        match *self {
            Self::Distance { length, .. } => length,
            Self::Sphere { radius, .. } => radius,
            Self::Target { .. } | Self::Plane { .. } => 0.0,
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        match *self {
            Self::Distance { length, .. } => length.is_finite() && length >= 0.0,
            Self::Target { position, .. } => position.is_finite(),
            Self::Plane { normal, offset, .. } => normal.is_normalized() && offset.is_finite(),
            Self::Sphere { center, radius, .. } => center.is_finite() && radius.is_finite() && radius >= 0.0,
        }
    }

    pub(super) fn row_count(&self) -> usize {
        match *self {
            Self::Target { .. } => 3,
            Self::Distance { length, .. } | Self::Sphere { radius: length, .. } if length == 0.0 => 3,
            _ => 1,
        }
    }

    /// Writes [`Constraint::row_count`] rows.
    pub(super) fn rows(&self, positions: &[DVec3], rows: &mut [Row]) {
        let (vector, length) = match *self {
            Self::Distance { a, b, length } => (positions[a as usize] - positions[b as usize], length),
            Self::Sphere { point, center, radius } => (positions[point as usize] - center, radius),
            Self::Target { point, position } => (positions[point as usize] - position, 0.0),
            Self::Plane { point, normal, offset } => {
                rows[0] = Row { gradient: normal, residual: normal.dot(positions[point as usize]) - offset };
                return;
            }
        };
        if length > 0.0 {
            let residual = (vector.length_squared() - length * length) / (2.0 * length);
            rows[0] = Row { gradient: vector / length, residual };
            return;
        }
        for ((row, axis), residual) in rows.iter_mut().zip(DVec3::AXES).zip(vector.to_array()) {
            *row = Row { gradient: axis, residual };
        }
    }
}
