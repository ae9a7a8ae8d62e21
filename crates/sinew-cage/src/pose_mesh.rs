//! A mesh posed once by its skeleton.

use crate::{Cage, CageRecipe, ControlMesh, Driver, Embedding, Result};
use glam::{DVec3, Vec3};
use sinew_geometry::Mesh;
use sinew_rig::{Pose, Skeleton};

/// The positions of a mesh in a pose, without weights: [`Cage`], [`ControlMesh`], [`Driver`] and [`Embedding`] in one
/// call. For several poses, keep these.
pub fn pose_mesh(mesh: &Mesh, skeleton: &Skeleton, pose: &Pose, recipe: &CageRecipe) -> Result<Vec<Vec3>> {
    let mut world = skeleton.rest_world();
    let joints: Vec<DVec3> = world.iter().map(|joint| joint.translation).collect();
    let cage = Cage::build(&mesh.positions, &mesh.faces, &joints, &recipe.cage_options(), &mut |_| {})?;
    let control = ControlMesh::build(&cage, &mesh.positions, Some(skeleton), &[], &mut |_| {})?;
    let handles = control.joint_handles(recipe.pull);
    let mut driver = Driver::new(&control, &handles, recipe.driver_options(Vec::new()))?;
    let mut embedding = Embedding::new(&control, &mesh.positions, &[], recipe.embedding)?;
    skeleton.world(pose, &mut world);
    driver.pose(&world);
    driver.solve();
    let mut positions = mesh.positions.clone();
    embedding.deform(driver.positions(), driver.rotations(), &mut positions, &mut []);
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    #[test]
    fn a_mesh_follows_its_skeleton() {
        let tube = sinew_demo::tube();
        let mesh = &tube.parts[0].mesh;
        let recipe = CageRecipe { vertices: 80, offset: 0.03, ..CageRecipe::default() };
        let mut pose = tube.skeleton.rest_pose();
        let largest_move = |pose: &Pose| {
            let posed = pose_mesh(mesh, &tube.skeleton, pose, &recipe).unwrap();
            posed.iter().zip(&mesh.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
        };
        let (low, high) = mesh.positions.iter().fold((Vec3::MAX, Vec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
        assert!(largest_move(&pose) < 1e-3 * low.distance(high), "rest");
        pose.joints[1].rotation = DQuat::from_rotation_x(1.0);
        assert!(largest_move(&pose) > 0.2 * low.distance(high), "bent by 57 degrees");
    }
}
