//! Compressed files against the files that they were made from. The libraries that the forms come from
//! compress them.

use super::sample::{self, POSITION, bar};
use glam::Vec3;
use serde_json::json;
use sinew::geometry::Mesh;
use sinew::rig::{Character, Part, Pose};
use sinew_io::{Asset, load, save};
use sinew_testing::gltf_compression::compress;
use sinew_testing::shared_data;
use std::path::PathBuf;

/// Every shared character and its compressed copy, with its name; nothing where it cannot be compressed.
fn pairs(method: &str) -> Vec<(String, Asset, Asset)> {
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    let mut files: Vec<(PathBuf, PathBuf)> = Vec::new();
    for path in shared_data::gltf_files() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let place = |kind: &str| folder.path().join(format!("{name}-{kind}.glb"));
        save(&place("plain"), &load(&path).unwrap()).unwrap();
        files.push((place("plain"), place("compressed")));
        names.push(name);
    }
    if files.is_empty() || !compress(method, &files) {
        return Vec::new();
    }
    let read = |(name, (plain, compressed)): (String, &(PathBuf, PathBuf))| {
        (name, load(plain).unwrap(), load(compressed).unwrap())
    };
    names.into_iter().zip(&files).map(read).collect()
}

fn parts<'a>(a: &'a Character, b: &'a Character) -> impl Iterator<Item = (&'a Part, &'a Part)> {
    assert_eq!(a.parts.len(), b.parts.len());
    a.parts.iter().zip(&b.parts)
}

fn size(mesh: &Mesh) -> f32 {
    let (low, high) = mesh.positions.iter().fold((Vec3::MAX, Vec3::MIN), |(l, h), &p| (l.min(p), h.max(p)));
    (high - low).max_element()
}

/// Triangles from their smallest corner on: compression may turn them.
fn triangles(mesh: &Mesh) -> Vec<[u32; 3]> {
    let turned = |[a, b, c]: [u32; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap();
    mesh.faces.iter().flat_map(|face| face.triangles()).map(turned).collect()
}

/// Checks that vertices are in the same places, in units of the mesh's size, and in the same faces.
fn assert_near(name: &str, a: &Mesh, b: &Mesh, tolerance: f32) {
    assert!(triangles(a) == triangles(b), "{name}");
    assert_eq!(a.positions.len(), b.positions.len(), "{name}");
    let farthest = a.positions.iter().zip(&b.positions).map(|(p, q)| p.distance(*q)).fold(0.0, f32::max);
    assert!(farthest <= tolerance * size(a), "{name}: {farthest} of {}", size(a));
    let farthest = a.normals.iter().zip(&b.normals).map(|(p, q)| p.distance(*q)).fold(0.0, f32::max);
    assert!(farthest <= 0.03, "{name}: normals differ by {farthest}");
}

#[test]
fn views_of_both_versions_are_read_to_the_last_bit() {
    for method in ["meshopt-0", "meshopt-1"] {
        for (name, plain, compressed) in pairs(method) {
            for (a, b) in parts(&plain.character, &compressed.character) {
                assert!(triangles(&a.mesh) == triangles(&b.mesh), "{method}: {name}");
                assert!(a.mesh == Mesh { faces: a.mesh.faces.clone(), ..b.mesh.clone() }, "{method}: {name}");
                assert!(a.binding == b.binding, "{method}: {name}");
            }
            assert!(plain.character.clips == compressed.character.clips, "{method}: {name}");
            assert!(plain.character.skeleton == compressed.character.skeleton, "{method}: {name}");
        }
    }
}

#[test]
fn filtered_views_are_near() {
    for (name, plain, compressed) in pairs("meshopt-filters") {
        for (a, b) in parts(&plain.character, &compressed.character) {
            assert_near(&name, &a.mesh, &b.mesh, 1e-5);
            assert!(a.binding == b.binding, "{name}");
        }
        for (a, b) in plain.character.clips.iter().zip(&compressed.character.clips) {
            let (start, end) = a.range();
            for seconds in [start, start + 0.37 * (end - start)] {
                let (mut p, mut q) = (Pose::default(), Pose::default());
                a.sample(seconds, &plain.character.base_pose, &mut p);
                b.sample(seconds, &plain.character.base_pose, &mut q);
                for (p, q) in p.joints.iter().zip(&q.joints) {
                    assert!(p.rotation.angle_between(q.rotation) < 2e-3, "{name}");
                }
            }
        }
    }
}

/// Draco joins vertices that are equal in everything, so that corners are compared instead.
#[test]
fn draco_streams_in_order_are_near() {
    for (name, plain, compressed) in pairs("draco-sequential") {
        for (a, b) in parts(&plain.character, &compressed.character) {
            assert_eq!(a.mesh.faces.len(), b.mesh.faces.len(), "{name}");
            let corners =
                |mesh: &Mesh| mesh.faces.iter().flat_map(|face| face.triangles()).flatten().collect::<Vec<_>>();
            for (p, q) in corners(&a.mesh).into_iter().zip(corners(&b.mesh)) {
                let (p, q) = (p as usize, q as usize);
                let distance = a.mesh.positions[p].distance(b.mesh.positions[q]);
                assert!(distance <= 1e-4 * size(&a.mesh), "{name} vertex {p}: {distance}");
                assert!(a.mesh.normals[p].distance(b.mesh.normals[q]) < 0.03, "{name} vertex {p}");
                for influence in a.binding.weights.row(p) {
                    let other = b.binding.weights.row(q).iter().find(|i| i.joint == influence.joint);
                    let other = other.map_or(0.0, |i| i.weight);
                    assert!((influence.weight - other).abs() < 2e-3, "{name} vertex {p}");
                }
            }
        }
    }
}

/// Corners of all triangles by joint, each with its share of the area: what does not depend on the order.
fn area_by_joint(part: &Part, joint_count: usize) -> Vec<f64> {
    let mut areas = vec![0.0; joint_count];
    for face in &part.mesh.faces {
        for [a, b, c] in face.triangles() {
            let [p, q, r] = [a, b, c].map(|v| part.mesh.positions[v as usize]);
            let area = f64::from((q - p).cross(r - p).length()) / 6.0;
            for vertex in [a, b, c] {
                for influence in part.binding.weights.row(vertex as usize) {
                    areas[influence.joint as usize] += area * f64::from(influence.weight);
                }
            }
        }
    }
    areas
}

#[test]
fn draco_streams_in_another_order_have_the_same_shape() {
    for (name, plain, compressed) in pairs("draco-edgebreaker") {
        for (a, b) in parts(&plain.character, &compressed.character) {
            let joint_count = a.binding.joints.len();
            let (a, b) = (area_by_joint(a, joint_count), area_by_joint(b, joint_count));
            let total: f64 = a.iter().sum();
            for (joint, (p, q)) in a.iter().zip(&b).enumerate() {
                assert!((p - q).abs() < 2e-3 * total, "{name} joint {joint}: {p} and {q} of {total}");
            }
        }
    }
}

/// A bar whose positions are a compressed view of these bytes.
fn with_view(bytes: &[u8], extension: serde_json::Value) -> sample::Sample {
    let mut sample = bar();
    let view = sample.view(bytes);
    let mut compressed = json!({
        "buffer": 0,
        "byteOffset": sample.json["bufferViews"][view]["byteOffset"],
        "byteLength": bytes.len(),
        "byteStride": 12,
        "count": 6,
        "mode": "ATTRIBUTES",
    });
    compressed.as_object_mut().unwrap().extend(extension.as_object().unwrap().clone());
    sample.json["bufferViews"][view]["extensions"] = json!({ "EXT_meshopt_compression": compressed });
    sample.json["accessors"][POSITION]["bufferView"] = view.into();
    sample
}

/// Six times the element of the tail: each of the twelve bytes has one group without differences.
fn constant_stream() -> Vec<u8> {
    let mut stream = vec![0xa0];
    stream.extend([0; 12]);
    stream.extend([0; 20]);
    stream.extend(sample::le(&[1.0, 2.0, 3.0]));
    stream
}

#[test]
fn a_view_without_differences_repeats_its_tail() {
    let asset = with_view(&constant_stream(), json!({})).read().unwrap();
    assert_eq!(asset.character.parts[0].mesh.positions, [Vec3::new(1.0, 2.0, 3.0); 6]);
}

#[test]
fn bad_views_are_refused() {
    let stream = constant_stream();
    let refused = |bytes: &[u8], extension, part: &str| {
        let message = with_view(bytes, extension).error();
        assert!(message.contains(part) && message.contains("buffer view"), "{message}");
    };
    refused(&[], json!({}), "cut off");
    refused(&stream[..stream.len() - 1], json!({}), "cut off");
    refused(&[&stream[..1], &[0], &stream[1..]].concat(), json!({}), "does not end");
    refused(&[&[0xa2], &stream[1..]].concat(), json!({}), "unknown version");
    refused(&stream, json!({ "byteStride": 10 }), "stride");
    refused(&stream, json!({ "count": 1u64 << 40 }), "out of all proportion");
    refused(&stream, json!({ "filter": "QUATERNION" }), "filter");
    refused(&stream, json!({ "buffer": 7 }), "no data for buffer 7");
    refused(&[0xe1, 0x00, 0x00], json!({ "mode": "TRIANGLES", "byteStride": 2 }), "cut off");
    // The first triangle lies on an edge that nobody has seen.
    let triangles = [&[0xe1, 0x00, 0x00][..], &[0; 16]].concat();
    refused(&triangles, json!({ "mode": "TRIANGLES", "byteStride": 2 }), "was not there");
    let indices = [&[0xd1][..], &[0xff; 6], &[0; 10]].concat();
    refused(&indices, json!({ "mode": "INDICES", "byteStride": 2 }), "more than five bytes");
}

#[test]
fn bad_draco_streams_are_refused() {
    let mut sample = bar();
    let view = sample.view(b"DRACO\x02\x02\x01\x01\0\0 and then nothing of use");
    let draco = json!({ "bufferView": view, "attributes": { "POSITION": 0 } });
    sample.json["meshes"][0]["primitives"][0]["extensions"] = json!({ "KHR_draco_mesh_compression": draco });
    // The vertices are there in plain form too, which is what is read.
    sample.read().unwrap();
    sample.json["accessors"][POSITION].as_object_mut().unwrap().remove("bufferView");
    let message = sample.error();
    assert!(message.contains("mesh 0 primitive 0") && message.contains("Draco"), "{message}");
}
