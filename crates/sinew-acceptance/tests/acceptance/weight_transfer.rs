//! Weights of real characters on other meshes: themselves, finer, coarser, and of another topology.

use glam::DVec3;
use sinew::Time;
use sinew::bind::weight_transfer::{TransferOptions, TransferReport, bind_from};
use sinew::deform::skinning::SkinMethod;
use sinew::recipe::{Recipe, SkinOptions};
use sinew::rig::{Character, Clip, Influence, Part, refined};
use sinew::{Stack, Surface};
use sinew_io::{Asset, load, save};
use sinew_testing::{gltf_validator, shared_data};
use std::path::Path;

fn bound(target: &Character, source: &Character) -> (Character, TransferReport) {
    let (bound, report) = bind_from(target, source, &TransferOptions::default(), 16).unwrap();
    assert_eq!(report.matched + report.inpainted + report.nearest_only, target.vertex_count());
    for row in bound.parts.iter().flat_map(|part| part.binding.weights.rows()) {
        let sum: f64 = row.iter().map(|i| f64::from(i.weight)).sum();
        assert!((sum - 1.0).abs() < 1e-6 && row.iter().all(|i| i.weight > 0.0));
    }
    (bound, report)
}

/// Half the sum of differences of the weights in each vertex of two characters with the same vertices:
/// the mean, and the largest.
fn differences(a: &Character, b: &Character) -> (f64, f64) {
    let share = |part: &Part, row: &[Influence], joint: usize| {
        let of_joint = row.iter().filter(|i| part.binding.joints[i.joint as usize] == joint);
        of_joint.map(|i| f64::from(i.weight)).sum::<f64>()
    };
    let mut all = Vec::with_capacity(a.vertex_count());
    for (a, b) in a.parts.iter().zip(&b.parts) {
        for (in_a, in_b) in a.binding.weights.rows().zip(b.binding.weights.rows()) {
            let more = in_a.iter().map(|i| {
                let joint = a.binding.joints[i.joint as usize];
                (share(a, in_a, joint) - share(b, in_b, joint)).max(0.0)
            });
            all.push(more.sum::<f64>());
        }
    }
    (all.iter().sum::<f64>() / all.len() as f64, all.iter().copied().fold(0.0, f64::max))
}

/// The surface in the middle of a clip.
fn posed(character: &Character, clip: &Clip) -> Vec<DVec3> {
    let recipe = Recipe { skin: SkinOptions { method: SkinMethod::Linear }, ..Recipe::default() };
    let (start, end) = clip.range();
    let (mut pose, mut surface) = (character.base_pose.clone(), Surface::default());
    clip.sample(0.5 * (start + end), &character.base_pose, &mut pose);
    pose.morphs.fill(0.0);
    Stack::new(character, &recipe).unwrap().deform(&pose, Time::default(), &mut surface);
    surface.positions.iter().map(|p| p.as_dvec3()).collect()
}

/// The largest distance between two surfaces of the same vertices, as a share of the size of the first.
fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let (low, high) = a.iter().fold((a[0], a[0]), |(low, high), p| (low.min(*p), high.max(*p)));
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max) / low.distance(high)
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// Bound to its own skeleton with its own weights, each character moves as before: parts that hung on
/// nodes are skinned now, and the base pose of several is not the bind pose. Files of it are valid and
/// hold the same.
#[test]
fn every_character_stays_itself() {
    let folder = tempfile::tempdir().unwrap();
    let mut written = Vec::new();
    for path in shared_data::gltf_files() {
        let asset = load(&path).unwrap();
        let before = &asset.character;
        let (after, report) = bound(before, before);
        assert_eq!(report.matched, before.vertex_count(), "{}", name(&path));
        let (mean, largest) = differences(&after, before);
        assert!(largest < 1e-6, "{}: mean {mean:.1e}, largest {largest:.1e}", name(&path));
        let file = folder.path().join(format!("{}.glb", name(&path)));
        save(&file, &Asset { character: after.clone(), ..asset.clone() }).unwrap();
        let back = load(&file).unwrap().character;
        for clip in before.clips.iter().filter(|clip| !clip.joints.is_empty()) {
            let expected = posed(before, clip);
            let [in_memory, in_file] = [&after, &back].map(|after| {
                let clip = after.find_clip(&clip.name).unwrap();
                distance(&expected, &posed(after, clip))
            });
            let what = format!("{}, clip {}: {in_memory:.1e}, in its file {in_file:.1e}", name(&path), clip.name);
            assert!(in_memory < 1e-5 && in_file < 1e-4, "{what}");
        }
        written.push(file);
    }
    if !written.is_empty() {
        gltf_validator::assert_valid(&written);
    }
}

/// The largest mean difference of weights on each character's subdivided self, and back from there. Most
/// of it is not lost on the way: subdivision smooths weights as it does places, and where a limb has four
/// sides it takes a third of its thickness.
const LEVELS_OF_DETAIL: [(&str, f64, f64); 9] = [
    ("CesiumMan", 0.006, 0.011),
    ("Fox", 0.06, 0.14),
    ("RiggedFigure", 0.045, 0.11),
    ("RiggedSimple", 0.01, 0.02),
    ("RobotExpressive", 0.007, 0.014),
    ("kaykit_Knight", 0.004, 0.007),
    ("makehuman_male_cmu31", 0.004, 0.008),
    ("quaternius_Trex", 0.03, 0.06),
    ("spot_rigged", 0.007, 0.013),
];

#[test]
fn levels_of_detail_are_close() {
    for path in shared_data::gltf_files() {
        let Some(limits) = LEVELS_OF_DETAIL.iter().find(|limits| limits.0 == name(&path)) else { continue };
        let coarse = load(&path).unwrap().character;
        let fine = refined(&coarse, |_, _| true, 1).unwrap();
        for (what, target, source, limit) in
            [("finer", &fine, &coarse, limits.1), ("coarser", &coarse, &fine, limits.2)]
        {
            let (bound, report) = bound(target, source);
            let (mean, largest) = differences(&bound, target);
            println!("{}, {what}: mean {mean:.4}, largest {largest:.2}, {} inpainted", limits.0, report.inpainted);
            assert!(mean < limit && report.nearest_only == 0, "{}, {what}: {mean}", limits.0);
        }
    }
}

/// The same body in quads, without a rig, in a file without nodes: it moves with the clips of the other,
/// and gives back what it got.
#[test]
fn a_body_of_quads_moves_as_the_one_of_triangles() {
    let Some(folder) = shared_data::folder() else { return };
    let rigged = load(&folder.join("gltf/makehuman_male_cmu31.glb")).unwrap().character;
    let quads = load(&folder.join("mesh/makehuman_male_body_quads.obj")).unwrap().character;
    let (alive, report) = bound(&quads, &rigged);
    assert_eq!((report.matched, report.namesakes), (quads.vertex_count(), 0));
    assert!(report.pruning_error < 1e-6);
    let (back, _) = bound(&rigged, &alive);
    let (mean, largest) = differences(&back, &rigged);
    assert!(largest < 1e-5, "mean {mean:.1e}, largest {largest:.1e}");
    for clip in &rigged.clips {
        let distance = distance(&posed(&rigged, clip), &posed(&alive, clip));
        assert!(distance < 1e-5, "clip {}: {distance:.1e}", clip.name);
    }
}
