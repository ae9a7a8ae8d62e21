//! Posing the figure: rotations of joints by name, and inverse kinematics of the legs.

use super::landmarks::{ANKLE, HIP, KNEE, mirrored_name};
use glam::{DQuat, DVec3, Quat};
use sinew_rig::{Clip, Pose, Skeleton, Track};

/// A pose under construction, from rest.
pub(super) struct Poser<'a> {
    skeleton: &'a Skeleton,
    pose: Pose,
}

/// Left or right.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The joint of this side, from the left one's name.
    fn joint(self, left: &str) -> String {
        if self == Self::Left { left.into() } else { mirrored_name(left) }
    }

    /// The point of this side, from the left one's.
    pub(super) fn point(self, left: DVec3) -> DVec3 {
        if self == Self::Left { left } else { DVec3::new(-left.x, left.y, left.z) }
    }

    /// The rotation axis of this side, from the left one's: a mirror reverses the components of an axis in its own
    /// plane.
    fn axis(self, left: DVec3) -> DVec3 {
        if self == Self::Left { left } else { DVec3::new(left.x, -left.y, -left.z) }
    }
}

impl<'a> Poser<'a> {
    fn new(skeleton: &'a Skeleton) -> Self {
        Self { skeleton, pose: skeleton.rest_pose() }
    }

    fn joint(&self, name: &str) -> usize {
        self.skeleton.find(name).expect("clips name joints of the skeleton")
    }

    /// Rotates a joint of the middle about an axis in its parent's frame, after its earlier rotations.
    pub(super) fn turn(&mut self, name: &str, axis: DVec3, degrees: f64) {
        let joint = self.joint(name);
        let local = &mut self.pose.joints[joint].rotation;
        *local = DQuat::from_axis_angle(axis.normalize(), degrees.to_radians()) * *local;
    }

    /// Rotates a joint of one side, given by the left one's name and axis.
    pub(super) fn turn_side(&mut self, side: Side, left: &str, axis: DVec3, degrees: f64) {
        self.turn(&side.joint(left), side.axis(axis), degrees);
    }

    /// Moves the hips from their position at rest.
    pub(super) fn move_hips(&mut self, offset: DVec3) {
        let hips = self.joint("Hips");
        self.pose.joints[hips].translation += offset;
    }

    /// Bends a leg so that its ankle has a world position and its foot an orientation. The knee is a hinge
    /// about x; the hip has the shortest rotation to the ankle's direction.
    pub(super) fn place_foot(&mut self, side: Side, ankle: DVec3, foot: DQuat) {
        let [hip, knee, rest_ankle] = [HIP, KNEE, ANKLE].map(|p| side.point(p.as_dvec3()));
        let (thigh, shin) = (knee - hip, rest_ankle - knee);
        let hips = self.pose.joints[self.joint("Hips")];
        let rest_hips = self.skeleton.joints()[self.joint("Hips")].rest.translation;
        let target = hips.rotation.inverse() * (ankle - hips.translation) - (hip - rest_hips);

        // |thigh + R shin| = |target|, where R rotates about x by the unknown angle: the
        // components across x make an angle whose cosine follows from the lengths.
        let (thigh_across, shin_across) = (thigh.with_x(0.0), shin.with_x(0.0));
        let along_x = (thigh.x + shin.x).powi(2);
        let cosine = (target.length_squared() - along_x - thigh_across.length_squared() - shin_across.length_squared())
            / (2.0 * thigh_across.length() * shin_across.length());
        let rest_angle = thigh_across.cross(shin_across).x.atan2(thigh_across.dot(shin_across));
        let bend = DQuat::from_rotation_x(cosine.clamp(-1.0, 1.0).acos() - rest_angle);
        let reach = thigh + bend * shin;
        let swing = DQuat::from_rotation_arc(reach.normalize(), target.normalize());

        let [upper, lower, end] = ["LeftUpLeg", "LeftLeg", "LeftFoot"].map(|left| self.joint(&side.joint(left)));
        self.pose.joints[upper].rotation = swing;
        self.pose.joints[lower].rotation = bend;
        self.pose.joints[end].rotation = (hips.rotation * swing * bend).inverse() * foot;
    }
}

/// Frames per second of the clips.
const FPS: f64 = 30.0;

/// A clip of so many frames after the first. `pose_at` poses the figure by the elapsed fraction of the clip. Joints
/// that stay at rest have no track.
pub(super) fn clip(skeleton: &Skeleton, name: &str, frames: usize, pose_at: impl Fn(f64, &mut Poser<'_>)) -> Clip {
    let times: Vec<f64> = (0..=frames).map(|k| k as f64 / FPS).collect();
    let poses: Vec<Pose> = (0..=frames)
        .map(|k| {
            let mut poser = Poser::new(skeleton);
            pose_at(k as f64 / frames as f64, &mut poser);
            poser.pose
        })
        .collect();
    let mut clip = Clip::from_poses(name, &times, &poses);
    for tracks in &mut clip.joints {
        let rest = skeleton.joints()[tracks.joint].rest.translation.as_vec3();
        tracks.translation.take_if(|t| t.values.iter().all(|v| *v == rest));
        tracks.rotation.take_if(|t| t.values.iter().all(|q| *q == Quat::IDENTITY));
        tracks.rotation.iter_mut().for_each(make_continuous);
    }
    clip.joints.retain(|t| t.translation.is_some() || t.rotation.is_some());
    clip
}

/// Chooses the sign of each quaternion that is nearest to its predecessor.
fn make_continuous(track: &mut Track<Quat>) {
    for k in 1..track.values.len() {
        if track.values[k].dot(track.values[k - 1]) < 0.0 {
            track.values[k] = -track.values[k];
        }
    }
}
