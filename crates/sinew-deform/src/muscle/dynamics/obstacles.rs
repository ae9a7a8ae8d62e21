//! The obstacles of a particle chain: bones that it stays outside, and the skin that it stays inside.
//!
//! A bone with the distance field f keeps a particle of the radius D outside: `f(p) − D ≥ 0`; the skin keeps
//! it inside: `f(p) ≤ 0` \[R18 §5.3\]. Both are rigid, and move a particle along the gradient. D is the radius
//! of the muscle there, but never more than there is room at rest: where a muscle lies closer to a bone than
//! it is thick, or reaches out of the skin, that is how it was made.
//!
//! A bone takes away a share η of what a particle has slid over it in the step.
//!
//! R18's skin is rigid with one bone, but most muscles cross a joint, and behind it the rigid skin is elsewhere.
//! So ours is where any of the joints that hold the muscle carries it, which in a bent limb is both its halves
//! with what they share. A skin's field is costly, so how deep a particle was is remembered, and the field is
//! evaluated again once it may have come out.

use super::clock::Step;
use super::layout::at_share;
use super::particles::Particles;
use crate::muscle::{Bone, BoneShape};
use glam::{DAffine3, DVec3};
use sinew_field::{Capsule, DistanceField, Sample};
use std::sync::Arc;

/// The largest gradient of a skin's field, where that of a distance is 1.
const MAX_GRADIENT: f64 = 1.5;

/// The least gradient of a field whose direction is used, where that of a distance is 1.
const MIN_GRADIENT: f64 = 0.5;

/// A bone that a chain slides over.
#[derive(Clone)]
pub(super) struct BoneObstacle {
    slot: usize,
    shape: BoneShape,
}

impl BoneObstacle {
    pub fn new(slot: usize, bone: &Bone) -> Self {
        Self { slot, shape: bone.shape.clone() }
    }

    /// Its field in the world, for particles of this step.
    fn placed(&self, frame: &DAffine3) -> PosedBone<'_> {
        match &self.shape {
            BoneShape::Capsule(capsule) => PosedBone::Capsule(Capsule {
                start: frame.transform_point3(capsule.start),
                end: frame.transform_point3(capsule.end),
                radius: capsule.radius,
            }),
            BoneShape::Field(field) => PosedBone::Field(field.as_ref(), *frame, frame.inverse()),
        }
    }

    /// Pushes particles out; returns whether there were any inside.
    pub fn push(&self, particles: &mut Particles, step: &Step) -> bool {
        let mut has_pushed = false;
        let placed = self.placed(&particles.state.frames[self.slot]);
        let carry = particles.state.frames[self.slot] * particles.frames_before[self.slot].inverse();
        for k in 1..particles.state.positions.len() - 1 {
            if particles.inverse_masses[k] == 0.0 {
                continue;
            }
            let position = &mut particles.state.positions[k];
            let Sample { value, gradient } = placed.distance(*position);
            let missing = particles.radii[k] - value;
            if missing <= 0.0 {
                continue;
            }
            has_pushed = true;
            *position += gradient_step(gradient, missing);
            let slid = *position - carry.transform_point3(particles.before[k]);
            *position -= step.friction * (slid - gradient_step(gradient, slid.dot(gradient)));
        }
        has_pushed
    }

    /// How deep the deepest particle is in the bone.
    pub fn depth(&self, particles: &Particles) -> f64 {
        let placed = self.placed(&particles.state.frames[self.slot]);
        particles.free().map(|k| -placed.distance(particles.state.positions[k]).value).fold(0.0, f64::max)
    }
}

enum PosedBone<'a> {
    Capsule(Capsule),
    Field(&'a dyn DistanceField, DAffine3, DAffine3),
}

impl PosedBone<'_> {
    #[inline]
    fn distance(&self, point: DVec3) -> Sample {
        match self {
            Self::Capsule(capsule) => capsule.distance(point),
            Self::Field(field, to_world, to_rest) => in_world(*field, to_world, to_rest, point),
        }
    }
}

/// What changes a field by an amount, along its gradient. Where that is much shorter than a distance's it
/// leads nowhere, as halfway between two legs, and little is done.
pub(in crate::muscle) fn gradient_step(gradient: DVec3, amount: f64) -> DVec3 {
    gradient * (amount / gradient.length_squared().max(MIN_GRADIENT * MIN_GRADIENT))
}

/// A field of the bind pose, moved.
fn in_world(field: &dyn DistanceField, to_world: &DAffine3, to_rest: &DAffine3, point: DVec3) -> Sample {
    let Sample { value, gradient } = field.distance(to_rest.transform_point3(point));
    Sample { value, gradient: to_world.transform_vector3(gradient) }
}

/// The skin that a chain stays in.
#[derive(Clone)]
pub(super) struct SkinBoundary {
    /// The joints that carry it: that of the part, and those that hold the chain.
    carriers: Vec<usize>,
    field: Arc<dyn DistanceField + Send + Sync>,
    /// How far outside the muscle is at rest, at even shares of its axis.
    rest_excess: Vec<f64>,
    /// How far outside each particle may therefore be, in this frame.
    slack: Vec<f64>,
    cached: Vec<CachedDepth>,
    /// The transform from the world to the bind pose by each carrier.
    to_rest: Vec<DAffine3>,
}

/// The position of a particle relative to the skin.
#[derive(Debug, Clone, Copy, Default)]
struct CachedDepth {
    /// The number of the carrier in whose skin it was, and where there.
    carrier: usize,
    at: DVec3,
    /// How far it may go and stay inside.
    room: f64,
}

impl SkinBoundary {
    /// A skin that moves with joints, given by their slots. The first is asked first.
    pub fn new(carriers: Vec<usize>, field: Arc<dyn DistanceField + Send + Sync>, rest: &[DVec3]) -> Self {
        let rest_excess: Vec<f64> = rest.iter().map(|&p| field.distance(p).value.max(0.0)).collect();
        Self {
            field,
            slack: rest_excess.clone(),
            rest_excess,
            cached: vec![CachedDepth::default(); rest.len()],
            to_rest: vec![DAffine3::IDENTITY; carriers.len()],
            carriers,
        }
    }

    /// Notes at which share of the axis a particle is.
    pub fn slide(&mut self, particle: usize, share: f64) {
        self.slack[particle] = at_share(&self.rest_excess, share);
    }

    /// Evaluates the field again.
    pub fn forget(&mut self) {
        self.cached.fill(CachedDepth::default());
    }

    /// Pushes particles in; returns whether there were any outside.
    pub fn contain(&mut self, particles: &mut Particles) -> bool {
        let mut has_pushed = false;
        for (&slot, to_rest) in self.carriers.iter().zip(&mut self.to_rest) {
            *to_rest = particles.state.frames[slot].inverse();
        }
        for k in 1..particles.state.positions.len() - 1 {
            if particles.inverse_masses[k] == 0.0 {
                continue;
            }
            let place = particles.state.positions[k];
            let CachedDepth { carrier, at, room } = self.cached[k];
            if self.to_rest[carrier].transform_point3(place).distance_squared(at) < room * room {
                continue;
            }
            let (carrier, Sample { value, gradient }) =
                self.deepest(|carrier| self.to_rest[carrier].transform_point3(place), self.slack[k]);
            let (at, excess) = (self.to_rest[carrier].transform_point3(place), value - self.slack[k]);
            self.cached[k] = CachedDepth { carrier, at, room: (-excess / MAX_GRADIENT).max(0.0) };
            if excess > 0.0 {
                has_pushed = true;
                let frame = &particles.state.frames[self.carriers[carrier]];
                particles.state.positions[k] = place - frame.transform_vector3(gradient_step(gradient, excess));
            }
        }
        has_pushed
    }

    /// The first carrier in whose skin a place lies, or the one in whose skin it nearly does.
    fn deepest(&self, at: impl Fn(usize) -> DVec3, slack: f64) -> (usize, Sample) {
        let mut deepest = (0, self.field.distance(at(0)));
        for carrier in 1..self.carriers.len() {
            if deepest.1.value <= slack {
                break;
            }
            let sample = self.field.distance(at(carrier));
            if sample.value < deepest.1.value {
                deepest = (carrier, sample);
            }
        }
        deepest
    }

    /// How far outside the farthest particle is, beyond its slack.
    pub fn excess(&self, particles: &Particles) -> f64 {
        let excess = |k: usize| {
            let place = particles.state.positions[k];
            let at = |carrier: usize| particles.state.frames[self.carriers[carrier]].inverse().transform_point3(place);
            self.deepest(at, self.slack[k]).1.value - self.slack[k]
        };
        particles.free().map(excess).fold(0.0, f64::max)
    }
}
