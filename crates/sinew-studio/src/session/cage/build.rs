//! A cage is put around a character and filled, as `sinew cage build` does.

use super::describe::caged;
use super::kept::{Built, CageKey, Cages, Surface};
use crate::error::Result;
use crate::protocol::Reply;
use crate::session::job::Job;
use sinew::recipe::CageRecipe;
use sinew_io::Asset;
use sinew_tasks::cage::{BuildPhase, cage_around, filled, placed};

/// How much of the work is the surface; the rest are tetrahedra.
const SURFACE_SHARE: f64 = 0.9;

/// Builds and describes a cage; one that is in the cache is not built again.
pub fn build(job: &Job, cages: &Cages, asset: &Asset, key: &str, recipe: &CageRecipe) -> Result<Reply> {
    let key = CageKey::new(key, recipe);
    if let Some(built) = cages.find(&key) {
        return Ok(caged(&built));
    }
    let markers = placed(&asset.character, &recipe.markers)?;
    // A cage cannot be left halfway; whoever cancels it gets that at its end.
    let tell = |done: f64, phase: BuildPhase| job.progress(done, phase.name()).unwrap_or_default();
    tell(0.0, BuildPhase::Cage);
    let surface = cages.surface(&key.surface, || {
        let begin = job.host.milliseconds();
        let mut progress = |share: f64| tell(SURFACE_SHARE * share, BuildPhase::Cage);
        let cage = cage_around(&asset.character, recipe, &mut progress)?;
        Ok(Surface { cage, milliseconds: job.host.milliseconds() - begin })
    })?;
    let begin = job.host.milliseconds();
    let mut progress = |share: f64| tell(SURFACE_SHARE + (1.0 - SURFACE_SHARE) * share, BuildPhase::Tetrahedra);
    let inside = filled(asset.clone(), &surface.cage, &markers, &mut progress)?;
    let report = inside.report([surface.milliseconds, job.host.milliseconds() - begin]);
    Ok(caged(&cages.keep(key, Built { caged: inside, report })))
}
