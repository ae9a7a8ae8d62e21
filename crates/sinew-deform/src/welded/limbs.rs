//! Limbs: the parts of the surface that joints carry.
//!
//! A point belongs to the joint of its largest weight \[R18 §3.1.1\]; the points of one joint are a *limb*. Limbs of
//! too few points to define a shape are left to the limb above them.

use super::WeldedSurface;
use glam::DVec3;
use sinew_rig::{JointKind, Skeleton};

/// The fewest points that define a shape.
pub(crate) const FEWEST: usize = 12;

/// The points of one joint.
#[derive(Debug, Clone)]
pub(crate) struct Limb {
    pub joint: usize,
    /// The parent limb.
    pub parent: Option<usize>,
    /// Where the joint is at rest.
    pub head: DVec3,
    /// Where its bones end at rest; one at least.
    pub tails: Vec<DVec3>,
}

impl Limb {
    /// The middle of its bones' ends.
    pub fn tail(&self) -> DVec3 {
        self.tails.iter().sum::<DVec3>() / self.tails.len() as f64
    }

    /// The distance of a place from its bones at rest.
    pub fn distance(&self, place: DVec3) -> f64 {
        let to_bone = |&tail: &DVec3| {
            let (along, from) = (tail - self.head, place - self.head);
            let share = (from.dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            (from - share * along).length()
        };
        self.tails.iter().map(to_bone).fold(f64::INFINITY, f64::min)
    }
}

/// The limbs of a body.
pub(crate) struct Limbs {
    /// Parents first.
    pub all: Vec<Limb>,
    /// The limb of each point, none where no joint carries enough.
    pub of_point: Vec<Option<u32>>,
    /// The limb of each joint: its own, or that of the joint above.
    pub of_joint: Vec<Option<u32>>,
}

impl Limbs {
    /// The limbs of the joints that carry most of `fewest` points or more; other points are of the joint above.
    pub fn new(body: &WeldedSurface, skeleton: &Skeleton, fewest: usize) -> Self {
        let joints = skeleton.joints();
        let main: Vec<usize> = (0..body.len()).map(|i| body.influences.row(i as u32)[0].0 as usize).collect();
        let mut counts = vec![0; joints.len()];
        main.iter().for_each(|&joint| counts[joint] += 1);
        for joint in (0..joints.len()).rev() {
            if (1..fewest).contains(&counts[joint])
                && let Some(parent) = joints[joint].parent
            {
                counts[parent] += std::mem::take(&mut counts[joint]);
            }
        }
        let mut of_joint: Vec<Option<u32>> = vec![None; joints.len()];
        let mut all: Vec<Limb> = Vec::new();
        let world = skeleton.rest_world();
        for joint in 0..joints.len() {
            let above = joints[joint].parent.and_then(|parent| of_joint[parent]);
            of_joint[joint] = above;
            if counts[joint] >= fewest {
                of_joint[joint] = Some(all.len() as u32);
                let head = world[joint].translation;
                all.push(Limb { joint, parent: above.map(|limb| limb as usize), head, tails: Vec::new() });
            }
        }
        let of_point: Vec<Option<u32>> = main.iter().map(|&joint| of_joint[joint]).collect();
        let mut sums = vec![(DVec3::ZERO, 0.0); all.len()];
        for (limb, place) in of_point.iter().zip(&body.rest) {
            if let Some(limb) = limb {
                sums[*limb as usize].0 += place;
                sums[*limb as usize].1 += 1.0;
            }
        }
        for (limb, (sum, count)) in all.iter_mut().zip(sums) {
            let center = sum / count;
            let is_apart = |tail: &DVec3| tail.distance(limb.head) > 1e-6 * center.distance(limb.head);
            let children = joints.iter().enumerate().filter(|(_, j)| j.parent == Some(limb.joint));
            let heads = children.filter(|(_, j)| j.kind == JointKind::Joint).map(|(child, _)| world[child].translation);
            let tip = joints[limb.joint].tip.map(|tip| world[limb.joint].transform_point3(tip));
            limb.tails = heads.chain(tip).filter(is_apart).collect();
            if limb.tails.is_empty() {
                limb.tails.push(2.0 * center - limb.head);
            }
        }
        Self { all, of_point, of_joint }
    }

    /// The child limbs of a limb.
    pub fn children(&self, limb: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.all.len()).filter(move |&child| self.all[child].parent == Some(limb))
    }

    /// The points of each limb.
    pub fn points(&self) -> Vec<Vec<u32>> {
        let mut points = vec![Vec::new(); self.all.len()];
        for (point, limb) in (0..).zip(&self.of_point) {
            limb.iter().for_each(|&limb| points[limb as usize].push(point));
        }
        points
    }

    /// Where a limb goes on into others, with the directions outwards.
    pub fn ends(&self, limb: usize) -> Vec<(DVec3, DVec3)> {
        let Limb { head, parent, .. } = self.all[limb];
        let below = self.children(limb).map(|child| self.all[child].head).map(|end| (end, end - head));
        let above = parent.map(|_| (head, head - self.all[limb].tail()));
        let ends = below.chain(above).map(|(end, outwards)| (end, outwards.normalize_or_zero()));
        ends.filter(|(_, outwards)| *outwards != DVec3::ZERO).collect()
    }
}
