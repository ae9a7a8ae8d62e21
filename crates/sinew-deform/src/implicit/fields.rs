//! The fields of all limbs, at rest and in a pose, and what a point sees of them.
//!
//! A point of limb A is at `f = G(f_A, f_B, …)`, where the limbs B are those that A hangs on or that hang on it, put
//! together by the operators of their joints. At rest that is its iso-value e, which it is to keep \[R18 §3.2\]. The
//! operators are made for surfaces at ½; a point whose iso-value is another sees them shifted,
//!
//! ```text
//! f = G(f_A + s, f_B + s) − s        s = ½ − e
//! ```
//!
//! so that two points of different limbs that were both at the surface at rest still meet where their densities are
//! equal.

use super::limb_field::LimbField;
use crate::welded::Limbs;
use glam::{DAffine3, DVec3};
use sinew_field::{Controller, Operator, OperatorTables, Sample};
use std::sync::Arc;

/// How the two limbs at a joint become one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Joining {
    pub operator: Operator,
    pub controller: Controller,
}

/// The fields of a character's limbs.
pub(super) struct Fields {
    /// The tables of the operators.
    pub tables: Arc<OperatorTables>,
    /// None for limbs that have no shape.
    pub all: Vec<Option<LimbField>>,
    /// For each limb, how it is joined to the one it hangs on.
    pub joinings: Vec<Joining>,
    /// For each limb the other limbs at its joints, with the limb that names the joint.
    kin: Vec<Vec<Kin>>,
}

/// A limb next to another.
#[derive(Debug, Clone, Copy)]
struct Kin {
    limb: usize,
    /// The lower one of the two.
    joint: usize,
}

/// The most hinges that hold a point.
pub(super) const MOST_HINGES: usize = 2;

/// Limbs that a point is kept from by other means, with shares of their fields to leave out.
pub(super) type Mates = [(u32, f64); MOST_HINGES];

/// No limb.
pub(super) const NOBODY: Mates = [(u32::MAX, 0.0); MOST_HINGES];

impl Fields {
    pub fn new(
        limbs: &Limbs,
        all: Vec<Option<LimbField>>,
        joinings: Vec<Joining>,
        tables: Arc<OperatorTables>,
    ) -> Self {
        joinings.iter().for_each(|joining| tables.prepare(joining.operator));
        let kin = |limb: usize| {
            let above = limbs.all[limb].parent.map(|other| Kin { limb: other, joint: limb });
            let below = limbs.children(limb).map(|other| Kin { limb: other, joint: other });
            above.into_iter().chain(below).filter(|kin| all[kin.limb].is_some()).collect()
        };
        Self { kin: (0..limbs.all.len()).map(kin).collect(), all, joinings, tables }
    }

    /// The limbs at the joints of a limb.
    pub fn kin_of(&self, limb: usize) -> impl Iterator<Item = usize> + '_ {
        self.kin[limb].iter().map(|kin| kin.limb)
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

    /// What a point of a limb with an iso-value sees at a place.
    #[inline]
    pub fn seen(&self, limb: usize, iso: f64, mates: &Mates, place: DVec3) -> Sample {
        let own = self.density(limb, place);
        let shift = 0.5 - iso;
        let shifted = |sample: Sample| Sample { value: (sample.value + shift).clamp(0.0, 1.0), ..sample };
        let mut whole = shifted(own);
        for kin in &self.fields.kin[limb] {
            let mut other = self.density(kin.limb, place);
            for &(_, share) in mates.iter().filter(|(mate, _)| *mate as usize == kin.limb) {
                other = Sample { value: other.value * (1.0 - share), gradient: other.gradient * (1.0 - share) };
            }
            if other.value > 0.0 {
                let Joining { operator, controller } = &self.fields.joinings[kin.joint];
                whole = operator.compose(&self.fields.tables, controller, whole, shifted(other));
            }
        }
        Sample { value: whole.value - shift, ..whole }
    }

    /// The density of all limbs together: of limbs that hang on each other as their joints say, of others the larger.
    pub fn whole(&self, place: DVec3) -> Sample {
        let mut whole = Sample::NOTHING;
        for (limb, kin) in self.fields.kin.iter().enumerate() {
            let mut joined = self.density(limb, place);
            for Kin { limb: other, joint } in kin.iter().filter(|kin| kin.joint == limb) {
                let Joining { operator, controller } = &self.fields.joinings[*joint];
                joined = operator.compose(&self.fields.tables, controller, joined, self.density(*other, place));
            }
            if joined.value > whole.value {
                whole = joined;
            }
        }
        whole
    }

    /// The iso-value of a point of a limb at rest: where what it sees equals what it has.
    pub fn iso_value(&self, limb: usize, rest: DVec3) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if self.seen(limb, middle, &NOBODY, rest).value > middle { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}
