//! The engine's skinning of real files: against skinning written down plainly, against the shapes that
//! other programs made of the same frames, and against the volumes that are known to get lost.

use glam::{DVec3, Vec3};
use sinew::Time;
use sinew::deform::skinning::SkinMethod;
use sinew::geometry::{Topology, volume::closed_volume};
use sinew::recipe::{Recipe, SkinOptions};
use sinew::rig::{Character, Clip, Pose};
use sinew::{Stack, Surface};
use sinew_io::load;
use sinew_testing::{reference_frames, reference_skin, shared_data};

fn stack(character: &Character, method: SkinMethod) -> Stack {
    Stack::new(character, &Recipe { skin: SkinOptions { method }, ..Recipe::default() }).unwrap()
}

/// The pose at 16 times of a clip, from its start to its end.
fn poses<'a>(character: &'a Character, clip: &'a Clip) -> impl Iterator<Item = (f64, Pose)> + 'a {
    let (start, end) = clip.range();
    (0..16).map(move |k| {
        let seconds = start + (end - start) * f64::from(k) / 15.0;
        let mut pose = Pose::default();
        clip.sample(seconds, &character.base_pose, &mut pose);
        (seconds, pose)
    })
}

fn size(points: &[DVec3]) -> f64 {
    let low = points.iter().copied().reduce(DVec3::min).unwrap();
    points.iter().copied().reduce(DVec3::max).unwrap().distance(low)
}

fn characters() -> impl Iterator<Item = (shared_data::ManifestRow, Character)> {
    let rows = ["glb", "gltf"].into_iter().flat_map(|extension| shared_data::manifest("gltf", extension));
    rows.map(|row| {
        let path = shared_data::folder().unwrap().join(row.text("file"));
        let character = load(&path).unwrap().character;
        (row, character)
    })
}

#[test]
fn linear_skinning_of_every_clip_is_the_plain_sum() {
    for (row, character) in characters() {
        let mut stack = stack(&character, SkinMethod::Linear);
        let mut surface = Surface::default();
        let mut largest = 0.0f64;
        let mut check = |seconds: f64, pose: &Pose, what: &str| {
            stack.deform(pose, Time::alone(seconds), &mut surface);
            let plain = reference_skin::positions(&character, pose, SkinMethod::Linear);
            assert_eq!(surface.positions.len(), plain.len());
            let distance = |(found, plain): (&Vec3, &DVec3)| found.as_dvec3().distance(*plain);
            let error = surface.positions.iter().zip(&plain).map(distance).fold(0.0, f64::max) / size(&plain);
            assert!(error <= 1e-5, "{}, {what} at {seconds}: {error} of the size", row.text("file"));
            largest = largest.max(error);
        };
        check(0.0, &character.rest_pose(), "the bind pose");
        check(0.0, &character.base_pose, "the base pose");
        for clip in &character.clips {
            poses(&character, clip).for_each(|(seconds, pose)| check(seconds, &pose, &clip.name));
        }
        println!("{}: {largest:.1e} of the size", row.text("file"));
    }
}

#[test]
fn frames_are_where_other_programs_put_them() {
    for case in &reference_frames::CASES {
        let Some((asset, pose)) = case.load() else { return };
        let mut surface = Surface::default();
        stack(&asset.character, case.method).deform(&pose, Time::default(), &mut surface);
        let positions: Vec<DVec3> = surface.positions.iter().map(|p| p.as_dvec3()).collect();
        case.check(&asset.character, &positions);
    }
}

#[test]
fn linear_skinning_loses_the_volume_in_the_manifest() {
    let mut files = 0;
    for (row, character) in characters() {
        let Some((low, high)) = row.text("lbs_volume_ratio").split_once("..") else { continue };
        files += 1;
        let topologies: Vec<Topology> =
            character.parts.iter().map(|p| Topology::new(&p.mesh.positions, &p.mesh.faces)).collect();
        let volume = |surface: &Surface| -> f64 {
            let parts = topologies.iter().zip(character.vertex_ranges());
            parts.map(|(topology, range)| closed_volume(topology, &surface.positions[range]).unwrap()).sum()
        };
        let mut stack = stack(&character, SkinMethod::Linear);
        let mut surface = Surface::default();
        // The manifest compares with the pose of the file's nodes, which counts among the times.
        stack.deform(&character.base_pose, Time::default(), &mut surface);
        let rest = volume(&surface);
        let mut range = (1.0f64, 1.0f64);
        for clip in &character.clips {
            for (seconds, pose) in poses(&character, clip) {
                stack.deform(&pose, Time::alone(seconds), &mut surface);
                let ratio = volume(&surface) / rest;
                range = (range.0.min(ratio), range.1.max(ratio));
            }
        }
        let name = row.text("file");
        println!("{name}: {:.3}..{:.3}, known {low}..{high}", range.0, range.1);
        assert!((range.0 - low.parse::<f64>().unwrap()).abs() < 2e-3, "{name}: {range:?} against {low}..{high}");
        assert!((range.1 - high.parse::<f64>().unwrap()).abs() < 2e-3, "{name}: {range:?} against {low}..{high}");
    }
    assert!(files == 7 || shared_data::folder().is_none(), "{files} files have a known loss");
}
