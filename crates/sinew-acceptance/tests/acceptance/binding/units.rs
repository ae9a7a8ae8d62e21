//! A binding must not depend on units, nor on which way the faces look: bone heat fails at both without a word.

use super::metric::total_variation;
use super::rig::{Rig, load};
use glam::DAffine3;
use sinew::bind::{BindOptions, bind, weighted_joints};
use sinew::geometry::Face;
use sinew::rig::{Character, Joint, Skeleton};

/// A rig of one surface, one of several parts, one that is low in polygons.
const RIGS: [&str; 3] = ["makehuman_male_cmu31", "kaykit_Knight", "Fox"];

const TOLERANCE: f64 = 1e-4;

fn weights(rig: &Rig, character: &Character) -> Vec<Vec<f64>> {
    let bound = bind(character, &weighted_joints(character), &BindOptions::default(), &mut |_| {}).unwrap();
    rig.weights(&bound.character)
}

fn check_same(change: impl Fn(&Character) -> Character, what: &str) {
    for name in RIGS {
        let Some(character) = load(name) else { return };
        let rig = Rig::new(&character);
        let (before, after) = (weights(&rig, &character), weights(&rig, &change(&character)));
        let differences = before.iter().zip(&after).map(|(a, b)| total_variation(a, b));
        let largest = differences.fold(0.0, f64::max);
        let count = before.iter().zip(&after).filter(|(a, b)| total_variation(a, b) > TOLERANCE).count();
        println!("{name}, {what}: {largest:.1e}");
        assert!(largest <= TOLERANCE, "{name}, {what}: {count} vertices differ, one by {largest}");
    }
}

fn reversed(character: &Character) -> Character {
    let mut reversed = character.clone();
    for face in reversed.parts.iter_mut().flat_map(|part| &mut part.mesh.faces) {
        *face = match *face.corners() {
            [a, b, c, d] => Face::quad(a, d, c, b),
            [a, b, c] => Face::triangle(a, c, b),
            _ => unreachable!("faces have three or four corners"),
        };
    }
    reversed
}

fn scaled(character: &Character, scale: f64) -> Character {
    let mut scaled = character.clone();
    let joints = character.skeleton.joints().iter().map(|joint| {
        let mut joint: Joint = joint.clone();
        joint.rest.translation *= scale;
        joint.tip = joint.tip.map(|tip| tip * scale);
        joint
    });
    scaled.skeleton = Skeleton::new(joints.collect()).unwrap().0;
    scaled.base_pose.joints.iter_mut().for_each(|joint| joint.translation *= scale);
    for part in &mut scaled.parts {
        part.mesh.positions.iter_mut().for_each(|p| *p = (p.as_dvec3() * scale).as_vec3());
        let bind = |m: &DAffine3| DAffine3 { translation: m.translation * scale, ..*m };
        part.binding.inverse_bind = part.binding.inverse_bind.iter().map(bind).collect();
    }
    scaled
}

#[test]
fn reversed_faces_have_the_same_weights() {
    check_same(reversed, "reversed");
}

#[test]
fn a_rig_in_other_units_has_the_same_weights() {
    for scale in [1e-3, 1e3] {
        check_same(|character| scaled(character, scale), &format!("{scale} times as large"));
    }
}
