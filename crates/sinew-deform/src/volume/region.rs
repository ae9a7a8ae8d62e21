//! A joint and the surface around it: where its correction may go, and the numbers to compute it with.

use super::ancestry::Ancestry;
use super::change::Change;
use super::correction::{self, Request};
use super::frame::JointFrame;
use super::options::{VolumeMethod, VolumeOptions};
use super::profile::Moment;
use super::reach::{CorrectionSite, Reach, Scratch};
use super::rest::{BoneLine, RestSurface};
use super::settings::Settings;
use super::surface::{ContactSlack, Displacements, PartSurface};
use crate::Result;
use glam::{DVec3, Vec3};
use sinew_geometry::volume::signed_volume;
use sinew_rig::{Character, Skeleton};

/// One shell around one joint.
pub(super) struct Region {
    pub joint: usize,
    pub part: usize,
    pub shell: u32,
    pub wave: usize,
    /// The index of the shell.
    pub shell_index: usize,
    /// The faces that the joint bends.
    pub change: Change,
    mixed_faces: Vec<u32>,
    /// The limb's radius at rest.
    pub radius: f64,
    /// −1 for a shell that is inside out, else 1.
    orientation: f64,
    bone: BoneLine,
    ancestry: Ancestry,
    /// `|ΔV|` at the profile's largest bend.
    pub largest_change: f64,
    /// Where the correction goes.
    pub reach: Reach,
}

/// Which region it is.
pub(super) struct RegionKey {
    pub part: usize,
    pub shell: u32,
    pub joint: usize,
    /// The index of the shell.
    pub shell_index: usize,
    /// −1 for a shell that is inside out, else 1.
    pub orientation: f64,
}

/// The skin before the correction of a region.
#[derive(Clone, Copy)]
pub(super) struct SkinBefore<'a> {
    pub part: &'a PartSurface,
    /// The base skin.
    pub positions: &'a [Vec3],
    pub contacts: ContactSlack<'a>,
    /// The corrections so far.
    pub displacements: Displacements<'a>,
}

/// How much farther than all axes together an axis may move a vertex, before it leaves its share to the others.
const BALANCE: f64 = 2.0;

impl Region {
    pub fn new(
        rest: &RestSurface<'_>,
        character: &Character,
        bone: BoneLine,
        RegionKey { part, shell, joint, shell_index, orientation }: RegionKey,
        mixed_faces: &[u32],
        options: &VolumeOptions,
    ) -> Result<Self> {
        let surface = rest.surface;
        let skeleton = &character.skeleton;
        let ancestry = Ancestry::new(skeleton, joint);
        let change = Change::new(surface, joint, mixed_faces, &ancestry.descendants);
        let share = |v: u32| ancestry.share(surface, v);
        let radius = limb_radius(rest, &change, bone, share);
        let place = CorrectionSite { change: &change, mixed_faces, radius, bone, ancestry: &ancestry };
        let reach = Reach::new(rest, &place, options.profile_of(&skeleton.joints()[joint].name), options)?;
        Ok(Self {
            joint,
            part,
            shell,
            wave: 0,
            shell_index,
            change,
            mixed_faces: mixed_faces.to_vec(),
            radius,
            orientation,
            bone,
            ancestry,
            largest_change: f64::INFINITY,
            reach,
        })
    }

    /// Gives the correction the shape that options have for the joint. Says whether other vertices are reached.
    pub fn reshape(&mut self, rest: &RestSurface<'_>, skeleton: &Skeleton, options: &VolumeOptions) -> Result<bool> {
        let profile = options.profile_of(&skeleton.joints()[self.joint].name);
        if *self.reach.shape.profile() == profile {
            return Ok(false);
        }
        let Self { change, mixed_faces, radius, bone, ancestry, .. } = self;
        let place = CorrectionSite { change, mixed_faces, radius: *radius, bone: *bone, ancestry };
        if self.reach.reshape(&place, &profile) {
            return Ok(false);
        }
        self.reach = Reach::new(rest, &place, profile, options)?;
        Ok(true)
    }

    /// Moves the region's vertices so that the volume changes by what the joint's bend took.
    pub fn correct(&mut self, frame: &JointFrame, skin: SkinBefore<'_>, settings: &Settings) {
        let SkinBefore { part, positions, contacts, displacements } = skin;
        let Reach { shape, patch, mask, shares: far_shares, smooth, scratch, .. } = &mut self.reach;
        let shares = shares_at(shape.profile().shares, frame.certainty);
        let Scratch { delta, left, radius: current, moved, points, start, gamma, wide, buffers } = scratch;
        let radius = self.radius * frame.scale;
        let [narrow, wide_limit] = settings.step_limits(shape.profile());
        *current = radius;
        let volume = -*delta * shape.profile().amount;
        *left = volume;
        moved.fill(DVec3::ZERO);
        if radius <= 0.0 || patch.is_empty() {
            return;
        }
        let at = |vertex: u32| positions[part.representative(vertex)].as_dvec3() + displacements.at(vertex);
        let into_frame = frame.axes.transpose();
        for (k, &vertex) in patch.vertices().iter().enumerate() {
            points[k] = into_frame * (at(vertex) - frame.center);
            if let (Some(gamma), Some(mask)) = (gamma.get_mut(k), mask.get(k)) {
                let already = displacements.at(vertex);
                let room = (1.0 - already.length_squared() / (radius * radius)).max(0.0);
                *gamma = mask * room * room * contacts.slack(part, vertex);
            }
        }
        patch.close(points);
        start.copy_from_slice(points);
        let moment = Moment {
            certainty: frame.certainty,
            grows: volume * self.orientation > 0.0,
            bend: frame.bend,
            intensity: delta.abs() / self.largest_change,
        };
        if settings.from_profile {
            wide.copy_from_slice(gamma);
            for ((gamma, point), share) in gamma.iter_mut().zip(&*points).zip(&*far_shares) {
                *gamma *= shape.gamma(*point / radius, *share, moment);
            }
        }
        let mut run = |points: &mut [DVec3], gamma: &[f64], volume: f64, limit: f64| {
            let request = Request { gamma, volume, limit: limit * radius, balance: BALANCE };
            match settings.method {
                VolumeMethod::Off => volume,
                VolumeMethod::Linear => correction::linear(patch, points, request, shares, buffers),
                VolumeMethod::Exact => correction::exact(patch, points, request, shares, buffers),
                VolumeMethod::Normal => correction::normal(patch, points, request, buffers),
                VolumeMethod::Laplacian => match smooth {
                    Some(smooth) => smooth.correct(patch, points, request),
                    None => volume,
                },
            }
        };
        *left = run(points, gamma, volume, narrow);
        if *left != 0.0 && settings.from_profile {
            *left = run(points, wide, *left, wide_limit);
        }
        for (moved, (is, was)) in moved.iter_mut().zip(points.iter().zip(&*start)) {
            *moved = frame.axes * (*is - *was);
        }
    }

    /// All vertices that a correction of the region reads or moves.
    pub fn vertices(&self) -> impl Iterator<Item = u32> + '_ {
        self.reach.patch.vertices().iter().copied()
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
            (vertex, mask * self.reach.shape.gamma(point, *share, moment))
        };
        let vertices = self.reach.patch.movable().iter().zip(&self.reach.mask).zip(&self.reach.shares);
        let gamma: Vec<(u32, f64)> = vertices.map(gamma).collect();
        let largest = gamma.iter().map(|g| g.1).fold(0.0, f64::max);
        gamma.into_iter().map(move |(vertex, gamma)| (vertex, gamma / largest))
    }

    /// The volume between a point and the faces that the joint bends or corrects.
    pub fn local_volume(&self, part: &PartSurface, center: DVec3, at: impl Fn(u32) -> DVec3) -> f64 {
        let closed = &part.closed;
        let volume = |f: &u32| signed_volume(&closed.faces()[*f as usize], |v| closed.rim_mean(v, &at) - center);
        self.reach.local_faces.iter().map(volume).sum()
    }
}

/// The shares μ: without a direction of the bend, both directions across the bone have the same.
fn shares_at([along, across, inward]: [f64; 3], certainty: f64) -> [f64; 3] {
    let mean = 0.5 * (across + inward);
    [along, mean + certainty * (across - mean), mean + certainty * (inward - mean)]
}

/// The median distance at rest of the joint's mixed vertices from the line of its bone.
fn limb_radius(rest: &RestSurface<'_>, change: &Change, bone: BoneLine, share: impl Fn(u32) -> f64) -> f64 {
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
