//! The bones of a body, by preset.
//!
//! `reference` has the bones of the reference simulations: shafts of 0.25 to 0.3 limb radii that end 0.55 radii before
//! the joint, in the joint a ball of 0.2 radii that turns by half, and a small kneecap or tip of the elbow.
//!
//! `anatomical` has what shows at an elbow and a knee of a human body: condyles as wide as the limb allows, which belong
//! to the bone above and about which the bone below turns; the olecranon, which is a part of the forearm and the tip of a
//! bent elbow; the wide head of the shinbone; and the kneecap, each just under the skin.

use super::bones::{BoneShape, BoneSolid};
use super::hinges::{Hinge, hinges};
use super::options::{BonePreset, FleshOptions};
use crate::welded::Limbs;
use glam::DVec3;
use sinew_geometry::Winding;
use sinew_rig::Skeleton;
use std::collections::BTreeSet;

/// The radius of a shaft, in limb radii.
const SHAFT: f64 = 0.275;

/// Where a shaft ends before a joint, in limb radii; in a short bone this share of its length at most.
const END: f64 = 0.55;
const LONGEST_END: f64 = 0.35;

/// The radius of the ball in a joint, in limb radii.
const BALL: f64 = 0.2;

/// The share of the joint's turn that a kneecap takes part in, and its distance from the joint in limb radii. The mean
/// distance of MakeHuman's knee at 90° from simulated flesh is .018 limb radii without one and .014 with it.
const KNEECAP: (f64, f64) = (0.5, 0.5);

/// The same for the tip of the elbow, which is a part of the forearm: .013 without and .011 with it.
const OLECRANON: (f64, f64) = (1.0, 0.4);

/// The least skin over a bone, in limb radii.
const SKIN: f64 = 0.12;

/// The bones of a body, without those of the joints that are in `given`.
pub(super) fn bones(
    limbs: &Limbs,
    radii: &[f64],
    skeleton: &Skeleton,
    winding: &Winding,
    options: &FleshOptions,
    given: &BTreeSet<usize>,
) -> Vec<BoneShape> {
    let mut bones = Vec::new();
    let hinges = hinges(limbs, radii, skeleton, winding);
    for (index, limb) in limbs.all.iter().enumerate() {
        let own = options.joints.get(&skeleton.joints()[limb.joint].name).cloned().unwrap_or_default();
        let radius = radii[index];
        let mut add = |turn, solid, limb_radius| {
            // What stays behind when the joint turns is a piece of the bone above.
            let above = limb.parent.filter(|_| turn == 0.0).map(|parent| limbs.all[parent].joint);
            if !given.contains(&above.unwrap_or(limb.joint)) {
                bones.push(BoneShape { joint: limb.joint, turn, solid, limb_radius, softness: own.softness });
            }
        };
        for &tail in &limb.tails {
            let length = tail.distance(limb.head);
            let below = limbs.children(index).find(|&child| limbs.all[child].head.distance(tail) < 1e-6 * length);
            let tail_radius = below.map_or(radius, |child| radii[child]);
            let end = |radius: f64| (END * radius / length).min(LONGEST_END);
            let along = tail - limb.head;
            let offset = DVec3::from(own.offset);
            let ends = [limb.head + end(radius) * along + offset, tail - end(tail_radius) * along + offset];
            let share = own.radius.unwrap_or(SHAFT);
            add(1.0, BoneSolid::Shaft { ends, radii: [share * radius, share * tail_radius] }, radius.min(tail_radius));
        }
        let hinge = hinges.iter().find(|hinge| hinge.joint == limb.joint);
        match (options.bones, hinge) {
            (BonePreset::Anatomical, Some(hinge)) if hinge.is_knee => {
                knee(hinge, limb.head, radius).into_iter().for_each(|(turn, solid)| add(turn, solid, radius));
            }
            (BonePreset::Anatomical, Some(hinge)) => {
                elbow(hinge, limb.head, radius).into_iter().for_each(|(turn, solid)| add(turn, solid, radius));
            }
            (_, hinge) => {
                if limb.parent.is_some() {
                    add(0.5, BoneSolid::Ball { center: limb.head, radius: BALL * radius }, radius);
                }
                if let Some(hinge) = hinge {
                    let (turn, at) = if hinge.is_knee { KNEECAP } else { OLECRANON };
                    let center = limb.head + at * radius * hinge.outwards;
                    add(turn, BoneSolid::Ball { center, radius: BALL * radius }, radius);
                }
            }
        }
    }
    bones
}

/// The end of the upper arm, and the olecranon.
fn elbow(hinge: &Hinge, head: DVec3, radius: f64) -> [(f64, BoneSolid); 2] {
    let place = |across: f64, out: f64, along: f64| {
        head + radius * (across * hinge.axis() + out * hinge.outwards + along * hinge.along)
    };
    let tip = hinge.depth / radius - SKIN - 0.2;
    [
        (0.0, BoneSolid::Shaft { ends: [place(-0.5, 0.0, 0.0), place(0.5, 0.0, 0.0)], radii: [0.3 * radius; 2] }),
        (1.0, BoneSolid::Shaft { ends: [place(0.0, tip, -0.15), place(0.0, 0.15, 0.9)], radii: [0.2 * radius; 2] }),
    ]
}

/// The end of the thigh, the head of the shin, and the kneecap.
fn knee(hinge: &Hinge, head: DVec3, radius: f64) -> [(f64, BoneSolid); 3] {
    let place = |across: f64, out: f64, along: f64| {
        head + radius * (across * hinge.axis() + out * hinge.outwards + along * hinge.along)
    };
    let cap = hinge.depth / radius - SKIN - 0.25;
    [
        (0.0, BoneSolid::Shaft { ends: [place(-0.5, 0.0, 0.0), place(0.5, 0.0, 0.0)], radii: [0.38 * radius; 2] }),
        (
            1.0,
            BoneSolid::Shaft {
                ends: [place(0.0, 0.1, 0.5), place(0.0, 0.1, 1.4)],
                radii: [0.45 * radius, 0.25 * radius],
            },
        ),
        (0.5, BoneSolid::Ball { center: place(0.0, cap, 0.0), radius: 0.25 * radius }),
    ]
}
