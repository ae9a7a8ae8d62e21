//! A pose as a file: `{"joints": {"NAME": {"axis": [x, y, z], "degrees": a}}}`, with `R_local = R_rest · R`.

use crate::{Error, Result, find};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use sinew::rig::{Character, Pose};
use std::collections::BTreeMap;

/// Rotations of joints from rest, each in the joint's own frame; joints not named are at rest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoseFile {
    /// By the joint's name.
    pub joints: BTreeMap<String, Turn>,
}

/// A rotation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// The axis, of any length but zero.
    pub axis: [f64; 3],
    /// The angle.
    pub degrees: f64,
}

impl PoseFile {
    /// Reads the text of a file.
    pub fn from_json(bytes: &[u8]) -> Result<Self> {
        serde_json::from_slice(bytes).map_err(Error::NotAPose)
    }

    /// The rotations by joint. A joint that the character does not have is an error that suggests one.
    pub fn turns(&self, character: &Character) -> Result<Vec<(usize, DQuat)>> {
        let turn = |(name, turn): (&String, &Turn)| {
            let joint = find::node(character, name)?;
            let axis = DVec3::from(turn.axis).try_normalize().filter(|_| turn.degrees.is_finite());
            let axis = axis.ok_or_else(|| Error::Rotation { joint: name.clone() })?;
            Ok((joint, DQuat::from_axis_angle(axis, turn.degrees.to_radians())))
        };
        self.joints.iter().map(turn).collect()
    }

    /// The pose of a character.
    pub fn pose(&self, character: &Character) -> Result<Pose> {
        let mut pose = character.rest_pose();
        for (joint, turn) in self.turns(character)? {
            pose.joints[joint].rotation *= turn;
        }
        Ok(pose)
    }

    /// The rotations of a pose from rest, where there are any.
    pub fn of(pose: &Pose, character: &Character) -> Self {
        let joints = character.skeleton.joints().iter().zip(&pose.joints);
        let turned = joints.filter_map(|(joint, local)| {
            let turn = (joint.rest.rotation.inverse() * local.rotation).normalize();
            let (axis, angle) = if turn.w < 0.0 { (-turn).to_axis_angle() } else { turn.to_axis_angle() };
            let turn = Turn { axis: axis.to_array(), degrees: angle.to_degrees() };
            (angle > SMALLEST_TURN).then(|| (joint.name.clone(), turn))
        });
        Self { joints: turned.collect() }
    }
}

/// Smaller rotations are those of rounding.
const SMALLEST_TURN: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_survives_its_file() {
        let figure = sinew::demo::character();
        let mut pose = figure.rest_pose();
        for (k, joint) in pose.joints.iter_mut().enumerate().step_by(3) {
            joint.rotation *= DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.3 * k as f64 % 3.0);
        }
        let text = serde_json::to_string(&PoseFile::of(&pose, &figure)).unwrap();
        let again = PoseFile::from_json(text.as_bytes()).unwrap().pose(&figure).unwrap();
        for (a, b) in pose.joints.iter().zip(&again.joints) {
            assert!(a.rotation.dot(b.rotation).abs() > 1.0 - 1e-12);
        }
        assert!(PoseFile::of(&figure.rest_pose(), &figure).joints.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let figure = sinew::demo::character();
        let error =
            |text: &str| PoseFile::from_json(text.as_bytes()).and_then(|p| p.pose(&figure)).unwrap_err().one_sentence();
        assert!(error(r#"{"joints": {"LeftFoerArm": {"axis": [1,0,0], "degrees": 9}}}"#).contains("\"LeftForeArm\""));
        assert!(error(r#"{"joints": {"LeftForeArm": {"axis": [0,0,0], "degrees": 9}}}"#).contains("not zero"));
        assert!(error("{").contains("not a pose"));
    }
}
