//! Skins that follow the node of their mesh.
//!
//! Maya deforms a skin in the space of its mesh, so the mesh's node moves the result once more. With `M(t)` for the
//! mesh's place, a vertex of Maya is at
//!
//! ```text
//! x = N(t) · Σ wⱼ Bⱼ(t) inverse_bindⱼ v,   N(t) = M(t) · M_bind⁻¹
//! ```
//!
//! while other programs have no `N`. Here the joints take it over, so that bones stay inside the skin: the topmost
//! joints of the skin stand at `N(t) · B(t)`. Where something else hangs on these joints, the skin gets joints of its
//! own, copies of the file's up to the root.

use super::clip;
use crate::bind_pose::nearly_equal;
use glam::DAffine3;
use sinew::rig::{Clip, Joint, JointTracks, Part, Pose, Transform};
use std::collections::{BTreeMap, BTreeSet};

/// Bind matrices are written with about seven digits.
pub(super) const SAME_PLACE: f64 = 1e-4;

/// Where a skin's mesh was bound, and its place in its node.
#[derive(Clone, Copy)]
pub(super) struct MeshPlace {
    /// From the mesh to the world, at bind time.
    pub bind: DAffine3,
    /// From the mesh to its node.
    pub in_node: DAffine3,
}

/// What of a character is moved.
pub(super) struct Rig<'a> {
    pub joints: &'a mut Vec<Joint>,
    pub parts: &'a mut [Part],
    pub base: &'a mut Pose,
    pub clips: &'a mut [Clip],
}

/// `N` in the base pose, then in each frame of each clip.
type Motion = Vec<DAffine3>;

/// Moves the joints of each skin whose mesh leaves its place of binding. `places` has that place for skinned parts.
pub(super) fn follow(rig: &mut Rig<'_>, places: &[Option<MeshPlace>]) {
    let frames = 1 + rig.clips.iter().map(|clip| clip.key_times().len()).sum::<usize>();
    let skins: Vec<(usize, MeshPlace)> =
        places.iter().enumerate().filter_map(|(part, place)| Some((part, (*place)?))).collect();
    let groups = groups(rig, &skins, frames);
    for (motion, parts) in groups {
        let tops = match own_tops(rig, &parts) {
            Some(tops) => tops,
            None if is_too_much(rig.joints.len(), frames) => continue,
            None => copy_joints(rig, &parts),
        };
        fold(rig, &tops, &motion);
    }
}

/// Whether joints for so many frames are more than all clips of a file may have: then the file is no character.
fn is_too_much(joints: usize, frames: usize) -> bool {
    joints as f64 * frames as f64 > clip::MAX_SAMPLES
}

/// The motions that differ, each with the parts that have it.
fn groups(rig: &Rig<'_>, skins: &[(usize, MeshPlace)], frames: usize) -> Vec<(Motion, Vec<usize>)> {
    let mut groups: Vec<(Motion, Vec<usize>)> = Vec::new();
    if is_too_much(skins.len(), frames) {
        return groups;
    }
    let nodes: Vec<usize> = skins.iter().map(|&(part, _)| rig.parts[part].node).collect();
    for (&(part, MeshPlace { bind, in_node }), frames) in skins.iter().zip(record(rig, &nodes)) {
        if bind.matrix3.determinant() == 0.0 {
            continue;
        }
        let unbind = in_node * bind.inverse();
        let motion: Motion = frames.iter().map(|frame| frame.parent * frame.local.matrix() * unbind).collect();
        let stays = |(a, b): (&DAffine3, &DAffine3)| nearly_equal(a, b, SAME_PLACE);
        if motion.iter().all(|n| stays((n, &DAffine3::IDENTITY))) {
            continue;
        }
        match groups.iter_mut().find(|(known, _)| known.iter().zip(&motion).all(stays)) {
            Some((_, parts)) => parts.push(part),
            None => groups.push((motion, vec![part])),
        }
    }
    groups
}

/// A joint in one frame.
struct Frame {
    /// The place of its parent.
    parent: DAffine3,
    local: Transform,
}

/// Some joints in the base pose and in each frame of each clip.
fn record(rig: &Rig<'_>, wanted: &[usize]) -> Vec<Vec<Frame>> {
    let mut frames: Vec<Vec<Frame>> = wanted.iter().map(|_| Vec::new()).collect();
    let mut world = Vec::with_capacity(rig.joints.len());
    let mut push = |pose: &Pose| {
        world.clear();
        for (joint, local) in rig.joints.iter().zip(&pose.joints) {
            let parent = joint.parent.map_or(DAffine3::IDENTITY, |parent| world[parent]);
            world.push(parent * local.matrix());
        }
        for (frames, &joint) in frames.iter_mut().zip(wanted) {
            let parent = rig.joints[joint].parent.map_or(DAffine3::IDENTITY, |parent| world[parent]);
            frames.push(Frame { parent, local: pose.joints[joint] });
        }
    };
    push(rig.base);
    let mut pose = Pose::default();
    for clip in rig.clips.iter() {
        for &time in clip.key_times() {
            clip.sample(time, rig.base, &mut pose);
            push(&pose);
        }
    }
    frames
}

/// The joints that a part's clusters name: all but its own node, which vertices without weight follow.
fn cluster_joints(part: &Part) -> impl Iterator<Item = usize> {
    part.binding.joints.iter().copied().filter(|&joint| joint != part.node)
}

/// The topmost joints that carry these parts and nothing else; none where there are no such.
fn own_tops(rig: &Rig<'_>, parts: &[usize]) -> Option<BTreeSet<usize>> {
    let mut carries_other = vec![false; rig.joints.len()];
    for (index, part) in rig.parts.iter().enumerate() {
        carries_other[part.node] = true;
        if !parts.contains(&index) {
            part.binding.joints.iter().for_each(|&joint| carries_other[joint] = true);
        }
    }
    for joint in (0..rig.joints.len()).rev() {
        if let (true, Some(parent)) = (carries_other[joint], rig.joints[joint].parent) {
            carries_other[parent] = true;
        }
    }
    let mut tops = BTreeSet::new();
    for mut joint in parts.iter().flat_map(|&part| cluster_joints(&rig.parts[part])) {
        if carries_other[joint] {
            return None;
        }
        while let Some(parent) = rig.joints[joint].parent.filter(|&parent| !carries_other[parent]) {
            joint = parent;
        }
        tops.insert(joint);
    }
    Some(tops)
}

/// Gives the parts joints of their own: copies of theirs with all joints above. Returns the roots.
fn copy_joints(rig: &mut Rig<'_>, parts: &[usize]) -> BTreeSet<usize> {
    let mut originals = BTreeSet::new();
    for joint in parts.iter().flat_map(|&part| cluster_joints(&rig.parts[part])) {
        let mut next = Some(joint);
        while let Some(joint) = next.filter(|&joint| originals.insert(joint)) {
            next = rig.joints[joint].parent;
        }
    }
    let owner = parts.first().map_or(String::new(), |&part| rig.joints[rig.parts[part].node].name.clone());
    let first = rig.joints.len();
    let copies: BTreeMap<usize, usize> = originals.into_iter().zip(first..).collect();
    for &original in copies.keys() {
        let joint = rig.joints[original].clone();
        let parent = joint.parent.map(|parent| copies[&parent]);
        rig.joints.push(Joint { name: format!("{} of {owner}", joint.name), parent, ..joint });
        rig.base.joints.push(rig.base.joints[original]);
    }
    for clip in rig.clips.iter_mut() {
        let copied = |tracks: &JointTracks| Some(JointTracks { joint: *copies.get(&tracks.joint)?, ..tracks.clone() });
        let tracks: Vec<JointTracks> = clip.joints.iter().filter_map(copied).collect();
        clip.joints.extend(tracks);
    }
    for &part in parts {
        let part = &mut rig.parts[part];
        for joint in part.binding.joints.iter_mut().filter(|joint| **joint != part.node) {
            *joint = copies[joint];
        }
    }
    (first..rig.joints.len()).filter(|&copy| rig.joints[copy].parent.is_none()).collect()
}

/// Puts joints at `N(t)` times their place: the local transform `L` becomes `P⁻¹ N P L` under a parent at `P`.
fn fold(rig: &mut Rig<'_>, tops: &BTreeSet<usize>, motion: &Motion) {
    let tops: Vec<usize> = tops.iter().copied().collect();
    let times: Vec<Vec<f64>> = rig.clips.iter().map(|clip| clip.key_times().to_vec()).collect();
    for (&joint, frames) in tops.iter().zip(record(rig, &tops)) {
        let mut moved = motion.iter().zip(frames).map(|(n, Frame { parent, local })| {
            Transform::from_matrix(&(parent.inverse() * *n * parent * local.matrix()))
        });
        let Some(base) = moved.next().filter(Transform::is_finite) else { continue };
        rig.base.joints[joint] = base;
        for (clip, times) in rig.clips.iter_mut().zip(&times) {
            let samples: Vec<Transform> = moved.by_ref().take(times.len()).collect();
            clip.joints.retain(|tracks| tracks.joint != joint);
            clip.joints.extend(clip::tracks(joint, &base, samples, times));
            clip.joints.sort_by_key(|tracks| tracks.joint);
        }
    }
}
