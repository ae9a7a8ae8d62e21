//! Bones drawn over the surface.
//!
//! A bone is a slim lozenge from its joint to its end, thickest near the joint, with one bright and one
//! dark flank, so its direction can be read; a dot sits on the joint. Bones farther away are drawn
//! first.

use crate::Image;
use crate::camera::{Camera, Viewport};
use crate::canvas::{self, Ink, Stroke};
use crate::surface::Unit;
use glam::{DAffine3, Vec2, Vec3};
use sinew::rig::Skeleton;

/// A bone in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoneSegment {
    /// Where its joint is.
    pub from: Vec3,
    /// Where it ends.
    pub to: Vec3,
    /// Its colour, linear RGB; none for the usual one.
    pub color: Option<Vec3>,
}

impl BoneSegment {
    /// The bones of a skeleton with the given world transforms, one for each joint.
    pub fn of_skeleton(skeleton: &Skeleton, world: &[DAffine3]) -> Vec<Self> {
        let place = |joint: usize| world.get(joint).map(|m| m.translation.as_vec3());
        skeleton
            .bones()
            .into_iter()
            .filter_map(|bone| {
                let to = match bone.child {
                    Some(child) => place(child)?,
                    None => world.get(bone.joint)?.transform_point3(skeleton.bone_end(bone)).as_vec3(),
                };
                Some(Self { from: place(bone.joint)?, to, color: None })
            })
            .collect()
    }
}

const BONE: Vec3 = Vec3::new(0.95, 0.42, 0.045);
const OUTLINE: Vec3 = Vec3::new(0.045, 0.035, 0.03);

/// Draws bones through a camera; `unit` takes world space to the camera's space.
pub(crate) fn bones(image: &mut Image, bones: &[BoneSegment], camera: &Camera, viewport: &Viewport, unit: &Unit) {
    let mut flat: Vec<FlatBone> = bones
        .iter()
        .filter_map(|bone| {
            let (from, near) = camera.project(unit.apply(bone.from).as_dvec3(), viewport)?;
            let (to, far) = camera.project(unit.apply(bone.to).as_dvec3(), viewport)?;
            let color = bone.color.unwrap_or(BONE);
            Some(FlatBone { from: from.as_vec2(), to: to.as_vec2(), depth: 0.5 * (near + far), color })
        })
        .collect();
    flat.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    let thickness = (viewport.height.min(viewport.width) as f32 * 0.012).max(1.5);
    for bone in &flat {
        bone.draw(image, thickness);
    }
}

struct FlatBone {
    from: Vec2,
    to: Vec2,
    depth: f64,
    color: Vec3,
}

impl FlatBone {
    fn draw(&self, image: &mut Image, thickness: f32) {
        let along = self.to - self.from;
        let length = along.length();
        let half = (0.16 * length).clamp(0.35 * thickness, thickness);
        let line = (0.16 * thickness).max(0.55);
        if length > 0.5 {
            let across = along.perp() * (half / length);
            let waist = self.from + along * 0.2;
            let corners = [self.from, waist + across, self.to, waist - across];
            let outline: Vec<Stroke> =
                (0..4).map(|k| Stroke { from: corners[k], to: corners[(k + 1) % 4], radius: line }).collect();
            canvas::strokes(image, &outline, Ink { color: OUTLINE, opacity: 0.75 });
            // The flank that looks to the upper left, where the key light is, is the bright one.
            let lit = across.dot(Vec2::new(-1.0, -1.3)) > 0.0;
            for (corner, bright) in [(corners[1], lit), (corners[3], !lit)] {
                let color = self.color * if bright { 1.0 } else { 0.52 };
                canvas::polygon(image, &[self.from, corner, self.to], Ink { color, opacity: 0.88 });
            }
        }
        canvas::disc(image, self.from, 0.55 * half + 2.0 * line, Ink { color: OUTLINE, opacity: 0.85 });
        canvas::disc(image, self.from, 0.55 * half + 0.8 * line, Ink::solid(Vec3::new(0.97, 0.94, 0.88)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use sinew::rig::{Joint, Transform};

    #[test]
    fn bones_end_at_children_and_tips() {
        let at = |y: f64| Transform { translation: DVec3::Y * y, ..Transform::default() };
        let root = Joint { name: "root".into(), rest: at(1.0), ..Joint::default() };
        let hand = Joint { parent: Some(0), rest: at(2.0), tip: Some(DVec3::X), ..root.clone() };
        let (skeleton, _) = Skeleton::new(vec![root, hand]).unwrap();
        let bones = BoneSegment::of_skeleton(&skeleton, &skeleton.rest_world());
        let ends: Vec<_> = bones.iter().map(|b| (b.from, b.to)).collect();
        assert_eq!(ends, [(Vec3::Y, Vec3::Y * 3.0), (Vec3::Y * 3.0, Vec3::new(1.0, 3.0, 0.0))]);
        assert!(BoneSegment::of_skeleton(&skeleton, &[]).is_empty());
    }
}
