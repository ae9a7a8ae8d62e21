//! Where would the joints of a humanoid or a quadruped be inside an unrigged surface?
//!
//! [`fit`] places a template skeleton into a body that stands upright, good enough to start from. The
//! steps, each a module:
//!
//! ```text
//! frame       the plane that mirrors left to right
//! grid        the cells inside the surface, by winding number, in the body's own axes
//! torso, arm, leg, …   slices and centre lines of trunk and limbs, joints on them
//! ```
//!
//! Everything is measured in the body's own axes and in shares of its size, so that the result turns,
//! moves and scales with the surface. The cost is that of up to 128 × 128 lines through the surface.

mod arm;
mod centerline;
mod fingers;
mod four_legs;
mod humanoid;
mod leg;
mod occupancy_grid;
mod quadruped;
mod symmetry_plane;
mod torso;

use crate::{Error, Result};
use glam::{DVec3, Vec3};
use occupancy_grid::OccupancyGrid;
use sinew_geometry::Face;
use sinew_rig::PlacedJoint;
use symmetry_plane::{BodyAxes, bounds};

/// Cells along the longest side of the body.
const CELLS: f64 = 128.0;
/// Most cells of the box around a body; bulky bodies have bulky limbs.
const MOST_CELLS: f64 = 6e5;
/// Pieces of the inside with a smaller share of it are buttons and the like, not limbs.
const ISLAND: f64 = 0.002;

/// What kind of body is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// Upright, with two arms and two legs.
    Humanoid,
    /// On four legs, with a neck and perhaps a tail.
    Quadruped,
}

/// A skeleton placed into a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The joints, parents first.
    pub joints: Vec<PlacedJoint>,
    /// What was guessed, a sentence each.
    pub warnings: Vec<String>,
}

/// Places a template's joints into a surface, given as positions and faces of all its parts, that
/// stands along `up`. "Left" is the body's own left.
///
/// Parts may be open, overlap, or lie apart; faces with corners that are not finite are left out.
///
/// ```
/// use sinew_bind::skeleton_fit::{Template, fit};
///
/// let figure = sinew_demo::character();
/// let body = &figure.parts[0].mesh;
/// let fitted = fit(&body.positions, &body.faces, Template::Humanoid, glam::DVec3::Y)?;
/// let knee = fitted.joints.iter().find(|joint| joint.name == "LeftLeg").unwrap();
/// assert!(knee.head.distance(glam::DVec3::new(0.100, 0.490, 0.004)) < 0.05 * 1.75);
/// # Ok::<(), sinew_bind::Error>(())
/// ```
///
/// # Errors
/// If a face names a vertex that does not exist, if nothing is enclosed, or if limbs of the template
/// cannot be told apart.
pub fn fit(positions: &[Vec3], faces: &[Face], template: Template, up: DVec3) -> Result<Fitted> {
    let up = up.try_normalize().ok_or(sinew_rig::Error::NoUp)?;
    let faces = finite_faces(positions, faces)?;
    let frame = BodyAxes::new(positions, &faces, up, template).ok_or(Error::NothingEnclosed)?;
    let body = BodyInterior::new(positions, &faces, &frame).ok_or(Error::NothingEnclosed)?;
    let (mut joints, warnings) = match template {
        Template::Humanoid => humanoid::fit(&body)?,
        Template::Quadruped => quadruped::fit(&body)?,
    };
    for joint in &mut joints {
        (joint.head, joint.tail) = (frame.to_world(joint.head), frame.to_world(joint.tail));
    }
    Ok(Fitted { joints, warnings })
}

/// The inside of a body in its own axes.
struct BodyInterior {
    grid: OccupancyGrid,
    /// Which way along z is front where the body does not tell: the way that files usually have it.
    usual_front: f64,
}

impl BodyInterior {
    fn new(positions: &[Vec3], faces: &[Face], frame: &BodyAxes) -> Option<Self> {
        let local = frame.to_local(positions);
        let [low, high] = bounds(&local, faces)?;
        let cell = f64::max(1.0 / CELLS, ((high - low).element_product() / MOST_CELLS).cbrt());
        let mut grid = OccupancyGrid::new(&local, faces, [low, high], cell);
        let pieces = grid.pieces(|cell| grid.inside[cell]);
        let total: usize = pieces.iter().map(Vec::len).sum();
        let is_island = |piece: &&Vec<usize>| (piece.len() as f64) < ISLAND * total as f64;
        for &cell in pieces.iter().filter(is_island).flatten() {
            grid.inside[cell] = false;
        }
        // glTF's characters look along +z with y up, Blender's along −y with z up.
        let usual = DVec3::Z - DVec3::Y;
        let usual_front = if frame.axes.z_axis.dot(usual) < 0.0 { -1.0 } else { 1.0 };
        (total > 0).then_some(Self { grid, usual_front })
    }
}

/// The faces whose corners are finite.
fn finite_faces(positions: &[Vec3], faces: &[Face]) -> Result<Vec<Face>> {
    let count = positions.len();
    for (face, corners) in faces.iter().enumerate() {
        if let Some(&vertex) = corners.corners().iter().find(|&&v| v as usize >= count) {
            return Err(
                sinew_geometry::Error::FaceOutOfRange { mesh: "surface to fit".into(), face, vertex, count }.into()
            );
        }
    }
    let is_finite = |face: &&Face| face.corners().iter().all(|&v| positions[v as usize].is_finite());
    Ok(faces.iter().filter(is_finite).copied().collect())
}

/// The error that a part of the body was not found.
fn missing(part: &'static str) -> Error {
    Error::NotFound { part }
}
