//! Local refinement: what must hold for any surface and any selection, and what becomes of a character.

use glam::{DAffine3, DQuat, Vec2, Vec3, Vec4};
use proptest::prelude::*;
use sinew::Time;
use sinew::deform::skinning::SkinMethod;
use sinew::geometry::refine::{Origin, local_step};
use sinew::geometry::subdivide::catmull_clark;
use sinew::geometry::volume::closed_volume;
use sinew::geometry::{Attribute, Face, Mesh, MorphTarget, Primitive, Topology};
use sinew::recipe::{Recipe, SkinOptions};
use sinew::rig::Error;
use sinew::rig::{Binding, Character, Influence, Joint, Part, Pose, Skeleton, Weights, refined};
use sinew::{Stack, Surface, demo};

/// A closed drum: walls of quads, every other ring of them cut into triangles, and fans as caps.
fn drum(rings: u32, around: u32) -> (Vec<Vec3>, Vec<Face>) {
    let mut positions = Vec::new();
    for ring in 0..rings {
        for k in 0..around {
            let angle = (k as f32 + 0.1 * ring as f32) / around as f32 * std::f32::consts::TAU;
            let radius = 1.0 + 0.2 * (ring as f32).sin();
            positions.push(Vec3::new(radius * angle.cos(), radius * angle.sin(), 0.6 * ring as f32));
        }
    }
    positions.extend([Vec3::new(0.0, 0.0, -0.3), Vec3::new(0.0, 0.0, 0.6 * rings as f32 - 0.3)]);
    let at = |ring: u32, k: u32| ring * around + k % around;
    let mut faces = Vec::new();
    for (ring, k) in (0..rings - 1).flat_map(|ring| (0..around).map(move |k| (ring, k))) {
        let (a, b, c, d) = (at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k));
        if ring % 2 == 1 {
            faces.extend([Face::triangle(a, b, c), Face::triangle(a, c, d)]);
        } else {
            faces.push(Face::quad(a, b, c, d));
        }
    }
    for k in 0..around {
        faces.push(Face::triangle(rings * around, at(0, k + 1), at(0, k)));
        faces.push(Face::triangle(rings * around + 1, at(rings - 1, k), at(rings - 1, k + 1)));
    }
    (positions, faces)
}

/// A torus of triangles, six around each vertex.
fn triangle_torus(rings: u32, around: u32) -> Vec<Face> {
    let at = |r: u32, k: u32| r % rings * around + k % around;
    let cell = |(r, k)| {
        let (a, b, c, d) = (at(r, k), at(r, k + 1), at(r + 1, k + 1), at(r + 1, k));
        [Face::triangle(a, b, c), Face::triangle(a, c, d)]
    };
    (0..rings).flat_map(|r| (0..around).map(move |k| (r, k))).flat_map(cell).collect()
}

/// Vertices − edges + faces.
fn euler(topology: &Topology) -> isize {
    let corners: usize = topology.faces().iter().map(|face| face.corners().len()).sum();
    let edges = (corners + topology.boundary_edges()) / 2;
    topology.welded_count() as isize - edges as isize + topology.faces().len() as isize
}

fn topology(mesh: &Mesh) -> Topology {
    Topology::new(&mesh.positions, &mesh.faces)
}

fn triangulated(character: &Character) -> Character {
    let mut character = character.clone();
    for part in &mut character.parts {
        let triangles = part.mesh.faces.iter().flat_map(Face::triangles);
        part.mesh.faces = triangles.map(|[a, b, c]| Face::triangle(a, b, c)).collect();
        part.mesh.primitives[0].faces = 0..part.mesh.faces.len();
    }
    character
}

#[test]
fn a_surface_of_selected_quads_is_catmull_clarks() {
    let mesh = &demo::character().parts[0].mesh;
    let expected = catmull_clark(mesh.positions.len(), &mesh.faces);
    let step = local_step(mesh.positions.len(), &mesh.faces, &vec![true; mesh.faces.len()]);
    assert_eq!(step.faces(), expected.faces());
    assert_eq!(step.interpolation().apply(&mesh.positions), expected.apply(&mesh.positions));
}

#[test]
fn a_surface_of_selected_triangles_is_loops() {
    let faces = triangle_torus(5, 6);
    let step = local_step(30, &faces, &[true; 60]);
    assert_eq!((step.faces().len(), step.interpolation().len()), (4 * 60, 30 + 90));
    assert!(step.faces().iter().all(|face| !face.is_quad()));
    for vertex in 0..step.interpolation().len() {
        let row = step.interpolation().row(vertex);
        let mut shares: Vec<f32> = row.iter().map(|(_, share)| 16.0 * share).collect();
        shares.sort_by(f32::total_cmp);
        if vertex < 30 {
            assert_eq!(shares, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 10.0]);
            assert!(row.contains(&(vertex as u32, 10.0 / 16.0)));
        } else {
            assert_eq!(shares, [2.0, 2.0, 6.0, 6.0]);
            let Origin::Edge(a, b) = step.origins()[vertex - 30] else { panic!("a triangle has no middle point") };
            assert!(row.contains(&(a, 0.375)) && row.contains(&(b, 0.375)));
        }
    }
}

/// β is 3/16 for three triangles around a vertex and 3/(8n) for more.
#[test]
fn irregular_vertices_of_triangles_follow_warrens_rule() {
    let tetrahedron = [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)].map(|(a, b, c)| Face::triangle(a, b, c));
    let step = local_step(4, &tetrahedron, &[true; 4]);
    assert_eq!(step.interpolation().row(0)[0], (0, 7.0 / 16.0));
    assert!(step.interpolation().row(0)[1..].iter().all(|(_, share)| *share == 3.0 / 16.0));

    let octahedron: Vec<Face> =
        (0..4).flat_map(|k| [Face::triangle(k, (k + 1) % 4, 4), Face::triangle((k + 1) % 4, k, 5)]).collect();
    let step = local_step(6, &octahedron, &[true; 8]);
    assert_eq!(step.interpolation().row(4)[0], (4, 10.0 / 16.0));
    assert!(step.interpolation().row(4)[1..].iter().all(|(_, share)| *share == 3.0 / 32.0));
}

#[test]
fn an_edge_between_a_triangle_and_a_quad_takes_from_both() {
    // A cube with a pyramid in place of its lid: vertex 8 above 4 5 6 7.
    let mut faces = vec![Face::quad(3, 2, 1, 0)];
    for k in 0..4 {
        let next = (k + 1) % 4;
        faces.extend([Face::quad(k, next, 4 + next, 4 + k), Face::triangle(4 + k, 4 + next, 8)]);
    }
    let step = local_step(9, &faces, &[true; 9]);
    let edge = step.origins().iter().position(|origin| *origin == Origin::Edge(4, 5)).unwrap();
    let mut row = step.interpolation().row(9 + edge).to_vec();
    row.sort_by_key(|(vertex, _)| *vertex);
    assert_eq!(row, [(0, 0.0625), (1, 0.0625), (4, 0.375), (5, 0.375), (8, 0.125)]);
    for vertex in 4..8 {
        let row = step.interpolation().row(vertex);
        let sum: f32 = row.iter().map(|(_, share)| share).sum();
        assert!((sum - 1.0).abs() < 1e-6 && row.iter().all(|(_, share)| *share > 0.0), "{row:?}");
    }
}

#[test]
fn a_border_stays() {
    let faces = [Face::quad(0, 1, 4, 3), Face::quad(1, 2, 5, 4)];
    let step = local_step(6, &faces, &[true; 2]);
    for vertex in 0..6 {
        assert_eq!(step.interpolation().row(vertex), [(vertex as u32, 1.0)]);
    }
    for (vertex, origin) in (6..).zip(step.origins()) {
        match *origin {
            Origin::Edge(1, 4) => assert_eq!(step.interpolation().row(vertex).len(), 6),
            Origin::Edge(a, b) => assert_eq!(step.interpolation().row(vertex), [(a, 0.5), (b, 0.5)]),
            Origin::Face(_) => assert_eq!(step.interpolation().row(vertex).len(), 4),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_closed_surface_stays_closed_for_any_selection(
        (rings, around) in (2u32..6, 3u32..9),
        choices in prop::collection::vec(prop::collection::vec(any::<bool>(), 400), 1..3),
        share in 0.0..1.0f64,
    ) {
        let (mut positions, mut faces) = drum(rings, around);
        for choice in choices {
            let mut selected: Vec<bool> = choice.iter().cycle().take(faces.len()).copied().collect();
            selected.iter_mut().skip((share * faces.len() as f64) as usize).for_each(|s| *s = false);
            let step = local_step(positions.len(), &faces, &selected);
            for vertex in 0..step.interpolation().len() {
                let row = step.interpolation().row(vertex);
                let sum: f32 = row.iter().map(|(_, share)| share).sum();
                prop_assert!((sum - 1.0).abs() < 1e-6 && row.iter().all(|(_, share)| *share > 0.0));
            }
            let refined = step.interpolation().apply(&positions);
            let topology = Topology::new(&refined, step.faces());
            prop_assert!(topology.is_closed());
            prop_assert_eq!((topology.shells(), euler(&topology)), (1, 2));
            prop_assert_eq!(topology.welded_count(), refined.len(), "every vertex has a place of its own");
            for (index, face) in faces.iter().enumerate() {
                let children = &step.faces()[step.children(index)];
                if selected[index] {
                    prop_assert_eq!(children.len(), 4);
                }
                if children.len() < 4 {
                    prop_assert!(face.corners().iter().all(|&v| refined[v as usize] == positions[v as usize]));
                }
                let is_beside = |other: &Face| face.corners().iter().filter(|v| other.corners().contains(v)).count() > 1;
                if !faces.iter().zip(&selected).any(|(other, selected)| *selected && is_beside(other)) {
                    prop_assert_eq!(children, &[*face]);
                }
            }
            (positions, faces) = (refined, step.faces().to_vec());
        }
    }
}

fn deform(character: &Character, method: SkinMethod, pose: &Pose) -> Vec<Vec3> {
    let recipe = Recipe { skin: SkinOptions { method }, ..Recipe::default() };
    let mut surface = Surface::default();
    Stack::new(character, &recipe).unwrap().deform(pose, Time::default(), &mut surface);
    surface.positions
}

/// What must hold of any refined character of one closed part.
fn assert_refined(before: &Character, after: &Character, steps: i32) {
    after.check().unwrap();
    let (old, new) = (&before.parts[0], &after.parts[0]);
    let (old_topology, new_topology) = (topology(&old.mesh), topology(&new.mesh));
    assert_eq!(new.mesh.own_vertices(), old.mesh.own_vertices());
    assert!(old_topology.is_closed() && new_topology.is_closed());
    assert_eq!(euler(&new_topology), euler(&old_topology));
    assert_eq!(new_topology.shells(), old_topology.shells());
    let volume = |topology: &Topology, part: &Part| closed_volume(topology, &part.mesh.positions).unwrap();
    let ratio = volume(&new_topology, new) / volume(&old_topology, old);
    assert!((0.99..1.001).contains(&ratio), "{ratio}");
    let smallest_area = |mesh: &Mesh| {
        let triangles = mesh.faces.iter().flat_map(Face::triangles).map(|t| t.map(|v| mesh.positions[v as usize]));
        triangles.map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).fold(f32::MAX, f32::min)
    };
    let shrinkage = smallest_area(&new.mesh) / smallest_area(&old.mesh);
    assert!(shrinkage > 0.1 / 4f32.powi(steps), "{shrinkage}");
    let (low, high) = new.binding.weights.sum_range();
    assert!(low > 1.0 - 2e-6 && high < 1.0 + 2e-6, "{low} to {high}");
    assert!(new.binding.weights.rows().flatten().all(|i| i.weight > 0.0));
    assert!(new.mesh.normals.iter().all(|n| n.is_normalized()));
}

#[test]
fn the_tube_is_finer_at_its_bend_and_the_same_elsewhere() {
    for tube in [demo::tube(), triangulated(&demo::tube())] {
        let old = &tube.parts[0];
        let selected = |_: usize, vertex: usize| (old.mesh.positions[vertex].z - 5.0).abs() < 1.0;
        let finer = refined(&tube, selected, 2).unwrap();
        assert_refined(&tube, &finer, 2);
        let new = &finer.parts[0];
        for (vertex, position) in old.mesh.positions.iter().enumerate() {
            if (position.z - 5.0).abs() > 1.15 {
                assert_eq!(new.mesh.positions[vertex], *position);
                assert_eq!(new.mesh.normals[vertex], old.mesh.normals[vertex]);
                assert_eq!(new.binding.weights.row(vertex), old.binding.weights.row(vertex));
            }
        }
        assert!(new.mesh.positions[old.mesh.positions.len()..].iter().all(|p| (p.z - 5.0).abs() < 1.25));
        let far = |mesh: &Mesh| {
            let is_far = |v: &u32| (mesh.positions[*v as usize].z - 5.0).abs() > 1.25;
            mesh.faces.iter().filter(|face| face.corners().iter().any(is_far)).copied().collect::<Vec<_>>()
        };
        assert_eq!(far(&new.mesh), far(&old.mesh));
        // The ring at the bend: 48 vertices around, four times as many after two steps.
        let ring = new.mesh.positions.iter().filter(|p| (p.z - 5.0).abs() < 1e-5).count();
        assert_eq!(ring, 4 * 48);

        let mut pose = finer.rest_pose();
        pose.joints[1].rotation = DQuat::from_rotation_y(1.2);
        for method in SkinMethod::ALL {
            let posed = deform(&finer, method, &pose);
            assert!(Topology::new(&posed, &new.mesh.faces).is_closed());
        }
    }
}

#[test]
fn weights_follow_the_surface() {
    let tube = demo::tube();
    let finer = refined(&tube, |_, vertex| (tube.parts[0].mesh.positions[vertex].z - 5.0).abs() < 1.5, 1).unwrap();
    let Part { mesh, binding, .. } = &finer.parts[0];
    for (vertex, position) in mesh.positions.iter().enumerate().skip(mesh.own_vertices()) {
        let t = ((position.z - 4.0) / 2.0).clamp(0.0, 1.0);
        let smoothstep = t * t * (3.0 - 2.0 * t);
        let share = binding.weights.row(vertex).iter().filter(|i| i.joint == 1).map(|i| i.weight).sum::<f32>();
        assert!((share - smoothstep).abs() < 4e-3, "{share} at {}", position.z);
    }
}

#[test]
fn the_demo_character_stays_whole_in_motion() {
    for figure in [demo::character(), triangulated(&demo::character())] {
        let part = &figure.parts[0];
        let knee = figure.skeleton.find("LeftLeg").unwrap();
        let near = |_: usize, v: usize| part.binding.weights.row(v).iter().any(|i| i.joint == knee as u32);
        let finer = refined(&figure, near, 1).unwrap();
        assert_refined(&figure, &finer, 1);
        let clip = finer.find_clip("walk").unwrap();
        let mut pose = finer.rest_pose();
        clip.sample(0.4, &finer.base_pose, &mut pose);
        for method in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
            let posed = deform(&finer, method, &pose);
            assert!(Topology::new(&posed, &finer.parts[0].mesh.faces).is_closed());
        }
    }
}

/// A box with vertices of its own for each side, so every edge is a seam, with texture coordinates,
/// tangents, a morph target, and a material for each half of the sides.
fn hard_box() -> Character {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let mut mesh = Mesh::default();
    let mut texture = Vec::new();
    for side in 0..6 {
        let (k, sign) = (side % 3, if side < 3 { 1.0 } else { -1.0 });
        let (normal, u) = (sign * axes[k], axes[(k + 1) % 3]);
        let v = normal.cross(u);
        let first = mesh.positions.len() as u32;
        mesh.faces.push(Face::quad(first, first + 1, first + 2, first + 3));
        for corner in [Vec2::NEG_ONE, Vec2::new(1.0, -1.0), Vec2::ONE, Vec2::new(-1.0, 1.0)] {
            mesh.positions.push(normal + corner.x * u + corner.y * v);
            mesh.normals.push(normal);
            mesh.tangents.push(u.extend(sign));
            texture.extend([side as f32 + 0.5 + 0.4 * corner.x, 0.5 + 0.4 * corner.y]);
        }
    }
    mesh.attributes.push(Attribute { name: "TEXCOORD_0".into(), width: 2, values: texture });
    let half = |k: usize| Primitive { vertices: 12 * k..12 * k + 12, faces: 3 * k..3 * k + 3, material: Some(k) };
    mesh.primitives = vec![half(0), half(1)];
    let bulge = |p: &Vec3| Vec3::new(0.3 * p.y * p.z, p.x * 0.1, 0.01 * p.x * p.y);
    let positions = mesh.positions.iter().map(bulge).collect();
    mesh.morphs.push(MorphTarget { name: "bulge".into(), positions, ..MorphTarget::default() });

    let mut weights = Weights::default();
    for p in &mesh.positions {
        let upper = 0.5 + 0.3 * p.y + 0.1 * p.x;
        weights.push([Influence { joint: 0, weight: 1.0 - upper }, Influence { joint: 1, weight: upper }]);
    }
    let joint = |name: &str, parent| Joint { name: name.into(), parent, ..Joint::default() };
    let (skeleton, _) = Skeleton::new(vec![joint("lower", None), joint("upper", Some(0))]).unwrap();
    let share = mesh.positions.iter().map(|p| 0.5 + 0.25 * p.z).collect();
    let inverse_bind = vec![DAffine3::IDENTITY; 2];
    let binding = Binding { joints: vec![0, 1], inverse_bind, weights, dual_quaternion_share: Some(share) };
    let base_pose = Pose { morphs: vec![0.0], ..skeleton.rest_pose() };
    let parts = vec![Part { node: 0, skinned: true, mesh, binding }];
    Character { base_pose, skeleton, parts, ..Character::default() }
}

/// Every vertex with the others of its place.
fn twins(mesh: &Mesh) -> Vec<(usize, usize)> {
    let topology = topology(mesh);
    let first = |vertex: usize| topology.representatives()[topology.welded(vertex)] as usize;
    (0..mesh.positions.len()).map(|vertex| (vertex, first(vertex))).filter(|(a, b)| a != b).collect()
}

#[test]
fn seams_stay_seams_and_move_as_one() {
    let character = hard_box();
    for (selection, steps) in [(0..24, 2), (0..1, 2), (5..8, 3)] {
        let finer = refined(&character, |_, vertex| selection.contains(&vertex), steps).unwrap();
        finer.check().unwrap();
        let Part { mesh, binding, .. } = &finer.parts[0];
        let whole = topology(mesh);
        assert!(whole.is_closed());
        assert_eq!(euler(&whole), 2);
        let twins = twins(mesh);
        assert!(twins.len() > 16 + 8);
        let share = binding.dual_quaternion_share.as_ref().unwrap();
        for (a, b) in twins {
            assert_eq!(mesh.positions[a].to_array().map(f32::to_bits), mesh.positions[b].to_array().map(f32::to_bits));
            assert_eq!(binding.weights.row(a), binding.weights.row(b));
            assert_eq!(share[a].to_bits(), share[b].to_bits());
            assert_eq!(mesh.morphs[0].positions[a], mesh.morphs[0].positions[b]);
            assert_ne!(mesh.normals[a], mesh.normals[b]);
        }
        // Each side keeps its own piece of the texture, its normal and its tangents.
        let texture = &mesh.attributes[0].values;
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            for face in &mesh.faces[primitive.faces.clone()] {
                let side = texture[2 * face.corners()[0] as usize].floor();
                assert_eq!(side as usize / 3, number);
                for &v in face.corners() {
                    let v = v as usize;
                    assert!((side + 0.09..side + 0.91).contains(&texture[2 * v]));
                    let sign = if number == 0 { 1.0 } else { -1.0 };
                    let axis = [Vec3::X, Vec3::Y, Vec3::Z][side as usize % 3];
                    assert_eq!(mesh.normals[v], sign * axis);
                    let along = [Vec3::Y, Vec3::Z, Vec3::X][side as usize % 3];
                    assert_eq!(mesh.tangents[v], Vec4::from((along, sign)));
                }
            }
        }
        assert_eq!(mesh.primitives[0].vertices, 0..12);
        assert_eq!(mesh.primitives[1].vertices, 12..24);

        let mut pose = finer.rest_pose();
        pose.joints[1].rotation = DQuat::from_rotation_x(0.9);
        pose.morphs[0] = 0.7;
        for method in SkinMethod::ALL {
            assert!(Topology::new(&deform(&finer, method, &pose), &mesh.faces).is_closed(), "{method:?}");
        }
    }
}

#[test]
fn a_refined_morph_is_the_morph_refined() {
    let character = hard_box();
    let finer = refined(&character, |_, vertex| vertex < 12, 2).unwrap();
    let mut morphed = character.clone();
    let mesh = &mut morphed.parts[0].mesh;
    mesh.positions.iter_mut().zip(&mesh.morphs[0].positions).for_each(|(p, d)| *p += *d);
    let morphed = refined(&morphed, |_, vertex| vertex < 12, 2).unwrap();
    let mesh = &finer.parts[0].mesh;
    assert_eq!(mesh.faces, morphed.parts[0].mesh.faces);
    for (vertex, expected) in morphed.parts[0].mesh.positions.iter().enumerate() {
        assert!((mesh.positions[vertex] + mesh.morphs[0].positions[vertex]).abs_diff_eq(*expected, 1e-6));
    }
}

/// Lips that touch at rest and part in motion: two strips with one edge in one place.
#[test]
fn copies_that_move_apart_keep_their_own_weights() {
    let mut character = hard_box();
    let mut positions = Vec::new();
    for y in [1.0, 0.0, 0.0, -1.0] {
        positions.extend((0..4).map(|x| Vec3::new(x as f32, y, 0.0)));
    }
    let cell = |first: u32| (0..3).map(move |k| Face::quad(first + k + 4, first + k + 5, first + k + 1, first + k));
    let part = &mut character.parts[0];
    part.mesh = Mesh::new("lips", positions, cell(0).chain(cell(8)).collect());
    part.binding.weights = Weights::default();
    (0..16).for_each(|v| part.binding.weights.push([Influence { joint: v / 8, weight: 1.0 }]));
    part.binding.dual_quaternion_share = None;
    character.base_pose.morphs.clear();

    let finer = refined(&character, |_, _| true, 2).unwrap();
    let Part { mesh, binding, .. } = &finer.parts[0];
    let joint = |face: &Face| {
        let rows = face.corners().iter().map(|&v| binding.weights.row(v as usize));
        let joints: Vec<(u32, f32)> = rows.flatten().map(|i| (i.joint, i.weight)).collect();
        assert!(joints.iter().all(|j| *j == (joints[0].0, 1.0)), "{joints:?}");
        joints[0].0
    };
    let upper = mesh.faces.iter().filter(|face| joint(face) == 0).count();
    assert_eq!((upper, mesh.faces.len()), (48, 96));
}

#[test]
fn nothing_selected_is_nothing_changed() {
    let character = hard_box();
    assert_eq!(refined(&character, |_, _| false, 3).unwrap(), character);
    assert_eq!(refined(&character, |_, _| true, 0).unwrap(), character);
}

/// Faces that welding collapses are kept, and those around them refined.
#[test]
fn collapsed_faces_do_no_harm() {
    let (mut positions, mut faces) = drum(3, 5);
    let copy = positions.len() as u32;
    positions.push(positions[0]);
    faces.push(Face::triangle(0, copy, 1));
    faces.push(Face::triangle(0, 0, 1));
    let last = faces.iter().position(|face| !face.is_quad()).unwrap();
    let &[a, b, c] = faces[last].corners() else { panic!("a triangle") };
    faces[last] = Face::quad(a, if a == 0 { copy } else { a }, b, c);
    let mut character = hard_box();
    let part = &mut character.parts[0];
    part.binding = Binding::rigid(0, positions.len());
    part.mesh = Mesh::new("drum", positions, faces);
    character.base_pose.morphs.clear();
    let finer = refined(&character, |_, vertex| vertex < 3, 2).unwrap();
    finer.check().unwrap();
    assert!(topology(&finer.parts[0].mesh).is_closed());
    assert_eq!(euler(&topology(&finer.parts[0].mesh)), 2);
}

#[test]
fn endless_refinement_is_refused() {
    let mut character = hard_box();
    let (positions, faces) = drum(1300, 1000);
    let part = &mut character.parts[0];
    part.binding = Binding::rigid(0, positions.len());
    part.mesh = Mesh::new("drum", positions, faces);
    character.base_pose.morphs.clear();
    let problem = refined(&character, |_, _| true, 1).unwrap_err();
    assert!(matches!(problem, Error::TooFine { .. }));
    assert!(problem.to_string().contains("drum"), "{problem}");
}
