//! A joint and the surface around it: where its correction may go, and the numbers to compute it with.

use super::change::Change;
use super::correction::{self, Buffers, Request};
use super::curve::Curve;
use super::frame::{JointBones, JointFrame};
use super::parting::{Limb, Parting};
use super::patch::{FacesAt, Patch};
use super::profile::{Moment, Shape};
use super::shell::Shell;
use super::smooth::Smooth;
use super::surface::PartSurface;
use crate::Result;
use crate::geometry::volume::signed_volume;
use crate::recipe::{GammaSource, Target, VolumeMethod, VolumeRecipe};
use crate::rig::{Character, Skeleton};
use glam::{DVec3, Vec3};

/// One shell around one joint.
pub(super) struct Region {
    pub joint: usize,
    pub part: usize,
    pub shell: u32,
    pub wave: usize,
    /// The shell's place in the stage.
    pub shell_index: usize,
    /// The faces that the joint bends.
    pub change: Change,
    /// The vertices that its correction may move.
    pub patch: Patch,
    /// For each movable vertex, what γ is multiplied by in every pose.
    pub mask: Vec<f64>,
    /// For each movable vertex its weight on the far side of the joint.
    shares: Vec<f64>,
    /// The limb's radius at rest.
    pub radius: f64,
    /// −1 for a shell that is inside out, else 1.
    orientation: f64,
    pub shape: Shape,
    /// Faces that the joint bends or corrects.
    local_faces: Vec<u32>,
    /// `|ΔV|` at the profile's largest bend.
    pub largest_change: f64,
    /// What keeps the two sides of the bend apart, with the number there of each vertex of the patch.
    pub parting: Option<(Parting, Vec<Option<u32>>)>,
    /// For the method "laplacian".
    smooth: Option<Smooth>,
    pub scratch: Scratch,
}

/// What a region computes with in a frame.
pub(super) struct Scratch {
    /// `ΔV` of the base skin.
    pub delta: f64,
    /// Volume that the region could not take within its limit.
    pub left: f64,
    /// The limb's radius in this frame.
    pub radius: f64,
    /// How far each movable vertex was moved.
    pub moved: Vec<DVec3>,
    points: Vec<DVec3>,
    start: Vec<DVec3>,
    gamma: Vec<f64>,
    /// γ without the profile, for what the profile cannot take.
    wide: Vec<f64>,
    buffers: Buffers,
}

/// Which region it is.
pub(super) struct Key {
    pub part: usize,
    pub shell: u32,
    pub joint: usize,
    /// The shell's place in the stage.
    pub shell_index: usize,
    /// −1 for a shell that is inside out, else 1.
    pub orientation: f64,
}

/// What holds for all regions.
pub(super) struct Settings {
    method: VolumeMethod,
    from_profile: bool,
    /// Whether all that is lost is to be given back, exactly.
    pub is_total: bool,
    target: Option<Curve>,
}

impl Settings {
    pub fn new(recipe: &VolumeRecipe) -> Self {
        let target = match &recipe.target {
            Target::Constant(share) => Curve::new(&[[0.0, *share]]),
            Target::Curve(points) => Curve::new(points),
        };
        Self {
            method: recipe.method,
            from_profile: recipe.gamma == GammaSource::Profile,
            is_total: recipe.method != VolumeMethod::Linear,
            target,
        }
    }

    /// The volume to have at a time, as a share of the rest volume.
    pub fn target(&self, seconds: f64) -> f64 {
        self.target.as_ref().map_or(1.0, |curve| curve.at(seconds))
    }
}

/// The farthest that one region moves a vertex along one axis, in limb radii: by its profile, and where it may at all.
const STEP_LIMITS: [f64; 2] = [0.35, 0.2];

/// How much farther than all axes together an axis may move a vertex, before it leaves its share to the others.
const BALANCE: f64 = 2.0;

/// Rest coordinates of a part, in the world of the bind pose.
pub(super) struct RestSurface<'a> {
    pub surface: &'a PartSurface,
    pub faces_at: &'a FacesAt,
    pub points: &'a [DVec3],
    /// The area around each welded vertex.
    pub areas: &'a [f64],
    /// What a painted attribute multiplies γ by, for each welded vertex; empty for none.
    pub paint: &'a [f64],
}

/// The line of a joint's bone at rest.
#[derive(Clone, Copy)]
pub(super) struct Bone {
    pub center: DVec3,
    pub direction: DVec3,
    /// How far it is to the next joint.
    pub length: f64,
}

/// A cut of the profile in the rest pose, in multiples of its reach: it keeps what only comes near in some pose
/// out, such as a hand at the shoulder.
const REST_REACH: f64 = 1.15;

/// The farthest that a correction reaches along a bone, as a share of its length.
const REACH_OF_BONE: f64 = 0.5;

/// γ below this moves nothing that one could see.
const NEGLIGIBLE: f64 = 1e-4;

/// The least reach in limb radii, for bones that are shorter than thick.
const NEAREST_REACH: f64 = 1.6;

impl Region {
    pub fn new(
        rest: &RestSurface<'_>,
        character: &Character,
        bones: &JointBones,
        bone: Bone,
        Key { part, shell, joint, shell_index, orientation }: Key,
        mixed_faces: &[u32],
        recipe: &VolumeRecipe,
    ) -> Result<Self> {
        let surface = rest.surface;
        let skeleton = &character.skeleton;
        let kinship = Kinship::new(skeleton, joint);
        let change = Change::new(surface, joint, mixed_faces, &kinship.below);
        let share = |v: u32| {
            let inside = surface.influences(v).iter().filter(|(slot, _)| kinship.below[surface.joints[*slot as usize]]);
            inside.map(|(_, weight)| weight).sum::<f64>()
        };
        let radius = limb_radius(rest, &change, bone, share);
        let shape = Shape::new(recipe.profile_of(&skeleton.joints()[joint].name));
        let from_weights = |v: u32| weight_gamma(share(v), recipe);
        // Far enough from the next joints to leave them their own volume, unless somebody wants it otherwise.
        let room = (REACH_OF_BONE * bone.length).max(radius * NEAREST_REACH);
        let reach = REST_REACH * shape.reach() * radius;
        let reach = if shape.profile.is_sized { reach } else { reach.min(room) };
        let from_place = |v: u32| {
            let kin = surface.influences(v).iter().filter(|(slot, _)| kinship.is_kin(surface.joints[*slot as usize]));
            let kin: f64 = kin.map(|(_, weight)| weight).sum();
            let distance = rest.points[v as usize].distance(bone.center) / reach;
            if distance < 1.0 { kin * (1.0 - distance * distance).powi(2) } else { 0.0 }
        };
        let painted = |v: u32| rest.paint.get(v as usize).copied().unwrap_or(1.0);
        let mask_of =
            |v: u32| painted(v) * if recipe.gamma == GammaSource::Profile { from_place(v) } else { from_weights(v) };
        let movable = connected(rest, change.vertices(), |v| mask_of(v) > NEGLIGIBLE);
        let patch = Patch::new(&surface.closed, rest.faces_at, &movable);
        let count = patch.len();
        let limb = bones.limb(skeleton, &kinship.below);
        let limb_share = |v: u32| {
            let on_limb = surface.influences(v).iter().filter(|(slot, _)| limb[surface.joints[*slot as usize]]);
            on_limb.map(|(_, weight)| weight).sum::<f64>()
        };
        let around = |wanted: &dyn Fn(u32) -> bool| connected(rest, change.vertices(), wanted);
        let has_contacts = recipe.contacts && radius > 0.0;
        let parting = has_contacts
            .then(|| {
                let limb = Limb { bone, radius, share: &share, share_of_both: &limb_share, around: &around };
                Parting::new(rest, character, bones, limb)
            })
            .flatten()
            .map(|parting| {
                let numbers = parting.numbers(patch.vertices());
                (parting, numbers)
            });
        let is_smooth = recipe.method == VolumeMethod::Laplacian;
        let smooth = is_smooth.then(|| Smooth::new(&patch, recipe.smoothness)).transpose()?;
        Ok(Self {
            joint,
            part,
            shell,
            wave: 0,
            shell_index,
            local_faces: local_faces(rest, mixed_faces, &movable),
            change,
            mask: by_area(rest, &movable, mask_of),
            shares: movable.iter().map(|&v| share(v)).collect(),
            radius,
            orientation,
            shape,
            largest_change: f64::INFINITY,
            scratch: Scratch {
                delta: 0.0,
                left: 0.0,
                radius: 0.0,
                moved: vec![DVec3::ZERO; movable.len()],
                points: vec![DVec3::ZERO; count],
                start: vec![DVec3::ZERO; count],
                gamma: vec![0.0; movable.len()],
                wide: vec![0.0; movable.len()],
                buffers: Buffers::new(&patch),
            },
            parting,
            smooth,
            patch,
        })
    }

    /// Moves the region's vertices so that the volume changes by what the joint's bend took.
    pub fn correct(
        &mut self,
        frame: &JointFrame,
        part: &PartSurface,
        shell: &Shell,
        positions: &[Vec3],
        settings: &Settings,
        delta_seconds: f64,
    ) {
        let shares = shares_at(self.shape.profile.shares, frame.certainty);
        let Scratch { delta, left, radius: current, moved, points, start, gamma, wide, buffers } = &mut self.scratch;
        let radius = self.radius * frame.scale;
        *current = radius;
        let mut volume = -*delta * self.shape.profile.amount;
        *left = volume;
        moved.fill(DVec3::ZERO);
        if radius <= 0.0 || self.patch.is_empty() {
            self.parting.iter_mut().for_each(|(parting, _)| parting.rest());
            return;
        }
        let at = |vertex: u32| positions[part.representative(vertex)].as_dvec3() + shell.displacement(vertex);
        if let Some((parting, _)) = &mut self.parting {
            parting.engage(shell.crosses(parting.pushable()), delta_seconds);
            volume -= parting.run(frame, at);
        }
        let into_frame = frame.axes.transpose();
        for (k, &vertex) in self.patch.vertices().iter().enumerate() {
            let number = self.parting.as_ref().and_then(|(parting, numbers)| Some(parting.state(numbers[k]?)));
            let (pushed, contact) = number.unwrap_or_default();
            points[k] = into_frame * (at(vertex) + pushed - frame.center);
            if let (Some(gamma), Some(mask)) = (gamma.get_mut(k), self.mask.get(k)) {
                let already = shell.displacement(vertex) + pushed;
                let room = (1.0 - already.length_squared() / (radius * radius)).max(0.0);
                *gamma = mask * room * room * (1.0 - contact);
            }
        }
        self.patch.close(points);
        start.copy_from_slice(points);
        let moment = Moment {
            certainty: frame.certainty,
            grows: volume * self.orientation > 0.0,
            bend: frame.bend,
            intensity: delta.abs() / self.largest_change,
        };
        if settings.from_profile {
            wide.copy_from_slice(gamma);
            for ((gamma, point), share) in gamma.iter_mut().zip(&*points).zip(&self.shares) {
                *gamma *= self.shape.gamma(*point / radius, *share, moment);
            }
        }
        let mut run = |points: &mut [DVec3], gamma: &[f64], volume: f64, limit: f64| {
            let request = Request { gamma, volume, limit: limit * radius, balance: BALANCE };
            match settings.method {
                VolumeMethod::Off => volume,
                VolumeMethod::Linear => correction::linear(&self.patch, points, request, shares, buffers),
                VolumeMethod::Exact => correction::exact(&self.patch, points, request, shares, buffers),
                VolumeMethod::Normal => correction::normal(&self.patch, points, request, buffers),
                VolumeMethod::Laplacian => match &mut self.smooth {
                    Some(smooth) => smooth.correct(&self.patch, points, request),
                    None => volume,
                },
            }
        };
        *left = run(points, gamma, volume, STEP_LIMITS[0]);
        if *left != 0.0 && settings.from_profile {
            *left = run(points, wide, *left, STEP_LIMITS[1]);
        }
        for (moved, (is, was)) in moved.iter_mut().zip(points.iter().zip(&*start)) {
            *moved = frame.axes * (*is - *was);
        }
    }

    /// All vertices that a correction of the region reads or moves.
    pub fn vertices(&self) -> impl Iterator<Item = u32> + '_ {
        let parted = self.parting.iter().flat_map(|(parting, _)| parting.vertices());
        self.patch.vertices().iter().chain(parted).copied()
    }

    /// γ of every movable vertex where it is, relative to the largest.
    pub fn gamma_at<'a>(
        &'a self,
        frame: &'a JointFrame,
        place: impl Fn(u32) -> DVec3 + 'a,
    ) -> impl Iterator<Item = (u32, f64)> + 'a {
        let moment = Moment { certainty: frame.certainty, grows: false, bend: 0.0, intensity: 0.5 };
        let (into_frame, radius) = (frame.axes.transpose(), self.radius * frame.scale);
        let gamma = move |((&vertex, mask), share): ((&u32, &f64), &f64)| {
            let point = into_frame * (place(vertex) - frame.center) / radius;
            (vertex, mask * self.shape.gamma(point, *share, moment))
        };
        let vertices = self.patch.movable().iter().zip(&self.mask).zip(&self.shares);
        let gamma: Vec<(u32, f64)> = vertices.map(gamma).collect();
        let largest = gamma.iter().map(|g| g.1).fold(0.0, f64::max);
        gamma.into_iter().map(move |(vertex, gamma)| (vertex, gamma / largest))
    }

    /// The volume between a point and the faces that the joint bends or corrects.
    pub fn local_volume(&self, part: &PartSurface, center: DVec3, at: impl Fn(u32) -> DVec3) -> f64 {
        let closed = &part.closed;
        let place = |v: u32| match closed.rim_of(v) {
            Some(rim) => rim.iter().map(|&v| at(v)).sum::<DVec3>() / rim.len() as f64,
            None => at(v),
        };
        let volume = |f: &u32| signed_volume(&closed.faces()[*f as usize], |v| place(v) - center);
        self.local_faces.iter().map(volume).sum()
    }
}

/// γ divided by the area around each vertex, relative to the mean. The norm `Σ A ‖u‖²/γ` is then that of the
/// surface and not that of its tessellation: vertices that stand close do not pull each other along.
pub(super) fn by_area(rest: &RestSurface<'_>, vertices: &[u32], gamma: impl Fn(u32) -> f64) -> Vec<f64> {
    let area = |v: u32| rest.areas[v as usize];
    let mean = vertices.iter().map(|&v| area(v)).sum::<f64>() / vertices.len() as f64;
    // A vertex without area has no gradient either.
    vertices.iter().map(|&v| gamma(v) * mean / area(v).max(1e-3 * mean)).collect()
}

/// The shares μ: without a direction of the bend, both directions across the bone have the same.
fn shares_at([along, across, inward]: [f64; 3], certainty: f64) -> [f64; 3] {
    let mean = 0.5 * (across + inward);
    [along, mean + certainty * (across - mean), mean + certainty * (inward - mean)]
}

/// The mixed faces and those at movable vertices.
fn local_faces(rest: &RestSurface<'_>, mixed: &[u32], movable: &[u32]) -> Vec<u32> {
    let mut faces: Vec<u32> = movable.iter().flat_map(|&v| rest.faces_at.of(v)).chain(mixed).copied().collect();
    faces.sort_unstable();
    faces.dedup();
    faces
}

/// The joints that move with a joint, itself among them.
pub(super) fn below(skeleton: &Skeleton, joint: usize) -> Vec<bool> {
    let mut below = vec![false; skeleton.len()];
    below[joint] = true;
    for (index, other) in skeleton.joints().iter().enumerate() {
        below[index] |= other.parent.is_some_and(|parent| below[parent]);
    }
    below
}

/// γ from the weights on the two sides of a joint: `[1 − ω^q]^p` of the larger side [R07 §4.5], or the same
/// without the corner of the maximum, with `1 − 4 s (1 − s)` for ω: 1 where one side has all, 0 in the middle.
fn weight_gamma(share: f64, recipe: &VolumeRecipe) -> f64 {
    let share = share.clamp(0.0, 1.0);
    let omega = match recipe.gamma {
        GammaSource::WeightsMax => share.max(1.0 - share),
        GammaSource::Weights | GammaSource::Profile => 1.0 - 4.0 * share * (1.0 - share),
    };
    (1.0 - omega.powf(recipe.weights_q)).max(0.0).powf(recipe.weights_p)
}

/// The joints that move with a joint, and those that it moves with.
struct Kinship {
    below: Vec<bool>,
    above: Vec<bool>,
}

impl Kinship {
    fn new(skeleton: &Skeleton, joint: usize) -> Self {
        let mut above = vec![false; skeleton.len()];
        super::frame::ancestors(skeleton, joint).for_each(|a| above[a] = true);
        Self { below: below(skeleton, joint), above }
    }

    fn is_kin(&self, joint: usize) -> bool {
        self.below[joint] || self.above[joint]
    }
}

/// The median distance at rest of the joint's mixed vertices from the line of its bone.
fn limb_radius(rest: &RestSurface<'_>, change: &Change, bone: Bone, share: impl Fn(u32) -> f64) -> f64 {
    let is_mixed = |v: &u32| share(*v) > 1e-3 && share(*v) < 1.0 - 1e-3;
    let mut chosen: Vec<u32> = change.vertices().iter().copied().filter(is_mixed).collect();
    if chosen.is_empty() {
        chosen = change.vertices().to_vec();
    }
    let distance = |v: &u32| (rest.points[*v as usize] - bone.center).reject_from_normalized(bone.direction).length();
    let mut distances: Vec<f64> = chosen.iter().map(distance).collect();
    distances.sort_unstable_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(0.0)
}

/// The vertices that can be reached from some of `start` over faces, through vertices that are `wanted`, in
/// increasing order.
fn connected(rest: &RestSurface<'_>, start: &[u32], wanted: impl Fn(u32) -> bool) -> Vec<u32> {
    let closed = &rest.surface.closed;
    let mut seen = vec![false; closed.point_count()];
    let mut found: Vec<u32> = Vec::new();
    let mut open: Vec<u32> = start.to_vec();
    while let Some(v) = open.pop() {
        if std::mem::replace(&mut seen[v as usize], true) || closed.rim_of(v).is_some() || !wanted(v) {
            continue;
        }
        found.push(v);
        open.extend(rest.faces_at.of(v).iter().flat_map(|&f| closed.faces()[f as usize].corners().to_vec()));
    }
    found.sort_unstable();
    found
}
