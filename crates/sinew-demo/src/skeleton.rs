//! The figure's joints: names and tree of the CMU motions, which therefore map by name, with full fingers
//! added.
//!
//! Every joint's frame at rest is parallel to the world's, as in a BVH file.

use super::hand;
use super::landmarks::{ANKLE, ELBOW, HIP, KNEE, SHOULDER, TOE_BASE, WRIST, mirrored, mirrored_name};
use glam::{DVec3, Vec3};
use sinew_rig::{Joint, Skeleton, Transform};

/// A joint of the table: its name, its parent and its position.
type Entry = (&'static str, &'static str, Vec3);

/// The middle and the left side without the hand, in metres; the right side is the mirror image.
const JOINTS: [Entry; 16] = [
    ("Hips", "", Vec3::new(0.0, 0.955, -0.005)),
    ("LHipJoint", "Hips", Vec3::new(0.0, 0.955, -0.005)),
    ("LeftUpLeg", "LHipJoint", HIP),
    ("LeftLeg", "LeftUpLeg", KNEE),
    ("LeftFoot", "LeftLeg", ANKLE),
    ("LeftToeBase", "LeftFoot", TOE_BASE),
    ("LowerBack", "Hips", Vec3::new(0.0, 1.030, -0.020)),
    ("Spine", "LowerBack", Vec3::new(0.0, 1.140, -0.020)),
    ("Spine1", "Spine", Vec3::new(0.0, 1.260, -0.035)),
    ("Neck", "Spine1", Vec3::new(0.0, 1.470, -0.035)),
    ("Neck1", "Neck", Vec3::new(0.0, 1.525, -0.022)),
    ("Head", "Neck1", Vec3::new(0.0, 1.580, -0.008)),
    ("LeftShoulder", "Spine1", Vec3::new(0.030, 1.425, 0.010)),
    ("LeftArm", "LeftShoulder", SHOULDER),
    ("LeftForeArm", "LeftArm", ELBOW),
    ("LeftHand", "LeftForeArm", WRIST),
];

/// The ends of the bones of leaves outside the hand.
const TIPS: [(&str, Vec3); 2] = [("Head", Vec3::new(0.0, 1.750, 0.0)), ("LeftToeBase", Vec3::new(0.128, 0.014, 0.180))];

/// The skeleton at rest.
pub(super) fn skeleton() -> Skeleton {
    let mut places: Vec<(String, String, Vec3, Option<Vec3>)> = Vec::new();
    let tip = |name: &str| TIPS.iter().find(|(n, _)| *n == name).map(|(_, tip)| *tip);
    places.extend(JOINTS.iter().map(|(name, parent, at)| (name.to_string(), parent.to_string(), *at, tip(name))));
    places.push(("LeftFingerBase".into(), "LeftHand".into(), hand::finger_base(), None));
    for digit in hand::digits() {
        for k in 0..3 {
            let parent = if k == 0 { digit.parent } else { digit.joints[k - 1] };
            let tip = (k == 2).then_some(digit.points[3]);
            places.push((digit.joints[k].into(), parent.into(), digit.points[k], tip));
        }
    }
    let mirrored: Vec<_> = places
        .iter()
        .filter(|(name, ..)| mirrored_name(name) != *name)
        .map(|(name, parent, at, tip)| (mirrored_name(name), mirrored_name(parent), mirrored(*at), tip.map(mirrored)))
        .collect();
    places.extend(mirrored);
    let joints = places
        .iter()
        .map(|(name, parent, at, tip)| {
            let parent = places.iter().position(|(other, ..)| other == parent);
            let origin = parent.map_or(DVec3::ZERO, |p| places[p].2.as_dvec3());
            Joint {
                name: name.clone(),
                parent,
                rest: Transform::from_translation(at.as_dvec3() - origin),
                tip: tip.map(|tip| tip.as_dvec3() - at.as_dvec3()),
                ..Joint::default()
            }
        })
        .collect();
    let (skeleton, _) = Skeleton::new(joints).expect("the table is a tree");
    skeleton
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use sinew_rig::Mirror;

    #[test]
    fn the_figure_is_symmetric() {
        let skeleton = crate::character().skeleton;
        let mirror = Mirror::of(&skeleton);
        assert_eq!(mirror.axis, DVec3::X);
        for (joint, partner) in skeleton.joints().iter().zip(&mirror.partners) {
            let sides = [("Left", "Right"), ("Right", "Left"), ("L", "R"), ("R", "L")];
            let other = |(own, other): (&str, &str)| Some(format!("{other}{}", joint.name.strip_prefix(own)?));
            let mut known = sides.into_iter().filter_map(other).filter(|name| skeleton.find(name).is_some());
            let expected = known.next().unwrap_or(joint.name.clone());
            assert_eq!(partner.map(|other| skeleton.joints()[other].name.as_str()), Some(expected.as_str()));
        }
    }
}
