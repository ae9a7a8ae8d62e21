//! The points of a skeleton, and the distances between them that a motion keeps.
//!
//! Joints and the tips of bones are points. Joints that never leave their parent, as files have them to
//! represent several rotations, are one point with it, and siblings that never part are one point too. Every point
//! keeps its distance from its parent; points with the same parent keep theirs from each other where the motion never
//! changes it, so that a pelvis or a hand stays rigid.

use super::source::Source;
use glam::DVec3;
use sinew_rig::{JointKind, Skeleton};

/// Of the skeleton's size: joints that are never further apart are one point. 0.2 mm of a body of 1.75 m; not tuned.
const COINCIDENT: f64 = 1e-4;
/// Of its mean: a distance that varies less does not vary. Not tuned.
const RIGID_VARIATION: f64 = 2e-3;

/// The points of a skeleton.
#[derive(Debug, Clone)]
pub(super) struct SkeletonPoints {
    /// The point of each joint; none for plain nodes.
    pub point_of: Vec<Option<usize>>,
    /// The point at the tip of a joint.
    pub tip_of: Vec<Option<usize>>,
    /// The parent of each point.
    pub parents: Vec<Option<usize>>,
    /// Pairs that keep their distance: each point and its parent, then rigid siblings.
    pub pairs: Vec<(usize, usize)>,
    /// For each joint the points whose directions from it determine its rotation.
    pub ends: Vec<Vec<usize>>,
    /// A joint of each point, and whether the point is its tip.
    places: Vec<(usize, bool)>,
    /// The largest extent of the skeleton in the first frame.
    pub size: f64,
}

impl SkeletonPoints {
    pub fn new(skeleton: &Skeleton, source: &Source) -> Self {
        let joints = skeleton.joints();
        let at = |frame: usize, joint: usize| source.world(frame)[joint].translation;
        let real: Vec<usize> = (0..joints.len()).filter(|&j| joints[j].kind == JointKind::Joint).collect();
        let low = real.iter().map(|&j| at(0, j)).reduce(DVec3::min).unwrap_or_default();
        let high = real.iter().map(|&j| at(0, j)).reduce(DVec3::max).unwrap_or_default();
        let size = (high - low).max_element();
        let above = |joint: usize| {
            std::iter::successors(joints[joint].parent, |&j| joints[j].parent)
                .find(|&j| joints[j].kind == JointKind::Joint)
        };
        let mut points = Self {
            point_of: vec![None; joints.len()],
            tip_of: vec![None; joints.len()],
            parents: Vec::new(),
            pairs: Vec::new(),
            ends: vec![Vec::new(); joints.len()],
            places: Vec::new(),
            size,
        };
        for &joint in &real {
            let parent = above(joint);
            let above = parent.and_then(|p| points.point_of[p]);
            let siblings = (0..points.len()).filter(|&p| above.is_some() && points.parents[p] == above);
            let is_coincident = |point: &usize| {
                let other = points.joint(*point);
                (0..source.frames()).all(|f| at(f, joint).distance(at(f, other)) <= COINCIDENT * size)
            };
            let same = above.into_iter().chain(siblings).find(is_coincident);
            points.point_of[joint] = Some(same.unwrap_or_else(|| points.add((joint, false), above)));
        }
        for &joint in &real {
            let tip = joints[joint].tip.map(|tip| source.world(0)[joint].transform_vector3(tip).length());
            if tip.is_some_and(|length| length > COINCIDENT * size) {
                points.tip_of[joint] = Some(points.add((joint, true), points.point_of[joint]));
            }
        }
        let rigid = points.rigid_siblings(skeleton, source);
        points.pairs = (0..points.parents.len()).filter_map(|p| points.parents[p].map(|parent| (p, parent))).collect();
        points.pairs.extend(&rigid);
        points.find_ends(&real, above, &rigid);
        points
    }

    fn add(&mut self, place: (usize, bool), parent: Option<usize>) -> usize {
        self.places.push(place);
        self.parents.push(parent);
        self.places.len() - 1
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The joint of a point, or the one whose tip it is.
    pub fn joint(&self, point: usize) -> usize {
        self.places[point].0
    }

    /// Where all points are in a frame.
    pub fn positions(&self, skeleton: &Skeleton, world: &[glam::DAffine3], positions: &mut [DVec3]) {
        for (position, &(joint, is_tip)) in positions.iter_mut().zip(&self.places) {
            let tip = skeleton.joints()[joint].tip.filter(|_| is_tip);
            *position = world[joint].transform_point3(tip.unwrap_or(DVec3::ZERO));
        }
    }

    fn rigid_siblings(&self, skeleton: &Skeleton, source: &Source) -> Vec<(usize, usize)> {
        let mut frames = vec![vec![DVec3::ZERO; self.len()]; source.frames()];
        for (frame, positions) in frames.iter_mut().enumerate() {
            self.positions(skeleton, source.world(frame), positions);
        }
        let is_rigid = |a: usize, b: usize| {
            let lengths = frames.iter().map(|p| p[a].distance(p[b]));
            let (low, high) = lengths.fold((f64::INFINITY, 0.0f64), |(l, h), d| (l.min(d), h.max(d)));
            low > COINCIDENT * self.size && high - low <= RIGID_VARIATION * high
        };
        let siblings = (0..self.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let siblings = siblings.filter(|&(a, b)| self.parents[a].is_some() && self.parents[a] == self.parents[b]);
        siblings.filter(|&(a, b)| is_rigid(a, b)).collect()
    }

    /// The rotation of a joint follows from the points below it; through joints that are one point with it, from those
    /// that are rigid among themselves, or from all if none are.
    fn find_ends(&mut self, real: &[usize], above: impl Fn(usize) -> Option<usize>, rigid: &[(usize, usize)]) {
        let mut direct = vec![false; self.ends.len()];
        for &joint in real.iter().rev() {
            let own = self.point_of[joint];
            if let Some(tip) = self.tip_of[joint] {
                self.ends[joint].push(tip);
                direct[joint] = true;
            }
            if !direct[joint] {
                let is_rigid = |p: &usize| rigid.iter().any(|(a, b)| a == p || b == p);
                if self.ends[joint].iter().filter(|p| is_rigid(p)).count() >= 2 {
                    self.ends[joint].retain(is_rigid);
                }
            }
            let Some(parent) = above(joint) else { continue };
            if self.point_of[parent] == own {
                if !direct[parent] {
                    let below = self.ends[joint].clone();
                    self.ends[parent].extend(below);
                }
            } else {
                if !direct[parent] {
                    self.ends[parent].clear();
                }
                direct[parent] = true;
                if own.is_some_and(|point| !self.ends[parent].contains(&point)) {
                    self.ends[parent].extend(own);
                }
            }
        }
    }
}
