//! The separation of the two sides of a bend, and the trial whether it helps.
//!
//! The contact plane suits a limb that bends as a hinge does. Whether a joint is one is tried out when the deformer is
//! built: it is bent as far as [`TRIAL_BEND`], and its sides are parted in motion only if that takes away most of the
//! intersections that a search over the triangles around it finds.

use super::change::Steps;
use super::correction::volume_of;
use super::frame::{JointBones, JointFrame};
use super::rest::{BoneLine, RestSurface};
use crate::contact::BendSides;
use glam::{DVec3, Vec3};
use sinew_geometry::curve::smoothstep;
use sinew_geometry::{Face, SelfIntersections, Topology};
use sinew_rig::Character;
use std::collections::HashMap;

/// The vertices that a bend may bring into contact.
pub(super) struct BendSeparation {
    /// Welded vertices that may be pushed, then those around them.
    vertices: Vec<u32>,
    pushable: usize,
    /// For each pushable vertex, how far a push counts: less at the rim and off the limb.
    fade: Vec<f64>,
    faces: Vec<Face>,
    sides: BendSides,
    radius: f64,
    /// How much of a push is done, 0 to 1.
    strength: f64,
    points: Vec<DVec3>,
    start: Vec<DVec3>,
    contact: Vec<f64>,
    /// How far each pushable vertex was pushed, in the world.
    pushed: Vec<DVec3>,
}

/// Gives the vertices that are wanted.
type Around<'a> = dyn Fn(&dyn Fn(u32) -> bool) -> Vec<u32> + 'a;

/// The limb of a joint at rest.
pub(super) struct BendLimb<'a> {
    pub bone: BoneLine,
    pub radius: f64,
    /// The weight of a vertex on the far side of the joint.
    pub share: &'a dyn Fn(u32) -> f64,
    /// Its weight on the two bones that meet.
    pub share_of_both: &'a dyn Fn(u32) -> f64,
    /// The vertices around the joint that are wanted.
    pub around: &'a Around<'a>,
}

/// The bend in degrees at which a joint is tried out.
const TRIAL_BEND: f64 = 120.0;

/// How far from the joint vertices are pushed, in limb radii and as a share of the way to the next joint.
const PUSH_REACH: [f64; 2] = [4.0, 0.9];

/// The farthest that a vertex is pushed, in limb radii.
const MAX_PUSH: f64 = 0.95;

/// How much of a push begins or ends in a second.
const ENGAGE_PER_SECOND: f64 = 8.0;

/// The distance that the two sides keep from their plane, in limb radii.
const MARGIN: f64 = 0.01;

impl BendSeparation {
    /// Prepares a joint; none where parting does not help.
    pub fn new(rest: &RestSurface<'_>, character: &Character, bones: &JointBones, limb: BendLimb<'_>) -> Option<Self> {
        let BendLimb { bone, radius, share, share_of_both, around } = limb;
        let reach = (PUSH_REACH[0] * radius).min((PUSH_REACH[1] * bone.length).max(1.5 * radius));
        let fade = |v: u32| {
            let away = rest.points[v as usize].distance(bone.center) / reach;
            let painted = rest.paint.get(v as usize).copied().unwrap_or(1.0);
            painted * smoothstep((1.0 - away) / 0.3) * smoothstep(2.0 * share_of_both(v) - 1.0)
        };
        let pushable = around(&|v| fade(v) > 0.0);
        let closed = &rest.surface.closed;
        let mut faces: Vec<u32> = pushable.iter().flat_map(|&v| rest.faces_at.of(v)).copied().collect();
        faces.sort_unstable();
        faces.dedup();
        // A rim that is pushed would move its cap; limbs end in caps only far from a bend.
        if faces.iter().any(|&f| closed.faces()[f as usize].corners().iter().any(|&v| closed.rim_of(v).is_some())) {
            return None;
        }
        let mut vertices = pushable.clone();
        let mut number: HashMap<u32, u32> = vertices.iter().enumerate().map(|(k, &v)| (v, k as u32)).collect();
        for &v in faces.iter().flat_map(|&f| closed.faces()[f as usize].corners()) {
            number.entry(v).or_insert_with(|| {
                vertices.push(v);
                vertices.len() as u32 - 1
            });
        }
        let rest_world = character.skeleton.rest_world();
        let rest_frame = bones.frame(&rest_world);
        let in_frame = |v: u32| rest_frame.axes.transpose() * (rest.points[v as usize] - rest_frame.center);
        let rest_points: Vec<DVec3> = pushable.iter().map(|&v| in_frame(v)).collect();
        let shares: Vec<f64> = pushable.iter().map(|&v| share(v)).collect();
        let mut separation = Self {
            sides: BendSides::new(&rest_points, &shares, rest_frame.bend, radius),
            fade: pushable.iter().map(|&v| fade(v)).collect(),
            faces: faces.iter().map(|&f| closed.faces()[f as usize].map(|v| number[&v])).collect(),
            pushable: pushable.len(),
            radius,
            strength: 1.0,
            points: vec![DVec3::ZERO; vertices.len()],
            start: vec![DVec3::ZERO; vertices.len()],
            contact: vec![0.0; pushable.len()],
            pushed: vec![DVec3::ZERO; pushable.len()],
            vertices,
        };
        let helps = separation.helps(rest, character, bones);
        separation.reset();
        helps.then_some(separation)
    }

    /// Whether parting takes away most intersections of a sharp bend.
    fn helps(&mut self, rest: &RestSurface<'_>, character: &Character, bones: &JointBones) -> bool {
        let rest_world = character.skeleton.rest_world();
        let joint = bones.joint();
        let mut pose = character.rest_pose();
        let angle = TRIAL_BEND.to_radians() - bones.frame(&rest_world).bend;
        if angle <= 0.0 || self.pushable == 0 {
            return false;
        }
        pose.joints[joint].rotation *= bones.bend(&rest_world, angle);
        let mut world = rest_world.clone();
        character.skeleton.world(&pose, &mut world);
        let steps = Steps { skeleton: &character.skeleton, pose: &pose, world: &world };
        let motions = rest.surface.motions(|j| steps.world[j]);
        let at = |v: u32| rest.surface.place(v, &pose.morphs, &motions);
        let frame = bones.frame(&world);
        self.run(&frame, at);
        let rest_positions: Vec<Vec3> = self.vertices.iter().map(|&v| rest.points[v as usize].as_vec3()).collect();
        let mut search = SelfIntersections::new(&Topology::new(&rest_positions, &self.faces), &rest_positions);
        let mut count = |points: &[DVec3]| {
            let positions: Vec<Vec3> = points.iter().map(|p| p.as_vec3()).collect();
            search.count(&positions)
        };
        let (found, left) = (count(&self.start), count(&self.points));
        found > 0 && 2 * left <= found
    }

    /// Ends the separation at once.
    pub fn reset(&mut self) {
        self.strength = 0.0;
        self.pushed.fill(DVec3::ZERO);
        self.contact.fill(0.0);
    }

    /// Begins or ends the separation, where the base skin intersects itself or not; gradually in a clip.
    pub fn engage(&mut self, is_intersecting: bool, delta_seconds: f64) {
        let step = if delta_seconds > 0.0 { ENGAGE_PER_SECOND * delta_seconds } else { 1.0 };
        self.strength = (self.strength + if is_intersecting { step } else { -step }).clamp(0.0, 1.0);
    }

    /// Pushes the vertices apart, given where each welded vertex is. Returns the volume that this adds.
    pub fn run(&mut self, frame: &JointFrame, at: impl Fn(u32) -> DVec3) -> f64 {
        if self.strength == 0.0 {
            self.reset();
            return 0.0;
        }
        let into_frame = frame.axes.transpose();
        for (point, &vertex) in self.points.iter_mut().zip(&self.vertices) {
            *point = into_frame * (at(vertex) - frame.center);
        }
        self.start.copy_from_slice(&self.points);
        let pushable = &mut self.points[..self.pushable];
        // The sides know the limb at its rest size.
        pushable.iter_mut().for_each(|p| *p /= frame.scale);
        self.sides.separate(pushable, frame.bend, MARGIN * self.radius, &mut self.contact);
        let moved = pushable.iter_mut().zip(&self.start).zip(self.fade.iter().zip(&mut self.contact));
        for ((point, start), (fade, contact)) in moved {
            let fade = self.strength * fade;
            let push = fade * (*point * frame.scale - *start);
            // A push of any length ends within the limit, smoothly.
            let excess = (push.length() / (MAX_PUSH * self.radius * frame.scale)).powi(8);
            *point = *start + push / (1.0 + excess).powf(0.125);
            *contact *= fade;
        }
        let mut any = false;
        for (pushed, (is, was)) in self.pushed.iter_mut().zip(self.points.iter().zip(&self.start)) {
            any |= is != was;
            *pushed = frame.axes * (*is - *was);
        }
        if !any {
            return 0.0;
        }
        volume_of(&self.faces, &self.points, DVec3::ZERO) - volume_of(&self.faces, &self.start, DVec3::ZERO)
    }

    /// The vertices that may be pushed, with how far they were.
    pub fn pushed(&self) -> impl Iterator<Item = (u32, DVec3)> + '_ {
        self.vertices.iter().copied().zip(self.pushed.iter().copied())
    }

    /// The vertices that may be pushed.
    pub fn pushable(&self) -> &[u32] {
        &self.vertices[..self.pushable]
    }

    /// All vertices that a push depends on.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// The numbers of some vertices among the pushable ones.
    pub fn numbers(&self, vertices: &[u32]) -> Vec<Option<u32>> {
        let pushable = &self.vertices[..self.pushable];
        vertices.iter().map(|v| pushable.binary_search(v).ok().map(|k| k as u32)).collect()
    }

    /// How far a pushable vertex was pushed, and how much it is in contact.
    pub fn state(&self, number: u32) -> (DVec3, f64) {
        (self.pushed[number as usize], self.contact[number as usize])
    }
}
