//! Which clip of a skeleton moves its joints as the bones of a control mesh move?
//!
//! A joint turns in the world as its bones do; with several bones it is the turn that brings all their directions
//! over best, starting from their mean, so that the twist is that of the body around them. Joints without a
//! bone of their own turn with their parents. Roots are where their vertices are.

use crate::arap::Driver;
use crate::control_mesh::ControlMesh;
use glam::{DAffine3, DQuat, DVec3};
use sinew_geometry::rotation_of_directions;
use sinew_rig::WorldRotations;
use sinew_rig::{Clip, JointKind, JointTracks, Pose, Skeleton, Track};

/// Collects the poses of a skeleton inside a control mesh, frame by frame.
pub struct Recorder {
    skeleton: Skeleton,
    turns_of: WorldRotations,
    rest: Vec<DVec3>,
    joints: Vec<Option<u32>>,
    /// The bones of each joint, and the vertices they end at.
    bones_of: Vec<Vec<(usize, usize)>>,
    ends: Vec<usize>,
    turns: Vec<DQuat>,
    world: Vec<DAffine3>,
    pose: Pose,
    times: Vec<f64>,
    poses: Vec<Pose>,
}

impl Recorder {
    /// Prepares to record the skeleton that a control mesh was made with.
    pub fn new(control: &ControlMesh, skeleton: &Skeleton) -> Self {
        let mut bones_of = vec![Vec::new(); skeleton.len()];
        for (index, bone) in control.bones.iter().enumerate() {
            bones_of[bone.joint].push((index, bone.vertices[bone.vertices.len() - 1] as usize));
        }
        let world = skeleton.rest_world();
        Self {
            turns_of: WorldRotations::new(skeleton, &world),
            rest: control.positions.clone(),
            joints: control.joints.clone(),
            bones_of,
            ends: Vec::new(),
            turns: Vec::with_capacity(skeleton.len()),
            pose: skeleton.rest_pose(),
            world,
            skeleton: skeleton.clone(),
            times: Vec::new(),
            poses: Vec::new(),
        }
    }

    /// The pose of the skeleton that a driver has solved for.
    pub fn pose(&mut self, driver: &Driver) -> &Pose {
        let positions = driver.positions();
        self.turns.clear();
        for (index, joint) in self.skeleton.joints().iter().enumerate() {
            let parent = joint.parent.map_or(DQuat::IDENTITY, |p| self.turns[p]);
            let bones = &self.bones_of[index];
            let turn = match (self.joints.get(index).copied().flatten(), bones.as_slice()) {
                (Some(_), &[(bone, _)]) => driver.bone_turns()[bone],
                (Some(vertex), [(first, _), ..]) => {
                    let first = driver.bone_turns()[*first];
                    let along = |q: DQuat| if q.dot(first) < 0.0 { -q } else { q };
                    let sum = bones.iter().map(|&(bone, _)| along(driver.bone_turns()[bone]));
                    let mean = sum.fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, q| sum + q).normalize();
                    self.ends.clear();
                    self.ends.extend(bones.iter().map(|&(_, end)| end));
                    let size = self.ends.iter().map(|&e| self.rest[e].distance(self.rest[vertex as usize]));
                    let size = size.fold(0.0, f64::max);
                    rotation_of_directions(&self.ends, vertex as usize, &self.rest, positions, mean, size)
                }
                _ => parent,
            };
            self.turns.push(turn);
            if joint.kind == JointKind::Joint {
                self.pose.joints[index].rotation = self.turns_of.local_rotation(index, &self.turns);
            }
            let above = joint.parent.map_or(DAffine3::IDENTITY, |p| self.world[p]);
            let is_root = joint.parent.is_none_or(|p| self.skeleton.joints()[p].kind == JointKind::Node);
            if let Some(vertex) = self.joints.get(index).copied().flatten().filter(|_| is_root) {
                self.pose.joints[index].translation = above.inverse().transform_point3(positions[vertex as usize]);
            }
            self.world[index] = above * self.pose.joints[index].matrix();
        }
        &self.pose
    }

    /// Adds the pose of a moment; moments are given in order.
    pub fn record(&mut self, driver: &Driver, seconds: f64) {
        self.pose(driver);
        self.times.push(seconds);
        self.poses.push(self.pose.clone());
    }

    /// What was recorded, as a clip.
    pub fn clip(&self, name: &str) -> Clip {
        let mut tracks = Vec::new();
        for (index, joint) in self.skeleton.joints().iter().enumerate().filter(|(_, j)| j.kind == JointKind::Joint) {
            let locals = || self.poses.iter().map(|pose| pose.joints[index]);
            let is_root = joint.parent.is_none_or(|p| self.skeleton.joints()[p].kind == JointKind::Node);
            let rotations = locals().map(|local| local.rotation.as_quat()).collect();
            let translations =
                || Track::linear(self.times.clone(), locals().map(|l| l.translation.as_vec3()).collect());
            tracks.push(JointTracks {
                joint: index,
                rotation: Some(Track::linear(self.times.clone(), rotations)),
                translation: is_root.then(translations),
                ..JointTracks::default()
            });
        }
        Clip { name: name.into(), joints: tracks, ..Clip::default() }
    }
}
