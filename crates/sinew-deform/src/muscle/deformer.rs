//! The muscle deformer: muscles follow the pose, and the skin follows the muscles.
//!
//! A frame that goes on from the one before lets muscles move on from where they were, for its duration. One that
//! stands alone (without a duration: the first of a clip, a still, a moment that a user jumped to) shows them come to
//! rest in its pose, tensed as far as they have shortened there. So a clip that is played from its start is the
//! same every time, and so is any single pose; a moment in the middle of a clip shakes only if it was played up to
//! there.

use super::MuscleOptions;
use super::room::Room;
use super::set::anatomy;
use super::skin::{Coupling, CouplingOptions, Pieces};
use super::{
    AutoActivation, Dynamics, DynamicsOptions, FatField, Muscle, MuscleChange, MuscleControl, MuscleControlKeys,
    MuscleField, MuscleSet, Musculature, Residuals,
};
use crate::{Error, Result};
use sinew_field::{DistanceField, MeshDistance, Operator, OperatorTables};
use sinew_rig::{Character, Skeleton};
use sinew_rig::{Deformer, Frame, MuscleFibres, Surface};
use std::fmt;
use std::sync::Arc;

/// The largest radius of a muscle, in depths of its axis under the skin.
const MAX_RADIUS: f64 = 2.5;
/// The stretches between which the fibres of a muscle draw themselves together: there alone they have force (F. E. Zajac,
/// *Muscle and tendon*, 1989).
const STRETCHES: [f64; 2] = [0.5, 1.5];
/// How many muscles a warning names.
const MAX_NAMES: usize = 8;

/// Moves muscles with the skeleton, and the skin with them.
pub struct MuscleDeformer {
    options: MuscleOptions,
    room: Room,
    musculature: Musculature,
    dynamics: Dynamics,
    auto: AutoActivation,
    gain: f64,
    keys: Vec<MuscleControlKeys>,
    controls: Vec<MuscleControl>,
    radii: Vec<f64>,
    tables: Arc<OperatorTables>,
    coupling: Coupling,
    /// The radius of each belly at rest.
    bellies: Vec<f64>,
    fibres: Vec<MuscleFibres>,
    warnings: Vec<String>,
}

impl MuscleDeformer {
    /// Fits the muscles of the options to a character.
    pub fn new(character: &Character, options: &MuscleOptions) -> Result<Self> {
        Self::with_tables(character, options, Arc::default())
    }

    /// Checks quickly that the options are sound and that the character has the joints for their muscles.
    pub fn check(character: &Character, options: &MuscleOptions) -> Result<()> {
        let check = || {
            let ([left, right], skeleton) = (options.sets()?, &character.skeleton);
            MuscleSet::fit_sides([&left, &right], skeleton, &anatomy(skeleton)?, None).map(|_| ())
        };
        check().map_err(|error| options.at_line(error))
    }

    /// The same with tables for the operators.
    pub(crate) fn with_tables(
        character: &Character,
        options: &MuscleOptions,
        tables: Arc<OperatorTables>,
    ) -> Result<Self> {
        character.check()?;
        Self::inside(Room::new(character, options)?, &character.skeleton, options, tables)
    }

    fn inside(room: Room, skeleton: &Skeleton, options: &MuscleOptions, tables: Arc<OperatorTables>) -> Result<Self> {
        Self::fitted(room, skeleton, options, tables).map_err(|error| options.at_line(error))
    }

    fn fitted(room: Room, skeleton: &Skeleton, options: &MuscleOptions, tables: Arc<OperatorTables>) -> Result<Self> {
        let Room { body, skin, bones } = &room;
        let [left, right] = options.sets()?;
        let fitted = MuscleSet::fit_sides([&left, &right], skeleton, &anatomy(skeleton)?, Some(skin.clone()))?;
        let mut musculature = fitted.musculature;
        musculature.bones.retain(|capsule| bones.iter().all(|bone| bone.joint != capsule.joint));
        musculature.bones.extend_from_slice(bones);
        for muscle in &mut musculature.muscles {
            muscle.stiffness = options.stiffness.unwrap_or(muscle.stiffness);
            let change = options.change_of(&muscle.name);
            if change != MuscleChange::default() {
                change.apply_to(muscle);
                check_width(muscle, skin.as_ref())?;
            }
        }
        let dynamics_options =
            DynamicsOptions { damping: options.damping, friction: options.friction, ..Default::default() };
        let rest = skeleton.rest_world();
        let mut dynamics = Dynamics::new(&musculature, &rest, dynamics_options)?;
        let controls = vec![MuscleControl::default(); musculature.muscles.len()];
        dynamics.settle(&rest, &controls);
        let of_muscles = dynamics.muscles().map(MuscleField::largest_radius);
        let radii: Vec<f64> = of_muscles.chain(musculature.fats.iter().map(|fat| fat.radii.min_element())).collect();
        let on_skin = CouplingOptions { amount: options.amount, contacts: options.contacts };
        tables.prepare(Operator::Detail);
        let pieces = Pieces { dynamics: &dynamics, radii: &radii, tables: &tables };
        let coupling = Coupling::new(body.clone(), skeleton, &musculature, &pieces, on_skin);
        let bellies: Vec<f64> = dynamics.muscles().map(MuscleField::belly_radius).collect();
        let mut warnings = warnings(&fitted.left_out, &fitted.without_room, &coupling);
        warnings.extend(stance_warning(&options.set, skeleton));
        Ok(Self {
            warnings,
            auto: AutoActivation::new(&musculature.muscles, &rest),
            gain: options.auto,
            keys: keys(options, &musculature)?,
            controls,
            fibres: vec![MuscleFibres::RELAXED; bellies.len()],
            bellies,
            coupling,
            radii,
            tables,
            dynamics,
            musculature,
            room,
            options: options.clone(),
        })
    }

    /// Whether muscles at rest are the same with other options.
    pub(crate) fn is_fitted_by(&self, options: &MuscleOptions) -> bool {
        fitted_by(options) == fitted_by(&self.options)
    }

    /// Applies other options for the same character. Options without effect on muscles at rest (the amount and the
    /// activation) change at once. For the others, muscles are fitted again, in the same room if the same meshes are
    /// left out or bones. After an error the former muscles stay.
    pub fn update(&mut self, character: &Character, muscles: &MuscleOptions) -> Result<()> {
        if self.is_fitted_by(muscles) {
            return self.retune(muscles);
        }
        let has_same_room = muscles.leave_out == self.options.leave_out && muscles.bones == self.options.bones;
        *self = if has_same_room {
            Self::inside(self.room.clone(), &character.skeleton, muscles, self.tables.clone())?
        } else {
            Self::with_tables(character, muscles, self.tables.clone())?
        };
        Ok(())
    }

    fn retune(&mut self, options: &MuscleOptions) -> Result<()> {
        options.sets()?;
        self.keys = keys(options, &self.musculature)?;
        self.gain = options.auto;
        self.coupling.amount = options.amount;
        self.options = options.clone();
        Ok(())
    }

    /// The muscles, the fat and the bones at rest: names, origins, insertions and shapes.
    pub fn musculature(&self) -> &Musculature {
        &self.musculature
    }

    /// The muscles in the frame deformed last, in the order of [`MuscleDeformer::musculature`].
    pub fn muscles(&self) -> impl ExactSizeIterator<Item = &MuscleField> + '_ {
        self.dynamics.muscles()
    }

    /// The fat in the frame deformed last.
    pub fn fats(&self) -> impl ExactSizeIterator<Item = &FatField> + '_ {
        self.dynamics.fats()
    }

    /// The control of each muscle in the frame deformed last: its activation, and what keys have set.
    pub fn controls(&self) -> &[MuscleControl] {
        &self.controls
    }

    /// The constraint residuals of each muscle in the last deformed frame.
    pub fn residuals(&self) -> impl ExactSizeIterator<Item = Residuals> + '_ {
        self.dynamics.residuals()
    }

    /// How far out the skin moved in the frame deformed last, for each vertex of the surface that follows muscles.
    pub fn offsets(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.coupling.offsets()
    }
}

impl fmt::Debug for MuscleDeformer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MuscleDeformer").field("musculature", &self.musculature).finish_non_exhaustive()
    }
}

impl Deformer for MuscleDeformer {
    /// Moves the muscles, and not the skin over them.
    fn advance_dynamics(&mut self, frame: &Frame<'_>) {
        let Self { dynamics, auto, gain, keys, controls, bellies, fibres, options, .. } = self;
        let activations = auto.advance(frame.world, frame.time.delta, *gain);
        for ((control, keys), &activation) in controls.iter_mut().zip(&*keys).zip(activations) {
            *control = MuscleControl { activation, ..MuscleControl::default() };
            keys.apply(frame.time.seconds, control);
        }
        dynamics.advance(frame.world, frame.time.delta, controls);
        for (((fibres, muscle), rest), control) in fibres.iter_mut().zip(dynamics.muscles()).zip(bellies).zip(controls)
        {
            let stretch = (*rest / muscle.belly_radius()).powi(2).clamp(STRETCHES[0], STRETCHES[1]);
            let activation = options.amount * control.activation.clamp(0.0, 1.0);
            *fibres = MuscleFibres { stretch, activation };
        }
    }

    fn prepare(&mut self, frame: &Frame<'_>, on_phase_end: &mut dyn FnMut(&'static str)) {
        self.advance_dynamics(frame);
        on_phase_end("muscles_dynamics");
    }

    /// A belly keeps its volume, so that its fibres shorten as its section grows: with its radius r, r₀ at rest, to `(r₀ / r)²`.
    /// That is the muscle's length as a share of that at rest, over the growth of its profile with its activation.
    fn fibres(&self) -> Option<&[MuscleFibres]> {
        Some(&self.fibres)
    }

    fn deform_in_phases(
        &mut self,
        frame: &Frame<'_>,
        surface: &mut Surface,
        on_phase_end: &mut dyn FnMut(&'static str),
    ) {
        let Self { dynamics, radii, tables, coupling, .. } = self;
        coupling.deform(&Pieces { dynamics, radii, tables }, frame.world, frame.time.delta, surface);
        on_phase_end("muscles_skin");
    }

    /// Muscles that this body has no place for, and the like.
    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// The keys of each muscle.
fn keys(options: &MuscleOptions, musculature: &Musculature) -> Result<Vec<MuscleControlKeys>> {
    musculature.muscles.iter().map(|muscle| options.change_of(&muscle.name).control_keys()).collect()
}

/// The options that muscles at rest depend on.
fn fitted_by(options: &MuscleOptions) -> MuscleOptions {
    let mut fitted = MuscleOptions { amount: 0.0, auto: 0.0, ..options.clone() };
    fitted.muscle.values_mut().for_each(|change| change.activation = None);
    fitted.muscle.retain(|_, change| *change != MuscleChange::default());
    fitted
}

/// Refuses a changed muscle that is wider than there is room.
fn check_width(muscle: &Muscle, skin: &MeshDistance) -> Result<()> {
    let points = muscle.rest_points(17);
    let depth = points[4..=12].iter().map(|&place| -skin.distance(place).value).fold(0.0, f64::max);
    let radius = muscle.shape.width * muscle.shape.profiles.largest(muscle.shape.profiles.activated(0.0));
    if radius > MAX_RADIUS * depth {
        let why =
            format!("is {:.1} times as thick as there is room for under the skin; make it narrower", radius / depth);
        return Err(Error::Muscle { muscle: muscle.name.clone(), why });
    }
    Ok(())
}

/// A warning if the set is for a body that stands otherwise.
fn stance_warning(set: &str, skeleton: &Skeleton) -> Option<String> {
    let is_upright = anatomy(skeleton).ok()?.is_upright(skeleton)?;
    let (wanted, stance) = match (set, is_upright) {
        ("humanoid", false) => ("quadruped", "on four legs"),
        ("quadruped", true) => ("humanoid", "upright"),
        _ => return None,
    };
    Some(format!("the muscles are of the set \"{set}\", but this body stands {stance}; \"{wanted}\" may fit better"))
}

fn warnings(left_out: &[String], without_room: &[String], coupling: &Coupling) -> Vec<String> {
    let mut warnings = Vec::new();
    for (muscles, lack) in [(left_out, "joint to hang on"), (without_room, "room under the skin and are left out")] {
        let named = &muscles[..muscles.len().min(MAX_NAMES)];
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
