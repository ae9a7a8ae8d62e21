//! Skin over muscles: it stays at rest, follows what swells, and does not pass through itself.

use glam::{DQuat, DVec3};
use sinew::Surface;
use sinew::Time;
use sinew::deform::muscle::MuscleDeformer;
use sinew::deform::muscle::{BoneShape, MuscleChange};
use sinew::field::{Compact, CompactField, Falloff, Sphere, polygonize};
use sinew::geometry::{Mesh, SelfIntersections, Topology};
use sinew::recipe::Recipe;
use sinew::rig::{Binding, Character, Influence, Pose, Weights};

fn recipe(rest: &str) -> Recipe {
    Recipe::from_toml(&format!("[implicit]\non = true\n[muscles]\nset = \"humanoid\"\n{rest}")).unwrap()
}

fn without_muscles(mut recipe: Recipe) -> Recipe {
    recipe.muscles.set = "off".into();
    recipe
}

fn deformed(character: &Character, recipe: &Recipe, pose: &Pose) -> Surface {
    let mut surface = Surface::default();
    crate::stack(character, recipe).unwrap().deform(pose, Time::default(), &mut surface);
    surface
}

fn crossings(character: &Character, surface: &Surface) -> usize {
    let mesh = &character.parts[0].mesh;
    let topology = Topology::new(&mesh.positions, &mesh.faces);
    SelfIntersections::new(&topology, &mesh.positions).count(&surface.positions[..mesh.positions.len()])
}

/// Elbows bent to the front by some degrees.
fn curled(character: &Character, degrees: f64) -> Pose {
    let (skeleton, mut pose) = (&character.skeleton, character.rest_pose());
    let rest = skeleton.rest_world();
    for [arm, forearm] in [["LeftArm", "LeftForeArm"], ["RightArm", "RightForeArm"]] {
        let [arm, forearm] = [arm, forearm].map(|name| skeleton.find(name).unwrap());
        let along = rest[forearm].translation - rest[arm].translation;
        let (_, turned, _) = rest[arm].to_scale_rotation_translation();
        let axis = turned.inverse() * along.cross(DVec3::Z).normalize();
        let joint = &mut pose.joints[forearm].rotation;
        *joint = DQuat::from_axis_angle(axis, degrees.to_radians()) * *joint;
    }
    pose
}

/// For each vertex around the left upper arm: the share of the arm, the cosine to the front, its distance from the
/// bone at rest and how far out it moved from one surface to another.
fn around_the_arm(character: &Character, pose: &Pose, from: &Surface, to: &Surface) -> Vec<[f64; 4]> {
    let skeleton = &character.skeleton;
    let [arm, forearm] = ["LeftArm", "LeftForeArm"].map(|name| skeleton.find(name).unwrap());
    let mut world = skeleton.rest_world();
    let (start, end) = (world[arm].translation, world[forearm].translation);
    let rest = deformed(character, &Recipe::default(), &character.rest_pose());
    skeleton.world(pose, &mut world);
    let of_vertex = |v: usize| {
        let off = |p: DVec3| {
            let share = (p - start).dot(end - start) / (end - start).length_squared();
            (share, p - start.lerp(end, share))
        };
        let (share, out) = off(rest.positions[v].as_dvec3());
        let is_arm = (0.05..0.95).contains(&share) && out.length() < 0.35 * start.distance(end);
        let moved =
            (to.positions[v] - from.positions[v]).as_dvec3().dot(off(from.positions[v].as_dvec3()).1.normalize());
        is_arm.then_some([share, out.normalize().z, out.length(), moved])
    };
    (0..rest.positions.len()).filter_map(of_vertex).collect()
}

#[test]
fn a_skin_at_rest_stays() {
    let character = sinew::demo::character();
    let with = recipe("");
    let [with, without] =
        [with.clone(), without_muscles(with)].map(|r| deformed(&character, &r, &character.rest_pose()));
    let moved = with.positions.iter().zip(&without.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    // Half a percent of the arm's radius.
    assert!(moved <= 0.005 * 0.045, "{moved}");
}

#[test]
fn a_curl_bulges_where_the_biceps_is_and_flattens_the_triceps() {
    let character = sinew::demo::character();
    let with = recipe(
        "[muscles.muscle.\"biceps brachii\"]\nactivation = 1.0\n[muscles.muscle.brachialis]\nactivation = 1.0\n",
    );
    let pose = curled(&character, 130.0);
    let [with, without] = [with.clone(), without_muscles(with)].map(|recipe| deformed(&character, &recipe, &pose));
    let arm = around_the_arm(&character, &pose, &without, &with);
    let middle: Vec<f64> = arm.iter().filter(|v| (0.4..0.6).contains(&v[0])).map(|v| v[2]).collect();
    let radius = middle.iter().sum::<f64>() / middle.len() as f64;
    let peak = arm.iter().copied().max_by(|a, b| a[3].total_cmp(&b[3])).unwrap();
    assert!(peak[3] > 0.08 * radius, "{} of {radius}", peak[3]);
    assert!((0.25..0.75).contains(&peak[0]) && peak[1] > 0.5, "the peak is at {peak:?}");
    let behind: Vec<f64> = arm.iter().filter(|v| v[1] < -0.5 && (0.3..0.8).contains(&v[0])).map(|v| v[3]).collect();
    let mean = behind.iter().sum::<f64>() / behind.len() as f64;
    assert!(mean < -0.002 * radius && behind.iter().all(|moved| *moved < 0.01 * radius), "{mean} of {radius}");
    assert!(crossings(&character, &with) <= crossings(&character, &without));
}

#[test]
fn a_stack_that_is_updated_does_what_a_new_one_does() {
    let character = sinew::demo::character();
    let recipe = |rest: &str| Recipe::from_toml(&format!("[muscles]\nset = \"humanoid\"\n{rest}")).unwrap();
    let pose = curled(&character, 90.0);
    let (mut stack, mut surface) = (crate::stack(&character, &recipe("")).unwrap(), Surface::default());
    let recipes = [
        "[muscles.muscle.\"biceps brachii\"]\nactivation = 1.0\n",
        "auto = 0.2\namount = 0.7\n",
        "[muscles.muscle.\"biceps brachii\"]\nwidth = 0.8\nactivation = 1.0\n",
        "[muscles.muscle.\"left biceps brachii\"]\noff = true\n",
        "",
    ];
    for other in recipes.map(recipe) {
        stack.update(&character, &other).unwrap();
        stack.deform(&pose, Time::default(), &mut surface);
        assert!(surface == deformed(&character, &other, &pose), "{:?}", other.muscles.muscle);
    }
    let mut unknown = recipe("");
    unknown.muscles.muscle.insert("bicepts".into(), MuscleChange { off: true, ..MuscleChange::default() });
    assert!(stack.update(&character, &unknown).is_err());
    stack.deform(&pose, Time::default(), &mut surface);
    assert!(surface == deformed(&character, &recipe(""), &pose), "muscles that are refused leave those before");
}

/// Over the belly of muscles whose width changes by 10 %, the skin follows at least 80 % of what their surface does; more
/// where two heads swell towards each other. Far from them it stays.
#[test]
fn the_skin_follows_a_change_of_width() {
    let character = sinew::demo::character();
    let pose = character.rest_pose();
    for (width, name) in [(1.1, "biceps brachii"), (1.1, "rectus femoris"), (0.9, "biceps brachii")] {
        let changed = recipe(&format!("auto = 0.0\n[muscles.muscle.\"{name}\"]\nwidth = [[0.0, {width}]]\n"));
        let mut stack = crate::stack(&character, &changed).unwrap();
        let mut surface = Surface::default();
        stack.deform(&pose, Time::default(), &mut surface);
        let muscles = stack.get::<MuscleDeformer>().unwrap();
        let all = muscles.musculature().muscles.iter().zip(muscles.muscles());
        let changed: Vec<_> = all.filter(|(muscle, _)| muscle.name.contains(name)).map(|(_, field)| field).collect();
        let radius = changed.iter().map(|field| field.largest_radius()).fold(0.0, f64::max);
        let change = radius * (1.0 - 1.0 / width);
        let axes: Vec<Vec<DVec3>> = changed.iter().map(|field| field.axis().positions().collect()).collect();
        let distance = |vertex: u32, places: &mut dyn Iterator<Item = &DVec3>| {
            let place = surface.positions[vertex as usize].as_dvec3();
            places.map(|p| p.distance(place)).fold(f64::INFINITY, f64::min)
        };
        let belly = || axes.iter().flat_map(|axis| &axis[axis.len() / 4..axis.len() * 3 / 4]);
        let larger = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
        let moved = |is_meant: &dyn Fn(u32) -> bool| {
            muscles.offsets().filter(|(vertex, _)| is_meant(*vertex)).map(|(_, offset)| offset).fold(0.0, larger)
        };
        let share = moved(&|vertex| distance(vertex, &mut belly()) < 3.0 * radius) / change;
        let far = moved(&|vertex| distance(vertex, &mut axes.iter().flatten()) > 4.0 * radius) / change;
        println!("{name}, {width}: the skin follows {share} of the change, and {far} far away");
        assert!((0.8..1.4).contains(&share), "{name}, {width}: {share} of {change}");
        assert!(far.abs() < 0.05, "{name}, {width}: {far} of {change}");
    }
}

#[test]
fn muscles_add_no_crossings_in_clips_and_never_move_far() {
    let character = sinew::demo::character();
    let with = recipe("");
    let mut stacks = [with.clone(), without_muscles(with)].map(|recipe| crate::stack(&character, &recipe).unwrap());
    let mut surfaces = [Surface::default(), Surface::default()];
    let mut pose = Pose::default();
    for clip in ["elbow curl", "walk"] {
        let clip = character.find_clip(clip).unwrap();
        for frame in 0..30 {
            clip.sample(f64::from(frame) / 15.0, &character.base_pose, &mut pose);
            let delta = if frame == 0 { 0.0 } else { 1.0 / 15.0 };
            for (stack, surface) in stacks.iter_mut().zip(&mut surfaces) {
                stack.deform(&pose, Time { seconds: f64::from(frame) / 15.0, delta }, surface);
            }
            let [with, without] = &surfaces;
            let far = with.positions.iter().zip(&without.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(far < 0.05, "{far} in frame {frame}");
            if frame % 5 == 0 {
                let counts = [with, without].map(|surface| crossings(&character, surface));
                assert!(counts[0] <= counts[1], "{counts:?} in frame {frame}");
            }
        }
    }
}

#[test]
fn a_pose_that_stands_alone_and_a_clip_from_its_start_are_always_the_same() {
    let character = sinew::demo::character();
    let clip = character.find_clip("walk").unwrap();
    let mut stack = crate::stack(&character, &recipe("")).unwrap();
    let mut pose = Pose::default();
    let mut run = |frames: &[(f64, f64)]| {
        let mut surface = Surface::default();
        for &(seconds, delta) in frames {
            clip.sample(seconds, &character.base_pose, &mut pose);
            stack.deform(&pose, Time { seconds, delta }, &mut surface);
        }
        surface.positions
    };
    let played: Vec<(f64, f64)> =
        (0..10).map(|k| (f64::from(k) / 30.0, if k == 0 { 0.0 } else { 1.0 / 30.0 })).collect();
    let (first, alone) = (run(&played), run(&[(0.4, 0.0)]));
    assert_eq!(run(&played), first);
    assert_eq!(run(&[(0.4, 0.0)]), alone);
}

#[test]
fn without_dynamics_muscles_are_at_rest_in_every_frame() {
    let character = sinew::demo::character();
    let clip = character.find_clip("walk").unwrap();
    let recipe = Recipe::from_toml("[muscles]\nset = \"humanoid\"\n").unwrap();
    let mut stack = crate::stack(&character, &recipe).unwrap();
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let mut last_of = |deform: &mut dyn FnMut(&Pose, Time, &mut Surface)| {
        for frame in 0..10 {
            let seconds = f64::from(frame) / 30.0;
            clip.sample(seconds, &character.base_pose, &mut pose);
            deform(&pose, Time { seconds, delta: 1.0 / 30.0 }, &mut surface);
        }
        surface.positions.clone()
    };
    let alone = last_of(&mut |pose, time, surface| stack.deform(pose, Time::alone(time.seconds), surface));
    let dynamic = last_of(&mut |pose, time, surface| stack.deform(pose, time, surface));
    let still = last_of(&mut |pose, time, surface| stack.deform_without_dynamics(pose, time, surface));
    assert!(still == alone && dynamic != alone);
}

/// The largest difference between 30 and 120 frames per second; the higher rate samples more of a motion.
#[test]
fn the_frame_rate_changes_little() {
    let character = sinew::demo::character();
    let clip = character.find_clip("walk").unwrap();
    let mut pose = Pose::default();
    let mut run = |fps: u32| {
        let mut stack = crate::stack(&character, &recipe("")).unwrap();
        let mut surface = Surface::default();
        for frame in 0..=fps / 2 {
            let seconds = f64::from(frame) / f64::from(fps);
            clip.sample(seconds, &character.base_pose, &mut pose);
            stack.deform(
                &pose,
                Time { seconds, delta: if frame == 0 { 0.0 } else { 1.0 / f64::from(fps) } },
                &mut surface,
            );
        }
        surface.positions
    };
    let [few, many] = [30, 120].map(&mut run);
    let mut apart: Vec<f32> = few.iter().zip(&many).map(|(a, b)| a.distance(*b)).collect();
    apart.sort_by(f32::total_cmp);
    let mean = apart.iter().sum::<f32>() / apart.len() as f32;
    assert!(mean < 5e-4 && apart[apart.len() * 99 / 100] < 5e-3, "{mean}, {:?}", apart.last());
}

#[test]
fn fat_moves_the_skin_over_it() {
    let character = sinew::demo::character();
    let fat = recipe(
        "[[muscles.fat]]\nname = \"belly\"\nat = [\"lumbar\", 0.3, 0.45, 0.0]\nradii = [0.25, 0.3, 0.5]\nstiffness = 0.02\n",
    );
    let mut stack = crate::stack(&character, &fat).unwrap();
    let (mut surface, mut pose) = (Surface::default(), character.rest_pose());
    stack.deform(&pose, Time::default(), &mut surface);
    let mut farthest = 0.0f64;
    for frame in 1..20 {
        pose.joints[0].translation.y += if frame < 4 { 0.05 } else { 0.0 };
        stack.deform(&pose, Time { seconds: 0.0, delta: 1.0 / 30.0 }, &mut surface);
        let stage = stack.get::<MuscleDeformer>().unwrap();
        assert_eq!(stage.fats().len(), 1);
        farthest = stage.offsets().map(|(_, offset)| offset.abs()).fold(farthest, f64::max);
    }
    assert!(farthest > 0.002, "{farthest}");
}

#[test]
fn a_mesh_of_the_character_can_be_a_bone() {
    const RADIUS: f64 = 0.05;
    let mut character = sinew::demo::character();
    let thigh = character.skeleton.find("LeftUpLeg").unwrap();
    let knee = character.skeleton.rest_world()[character.skeleton.find("LeftLeg").unwrap()].translation;
    let center = 0.5 * (character.skeleton.rest_world()[thigh].translation + knee);
    // A bone that bulges: a ball in the middle of the thigh.
    let ball = Compact::new(Sphere { center, radius: RADIUS }, Falloff::Smooth { radius: 0.01 });
    let surface = polygonize(&ball, 0.5, &ball.bounds(), 0.006).unwrap();
    let mut bone = character.parts[0].clone();
    let mut weights = Weights::default();
    surface.positions.iter().for_each(|_| weights.push([Influence { joint: 0, weight: 1.0 }]));
    bone.binding = Binding {
        joints: vec![thigh],
        inverse_bind: vec![character.skeleton.rest_world()[thigh].inverse()],
        weights,
        ..bone.binding
    };
    bone.mesh = Mesh::new("femur", surface.positions, surface.faces);
    character.parts.push(bone);
    character.check().unwrap();

    let bones = |text: &str| {
        let stack = crate::stack(&character, &recipe(text)).unwrap();
        let bones =
            stack.get::<MuscleDeformer>().unwrap().musculature().bones.iter().filter(|bone| bone.joint == thigh);
        bones.map(|bone| bone.shape.clone()).collect::<Vec<_>>()
    };
    assert!(matches!(bones("")[..], [BoneShape::Capsule(_)]));
    let [BoneShape::Field(femur)] = &bones("bones = [\"femur\"]\n")[..] else { panic!("one bone, a mesh") };
    for (place, expected) in [(center, -RADIUS), (center + 1.2 * RADIUS * DVec3::X, 0.2 * RADIUS)] {
        let distance = femur.distance(place).value;
        assert!((distance - expected).abs() < 0.1 * RADIUS, "{distance} instead of {expected}");
    }
}

#[test]
fn muscles_that_do_not_fit_are_refused() {
    let character = sinew::demo::character();
    let refused = |text: &str| crate::stack(&character, &recipe(text)).err().map(|error| error.to_string());
    let wide = refused("[muscles.muscle.\"biceps brachii\"]\nwidth = 9.0\n").unwrap();
    assert!(wide.contains("line 5") && wide.contains("left biceps brachii") && wide.contains("narrower"), "{wide}");
    assert!(refused("[muscles.muscle.soleus]\nstiffness = 0.2\n").is_none());
    let mut unread = recipe("");
    unread.muscles.set = "mine.toml".into();
    assert!(crate::stack(&character, &unread).err().unwrap().to_string().contains("\"mine.toml\""));
    assert!(crate::stack(&sinew::demo::tube(), &recipe("")).is_err());
}
