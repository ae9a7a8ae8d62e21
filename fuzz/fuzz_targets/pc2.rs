//! Point caches.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = sinew_io::pc2::read(bytes);
});
