//! A clip frame by frame: deformed, written, and measured where a report is wanted.

use crate::correction::Corrections;
use crate::highlights::{Highlights, Seen};
use crate::muscle_report::MuscleReport;
use crate::progress;
use crate::report::{FrameReport, ImplicitReport, JointTotals, LimbReport, Report};
use crate::stage::build;
use anyhow::Result;
use sinew::recipe::Recipe;
use sinew::rig::Clip;
use sinew::{Stack, Surface};
use sinew_io::Asset;
use sinew_tasks::bake::{self, Baked};
use sinew_tasks::measure::Measures;
use sinew_tasks::stage::{joint_changes, skin_alone, stage_warnings};
use std::path::Path;

/// Bakes a clip and measures every frame.
pub fn bake_with_report(
    asset: &Asset,
    clip: &Clip,
    recipe: &Recipe,
    file: Option<&Path>,
    output: &Path,
) -> Result<(Report, Highlights)> {
    let character = &asset.character;
    let mut stack = build(character, recipe, file)?;
    let mut measures = Measures::new(character)?;
    let mut report = Report { warnings: asset.warnings.clone(), ..Report::default() };
    report.warnings.extend(stage_warnings(&stack).cloned());
    for name in measures.open_parts(character) {
        report.warnings.push(format!("mesh \"{name}\" is not closed: its volume is left out"));
    }
    let mut skin = match recipe.is_skin_alone() {
        true => None,
        false => Some((Stack::new(character, &skin_alone(recipe))?, Surface::default())),
    };
    report.limbs = stack.implicit().map_or_else(Vec::new, |stage| LimbReport::of(character, stage));
    report.muscles = stack.muscles().map_or_else(Vec::new, |stage| MuscleReport::all(stage, &recipe.muscles));
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
            phases: baked.phases.iter().map(|(phase, milliseconds)| (phase.name(), *milliseconds)).collect(),
            joints: totals.include(character, pose, &changes),
            ..FrameReport::default()
        };
        if let Some((skin_stack, skin)) = &mut skin {
            skin_stack.deform(pose, seconds, delta, skin);
            frame.volume_base = measures.volume(skin);
            frame.intersections_base = measures.intersections(skin);
            frame.implicit = stack.implicit().map(|stage| {
                ImplicitReport::new(stage.tracking(), measures.penetrating(skin), measures.penetrating(surface))
            });
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
        if let Some(stage) = stack.muscles() {
            MuscleReport::include(&mut report.muscles, stage);
        }
    })?;
    report.joints = totals.report(character);
    Ok((report, highlights))
}

/// Bakes a clip with a bar on the terminal, showing every frame to `watch`.
pub fn bake(
    asset: &Asset,
    clip: &Clip,
    recipe: &Recipe,
    stack: &mut Stack,
    output: &Path,
    mut watch: impl FnMut(Baked<'_>),
) -> Result<()> {
    let bar = progress::bar(0, "baking");
    bake::bake(asset, clip, recipe.bake.fps, stack, output, &progress::clock(), |baked| {
        bar.set_length(baked.count as u64);
        watch(baked);
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(())
}
