//! A clip as a file.

use super::edits::edited_clip;
use super::file_name::file_name;
use super::job::Job;
use super::pose::turn;
use crate::error::{Error, Result};
use crate::protocol::{Answer, BakeFormat, BakeRequest, Baked, Reply};
use sinew::Stack;
use sinew::recipe::{BakeRecipe, Recipe, Settings};
use sinew::rig::{Clip, Pose};
use sinew_io::Asset;
use sinew_tasks::bake;
use sinew_tasks::deform::prepared;

/// Bakes a clip with its added rotations, and answers with the address of the file.
pub fn bake(job: &Job, asset: &Asset, recipe: &Recipe, request: &BakeRequest) -> Result<Reply> {
    let downloads = job.host.downloads().ok_or(Error::NoDownloads)?;
    BakeRecipe::key("fps").check(request.fps).map_err(Error::Setting)?;
    let extension = BakeFormat::ALL.map(BakeFormat::extension).into_iter().find(|known| *known == request.format);
    let extension = extension.ok_or_else(|| Error::BakeFormat(request.format.clone()))?;
    let clip = edited_clip(asset, request.motion.clip, &recipe.motion)?;
    let clip = turned(asset, &clip, request)?;
    job.progress(0.0, "preparing")?;
    let asset = prepared(asset.clone(), recipe, Some(&clip))?;
    let mut stack = Stack::new(&asset.character, recipe)?;
    let name = file_name(&asset.character.name, &clip.name, extension);
    let path = downloads.place(&name)?;
    bake::bake(&asset, &clip, request.fps, &mut stack, &path, &|| job.host.milliseconds(), |baked| {
        job.progress((baked.index + 1) as f64 / baked.count as f64, "baking")
    })?;
    let bytes = std::fs::metadata(&path)?.len();
    let url = downloads.offer(path)?;
    Ok(Answer::Baked(Baked { name, bytes, url }).into())
}

/// The clip with rotations added at every frame; the clip itself without any.
fn turned(asset: &Asset, clip: &Clip, request: &BakeRequest) -> Result<Clip> {
    let turns = &request.motion.turns;
    if turns.0.is_empty() {
        return Ok(clip.clone());
    }
    let times: Vec<f64> = clip.frame_times(request.fps)?.collect();
    let sample = |&seconds: &f64| {
        let mut pose = Pose::default();
        clip.sample(seconds, &asset.character.base_pose, &mut pose);
        turn(&asset.character, turns, &mut pose).map(|()| pose)
    };
    let poses = times.iter().map(sample).collect::<Result<Vec<Pose>>>()?;
    Ok(Clip::from_poses(clip.name.clone(), &times, &poses))
}
