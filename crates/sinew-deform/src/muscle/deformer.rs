//! The stage: muscles that follow the pose, and skin that follows the muscles.
//!
//! A frame that goes on from the one before lets muscles move on from where they were, for its duration. One that
//! stands alone (without a duration: the first of a clip, a still, a place somebody jumped to) shows them come to
//! rest in its pose, tensed as far as they have shortened there. So a clip that is played from its start is the
//! same every time, and so is any single pose; a moment in the middle of a clip shakes only if it was played up to
//! there.

use super::MuscleOptions;
use super::room::Room;
use super::set::anatomy;
use super::skin::{Coupling, CouplingOptions, Pieces};
use super::{
    AutoActivation, Dynamics, DynamicsOptions, FatField, Flesh, Muscle, MuscleChange, MuscleField, MuscleSet,
    Residuals, Tone, ToneKeys,
};
use crate::{Error, Result};
use sinew_field::{DistanceField, MeshDistance, Operator, OperatorTables};
use sinew_rig::{Character, Skeleton};
use sinew_rig::{Deformer, Frame, Surface};
use std::sync::Arc;

/// How much thicker than the flesh around its axis a muscle may be.
const WIDEST: f64 = 2.5;
/// How many muscles a warning names.
const NAMED: usize = 8;

/// Moves muscles with the skeleton, and the skin with them.
pub struct MuscleDeformer {
    recipe: MuscleOptions,
    room: Room,
    flesh: Flesh,
    dynamics: Dynamics,
    auto: AutoActivation,
    dial: f64,
    keys: Vec<ToneKeys>,
    tones: Vec<Tone>,
    radii: Vec<f64>,
    tables: Arc<OperatorTables>,
    coupling: Coupling,
    warnings: Vec<String>,
}

impl MuscleDeformer {
    /// Fits the muscles of a recipe to a character.
    pub fn new(character: &Character, recipe: &MuscleOptions) -> Result<Self> {
        Self::with_tables(character, recipe, Arc::default())
    }

    /// The same with tables for the operators.
    pub(crate) fn with_tables(
        character: &Character,
        recipe: &MuscleOptions,
        tables: Arc<OperatorTables>,
    ) -> Result<Self> {
        character.check()?;
        Self::inside(Room::new(character, recipe)?, &character.skeleton, recipe, tables)
    }

    fn inside(room: Room, skeleton: &Skeleton, recipe: &MuscleOptions, tables: Arc<OperatorTables>) -> Result<Self> {
        Self::fitted(room, skeleton, recipe, tables).map_err(|error| recipe.at_line(error))
    }

    fn fitted(room: Room, skeleton: &Skeleton, recipe: &MuscleOptions, tables: Arc<OperatorTables>) -> Result<Self> {
        let Room { body, skin, bones } = &room;
        let [left, right] = recipe.sets()?;
        let fitted = MuscleSet::fit_sides([&left, &right], skeleton, &anatomy(skeleton)?, Some(skin.clone()))?;
        let mut flesh = fitted.flesh;
        flesh.bones.retain(|capsule| bones.iter().all(|bone| bone.joint != capsule.joint));
        flesh.bones.extend_from_slice(bones);
        for muscle in &mut flesh.muscles {
            muscle.stiffness = recipe.stiffness.unwrap_or(muscle.stiffness);
            let change = recipe.change_of(&muscle.name);
            if change != MuscleChange::default() {
                change.apply_to(muscle);
                check_width(muscle, skin.as_ref())?;
            }
        }
        let options = DynamicsOptions { damping: recipe.damping, friction: recipe.friction, ..Default::default() };
        let rest = skeleton.rest_world();
        let mut dynamics = Dynamics::new(&flesh, &rest, options)?;
        let tones = vec![Tone::default(); flesh.muscles.len()];
        dynamics.settle(&rest, &tones);
        let of_muscles = dynamics.muscles().map(MuscleField::largest_radius);
        let radii: Vec<f64> = of_muscles.chain(flesh.fats.iter().map(|fat| fat.radii.min_element())).collect();
        let on_skin = CouplingOptions { amount: recipe.amount, contacts: recipe.contacts };
        tables.prepare(Operator::Detail);
        let pieces = Pieces { dynamics: &dynamics, radii: &radii, tables: &tables };
        let coupling = Coupling::new(body.clone(), skeleton, &flesh, &pieces, on_skin);
        Ok(Self {
            warnings: warnings(&fitted.left_out, &fitted.without_room, &coupling),
            auto: AutoActivation::new(&flesh.muscles, &rest),
            dial: recipe.auto,
            keys: keys(recipe, &flesh)?,
            tones,
            coupling,
            radii,
            tables,
            dynamics,
            flesh,
            room,
            recipe: recipe.clone(),
        })
    }

    /// Takes over another recipe for the same character. What muscles at rest do not depend on (how much is shown, and
    /// what tenses muscles) changes at once; for the rest they are fitted anew, in the same room if no other meshes
    /// are left out or bones. Muscles that are refused leave those before.
    pub fn update(&mut self, character: &Character, muscles: &MuscleOptions) -> Result<()> {
        if fitted_by(muscles) == fitted_by(&self.recipe) {
            return self.retune(muscles);
        }
        let has_same_room = muscles.leave_out == self.recipe.leave_out && muscles.bones == self.recipe.bones;
        *self = if has_same_room {
            Self::inside(self.room.clone(), &character.skeleton, muscles, self.tables.clone())?
        } else {
            Self::with_tables(character, muscles, self.tables.clone())?
        };
        Ok(())
    }

    fn retune(&mut self, recipe: &MuscleOptions) -> Result<()> {
        recipe.sets()?;
        self.keys = keys(recipe, &self.flesh)?;
        self.dial = recipe.auto;
        self.coupling.amount = recipe.amount;
        self.recipe = recipe.clone();
        Ok(())
    }

    /// The muscles, the fat and the bones at rest: names, origins, insertions and shapes.
    pub fn flesh(&self) -> &Flesh {
        &self.flesh
    }

    /// The muscles in the frame deformed last, in the order of [`MuscleDeformer::flesh`].
    pub fn muscles(&self) -> impl ExactSizeIterator<Item = &MuscleField> + '_ {
        self.dynamics.muscles()
    }

    /// The fat in the frame deformed last.
    pub fn fats(&self) -> impl ExactSizeIterator<Item = &FatField> + '_ {
        self.dynamics.fats()
    }

    /// What each muscle was told in the frame deformed last: how far it was active, and what keys have set.
    pub fn tones(&self) -> &[Tone] {
        &self.tones
    }

    /// How far each muscle's constraints were from being kept in the frame deformed last.
    pub fn residuals(&self) -> impl ExactSizeIterator<Item = Residuals> + '_ {
        self.dynamics.residuals()
    }

    /// How far out the skin moved in the frame deformed last, for each vertex of the surface that follows muscles.
    pub fn offsets(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.coupling.offsets()
    }
}

impl Deformer for MuscleDeformer {
    /// Moves the muscles, and not the skin over them.
    fn advance_dynamics(&mut self, frame: &Frame<'_>) {
        let Self { dynamics, auto, dial, keys, tones, .. } = self;
        let activations = auto.advance(frame.world, frame.time.delta, *dial);
        for ((tone, keys), &activation) in tones.iter_mut().zip(&*keys).zip(activations) {
            *tone = Tone { activation, ..Tone::default() };
            keys.apply(frame.time.seconds, tone);
        }
        dynamics.advance(frame.world, frame.time.delta, tones);
    }

    fn deform_in_phases(
        &mut self,
        frame: &Frame<'_>,
        surface: &mut Surface,
        on_phase_end: &mut dyn FnMut(&'static str),
    ) {
        self.advance_dynamics(frame);
        on_phase_end("muscles_dynamics");
        let Self { dynamics, radii, tables, coupling, .. } = self;
        coupling.deform(&Pieces { dynamics, radii, tables }, frame.world, frame.time.delta, surface);
        on_phase_end("muscles_skin");
    }

    /// Muscles that this body has no place for, and the like.
    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// What people have set for each muscle over time.
fn keys(recipe: &MuscleOptions, flesh: &Flesh) -> Result<Vec<ToneKeys>> {
    flesh.muscles.iter().map(|muscle| recipe.change_of(&muscle.name).tone_keys()).collect()
}

/// What the muscles at rest depend on.
fn fitted_by(recipe: &MuscleOptions) -> MuscleOptions {
    let mut fitted = MuscleOptions { amount: 0.0, auto: 0.0, ..recipe.clone() };
    fitted.muscle.values_mut().for_each(|change| change.activation = None);
    fitted.muscle.retain(|_, change| *change != MuscleChange::default());
    fitted
}

/// Refuses a muscle that somebody made wider than there is room.
fn check_width(muscle: &Muscle, skin: &MeshDistance) -> Result<()> {
    let points = muscle.rest_points(17);
    let depth = points[4..=12].iter().map(|&place| -skin.distance(place).value).fold(0.0, f64::max);
    let radius = muscle.shape.width * muscle.shape.profiles.largest(muscle.shape.profiles.activated(0.0));
    if radius > WIDEST * depth {
        let why =
            format!("is {:.1} times as thick as there is room for under the skin; make it narrower", radius / depth);
        return Err(Error::Muscle { muscle: muscle.name.clone(), why });
    }
    Ok(())
}

fn warnings(left_out: &[String], without_room: &[String], coupling: &Coupling) -> Vec<String> {
    let mut warnings = Vec::new();
    for (muscles, lack) in [(left_out, "joint to hang on"), (without_room, "room under the skin and are left out")] {
        let named = &muscles[..muscles.len().min(NAMED)];
        let others = muscles.len() - named.len();
        if !muscles.is_empty() {
            let more = if others > 0 { format!(" and {others} others") } else { String::new() };
            warnings.push(format!("{} of the muscles have no {lack}: {}{more}", muscles.len(), named.join(", ")));
        }
    }
    if coupling.points() == 0 {
        warnings.push("no part of the skin is near a muscle: the muscles change nothing".into());
    }
    warnings
}
