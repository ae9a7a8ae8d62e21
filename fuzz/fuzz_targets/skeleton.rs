//! Plain skeletons, and that a written one reads back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(asset) = sinew_io::skeleton_toml::read(bytes) {
        asset.character.check().expect("a skeleton that was read passes its own check");
        let text = sinew_io::skeleton_toml::write(&asset).expect("a skeleton that was read has joints to write");
        // Bones of unknown length may be written beyond what numbers can hold.
        let mut places = asset.character.skeleton.rest_world().into_iter().map(|world| world.translation);
        if places.any(|place| place.abs().max_element() > 1e30) {
            return;
        }
        let again = sinew_io::skeleton_toml::read(&text).expect("what was written can be read");
        assert_eq!(again.character.skeleton.len(), asset.character.skeleton.len());
    }
});
