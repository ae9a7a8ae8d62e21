//! Penetrating vertices of whole characters.

use glam::DQuat;
use sinew::Time;
use sinew::deform::skinning::SkinMethod;
use sinew::geometry::{Topology, Winding};
use sinew::recipe::{Recipe, SkinOptions};
use sinew::rig::Character;
use sinew::{Stack, Surface, demo};

/// The tube, bent.
fn bent(tube: &Character, method: SkinMethod, degrees: f64) -> Surface {
    let recipe = Recipe { skin: SkinOptions { method }, ..Recipe::default() };
    let mut pose = tube.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_x(degrees.to_radians());
    let mut surface = Surface::default();
    Stack::new(tube, &recipe).unwrap().deform(&pose, Time::default(), &mut surface);
    surface
}

#[test]
fn a_sharp_bend_makes_vertices_of_the_tube_penetrate() {
    let tube = demo::tube();
    let mesh = &tube.parts[0].mesh;
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    let mut winding = Winding::new(&topology, &mesh.positions);
    for method in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
        let mut count = |degrees: f64| {
            winding.follow(&bent(&tube, method, degrees).positions);
            winding.penetrating().len()
        };
        let counts = [0.0, 30.0, 60.0, 90.0, 120.0, 150.0].map(&mut count);
        assert_eq!(counts[..2], [0, 0]);
        assert!(counts[4] > 50 && counts[5] > counts[4], "{method:?}: {counts:?}");
        assert_eq!(count(0.0), 0, "the pose before leaves nothing behind");
    }
}

#[test]
fn the_number_of_threads_does_not_change_what_penetrates() {
    let tube = demo::tube();
    let mesh = &tube.parts[0].mesh;
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    let positions = bent(&tube, SkinMethod::Linear, 130.0).positions;
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut winding = Winding::new(&topology, &mesh.positions);
        winding.follow(&positions);
        pool.install(|| winding.penetrating().to_vec())
    };
    let one = with_threads(1);
    assert!(!one.is_empty());
    for threads in [2, 3, 7] {
        assert_eq!(one, with_threads(threads), "{threads} threads");
    }
}
