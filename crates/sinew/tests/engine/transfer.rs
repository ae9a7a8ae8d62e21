//! Motion from skeleton to skeleton, on bodies built for the purpose.

use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use sinew::motion::retarget::{Mapping, Retargeter};
use sinew::rig::Anatomy;
use sinew::rig::{Character, Clip, Joint, JointKind, JointTracks, Pose, Skeleton, Track, Transform};

/// Name, parent, position of a body of height 18 that faces +z, arms spread.
const BODY: [(&str, Option<usize>, [f64; 3]); 16] = [
    ("Hips", None, [0.0, 10.0, 0.0]),
    ("LeftUpLeg", Some(0), [1.0, 9.5, 0.0]),
    ("LeftLeg", Some(1), [1.0, 5.0, 0.2]),
    ("LeftFoot", Some(2), [1.0, 1.0, 0.0]),
    ("LeftToeBase", Some(3), [1.0, 0.2, 1.5]),
    ("RightUpLeg", Some(0), [-1.0, 9.5, 0.0]),
    ("RightLeg", Some(5), [-1.0, 5.0, 0.2]),
    ("RightFoot", Some(6), [-1.0, 1.0, 0.0]),
    ("RightToeBase", Some(7), [-1.0, 0.2, 1.5]),
    ("Spine", Some(0), [0.0, 12.0, -0.2]),
    ("Head", Some(9), [0.0, 16.0, 0.0]),
    ("LeftArm", Some(9), [2.0, 15.0, 0.0]),
    ("LeftForeArm", Some(11), [5.0, 15.0, 0.0]),
    ("LeftHand", Some(12), [8.0, 15.0, 0.0]),
    ("RightArm", Some(9), [-2.0, 15.0, 0.0]),
    ("Jaw", Some(10), [0.0, 16.0, 1.0]),
];

/// The body with every joint's own axes turned by `twist`, under an armature if one is given.
fn body(positions: &[[f64; 3]; 16], twist: DQuat, armature: Option<Transform>) -> Character {
    let mut joints = Vec::new();
    let first = usize::from(armature.is_some());
    if let Some(rest) = armature {
        joints.push(Joint { name: "Armature".into(), rest, kind: JointKind::Node, ..Joint::default() });
    }
    for (index, (name, parent, _)) in BODY.iter().enumerate() {
        let position = DVec3::from(positions[index]);
        let rest = match parent {
            Some(p) => Transform::from_translation(twist.inverse() * (position - DVec3::from(positions[*p]))),
            None => Transform { translation: position, rotation: twist, ..Transform::IDENTITY },
        };
        let parent = parent.map(|p| p + first).or(armature.map(|_| 0));
        joints.push(Joint { name: (*name).into(), parent, rest, ..Joint::default() });
    }
    let (skeleton, _) = Skeleton::new(joints).unwrap();
    Character { base_pose: skeleton.rest_pose(), skeleton, ..Character::default() }
}

fn plain() -> Character {
    body(&BODY.map(|(_, _, p)| p), DQuat::IDENTITY, None)
}

/// The left arm hangs down by an angle.
fn with_arm_down(degrees: f64) -> [[f64; 3]; 16] {
    let mut positions = BODY.map(|(_, _, p)| p);
    let (sine, cosine) = degrees.to_radians().sin_cos();
    for (joint, reach) in [(12, 3.0), (13, 6.0)] {
        positions[joint] = [2.0 + reach * cosine, 15.0 - reach * sine, 0.0];
    }
    positions
}

/// Steps, turns and waves.
fn clip() -> Clip {
    let times: Vec<f64> = (0..25).map(|k| f64::from(k) / 24.0).collect();
    let swing = |joint: usize, axis: Vec3| JointTracks {
        joint,
        rotation: Some(Track::linear(
            times.clone(),
            (0..25).map(|k| Quat::from_axis_angle(axis.normalize(), (k as f32 * 0.3).sin())).collect(),
        )),
        ..JointTracks::default()
    };
    let mut joints: Vec<JointTracks> = [
        (0, Vec3::new(0.1, 1.0, 0.0)),
        (1, Vec3::X),
        (2, Vec3::X),
        (5, Vec3::NEG_X),
        (9, Vec3::Z),
        (11, Vec3::new(0.0, 0.3, 1.0)),
        (12, Vec3::Y),
    ]
    .map(|(joint, axis)| swing(joint, axis))
    .into();
    joints[0].translation =
        Some(Track::linear(times.clone(), (0..25).map(|k| Vec3::new(0.1, 10.0, 0.2 * k as f32)).collect()));
    Clip { name: "wave".into(), joints, morphs: Vec::new() }
}

fn worlds(character: &Character, clip: &Clip, seconds: f64) -> Vec<DAffine3> {
    let mut pose = Pose::default();
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    clip.sample(seconds, &character.base_pose, &mut pose);
    character.skeleton.world(&pose, &mut world);
    world
}

fn place(character: &Character, world: &[DAffine3], name: &str) -> DVec3 {
    world[character.skeleton.find(name).unwrap()].translation
}

fn carried(source: &Character, target: &Character) -> Clip {
    let mapping = Mapping::automatic(&source.skeleton, &target.skeleton).unwrap();
    let transfer = Retargeter::new(&source.skeleton, target, &mapping).unwrap();
    let carried = transfer.clip(&clip(), &source.base_pose, 24.0).unwrap();
    carried.check(&target.skeleton, 0).unwrap();
    carried
}

/// Every joint of the target is where `expected` puts that of the plain body.
fn follows(target: &Character, carried: &Clip, expected: impl Fn(DVec3) -> DVec3, tolerance: f64) {
    let source = plain();
    for seconds in carried.frame_times(24.0).unwrap() {
        let (p, q) = (worlds(&source, &clip(), seconds), worlds(target, carried, seconds));
        for (name, ..) in BODY {
            let (p, q) = (expected(place(&source, &p, name)), place(target, &q, name));
            assert!(p.distance(q) < tolerance, "{name} at {seconds}: {q}, not {p}");
        }
    }
}

#[test]
fn a_body_follows_itself() {
    follows(&plain(), &carried(&plain(), &plain()), |p| p, 1e-5);
}

#[test]
fn the_axes_of_joints_do_not_matter() {
    let twisted = body(&BODY.map(|(_, _, p)| p), DQuat::from_scaled_axis(DVec3::new(0.4, -1.0, 2.0)), None);
    follows(&twisted, &carried(&plain(), &twisted), |p| p, 1e-5);
}

#[test]
fn a_larger_body_takes_larger_steps() {
    let larger = body(&BODY.map(|(_, _, p)| p.map(|x| 3.0 * x)), DQuat::IDENTITY, None);
    follows(&larger, &carried(&plain(), &larger), |p| 3.0 * p, 1e-4);
}

#[test]
fn a_scaled_and_turned_armature_is_undone() {
    let turn = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    let armature = Transform { translation: DVec3::new(0.0, 0.0, 0.0), rotation: turn, scale: DVec3::splat(0.01) };
    let positions = BODY.map(|(_, _, p)| (turn.inverse() * DVec3::from(p) * 100.0).to_array());
    let under = body(&positions, DQuat::from_rotation_y(0.3), Some(armature));
    follows(&under, &carried(&plain(), &under), |p| p, 1e-4);
}

#[test]
fn a_file_with_z_up_stays_so() {
    let to_z_up = |p: DVec3| DVec3::new(p.x, -p.z, p.y);
    let other = body(&BODY.map(|(_, _, p)| to_z_up(p.into()).to_array()), DQuat::IDENTITY, None);
    follows(&other, &carried(&plain(), &other), to_z_up, 1e-5);
}

#[test]
fn a_body_that_faces_elsewhere_goes_there() {
    let turn = DQuat::from_rotation_y(0.8);
    let other = body(&BODY.map(|(_, _, p)| (turn * DVec3::from(p)).to_array()), DQuat::IDENTITY, None);
    follows(&other, &carried(&plain(), &other), |p| turn * p, 1e-5);
}

#[test]
fn an_arm_that_hangs_at_rest_is_raised_with_one_that_is_spread() {
    let source = plain();
    let target = body(&with_arm_down(45.0), DQuat::from_rotation_z(0.2), None);
    let carried = carried(&source, &target);
    let mut moved = 0.0f64;
    for seconds in carried.frame_times(24.0).unwrap() {
        let (p, q) = (worlds(&source, &clip(), seconds), worlds(&target, &carried, seconds));
        for (from, to) in [("LeftArm", "LeftForeArm"), ("LeftForeArm", "LeftHand")] {
            let [p, q] = [(&source, &p), (&target, &q)].map(|(c, w)| (place(c, w, to) - place(c, w, from)).normalize());
            assert!(p.angle_between(q) < 1e-3, "{from} at {seconds} points {q}, not {p}");
            moved = moved.max(p.angle_between(DVec3::X));
        }
    }
    assert!(moved > 0.5);
}

#[test]
fn legs_apart_at_rest_do_not_spread_the_other_body() {
    let mut apart = BODY.map(|(_, _, p)| p);
    for (joint, side) in [(2, 1.0), (3, 1.0), (4, 1.0), (6, -1.0), (7, -1.0), (8, -1.0)] {
        let (hip, roll) = (DVec3::new(side, 9.5, 0.0), DQuat::from_rotation_z(side * 0.35));
        apart[joint] = (hip + roll * (DVec3::from(apart[joint]) - hip)).to_array();
    }
    let target = body(&apart, DQuat::IDENTITY, None);
    let carried = carried(&plain(), &target);
    let source = plain();
    for seconds in carried.frame_times(24.0).unwrap() {
        let (p, q) = (worlds(&source, &clip(), seconds), worlds(&target, &carried, seconds));
        for name in ["LeftLeg", "LeftFoot", "RightLeg", "RightFoot", "LeftToeBase"] {
            let (p, q) = (place(&source, &p, name), place(&target, &q, name));
            assert!(p.distance(q) < 0.06, "{name} at {seconds}: {q}, not {p}");
        }
    }
}

#[test]
fn what_is_not_mapped_stays_at_rest_and_what_is_above_in_the_base_pose() {
    let armature = Transform::from_translation(DVec3::new(5.0, 0.0, 0.0));
    let mut target = body(&BODY.map(|(_, _, p)| p), DQuat::IDENTITY, Some(armature));
    let find = |name: &str| target.skeleton.find(name).unwrap();
    let (jaw, arm, above) = (find("Jaw"), find("RightArm"), find("Armature"));
    target.base_pose.joints[jaw].rotation = DQuat::from_rotation_x(0.5);
    target.base_pose.joints[arm].translation += DVec3::Y;
    target.base_pose.joints[above].translation = DVec3::new(0.0, 0.0, 7.0);
    let source = plain();
    let mapping = Mapping::from_table("[joints]\nJaw = false", &source.skeleton, &target.skeleton).unwrap();
    assert_eq!(mapping.unmapped_targets(&target.skeleton), [jaw]);
    let transfer = Retargeter::new(&source.skeleton, &target, &mapping).unwrap();
    let carried = transfer.clip(&clip(), &source.base_pose, 24.0).unwrap();
    let mut pose = Pose::default();
    carried.sample(0.5, &target.base_pose, &mut pose);
    assert_eq!(pose.joints[jaw], target.skeleton.joints()[jaw].rest);
    let at_rest = target.skeleton.joints()[arm].rest.translation;
    assert!(pose.joints[arm].translation.abs_diff_eq(at_rest, 1e-6));
    assert_eq!(pose.joints[above], target.base_pose.joints[above]);
    follows(&target, &carried, |p| p + DVec3::new(5.0, 0.0, 0.0), 1e-4);
}

/// The plain body with some joints hung elsewhere, at the same places.
fn rehung(changes: &[(&str, Option<usize>)], extra: Option<Joint>) -> Character {
    let body = plain();
    let world = body.skeleton.rest_world();
    let mut joints: Vec<Joint> = body.skeleton.joints().to_vec();
    for (name, parent) in changes {
        let joint = body.skeleton.find(name).unwrap();
        joints[joint].parent = *parent;
    }
    for (index, joint) in joints.iter_mut().enumerate() {
        let origin = joint.parent.map_or(DVec3::ZERO, |p| world.get(p).map_or(DVec3::ZERO, |m| m.translation));
        joint.rest.translation = world[index].translation - origin;
    }
    joints.extend(extra);
    let (skeleton, _) = Skeleton::new(joints).unwrap();
    Character { base_pose: skeleton.rest_pose(), skeleton, ..Character::default() }
}

#[test]
fn feet_that_hang_beside_the_legs_are_put_under_them() {
    let ground = Joint { name: "Ground".into(), ..Joint::default() };
    let target = rehung(&[("Hips", Some(16)), ("LeftFoot", Some(16)), ("RightFoot", Some(16))], Some(ground));
    follows(&target, &carried(&plain(), &target), |p| p, 1e-4);
}

#[test]
fn legs_that_hang_on_the_spine_leave_the_pelvis_where_it_is() {
    let target = rehung(&[("LeftUpLeg", Some(9)), ("RightUpLeg", Some(9))], None);
    let anatomy = Anatomy::of(&target.skeleton).unwrap();
    let name = |joint: usize| target.skeleton.joints()[joint].name.as_str();
    assert_eq!((name(anatomy.pelvis), anatomy.spine.len()), ("Hips", 1));
    let carried = carried(&plain(), &target);
    let source = plain();
    for seconds in carried.frame_times(24.0).unwrap() {
        let (p, q) = (worlds(&source, &clip(), seconds), worlds(&target, &carried, seconds));
        let middle = |c: &Character, w: &[DAffine3]| (place(c, w, "LeftUpLeg") + place(c, w, "RightUpLeg")) * 0.5;
        let (p, q) = (middle(&source, &p), middle(&target, &q));
        assert!(p.distance(q) < 1e-5, "the hips are at {q}, not {p}");
    }
}

#[test]
fn a_tail_follows_a_tail_of_the_same_names() {
    let tail = |scale: f64| {
        let joints = (0..4).map(|k: usize| Joint {
            name: format!("tail{k}"),
            parent: k.checked_sub(1),
            rest: Transform::from_translation(DVec3::new(0.0, scale, 0.0)),
            ..Joint::default()
        });
        let (skeleton, _) = Skeleton::new(joints.collect()).unwrap();
        Character { base_pose: skeleton.rest_pose(), skeleton, ..Character::default() }
    };
    let (source, target) = (tail(1.0), tail(2.0));
    assert_eq!(Anatomy::of(&source.skeleton), None);
    let mut motion = clip();
    motion.joints.retain(|t| t.joint < 3);
    let mapping = Mapping::automatic(&source.skeleton, &target.skeleton).unwrap();
    let transfer = Retargeter::new(&source.skeleton, &target, &mapping).unwrap();
    assert!((transfer.scale() - 2.0).abs() < 1e-12);
    let carried = transfer.clip(&motion, &source.base_pose, 24.0).unwrap();
    let (p, q) = (worlds(&source, &motion, 0.4), worlds(&target, &carried, 0.4));
    for (p, q) in p.windows(2).zip(q.windows(2)) {
        let [p, q] = [p, q].map(|w| w[1].translation - w[0].translation);
        assert!((2.0 * p).distance(q) < 1e-4, "{q} is not twice {p}");
    }
}

#[test]
fn a_table_changes_the_mapping_and_reads_back() {
    let (source, target) = (plain().skeleton, plain().skeleton);
    let text = "root_scale = 0.5\n[joints]\nHead = \"Jaw\"\nJaw = \"\"\nLeftHand = false\n";
    let mapping = Mapping::from_table(text, &source, &target).unwrap();
    assert_eq!(mapping.root_scale(), 0.5);
    let source_of = |name: &str| {
        let joint = target.find(name).unwrap();
        let pair = mapping.pairs().iter().find(|p| p.target == joint)?;
        Some(source.joints()[pair.source].name.clone())
    };
    assert_eq!(source_of("Head").as_deref(), Some("Jaw"));
    assert_eq!((source_of("Jaw"), source_of("LeftHand")), (None, None));
    assert_eq!(source_of("LeftFoot").as_deref(), Some("LeftFoot"));
    assert_eq!(mapping.unmapped_sources(&source), ["Head", "LeftHand"].map(|n| source.find(n).unwrap()));
    assert_eq!(Mapping::from_table(&mapping.to_table(&source, &target), &source, &target).unwrap(), mapping);
}

#[test]
fn mistakes_in_a_table_are_named() {
    let skeleton = plain().skeleton;
    for (text, about) in [
        ("[joints]\nLeftHnd = \"LeftArm\"", "the character has no joint \"LeftHnd\"; did you mean \"LeftHand\"?"),
        ("[joints]\nLeftHand = \"LftArm\"", "the motion has no joint \"LftArm\"; did you mean \"LeftArm\"?"),
        ("[joints]\nLeftHand = true", "true means nothing"),
        ("[joints]\nLeftHand = 3", "line 2"),
        ("root_scale = 0", "root_scale"),
        ("root_scale = nan", "root_scale"),
        ("rot_scale = 1", "line 1"),
    ] {
        let error = Mapping::from_table(text, &skeleton, &skeleton).unwrap_err().to_string();
        assert!(error.contains(about), "{text:?} gave {error}");
    }
}

#[test]
fn strangers_are_refused_with_advice() {
    let (stranger, _) = Skeleton::new(vec![Joint { name: "lamp".into(), ..Joint::default() }]).unwrap();
    let error = Mapping::automatic(&plain().skeleton, &stranger).unwrap_err().to_string();
    assert!(error.contains("[joints]"), "{error}");
}
