//! Real files against what is known of them.

use super::plain_skin;
use sinew::geometry::{Mesh, SelfIntersections, Topology};
use sinew::rig::{Character, JointKind};
use sinew_io::{Asset, load, rest_surface, save};
use sinew_testing::shared_data;
use std::collections::BTreeSet;
use std::path::Path;

fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// A row of the manifest by column name. Only the last columns may hold quoted commas.
struct Known {
    vertices: usize,
    triangles: usize,
    joints: String,
    max_influences: usize,
    clips: usize,
}

fn known(folder: &Path, file: &str) -> Known {
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.csv")).unwrap();
    let mut lines = manifest.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let name = format!("gltf/{file}");
    let row: Vec<&str> = lines.map(|l| l.split(',').collect::<Vec<_>>()).find(|r| r[0] == name).unwrap();
    let cell = |column: &str| row[header.iter().position(|h| *h == column).unwrap()];
    let number = |column: &str| cell(column).parse().unwrap();
    Known {
        vertices: number("verts"),
        triangles: number("tris"),
        joints: cell("joints").into(),
        max_influences: number("max_influences"),
        clips: number("clips"),
    }
}

#[test]
fn counts_are_those_of_the_manifest() {
    for path in shared_data::gltf_files() {
        let file = file_name(&path);
        let known = known(path.parent().unwrap().parent().unwrap(), &file);
        let character = load(&path).unwrap().character;
        let skinned = || character.parts.iter().filter(|p| p.skinned);
        let skins: BTreeSet<&[usize]> = skinned().map(|p| &p.binding.joints[..]).collect();
        let sizes: Vec<usize> = skins.iter().map(|s| s.len()).collect();
        // "19", "43/43" or "84 skins x 10", in which all skins share one mesh.
        let meshes = match known.joints.split_once(" skins x ") {
            Some((count, each)) => {
                assert_eq!(sizes, vec![each.parse::<usize>().unwrap(); count.parse().unwrap()], "{file}");
                &character.parts[..1]
            }
            None => {
                let joints: usize = known.joints.split('/').next().unwrap().parse().unwrap();
                assert!(!sizes.is_empty() && sizes.iter().all(|&s| s == joints), "{file}: {sizes:?}");
                &character.parts[..]
            }
        };
        assert_eq!(meshes.iter().map(|p| p.mesh.positions.len()).sum::<usize>(), known.vertices, "{file}");
        assert_eq!(
            meshes.iter().map(|p| Topology::new(&p.mesh.positions, &p.mesh.faces).faces().len()).sum::<usize>(),
            known.triangles,
            "{file}"
        );
        assert_eq!(character.clips.len(), known.clips, "{file}");
        let influences = skinned().map(|p| p.binding.weights.max_influences()).max().unwrap();
        assert_eq!(influences, known.max_influences, "{file}");
        let listed: BTreeSet<usize> = skins.iter().flat_map(|s| s.iter().copied()).collect();
        let marked = |j: &usize| character.skeleton.joints()[*j].kind == JointKind::Joint;
        assert!(listed.iter().all(marked), "{file}");
    }
}

#[test]
fn weights_that_do_not_sum_to_one_are_rescaled_with_a_warning() {
    let Some(folder) = shared_data::folder() else { return };
    let asset = load(&folder.join("gltf/RobotExpressive.glb")).unwrap();
    let rescaled = asset.warnings.iter().filter(|w| w.contains("rescaled")).collect::<Vec<_>>();
    assert!(rescaled.iter().any(|w| w.contains("1.755") && w.contains("Hand")), "{:?}", asset.warnings);
    for part in &asset.character.parts {
        let (low, high) = part.binding.weights.sum_range();
        assert!((low - 1.0).abs() < 2e-6 && (high - 1.0).abs() < 2e-6, "{}: {low}..{high}", part.mesh.name);
    }
    assert_eq!(asset.character.morph_count(), 3);
    assert!(asset.character.clips.iter().any(|c| c.morphs.len() == 3));
}

#[test]
fn a_character_survives_writing_and_reading() {
    let folder = tempfile::tempdir().unwrap();
    for path in shared_data::gltf_files() {
        let file = file_name(&path);
        let first = load(&path).unwrap();
        for copy in ["copy.glb", "copy.gltf"] {
            let copy = folder.path().join(copy);
            save(&copy, &first).unwrap();
            let second = load(&copy).unwrap();
            assert_same(&first, &second, &file);
        }
    }
}

fn assert_same(first: &Asset, second: &Asset, file: &str) {
    assert_eq!(first.appearance, second.appearance, "{file}");
    let (a, b) = (&first.character, &second.character);
    assert_eq!(a.skeleton.joints(), b.skeleton.joints(), "{file}");
    assert_eq!(a.base_pose, b.base_pose, "{file}");
    assert_eq!(a.clips, b.clips, "{file}");
    assert_eq!(a.parts.len(), b.parts.len(), "{file}");
    for (p, q) in a.parts.iter().zip(&b.parts) {
        assert_eq!((p.node, p.skinned), (q.node, q.skinned), "{file}");
        assert_eq!(p.mesh, q.mesh, "{file}");
        assert_eq!(p.binding.joints, q.binding.joints, "{file}");
        assert_eq!(p.binding.inverse_bind, q.binding.inverse_bind, "{file}");
        for (v, (r, s)) in p.binding.weights.rows().zip(q.binding.weights.rows()).enumerate() {
            assert_eq!(r.len(), s.len(), "{file} vertex {v}");
            for (i, j) in r.iter().zip(s) {
                assert!(i.joint == j.joint && (i.weight - j.weight).abs() <= 1e-7, "{file} vertex {v}: {i:?} {j:?}");
            }
        }
    }
}

/// At rest every joint of a skin moves its vertices by the same matrix, so the surface is the mesh
/// itself, moved as a whole.
#[test]
fn the_rest_pose_is_the_bind_pose() {
    for path in shared_data::gltf_files() {
        let file = file_name(&path);
        let character = load(&path).unwrap().character;
        let world = plain_skin::world(&character, &character.rest_pose());
        for part in character.parts.iter().filter(|p| p.skinned) {
            let common = world[part.binding.joints[0]] * part.binding.inverse_bind[0];
            let whole: Vec<_> = part.mesh.positions.iter().map(|p| common.transform_point3(p.as_dvec3())).collect();
            let low = whole.iter().copied().reduce(|a, b| a.min(b)).unwrap();
            let high = whole.iter().copied().reduce(|a, b| a.max(b)).unwrap();
            let size = (high - low).length();
            let skinned = plain_skin::skin_part(part, &world);
            let error = whole.iter().zip(&skinned).map(|(a, (b, _))| (*a - *b).length()).fold(0.0, f64::max);
            assert!(error <= 1e-5 * size, "{file} \"{}\": {:e} of its size", part.mesh.name, error / size);
        }
    }
}

/// The rest surface that shapes are written from is linear skinning, to the last digits of an `f32`.
#[test]
fn the_rest_surface_is_skinned_linearly() {
    for path in shared_data::gltf_files() {
        let character = load(&path).unwrap().character;
        let world = plain_skin::world(&character, &character.rest_pose());
        let surface = rest_surface(&character).unwrap();
        let parts = character.parts.iter().zip(character.vertex_ranges());
        for (part, range) in parts.filter(|(part, _)| part.mesh.morphs.is_empty()) {
            let exact = plain_skin::skin_part(part, &world);
            let size = exact.iter().map(|(position, _)| position.length()).fold(0.0, f64::max);
            for (found, (exact, _)) in surface.positions[range].iter().zip(&exact) {
                let error = found.as_dvec3().distance(*exact);
                assert!(error <= 1e-6 * size, "{}: {error} for a size of {size}", file_name(&path));
            }
        }
    }
}

#[test]
fn a_bake_shows_the_frames_it_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bake.glb");
    for file in shared_data::gltf_files() {
        let asset = load(&file).unwrap();
        let file = file_name(&file);
        for frames in [1, 4] {
            let surfaces = plain_skin::bake(&asset, &path, frames);
            let baked = load(&path).unwrap();
            assert!(baked.warnings.is_empty(), "{file}: {:?}", baked.warnings);
            assert_eq!(baked.appearance, asset.appearance, "{file}");
            assert_eq!(baked.character.parts.len(), asset.character.parts.len(), "{file}");
            assert_eq!(baked.character.clips.len(), usize::from(frames > 1), "{file}");
            let start = asset.character.clips.first().map_or(0.0, |c| c.range().0);
            for (k, surface) in surfaces.iter().enumerate() {
                let shown = shown(&baked.character, start + k as f64 / 10.0);
                let size = surface.positions.iter().map(|p| p.length()).fold(0.0, f32::max);
                let error = shown.iter().zip(&surface.positions).map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max);
                assert_eq!(shown.len(), surface.positions.len(), "{file}");
                assert!(error <= 1e-6 * size, "{file} frame {k}: {error}");
            }
        }
    }
}

/// The positions of a character made of morph targets alone, at a time.
fn shown(character: &Character, seconds: f64) -> Vec<glam::Vec3> {
    let mut pose = character.base_pose.clone();
    if let Some(clip) = character.clips.first() {
        clip.sample(seconds, &character.base_pose, &mut pose);
    }
    let mut positions = Vec::new();
    for (part, morphs) in character.parts.iter().zip(character.morph_ranges()) {
        for (v, p) in part.mesh.positions.iter().enumerate() {
            let moved = part.mesh.morphs.iter().zip(&pose.morphs[morphs.clone()]).map(|(m, &w)| m.positions[v] * w);
            positions.push(*p + moved.sum::<glam::Vec3>());
        }
    }
    positions
}

/// What the implicit skin and cages refuse as a soup of triangles is far from any character.
#[test]
fn characters_are_surfaces() {
    for path in shared_data::gltf_files() {
        for part in load(&path).unwrap().character.parts {
            let Mesh { positions, faces, .. } = &part.mesh;
            let mut intersections = SelfIntersections::new(&Topology::new(positions, faces), positions);
            let count = intersections.count(positions) as f64 / intersections.triangles().len() as f64;
            println!("{} of {}: {count:.2} intersections for each triangle", part.mesh.name, file_name(&path));
            assert!(count < 2.0, "{} of {}", part.mesh.name, file_name(&path));
        }
    }
}
