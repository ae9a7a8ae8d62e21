//! A clip frame by frame, deformed and written.

use crate::Clock;
use crate::stage::require_finite;
use anyhow::Result;
use sinew::rig::{Clip, Pose};
use sinew::{FramePhase, Stack, Surface};
use sinew_io::Asset;
use std::path::Path;

/// A frame that was baked.
pub struct Baked<'a> {
    /// Its number from 0, and how many there will be.
    pub index: usize,
    /// How many there will be.
    pub count: usize,
    /// Time in the clip.
    pub seconds: f64,
    /// Since the frame before.
    pub delta: f64,
    /// What it took.
    pub milliseconds: f64,
    /// What its phases took, those that it had.
    pub phases: &'a [(FramePhase, f64)],
    /// The clip's pose.
    pub pose: &'a Pose,
    /// The finished surface.
    pub surface: &'a Surface,
    /// What deformed it.
    pub stack: &'a Stack,
}

/// Bakes a clip into a file, showing every frame to `watch`; its error ends the bake and leaves no file.
pub fn bake(
    asset: &Asset,
    clip: &Clip,
    fps: f64,
    stack: &mut Stack,
    output: &Path,
    clock: Clock<'_>,
    mut watch: impl FnMut(Baked<'_>) -> Result<()>,
) -> Result<()> {
    let character = &asset.character;
    let times = clip.frame_times(fps)?;
    let count = times.len();
    let mut writer = sinew_io::bake::bake(output, asset, clip.range().0, fps, count)?;
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let mut phases = Vec::with_capacity(FramePhase::ALL.len());
    for (index, seconds) in times.enumerate() {
        let delta = if index == 0 { 0.0 } else { 1.0 / fps };
        clip.sample(seconds, &character.base_pose, &mut pose);
        let begin = clock();
        let mut before = begin;
        phases.clear();
        stack.deform_in_phases(&pose, seconds, delta, &mut surface, |phase| {
            let now = clock();
            phases.push((phase, now - before));
            before = now;
        });
        let milliseconds = clock() - begin;
        require_finite(character, &surface, seconds)?;
        writer.frame(&surface)?;
        let (pose, surface, phases) = (&pose, &surface, &phases);
        watch(Baked { index, count, seconds, delta, milliseconds, phases, pose, surface, stack })?;
    }
    writer.finish()?;
    Ok(())
}
