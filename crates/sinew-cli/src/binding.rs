//! A mesh bound, with its phases timed.

use crate::bind_report::{Milliseconds, Report};
use crate::progress;
use crate::skeleton_source::{Rigged, Source};
use anyhow::Result;
use indicatif::ProgressBar;
use sinew::bind::{BindOptions, Phase, bind};
use sinew::transfer::{TransferOptions, bind_from};
use sinew_io::Asset;
use std::time::Instant;

/// Binds a mesh to the skeleton of a source, or takes over the weights of one.
pub fn bound(mesh: Asset, source: &Source, options: &BindOptions) -> Result<(Asset, Report)> {
    let Rigged { character, joints, notes } = source.rigged(&mesh)?;
    let mut clock = Clock::new();
    let (character, report) = match source {
        Source::From(_) => {
            let transferred = bind_from(&mesh.character, &character, &TransferOptions::default(), options.influences);
            let milliseconds = clock.stop();
            let (character, report) = transferred?;
            let report = Report::of_transfer(&report, &character, &joints, notes, milliseconds);
            (character, report)
        }
        _ => {
            let bound = bind(&character, &joints, options, &mut |phase| clock.enter(phase));
            let milliseconds = clock.stop();
            let bound = bound?;
            (bound.character, Report::of_binding(bound.report, notes, milliseconds))
        }
    };
    Ok((Asset { character, ..mesh }, report))
}

/// Times the phases and shows them.
struct Clock {
    begin: Instant,
    phase: Option<(Phase, Instant)>,
    milliseconds: Milliseconds,
    bar: ProgressBar,
}

impl Clock {
    fn new() -> Self {
        let bar = progress::bar(5, "binding");
        Self { begin: Instant::now(), phase: None, milliseconds: Milliseconds::default(), bar }
    }

    fn enter(&mut self, phase: Phase) {
        self.leave();
        self.phase = Some((phase, Instant::now()));
        self.bar.set_message(match phase {
            Phase::Voxels => "voxels",
            Phase::Distances => "distances",
            Phase::Factorisation => "factorisation",
            Phase::Solves => "solves",
            Phase::Pruning => "pruning",
        });
        self.bar.inc(1);
    }

    fn leave(&mut self) {
        let Some((phase, begin)) = self.phase.take() else { return };
        let total = match phase {
            Phase::Voxels => &mut self.milliseconds.voxels,
            Phase::Distances => &mut self.milliseconds.distances,
            Phase::Factorisation => &mut self.milliseconds.factorisation,
            Phase::Solves => &mut self.milliseconds.solves,
            Phase::Pruning => &mut self.milliseconds.pruning,
        };
        *total += milliseconds_since(begin);
    }

    fn stop(&mut self) -> Milliseconds {
        self.leave();
        self.bar.finish_and_clear();
        Milliseconds { total: milliseconds_since(self.begin), ..self.milliseconds }
    }
}

fn milliseconds_since(begin: Instant) -> f64 {
    1e3 * begin.elapsed().as_secs_f64()
}
