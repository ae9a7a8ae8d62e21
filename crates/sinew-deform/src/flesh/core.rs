//! What holds the inside of a trunk.
//!
//! A limb is flesh around a shaft. A trunk is not: its bones are no longer than it is thick, ribs, a pelvis and entrails
//! fill it, and all that is known of them is how the skin around them is bound. So its deep flesh is drawn to where the
//! skin's weights would have it, softly, and with a bounded force: in a fold the skin is wrong.
//!
//! Where joints turn against each other, their weighted mean is a poor guess: it loses volume, by as much as the determinant
//! of the mean of their matrices is less than one. There the springs are softer.
//!
//! Without it a squatting figure's belly is scooped out between ribs and thighs, and its buttocks are flat.

use crate::welded::{Limb, Limbs};
use glam::{DAffine3, DMat3, DVec3};
use sinew_flesh::{Attachment, Body};
use sinew_geometry::{ClosestSurface, Rows, Winding};

/// The length of a bone, in radii of its limb, from which on it is a limb's, and up to which it is a trunk's. A human
/// body's spine has 1, its collarbones 1.6, its fingers and feet have 3 to 4, its arms and legs 4 to 8.
const STUBBY: [f64; 2] = [3.0, 2.0];

/// The depth from which on it is held in full, in limb radii.
const DEEP: f64 = 0.5;

/// How stiff it is, by volume and in squares of the limb's radius. In pictures of the squat, with 5 the belly is still scooped
/// out, and with 100 the lower ends of the buttocks have corners.
const STIFFNESS: f64 = 20.0;

/// The distance at which it yields, in limb radii. With 0.03 / 0.1 / never yielding the squat loses 2.3 / 2.6 / 2.8 % of its
/// volume; with 0.03 a gap opens between belly and thighs.
const YIELDS_AT: f64 = 0.1;

/// How many times as much as other flesh a trunk resists compression: as with a Poisson's ratio of 0.492, since entrails are
/// mostly water. Of their volume the hips of a squatting figure lose 7.1 % with 1 and 2.9 % with this, its lower back 4.9 %
/// and less than 2 %.
const INCOMPRESSIBLE: f64 = 4.0;

/// The inside of trunks.
pub(super) struct Core {
    /// The springs at its nodes.
    pub springs: Vec<Attachment>,
    /// How many times as much as other flesh that around each node resists compression.
    pub compression: Vec<f64>,
}

/// The inside of the trunks of a body.
pub(super) fn core(
    body: &Body,
    node_weights: &Rows<(u32, f64)>,
    (limbs, radii): (&Limbs, &[f64]),
    winding: &Winding,
    surface: &ClosestSurface,
) -> Core {
    let lattice = &body.lattice;
    let joints = 1 + limbs.all.iter().map(|limb| limb.joint).max().unwrap_or(0);
    // The share of a trunk in each joint's part, and the part's radius.
    let mut parts = vec![(0.0, radii[0]); joints];
    for (limb, &radius) in limbs.all.iter().zip(radii) {
        parts[limb.joint] = (trunk_share(limb, radius), radius);
    }
    let row = |node: u32| {
        node_weights.row(node).iter().filter_map(|&(joint, weight)| Some((parts.get(joint as usize)?, weight)))
    };
    let share_of = |node: u32| -> f64 { row(node).map(|((share, _), weight)| weight * share).sum() };
    let mut volumes = vec![0.0; lattice.nodes.len()];
    for (tetrahedron, volume) in lattice.tetrahedra.iter().zip(&body.volumes) {
        tetrahedron.iter().for_each(|&node| volumes[node as usize] += 0.25 * volume);
    }
    let spring = |(node, place): (u32, &DVec3)| {
        let share = share_of(node);
        if share == 0.0 || winding.number(*place) <= 0.5 {
            return None;
        }
        let radius: f64 = row(node).map(|((_, radius), weight)| weight * radius).sum();
        let depth = surface.nearest(*place)?.point.distance(*place);
        let share = share * (depth / (DEEP * radius)).min(1.0);
        let stiffness = STIFFNESS * share * volumes[node as usize] / radius.powi(2);
        let spring = Attachment::of_node(node, *place, stiffness);
        Some(Attachment { yields_at: YIELDS_AT * radius, ..spring })
    };
    let nodes = 0..lattice.nodes.len() as u32;
    Core {
        springs: (0..).zip(&lattice.nodes).filter_map(spring).collect(),
        compression: nodes.map(|node| 1.0 + share_of(node) * (INCOMPRESSIBLE - 1.0)).collect(),
    }
}

/// How far a limb is a part of a trunk, from 0 to 1.
pub(super) fn trunk_share(limb: &Limb, radius: f64) -> f64 {
    let length = limb.tails.iter().map(|tail| tail.distance(limb.head)).fold(0.0, f64::max);
    ((length / radius - STUBBY[0]) / (STUBBY[1] - STUBBY[0])).clamp(0.0, 1.0)
}

/// How far joints agree about where a node goes, from 0 to 1: half of the volume that their mean keeps does not count.
pub(super) fn agreement(weights: &[(u32, f64)], transforms: &[DAffine3]) -> f64 {
    let mean =
        weights.iter().fold(DMat3::ZERO, |sum, &(joint, weight)| sum + weight * transforms[joint as usize].matrix3);
    (2.0 * mean.determinant() - 1.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use crate::flesh::{FleshDeformer, FleshOptions};

    /// The flesh of the trunk is held, that of arms and legs is not.
    #[test]
    fn limbs_have_no_core() {
        let figure = sinew_demo::character();
        let deformer = FleshDeformer::new(&figure, &FleshOptions::default()).unwrap();
        let is_of = |node: u32, name: &str, least: f64| {
            let joint = figure.skeleton.find(name).unwrap() as u32;
            deformer.node_weights.row(node).iter().any(|&(other, weight)| other == joint && weight > least)
        };
        // Springs of bones are at points, not at nodes; those at loose ends do not yield.
        let is_core = |a: &&sinew_flesh::Attachment| a.shares[0] == 1.0 && a.yields_at.is_finite() && a.stiffness > 0.0;
        let core: Vec<u32> = deformer.solid.attachments.iter().filter(is_core).map(|a| a.nodes[0]).collect();
        let has = |name: &str, least: f64| core.iter().any(|&node| is_of(node, name, least));
        assert!(["Hips", "Spine1"].iter().all(|joint| has(joint, 0.5)));
        assert!(["LeftArm", "LeftForeArm", "LeftUpLeg", "LeftLeg"].iter().all(|joint| !has(joint, 0.99)));
    }
}
