//! Finds skinning weights for a mesh and a skeleton: `cargo run --release -p sinew --example bind_a_mesh`.

use sinew::bind::{BindOptions, bind};

fn main() -> sinew::Result<()> {
    let character = sinew::demo::character(); // its own weights do not matter
    let joints: Vec<usize> = character.joints().collect();
    let bound = bind(&character, &joints, &BindOptions::default(), &mut |phase| println!("{phase:?} …"))?;
    for joint in bound.report.joints.iter().filter(|joint| joint.vertices > 0) {
        println!("{}: {} vertices, mean weight {:.2}", joint.name, joint.vertices, joint.mean_weight);
    }
    Ok(())
}
