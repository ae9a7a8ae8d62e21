//! Stages in a row: a pose goes in, a surface comes out.

use crate::Result;
use crate::implicit::{ImplicitStage, Phase};
use crate::muscle::{MusclePhase, MuscleStage};
use crate::recipe::Recipe;
use crate::recipe::VolumeMethod;
use crate::rig::{Character, Pose, Skeleton};
use crate::skin::SkinStage;
use crate::volume::VolumeStage;
use glam::{DAffine3, Quat, Vec3, Vec4};

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

impl Surface {
    /// Turns what a vertex has of directions. Authored normals keep what their author meant, hard edges included, and
    /// tangents follow.
    pub(crate) fn turn(&mut self, vertex: usize, rotation: Quat) {
        self.normals[vertex] = rotation * self.normals[vertex];
        if let Some(tangent) = self.tangents.get_mut(vertex) {
            *tangent = (rotation * tangent.truncate()).extend(tangent.w);
        }
    }
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

/// What a frame's time goes into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FramePhase {
    /// The skin that follows the joints.
    Skin,
    /// A phase of the implicit skin.
    Implicit(Phase),
    /// A phase of the muscles.
    Muscles(MusclePhase),
    /// The volume.
    Volume,
}

impl FramePhase {
    /// Every phase, in the order of a frame.
    pub const ALL: [Self; 9] = [
        Self::Skin,
        Self::Implicit(Phase::Pose),
        Self::Implicit(Phase::Hinges),
        Self::Implicit(Phase::Fields),
        Self::Implicit(Phase::Knots),
        Self::Implicit(Phase::Output),
        Self::Muscles(MusclePhase::Dynamics),
        Self::Muscles(MusclePhase::Skin),
        Self::Volume,
    ];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skin => "skin",
            Self::Implicit(Phase::Pose) => "implicit_pose",
            Self::Implicit(Phase::Hinges) => "implicit_hinges",
            Self::Implicit(Phase::Fields) => "implicit_fields",
            Self::Implicit(Phase::Knots) => "implicit_knots",
            Self::Implicit(Phase::Output) => "implicit_output",
            Self::Muscles(MusclePhase::Dynamics) => "muscles_dynamics",
            Self::Muscles(MusclePhase::Skin) => "muscles_skin",
            Self::Volume => "volume",
        }
    }
}

/// The stages that a recipe asks for, in order, with the buffers that a frame needs.
pub struct Stack {
    recipe: Recipe,
    skeleton: Skeleton,
    world: Vec<DAffine3>,
    skin: SkinStage,
    implicit: Option<ImplicitStage>,
    muscles: Option<MuscleStage>,
    volume: Option<VolumeStage>,
}

impl Stack {
    /// Builds the stages of a recipe for a character.
    pub fn new(character: &Character, recipe: &Recipe) -> Result<Self> {
        Self::with_kept(character, recipe, &[])
    }

    /// The same with what [`ImplicitStage::to_bytes`] gave before, which saves most of the time that the implicit skin
    /// takes to get ready.
    pub fn with_kept(character: &Character, recipe: &Recipe, kept: &[u8]) -> Result<Self> {
        let skin = SkinStage::new(character, recipe.skin.method)?;
        let implicit = recipe.implicit.on.then(|| ImplicitStage::with_kept(character, recipe, kept)).transpose()?;
        let muscles = recipe.muscles.is_on().then(|| MuscleStage::new(character, recipe)).transpose()?;
        let volume = volume_stage(character, recipe)?;
        Ok(Self {
            recipe: recipe.clone(),
            skeleton: character.skeleton.clone(),
            world: vec![DAffine3::IDENTITY; character.skeleton.len()],
            skin,
            implicit,
            muscles,
            volume,
        })
    }

    /// Takes over another recipe for the same character. What both have in common stays prepared, so that a change of
    /// shape takes milliseconds. After an error it can be updated again: muscles that are refused leave those before in
    /// place, and a volume that is refused leaves none.
    pub fn update(&mut self, character: &Character, recipe: &Recipe) -> Result<()> {
        if recipe.skin != self.recipe.skin || recipe.implicit != self.recipe.implicit {
            *self = Self::new(character, recipe)?;
            return Ok(());
        }
        if recipe.muscles != self.recipe.muscles {
            match &mut self.muscles {
                Some(muscles) if recipe.muscles.is_on() => muscles.update(character, recipe)?,
                _ => self.muscles = recipe.muscles.is_on().then(|| MuscleStage::new(character, recipe)).transpose()?,
            }
            self.recipe.muscles = recipe.muscles.clone();
        }
        if let Err(error) = self.update_volume(character, recipe) {
            self.volume = None;
            return Err(error);
        }
        self.recipe = recipe.clone();
        Ok(())
    }

    fn update_volume(&mut self, character: &Character, recipe: &Recipe) -> Result<()> {
        let is_kept = match &mut self.volume {
            Some(volume) => volume.reshape(character, &recipe.volume)?,
            None => recipe.volume.method == VolumeMethod::Off,
        };
        if !is_kept {
            self.volume = volume_stage(character, recipe)?;
        }
        Ok(())
    }

    /// Deforms the character into a pose. `surface` is resized on first use and reused afterwards.
    ///
    /// # Panics
    /// If the pose is not one of this character: a transform for each joint, a weight for each morph.
    pub fn deform(&mut self, pose: &Pose, seconds: f64, delta_seconds: f64, surface: &mut Surface) {
        self.deform_in_phases(pose, seconds, delta_seconds, surface, |_| ());
    }

    /// Deforms, and says when a phase is over.
    ///
    /// # Panics
    /// If the pose is not one of this character.
    pub fn deform_in_phases(
        &mut self,
        pose: &Pose,
        seconds: f64,
        delta_seconds: f64,
        surface: &mut Surface,
        mut is_over: impl FnMut(FramePhase),
    ) {
        assert_eq!(pose.joints.len(), self.world.len(), "the pose belongs to another skeleton");
        self.skeleton.world(pose, &mut self.world);
        let frame = Frame { pose, world: &self.world, seconds, delta_seconds };
        self.skin.deform(&frame, surface);
        is_over(FramePhase::Skin);
        if let Some(implicit) = &mut self.implicit {
            implicit.deform_in_phases(&frame, surface, |phase| is_over(FramePhase::Implicit(phase)));
        }
        if let Some(muscles) = &mut self.muscles {
            muscles.deform_in_phases(&frame, surface, |phase| is_over(FramePhase::Muscles(phase)));
        }
        if let Some(volume) = &mut self.volume {
            volume.deform_after(&frame, surface, self.implicit.as_ref().and_then(ImplicitStage::done));
            is_over(FramePhase::Volume);
        }
    }

    /// Lets what has a memory, the muscles, go through a pose between two frames that are deformed.
    ///
    /// # Panics
    /// If the pose is not one of this character.
    pub fn pass(&mut self, pose: &Pose, seconds: f64, delta_seconds: f64) {
        let Some(muscles) = &mut self.muscles else { return };
        assert_eq!(pose.joints.len(), self.world.len(), "the pose belongs to another skeleton");
        self.skeleton.world(pose, &mut self.world);
        muscles.advance(&Frame { pose, world: &self.world, seconds, delta_seconds });
    }

    /// The stage that follows the fields of the limbs, if the recipe asks for it.
    pub fn implicit(&self) -> Option<&ImplicitStage> {
        self.implicit.as_ref()
    }

    /// The stage of the muscles, if the recipe asks for them.
    pub fn muscles(&self) -> Option<&MuscleStage> {
        self.muscles.as_ref()
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

fn volume_stage(character: &Character, recipe: &Recipe) -> Result<Option<VolumeStage>> {
    let is_wanted = recipe.volume.method != VolumeMethod::Off;
    is_wanted.then(|| VolumeStage::new(character, recipe)).transpose()
}
