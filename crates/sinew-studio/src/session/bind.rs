//! New weights for a character.

use super::job::Job;
use super::open::read_files;
use crate::error::{Error, Result};
use crate::opened_characters::{OpenedCharacters, key_of};
use crate::protocol::{Answer, BindRequest, Bound, Reply, SkeletonSource};
use sinew::bind::BindOptions;
use sinew::bind::skeleton_fit::Template;
use sinew::recipe::{BindSettings, Settings};
use sinew::rig::Transform;
use sinew_io::Asset;
use sinew_tasks::bind::Source;
use sinew_tasks::bind::{PHASES, bound, phase_name, usual_influences};

/// The source of the skeleton.
pub fn source(request: &BindRequest, payload: &[u8]) -> Result<Source> {
    let file = || -> Result<Box<Asset>> {
        let (_, asset) = read_files(&request.files, payload)?;
        let has_joints = asset.character.joints().next().is_some();
        if has_joints { Ok(Box::new(asset)) } else { Err(Error::NoSkeleton(asset.character.name)) }
    };
    Ok(match request.skeleton {
        SkeletonSource::Own => Source::Own,
        SkeletonSource::Humanoid => Source::Fit(Template::Humanoid),
        SkeletonSource::Quadruped => Source::Fit(Template::Quadruped),
        SkeletonSource::File => Source::File(file()?, Transform::IDENTITY),
        SkeletonSource::From => Source::From(file()?),
    })
}

/// Binds, and stores the result in the opened characters under a new key, which contains `content`, the key of the
/// files.
pub fn bind(
    job: &Job,
    characters: &OpenedCharacters,
    asset: &Asset,
    source: &Source,
    request: &BindRequest,
    content: &str,
) -> Result<Reply> {
    let influences = request.influences.unwrap_or_else(|| usual_influences(source, asset));
    BindSettings::key("influences").check(influences as f64).map_err(Error::Setting)?;
    let settings = BindSettings { method: request.method, influences, ..BindSettings::default() };
    job.progress(0.0, "placing the skeleton")?;
    let mut phases = 0;
    let mut progress = |phase| {
        // A binding cannot stop halfway; a cancelled job fails at its end.
        let _ = job.progress(f64::from(phases) / PHASES as f64, phase_name(phase));
        phases += 1;
    };
    let options = BindOptions::from(&settings);
    let (asset, report) = bound(asset.clone(), source, &options, &|| job.host.milliseconds(), &mut progress)?;
    let how = format!("{:?} {} {influences} {content}", request.skeleton, request.method);
    let key = key_of([request.key.as_bytes(), how.as_bytes()]);
    characters.insert(key.clone(), asset);
    Ok(Answer::Bound(Bound { key, report: report.into() }).into())
}
