//! The colour of each joint: one that its parent, its grandparent and its siblings do not have, so that the border
//! between the skins of two joints shows.

use glam::Vec3;
use sinew::rig::{Character, JointKind};
use sinew_render::color::{CLAY, joint_color};

/// The number of colours.
const COLORS: usize = 12;

/// A colour for each joint of a skeleton, linear RGB.
pub struct JointColors(Vec<Vec3>);

impl JointColors {
    pub fn new(character: &Character) -> Self {
        let joints = character.skeleton.joints();
        let mut numbers: Vec<Option<usize>> = Vec::with_capacity(joints.len());
        // The nearest real joint above each, and the numbers of the real joints below each so far.
        let mut above: Vec<Option<usize>> = Vec::with_capacity(joints.len());
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); joints.len()];
        for (index, joint) in joints.iter().enumerate() {
            let is_real = |&joint: &usize| joints[joint].kind == JointKind::Joint;
            let parent = joint.parent.and_then(|parent| Some(parent).filter(is_real).or(above[parent]));
            above.push(parent);
            if joint.kind == JointKind::Node {
                numbers.push(None);
                continue;
            }
            let number = |joint: Option<usize>| joint.and_then(|joint| numbers[joint]);
            let (parents, grandparents) = (number(parent), number(parent.and_then(|parent| above[parent])));
            let siblings = parent.map_or(&[][..], |parent| &below[parent][..]);
            let candidates = || (0..COLORS).map(|step| (index + step) % COLORS).filter(|&k| Some(k) != parents);
            let free = candidates().find(|k| Some(*k) != grandparents && !siblings.contains(k));
            let chosen = free.or_else(|| candidates().next());
            if let (Some(parent), Some(chosen)) = (parent, chosen) {
                below[parent].push(chosen);
            }
            numbers.push(chosen);
        }
        Self(numbers.into_iter().map(|number| number.map_or(CLAY, joint_color)).collect())
    }

    /// The colour of a joint.
    pub fn of(&self, joint: usize) -> Vec3 {
        self.0[joint]
    }

    /// The colours of the joints that move each vertex, mixed by weight.
    pub fn of_vertices(&self, character: &Character) -> Vec<Vec3> {
        let mut colors = Vec::with_capacity(character.vertex_count());
        for part in &character.parts {
            let color = |joint: u32| self.of(part.binding.joints[joint as usize]);
            let rows = part.binding.weights.rows();
            colors.extend(rows.map(|row| row.iter().map(|i| i.weight * color(i.joint)).sum::<Vec3>()));
        }
        colors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_joint_has_the_colour_of_a_neighbour() {
        let figure = sinew::demo::character();
        let colors = JointColors::new(&figure);
        let joints = figure.skeleton.joints();
        for a in 0..joints.len() {
            for b in 0..a {
                let siblings = joints[a].parent.is_some() && joints[a].parent == joints[b].parent;
                if siblings || joints[a].parent == Some(b) {
                    assert_ne!(colors.of(a), colors.of(b), "{} and {}", joints[a].name, joints[b].name);
                }
            }
        }
        let vertices = colors.of_vertices(&figure);
        assert_eq!(vertices.len(), figure.vertex_count());
        assert!(vertices.iter().all(|color| color.max_element() > 0.05 && color.max_element() <= 1.0));
    }
}
