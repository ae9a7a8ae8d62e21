//! A character bound to the rig of another.
//!
//! The skeleton, its base pose and the clips are the source's. The meshes are the target's, in world space at rest, and
//! all of them are skinned: `inverse_bindⱼ = Mⱼ⁻¹` with the rest transform `Mⱼ` of joint j. The new skins list every
//! joint of the source's skins, with or without weight, because readers take the rest pose from the inverse bind
//! matrices.
//!
//! A part of the target with the name and the position of a part of the source is a level of detail of that part, and
//! has weights from it alone: separate limbs end inside the trunk, and props overlap. All other parts have weights from
//! the whole source.

use super::rig_surface::{RigJoints, RigSurface};
use super::{TransferOptions, Transferred, transfer};
use crate::{Error, Result};
use sinew_rig::rest_surface;
use sinew_rig::{Binding, Character, Clip, Joint, JointKind, Part, Pose, Skeleton, Transform, Weights};
use std::collections::HashMap;
use std::ops::Range;

/// The report of a weight transfer. The first three counts add up to its number of vertices.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TransferReport {
    /// Vertices with a match on the source.
    pub matched: usize,
    /// Inpainted vertices.
    pub inpainted: usize,
    /// Vertices of components without any match, which have the nearest weights.
    pub nearest_only: usize,
    /// Parts with weights from the source's part of the same name.
    pub namesakes: usize,
    /// The largest weight that pruning removed from a vertex.
    pub pruning_error: f32,
    /// Morph tracks of the source's clips, which are dropped with its meshes.
    pub morph_tracks_left_out: usize,
}

/// Binds the meshes of `target` to the skeleton of `source` with its weights, at most `influences` for
/// each vertex. Both are in world space at rest.
///
/// ```
/// use sinew_bind::weight_transfer::{TransferOptions, bind_from};
///
/// let figure = sinew_demo::character();
/// let (bound, report) = bind_from(&figure, &figure, &TransferOptions::default(), 4)?;
/// assert_eq!(report.matched, figure.vertex_count());
/// assert_eq!(bound.clips, figure.clips);
/// # Ok::<(), sinew_bind::Error>(())
/// ```
pub fn bind_from(
    target: &Character,
    source: &Character,
    options: &TransferOptions,
    influences: usize,
) -> Result<(Character, TransferReport)> {
    if influences == 0 {
        return Err(sinew_geometry::Error::OutOfRange {
            what: "the number of influences",
            value: 0.0,
            range: "at least one",
        }
        .into());
    }
    source.check()?;
    target.check()?;
    if target.vertex_count() == 0 {
        return Err(Error::NothingToBind);
    }
    let rig = RigJoints::new(source);
    let mut report = TransferReport::default();
    let mut bindings = Vec::with_capacity(target.parts.len());
    for (weights, dual_quaternion_share) in part_weights(target, source, &rig, options, &mut report)? {
        let (weights, lost) = weights.pruned(influences);
        report.pruning_error = report.pruning_error.max(lost);
        let RigJoints { joints, inverse_bind } = rig.clone();
        bindings.push(Binding { joints, inverse_bind, weights, dual_quaternion_share });
    }

    let mut joints = source.skeleton.joints().to_vec();
    rig.joints.iter().for_each(|&joint| joints[joint].kind = JointKind::Joint);
    let mut base_pose = Pose { joints: source.base_pose.joints.clone(), morphs: target.base_pose.morphs.clone() };
    let mut parts = Vec::with_capacity(target.parts.len());
    for ((part, mesh), binding) in target.parts.iter().zip(rest_surface::world_meshes(target)).zip(bindings) {
        parts.push(Part { node: joints.len(), skinned: true, mesh, binding });
        let name = target.skeleton.joints()[part.node].name.clone();
        joints.push(Joint { name, kind: JointKind::Node, ..Joint::default() });
        base_pose.joints.push(Transform::IDENTITY);
    }
    let clip = |clip: &Clip| {
        report.morph_tracks_left_out += clip.morphs.len();
        Clip { morphs: Vec::new(), ..clip.clone() }
    };
    let clips = source.clips.iter().map(clip).filter(|clip| !clip.joints.is_empty()).collect();
    let (skeleton, _) = Skeleton::new(joints)?;
    let character = Character { name: target.name.clone(), skeleton, base_pose, parts, clips };
    character.check()?;
    Ok((character, report))
}

type PartWeights = (Weights, Option<Vec<f32>>);

/// The weights of each part of the target, from the part of the same name or from the whole source.
fn part_weights(
    target: &Character,
    source: &Character,
    rig: &RigJoints,
    options: &TransferOptions,
    report: &mut TransferReport,
) -> Result<Vec<PartWeights>> {
    let rigged = RigSurface::of_parts(source, rig);
    let surfaces = rest_surface::world_surfaces(target);
    let mut results: Vec<Option<PartWeights>> = vec![None; surfaces.len()];
    for (part, namesake) in namesakes(target, source) {
        let (surface, namesake) = (&surfaces[part], &rigged[namesake]);
        if namesake.faces.is_empty() {
            continue;
        }
        let transferred = transfer(&namesake.view(), &surface.positions, &surface.faces, options)?;
        if 2 * transferred.matched >= surface.positions.len() {
            report.count(&transferred);
            report.namesakes += 1;
            results[part] = Some((transferred.weights, transferred.dual_quaternion_share));
        }
    }
    let others = || (0..surfaces.len()).filter(|&part| results[part].is_none());
    let (positions, faces) =
        rest_surface::joined(others().map(|part| &surfaces[part]).map(|s| (&s.positions[..], &s.faces[..])));
    if !positions.is_empty() {
        let transferred = transfer(&RigSurface::joined(&rigged).view(), &positions, &faces, options)?;
        report.count(&transferred);
        let mut first = 0;
        for part in others().collect::<Vec<_>>() {
            let vertices = first..first + surfaces[part].positions.len();
            first = vertices.end;
            results[part] = Some(rows(&transferred, vertices));
        }
    }
    Ok(results.into_iter().map(Option::unwrap_or_default).collect())
}

impl TransferReport {
    fn count(&mut self, transferred: &Transferred) {
        self.matched += transferred.matched;
        self.inpainted += transferred.inpainted;
        self.nearest_only += transferred.nearest_only;
    }
}

/// The weights of a range of vertices.
fn rows(transferred: &Transferred, vertices: Range<usize>) -> PartWeights {
    let mut weights = Weights::with_capacity(vertices.len(), 4 * vertices.len());
    vertices.clone().for_each(|vertex| weights.push(transferred.weights.row(vertex).iter().copied()));
    (weights, transferred.dual_quaternion_share.as_ref().map(|list| list[vertices].to_vec()))
}

/// The parts of the target whose node has the name of a part's node in the source. The name must be unique on both
/// sides.
fn namesakes(target: &Character, source: &Character) -> Vec<(usize, usize)> {
    fn by_name(character: &Character) -> HashMap<&str, Vec<usize>> {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, part) in character.parts.iter().enumerate() {
            by_name.entry(&character.skeleton.joints()[part.node].name).or_default().push(index);
        }
        by_name
    }
    let in_source = by_name(source);
    let mut pairs: Vec<(usize, usize)> = by_name(target)
        .into_iter()
        .filter_map(|(name, parts)| match (&parts[..], &in_source.get(name)?[..]) {
            (&[part], &[namesake]) if !name.is_empty() => Some((part, namesake)),
            _ => None,
        })
        .collect();
    pairs.sort_unstable();
    pairs
}
