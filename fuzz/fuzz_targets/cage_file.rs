//! The file of a cage, opened with the mesh and the skeleton that the seed was built from.
#![no_main]

use std::path::PathBuf;
use std::sync::OnceLock;

const MESH: &str = include_str!("../seeds/obj/box.obj");
const SKELETON: &str = include_str!("../seeds/skeleton/two_bones.toml");

/// A folder with the mesh and the skeleton.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("sinew-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("box.obj"), MESH).expect("the mesh");
        std::fs::write(folder.join("box.toml"), SKELETON).expect("the skeleton");
        folder
    })
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = sinew_tasks::cage::CageFile::from_json(bytes) {
        let mesh = file.mesh(std::path::Path::new(""));
        // Other files of the machine are not the subject.
        if mesh == std::path::Path::new("box.obj") {
            let _ = file.open(folder());
        }
    }
});
