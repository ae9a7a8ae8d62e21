//! The scale and the rotation that take a capture to the mesh.

use glam::{DQuat, DVec3};

/// From the space of a capture to that of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fitted {
    /// The factor of all lengths.
    pub scale: f64,
    /// The rotation of the axes, after the scale.
    pub turn: DQuat,
}

impl Fitted {
    /// The identity.
    pub const IDENTITY: Self = Self { scale: 1.0, turn: DQuat::IDENTITY };

    /// A position of the capture in the space of the mesh.
    pub fn apply(&self, position: DVec3) -> DVec3 {
        self.turn * (position * self.scale)
    }
}
