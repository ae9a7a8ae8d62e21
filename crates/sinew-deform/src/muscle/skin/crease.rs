//! The limit of swelling where a joint bends the skin onto itself.
//!
//! Between the two limbs at a joint lies the plane that halves the angle of their bones. A point that looks at it
//! from near by, or is on the wrong side already, is pressed against the other limb and does not move; farther
//! away it becomes free. While the joint is straight the plane is across the limb and means nothing.

use crate::welded::Limbs;
use glam::{DAffine3, DVec3};
use sinew_geometry::curve::smoothstep;
use sinew_rig::Skeleton;

/// The distances from the plane, in radii of the limb, between which a point that looks at it becomes free.
const CLOSE: f64 = 0.1;
const FAR: f64 = 0.7;

/// The cosine of the angle to the plane's normal from which on a point looks at it.
const FACING: f64 = 0.4;

/// The cosines of the angle between the bones from which on the plane counts, and counts in full.
const OPEN: f64 = -0.5;
const BENT: f64 = 0.1;

/// The planes of all joints between two limbs.
pub(super) struct Creases {
    /// For each limb with a parent limb: the start and the end of its bones at rest, and the start of the parent's.
    bends: Vec<Option<Bend>>,
    /// For each limb its child limbs.
    children: Vec<Vec<u32>>,
    /// In this pose.
    planes: Vec<Option<Plane>>,
}

struct Bend {
    joints: [usize; 2],
    /// The head, the tail and the head of the limb above, each in the space of the joint that moves it.
    head: DVec3,
    tail: DVec3,
    above: DVec3,
}

/// A plane that parts two limbs.
#[derive(Debug, Clone, Copy)]
struct Plane {
    head: DVec3,
    /// Towards the limb above.
    normal: DVec3,
    /// How much it counts.
    weight: f64,
}

impl Creases {
    pub fn new(limbs: &Limbs, skeleton: &Skeleton) -> Self {
        let world = skeleton.rest_world();
        let bend = |limb: usize| {
            let (own, above) = (&limbs.all[limb], &limbs.all[limbs.all[limb].parent?]);
            let into = |joint: usize, place: DVec3| world[joint].inverse().transform_point3(place);
            Some(Bend {
                joints: [above.joint, own.joint],
                head: into(own.joint, own.head),
                tail: into(own.joint, own.tail()),
                above: into(above.joint, above.head),
            })
        };
        let count = limbs.all.len();
        Self {
            bends: (0..count).map(bend).collect(),
            children: (0..count).map(|limb| limbs.children(limb).map(|child| child as u32).collect()).collect(),
            planes: vec![None; count],
        }
    }

    /// Takes over a pose.
    pub fn follow(&mut self, world: &[DAffine3]) {
        for (plane, bend) in self.planes.iter_mut().zip(&self.bends) {
            *plane = bend.as_ref().and_then(|bend| {
                let [above, own] = bend.joints.map(|joint| world[joint]);
                let head = own.transform_point3(bend.head);
                let up = (above.transform_point3(bend.above) - head).try_normalize()?;
                let down = (own.transform_point3(bend.tail) - head).try_normalize()?;
                let weight = smoothstep((up.dot(down) - OPEN) / (BENT - OPEN));
                (weight > 0.0).then_some(Plane { head, normal: (up - down).try_normalize()?, weight })
            });
        }
    }

    /// The limited offset along a normal, for a point of a limb with a radius.
    pub fn limit(&self, limb: usize, place: DVec3, normal: DVec3, offset: f64, radius: f64) -> f64 {
        let own = self.planes[limb].map(|plane| (plane, -1.0));
        let below = self.children[limb].iter().filter_map(|&child| Some((self.planes[child as usize]?, 1.0)));
        own.into_iter().chain(below).fold(offset, |offset, (Plane { head, normal: across, weight }, side)| {
            let facing = smoothstep(-side * across.dot(normal) / FACING);
            let room = side * (place - head).dot(across) / radius;
            let freedom = smoothstep((room - CLOSE) / (FAR - CLOSE));
            offset * (1.0 - weight * facing * (1.0 - freedom))
        })
    }
}
