//! Trials of hinges when the deformer is built.
//!
//! Not every joint between two limbs is one: a shoulder bends into the chest, and a robot's elbow is two pieces of tin.
//! So each is tried when it is made. The surface around it is bent in eight directions, once with the plain skin and
//! once with all that happens in a frame, and in directions in which more triangles cross then, it is not used. Then the
//! whole character is tried in the pose that its file has it in, which is often bent already.

use super::confidence::TrackedVertex;
use super::hinge::{DIRECTIONS, Hinge};
use super::model::{Posture, RestModel};
use super::track::{TrackedVertexState, gather, track};
use crate::contact::SelfIntersectionResolver;
use crate::skinning::{Motions, PointBlend, skin_point};
use glam::{DAffine3, DVec3, Vec3};
use sinew_geometry::{Face, SelfIntersections, Topology};
use sinew_rig::Skeleton;
use std::collections::HashSet;

/// The bends that are tried.
const ANGLES: [f64; 4] = [0.5, 1.0, 1.6, 2.3];

/// The largest bend of a joint, with what it has at rest.
const LARGEST_BEND: f64 = 2.5;

/// How far around the joint the surface is looked at, in radii of its seam.
const TRIAL_RADIUS: f64 = 4.0;

/// How much a hinge counts for bends in the directions that are tried, and how far points follow the fields then.
pub(super) fn try_hinge(
    hinge: &Hinge,
    model: &RestModel,
    skeleton: &Skeleton,
    is_linear: bool,
) -> [[f64; DIRECTIONS]; 2] {
    let mut trial = Trial::new(hinge, model, skeleton, is_linear);
    let (mut confidence, mut follow) = ([0.0; DIRECTIONS], [0.0; DIRECTIONS]);
    for (k, (confidence, follow)) in confidence.iter_mut().zip(&mut follow).enumerate() {
        let direction = hinge.bend_direction(k);
        let mut sums = [Some(0), Some(0)];
        for angle in ANGLES {
            trial.bend(hinge.bend(direction, angle.min(LARGEST_BEND - hinge.rest_bend())));
            let plain = trial.crossings();
            trial.hinge();
            let hinged = trial.resolved_crossings(plain);
            trial.follow();
            let followed = trial.resolved_crossings(plain);
            for (sum, count) in sums.iter_mut().zip([hinged, followed]) {
                *sum = sum.filter(|_| count <= plain).map(|sum| sum + count);
            }
            if sums == [None; 2] {
                break;
            }
        }
        (*confidence, *follow) = match sums {
            [None, None] => (0.0, 0.0),
            [Some(hinged), Some(followed)] if followed <= hinged => (1.0, 1.0),
            [Some(_), _] => (1.0, 0.0),
            [None, Some(_)] => (1.0, 1.0),
        };
    }
    [confidence, follow]
}

/// Rejects hinges that make triangles cross in a pose, which the plain skin keeps apart there.
pub(super) fn reject_hinges(model: &mut RestModel, posture: &Posture, skinned: &[Vec3], finished: &[Vec3]) {
    let rest: Vec<Vec3> = model.body.rest.iter().map(|p| p.as_vec3()).collect();
    let mut crossings = SelfIntersections::new(&Topology::new(&rest, &model.body.faces), &rest);
    let plain: HashSet<(u32, u32)> = crossings.pairs(skinned).iter().copied().collect();
    let found = crossings.pairs(finished).to_vec();
    let new = found.iter().filter(|pair| !plain.contains(pair)).flat_map(|&(a, b)| [a, b]);
    let corners = new.flat_map(|triangle| crossings.triangles()[triangle as usize].vertices);
    let moved: Vec<u32> = corners.filter(|&v| skinned[v as usize] != finished[v as usize]).collect();
    for (k, _) in moved.into_iter().flat_map(|v| model.members.row(v)) {
        if let (Some(hinge), Some(posed)) = (&mut model.hinges[*k as usize], &posture.hinges[*k as usize]) {
            hinge.reject(posed.towards);
        }
    }
}

/// The surface around a joint.
struct Trial<'a> {
    model: &'a RestModel,
    /// Points that are looked at, with their weight on the joint and those below.
    points: Vec<(u32, f64)>,
    /// Those of them that may follow the fields.
    tracked_vertices: Vec<TrackedVertex>,
    is_below: Vec<bool>,
    resolver: SelfIntersectionResolver,
    motions: Motions,
    posture: Posture,
    blend: PointBlend,
    states: Vec<TrackedVertexState>,
    skinned: Vec<Vec3>,
    start: Vec<DVec3>,
    places: Vec<DVec3>,
}

impl<'a> Trial<'a> {
    fn new(hinge: &Hinge, model: &'a RestModel, skeleton: &Skeleton, is_linear: bool) -> Self {
        let (body, limbs, joints) = (&model.body, &model.limbs, skeleton.joints());
        let root = limbs.all[hinge.limbs[0]].joint;
        let mut is_below = vec![false; joints.len()];
        (0..joints.len()).for_each(|j| is_below[j] = j == root || joints[j].parent.is_some_and(|p| is_below[p]));
        let is_near = |&i: &usize| body.rest[i].distance(hinge.center) < TRIAL_RADIUS * hinge.radius;
        let chosen: Vec<usize> = (0..body.len()).filter(is_near).collect();
        let mut is_chosen = vec![false; body.len()];
        chosen.iter().for_each(|&i| is_chosen[i] = true);
        let is_whole = |face: &&Face| face.corners().iter().all(|&v| is_chosen[v as usize]);
        let faces: Vec<Face> = body.faces.iter().filter(is_whole).copied().collect();
        let share = |&i: &usize| {
            let row = body.influences.row(i as u32).iter();
            let below = row.filter(|(joint, _)| is_below[*joint as usize]).map(|(_, weight)| weight);
            (i as u32, below.sum())
        };
        Self {
            model,
            points: chosen.iter().map(share).collect(),
            tracked_vertices: model.tracked_vertices.iter().filter(|f| is_chosen[f.point as usize]).copied().collect(),
            is_below: limbs.all.iter().map(|limb| is_below[limb.joint]).collect(),
            resolver: SelfIntersectionResolver::new(&model.body, &faces, |point| model.thickness(point)),
            motions: Motions::new(2),
            posture: Posture::new(limbs.all.len()),
            blend: if is_linear { PointBlend::Linear } else { PointBlend::DualQuaternion },
            states: Vec::new(),
            skinned: vec![Vec3::ZERO; body.len()],
            start: vec![DVec3::ZERO; body.len()],
            places: vec![DVec3::ZERO; body.len()],
        }
    }

    /// Moves the limb below as the plain skin does.
    fn bend(&mut self, motion: DAffine3) {
        let Self { posture, is_below, motions, .. } = self;
        posture.follow(self.model, |limb| if is_below[limb] { motion } else { DAffine3::IDENTITY });
        motions.set((0..).zip([motion, DAffine3::IDENTITY]), true);
        for &(i, below) in &self.points {
            let mut shares = [(0, below), (1, 1.0 - below)];
            shares.sort_by(|a, b| b.1.total_cmp(&a.1));
            let place = skin_point(self.model.body.rest[i as usize], &shares, motions, self.blend);
            (self.places[i as usize], self.skinned[i as usize]) = (place, place.as_vec3());
        }
    }

    /// Puts points to where the hinge has them.
    fn hinge(&mut self) {
        for &(i, _) in &self.points {
            let place = &mut self.places[i as usize];
            *place = self.posture.settle(self.model, i as usize, *place).0;
            self.start[i as usize] = *place;
        }
    }

    /// Lets them follow the fields from there.
    fn follow(&mut self) {
        let Self { model, posture, skinned, places, start, states, .. } = self;
        self.points.iter().for_each(|&(i, _)| places[i as usize] = start[i as usize]);
        gather(model, posture, self.tracked_vertices.iter(), states);
        track(&model.body, model.fields.posed(&posture.back), states, skinned, start, places, false);
    }

    /// The triangles that cross.
    fn crossings(&mut self) -> usize {
        self.resolver.count(&self.places)
    }

    /// The same, after they are resolved if there are more than so many.
    fn resolved_crossings(&mut self, most: usize) -> usize {
        let count = self.crossings();
        if count <= most {
            return count;
        }
        let Self { model, posture, resolver, places, .. } = self;
        let half_spaces = |point: u32| posture.constraint(model, point as usize).half_spaces;
        resolver.resolve(&model.body, places, |_| true, |_, _| true, half_spaces);
        self.crossings()
    }
}
