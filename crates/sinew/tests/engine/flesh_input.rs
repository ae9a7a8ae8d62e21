//! Skins and skeletons that flesh cannot fill: refused, or filled in a way that a warning states.

use glam::{DQuat, DVec3, Vec3};
use sinew::deform::flesh::FleshBones;
use sinew::geometry::{Face, Mesh};
use sinew::recipe::{Fineness, Recipe};
use sinew::rig::{Binding, Character, Influence, Joint, JointKind, Part, Skeleton, Weights};
use sinew::{Stack, Surface, Time};

fn recipe() -> Recipe {
    let mut recipe = Recipe::default();
    recipe.flesh.fineness = Fineness::Interactive;
    recipe
}

/// The mesh of the cylinder: radius 0.1, from z = −1 to 1.
fn cylinder() -> Mesh {
    sinew::demo::cylinder().parts.remove(0).mesh
}

/// A mesh on the cylinder's skeleton, which has joints at z = −1, 0 and 1. The first carries what lies below 0, the last
/// what lies above.
fn on_cylinder_joints(mesh: Mesh) -> Character {
    let mut character = sinew::demo::cylinder();
    let mut weights = Weights::default();
    for place in &mesh.positions {
        weights.push([Influence { joint: if place.z < 0.0 { 0 } else { 2 }, weight: 1.0 }]);
    }
    character.parts[0].binding.weights = weights;
    character.parts[0].mesh = mesh;
    character
}

/// The cylinder with its points moved.
fn moved(place: impl Fn(Vec3) -> Vec3) -> Character {
    let mut mesh = cylinder();
    mesh.positions.iter_mut().for_each(|point| *point = place(*point));
    on_cylinder_joints(mesh)
}

/// A grid of quads along z, with the height of its points.
fn grid(name: &str, height: impl Fn(f32) -> f32) -> Mesh {
    let point = |k: u32| ((k % 11) as f32 * 0.02 - 0.1, (k / 11) as f32 * 0.1 - 1.0);
    let positions = (0..231).map(point).map(|(x, z)| Vec3::new(x, height(z), z)).collect();
    let faces = (0..20).flat_map(|i| (0..10).map(move |j| 11 * i + j));
    Mesh::new(name, positions, faces.map(|k| Face::quad(k, k + 1, k + 12, k + 11)).collect())
}

/// A box between two corners, with outward faces.
fn box_mesh(low: Vec3, high: Vec3) -> Mesh {
    let corner = |k: u32| Vec3::from_array([0, 1, 2].map(|axis| if k >> axis & 1 == 0 { low } else { high }[axis]));
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Mesh::new("box", (0..8).map(corner).collect(), faces.map(|[a, b, c, d]| Face::quad(a, b, c, d)).to_vec())
}

fn reversed(mesh: Mesh) -> Mesh {
    Mesh::new(mesh.name, mesh.positions, mesh.faces.iter().map(Face::reversed).collect())
}

/// Two meshes as one.
fn joined(a: &Mesh, b: &Mesh) -> Mesh {
    let first = a.positions.len() as u32;
    let faces = a.faces.iter().copied().chain(b.faces.iter().map(|face| face.map(|v| v + first)));
    Mesh::new(a.name.clone(), [&a.positions[..], &b.positions].concat(), faces.collect())
}

/// Triangles at random places, too small to cross one another.
fn scattered() -> Mesh {
    let mut state = 1u32;
    let mut number = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let mut place = |size: f32| size * (Vec3::new(number(), number(), number()) - 0.5);
    let triangle = |_| {
        let middle = place(2.0);
        [place(0.02), place(0.02), place(0.02)].map(|corner| middle + corner)
    };
    let positions = (0..300).flat_map(triangle).collect();
    Mesh::new("dust", positions, (0..300).map(|k| Face::triangle(3 * k, 3 * k + 1, 3 * k + 2)).collect())
}

fn refused(character: &Character, words: &[&str]) {
    let error = Stack::new(character, &recipe()).unwrap_err().to_string();
    assert!(words.iter().all(|word| error.contains(word)), "{error} has not {words:?}");
}

fn warnings(character: &Character) -> String {
    Stack::new(character, &recipe()).unwrap().warnings().collect::<Vec<_>>().join("\n")
}

/// Where points are, with the last joint turned about x.
fn bent(character: &Character, degrees: f64) -> Vec<Vec3> {
    let mut pose = character.rest_pose();
    pose.joints.last_mut().unwrap().rotation *= DQuat::from_rotation_x(degrees.to_radians());
    let mut surface = Surface::default();
    Stack::new(character, &recipe()).unwrap().deform(&pose, Time::alone(0.0), &mut surface);
    surface.positions
}

#[test]
fn a_skin_without_an_inside_is_refused() {
    let open = ["no inside", "close the surface"];
    for (mesh, edges) in
        [(grid("plane", |_| 0.0), 60), (grid("waves", |z| 0.02 * (20.0 * z).sin()), 60), (scattered(), 900)]
    {
        let words = [open[0], open[1], &format!("mesh \"{}\"", mesh.name), &format!("open along {edges} edges")];
        let character = on_cylinder_joints(mesh);
        refused(&character, &words);
        let bones = FleshBones::new(&character, &recipe().flesh).unwrap_err();
        assert_eq!(bones, Stack::new(&character, &recipe()).unwrap_err());
    }
    let corners = [[-0.1, 0.0, -1.0], [0.1, 0.0, -1.0], [0.1, 0.0, 1.0], [-0.1, 0.0, 1.0]].map(Vec3::from);
    let quad = Mesh::new("quad", corners.to_vec(), vec![Face::quad(0, 1, 2, 3)]);
    refused(&on_cylinder_joints(quad), &["mesh \"quad\"", "open along 4 edges"]);
    refused(&moved(|_| Vec3::ONE), &["mesh \"cylinder\"", "in one place"]);
    refused(&moved(|place| Vec3::Z * place.z), &["mesh \"cylinder\"", "in a line"]);
}

#[test]
fn a_flat_skin_is_refused() {
    refused(&moved(|p| Vec3::new(p.x, 1e-4 * p.y, p.z)), &["too thin for flesh", "bottom, top", "thickness"]);
    refused(&moved(|p| Vec3::new(p.x, 0.0, p.z)), &["no inside", "mesh \"cylinder\""]);
}

/// A tube that is flat from its middle on bends there as the skin does.
#[test]
fn a_flat_limb_follows_the_skin() {
    let mut tube = sinew::demo::tube();
    tube.parts[0].mesh.positions.iter_mut().for_each(|p| p.y *= if p.z < 4.0 { 1.0 } else { 1e-4 });
    let warnings = warnings(&tube);
    assert!(warnings.contains("too thin for bones") && warnings.contains("it follows the skin at bend"), "{warnings}");
    assert!(!warnings.contains("root"), "{warnings}");
}

/// Shells that are inside out have the shape of those that are not, and a cavity stays one.
#[test]
fn a_skin_that_is_inside_out_is_turned_round() {
    let mut beside = cylinder();
    beside.positions.iter_mut().for_each(|place| place.x += 0.25);
    let turned = [reversed(cylinder()), joined(&cylinder(), &reversed(beside.clone()))];
    for (mesh, right) in turned.into_iter().zip([cylinder(), joined(&cylinder(), &beside)]) {
        let (turned, right) = (on_cylinder_joints(mesh), on_cylinder_joints(right));
        let warnings = warnings(&turned);
        assert!(warnings.contains("mesh \"cylinder\" are inside out"), "{warnings}");
        assert_eq!(bent(&turned, 20.0), bent(&right, 20.0));
    }
    let hole = reversed(box_mesh(Vec3::new(0.05, -0.02, 0.2), Vec3::new(0.08, 0.02, 0.3)));
    assert_eq!(warnings(&on_cylinder_joints(joined(&cylinder(), &hole))), "");
}

#[test]
fn a_sheet_beside_flesh_gets_a_warning() {
    let mut character = on_cylinder_joints(cylinder());
    character.parts.push(on_cylinder_joints(grid("cape", |_| 0.15)).parts.remove(0));
    let warnings = warnings(&character);
    assert!(warnings.contains("mesh \"cape\" have no inside") && !warnings.contains("cylinder"), "{warnings}");
}

#[test]
fn bones_outside_the_skin_are_refused() {
    for away in [0.3, 100.0] {
        refused(&moved(|place| place + Vec3::X * away), &["no bone lies inside the skin", "in one place"]);
    }
}

#[test]
fn bones_without_a_length_get_a_warning() {
    let mut character = sinew::demo::tube();
    let mut joints = character.skeleton.joints().to_vec();
    (joints[1].rest.translation, joints[1].tip) = (DVec3::ZERO, None);
    character.skeleton = Skeleton::new(joints).unwrap().0;
    character.base_pose = character.skeleton.rest_pose();
    character.parts[0].binding.inverse_bind = character.skeleton.rest_world().iter().map(|m| m.inverse()).collect();
    character.clips.clear();
    let warnings = warnings(&character);
    assert!(warnings.contains("without a length") && warnings.ends_with("root"), "{warnings}");
    assert_eq!(self::warnings(&sinew::demo::tube()), "");
}

/// Eight points on one joint are flesh, unless it is a node, as in a file without a skeleton.
#[test]
fn a_skin_of_few_points_is_filled() {
    let mesh = box_mesh(Vec3::new(-0.4, -0.5, -0.5), Vec3::new(0.6, 0.5, 0.5));
    let (skeleton, _) = Skeleton::new(vec![Joint { name: "only".into(), ..Joint::default() }]).unwrap();
    let part = Part { node: 0, skinned: true, binding: Binding::rigid(0, mesh.positions.len()), mesh };
    let mut character =
        Character { base_pose: skeleton.rest_pose(), skeleton, parts: vec![part], ..Character::default() };
    assert_eq!(warnings(&character), "");
    let node = Joint { name: "only".into(), kind: JointKind::Node, ..Joint::default() };
    character.skeleton = Skeleton::new(vec![node]).unwrap().0;
    refused(&character, &["no joint carries any of the skin", "sinew bind"]);
}

#[test]
fn a_skin_that_is_not_finite_is_refused() {
    refused(&moved(|place| if place.z < 0.99 { place } else { Vec3::NAN }), &["mesh \"cylinder\"", "not finite"]);
}

/// Points that no face has stay where the skin has them.
#[test]
fn points_without_faces_do_no_harm() {
    let open = Mesh { faces: cylinder().faces.into_iter().filter(Face::is_quad).collect(), ..cylinder() };
    let places = open.positions.clone();
    let character = on_cylinder_joints(Mesh::new("cylinder", open.positions, open.faces));
    let farthest = bent(&character, 0.0).iter().zip(&places).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(farthest < 1e-5, "{farthest}");
}
