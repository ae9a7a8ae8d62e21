//! One muscle as a chain of particles: what pulls them?
//!
//! Extended position-based dynamics (M. Macklin et al., *XPBD*, 2016): a step moves particles by their
//! velocities, then each constraint C with compliance α moves its particles, of inverse masses w, by
//! `Δλ = −C / (Σw + α/h²)` along its gradient, and velocities are what has been moved. Links between
//! neighbours are elastic \[R18 §5.2.2\]: the first and last tenth are tendons that keep their length and are
//! stiff, all others would shrink to 2 % of their length. R18's stiffness k, a factor on what a constraint
//! moves, is the compliance `α = (1/k − 1)(wᵢ + wⱼ) h²` at its step h. As a chain of n links gets softer
//! with n², that is divided by n² and holds for thirty particles, so that a muscle behaves the same at any
//! resolution. Even links go first, odd ones then, so that neither end is preferred.
//!
//! Velocities are damped towards those of the ends, `v ← v̂ + e^(−ch) (v − v̂)`, c = −ln μ / h (R18 damps
//! towards a standstill, which drags the muscles of a runner behind).

use super::clock::STEP;
use super::motion::JointMotion;
use super::obstacle::{StrandBone, StrandSkin};
use crate::muscle::definition::spread;
use crate::muscle::{Muscle, MuscleField, Tone};
use glam::{DAffine3, DVec3};

/// The share of the path that is tendon at each end.
const TENDON: f64 = 0.1;
/// R18's k of tendons.
const TENDON_STIFFNESS: f64 = 0.9;
/// What links of the body shrink to, of their length at rest.
const BODY_LENGTH: f64 = 0.02;
/// The links for which R18's k is meant.
const USUAL_LINKS: f64 = 29.0;
/// No particle is faster, beside its ends, than so many lengths of the muscle in a second.
const FASTEST: f64 = 10.0;
/// No particle is lighter than this share of the mean.
const LIGHTEST: f64 = 0.25;

/// What moves: copied for the shorter step that a frame ends with.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    /// `B` of each joint of the strand.
    pub frames: Vec<DAffine3>,
}

impl State {
    fn copy_from(&mut self, other: &Self) {
        self.positions.copy_from_slice(&other.positions);
        self.velocities.copy_from_slice(&other.velocities);
        self.frames.copy_from_slice(&other.frames);
    }
}

#[derive(Debug, Clone)]
struct Link {
    rest_length: f64,
    /// The compliance for k = ½, in units of `h²`.
    softness: f64,
    is_tendon: bool,
}

/// A place of the path by its joint's number in the strand.
#[derive(Debug, Clone)]
struct Held {
    slot: usize,
    position: DVec3,
    /// The segment that was found to run through it last, if it is a loop.
    segment: usize,
}

/// What a step needs to know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub seconds: f64,
    /// The share of the way between the frames at its end.
    pub share: f64,
    /// `e^(−ch)`
    pub kept: f64,
    /// R18's η.
    pub friction: f64,
}

/// A muscle that moves.
#[derive(Clone)]
pub(super) struct Strand {
    pub field: MuscleField,
    joints: Vec<usize>,
    path: Vec<Held>,
    normals: [DVec3; 2],
    links: Vec<Link>,
    pub inverse_masses: Vec<f64>,
    pub bones: Vec<StrandBone>,
    pub skin: Option<StrandSkin>,
    /// How far from bones each particle stays, of the muscle's radius there.
    pub clearances: Vec<f64>,
    /// The same as a length, in this frame.
    pub radii: Vec<f64>,
    usual_stiffness: f64,
    stiffness: f64,
    /// After the last step of the grid while a frame is simulated; as it is shown otherwise.
    pub state: State,
    kept: State,
    pub before: Vec<DVec3>,
    pub frames_before: Vec<DAffine3>,
}

impl Strand {
    pub fn new(muscle: &Muscle, field: MuscleField) -> Self {
        let points: Vec<DVec3> = muscle.rest_points(field.axis().positions().len());
        let count = points.len();
        let inverse_masses = inverse_masses(&field, count);
        let per_link = (USUAL_LINKS / (count - 1) as f64).powi(2);
        let link = |k: usize| {
            let middle = (k as f64 + 0.5) / (count - 1) as f64;
            let is_tendon = !(TENDON..=1.0 - TENDON).contains(&middle);
            let length = points[k].distance(points[k + 1]);
            Link {
                rest_length: if is_tendon { length } else { BODY_LENGTH * length },
                softness: (inverse_masses[k] + inverse_masses[k + 1]) * per_link,
                is_tendon,
            }
        };
        let links = (0..count - 1).map(link).collect();
        let state = State { velocities: vec![DVec3::ZERO; count], positions: points.clone(), frames: Vec::new() };
        let mut strand = Self {
            field,
            joints: Vec::new(),
            path: Vec::new(),
            normals: muscle.normals,
            links,
            inverse_masses,
            bones: Vec::new(),
            skin: None,
            clearances: vec![1.0; count],
            radii: vec![0.0; count],
            usual_stiffness: muscle.stiffness,
            stiffness: muscle.stiffness,
            kept: state.clone(),
            state,
            before: points,
            frames_before: Vec::new(),
        };
        for at in &muscle.path {
            let slot = strand.slot(at.joint);
            strand.path.push(Held { slot, position: at.position, segment: 0 });
        }
        strand
    }

    /// The number of a joint in this strand.
    pub fn slot(&mut self, joint: usize) -> usize {
        if let Some(slot) = self.joints.iter().position(|&known| known == joint) {
            return slot;
        }
        self.joints.push(joint);
        for frames in [&mut self.state.frames, &mut self.kept.frames, &mut self.frames_before] {
            frames.push(DAffine3::IDENTITY);
        }
        self.joints.len() - 1
    }

    /// Takes over what is set for a frame. The radii are those of the frame before.
    pub fn tense(&mut self, tone: &Tone) {
        self.stiffness = tone.stiffness.filter(|k| *k > 0.0 && *k <= 1.0).unwrap_or(self.usual_stiffness);
        for (k, point) in self.field.axis().points.iter().enumerate() {
            self.radii[k] = self.clearances[k] * self.field.radius(point.share.into()).value;
        }
    }

    /// Makes the fibres at least so stiff, until they are tensed anew.
    pub fn stiffen(&mut self, stiffness: f64) {
        self.stiffness = self.stiffness.max(stiffness);
    }

    /// Lays the strand along its path, at rest.
    pub fn lay(&mut self, motions: &[JointMotion]) {
        self.place_joints(motions, 1.0);
        let (frames, path) = (&self.state.frames, &self.path);
        spread(path.iter().map(|at| place(at, frames)), self.inverse_masses.len(), &mut self.state.positions);
        self.state.velocities.fill(DVec3::ZERO);
        self.frames_before.copy_from_slice(&self.state.frames);
        for k in 1..self.path.len() - 1 {
            let at = place(&self.path[k], &self.state.frames);
            self.path[k].segment = nearest_segment(&self.state.positions, at, 0..self.links.len());
        }
        self.skin.iter_mut().for_each(StrandSkin::forget);
    }

    fn place_joints(&mut self, motions: &[JointMotion], share: f64) {
        for (&joint, frame) in self.joints.iter().zip(&mut self.state.frames) {
            *frame = motions[joint].at(share);
        }
    }

    /// Moves the ends with their joints, and all else on with its velocity.
    pub fn begin(&mut self, motions: &[JointMotion], step: &Step) {
        self.before.copy_from_slice(&self.state.positions);
        self.frames_before.copy_from_slice(&self.state.frames);
        self.place_joints(motions, step.share);
        let last = self.links.len();
        let State { positions, velocities, frames } = &mut self.state;
        positions[0] = place(&self.path[0], frames);
        positions[last] = place(&self.path[self.path.len() - 1], frames);
        let fastest = FASTEST * self.field.rest_length();
        let moved = [0, last].map(|end| (positions[end] - self.before[end]) / step.seconds);
        for k in 1..last {
            let of_ends = moved[0].lerp(moved[1], k as f64 / last as f64);
            let own = step.kept * (velocities[k] - of_ends);
            velocities[k] = of_ends + own.clamp_length_max(fastest);
            positions[k] += velocities[k] * step.seconds;
        }
    }

    /// Pulls neighbours together, even links first.
    pub fn pull(&mut self, step: &Step) {
        let by_step = (STEP / step.seconds).powi(2);
        let [body, tendon] = [self.stiffness, TENDON_STIFFNESS].map(|k| (1.0 / k - 1.0) * by_step);
        for first in [0, 1] {
            for k in (first..self.links.len()).step_by(2) {
                let link = &self.links[k];
                let compliance = link.softness * if link.is_tendon { tendon } else { body };
                let (a, b) = (self.inverse_masses[k], self.inverse_masses[k + 1]);
                let between = self.state.positions[k + 1] - self.state.positions[k];
                let length = between.length();
                let weight = (a + b + compliance) * length;
                if weight > 0.0 {
                    let pull = between * ((length - link.rest_length) / weight);
                    self.state.positions[k] += a * pull;
                    self.state.positions[k + 1] -= b * pull;
                }
            }
        }
    }

    /// Pulls the chain through its loops.
    pub fn thread(&mut self) {
        let last = self.path.len() - 1;
        for held in &mut self.path[1..last] {
            let at = place(held, &self.state.frames);
            let near = held.segment.saturating_sub(2)..(held.segment + 3).min(self.links.len());
            held.segment = nearest_segment(&self.state.positions, at, near);
            let (k, positions) = (held.segment, &mut self.state.positions);
            let (t, off) = on_segment(positions[k], positions[k + 1], at);
            let [first, last] = [self.inverse_masses[k], self.inverse_masses[k + 1]];
            let (a, b) = (first * (1.0 - t), last * t);
            // Beside an end that is held, the other particle would have to go far.
            let weight = (a * (1.0 - t) + b * t).max(0.25 * first.max(last));
            if weight > 0.0 {
                positions[k] += off * (a / weight);
                positions[k + 1] += off * (b / weight);
            }
        }
    }

    /// Pushes particles out of bones and into the skin.
    pub fn collide(&mut self, step: &Step) {
        let bones = std::mem::take(&mut self.bones);
        bones.iter().for_each(|bone| bone.push(self, step));
        self.bones = bones;
        if let Some(mut skin) = self.skin.take() {
            skin.contain(self);
            self.skin = Some(skin);
        }
    }

    /// Velocities are what was moved.
    pub fn finish(&mut self, step: &Step) {
        for ((velocity, position), before) in
            self.state.velocities.iter_mut().zip(&self.state.positions).zip(&self.before)
        {
            *velocity = (position - before) / step.seconds;
        }
    }

    /// Keeps the state aside, for a step that is only shown.
    pub fn keep(&mut self) {
        self.kept.copy_from(&self.state);
    }

    /// Goes back to what was kept.
    pub fn go_back(&mut self) {
        std::mem::swap(&mut self.state, &mut self.kept);
    }

    /// Gives the field the axis that is to be shown.
    pub fn show(&mut self, tone: &Tone) {
        let frames = &self.state.frames;
        let turned = |at: &Held, normal: DVec3| frames[at.slot].transform_vector3(normal);
        let normals =
            [turned(&self.path[0], self.normals[0]), turned(&self.path[self.path.len() - 1], self.normals[1])];
        self.field.update(&self.state.positions, normals, tone);
    }

    /// Kinetic and elastic energy, in the units of the muscle's volume for its mass.
    pub fn energy(&self) -> f64 {
        let moving = |k: usize| match self.inverse_masses[k] {
            w if w > 0.0 => 0.5 * self.state.velocities[k].length_squared() / w,
            _ => 0.0,
        };
        let kinetic: f64 = (0..self.inverse_masses.len()).map(moving).sum();
        let elastic = |(k, link): (usize, &Link)| {
            let stiffness = if link.is_tendon { TENDON_STIFFNESS } else { self.stiffness };
            let compliance = link.softness * (1.0 / stiffness - 1.0) * STEP * STEP;
            let stretch = self.state.positions[k].distance(self.state.positions[k + 1]) - link.rest_length;
            if compliance > 0.0 { 0.5 * stretch * stretch / compliance } else { 0.0 }
        };
        kinetic + self.links.iter().enumerate().map(elastic).sum::<f64>()
    }
}

/// Zero for the ends; for all others by their share of the volume, which goes by the radius \[R18 §5.2.1\].
fn inverse_masses(field: &MuscleField, count: usize) -> Vec<f64> {
    let radius = |k: usize| field.radius(k as f64 / (count - 1) as f64).value;
    let mean = (1..count - 1).map(radius).sum::<f64>() / (count - 2).max(1) as f64;
    let weights: Vec<f64> = (1..count - 1).map(|k| radius(k).max(LIGHTEST * mean)).collect();
    let total: f64 = weights.iter().sum();
    let mut inverse: Vec<f64> = weights.iter().map(|weight| total / (weight * field.nominal_volume())).collect();
    inverse.insert(0, 0.0);
    inverse.push(0.0);
    inverse
}

fn place(held: &Held, frames: &[DAffine3]) -> DVec3 {
    frames[held.slot].transform_point3(held.position)
}

/// The share of a segment that is nearest to a point, and what leads from there to the point.
pub(super) fn on_segment(start: DVec3, end: DVec3, point: DVec3) -> (f64, DVec3) {
    let along = end - start;
    let squared = along.length_squared();
    let t = if squared > 0.0 { ((point - start).dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (t, point - (start + t * along))
}

/// The segment of a range that is nearest to a point.
pub(super) fn nearest_segment(positions: &[DVec3], point: DVec3, range: std::ops::Range<usize>) -> usize {
    let distance = |k: usize| on_segment(positions[k], positions[k + 1], point).1.length_squared();
    let start = range.start;
    range.map(|k| (distance(k), k)).fold((f64::INFINITY, start), |a, b| if b.0 < a.0 { b } else { a }).1
}
