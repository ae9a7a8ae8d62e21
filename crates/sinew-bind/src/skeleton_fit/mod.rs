//! Placement of a humanoid or quadruped skeleton inside an unrigged surface.
//!
//! [`fit`] places a template skeleton into an upright body, as a starting point. The steps, each a module:
//!
//! ```text
//! symmetry_plane       the plane that mirrors left to right, and the body's axes
//! occupancy_grid       the cells inside the surface, by winding number, in these axes
//! torso, arm, leg, …   slices and centre lines of trunk and limbs, with joints on them
//! ```
//!
//! Lengths are measured in the body's axes and relative to its size, so that the result rotates, moves and scales with the
//! surface. The cost is that of up to 128 × 128 lines through the surface.

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

/// Cells along the longest side of the body. A cell is 14 mm of a body of 1.75 m, about the width of a finger.
const CELLS_ALONG_LONGEST_SIDE: f64 = 128.0;
/// The largest number of cells; bulky bodies get coarser cells, since their limbs are bulky too. It bounds time; a body
/// of 128 cells in height reaches it at 68 in width and depth. Not tuned.
const MAX_CELLS: f64 = 6e5;
/// Components with a smaller fraction of the inside are accessories, not limbs. Not tuned.
const MIN_LIMB_FRACTION: f64 = 0.002;

/// The kind of body to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
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
    /// Guesses, a sentence each.
    pub warnings: Vec<String>,
}

/// Places a template's joints into a surface, given as positions and faces of all its parts, with the direction `up`.
/// "Left" is the body's own left.
///
/// Parts may be open, overlap, or be separate; faces with corners that are not finite are ignored.
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
/// If a face has a vertex out of range, if nothing is enclosed, or if a limb of the template is not found.
pub fn fit(positions: &[Vec3], faces: &[Face], template: Template, up: DVec3) -> Result<Fitted> {
    let up = up.try_normalize().ok_or(sinew_rig::Error::NoUp)?;
    let faces = finite_faces(positions, faces)?;
    let axes = BodyAxes::new(positions, &faces, up, template).ok_or(Error::NothingEnclosed)?;
    let body = BodyInterior::new(positions, &faces, &axes).ok_or(Error::NothingEnclosed)?;
    let (mut joints, warnings) = match template {
        Template::Humanoid => humanoid::fit(&body)?,
        Template::Quadruped => quadruped::fit(&body)?,
    };
    for joint in &mut joints {
        (joint.head, joint.tail) = (axes.to_world(joint.head), axes.to_world(joint.tail));
    }
    Ok(Fitted { joints, warnings })
}

/// The interior of a body in its own axes.
struct BodyInterior {
    grid: OccupancyGrid,
    /// The default sign of z for the front, by the conventions of files, if the shape is ambiguous.
    default_front: f64,
}

impl BodyInterior {
    fn new(positions: &[Vec3], faces: &[Face], axes: &BodyAxes) -> Option<Self> {
        let local = axes.to_local(positions);
        let [low, high] = bounds(&local, faces)?;
        let cell = f64::max(1.0 / CELLS_ALONG_LONGEST_SIDE, ((high - low).element_product() / MAX_CELLS).cbrt());
        let mut grid = OccupancyGrid::new(&local, faces, [low, high], cell);
        let components = grid.components(|cell| grid.inside[cell]);
        let total: usize = components.iter().map(Vec::len).sum();
        let is_accessory = |component: &&Vec<usize>| (component.len() as f64) < MIN_LIMB_FRACTION * total as f64;
        for &cell in components.iter().filter(is_accessory).flatten() {
            grid.inside[cell] = false;
        }
        // glTF characters face +z with y up, Blender's −y with z up.
        let conventional_front = DVec3::Z - DVec3::Y;
        let default_front = if axes.axes.z_axis.dot(conventional_front) < 0.0 { -1.0 } else { 1.0 };
        (total > 0).then_some(Self { grid, default_front })
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

/// The error for a body part that was not found.
fn missing(part: &'static str) -> Error {
    Error::NotFound { part }
}
