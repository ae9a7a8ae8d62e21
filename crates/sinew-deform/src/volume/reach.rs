//! The reach of a joint's correction: the vertices that its profile moves, and the numbers to move them with.
//!
//! This is what of a region depends on its shape; while a user drags a curve, it alone is rebuilt.

use super::ancestry::Ancestry;
use super::change::Change;
use super::correction::Buffers;
use super::options::{GammaSource, Profile, VolumeMethod, VolumeOptions};
use super::patch::Patch;
use super::profile::ProfileShape;
use super::rest::{BoneLine, RestSurface, by_area};
use super::smooth::Smooth;
use crate::Result;
use glam::DVec3;

/// The vertices that a correction may move.
pub(super) struct Reach {
    pub shape: ProfileShape,
    /// How far from the joint it goes at rest.
    distance: f64,
    pub patch: Patch,
    /// For each movable vertex, what γ is multiplied by in every pose.
    pub mask: Vec<f64>,
    /// For each movable vertex its weight on the far side of the joint.
    pub shares: Vec<f64>,
    /// Faces that the joint bends or corrects.
    pub local_faces: Vec<u32>,
    /// For the method "laplacian".
    pub smooth: Option<Smooth>,
    pub scratch: Scratch,
}

/// The buffers of a region in a frame.
#[derive(Default)]
pub(super) struct Scratch {
    /// `ΔV` of the base skin.
    pub delta: f64,
    /// Volume that the region could not take within its limit.
    pub left: f64,
    /// The limb's radius in this frame.
    pub radius: f64,
    /// How far each movable vertex was moved.
    pub moved: Vec<DVec3>,
    pub points: Vec<DVec3>,
    pub start: Vec<DVec3>,
    pub gamma: Vec<f64>,
    /// γ without the profile, for what the profile cannot take.
    pub wide: Vec<f64>,
    pub buffers: Buffers,
}

/// The joint whose correction it is.
pub(super) struct CorrectionSite<'a> {
    pub change: &'a Change,
    pub mixed_faces: &'a [u32],
    pub radius: f64,
    pub bone: BoneLine,
    pub ancestry: &'a Ancestry,
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

impl CorrectionSite<'_> {
    /// How far from the joint a shape goes at rest: far enough from the next joints to leave them their own volume,
    /// unless the options set the sizes.
    fn reach_of(&self, shape: &ProfileShape) -> f64 {
        let room = (REACH_OF_BONE * self.bone.length).max(self.radius * NEAREST_REACH);
        let reach = REST_REACH * shape.reach() * self.radius;
        if shape.profile().is_sized { reach } else { reach.min(room) }
    }
}

impl Reach {
    pub fn new(
        rest: &RestSurface<'_>,
        place: &CorrectionSite<'_>,
        profile: Profile,
        options: &VolumeOptions,
    ) -> Result<Self> {
        let &CorrectionSite { bone, ancestry, .. } = place;
        let surface = rest.surface;
        let shape = ProfileShape::new(profile);
        let share = |v: u32| ancestry.share(surface, v);
        let from_weights = |v: u32| weight_gamma(share(v), options);
        let reach = place.reach_of(&shape);
        let from_place = |v: u32| {
            let distance = rest.points[v as usize].distance(bone.center) / reach;
            if distance < 1.0 { ancestry.related_share(surface, v) * (1.0 - distance * distance).powi(2) } else { 0.0 }
        };
        let mask_of = |v: u32| {
            rest.freedom(v, place.radius)
                * if options.gamma == GammaSource::Profile { from_place(v) } else { from_weights(v) }
        };
        let movable = connected(rest, place.change.vertices(), |v| mask_of(v) > NEGLIGIBLE);
        let patch = Patch::new(&surface.closed, rest.faces_at, &movable);
        let is_smooth = options.method == VolumeMethod::Laplacian;
        let smooth = is_smooth.then(|| Smooth::new(&patch, options.smoothness)).transpose()?;
        Ok(Self {
            mask: by_area(rest, &movable, mask_of),
            shares: movable.iter().map(|&v| share(v)).collect(),
            local_faces: local_faces(rest, place.mixed_faces, &movable),
            scratch: Scratch {
                moved: vec![DVec3::ZERO; movable.len()],
                points: vec![DVec3::ZERO; patch.len()],
                start: vec![DVec3::ZERO; patch.len()],
                gamma: vec![0.0; movable.len()],
                wide: vec![0.0; movable.len()],
                buffers: Buffers::new(&patch),
                ..Scratch::default()
            },
            shape,
            distance: reach,
            patch,
            smooth,
        })
    }

    /// Takes another shape, where that reaches the same vertices; elsewhere nothing happens, and false comes back.
    pub fn reshape(&mut self, place: &CorrectionSite<'_>, profile: &Profile) -> bool {
        let shape = ProfileShape::new(profile.clone());
        let is_alike = place.reach_of(&shape) == self.distance;
        if is_alike {
            self.shape = shape;
        }
        is_alike
    }
}

/// The mixed faces and those at movable vertices.
fn local_faces(rest: &RestSurface<'_>, mixed: &[u32], movable: &[u32]) -> Vec<u32> {
    let mut faces: Vec<u32> = movable.iter().flat_map(|&v| rest.faces_at.of(v)).chain(mixed).copied().collect();
    faces.sort_unstable();
    faces.dedup();
    faces
}

/// γ from the weights on the two sides of a joint: `[1 − ω^q]^p` of the larger side [R07 §4.5], or the same
/// without the corner of the maximum, with `1 − 4 s (1 − s)` for ω: 1 where one side has all, 0 in the middle.
fn weight_gamma(share: f64, options: &VolumeOptions) -> f64 {
    let share = share.clamp(0.0, 1.0);
    let omega = match options.gamma {
        GammaSource::WeightsMax => share.max(1.0 - share),
        GammaSource::Weights | GammaSource::Profile => 1.0 - 4.0 * share * (1.0 - share),
    };
    (1.0 - omega.powf(options.weights_q)).max(0.0).powf(options.weights_p)
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
        open.extend(rest.faces_at.of(v).iter().flat_map(|&f| closed.faces()[f as usize].corners()).copied());
    }
    found.sort_unstable();
    found
}
