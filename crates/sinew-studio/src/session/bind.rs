//! New weights for a character.

use super::job::Job;
use super::open::read_files;
use crate::library::{Library, key_of};
use crate::message::Outgoing;
use crate::request::{BindMethodName, BindRequest, SkeletonSource};
use anyhow::{Result, ensure};
use sinew::bind::skeleton_fit::Template;
use sinew::bind::{BindMethod, BindOptions};
use sinew::rig::Transform;
use sinew_io::Asset;
use sinew_tasks::bind::{MOST_INFLUENCES, PHASES, Source, bound, phase_name, usual_influences};

/// Where the skeleton comes from.
pub fn source(request: &BindRequest, payload: &[u8]) -> Result<Source> {
    let file = || -> Result<Box<Asset>> {
        let (_, asset) = read_files(&request.files, payload)?;
        ensure!(asset.character.joints().next().is_some(), "\"{}\" has no skeleton", asset.character.name);
        Ok(Box::new(asset))
    };
    Ok(match request.skeleton {
        SkeletonSource::Own => Source::Own,
        SkeletonSource::Humanoid => Source::Fit(Template::Humanoid),
        SkeletonSource::Quadruped => Source::Fit(Template::Quadruped),
        SkeletonSource::File => Source::File(file()?, Transform::IDENTITY),
        SkeletonSource::From => Source::From(file()?),
    })
}

/// Binds, and keeps the result under a key of its own, which `content`, that of the files, is part of.
pub fn bind(
    job: &Job,
    library: &Library,
    asset: &Asset,
    source: &Source,
    request: &BindRequest,
    content: &str,
) -> Result<Vec<u8>> {
    let influences = request.influences.unwrap_or_else(|| usual_influences(source, asset));
    ensure!((1..=MOST_INFLUENCES).contains(&influences), "a vertex can have 1 to {MOST_INFLUENCES} influences");
    let method = match request.method {
        BindMethodName::Geodesic => BindMethod::Geodesic,
        BindMethodName::Distance => BindMethod::Distance { alpha: 2.0 },
    };
    job.progress(0.0, "placing the skeleton")?;
    let mut phases = 0;
    let mut progress = |phase| {
        // A binding cannot be left halfway; whoever cancels it gets that at its end.
        let _ = job.progress(f64::from(phases) / PHASES as f64, phase_name(phase));
        phases += 1;
    };
    let options = BindOptions { method, influences };
    let (asset, report) = bound(asset.clone(), source, &options, &|| job.host.milliseconds(), &mut progress)?;
    let how = format!("{:?} {:?} {influences} {content}", request.skeleton, request.method);
    let key = key_of([request.key.as_bytes(), how.as_bytes()]);
    library.keep(key.clone(), asset);
    Ok(Outgoing::answer("bound", job.id).with("key", key).with("report", report).into_bytes())
}
