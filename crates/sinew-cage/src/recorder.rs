//! The clip of a skeleton whose joints move as the bones of a control mesh.
//!
//! A joint rotates as its bone does. With several bones, its rotation aligns all their directions best, starting from
//! their mean rotation, which fixes the twist. Joints without a bone follow their parents. Roots take the positions of
//! their vertices.

use crate::arap::Driver;
use crate::control_mesh::ControlMesh;
use glam::{DAffine3, DQuat, DVec3};
use sinew_geometry::rotation_of_directions;
use sinew_rig::WorldRotations;
use sinew_rig::{Clip, JointKind, JointTracks, Pose, Skeleton, Track};

/// Records the poses of a skeleton inside a control mesh, frame by frame.
#[derive(Debug)]
pub struct Recorder {
    skeleton: Skeleton,
    world_rotations: WorldRotations,
    rest: Vec<DVec3>,
    joints: Vec<Option<u32>>,
    /// The bones of each joint, with their end vertices.
    bones_of: Vec<Vec<(usize, usize)>>,
    ends: Vec<usize>,
    rotations: Vec<DQuat>,
    world: Vec<DAffine3>,
    pose: Pose,
    times: Vec<f64>,
    poses: Vec<Pose>,
}

impl Recorder {
    /// Prepares to record the skeleton that a control mesh was built with.
    pub fn new(control: &ControlMesh, skeleton: &Skeleton) -> Self {
        let mut bones_of = vec![Vec::new(); skeleton.len()];
        for (index, bone) in control.bones.iter().enumerate() {
            bones_of[bone.joint].push((index, bone.vertices[bone.vertices.len() - 1] as usize));
        }
        let world = skeleton.rest_world();
        Self {
            world_rotations: WorldRotations::new(skeleton, &world),
            rest: control.positions.clone(),
            joints: control.joints.clone(),
            bones_of,
            ends: Vec::new(),
            rotations: Vec::with_capacity(skeleton.len()),
            pose: skeleton.rest_pose(),
            world,
            skeleton: skeleton.clone(),
            times: Vec::new(),
            poses: Vec::new(),
        }
    }

    /// The skeleton's pose for the driver's current solution.
    pub fn pose(&mut self, driver: &Driver) -> &Pose {
        let positions = driver.positions();
        self.rotations.clear();
        for (index, joint) in self.skeleton.joints().iter().enumerate() {
            let parent = joint.parent.map_or(DQuat::IDENTITY, |p| self.rotations[p]);
            let bones = &self.bones_of[index];
            let rotation = match (self.joints.get(index).copied().flatten(), bones.as_slice()) {
                (Some(_), &[(bone, _)]) => driver.bone_rotations()[bone],
                (Some(vertex), [(first, _), ..]) => {
                    let first = driver.bone_rotations()[*first];
                    let same_hemisphere = |q: DQuat| if q.dot(first) < 0.0 { -q } else { q };
                    let sum = bones.iter().map(|&(bone, _)| same_hemisphere(driver.bone_rotations()[bone]));
                    let mean = sum.fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, q| sum + q).normalize();
                    self.ends.clear();
                    self.ends.extend(bones.iter().map(|&(_, end)| end));
                    let length = self.ends.iter().map(|&e| self.rest[e].distance(self.rest[vertex as usize]));
                    let length = length.fold(0.0, f64::max);
                    rotation_of_directions(&self.ends, vertex as usize, &self.rest, positions, mean, length)
                }
                _ => parent,
            };
            self.rotations.push(rotation);
            if joint.kind == JointKind::Joint {
                self.pose.joints[index].rotation = self.world_rotations.local_rotation(index, &self.rotations);
            }
            let parent_world = joint.parent.map_or(DAffine3::IDENTITY, |p| self.world[p]);
            let is_root = joint.parent.is_none_or(|p| self.skeleton.joints()[p].kind == JointKind::Node);
            if let Some(vertex) = self.joints.get(index).copied().flatten().filter(|_| is_root) {
                self.pose.joints[index].translation =
                    parent_world.inverse().transform_point3(positions[vertex as usize]);
            }
            self.world[index] = parent_world * self.pose.joints[index].matrix();
        }
        &self.pose
    }

    /// Records the current pose at a time. Times must ascend.
    pub fn record(&mut self, driver: &Driver, seconds: f64) {
        self.pose(driver);
        self.times.push(seconds);
        self.poses.push(self.pose.clone());
    }

    /// The recorded poses as a clip.
    #[must_use]
    pub fn clip(&self, name: &str) -> Clip {
        let mut tracks = Vec::new();
        for (index, joint) in self.skeleton.joints().iter().enumerate().filter(|(_, j)| j.kind == JointKind::Joint) {
            let local_transforms = || self.poses.iter().map(|pose| pose.joints[index]);
            let is_root = joint.parent.is_none_or(|p| self.skeleton.joints()[p].kind == JointKind::Node);
            let rotations = local_transforms().map(|local| local.rotation.as_quat()).collect();
            let translations =
                || Track::linear(self.times.clone(), local_transforms().map(|l| l.translation.as_vec3()).collect());
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
