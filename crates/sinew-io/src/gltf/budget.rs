//! How much a file may unpack to.
//!
//! A small file may stand for a large character, through accessors without data, meshes that many nodes
//! share and compression; what it unpacks to is bounded in proportion to the file.

use crate::Problem;
use std::cell::Cell;

/// How many bytes a file may still unpack to.
pub(super) struct Budget {
    left: Cell<u64>,
}

impl Budget {
    /// Room for any real character: 256 MiB, and 64 times the file.
    pub fn for_input(bytes: usize) -> Self {
        Self { left: Cell::new((1 << 28) + 64 * bytes as u64) }
    }

    /// How many bytes are left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Takes bytes before they are allocated; `place` is what needs them.
    pub fn charge(&self, place: &str, count: usize, bytes_each: usize) -> Result<(), Problem> {
        let bytes = (count as u64).saturating_mul(bytes_each as u64);
        match self.left.get().checked_sub(bytes) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(Problem::malformed(place, format!("{count} elements are out of all proportion to the file"))),
        }
    }
}
