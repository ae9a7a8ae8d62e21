//! Markers as C3D, and that what was read is written back byte for byte.
#![no_main]

use sinew_io::markers::{MarkerFile, MarkerFormat};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = MarkerFile::read(bytes, MarkerFormat::C3d) {
        assert!(file.to_bytes(&file.markers) == bytes, "an unchanged file changed");
    }
});
