//! The dynamics of fat: an ellipsoid that swings.
//!
//! Its centre is a particle that elastic links tie to six places on its surface, which move with the joint;
//! at rest no link pulls \[R18 §6.4\].

use super::clock::{STEP, Step};
use super::motion::JointMotion;
use crate::Result;
use crate::muscle::Fat;
use glam::{DAffine3, DMat3, DVec3};
use sinew_field::{Box3, CompactField, DistanceField, Ellipsoid, Falloff, Sample, Transformed};

/// An ellipsoid of fat in space.
#[derive(Debug, Clone)]
pub struct FatField {
    ellipsoid: Transformed<Ellipsoid>,
    falloff: Falloff,
}

/// A piece of fat that moves.
#[derive(Debug, Clone)]
pub(super) struct FatParticle {
    joint: usize,
    center: DVec3,
    /// Half its lengths along its axes, as vectors, in the bind pose.
    arms: [DVec3; 3],
    axes: DMat3,
    stiffness: f64,
    position: DVec3,
    velocity: DVec3,
    frame: DAffine3,
    saved: (DVec3, DVec3, DAffine3),
    pub field: FatField,
}

impl FatParticle {
    pub fn new(fat: &Fat) -> Result<Self> {
        let axes = DMat3::from_quat(fat.rotation.normalize());
        let center = fat.center.position;
        let ellipsoid = Ellipsoid { center: DVec3::ZERO, radii: fat.radii };
        let ellipsoid = Transformed::new(ellipsoid, DAffine3 { matrix3: axes, translation: center })?;
        Ok(Self {
            joint: fat.center.joint,
            center,
            arms: [0, 1, 2].map(|k| axes.col(k) * fat.radii[k]),
            axes,
            stiffness: fat.stiffness,
            position: center,
            velocity: DVec3::ZERO,
            frame: DAffine3::IDENTITY,
            saved: (center, DVec3::ZERO, DAffine3::IDENTITY),
            field: FatField { ellipsoid, falloff: Falloff::Smooth { radius: fat.radii.min_element() } },
        })
    }

    /// Puts it where it hangs.
    pub fn reset(&mut self, motions: &[JointMotion]) {
        self.frame = motions[self.joint].at(1.0);
        self.position = self.frame.transform_point3(self.center);
        self.velocity = DVec3::ZERO;
    }

    pub fn step(&mut self, motions: &[JointMotion], step: &Step) {
        let (before, hung) = (self.position, self.frame.transform_point3(self.center));
        self.frame = motions[self.joint].at(step.share);
        let carried = (self.frame.transform_point3(self.center) - hung) / step.seconds;
        self.velocity = carried + step.velocity_factor * (self.velocity - carried);
        self.position += self.velocity * step.seconds;
        let share = 1.0 / (1.0 + (1.0 / self.stiffness - 1.0) * (STEP / step.seconds).powi(2));
        for arm in self.arms {
            for end in [arm, -arm] {
                let from = self.position - self.frame.transform_point3(self.center + end);
                let (length, rest) = (from.length(), self.frame.transform_vector3(end).length());
                if length > 0.0 {
                    self.position -= from * (share * (length - rest) / length);
                }
            }
        }
        self.velocity = (self.position - before) / step.seconds;
    }

    /// Saves the state, for a step that is only displayed.
    pub fn save(&mut self) {
        self.saved = (self.position, self.velocity, self.frame);
    }

    /// Restores the saved state.
    pub fn restore(&mut self) {
        (self.position, self.velocity, self.frame) = self.saved;
    }

    /// Moves the field to the particle.
    pub fn update_field(&mut self) {
        let to_world = DAffine3 { matrix3: self.frame.matrix3 * self.axes, translation: self.position };
        // A joint that is scaled to nothing leaves the fat where it was.
        let _ = self.field.ellipsoid.place(to_world);
    }
}

impl FatField {
    /// Where its centre is.
    pub fn center(&self) -> DVec3 {
        self.ellipsoid.to_world().translation
    }
}

impl DistanceField for FatField {
    fn distance(&self, point: DVec3) -> Sample {
        self.ellipsoid.distance(point)
    }

    fn bounds_within(&self, distance: f64) -> Box3 {
        self.ellipsoid.bounds_within(distance)
    }
}

impl CompactField for FatField {
    fn density(&self, point: DVec3) -> Sample {
        self.falloff.apply(self.distance(point))
    }

    fn bounds(&self) -> Box3 {
        self.bounds_within(self.falloff.radius())
    }
}
