//! The points that a camera must see, to come close to a part of the figure.

use super::{Focus, Moment, Picture, joint_weights};
use crate::failure::Result;
use glam::{DVec3, Vec3};
use sinew_tasks::find;

impl Picture<'_> {
    /// The points that are in every panel; none for all.
    pub(super) fn focus(&self) -> Result<Vec<Vec3>> {
        match &self.style.focus {
            None => Ok(Vec::new()),
            Some(Focus::Bones(joint)) => Ok(self.around_bones(find::node(&self.asset.character, joint)?)),
            Some(Focus::Skin(joint)) => Ok(self.around_skin(&joint_weights(&self.asset.character, joint)?)),
        }
    }

    /// The bones that meet in a joint.
    fn around_bones(&self, joint: usize) -> Vec<Vec3> {
        let skeleton = &self.asset.character.skeleton;
        let parent = skeleton.joints()[joint].parent;
        let bones = skeleton.bones();
        let ends: Vec<DVec3> = bones.iter().filter(|b| b.joint == joint).map(|&b| skeleton.bone_end(b)).collect();
        let mut points = Vec::new();
        for Moment { world, .. } in &self.moments {
            let tips = ends.iter().map(|&end| world[joint].transform_point3(end));
            let parent = parent.map(|p| world[p].translation);
            let met: Vec<DVec3> = tips.chain(parent).chain([world[joint].translation]).collect();
            let center = met.iter().sum::<DVec3>() / met.len() as f64;
            // Limbs are thinner than long: a little more than the bones themselves is enough for the skin.
            let reach = 1.2 * met.iter().map(|p| p.distance(center)).fold(0.0, f64::max);
            points.extend(ball(center.as_vec3(), reach as f32));
        }
        points
    }

    /// The vertices with a good share of a joint, and a tenth of the figure at least.
    fn around_skin(&self, weights: &[f32]) -> Vec<Vec3> {
        let mut points = Vec::new();
        for Moment { surface, .. } in &self.moments {
            let bounds = |points: &mut dyn Iterator<Item = Vec3>| {
                points.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
            };
            let (low, high) = bounds(&mut surface.positions.iter().copied());
            let least = 0.1 * low.distance(high);
            let moved = surface.positions.iter().zip(weights).filter(|(_, weight)| **weight > 0.2);
            let (low, high) = bounds(&mut moved.map(|(p, _)| *p));
            if low.is_finite() {
                points.extend(ball(0.5 * (low + high), (0.6 * low.distance(high)).max(least)));
            }
        }
        points
    }
}

/// Six points on a ball.
fn ball(center: Vec3, radius: f32) -> impl Iterator<Item = Vec3> {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
    axes.map(move |axis| center + radius * axis)
}
