//! The report of a binding.

use super::judge::{options, rows};
use super::samples::SAMPLES;
use super::shapes::{stripped, tube, two_bones, unbound};
use super::spoil::with_cubes;
use sinew::bind::{BindReport, Phase, adopt, bind, weighted_joints};
use sinew::demo;
use sinew::rig::Character;

fn report(character: &Character, influences: usize) -> BindReport {
    bind(character, &weighted_joints(character), &options(influences), &mut |_| {}).unwrap().report
}

#[test]
fn phases_come_in_order() {
    let order = [Phase::Voxels, Phase::Distances, Phase::Factorisation, Phase::Solves, Phase::Pruning];
    let mannequin = &SAMPLES[0].character;
    let mut phases = Vec::new();
    bind(mannequin, &weighted_joints(mannequin), &options(4), &mut |phase| phases.push(phase)).unwrap();
    let places: Vec<_> = phases.iter().map(|phase| order.iter().position(|other| other == phase)).collect();
    assert!(places.is_sorted(), "{phases:?}");
    assert_eq!(phases.last(), Some(&Phase::Pruning));
}

#[test]
fn joints_share_everything() {
    let mannequin = &SAMPLES[0];
    let report = report(&mannequin.character, 4);
    let total: f64 = report.joints.iter().map(|joint| joint.mean_weight).sum();
    assert!((total - 1.0).abs() < 1e-5, "{total}");
    let joints = mannequin.character.skeleton.joints();
    for (index, joint) in report.joints.iter().enumerate() {
        assert_eq!(joint.name, joints[index].name);
        let moved = mannequin.rows.iter().filter(|row| row.iter().any(|&(joint, _)| joint == index)).count();
        assert_eq!(joint.vertices, moved, "{}", joint.name);
    }
}

#[test]
fn the_largest_loss_by_pruning_is_reported() {
    let tube = unbound(vec![tube([0.0, 10.0], 31, 16, true)], two_bones());
    assert_eq!(report(&tube, 2).pruning_error, 0.0);
    let all = bind(&tube, &[0, 1], &options(2), &mut |_| {}).unwrap().character;
    let smaller = |row: &Vec<(usize, f64)>| 1.0 - row.iter().map(|&(_, weight)| weight).fold(0.0, f64::max);
    let most = rows(&all).iter().map(smaller).fold(0.0, f64::max);
    let reported = report(&tube, 1).pruning_error;
    assert!(most > 0.2 && (reported - most).abs() < 1e-5, "{reported} is not {most}");
}

#[test]
fn islands_are_counted() {
    let tube = &SAMPLES[1].character;
    assert_eq!(report(tube, 4).islands, 0);
    assert_eq!(report(&with_cubes(tube, 13).character, 4).islands, 13);
}

/// The skeleton of another file, which stands where the mesh is, is as good as its own.
#[test]
fn an_adopted_skeleton_binds_the_same() {
    let (own, other) = (demo::tube(), demo::tube());
    let adopted = adopt(&stripped(&own), &other).unwrap();
    let bound = bind(&adopted, &[0, 1], &options(4), &mut |_| {}).unwrap().character;
    assert_eq!(rows(&bound), SAMPLES[1].rows);
    assert_eq!(bound.clips.len(), other.clips.len());
}
