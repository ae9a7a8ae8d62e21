//! From document to skeleton and clip.

use super::{Bvh, BvhJoint, Channel};
use crate::{Asset, Format, Problem};
use glam::{DQuat, DVec3, Quat, Vec3};
use rayon::prelude::*;
use sinew::rig::{Character, Clip, Joint, JointKind, JointTracks, Skeleton, Track, Transform};
use std::collections::HashSet;

impl Bvh {
    /// A skeleton whose rest pose is the offsets, and a clip called "motion" with a key per frame.
    pub fn to_asset(&self) -> Result<Asset, Problem> {
        let joints = self.joints.iter().map(rest_joint).collect();
        let (skeleton, _) = Skeleton::new(joints)?;
        let mut warnings = self.name_warnings();
        let clip = self.clip(&mut warnings);
        let character =
            Character { base_pose: skeleton.rest_pose(), skeleton, clips: vec![clip], ..Character::default() };
        Ok(Asset { warnings, ..Asset::new(character, Format::Bvh) })
    }

    fn name_warnings(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let repeated = self.joints.iter().filter(|j| !seen.insert(j.name.as_str()));
        repeated.map(|j| format!("several joints are called \"{}\"; only the first is found by name", j.name)).collect()
    }

    fn clip(&self, warnings: &mut Vec<String>) -> Clip {
        let frame_count = self.frame_count();
        let times: Vec<f64> = (0..frame_count).map(|k| k as f64 * self.frame_time).collect();
        let mut columns = Vec::with_capacity(self.joints.len());
        let mut first = 0;
        for (index, joint) in self.joints.iter().enumerate() {
            columns.push(Columns::new(index, joint, first, frame_count));
            first += joint.channels.len();
        }
        columns.par_iter_mut().for_each(|column| self.frames().for_each(|frame| column.push(frame)));
        let tracks = columns.into_iter().zip(&self.joints).filter_map(|(mut column, joint)| {
            if column.stays_at_zero_off_its_offset(joint) {
                column.positions = None;
                warnings.push(format!(
                    "the position of \"{}\" is 0 in every frame although its offset is not; its offset is kept",
                    joint.name
                ));
            }
            column.tracks(&times)
        });
        Clip { name: "motion".into(), joints: tracks.collect(), morphs: Vec::new() }
    }
}

fn rest_joint(joint: &BvhJoint) -> Joint {
    let tip = joint.end_sites.first().map(|&end| DVec3::from(end)).filter(|end| *end != DVec3::ZERO);
    Joint {
        name: joint.name.clone(),
        parent: joint.parent,
        rest: Transform::from_translation(joint.offset.into()),
        tip,
        kind: JointKind::Joint,
    }
}

/// One joint's share of every frame.
struct Columns<'a> {
    joint: usize,
    offset: DVec3,
    channels: &'a [Channel],
    first: usize,
    positions: Option<Vec<Vec3>>,
    rotations: Option<Vec<Quat>>,
}

impl<'a> Columns<'a> {
    fn new(index: usize, joint: &'a BvhJoint, first: usize, frame_count: usize) -> Self {
        let has = |kind: fn(&Channel) -> bool| joint.channels.iter().any(kind);
        Self {
            joint: index,
            offset: joint.offset.into(),
            channels: &joint.channels,
            first,
            positions: has(|c| matches!(c, Channel::Position(_))).then(|| Vec::with_capacity(frame_count)),
            rotations: has(|c| matches!(c, Channel::Rotation(_))).then(|| Vec::with_capacity(frame_count)),
        }
    }

    fn push(&mut self, frame: &[f64]) {
        let mut position = self.offset;
        let mut rotation = DQuat::IDENTITY;
        for (channel, &value) in self.channels.iter().zip(&frame[self.first..]) {
            match *channel {
                Channel::Position(axis) => position[axis] = value,
                Channel::Rotation(axis) => rotation = turned(rotation, axis, value),
            }
        }
        if let Some(positions) = &mut self.positions {
            positions.push(position.as_vec3());
        }
        if let Some(rotations) = &mut self.rotations {
            let rotation = rotation.as_quat();
            let opposite = rotations.last().is_some_and(|last| last.dot(rotation) < 0.0);
            rotations.push(if opposite { -rotation } else { rotation });
        }
    }

    /// Whether the values only make sense as added to the offset: a root that never leaves zero, but
    /// for rounding, in a file whose skeleton stands elsewhere.
    fn stays_at_zero_off_its_offset(&self, joint: &BvhJoint) -> bool {
        let complete = (0..3).all(|axis| joint.channels.contains(&Channel::Position(axis)));
        let positions = self.positions.as_deref().unwrap_or_default();
        let rounding = 1e-5 * self.offset.length() as f32;
        complete && rounding > 0.0 && positions.iter().all(|p| p.length() <= rounding)
    }

    fn tracks(self, times: &[f64]) -> Option<JointTracks> {
        if self.positions.is_none() && self.rotations.is_none() {
            return None;
        }
        Some(JointTracks {
            joint: self.joint,
            translation: self.positions.map(|values| Track::linear(times.to_vec(), values)),
            rotation: self.rotations.map(|values| Track::linear(times.to_vec(), values)),
            scale: None,
        })
    }
}

/// `rotation · R_axis(degrees)`, written out: three of the second factor's components are zero or shared.
fn turned(rotation: DQuat, axis: usize, degrees: f64) -> DQuat {
    let (s, c) = (0.5 * degrees.to_radians()).sin_cos();
    let DQuat { x, y, z, w } = rotation;
    match axis {
        0 => DQuat::from_xyzw(x * c + w * s, y * c + z * s, z * c - y * s, w * c - x * s),
        1 => DQuat::from_xyzw(x * c - z * s, y * c + w * s, z * c + x * s, w * c - y * s),
        _ => DQuat::from_xyzw(x * c + y * s, y * c - x * s, z * c + w * s, w * c - z * s),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_a_product_with_an_axis_rotation() {
        let start = DQuat::from_xyzw(0.1, -0.5, 0.3, 0.7).normalize();
        for (axis, direction) in DVec3::AXES.into_iter().enumerate() {
            let expected = start * DQuat::from_axis_angle(direction, 37f64.to_radians());
            assert!(turned(start, axis, 37.0).abs_diff_eq(expected, 1e-15), "axis {axis}");
        }
    }
}
