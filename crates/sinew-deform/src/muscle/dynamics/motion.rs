//! The interpolation of joints between two frames.
//!
//! Translation and scale go straight, rotations the shortest way. The map of interest is the one from the
//! world of the bind pose into the world now, `B = M M̄⁻¹`.

use glam::DAffine3;
use sinew_rig::Transform;

/// A joint that moves from one frame to the next.
#[derive(Debug, Clone)]
pub(super) struct JointMotion {
    before: Transform,
    now: Transform,
    world: DAffine3,
    /// M̄⁻¹
    from_rest: DAffine3,
}

impl JointMotion {
    pub fn new(rest: &DAffine3) -> Self {
        let still = Transform::from_matrix(rest);
        Self { before: still, now: still, world: *rest, from_rest: rest.inverse() }
    }

    /// Goes on to where the joint is in the next frame.
    pub fn follow(&mut self, world: &DAffine3) {
        self.before = self.now;
        self.now = Transform::from_matrix(world);
        self.world = *world;
    }

    /// Forgets where the joint came from.
    pub fn rest_here(&mut self) {
        self.before = self.now;
    }

    /// How far the joint has moved since the frame before.
    pub fn distance(&self, world: &DAffine3) -> f64 {
        self.now.translation.distance(world.translation)
    }

    /// `B` at a share of the way between the frames.
    pub fn at(&self, share: f64) -> DAffine3 {
        if share >= 1.0 || self.before == self.now {
            return self.world * self.from_rest;
        }
        let share = share.max(0.0);
        let between = Transform {
            translation: self.before.translation.lerp(self.now.translation, share),
            rotation: self.before.rotation.lerp(self.now.rotation, share),
            scale: self.before.scale.lerp(self.now.scale, share),
        };
        between.matrix() * self.from_rest
    }
}
