//! An Acclaim skeleton and its motion, separated by a zero byte.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (asf, amc) = bytes.split_at(bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len()));
    let _ = sinew_io::asf::read_skeleton(asf);
    let _ = sinew_io::asf::read_motion(asf, amc.get(1..).unwrap_or_default());
});
