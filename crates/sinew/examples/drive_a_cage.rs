//! Moves a mesh by its joints without weights: `cargo run --release -p sinew --example drive_a_cage`.

use glam::DQuat;
use sinew::cage::{Cage, CageOptions, ControlMesh, Driver, DriverOptions, Embedding, EmbeddingMethod};

fn main() -> sinew::Result<()> {
    let tube = sinew::demo::tube();
    let mesh = &tube.parts[0].mesh;
    let options = CageOptions { vertices: 80, offset: 0.03, ..CageOptions::default() };
    let cage = Cage::build(&mesh.positions, &mesh.faces, &[], &options, &mut |_| {})?;
    let control = ControlMesh::build(&cage, &mesh.positions, Some(&tube.skeleton), &[], &mut |_| {})?;
    let mut driver = Driver::new(&control, &control.joint_handles(100.0), DriverOptions::default())?;
    let mut embedding = Embedding::new(&control, &mesh.positions, &[], EmbeddingMethod::Continuous)?;

    let (mut world, mut pose) = (tube.skeleton.rest_world(), tube.skeleton.rest_pose());
    let mut positions = mesh.positions.clone();
    for degrees in [0.0f64, 30.0, 60.0, 90.0] {
        pose.joints[1].rotation = DQuat::from_rotation_x(degrees.to_radians());
        tube.skeleton.world(&pose, &mut world);
        driver.pose(&world);
        let outcome = driver.solve();
        embedding.deform(driver.positions(), driver.rotations(), &mut positions, &mut []);
        println!("{degrees}°: {} iterations, {} inverted tetrahedra", outcome.iterations, outcome.inverted);
    }
    Ok(())
}
