//! Compressed copies of glTF files, by the libraries that the compressed forms come from.

use crate::skip::skip_unless_ci;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compresses each binary glTF file to the path beside it; `method` is one of `xtask/compress-gltf.mjs`.
/// False with a printed reason if the libraries are not installed; on CI they must be.
#[must_use]
pub fn compress(method: &str, files: &[(PathBuf, PathBuf)]) -> bool {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/compress-gltf.mjs");
    let paths = files.iter().flat_map(|(from, to)| [from, to]);
    let output = match Command::new("node").arg(script).arg(method).args(paths).output() {
        Ok(output) => output,
        Err(error) => {
            skip_unless_ci(&format!("compression, node cannot be run: {error}"));
            return false;
        }
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(3) {
        skip_unless_ci(&format!("compression, which {}", errors.trim_end()));
        return false;
    }
    assert!(output.status.success(), "{errors}");
    true
}
