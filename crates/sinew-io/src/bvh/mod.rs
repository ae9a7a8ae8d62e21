//! Biovision hierarchy: a skeleton and its motion in one text file.
//!
//! [`Bvh`] is the file, digit for digit; [`Bvh::to_asset`] converts it to a skeleton and a clip, and
//! [`Bvh::from_character`] converts back.
//!
//! A joint's rotation is the product of its rotation channels in the file's order: `Zrotation
//! Yrotation Xrotation` is `R = Rz Ry Rx`, angles in degrees. Position channels *replace* the joint's
//! offset, as in common tools. (The first description of the format adds them to the root's
//! offset; both agree where that is zero.) The rest pose is the offsets without rotation. The format
//! has neither units nor an up axis.

mod convert;
mod document;
mod read;
mod resample;
mod write;

pub use document::{Bvh, BvhJoint, Channel};

use crate::{Asset, Problem};

/// Reads a BVH file as a skeleton with one clip, called "motion".
pub fn read(bytes: &[u8]) -> Result<Asset, Problem> {
    Bvh::parse(bytes)?.to_asset()
}

/// Writes a character's joints and its first clip at the clip's own frame rate, or 30 fps when its
/// keys are not evenly spaced. Without a clip, one frame of the base pose is written.
pub fn write(asset: &Asset) -> Result<Vec<u8>, Problem> {
    let character = &asset.character;
    let still = sinew::rig::Clip::default();
    let clip = character.clips.first().unwrap_or(&still);
    let fps = clip.frame_rate().unwrap_or(30.0);
    Ok(Bvh::from_character(character, clip, fps)?.to_bytes())
}
