//! What keeps a strand out of bones, and inside the skin?
//!
//! A bone with the distance field f keeps a particle of the radius D outside: `f(p) − D ≥ 0`; the skin keeps
//! it inside: `f(p) ≤ 0` \[R18 §5.3\]. Both are rigid, and move a particle along the gradient. D is the radius
//! of the muscle there, but never more than there is room at rest: where a muscle lies closer to a bone than
//! it is thick, or reaches out of the skin, that is how it was made.
//!
//! A bone takes away a share η of what a particle has slid over it in the step. A skin's field is costly, so
//! how deep a particle was is remembered, and the field is looked at again once it may have come out.

use super::layout::at_share;
use super::strand::{Step, Strand};
use crate::field::{Capsule, DistanceField, Sample};
use crate::muscle::{Bone, BoneShape};
use glam::{DAffine3, DVec3};
use std::sync::Arc;

/// How much steeper than a distance a skin's field may be.
const STEEPEST: f64 = 1.5;

/// How much flatter than a distance a field may be to be trusted.
const FLATTEST: f64 = 0.5;

/// A bone that a strand slides over.
#[derive(Clone)]
pub(super) struct StrandBone {
    slot: usize,
    shape: BoneShape,
}

impl StrandBone {
    pub fn new(slot: usize, bone: &Bone) -> Self {
        Self { slot, shape: bone.shape.clone() }
    }

    /// Its field in the world, for particles of this step.
    fn placed(&self, frame: &DAffine3) -> Placed<'_> {
        match &self.shape {
            BoneShape::Capsule(capsule) => Placed::Capsule(Capsule {
                start: frame.transform_point3(capsule.start),
                end: frame.transform_point3(capsule.end),
                radius: capsule.radius,
            }),
            BoneShape::Field(field) => Placed::Field(field.as_ref(), *frame, frame.inverse()),
        }
    }

    /// Pushes particles out, and says whether there were any.
    pub fn push(&self, strand: &mut Strand, step: &Step) -> bool {
        let mut has_pushed = false;
        let placed = self.placed(&strand.state.frames[self.slot]);
        let carry = strand.state.frames[self.slot] * strand.frames_before[self.slot].inverse();
        for k in 1..strand.state.positions.len() - 1 {
            if strand.inverse_masses[k] == 0.0 {
                continue;
            }
            let position = &mut strand.state.positions[k];
            let Sample { value, gradient } = placed.distance(*position);
            let missing = strand.radii[k] - value;
            if missing <= 0.0 {
                continue;
            }
            has_pushed = true;
            *position += way(gradient, missing);
            let slid = *position - carry.transform_point3(strand.before[k]);
            *position -= step.friction * (slid - way(gradient, slid.dot(gradient)));
        }
        has_pushed
    }

    /// How deep the deepest particle is in the bone.
    pub fn depth(&self, strand: &Strand) -> f64 {
        let placed = self.placed(&strand.state.frames[self.slot]);
        strand.free().map(|k| -placed.distance(strand.state.positions[k]).value).fold(0.0, f64::max)
    }
}

enum Placed<'a> {
    Capsule(Capsule),
    Field(&'a dyn DistanceField, DAffine3, DAffine3),
}

impl Placed<'_> {
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
pub(in crate::muscle) fn way(gradient: DVec3, amount: f64) -> DVec3 {
    gradient * (amount / gradient.length_squared().max(FLATTEST * FLATTEST))
}

/// A field of the bind pose, moved.
fn in_world(field: &dyn DistanceField, to_world: &DAffine3, to_rest: &DAffine3, point: DVec3) -> Sample {
    let Sample { value, gradient } = field.distance(to_rest.transform_point3(point));
    Sample { value, gradient: to_world.transform_vector3(gradient) }
}

/// The part of the skin that a strand stays in.
#[derive(Clone)]
pub(super) struct StrandSkin {
    slot: usize,
    field: Arc<dyn DistanceField + Send + Sync>,
    /// How far outside the muscle is at rest, at even shares of its axis.
    rest_excess: Vec<f64>,
    /// How far outside each particle may therefore be, in this frame.
    slack: Vec<f64>,
    /// Where each particle was when the field was looked at last, in the bind pose, and how far it may go.
    looked: Vec<(DVec3, f64)>,
}

impl StrandSkin {
    pub fn new(slot: usize, field: Arc<dyn DistanceField + Send + Sync>, rest: &[DVec3]) -> Self {
        let rest_excess: Vec<f64> = rest.iter().map(|&p| field.distance(p).value.max(0.0)).collect();
        Self { slot, field, slack: rest_excess.clone(), rest_excess, looked: vec![(DVec3::ZERO, 0.0); rest.len()] }
    }

    /// Notes at which share of the axis a particle is.
    pub fn slide(&mut self, particle: usize, share: f64) {
        self.slack[particle] = at_share(&self.rest_excess, share);
    }

    /// Looks at the field anew.
    pub fn forget(&mut self) {
        self.looked.fill((DVec3::ZERO, 0.0));
    }

    /// Pushes particles in, and says whether there were any.
    pub fn contain(&mut self, strand: &mut Strand) -> bool {
        let mut has_pushed = false;
        let to_world = strand.state.frames[self.slot];
        let to_rest = to_world.inverse();
        for k in 1..strand.state.positions.len() - 1 {
            if strand.inverse_masses[k] == 0.0 {
                continue;
            }
            let at = to_rest.transform_point3(strand.state.positions[k]);
            let (then, room) = self.looked[k];
            if at.distance_squared(then) < room * room {
                continue;
            }
            let Sample { value, gradient } = self.field.distance(at);
            let excess = value - self.slack[k];
            self.looked[k] = (at, (-excess / STEEPEST).max(0.0));
            if excess > 0.0 {
                has_pushed = true;
                strand.state.positions[k] = to_world.transform_point3(at - way(gradient, excess));
            }
        }
        has_pushed
    }

    /// How far outside the farthest particle is, beyond its slack.
    pub fn excess(&self, strand: &Strand) -> f64 {
        let to_rest = strand.state.frames[self.slot].inverse();
        let excess =
            |k: usize| self.field.distance(to_rest.transform_point3(strand.state.positions[k])).value - self.slack[k];
        strand.free().map(excess).fold(0.0, f64::max)
    }
}
