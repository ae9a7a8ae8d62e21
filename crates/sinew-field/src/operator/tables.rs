//! The tables of the contact, bulge and detail operators, and their bytes for a cache.
//!
//! The tables are the same for every character. Their owner builds them once and passes them to each operator; a table
//! is solved when it is first needed. The bytes hold a mark, a version, a checksum and the solved plates, from which the
//! patches follow.

use super::Operator;
use super::design::{self, BULGE_CREASE, CONTACT_CREASE, DETAIL_TURN};
use super::patch::Patch;
use super::plate::NODES;
use crate::{Error, Result};
use sinew_geometry::checksum::{START, checksum};
use std::sync::OnceLock;

/// The first bytes of the tables.
const MARK: [u8; 8] = *b"sinew G\0";

/// Changes whenever the design of an operator does.
const VERSION: u32 = 1;

/// Bytes before the values: mark, version, checksum.
const HEAD: usize = 8 + 4 + 8;

/// Number of solved plates: contact for α = 0 and 1, bulge for α = 1, detail.
const PLATES: usize = 4;

/// The tables of the contact, bulge and detail operators.
///
/// ```
/// use sinew_field::OperatorTables;
///
/// let bytes = OperatorTables::default().to_bytes();
/// assert_eq!(OperatorTables::from_bytes(&bytes)?.to_bytes(), bytes);
/// assert!(OperatorTables::from_bytes(&bytes[1..]).is_err());
/// # Ok::<(), sinew_field::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct OperatorTables {
    /// The plates of contact for α = 0 and 1. The first is also that of bulge for α = 0.
    contact_plates: OnceLock<[Vec<f64>; 2]>,
    /// The plate of bulge for α = 1.
    bulge_plate: OnceLock<Vec<f64>>,
    detail_plate: OnceLock<Vec<f64>>,
    contact: OnceLock<Patch>,
    bulge: OnceLock<Patch>,
    detail: OnceLock<Patch>,
}

impl OperatorTables {
    /// Builds the table of an operator, so that no later call has to. Does nothing for an operator without one.
    pub fn prepare(&self, operator: Operator) {
        match operator {
            Operator::Contact => _ = self.contact(),
            Operator::Bulge => _ = self.bulge(),
            Operator::Detail => _ = self.detail(),
            _ => (),
        }
    }

    #[inline]
    pub(super) fn contact(&self) -> &Patch {
        self.contact.get_or_init(|| {
            let [apart, touching] = self.contact_plates();
            Patch::creased((apart, CONTACT_CREASE), (touching, CONTACT_CREASE))
        })
    }

    #[inline]
    pub(super) fn bulge(&self) -> &Patch {
        self.bulge.get_or_init(|| {
            let [apart, _] = self.contact_plates();
            Patch::creased((apart, CONTACT_CREASE), (self.bulge_plate(), BULGE_CREASE))
        })
    }

    #[inline]
    pub(super) fn detail(&self) -> &Patch {
        self.detail.get_or_init(|| Patch::smooth(self.detail_plate(), DETAIL_TURN))
    }

    fn contact_plates(&self) -> &[Vec<f64>; 2] {
        self.contact_plates.get_or_init(design::contact)
    }

    fn bulge_plate(&self) -> &Vec<f64> {
        self.bulge_plate.get_or_init(design::bulge)
    }

    fn detail_plate(&self) -> &Vec<f64> {
        self.detail_plate.get_or_init(design::detail)
    }

    /// The bytes for a cache. Solves the plates that no operator has needed so far.
    pub fn to_bytes(&self) -> Vec<u8> {
        let plates = self.contact_plates().iter().chain([self.bulge_plate(), self.detail_plate()]);
        let values: Vec<u8> = plates.flatten().flat_map(|value| value.to_le_bytes()).collect();
        [&MARK[..], &VERSION.to_le_bytes(), &checksum(START, &values).to_le_bytes(), &values].concat()
    }

    /// The tables of a cache. Bytes of anything else, of another version, or damaged ones are refused.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let refuse = |why| Err(Error::FieldTables { why });
        let Some((head, values)) = bytes.split_at_checked(HEAD).filter(|(head, _)| head.starts_with(&MARK)) else {
            return refuse("are something else");
        };
        if head[8..12] != VERSION.to_le_bytes() {
            return refuse("are of another version");
        }
        if values.len() != PLATES * NODES * NODES * 8 {
            return refuse("are not complete");
        }
        if head[12..] != checksum(START, values).to_le_bytes() {
            return refuse("are damaged");
        }
        let number = |bytes: &[u8; 8]| f64::from_le_bytes(*bytes);
        let values: Vec<f64> = values.as_chunks().0.iter().map(number).collect();
        // A density, with what the solve may be off by.
        if !values.iter().all(|value| (-0.01..=1.01).contains(value)) {
            return refuse("have values that are no densities");
        }
        let mut plates = values.chunks_exact(NODES * NODES).map(<[f64]>::to_vec);
        let mut next = || plates.next().unwrap_or_default();
        Ok(Self {
            contact_plates: [next(), next()].into(),
            bulge_plate: next().into(),
            detail_plate: next().into(),
            ..Self::default()
        })
    }
}
