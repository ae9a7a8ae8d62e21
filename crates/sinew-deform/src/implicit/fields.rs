//! The fields of all limbs, at rest and in a pose, and the density of all of them together.

use super::limb_field::LimbField;
use crate::welded::Limbs;
use glam::{DAffine3, DVec3};
use sinew_field::{Controller, Operator, OperatorTables, Sample};
use std::sync::Arc;

/// How the two limbs at a joint become one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JointComposition {
    pub operator: Operator,
    pub controller: Controller,
    /// Whether they keep apart.
    pub parts: bool,
}

/// Halvings of an interval of iso-values: 2⁻⁴⁰ is far below what f32 fields tell apart.
const BISECTIONS: usize = 40;

/// The fields of a character's limbs.
pub(super) struct Fields {
    /// The tables of the operators.
    pub tables: Arc<OperatorTables>,
    /// None for limbs that have no shape.
    pub all: Vec<Option<LimbField>>,
    /// For each limb, its joining to its parent.
    pub compositions: Vec<JointComposition>,
    /// For each limb the other limbs at its joints, with the limb that names the joint.
    adjacent: Vec<Vec<AdjacentLimb>>,
}

/// A limb next to another.
#[derive(Debug, Clone, Copy)]
struct AdjacentLimb {
    limb: usize,
    /// The lower one of the two.
    joint: usize,
}

impl Fields {
    pub fn new(
        limbs: &Limbs,
        all: Vec<Option<LimbField>>,
        compositions: Vec<JointComposition>,
        tables: Arc<OperatorTables>,
    ) -> Self {
        compositions.iter().for_each(|composition| tables.prepare(composition.operator));
        let adjacent = |limb: usize| {
            let above = limbs.all[limb].parent.map(|other| AdjacentLimb { limb: other, joint: limb });
            let below = limbs.children(limb).map(|other| AdjacentLimb { limb: other, joint: other });
            above.into_iter().chain(below).filter(|other| all[other.limb].is_some()).collect()
        };
        Self { adjacent: (0..limbs.all.len()).map(adjacent).collect(), all, compositions, tables }
    }

    /// The fields in a pose, given the way back to rest of each limb.
    pub fn posed<'a>(&'a self, back: &'a [DAffine3]) -> PosedFields<'a> {
        PosedFields { fields: self, back }
    }
}

/// The fields in a pose.
#[derive(Clone, Copy)]
pub(super) struct PosedFields<'a> {
    pub fields: &'a Fields,
    back: &'a [DAffine3],
}

impl PosedFields<'_> {
    /// The density of one limb at a place.
    #[inline]
    pub fn density(&self, limb: usize, place: DVec3) -> Sample {
        let Some(field) = &self.fields.all[limb] else { return Sample::NOTHING };
        let back = &self.back[limb];
        let sample = field.density(back.transform_point3(place));
        Sample { gradient: back.matrix3.transpose() * sample.gradient, ..sample }
    }

    /// The density at a place for a point of a limb with an iso-value: its own, composed with those of the limbs that it
    /// becomes one with. The operators are designed for surfaces at ½; for a point of another iso-value e they are
    /// shifted, `G(f_A + s, f_B + s) − s` with `s = ½ − e`, so that it keeps e where no other limb is.
    #[inline]
    pub fn joined(&self, limb: usize, iso: f64, place: DVec3) -> Sample {
        let shift = 0.5 - iso;
        let shifted = |sample: Sample| Sample { value: (sample.value + shift).clamp(0.0, 1.0), ..sample };
        let mut whole = shifted(self.density(limb, place));
        for adjacent in &self.fields.adjacent[limb] {
            let JointComposition { operator, controller, parts } = &self.fields.compositions[adjacent.joint];
            let other = self.density(adjacent.limb, place);
            if !parts && other.value > 0.0 {
                whole = operator.compose(&self.fields.tables, controller, whole, shifted(other));
            }
        }
        Sample { value: whole.value - shift, ..whole }
    }

    /// The iso-value of a point of a limb at rest: where its density is the iso-value.
    pub fn iso_value(&self, limb: usize, rest: DVec3) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if self.joined(limb, middle, rest).value > middle { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }

    /// The signed distance from a limb's surface, given the way back to rest.
    #[inline]
    pub fn distance(&self, limb: usize, back: &DAffine3, place: DVec3, scale: f64) -> Sample {
        let Some(field) = &self.fields.all[limb] else { return Sample::NOTHING };
        let sample = field.distance(back.transform_point3(place));
        Sample { value: scale * sample.value, gradient: scale * (back.matrix3.transpose() * sample.gradient) }
    }

    /// How far the contact of two limbs has its effect at a place, by the angle between their gradients there.
    #[inline]
    pub fn effect(&self, joint: usize, limbs: [usize; 2], place: DVec3) -> f64 {
        let controller = &self.fields.compositions[joint].controller;
        if controller.is_always() {
            return 1.0;
        }
        let [below, above] = limbs.map(|limb| self.distance(limb, &self.back[limb], place, 1.0).gradient);
        controller.alpha(below, above)
    }

    /// The density of all limbs together: adjacent limbs by the operators of their joints, others by the maximum.
    pub fn whole(&self, place: DVec3) -> Sample {
        let mut whole = Sample::NOTHING;
        for (limb, adjacent) in self.fields.adjacent.iter().enumerate() {
            let mut joined = self.density(limb, place);
            for AdjacentLimb { limb: other, joint } in adjacent.iter().filter(|other| other.joint == limb) {
                let JointComposition { operator, controller, .. } = &self.fields.compositions[*joint];
                joined = operator.compose(&self.fields.tables, controller, joined, self.density(*other, place));
            }
            if joined.value > whole.value {
                whole = joined;
            }
        }
        whole
    }
}
