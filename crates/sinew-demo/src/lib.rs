//! Demo characters: a figure built by code, without a file or a scan, and two simple shapes.
//!
//! [`character`] is a sculptor's mannequin of 1.75 m, in metres, Y up, facing +Z, feet on y = 0. Its
//! left half is a coarse cage of quads, rings of points around the trunk and the limbs with the weights of
//! each ring (`torso`, `head`, `arm`, `hand`, `leg`). The cage is mirrored, subdivided twice with its weights,
//! and mirrored again, so that it is symmetric to the last bit. The arms hang at 45°, halfway between down and
//! level, as in most scans and in MakeHuman's figures. This leaves the shoulders room in both directions.
//!
//! [`tube`] and [`cylinder`] are the shapes of published figures and tables.

mod arm;
mod cage;
mod clips;
mod gestures;
mod hand;
mod head;
mod landmarks;
mod leg;
mod poser;
mod section;
mod shapes;
mod skeleton;
mod torso;
mod walk;
mod weights;

pub use shapes::{cylinder, tube};

use cage::Cage;
use sinew_geometry::{Mesh, Topology};
use sinew_rig::{Binding, Character, Clip, Part, Skeleton, Weights};

/// The figure with its clips "elbow curl", "knee bend", "twist" and "walk".
///
/// The surface is closed, of one piece and all quads; every vertex has at most four influences.
///
/// ```
/// let figure = sinew_demo::character();
/// let body = &figure.parts[0].mesh;
/// assert!(body.faces.iter().all(|face| face.is_quad()));
/// assert!(figure.find_clip("walk").is_some());
/// ```
pub fn character() -> Character {
    let skeleton = skeleton::skeleton();
    let (mesh, weights) = left_half(&skeleton).surface("body");
    let clips = clips::clips(&skeleton);
    bound("mannequin", mesh, weights, skeleton, clips)
}

/// The cage of the figure's left half.
fn left_half(skeleton: &Skeleton) -> Cage<'_> {
    let mut cage = Cage::new(skeleton);
    let openings = torso::grow(&mut cage);
    head::grow(&mut cage, openings.neck);
    leg::grow(&mut cage, openings.leg);
    let wrist = arm::grow(&mut cage, openings.arm);
    hand::grow(&mut cage, wrist);
    cage
}

/// A mesh bound to a skeleton in their present positions.
fn bound(name: &str, mut mesh: Mesh, weights: Weights, skeleton: Skeleton, clips: Vec<Clip>) -> Character {
    mesh.compute_normals(&Topology::new(&mesh.positions, &mesh.faces));
    let binding = Binding {
        joints: (0..skeleton.len()).collect(),
        inverse_bind: skeleton.rest_world().iter().map(|m| m.inverse()).collect(),
        weights,
        dual_quaternion_share: None,
    };
    let base_pose = skeleton.rest_pose();
    let part = Part { node: 0, skinned: true, mesh, binding };
    Character { name: name.into(), skeleton, base_pose, parts: vec![part], clips }
}
