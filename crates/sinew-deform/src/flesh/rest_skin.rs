//! The character's own surface at rest, with the morph targets of a pose.

use crate::Result;
use crate::skinning::{SkinDeformer, SkinMethod};
use glam::{DAffine3, Vec3};
use sinew_rig::{Character, Deformer, Frame, Pose, Surface, Time};

pub(super) struct RestSkin {
    skin: SkinDeformer,
    pose: Pose,
    world: Vec<DAffine3>,
    /// With the morph targets that flesh was filled in with.
    base: Surface,
    /// With those of the present pose.
    pub surface: Surface,
}

impl RestSkin {
    pub(super) fn new(character: &Character) -> Result<Self> {
        let mut skin = SkinDeformer::new(character, SkinMethod::Linear)?;
        let (pose, world) = (character.rest_pose(), character.skeleton.rest_world());
        let mut base = Surface::default();
        skin.deform(&Frame::new(&pose, &world, Time::alone(0.0)), &mut base);
        Ok(Self { skin, pose, world, surface: base.clone(), base })
    }

    /// Takes over the morph targets of a pose.
    pub(super) fn follow(&mut self, morphs: &[f32]) {
        if self.pose.morphs != morphs {
            self.pose.morphs.clear();
            self.pose.morphs.extend_from_slice(morphs);
            self.skin.deform(&Frame::new(&self.pose, &self.world, Time::alone(0.0)), &mut self.surface);
        }
    }

    /// How far morph targets move a vertex.
    pub(super) fn offset(&self, vertex: usize) -> Vec3 {
        self.surface.positions[vertex] - self.base.positions[vertex]
    }
}
