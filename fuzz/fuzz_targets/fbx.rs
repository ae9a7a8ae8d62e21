//! FBX through ufbx.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(asset) = sinew_io::fbx::read(bytes) {
        let _ = asset.character.check();
    }
});
