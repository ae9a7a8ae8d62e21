//! Refined characters in files: the input's vertices first, the added ones after.

use glam::Vec3;
use sinew::geometry::Face;
use sinew::rig::refined;
use sinew_io::{Asset, bake, load, obj, pc2, rest_surface, save};
use sinew_testing::{assets, gltf_validator};

/// The two parts with the faces of both finer; as all their vertices lie on borders, none moves.
fn finer() -> (Asset, Asset) {
    let asset = assets::two_parts();
    let character = refined(&asset.character, |part, vertex| part == 1 || vertex != 5, 2).unwrap();
    assert!(character.parts.iter().all(|part| part.mesh.added_vertices > 0));
    let finer = Asset { character, ..asset.clone() };
    (asset, finer)
}

/// The corners of every face, in space.
fn places(faces: &[Face], positions: &[Vec3]) -> Vec<Vec<Vec3>> {
    faces.iter().map(|face| face.corners().iter().map(|&v| positions[v as usize]).collect()).collect()
}

#[test]
fn a_point_cache_begins_with_the_points_of_the_file() {
    let (asset, finer) = finer();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.pc2");
    let mut writer = bake::bake(&path, &finer, 0.0, 24.0, 2).unwrap();
    (0..2).for_each(|frame| writer.frame(&assets::moved(&finer, frame)).unwrap());
    writer.finish().unwrap();
    let cache = pc2::read(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(cache.points, finer.character.vertex_count());
    for (frame, sample) in cache.samples().enumerate() {
        let surface = assets::moved(&finer, frame);
        assert_eq!(sample[..10], assets::moved(&asset, frame).positions);
        let first = &finer.character.parts[0].mesh;
        let added = [&surface.positions[7..first.positions.len()], &surface.positions[first.positions.len() + 3..]];
        assert_eq!(sample[10..], added.concat());
    }
}

#[test]
fn an_obj_begins_with_the_vertices_of_the_file() {
    let (asset, finer) = finer();
    let surface = rest_surface(&finer.character).unwrap();
    let text = String::from_utf8(obj::write(&finer).unwrap()).unwrap();
    let plain = String::from_utf8(obj::write(&asset).unwrap()).unwrap();
    let vertices = |text: &str| text.lines().filter(|l| l.starts_with("v ")).map(String::from).collect::<Vec<_>>();
    assert_eq!(vertices(&text)[..10], vertices(&plain));
    assert_eq!(vertices(&text).len(), finer.character.vertex_count());
    let last_vertex = text.rfind("\nv ").unwrap();
    assert!(last_vertex < text.find("\nf ").unwrap(), "no face names a vertex that is still to come");

    let back = obj::read(text.as_bytes()).unwrap().character;
    let mesh = &back.parts[0].mesh;
    let faces = assets::global_faces(&finer.character);
    assert_eq!(places(&mesh.faces, &mesh.positions), places(&faces, &surface.positions));

    // Texture coordinates and normals go with their vertices.
    let list = |kind: &str| text.lines().filter(|l| l.starts_with(kind)).map(String::from).collect::<Vec<_>>();
    let (textures, normals) = (list("vt "), list("vn "));
    assert_eq!(normals.len(), finer.character.vertex_count());
    let part = &finer.character.parts[0].mesh;
    for (face, line) in part.faces.iter().zip(list("f ")) {
        for (&corner, word) in face.corners().iter().zip(line.split(' ').skip(1)) {
            let numbers: Vec<usize> = word.split('/').map(|number| number.parse().unwrap()).collect();
            let uv = &part.attributes[0].values[2 * corner as usize..][..2];
            assert_eq!(textures[numbers[1] - 1], format!("vt {} {}", uv[0], 1.0 - uv[1]));
            assert_eq!(numbers[0], numbers[2]);
        }
    }
}

#[test]
fn binary_gltf_holds_each_primitive_once() {
    let (_, finer) = finer();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    save(&path("rig.glb"), &finer).unwrap();
    let mut writer = bake::bake(&path("bake.glb"), &finer, 0.0, 24.0, 3).unwrap();
    (0..3).for_each(|frame| writer.frame(&assets::moved(&finer, frame)).unwrap());
    writer.finish().unwrap();
    gltf_validator::assert_valid(&[path("rig.glb"), path("bake.glb")]);

    let triangles = |asset: &Asset| {
        let positions = rest_surface(&asset.character).unwrap().positions;
        let faces = assets::global_faces(&asset.character);
        let triangles = faces.iter().flat_map(Face::triangles).map(|[a, b, c]| Face::triangle(a, b, c));
        places(&triangles.collect::<Vec<_>>(), &positions)
    };
    for name in ["rig.glb", "bake.glb"] {
        let back = load(&path(name)).unwrap();
        assert_eq!(back.character.vertex_count(), finer.character.vertex_count(), "{name}");
        let materials = |asset: &Asset| -> Vec<Option<usize>> {
            asset.character.parts.iter().flat_map(|p| &p.mesh.primitives).map(|p| p.material).collect()
        };
        assert_eq!(materials(&back), materials(&finer));
        for (found, expected) in triangles(&back).iter().flatten().zip(triangles(&finer).iter().flatten()) {
            let expected =
                if name == "bake.glb" { *expected + Vec3::new(0.0, expected.x.sin(), 0.0) } else { *expected };
            assert!(found.abs_diff_eq(expected, 1e-6 * expected.length().max(1.0)), "{name}: {found} {expected}");
        }
    }
}
