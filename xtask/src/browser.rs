//! `cargo xtask browser`

use crate::workspace::{cargo, expect_no_arguments, run as run_command, target_folder};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

/// What the command does.
pub const HELP: &str = "builds the engine for the browser, which `sinew studio --export` writes

Builds crates/sinew-browser for wasm32-unknown-unknown, into target/browser-engine, and copies it to
target/browser/engine.wasm. The next build of sinew embeds it. Installs the target with rustup if it is missing.";

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the engine.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    expect_no_arguments(arguments)?;
    if !has_target()? {
        run_command(Command::new("rustup").args(["target", "add", TARGET]))
            .with_context(|| format!("the target {TARGET} is not installed, and rustup cannot install it"))?;
    }
    let target_folder = target_folder()?;
    let engine_folder = target_folder.join("browser-engine");
    run_command(
        cargo()
            .args(["build", "--locked", "--profile", "browser", "--target", TARGET, "--package", "sinew-browser"])
            .arg("--target-dir")
            .arg(&engine_folder)
            .env("RUSTFLAGS", "-C target-feature=+simd128"),
    )?;
    let built = engine_folder.join(TARGET).join("browser").join("sinew_browser.wasm");
    let engine = target_folder.join("browser").join("engine.wasm");
    let bytes = fs::read(&built).with_context(|| format!("cannot read {}", built.display()))?;
    write_if_changed(&engine, &bytes)?;
    println!("{}: {:.1} MB", engine.display(), 1e-6 * bytes.len() as f64);
    Ok(ExitCode::SUCCESS)
}

/// Whether the standard library for the browser is installed.
fn has_target() -> Result<bool> {
    let output = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output()?;
    Ok(Path::new(String::from_utf8(output.stdout)?.trim()).is_dir())
}

/// Writes a file unless it has these bytes already, so that cargo does not build what embeds it again.
fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|present| present == bytes) {
        return Ok(());
    }
    let folder = path.parent().context("the engine is in a folder")?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, bytes))
        .with_context(|| format!("cannot write {}", path.display()))
}
