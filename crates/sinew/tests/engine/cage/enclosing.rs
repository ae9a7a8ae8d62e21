//! Cages hold their meshes, and tetrahedra fill cages.

use super::shapes::{Body, bar, row};
use glam::{DMat3, DVec3, Vec3};
use sinew::cage::{Cage, CageOptions, ControlMesh, SLIVER};
use sinew::geometry::{Face, SelfIntersections, Topology, Winding};

fn checked(positions: &[Vec3], faces: &[Face], vertices: usize, offset: f64) -> (Cage, Topology) {
    let options = CageOptions { vertices, offset, ..CageOptions::default() };
    let mut shares = vec![0.0];
    let cage = Cage::build(positions, faces, &[], &options, &mut |share| shares.push(share)).unwrap();
    assert!(shares.is_sorted() && shares.last() == Some(&1.0), "{shares:?}");
    let topology = Topology::new(&cage.positions, &cage.faces());
    assert!(topology.is_closed());
    assert_eq!(SelfIntersections::new(&topology, &cage.positions).count(&cage.positions), 0);
    let winding = Winding::new(&topology, &cage.positions);
    assert!(positions.iter().all(|p| winding.number(p.as_dvec3()) > 0.5), "a vertex is outside");
    // The cage and the mesh as one surface have no more intersections than the mesh alone.
    let shift = positions.len() as u32;
    let both = [positions, &cage.positions].concat();
    let all: Vec<Face> = faces.iter().copied().chain(cage.faces().iter().map(|f| f.map(|v| v + shift))).collect();
    let count = |faces: &[Face]| SelfIntersections::new(&Topology::new(&both, faces), &both).count(&both);
    assert_eq!(count(&all), count(faces), "the cage passes through the mesh");
    (cage, topology)
}

#[test]
fn a_cage_is_closed_and_has_the_mesh_inside() {
    let tube = sinew::demo::tube();
    let mesh = &tube.parts[0].mesh;
    for vertices in [60, 400] {
        let (cage, topology) = checked(&mesh.positions, &mesh.faces, vertices, 0.022);
        assert_eq!((cage.positions.len(), topology.shells()), (vertices, 1));
    }
}

#[test]
fn so_it_is_for_open_and_crossing_meshes() {
    let (positions, faces) = bar(0.5, 4.0, 4, 16);
    // Without the quads of one end.
    let open: Vec<Face> =
        faces.iter().copied().filter(|f| f.corners().iter().any(|&v| positions[v as usize].z > 0.1)).collect();
    checked(&positions, &open, 150, 0.02);
    // With a second bar across the first.
    let crossing: Vec<Vec3> = positions.iter().map(|p| Vec3::new(p.z - 2.0, p.y + 0.1, p.x + 2.0)).collect();
    let both = [positions.clone(), crossing].concat();
    let count = positions.len() as u32;
    let faces: Vec<Face> = faces.iter().copied().chain(faces.iter().map(|f| f.map(|v| v + count))).collect();
    let (_, topology) = checked(&both, &faces, 250, 0.022);
    assert_eq!(topology.shells(), 1);
    // A single sheet.
    let sheet = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.2]].map(Vec3::from);
    checked(&sheet, &[Face::quad(0, 1, 2, 3)], 40, 0.04);
}

#[test]
fn fingers_stay_apart_and_pieces_stay_inside() {
    let (finger, faces) = bar(0.1, 2.0, 2, 20);
    let mut positions = Vec::new();
    let mut all = Vec::new();
    for k in 0..3 {
        let count = positions.len() as u32;
        positions.extend(finger.iter().map(|p| *p + Vec3::X * (0.3 * k as f32)));
        all.extend(faces.iter().map(|f| f.map(|v| v + count)));
    }
    let (_, topology) = checked(&positions, &all, 200, 0.012);
    assert_eq!(topology.shells(), 3, "a gap of 0.1 between fingers of 0.2 is kept");
}

#[test]
fn edges_are_shorter_near_joints() {
    let tube = sinew::demo::tube();
    let mesh = &tube.parts[0].mesh;
    let build = |joint_detail| {
        let options = CageOptions { vertices: 300, offset: 0.022, joint_detail };
        let joint = DVec3::new(0.0, 0.0, 5.0);
        let cage = Cage::build(&mesh.positions, &mesh.faces, &[joint], &options, &mut |_| {}).unwrap();
        cage.positions.iter().filter(|p| (p.z - 5.0).abs() < 1.0).count()
    };
    let (even, finer) = (build(1.0), build(2.0));
    assert!(2 * finer > 3 * even, "{finer} and {even}");
}

#[test]
fn tetrahedra_fill_the_cage() {
    let character = sinew::demo::tube();
    let mesh = &character.parts[0].mesh;
    let options = CageOptions { vertices: 300, offset: 0.022, ..CageOptions::default() };
    let cage = Cage::build(&mesh.positions, &mesh.faces, &[], &options, &mut |_| {}).unwrap();
    let markers = [DVec3::new(0.9, 0.0, 2.0), DVec3::new(0.0, 1.4, 7.0)];
    let control = ControlMesh::build(&cage, &mesh.positions, Some(&character.skeleton), &markers, &mut |_| {}).unwrap();
    let at = |v: u32| control.positions[v as usize];
    assert_eq!(control.joints.iter().map(|j| at(j.unwrap()).z).collect::<Vec<_>>(), [0.0, 5.0]);
    assert_eq!(control.markers.iter().map(|&m| at(m)).collect::<Vec<_>>(), markers);
    assert_eq!(control.quality.linked, 1, "the marker outside");
    for (&tetrahedron, point) in control.tetrahedron_of.iter().zip(&mesh.positions) {
        let [a, b, c, d] = control.tetrahedra[tetrahedron as usize].map(at);
        let shares = DMat3::from_cols(b - a, c - a, d - a).inverse() * (point.as_dvec3() - a);
        assert!(shares.min_element() > -1e-9 && shares.element_sum() < 1.0 + 1e-9, "{shares}");
    }
    let volumes = control.tetrahedra.iter().map(|t| {
        let [a, b, c, d] = t.map(at);
        (b - a).cross(c - a).dot(d - a) / 6.0
    });
    assert!(volumes.clone().all(|volume| volume > 0.0));
    let enclosed = super::shapes::volume(&cage.positions, &cage.faces());
    assert!((volumes.sum::<f64>() / enclosed - 1.0).abs() < 1e-2);
    assert_eq!(control.quality.unmatched, 0);
    assert!(control.quality.least >= SLIVER && control.quality.mean > 0.6, "{:?}", control.quality);
    for bone in &control.bones {
        assert!(bone.vertices.windows(2).all(|w| at(w[1]).z > at(w[0]).z) && bone.vertices.len() > 4);
    }
}

#[test]
fn a_skeleton_that_sticks_out_is_linked() {
    let (positions, faces) = bar(0.5, 4.0, 4, 16);
    let body = Body::new(&positions, &faces, Some(&row(&[0.5, 3.5, 4.6], 5.5)), 150, 0.02);
    assert!(body.control.quality.linked > 0);
    let linked: Vec<u32> = body.control.links.iter().flat_map(|&(a, b)| [a, b]).collect();
    assert!(linked.contains(&body.control.joints[2].unwrap()));
}

/// A face with three corners on bones could not give way to a bone that moves through it.
#[test]
fn bones_have_room_between_them() {
    let body = Body::of(&sinew::demo::character(), 700, 0.008);
    let control = &body.control;
    let mut is_bone = vec![false; control.positions.len()];
    control.bones.iter().flat_map(|bone| &bone.vertices).for_each(|&v| is_bone[v as usize] = true);
    let on_bones = control.tetrahedra.iter().map(|t| t.iter().filter(|&&v| is_bone[v as usize]).count());
    assert_eq!(on_bones.max(), Some(2), "two ends of one segment");
    assert!(control.quality.least >= SLIVER, "{:?}", control.quality);
}
