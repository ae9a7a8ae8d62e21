//! BVH, and that nothing is lost by writing it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(document) = sinew_io::bvh::Bvh::parse(bytes) {
        let again = sinew_io::bvh::Bvh::parse(&document.to_bytes()).expect("what was written can be read");
        assert_eq!(again, document);
    }
});
