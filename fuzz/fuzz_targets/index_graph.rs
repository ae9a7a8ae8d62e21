//! The graph of an index of motions, which USearch reads. The bytes change those of a sound one.
#![no_main]

libfuzzer_sys::fuzz_target!(|changes: &[u8]| sinew_tasks::motion::library::fuzz_graph(changes));
