//! `cargo xtask fuzz`

use crate::workspace::{cargo, root, run as run_command};
use anyhow::{Context, Result};
use std::fs;
use std::process::ExitCode;

/// What the command does.
pub const HELP: &str = "fuzzes the readers: fuzz [SECONDS] [TARGET …]

Fuzzes every reader, or those that are named, for a minute each by default. Needs
`cargo install cargo-fuzz`. Seeds are in fuzz/seeds; what the fuzzer learns goes to fuzz/corpus.";

/// Fuzzes one reader after the other.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let (seconds, targets) = match arguments.split_first() {
        Some((first, rest)) => (first.parse::<u32>().context("SECONDS is not a whole number")?, rest.to_vec()),
        None => (60, Vec::new()),
    };
    let folder = root().join("fuzz");
    let targets = if targets.is_empty() { all_targets(&folder.join("fuzz_targets"))? } else { targets };
    for target in targets {
        fs::create_dir_all(folder.join("corpus").join(&target))?;
        // Without a sanitizer cargo-fuzz runs on stable; the readers are safe Rust but for ufbx.
        run_command(
            cargo()
                .current_dir(&folder)
                .args(["fuzz", "run", "-s", "none", &target])
                .args([format!("corpus/{target}"), format!("seeds/{target}")])
                .args(["--", &format!("-max_total_time={seconds}")])
                .args(["-rss_limit_mb=4096", "-timeout=10", "-print_final_stats=0"]),
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The names of all fuzz targets, sorted.
fn all_targets(folder: &std::path::Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some(name) = path.file_stem().filter(|_| path.extension().is_some_and(|extension| extension == "rs")) {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}
