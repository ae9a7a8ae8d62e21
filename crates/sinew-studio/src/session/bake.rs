//! A clip as a file.

use super::edits::edited_clip;
use super::file_name::file_name;
use super::job::Job;
use super::pose::turn;
use crate::message::Outgoing;
use crate::request::BakeRequest;
use anyhow::{Context, Result, ensure};
use sinew::Stack;
use sinew::recipe::{MAX_FPS, Recipe, is_frame_rate};
use sinew::rig::{Clip, Pose};
use sinew_io::Asset;
use sinew_tasks::bake;
use sinew_tasks::deform::prepared;

/// Bakes a clip with what a person added to it, and says where to fetch the file.
pub fn bake(job: &Job, asset: &Asset, recipe: &Recipe, request: &BakeRequest) -> Result<Vec<u8>> {
    let downloads = job.host.downloads().context("files cannot be written here; use the program sinew")?;
    ensure!(is_frame_rate(request.fps), "frames per second must be above 0 and at most {MAX_FPS}");
    let extension = ["glb", "usda", "pc2"].into_iter().find(|known| *known == request.format);
    let extension = extension.context("a bake is written as glb, usda or pc2")?;
    let moving = &request.moving;
    let clip = edited_clip(asset, moving.clip, &recipe.motion)?;
    let clip = turned(asset, &clip, request)?;
    job.progress(0.0, "preparing")?;
    let (asset, _) = prepared(asset.clone(), recipe, Some(&clip))?;
    let mut stack = Stack::new(&asset.character, recipe)?;
    let name = file_name(&asset.character.name, &clip.name, extension);
    let path = downloads.place(&name)?;
    bake::bake(&asset, &clip, request.fps, &mut stack, &path, &|| job.host.milliseconds(), |baked| {
        job.progress((baked.index + 1) as f64 / baked.count as f64, "baking")
    })?;
    let bytes = std::fs::metadata(&path)?.len();
    let url = downloads.offer(path)?;
    let message = Outgoing::answer("baked", job.id).with("name", name);
    Ok(message.with("bytes", bytes).with("url", url).into_bytes())
}

/// The clip with turns added at every frame; the clip itself where there are none.
fn turned(asset: &Asset, clip: &Clip, request: &BakeRequest) -> Result<Clip> {
    let turns = &request.moving.turns;
    if turns.is_empty() {
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
