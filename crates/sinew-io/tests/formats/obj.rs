//! OBJ: real meshes, the dialects, a round trip, a bake, and files that are broken.

use glam::Vec3;
use proptest::prelude::*;
use sinew::geometry::{Face, Topology};
use sinew_io::{Asset, obj, rest_surface};
use sinew_testing::{assets, shared_data};

fn read(text: &str) -> Asset {
    let asset = obj::read(text.as_bytes()).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    asset.character.check().unwrap();
    asset
}

fn refused(text: &str) -> String {
    obj::read(text.as_bytes()).unwrap_err().to_string()
}

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

#[test]
fn every_shared_mesh_has_the_counts_of_the_manifest() {
    for folder in ["mesh", "fbx"] {
        let files = shared_data::files(folder, "obj");
        for row in shared_data::manifest(folder, "obj") {
            let name = row.text("file");
            let asset = obj::read(&files.iter().find(|(file, _)| file == name).unwrap().1).unwrap();
            asset.character.check().unwrap();
            let [part] = &asset.character.parts[..] else { panic!("{name} has several parts") };
            let mesh = &part.mesh;
            let topology = Topology::new(&mesh.positions, &mesh.faces);
            assert_eq!(mesh.first_copies().len(), row.count("verts").unwrap(), "vertices of {name}");
            let triangles = mesh.triangle_count() + 2 * mesh.quad_count();
            assert_eq!(triangles, row.count("tris").unwrap(), "triangles of {name}");
            assert_eq!(mesh.quad_count(), row.count("quads").unwrap(), "quads of {name}");
            assert_eq!(topology.is_closed(), row.text("closed") == "True", "closedness of {name}");
        }
    }
}

#[test]
fn all_forms_of_corners_are_read() {
    let lists = "vt 0 0\nvt 1 0.25\nvt 0 1\nvn 0 0 1\n";
    for face in ["f 1 2 3", "f 1/1 2/2 3/3", "f 1//1 2//1 3//1", "f 1/1/1 2/2/1 3/3/1", "f -3/-3/-1 -2/-2/-1 -1/-1/-1"]
    {
        let asset = read(&format!("{TRIANGLE}{lists}{face} # a comment\r\n"));
        let mesh = &asset.character.parts[0].mesh;
        assert_eq!(mesh.faces, [Face::triangle(0, 1, 2)], "{face}");
        let slashes = face.matches('/').count();
        assert_eq!(mesh.normals.is_empty(), slashes <= 3, "{face}");
        if slashes == 3 || (slashes == 6 && !face.contains("//")) {
            assert_eq!(mesh.attributes[0].values, [0.0, 1.0, 1.0, 0.75, 0.0, 0.0], "{face}");
        } else {
            assert!(mesh.attributes.is_empty(), "{face}");
        }
        assert!(mesh.normals.iter().all(|n| *n == Vec3::Z));
    }
}

#[test]
fn quads_stay_and_larger_faces_become_fans() {
    let asset = read("v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4\nf 1 2 3 4 5\n");
    let faces = &asset.character.parts[0].mesh.faces;
    let fan = [Face::triangle(0, 1, 2), Face::triangle(0, 2, 3), Face::triangle(0, 3, 4)];
    assert_eq!(faces[0], Face::quad(0, 1, 2, 3));
    assert_eq!(faces[1..], fan);
    assert_eq!(asset.warnings.len(), 1, "{:?}", asset.warnings);
}

#[test]
fn objects_become_parts_only_with_vertices_of_their_own() {
    let separate = format!("o left arm\n{TRIANGLE}f 1 2 3\no right\n{TRIANGLE}usemtl red\nf 4 5 6\n");
    let asset = read(&separate);
    let names: Vec<&str> = asset.character.parts.iter().map(|part| part.mesh.name.as_str()).collect();
    assert_eq!(names, ["left arm", "right"]);
    assert_eq!(asset.character.parts[1].mesh.faces, [Face::triangle(0, 1, 2)]);
    assert_eq!(asset.character.parts[1].mesh.primitives[0].material, Some(0));
    assert_eq!(asset.appearance.materials[0]["name"], "red");

    let shared = read(&separate.replace("f 4 5 6", "f 3 5 6"));
    assert_eq!(shared.character.parts.len(), 1);
    assert_eq!(shared.character.file_order().len(), 6);
    let listed_first = read(&format!("{TRIANGLE}v 5 5 5\no a\nf 1 2 3\no b\nf 2 3 4\n"));
    assert_eq!(listed_first.character.parts.len(), 1);
}

/// Vertex 2 has two texture coordinates, so it becomes two; the file's five come back in their order.
#[test]
fn seams_split_vertices_and_unused_ones_are_kept() {
    let text = format!("{TRIANGLE}v 1 1 1\nv 9 9 9\nvt 0 0\nvt 1 1\nf 1/1 2/1 3/1\nf 2/2 4/2 3/1\n");
    let asset = read(&text);
    let mesh = &asset.character.parts[0].mesh;
    assert_eq!(mesh.file_vertices, [0, 1, 1, 2, 3, 4]);
    assert_eq!(mesh.faces, [Face::triangle(0, 1, 3), Face::triangle(2, 4, 3)]);
    assert_eq!(mesh.attributes[0].values[2..6], [0.0, 1.0, 1.0, 0.0]);
    assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
    let written = String::from_utf8(obj::write(&asset).unwrap()).unwrap();
    let vertices: Vec<&str> = written.lines().filter(|line| line.starts_with("v ")).collect();
    assert_eq!(vertices, ["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 1 1 1", "v 9 9 9"]);
}

#[test]
fn a_written_file_comes_back_the_same() {
    let original = assets::two_parts();
    let asset = obj::read(&obj::write(&original).unwrap()).unwrap();
    let expected = rest_surface(&original.character).unwrap();
    let surface = rest_surface(&asset.character).unwrap();
    assert_eq!(surface.positions, expected.positions);
    assert!(surface.normals.iter().zip(&expected.normals).all(|(a, b)| a.distance(*b) < 1e-6));
    assert_eq!(assets::global_faces(&asset.character), assets::global_faces(&original.character));
    for (part, written) in asset.character.parts.iter().zip(&original.character.parts) {
        assert_eq!(part.mesh.name, written.mesh.name);
        assert_eq!(part.mesh.primitives, written.mesh.primitives);
        assert_eq!(part.mesh.attributes, written.mesh.attributes);
    }
    assert_eq!(asset.appearance.materials[1]["name"], "cloth");
    assert_eq!(expected.positions[0], Vec3::new(10.0, 0.0, 0.0), "positions are in world space");
}

#[test]
fn real_meshes_come_back_the_same() {
    for (name, bytes) in shared_data::files("mesh", "obj") {
        let once = obj::read(&bytes).unwrap();
        let twice = obj::read(&obj::write(&once).unwrap()).unwrap();
        let (a, b) = (&once.character.parts[0].mesh, &twice.character.parts[0].mesh);
        assert_eq!(a.positions, b.positions, "{name}");
        assert_eq!(a.faces, b.faces, "{name}");
    }
}

#[test]
fn a_bake_is_a_row_of_numbered_files() {
    let folder = tempfile::tempdir().unwrap();
    let asset = assets::two_parts();
    let mut bake = obj::bake(&folder.path().join("walk.obj"), &asset, 3).unwrap();
    for frame in 0..3 {
        bake.frame(&assets::moved(&asset, frame)).unwrap();
    }
    bake.finish().unwrap();
    for frame in 0..3 {
        let bytes = std::fs::read(folder.path().join(format!("walk.000{frame}.obj"))).unwrap();
        let positions = rest_surface(&obj::read(&bytes).unwrap().character).unwrap().positions;
        assert_eq!(positions, assets::moved(&asset, frame).positions);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// A viewer plays every numbered file that it finds.
#[test]
fn a_shorter_bake_leaves_no_frame_of_a_longer_one() {
    let folder = tempfile::tempdir().unwrap();
    let (path, asset) = (folder.path().join("walk.obj"), assets::two_parts());
    let bake = |frames| {
        let mut bake = obj::bake(&path, &asset, frames).unwrap();
        for _ in 0..frames {
            bake.frame(&assets::moved(&asset, 0)).unwrap();
        }
        bake
    };
    for other in ["walk.obj", "walk.mtl", "walk.12.obj", "walk.0001b.obj", "run.0002.obj", "walk.2024.obj"] {
        std::fs::write(folder.path().join(other), "not ours").unwrap();
    }
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let others = names();
    bake(5).finish().unwrap();
    let long = names();
    assert_eq!(long.len(), others.len() + 5);
    drop(bake(2));
    assert_eq!(names(), long, "an unfinished bake changes nothing");
    // Frames of a bake of more than ten thousand.
    std::fs::write(folder.path().join("walk.00000.obj"), "").unwrap();
    bake(2).finish().unwrap();
    assert_eq!(names().len(), others.len() + 2);
    assert!(others.iter().all(|other| names().contains(other)));
}

#[test]
fn coordinates_that_are_not_finite_are_refused() {
    for bad in ["nan", "inf", "-Infinity", "1e50", "1,5", "x"] {
        let problem = refused(&format!("v 0 0 0\nv 1 {bad} 0\n"));
        assert!(problem.starts_with("line 2") && problem.contains(bad), "{problem}");
    }
    assert!(refused("v 1 2\n").contains("three coordinates"));
}

#[test]
fn index_zero_is_refused() {
    assert!(refused(&format!("{TRIANGLE}f 0 1 2\n")).starts_with("line 4"));
}

#[test]
fn indices_out_of_range_are_refused() {
    for (face, words) in [
        ("f 1 2 4", "vertex 4, but the file has 3"),
        ("f 1/1 2/2 3/3", "texture coordinate 3, but the file has 0"),
        ("f 1//1 2//1 3//1", "normal 1, but the file has 0"),
        ("f 1 2 -4", "points before the first"),
        ("f 1 2 4294967296", "out of range"),
        ("f 1 2 99999999999999999999", "no whole number"),
    ] {
        let problem = refused(&format!("{TRIANGLE}{face}\n"));
        assert!(problem.starts_with("line 4") && problem.contains(words), "{problem}");
    }
}

#[test]
fn faces_with_too_few_corners_are_refused() {
    assert!(refused(&format!("{TRIANGLE}f 1 2\n")).contains("at least three corners"));
    assert!(refused(&format!("{TRIANGLE}f 1 2 /3\n")).contains("names no vertex"));
}

#[test]
fn what_is_no_obj_is_refused() {
    for bytes in [&b""[..], b"# only a comment\n", &[0xff; 300], b"glTF\x02\0\0\0"] {
        assert!(obj::read(bytes).unwrap_err().to_string().contains("no vertex"));
    }
}

#[test]
fn a_file_cut_anywhere_does_not_panic() {
    let bytes = obj::write(&assets::two_parts()).unwrap();
    for cut in 0..bytes.len() {
        if let Ok(asset) = obj::read(&bytes[..cut]) {
            asset.character.check().unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_files_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..24)) {
        let mut bytes = obj::write(&assets::two_parts()).unwrap();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(asset) = obj::read(&bytes) {
            prop_assert!(asset.character.check().is_ok());
        }
    }

    #[test]
    fn random_lines_never_panic(text in "((v|vt|vn|f|o|usemtl|l|#)( -?[0-9]{1,3}(/-?[0-9]{0,2}){0,3}){0,6}(\\\\)?\n){0,30}") {
        if let Ok(asset) = obj::read(text.as_bytes()) {
            prop_assert!(asset.character.check().is_ok());
        }
    }
}
