//! Embeds the engine for the browser, `TARGET/browser/engine.wasm`, which `cargo xtask browser` builds. Without that
//! file the embedded engine is empty, and `sinew studio --export` fails with a message.

use std::env::var_os;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

fn main() {
    if var_os("CARGO_FEATURE_SERVER").is_none() {
        return;
    }
    println!("cargo::rerun-if-env-changed=CARGO_TARGET_DIR");
    let out = PathBuf::from(var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let folder = target_folder(&out).join("browser");
    // Cargo runs this script in every build while a watched path is missing, so the folder is watched. A new folder
    // is dated back, or it would look changed since this run.
    if !folder.exists() && fs::create_dir_all(&folder).is_ok() {
        let _ = File::open(&folder).and_then(|folder| folder.set_modified(SystemTime::UNIX_EPOCH));
    }
    println!("cargo::rerun-if-changed={}", folder.display());
    let engine = fs::read(folder.join("engine.wasm")).unwrap_or_default();
    fs::write(out.join("engine.wasm"), engine).expect("the build folder can be written");
}

/// The target folder of the workspace. OUT_DIR is `TARGET/PROFILE/build/NAME/out`, with the target's triple before
/// the profile where cargo was given one.
fn target_folder(out: &Path) -> PathBuf {
    if let Some(folder) = var_os("CARGO_TARGET_DIR").map(PathBuf::from).filter(|folder| folder.is_absolute()) {
        return folder;
    }
    let folder = out.ancestors().nth(4).expect("OUT_DIR is four folders deep");
    let has_triple = folder.file_name() == var_os("TARGET").as_deref();
    folder.parent().filter(|_| has_triple).unwrap_or(folder).to_path_buf()
}
