//! What a binding may not depend on.

use super::judge::{Differences, bound, difference, options, rows};
use super::samples::{SAMPLES, Sample};
use super::shapes::{positions, stripped, tube, two_bones, unbound};
use super::spoil::{Spoiled, shuffled, with_seams};
use glam::{DVec3, Vec3};
use proptest::prelude::*;
use sinew::demo;
use sinew::rig::{Joint, Transform};
use std::collections::HashMap;

#[test]
fn weights_are_the_same_bits_on_any_number_of_threads() {
    for Sample { name, character, .. } in SAMPLES.iter() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| bound(character, &options(4)))
        };
        let one = on(1);
        for threads in [2, 5] {
            assert!(on(threads).parts == one.parts, "{name} differs on {threads} threads");
        }
    }
}

#[test]
fn copies_at_seams_have_the_same_bits() {
    for Sample { name, character, rows: before } in SAMPLES.iter() {
        let Spoiled { character: seamed, origins } = with_seams(character);
        let seamed = bound(&seamed, &options(4));
        for part in &seamed.parts {
            let mut known: HashMap<[u32; 3], usize> = HashMap::new();
            for (vertex, position) in part.mesh.positions.iter().enumerate() {
                let same = *known.entry(position.to_array().map(f32::to_bits)).or_insert(vertex);
                let weights = &part.binding.weights;
                assert_eq!(weights.row(vertex), weights.row(same), "{name}, {}: vertex {vertex}", part.mesh.name);
            }
        }
        let after = rows(&seamed);
        let pairs = after.iter().zip(&origins);
        let Differences { largest, at, .. } =
            Differences::new(pairs.map(|(row, origin)| difference(row, &before[origin.unwrap()])));
        assert!(largest <= 1e-5, "{name}: seams change weights by {largest} at {}", positions(&seamed)[at]);
    }
}

#[test]
fn the_order_of_vertices_and_faces_does_not_matter() {
    for Sample { name, character, .. } in SAMPLES.iter() {
        let before = rows(&bound(character, &options(character.skeleton.len())));
        let Spoiled { character: shuffled, origins } = shuffled(character);
        let after = rows(&bound(&shuffled, &options(character.skeleton.len())));
        let pairs = after.iter().zip(&origins);
        let Differences { largest, at, .. } =
            Differences::new(pairs.map(|(row, origin)| difference(row, &before[origin.unwrap()])));
        println!("{name}: another order changes weights by {largest:.1e}");
        assert!(largest <= 1e-5, "{name}: another order changes weights by {largest} at {}", positions(&shuffled)[at]);
    }
}

/// For each vertex the one at its mirror image, which is there to the last bit.
fn mirror_images(positions: &[Vec3], mirror: Vec3) -> Vec<usize> {
    let key = |p: Vec3| (p + Vec3::ZERO).to_array().map(f32::to_bits);
    let places: HashMap<[u32; 3], usize> = positions.iter().map(|&p| key(p)).zip(0..).collect();
    positions.iter().map(|&p| places[&key(p * mirror)]).collect()
}

#[test]
fn a_symmetric_tube_has_symmetric_weights() {
    let mut mesh = tube([0.0, 10.0], 41, 24, true);
    // Sine and cosine are not symmetric to the last bit.
    let ring: Vec<Vec3> = mesh.positions[..24].to_vec();
    for (vertex, p) in mesh.positions.iter_mut().enumerate().take(41 * 24) {
        let k = vertex % 24;
        let (upper, sign) = if k <= 12 { (k, 1.0) } else { (24 - k, -1.0) };
        let y = if upper == 12 { 0.0 } else { ring[upper].y };
        *p = Vec3::new(ring[upper].x, sign * y, p.z);
    }
    let images = mirror_images(&mesh.positions, Vec3::new(1.0, -1.0, 1.0));
    let rows = rows(&bound(&unbound(vec![mesh], two_bones()), &options(4)));
    let Differences { largest, .. } =
        Differences::new(images.iter().zip(&rows).map(|(&image, row)| difference(row, &rows[image])));
    println!("tube: {largest:.1e} from its mirror image");
    assert!(largest <= 1e-3, "{largest} from its mirror image");
}

#[test]
fn a_symmetric_figure_has_symmetric_weights() {
    let figure = stripped(&demo::character());
    let joints = figure.skeleton.joints();
    let other_side = |joint: usize| {
        let sides = [("Left", "Right"), ("LHip", "RHip"), ("LThumb", "RThumb")];
        let name = &joints[joint].name;
        let swapped = sides
            .iter()
            .flat_map(|&(l, r)| [(l, r), (r, l)])
            .find_map(|(from, to)| name.strip_prefix(from).map(|rest| format!("{to}{rest}")));
        swapped.map_or(joint, |name| figure.skeleton.find(&name).expect("joints of both sides"))
    };
    let images = mirror_images(&figure.parts[0].mesh.positions, Vec3::new(-1.0, 1.0, 1.0));
    let rows = rows(&bound(&figure, &options(joints.len())));
    let differences = images.iter().zip(&rows).map(|(&image, row)| {
        difference(&row.iter().map(|&(joint, weight)| (other_side(joint), weight)).collect(), &rows[image])
    });
    let Differences { mean, largest, .. } = Differences::new(differences);
    println!("figure: {mean:.1e} from its mirror image in the mean, {largest:.1e} at most");
    assert!(mean <= 2e-3 && largest <= 0.1, "{mean} in the mean, {largest} at most");
}

/// A skeleton of a few joints anywhere around the tube.
fn skeletons() -> impl Strategy<Value = Vec<Joint>> {
    let joint = (prop::array::uniform3(-1.0..1.0f64), any::<prop::sample::Index>(), any::<bool>(), any::<bool>());
    prop::collection::vec(joint, 1..7).prop_map(|entries| {
        let mut joints: Vec<Joint> = Vec::new();
        let mut places: Vec<DVec3> = Vec::new();
        for (place, parent, is_root, has_tip) in entries {
            let place = DVec3::new(1.3 * place[0], 1.3 * place[1], 5.0 + 6.0 * place[2]);
            let parent = (!is_root && !joints.is_empty()).then(|| parent.index(joints.len()));
            let rest = Transform::from_translation(place - parent.map_or(DVec3::ZERO, |parent| places[parent]));
            let tip = has_tip.then_some(DVec3::new(0.3, -0.2, 1.0));
            joints.push(Joint { name: format!("joint {}", joints.len()), parent, rest, tip, ..Joint::default() });
            places.push(place);
        }
        joints
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_skeleton_binds_a_tube(joints in skeletons(), influences in 1usize..9) {
        bound(&unbound(vec![tube([0.0, 10.0], 21, 12, true)], joints), &options(influences));
    }
}
