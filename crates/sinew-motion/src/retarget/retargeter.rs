//! Retargeting of clips from one skeleton to another.
//!
//! Rotations are retargeted in the world, relative to the rest poses. With `Q_s` the rotation of the
//! motion's joint since its rest, `W` the rotation between the two files' axes and `A` the alignment of
//! the rest poses, the character's joint turns by
//!
//! ```text
//! Q_t = W Q_s W⁻¹ · A.
//! ```
//!
//! Joints without a partner keep their local rest rotation; everything above the pelvis keeps the
//! base pose. Feet that hang beside the legs, as in rigs that drive them by goals, are put where their
//! calves end.
//!
//! The body is placed by the centre of its hips, which does not depend on where a rig has its pelvis
//! joint. It is retargeted about a point on the ground below the rest pose and scaled by the ratio
//! of the legs' lengths, so that ground stays ground and strides fit the legs:
//!
//! ```text
//! h_t = o_t + s W (h_s − o_s).
//! ```

use super::align::Alignment;
use super::mapping::Mapping;
use super::rest_body::{RestBody, mean};
use crate::{Error, Result};
use glam::{DAffine3, DMat3, DQuat, DVec3, Quat, Vec3};
use sinew_rig::WorldRotations;
use sinew_rig::anatomy::names::{BodyPart, Limb, Side};
use sinew_rig::{Character, Clip, JointKind, JointTracks, Pose, Skeleton, Track};

/// Differences of base and rest pose below this are rounding. Transforms in files are f32, and some products of them
/// are good to 1e-6.
const REST_TOLERANCE: f64 = 1e-6;

/// A motion's skeleton and a character, prepared to retarget clips.
#[derive(Debug, Clone)]
pub struct Retargeter {
    source: Skeleton,
    source_rest: Vec<DAffine3>,
    source_rotations: WorldRotations,
    target_rotations: WorldRotations,
    mapping: Mapping,
    /// From the motion's world to the character's.
    axes: DQuat,
    /// For each pair.
    alignments: Vec<DQuat>,
    /// Of the path of the hips.
    scale: f64,
    source_up: DVec3,
    source_hips: Vec<usize>,
    /// The point on the ground `o_s`, but for the ground's height, which a clip decides.
    source_origin: DVec3,
    source_grounds: Vec<f64>,
    /// The point on the ground `o_t`.
    target_origin: DVec3,
    /// From the root joint to the hips between which their centre lies.
    hip_chains: Vec<BoneChain>,
    /// The root, and feet that are not children of their legs: joints that are placed in the world.
    placed: Vec<PlacedJoint>,
    /// World rotations of the base pose.
    base_rotations: Vec<DQuat>,
    /// For each joint of the character, whether it or an ancestor is placed.
    moves: Vec<bool>,
    /// For each joint of the character, its place among the pairs.
    pair_of: Vec<Option<usize>>,
    /// Joints whose base pose is not their rest pose, brought back to rest.
    rest_keys: Vec<JointTracks>,
}

impl Retargeter {
    /// Prepares to play motions of a skeleton on a character.
    pub fn new(source: &Skeleton, target: &Character, mapping: &Mapping) -> Result<Self> {
        let skeleton = &target.skeleton;
        let root = mapping.root().ok_or_else(|| Error::Mapping("the mapping has no pairs".into()))?;
        for pair in mapping.pairs() {
            in_range("a mapping from the motion", pair.source, source)?;
            in_range("a mapping to the character", pair.target, skeleton)?;
        }
        let (source_rest, target_rest) = (source.rest_world(), skeleton.rest_world());
        let source_body = RestBody::new(source, &source_rest, mapping, |pair| pair.source);
        let target_body = RestBody::new(skeleton, &target_rest, mapping, |pair| pair.target);
        let frames = source_body.axes().zip(target_body.axes());
        let axes = frames.map_or(DQuat::IDENTITY, |(from, to)| DQuat::from_mat3(&(to * from.transpose())));
        let (source_up, target_up) = frames.map_or((DVec3::Y, DVec3::Y), |(from, to)| (from.y_axis, to.y_axis));
        let target_frame: Option<DMat3> = frames.map(|(_, to)| to);
        let alignment = Alignment {
            source: &source_body,
            target: &target_body,
            source_skeleton: source,
            target_skeleton: skeleton,
            mapping,
            axes,
            target_frame,
        };
        let alignments = alignment.solve();

        let legs = source_body.leg_length(source_up).zip(target_body.leg_length(target_up));
        let (source_size, target_size) = legs.unwrap_or((source_body.extent(), target_body.extent()));
        let ratio = if source_size > 0.0 && target_size > 0.0 { target_size / source_size } else { 1.0 };

        // A character with a surface stands on its feet; a skeleton without one may have its root at the origin.
        let grounds = target_body.grounds(target_up);
        let ground = if target.parts.is_empty() { grounds.first() } else { grounds.last() };
        let centre =
            |body: &RestBody<'_>| mean(body.hips().into_iter().map(|j| body.position(j))).unwrap_or(DVec3::ZERO);
        let (source_centre, target_centre) = (centre(&source_body), centre(&target_body));

        let mut base_world = vec![DAffine3::IDENTITY; skeleton.len()];
        skeleton.world(&target.base_pose, &mut base_world);
        let placed: Vec<PlacedJoint> = std::iter::once((root.target, root.target))
            .chain(detached_feet(skeleton, mapping, root.target))
            .map(|(joint, carrier)| {
                let mut chain = BoneChain::between(skeleton, &target_rest, root.target, carrier);
                chain.0.push((carrier, target_rest[joint].translation - target_rest[carrier].translation));
                let parent = skeleton.joints()[joint].parent;
                let to_parent = parent.map_or(DAffine3::IDENTITY, |p| base_world[p].inverse());
                if !to_parent.is_finite() {
                    let name = &skeleton.joints()[joint].name;
                    let why = format!("a node above \"{name}\" is scaled to nothing, so no motion can place it");
                    return Err(Error::Mapping(why));
                }
                Ok(PlacedJoint { joint, chain, to_parent })
            })
            .collect::<Result<_>>()?;
        let moves = below(skeleton, &placed);
        let hips = target_body.hips();
        let target_rotations = WorldRotations::new(skeleton, &target_rest);
        let mut base_rotations = Vec::new();
        target_rotations.of_pose(&target.base_pose, &mut base_rotations);
        let mut pair_of = vec![None; skeleton.len()];
        for (place, pair) in mapping.pairs().iter().enumerate() {
            pair_of[pair.target] = Some(place).filter(|_| moves[pair.target]);
        }
        Ok(Self {
            source_rotations: WorldRotations::new(source, &source_rest),
            axes,
            alignments,
            scale: mapping.root_scale() * ratio,
            source_up,
            source_hips: source_body.hips(),
            source_origin: source_centre.reject_from_normalized(source_up),
            source_grounds: source_body.grounds(source_up),
            target_origin: target_centre.reject_from_normalized(target_up) + target_up * ground.copied().unwrap_or(0.0),
            hip_chains: hips.iter().map(|&hip| BoneChain::between(skeleton, &target_rest, root.target, hip)).collect(),
            rest_keys: rest_keys(target, &placed, &moves, &pair_of),
            placed,
            target_rotations,
            base_rotations,
            moves,
            pair_of,
            source: source.clone(),
            mapping: mapping.clone(),
            source_rest,
        })
    }

    /// How much larger the character's steps are than the motion's.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The rotation from the motion's world to the character's.
    pub fn axes(&self) -> DQuat {
        self.axes
    }

    /// A clip of the motion's skeleton as one of the character's, sampled at a frame rate.
    /// `source_base` is the pose of what the clip does not track.
    pub fn clip(&self, clip: &Clip, source_base: &Pose, fps: f64) -> Result<Clip> {
        let times: Vec<f64> = clip.frame_times(fps)?.collect();
        let ground = self.ground_of(clip, source_base, &times);
        let origin = self.source_origin + self.source_up * ground;
        let mut pose = Pose::default();
        let mut world = vec![DAffine3::IDENTITY; self.source.len()];
        let mut source_rotations = Vec::new();
        let mut world_rotations = self.base_rotations.clone();
        let mut translations: Vec<Vec<Vec3>> = vec![Vec::with_capacity(times.len()); self.placed.len()];
        let mut rotations: Vec<Vec<Quat>> = vec![Vec::with_capacity(times.len()); self.mapping.pairs().len()];
        for &seconds in &times {
            clip.sample(seconds, source_base, &mut pose);
            self.source.world(&pose, &mut world);
            self.source_rotations.of_pose(&pose, &mut source_rotations);
            for joint in (0..world_rotations.len()).filter(|&j| self.moves[j]) {
                let Some(place) = self.pair_of[joint] else {
                    world_rotations[joint] = self.target_rotations.of_parent(joint, &world_rotations);
                    continue;
                };
                let rotation_since_rest = source_rotations[self.mapping.pairs()[place].source];
                world_rotations[joint] = self.axes * rotation_since_rest * self.axes.inverse() * self.alignments[place];
                let rotation = self.target_rotations.local_rotation(joint, &world_rotations).as_quat();
                let opposite = rotations[place].last().is_some_and(|last| last.dot(rotation) < 0.0);
                rotations[place].push(if opposite { -rotation } else { rotation });
            }
            let hips = mean(self.source_hips.iter().map(|&j| world[j].translation)).unwrap_or(origin);
            let hips = self.target_origin + self.axes * (hips - origin) * self.scale;
            let to_hips =
                mean(self.hip_chains.iter().map(|chain| chain.rotated(&world_rotations))).unwrap_or(DVec3::ZERO);
            for (placed, translations) in self.placed.iter().zip(&mut translations) {
                let position = hips - to_hips + placed.chain.rotated(&world_rotations);
                translations.push(placed.to_parent.transform_point3(position).as_vec3());
            }
        }
        let start = times.first().copied().unwrap_or(0.0);
        let mut joints = self.rest_keys.clone();
        for track in joints.iter_mut() {
            track.translation.iter_mut().for_each(|t| t.times = vec![start]);
            track.rotation.iter_mut().for_each(|t| t.times = vec![start]);
            track.scale.iter_mut().for_each(|t| t.times = vec![start]);
        }
        for (pair, rotations) in self.mapping.pairs().iter().zip(rotations).filter(|(_, r)| !r.is_empty()) {
            let tracks = tracks_of(&mut joints, pair.target);
            tracks.rotation = Some(Track::linear(times.clone(), rotations));
        }
        for (placed, translations) in self.placed.iter().zip(translations) {
            tracks_of(&mut joints, placed.joint).translation = Some(Track::linear(times.clone(), translations));
        }
        joints.sort_by_key(|tracks| tracks.joint);
        Ok(Clip { name: clip.name.clone(), joints, morphs: Vec::new() })
    }

    /// Of the heights that the ground may have, the one nearest to the lowest step of the clip.
    fn ground_of(&self, clip: &Clip, base: &Pose, times: &[f64]) -> f64 {
        let first = self.source_grounds.first().copied().unwrap_or(0.0);
        if self.source_grounds.len() < 2 {
            return first;
        }
        let body = RestBody::new(&self.source, &self.source_rest, &self.mapping, |pair| pair.source);
        let mut pose = Pose::default();
        let mut world = vec![DAffine3::IDENTITY; self.source.len()];
        let lowest = times.iter().filter_map(|&seconds| {
            clip.sample(seconds, base, &mut pose);
            self.source.world(&pose, &mut world);
            body.lowest_foot(self.source_up, &world)
        });
        let Some(lowest) = lowest.min_by(f64::total_cmp) else { return first };
        let distance = |ground: &f64| (ground - lowest).abs();
        self.source_grounds.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(first)
    }
}

fn in_range(what: &str, joint: usize, skeleton: &Skeleton) -> Result<()> {
    let count = skeleton.len();
    if joint < count {
        Ok(())
    } else {
        Err(sinew_rig::Error::JointOutOfRange { what: what.into(), joint, count }.into())
    }
}

/// The chain of bones from the root joint to another one.
#[derive(Debug, Clone)]
struct BoneChain(Vec<(usize, DVec3)>);

impl BoneChain {
    /// Bones at rest in the world, each with the joint that rotates it.
    fn between(skeleton: &Skeleton, rest: &[DAffine3], root: usize, joint: usize) -> Self {
        let parent = |joint: usize| skeleton.joints()[joint].parent.filter(|_| joint != root);
        let upwards = std::iter::successors(Some(joint), |&j| parent(j));
        let bones = upwards.filter_map(|j| Some((parent(j)?, rest[j].translation - rest[parent(j)?].translation)));
        Self(bones.collect())
    }

    /// From its start to its end after the joints have rotated.
    fn rotated(&self, world_rotations: &[DQuat]) -> DVec3 {
        self.0.iter().map(|&(joint, bone)| world_rotations[joint] * bone).sum()
    }
}

/// A joint that is placed in the world rather than by its parent.
#[derive(Debug, Clone)]
struct PlacedJoint {
    joint: usize,
    /// From the root joint to where it belongs.
    chain: BoneChain,
    /// World of its parent in the base pose, inverted.
    to_parent: DAffine3,
}

/// Feet that are not descendants of the root joint, with the calves that move them nevertheless.
fn detached_feet(skeleton: &Skeleton, mapping: &Mapping, root: usize) -> Vec<(usize, usize)> {
    let hangs_on_root =
        |joint: usize| std::iter::successors(Some(joint), |&j| skeleton.joints()[j].parent).any(|j| j == root);
    let feet = [Side::Left, Side::Right].into_iter().filter_map(|side| {
        let joint = |limb| mapping.of_part(BodyPart::Limb(limb, side)).map(|pair| pair.target);
        Some((joint(Limb::Foot)?, joint(Limb::Calf)?))
    });
    feet.filter(|&(foot, calf)| !hangs_on_root(foot) && hangs_on_root(calf)).collect()
}

/// For each joint, whether it or an ancestor is placed.
fn below(skeleton: &Skeleton, placed: &[PlacedJoint]) -> Vec<bool> {
    let mut is_below = vec![false; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        is_below[index] = placed.iter().any(|p| p.joint == index) || joint.parent.is_some_and(|p| is_below[p]);
    }
    is_below
}

/// One-key tracks, still without times, for joints that the motion moves but whose base pose is not at
/// rest: their bones keep the length they were bound with.
fn rest_keys(
    target: &Character,
    placed: &[PlacedJoint],
    moves: &[bool],
    pair_of: &[Option<usize>],
) -> Vec<JointTracks> {
    let joints = target.skeleton.joints().iter().zip(&target.base_pose.joints).enumerate();
    let joints = joints.filter(|(index, (joint, _))| moves[*index] && joint.kind == JointKind::Joint);
    joints
        .map(|(index, (joint, base))| {
            let rest = joint.rest;
            let key = |differs: bool, value: DVec3| differs.then(|| Track::linear(vec![0.0], vec![value.as_vec3()]));
            let tolerance = REST_TOLERANCE * (1.0 + rest.translation.length());
            let is_placed = placed.iter().any(|p| p.joint == index);
            let moved = !is_placed && !base.translation.abs_diff_eq(rest.translation, tolerance);
            let turned = pair_of[index].is_none()
                && base.rotation.dot(rest.rotation).abs() < 1.0 - REST_TOLERANCE * REST_TOLERANCE;
            JointTracks {
                joint: index,
                translation: key(moved, rest.translation),
                rotation: turned.then(|| Track::linear(vec![0.0], vec![rest.rotation.as_quat()])),
                scale: key(!base.scale.abs_diff_eq(rest.scale, REST_TOLERANCE), rest.scale),
            }
        })
        .filter(|t| t.translation.is_some() || t.rotation.is_some() || t.scale.is_some())
        .collect()
}

fn tracks_of(tracks: &mut Vec<JointTracks>, joint: usize) -> &mut JointTracks {
    let place = tracks.iter().position(|t| t.joint == joint).unwrap_or_else(|| {
        tracks.push(JointTracks { joint, ..JointTracks::default() });
        tracks.len() - 1
    });
    &mut tracks[place]
}
