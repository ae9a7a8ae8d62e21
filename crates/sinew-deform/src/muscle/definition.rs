//! Muscles, bones and fat at rest.
//!
//! All points are in the world of the bind pose, and move with the joint they are attached to.

use super::{MAX_POINTS, Shape};
use crate::{Error, Result};
use glam::{DQuat, DVec3};
use sinew_field::{Capsule, DistanceField};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A place that moves with a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attachment {
    /// The joint.
    pub joint: usize,
    /// Where it is in the bind pose, in the world.
    pub position: DVec3,
}

/// A muscle at rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Muscle {
    /// Its name.
    pub name: String,
    /// Its origin, loops that it slides through, such as a retinaculum or the knee's cap, and its insertion.
    pub path: Vec<Attachment>,
    /// The directions in which sections are widest at origin and insertion, in the bind pose.
    pub normals: [DVec3; 2],
    /// Its shape.
    pub shape: Shape,
    /// How tense its fibres are, above 0 and up to 1: R18's k.
    pub stiffness: f64,
    /// Muscles of the same group do not pass through each other.
    pub group: Option<u32>,
    /// The joint whose part of the skin it shapes, and whose part it stays in.
    pub part: usize,
}

/// The contents of a skin, at rest.
#[derive(Clone, Default)]
pub struct Musculature {
    /// The muscles.
    pub muscles: Vec<Muscle>,
    /// The fat.
    pub fats: Vec<Fat>,
    /// The bones.
    pub bones: Vec<Bone>,
    /// For parts of the skin, by their joints, the solid that muscles of the part stay in, in the bind pose.
    pub skins: BTreeMap<usize, Arc<dyn DistanceField + Send + Sync>>,
}

impl fmt::Debug for Musculature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { muscles, fats, bones, skins } = self;
        let skins: Vec<usize> = skins.keys().copied().collect();
        let mut all = f.debug_struct("Musculature");
        all.field("muscles", muscles).field("fats", fats).field("bones", bones).field("skins", &skins).finish()
    }
}

/// A bone that muscles slide over.
#[derive(Debug, Clone)]
pub struct Bone {
    /// The joint that moves it.
    pub joint: usize,
    /// Its shape, in the world of the bind pose.
    pub shape: BoneShape,
}

/// The solid that a bone is taken for.
#[derive(Clone)]
pub enum BoneShape {
    /// A capsule: the points within a distance of a segment.
    Capsule(Capsule),
    /// Any other, such as the distance field of a closed mesh.
    Field(Arc<dyn DistanceField + Send + Sync>),
}

/// Soft tissue that is attached to one joint and swings: an ellipsoid \[R18 §6.4\].
#[derive(Debug, Clone, PartialEq)]
pub struct Fat {
    /// Its name.
    pub name: String,
    /// The joint it is attached to, and the position of its centre.
    pub center: Attachment,
    /// Half its lengths along its own axes.
    pub radii: DVec3,
    /// Its own axes in the bind pose.
    pub rotation: DQuat,
    /// How tightly it hangs, above 0 and up to 1: R18's k.
    pub stiffness: f64,
}

impl fmt::Debug for BoneShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Capsule(capsule) => f.debug_tuple("Capsule").field(capsule).finish(),
            Self::Field(_) => f.debug_tuple("Field").finish_non_exhaustive(),
        }
    }
}

impl BoneShape {
    /// Its field.
    pub fn field(&self) -> &dyn DistanceField {
        match self {
            Self::Capsule(capsule) => capsule,
            Self::Field(field) => field.as_ref(),
        }
    }
}

impl Muscle {
    /// Its axis at rest, as so many points at even distances along its path.
    pub fn rest_points(&self, count: usize) -> Vec<DVec3> {
        let total = self.path_length(|at| at.position);
        let mut points = Vec::with_capacity(count);
        let mut passed = 0.0;
        for pair in self.path.windows(2) {
            let [a, b] = [pair[0].position, pair[1].position];
            let length = a.distance(b);
            while points.len() + 1 < count {
                let into = total * points.len() as f64 / (count - 1) as f64 - passed;
                if into > length {
                    break;
                }
                points.push(if length > 0.0 { a.lerp(b, into / length) } else { a });
            }
            passed += length;
        }
        let last = self.path.last().map_or(DVec3::ZERO, |at| at.position);
        points.resize(count, last);
        points
    }

    /// The length of its path, at rest or wherever the joints take it.
    pub fn path_length(&self, place: impl Fn(&Attachment) -> DVec3) -> f64 {
        self.path.windows(2).map(|pair| place(&pair[0]).distance(place(&pair[1]))).sum()
    }

    /// Refuses what is no muscle of a skeleton with so many joints.
    pub fn check(&self, joints: usize) -> Result<()> {
        let refuse = |why: String| Err(Error::Muscle { muscle: self.name.clone(), why });
        if !(2..=MAX_POINTS / 4).contains(&self.path.len()) {
            return refuse(format!("has a path of {} places; it needs 2 to {}", self.path.len(), MAX_POINTS / 4));
        }
        if let Some(at) = self.path.iter().find(|at| at.joint >= joints) {
            return refuse(format!("is attached to joint {}, but the skeleton has {joints} joints", at.joint));
        }
        if self.part >= joints {
            return refuse(format!("shapes the skin of joint {}, but the skeleton has {joints} joints", self.part));
        }
        if !self.path.iter().all(|at| at.position.is_finite()) || !self.normals.iter().all(|n| n.is_finite()) {
            return refuse("has a place or a direction that is not finite".into());
        }
        if self.path_length(|at| at.position) <= 1e-9 * self.path.iter().map(|at| at.position.length()).sum::<f64>() {
            return refuse("has no length; move its origin and insertion apart".into());
        }
        check_stiffness(self.stiffness)?;
        self.shape.check()
    }
}

impl Fat {
    /// Refuses what is no fat of a skeleton with so many joints.
    pub fn check(&self, joints: usize) -> Result<()> {
        let refuse = |why: String| Err(Error::Muscle { muscle: self.name.clone(), why });
        if self.center.joint >= joints {
            return refuse(format!("is attached to joint {}, but the skeleton has {joints} joints", self.center.joint));
        }
        if !(self.center.position.is_finite() && self.rotation.is_finite() && self.radii.is_finite()) {
            return refuse("has a place or a size that is not finite".into());
        }
        if self.radii.min_element() <= 0.0 {
            return refuse("has a radius that is not above 0".into());
        }
        check_stiffness(self.stiffness)
    }
}

fn check_stiffness(value: f64) -> Result<()> {
    if !(value > 0.0 && value <= 1.0) {
        return Err(sinew_geometry::Error::OutOfRange {
            what: "the stiffness of a muscle",
            value,
            range: "above 0 and up to 1",
        }
        .into());
    }
    Ok(())
}
