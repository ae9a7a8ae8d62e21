//! Builds the engine for the browser, which `sinew studio --export` writes beside the page.
//!
//! It is built for release builds where the target `wasm32-unknown-unknown` is installed, in a folder of its own;
//! elsewhere it is left empty. `SINEW_BROWSER_ENGINE=skip` leaves it out, for those who build often.

use std::env::{self, var_os};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

fn main() {
    println!("cargo::rerun-if-env-changed=SINEW_BROWSER_ENGINE");
    let folder = |name: &str| PathBuf::from(var_os(name).unwrap_or_default());
    let engine = folder("OUT_DIR").join("engine.wasm");
    let workspace = folder("CARGO_MANIFEST_DIR").join("../..");
    for watched in ["sinew", "sinew-io", "sinew-tasks", "sinew-studio", "sinew-browser"] {
        println!("cargo::rerun-if-changed={}", workspace.join("crates").join(watched).join("src").display());
    }
    println!("cargo::rerun-if-changed={}", folder("CARGO_MANIFEST_DIR").join("web").display());
    let built = if is_wanted() { build(&workspace, &folder("OUT_DIR")) } else { None };
    let copied = match built {
        Some(built) => fs::copy(built, &engine).map(drop),
        None => fs::write(&engine, []),
    };
    copied.expect("the build folder can be written");
}

fn is_wanted() -> bool {
    let has_server = var_os("CARGO_FEATURE_SERVER").is_some();
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let is_skipped = env::var("SINEW_BROWSER_ENGINE").is_ok_and(|choice| choice == "skip");
    has_server && is_release && !is_skipped && has_target()
}

fn has_target() -> bool {
    let rustc = var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let asked = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = asked.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    folder.is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

/// The path of the engine; none, with a warning, if it cannot be built.
fn build(workspace: &Path, out: &Path) -> Option<PathBuf> {
    // OUT_DIR is TARGET/release/build/NAME/out.
    let target_folder = out.ancestors().nth(4)?.join("browser-engine");
    let cargo = var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    // What cargo tells this script is not for the crates of another build; a feature would be taken for theirs.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if ["CARGO_FEATURE_", "CARGO_CFG_", "CARGO_ENCODED_"].iter().any(|told| text.starts_with(told)) {
            build.env_remove(&name);
        }
    }
    let done = build
        .args(["build", "--locked", "--profile", "browser", "--target", TARGET, "--package", "sinew-browser"])
        .arg("--target-dir")
        .arg(&target_folder)
        .current_dir(workspace)
        .env("SINEW_BROWSER_ENGINE", "skip")
        .env("RUSTFLAGS", "-C target-feature=+simd128")
        .status();
    if !done.is_ok_and(|status| status.success()) {
        println!("cargo::warning=the engine for the browser could not be built; `sinew studio --export` is left out");
        return None;
    }
    Some(target_folder.join(TARGET).join("browser").join("sinew_browser.wasm"))
}
