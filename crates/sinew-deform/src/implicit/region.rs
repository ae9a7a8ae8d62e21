//! The points around joints, and what is known of them at rest.

use super::joint::{AtJoint, Joint};
use super::limb_field::LimbField;
use crate::welded::{Limbs, WeldedSurface};
use glam::DVec3;
use sinew_geometry::curve::smoothstep;
use sinew_geometry::{Rows, SurfaceLaplacian};
use std::iter::successors;

/// The weights of the limbs in one line that a point must have, from nothing to all: a point that others move as well, in
/// an armpit or a groin, is left to the skin.
const OWN_WEIGHT: [f64; 2] = [0.7, 0.95];

/// How far a joint reaches, along the bone and away from it, in radii: at 140°, two equal limbs touch each other up to
/// tan 70° = 2.7 radii from the joint, and most limbs are wider there.
const REACH: [f64; 2] = [4.0, 5.0];
const ASIDE: [f64; 2] = [2.0, 3.0];

/// The distance from limbs above and below a line, in radii of the joint, from which on points are free: what begins
/// beside another limb, as an arm does at the trunk, has no room to move.
const BESIDE: f64 = 1.5;

/// The lengths of edges in radii from which on a limb is too coarse for a shape.
const COARSE: [f64; 2] = [0.9, 1.4];

/// The share of the surface around a joint that faces away from the bone, as that of a pipe does and that of a mouth does
/// not, from nothing to all; what counts as away, as a cosine; and how far along the bone it is asked, in radii.
const ROUND: [f64; 2] = [0.8, 0.9];
const FACES_AWAY: f64 = 0.3;
const ROUND_ALONG: f64 = 2.0;

/// The points that the implicit skin can move. All lists have one entry for each.
pub(super) struct Region {
    /// Which points of the body they are.
    pub points: Vec<u32>,
    /// Their limbs, and the limbs' radii.
    pub limb: Vec<u32>,
    pub radius: Vec<f64>,
    /// The distance from the limb's surface at rest: what its field misses.
    pub distance: Vec<f64>,
    /// How much of its way each takes, 0 to 1.
    pub share: Vec<f64>,
    pub joints: Rows<AtJoint>,
    /// The points of the body next to each, with conductances, and the area around it.
    pub around: Rows<(u32, f64)>,
    pub area: Vec<f64>,
    /// The place of each point of the body in these lists; `u32::MAX` where it has none.
    pub place: Vec<u32>,
}

impl Region {
    /// The points around joints, `amounts[k]` of which is wanted of joint k.
    pub fn new(
        body: &WeldedSurface,
        limbs: &Limbs,
        joints: &[Option<Joint>],
        fields: &[Option<LimbField>],
        amounts: &[f64],
    ) -> Self {
        let laplacian = SurfaceLaplacian::new(&body.rest, &body.faces);
        let around = around(body.len(), &laplacian);
        let amount = |(joint, amount): (&Option<Joint>, &f64)| {
            let round = roundness(joint.as_ref()?, body, limbs, laplacian.areas());
            Some(amount * rising(round, ROUND).powi(2))
        };
        let amounts: Vec<f64> = joints.iter().zip(amounts).map(|both| amount(both).unwrap_or(0.0)).collect();
        let lines = lines(limbs.all.len(), joints);
        let mut region = Self {
            points: Vec::new(),
            limb: Vec::new(),
            radius: Vec::new(),
            distance: Vec::new(),
            share: Vec::new(),
            joints: Rows::with_capacity(0, 0),
            around: Rows::with_capacity(0, 0),
            area: Vec::new(),
            place: vec![u32::MAX; body.len()],
        };
        for point in (0..body.len()).filter(|&point| !body.is_morphed[point]) {
            let Some(limb) = limbs.of_point[point].map(|limb| limb as usize) else { continue };
            let Some(field) = &fields[limb] else { continue };
            let (at, reach, wanted) = at_joints(body, limbs, joints, &amounts, point);
            let Some(around_joint) =
                at.iter().filter_map(|at| Some(joints[at.joint as usize].as_ref()?.radius)).reduce(f64::min)
            else {
                continue;
            };
            let (rest, radius) = (body.rest[point], field.radius());
            let line_of = |joint: u32| limbs.of_joint[joint as usize].map(|limb| lines[limb as usize]);
            let row = body.influences.row(point as u32).iter();
            let weight: f64 = row.filter(|(joint, _)| line_of(*joint) == Some(lines[limb])).map(|(_, w)| w).sum();
            let to_neighbours = around.row(point as u32).iter().map(|&(j, _)| body.rest[j as usize].distance(rest));
            let longest = to_neighbours.fold(0.0, f64::max);
            let beside = |(other, field): (usize, &Option<LimbField>)| {
                let field =
                    field.as_ref().filter(|_| lines[other] != lines[limb] && is_in_chain(limbs, other, limb))?;
                Some(field.distance(rest).value / around_joint.min(field.radius()))
            };
            let nearest = fields.iter().enumerate().filter_map(beside).fold(f64::INFINITY, f64::min);
            let free = reach
                * rising(weight, OWN_WEIGHT)
                * (1.0 - rising(longest / radius, COARSE))
                * rising(nearest, [0.0, BESIDE]);
            // Squared: a point that is half free is better left to the skin.
            let share = wanted * free * free;
            if share > 0.0 {
                region.place[point] = region.points.len() as u32;
                region.points.push(point as u32);
                region.limb.push(limb as u32);
                region.radius.push(radius);
                region.distance.push(field.distance(rest).value);
                region.share.push(share);
                region.joints.push(at);
                region.around.push(around.row(point as u32).iter().copied());
                region.area.push(laplacian.areas()[point]);
            }
        }
        region
    }

    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether any point is at a joint.
    pub fn has_joint(&self, joint: usize) -> bool {
        (0..self.len()).any(|k| self.at(k).iter().any(|at| at.joint as usize == joint))
    }

    /// The joints of a point.
    #[inline]
    pub fn at(&self, k: usize) -> &[AtJoint] {
        self.joints.row(k as u32)
    }
}

/// 0 below the first number, 1 above the second, smooth in between.
pub(super) fn rising(x: f64, [from, to]: [f64; 2]) -> f64 {
    smoothstep((x - from) / (to - from))
}

/// The points next to each of so many, with conductances.
fn around(points: usize, laplacian: &SurfaceLaplacian) -> Rows<(u32, f64)> {
    let edges = laplacian.edges().iter().zip(laplacian.weights());
    let ends: Vec<(u32, u32, f64)> = edges.flat_map(|(&(i, j), &c)| [(i, j, c), (j, i, c)]).collect();
    let rows = Rows::grouped(points, ends.iter().map(|end| end.0));
    Rows::new(rows.iter().map(|row| row.iter().map(|&k| (ends[k as usize].1, ends[k as usize].2)).collect()))
}

/// A number for each limb, the same for limbs that joints connect.
fn lines(limbs: usize, joints: &[Option<Joint>]) -> Vec<usize> {
    let mut lines: Vec<usize> = (0..limbs).collect();
    for joint in joints.iter().flatten() {
        let [below, above] = joint.limbs.map(|limb| lines[limb]);
        lines.iter_mut().filter(|line| **line == below).for_each(|line| *line = above);
    }
    lines
}

/// Whether one of two limbs hangs on the other.
fn is_in_chain(limbs: &Limbs, one: usize, other: usize) -> bool {
    let hangs =
        |limb: usize, on: usize| successors(Some(limb), |&limb| limbs.all[limb].parent).any(|above| above == on);
    hangs(one, other) || hangs(other, one)
}

/// The joints that a point is at, how far they reach there, and how much is wanted of the nearest.
fn at_joints(
    body: &WeldedSurface,
    limbs: &Limbs,
    joints: &[Option<Joint>],
    amounts: &[f64],
    point: usize,
) -> (Vec<AtJoint>, f64, f64) {
    let (mut all, mut most) = (Vec::new(), 0.0);
    let (mut wanted, mut total) = (0.0, 0.0);
    for (k, joint) in joints.iter().enumerate() {
        let Some(joint) = joint else { continue };
        let Some(side) = joint.side_of(limbs.of_point[point]) else { continue };
        let from = body.rest[point] - joint.center;
        let along = from.dot(joint.directions[side]).abs() / joint.radius;
        let aside = from.reject_from(joint.directions[side]).length() / joint.radius;
        let reach = (1.0 - rising(along, REACH)) * (1.0 - rising(aside, ASIDE));
        if reach > 0.0 {
            let height = joint.height(side, body.rest[point]);
            let at = AtJoint { joint: k as u32, side: side as u32, height, along };
            wanted += at.nearness() * amounts[k];
            total += at.nearness();
            most = f64::max(most, reach);
            all.push(at);
        }
    }
    let wanted = if total > 0.0 { wanted / total } else { 0.0 };
    all.retain(|at| amounts[at.joint as usize] > 0.0);
    (all, most, wanted)
}

/// The share of the surface around a joint that faces away from its bones.
fn roundness(joint: &Joint, body: &WeldedSurface, limbs: &Limbs, areas: &[f64]) -> f64 {
    let (mut round, mut total) = (0.0, 0.0);
    for (point, place) in body.rest.iter().enumerate() {
        let Some(side) = joint.side_of(limbs.of_point[point]) else { continue };
        let from: DVec3 = place - joint.center;
        if from.dot(joint.directions[side]).abs() < ROUND_ALONG * joint.radius {
            let away = from.reject_from(joint.directions[side]).normalize_or_zero();
            total += areas[point];
            round += if away.dot(body.normals[point]) > FACES_AWAY { areas[point] } else { 0.0 };
        }
    }
    if total > 0.0 { round / total } else { 0.0 }
}
