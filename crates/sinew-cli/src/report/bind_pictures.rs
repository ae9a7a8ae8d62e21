//! Pictures of a binding: the joints of each vertex, and the weights of single joints.

use crate::failure::Result;
use crate::picture::{Coloring, Focus, Picture, Style, joint_weights, up_axis};
use glam::Vec3;
use sinew::Surface;
use sinew::bind::JointReport;
use sinew::rig::{Character, JointKind, Pose, Skeleton};
use sinew_io::Asset;
use sinew_tasks::bind::Report;

/// The most joints with a picture of their own.
const JOINTS_SHOWN: usize = 24;

/// The pictures of a page.
pub struct BindPictures {
    /// The figure from the front and the side, every joint in its colour.
    pub overview: Vec<(String, Vec<u8>)>,
    /// The weights of the joints with the largest shares, in the skeleton's order.
    pub joints: Vec<(String, Vec<u8>)>,
}

impl BindPictures {
    pub fn new(asset: &Asset, report: &Report) -> Result<Self> {
        let asset = &bound_alone(asset)?;
        let character = &asset.character;
        let surface = sinew_io::rest_surface(character)?;
        let world = character.skeleton.rest_world();
        let draw = |style: Style| -> Result<Vec<u8>> {
            let mut picture = Picture::new(asset, style);
            picture.add_deformed(String::new(), surface.clone(), &Surface::default(), world.clone())?;
            picture.to_png()
        };
        let view = |azimuth_degrees: f64, skeleton: bool| {
            let style = Style { width: 440, height: 600, coloring: Coloring::Joints, ..Style::default() };
            draw(Style { skeleton, azimuth_degrees, elevation_degrees: 5.0, ..style })
        };
        let overview = vec![
            ("From the front".into(), view(0.0, false)?),
            ("With the skeleton".into(), view(0.0, true)?),
            ("From the side".into(), view(90.0, true)?),
        ];
        let mut joints = Vec::new();
        for JointReport { name, mean_weight, .. } in most_important(report) {
            let png = draw(Style {
                width: 220,
                height: 220,
                coloring: Coloring::Weight(name.clone()),
                legend: false,
                focus: Some(Focus::Skin(name.clone())),
                azimuth_degrees: azimuth(asset, &surface.positions, &joint_weights(character, name)?),
                ..Style::default()
            })?;
            joints.push((format!("{name}, {:.1} %", 100.0 * mean_weight), png));
        }
        Ok(Self { overview, joints })
    }
}

/// The bound meshes alone: without meshes that follow a node rigidly, which hide them, and without joints that have no
/// weight in their subtree, such as animators' handles.
fn bound_alone(asset: &Asset) -> Result<Asset> {
    let character = &asset.character;
    let mut joints = character.skeleton.joints().to_vec();
    let mut has_weight = vec![false; joints.len()];
    let (mut parts, mut morphs) = (Vec::new(), Vec::new());
    for (part, range) in character.parts.iter().zip(character.morph_ranges()).filter(|(part, _)| part.skinned) {
        for influence in part.binding.weights.rows().flatten().filter(|influence| influence.weight > 0.0) {
            has_weight[part.binding.joints[influence.joint as usize]] = true;
        }
        morphs.extend_from_slice(&character.base_pose.morphs[range]);
        parts.push(part.clone());
    }
    for (index, joint) in joints.iter_mut().enumerate().rev() {
        match (has_weight[index], joint.parent) {
            (true, Some(parent)) => has_weight[parent] = true,
            (true, None) => {}
            (false, _) => joint.kind = JointKind::Node,
        }
    }
    let (skeleton, _) = Skeleton::new(joints)?;
    let base_pose = Pose { morphs, ..character.base_pose.clone() };
    let character = Character { name: character.name.clone(), skeleton, base_pose, parts, clips: Vec::new() };
    Ok(Asset { up: asset.up, ..Asset::new(character, asset.format) })
}

/// The side of the figure to look from so that the skin with these weights is in front.
fn azimuth(asset: &Asset, positions: &[Vec3], weights: &[f32]) -> f64 {
    let up = up_axis(asset);
    let (front, left) = (up.front().as_vec3(), up.up().cross(up.front()).as_vec3());
    let total: f32 = weights.iter().sum();
    let skin = positions.iter().zip(weights).map(|(p, weight)| *p * *weight).sum::<Vec3>() / total;
    let figure = positions.iter().sum::<Vec3>() / positions.len() as f32;
    let aside = skin - figure;
    let across = if aside.dot(left) < -0.1 * aside.length() { -1.0 } else { 1.0 };
    // A front leg is on the front half and a tail on the back one; a shoulder blade is not worth a turn.
    let from_front = if aside.dot(front) < -0.7 * aside.length() { 150.0 } else { 30.0 };
    across * from_front
}

/// The joints with the largest share of the skin, in the skeleton's order.
fn most_important(report: &Report) -> Vec<&JointReport> {
    let mut order: Vec<usize> =
        (0..report.binding.joints.len()).filter(|&k| report.binding.joints[k].vertices > 0).collect();
    order.sort_by(|&a, &b| report.binding.joints[b].mean_weight.total_cmp(&report.binding.joints[a].mean_weight));
    order.truncate(JOINTS_SHOWN);
    order.sort_unstable();
    order.into_iter().map(|k| &report.binding.joints[k]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::rig::{Binding, Joint};
    use sinew_io::Format;

    #[test]
    fn what_was_not_bound_is_not_drawn() {
        let mut figure = sinew::demo::character();
        let mut joints = figure.skeleton.joints().to_vec();
        let hand = figure.skeleton.find("LeftHand");
        joints.push(Joint { name: "handle".into(), parent: Some(0), ..Joint::default() });
        joints.push(Joint { name: "sword".into(), parent: hand, kind: JointKind::Node, ..Joint::default() });
        let sword = joints.len() - 1;
        figure.skeleton = Skeleton::new(joints).unwrap().0;
        figure.base_pose = figure.skeleton.rest_pose();
        let mut part = figure.parts[0].clone();
        (part.node, part.skinned) = (sword, false);
        part.binding = Binding::rigid(sword, part.mesh.positions.len());
        figure.parts.push(part);
        let alone = bound_alone(&Asset::new(figure, Format::Glb)).unwrap().character;
        alone.check().unwrap();
        assert_eq!(alone.parts.len(), 1);
        let is_real = |name: &str| alone.joints().any(|joint| alone.skeleton.joints()[joint].name == name);
        assert!(is_real("LHipJoint") && is_real("LeftHand") && !is_real("handle"));
    }
}
