//! Files as bytes and text, with their path in the error.

use crate::{Error, Result};
use std::path::Path;

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|source| Error::Io { action: "read", path: path.into(), source })
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|source| Error::Io { action: "read", path: path.into(), source })
}
