//! The options that align a skeleton with its mesh.

use sinew_tasks::bind::{Misplacement, Remedy};

/// The options that align a skeleton with its mesh, if only size and place differ.
pub fn options_of(misplacement: &Misplacement) -> Option<String> {
    let Remedy { scale, offset } = misplacement.remedy()?;
    Some(format!("--skeleton-scale {scale} --skeleton-offset {},{},{}", offset.x, offset.y, offset.z))
}
