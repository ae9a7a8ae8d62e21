//! Stages in a row: a pose goes in, a surface comes out.

use crate::Result;
use crate::recipe::Recipe;
use crate::recipe::VolumeMethod;
use crate::rig::{Character, Pose, Skeleton};
use crate::skin::SkinStage;
use crate::volume::VolumeStage;
use glam::{DAffine3, Vec3, Vec4};

/// The deformed surface of a whole character: the vertices of its parts one after another, in world
/// space.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    /// A position for each vertex.
    pub positions: Vec<Vec3>,
    /// A unit normal for each vertex.
    pub normals: Vec<Vec3>,
    /// A tangent for each vertex, zero for parts that have none; empty if no part has any.
    pub tangents: Vec<Vec4>,
}

/// What a stage knows of the moment it runs for.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// Local transforms and morph weights.
    pub pose: &'a Pose,
    /// World transform of every joint in that pose.
    pub world: &'a [DAffine3],
    /// Time in the clip.
    pub seconds: f64,
    /// Time since the frame before; zero for a pose that stands alone.
    pub delta_seconds: f64,
}

/// A stage of the pipeline. It is built once for a character, where everything is checked and
/// prepared; it runs per frame, allocates nothing, cannot fail, and gives the same bytes for any
/// number of threads.
pub trait Deformer: Send {
    /// Moves the surface. The first stage of a stack fills it; later ones change it.
    fn deform(&mut self, frame: &Frame<'_>, surface: &mut Surface);
}

/// The stages that a recipe asks for, in order, with the buffers that a frame needs.
pub struct Stack {
    recipe: Recipe,
    skeleton: Skeleton,
    world: Vec<DAffine3>,
    skin: SkinStage,
    volume: Option<VolumeStage>,
}

impl Stack {
    /// Builds the stages of a recipe for a character.
    pub fn new(character: &Character, recipe: &Recipe) -> Result<Self> {
        let skin = SkinStage::new(character, recipe.skin.method)?;
        let has_volume = recipe.volume.method != VolumeMethod::Off;
        let volume = has_volume.then(|| VolumeStage::new(character, recipe)).transpose()?;
        Ok(Self {
            recipe: recipe.clone(),
            skeleton: character.skeleton.clone(),
            world: vec![DAffine3::IDENTITY; character.skeleton.len()],
            skin,
            volume,
        })
    }

    /// Takes over another recipe for the same character. What both have in common stays prepared, so that a change of
    /// shape takes milliseconds.
    pub fn update(&mut self, character: &Character, recipe: &Recipe) -> Result<()> {
        let is_kept = recipe.skin == self.recipe.skin
            && match &mut self.volume {
                Some(volume) => volume.reshape(character, &recipe.volume)?,
                None => recipe.volume.method == VolumeMethod::Off,
            };
        if is_kept {
            self.recipe = recipe.clone();
        } else {
            *self = Self::new(character, recipe)?;
        }
        Ok(())
    }

    /// Deforms the character into a pose. `surface` is resized on first use and reused afterwards.
    ///
    /// # Panics
    /// If the pose is not one of this character: a transform for each joint, a weight for each morph.
    pub fn deform(&mut self, pose: &Pose, seconds: f64, delta_seconds: f64, surface: &mut Surface) {
        assert_eq!(pose.joints.len(), self.world.len(), "the pose belongs to another skeleton");
        self.skeleton.world(pose, &mut self.world);
        let frame = Frame { pose, world: &self.world, seconds, delta_seconds };
        self.skin.deform(&frame, surface);
        if let Some(volume) = &mut self.volume {
            volume.deform(&frame, surface);
        }
    }

    /// The stage that keeps the volume, if the recipe asks for one.
    pub fn volume(&self) -> Option<&VolumeStage> {
        self.volume.as_ref()
    }

    /// World transforms of the pose deformed last.
    pub fn world(&self) -> &[DAffine3] {
        &self.world
    }
}
