//! The baseline that needs no surface, and the bones that it is measured with; its rows of the reference are
//! reproduced, so the metric is the same.

use super::metric::Distance;
use super::reference::{Reference, bones as reference_bones};
use super::rig::{INDEPENDENT, LIKE_HEAT, Rig, load};
use glam::DVec3;

/// Bones shorter than this, of the diagonal, have no direction.
const SHORTEST: f64 = 1e-4;

/// Distances below this, of the diagonal, are taken for it.
const NEAREST: f64 = 1e-6;

const INFLUENCES: usize = 4;

/// Symmetric rigs, where vertices of the middle are as far from a fourth bone as from a fifth and the last bit decides.
const WITH_TIES: [&str; 2] = ["CesiumMan", "spot_rigged"];

/// Head and tail of each joint's bone: to the mean of its children, or half its parent's bone.
fn bones(rig: &Rig) -> Vec<Option<[DVec3; 2]>> {
    let mut bones = vec![None; rig.joint_count()];
    for joint in (0..rig.joint_count()).filter(|&joint| rig.is_built[joint]) {
        let down: Vec<usize> = rig.up_from(joint).collect();
        down.iter().rev().for_each(|&joint| bones[joint] = Some(bone(rig, &bones, joint)));
    }
    bones
}

/// The bone of a joint whose parent's is known.
fn bone(rig: &Rig, bones: &[Option<[DVec3; 2]>], joint: usize) -> [DVec3; 2] {
    let head = rig.places[joint];
    let children = (0..rig.joint_count()).filter(|&child| rig.is_built[child] && rig.parents[child] == Some(joint));
    let children: Vec<DVec3> = children.map(|child| rig.places[child]).collect();
    let mean = (!children.is_empty()).then(|| children.iter().sum::<DVec3>() / children.len() as f64);
    let leaf = || match rig.parents[joint].and_then(|parent| bones[parent]) {
        Some([above, below]) => head + 0.5 * (below - above),
        None => head + DVec3::Y * 0.05 * rig.diagonal,
    };
    [head, mean.filter(|tail| tail.distance(head) >= SHORTEST * rig.diagonal).unwrap_or_else(leaf)]
}

/// `1/d²` of the distance to each deforming bone, the four largest.
fn weights(rig: &Rig) -> Vec<Vec<f64>> {
    let bones = bones(rig);
    let row = |&point: &DVec3| {
        let share = |(joint, bone): (usize, &Option<[DVec3; 2]>)| {
            let [head, tail] = (*bone).filter(|_| rig.deforms[joint])?;
            let along = tail - head;
            let t = ((point - head).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let distance = point.distance(head + t * along).max(NEAREST * rig.diagonal);
            Some((distance.powi(-2), joint))
        };
        let mut shares: Vec<(f64, usize)> = bones.iter().enumerate().filter_map(share).collect();
        shares.sort_by(|a, b| b.0.total_cmp(&a.0));
        shares.truncate(INFLUENCES);
        let sum: f64 = shares.iter().map(|(share, _)| share).sum();
        let mut row = vec![0.0; rig.joint_count()];
        shares.into_iter().for_each(|(share, joint)| row[joint] = share / sum);
        row
    };
    rig.positions.iter().map(row).collect()
}

#[test]
fn bones_are_those_of_the_reference() {
    for name in INDEPENDENT.into_iter().chain(LIKE_HEAT) {
        let Some(character) = load(name) else { return };
        let rig = Rig::new(&character);
        let mut found = bones(&rig);
        for (joint, expected) in reference_bones(name) {
            let bone = found[joint].take().unwrap_or_else(|| panic!("{name} has no bone {joint}"));
            for (found, expected) in bone.iter().zip(expected) {
                let error = found.distance(expected) / rig.diagonal;
                assert!(error < 1e-6, "{name}, joint {joint}: {found} is not {expected}");
            }
        }
        assert!(found.iter().all(Option::is_none), "{name} has bones that the reference has not");
    }
}

#[test]
fn inverse_distance_differs_from_the_authored_weights_as_in_the_reference() {
    for name in INDEPENDENT.into_iter().chain(LIKE_HEAT) {
        let Some(character) = load(name) else { return };
        let rig = Rig::new(&character);
        let found = Distance::new(&rig, &weights(&rig));
        let known = Reference::read(name, "idw");
        assert_eq!(rig.positions.len(), known.vertices, "{name}");
        let tolerance = if WITH_TIES.contains(&name) { 2e-4 } else { 1e-5 };
        let pairs = [
            (found.tv, known.distance.tv),
            (found.sweep_mean, known.distance.sweep_mean),
            (found.sweep_per_authored, known.distance.sweep_per_authored),
        ];
        for (found, known) in pairs {
            assert!((found / known - 1.0).abs() < tolerance, "{name}: {found} is not {known}");
        }
    }
}
