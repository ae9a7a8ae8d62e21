//! What holds flesh that no bone holds: the skin's own weights.
//!
//! Those are parts without a bone in them, nodes of limbs whose bones are not in the flesh, and nodes at the ends of limbs
//! far from bones, such as ears and toes.

use super::bones::BoneShape;
use super::node_skin::ONE_JOINT;
use crate::welded::Limbs;
use glam::DVec3;
use sinew_flesh::{Attachment, Body, Lattice};
use sinew_geometry::parallel::*;
use sinew_geometry::{ClosestSurface, Rows, UnionFind, Winding};
use sinew_rig::Skeleton;
use std::collections::BTreeMap;

/// The distances from the bones of its joint, in limb radii, from which on flesh at the end of a limb is held where the
/// skin has it, and from which on in full: ears and toes, which hang on little, are stiff. Held by flesh alone they swing
/// about, since the solver does not come to rest there. With 2 in place of 1.75 MakeHuman's head is no longer such an end, and
/// has 630 crossings in a second and a half of boxing.
const FAR_FROM_BONES: [f64; 2] = [1.0, 1.75];

/// What those distances are multiplied by where they are measured from the joint, at ends of limbs that their bones reach
/// little of. MakeHuman's mouth opens in boxing without, as the neck pulls at the jaw.
const STIFF_END: f64 = 0.75;

/// The distance at which such an end gives way, in limb radii. The tip of a thumb that is driven through an arm has 74 / 20 /
/// 12 crossings if it never does / with 0.2 / 0.05; but with 0.1 a head has 106 in two seconds of boxing.
const YIELDS_AT: f64 = 0.2;

/// The bones of a body, and the points at which they hold it.
pub(super) struct BonesInFlesh<'a> {
    pub bones: &'a [BoneShape],
    pub attachments: &'a [Attachment],
    /// The bone of each attachment, and its place at rest.
    pub attached: &'a [(u32, DVec3)],
}

/// What no bone holds.
pub(super) struct LooseParts {
    /// The springs at its nodes.
    pub springs: Vec<Attachment>,
    /// The joints of the limbs without bones.
    pub joints: Vec<usize>,
}

/// Holds what no bone holds where the skin has it.
pub(super) fn loose_parts(
    body: &Body,
    (limbs, skeleton): (&Limbs, &Skeleton),
    held_by: &BonesInFlesh<'_>,
    node_weights: &Rows<(u32, f64)>,
    (winding, surface): (&Winding, &ClosestSurface),
) -> LooseParts {
    let &BonesInFlesh { bones, attachments, attached } = held_by;
    let lattice = &body.lattice;
    let mut parts = UnionFind::new(lattice.nodes.len());
    for t in &lattice.tetrahedra {
        t[1..].iter().for_each(|&node| parts.join(t[0], node));
    }
    let mut held = vec![false; lattice.nodes.len()];
    attachments.iter().for_each(|a| held[parts.root(a.nodes[0]) as usize] = true);
    let has_bone = |joint: usize| attached.iter().any(|&(bone, _)| bones[bone as usize].joint == joint);
    let loose: Vec<usize> = limbs.all.iter().map(|limb| limb.joint).filter(|&joint| !has_bone(joint)).collect();
    let mut by_joint: BTreeMap<usize, Vec<(DVec3, f64)>> = BTreeMap::new();
    for &(bone, place) in attached {
        let bone = &bones[bone as usize];
        by_joint.entry(bone.joint).or_default().push((place, bone.limb_radius));
    }
    let has_next = |joint: usize| limbs.all.iter().any(|limb| skeleton.joints()[limb.joint].parent == Some(joint));
    by_joint.retain(|&joint, _| !has_next(joint));
    let ramp =
        |distance: f64| ((distance - FAR_FROM_BONES[0]) / (FAR_FROM_BONES[1] - FAR_FROM_BONES[0])).clamp(0.0, 1.0);
    let from_bones = |place: DVec3, joint: usize| {
        let distances = by_joint.get(&joint)?.iter().map(|(point, radius)| point.distance(place) / radius);
        Some(ramp(distances.fold(f64::INFINITY, f64::min)))
    };
    let places = places_in_flesh(lattice, winding, surface);
    let main_of = |node: u32| node_weights.row(node).first().map(|&(joint, weight)| (joint as usize, weight));
    let nodes = || (0..).zip(&places).map(|(node, &place)| (node, place, main_of(node)));
    let is_far_from_all = |place: DVec3| {
        let near = |&(bone, point): &(u32, DVec3)| ramp(point.distance(place) / bones[bone as usize].limb_radius) < 1.0;
        !attached.iter().any(near)
    };
    // The end of a limb that bones reach little of is a skull or a foot: stiff from its joint on.
    let ends: BTreeMap<usize, (DVec3, f64)> = nodes()
        .filter_map(|(_, place, main)| {
            main.filter(|&(joint, _)| from_bones(place, joint) == Some(1.0) && is_far_from_all(place))
        })
        .filter_map(|(joint, _)| {
            let radius = by_joint[&joint].iter().map(|(_, radius)| *radius).fold(0.0, f64::max);
            Some((joint, (limbs.all.iter().find(|limb| limb.joint == joint)?.head, radius)))
        })
        .collect();
    let mut springs = Vec::new();
    let edges = shortest_edges(lattice);
    for (node, place, main) in nodes() {
        let is_loose = !held[parts.root(node) as usize] || main.is_some_and(|(joint, _)| loose.contains(&joint));
        let farness = |(joint, _)| {
            let from_joint = ends.get(&joint).map(|(head, radius)| ramp(head.distance(place) / (STIFF_END * radius)));
            Some(from_bones(place, joint)?.max(from_joint.unwrap_or(0.0)))
        };
        let of_joint = main.filter(|(_, weight)| *weight > ONE_JOINT).and_then(farness);
        let share = if is_loose { 1.0 } else { of_joint.unwrap_or(0.0) };
        if share > 0.0 {
            // As stiff as the flesh around it: Young's modulus is one.
            let spring = Attachment::of_node(node, lattice.nodes[node as usize], share * edges[node as usize]);
            let radius = main.and_then(|(joint, _)| by_joint.get(&joint)).map_or(f64::INFINITY, |bones| bones[0].1);
            springs.push(Attachment { yields_at: YIELDS_AT * radius, ..spring });
        }
    }
    LooseParts { springs, joints: loose }
}

/// The nodes where they are, those outside of the skin at the nearest place of it: a tetrahedron that sticks out is
/// no farther from bones than the flesh in it.
fn places_in_flesh(lattice: &Lattice, winding: &Winding, surface: &ClosestSurface) -> Vec<DVec3> {
    let place = |&node: &DVec3| {
        if winding.number(node) > 0.5 { node } else { surface.nearest(node).map_or(node, |hit| hit.point) }
    };
    lattice.nodes.par_iter().map(place).collect()
}

/// The shortest first edge of the tetrahedra around each node.
fn shortest_edges(lattice: &Lattice) -> Vec<f64> {
    let mut edges = vec![f64::INFINITY; lattice.nodes.len()];
    for t in &lattice.tetrahedra {
        let edge = lattice.nodes[t[0] as usize].distance(lattice.nodes[t[1] as usize]);
        t.iter().for_each(|&node| edges[node as usize] = edges[node as usize].min(edge));
    }
    edges
}

#[cfg(test)]
mod tests {
    use crate::flesh::{Fineness, FleshDeformer, FleshOptions};

    /// The places that are held in a tube without its bones, of so many times its length. Its second joint is at 5.
    fn held(longer: f32) -> Vec<f64> {
        let mut tube = sinew_demo::tube();
        tube.parts[0].mesh.positions.iter_mut().for_each(|p| p.z *= longer);
        let options = FleshOptions { fineness: Fineness::Coarse, ..FleshOptions::default() };
        let FleshDeformer { solid, .. } = FleshDeformer::new(&tube, &options).unwrap();
        solid.attachments.iter().filter(|a| a.shares[0] == 1.0).map(|a| a.target.z).collect()
    }

    /// Tetrahedra stick out of a tube's end by more or less, as its length has it. Its joint bends all the same.
    #[test]
    fn only_flesh_beyond_bones_is_held() {
        for longer in [1.0, 1.02, 1.04, 1.06, 1.08] {
            let held = held(longer);
            assert!(held.iter().all(|&z| z > 8.0), "{longer}: {held:?}");
        }
        // Twice as long as its bones, it has an end of its own.
        assert!(held(2.0).iter().any(|&z| z > 15.0));
    }
}
