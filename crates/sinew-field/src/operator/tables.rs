//! Where do the designed operators come from, and can they be kept?
//!
//! They are the same for everyone and are built once per process, when first needed. A program that
//! wants to save even that keeps their bytes: a mark, a version, a checksum and the solved values, from
//! which the rest follows.

use super::design::{self, BULGE_CREASE, CONTACT_CREASE, DETAIL_TURN};
use super::patch::Patch;
use super::plate::NODES;
use crate::{Error, Result};
use sinew_geometry::checksum::{START, checksum};
use std::sync::OnceLock;

/// What the bytes begin with.
const MARK: [u8; 8] = *b"sinew G\0";

/// Changes whenever the design of an operator does.
const VERSION: u32 = 1;

/// Bytes before the values: mark, version, checksum.
const HEAD: usize = 8 + 4 + 8;

/// How many solved plates there are.
const PLATES: usize = 4;

/// The tables of the contact, bulge and detail operators.
///
/// ```
/// use sinew_field::Tables;
///
/// let bytes = Tables::shared().to_bytes();
/// assert_eq!(&Tables::from_bytes(&bytes)?, Tables::shared());
/// assert!(Tables::from_bytes(&bytes[1..]).is_err());
/// # Ok::<(), sinew_field::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Tables {
    /// Contact for α = 0 and 1, bulge for α = 1, detail.
    plates: [Vec<f64>; PLATES],
    pub(super) contact: Patch,
    pub(super) bulge: Patch,
    pub(super) detail: Patch,
}

static SHARED: OnceLock<Tables> = OnceLock::new();

impl Tables {
    /// Those of this process; built if there are none yet.
    #[inline]
    pub fn shared() -> &'static Self {
        SHARED.get_or_init(Self::build)
    }

    /// Makes these the ones of this process, unless there are some already.
    pub fn share(self) -> &'static Self {
        SHARED.get_or_init(|| self)
    }

    /// Solves the plates.
    pub fn build() -> Self {
        let [apart, touching] = design::contact();
        Self::from_plates([apart, touching, design::bulge(), design::detail()])
    }

    fn from_plates(plates: [Vec<f64>; PLATES]) -> Self {
        let [apart, touching, swollen, detail] = &plates;
        let union = (&apart[..], CONTACT_CREASE);
        Self {
            contact: Patch::creased(union, (touching, CONTACT_CREASE)),
            bulge: Patch::creased(union, (swollen, BULGE_CREASE)),
            detail: Patch::smooth(detail, DETAIL_TURN),
            plates,
        }
    }

    /// The bytes to keep.
    pub fn to_bytes(&self) -> Vec<u8> {
        let values: Vec<u8> = self.plates.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        [&MARK[..], &VERSION.to_le_bytes(), &checksum(START, &values).to_le_bytes(), &values].concat()
    }

    /// The tables whose bytes were kept. Bytes of anything else, of another version, or damaged ones are
    /// refused.
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
        let mut plates = values.chunks_exact(NODES * NODES).map(<[f64]>::to_vec);
        Ok(Self::from_plates(std::array::from_fn(|_| plates.next().unwrap_or_default())))
    }
}
