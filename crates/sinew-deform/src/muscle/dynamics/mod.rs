//! The dynamics of muscles and fat.
//!
//! Every muscle is a chain of particles ([`particle_chain`]) whose ends move with the skeleton; it slides over bones
//! and stays in the skin ([`obstacles`]), and keeps clear of the muscles of its group ([`chain_contacts`]). Time goes
//! in steps of 1/300 s, whatever the frame rate ([`clock`]), so that what is seen does not depend on it. The
//! axis that is shown is rounded by the muscle's radius ([`rounding`]); bones and skin hold the particles.
//!
//! ```text
//! cost of a frame = steps × particles × (link + bones nearby)        steps = 300 / frames per second
//! ```

mod chain_contacts;
mod clock;
mod fat;
mod layout;
mod motion;
mod obstacles;
mod particle_chain;
mod particles;
mod rounding;

pub use fat::FatField;
pub(super) use obstacles::gradient_step;

use super::{Axis, MAX_POINTS, Muscle, MuscleControl, MuscleField, Musculature};
use crate::{Error, Result};
use chain_contacts::Group;
use clock::{Clock, STEP, Step};
use fat::FatParticle;
use glam::DAffine3;
use motion::JointMotion;
use obstacles::{BoneObstacle, SkinBoundary};
use particle_chain::ParticleChain;
use sinew_field::Box3;
use sinew_geometry::parallel::*;
use std::fmt;

/// The speed of a joint, in sizes of the body per second, from which on a frame is a cut.
const CUT_SPEED: f64 = 60.0;
/// Steps in which muscles come to rest in a pose, and how often.
const SETTLE_STEPS: usize = 75;
const SETTLE_ROUNDS: usize = 3;
/// The least stiffness meanwhile.
const SETTLE_STIFFNESS: f64 = 0.7;
/// Bones farther from a muscle at rest than so many of its radii are ignored.
const BONE_SEARCH_DISTANCE: f64 = 3.0;

/// The settings of all muscles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DynamicsOptions {
    /// Particles of a muscle, both ends included: 3 to 64.
    pub points: usize,
    /// The share of its velocity that a particle keeps in a step of 1/300 s: R18's μ, above 0 and up to 1.
    pub damping: f64,
    /// The share of what it slides over a bone in such a step that a particle loses: R18's η, 0 to 1.
    pub friction: f64,
}

impl Default for DynamicsOptions {
    fn default() -> Self {
        Self { points: 30, damping: 0.9, friction: 0.1 }
    }
}

/// The residuals of constraints, in the units of the body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Residuals {
    /// How deep a particle is in a bone.
    pub bone: f64,
    /// How far one is outside the skin, beyond where it is at rest.
    pub skin: f64,
}

/// Muscles and fat that follow a skeleton.
#[derive(Clone)]
pub struct Dynamics {
    groups: Vec<Group>,
    /// For each muscle its group and its place there.
    places: Vec<(usize, usize)>,
    fat_particles: Vec<FatParticle>,
    motions: Vec<JointMotion>,
    options: DynamicsOptions,
    clock: Clock,
    /// Of the body, for cuts.
    size: f64,
    has_moved: bool,
}

impl Dynamics {
    /// Prepares muscles to follow a skeleton, given by the world transforms of its bind pose.
    pub fn new(musculature: &Musculature, rest_world: &[DAffine3], options: DynamicsOptions) -> Result<Self> {
        options.check()?;
        let joints = rest_world.len();
        if let Some(bone) = musculature.bones.iter().find(|bone| bone.joint >= joints) {
            return Err(
                sinew_rig::Error::JointOutOfRange { what: "a bone".into(), joint: bone.joint, count: joints }.into()
            );
        }
        let mut groups: Vec<(Option<u32>, Vec<ParticleChain>)> = Vec::new();
        let mut places = Vec::new();
        for muscle in &musculature.muscles {
            muscle.check(joints)?;
            let chain = chain(muscle, musculature, options.points)?;
            let known = groups.iter().position(|(group, _)| group.is_some() && *group == muscle.group);
            let at = known.unwrap_or(groups.len());
            if at == groups.len() {
                groups.push((muscle.group, Vec::new()));
            }
            places.push((at, groups[at].1.len()));
            groups[at].1.push(chain);
        }
        musculature.fats.iter().try_for_each(|fat| fat.check(joints))?;
        Ok(Self {
            groups: groups.into_iter().map(|(_, chains)| Group::new(chains)).collect(),
            places,
            fat_particles: musculature.fats.iter().map(FatParticle::new).collect::<Result<_>>()?,
            motions: rest_world.iter().map(JointMotion::new).collect(),
            options,
            clock: Clock::default(),
            size: Box3::around(rest_world.iter().map(|m| m.translation)).size().length(),
            has_moved: false,
        })
    }

    /// Advances to the pose of the next frame. The first frame, a frame without a duration, and a frame after a jump
    /// restart the dynamics ([`Dynamics::settle`]). Muscles without a control have the default. A pose that is not
    /// finite is left out.
    ///
    /// # Panics
    /// If the skeleton has another number of joints.
    pub fn advance(&mut self, world: &[DAffine3], seconds: f64, controls: &[MuscleControl]) {
        assert_eq!(world.len(), self.motions.len(), "the pose belongs to another skeleton");
        if !world.iter().all(|m| m.is_finite()) {
            return;
        }
        let farthest = self.motions.iter().zip(world).map(|(motion, m)| motion.distance(m)).fold(0.0, f64::max);
        let is_cut = !(seconds > 0.0 && seconds.is_finite()) || farthest > CUT_SPEED * self.size * seconds;
        if is_cut || !self.has_moved {
            return self.settle(world, controls);
        }
        self.motions.iter_mut().zip(world).for_each(|(motion, m)| motion.follow(m));
        let steps = self.clock.frame(seconds);
        let Self { groups, fat_particles, motions, options, .. } = self;
        let (motions, options) = (&*motions, &*options);
        let last = (steps.rest > 0.0).then(|| options.step(steps.rest, 1.0));
        groups.par_iter_mut().for_each(|group| {
            group.find_contacts();
            (0..steps.count).for_each(|k| group.step(motions, &options.step(STEP, steps.share(k))));
            group.chains.iter_mut().for_each(ParticleChain::save);
            last.iter().for_each(|step| group.step(motions, step));
        });
        for fat in fat_particles {
            (0..steps.count).for_each(|k| fat.step(motions, &options.step(STEP, steps.share(k))));
            fat.save();
            last.iter().for_each(|step| fat.step(motions, step));
        }
        self.update_fields(controls);
        if last.is_some() {
            self.groups.iter_mut().flat_map(|group| &mut group.chains).for_each(ParticleChain::restore);
            self.fat_particles.iter_mut().for_each(FatParticle::restore);
        }
    }

    /// Lets everything come to rest in a pose, as at the start of a clip.
    ///
    /// # Panics
    /// If the skeleton has another number of joints.
    pub fn settle(&mut self, world: &[DAffine3], controls: &[MuscleControl]) {
        assert_eq!(world.len(), self.motions.len(), "the pose belongs to another skeleton");
        if !world.iter().all(|m| m.is_finite()) {
            return;
        }
        for (motion, m) in self.motions.iter_mut().zip(world) {
            motion.follow(m);
            motion.rest_here();
        }
        self.clock = Clock::default();
        self.has_moved = true;
        let (motions, step) = (&self.motions, self.options.step(STEP, 1.0));
        self.fat_particles.iter_mut().for_each(|fat| fat.reset(motions));
        self.groups.iter_mut().flat_map(|group| &mut group.chains).for_each(|chain| chain.reset(motions));
        // What a particle keeps clear of bones follows from the shape, and the shape from where particles are.
        for _ in 0..SETTLE_ROUNDS {
            self.update_fields(controls);
            let motions = &self.motions;
            self.groups.par_iter_mut().for_each(|group| {
                group.chains.iter_mut().for_each(|chain| chain.stiffen(SETTLE_STIFFNESS));
                group.find_contacts();
                (0..SETTLE_STEPS).for_each(|_| group.step(motions, &step));
            });
        }
        self.update_fields(controls);
    }

    /// Gives the fields what the particles are now, and the particles what is set for the next frame.
    fn update_fields(&mut self, controls: &[MuscleControl]) {
        for (muscle, &(group, place)) in self.places.iter().enumerate() {
            let control = controls.get(muscle).copied().unwrap_or_default();
            let chain = &mut self.groups[group].chains[place];
            chain.update_field(&control);
            chain.set_control(&control);
        }
        self.fat_particles.iter_mut().for_each(FatParticle::update_field);
    }

    /// The muscles in space, in the order they were given.
    pub fn muscles(&self) -> impl ExactSizeIterator<Item = &MuscleField> + '_ {
        self.places.iter().map(|&(group, place)| &self.groups[group].chains[place].field)
    }

    /// One of them.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn muscle(&self, index: usize) -> &MuscleField {
        let (group, place) = self.places[index];
        &self.groups[group].chains[place].field
    }

    /// The fat in space, in the order it was given.
    pub fn fats(&self) -> impl ExactSizeIterator<Item = &FatField> + '_ {
        self.fat_particles.iter().map(|fat| &fat.field)
    }

    /// One piece of it.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn fat(&self, index: usize) -> &FatField {
        &self.fat_particles[index].field
    }

    /// The constraint residuals of each muscle, after the last step of the grid.
    pub fn residuals(&self) -> impl ExactSizeIterator<Item = Residuals> + '_ {
        self.places.iter().map(|&(group, place)| {
            let chain = &self.groups[group].chains[place];
            Residuals {
                bone: chain.bones.iter().map(|bone| bone.depth(&chain.particles)).fold(0.0, f64::max),
                skin: chain.skin.as_ref().map_or(0.0, |skin| skin.excess(&chain.particles)),
            }
        })
    }

    /// The kinetic and elastic energy of each muscle, with its volume for its mass, after the last step of
    /// the grid.
    pub fn energies(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.places.iter().map(|&(group, place)| self.groups[group].chains[place].energy())
    }
}

impl fmt::Debug for Dynamics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { places, fat_particles, options, .. } = self;
        let mut dynamics = f.debug_struct("Dynamics");
        dynamics.field("muscles", &places.len()).field("fats", &fat_particles.len()).field("options", options);
        dynamics.finish_non_exhaustive()
    }
}

/// A muscle with the bones near it and the skin around it.
fn chain(muscle: &Muscle, musculature: &Musculature, points: usize) -> Result<ParticleChain> {
    if points < muscle.path.len() {
        let why = format!("has a path of {} places, for which {points} points are too few", muscle.path.len());
        return Err(Error::Muscle { muscle: muscle.name.clone(), why });
    }
    let rest = muscle.rest_points(points);
    let named = |error: Error| Error::Muscle { muscle: muscle.name.clone(), why: format!("cannot be made: {error}") };
    let axis = Axis::new(&rest, muscle.normals).map_err(named)?;
    let field = MuscleField::new(axis, muscle.shape.clone()).map_err(named)?;
    let near = BONE_SEARCH_DISTANCE * field.largest_radius();
    let mut chain = ParticleChain::new(muscle, field, points);
    for bone in &musculature.bones {
        let distances: Vec<f64> = rest.iter().map(|&p| bone.shape.field().distance(p).value).collect();
        if distances.iter().all(|&distance| distance > near) {
            continue;
        }
        let slot = chain.slot(bone.joint);
        chain.bones.push(BoneObstacle::new(slot, bone));
        for (k, distance) in distances.iter().enumerate() {
            let radius = chain.field.radius(k as f64 / (points - 1) as f64).value;
            let room = if radius > 0.0 { (distance / radius).max(0.0) } else { 0.0 };
            chain.clearances[k] = chain.clearances[k].min(room);
        }
    }
    if let Some(skin) = musculature.skins.get(&muscle.part) {
        let mut carriers = vec![chain.slot(muscle.part)];
        for at in &muscle.path {
            let slot = chain.slot(at.joint);
            if !carriers.contains(&slot) {
                carriers.push(slot);
            }
        }
        chain.skin = Some(SkinBoundary::new(carriers, skin.clone(), &rest));
    }
    chain.set_control(&MuscleControl::default());
    Ok(chain)
}

impl DynamicsOptions {
    fn check(&self) -> Result<()> {
        let refuse = |what, value, range| Err(sinew_geometry::Error::OutOfRange { what, value, range }.into());
        if !(3..=MAX_POINTS).contains(&self.points) {
            return refuse("the number of points of a muscle", self.points as f64, "3 to 64");
        }
        if !(self.damping > 0.0 && self.damping <= 1.0) {
            return refuse("the damping of muscles", self.damping, "above 0 and up to 1");
        }
        if !(0.0..=1.0).contains(&self.friction) {
            return refuse("the friction of muscles", self.friction, "0 to 1");
        }
        Ok(())
    }

    fn step(&self, seconds: f64, share: f64) -> Step {
        let steps = seconds / STEP;
        Step {
            seconds,
            share,
            velocity_factor: self.damping.powf(steps),
            friction: 1.0 - (1.0 - self.friction).powf(steps),
        }
    }
}
