//! Stanford PLY.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = sinew_io::ply::read(bytes);
});
