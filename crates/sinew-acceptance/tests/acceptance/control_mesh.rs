//! Every real body that a cage goes round is filled with tetrahedra of which none is flat.

use glam::{DMat3, DVec3, Vec3};
use sinew::cage::{Cage, CageOptions, ControlMesh, SLIVER};
use sinew::geometry::Face;
use sinew::rig::Character;
use sinew_testing::shared_data;
use std::collections::HashMap;

/// How many vertices of the body are markers.
const MARKERS: usize = 12;

struct Body {
    character: Character,
    rest: Vec<Vec3>,
    faces: Vec<Face>,
}

impl Body {
    fn new(character: Character) -> Self {
        let rest = sinew_io::rest_surface(&character).unwrap().positions;
        let ranges = character.vertex_ranges();
        let parts = sinew_io::world_faces(&character);
        let of_part = |(part, first): (usize, u32)| parts[part].iter().map(move |face| face.map(|v| v + first));
        let firsts = ranges.iter().map(|range| range.start as u32).enumerate();
        let faces = firsts.flat_map(of_part).collect();
        drop(parts);
        Self { character, rest, faces }
    }

    fn cage(&self, vertices: usize, offset: f64) -> Cage {
        let world = self.character.skeleton.rest_world();
        let joints: Vec<DVec3> = self.character.joints().map(|joint| world[joint].translation).collect();
        let options = CageOptions { vertices, offset, ..CageOptions::default() };
        Cage::build(&self.rest, &self.faces, &joints, &options, &mut |_| {}).unwrap()
    }

    fn filled(&self, cage: &Cage, markers: &[DVec3]) -> ControlMesh {
        let skeleton = self.character.joints().next().map(|_| &self.character.skeleton);
        ControlMesh::build(cage, &self.rest, skeleton, markers, &mut |_| {}).unwrap()
    }

    /// Vertices spread over the body, no two in one place.
    fn markers(&self) -> Vec<DVec3> {
        let mut markers: Vec<DVec3> = Vec::new();
        for place in (0..MARKERS).map(|k| self.rest[k * self.rest.len() / MARKERS].as_dvec3()) {
            if markers.iter().all(|marker| marker.distance(place) > 0.0) {
                markers.push(place);
            }
        }
        markers
    }

    /// Builds a cage and fills it with each set of markers.
    fn check(&self, name: &str, vertices: usize, offset: f64, markers: &[&[DVec3]]) -> Cage {
        let cage = self.cage(vertices, offset);
        for markers in markers.iter().copied() {
            let control = self.filled(&cage, markers);
            let what = format!("{name}, {vertices}, {} markers: {:?}", markers.len(), control.quality);
            println!("{what}");
            assert!(control.quality.least >= SLIVER && control.quality.slivers == 0, "{what}");
            self.check_whole(&control, &cage, &what);
            assert_eq!(control.markers.iter().map(|&m| control.positions[m as usize]).collect::<Vec<_>>(), markers);
        }
        cage
    }

    /// Nothing is inverted, the surface is that of the tetrahedra, joints and bones are where they were, and
    /// every vertex of the body is in its tetrahedron.
    fn check_whole(&self, control: &ControlMesh, cage: &Cage, what: &str) {
        control.check(self.rest.len(), self.character.skeleton.len()).unwrap();
        let at = |v: u32| control.positions[v as usize];
        let mut open = HashMap::new();
        for &[a, b, c, d] in &control.tetrahedra {
            for face in [[b, c, d], [a, d, c], [a, b, d], [a, c, b]] {
                if open.remove(&sorted(face)).is_none() {
                    open.insert(sorted(face), face);
                }
            }
        }
        assert_eq!(open.len(), control.surface.len(), "{what}");
        assert!(control.surface.iter().all(|face| open.contains_key(&sorted(*face))), "{what}");
        let volume = |triangles: &mut dyn Iterator<Item = [DVec3; 3]>| -> f64 {
            triangles.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
        };
        let of_surface = volume(&mut control.surface.iter().map(|t| t.map(at)));
        let of_cage = volume(&mut cage.triangles.iter().map(|t| t.map(|v| cage.positions[v as usize].as_dvec3())));
        assert!((control.volume(&control.positions) / of_surface - 1.0).abs() < 1e-9, "{what}");
        assert!((of_surface / of_cage - 1.0).abs() < 0.02, "{what}: {}", of_surface / of_cage);
        for (&t, point) in control.tetrahedron_of.iter().zip(&self.rest) {
            let [a, b, c, d] = control.tetrahedra[t as usize].map(at);
            let shares = DMat3::from_cols(b - a, c - a, d - a).inverse() * (point.as_dvec3() - a);
            assert!(shares.min_element() > -1e-8 && shares.element_sum() < 1.0 + 1e-8, "{what}: {shares}");
        }
        let world = self.character.skeleton.rest_world();
        for (joint, vertex) in control.joints.iter().enumerate().filter_map(|(joint, v)| Some((joint, (*v)?))) {
            assert!(at(vertex).distance(world[joint].translation) < 1e-5 * self.size(), "{what}: joint {joint}");
        }
        let mut is_bone = vec![false; control.positions.len()];
        control.bones.iter().flat_map(|bone| &bone.vertices).for_each(|&v| is_bone[v as usize] = true);
        let on_bones = control.tetrahedra.iter().map(|t| t.iter().filter(|&&v| is_bone[v as usize]).count());
        assert!(on_bones.max() <= Some(2), "{what}: a face between three places of bones");
    }

    fn size(&self) -> f64 {
        let low = self.rest.iter().copied().reduce(Vec3::min).unwrap();
        let high = self.rest.iter().copied().reduce(Vec3::max).unwrap();
        f64::from(low.distance(high))
    }
}

fn sorted(mut face: [u32; 3]) -> [u32; 3] {
    face.sort_unstable();
    face
}

/// Files, the numbers of vertices of their cages and how far those are away. Where a body fills its box, a small offset
/// takes long.
const BODIES: [(&str, usize, f64); 18] = [
    ("gltf/CesiumMan.glb", 600, 0.006),
    ("gltf/Fox.glb", 300, 0.006),
    ("gltf/Fox.glb", 1500, 0.01),
    ("gltf/RiggedFigure.glb", 300, 0.01),
    ("gltf/RiggedSimple.glb", 1500, 0.02),
    ("gltf/RobotExpressive.glb", 300, 0.02),
    ("gltf/SimpleSkin.gltf", 600, 0.02),
    ("gltf/kaykit_Knight.glb", 600, 0.02),
    ("gltf/makehuman_male_cmu31.glb", 600, 0.01),
    ("gltf/quaternius_KnightCharacter.glb", 300, 0.01),
    ("gltf/quaternius_Trex.glb", 600, 0.01),
    ("gltf/spot_rigged.glb", 1500, 0.02),
    ("mesh/cat-low-resolution.obj", 600, 0.02),
    ("mesh/fish_low_resolution.obj", 300, 0.02),
    ("mesh/koala_low_resolution.obj", 600, 0.02),
    ("mesh/penguin.obj", 300, 0.02),
    ("mesh/penguin_control_mesh.obj", 600, 0.02),
    ("mesh/spot_control_mesh.obj", 300, 0.02),
];

#[test]
fn no_tetrahedron_of_a_real_body_is_flat() {
    let Some(folder) = shared_data::folder() else { return };
    for (file, vertices, offset) in BODIES {
        let body = Body::new(sinew_io::load(&folder.join(file)).unwrap().character);
        body.check(file, vertices, offset, &[&body.markers()]);
    }
}

#[test]
fn nor_of_the_demo() {
    let body = Body::new(sinew::demo::character());
    for (vertices, offset) in [(300, 0.01), (600, 0.006), (1500, 0.01)] {
        let cage = body.check("demo", vertices, offset, &[&[], &body.markers()]);
        if vertices == 300 {
            assert!(body.filled(&cage, &[]) == body.filled(&cage, &[]), "it is another one the second time");
        }
    }
}

#[test]
fn nor_of_fbx_files() {
    let Some(folder) = shared_data::folder() else { return };
    for file in ["fbx/ozz_arnaud.fbx", "fbx/quaternius_FarmHorse.fbx", "fbx/dembones_Bone_All.fbx"] {
        let body = Body::new(sinew_io::load(&folder.join(file)).unwrap().character);
        body.check(file, 300, 0.01, &[&body.markers()]);
    }
}
