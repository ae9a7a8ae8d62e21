//! Where things are: the repository, what cargo builds, and the test data.

use anyhow::{Context, Result, bail};
use std::env::var_os;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in a folder of the repository")
}

/// The folder that cargo builds into.
pub fn target_folder() -> Result<PathBuf> {
    let output = cargo().args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).output()?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).context("cargo metadata gives no JSON")?;
    let folder = metadata["target_directory"].as_str().context("cargo metadata names no target folder")?;
    Ok(folder.into())
}

/// The folder of test data: SINEW_DATA, or `../shared/data`.
pub fn data_folder() -> PathBuf {
    var_os("SINEW_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from)
}

/// Cargo, started in the root of the repository.
pub fn cargo() -> Command {
    let mut cargo = Command::new(var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Runs a command; an error if it cannot be started or fails.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed: {status}");
    }
    Ok(())
}

/// An error if a command that takes no arguments is given some.
pub fn expect_no_arguments(arguments: &[String]) -> Result<()> {
    match arguments {
        [] => Ok(()),
        [first, ..] => bail!("unexpected argument {first:?}"),
    }
}
