//! The muscles in the report of a bake.

use super::{LINES_SHOWN, Page};
use crate::report::html::escape;
use crate::report::plots::{figure, plot};
use glam::DVec2;
use sinew_render::plot::Series;
use sinew_tasks::bake::MuscleReport;
use std::collections::BTreeSet;

impl Page<'_> {
    /// The largest violations of the muscles' constraints over the clip.
    pub(super) fn muscle_rows(&self) -> Vec<(&'static str, String)> {
        let Some(worst) =
            self.0.muscles.iter().max_by(|a, b| a.largest_change().abs().total_cmp(&b.largest_change().abs()))
        else {
            return Vec::new();
        };
        let largest = |pick: fn(&MuscleReport) -> f64| self.0.muscles.iter().map(pick).fold(0.0, f64::max);
        let sketches: BTreeSet<String> =
            self.0.muscles.iter().filter_map(|muscle| Some(escape(&muscle.sketch.as_ref()?.sentence()))).collect();
        let drawn = sketches.into_iter().map(|sentence| ("profile from a drawing", sentence));
        let mut rows = vec![
            ("muscles", self.0.muscles.len().to_string()),
            (
                "largest change of a muscle's volume",
                format!("{:+.2} % ({})", 100.0 * worst.largest_change(), escape(&worst.name)),
            ),
            ("deepest a muscle came into a bone", format!("{:.5} file units", largest(|m| m.max_bone_residual))),
            ("farthest a muscle came out of the skin", format!("{:.5} file units", largest(|m| m.max_skin_residual))),
        ];
        rows.extend(drawn);
        rows
    }

    /// How active the muscles are that become most active, a line each.
    pub(super) fn activation_plot(&self) -> String {
        let most = |muscle: &MuscleReport| muscle.activations.iter().copied().fold(0.0, f64::max);
        self.muscle_plot("Activation of the most active muscles", "0 to 1", most, |muscle| muscle.activations.clone())
    }

    /// The volume of the muscles that change theirs most, a line each.
    pub(super) fn muscle_volume_plot(&self) -> String {
        let most = |muscle: &MuscleReport| muscle.largest_change().abs();
        self.muscle_plot("Volume of the muscles that change most", "% of the first frame", most, |muscle| {
            let first = muscle.volumes.first().copied().unwrap_or(1.0);
            muscle.volumes.iter().map(|volume| 100.0 * volume / first).collect()
        })
    }

    /// Lines over time of the muscles with the most of something.
    fn muscle_plot(
        &self,
        title: &str,
        unit: &str,
        most: impl Fn(&MuscleReport) -> f64,
        values: impl Fn(&MuscleReport) -> Vec<f64>,
    ) -> String {
        let mut muscles: Vec<&MuscleReport> = self.0.muscles.iter().filter(|muscle| most(muscle) > 0.0).collect();
        muscles.sort_by(|a, b| most(b).total_cmp(&most(a)));
        if muscles.is_empty() {
            return String::new();
        }
        let line = |muscle: &&MuscleReport| {
            let points = self.0.frames.iter().zip(values(muscle)).map(|(frame, value)| DVec2::new(frame.time, value));
            Series { name: muscle.name.clone(), points: points.collect() }
        };
        let series = muscles.iter().take(LINES_SHOWN).map(line).collect();
        figure(plot(title, unit, series))
    }
}
