//! Flesh on the tube: at rest, in a bend, moved as a whole, and what must be refused.

use glam::{DQuat, DVec3, Vec3};
use sinew::deform::flesh::{FleshBones, FleshDeformer, FleshOptions, FleshReport};
use sinew::deform::implicit::ImplicitDeformer;
use sinew::deform::muscle::MuscleDeformer;
use sinew::geometry::volume::closed_volume;
use sinew::geometry::{Face, Mesh, MorphTarget, SelfIntersections, Topology};
use sinew::recipe::{BonePreset, Fineness, JointFleshOptions, Recipe, VolumeMethod};
use sinew::rig::{Binding, Character, Influence, Joint, JointKind, Part, Pose, Skeleton, Weights};
use sinew::{Deformer, Stack, Surface, Time};

fn recipe() -> Recipe {
    let mut recipe = Recipe::default();
    recipe.flesh.fineness = Fineness::Interactive;
    recipe
}

/// The tube's last joint turned about x, and the whole tube moved.
fn bent(tube: &Character, degrees: f64, turn: DQuat, shift: DVec3) -> Pose {
    let mut pose = tube.rest_pose();
    let joint = tube.skeleton.len() - 1;
    pose.joints[joint].rotation *= DQuat::from_rotation_x(degrees.to_radians());
    pose.joints[0].rotation = turn * pose.joints[0].rotation;
    pose.joints[0].translation = turn * pose.joints[0].translation + shift;
    pose
}

fn alone(stack: &mut Stack, pose: &Pose) -> (Vec<Vec3>, FleshReport) {
    let mut surface = Surface::default();
    stack.deform(pose, Time::alone(0.0), &mut surface);
    (surface.positions, stack.get::<FleshDeformer>().unwrap().report())
}

fn worst(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// The tube's radius.
fn radius(tube: &Character) -> f32 {
    let positions = &tube.parts[0].mesh.positions;
    let middle = positions.iter().sum::<Vec3>() / positions.len() as f32;
    positions.iter().map(|p| (*p - middle).x.abs()).fold(0.0, f32::max)
}

#[test]
fn at_rest_nothing_moves() {
    let tube = sinew::demo::tube();
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let (places, report) = alone(&mut stack, &tube.rest_pose());
    assert!(worst(&places, &tube.parts[0].mesh.positions) < 1e-5 * radius(&tube));
    assert!(report.smallest_volume > 0.999 && report.yielded < 1e-6, "{report:?}");
}

/// In a deep bend, in which the skin alone crosses itself, no triangle crosses another and no tetrahedron is turned over.
#[test]
fn a_deep_bend_has_no_crossing() {
    let tube = sinew::demo::tube();
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let pose = bent(&tube, 100.0, DQuat::IDENTITY, DVec3::ZERO);
    let (places, report) = alone(&mut stack, &pose);
    assert!(report.smallest_volume > 0.0 && report.yielded < 0.3, "{report:?}");
    let mesh = &tube.parts[0].mesh;
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    assert_eq!(SelfIntersections::new(&topology, &mesh.positions).count(&places), 0);
    // The skin alone crosses itself there.
    let mut plain = Surface::default();
    Stack::new(&tube, &Recipe::default()).unwrap().deform(&pose, Time::alone(0.0), &mut plain);
    assert!(SelfIntersections::new(&topology, &mesh.positions).count(&plain.positions) > 0);
}

#[test]
fn a_bend_has_the_same_shape_elsewhere() {
    let tube = sinew::demo::tube();
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let (places, _) = alone(&mut stack, &bent(&tube, 60.0, DQuat::IDENTITY, DVec3::ZERO));
    let (turn, shift) = (DQuat::from_rotation_z(2.0), DVec3::new(30.0, -4.0, 7.0));
    let (moved, _) = alone(&mut stack, &bent(&tube, 60.0, turn, shift));
    let back: Vec<Vec3> = moved.iter().map(|p| (turn.inverse() * (p.as_dvec3() - shift)).as_vec3()).collect();
    assert!(worst(&back, &places) < 1e-3 * radius(&tube), "{}", worst(&back, &places));
}

/// Below the angle at which the inside folds, a pose has one shape, alone or in a clip.
#[test]
fn a_pose_alone_is_the_pose_in_a_clip() {
    let tube = sinew::demo::tube();
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let (single, _) = alone(&mut stack, &bent(&tube, 50.0, DQuat::IDENTITY, DVec3::ZERO));
    let mut surface = Surface::default();
    for (frame, degrees) in [0.0, 12.0, 30.0, 45.0, 60.0, 50.0].into_iter().enumerate() {
        let time = Time { seconds: frame as f64 / 30.0, delta: if frame == 0 { 0.0 } else { 1.0 / 30.0 } };
        stack.deform(&bent(&tube, degrees, DQuat::IDENTITY, DVec3::ZERO), time, &mut surface);
    }
    assert!(worst(&single, &surface.positions) < 0.01 * radius(&tube), "{}", worst(&single, &surface.positions));
}

/// After flesh the exact volume is a small and smooth step: at no vertex more than a few percent of the radius.
#[test]
fn the_exact_volume_after_flesh_is_a_small_step() {
    let tube = sinew::demo::tube();
    let mesh = &tube.parts[0].mesh;
    let pose = bent(&tube, 90.0, DQuat::IDENTITY, DVec3::ZERO);
    let (flesh, _) = alone(&mut Stack::new(&tube, &recipe()).unwrap(), &pose);
    let mut with_volume = recipe();
    with_volume.volume.method = VolumeMethod::Exact;
    let (exact, _) = alone(&mut Stack::new(&tube, &with_volume).unwrap(), &pose);
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    let [rest, before, after] =
        [&mesh.positions, &flesh, &exact].map(|places| closed_volume(&topology, places).unwrap());
    assert!((after / rest - 1.0).abs() < 1e-6 && (before / rest - 1.0).abs() > 1e-4, "{rest}, {before}, {after}");
    assert!(worst(&flesh, &exact) < 0.03 * radius(&tube), "{}", worst(&flesh, &exact));
}

/// Flesh with a mass lags behind a tube that is set in motion, swings when it stops, and comes to rest where flesh
/// without one is.
#[test]
fn flesh_with_a_mass_swings() {
    let tube = sinew::demo::tube();
    let mut shaken = recipe();
    shaken.flesh.shake.frequency = 3.0;
    let mut stack = Stack::new(&tube, &shaken).unwrap();
    let mut surface = Surface::default();
    let rest = &tube.parts[0].mesh.positions;
    // The mean way of the flesh against the tube, which moves along x for a sixth of a second.
    let mut lags = Vec::new();
    for frame in 0..60 {
        let shift = radius(&tube) as f64 * 0.3 * f64::min(f64::from(frame), 5.0) * DVec3::X;
        let time = Time { seconds: f64::from(frame) / 30.0, delta: if frame == 0 { 0.0 } else { 1.0 / 30.0 } };
        stack.deform(&bent(&tube, 0.0, DQuat::IDENTITY, shift), time, &mut surface);
        let lag = |(place, rest): (&Vec3, &Vec3)| (*place - *rest).x - shift.x as f32;
        lags.push(surface.positions.iter().zip(rest).map(lag).sum::<f32>() / (rest.len() as f32 * radius(&tube)));
    }
    let behind = lags[1..6].iter().copied().fold(0.0, f32::min);
    let ahead = lags[6..].iter().copied().fold(0.0, f32::max);
    assert!(behind < -0.01 && ahead > 0.005, "{behind}, {ahead}");
    assert!(lags[50..].iter().all(|lag| lag.abs() < 0.1 * ahead), "{:?}", &lags[50..]);
}

#[test]
fn the_number_of_threads_does_not_change_flesh() {
    let tube = sinew::demo::tube();
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut stack = Stack::new(&tube, &recipe()).unwrap();
            alone(&mut stack, &bent(&tube, 80.0, DQuat::IDENTITY, DVec3::ZERO)).0
        })
    };
    assert_eq!(with_threads(1), with_threads(3));
}

/// A thicker bone leaves less to the flesh, so that the outside of a bend stands out farther.
#[test]
fn the_bones_of_a_joint_can_be_set() {
    let tube = sinew::demo::tube();
    let pose = bent(&tube, 60.0, DQuat::IDENTITY, DVec3::ZERO);
    let shape = |recipe: &Recipe| alone(&mut Stack::new(&tube, recipe).unwrap(), &pose).0;
    let mut thick = recipe();
    for joint in tube.skeleton.joints() {
        let options = JointFleshOptions { radius: Some(0.7), ..JointFleshOptions::default() };
        thick.flesh.joints.insert(joint.name.clone(), options);
    }
    let difference = worst(&shape(&recipe()), &shape(&thick));
    assert!(difference > 0.02 * radius(&tube), "{difference}");
}

/// Flesh replaces what the implicit skin does, so that with both only flesh runs.
#[test]
fn flesh_leaves_the_implicit_skin_out() {
    let mut both = recipe();
    both.implicit.on = true;
    let stack = Stack::new(&sinew::demo::tube(), &both).unwrap();
    assert!(stack.get::<ImplicitDeformer>().is_none() && stack.get::<FleshDeformer>().is_some());
    let warnings: Vec<&str> = stack.warnings().collect();
    assert!(warnings[0].contains("implicit skin is left out"), "{warnings:?}");
}

#[test]
fn a_character_without_limbs_is_refused() {
    let mut recipe = recipe();
    recipe.flesh.leave_out.push("tube".into());
    let error = Stack::new(&sinew::demo::tube(), &recipe).unwrap_err().to_string();
    assert!(error.contains("bind"), "{error}");
}

/// A morph target moves the skin on bent flesh, turned with it.
#[test]
fn morph_targets_move_the_skin_on_the_flesh() {
    let mut tube = sinew::demo::tube();
    let mesh = &mut tube.parts[0].mesh;
    let lift = Vec3::new(0.0, 0.0, 0.1 * mesh.positions.iter().map(|p| p.x.abs()).fold(0.0, f32::max));
    mesh.morphs.push(MorphTarget {
        name: "lift".into(),
        positions: vec![lift; mesh.positions.len()],
        ..MorphTarget::default()
    });
    tube.base_pose.morphs = vec![0.0];
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let mut pose = bent(&tube, 60.0, DQuat::IDENTITY, DVec3::ZERO);
    let (plain, _) = alone(&mut stack, &pose);
    pose.morphs[0] = 0.5;
    let (lifted, _) = alone(&mut stack, &pose);
    for (a, b) in plain.iter().zip(&lifted) {
        assert!(((*b - *a).length() - 0.5 * lift.length()).abs() < 1e-5 * lift.length());
    }
    // The first joint stays where it is, the last is turned.
    let (first, last) = (lifted[0] - plain[0], *lifted.last().unwrap() - *plain.last().unwrap());
    assert!(first.angle_between(lift) < 0.2 || last.angle_between(lift) < 0.2, "{first} and {last}");
    assert!(first.angle_between(last) > 0.5, "{first} and {last}");
    pose.morphs[0] = 0.0;
    assert_eq!(alone(&mut stack, &pose).0, plain);
}

/// Time that stands still or goes back, as when a person drags a slider, holds nothing back.
#[test]
fn flesh_follows_a_clip_that_is_played_backwards() {
    let tube = sinew::demo::tube();
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let (single, _) = alone(&mut stack, &bent(&tube, 50.0, DQuat::IDENTITY, DVec3::ZERO));
    let mut surface = Surface::default();
    for (degrees, delta) in [(0.0, 0.0), (30.0, 1.0 / 30.0), (60.0, -1.0 / 30.0), (50.0, -1e-320)] {
        stack.deform(&bent(&tube, degrees, DQuat::IDENTITY, DVec3::ZERO), Time { seconds: 0.0, delta }, &mut surface);
    }
    stack.advance_dynamics(&bent(&tube, 50.0, DQuat::IDENTITY, DVec3::ZERO), Time::alone(0.0));
    assert!(worst(&single, &surface.positions) < 0.01 * radius(&tube), "{}", worst(&single, &surface.positions));
}

/// In a drag to a deep bend no tetrahedron is turned over and no triangle crosses another, and a pose has the same shape on the
/// way there and back.
#[test]
fn coarse_flesh_follows_a_drag() {
    let tube = sinew::demo::tube();
    let mut recipe = recipe();
    recipe.flesh.fineness = Fineness::Coarse;
    let mut stack = Stack::new(&tube, &recipe).unwrap();
    let mut surface = Surface::default();
    let mut shapes = Vec::new();
    for degrees in (0..=40).chain((0..40).rev()).map(|step| 3 * step) {
        let pose = bent(&tube, f64::from(degrees), DQuat::IDENTITY, DVec3::ZERO);
        // The time stands still.
        stack.deform_with_continuous_flesh(&pose, Time::alone(0.0), 1.0 / 30.0, &mut surface);
        let flesh = stack.get::<FleshDeformer>().unwrap();
        assert!(flesh.report().smallest_volume > 0.1, "{degrees}°: {:?}", flesh.report());
        assert!(flesh.degrees_to(&pose) < 1e-3);
        shapes.push(surface.positions.clone());
    }
    let mesh = &tube.parts[0].mesh;
    let mut search = SelfIntersections::new(&Topology::new(&mesh.positions, &mesh.faces), &mesh.positions);
    assert_eq!(search.count(&shapes[40]), 0, "at 120°");
    let [there, back] = [16, 64].map(|frame| &shapes[frame]);
    assert!(worst(there, back) < 0.04 * radius(&tube), "{}", worst(there, back) / radius(&tube));
}

/// Poses between two frames, for muscles, leave flesh in the pose before.
#[test]
fn flesh_can_stay_while_other_deformers_advance() {
    let tube = sinew::demo::tube();
    let mut stack = Stack::new(&tube, &recipe()).unwrap();
    let pose = bent(&tube, 10.0, DQuat::IDENTITY, DVec3::ZERO);
    let time = Time { seconds: 0.0, delta: 1.0 / 30.0 };
    let degrees = |stack: &Stack| stack.get::<FleshDeformer>().unwrap().degrees_to(&pose);
    stack.advance_dynamics_without_flesh(&pose, time);
    assert!((degrees(&stack) - 10.0).abs() < 1e-3);
    stack.advance_dynamics(&pose, time);
    assert!(degrees(&stack) < 1e-3);
}

/// A box between two corners, with outward faces.
fn box_mesh(name: &str, low: Vec3, high: Vec3) -> Mesh {
    let corner = |k: u32| Vec3::from_array([0, 1, 2].map(|axis| if k >> axis & 1 == 0 { low } else { high }[axis]));
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Mesh::new(name, (0..8).map(corner).collect(), faces.map(|[a, b, c, d]| Face::quad(a, b, c, d)).to_vec())
}

/// Binds a mesh, given in the world at rest, to a joint of a character.
fn add(character: &mut Character, joint: usize, mesh: Mesh) {
    let rest = character.skeleton.rest_world();
    let mut binding = Binding::rigid(joint, mesh.positions.len());
    binding.inverse_bind[0] = rest[joint].inverse();
    character.parts.push(Part { node: joint, skinned: true, mesh, binding });
}

/// The tube with a box in each half that is nearly as wide as it. That of the root reaches beyond the bend, which is at 5.
fn tube_with_bones() -> (Character, Recipe) {
    let mut tube = sinew::demo::tube();
    for (joint, name, from, to) in [(0, "Femur", 0.5, 6.4), (1, "Tibia", 7.4, 9.5)] {
        add(&mut tube, joint, box_mesh(name, Vec3::new(-0.6, -0.6, from), Vec3::new(0.6, 0.6, to)));
    }
    let mut recipe = recipe();
    recipe.flesh.bone_meshes = vec!["Femur".into(), "Tibia".into()];
    (tube, recipe)
}

/// The skin beside the end of the root's box hardly moves in a bend; with the bones of the preset it goes along.
#[test]
fn flesh_stays_on_a_mesh_that_is_a_bone() {
    let (tube, recipe) = tube_with_bones();
    let moved = |recipe: &Recipe| {
        let mut stack = Stack::new(&tube, recipe).unwrap();
        let (places, report) = alone(&mut stack, &bent(&tube, 30.0, DQuat::IDENTITY, DVec3::ZERO));
        assert!(report.smallest_volume > 0.0 && report.yielded < 0.3, "{report:?}");
        let rest = &tube.parts[0].mesh.positions;
        let beside = rest.iter().zip(&places).filter(|(p, _)| (4.99..5.51).contains(&p.z));
        beside.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    };
    let mut plain = recipe.clone();
    plain.flesh.leave_out = std::mem::take(&mut plain.flesh.bone_meshes);
    let (held, free) = (moved(&recipe), moved(&plain));
    assert!(held < 0.15 && free > 0.45, "{held} and {free}");
}

/// A mesh that is a bone is where its joint has it, to the bit as the skin alone leaves it.
#[test]
fn a_mesh_that_is_a_bone_is_rigid() {
    let (tube, recipe) = tube_with_bones();
    let pose = bent(&tube, 70.0, DQuat::from_rotation_y(0.3), DVec3::X);
    let (places, _) = alone(&mut Stack::new(&tube, &recipe).unwrap(), &pose);
    let skin = alone_skin(&tube, &pose);
    let first = tube.parts[0].mesh.positions.len();
    assert_eq!(places[first..], skin[first..]);
    assert!(worst(&places[..first], &skin[..first]) > 0.05);
    let bones = FleshBones::new(&tube, &recipe.flesh).unwrap();
    let mut world = tube.skeleton.rest_world();
    tube.skeleton.world(&pose, &mut world);
    for (mesh, drawn) in bones.meshes(&world).iter().zip(places[first..].chunks(8)) {
        assert!(mesh.positions.iter().all(|p| drawn.iter().any(|q| p.distance(*q) < 1e-4)), "{}", mesh.name);
    }
}

/// The skin without the stages after it.
fn alone_skin(tube: &Character, pose: &Pose) -> Vec<Vec3> {
    let mut surface = Surface::default();
    Stack::new(tube, &Recipe::default()).unwrap().deform(pose, Time::alone(0.0), &mut surface);
    surface.positions
}

fn names(character: &Character, options: &FleshOptions) -> Vec<String> {
    let bones = FleshBones::new(character, options).unwrap();
    bones.meshes(&character.skeleton.rest_world()).into_iter().map(|mesh| mesh.name).collect()
}

/// The mesh of a joint takes the place of the preset's bones there, and of the piece of it at the next joint.
#[test]
fn a_mesh_takes_the_place_of_the_bones_of_its_joint() {
    let (tube, recipe) = tube_with_bones();
    assert_eq!(names(&tube, &recipe.flesh), ["root", "bend"]);

    let mut figure = sinew::demo::character();
    let thigh = figure.skeleton.find("LeftUpLeg").unwrap();
    let place = figure.skeleton.rest_world()[figure.skeleton.find("LeftLeg").unwrap()].translation.as_vec3();
    add(&mut figure, thigh, box_mesh("Femur.L", place - 0.02, place + Vec3::new(0.02, 0.3, 0.02)));
    let mut options = FleshOptions { bones: BonePreset::Anatomical, ..FleshOptions::default() };
    let count =
        |options: &FleshOptions, joint: &str| names(&figure, options).iter().filter(|name| *name == joint).count();
    options.leave_out.push("Femur.L".into());
    assert_eq!([count(&options, "LeftUpLeg"), count(&options, "LeftLeg")], [2, 4]);
    options.leave_out.clear();
    options.bone_meshes.push("Femur.L".into());
    assert_eq!([count(&options, "LeftUpLeg"), count(&options, "LeftLeg")], [1, 3]);
    assert_eq!([count(&options, "RightUpLeg"), count(&options, "RightLeg")], [2, 4]);
}

/// Bones are closed, face outwards, and lie inside the mannequin's skin at elbows and knees.
#[test]
fn the_bones_of_elbows_and_knees_are_inside_the_skin() {
    let figure = sinew::demo::character();
    let skin = &figure.parts[0].mesh;
    let winding = sinew::geometry::Winding::new(&Topology::new(&skin.positions, &skin.faces), &skin.positions);
    for preset in [BonePreset::Reference, BonePreset::Anatomical] {
        let options = FleshOptions { bones: preset, ..FleshOptions::default() };
        let bones = FleshBones::new(&figure, &options).unwrap().meshes(&figure.skeleton.rest_world());
        assert!(bones.len() > 40, "{}", bones.len());
        for bone in bones {
            let volume = closed_volume(&Topology::new(&bone.positions, &bone.faces), &bone.positions);
            assert!(volume.is_some_and(|volume| volume > 0.0), "{}: {volume:?}", bone.name);
            if ["LeftForeArm", "RightForeArm", "LeftLeg", "RightLeg"].contains(&bone.name.as_str()) {
                let outside = bone.positions.iter().filter(|p| winding.number(p.as_dvec3()) < 0.5).count();
                assert_eq!(outside, 0, "{preset:?}, {}", bone.name);
            }
        }
    }
}

#[test]
fn meshes_that_cannot_be_bones_are_refused() {
    let refused = |character: &Character, name: &str| {
        let options = FleshOptions { bone_meshes: vec![name.into()], ..FleshOptions::default() };
        let error = FleshBones::new(character, &options).unwrap_err().to_string();
        let mut recipe = recipe();
        recipe.flesh = FleshOptions { fineness: Fineness::Interactive, ..options };
        assert_eq!(Stack::new(character, &recipe).unwrap_err().to_string(), error);
        error
    };
    let assert_words = |error: String, words: &[&str]| {
        assert!(error.contains("bone_meshes") && words.iter().all(|word| error.contains(word)), "{error}");
    };
    let (mut tube, _) = tube_with_bones();
    assert_words(refused(&tube, "Fibula"), &["\"Fibula\" does not exist", "\"Femur\", \"Tibia\", \"tube\""]);

    let faces = tube.parts[1].mesh.faces.clone();
    tube.parts[1].mesh = Mesh::new("Femur", tube.parts[1].mesh.positions.clone(), faces[1..].to_vec());
    assert_words(refused(&tube, "Femur"), &["\"Femur\" is open along 4 edges", "close its holes"]);

    let turned = faces[1..].iter().copied().chain([faces[0].reversed()]).collect();
    tube.parts[1].mesh = Mesh::new("Femur", tube.parts[1].mesh.positions.clone(), turned);
    assert_words(refused(&tube, "Femur"), &["\"Femur\" has edges", "normals"]);

    let mut nodes = tube.skeleton.joints().to_vec();
    nodes.push(Joint { name: "prop".into(), kind: JointKind::Node, ..Joint::default() });
    tube.skeleton = Skeleton::new(nodes).unwrap().0;
    tube.base_pose = tube.skeleton.rest_pose();
    tube.clips.clear();
    let node = tube.skeleton.find("prop").unwrap();
    add(&mut tube, node, box_mesh("Prop", Vec3::splat(-0.1), Vec3::splat(0.1)));
    assert_words(refused(&tube, "Prop"), &["\"Prop\" hangs on no joint", "bind it"]);
}

#[test]
fn meshes_that_are_poor_bones_get_a_warning() {
    let (mut tube, recipe) = tube_with_bones();
    let rest = tube.skeleton.rest_world();
    let femur = &mut tube.parts[1];
    femur.binding.joints = vec![0, 1];
    femur.binding.inverse_bind = rest.iter().map(|world| world.inverse()).collect();
    let mut weights = Weights::default();
    (0..8).for_each(|_| {
        weights.push([Influence { joint: 0, weight: 0.75 }, Influence { joint: 1, weight: 0.25 }]);
    });
    femur.binding.weights = weights;
    tube.parts[2].mesh.positions.iter_mut().for_each(|p| p.x += 5.0);
    let stack = Stack::new(&tube, &recipe).unwrap();
    let warnings = stack.get::<FleshDeformer>().unwrap().warnings().join("\n");
    assert!(warnings.contains("\"Femur\" has 75 % of its skin weight on root"), "{warnings}");
    assert!(warnings.contains("\"Tibia\" holds no flesh"), "{warnings}");
    assert!(warnings.contains("it follows the skin at bend"), "{warnings}");
}

/// The mannequin with muscles in its flesh, and its elbow curl after some seconds.
fn curl(seconds: f64) -> (Character, Recipe, Pose) {
    let figure = sinew::demo::character();
    let mut recipe = recipe();
    recipe.muscles.set = "humanoid".into();
    let mut pose = Pose::default();
    let clip = figure.clips.iter().find(|clip| clip.name == "elbow curl").unwrap();
    clip.sample(seconds, &figure.base_pose, &mut pose);
    (figure, recipe, pose)
}

/// Muscles of a set act in the flesh: nothing at rest, and more in a bent elbow, also where they do not move the skin over it.
#[test]
fn muscles_of_a_set_act_in_the_flesh() {
    let (figure, with_muscles, pose) = curl(1.0);
    let mut stack = Stack::new(&figure, &with_muscles).unwrap();
    let skin = &figure.parts[0].mesh.positions;
    let (rest, report) = alone(&mut stack, &figure.rest_pose());
    let height = skin.iter().map(|p| p.y).fold(0.0, f32::max);
    assert!(worst(&rest[..skin.len()], skin) < 1e-4 * height && report.iterations < 20, "{report:?}");
    let (bent, report) = alone(&mut stack, &pose);
    assert!((report.volume - 1.0).abs() < 0.02 && report.smallest_volume > 0.0, "{report:?}");
    stack.update(&figure, &recipe()).unwrap();
    assert!(stack.get::<MuscleDeformer>().is_none());
    let (plain, _) = alone(&mut stack, &pose);
    let bulge = worst(&bent, &plain);
    assert!(bulge > 0.002 * height, "{bulge} of {height}");
    // An amount of nothing leaves muscles that are stiff, and neither shorten nor move the skin.
    let mut idle = with_muscles.clone();
    idle.muscles.amount = 0.0;
    stack.update(&figure, &idle).unwrap();
    let (passive, _) = alone(&mut stack, &pose);
    let stiffer = worst(&passive, &plain);
    assert!(stiffer > 0.0 && worst(&passive, &bent) > 0.002 * height, "{stiffer}, {}", worst(&passive, &bent));
}

#[test]
fn the_number_of_threads_does_not_change_muscles_in_flesh() {
    let (figure, recipe, pose) = curl(1.0);
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| alone(&mut Stack::new(&figure, &recipe).unwrap(), &pose).0)
    };
    assert_eq!(with_threads(1), with_threads(3));
}
