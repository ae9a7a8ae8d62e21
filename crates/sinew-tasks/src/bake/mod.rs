//! A clip, deformed frame by frame and written; with a report, measured as well ([`bake_with_report`]). Its jumps are
//! measured apart, at a rate of their own ([`measure_jumps`]).

mod correction;
mod flesh_check;
mod highlights;
mod jumps;
mod measured;
mod muscle_report;
mod report;

pub use flesh_check::FleshCheck;
pub use highlights::{Highlight, Highlights};
pub use jumps::{JumpPlace, JumpReport, dynamics_warning, measure_jumps, without_shake};
pub use measured::bake_with_report;
pub use muscle_report::{MuscleReport, SketchReport};
pub use report::{FleshFrame, FleshRegion, FrameReport, ImplicitReport, JointReport, LimbReport, Report};

use crate::deform::require_finite;
use crate::{Clock, Error};
use sinew::Time;
use sinew::rig::{Clip, Pose};
use sinew::{Stack, Surface};
use sinew_io::Asset;
use std::path::Path;

/// A baked frame.
pub struct Baked<'a> {
    /// Its number, from 0.
    pub index: usize,
    /// The number of frames of the bake.
    pub count: usize,
    /// Time in the clip.
    pub seconds: f64,
    /// Seconds since the frame before.
    pub delta: f64,
    /// The time to compute it.
    pub milliseconds: f64,
    /// The time of each phase it had, in milliseconds.
    pub phases: &'a [(&'static str, f64)],
    /// The clip's pose.
    pub pose: &'a Pose,
    /// The finished surface.
    pub surface: &'a Surface,
    /// The stages that deformed it.
    pub stack: &'a Stack,
}

/// Bakes a clip into a file and passes every frame to `on_frame`, whose error ends the bake and leaves no file.
pub fn bake<E: From<Error>>(
    asset: &Asset,
    clip: &Clip,
    fps: f64,
    stack: &mut Stack,
    output: &Path,
    clock: Clock<'_>,
    mut on_frame: impl FnMut(Baked<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let character = &asset.character;
    let times = clip.frame_times(fps).map_err(Error::from)?;
    let count = times.len();
    let mut writer = sinew_io::bake::bake(output, asset, clip.range().0, fps, count).map_err(Error::from)?;
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let mut phases = Vec::new();
    for (index, seconds) in times.enumerate() {
        let delta = if index == 0 { 0.0 } else { 1.0 / fps };
        clip.sample(seconds, &character.base_pose, &mut pose);
        let begin = clock();
        let mut before = begin;
        phases.clear();
        stack.deform_in_phases(&pose, Time { seconds, delta }, &mut surface, &mut |phase| {
            let now = clock();
            phases.push((phase, now - before));
            before = now;
        });
        let milliseconds = clock() - begin;
        require_finite(character, &surface, seconds)?;
        writer.frame(&surface).map_err(Error::from)?;
        let (pose, surface, phases) = (&pose, &surface, &phases);
        on_frame(Baked { index, count, seconds, delta, milliseconds, phases, pose, surface, stack })?;
    }
    writer.finish().map_err(Error::from)?;
    Ok(())
}
