//! Mirror images of joints.
//!
//! A body at rest is nearly its own mirror image. For each axis of the world, the joints are reflected in the plane
//! through their middle; the axis whose images lie closest to joints is the body's left and right. The partner of a
//! joint is the joint nearest to its image below the partner of its parent. Of two in the same position, as hips often
//! are, it is the one whose limb is nearest to the image's limb. Names do not matter, and a rig without symmetry has no
//! partners.

use super::Skeleton;
use glam::DVec3;

/// The largest distance of an image from its joint, as a share of the skeleton's diagonal. Not tuned.
const MAX_MIRROR_DISTANCE: f64 = 0.02;

/// Left and right of a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct Mirror {
    /// The unit normal of the plane of symmetry.
    pub axis: DVec3,
    /// For each joint its partner, which is the joint itself on the plane; none without one.
    pub partners: Vec<Option<usize>>,
}

impl Mirror {
    /// Finds the symmetry of a skeleton at rest.
    pub fn of(skeleton: &Skeleton) -> Self {
        let places: Vec<DVec3> = skeleton.rest_world().iter().map(|joint| joint.translation).collect();
        let found = DVec3::AXES.map(|axis| Self { axis, partners: partners(skeleton, &places, axis) });
        let pairs = |mirror: &Self| {
            let partners = mirror.partners.iter().enumerate();
            partners.filter(|(joint, partner)| partner.is_some_and(|partner| partner != *joint)).count()
        };
        let [x, y, z] = found;
        [y, z].into_iter().fold(x, |best, other| if pairs(&other) > pairs(&best) { other } else { best })
    }
}

fn partners(skeleton: &Skeleton, places: &[DVec3], axis: DVec3) -> Vec<Option<usize>> {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = places.iter().fold(none, |(low, high), place| (low.min(*place), high.max(*place)));
    let middle = 0.5 * (low + high).dot(axis);
    let near = MAX_MIRROR_DISTANCE * low.distance(high);
    let image = |place: DVec3| place - 2.0 * (place.dot(axis) - middle) * axis;
    let limbs = limb_centers(skeleton, places);
    let mut children = vec![Vec::new(); places.len() + 1];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        children[joint.parent.map_or(0, |parent| parent + 1)].push(index);
    }
    let mut partners: Vec<Option<usize>> = vec![None; places.len()];
    let mut is_taken = vec![false; places.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let below = match joint.parent {
            None => Some(0),
            Some(parent) => partners[parent].map(|partner| partner + 1),
        };
        let Some(below) = below else { continue };
        let (place, limb) = (image(places[index]), image(limbs[index]));
        let is_free = |other: &&usize| !is_taken[**other] && places[**other].distance(place) <= near;
        let nearest = children[below].iter().filter(is_free).min_by(|&&a, &&b| {
            let distance = |other: usize| places[other].distance(place) + limbs[other].distance(limb);
            distance(a).total_cmp(&distance(b))
        });
        if let Some(&other) = nearest {
            partners[index] = Some(other);
            is_taken[other] = true;
        }
    }
    let mutual = |joint: usize| partners[joint].filter(|&other| partners[other] == Some(joint));
    (0..partners.len()).map(mutual).collect()
}

/// The mean position of each joint and all its descendants.
fn limb_centers(skeleton: &Skeleton, places: &[DVec3]) -> Vec<DVec3> {
    let mut sums: Vec<(DVec3, f64)> = places.iter().map(|place| (*place, 1.0)).collect();
    for (index, joint) in skeleton.joints().iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            let (sum, count) = sums[index];
            sums[parent].0 += sum;
            sums[parent].1 += count;
        }
    }
    sums.into_iter().map(|(sum, count)| sum / count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Joint, Transform};

    #[test]
    fn a_body_that_faces_sideways_and_one_without_sides() {
        let joint = |name: &str, parent, place: [f64; 3]| Joint {
            name: name.into(),
            parent,
            rest: Transform::from_translation(place.into()),
            ..Joint::default()
        };
        let (skeleton, _) = Skeleton::new(vec![
            joint("root", None, [0.0, 1.0, 5.0]),
            joint("a", Some(0), [0.1, 0.2, 1.0]),
            joint("b", Some(0), [0.1, 0.2, -1.0]),
        ])
        .unwrap();
        let mirror = Mirror::of(&skeleton);
        assert_eq!((mirror.axis, mirror.partners), (DVec3::Z, vec![Some(0), Some(2), Some(1)]));
        let (crooked, _) = Skeleton::new(vec![
            joint("root", None, [0.0, 0.0, 0.0]),
            joint("a", Some(0), [1.0, 2.0, 0.4]),
            joint("b", Some(1), [0.3, 2.0, 4.0]),
        ])
        .unwrap();
        assert!(Mirror::of(&crooked).partners[2].is_none());
    }
}
