//! How fast files are read, in MB/s: `cargo bench -p sinew-io --bench load`.
//!
//! The long BVH is made here, 4593 frames of 31 joints; characters are those of `SINEW_DATA` or
//! `../shared/data` where there are any, and the demo's own.

use sinew_io::{Asset, Format};
use sinew_testing::shared_data;
use sinew_testing::timing::best_milliseconds;

fn main() {
    println!("| file | MB | ms | MB/s |");
    println!("|---|---|---|---|");
    let bvh = long_bvh(4593);
    row("BVH, 4593 frames of 31 joints, to a clip", bvh.len(), || sinew_io::bvh::read(&bvh).map(drop));
    row("the same, as a document", bvh.len(), || sinew_io::bvh::Bvh::parse(&bvh).map(drop));
    let demo = Asset::new(sinew::demo::character(), Format::Glb);
    let glb = sinew_io::gltf::write(&demo).expect("the demo can be written");
    row("GLB, the demo's mannequin", glb.len(), || read_glb(&glb));
    let Some(data) = shared_data::folder() else { return };
    let file = |name: &str| std::fs::read(data.join(name)).expect("a shared file");
    for name in ["gltf/makehuman_male_cmu31.glb", "gltf/CesiumMan.glb", "gltf/kaykit_Knight.glb"] {
        let bytes = file(name);
        row(name, bytes.len(), || read_glb(&bytes));
    }
    let obj = file("mesh/makehuman_male_body_quads.obj");
    row("mesh/makehuman_male_body_quads.obj", obj.len(), || sinew_io::obj::read(&obj).map(drop));
    let fbx = file("fbx/ozz_arnaud.fbx");
    row("fbx/ozz_arnaud.fbx", fbx.len(), || sinew_io::fbx::read(&fbx).map(drop));
}

fn read_glb(bytes: &[u8]) -> Result<(), sinew_io::Problem> {
    sinew_io::gltf::read(bytes, &|_| Err(std::io::ErrorKind::NotFound.into())).map(drop)
}

/// Prints the best of many readings.
fn row(name: &str, bytes: usize, read: impl Fn() -> Result<(), sinew_io::Problem>) {
    let milliseconds = best_milliseconds(1.0, || read().expect("a valid file"));
    let megabytes = bytes as f64 / 1e6;
    println!("| {name} | {megabytes:.2} | {milliseconds:.2} | {:.0} |", 1e3 * megabytes / milliseconds);
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
