//! How fast files are read, in MB/s: `cargo bench -p sinew-io --bench load`.
//!
//! The long BVH is made here, 4593 frames of 31 joints; characters are those of `SINEW_DATA` or
//! `../shared/data` where there are any, and the demo's own.

use sinew_io::{Asset, Format};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    println!("| file | MB | ms | MB/s |");
    println!("|---|---|---|---|");
    let bvh = long_bvh(4593);
    row("BVH, 4593 frames of 31 joints, to a clip", bvh.len(), || sinew_io::bvh::read(&bvh).map(drop));
    row("the same, as a document", bvh.len(), || sinew_io::bvh::Bvh::parse(&bvh).map(drop));
    let demo = Asset::new(sinew::demo::character(), Format::Glb);
    let glb = sinew_io::gltf::write(&demo).expect("the demo can be written");
    row("GLB, the demo's mannequin", glb.len(), || read_glb(&glb));
    for name in ["gltf/makehuman_male_cmu31.glb", "gltf/CesiumMan.glb", "gltf/kaykit_Knight.glb"] {
        if let Ok(bytes) = std::fs::read(data().join(name)) {
            row(name, bytes.len(), || read_glb(&bytes));
        }
    }
    if let Ok(bytes) = std::fs::read(data().join("mesh/makehuman_male_body_quads.obj")) {
        row("mesh/makehuman_male_body_quads.obj", bytes.len(), || sinew_io::obj::read(&bytes).map(drop));
    }
    if let Ok(bytes) = std::fs::read(data().join("fbx/ozz_arnaud.fbx")) {
        row("fbx/ozz_arnaud.fbx", bytes.len(), || sinew_io::fbx::read(&bytes).map(drop));
    }
}

fn data() -> PathBuf {
    std::env::var_os("SINEW_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from)
}

fn read_glb(bytes: &[u8]) -> Result<(), sinew_io::Problem> {
    sinew_io::gltf::read(bytes, &|_| Err(std::io::ErrorKind::NotFound.into())).map(drop)
}

/// Prints the best of many readings.
fn row(name: &str, bytes: usize, read: impl Fn() -> Result<(), sinew_io::Problem>) {
    let begin = Instant::now();
    let mut best = f64::MAX;
    while begin.elapsed().as_secs_f64() < 1.0 {
        let start = Instant::now();
        read().expect("a valid file");
        best = best.min(start.elapsed().as_secs_f64());
    }
    let megabytes = bytes as f64 / 1e6;
    println!("| {name} | {megabytes:.2} | {:.2} | {:.0} |", best * 1e3, megabytes / best);
}

/// A chain of 31 joints with six channels at the root and three elsewhere.
fn long_bvh(frames: usize) -> Vec<u8> {
    let mut text = String::from("HIERARCHY\n");
    for joint in 0..31 {
        let (kind, channels) = if joint == 0 {
            ("ROOT", "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation")
        } else {
            ("JOINT", "3 Zrotation Yrotation Xrotation")
        };
        text += &format!("{kind} joint{joint}\n{{\nOFFSET 0.5 1.25 -0.125\nCHANNELS {channels}\n");
    }
    text += "End Site\n{\nOFFSET 0 1 0\n}\n";
    text += &"}\n".repeat(31);
    text += &format!("MOTION\nFrames: {frames}\nFrame Time: 0.0083333\n");
    for frame in 0..frames {
        for channel in 0..96 {
            let angle = (frame as f64 * 0.01 + f64::from(channel)).sin() * 90.0;
            text += &format!("{angle:.4} ");
        }
        text.push('\n');
    }
    text.into_bytes()
}
