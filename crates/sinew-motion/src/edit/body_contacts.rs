//! Contacts between two bodies.
//!
//! Two bodies are in contact where joints of one stay near joints of the other for some frames, such as the hands of a
//! handshake or a hand on a shoulder. Where several joints of two limbs are near at the same time, the nearest pair
//! represents them all.

use glam::DVec3;
use sinew_rig::{JointKind, Skeleton};
use std::ops::RangeInclusive;

/// A joint of one body near a joint of another.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyContact {
    /// The joint of each body.
    pub joints: [usize; 2],
    /// The first and the last frame.
    pub frames: RangeInclusive<usize>,
    /// From the first body's joint to the second's, in each of these frames.
    pub offsets: Vec<DVec3>,
}

impl BodyContact {
    fn nearest(&self) -> f64 {
        self.offsets.iter().map(|offset| offset.length()).fold(f64::INFINITY, f64::min)
    }
}

/// The fewest frames of a contact. As for feet: a frame with one on each side.
const MIN_CONTACT_FRAMES: usize = 3;

/// A limb has less than this share of the joints. Not tuned.
const MAX_LIMB_SHARE: f64 = 1.0 / 3.0;

/// The contacts of two bodies: pairs of joints that are nearer than `reach`. `frames` has the positions of all joints of
/// each body, in the same frames.
pub fn body_contacts(skeletons: [&Skeleton; 2], frames: [&[Vec<DVec3>]; 2], reach: f64) -> Vec<BodyContact> {
    let count = frames[0].len().min(frames[1].len());
    let limbs = skeletons.map(limbs);
    let real = skeletons.map(|skeleton| {
        let joints = skeleton.joints();
        (0..joints.len()).filter(|&j| joints[j].kind == JointKind::Joint).collect::<Vec<usize>>()
    });
    let mut found: Vec<BodyContact> = Vec::new();
    for (&a, &b) in real[0].iter().flat_map(|a| real[1].iter().map(move |b| (a, b))) {
        let offset = |frame: usize| frames[1][frame][b] - frames[0][frame][a];
        let mut offsets = Vec::new();
        for frame in 0..=count {
            if frame < count && offset(frame).length() < reach {
                offsets.push(offset(frame));
            } else if offsets.len() >= MIN_CONTACT_FRAMES {
                let frames = frame - offsets.len()..=frame - 1;
                found.push(BodyContact { joints: [a, b], frames, offsets: std::mem::take(&mut offsets) });
            } else {
                offsets.clear();
            }
        }
    }
    found.sort_by(|a, b| a.nearest().total_cmp(&b.nearest()).then(a.joints.cmp(&b.joints)));
    let mut nearest: Vec<BodyContact> = Vec::new();
    for contact in found {
        let is_same = |other: &BodyContact| {
            (0..2).all(|k| limbs[k][other.joints[k]] == limbs[k][contact.joints[k]])
                && other.frames.start() <= contact.frames.end()
                && contact.frames.start() <= other.frames.end()
        };
        if !nearest.iter().any(is_same) {
            nearest.push(contact);
        }
    }
    nearest.sort_by_key(|contact| (*contact.frames.start(), contact.joints));
    nearest
}

/// The joint at the top of each joint's limb; the trunk is one as well.
fn limbs(skeleton: &Skeleton) -> Vec<usize> {
    let joints = skeleton.joints();
    let mut below = vec![1usize; joints.len()];
    for (index, joint) in joints.iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            below[parent] += below[index];
        }
    }
    let is_limb = |joint: usize| (below[joint] as f64) < MAX_LIMB_SHARE * joints.len() as f64;
    let mut top = vec![0; joints.len()];
    for (index, joint) in joints.iter().enumerate().filter(|(index, _)| is_limb(*index)) {
        top[index] = joint.parent.filter(|&parent| is_limb(parent)).map_or(index, |parent| top[parent]);
    }
    top
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DAffine3;

    #[test]
    fn hands_in_contact_represent_their_arms() {
        let figure = sinew_demo::character();
        let skeleton = &figure.skeleton;
        let [hand, other] = ["RightHand", "LeftHand"].map(|name| skeleton.find(name).unwrap());
        let rest: Vec<DVec3> = skeleton.rest_world().iter().map(|m: &DAffine3| m.translation).collect();
        let frames = |moved: &dyn Fn(usize) -> DVec3| {
            (0..20).map(|k| rest.iter().map(|p| *p + moved(k)).collect()).collect::<Vec<Vec<DVec3>>>()
        };
        let together = rest[hand] - rest[other];
        let still = frames(&|_| DVec3::ZERO);
        // The other comes near for eight frames.
        let passing = frames(&|k| together + DVec3::Y * if (6..14).contains(&k) { 0.01 } else { 9.0 });
        let found = body_contacts([skeleton, skeleton], [&still, &passing], 0.08);
        let [contact] = &found[..] else { panic!("{found:?}") };
        assert_eq!((contact.joints, contact.frames.clone()), ([hand, other], 6..=13));
        assert!(contact.offsets.iter().all(|offset| (offset.length() - 0.01).abs() < 1e-9));
    }
}
