//! BVH against the shared motions, and against everything that can be wrong with a file.

use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use sinew::rig::{Character, Clip, Joint, JointKind, JointTracks, Pose, Skeleton, Track, Transform};
use sinew_io::bvh::{self, Bvh};
use sinew_testing::shared_data;
use std::time::Instant;

const SMALL: &str = "HIERARCHY
ROOT Hips
{
	OFFSET 0 0 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
	JOINT Spine
	{
		OFFSET 0 2 0
		CHANNELS 3 Zrotation Yrotation Xrotation
		End Site
		{
			OFFSET 0 1 0
		}
	}
}
MOTION
Frames: 2
Frame Time: 0.025
1 2 3 10 20 30 40 50 60
1.5 2.5 3.5 11 21 31 41 51 61
";

fn joint_positions(character: &Character, clip: &Clip, seconds: f64) -> Vec<DVec3> {
    let mut pose = Pose::default();
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    clip.sample(seconds, &character.base_pose, &mut pose);
    character.skeleton.world(&pose, &mut world);
    world.iter().map(|m| m.translation).collect()
}

/// Joints are at the same places, within a distance in the file's unit (a CMU body is 30 tall).
fn same_motion(a: &Character, b: &Character, tolerance: f64, what: &str) {
    let (first, second) = (&a.clips[0], &b.clips[0]);
    let offset = second.range().0 - first.range().0;
    let rate = 30.0;
    assert!((first.seconds() - second.seconds()).abs() < 1.0 / rate, "{what}: lengths differ");
    for seconds in first.frame_times(rate).unwrap() {
        let (p, q) = (joint_positions(a, first, seconds), joint_positions(b, second, seconds + offset));
        assert_eq!(p.len(), q.len(), "{what}: joint counts");
        for (joint, (p, q)) in p.iter().zip(&q).enumerate() {
            assert!(p.distance(*q) < tolerance, "{what} at {seconds}: joint {joint} is at {q}, not {p}");
        }
    }
}

#[test]
fn the_shared_motions_have_the_counts_of_the_manifest() {
    let Some(folder) = shared_data::folder() else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.csv")).unwrap();
    let mut files = 0;
    for line in manifest.lines().filter(|l| l.split(',').next().is_some_and(|f| f.ends_with(".bvh"))) {
        let fields: Vec<&str> = line.split(',').collect();
        let quoted: Vec<&str> = line.split('"').nth(1).unwrap().split_whitespace().collect();
        let bvh = Bvh::parse(&std::fs::read(folder.join(fields[0])).unwrap()).unwrap();
        assert_eq!(bvh.joints().len().to_string(), fields[6], "{}", fields[0]);
        assert_eq!(bvh.frame_count().to_string(), quoted[0], "{}", fields[0]);
        assert_eq!(bvh.channel_count().to_string(), quoted[5], "{}", fields[0]);
        let fps: f64 = quoted[3].parse().unwrap();
        assert!((1.0 / bvh.frame_time() - fps).abs() < 0.01, "{}", fields[0]);
        files += 1;
    }
    assert_eq!(files, 49);
}

#[test]
fn the_shared_motions_survive_with_all_their_digits() {
    for path in shared_data::motions() {
        let bytes = std::fs::read(&path).unwrap();
        let bvh = Bvh::parse(&bytes).unwrap();
        assert_eq!(Bvh::parse(&bvh.to_bytes()).unwrap(), bvh, "{}", path.display());
        let text = String::from_utf8(bytes).unwrap();
        let written = text.split("Frame Time:").nth(1).unwrap().split_whitespace().skip(1);
        for (value, word) in bvh.frames().flatten().zip(written) {
            assert_eq!(*value, word.parse::<f64>().unwrap(), "{}", path.display());
        }
    }
}

#[test]
fn the_shared_motions_come_back_from_a_character() {
    for path in shared_data::motions() {
        let asset = bvh::read(&std::fs::read(&path).unwrap()).unwrap();
        asset.character.check().unwrap();
        let back = bvh::read(&bvh::write(&asset).unwrap()).unwrap();
        back.character.check().unwrap();
        same_motion(&asset.character, &back.character, 1e-3, &path.display().to_string());
    }
}

#[test]
fn a_small_file_is_read() {
    let asset = bvh::read(SMALL.as_bytes()).unwrap();
    let Character { skeleton, clips, base_pose, .. } = &asset.character;
    assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
    assert_eq!(asset.meters_per_unit, None);
    let [hips, spine] = skeleton.joints() else { panic!("two joints") };
    assert_eq!((hips.name.as_str(), spine.name.as_str()), ("Hips", "Spine"));
    assert_eq!(spine.parent, Some(0));
    assert_eq!(spine.rest, Transform::from_translation(DVec3::new(0.0, 2.0, 0.0)));
    assert_eq!(spine.tip, Some(DVec3::new(0.0, 1.0, 0.0)));
    assert_eq!(*base_pose, skeleton.rest_pose());
    let [clip] = clips.as_slice() else { panic!("one clip") };
    assert_eq!(clip.range(), (0.0, 0.025));
    assert_eq!(clip.joints[0].translation.as_ref().unwrap().values[1], Vec3::new(1.5, 2.5, 3.5));
    assert!(clip.joints[1].translation.is_none());
    let turn = |axis: DVec3, degrees: f64| DQuat::from_axis_angle(axis, degrees.to_radians());
    let expected = turn(DVec3::Z, 40.0) * turn(DVec3::Y, 50.0) * turn(DVec3::X, 60.0);
    let found = clip.joints[1].rotation.as_ref().unwrap().values[0].as_dquat();
    assert!(found.abs_diff_eq(expected, 1e-6) || found.abs_diff_eq(-expected, 1e-6), "{found}");
}

#[test]
fn odd_spacing_and_names_are_read() {
    let odd = SMALL
        .replace("ROOT Hips\n{", "ROOT  mixamorig:Hips of Ann \t{")
        .replace("JOINT Spine", "joint\tSpine")
        .replace("Frames: 2", "Frames :\t2")
        .replace("Frame Time: 0.025", "FRAME  TIME:2.5e-2")
        .replace("End Site", "End site tip\r")
        .replace('\n', "\r\n");
    let text = format!("\u{feff}# made by hand\r\n{}", odd.trim_end());
    let (odd, plain) = (Bvh::parse(text.as_bytes()).unwrap(), Bvh::parse(SMALL.as_bytes()).unwrap());
    assert_eq!(odd.joints()[0].name, "mixamorig:Hips of Ann");
    assert_eq!(odd.joints()[1], plain.joints()[1]);
    assert_eq!((odd.frame_time(), odd.frame_count()), (plain.frame_time(), plain.frame_count()));
    assert!(odd.frames().eq(plain.frames()));
    assert_eq!(Bvh::parse(&odd.to_bytes()).unwrap(), odd);
}

#[test]
fn any_channels_and_several_roots_are_read() {
    let text = "HIERARCHY ROOT a { OFFSET 1 2 3 CHANNELS 1 Yposition JOINT b { OFFSET 1 0 0
        CHANNELS 5 Xrotation Zposition Yrotation Xposition Zrotation } JOINT c { OFFSET 0 0 1 } }
        ROOT d { OFFSET 0 0 0 CHANNELS 2 YROTATION zrotation End Site { OFFSET 0 0 0 } }
        MOTION Frames: 1 Frame Time: 1 5 10 6 20 7 30 40 50";
    let document = Bvh::parse(text.as_bytes()).unwrap();
    assert_eq!(Bvh::parse(&document.to_bytes()).unwrap(), document);
    let character = document.to_asset().unwrap().character;
    let parents: Vec<_> = character.skeleton.joints().iter().map(|j| j.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(0), None]);
    assert_eq!(character.skeleton.joints()[3].tip, None);
    let tracks = &character.clips[0].joints;
    assert_eq!(tracks.iter().map(|t| t.joint).collect::<Vec<_>>(), [0, 1, 3]);
    assert_eq!(tracks[0].translation.as_ref().unwrap().values, [Vec3::new(1.0, 5.0, 3.0)]);
    assert_eq!(tracks[1].translation.as_ref().unwrap().values, [Vec3::new(7.0, 0.0, 6.0)]);
    let r = |axis, degrees: f32| Quat::from_axis_angle(axis, degrees.to_radians());
    let expected = r(Vec3::X, 10.0) * r(Vec3::Y, 20.0) * r(Vec3::Z, 30.0);
    assert!(tracks[1].rotation.as_ref().unwrap().values[0].abs_diff_eq(expected, 1e-6));
}

#[test]
fn a_root_that_never_leaves_zero_keeps_its_offset() {
    let text = "HIERARCHY ROOT a { OFFSET 0 9 0 CHANNELS 3 Xposition Yposition Zposition }
        MOTION Frames: 2 Frame Time: 1 0 0 0 0 -0.000001 0";
    let asset = bvh::read(text.as_bytes()).unwrap();
    assert_eq!(joint_positions(&asset.character, &asset.character.clips[0], 0.0), [DVec3::new(0.0, 9.0, 0.0)]);
    assert!(asset.warnings[0].contains("\"a\""), "{:?}", asset.warnings);
}

#[test]
fn keys_stay_in_one_hemisphere() {
    let frames: String = (0..200).map(|k| format!("{}\n", k * 7)).collect();
    let text = format!(
        "HIERARCHY ROOT a {{ OFFSET 0 0 0 CHANNELS 1 Zrotation }} MOTION Frames: 200 Frame Time: 0.1\n{frames}"
    );
    let asset = bvh::read(text.as_bytes()).unwrap();
    let rotations = &asset.character.clips[0].joints[0].rotation.as_ref().unwrap().values;
    assert!(rotations.windows(2).all(|w| w[0].dot(w[1]) > 0.9));
}

#[test]
fn repeated_names_are_a_warning() {
    let asset = bvh::read(SMALL.replace("Spine", "Hips").as_bytes()).unwrap();
    assert!(asset.warnings[0].contains("\"Hips\""), "{:?}", asset.warnings);
}

/// A skeleton under a scaled and turned armature, with rest rotations and an unanimated node between.
fn turned_character() -> Character {
    let joint = |name: &str, parent, kind, translation: [f64; 3], rotation: DQuat, scale: f64| Joint {
        name: name.into(),
        parent,
        kind,
        tip: None,
        rest: Transform { translation: translation.into(), rotation, scale: DVec3::splat(scale) },
    };
    let turn = |x: f64, y: f64, z: f64| DQuat::from_scaled_axis(DVec3::new(x, y, z));
    let joints = vec![
        joint("Armature", None, JointKind::Node, [1.0, 0.0, 2.0], turn(-1.5, 0.0, 0.0), 0.01),
        joint("hip", Some(0), JointKind::Joint, [0.0, 10.0, 90.0], turn(0.3, 0.5, -0.2), 1.0),
        joint("twist", Some(1), JointKind::Node, [0.0, 10.0, 0.0], turn(0.0, 0.7, 0.0), 1.0),
        joint("knee", Some(2), JointKind::Joint, [0.0, 35.0, 5.0], turn(0.9, 0.1, 0.4), 1.0),
        joint("foot", Some(3), JointKind::Joint, [3.0, 40.0, 0.0], turn(0.0, 0.1, 1.4), 1.0),
    ];
    let (skeleton, _) = Skeleton::new(joints).unwrap();
    let times: Vec<f64> = (0..13).map(|k| 0.5 + f64::from(k) / 24.0).collect();
    let swing = |joint: usize, x: f32, y: f32| JointTracks {
        joint,
        rotation: Some(Track::linear(
            times.clone(),
            (0..13).map(|k| Quat::from_scaled_axis(Vec3::new(x, y, 0.2) * k as f32 * 0.1)).collect(),
        )),
        ..JointTracks::default()
    };
    let mut slide = swing(3, -0.5, 0.9);
    slide.translation = Some(Track::linear(times.clone(), (0..13).map(|k| Vec3::new(0.0, 35.0, k as f32)).collect()));
    let clip =
        Clip { name: "swing".into(), joints: vec![swing(1, 1.0, 0.3), slide, swing(4, 0.0, 2.0)], morphs: vec![] };
    Character { base_pose: skeleton.rest_pose(), skeleton, clips: vec![clip], ..Character::default() }
}

#[test]
fn rest_rotations_scales_and_nodes_are_folded_in() {
    let character = turned_character();
    let document = Bvh::from_character(&character, &character.clips[0], 24.0).unwrap();
    let names: Vec<_> = document.joints().iter().map(|j| (j.name.as_str(), j.parent, j.channels.len())).collect();
    assert_eq!(names, [("hip", None, 6), ("knee", Some(0), 6), ("foot", Some(1), 3)]);
    let back = document.to_asset().unwrap().character;
    for k in 0..13 {
        let seconds = f64::from(k) / 24.0;
        let all = joint_positions(&character, &character.clips[0], 0.5 + seconds);
        let found = joint_positions(&back, &back.clips[0], seconds);
        for (expected, found) in [all[1], all[3], all[4]].into_iter().zip(found) {
            assert!(expected.distance(found) < 1e-5, "frame {k}: {found}, not {expected}");
        }
    }
    let rest = character.skeleton.rest_world();
    let written = back.skeleton.rest_world();
    for (expected, found) in [1, 3, 4].into_iter().zip(&written) {
        assert!(rest[expected].translation.distance(found.translation) < 1e-9);
        assert!(found.matrix3.abs_diff_eq(glam::DMat3::IDENTITY, 1e-12));
    }
}

#[test]
fn the_clips_own_rate_is_kept() {
    let asset = bvh::read(SMALL.as_bytes()).unwrap();
    let back = Bvh::parse(&bvh::write(&asset).unwrap()).unwrap();
    assert_eq!((back.frame_time(), back.frame_count()), (0.025, 2));
}

/// A clip of a billionth of a second is no clip without time.
#[test]
fn the_shortest_frame_times_are_kept() {
    for seconds in ["1e-9", "3.3e-10", "2e-12"] {
        let asset =
            bvh::read(SMALL.replace("Frame Time: 0.025", &format!("Frame Time: {seconds}")).as_bytes()).unwrap();
        let back = Bvh::parse(&bvh::write(&asset).unwrap()).unwrap();
        let (written, read) = (back.frame_time(), seconds.parse::<f64>().unwrap());
        assert!((written / read - 1.0).abs() < 1e-6, "{seconds} is written as {written}");
    }
}

#[test]
fn a_character_without_clips_is_one_frame_and_one_without_joints_is_refused() {
    let mut asset = bvh::read(SMALL.as_bytes()).unwrap();
    asset.character.clips.clear();
    assert_eq!(Bvh::parse(&bvh::write(&asset).unwrap()).unwrap().frame_count(), 1);
    asset.character = Character::default();
    assert!(bvh::write(&asset).unwrap_err().to_string().contains("without joints"));
}

/// The file is refused with a message that names the line and the matter.
fn refused(text: &str, line: usize, about: &str) {
    let error = Bvh::parse(text.as_bytes()).expect_err(about).to_string();
    assert!(error.starts_with(&format!("line {line}: ")) && error.contains(about), "{error}");
}

#[test]
fn an_empty_or_foreign_file_is_refused() {
    refused("", 1, "HIERARCHY");
    refused("\n\nPK\u{3}\u{4}", 3, "HIERARCHY");
    refused("HIERARCHY\nMOTION\n", 2, "ROOT");
}

#[test]
fn a_missing_motion_is_refused() {
    refused(&SMALL.replace("MOTION\n", ""), 16, "MOTION");
    refused(SMALL.split("MOTION").next().unwrap(), 16, "MOTION");
}

#[test]
fn a_missing_value_is_refused_at_its_line() {
    refused(&SMALL.replace("50 60", "50"), 19, "9 values, one for each channel, found 8");
}

#[test]
fn a_missing_frame_is_refused() {
    refused(&SMALL.replace("Frames: 2", "Frames: 3"), 21, "expected 3 frames of 9 values, found 2");
}

#[test]
fn too_many_frames_are_refused() {
    refused(&SMALL.replace("Frames: 2", "Frames: 1"), 20, "expected 1 frames of 9 values, but more follow");
}

#[test]
fn no_frames_are_refused() {
    refused(&SMALL.replace("Frames: 2", "Frames: 0"), 17, "0 frames");
}

#[test]
fn an_absurd_number_of_frames_is_refused_without_allocating() {
    refused(&SMALL.replace("Frames: 2", "Frames: 4000000000"), 21, "expected 4000000000 frames");
    refused(&SMALL.replace("Frames: 2", "Frames: 18446744073709551615"), 21, "expected 18446744073709551615 frames");
    refused(&SMALL.replace("Frames: 2", "Frames: -2"), 17, "whole number");
}

#[test]
fn a_frame_time_that_is_no_time_is_refused() {
    for time in ["0", "-0.1", "nan", "inf", "soon"] {
        refused(&SMALL.replace("0.025", time), 18, "frame time");
    }
}

#[test]
fn values_that_are_not_finite_are_refused() {
    for value in ["nan", "1e400", "1.#QNAN"] {
        refused(&SMALL.replace("41 51", &format!("41 {value}")), 20, "finite number");
    }
    refused(&SMALL.replace("OFFSET 0 2 0", "OFFSET 0 inf 0"), 8, "offset");
}

#[test]
fn bad_channels_are_refused() {
    refused(&SMALL.replace("CHANNELS 3 Z", "CHANNELS 3 W"), 9, "Wrotation");
    refused(&SMALL.replace("CHANNELS 3", "CHANNELS 4"), 10, "\"End\" is none");
    refused(&SMALL.replace("CHANNELS 3", "CHANNELS 7000000"), 9, "7000000");
    refused(&SMALL.replace("CHANNELS 3 Zrotation", "CHANNELS 3 Xrotation"), 9, "twice");
}

#[test]
fn unbalanced_braces_are_refused() {
    refused(&SMALL.replace("}\nMOTION", "MOTION"), 15, "\"Hips\"");
    refused(&SMALL.replace("}\nMOTION", "}\n}\nMOTION"), 16, "MOTION");
}

#[test]
fn endless_nesting_is_refused() {
    let deep = "JOINT a { OFFSET 0 0 0\n".repeat(100_000);
    let error = Bvh::parse(format!("HIERARCHY ROOT r {{ OFFSET 0 0 0\n{deep}").as_bytes()).unwrap_err();
    assert!(error.to_string().contains("nested deeper"), "{error}");
}

#[test]
fn endless_joints_are_refused() {
    let many = "JOINT a { OFFSET 0 0 0 }\n".repeat(20_000);
    let error = Bvh::parse(format!("HIERARCHY ROOT r {{ OFFSET 0 0 0\n{many}").as_bytes()).unwrap_err();
    assert!(error.to_string().starts_with("line 10001: the file has more than 10000 joints"), "{error}");
}

#[test]
fn frame_rates_that_cannot_be_written_are_refused() {
    let character = bvh::read(SMALL.as_bytes()).unwrap().character;
    for fps in [0.0, -30.0, f64::NAN, f64::INFINITY, 1e15] {
        assert!(Bvh::from_character(&character, &character.clips[0], fps).is_err(), "{fps} frames per second");
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    // All but the last value and its line end.
    for length in 0..SMALL.len() - 3 {
        assert!(Bvh::parse(&SMALL.as_bytes()[..length]).is_err(), "cut after {length} bytes");
    }
}

proptest! {
    #[test]
    fn damaged_files_never_panic(edits in prop::collection::vec((0..SMALL.len(), any::<u8>()), 1..6)) {
        let mut bytes = SMALL.as_bytes().to_vec();
        for (at, byte) in edits {
            bytes[at] = byte;
        }
        if let Ok(document) = Bvh::parse(&bytes) {
            prop_assert_eq!(&Bvh::parse(&document.to_bytes()).unwrap(), &document);
            let _ = document.to_asset();
        }
    }

    #[test]
    fn files_with_moved_pieces_never_panic(from in 0..SMALL.len(), length in 0usize..80, to in 0..SMALL.len()) {
        let piece = &SMALL.as_bytes()[from..(from + length).min(SMALL.len())];
        let bytes = [&SMALL.as_bytes()[..to], piece, &SMALL.as_bytes()[to..]].concat();
        if let Ok(asset) = bvh::read(&bytes) {
            asset.character.check().unwrap();
        }
    }

    #[test]
    fn any_values_survive(values in prop::collection::vec(-1e6..1e6f64, 9)) {
        let row: Vec<String> = values.iter().map(f64::to_string).collect();
        let text = SMALL.replace("1 2 3 10 20 30 40 50 60", &row.join(" "));
        let document = Bvh::parse(text.as_bytes()).unwrap();
        prop_assert_eq!(document.frames().next().unwrap(), values.as_slice());
        prop_assert_eq!(Bvh::parse(&document.to_bytes()).unwrap(), document);
    }
}

/// Prints the time for a long take; run with `--release --nocapture` to measure.
#[test]
fn a_long_take_is_read() {
    const FRAMES: usize = 4593;
    let joints: String =
        (0..30).map(|k| format!("JOINT j{k} {{ OFFSET 0 1 0 CHANNELS 3 Zrotation Yrotation Xrotation\n")).collect();
    let mut text = format!(
        "HIERARCHY ROOT r {{ OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n\
         {joints}{} MOTION\nFrames: {FRAMES}\nFrame Time: 0.0083333\n",
        "}".repeat(31)
    );
    for frame in 0..FRAMES {
        for channel in 0..96 {
            text += &format!("{:.4} ", 90.0 * ((frame * (channel + 3)) as f64 * 0.001).sin());
        }
        text += "\n";
    }
    let mut best = [f64::INFINITY; 2];
    for _ in 0..5 {
        let start = Instant::now();
        let document = Bvh::parse(text.as_bytes()).unwrap();
        let parsed = start.elapsed().as_secs_f64();
        let asset = document.to_asset().unwrap();
        let converted = start.elapsed().as_secs_f64();
        assert_eq!(asset.character.clips[0].joints[30].rotation.as_ref().unwrap().times.len(), FRAMES);
        best = [best[0].min(parsed), best[1].min(converted)];
    }
    let megabytes = text.len() as f64 / 1e6;
    println!("{megabytes:.1} MB: parsed in {:.1} ms, with the clip {:.1} ms", best[0] * 1e3, best[1] * 1e3);
}
