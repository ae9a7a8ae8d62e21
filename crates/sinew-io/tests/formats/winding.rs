//! Parts that their node mirrors: in files without nodes their faces still look outwards.

use sinew::Surface;
use sinew::geometry::Face;
use sinew::rig::{Character, Skeleton};
use sinew_io::{Asset, obj, ply, rest_surface, world_faces};
use sinew_testing::assets;

/// Two parts, of which the second hangs on a node that mirrors.
fn mirrored() -> Asset {
    let mut asset = assets::two_parts();
    let character = &mut asset.character;
    let mut joints = character.skeleton.joints().to_vec();
    joints[1].rest.scale.x = -1.0;
    character.skeleton = Skeleton::new(joints).unwrap().0;
    character.base_pose = character.skeleton.rest_pose();
    asset
}

/// Whether each face's own normal is on the side of its vertices' normals.
fn all_look_outwards(surface: &Surface, faces: &[Face]) -> bool {
    faces.iter().flat_map(Face::triangles).all(|corners| {
        let [a, b, c] = corners.map(|corner| surface.positions[corner as usize].as_dvec3());
        let own = (b - a).cross(c - a);
        corners.iter().all(|&corner| surface.normals[corner as usize].as_dvec3().dot(own) > 0.0)
    })
}

fn written(character: &Character) -> (Surface, Vec<Face>) {
    (rest_surface(character).unwrap(), assets::global_faces(character))
}

#[test]
fn only_rigid_parts_that_are_mirrored_turn_around() {
    let mut asset = mirrored();
    asset.character.parts[1].mesh.faces = vec![Face::triangle(0, 1, 2), Face::quad(0, 1, 2, 3)];
    let faces = world_faces(&asset.character);
    assert_eq!(faces[0], asset.character.parts[0].mesh.faces);
    assert_eq!(faces[1][..], [Face::triangle(0, 2, 1), Face::quad(0, 3, 2, 1)]);
    let mut skinned = asset.clone();
    skinned.character.parts[1].skinned = true;
    assert_eq!(world_faces(&skinned.character)[1], asset.character.parts[1].mesh.faces);
    let straight = assets::two_parts().character;
    assert_eq!(world_faces(&straight)[1], straight.parts[1].mesh.faces);
}

#[test]
fn surfaces_in_the_world_are_not_inside_out() {
    let asset = mirrored();
    let (surface, faces) = written(&asset.character);
    assert!(!all_look_outwards(&surface, &faces), "as the mesh has them they look inwards");
    let read_back =
        [obj::read(&obj::write(&asset).unwrap()).unwrap(), ply::read(&ply::write(&asset).unwrap()).unwrap()];
    for Asset { character, format, .. } in read_back {
        let (surface, faces) = written(&character);
        assert!(all_look_outwards(&surface, &faces), "{format:?}");
    }
}

#[test]
fn bakes_are_not_inside_out() {
    let folder = tempfile::tempdir().unwrap();
    let asset = mirrored();
    let surface = rest_surface(&asset.character).unwrap();
    let bake = |name: &str| {
        let path = folder.path().join(name);
        let mut bake = sinew_io::bake::bake(&path, &asset, 0.0, 24.0, 2).unwrap();
        bake.frame(&surface).unwrap();
        bake.frame(&surface).unwrap();
        bake.finish().unwrap();
        path
    };
    let glb = sinew_io::load(&bake("out.glb")).unwrap().character;
    let (surface, faces) = written(&glb);
    assert!(all_look_outwards(&surface, &faces));
    let text = std::fs::read_to_string(bake("out.usda")).unwrap();
    assert!(text.contains("faceVertexIndices = [0, 1, 2, 3, 4, 5, 6]"), "the first part is as it was");
    assert!(text.contains("faceVertexIndices = [0, 2, 1]"), "the second is turned around");
}
