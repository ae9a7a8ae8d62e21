//! The volume over a clip.

use super::edits::edited_clip;
use super::job::Job;
use super::pose::turn;
use super::rig::{Rig, RigKey};
use crate::error::Result;
use crate::protocol::{Answer, ClipRequest, Plotted, Reply};
use sinew::Time;
use sinew::recipe::Recipe;
use sinew::rig::Pose;
use sinew::{Stack, Surface};
use sinew_io::Asset;
use sinew_tasks::deform::skin_alone;
use std::sync::Arc;

/// The most measured frames; a longer clip is measured at larger steps.
const MOST: f64 = 240.0;

/// Measures the volume at rest, of the skin alone and of the finished surface through a clip.
pub fn plot(job: &Job, asset: &Arc<Asset>, recipe: &Recipe, request: &ClipRequest) -> Result<Reply> {
    let key = RigKey::new(&request.key, recipe, Some(request.clip));
    let Rig { asset, mut measures, .. } = Rig::new(asset, recipe, Some(request.clip), &key)?;
    let character = &asset.character;
    let clip = edited_clip(&asset, request.clip, &recipe.motion)?;
    let fps = recipe.bake.fps.min(MOST / clip.seconds().max(1e-3));
    let mut base_stack = Stack::new(character, &skin_alone(recipe))?;
    let mut stack = Stack::new(character, recipe)?;
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let mut plotted = Plotted::default();
    let moments = clip.frame_times(fps)?;
    let count = moments.len();
    for (index, seconds) in moments.enumerate() {
        job.progress(index as f64 / count as f64, "measuring")?;
        clip.sample(seconds, &character.base_pose, &mut pose);
        turn(character, &request.turns, &mut pose)?;
        let delta = if index == 0 { 0.0 } else { 1.0 / fps };
        plotted.times.push(seconds);
        plotted.rest.push(measures.rest_volume(&pose));
        base_stack.deform(&pose, Time { seconds, delta }, &mut surface);
        plotted.base.push(measures.volume(&surface));
        stack.deform(&pose, Time { seconds, delta }, &mut surface);
        plotted.last.push(measures.volume(&surface));
    }
    Ok(Answer::Plotted(plotted).into())
}
