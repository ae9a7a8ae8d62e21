//! A small asset for tests of formats, and its surface.

use glam::{DVec3, Vec3};
use sinew::Surface;
use sinew::geometry::{Attribute, Face, Mesh, Primitive};
use sinew::rig::{Binding, Character, Joint, Part, Pose, Skeleton, Transform};
use sinew_io::{Asset, Format};

/// Two parts, a quad with two triangles in two materials and a lone triangle, on two nodes that both
/// move them.
pub fn two_parts() -> Asset {
    let joint = |name: &str, translation| Joint {
        name: name.into(),
        rest: Transform::from_translation(translation),
        ..Joint::default()
    };
    let (skeleton, _) =
        Skeleton::new(vec![joint("left", DVec3::new(10.0, 0.0, 0.0)), joint("right", DVec3::new(0.0, 0.0, -7.5))])
            .unwrap();
    let points = |list: &[[f32; 3]]| list.iter().map(|&p| Vec3::from(p)).collect::<Vec<_>>();
    let positions = points(&[
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.1],
        [0.0, 1.0, 0.0],
        [0.5, 2.0, 1.0 / 3.0],
        [-0.5, 2.0, 1e-7],
        [-1e6, 3.0, 0.25],
    ]);
    let faces = vec![Face::quad(0, 1, 2, 3), Face::triangle(4, 5, 6)];
    let mut first = Mesh::new("quad and triangle", positions, faces);
    first.primitives = vec![
        Primitive { vertices: 0..4, faces: 0..1, material: Some(0) },
        Primitive { vertices: 4..7, faces: 1..2, material: Some(1) },
    ];
    let values = (0..14).map(|k| k as f32 / 16.0).collect();
    first.attributes.push(Attribute { name: "TEXCOORD_0".into(), width: 2, values });
    let second =
        Mesh::new("triangle", points(&[[0.0; 3], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]), vec![Face::triangle(0, 1, 2)]);
    let parts = vec![
        Part { node: 0, skinned: false, binding: Binding::rigid(0, 7), mesh: first },
        Part { node: 1, skinned: false, binding: Binding::rigid(1, 3), mesh: second },
    ];
    let base_pose = Pose { joints: skeleton.rest_pose().joints, morphs: vec![] };
    let character = Character { name: "two parts".into(), skeleton, base_pose, parts, clips: vec![] };
    let mut asset = Asset::new(character, Format::Glb);
    asset.appearance.materials = vec![
        serde_json::json!({ "name": "skin", "pbrMetallicRoughness": { "baseColorFactor": [1.0, 0.5, 0.25, 1.0] } }),
        serde_json::json!({ "name": "cloth" }),
    ];
    asset
}

/// The rest surface, moved and bent a little for each frame.
pub fn moved(asset: &Asset, frame: usize) -> Surface {
    let mut surface = sinew_io::rest_surface(&asset.character).unwrap();
    for position in &mut surface.positions {
        let time = frame as f32;
        *position += Vec3::new(0.1 * time, (position.x + time).sin(), -0.01 * time);
    }
    surface
}

/// Faces of all meshes with the vertex numbers of the whole character.
pub fn global_faces(character: &Character) -> Vec<Face> {
    let parts = character.parts.iter().zip(character.vertex_ranges());
    parts.flat_map(|(part, range)| part.mesh.faces.iter().map(move |f| f.map(|v| v + range.start as u32))).collect()
}
