//! Solids as level sets of scalar fields.
//!
//! A scalar field f gives a solid by one of its level sets. There are two conventions
//! \[R18 tab. 2.1\], and a type for each, so that they cannot be confused:
//!
//! | | [`DistanceField`] (global support) | [`CompactField`] (compact support) |
//! |---|---|---|
//! | surface | 0 | ½ |
//! | inside | negative | up to 1 |
//! | outside | positive, grows without end | down to 0, and 0 outside a box |
//! | outward normal | ∇f | −∇f |
//!
//! A [`Falloff`] turns the first into the second ([`Compact`]). Compact fields are put together by an
//! [`Operator`] `G(f₁, f₂)` whose shape may depend on the angle between the gradients, by way of a
//! [`Controller`]; a [`Tree`] does so for many, and leaves out what is far from the point. Every field
//! gives its value and its gradient in one call ([`Sample`]), and everything that is made of fields
//! composes both by the chain rule.
//!
//! ```
//! use glam::DVec3;
//! use sinew_field::{Compact, CompactField, Controller, Falloff, Operator, OperatorTables, Sphere};
//!
//! let falloff = Falloff::Smooth { radius: 1.0 };
//! let ball = |x| Compact::new(Sphere { center: DVec3::new(x, 0.0, 0.0), radius: 1.0 }, falloff);
//! let (left, right) = (ball(-0.8), ball(0.8));
//! let (tables, controller) = (OperatorTables::default(), Controller::default());
//! let at = |point| Operator::Contact.compose(&tables, &controller, left.density(point), right.density(point));
//! // Between the two, where their surfaces would cross, is a wall on which the field is ½.
//! assert!((at(DVec3::ZERO).value - 0.5).abs() < 1e-6);
//! assert!(at(DVec3::new(0.2, 0.0, 0.0)).value > 0.5);
//! ```

mod box3;
mod controller;
mod error;
mod falloff;
mod grid;
mod hrbf;
mod lattice;
mod mesh_distance;
mod operator;
mod polygonize;
mod primitive;
mod sloped_grid;
mod transformed;
mod tree;

pub use box3::Box3;
pub use controller::Controller;
pub use error::{Error, Result};
pub use falloff::{Compact, Falloff};
pub use grid::Grid;
pub use hrbf::{Hrbf, Oriented};
pub use mesh_distance::MeshDistance;
pub use operator::{Combined, Operator, OperatorTables};
pub use polygonize::{Polygons, polygonize};
pub use primitive::{Capsule, Ellipsoid, Sphere};
pub use sloped_grid::SlopedGrid;
pub use transformed::Transformed;
pub use tree::{NodeId, Tree};

use glam::DVec3;

/// The value of a field at a point, and the direction and rate of its growth there.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sample {
    /// The value.
    pub value: f64,
    /// Its derivatives along the axes.
    pub gradient: DVec3,
}

impl Sample {
    /// The value of a compact field outside its support.
    pub const NOTHING: Self = Self { value: 0.0, gradient: DVec3::ZERO };
}

/// A field of global support: zero on its surface, negative inside, positive outside.
///
/// A value that is not a distance in the strict sense behaves like one; the field documents how.
pub trait DistanceField {
    /// Its value and gradient.
    fn distance(&self, point: DVec3) -> Sample;

    /// A box that contains every point at which the value is at most `distance`.
    fn bounds_within(&self, distance: f64) -> Box3 {
        let _ = distance;
        Box3::EVERYWHERE
    }
}

/// A field of compact support: ½ on its surface, 1 deep inside, 0 from some way outside on.
pub trait CompactField {
    /// Its value, within 0 and 1, and its gradient.
    fn density(&self, point: DVec3) -> Sample;

    /// A box outside which it is zero.
    fn bounds(&self) -> Box3;
}

impl<F: DistanceField + ?Sized> DistanceField for &F {
    fn distance(&self, point: DVec3) -> Sample {
        (**self).distance(point)
    }

    fn bounds_within(&self, distance: f64) -> Box3 {
        (**self).bounds_within(distance)
    }
}

impl<F: CompactField + ?Sized> CompactField for &F {
    fn density(&self, point: DVec3) -> Sample {
        (**self).density(point)
    }

    fn bounds(&self) -> Box3 {
        (**self).bounds()
    }
}

impl<F: CompactField + ?Sized> CompactField for Box<F> {
    fn density(&self, point: DVec3) -> Sample {
        (**self).density(point)
    }

    fn bounds(&self) -> Box3 {
        (**self).bounds()
    }
}
