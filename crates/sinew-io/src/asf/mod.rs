//! Acclaim skeleton (ASF) and motion (AMC).
//!
//! A bone has a direction and a length in the world's axes, an own frame `C` (its `axis`) and degrees
//! of freedom. A motion's angles turn the bone in its own frame, so in the world's axes its local
//! rotation is `C M C⁻¹`, with `M` the product of the single rotations, the one named first applied
//! first. A bone starts where its parent ends; the joint that carries its name is at its start.
//!
//! The length unit of the file is `1/length` inches with the `length` of its `:units`, as in the
//! library of Carnegie Mellon University (0.45, so 5.64 cm). A motion has no frame rate: that library's 120
//! per second is assumed, with a warning.

mod motion;
mod skeleton;

use crate::{Asset, Format, Problem};
use sinew::rig::Character;
use skeleton::AcclaimSkeleton;

/// Frames per second of the motions of Carnegie Mellon University.
const FRAMES_PER_SECOND: f64 = 120.0;
const METERS_PER_INCH: f64 = 0.0254;

/// Reads a skeleton without motion.
pub fn read_skeleton(asf: &[u8]) -> Result<Asset, Problem> {
    asset(&AcclaimSkeleton::parse(asf)?, Format::Asf)
}

/// Reads a motion with its skeleton; the clip is called "motion".
pub fn read_motion(asf: &[u8], amc: &[u8]) -> Result<Asset, Problem> {
    let skeleton = AcclaimSkeleton::parse(asf).map_err(|problem| match problem {
        Problem::Malformed { at, why } => Problem::malformed(format!("its ASF skeleton, {at}"), why),
        other => other,
    })?;
    let mut asset = asset(&skeleton, Format::Amc)?;
    asset.character.clips.push(motion::read(&skeleton, amc, &mut asset.warnings)?);
    asset.warnings.push(format!("AMC files have no frame rate; {FRAMES_PER_SECOND} frames per second are assumed"));
    Ok(asset)
}

fn asset(acclaim: &AcclaimSkeleton, format: Format) -> Result<Asset, Problem> {
    let skeleton = acclaim.to_skeleton()?;
    let character = Character { base_pose: skeleton.rest_pose(), skeleton, ..Character::default() };
    let mut asset = Asset::new(character, format);
    let meters_per_unit = METERS_PER_INCH / acclaim.length_factor;
    asset.meters_per_unit = Some(meters_per_unit);
    asset.warnings.push(format!(
        "lengths are taken in units of 1/{} inch, {:.4} cm, as in the CMU library",
        acclaim.length_factor,
        meters_per_unit * 100.0
    ));
    Ok(asset)
}
