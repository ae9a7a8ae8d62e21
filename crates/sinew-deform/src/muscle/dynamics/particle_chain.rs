//! A muscle as a chain of particles.
//!
//! Position-based dynamics with compliant constraints (M. Macklin et al., *XPBD*, 2016): a step moves
//! particles by their velocities, constraints correct that, and velocities are what has been moved. Links
//! between neighbours are elastic \[R18 §5.2.2\]: the first and last tenth are tendons that keep their length
//! and are stiff, all others would shrink to 2 % of their length. R18's stiffness k, a factor on what a
//! constraint moves, is the compliance `α = (1/k − 1)(wᵢ + wⱼ) h²` at its step h, with w for inverse masses.
//! We take the mean of w for all links, as light particles would else be drawn far apart; and as a chain of n
//! links gets softer with n², that is divided by n² and holds for thirty particles, so that a muscle behaves
//! the same at any resolution.
//!
//! Constraint after constraint, a chain under tension would need many iterations, and its particles would
//! crowd according to their order. But the links of a chain can be solved at once, which is what the
//! iterations go to: with their directions n as they are before, the step's end minimises
//!
//! ```text
//! Σ |p − p̃|² / (2 w h²) + Σ |pᵢ₊₁ − pᵢ − d n|² / (2α)
//! ```
//!
//! a tridiagonal system for each coordinate, definite for any step (S. Bouaziz et al., *Projective dynamics*,
//! 2014). Everything else that touches the chain is a correction after that. Places that a muscle is led
//! through hold a particle each; the muscle slides through them all the same, as its shape goes by the length
//! of the axis and not by particles.
//!
//! Velocities are damped towards those of the ends, `v ← v̂ + e^(−ch) (v − v̂)`, c = −ln μ / h (R18 damps
//! towards a standstill, which drags the muscles of a runner behind).

use super::clock::{STEP, Step};
use super::layout::{at_share, interpolate_between, inverse_masses, particles};
use super::motion::JointMotion;
use super::obstacles::{BoneObstacle, SkinBoundary};
use super::particles::{Particles, State};
use super::rounding::round;
use crate::muscle::axis::length;
use crate::muscle::{Muscle, MuscleControl, MuscleField};
use glam::{DAffine3, DVec3};

/// The share of the path that is tendon at each end.
const TENDON: f64 = 0.1;
/// R18's k of tendons.
const TENDON_STIFFNESS: f64 = 0.9;
/// The largest k, as a link without any compliance could not be solved for.
const STIFFEST: f64 = 0.999;
/// The shortest length of the body's links, of their length at rest.
const BODY_LENGTH: f64 = 0.02;
/// The links for which R18's k is meant.
const USUAL_LINKS: f64 = 29.0;
/// How often bones and skin may push in a step.
const MAX_COLLISIONS: usize = 6;
/// No particle is faster, beside its ends, than so many lengths of the muscle in a second.
const FASTEST: f64 = 10.0;

#[derive(Debug, Clone)]
struct Link {
    rest_length: f64,
    is_tendon: bool,
}

/// A place of the path, by its joint's number in the chain, and the particle that is there.
#[derive(Debug, Clone)]
struct Anchor {
    slot: usize,
    position: DVec3,
    particle: usize,
}

/// A muscle that moves.
#[derive(Clone)]
pub(super) struct ParticleChain {
    pub field: MuscleField,
    joints: Vec<usize>,
    path: Vec<Anchor>,
    normals: [DVec3; 2],
    links: Vec<Link>,
    /// The compliance of a link for k = ½, in units of `h²`.
    softness: f64,
    pub particles: Particles,
    pub bones: Vec<BoneObstacle>,
    pub skin: Option<SkinBoundary>,
    /// How far from bones the muscle stays, of its radius, at even shares of its axis.
    pub clearances: Vec<f64>,
    usual_stiffness: f64,
    stiffness: f64,
    saved: State,
    /// Of the elimination.
    ratios: Vec<f64>,
    /// The axis that is shown.
    rounded: Vec<DVec3>,
}

impl ParticleChain {
    /// A muscle with so many particles, at least as many as its path has places.
    pub fn new(muscle: &Muscle, field: MuscleField, count: usize) -> Self {
        let particles = particles(muscle, count);
        let mut points = vec![DVec3::ZERO; count];
        interpolate_between(muscle.path.iter().map(|at| at.position).zip(particles.iter().copied()), &mut points);
        let inverse_masses = inverse_masses(&field, &points, &particles);
        let free = (count - particles.len()).max(1) as f64;
        let mean = inverse_masses.iter().sum::<f64>() / free;
        let softness = 2.0 * mean * (USUAL_LINKS / (count - 1) as f64).powi(2);
        let total = length(&points);
        let mut passed = 0.0;
        let link = |pair: &[DVec3]| {
            let length = pair[0].distance(pair[1]);
            passed += length;
            let is_tendon = !(TENDON..=1.0 - TENDON).contains(&((passed - 0.5 * length) / total));
            Link { rest_length: if is_tendon { length } else { BODY_LENGTH * length }, is_tendon }
        };
        let links = points.windows(2).map(link).collect();
        let state = State { velocities: vec![DVec3::ZERO; count], positions: points.clone(), frames: Vec::new() };
        let saved = state.clone();
        let mut chain = Self {
            field,
            joints: Vec::new(),
            path: Vec::new(),
            normals: muscle.normals,
            links,
            softness,
            particles: Particles {
                before: points.clone(),
                frames_before: Vec::new(),
                inverse_masses,
                radii: vec![0.0; count],
                state,
            },
            bones: Vec::new(),
            skin: None,
            clearances: vec![1.0; count],
            usual_stiffness: muscle.stiffness,
            stiffness: muscle.stiffness,
            saved,
            rounded: points,
            ratios: vec![0.0; count],
        };
        for (at, &particle) in muscle.path.iter().zip(&particles) {
            let slot = chain.slot(at.joint);
            chain.path.push(Anchor { slot, position: at.position, particle });
        }
        chain
    }

    /// The number of a joint in this chain.
    pub fn slot(&mut self, joint: usize) -> usize {
        if let Some(slot) = self.joints.iter().position(|&known| known == joint) {
            return slot;
        }
        self.joints.push(joint);
        for frames in [&mut self.particles.state.frames, &mut self.saved.frames, &mut self.particles.frames_before] {
            frames.push(DAffine3::IDENTITY);
        }
        self.joints.len() - 1
    }

    /// Applies the control of a frame. The radii are those of the frame before.
    pub fn set_control(&mut self, control: &MuscleControl) {
        self.stiffness = control.stiffness.filter(|k| *k > 0.0 && *k <= 1.0).unwrap_or(self.usual_stiffness);
        for (k, point) in self.field.axis().points.iter().enumerate() {
            let share = f64::from(point.share);
            self.particles.radii[k] = at_share(&self.clearances, share) * self.field.radius(share).value;
            if let Some(skin) = &mut self.skin {
                skin.slide(k, share);
            }
        }
    }

    /// Makes the fibres at least so stiff, until the next control.
    pub fn stiffen(&mut self, stiffness: f64) {
        self.stiffness = self.stiffness.max(stiffness);
    }

    /// Resets the chain to its path, without velocities.
    pub fn reset(&mut self, motions: &[JointMotion]) {
        self.place_joints(motions, 1.0);
        let (frames, path) = (&self.particles.state.frames, &self.path);
        interpolate_between(
            path.iter().map(|at| (place(at, frames), at.particle)),
            &mut self.particles.state.positions,
        );
        self.particles.state.velocities.fill(DVec3::ZERO);
        self.particles.frames_before.copy_from_slice(&self.particles.state.frames);
        self.skin.iter_mut().for_each(SkinBoundary::forget);
    }

    fn place_joints(&mut self, motions: &[JointMotion], share: f64) {
        for (&joint, frame) in self.joints.iter().zip(&mut self.particles.state.frames) {
            *frame = motions[joint].at(share);
        }
    }

    /// Moves attached particles with their joints, and all others by their velocities.
    pub fn begin(&mut self, motions: &[JointMotion], step: &Step) {
        self.particles.before.copy_from_slice(&self.particles.state.positions);
        self.particles.frames_before.copy_from_slice(&self.particles.state.frames);
        self.place_joints(motions, step.share);
        let State { positions, velocities, frames } = &mut self.particles.state;
        for held in &self.path {
            positions[held.particle] = place(held, frames);
        }
        let fastest = FASTEST * self.field.rest_length();
        for pair in self.path.windows(2) {
            let [start, end] = [pair[0].particle, pair[1].particle];
            let moved = [start, end].map(|k| (positions[k] - self.particles.before[k]) / step.seconds);
            for k in start + 1..end {
                let of_ends = moved[0].lerp(moved[1], (k - start) as f64 / (end - start) as f64);
                let own = step.velocity_factor * (velocities[k] - of_ends);
                velocities[k] = of_ends + own.clamp_length_max(fastest);
                positions[k] += velocities[k] * step.seconds;
            }
        }
    }

    /// Pulls neighbours together, by elimination from the origin and substitution from the insertion.
    pub fn pull(&mut self, step: &Step) {
        let springs = [self.stiffness, TENDON_STIFFNESS].map(|k| 1.0 / (1.0 / k.min(STIFFEST) - 1.0));
        let spring = |link: &Link| springs[usize::from(link.is_tendon)];
        let inertia = self.softness * (STEP / step.seconds).powi(2);
        let positions = &mut self.particles.state.positions;
        let last = self.links.len();
        // What a link pushes its farther particle away from its nearer one.
        let push = |link: &Link, between: DVec3| between.normalize_or_zero() * (spring(link) * link.rest_length);
        let mut pushed = push(&self.links[0], positions[1] - positions[0]);
        self.ratios[0] = 0.0;
        for k in 1..last {
            let (before, behind) = (spring(&self.links[k - 1]), spring(&self.links[k]));
            if self.particles.inverse_masses[k] == 0.0 {
                self.ratios[k] = 0.0;
                pushed = push(&self.links[k], positions[k + 1] - positions[k]);
                continue;
            }
            let own = inertia / self.particles.inverse_masses[k];
            let pivot = own + before * (1.0 - self.ratios[k - 1]) + behind;
            let push_behind = push(&self.links[k], positions[k + 1] - positions[k]);
            positions[k] = (own * positions[k] + before * positions[k - 1] + pushed - push_behind) / pivot;
            self.ratios[k] = behind / pivot;
            pushed = push_behind;
        }
        for k in (1..last).rev() {
            let next = positions[k + 1];
            positions[k] += self.ratios[k] * next;
        }
    }

    /// Pushes particles out of bones and into the skin; again where more than one of them has pushed, as one
    /// may push into another.
    pub fn collide(&mut self, step: &Step) {
        let Self { bones, skin, particles, .. } = self;
        for _ in 0..MAX_COLLISIONS {
            let pushing = bones.iter().filter(|bone| bone.push(particles, step)).count();
            let contained = skin.as_mut().is_some_and(|skin| skin.contain(particles));
            if pushing + usize::from(contained) < 2 {
                break;
            }
        }
    }

    /// Velocities are what was moved.
    pub fn finish(&mut self, step: &Step) {
        for ((velocity, position), before) in
            self.particles.state.velocities.iter_mut().zip(&self.particles.state.positions).zip(&self.particles.before)
        {
            *velocity = (position - before) / step.seconds;
        }
    }

    /// Saves the state, for a step that is only displayed.
    pub fn save(&mut self) {
        self.saved.copy_from(&self.particles.state);
    }

    /// Restores the saved state.
    pub fn restore(&mut self) {
        std::mem::swap(&mut self.particles.state, &mut self.saved);
    }

    /// Moves the field to the rounded axis.
    pub fn update_field(&mut self, control: &MuscleControl) {
        let frames = &self.particles.state.frames;
        let turned = |at: &Anchor, normal: DVec3| frames[at.slot].transform_vector3(normal);
        let normals =
            [turned(&self.path[0], self.normals[0]), turned(&self.path[self.path.len() - 1], self.normals[1])];
        // By the muscle relaxed, at this length: what was shown before must not matter.
        let shape = self.field.shape();
        let width = shape.width * (self.field.rest_length() / length(&self.particles.state.positions)).sqrt();
        let radius = |share: f64| width * shape.profiles.relaxed().at(share).value;
        round(&self.particles.state.positions, radius, &mut self.ratios, &mut self.rounded);
        self.field.update(&self.rounded, normals, control);
    }

    /// Kinetic and elastic energy, in the units of the muscle's volume for its mass.
    pub fn energy(&self) -> f64 {
        let moving = |k: usize| match self.particles.inverse_masses[k] {
            w if w > 0.0 => 0.5 * self.particles.state.velocities[k].length_squared() / w,
            _ => 0.0,
        };
        let kinetic: f64 = (0..self.particles.inverse_masses.len()).map(moving).sum();
        let elastic = |(k, link): (usize, &Link)| {
            let stiffness = if link.is_tendon { TENDON_STIFFNESS } else { self.stiffness.min(STIFFEST) };
            let compliance = self.softness * (1.0 / stiffness - 1.0) * STEP * STEP;
            let stretch =
                self.particles.state.positions[k].distance(self.particles.state.positions[k + 1]) - link.rest_length;
            0.5 * stretch * stretch / compliance
        };
        kinetic + self.links.iter().enumerate().map(elastic).sum::<f64>()
    }
}

fn place(held: &Anchor, frames: &[DAffine3]) -> DVec3 {
    frames[held.slot].transform_point3(held.position)
}
