//! The Khronos glTF validator.

use crate::skip::skip_unless_ci;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Checks that the validator finds no error in any of the files. If it is not installed, a message is
/// printed; on CI it must be installed.
pub fn assert_valid(files: &[PathBuf]) {
    if let Some((valid, report)) = validate(files) {
        println!("{report}");
        assert!(valid, "{report}");
        assert_eq!(report.matches(": 0 errors").count(), files.len(), "{report}");
    }
}

/// Runs the validator over files; its report, or none with a printed reason.
fn validate(files: &[PathBuf]) -> Option<(bool, String)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/validate-gltf.mjs");
    let output = Command::new("node").arg(script).args(files).output();
    let why = match output {
        Ok(output) if output.status.code() == Some(3) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Ok(output) => {
            let report = [output.stdout, output.stderr].concat();
            return Some((output.status.success(), String::from_utf8_lossy(&report).into_owned()));
        }
        Err(error) => format!("node cannot be run: {error}"),
    };
    skip_unless_ci(&format!("the glTF validator, {}", why.trim_end()));
    None
}
