//! Deformers one after another: a pose goes in, a surface comes out.

use crate::flesh::{Fineness, FleshDeformer, FleshOptions};
use crate::implicit::{ImplicitDeformer, ImplicitOptions, split_cache};
use crate::muscle::{MuscleDeformer, MuscleOptions};
use crate::skinning::{SkinDeformer, SkinOptions};
use crate::volume::{VolumeDeformer, VolumeMethod, VolumeOptions};
use crate::{Error, Result};
use glam::DAffine3;
use sinew_field::OperatorTables;
use sinew_rig::{Character, Deformer, Frame, Pose, Skeleton, Surface, Time};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The options of each deformer of a stack.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StackOptions {
    /// How the skin follows the joints.
    pub skin: SkinOptions,
    /// Where it follows the fields of its limbs.
    pub implicit: ImplicitOptions,
    /// The flesh under it.
    pub flesh: FleshOptions,
    /// The muscles under it.
    pub muscles: MuscleOptions,
    /// How it keeps its volume.
    pub volume: VolumeOptions,
}

impl StackOptions {
    /// Whether the implicit skin runs: where it is on, or a volume needs its contacts. Flesh would replace what it does.
    fn has_implicit(&self) -> bool {
        (self.implicit.on || self.volume.needs_contacts()) && self.flesh.fineness == Fineness::Off
    }

    /// The implicit skin that runs, and the painted attribute that it respects: one that a volume alone needs leaves out
    /// what the volume leaves out, and joints whose profile is set.
    pub fn implicit_skin(&self) -> Option<(ImplicitOptions, &str)> {
        let Self { implicit, volume, .. } = self;
        let needed = || {
            let leave_out = implicit.leave_out.iter().chain(&volume.leave_out).cloned().collect();
            let mut needed = ImplicitOptions { leave_out, ..implicit.clone() };
            for (joint, _) in volume.joints.iter().filter(|(_, profile)| profile.is_set()) {
                needed.joints.entry(joint.clone()).or_default().amount = Some(0.0);
            }
            (needed, volume.paint.as_str())
        };
        self.has_implicit().then(|| if implicit.on { (implicit.clone(), "") } else { needed() })
    }

    /// How volume is restored in the end. Flesh has kept nearly all of it, in the right places, so that after flesh
    /// `exact` is smooth over neighbours instead of by profiles.
    fn last_volume(&self) -> VolumeOptions {
        let mut volume = self.volume.clone();
        volume.contacts &= self.has_implicit();
        if self.flesh.fineness != Fineness::Off && volume.method == VolumeMethod::Exact {
            volume.method = VolumeMethod::Laplacian;
        }
        volume
    }
}

/// The deformers that options ask for, in order, with the buffers that a frame needs.
pub struct Stack {
    options: StackOptions,
    skeleton: Skeleton,
    world: Vec<DAffine3>,
    deformers: Vec<Box<dyn Deformer>>,
    /// The tables of the operators between fields, which several deformers share.
    tables: Arc<OperatorTables>,
    /// Why the implicit skin is left out, where it cannot be had.
    left_out: Option<String>,
}

impl Stack {
    /// Builds the deformers for a character.
    pub fn new(character: &Character, options: impl Into<StackOptions>) -> Result<Self> {
        Self::with_cache(character, options, &[])
    }

    /// Builds them with the bytes that [`ImplicitDeformer::to_bytes`] gave before, which saves most of the time that
    /// the implicit skin takes to prepare.
    pub fn with_cache(character: &Character, options: impl Into<StackOptions>, cache: &[u8]) -> Result<Self> {
        let (tables, fields) = split_cache(cache);
        Self::build(character, options.into(), tables, fields)
    }

    /// The same with tables for the operators between fields, which the stacks of several characters can share.
    pub fn with_tables(
        character: &Character,
        options: impl Into<StackOptions>,
        tables: Arc<OperatorTables>,
    ) -> Result<Self> {
        Self::build(character, options.into(), tables, &[])
    }

    fn build(character: &Character, options: StackOptions, tables: Arc<OperatorTables>, fields: &[u8]) -> Result<Self> {
        let StackOptions { skin, flesh, muscles, .. } = &options;
        let mut volume = options.last_volume();
        let mut left_out = None;
        if muscles.is_on() {
            // Names are checked before anything slow is prepared.
            MuscleDeformer::check(character, muscles)?;
        }
        let mut deformers: Vec<Box<dyn Deformer>> = vec![Box::new(SkinDeformer::new(character, skin.method)?)];
        if let Some((implicit, paint)) = options.implicit_skin() {
            let tables = tables.clone();
            match ImplicitDeformer::with_tables(character, &implicit, tables, fields) {
                Ok(mut implicit) => {
                    implicit.paint(character, paint);
                    implicit.precedes_volume(volume.method != VolumeMethod::Off);
                    deformers.push(Box::new(implicit));
                }
                Err(Error::Geometry(soup @ sinew_geometry::Error::Soup { .. })) => {
                    left_out = Some(format!("the implicit skin is left out: {soup}"));
                    volume.contacts = false;
                }
                Err(error) => return Err(error),
            }
        }
        let muscles = match muscles.is_on() {
            true => Some(MuscleDeformer::with_tables(character, muscles, tables.clone())?),
            false => None,
        };
        if flesh.fineness != Fineness::Off {
            deformers.push(Box::new(match &muscles {
                Some(muscles) => FleshDeformer::with_muscles(character, flesh, muscles)?,
                None => FleshDeformer::new(character, flesh)?,
            }));
        }
        if let Some(muscles) = muscles {
            deformers.push(Box::new(muscles));
        }
        if volume.method != VolumeMethod::Off {
            let mut volume = VolumeDeformer::new(character, skin.method, &volume)?;
            volume.follow_stages(deformers.len() > 1);
            deformers.push(Box::new(volume));
        }
        let (skeleton, world) = (character.skeleton.clone(), vec![DAffine3::IDENTITY; character.skeleton.len()]);
        Ok(Self { options, skeleton, world, deformers, tables, left_out })
    }

    /// Takes over other options for the same character. What both have in common stays prepared, so that a change of
    /// shape takes milliseconds. After an error it can be updated again: muscles that are refused leave those before in
    /// place, and a volume that is refused leaves none.
    pub fn update(&mut self, character: &Character, options: impl Into<StackOptions>) -> Result<()> {
        let options = options.into();
        if !self.keeps_flesh(&options) {
            let cache = self.get().map(ImplicitDeformer::to_bytes).unwrap_or_default();
            *self = Self::build(character, options, self.tables.clone(), split_cache(&cache).1)?;
            return Ok(());
        }
        if options.muscles != self.options.muscles {
            self.update_muscles(character, &options.muscles)?;
            self.options.muscles = options.muscles.clone();
        }
        self.update_volume(character, &options)?;
        self.options = options;
        Ok(())
    }

    /// Whether an update to other options keeps skin, implicit skin and flesh prepared, which take seconds.
    pub fn keeps_flesh(&self, options: &StackOptions) -> bool {
        options.skin == self.options.skin
            && options.implicit == self.options.implicit
            && options.implicit_skin() == self.options.implicit_skin()
            && options.flesh == self.options.flesh
            && (options.flesh.fineness == Fineness::Off || self.has_muscles_of(&options.muscles))
    }

    /// Whether muscles at rest are as the options have them.
    fn has_muscles_of(&self, options: &MuscleOptions) -> bool {
        match self.get::<MuscleDeformer>() {
            Some(muscles) => options.is_on() && muscles.is_fitted_by(options),
            None => !options.is_on(),
        }
    }

    fn update_muscles(&mut self, character: &Character, options: &MuscleOptions) -> Result<()> {
        match (self.position::<MuscleDeformer>(), options.is_on()) {
            (Some(place), false) => drop(self.deformers.remove(place)),
            (Some(_), true) => {
                if let Some(muscles) = self.get_mut::<MuscleDeformer>() {
                    muscles.update(character, options)?;
                }
            }
            (None, true) => {
                let place = self.position::<VolumeDeformer>().unwrap_or(self.deformers.len());
                let muscles = MuscleDeformer::with_tables(character, options, self.tables.clone())?;
                self.deformers.insert(place, Box::new(muscles));
            }
            (None, false) => (),
        }
        Ok(())
    }

    fn update_volume(&mut self, character: &Character, options: &StackOptions) -> Result<()> {
        let mut wanted = options.last_volume();
        wanted.contacts &= self.left_out.is_none();
        let is_wanted = wanted.method != VolumeMethod::Off;
        let reshaped = match self.get_mut::<VolumeDeformer>() {
            Some(volume) => volume.reshape(character, &wanted),
            None => Ok(!is_wanted),
        };
        if let Some(implicit) = self.get_mut::<ImplicitDeformer>() {
            implicit.precedes_volume(is_wanted);
        }
        if !matches!(reshaped, Ok(true)) {
            self.deformers.retain(|deformer| !is::<VolumeDeformer>(deformer.as_ref()));
        }
        if !reshaped? && is_wanted {
            self.deformers.push(Box::new(VolumeDeformer::new(character, options.skin.method, &wanted)?));
        }
        let follows = self.deformers.len() > 2;
        if let Some(volume) = self.get_mut::<VolumeDeformer>() {
            volume.follow_stages(follows);
        }
        Ok(())
    }

    /// Deforms the character into a pose. `surface` is resized on first use and reused afterwards.
    ///
    /// # Panics
    /// If the pose is not one of this character: a transform for each joint, a weight for each morph.
    pub fn deform(&mut self, pose: &Pose, time: Time, surface: &mut Surface) {
        self.deform_in_phases(pose, time, surface, &mut |_| ());
    }

    /// Deforms, and calls `on_phase_end` with the name of each phase that a deformer ends.
    ///
    /// # Panics
    /// If the pose is not one of this character.
    pub fn deform_in_phases(
        &mut self,
        pose: &Pose,
        time: Time,
        surface: &mut Surface,
        on_phase_end: &mut dyn FnMut(&'static str),
    ) {
        self.run(pose, |_| time, surface, on_phase_end);
    }

    /// Deforms with muscles at rest in the pose. The other deformers continue from the frame before.
    ///
    /// # Panics
    /// If the pose is not one of this character.
    pub fn deform_without_dynamics(&mut self, pose: &Pose, time: Time, surface: &mut Surface) {
        let still = Time::alone(time.seconds);
        self.run(pose, |deformer| if is::<MuscleDeformer>(deformer) { still } else { time }, surface, &mut |_| ());
    }

    /// Deforms with flesh that goes on from the frame before, as in so many seconds, whatever the time of the frame is.
    ///
    /// # Panics
    /// If the pose is not one of this character.
    pub fn deform_with_continuous_flesh(&mut self, pose: &Pose, time: Time, seconds: f64, surface: &mut Surface) {
        let of_flesh = Time { delta: seconds, ..time };
        self.run(pose, |deformer| if is::<FleshDeformer>(deformer) { of_flesh } else { time }, surface, &mut |_| ());
    }

    /// Runs the deformers, each at a time of its own.
    fn run(
        &mut self,
        pose: &Pose,
        time_of: impl Fn(&dyn Deformer) -> Time,
        surface: &mut Surface,
        on_phase_end: &mut dyn FnMut(&'static str),
    ) {
        assert_eq!(pose.joints.len(), self.world.len(), "the pose belongs to another skeleton");
        self.skeleton.world(pose, &mut self.world);
        for deformer in &mut self.deformers {
            let time = time_of(deformer.as_ref());
            deformer.prepare(&Frame::new(pose, &self.world, time), on_phase_end);
        }
        for k in 0..self.deformers.len() {
            let (before, from) = self.deformers.split_at_mut(k);
            let Some((deformer, after)) = from.split_first_mut() else { break };
            let contacts = before.iter().rev().find_map(|deformer| deformer.contacts());
            let fibres = after.iter().find_map(|deformer| deformer.fibres());
            let frame = Frame { contacts, fibres, ..Frame::new(pose, &self.world, time_of(deformer.as_ref())) };
            deformer.deform_in_phases(&frame, surface, on_phase_end);
        }
    }

    /// Lets deformers that have a memory, such as muscles, go through a pose between two frames that are deformed.
    ///
    /// # Panics
    /// If the pose is not one of this character.
    pub fn advance_dynamics(&mut self, pose: &Pose, time: Time) {
        self.advance(pose, time, |_| true);
    }

    /// The same, but flesh stays in the pose of the frame before.
    ///
    /// # Panics
    /// If the pose is not one of this character.
    pub fn advance_dynamics_without_flesh(&mut self, pose: &Pose, time: Time) {
        self.advance(pose, time, |deformer| !is::<FleshDeformer>(deformer));
    }

    fn advance(&mut self, pose: &Pose, time: Time, is_advanced: impl Fn(&dyn Deformer) -> bool) {
        assert_eq!(pose.joints.len(), self.world.len(), "the pose belongs to another skeleton");
        self.skeleton.world(pose, &mut self.world);
        // Flesh, which follows muscles, comes before them.
        for k in (0..self.deformers.len()).rev() {
            let (to, after) = self.deformers.split_at_mut(k + 1);
            let fibres = after.iter().find_map(|deformer| deformer.fibres());
            if is_advanced(to[k].as_ref()) {
                to[k].advance_dynamics(&Frame { fibres, ..Frame::new(pose, &self.world, time) });
            }
        }
    }

    /// What a person should know about the deformers and their options, a sentence each.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        let is_skipped = self.options.implicit.on && !self.options.has_implicit();
        let skipped = is_skipped.then_some("the implicit skin is left out, because flesh replaces it");
        // The warnings of an implicit skin that only a volume needs are left out.
        let is_asked = |deformer: &&dyn Deformer| self.options.implicit.on || !is::<ImplicitDeformer>(*deformer);
        let all = self.deformers().filter(is_asked).flat_map(|deformer| deformer.warnings());
        skipped.into_iter().chain(self.left_out.as_deref()).chain(all.map(String::as_str))
    }

    /// The deformers, in order.
    pub fn deformers(&self) -> impl ExactSizeIterator<Item = &dyn Deformer> {
        self.deformers.iter().map(AsRef::as_ref)
    }

    /// The deformer of a type, if the options ask for it.
    pub fn get<T: Deformer>(&self) -> Option<&T> {
        self.deformers().find_map(|deformer| (deformer as &dyn Any).downcast_ref())
    }

    fn get_mut<T: Deformer>(&mut self) -> Option<&mut T> {
        self.deformers.iter_mut().find_map(|deformer| (deformer.as_mut() as &mut dyn Any).downcast_mut())
    }

    fn position<T: Deformer>(&self) -> Option<usize> {
        self.deformers().position(is::<T>)
    }

    /// World transforms of the pose deformed last.
    pub fn world(&self) -> &[DAffine3] {
        &self.world
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stack").field("options", &self.options).finish_non_exhaustive()
    }
}

fn is<T: Deformer>(deformer: &dyn Deformer) -> bool {
    (deformer as &dyn Any).is::<T>()
}
