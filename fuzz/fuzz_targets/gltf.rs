//! glTF and GLB, and writing what was read.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(asset) = sinew_io::gltf::read(bytes, &|_| Err(std::io::ErrorKind::NotFound.into())) {
        asset.character.check().expect("a character that was read passes its own check");
        let _ = sinew_io::gltf::write(&asset);
    }
});
