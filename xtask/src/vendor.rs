//! `cargo xtask vendor-three`

use crate::workspace::{expect_no_arguments, root};
use anyhow::{Context, Result};
use std::fs;
use std::process::ExitCode;

/// What the command does.
pub const HELP: &str = "copies the parts of three.js that the studio's page uses from node_modules

Run `npm ci` first. The files go to crates/sinew-studio/web/three, unchanged.";

/// The files, as `(in the package, in the page)`.
const FILES: [(&str, &str); 5] = [
    ("LICENSE", "LICENSE"),
    ("build/three.module.js", "three.module.js"),
    ("build/three.core.js", "three.core.js"),
    ("examples/jsm/controls/OrbitControls.js", "addons/controls/OrbitControls.js"),
    ("examples/jsm/controls/TransformControls.js", "addons/controls/TransformControls.js"),
];

/// Copies the files.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    expect_no_arguments(arguments)?;
    let from = root().join("node_modules/three");
    let to = root().join("crates/sinew-studio/web/three");
    from.is_dir().then_some(()).context("three.js is not in node_modules: run `npm ci` first")?;
    fs::remove_dir_all(&to)?;
    fs::create_dir_all(to.join("addons/controls"))?;
    for (source, copy) in FILES {
        fs::copy(from.join(source), to.join(copy)).with_context(|| format!("cannot copy {source}"))?;
    }
    Ok(ExitCode::SUCCESS)
}
