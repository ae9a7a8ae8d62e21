//! PLY: every encoding, a round trip, and files that are broken.

use glam::Vec3;
use proptest::prelude::*;
use sinew::geometry::Face;
use sinew_io::{Asset, obj, ply, rest_surface};
use sinew_testing::{assets, shared_data};

fn read(bytes: &[u8]) -> Asset {
    let asset = ply::read(bytes).unwrap_or_else(|problem| panic!("{problem}"));
    asset.character.check().unwrap();
    asset
}

fn refused(bytes: &[u8]) -> String {
    ply::read(bytes).unwrap_err().to_string()
}

const TEXT: &str = "ply
format ascii 1.0
comment a quad, a triangle and a pentagon
element material 1
property list uchar float diffuse
element vertex 5
property float x
property float y
property float z
property uchar red
property uchar green
property uchar blue
property list uchar int extra
element face 3
property list uchar int vertex_indices
property uchar flags
end_header
3 0.5 0.5 0.5
0 0 0 255 0 0 0
1 0 0 0 255 0 2 7 8
1 1 0 0 0 255 0
0 1 0.5 51 51 51 0
-1 0.5 0 0 0 0 0
4 0 1 2 3 9
3 0 3 4 9
5 0 1 2 3 4 9";

/// The same content in binary.
fn binary(big_endian: bool) -> Vec<u8> {
    let name = if big_endian { "binary_big_endian" } else { "binary_little_endian" };
    let (header, body) = TEXT.split_once("end_header\n").unwrap();
    let mut bytes = format!("{}end_header\n", header.replace("ascii", name)).into_bytes();
    let mut words = body.split_ascii_whitespace().map(|word| word.parse::<f32>().unwrap());
    let mut take = |scalar: &str, bytes: &mut Vec<u8>| {
        let value = words.next().unwrap();
        match (scalar, big_endian) {
            ("uchar", _) => bytes.push(value as u8),
            ("int", true) => bytes.extend((value as i32).to_be_bytes()),
            ("int", false) => bytes.extend((value as i32).to_le_bytes()),
            (_, true) => bytes.extend(value.to_be_bytes()),
            (_, false) => bytes.extend(value.to_le_bytes()),
        }
        value
    };
    let list = |scalar: &str, bytes: &mut Vec<u8>, take: &mut dyn FnMut(&str, &mut Vec<u8>) -> f32| {
        for _ in 0..take("uchar", bytes) as usize {
            take(scalar, bytes);
        }
    };
    list("float", &mut bytes, &mut take);
    for _ in 0..5 {
        ["float", "float", "float", "uchar", "uchar", "uchar"].iter().for_each(|s| {
            take(s, &mut bytes);
        });
        list("int", &mut bytes, &mut take);
    }
    for _ in 0..3 {
        list("int", &mut bytes, &mut take);
        take("uchar", &mut bytes);
    }
    bytes
}

#[test]
fn every_encoding_holds_the_same_shape() {
    let text = read(TEXT.as_bytes());
    let mesh = &text.character.parts[0].mesh;
    assert_eq!(mesh.positions[3], Vec3::new(0.0, 1.0, 0.5));
    assert_eq!(mesh.faces[..2], [Face::quad(0, 1, 2, 3), Face::triangle(0, 3, 4)]);
    assert_eq!(mesh.faces.len(), 5);
    assert_eq!((mesh.attributes[0].name.as_str(), mesh.attributes[0].width), ("COLOR_0", 3));
    assert_eq!(mesh.attributes[0].values[9..12], [0.2; 3]);
    assert_eq!(text.warnings.len(), 2, "{:?}", text.warnings);
    assert_eq!(text, read(&binary(false)));
    assert_eq!(text, read(&binary(true)));
}

#[test]
fn a_written_file_comes_back_the_same() {
    let original = assets::two_parts();
    let asset = read(&ply::write(&original).unwrap());
    let expected = rest_surface(&original.character).unwrap();
    let surface = rest_surface(&asset.character).unwrap();
    assert_eq!(surface.positions, expected.positions);
    assert!(surface.normals.iter().zip(&expected.normals).all(|(a, b)| a.distance(*b) < 1e-6));
    assert_eq!(asset.character.parts[0].mesh.faces, assets::global_faces(&original.character));
    let twice = read(&ply::write(&asset).unwrap());
    assert_eq!(twice.character, asset.character);
}

#[test]
fn texture_coordinates_and_colours_survive() {
    let mut asset = assets::two_parts();
    asset.character.parts.truncate(1);
    let back = read(&ply::write(&asset).unwrap());
    assert_eq!(back.character.parts[0].mesh.attributes, asset.character.parts[0].mesh.attributes);
    let colored = read(TEXT.as_bytes());
    let back = read(&ply::write(&colored).unwrap());
    let values = &back.character.parts[0].mesh.attributes[0].values;
    assert_eq!(values[12..16], [0.2, 0.2, 0.2, 1.0]);
}

#[test]
fn real_meshes_come_back_the_same() {
    for (name, bytes) in shared_data::files("mesh", "obj") {
        let original = obj::read(&bytes).unwrap();
        let back = read(&ply::write(&original).unwrap());
        let (a, b) = (&original.character.parts[0].mesh, &back.character.parts[0].mesh);
        assert_eq!((&a.positions, &a.faces), (&b.positions, &b.faces), "{name}");
    }
}

#[test]
fn coordinates_that_are_not_finite_are_refused() {
    for bad in ["nan", "inf", "-inf", "1e50"] {
        let problem = refused(TEXT.replace("-1 0.5 0 0 0 0 0", &format!("-1 {bad} 0 0 0 0 0")).as_bytes());
        assert!(problem.starts_with("vertex 4"), "{problem}");
    }
    let problem = refused(TEXT.replace("-1 0.5", "-1 half").as_bytes());
    assert!(problem.contains("\"half\" is no number"), "{problem}");
}

#[test]
fn faces_out_of_range_are_refused() {
    for (bad, words) in
        [("3 0 3 5 9", "names vertex 5"), ("3 0 3 -1 9", "-1 is no vertex"), ("3 0 3 0.5 9", "0.5 is no")]
    {
        let problem = refused(TEXT.replace("3 0 3 4 9", bad).as_bytes());
        assert!(problem.starts_with("face 1") && problem.contains(words), "{problem}");
    }
}

#[test]
fn absurd_counts_are_refused() {
    for count in ["999999999999", "18446744073709551615"] {
        for encoding in ["ascii", "binary_little_endian"] {
            let text = TEXT.replace("vertex 5", &format!("vertex {count}")).replace("ascii", encoding);
            let text =
                if encoding == "ascii" { text } else { text.replace("element material 1", "element material 0") };
            let problem = refused(text.as_bytes());
            assert!(problem.contains("take at least"), "{problem}");
        }
    }
    assert!(refused(TEXT.replace("vertex 5", "vertex -5").as_bytes()).contains("no number of items"));
    let empty = "element nothing 18446744073709551615\nelement vertex";
    assert!(read(TEXT.replace("element vertex", empty).as_bytes()).character.vertex_count() == 5);
}

#[test]
fn absurd_lists_are_refused() {
    for count in ["4000000000", "-3", "2.5", "nan"] {
        let problem = refused(TEXT.replace("4 0 1 2 3 9", &format!("{count} 0 1 2 3 9")).as_bytes());
        assert!(problem.contains("a list cannot have"), "{problem}");
    }
}

#[test]
fn a_wrong_header_is_refused() {
    for (from, to, words) in [
        ("ply\n", "plx\n", "begins with the line"),
        ("ascii", "ebcdic", "no known format"),
        ("format ascii 1.0\n", "", "names no format"),
        ("property float x\n", "property quux x\n", "\"quux\" is no type"),
        ("property float x\n", "", "needs the properties x, y and z"),
        ("vertex_indices", "corners", "needs the list vertex_indices"),
        ("list uchar int vertex_indices", "int vertex_indices", "no list"),
        ("element material 1\n", "", "before any element"),
        ("end_header", "", "header line"),
    ] {
        let problem = refused(TEXT.replacen(from, to, 1).as_bytes());
        assert!(problem.contains(words), "{to}: {problem}");
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for (bytes, spare) in [(binary(false), 1), (binary(true), 1), (TEXT.as_bytes().to_vec(), 1)] {
        for cut in 0..=bytes.len() - spare {
            assert!(ply::read(&bytes[..cut]).is_err(), "{cut} of {}", bytes.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_files_never_panic(
        encoding in 0usize..3,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = [TEXT.as_bytes().to_vec(), binary(false), binary(true)][encoding].clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(asset) = ply::read(&bytes) {
            prop_assert!(asset.character.check().is_ok());
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(ply::read(&bytes).is_err());
    }
}
