//! Building a cage around a character and filling it with tetrahedra, as `sinew cage build` does.

use super::cache::{Built, CageKey, Cages, Surface};
use super::describe::caged;
use crate::error::Result;
use crate::protocol::Reply;
use crate::session::job::Job;
use sinew::recipe::CageRecipe;
use sinew_io::Asset;
use sinew_tasks::cage::{BuildPhase, cage_around, filled, placed};

/// The share of the surface in the work; the rest is that of the tetrahedra.
const SURFACE_SHARE: f64 = 0.9;

/// Builds and describes a cage; a cached cage is not built again.
pub fn build(job: &Job, cages: &Cages, asset: &Asset, key: &str, recipe: &CageRecipe) -> Result<Reply> {
    let key = CageKey::new(key, recipe);
    if let Some(built) = cages.find(&key) {
        return Ok(caged(&built));
    }
    let markers = placed(&asset.character, &recipe.markers)?;
    // Building cannot stop halfway; a cancelled job fails at its end.
    let report_progress = |done: f64, phase: BuildPhase| job.progress(done, phase.name()).unwrap_or_default();
    report_progress(0.0, BuildPhase::Cage);
    let surface = cages.surface(&key.surface, || {
        let begin = job.host.milliseconds();
        let mut progress = |share: f64| report_progress(SURFACE_SHARE * share, BuildPhase::Cage);
        let cage = cage_around(&asset.character, recipe, &mut progress)?;
        Ok(Surface { cage, milliseconds: job.host.milliseconds() - begin })
    })?;
    let begin = job.host.milliseconds();
    let mut progress =
        |share: f64| report_progress(SURFACE_SHARE + (1.0 - SURFACE_SHARE) * share, BuildPhase::Tetrahedra);
    let inside = filled(asset.clone(), &surface.cage, &markers, &mut progress)?;
    let report = inside.report([surface.milliseconds, job.host.milliseconds() - begin]);
    Ok(caged(&cages.insert(key, Built { caged: inside, report })))
}
