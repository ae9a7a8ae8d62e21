//! Weight transfer from a rigged mesh: for levels of detail, clothes, and remodelled characters.
//!
//! 1. A vertex of the target with a *match* on the source, close by and with a similar normal, has the source's weights
//!    at that point.
//! 2. All others are inpainted smoothly from those around them on the target.
//! 3. Components of the target without any match have the weights of the nearest point, independent of its normal.
//!
//! So every vertex has weights that sum to one. Coincident vertices have the same weights, even in different meshes;
//! between them weights vary continuously. The first two steps are those of R. Abdrashitov et al., *Robust skin weights
//! transfer via weight inpainting*, 2023, with another definition of a match and another energy; `matching` and
//! `inpaint` have the reasons.
//!
//! [`bind_from`] makes a whole character: the source's skeleton and motions, the target's meshes.
//! Cost: `O(n log m)` for matching, and one sparse factorisation for each gap.

mod bind_from;
mod inpaint;
mod matching;
mod rig_surface;
mod welded_surface;

pub use bind_from::{TransferReport, bind_from};

use crate::{Error, Result};
use glam::Vec3;
use inpaint::{WeightRow, inpaint};
use matching::MatchSource;
use sinew_geometry::parallel::*;
use sinew_geometry::{Face, SurfaceLaplacian};
use sinew_rig::{Influence, Weights};
use welded_surface::WeldedSurface;

/// The limits of a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TransferOptions {
    /// The largest distance of a vertex from its match, relative to the diagonal of the target's bounding box (of the
    /// part's, where [`bind_from`] pairs parts). One twentieth of a person is a loose coat; farther away the weights of
    /// neighbours are more reliable.
    pub max_distance: f64,
    /// The largest angle between the normals of a vertex and its match, below 90. On a coarse level of detail normals
    /// differ by half the angle between faces, so the default is generous; surfaces that touch differ by 180.
    pub max_angle_degrees: f64,
}

impl Default for TransferOptions {
    fn default() -> Self {
        Self { max_distance: 0.05, max_angle_degrees: 60.0 }
    }
}

impl TransferOptions {
    fn check(&self) -> Result<()> {
        if !(0.0..=f64::MAX).contains(&self.max_distance) {
            let what = "the largest distance of a match, as a share of the diagonal,";
            return Err(sinew_geometry::Error::OutOfRange {
                what,
                value: self.max_distance,
                range: "zero or more and finite",
            }
            .into());
        }
        if !(0.0..=90.0).contains(&self.max_angle_degrees) {
            let what = "the largest angle of a match, in degrees,";
            return Err(sinew_geometry::Error::OutOfRange {
                what,
                value: self.max_angle_degrees,
                range: "from 0 to 90",
            }
            .into());
        }
        Ok(())
    }
}

/// A rigged surface, in the space that it shares with the target.
#[derive(Debug, Clone, Copy)]
pub struct WeightedSurface<'a> {
    /// The positions of the vertices.
    pub positions: &'a [Vec3],
    /// The faces.
    pub faces: &'a [Face],
    /// The weights of each vertex.
    pub weights: &'a Weights,
    /// The share of dual-quaternion against linear skinning at each vertex.
    pub dual_quaternion_share: Option<&'a [f32]>,
}

impl WeightedSurface<'_> {
    fn check(&self) -> Result<()> {
        let count = self.positions.len();
        let length = |what: &str, found| sinew_geometry::Error::check_len("source", what, found, count);
        length("the list of weights", self.weights.len())?;
        length("the list of dual-quaternion shares", self.dual_quaternion_share.map_or(count, <[_]>::len))?;
        check_geometry("source", self.positions, self.faces)?;
        if let Some(vertex) = self.weights.rows().position(|row| row.iter().any(|i| !i.weight.is_finite())) {
            return Err(sinew_rig::Error::WeightNotFinite { mesh: "source".into(), vertex }.into());
        }
        let is_weightless = |vertex: &usize| self.weights.row(*vertex).iter().all(|i| i.weight <= 0.0);
        let corners = || self.faces.iter().flat_map(Face::corners).map(|&v| v as usize);
        match corners().find(is_weightless) {
            Some(vertex) => Err(sinew_rig::Error::Weightless {
                mesh: "source".into(),
                vertex,
                count: (0..count).filter(is_weightless).count(),
            }
            .into()),
            None => Ok(()),
        }
    }
}

/// Transferred weights. The three counts add up to the number of vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct Transferred {
    /// For each vertex of the target, over the joints of the source; joints in increasing order.
    pub weights: Weights,
    /// For each vertex of the target, where the source has it.
    pub dual_quaternion_share: Option<Vec<f32>>,
    /// Vertices with a match.
    pub matched: usize,
    /// Inpainted vertices.
    pub inpainted: usize,
    /// Vertices of components without any match, which have the nearest weights.
    pub nearest_only: usize,
}

/// Transfers weights to a surface of any topology from another in the same position.
///
/// ```
/// use sinew_bind::weight_transfer::{TransferOptions, WeightedSurface, transfer};
///
/// let tube = sinew_demo::tube();
/// let (mesh, binding) = (&tube.parts[0].mesh, &tube.parts[0].binding);
/// let source = WeightedSurface {
///     positions: &mesh.positions,
///     faces: &mesh.faces,
///     weights: &binding.weights,
///     dual_quaternion_share: None,
/// };
/// let sleeve: Vec<_> = mesh.positions.iter().zip(&mesh.normals).map(|(p, n)| p + 0.02 * n).collect();
/// let result = transfer(&source, &sleeve, &mesh.faces, &TransferOptions::default())?;
/// assert_eq!(result.matched, sleeve.len());
/// # Ok::<(), sinew_bind::Error>(())
/// ```
pub fn transfer(
    source: &WeightedSurface<'_>,
    positions: &[Vec3],
    faces: &[Face],
    options: &TransferOptions,
) -> Result<Transferred> {
    options.check()?;
    source.check()?;
    check_geometry("target", positions, faces)?;
    let source = MatchSource::new(source).ok_or(Error::NothingToTransfer)?;
    let target = WeldedSurface::new(positions, faces);
    let matches = source.matches(&target, options);
    let row = |hit: &Option<_>| hit.as_ref().map(|hit| source.row(hit));
    let mut rows: Vec<Option<WeightRow>> = matches.accepted.par_iter().map(row).collect();
    if rows.iter().any(Option::is_none) {
        inpaint(&SurfaceLaplacian::new(&target.positions, &target.faces), &mut rows)?;
    }
    let mut transferred = Transferred {
        weights: Weights::with_capacity(positions.len(), 4 * positions.len()),
        dual_quaternion_share: source.has_share().then(|| Vec::with_capacity(positions.len())),
        matched: 0,
        inpainted: 0,
        nearest_only: 0,
    };
    for vertex in (0..positions.len()).map(|vertex| target.welded_vertex(vertex)) {
        match (&matches.accepted[vertex], &rows[vertex]) {
            (Some(_), _) => transferred.matched += 1,
            (None, Some(_)) => transferred.inpainted += 1,
            (None, None) => transferred.nearest_only += 1,
        }
        let nearest = || source.row(&matches.nearest[vertex]);
        let row = rows[vertex].as_ref().map_or_else(nearest, Clone::clone);
        let (joints, share) = source.split(&row);
        let sum: f64 = joints.iter().map(|(_, weight)| weight).sum();
        let influence = |&(joint, weight): &(u32, f64)| Influence { joint, weight: (weight / sum) as f32 };
        transferred.weights.push(joints.iter().map(influence));
        if let Some(list) = &mut transferred.dual_quaternion_share {
            list.push(share as f32);
        }
    }
    Ok(transferred)
}

fn check_geometry(mesh: &str, positions: &[Vec3], faces: &[Face]) -> Result<()> {
    let count = positions.len();
    if let Some(vertex) = positions.iter().position(|p| !p.is_finite()) {
        return Err(sinew_geometry::Error::VertexNotFinite { mesh: mesh.into(), what: "the position", vertex }.into());
    }
    for (face, corners) in faces.iter().enumerate() {
        if let Some(&vertex) = corners.corners().iter().find(|&&v| v as usize >= count) {
            return Err(sinew_geometry::Error::FaceOutOfRange { mesh: mesh.into(), face, vertex, count }.into());
        }
    }
    Ok(())
}
