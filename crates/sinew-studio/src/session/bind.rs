//! New weights for a character.

use super::job::Job;
use super::open::read_files;
use crate::error::{Error, Result};
use crate::library::{Library, key_of};
use crate::protocol::{Answer, BindMethodName, BindRequest, Bound, Reply, SkeletonSource};
use sinew::bind::MAX_INFLUENCES;
use sinew::bind::skeleton_fit::Template;
use sinew::bind::{BindMethod, BindOptions};
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

/// Binds, and stores the result in the library under a new key, which contains `content`, the key of the files.
pub fn bind(
    job: &Job,
    library: &Library,
    asset: &Asset,
    source: &Source,
    request: &BindRequest,
    content: &str,
) -> Result<Reply> {
    let influences = request.influences.unwrap_or_else(|| usual_influences(source, asset));
    if !(1..=MAX_INFLUENCES).contains(&influences) {
        return Err(Error::Influences { influences, most: MAX_INFLUENCES });
    }
    let method = match request.method {
        BindMethodName::Geodesic => BindMethod::Geodesic,
        BindMethodName::Distance => BindMethod::Distance { alpha: 2.0 },
    };
    job.progress(0.0, "placing the skeleton")?;
    let mut phases = 0;
    let mut progress = |phase| {
        // A binding cannot stop halfway; a cancelled job fails at its end.
        let _ = job.progress(f64::from(phases) / PHASES as f64, phase_name(phase));
        phases += 1;
    };
    let options = BindOptions { method, influences };
    let (asset, report) = bound(asset.clone(), source, &options, &|| job.host.milliseconds(), &mut progress)?;
    let how = format!("{:?} {:?} {influences} {content}", request.skeleton, request.method);
    let key = key_of([request.key.as_bytes(), how.as_bytes()]);
    library.insert(key.clone(), asset);
    Ok(Answer::Bound(Bound { key, report: report.into() }).into())
}
