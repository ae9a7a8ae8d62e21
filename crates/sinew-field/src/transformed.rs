//! A field under an affine map.
//!
//! With the affine map `w(p) = M p + t` the field is `f(w⁻¹(p))`, and by the chain rule its gradient is
//! `M⁻ᵀ ∇f(w⁻¹(p))` \[R18 §2.4\]. The value is not scaled: a stretched distance field measures in the
//! units of its own space, and so does its fall-off.

use super::{Box3, CompactField, DistanceField, Sample};
use crate::Result;
use glam::{DAffine3, DMat3, DVec3};

/// A field in another place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transformed<F> {
    /// The field in its own space.
    pub field: F,
    to_world: DAffine3,
    to_field: DAffine3,
    /// `M⁻ᵀ`
    gradient_to_world: DMat3,
}

impl<F> Transformed<F> {
    /// Puts a field where an affine map takes it. One that cannot be undone is refused.
    pub fn new(field: F, to_world: DAffine3) -> Result<Self> {
        let mut transformed = Self {
            field,
            to_world: DAffine3::IDENTITY,
            to_field: DAffine3::IDENTITY,
            gradient_to_world: DMat3::IDENTITY,
        };
        transformed.place(to_world)?;
        Ok(transformed)
    }

    /// Moves the field to another place; on an error it stays where it is.
    pub fn place(&mut self, to_world: DAffine3) -> Result<()> {
        let determinant = to_world.matrix3.determinant();
        let to_field = to_world.inverse();
        if determinant == 0.0 || !to_field.is_finite() || !to_world.is_finite() {
            let (what, range) = ("the determinant of a field's transform", "finite and not zero");
            return Err(sinew_geometry::Error::OutOfRange { what, value: determinant, range }.into());
        }
        (self.to_world, self.to_field) = (to_world, to_field);
        self.gradient_to_world = to_field.matrix3.transpose();
        Ok(())
    }

    /// Where its own space is.
    pub fn to_world(&self) -> &DAffine3 {
        &self.to_world
    }

    #[inline]
    fn outside(&self, inside: Sample) -> Sample {
        Sample { value: inside.value, gradient: self.gradient_to_world * inside.gradient }
    }
}

impl<F: DistanceField> DistanceField for Transformed<F> {
    #[inline]
    fn distance(&self, point: DVec3) -> Sample {
        self.outside(self.field.distance(self.to_field.transform_point3(point)))
    }

    fn bounds_within(&self, distance: f64) -> Box3 {
        self.field.bounds_within(distance).transformed(&self.to_world)
    }
}

impl<F: CompactField> CompactField for Transformed<F> {
    #[inline]
    fn density(&self, point: DVec3) -> Sample {
        self.outside(self.field.density(self.to_field.transform_point3(point)))
    }

    fn bounds(&self) -> Box3 {
        self.field.bounds().transformed(&self.to_world)
    }
}
