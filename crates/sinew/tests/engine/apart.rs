//! Limbs that no joint parts: arms against the trunk of the demo figure.

use glam::{DQuat, DVec3, Vec3};
use sinew::deform::implicit::ImplicitDeformer;
use sinew::geometry::{SelfIntersections, Topology};
use sinew::recipe::Recipe;
use sinew::rig::{Character, Deformer, Pose};
use sinew::{Surface, Time, demo};

fn recipe(apart: bool) -> Recipe {
    let mut recipe = Recipe::default();
    (recipe.implicit.on, recipe.implicit.apart) = (true, apart);
    recipe
}

/// Both arms turned towards the trunk by some degrees; at 40 they are in it.
fn lowered(figure: &Character, degrees: f64) -> Pose {
    let (mut pose, world) = (figure.rest_pose(), figure.skeleton.rest_world());
    for (name, degrees) in [("LeftArm", -degrees), ("RightArm", degrees)] {
        let arm = figure.skeleton.find(name).unwrap();
        let axis = world[arm].matrix3.inverse() * DVec3::Z;
        pose.joints[arm].rotation *= DQuat::from_axis_angle(axis.normalize(), degrees.to_radians());
    }
    pose
}

fn deformed(figure: &Character, recipe: &Recipe, pose: &Pose) -> Surface {
    let mut surface = Surface::default();
    crate::stack(figure, recipe).unwrap().deform(pose, Time::default(), &mut surface);
    surface
}

fn crossings(figure: &Character, surface: &Surface) -> usize {
    let mesh = &figure.parts[0].mesh;
    SelfIntersections::new(&Topology::new(&mesh.positions, &mesh.faces), &mesh.positions).count(&surface.positions)
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn arms_stay_out_of_the_trunk() {
    let figure = demo::character();
    let pose = lowered(&figure, 40.0);
    let [without, with] = [false, true].map(|apart| deformed(&figure, &recipe(apart), &pose));
    assert!(crossings(&figure, &without) > 40, "{}", crossings(&figure, &without));
    assert_eq!(crossings(&figure, &with), 0);
    // Nothing is thrown about: half of an arm's thickness is the most.
    assert!(farthest(&without.positions, &with.positions) < 0.04);
    let soft = with.normals.iter().filter(|normal| (normal.length() - 1.0).abs() > 1e-4).count();
    assert_eq!(soft, 0, "normals stay unit vectors");
}

/// Where limbs do not meet there is nothing to do, and at rest nothing moves, although thumbs touch palms.
#[test]
fn limbs_that_do_not_meet_stay() {
    let figure = demo::character();
    let mut raised = figure.rest_pose();
    let knee = figure.skeleton.find("LeftLeg").unwrap();
    raised.joints[knee].rotation *= DQuat::from_rotation_x(0.3);
    for pose in [figure.rest_pose(), raised] {
        let [without, with] = [false, true].map(|apart| deformed(&figure, &recipe(apart), &pose));
        assert!(farthest(&without.positions, &with.positions) < 2e-4);
    }
}

/// Steps of a hundredth of a degree move no point by more than a few times what the arm's end moves, 0.1 mm.
#[test]
fn a_contact_begins_smoothly() {
    let figure = demo::character();
    let mut stack = crate::stack(&figure, &recipe(true)).unwrap();
    let mut last: Option<Surface> = None;
    for step in 0..120 {
        let mut surface = Surface::default();
        let degrees = 30.0 + 12.0 * f64::from(step / 2) / 60.0 + 0.01 * f64::from(step % 2);
        stack.deform(&lowered(&figure, degrees), Time::default(), &mut surface);
        if let (Some(last), 1) = (&last, step % 2) {
            let moved = farthest(&last.positions, &surface.positions);
            assert!(moved < 8e-4, "{moved} at {degrees}°");
        }
        last = Some(surface);
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let figure = demo::character();
    let pose = lowered(&figure, 45.0);
    let surfaces = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| deformed(&figure, &recipe(true), &pose))
    });
    assert_eq!(surfaces[0], surfaces[1]);
}

/// A frame does not depend on those before, and neither does what it says of contacts: what a search for skin remembers
/// makes it shorter, not different.
#[test]
fn there_is_no_history() {
    let figure = demo::character();
    let mut stack = crate::stack(&figure, &recipe(true)).unwrap();
    let mut surface = Surface::default();
    let (touching, free) = (lowered(&figure, 45.0), lowered(&figure, 10.0));
    let mut deform = |pose: &Pose| {
        stack.deform(pose, Time::default(), &mut surface);
        let contacts = stack.get::<ImplicitDeformer>().unwrap().contacts().unwrap().amount.to_vec();
        (surface.clone(), contacts)
    };
    let first = deform(&free);
    let touched = deform(&touching).1.iter().filter(|touch| **touch > 0.5).count();
    assert!(touched > 50 && first.1.iter().all(|touch| *touch < 0.5), "{touched}");
    assert_eq!(deform(&free), first);
    let alone = deformed(&figure, &recipe(true), &touching);
    for degrees in [44.0, 44.9, 60.0] {
        deform(&lowered(&figure, degrees));
        assert_eq!(deform(&touching).0, alone, "after {degrees} degrees");
    }
}

/// `amount` of a limb's joint holds for its contacts, too: the trunk alone gives way to arms that do not.
#[test]
fn amounts_hold() {
    let figure = demo::character();
    let pose = lowered(&figure, 40.0);
    let mut still = recipe(true);
    still.implicit.joint.amount = Some(0.0);
    let mut off = recipe(false);
    off.implicit.joint.amount = Some(0.0);
    assert_eq!(deformed(&figure, &still, &pose), deformed(&figure, &off, &pose));
    let [plain, held] = [false, true].map(|apart| {
        let mut arms = recipe(apart);
        for name in ["LeftArm", "LeftForeArm", "LeftHand"] {
            arms.implicit.joints.entry(name.into()).or_default().amount = Some(0.0);
        }
        deformed(&figure, &arms, &pose)
    });
    let arm = figure.skeleton.find("LeftForeArm").unwrap() as u16;
    let weights = &figure.parts[0].binding.weights;
    let joints = &figure.parts[0].binding.joints;
    let is_of_arm =
        |v: usize| weights.row(v).iter().any(|i| joints[i.joint as usize] == usize::from(arm) && i.weight > 0.9);
    let moved = |v: usize| plain.positions[v].distance(held.positions[v]);
    let arm_moves = (0..plain.positions.len()).filter(|&v| is_of_arm(v)).map(moved).fold(0.0, f32::max);
    assert!(arm_moves < 1e-6, "{arm_moves}");
    assert!(farthest(&plain.positions, &held.positions) > 1e-3);
}
