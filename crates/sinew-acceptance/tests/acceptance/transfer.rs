//! Motions of real files on skeletons of other real files.

use glam::{DAffine3, DVec3};
use sinew::Time;
use sinew::motion::retarget::{Mapping, Retargeter};
use sinew::recipe::Recipe;
use sinew::rig::Anatomy;
use sinew::rig::anatomy::names::Limb;
use sinew::rig::anatomy::names::Side;
use sinew::rig::{Character, Clip, Pose};
use sinew::{Stack, Surface};
use sinew_io::{asf, bvh};
use sinew_testing::shared_data;

fn worlds(character: &Character, clip: &Clip, seconds: f64) -> Vec<DAffine3> {
    let mut pose = Pose::default();
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    clip.sample(seconds, &character.base_pose, &mut pose);
    character.skeleton.world(&pose, &mut world);
    world
}

fn read(path: &str) -> Option<Character> {
    let bytes = std::fs::read(shared_data::folder()?.join("mocap").join(path)).unwrap();
    Some(bvh::read(&bytes).unwrap().character)
}

fn carried(source: &Character, target: &Character) -> Clip {
    let mapping = Mapping::automatic(&source.skeleton, &target.skeleton).unwrap();
    let transfer = Retargeter::new(&source.skeleton, target, &mapping).unwrap();
    let clip = transfer.clip(&source.clips[0], &source.base_pose, 30.0).unwrap();
    clip.check(&target.skeleton, target.morph_count()).unwrap();
    clip
}

const BONES: [(Limb, Limb); 4] =
    [(Limb::Thigh, Limb::Calf), (Limb::Calf, Limb::Foot), (Limb::UpperArm, Limb::Forearm), (Limb::Forearm, Limb::Hand)];

fn bone(anatomy: &Anatomy, world: &[DAffine3], (from, to): (Limb, Limb), side: Side) -> DVec3 {
    let [from, to] = [from, to].map(|limb| world[anatomy.limb(limb, side).unwrap()].translation);
    (to - from).normalize()
}

/// The largest angle in degrees between bones of two characters in motion; `turn` brings the axes of
/// the first to those of the second.
fn largest_angle(a: (&Character, &Clip), b: (&Character, &Clip), turn: impl Fn(DVec3) -> DVec3) -> f64 {
    let [first, second] = [a.0, b.0].map(|c| Anatomy::of(&c.skeleton).unwrap());
    let mut largest = 0.0f64;
    for seconds in b.1.frame_times(10.0).unwrap() {
        let (p, q) = (worlds(a.0, a.1, seconds), worlds(b.0, b.1, seconds));
        for side in [Side::Left, Side::Right] {
            for limbs in BONES {
                let (p, q) = (turn(bone(&first, &p, limbs, side)), bone(&second, &q, limbs, side));
                largest = largest.max(p.angle_between(q).to_degrees());
            }
        }
    }
    largest
}

#[test]
fn a_motion_on_its_own_skeleton_is_itself() {
    for path in ["cmu30/cartwheel__49_06.bvh", "makehuman_walk1.bvh", "cmu_native/02_01.bvh"] {
        let Some(walk) = read(path) else { return };
        let clip = carried(&walk, &walk);
        for seconds in clip.frame_times(30.0).unwrap() {
            let (p, q) = (worlds(&walk, &walk.clips[0], seconds), worlds(&walk, &clip, seconds));
            for (p, q) in p.iter().zip(&q) {
                assert!(
                    p.translation.distance(q.translation) < 2e-4,
                    "{path}: {} is not {}",
                    q.translation,
                    p.translation
                );
            }
        }
    }
}

/// The skeleton of MakeHuman has other names, another spine, z up and another rest pose.
#[test]
fn every_motion_points_the_limbs_of_another_body() {
    let Some(body) = read("makehuman_walk1.bvh") else { return };
    let to_z_up = |v: DVec3| DVec3::new(v.x, -v.z, v.y);
    for path in shared_data::motions().iter().filter(|p| p.to_string_lossy().contains("cmu30")) {
        let source = bvh::read(&std::fs::read(path).unwrap()).unwrap().character;
        let clip = carried(&source, &body);
        let angle = largest_angle((&source, &source.clips[0]), (&body, &clip), to_z_up);
        assert!(angle < 0.5, "{}: a bone is off by {angle}°", path.display());

        let mut there = body.clone();
        there.clips = vec![clip];
        let back = carried(&there, &source);
        let angle = largest_angle((&source, &source.clips[0]), (&source, &back), |v| v);
        assert!(angle < 0.5, "{}: a bone comes back off by {angle}°", path.display());
        let anatomy = Anatomy::of(&source.skeleton).unwrap();
        for seconds in back.frame_times(10.0).unwrap() {
            let (p, q) = (worlds(&source, &source.clips[0], seconds), worlds(&source, &back, seconds));
            let (p, q) = (p[anatomy.pelvis].translation, q[anatomy.pelvis].translation);
            assert!(p.distance(q) < 1e-2, "{}: the pelvis comes back to {q}, not {p}", path.display());
        }
    }
}

/// Lowest points of the feet over a clip.
fn lowest_foot(character: &Character, clip: &Clip, up: DVec3) -> f64 {
    let anatomy = Anatomy::of(&character.skeleton).unwrap();
    let toes = [Side::Left, Side::Right].map(|side| anatomy.limb(Limb::Toes, side).unwrap());
    let heights = clip.frame_times(30.0).unwrap().flat_map(|seconds| {
        let world = worlds(character, clip, seconds);
        toes.map(|toe| {
            let tip = character.skeleton.joints()[toe].tip.unwrap();
            world[toe].translation.dot(up).min(world[toe].transform_point3(tip).dot(up))
        })
    });
    heights.fold(f64::INFINITY, f64::min)
}

#[test]
fn feet_meet_the_ground() {
    let Some(body) = read("makehuman_walk1.bvh") else { return };
    for path in shared_data::motions().iter().filter(|p| p.to_string_lossy().contains("cmu30")) {
        let source = bvh::read(&std::fs::read(path).unwrap()).unwrap().character;
        let clip = carried(&source, &body);
        // The body is 17 tall; a shoe's sole is below the toe joints in both.
        let (there, here) = (lowest_foot(&body, &clip, DVec3::Z), lowest_foot(&source, &source.clips[0], DVec3::Y));
        println!("{}: lowest foot {there:.2} of 17, in the motion {here:.2} of 30", path.display());
        assert!((there - 0.6 * here).abs() < 0.45, "{}: the lowest foot is at {there}", path.display());
    }
}

#[test]
fn a_walk_in_place_stands_on_the_ground_of_another_body() {
    let (Some(walk), Some(body)) = (read("makehuman_walk1.bvh"), read("cmu30/walk__02_01.bvh")) else { return };
    let lowest = lowest_foot(&body, &carried(&walk, &body), DVec3::Y);
    assert!(lowest.abs() < 0.5, "the lowest foot is at {lowest}");
}

#[test]
fn acclaim_names_are_understood() {
    let Some(folder) = shared_data::folder() else { return };
    let native = folder.join("mocap/cmu_native");
    let file = |name: &str| std::fs::read(native.join(name)).unwrap();
    let source = asf::read_motion(&file("02.asf"), &file("02_01.amc")).unwrap().character;
    let target = bvh::read(&file("02_01.bvh")).unwrap().character;
    let mapping = Mapping::automatic(&source.skeleton, &target.skeleton).unwrap();
    let name = |k: usize| source.skeleton.joints()[k].name.as_str();
    for (ours, theirs) in [
        ("Hips", "root"),
        ("LowerBack", "lowerback"),
        ("Spine1", "thorax"),
        ("Head", "head"),
        ("LeftHand", "lwrist"),
        ("LeftFingerBase", "lhand"),
        ("LThumb", "lthumb"),
        ("RightToeBase", "rtoes"),
    ] {
        let joint = target.skeleton.find(ours).unwrap();
        let pair = mapping.pairs().iter().find(|p| p.target == joint).unwrap_or_else(|| panic!("{ours} is not mapped"));
        assert_eq!(name(pair.source), theirs, "{ours}");
    }
    let clip = carried(&source, &target);
    assert!(largest_angle((&source, &source.clips[0]), (&target, &clip), |v| v) < 0.5);
}

#[test]
fn the_mapping_to_another_body_is_the_expected_one() {
    let (Some(source), Some(target)) = (read("cmu30/walk__02_01.bvh"), read("makehuman_walk1.bvh")) else { return };
    let mapping = Mapping::automatic(&source.skeleton, &target.skeleton).unwrap();
    let table = mapping.to_table(&source.skeleton, &target.skeleton);
    for line in [
        "\"Root\" = \"Hips\"",
        "\"Hips\" = false",
        "\"Spine1\" = \"LowerBack\"",
        "\"Spine3\" = \"Spine1\"",
        "\"Clavicle_L\" = \"LeftShoulder\"",
        "\"UpArm_R\" = \"RightArm\"",
        "\"Thumb1_L\" = \"LThumb\"",
        "\"LoLeg_R\" = \"RightLeg\"",
        "\"Jaw\" = false",
    ] {
        assert!(table.lines().any(|l| l == line), "{line} is not in\n{table}");
    }
    assert_eq!(Mapping::from_table(&table, &source.skeleton, &target.skeleton).unwrap(), mapping);
}

/// The lowest point of the skin over a clip.
fn lowest_point(character: &Character, clip: &Clip) -> f32 {
    let mut stack = Stack::new(character, &Recipe::default()).unwrap();
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let lowest = clip.frame_times(5.0).unwrap().map(|seconds| {
        clip.sample(seconds, &character.base_pose, &mut pose);
        stack.deform(&pose, Time { seconds, delta: 0.2 }, &mut surface);
        surface.positions.iter().fold(f32::INFINITY, |low, position| low.min(position.y))
    });
    lowest.fold(f32::INFINITY, f32::min)
}

#[test]
fn every_motion_plays_on_a_body_with_a_skin() {
    let Some(folder) = shared_data::folder() else { return };
    let body = sinew_io::load(&folder.join("gltf/makehuman_male_cmu31.glb")).unwrap().character;
    for path in shared_data::motions().iter().filter(|p| p.to_string_lossy().contains("cmu30")) {
        let what = path.display();
        let source = bvh::read(&std::fs::read(path).unwrap()).unwrap().character;
        let mapping = Mapping::automatic(&source.skeleton, &body.skeleton).unwrap();
        assert_eq!(mapping.pairs().len(), 31, "{what}: every joint has a partner");
        let clip = carried(&source, &body);
        let angle = largest_angle((&source, &source.clips[0]), (&body, &clip), |v| v);
        assert!(angle < 0.5, "{what}: a bone is off by {angle}°");
        // In metres. The golfer's own feet are 9 cm below the ground of his motion.
        let lowest = lowest_point(&body, &clip);
        assert!((-0.13..0.08).contains(&lowest), "{what}: the lowest point of the skin is at {lowest} m");
    }
}
