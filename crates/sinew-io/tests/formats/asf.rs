//! Acclaim files against the same walk as BVH, and against everything that can be wrong with them.

use glam::{DAffine3, DVec3, Vec3};
use proptest::prelude::*;
use sinew::rig::{Character, Pose};
use sinew_io::{asf, bvh};
use sinew_testing::shared_data;

const SKELETON: &str = "# made by hand
:version 1.10
:name small
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
  none to speak of
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name hip
    direction 0 -2 0
    length 3
    axis 0 0 0 XYZ
  end
  begin
    id 2
    name leg
    direction 1 0 0
    length 2
    axis 0 0 90 XYZ
    dof rx rz
    limits (-10 10)
           (-20 20)
  end
:hierarchy
  begin
    root hip
    hip leg
  end
";
const MOTION: &str = "#!OML
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 0 0 90
leg 90 0
2
root 4 5 6 0 0 0
leg 0 90
";

fn positions(character: &Character, seconds: f64) -> Vec<(String, DVec3)> {
    let mut pose = Pose::default();
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    character.clips[0].sample(seconds, &character.base_pose, &mut pose);
    character.skeleton.world(&pose, &mut world);
    character.skeleton.joints().iter().zip(world).map(|(j, m)| (j.name.clone(), m.translation)).collect()
}

fn position(positions: &[(String, DVec3)], name: &str) -> DVec3 {
    positions.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no joint {name}")).1
}

#[test]
fn a_small_skeleton_is_read() {
    let asset = asf::read_skeleton(SKELETON.as_bytes()).unwrap();
    let joints = asset.character.skeleton.joints();
    let names: Vec<_> = joints.iter().map(|j| (j.name.as_str(), j.parent)).collect();
    assert_eq!(names, [("root", None), ("hip", Some(0)), ("leg", Some(1))]);
    assert_eq!(joints[1].rest.translation, DVec3::ZERO);
    assert_eq!(joints[2].rest.translation, DVec3::new(0.0, -3.0, 0.0));
    assert_eq!(joints[2].tip, Some(DVec3::new(2.0, 0.0, 0.0)));
    assert!((asset.meters_per_unit.unwrap() - 0.0254 / 0.45).abs() < 1e-12);
    assert!(asset.warnings.iter().any(|w| w.contains("1/0.45 inch")), "{:?}", asset.warnings);
}

#[test]
fn angles_turn_a_bone_in_its_own_frame() {
    let asset = asf::read_motion(SKELETON.as_bytes(), MOTION.as_bytes()).unwrap();
    asset.character.check().unwrap();
    assert!(asset.warnings.iter().any(|w| w.contains("120 frames per second")), "{:?}", asset.warnings);
    let clip = &asset.character.clips[0];
    assert_eq!(clip.range(), (0.0, 1.0 / 120.0));
    assert_eq!(
        clip.joints[0].translation.as_ref().unwrap().values,
        [Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0)]
    );
    // The leg's frame is turned by 90° about z, so its own x axis is the world's y.
    let leg = clip.joints[1].rotation.as_ref().unwrap();
    assert!((leg.values[0] * Vec3::X).abs_diff_eq(-Vec3::Z, 1e-6));
    assert!((leg.values[1] * Vec3::X).abs_diff_eq(Vec3::Y, 1e-6));
}

#[test]
fn radians_are_read() {
    let asset = asf::read_motion(
        SKELETON.replace("angle deg", "angle rad").replace("0 0 90", "0 0 1.5707963267948966").as_bytes(),
        MOTION.replace(":DEGREES\n", "").replace("leg 90", "leg 1.5707963267948966").as_bytes(),
    );
    let clip = &asset.unwrap().character.clips[0];
    assert!((clip.joints[1].rotation.as_ref().unwrap().values[0] * Vec3::X).abs_diff_eq(-Vec3::Z, 1e-6));
}

/// The BVH of the CMU walk was made from the AMC: its row k + 1 is frame k, the legs are the same, and
/// everything above lacks the thorax bone.
#[test]
fn the_cmu_walk_is_the_same_as_bvh() {
    let Some(folder) = shared_data::folder() else { return };
    let read = |name: &str| std::fs::read(folder.join("mocap/cmu_native").join(name)).unwrap();
    let acclaim = asf::read_motion(&read("02.asf"), &read("02_01.amc")).unwrap().character;
    let biovision = bvh::read(&read("02_01.bvh")).unwrap().character;
    acclaim.check().unwrap();
    let times = &acclaim.clips[0].joints[0].rotation.as_ref().unwrap().times;
    let rows = &biovision.clips[0].joints[0].rotation.as_ref().unwrap().times;
    assert_eq!((times.len(), rows.len()), (343, 344));
    let legs = [
        ("root", "Hips"),
        ("lfemur", "LeftUpLeg"),
        ("ltibia", "LeftLeg"),
        ("lfoot", "LeftFoot"),
        ("ltoes", "LeftToeBase"),
        ("rfemur", "RightUpLeg"),
        ("rtibia", "RightLeg"),
        ("rfoot", "RightFoot"),
        ("rtoes", "RightToeBase"),
        ("upperback", "Spine"),
        ("thorax", "Spine1"),
    ];
    let above = [("lowerneck", "Neck"), ("head", "Head"), ("lhumerus", "LeftArm"), ("rradius", "RightForeArm")];
    for (frame, time) in times.iter().enumerate() {
        let (a, b) = (positions(&acclaim, *time), positions(&biovision, rows[frame + 1]));
        for (ours, theirs) in legs {
            let (p, q) = (position(&a, ours), position(&b, theirs));
            assert!(p.distance(q) < 2e-4, "frame {frame}: {ours} is at {p}, the BVH's {theirs} at {q}");
        }
        for (ours, theirs) in above {
            let shift = position(&a, ours).distance(position(&b, theirs));
            assert!((shift - 2.068).abs() < 2e-3, "frame {frame}: {ours} is {shift} from the BVH's {theirs}");
        }
    }
}

fn skeleton_refused(text: &str, line: usize, about: &str) {
    let error = asf::read_skeleton(text.as_bytes()).expect_err(about).to_string();
    assert!(error.starts_with(&format!("line {line}: ")) && error.contains(about), "{error}");
}

fn motion_refused(text: &str, line: usize, about: &str) {
    let error = asf::read_motion(SKELETON.as_bytes(), text.as_bytes()).expect_err(about).to_string();
    assert!(error.starts_with(&format!("line {line}: ")) && error.contains(about), "{error}");
}

#[test]
fn bad_skeletons_are_refused_at_their_line() {
    skeleton_refused("", 1, ":root is missing");
    skeleton_refused("HIERARCHY", 1, "HIERARCHY");
    skeleton_refused(SKELETON.split(":hierarchy").next().unwrap(), 33, ":hierarchy is missing");
    skeleton_refused(&SKELETON.replace("length 0.45", "length 0"), 6, "above 0");
    skeleton_refused(&SKELETON.replace("angle deg", "angle gon"), 7, "gon");
    skeleton_refused(&SKELETON.replace("direction 1 0 0", "direction 1 nan 0"), 26, "nan");
    skeleton_refused(&SKELETON.replace("0 0 90 XYZ", "0 0 90 XYY"), 28, "XYY");
    skeleton_refused(&SKELETON.replace("dof rx rz", "dof rx rq"), 29, "rq");
    skeleton_refused(&SKELETON.replace("    hip leg\n", ""), 37, "\"leg\" has no place");
    skeleton_refused(&SKELETON.replace("hip leg", "hop leg"), 36, "\"hop\"");
    skeleton_refused(&SKELETON.replace("hip leg", "hip leg arm"), 36, "\"arm\"");
    skeleton_refused(&SKELETON.replace("hip leg", "hip leg\nleg hip"), 37, "two parents");
    skeleton_refused(&SKELETON.replace("root hip", "leg hip"), 38, "is its own ancestor");
    skeleton_refused(&SKELETON.replace("name leg", "name hip"), 23, "second bone");
}

#[test]
fn bad_motions_are_refused_at_their_line() {
    motion_refused("", 1, "0 frames");
    motion_refused(&MOTION.replace("leg 90 0", "leg 90"), 6, "2 degrees of freedom, found 1");
    motion_refused(&MOTION.replace("leg 90 0", "leg 90 0 1"), 6, "2 degrees of freedom, found 3");
    motion_refused(&MOTION.replace("leg 90 0", "leg 90 inf"), 6, "inf");
    motion_refused(&MOTION.replace("leg 90 0", "arm 90 0"), 6, "arm");
    motion_refused(&MOTION.replace("leg 0 90\n", ""), 9, "\"leg\"");
    motion_refused(&MOTION.replace("\n2\n", "\n1\n"), 7, "frame 1 comes after frame 1");
    motion_refused(&MOTION.replace("leg 90 0", "leg 90 0\nleg 90 0"), 7, "twice");
    motion_refused(&MOTION.replace("1\nroot", "root"), 4, "frame number");
    motion_refused("1\n2\n", 2, "no bones");
}

#[test]
fn a_bad_skeleton_of_a_motion_is_named_as_such() {
    let error = asf::read_motion(b":units length x", MOTION.as_bytes()).unwrap_err().to_string();
    assert!(error.starts_with("its ASF skeleton, line 1:"), "{error}");
}

proptest! {
    #[test]
    fn damaged_files_never_panic(
        skeleton in prop::collection::vec((0..SKELETON.len(), any::<u8>()), 0..4),
        motion in prop::collection::vec((0..MOTION.len(), any::<u8>()), 0..4),
        cut in 0..SKELETON.len() * 2,
    ) {
        let damaged = |text: &str, edits: Vec<(usize, u8)>| {
            let mut bytes = text.as_bytes().to_vec();
            edits.into_iter().for_each(|(at, byte)| bytes[at] = byte);
            bytes
        };
        let mut asf = damaged(SKELETON, skeleton);
        asf.truncate(cut);
        if let Ok(asset) = asf::read_motion(&asf, &damaged(MOTION, motion)) {
            asset.character.check().unwrap();
        }
    }
}
