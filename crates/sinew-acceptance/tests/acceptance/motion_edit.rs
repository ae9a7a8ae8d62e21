//! Real motions that are pulled about: what is asked is met, what is not asked stays.

use glam::{DAffine3, DQuat, DVec3};
use sinew::motion::Error;
use sinew::motion::distance_geometry::{Constraint, Kinematics};
use sinew::motion::edit::{Contact, EditReport, JointLimit, MotionEdit, MotionEditOptions, Pin};
use sinew::motion::retarget::{Mapping, Retargeter};
use sinew::rig::{Character, Clip, JointKind, Pose};
use sinew_io::{bvh, fbx, gltf};
use sinew_testing::shared_data;

const FPS: f64 = 30.0;

/// The motions of the shared folder at 30 frames a second, with their names.
fn motions() -> Vec<(String, Character)> {
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (name, bvh::read(&std::fs::read(path).unwrap()).unwrap().character)
    };
    shared_data::motions().iter().filter(|p| p.to_string_lossy().contains("cmu30")).map(read).collect()
}

fn motion(name: &str) -> Option<Character> {
    motions().into_iter().find(|(found, _)| found == name).map(|(_, character)| character)
}

/// World positions of all joints and tips of toes, frame by frame.
fn positions(character: &Character, clip: &Clip) -> Vec<Vec<DVec3>> {
    let mut pose = Pose::default();
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    let frames = clip.frame_times(FPS).unwrap();
    let place = |seconds: f64| {
        clip.sample(seconds, &character.base_pose, &mut pose);
        character.skeleton.world(&pose, &mut world);
        world.iter().map(|matrix| matrix.translation).collect()
    };
    frames.map(place).collect()
}

fn height(character: &Character) -> f64 {
    let world = character.skeleton.rest_world();
    let low = world.iter().map(|m| m.translation).reduce(DVec3::min).unwrap();
    let high = world.iter().map(|m| m.translation).reduce(DVec3::max).unwrap();
    (high - low).y
}

/// Numbers from 0 to 1 that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn direction(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.roll(), self.roll(), self.roll()) * 2.0 - DVec3::ONE;
            if let Some(direction) = v.try_normalize().filter(|_| v.length() < 1.0) {
                return direction;
            }
        }
    }
}

fn accelerations(frames: &[Vec<DVec3>], joint: usize, away_from: usize) -> Vec<f64> {
    let inner = (1..frames.len() - 1).filter(|k| k.abs_diff(away_from) > 6);
    let second = |k: usize| frames[k + 1][joint] - 2.0 * frames[k][joint] + frames[k - 1][joint];
    inner.flat_map(|k| second(k).to_array()).collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let product: f64 = a.iter().zip(b).map(|(x, y)| (x - ma) * (y - mb)).sum();
    let square = |v: &[f64], m: f64| v.iter().map(|x| (x - m).powi(2)).sum::<f64>();
    product / (square(a, ma) * square(b, mb)).sqrt().max(f64::MIN_POSITIVE)
}

/// What an edit did to a motion, in millimetres for a body of 1.75 m.
#[derive(Debug, Default, Clone, Copy)]
struct Measures {
    pin: f64,
    slide: f64,
    segments: f64,
    correlation: f64,
    jerk: f64,
}

fn measure(
    before: &[Vec<DVec3>],
    after: &[Vec<DVec3>],
    bones: &[(usize, usize)],
    pin: Pin,
    report: &EditReport,
    unit: f64,
) -> Measures {
    let mut segments = 0.0f64;
    for (p, q) in before.iter().zip(after) {
        for &(a, b) in bones {
            segments = segments.max((q[a].distance(q[b]) / p[a].distance(p[b]) - 1.0).abs());
        }
    }
    let mut slide = 0.0f64;
    for contact in report.contacts.iter().filter(|c| !c.is_tip) {
        let moved = |k: usize| after[k][contact.joint] - before[k][contact.joint];
        let first = moved(*contact.frames.start());
        slide = contact.frames.clone().map(|k| moved(k).distance(first)).fold(slide, f64::max);
    }
    let moving = bones.iter().map(|&(joint, _)| joint);
    let least = moving.map(|j| correlation(&accelerations(before, j, pin.frame), &accelerations(after, j, pin.frame)));
    let jump = |frames: &[Vec<DVec3>], j: usize, k: usize| frames[k + 1][j] - 2.0 * frames[k][j] + frames[k - 1][j];
    let inner = (1..before.len() - 1).flat_map(|k| bones.iter().map(move |b| (k, b.0)));
    let jerk = inner.map(|(k, j)| jump(after, j, k).distance(jump(before, j, k))).fold(0.0, f64::max);
    Measures {
        pin: after[pin.frame][pin.joint].distance(pin.position) * unit,
        slide: slide * unit,
        segments,
        correlation: least.fold(1.0, f64::min),
        jerk: jerk * unit,
    }
}

/// What one would do without an operator in time: the pin's offset, fading out over half a second, as the target of
/// distance kinematics in each frame by itself.
fn frame_by_frame(before: &[Vec<DVec3>], bones: &[(usize, usize)], pin: Pin) -> Vec<Vec<DVec3>> {
    let offset = pin.position - before[pin.frame][pin.joint];
    let solve = |(k, frame): (usize, &Vec<DVec3>)| {
        let fade = 1.0 - k.abs_diff(pin.frame) as f64 / 15.0;
        if fade <= 0.0 {
            return frame.clone();
        }
        let distance = |&(a, b): &(usize, usize)| Constraint::Distance {
            a: a as u32,
            b: b as u32,
            length: frame[a].distance(frame[b]),
        };
        let target = Constraint::Target { point: pin.joint as u32, position: frame[pin.joint] + offset * fade };
        let hard = bones.iter().map(distance).chain([target]).collect();
        let stay = |(point, &position): (usize, &DVec3)| (Constraint::Target { point: point as u32, position }, 1.0);
        let mut positions = frame.clone();
        let soft = frame.iter().enumerate().map(stay).collect();
        Kinematics::new(frame.len(), &[], hard, soft).unwrap().solve(&mut positions);
        positions
    };
    before.iter().enumerate().map(solve).collect()
}

#[test]
fn without_pins_a_motion_is_itself() {
    for (name, character) in motions() {
        let clip = &character.clips[0];
        let last = clip.frame_times(FPS).unwrap().len() - 1;
        let mut edit = MotionEdit::new(
            &character.skeleton,
            &character.base_pose,
            clip,
            FPS,
            0..=last,
            MotionEditOptions::default(),
        )
        .unwrap();
        let report = edit.solve().unwrap();
        assert!(report.largest_distance_error < 1e-9, "{name}");
        let (before, after) = (positions(&character, clip), positions(&character, &edit.clip()));
        for (p, q) in before.iter().flatten().zip(after.iter().flatten()) {
            assert!(p.distance(*q) < 1e-6, "{name}: {q} is not {p}");
        }
    }
}

#[test]
fn pins_within_reach_are_met_and_the_rest_is_kept() {
    let joints = ["LeftHand", "RightForeArm", "Head", "RightHand", "Hips", "LeftFoot"];
    let mut dice = Dice(7);
    let (mut ours, mut plain, mut count) = ([Measures::default(); 2], [Measures::default(); 2], 0.0);
    for (number, (name, character)) in motions().into_iter().enumerate() {
        let (clip, skeleton) = (&character.clips[0], &character.skeleton);
        let before = positions(&character, clip);
        let unit = 1750.0 / height(&character);
        let bones: Vec<(usize, usize)> = (0..skeleton.len())
            .filter_map(|j| Some((j, skeleton.joints()[j].parent?)))
            .filter(|&(j, p)| before[0][j].distance(before[0][p]) > 0.0)
            .collect();
        // Two joints of each motion are enough to meet every joint many times.
        for joint in [joints[number % 6], joints[(number + 3) % 6]] {
            let (is_foot, joint) = (joint == "LeftFoot", skeleton.find(joint).unwrap());
            let frame = 8 + (dice.roll() * (before.len() - 16) as f64) as usize;
            // Downwards, for legs and backs that are straight do not become longer.
            let direction = dice.direction() * DVec3::new(1.0, 0.5, 1.0);
            let direction = DVec3::new(direction.x, -direction.y.abs(), direction.z);
            let reach = direction * dice.roll() * 0.06 * height(&character);
            let reach = if is_foot { -reach } else { reach };
            let pin = Pin { joint, frame, position: before[frame][joint] + reach, orientation: None };
            let options = MotionEditOptions::default();
            let mut edit =
                MotionEdit::new(skeleton, &character.base_pose, clip, FPS, 0..=before.len() - 1, options).unwrap();
            let stands = |c: &Contact| skeleton.joints()[c.joint].name.starts_with("Left") && c.frames.contains(&frame);
            if is_foot && edit.contacts().iter().any(stands) {
                continue;
            }
            edit.pin(pin).unwrap();
            let report = edit.solve().unwrap();
            let after = positions(&character, &edit.clip());
            let measures = measure(&before, &after, &bones, pin, &report, unit);
            let what = format!("{name}, {}, frame {frame}: {measures:?}", skeleton.joints()[joint].name);
            assert!(measures.pin < 1.75, "{what}, {:?}", report.pins);
            assert!(measures.segments < 1e-4, "{what}");
            assert!(measures.slide < 5.0, "{what}");
            assert!(measures.correlation > 0.95, "{what}");
            // The ends of the range are as they were.
            for k in [0, 1, before.len() - 2, before.len() - 1] {
                assert!(before[k].iter().zip(&after[k]).all(|(p, q)| p.distance(*q) * unit < 0.01), "{what}");
            }
            let other = frame_by_frame(&before, &bones, pin);
            let other = measure(&before, &other, &bones, pin, &report, unit);
            for (all, one) in [(&mut ours, measures), (&mut plain, other)] {
                add(&mut all[0], one);
                all[1] = worse(all[1], one);
            }
            count += 1.0;
        }
    }
    if count == 0.0 {
        return;
    }
    println!("| | pin missed, mm | feet slide, mm | segments off | least correlation | added jump per frame, mm |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (name, [sum, worst]) in [("in space and time", ours), ("frame by frame", plain)] {
        println!(
            "| {name}, mean (worst) | {:.3} ({:.3}) | {:.2} ({:.2}) | {:.1e} ({:.1e}) | {:.4} ({:.4}) | {:.1} ({:.1}) |",
            sum.pin / count,
            worst.pin,
            sum.slide / count,
            worst.slide,
            sum.segments / count,
            worst.segments,
            sum.correlation / count,
            worst.correlation,
            sum.jerk / count,
            worst.jerk
        );
    }
    assert!(ours[0].slide < 0.1 * plain[0].slide && ours[0].correlation > plain[0].correlation);
    assert!(ours[0].jerk < plain[0].jerk);
}

fn add(sum: &mut Measures, one: Measures) {
    sum.pin += one.pin;
    sum.slide += one.slide;
    sum.segments += one.segments;
    sum.correlation += one.correlation;
    sum.jerk += one.jerk;
}

fn worse(a: Measures, b: Measures) -> Measures {
    Measures {
        pin: a.pin.max(b.pin),
        slide: a.slide.max(b.slide),
        segments: a.segments.max(b.segments),
        // The first is none yet.
        correlation: if a.correlation == 0.0 { b.correlation } else { a.correlation.min(b.correlation) },
        jerk: a.jerk.max(b.jerk),
    }
}

/// A foot that is pinned while it stands stands elsewhere, all the time that it stood.
#[test]
fn a_planted_foot_is_moved_as_it_stands() {
    let Some(character) = motion("walk__02_01") else { return };
    let (clip, skeleton) = (&character.clips[0], &character.skeleton);
    let before = positions(&character, clip);
    let last = before.len() - 1;
    let mut edit =
        MotionEdit::new(skeleton, &character.base_pose, clip, FPS, 0..=last, MotionEditOptions::default()).unwrap();
    let toes = skeleton.find("RightToeBase").unwrap();
    let is_inside = |c: &&Contact| c.joint == toes && !c.is_tip && *c.frames.start() > 5 && *c.frames.end() + 5 < last;
    let contact = edit.contacts().iter().find(is_inside).cloned().unwrap();
    let frame = (contact.frames.start() + contact.frames.end()) / 2;
    let aside = DVec3::new(0.03, 0.0, 0.02) * height(&character);
    let position = before[frame][toes] + aside;
    edit.pin(Pin { joint: toes, frame, position, orientation: None }).unwrap();
    let report = edit.solve().unwrap();
    let after = positions(&character, &edit.clip());
    for k in contact.frames {
        let moved = after[k][toes] - before[k][toes];
        assert!(moved.distance(aside) < 1e-4 * height(&character), "frame {k}: moved by {moved}, not {aside}");
    }
    assert!(report.contacts.iter().all(|c| c.slide < 3e-3 * height(&character)), "{report:?}");
}

#[test]
fn a_pin_out_of_reach_is_approached_and_reported() {
    let Some(character) = motion("walk__02_01") else { return };
    let (clip, skeleton) = (&character.clips[0], &character.skeleton);
    let hand = skeleton.find("LeftHand").unwrap();
    let before = positions(&character, clip);
    let mut edit =
        MotionEdit::new(skeleton, &character.base_pose, clip, FPS, 10..=60, MotionEditOptions::default()).unwrap();
    let far = edit.source_position(hand, 35).unwrap() + DVec3::new(0.0, 3.0, 0.5) * height(&character);
    edit.pin(Pin { joint: hand, frame: 35, position: far, orientation: None }).unwrap();
    let report = edit.solve().unwrap();
    let after = positions(&character, &edit.clip());
    let missed = after[35][hand].distance(far);
    assert!((report.pins[0].residual - missed).abs() < 1e-3 * height(&character), "{report:?}");
    assert!((1.0..3.0).contains(&(missed / height(&character))), "{report:?}");
    assert!(report.largest_distance_error < 1e-4, "{report:?}");
    assert!(after.iter().flatten().all(|p| p.is_finite()));
    // However far it is, nothing comes apart.
    for sizes in [20.0, 1e6] {
        let away = far + DVec3::new(0.3, 1.0, 0.2) * sizes * height(&character);
        edit.drag(0, away).unwrap();
        let report = edit.solve().unwrap();
        assert!(report.largest_distance_error < 1e-4, "{sizes}: {}", report.largest_distance_error);
        assert!(report.contacts.iter().all(|c| c.slide < 0.05 * height(&character)), "{sizes}: {:?}", report.contacts);
        let after = positions(&character, &edit.clip());
        let moved = after.iter().zip(&before).flat_map(|(a, b)| a.iter().zip(b).map(|(p, q)| p.distance(*q)));
        assert!(moved.fold(0.0, f64::max) < 2.0 * height(&character), "{sizes}");
    }
}

/// L13 fig. 7.5: the last posture is turned by a right angle, and the walk turns with it.
#[test]
fn a_walk_turns_with_its_last_posture() {
    let Some(character) = motion("walk__07_01") else { return };
    let (clip, skeleton) = (&character.clips[0], &character.skeleton);
    let before = positions(&character, clip);
    let last = before.len() - 1;
    let options = MotionEditOptions { free_end: true, ..MotionEditOptions::default() };
    let mut edit = MotionEdit::new(skeleton, &character.base_pose, clip, FPS, 0..=last, options).unwrap();
    let root = before[last][0];
    let turn = DQuat::from_rotation_y(0.8);
    for name in ["Hips", "Spine1", "LeftUpLeg", "RightUpLeg", "LeftArm", "RightArm", "LeftFoot", "RightFoot"] {
        let joint = skeleton.find(name).unwrap();
        let position = root + turn * (before[last][joint] - root);
        edit.pin(Pin { joint, frame: last, position, orientation: None }).unwrap();
    }
    let report = edit.solve().unwrap();
    assert!(report.pins.iter().all(|pin| pin.residual < 1e-3 * height(&character)), "{report:?}");
    let after = positions(&character, &edit.clip());
    let head = skeleton.find("Head").unwrap();
    let heading = |frame: &[DVec3]| {
        let [l, r] = ["LeftUpLeg", "RightUpLeg"].map(|name| frame[skeleton.find(name).unwrap()]);
        (l - r).cross(DVec3::Y).normalize()
    };
    let turned = |k: usize| heading(&before[k]).angle_between(heading(&after[k])).to_degrees();
    assert!(turned(last) > 40.0 && (10.0..40.0).contains(&turned(last / 2)), "{} {}", turned(last / 2), turned(last));
    assert!(report.largest_distance_error < 1e-4, "{report:?}");
    assert!(after.iter().all(|frame| frame[head].y > 0.5 * before[0][head].y));
}

/// A range in the middle joins the rest of the clip without a jump in position or velocity.
#[test]
fn a_range_blends_into_its_clip() {
    let Some(character) = motion("boxing__13_17") else { return };
    let (clip, skeleton) = (&character.clips[0], &character.skeleton);
    let hand = skeleton.find("RightHand").unwrap();
    let before = positions(&character, clip);
    let mut edit =
        MotionEdit::new(skeleton, &character.base_pose, clip, FPS, 40..=80, MotionEditOptions::default()).unwrap();
    let position = before[60][hand] + DVec3::new(0.05, 0.08, 0.02) * height(&character);
    let pin = edit.pin(Pin { joint: hand, frame: 60, position, orientation: None }).unwrap();
    edit.solve().unwrap();
    let after = positions(&character, &edit.clip());
    let size = height(&character);
    for (k, (p, q)) in before.iter().zip(&after).enumerate().filter(|(k, _)| !(42..79).contains(k)) {
        assert!(p.iter().zip(q).all(|(p, q)| p.distance(*q) < 1e-5 * size), "frame {k}");
    }
    // Dragging the pin back gives the source again.
    edit.drag(pin, before[60][hand]).unwrap();
    edit.solve().unwrap();
    let back = positions(&character, &edit.clip());
    for (p, q) in before.iter().flatten().zip(back.iter().flatten()) {
        assert!(p.distance(*q) < 1e-6 * size, "{q} is not {p}");
    }
}

#[test]
fn a_hand_is_turned_as_it_is_pinned_and_an_elbow_bends_no_further_than_it_may() {
    let Some(character) = motion("boxing__13_17") else { return };
    let (clip, skeleton) = (&character.clips[0], &character.skeleton);
    let [hand, elbow] = ["RightHand", "RightForeArm"].map(|name| skeleton.find(name).unwrap());
    let size = height(&character);
    let options = MotionEditOptions::default();
    let mut edit = MotionEdit::new(skeleton, &character.base_pose, clip, FPS, 40..=80, options).unwrap();
    let at = |pose: &Pose| {
        let mut world = vec![DAffine3::IDENTITY; skeleton.len()];
        skeleton.world(pose, &mut world);
        world
    };
    let before = at(&edit.poses()[20])[hand];
    let turn = DQuat::from_rotation_z(0.5);
    let orientation = turn * DQuat::from_mat3(&before.matrix3);
    let position = before.translation + DVec3::new(0.0, -0.03, 0.02) * size;
    edit.pin(Pin { joint: hand, frame: 60, position, orientation: Some(orientation.normalize()) }).unwrap();
    let report = edit.solve().unwrap();
    let after = at(&edit.poses()[20]);
    assert!(report.pins[0].residual < 1e-3 * size, "{report:?}");
    // The hand points where it was to point.
    let finger = skeleton.find("RightHandIndex1").unwrap();
    let direction = |world: &[DAffine3]| (world[finger].translation - world[hand].translation).normalize();
    let wanted = turn
        * direction(&at(&{
            let mut pose = Pose::default();
            clip.sample(2.0, &character.base_pose, &mut pose);
            pose
        }));
    assert!(direction(&after).angle_between(wanted) < 1e-3, "{} is not {wanted}", direction(&after));

    let bend = |pose: &Pose| skeleton.joints()[elbow].rest.rotation.angle_between(pose.joints[elbow].rotation);
    let mut edit = MotionEdit::new(skeleton, &character.base_pose, clip, FPS, 40..=80, options).unwrap();
    let source: Vec<f64> = edit.poses().iter().map(bend).collect();
    let shoulder = skeleton.find("RightArm").unwrap();
    let [from, to] = [hand, shoulder].map(|joint| edit.source_position(joint, 60).unwrap());
    edit.pin(Pin { joint: hand, frame: 60, position: from.lerp(to, 0.6), orientation: None }).unwrap();
    edit.solve().unwrap();
    let free = bend(&edit.poses()[20]);
    assert!(free > source[20] + 0.2, "{free} from {}", source[20]);
    let swing_rad = source[20] + 0.1;
    edit.limit(JointLimit { joint: elbow, swing_rad, twist_rad: 3.2 }).unwrap();
    let report = edit.solve().unwrap();
    let limited = bend(&edit.poses()[20]);
    assert!((limited - swing_rad).abs() < 0.1 && limited < free - 0.1, "{limited}, {free}, {}", source[20]);
    assert!(report.limited > 0 && report.largest_distance_error < 1e-4, "{report:?}");
    assert!(report.pins[0].residual > 1e-3 * size, "{report:?}");
    assert!(edit.limit(JointLimit { joint: elbow, swing_rad: f64::NAN, twist_rad: 1.0 }).is_err());
}

#[test]
fn invalid_edits_are_refused() {
    let Some(character) = motion("walk__02_01") else { return };
    let (clip, skeleton) = (&character.clips[0], &character.skeleton);
    let options = MotionEditOptions::default();
    let new = |fps, range, options| MotionEdit::new(skeleton, &character.base_pose, clip, fps, range, options);
    assert!(matches!(new(FPS, 0..=1000, options).err(), Some(Error::FrameRange { .. })));
    assert!(matches!(new(FPS, 10..=12, options).err(), Some(Error::FrameRange { .. })));
    assert!(new(0.0, 0..=40, options).is_err() && new(f64::NAN, 0..=40, options).is_err());
    assert!(matches!(
        new(FPS, 5..=40, MotionEditOptions { free_start: true, ..options }).err(),
        Some(Error::FreeEnd { .. })
    ));
    assert!(new(FPS, 0..=40, MotionEditOptions { stay: -1.0, ..options }).is_err());
    let mut edit = new(FPS, 10..=40, options).unwrap();
    let pin = Pin { joint: 3, frame: 25, position: DVec3::ONE, orientation: None };
    assert!(matches!(edit.pin(Pin { frame: 11, ..pin }), Err(Error::PinFrame { .. })));
    assert!(edit.pin(Pin { joint: 99, ..pin }).is_err());
    assert!(edit.pin(Pin { position: DVec3::NAN, ..pin }).is_err());
    assert!(edit.pin(Pin { orientation: Some(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)), ..pin }).is_err());
    // Two pins that contradict each other: both are missed, and reported.
    edit.pin(Pin { position: edit.source_position(3, 25).unwrap() + DVec3::Y, ..pin }).unwrap();
    edit.pin(Pin { position: edit.source_position(3, 25).unwrap() - DVec3::Y, ..pin }).unwrap();
    let report = edit.solve().unwrap();
    assert!(report.pins.iter().any(|pin| pin.residual > 0.5), "{report:?}");
    assert!(report.largest_distance_error < 1e-4, "{report:?}");
}

/// Characters of all kinds with a motion of their own, with their names: beasts, tails without ends, several roots.
fn animated_characters() -> Vec<(String, Character)> {
    let alone = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let glb = |(name, bytes): (String, Vec<u8>)| (name, gltf::read(&bytes, &alone).unwrap().character);
    let fbx = |(name, bytes): (String, Vec<u8>)| (name, fbx::read(&bytes).unwrap().character);
    if shared_data::folder().is_none() {
        return Vec::new();
    }
    let characters = shared_data::files("gltf", "glb").into_iter().map(glb);
    characters.chain(shared_data::files("fbx", "fbx").into_iter().map(fbx)).collect()
}

/// A joint somewhere on every character, pulled somewhere in its first motion that is long enough. Nothing stands, so
/// that almost everything is within reach; the report has the error of the rest.
#[test]
fn pins_are_met_on_skeletons_of_all_kinds() {
    let mut dice = Dice(11);
    let (mut pinned, mut met) = (0, 0);
    for (name, character) in animated_characters() {
        let skeleton = &character.skeleton;
        let motions = character.clips.iter().map(|clip| (clip, positions(&character, clip)));
        let Some((clip, before)) = motions.into_iter().find(|(_, before)| before.len() >= 20) else { continue };
        let (low, high) = (before[0].iter().copied().reduce(DVec3::min), before[0].iter().copied().reduce(DVec3::max));
        let size = low.zip(high).map_or(0.0, |(low, high)| low.distance(high));
        let joints = 0..skeleton.len();
        let bones: Vec<(usize, usize)> = joints
            .filter(|&j| skeleton.joints()[j].kind == JointKind::Joint)
            .filter_map(|j| Some((j, skeleton.joints()[j].parent?)))
            .filter(|&(_, parent)| skeleton.joints()[parent].kind == JointKind::Joint)
            .filter(|&(j, p)| before.iter().all(|frame| frame[j].distance(frame[p]) > 1e-3 * size))
            .collect();
        if bones.len() < 2 {
            continue;
        }
        for _ in 0..2 {
            let joint = bones[(dice.roll() * bones.len() as f64) as usize].0;
            let last = before.len().min(60) - 1;
            let frame = 8 + (dice.roll() * (last - 15) as f64) as usize;
            let position = before[frame][joint] + dice.direction() * dice.roll() * 0.05 * size;
            let options = MotionEditOptions { keep_contacts: false, ..MotionEditOptions::default() };
            let mut edit = MotionEdit::new(skeleton, &character.base_pose, clip, FPS, 0..=last, options).unwrap();
            edit.pin(Pin { joint, frame, position, orientation: None }).unwrap();
            let report = edit.solve().unwrap();
            let after = positions(&character, &edit.clip());
            let missed = after[frame][joint].distance(position) / size;
            let what = format!("{name}, {}, frame {frame}: {:?}", skeleton.joints()[joint].name, report.pins);
            assert!((missed - report.pins[0].residual / size).abs() < 1e-3, "{what}: missed by {missed} of its size");
            met += usize::from(missed < 1e-3);
            for (before, after) in before.iter().zip(&after) {
                for &(a, b) in &bones {
                    let off = (after[a].distance(after[b]) / before[a].distance(before[b]) - 1.0).abs();
                    assert!(off < 1e-4, "{what}: a bone is off by {off}");
                }
            }
            pinned += 1;
        }
    }
    assert!(pinned == 0 || pinned >= 12, "{pinned}");
    assert!(met + 1 >= pinned, "{met} of {pinned}");
}

fn whole(character: &Character, last: usize, options: MotionEditOptions) -> MotionEdit<'_> {
    let clip = &character.clips[0];
    MotionEdit::new(&character.skeleton, &character.base_pose, clip, FPS, 0..=last, options).unwrap()
}

/// A walk on another body: retargeted alone, feet slide; with foot contacts they do not, on flat ground and on a slope.
#[test]
fn feet_stand_on_another_body_as_they_did() {
    let (Some(source), Some(folder)) = (motion("walk__02_01"), shared_data::folder()) else { return };
    let bytes = std::fs::read(folder.join("mocap/makehuman_walk1.bvh")).unwrap();
    let mut target = bvh::read(&bytes).unwrap().character;
    let mapping = Mapping::automatic(&source.skeleton, &target.skeleton).unwrap();
    let transfer = Retargeter::new(&source.skeleton, &target, &mapping).unwrap();
    target.clips = vec![transfer.clip(&source.clips[0], &source.base_pose, FPS).unwrap()];
    let last = source.clips[0].frame_times(FPS).unwrap().len() - 1;
    let options = MotionEditOptions { up: DVec3::Z, free_start: true, free_end: true, ..MotionEditOptions::default() };
    let partner = |joint: usize| mapping.pairs().iter().find(|pair| pair.source == joint).map(|pair| pair.target);
    let contacts = whole(&source, last, MotionEditOptions::default()).contacts();
    let toes = contacts.into_iter().filter(|c| !c.is_tip && source.skeleton.joints()[c.joint].name.contains("Toe"));
    let contacts: Vec<Contact> = toes.filter_map(|c| Some(Contact { joint: partner(c.joint)?, ..c })).collect();
    assert!(contacts.len() >= 3, "{contacts:?}");
    let size = 17.0;
    let slide = |frames: &[Vec<DVec3>], c: &Contact| {
        let first = frames[*c.frames.start()][c.joint];
        c.frames.clone().map(|k| frames[k][c.joint].distance(first)).fold(0.0, f64::max) / size
    };
    let carried = positions(&target, &target.clips[0]);
    let worst = contacts.iter().map(|c| slide(&carried, c)).fold(0.0, f64::max);
    assert!(worst > 5e-3, "{worst}");
    for slope in [0.0, 0.05] {
        let mut edit = whole(&target, last, options);
        edit.plant_feet(&contacts, |place| slope * place.x.abs()).unwrap();
        let report = edit.solve().unwrap();
        let standing = positions(&target, &edit.clip());
        assert!(report.largest_distance_error < 1e-4, "{report:?}");
        for contact in &contacts {
            assert!(slide(&standing, contact) < 5e-4, "{slope}: {contact:?} slides by {}", slide(&standing, contact));
            let k = *contact.frames.start();
            let (before, after) = (carried[k][contact.joint], standing[k][contact.joint]);
            assert!((after.z - before.z - slope * after.x.abs()).abs() < 0.03 * size, "{slope}: {after} from {before}");
        }
    }
}
