//! Folds need vertices: the mesh is made finer where a correction will go [R09 §4.3].
//!
//! What is subdivided is where `max_b γ_b` passes a threshold, at rest, over the joints that bend in a clip. The
//! topology is then that of the whole clip.

use super::VolumeDeformer;
use super::options::VolumeOptions;
use crate::Result;
use crate::skinning::SkinMethod;
use sinew_rig::{Character, Clip, Pose};

/// The smallest bend in degrees that a joint is made finer for.
const SMALLEST_BEND: f64 = 5.0;

/// The rate at which a clip is looked at for bends.
const FPS: f64 = 10.0;

/// The character, finer where the correction of the options goes at the joints that bend in the clip, or at all joints.
pub fn refine(
    character: &Character,
    method: SkinMethod,
    options: &VolumeOptions,
    clip: Option<&Clip>,
) -> Result<Character> {
    if options.refine.steps == 0 {
        return Ok(character.clone());
    }
    let bends = match clip {
        Some(clip) => bends(character, clip)?,
        None => vec![true; character.skeleton.len()],
    };
    let deformer = VolumeDeformer::new(character, method, options)?;
    let gamma = deformer.gamma_at_rest(character, |joint| bends[joint]);
    let first: Vec<usize> = character.vertex_ranges().iter().map(|r| r.start).collect();
    let is_selected = |part: usize, vertex: usize| gamma[first[part] + vertex] > options.refine.threshold;
    Ok(sinew_rig::refined(character, is_selected, options.refine.steps)?)
}

/// The joints that leave their rest pose somewhere in a clip.
fn bends(character: &Character, clip: &Clip) -> Result<Vec<bool>> {
    let mut bends = vec![false; character.skeleton.len()];
    let mut pose = Pose::default();
    for seconds in clip.frame_times(FPS)? {
        clip.sample(seconds, &character.base_pose, &mut pose);
        for ((bends, joint), local) in bends.iter_mut().zip(character.skeleton.joints()).zip(&pose.joints) {
            *bends |= joint.rest.rotation.angle_between(local.rotation).to_degrees() > SMALLEST_BEND;
        }
    }
    Ok(bends)
}
