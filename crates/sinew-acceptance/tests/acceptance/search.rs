//! Searching real motions: labelled captures, the same in other forms, and the clips of other skeletons.

use sinew::motion::search::baseline::{self, Representation};
use sinew::motion::search::{Motion, Query, Rates};
use sinew::rig::{Character, Clip, Skeleton};
use sinew_testing::shared_data;
use std::collections::BTreeMap;

struct Labelled {
    name: String,
    class: usize,
    character: Character,
}

fn labelled() -> Vec<Labelled> {
    let Some(folder) = shared_data::folder() else { return Vec::new() };
    let labels = std::fs::read_to_string(folder.join("mocap/labels.csv")).unwrap();
    let mut classes = BTreeMap::new();
    let rows = labels.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>());
    rows.map(|row| {
        let next = classes.len();
        let class = *classes.entry(row[1].to_owned()).or_insert(next);
        let character = sinew_io::load(&folder.join("mocap/cmu30").join(row[0])).unwrap().character;
        Labelled { name: row[0].to_owned(), class, character }
    })
    .collect()
}

fn motion(character: &Character, clip: &Clip) -> Motion {
    Motion::of(&character.skeleton, &character.base_pose, clip, None).unwrap()
}

/// Rates of changed motions that look for the others as they are.
fn rates(all: &[Labelled], change: impl Fn(&Character) -> Motion) -> Rates {
    let queries: Vec<Query> = all.iter().map(|one| Query::new(change(&one.character))).collect();
    let motions: Vec<Motion> = all.iter().map(|one| motion(&one.character, &one.character.clips[0])).collect();
    let classes: Vec<usize> = all.iter().map(|one| one.class).collect();
    Rates::of(&classes, 11, |a, b| queries[a].best(motions[b].whole()))
}

#[test]
fn the_other_motions_of_a_class_are_found() {
    let all = labelled();
    if all.is_empty() {
        return;
    }
    let found = rates(&all, |character| motion(character, &character.clips[0]));
    println!("sinew: 1-NN {:.3}, mAP {:.3}", found.nn1, found.map);
    assert!(found.nn1 >= 0.95 && found.map >= 0.95, "{found:?}");
    let classes: Vec<usize> = all.iter().map(|one| one.class).collect();
    for representation in Representation::ALL {
        let vector = |one: &Labelled| {
            let Character { skeleton, base_pose, clips, .. } = &one.character;
            baseline::direction(skeleton, base_pose, &clips[0], representation).unwrap()
        };
        let vectors: Vec<Vec<f64>> = all.iter().map(vector).collect();
        let seed = Rates::of(&classes, 11, |a, b| baseline::similarity(&vectors[a], &vectors[b]));
        println!("{representation:?}: 1-NN {:.3}, mAP {:.3}", seed.nn1, seed.map);
        assert!(seed.nn1 < found.nn1 && seed.map < found.map, "{representation:?}: {seed:?}");
    }
}

fn time_scaled(clip: &Clip, factor: f64) -> Clip {
    let mut clip = clip.clone();
    let scale = |times: &mut Vec<f64>| times.iter_mut().for_each(|t| *t *= factor);
    for tracks in &mut clip.joints {
        tracks.translation.iter_mut().for_each(|t| scale(&mut t.times));
        tracks.rotation.iter_mut().for_each(|t| scale(&mut t.times));
    }
    clip
}

/// Left is called right and right left: the motion of a mirrored body.
fn sides_exchanged(skeleton: &Skeleton) -> Skeleton {
    let mut joints = skeleton.joints().to_vec();
    for joint in &mut joints {
        joint.name = match joint.name.strip_prefix("Left") {
            Some(rest) => format!("Right{rest}"),
            None => joint.name.strip_prefix("Right").map_or(joint.name.clone(), |rest| format!("Left{rest}")),
        };
    }
    Skeleton::new(joints).unwrap().0
}

/// Every third key alone.
fn thinned(clip: &Clip) -> Clip {
    let mut clip = clip.clone();
    for tracks in &mut clip.joints {
        if let Some(track) = &mut tracks.rotation {
            track.times = track.times.iter().copied().step_by(3).collect();
            track.values = track.values.iter().copied().step_by(3).collect();
        }
    }
    clip
}

/// Shorter legs and arms on the same trunk.
fn as_child(character: &Character) -> Character {
    let mut character = character.clone();
    let mut joints = character.skeleton.joints().to_vec();
    for (joint, local) in joints.iter_mut().zip(&mut character.base_pose.joints) {
        let is_limb = ["Leg", "Foot", "Arm", "Hand"].iter().any(|word| joint.name.ends_with(word));
        if is_limb && joint.parent.is_some() {
            joint.rest.translation *= 0.75;
            local.translation *= 0.75;
        }
    }
    character.skeleton = Skeleton::new(joints).unwrap().0;
    let moving: Vec<usize> =
        (0..character.skeleton.len()).filter(|&j| character.skeleton.joints()[j].parent.is_some()).collect();
    for tracks in &mut character.clips[0].joints {
        if moving.contains(&tracks.joint) {
            tracks.translation = None;
        }
    }
    character
}

#[test]
fn speed_side_rate_length_and_proportions_matter_little() {
    let all = labelled();
    if all.is_empty() {
        return;
    }
    type Change = fn(&Character) -> Motion;
    let changes: [(&str, Change); 7] = [
        ("slower", |c| motion(c, &time_scaled(&c.clips[0], 1.25))),
        ("faster", |c| motion(c, &time_scaled(&c.clips[0], 0.8))),
        ("mirrored", |c| Motion::of(&sides_exchanged(&c.skeleton), &c.base_pose, &c.clips[0], None).unwrap()),
        ("a third of the keys", |c| motion(c, &thinned(&c.clips[0]))),
        ("the middle alone", |c| {
            let (start, end) = c.clips[0].range();
            let margin = 0.15 * (end - start);
            Motion::of(&c.skeleton, &c.base_pose, &c.clips[0], Some((start + margin, end - margin))).unwrap()
        }),
        ("the first 60 %", |c| {
            let (start, end) = c.clips[0].range();
            let span = Some((start, start + 0.6 * (end - start)));
            Motion::of(&c.skeleton, &c.base_pose, &c.clips[0], span).unwrap()
        }),
        ("a child", |c| {
            let child = as_child(c);
            motion(&child, &child.clips[0])
        }),
    ];
    for (name, change) in changes {
        let found = rates(&all, change);
        println!("{name}: 1-NN {:.3}, mAP {:.3}", found.nn1, found.map);
        assert!(found.nn1 >= 0.95 && found.map >= 0.95, "{name}: {found:?}");
    }
}

/// Captures in other formats, and clips that artists made for other skeletons, look for captured motions.
#[test]
fn motions_of_other_skeletons_find_their_like() {
    let Some(folder) = shared_data::folder() else { return };
    let all = labelled();
    let motions: Vec<Motion> = all.iter().map(|one| motion(&one.character, &one.character.clips[0])).collect();
    let expected = [
        ("mocap/makehuman_walk1.bvh", "0", "walk"),
        ("mocap/cmu_native/02_01.bvh", "0", "walk__02_01"),
        ("mocap/cmu_native/02_01.amc", "0", "walk__02_01"),
        ("fbx/ozz_run.fbx", "0", "run"),
        ("gltf/quaternius_KnightCharacter.glb", "HumanArmature|Walking", "walk"),
        ("gltf/quaternius_KnightCharacter.glb", "HumanArmature|Run", "run"),
        ("gltf/quaternius_KnightCharacter.glb", "HumanArmature|Jump", "jump"),
    ];
    for (file, clip, class) in expected {
        let character = sinew_io::load(&folder.join(file)).unwrap().character;
        let query = Query::new(motion(&character, character.find_clip(clip).unwrap()));
        let scored = motions.iter().zip(&all).map(|(motion, one)| (query.best(motion.whole()), &one.name));
        let (score, nearest) = scored.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        println!("{file} {clip}: {nearest} {score:.3}");
        assert!(nearest.starts_with(class), "{file} {clip} finds {nearest}");
    }
}
