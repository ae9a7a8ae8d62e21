//! A bake with a report: every frame is measured and compared with the skin alone.

use super::correction::Corrections;
use super::highlights::{Highlights, Measured};
use super::report::{FleshFrame, FrameReport, JointTotals, LimbReport, Report};
use super::{Baked, FleshCheck, MuscleReport, bake};
use crate::deform::{joint_changes, skin_alone};
use crate::measure::Measures;
use crate::{Clock, Error};
use sinew::Time;
use sinew::deform::flesh::FleshDeformer;
use sinew::deform::implicit::ImplicitDeformer;
use sinew::deform::muscle::MuscleDeformer;
use sinew::recipe::Recipe;
use sinew::rig::{Character, Clip, Pose};
use sinew::{Stack, Surface};
use sinew_io::Asset;
use std::path::Path;

/// Bakes a clip into a file and measures every frame. `stack` has the stages of the recipe. `on_frame` gets every frame;
/// its error ends the bake and leaves no file.
pub fn bake_with_report<E: From<Error>>(
    asset: &Asset,
    clip: &Clip,
    recipe: &Recipe,
    stack: &mut Stack,
    output: &Path,
    clock: Clock<'_>,
    mut on_frame: impl FnMut(&Baked<'_>) -> Result<(), E>,
) -> Result<(Report, Highlights), E> {
    let mut measurement = Measurement::new(asset, recipe, stack)?;
    bake(asset, clip, recipe.bake.fps, stack, output, clock, |baked| {
        measurement.include(&baked);
        on_frame(&baked)
    })?;
    Ok(measurement.finish())
}

/// The state of a measurement between frames.
struct Measurement<'a> {
    character: &'a Character,
    measures: Measures,
    /// The skin without the stages after it; none where it is the whole stack.
    skin: Option<(Stack, Surface)>,
    totals: JointTotals,
    corrections: Corrections,
    highlights: Highlights,
    flesh: FleshCheck,
    report: Report,
}

impl<'a> Measurement<'a> {
    fn new(asset: &'a Asset, recipe: &Recipe, stack: &Stack) -> Result<Self, Error> {
        let character = &asset.character;
        let measures = Measures::new(character)?;
        let mut report = Report { warnings: asset.warnings.clone(), ..Report::default() };
        report.warnings.extend(stack.warnings().map(String::from));
        for name in measures.open_parts(character) {
            report.warnings.push(format!("mesh \"{name}\" is not closed: its volume is left out"));
        }
        report.limbs = stack.get::<ImplicitDeformer>().map_or_else(Vec::new, |stage| LimbReport::of(character, stage));
        report.muscles =
            stack.get::<MuscleDeformer>().map_or_else(Vec::new, |stage| MuscleReport::all(stage, &recipe.muscles));
        let skin = match recipe.is_skin_alone() {
            true => None,
            false => Some((Stack::new(character, &skin_alone(recipe))?, Surface::default())),
        };
        Ok(Self {
            character,
            measures,
            skin,
            totals: JointTotals::new(character),
            corrections: Corrections::default(),
            highlights: Highlights::default(),
            flesh: FleshCheck::default(),
            report,
        })
    }

    fn include(&mut self, baked: &Baked<'_>) {
        let Baked { seconds, delta, pose, surface, stack, .. } = *baked;
        self.flesh.include(stack, seconds);
        let changes = joint_changes(stack);
        let volume = self.measures.volume(surface);
        let intersections = self.measures.intersections(surface);
        let mut frame = FrameReport {
            time: seconds,
            volume_rest: self.measures.rest_volume(pose),
            volume_base: volume,
            volume,
            intersections_base: intersections,
            intersections,
            milliseconds: baked.milliseconds,
            phases: baked.phases.iter().map(|(phase, milliseconds)| (*phase, *milliseconds)).collect(),
            joints: self.totals.include(self.character, pose, &changes),
            ..FrameReport::default()
        };
        self.compare_with_skin(&mut frame, pose, delta, &changes, surface, stack);
        self.report.frames.push(frame);
        if let Some(stage) = stack.get::<MuscleDeformer>() {
            MuscleReport::include(&mut self.report.muscles, stage);
        }
    }

    /// Measures the skin alone in the same pose, and the difference to the finished surface.
    fn compare_with_skin(
        &mut self,
        frame: &mut FrameReport,
        pose: &Pose,
        delta: f64,
        changes: &[(usize, f64)],
        surface: &Surface,
        stack: &Stack,
    ) {
        let Some((skin_stack, skin)) = &mut self.skin else { return };
        let measures = &mut self.measures;
        skin_stack.deform(pose, Time { seconds: frame.time, delta }, skin);
        frame.volume_base = measures.volume(skin);
        frame.intersections_base = measures.intersections(skin);
        frame.implicit = stack.get::<ImplicitDeformer>().map(|stage| stage.last_frame().into());
        if let Some(stage) = stack.get::<FleshDeformer>() {
            frame.flesh = Some(FleshFrame::new(self.character, stage.report()));
            self.totals.include_flesh(stage);
        }
        let correction = self.corrections.include(&skin.positions, &surface.positions);
        frame.max_displacement = correction.max_displacement;
        if let (Some(before), Some(difference)) = (self.report.frames.last_mut(), correction.second_difference_before) {
            before.max_second_difference = difference;
        }
        let change = frame.volume_base.zip(frame.volume_rest).map(|(base, rest)| base / rest - 1.0);
        let measured = Measured {
            time: frame.time,
            volume_change: change.filter(|change| change.is_finite()),
            max_displacement: correction.max_displacement,
            farthest_vertex: correction.farthest_vertex,
            joint_changes: changes,
            skin,
            finished: surface,
        };
        self.highlights.include(self.character, stack, &measured);
    }

    fn finish(self) -> (Report, Highlights) {
        let mut report = self.report;
        report.joints = self.totals.report(self.character);
        report.warnings.extend(self.flesh.warnings());
        (report, self.highlights)
    }
}
