//! The fields of the implicit skin in a cache, with a right checksum. The first byte is the number of limbs.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sinew::deform::implicit::fuzz_cache(bytes));
