//! A clip frame by frame: deformed, written, and measured where a report is wanted.

use crate::correction::Corrections;
use crate::highlights::{Highlights, Seen};
use crate::measure::Measures;
use crate::moment::require_finite;
use crate::progress;
use crate::report::{FrameReport, JointTotals, Report};
use crate::stack::skin_alone;
use crate::stage::{build, joint_changes, stage_warnings};
use anyhow::Result;
use sinew::recipe::{Recipe, VolumeMethod};
use sinew::rig::{Clip, Pose};
use sinew::{Stack, Surface};
use sinew_io::Asset;
use std::path::Path;
use std::time::Instant;

/// Bakes a clip and measures every frame.
pub fn bake_with_report(asset: &Asset, clip: &Clip, recipe: &Recipe, output: &Path) -> Result<(Report, Highlights)> {
    let character = &asset.character;
    let mut stack = build(character, recipe)?;
    let mut measures = Measures::new(character)?;
    let mut report = Report { warnings: asset.warnings.clone(), ..Report::default() };
    report.warnings.extend_from_slice(stage_warnings(&stack));
    for name in measures.open_parts(character) {
        report.warnings.push(format!("mesh \"{name}\" is not closed: its volume is left out"));
    }
    let mut skin = match recipe.volume.method {
        VolumeMethod::Off => None,
        _ => Some((Stack::new(character, &skin_alone(recipe))?, Surface::default())),
    };
    let mut totals = JointTotals::new(character);
    let (mut corrections, mut highlights) = (Corrections::default(), Highlights::default());
    bake(asset, clip, recipe, &mut stack, output, |baked| {
        let Baked { seconds, delta, pose, surface, stack, .. } = baked;
        let changes = joint_changes(stack);
        let volume = measures.volume(surface);
        let intersections = measures.intersections(surface);
        let mut frame = FrameReport {
            time: seconds,
            volume_rest: measures.rest_volume(pose),
            volume_base: volume,
            volume,
            intersections_base: intersections,
            intersections,
            milliseconds: baked.milliseconds,
            joints: totals.include(character, pose, &changes),
            ..FrameReport::default()
        };
        if let Some((skin_stack, skin)) = &mut skin {
            skin_stack.deform(pose, seconds, delta, skin);
            frame.volume_base = measures.volume(skin);
            frame.intersections_base = measures.intersections(skin);
            let correction = corrections.include(&skin.positions, &surface.positions);
            frame.max_displacement = correction.max_displacement;
            if let (Some(before), Some(difference)) = (report.frames.last_mut(), correction.second_difference_before) {
                before.max_second_difference = difference;
            }
            let change = frame.volume_base.zip(frame.volume_rest).map(|(base, rest)| base / rest - 1.0);
            let seen = Seen {
                time: seconds,
                volume_change: change.filter(|change| change.is_finite()),
                max_displacement: correction.max_displacement,
                farthest_vertex: correction.farthest_vertex,
                joint_changes: &changes,
                skin,
                finished: surface,
            };
            highlights.include(character, stack, &seen);
        }
        report.frames.push(frame);
    })?;
    report.joints = totals.report(character);
    Ok((report, highlights))
}

/// A frame that was baked.
pub struct Baked<'a> {
    seconds: f64,
    /// Since the frame before.
    delta: f64,
    /// What it took.
    milliseconds: f64,
    pose: &'a Pose,
    surface: &'a Surface,
    stack: &'a Stack,
}

/// Bakes a clip, showing every frame to `watch`.
pub fn bake(
    asset: &Asset,
    clip: &Clip,
    recipe: &Recipe,
    stack: &mut Stack,
    output: &Path,
    mut watch: impl FnMut(Baked<'_>),
) -> Result<()> {
    let Asset { character, .. } = asset;
    let fps = recipe.bake.fps;
    let times = clip.frame_times(fps)?;
    let mut writer = sinew_io::bake::bake(output, asset, clip.range().0, fps, times.len())?;
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let bar = progress::bar(times.len(), "baking");
    for (index, seconds) in times.enumerate() {
        let delta = if index == 0 { 0.0 } else { 1.0 / fps };
        clip.sample(seconds, &character.base_pose, &mut pose);
        let begin = Instant::now();
        stack.deform(&pose, seconds, delta, &mut surface);
        let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
        require_finite(character, &surface, seconds)?;
        writer.frame(&surface)?;
        watch(Baked { seconds, delta, milliseconds, pose: &pose, surface: &surface, stack });
        bar.inc(1);
    }
    bar.finish_and_clear();
    writer.finish()?;
    Ok(())
}
