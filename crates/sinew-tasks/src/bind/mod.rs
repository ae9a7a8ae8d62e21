//! A mesh, bound to a skeleton: the skeleton is found ([`Source`]) and checked ([`Misplacement`]), the weights are computed
//! with each phase timed, and the result is a [`Report`].

mod placement;
mod report;
mod skeleton;

pub use crate::misplacement::{Misplacement, Remedy};
pub use report::{Counted, Milliseconds, Report, Share};
pub use skeleton::{Rigged, Source};

use crate::{Clock, Result};
use sinew::bind::weight_transfer::{TransferOptions, bind_from};
use sinew::bind::{BindOptions, Phase, bind};
use sinew_io::Asset;

/// The number of phases of a binding, at most.
pub const PHASES: usize = 5;

/// Binds a mesh to the skeleton of a source, or transfers the weights of one. `progress` gets each phase as it begins.
pub fn bound(
    mesh: Asset,
    source: &Source,
    options: &BindOptions,
    clock: Clock<'_>,
    progress: &mut dyn FnMut(Phase),
) -> Result<(Asset, Report)> {
    let Rigged { character, joints, notes, misplacement } = source.rigged(&mesh)?;
    let mut times = Times { clock, begin: clock(), phase: None, milliseconds: Milliseconds::default() };
    let (character, mut report) = match source {
        Source::From(_) => {
            let (character, report) =
                bind_from(&mesh.character, &character, &TransferOptions::default(), options.influences)?;
            let report = Report::of_transfer(&report, &character, &joints, notes, times.stop());
            (character, report)
        }
        _ => {
            let bound = bind(&character, &joints, options, &mut |phase| {
                times.enter(phase);
                progress(phase);
            })?;
            (bound.character, Report::of_binding(bound.report, notes, times.stop()))
        }
    };
    report.misplacement = misplacement;
    Ok((Asset { character, ..mesh }, report))
}

/// The default number of influences: 4, or as many as the file has that is bound again.
pub fn usual_influences(source: &Source, mesh: &Asset) -> usize {
    let skinned = mesh.character.parts.iter().filter(|part| part.skinned && matches!(source, Source::Own));
    let most = skinned.map(|part| part.binding.weights.max_influences()).max().unwrap_or(0);
    most.clamp(BindOptions::default().influences, sinew::bind::MAX_INFLUENCES)
}

/// The name of a phase.
pub fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Voxels => "voxels",
        Phase::Distances => "distances",
        Phase::Factorisation => "factorisation",
        Phase::Solves => "solves",
        Phase::Pruning => "pruning",
    }
}

struct Times<'a> {
    clock: Clock<'a>,
    begin: f64,
    phase: Option<(Phase, f64)>,
    milliseconds: Milliseconds,
}

impl Times<'_> {
    fn enter(&mut self, phase: Phase) {
        self.leave();
        self.phase = Some((phase, (self.clock)()));
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
        *total += (self.clock)() - begin;
    }

    fn stop(&mut self) -> Milliseconds {
        self.leave();
        Milliseconds { total: (self.clock)() - self.begin, ..self.milliseconds }
    }
}
