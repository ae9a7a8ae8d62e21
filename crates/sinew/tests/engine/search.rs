//! Searching motions of the demo figure: what a search must not see, and what it must.

use glam::{DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use sinew::demo;
use sinew::motion::Error;
use sinew::motion::search::baseline::{self, Representation};
use sinew::motion::search::{Motion, MotionPart, Query};
use sinew::rig::{Character, Clip, Joint, JointTracks, Skeleton, Track};
use std::collections::BTreeSet;

fn motion(character: &Character, clip: &Clip) -> Motion {
    Motion::of(&character.skeleton, &character.base_pose, clip, None).unwrap()
}

fn named(character: &Character, clip: &str) -> Motion {
    motion(character, character.find_clip(clip).unwrap())
}

/// One clip after another; a joint that one of them does not turn stands as it does without a clip.
fn in_a_row(figure: &Character, clips: &[&Clip]) -> Clip {
    let joints: BTreeSet<usize> = clips.iter().flat_map(|clip| clip.joints.iter().map(|tracks| tracks.joint)).collect();
    let tracks = joints.into_iter().map(|joint| {
        let (mut times, mut values, mut offset) = (Vec::new(), Vec::new(), 0.0);
        for clip in clips {
            let track = clip.joints.iter().find(|tracks| tracks.joint == joint).and_then(|t| t.rotation.as_ref());
            let rest = Track::linear(vec![0.0], vec![figure.base_pose.joints[joint].rotation.as_quat()]);
            for time in clip.frame_times(30.0).unwrap() {
                times.push(offset + time - clip.range().0);
                values.push(track.unwrap_or(&rest).sample(time));
            }
            offset = times[times.len() - 1] + 1.0 / 30.0;
        }
        JointTracks { joint, rotation: Some(Track::linear(times, values)), translation: None, scale: None }
    });
    Clip { name: "in a row".into(), joints: tracks.collect(), morphs: Vec::new() }
}

#[test]
fn a_motion_is_like_itself_and_less_like_others() {
    let figure = demo::character();
    let walk = Query::new(named(&figure, "walk"));
    assert!((walk.best(named(&figure, "walk").whole()) - 1.0).abs() < 1e-6);
    for other in ["elbow curl", "knee bend", "twist"] {
        assert!(walk.best(named(&figure, other).whole()) < 0.5, "{other}");
    }
}

#[test]
fn a_part_is_found_where_it_is() {
    let figure = demo::character();
    let [walk, bend, twist] = ["walk", "knee bend", "twist"].map(|name| figure.find_clip(name).unwrap());
    let long = in_a_row(&figure, &[twist, walk, bend, twist]);
    let found = Query::new(motion(&figure, bend)).find(motion(&figure, &long).whole());
    let begin = twist.seconds() + walk.seconds() + 2.0 / 30.0;
    let (start, _) = found[0].seconds();
    assert!((start - begin).abs() < 0.26, "found at {start}, not at {begin}");
    let end = begin + bend.seconds();
    let elsewhere = found.iter().filter(|found| found.seconds().1 <= begin || found.seconds().0 >= end);
    assert!(elsewhere.clone().count() > 0);
    assert!(elsewhere.clone().all(|other| other.score < 0.2 * found[0].score), "{found:?}");
}

#[test]
fn what_goes_back_is_not_what_goes_there() {
    let figure = demo::character();
    let bend = figure.find_clip("knee bend").unwrap();
    let (start, end) = bend.range();
    let half = |from, to| Motion::of(&figure.skeleton, &figure.base_pose, bend, Some((from, to))).unwrap();
    let middle = 0.5 * (start + end);
    let down = Query::new(half(start, middle));
    let [down_score, up_score] = [half(start, middle), half(middle, end)].map(|m| down.best(m.whole()));
    assert!(up_score < 0.8 * down_score, "{up_score} {down_score}");
}

#[test]
fn two_that_stand_still_are_alike() {
    let figure = demo::character();
    let still = Clip {
        name: "still".into(),
        joints: vec![JointTracks {
            joint: 0,
            rotation: Some(Track::linear(vec![0.0, 2.0], vec![figure.base_pose.joints[0].rotation.as_quat(); 2])),
            translation: None,
            scale: None,
        }],
        morphs: Vec::new(),
    };
    let motion = motion(&figure, &still);
    let query = Query::new(motion.clone());
    assert!((query.best(motion.whole()) - 1.0).abs() < 1e-6);
    assert!(query.best(named(&figure, "walk").whole()) < 0.1);
}

#[test]
fn the_best_of_many_are_the_best_of_all() {
    let figure = demo::character();
    let motions: Vec<Motion> = figure
        .clips
        .iter()
        .flat_map(|clip| {
            let (start, end) = clip.range();
            (0..6).map(move |k| (clip, start + 0.1 * f64::from(k), end)).collect::<Vec<_>>()
        })
        .map(|(clip, start, end)| Motion::of(&figure.skeleton, &figure.base_pose, clip, Some((start, end))).unwrap())
        .collect();
    let parts: Vec<MotionPart<'_>> = motions.iter().map(Motion::whole).collect();
    let query = Query::new(named(&figure, "knee bend"));
    let mut all: Vec<f64> = parts.iter().flat_map(|&part| query.find(part)).map(|found| found.score).collect();
    all.sort_by(|a, b| b.total_cmp(a));
    for count in [0, 1, 5, 20] {
        let scores: Vec<f64> = query.find_best(&parts, count).into_iter().map(|(_, found)| found.score).collect();
        assert_eq!(scores, all[..count.min(all.len())]);
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let figure = demo::character();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let walk = named(&figure, "walk");
            let found = Query::new(walk.clone()).find(named(&figure, "twist").whole());
            (walk, found)
        })
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn unsearchable_motions_are_refused() {
    let figure = demo::character();
    let of = |skeleton: &Skeleton, clip: &Clip| Motion::of(skeleton, &figure.base_pose, clip, None);
    let clip = |times: Vec<f64>, place: Vec3| Clip {
        name: "clip".into(),
        joints: vec![JointTracks {
            joint: 0,
            translation: Some(Track::linear(times.clone(), vec![place; times.len()])),
            rotation: None,
            scale: None,
        }],
        morphs: Vec::new(),
    };
    let one_frame = of(&figure.skeleton, &clip(vec![0.0], Vec3::ZERO));
    assert!(matches!(one_frame, Err(Error::MotionTooShort { .. })), "{one_frame:?}");
    let nowhere = of(&figure.skeleton, &clip(vec![0.0, 1.0], Vec3::NAN));
    assert!(matches!(nowhere, Err(Error::MotionNotFinite { .. })), "{nowhere:?}");
    let endless = of(&figure.skeleton, &clip(vec![0.0, 1e9], Vec3::ZERO));
    assert!(matches!(endless, Err(Error::Rig(sinew::rig::Error::TooManyFrames { .. }))), "{endless:?}");
    let post = Skeleton::new(vec![Joint { name: "post".into(), ..Joint::default() }]).unwrap().0;
    let without_limbs = of(&post, &clip(vec![0.0, 1.0], Vec3::ZERO));
    assert!(matches!(without_limbs, Err(Error::Rig(sinew::rig::Error::NoLandmark { .. }))), "{without_limbs:?}");
}

#[test]
fn a_principal_direction_does_not_know_its_sign() {
    let figure = demo::character();
    for representation in Representation::ALL {
        let direction =
            |clip: &Clip| baseline::direction(&figure.skeleton, &figure.base_pose, clip, representation).unwrap();
        let bend = direction(figure.find_clip("knee bend").unwrap());
        let opposite: Vec<f64> = bend.iter().map(|x| -x).collect();
        assert!((baseline::similarity(&bend, &bend) - 1.0).abs() < 1e-9, "{representation:?}");
        assert!((baseline::similarity(&bend, &opposite) - 1.0).abs() < 1e-9, "{representation:?}");
        assert_eq!(baseline::similarity(&bend, &bend[1..]), 0.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Size, place and the way the body looks are not part of a motion.
    #[test]
    fn size_place_and_heading_do_not_matter(
        size in 0.01f64..100.0, heading in -3.0f64..3.0, place in prop::array::uniform3(-50.0f64..50.0),
    ) {
        let figure = demo::character();
        let mut moved = demo::character();
        // What everything hangs on is moved, turned and scaled.
        let mut joints = moved.skeleton.joints().to_vec();
        joints.iter_mut().for_each(|joint| joint.parent = Some(joint.parent.map_or(0, |parent| parent + 1)));
        let mut world = Joint { name: "world".into(), ..Joint::default() };
        world.rest.translation = DVec3::from_array(place);
        world.rest.rotation = DQuat::from_rotation_y(heading);
        world.rest.scale = DVec3::splat(size);
        moved.base_pose.joints.insert(0, world.rest);
        joints.insert(0, world);
        moved.skeleton = Skeleton::new(joints).unwrap().0;
        for clip in &mut moved.clips {
            clip.joints.iter_mut().for_each(|tracks| tracks.joint += 1);
        }
        for (a, b) in figure.clips.iter().zip(&moved.clips) {
            let score = Query::new(motion(&figure, a)).best(motion(&moved, b).whole());
            prop_assert!(score > 0.999, "{}: {score}", a.name);
        }
    }

    /// A motion and its mirror image are found by each other, whatever joints do.
    #[test]
    fn a_mirror_image_is_found(angles in prop::collection::vec(-1.0f32..1.0, 6)) {
        let figure = demo::character();
        let left = ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftArm", "LeftForeArm", "LeftHand"]
            .map(|name| figure.skeleton.find(name).unwrap());
        let joints = left.iter().zip(&angles).map(|(&joint, &angle)| {
            let base = figure.base_pose.joints[joint].rotation.as_quat();
            let values = vec![base, base * Quat::from_rotation_z(angle), base * Quat::from_rotation_x(angle)];
            let rotation = Some(Track::linear(vec![0.0, 1.0, 2.0], values));
            JointTracks { joint, rotation, translation: None, scale: None }
        });
        let clip = Clip { name: "left".into(), joints: joints.collect(), morphs: Vec::new() };
        let motion = motion(&figure, &clip);
        let query = Query::new(motion.clone());
        prop_assert!((query.best(motion.mirrored().whole()) - 1.0).abs() < 1e-6);
        prop_assert_eq!(motion.mirrored().mirrored(), motion);
    }
}
