//! Implicit skin on the tube, the demo figure, and on what is hardly a character.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use sinew::Deformer;
use sinew::Time;
use sinew::deform::implicit::ImplicitDeformer;
use sinew::deform::skinning::SkinMethod;
use sinew::field::Oriented;
use sinew::geometry::{Face, Mesh, SelfIntersections, Topology, Winding};
use sinew::recipe::{ControllerKind, LimbOptions, OperatorKind, Recipe, VolumeMethod};
use sinew::rig::{Binding, Character, Joint, Part, Pose, Skeleton, Weights};
use sinew::{Stack, Surface, demo};
use sinew_testing::shapes;

fn plain(method: SkinMethod) -> Recipe {
    let mut recipe = Recipe::default();
    recipe.skin.method = method;
    recipe
}

fn implicit(method: SkinMethod) -> Recipe {
    let mut recipe = plain(method);
    recipe.implicit.on = true;
    recipe
}

fn deformed(character: &Character, recipe: &Recipe, pose: &Pose) -> Surface {
    let mut surface = Surface::default();
    crate::stack(character, recipe).unwrap().deform(pose, Time::default(), &mut surface);
    surface
}

fn crossings(character: &Character) -> impl FnMut(&Surface) -> usize {
    let mut parts: Vec<_> = character
        .parts
        .iter()
        .zip(character.vertex_ranges())
        .map(|(part, range)| {
            let topology = Topology::new(&part.mesh.positions, &part.mesh.faces);
            (SelfIntersections::new(&topology, &part.mesh.positions), range)
        })
        .collect();
    move |surface| parts.iter_mut().map(|(found, range)| found.count(&surface.positions[range.clone()])).sum()
}

fn bent_tube(character: &Character, degrees: f64) -> Pose {
    let mut pose = character.rest_pose();
    pose.joints[1].rotation *= DQuat::from_rotation_x(-degrees.to_radians());
    pose
}

/// The share of the vertices that lie inside the surface.
fn penetration(character: &Character, surface: &Surface) -> f64 {
    let mesh = &character.parts[0].mesh;
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    let mut winding = Winding::new(&topology, &mesh.positions);
    winding.follow(&surface.positions);
    winding.penetrating().len() as f64 / topology.welded_count() as f64
}

#[test]
fn no_vertex_of_a_bent_tube_is_inside_it() {
    let tube = demo::tube();
    let mut count = crossings(&tube);
    // At 150°, linear skin is so far inside that it stays there.
    let both = [SkinMethod::Linear, SkinMethod::DualQuaternion];
    for (degrees, least, methods) in [(90.0, 0.02, &both[..]), (120.0, 0.06, &both), (150.0, 0.15, &both[1..])] {
        let pose = bent_tube(&tube, degrees);
        for &method in methods {
            let before = penetration(&tube, &deformed(&tube, &plain(method), &pose));
            assert!(before > least, "{method} at {degrees}°: {before}");
            let surface = deformed(&tube, &implicit(method), &pose);
            let after = penetration(&tube, &surface);
            assert!(after == 0.0, "{method} at {degrees}°: {after}");
            assert_eq!(count(&surface), 0, "{method} at {degrees}°");
        }
    }
}

/// How far from the joint simulated flesh has the outside of a bend, and how wide it is there, in radii. Dual quaternions
/// leave 1 and 2.
#[test]
fn a_bent_tube_has_the_section_of_flesh() {
    let tube = demo::tube();
    let rest = &tube.parts[0].mesh.positions;
    let joint = Vec3::new(0.0, 0.0, 5.0);
    for (degrees, outside, width) in [(45.0, 0.81, 2.01), (90.0, 0.68, 2.14), (120.0, 0.63, 2.30)] {
        let surface = deformed(&tube, &implicit(SkinMethod::DualQuaternion), &bent_tube(&tube, degrees));
        let section = rest.iter().zip(&surface.positions).filter(|(rest, _)| (rest.z - joint.z).abs() < 1e-3);
        let (mut tip, mut half) = (0.0f32, 0.0f32);
        for (rest, place) in section {
            half = half.max(place.x);
            tip = tip.max(if rest.y < -0.99 { place.distance(joint) } else { 0.0 });
        }
        assert!((tip - outside).abs() < 0.12 && (2.0 * half - width).abs() < 0.1, "{degrees}°: {tip}, {half}");
    }
}

#[test]
fn the_rest_pose_stays() {
    for character in [demo::tube(), demo::character()] {
        for method in SkinMethod::ALL {
            let [before, after] =
                [plain(method), implicit(method)].map(|recipe| deformed(&character, &recipe, &character.rest_pose()));
            assert_eq!(before, after);
        }
    }
}

/// The demo's clips: nowhere more crossings than without, and next to none at the elbow.
#[test]
fn it_helps_and_never_hurts() {
    helps_and_never_hurts(&demo::character());
}

/// The same with faces split around the joints: a finer surface folds in more places, and comes undone as well.
#[test]
fn it_helps_finer_surfaces_as_well() {
    let mut recipe = Recipe::default();
    (recipe.volume.refine.steps, recipe.volume.refine.threshold) = (1, 0.35);
    let fine = sinew::deform::volume::refine(&demo::character(), recipe.skin.method, &recipe.volume, None).unwrap();
    assert!(fine.vertex_count() > 20_000);
    helps_and_never_hurts(&fine);
    let stage = ImplicitDeformer::new(&fine, &implicit(SkinMethod::DualQuaternion).implicit).unwrap();
    for name in ["LeftForeArm", "RightForeArm", "LeftLeg", "RightLeg"] {
        let joint = fine.skeleton.find(name).unwrap();
        let limb = stage.limbs().iter().find(|limb| limb.joint == joint).unwrap();
        assert!(limb.has_joint, "{name}");
    }
}

fn helps_and_never_hurts(figure: &Character) {
    let mut count = crossings(figure);
    let mut stacks = [plain(SkinMethod::DualQuaternion), implicit(SkinMethod::DualQuaternion)]
        .map(|r| crate::stack(figure, &r).unwrap());
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    for clip in &figure.clips {
        let mut sums = [0; 2];
        for seconds in clip.frame_times(6.0).unwrap() {
            clip.sample(seconds, &figure.base_pose, &mut pose);
            let counts = stacks.each_mut().map(|stack| {
                stack.deform(&pose, Time::alone(seconds), &mut surface);
                count(&surface)
            });
            assert!(counts[1] <= counts[0], "{} at {seconds}: {counts:?}", clip.name);
            sums = [sums[0] + counts[0], sums[1] + counts[1]];
        }
        if clip.name == "elbow curl" {
            assert!(sums[0] > 300 && sums[1] * 10 < sums[0], "{sums:?}");
        }
    }
}

/// A joint that begins to move changes nothing at once: not from rest, and not beside a joint that is bent.
#[test]
fn it_begins_with_nothing() {
    let figure = demo::character();
    let [elbow, shoulder] = ["LeftForeArm", "LeftArm"].map(|name| figure.skeleton.find(name).unwrap());
    let mut stack = crate::stack(&figure, &implicit(SkinMethod::DualQuaternion)).unwrap();
    for bend in [0.0, 1.0] {
        let mut run = |angle: f64| {
            let mut pose = figure.rest_pose();
            pose.joints[shoulder].rotation *= DQuat::from_rotation_z(bend);
            pose.joints[elbow].rotation *= DQuat::from_rotation_y(angle);
            let mut surface = Surface::default();
            stack.deform(&pose, Time::default(), &mut surface);
            let contacts = stack.get::<ImplicitDeformer>().unwrap().contacts().map(|contacts| contacts.amount.to_vec());
            (surface, contacts.unwrap_or_else(|| vec![0.0; figure.vertex_count()]))
        };
        let (here, there) = (run(0.0), run(1e-5));
        for v in 0..figure.vertex_count() {
            assert!(here.0.positions[v].distance(there.0.positions[v]) < 1e-4, "{v} beside {bend}");
            assert!((here.1[v] - there.1[v]).abs() < 1e-3, "{v} beside {bend}: {} {}", here.1[v], there.1[v]);
        }
    }
}

/// A limb that a clip hides does not change another one.
#[test]
fn a_hidden_hand_leaves_the_other_elbow() {
    let figure = demo::character();
    let [elbow, hand] = ["LeftForeArm", "RightHand"].map(|name| figure.skeleton.find(name).unwrap());
    let recipe = implicit(SkinMethod::DualQuaternion);
    let mut pose = figure.rest_pose();
    pose.joints[elbow].rotation *= DQuat::from_rotation_y(1.9);
    let whole = deformed(&figure, &recipe, &pose);
    pose.joints[hand].scale = DVec3::ZERO;
    let hidden = deformed(&figure, &recipe, &pose);
    let mesh = &figure.parts[0].mesh;
    let left = (0..figure.vertex_count()).filter(|&v| mesh.positions[v].x > 0.05);
    assert!(left.clone().count() > 1000);
    left.for_each(|v| assert!(whole.positions[v].distance(hidden.positions[v]) < 1e-6, "{v}"));
}

/// Turned, moved and scaled as a whole, bent or not, the surface is turned, moved and scaled.
#[test]
fn it_moves_with_the_character() {
    let figure = demo::character();
    let mut stack = crate::stack(&figure, &implicit(SkinMethod::DualQuaternion)).unwrap();
    let mut bent = figure.rest_pose();
    let elbow = figure.skeleton.find("LeftForeArm").unwrap();
    bent.joints[elbow].rotation *= DQuat::from_rotation_y(1.9);
    for size in [1.0, 0.1, 7.0] {
        let (turn, shift) = (DQuat::from_rotation_y(1.1), DVec3::new(0.4, -0.2, 3.0));
        let motion = DAffine3::from_scale_rotation_translation(DVec3::splat(size), turn, shift);
        let mut moved = bent.clone();
        let root = &mut moved.joints[0];
        root.translation = motion.transform_point3(root.translation);
        root.rotation = turn * root.rotation;
        root.scale *= size;
        let (mut here, mut there) = (Surface::default(), Surface::default());
        stack.deform(&bent, Time::default(), &mut here);
        stack.deform(&moved, Time::default(), &mut there);
        for (p, q) in here.positions.iter().zip(&there.positions) {
            assert!(motion.transform_point3(p.as_dvec3()).distance(q.as_dvec3()) < 1e-4 * size.max(1.0), "{size}");
        }
    }
}

#[test]
fn mirrored_bends_of_a_tube_are_mirrored() {
    let tube = demo::tube();
    let surfaces = [100.0, -100.0]
        .map(|degrees| deformed(&tube, &implicit(SkinMethod::DualQuaternion), &bent_tube(&tube, degrees)));
    let rest = &tube.parts[0].mesh.positions;
    let mut worst = 0.0f32;
    for (p, place) in rest.iter().zip(&surfaces[0].positions) {
        let mirrored = |p: &Vec3| Vec3::new(p.x, -p.y, p.z);
        let twin = rest.iter().position(|q| q.distance(mirrored(p)) < 1e-4).unwrap();
        worst = worst.max(mirrored(place).distance(surfaces[1].positions[twin]));
    }
    assert!(worst < 0.02, "{worst}");
}

/// The path of every vertex through every clip is about as smooth as that of the plain skin.
#[test]
fn it_is_smooth_in_time() {
    let figure = demo::character();
    let recipes = [plain(SkinMethod::DualQuaternion), implicit(SkinMethod::DualQuaternion)];
    let mut stacks = recipes.map(|recipe| crate::stack(&figure, &recipe).unwrap());
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    for clip in &figure.clips {
        let bends = stacks.each_mut().map(|stack| {
            let mut frames: [Vec<Vec3>; 3] = Default::default();
            let mut worst = 0.0f32;
            for seconds in clip.frame_times(60.0).unwrap().take(90) {
                clip.sample(seconds, &figure.base_pose, &mut pose);
                stack.deform(&pose, Time { seconds, delta: 1.0 / 60.0 }, &mut surface);
                frames.rotate_left(1);
                frames[2].clone_from(&surface.positions);
                let [a, b, c] = &frames;
                let second = a.iter().zip(b).zip(c).map(|((a, b), c)| (a - 2.0 * b + c).length());
                worst = second.fold(worst, f32::max);
            }
            worst
        });
        // The arm is 4 cm thick.
        assert!(bends[1] < 1.2 * bends[0] + 0.0005, "{}: {bends:?}", clip.name);
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let figure = demo::character();
    let mut pose = figure.rest_pose();
    let elbow = figure.skeleton.find("LeftForeArm").unwrap();
    pose.joints[elbow].rotation *= DQuat::from_rotation_y(2.0);
    let surfaces = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| deformed(&figure, &implicit(SkinMethod::DualQuaternion), &pose))
    });
    assert_eq!(surfaces[0], surfaces[1]);
}

#[test]
fn joints_follow_the_recipe() {
    let tube = demo::tube();
    let pose = bent_tube(&tube, 110.0);
    let plain = deformed(&tube, &plain(SkinMethod::DualQuaternion), &pose);
    let with = |amount: f64, operator: OperatorKind| {
        let mut recipe = implicit(SkinMethod::DualQuaternion);
        let joint = recipe.implicit.joints.entry("bend".into()).or_default();
        (joint.amount, joint.operator) = (Some(amount), Some(operator));
        deformed(&tube, &recipe, &pose)
    };
    let moved = |a: &Surface, b: &Surface| {
        a.positions.iter().zip(&b.positions).map(|(p, q)| p.distance(*q)).fold(0.0, f32::max)
    };
    assert_eq!(with(0.0, OperatorKind::Contact), plain);
    let (half, whole) = (with(0.5, OperatorKind::Contact), with(1.0, OperatorKind::Contact));
    assert!(0.0 < moved(&half, &plain) && moved(&half, &plain) < moved(&whole, &plain));
    let (bulge, union) = (with(1.0, OperatorKind::Bulge), with(1.0, OperatorKind::Union));
    let apart = [moved(&bulge, &whole), moved(&union, &whole)];
    assert!(apart.iter().all(|apart| *apart > 0.01), "{apart:?}");
    let mut count = crossings(&tube);
    assert!(count(&union) > 0, "a union lets the sides cross");
    assert_eq!(count(&whole), 0);
}

/// A pose is the same surface, whatever came before it.
#[test]
fn a_surface_has_no_history() {
    let tube = demo::tube();
    let mut stack = crate::stack(&tube, &implicit(SkinMethod::DualQuaternion)).unwrap();
    let mut surface = Surface::default();
    for degrees in [0.0, 140.0, -90.0, 100.0] {
        stack.deform(&bent_tube(&tube, degrees), Time { seconds: 0.0, delta: 1.0 / 30.0 }, &mut surface);
    }
    assert_eq!(surface, deformed(&tube, &implicit(SkinMethod::DualQuaternion), &bent_tube(&tube, 100.0)));
}

/// A bend of a tube is the same to any side, and a twist keeps its radius.
#[test]
fn the_side_to_which_a_tube_bends_does_not_matter() {
    let tube = demo::tube();
    let rest = &tube.parts[0].mesh.positions;
    let quarter = |p: Vec3| Vec3::new(-p.y, p.x, p.z);
    let twin = |p: &Vec3| rest.iter().position(|q| q.distance(quarter(*p)) < 1e-4).unwrap();
    let turned = |recipe: &Recipe, axis: DVec3| {
        let mut pose = tube.rest_pose();
        pose.joints[1].rotation *= DQuat::from_axis_angle(axis, 1.5);
        deformed(&tube, recipe, &pose)
    };
    let recipe = implicit(SkinMethod::DualQuaternion);
    let (one, other) = (turned(&recipe, DVec3::X), turned(&recipe, DVec3::Y));
    for (place, rest) in one.positions.iter().zip(rest) {
        let apart = quarter(*place).distance(other.positions[twin(rest)]);
        assert!(apart < 0.02, "{apart}");
    }
    for (place, rest) in turned(&recipe, DVec3::Z).positions.iter().zip(rest) {
        let grown = place.truncate().length() - rest.truncate().length();
        assert!(grown.abs() < 0.01, "{grown}");
    }
}

/// A bend beside the crook, as of a hand that is laid on the chest, stretches no edge more than one in the crook.
#[test]
fn a_bend_beside_the_crook_does_not_tear() {
    let figure = demo::character();
    let elbow = figure.skeleton.find("LeftForeArm").unwrap();
    let mesh = &figure.parts[0].mesh;
    let stretch = |twist: f64| {
        let mut pose = figure.rest_pose();
        pose.joints[elbow].rotation *= DQuat::from_rotation_x(twist) * DQuat::from_rotation_y(1.9);
        let places = deformed(&figure, &implicit(SkinMethod::DualQuaternion), &pose).positions;
        let edges = mesh.faces.iter().flat_map(Face::triangles).flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)]);
        let length = |at: &[Vec3], (i, j): (u32, u32)| at[i as usize].distance(at[j as usize]);
        edges.map(|edge| length(&places, edge) / length(&mesh.positions, edge).max(1e-3)).fold(0.0, f32::max)
    };
    let [crook, beside, other] = [0.0, 0.8, -0.8].map(stretch);
    assert!(crook < 1.6 && beside.max(other) < 1.1 * crook, "{crook} {beside} {other}");
}

/// From rigid weights the skin becomes nearly what it is from smooth ones \[R18 §3.4\]: within a tenth of the radius.
#[test]
fn rigid_weights_are_enough() {
    let tube = demo::tube();
    let mut rigid = tube.clone();
    let weights = &mut rigid.parts[0].binding.weights;
    *weights = weights.pruned(1).0;
    for degrees in [45.0, 90.0, 120.0] {
        let [smooth, rigid] =
            [&tube, &rigid].map(|c| deformed(c, &implicit(SkinMethod::DualQuaternion), &bent_tube(c, degrees)));
        let both = smooth.positions.iter().zip(&rigid.positions).zip(&tube.parts[0].mesh.positions);
        let near = both.filter(|(_, rest)| (rest.z - 5.0).abs() < 3.0);
        let apart: Vec<f32> = near.map(|((p, q), _)| p.distance(*q)).collect();
        let mean = apart.iter().sum::<f32>() / apart.len() as f32;
        assert!(mean < 0.1, "{degrees}°: {mean}");
    }
}

/// A bulge swells beside the contact and nowhere shrinks \[R18 fig. 3.6\]; limbs that become one have no wall between
/// them, and a blend fills the corner of a union.
#[test]
fn operators_do_what_they_say() {
    let tube = demo::tube();
    let pose = bent_tube(&tube, 110.0);
    let with = |operator: OperatorKind| {
        let mut recipe = implicit(SkinMethod::DualQuaternion);
        recipe.implicit.joint.operator = Some(operator);
        let (mut stack, mut surface) = (crate::stack(&tube, &recipe).unwrap(), Surface::default());
        stack.deform(&pose, Time::default(), &mut surface);
        (surface, stack.get::<ImplicitDeformer>().unwrap().last_frame().touching)
    };
    let kinds = [OperatorKind::Contact, OperatorKind::Bulge, OperatorKind::Union, OperatorKind::Blend];
    let [contact, bulge, union, blend] = kinds.map(with);
    assert!(contact.1 > 100 && bulge.1 > 100 && union.1 + blend.1 == 0, "{} {}", contact.1, bulge.1);
    let mut count = crossings(&tube);
    assert_eq!([count(&contact.0), count(&bulge.0)], [0, 0]);
    // How far a vertex of one surface is outside of another.
    let outside =
        |one: &Surface, other: &Surface, v: usize| other.normals[v].dot(one.positions[v] - other.positions[v]);
    let joint = Vec3::new(0.0, 0.0, 5.0);
    for (v, rest) in tube.parts[0].mesh.positions.iter().enumerate() {
        let out = outside(&bulge.0, &contact.0, v);
        assert!(out > -0.01 && (out < 0.02 || rest.distance(joint) < 3.0), "{out} at {rest}");
    }
    let farthest =
        |one: &Surface, other: &Surface| (0..one.positions.len()).map(|v| outside(one, other, v)).fold(0.0, f32::max);
    assert!(farthest(&bulge.0, &contact.0) > 0.1);
    assert!(farthest(&blend.0, &union.0) > 0.1);
}

/// The effect of a contact begins at the angle between the limbs that the controller says.
#[test]
fn controllers_decide_when() {
    let tube = demo::tube();
    let touching = |controller: ControllerKind, degrees: f64| {
        let mut recipe = implicit(SkinMethod::DualQuaternion);
        recipe.implicit.joint.controller = Some(controller);
        let mut stack = crate::stack(&tube, &recipe).unwrap();
        stack.deform(&bent_tube(&tube, degrees), Time::default(), &mut Surface::default());
        stack.get::<ImplicitDeformer>().unwrap().last_frame().touching
    };
    let from = [ControllerKind::Always, ControllerKind::Wide, ControllerKind::Sharp, ControllerKind::Late];
    for degrees in [60.0, 90.0, 120.0, 140.0] {
        let counts = from.map(|controller| touching(controller, degrees));
        assert!(counts.is_sorted_by(|a, b| a > b || *a == 0 && *b == 0), "{degrees}°: {counts:?}");
        assert!(counts[0] > 100 && (counts[3] > 0) == (degrees > 130.0), "{degrees}°: {counts:?}");
    }
}

/// Contacts by the fields, volume by the constraint: both hold.
#[test]
fn volume_is_kept_on_top() {
    let tube = demo::tube();
    let mut count = crossings(&tube);
    let mesh = &tube.parts[0].mesh;
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    let volume = |positions: &[Vec3]| sinew::geometry::volume::closed_volume(&topology, positions).unwrap();
    for degrees in [90.0, 120.0] {
        let pose = bent_tube(&tube, degrees);
        let mut recipe = implicit(SkinMethod::DualQuaternion);
        let without = deformed(&tube, &recipe, &pose);
        recipe.volume.method = VolumeMethod::Exact;
        let surface = deformed(&tube, &recipe, &pose);
        let [lost, kept] = [&without, &surface].map(|s| volume(&s.positions) / volume(&mesh.positions) - 1.0);
        assert!(lost.abs() > 3e-4 && kept.abs() < 1e-6, "{degrees}°: {lost} {kept}");
        assert_eq!(count(&surface), 0, "{degrees}°");
    }
}

/// Surfaces of three points, flat ones, open ones, joints without skin: unchanged, with a warning.
#[test]
fn what_is_hardly_a_character_is_left_alone() {
    let joint = |name: &str, parent, x| Joint {
        name: name.into(),
        parent,
        rest: sinew::rig::Transform { translation: DVec3::new(x, 0.0, 0.0), ..Default::default() },
        ..Joint::default()
    };
    let (skeleton, _) = Skeleton::new(vec![
        joint("root", None, 0.0),
        joint("sheet", Some(0), 1.0),
        joint("crumb", Some(1), 1.0),
        joint("nothing", Some(2), 1.0),
    ])
    .unwrap();
    let world = skeleton.rest_world();
    let part = |name: &str, joint: usize, positions: Vec<Vec3>, faces: Vec<Face>| Part {
        node: joint,
        skinned: true,
        binding: Binding {
            joints: vec![joint],
            inverse_bind: vec![world[joint].inverse()],
            weights: Weights::rigid(positions.len(), 0),
            dual_quaternion_share: None,
        },
        mesh: Mesh::new(name, positions, faces),
    };
    let grid: Vec<Vec3> = (0..25).map(|k| Vec3::new(1.0 + 0.1 * (k % 5) as f32, 0.1 * (k / 5) as f32, 0.0)).collect();
    let cells = (0..16).map(|k| (k / 4 * 5 + k % 4) as u32).map(|k| Face::quad(k, k + 1, k + 6, k + 5)).collect();
    let crumb = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    let character = Character {
        base_pose: skeleton.rest_pose(),
        parts: vec![part("sheet", 1, grid, cells), part("crumb", 2, crumb, vec![Face::triangle(0, 1, 2)])],
        skeleton,
        ..Character::default()
    };
    let stage = ImplicitDeformer::new(&character, &implicit(SkinMethod::DualQuaternion).implicit).unwrap();
    assert!(!stage.warnings().is_empty());
    let mut pose = character.rest_pose();
    pose.joints[2].rotation *= DQuat::from_rotation_z(2.0);
    let [before, after] = [plain(SkinMethod::DualQuaternion), implicit(SkinMethod::DualQuaternion)]
        .map(|recipe| deformed(&character, &recipe, &pose));
    assert_eq!(before, after);
}

/// A tube that is open at both ends and has joints at the same place bends, or not, but stays finite.
#[test]
fn open_meshes_and_joints_in_one_place_are_handled() {
    let rod = shapes::rod(9, 12);
    let mut pose = rod.rest_pose();
    pose.joints[1].rotation *= DQuat::from_rotation_x(2.0);
    let surface = deformed(&rod, &implicit(SkinMethod::Linear), &pose);
    assert!(surface.positions.iter().chain(&surface.normals).all(|v| v.is_finite()));
}

/// Clips hide things by scaling a joint to nothing.
#[test]
fn a_joint_that_is_scaled_to_nothing_is_left_alone() {
    let tube = demo::tube();
    for joint in 0..2 {
        let mut pose = bent_tube(&tube, 100.0);
        pose.joints[joint].scale = DVec3::ZERO;
        for method in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
            let [before, after] = [plain(method), implicit(method)].map(|recipe| deformed(&tube, &recipe, &pose));
            assert_eq!(before.positions, after.positions, "{method}, joint {joint}");
        }
    }
}

#[test]
fn every_limb_is_reported() {
    let figure = demo::character();
    let stage = ImplicitDeformer::new(&figure, &implicit(SkinMethod::DualQuaternion).implicit).unwrap();
    let joint = figure.skeleton.find("LeftForeArm").unwrap();
    let forearm = stage.limbs().iter().find(|limb| limb.joint == joint).unwrap();
    assert!(forearm.points > 100 && forearm.samples > Some(30) && forearm.has_joint, "{forearm:?}");
    assert!(stage.limbs().iter().all(|limb| limb.fit.mean < 0.02), "{:?}", stage.limbs());
    assert!(stage.field_bytes() < 100 << 20);
}

/// Bent fingers fold without crossing. The thumb is left where it is, and fingertips may meet it and the palm.
#[test]
fn nothing_crosses_in_the_folds_of_a_fist() {
    let figure = demo::character();
    let mut pose = figure.rest_pose();
    let mut is_bent = vec![false; figure.skeleton.len()];
    for finger in ["Index", "Middle", "Ring", "Pinky"] {
        for (k, degrees) in [(1, 80.0f64), (2, 95.0), (3, 60.0)] {
            let joint = figure.skeleton.find(&format!("LeftHand{finger}{k}")).unwrap();
            pose.joints[joint].rotation *= DQuat::from_rotation_z(-degrees.to_radians());
            is_bent[joint] = true;
        }
    }
    let hand = figure.skeleton.find("LeftHand").unwrap();
    let part = &figure.parts[0];
    let owner = |vertex: u32| {
        let row = part.binding.weights.row(vertex as usize);
        let largest = row.iter().max_by(|a, b| a.weight.total_cmp(&b.weight)).unwrap();
        part.binding.joints[largest.joint as usize]
    };
    let parent = |joint: usize| {
        let above = figure.skeleton.joints()[joint].parent;
        above.map(|above| if is_bent[above] { above } else { hand })
    };
    let topology = Topology::new(&part.mesh.positions, &part.mesh.faces);
    let mut crossings = SelfIntersections::new(&topology, &part.mesh.positions);
    let mut folds = |recipe: &Recipe| {
        let surface = deformed(&figure, recipe, &pose);
        let pairs = crossings.pairs(&surface.positions).to_vec();
        let owners = |triangle: u32| owner(crossings.triangles()[triangle as usize].vertices[0]);
        let is_fold = |&&(a, b): &&(u32, u32)| {
            let (a, b) = (owners(a), owners(b));
            (is_bent[a] || is_bent[b]) && (a == b || parent(a) == Some(b) || parent(b) == Some(a))
        };
        pairs.iter().filter(is_fold).count()
    };
    for method in [SkinMethod::DualQuaternion, SkinMethod::Linear] {
        assert_eq!(folds(&implicit(method)), 0, "{method}");
    }
}

/// Keeping the volume moves nothing away from a contact.
#[test]
fn contacts_are_left_where_they_are_when_volume_is_kept() {
    let tube = demo::tube();
    let pose = bent_tube(&tube, 120.0);
    let mut recipe = implicit(SkinMethod::DualQuaternion);
    let mut stack = crate::stack(&tube, &recipe).unwrap();
    let mut without = Surface::default();
    stack.deform(&pose, Time::default(), &mut without);
    recipe.volume.method = VolumeMethod::Exact;
    let mut both = crate::stack(&tube, &recipe).unwrap();
    let mut with = Surface::default();
    both.deform(&pose, Time::default(), &mut with);
    let contacts = both.get::<ImplicitDeformer>().unwrap().contacts().unwrap().amount;
    // How far each is from the plane between the two limbs.
    let bone = DQuat::from_rotation_x(-120f64.to_radians()) * DVec3::Z;
    let normal = (bone + DVec3::Z).normalize().as_vec3();
    let height = |surface: &Surface, v: usize| normal.dot(surface.positions[v] - Vec3::new(0.0, 0.0, 5.0));
    let moved = |v: usize| without.positions[v].distance(with.positions[v]);
    let held = (0..contacts.len()).filter(|&v| contacts[v] > 0.999);
    assert!(held.clone().count() > 50);
    let rises = held.map(|v| (height(&with, v) - height(&without, v)).abs()).fold(0.0, f32::max);
    let farthest = (0..contacts.len()).map(moved).fold(0.0, f32::max);
    assert!(rises < 1e-3 && farthest > 1e-2, "{rises} {farthest}");
    // Without the fields nothing is held.
    let mut rest = crate::stack(&tube, &implicit(SkinMethod::DualQuaternion)).unwrap();
    rest.deform(&tube.rest_pose(), Time::default(), &mut without);
    assert!(rest.get::<ImplicitDeformer>().unwrap().contacts().is_none());
}

/// A cache saves work and changes nothing; the cache of another character is not used.
#[test]
fn kept_fields_are_the_same_fields() {
    let tube = demo::tube();
    let recipe = implicit(SkinMethod::DualQuaternion);
    let kept = crate::stack(&tube, &recipe).unwrap().get::<ImplicitDeformer>().unwrap().to_bytes();
    let pose = bent_tube(&tube, 100.0);
    let run = |recipe: &Recipe, kept: &[u8]| {
        let mut surface = Surface::default();
        let mut stack = Stack::with_cache(&tube, recipe, kept).unwrap();
        stack.deform(&pose, Time::default(), &mut surface);
        (surface, stack.get::<ImplicitDeformer>().unwrap().limbs().to_vec())
    };
    assert_eq!(run(&recipe, &kept), run(&recipe, &[]));
    let linear = implicit(SkinMethod::Linear);
    assert_eq!(run(&linear, &kept), run(&linear, &[]));
    assert_eq!(run(&recipe, &kept[..kept.len() - 1]), run(&recipe, &[]));
}

/// A cache whose numbers somebody made up, with checksums that are right for them: no number that a field cannot have is
/// used, and no other one makes a surface that is not finite.
#[test]
fn a_crafted_cache_does_no_harm() {
    use sinew::geometry::checksum::{START, checksum};
    let tube = demo::tube();
    let recipe = implicit(SkinMethod::DualQuaternion);
    let cached = crate::stack(&tube, &recipe).unwrap().get::<ImplicitDeformer>().unwrap().to_bytes();
    let pose = bent_tube(&tube, 100.0);
    let run = |cache: &[u8]| {
        let mut surface = Surface::default();
        Stack::with_cache(&tube, &recipe, cache).unwrap().deform(&pose, Time::default(), &mut surface);
        surface
    };
    let plain = run(&cached);
    let (tables, fields) = (8, 8 + u64::from_le_bytes(*cached.first_chunk().unwrap()) as usize);
    // Mark, version and, for the fields, a key stand before the checksum.
    let parts = [(tables..fields, 12, 20), (fields..cached.len(), 20, 28)];
    let repaired = |mut bytes: Vec<u8>| {
        for (part, sum, values) in &parts {
            let found = checksum(START, &bytes[part.start + values..part.end]);
            bytes[part.start + sum..part.start + values].copy_from_slice(&found.to_le_bytes());
        }
        bytes
    };
    assert_eq!(repaired(cached.clone()), cached);
    let middle = fields + (cached.len() - fields) / 16 * 8;
    for place in [tables + 20 + 800, fields + 28, fields + 28 + 320, middle, cached.len() - 8] {
        for number in [f32::NAN, -1e30, 1e15] {
            let mut bytes = cached.clone();
            // The values of a grid are f32; as a double, two of these are not finite or huge too.
            bytes[place..place + 8].copy_from_slice(&[number.to_le_bytes(), number.to_le_bytes()].concat());
            let surface = run(&repaired(bytes));
            assert!(surface.positions.iter().all(|p| p.is_finite()), "{number} at {place}");
            assert!(number.is_finite() || surface == plain, "{number} at {place} was used");
        }
    }
}

/// Samples that somebody chose are those that a field goes through.
#[test]
fn samples_can_be_chosen() {
    let tube = demo::tube();
    let mut recipe = implicit(SkinMethod::DualQuaternion);
    let found = crate::stack(&tube, &recipe).unwrap().get::<ImplicitDeformer>().unwrap().samples(0).to_vec();
    let numbers = |o: &Oriented| [o.point.x, o.point.y, o.point.z, o.normal.x, o.normal.y, o.normal.z];
    let chosen: Vec<[f64; 6]> = found.iter().step_by(2).map(numbers).collect();
    let joint = tube.skeleton.joints()[0].name.clone();
    recipe.implicit.limbs.insert(joint, LimbOptions { samples: chosen.clone() });
    let stack = crate::stack(&tube, &recipe).unwrap();
    let stage = stack.get::<ImplicitDeformer>().unwrap();
    let used: Vec<[f64; 6]> = stage.samples(0).iter().map(numbers).collect();
    assert_eq!(used.len(), chosen.len());
    assert!(used.iter().flatten().zip(chosen.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-12));
    assert!(stage.limbs()[0].samples.unwrap() < stage.limbs()[1].samples.unwrap());
}
