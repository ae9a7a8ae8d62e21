//! The precomputed model of a character for the implicit skin, and its effect on a point.

use super::bend::{HingeConstraint, PosedHinge, settle};
use super::confidence::TrackedVertex;
use super::fields::Fields;
use super::hinge::{DIRECTIONS, Hinge, Member};
use super::limb_field::LimbField;
use super::report::LimbReport;
use crate::welded::Limbs;
use crate::welded::WeldedSurface;
use glam::{DAffine3, DVec3};
use sinew_geometry::Rows;

/// A character at rest.
pub(super) struct RestModel {
    pub body: WeldedSurface,
    pub limbs: Limbs,
    /// For each limb the hinge to the limb above.
    pub hinges: Vec<Option<Hinge>>,
    pub fields: Fields,
    /// For each point its hinges.
    pub members: Rows<(u32, Member)>,
    pub tracked_vertices: Vec<TrackedVertex>,
}

impl RestModel {
    /// How thick the limb of a point is: the radius of its field, or without one how far the point is from its bones.
    pub fn thickness(&self, point: usize) -> f64 {
        let Some(limb) = self.limbs.of_point[point].map(|limb| limb as usize) else { return 0.0 };
        let from_bones = || self.limbs.all[limb].distance(self.body.rest[point]);
        self.fields.all[limb].as_ref().map_or_else(from_bones, LimbField::radius)
    }

    /// The description of a limb with so many points.
    pub fn report(&self, limb: usize, points: usize) -> LimbReport {
        let field = self.fields.all[limb].as_ref();
        let confidence = self.hinges[limb].as_ref().map_or(0.0, |hinge| hinge.confidence.iter().sum::<f64>());
        LimbReport {
            joint: self.limbs.all[limb].joint,
            points,
            samples: field.map(|field| field.samples().len()),
            fit: field.map(LimbField::fit).unwrap_or_default(),
            hinge: confidence / DIRECTIONS as f64,
        }
    }
}

/// A character in a pose.
pub(super) struct Posture {
    pub motions: Vec<DAffine3>,
    pub back: Vec<DAffine3>,
    pub hinges: Vec<Option<PosedHinge>>,
}

impl Posture {
    pub fn new(limbs: usize) -> Self {
        let still = vec![DAffine3::IDENTITY; limbs];
        Self { motions: still.clone(), back: still, hinges: vec![None; limbs] }
    }

    /// Takes over what the limbs did since rest.
    pub fn follow(&mut self, model: &RestModel, motion: impl Fn(usize) -> DAffine3) {
        for limb in 0..self.motions.len() {
            self.motions[limb] = motion(limb);
            self.back[limb] = self.motions[limb].inverse();
        }
        for (posed, hinge) in self.hinges.iter_mut().zip(&model.hinges) {
            *posed = hinge.as_ref().and_then(|hinge| hinge.posed(hinge.limbs.map(|limb| self.motions[limb])));
        }
    }

    /// How far hinges let a point follow the fields and its neighbours.
    #[inline]
    pub fn share(&self, model: &RestModel, point: usize) -> f64 {
        let hinges = model.members.row(point as u32).iter();
        let shares = hinges.filter_map(|&(hinge, member)| Some(self.hinges[hinge as usize].as_ref()?.follow(member)));
        shares.fold(0.0, f64::max)
    }

    /// The constraint of a point's hinges.
    #[inline]
    pub fn constraint(&self, model: &RestModel, point: usize) -> HingeConstraint {
        self.settle(model, point, DVec3::ZERO).1
    }

    /// Where hinges put a point that the skin has at `skinned`, and their constraint.
    #[inline]
    pub fn settle(&self, model: &RestModel, point: usize, skinned: DVec3) -> (DVec3, HingeConstraint) {
        let Some(limb) = model.limbs.of_point[point] else { return (skinned, HingeConstraint::default()) };
        let members = model.members.row(point as u32);
        if members.iter().all(|&(hinge, _)| self.hinges[hinge as usize].is_none()) {
            return (skinned, HingeConstraint::default());
        }
        let rigid = self.motions[limb as usize].transform_point3(model.body.rest[point]);
        let posed = members.iter().filter_map(|&(hinge, member)| {
            let limbs = model.hinges[hinge as usize].as_ref()?.limbs;
            Some((self.hinges[hinge as usize].as_ref()?, member, limbs[1 - member.side]))
        });
        settle(skinned, rigid, posed)
    }
}
