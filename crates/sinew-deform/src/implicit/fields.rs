//! The fields of all limbs, at rest and in a pose, and their composition at a point.
//!
//! A point of limb A is at `f = G(f_A, f_B, …)`, where the limbs B are the parent and the children of A, composed by
//! the operators of their joints. At rest that is its iso-value e, which it keeps in a pose \[R18 §3.2\]. The operators
//! are designed for surfaces at ½; for a point of another iso-value they are shifted,
//!
//! ```text
//! f = G(f_A + s, f_B + s) − s        s = ½ − e
//! ```
//!
//! so that two points of different limbs that were both at the surface at rest still meet where their densities are
//! equal.

use super::limb_field::LimbField;
use crate::contact::MAX_HALF_SPACES;
use crate::welded::Limbs;
use glam::{DAffine3, DVec3};
use sinew_field::{Controller, Operator, OperatorTables, Sample};
use std::sync::Arc;

/// How the two limbs at a joint become one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JointComposition {
    pub operator: Operator,
    pub controller: Controller,
}

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

/// Limbs that half-spaces keep a point from, with the shares of their fields to leave out.
pub(super) type ExcludedLimbs = [(u32, f64); MAX_HALF_SPACES];

/// No limb.
pub(super) const NONE_EXCLUDED: ExcludedLimbs = [(u32::MAX, 0.0); MAX_HALF_SPACES];

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

    /// The limbs at the joints of a limb.
    pub fn adjacent_limbs(&self, limb: usize) -> impl Iterator<Item = usize> + '_ {
        self.adjacent[limb].iter().map(|other| other.limb)
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

    /// The composed density at a place, for a point of a limb with an iso-value.
    #[inline]
    pub fn composed(&self, limb: usize, iso: f64, excluded: &ExcludedLimbs, place: DVec3) -> Sample {
        let own = self.density(limb, place);
        let shift = 0.5 - iso;
        let shifted = |sample: Sample| Sample { value: (sample.value + shift).clamp(0.0, 1.0), ..sample };
        let mut whole = shifted(own);
        for adjacent in &self.fields.adjacent[limb] {
            let mut other = self.density(adjacent.limb, place);
            for &(_, share) in excluded.iter().filter(|(limb, _)| *limb as usize == adjacent.limb) {
                other = Sample { value: other.value * (1.0 - share), gradient: other.gradient * (1.0 - share) };
            }
            if other.value > 0.0 {
                let JointComposition { operator, controller } = &self.fields.compositions[adjacent.joint];
                whole = operator.compose(&self.fields.tables, controller, whole, shifted(other));
            }
        }
        Sample { value: whole.value - shift, ..whole }
    }

    /// The density of all limbs together: adjacent limbs by the operators of their joints, others by the maximum.
    pub fn whole(&self, place: DVec3) -> Sample {
        let mut whole = Sample::NOTHING;
        for (limb, adjacent) in self.fields.adjacent.iter().enumerate() {
            let mut joined = self.density(limb, place);
            for AdjacentLimb { limb: other, joint } in adjacent.iter().filter(|other| other.joint == limb) {
                let JointComposition { operator, controller } = &self.fields.compositions[*joint];
                joined = operator.compose(&self.fields.tables, controller, joined, self.density(*other, place));
            }
            if joined.value > whole.value {
                whole = joined;
            }
        }
        whole
    }

    /// The iso-value of a point of a limb at rest: where the composed density equals the iso-value.
    pub fn iso_value(&self, limb: usize, rest: DVec3) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if self.composed(limb, middle, &NONE_EXCLUDED, rest).value > middle { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}
