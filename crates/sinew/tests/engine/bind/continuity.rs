//! Moving a vertex by ε of the size moves all weights by at most a constant times ε, for every ε down to the precision
//! of f32: weights may be steep somewhere, but they do not jump.
//!
//! Pruning to a few influences must jump somewhere, so nothing is pruned here.

use super::judge::{Differences, Row, bound, difference, largest, options, rows};
use super::limbs::{hand, trunk_with_arm};
use super::samples::SAMPLES;
use super::shapes::{doll, tube, two_bones, unbound};
use super::spoil::{Dice, diagonal};
use super::tongue::head;
use glam::DVec3;
use sinew::bind::{BindMethod, BindOptions};
use sinew::rig::{Character, Skeleton};
use std::ops::Range;

/// The most that the weights of any vertex may change, for a movement by the whole size: twice what was measured (11 on
/// the tube and the head, 151 at the head's tongue, 1,074 on the doll, 1,870 on the mannequin). Steepest are fingers: a bone
/// 0.005 of the size away comes in within a hundredth of that distance.
fn steepest(name: &str) -> f64 {
    match name {
        "tube" | "head" => 25.0,
        "tongue" => 300.0,
        "doll" => 2_000.0,
        "mannequin" => 4_000.0,
        _ => panic!("the slope of the {name} was never measured"),
    }
}

/// What the storage of positions and weights as f32 may add.
const ROUNDING: f64 = 2e-6;

/// Movements in parts of the size.
const STEPS: [f64; 4] = [1e-3, 1e-4, 1e-5, 1e-6];

/// The largest step that is a slope: at the steepest, the effect of the last bit of a position.
const STEP: f64 = 1e-4;

/// How often a movement by the first of these is halved.
const HALVED: usize = 13;

/// Changes of weights by the movements that caused them.
#[derive(Default)]
struct Changes(Vec<(f64, f64)>);

impl Changes {
    /// Binds a character that was moved by ε.
    fn add(&mut self, before: &[Row], moved: &Character, epsilon: f64) {
        self.0.push((epsilon, largest_change(before, &all_weights(moved))));
    }

    /// Prints the slopes of the weights, and where they are steeper than those of a known shape.
    fn too_steep(&self, what: &str, shape: &str) -> Option<String> {
        let slope = |&(epsilon, change): &(f64, f64)| (change - ROUNDING).max(0.0) / epsilon;
        for step in STEPS {
            let of_step = self.0.iter().filter(|(epsilon, _)| (0.5 * step..2.0 * step).contains(epsilon));
            let slope = of_step.map(slope).fold(0.0, f64::max);
            println!("{what}, moved by {step:.0e}: weights change by {slope:.1} times as much at most");
        }
        let (epsilon, change) = self.0.iter().max_by(|a, b| slope(a).total_cmp(&slope(b)))?;
        let is_too_steep = slope(&(*epsilon, *change)) > steepest(shape);
        is_too_steep.then(|| format!("{what}, moved by {epsilon:.1e}: weights change by {change:.1e}"))
    }
}

fn largest_change(before: &[Row], after: &[Row]) -> f64 {
    Differences::new(before.iter().zip(after).map(|(a, b)| difference(a, b))).largest
}

fn all_weights(character: &Character) -> Vec<Row> {
    rows(&bound(character, &options(character.skeleton.len())))
}

/// The vertices of all parts, each moved by ε of the size in a direction of its own.
fn shaken(character: &Character, epsilon: f64, mut dice: Dice) -> Character {
    let mut moved = character.clone();
    for position in moved.parts.iter_mut().flat_map(|part| &mut part.mesh.positions) {
        *position = (position.as_dvec3() + epsilon * diagonal(character) * dice.direction()).as_vec3();
    }
    moved
}

/// Moves the vertices of a character at random, then halves the movement repeatedly, towards the larger change of
/// weights, down to the precision of f32. So any jump on the way is found: it remains while continuous changes shrink.
/// The steepest continuous change, a path that begins to leave the body, extends over some millionths.
fn check_halves(what: &str, character: &Character, seeds: Range<u64>) {
    for seed in seeds {
        let at = |epsilon: f64| (epsilon, all_weights(&shaken(character, epsilon, Dice(seed))));
        let (mut from, mut to) = (at(0.0), at(STEPS[0]));
        let mut changes = vec![largest_change(&from.1, &to.1)];
        while changes.len() <= HALVED {
            let middle = at(0.5 * (from.0 + to.0));
            let [first, second] = [(&from, &middle), (&middle, &to)].map(|(a, b)| largest_change(&a.1, &b.1));
            if first > second {
                to = middle;
            } else {
                from = middle;
            }
            changes.push(first.max(second));
        }
        println!("{what}, changes as a movement is halved: {changes:.5?}");
        let (before, last) = (changes[HALVED - 4], changes[HALVED]);
        assert!(last <= 0.5 * before + STEP, "{what}, seed {seed}, moved by {:.1e}: {last:.1e}", to.0 - from.0);
    }
}

/// Moves vertices of the first part, one at a time.
fn check_vertices(shape: &str, character: &Character, vertices: &[usize]) {
    let size = diagonal(character);
    let before = all_weights(character);
    let mut dice = Dice(7);
    let mut changes = Changes::default();
    for &vertex in vertices {
        for step in STEPS {
            let mut moved = character.clone();
            let position = &mut moved.parts[0].mesh.positions[vertex];
            let start = position.as_dvec3();
            *position = (start + step * size * dice.direction()).as_vec3();
            let epsilon = position.as_dvec3().distance(start) / size;
            changes.add(&before, &moved, epsilon);
        }
    }
    assert_eq!(changes.too_steep(&format!("a vertex of the {shape}"), shape), None);
}

fn some_vertices(character: &Character, count: usize) -> Vec<usize> {
    let mut dice = Dice(11);
    (0..count).map(|_| dice.below(character.parts[0].mesh.positions.len())).collect()
}

#[test]
fn weights_of_a_head_are_continuous() {
    let (head, tip) = head(0.1);
    let on_tongue = |&vertex: &usize| {
        let p = head.parts[0].mesh.positions[vertex];
        p.x.abs() < 0.15 && (0.6..0.8).contains(&p.y) && (0.6..1.5).contains(&p.z)
    };
    let tongue: Vec<usize> = (0..head.vertex_count()).filter(on_tongue).collect();
    assert!(tongue.len() >= 4);
    check_vertices("tongue", &head, &[tip, tongue[0], tongue[tongue.len() / 2]]);
    check_vertices("head", &head, &some_vertices(&head, 6));
}

#[test]
fn weights_of_a_tube_are_continuous() {
    let tube = unbound(vec![tube([0.0, 10.0], 31, 16, true)], two_bones());
    check_vertices("tube", &tube, &some_vertices(&tube, 8));
}

/// All vertices at once, each in a direction of its own.
#[test]
fn weights_are_continuous_in_the_whole_surface() {
    let (head, _) = head(0.1);
    let mut failed = Vec::new();
    let samples = SAMPLES.iter().map(|sample| (sample.name, &sample.character));
    for (name, character) in samples.chain([("head", &head)]) {
        let before = all_weights(character);
        let mut changes = Changes::default();
        for (seed, step) in (8..).zip(&STEPS[1..]) {
            changes.add(&before, &shaken(character, *step, Dice(seed)), *step);
        }
        failed.extend(changes.too_steep(&format!("all vertices of the {name}"), name));
    }
    assert!(failed.is_empty(), "{failed:?}");
}

/// Where limbs lie against the body, ways to bones are found on a grid, whose points and ways come and go.
#[test]
fn weights_do_not_jump_where_limbs_lie_against_the_body() {
    check_halves("the doll", &doll(), 20..23);
    check_halves("an arm against the body", &trunk_with_arm(), 20..22);
    check_halves("two fingers", &hand(), 20..21);
}

/// Fingers in earnest, beside each other and small: on the last of these paths a way comes to lie above a face that it
/// ran under.
#[test]
fn weights_do_not_jump_at_the_fingers_of_a_hand() {
    check_halves("the mannequin", &SAMPLES[0].character, 20..22);
}

/// The skeleton is input too.
#[test]
fn weights_are_continuous_in_the_joints() {
    let mannequin = &SAMPLES[0].character;
    let before = all_weights(mannequin);
    let mut changes = Changes::default();
    for (name, step) in [("LeftForeArm", 1e-4), ("Spine1", 1e-5), ("LeftHandIndex2", 1e-4), ("RightLeg", 1e-6)] {
        let mut moved = mannequin.clone();
        let mut joints = moved.skeleton.joints().to_vec();
        let joint = moved.skeleton.find(name).unwrap_or_else(|| panic!("the figure has no {name}"));
        joints[joint].rest.translation += step * diagonal(mannequin) * DVec3::new(0.6, 0.0, 0.8);
        moved.skeleton = Skeleton::new(joints).unwrap().0;
        changes.add(&before, &moved, step);
    }
    assert_eq!(changes.too_steep("a joint of the mannequin", "mannequin"), None);
}

/// What the test above would see of a method that picks the nearest bone: all of the weight jumps.
#[test]
fn the_nearest_bone_is_not_continuous() {
    let tube = unbound(vec![tube([0.0, 10.0], 31, 16, true)], two_bones());
    let mut moved = tube.clone();
    let vertex =
        tube.parts[0].mesh.positions.iter().position(|p| (p.z - 5.0).abs() < 1e-6).expect("a ring at the bend");
    let nearest = |z: f32, character: &mut Character| {
        character.parts[0].mesh.positions[vertex].z = z;
        let options = BindOptions { method: BindMethod::Distance { alpha: 2.0 }, influences: 1 };
        largest(&rows(&bound(character, &options))[vertex])
    };
    assert_ne!(nearest(4.999, &mut moved), nearest(5.001, &mut moved));
}
