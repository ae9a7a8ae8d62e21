//! How smoothly does the correction of a clip follow the pose in time?
//!
//! The clip is deformed eight times in every thirtieth of a second, whatever the rate of the bake, and the finished
//! surface is held against linear skin ([`sinew::rig::jumps`]). The skin of the recipe is measured beside it: it jumps
//! where a capture or its quaternions flip, which is not the work of the stages after it.

use crate::Error;
use crate::deform::{require_finite, skin_alone};
use glam::DVec3;
use serde::Serialize;
use sinew::deform::flesh::FleshDeformer;
use sinew::deform::skinning::SkinMethod;
use sinew::recipe::{Fineness, Recipe, SkinOptions, VolumeMethod};
use sinew::rig::jumps::{INTERVALS_PER_SECOND, Jumps, STEPS_PER_INTERVAL};
use sinew::rig::rest_surface::world_surfaces;
use sinew::rig::{Clip, Pose};
use sinew::{Stack, Surface, Time};
use sinew_io::Asset;

/// The distance between a bone and its flesh, in limb radii, from which on the bone is driven through another part. In run
/// 09_01 of MakeHuman's figure, in which no part meets another, it is 0.38 at most.
const YIELDING: f64 = 0.4;

/// The jumps of a clip. Lengths are in the file's units.
#[derive(Debug, Serialize, Default)]
pub struct JumpReport {
    /// Intervals in which the finished surface jumps against linear skin.
    pub jumps: usize,
    /// All intervals: those between two frames at 30 per second.
    pub jump_intervals: usize,
    /// The share of intervals that jump, 0 to 1; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jump_share: Option<f64>,
    /// Intervals in which the skin alone jumps against linear skin.
    pub jumps_of_skin: usize,
    /// Intervals in which the finished surface jumps and the skin alone does not.
    pub jumps_beyond_skin: usize,
    /// Intervals in which flesh yields: a motion drives a bone through another part of the body.
    pub yielding_intervals: usize,
    /// Those of them in which the finished surface jumps and the skin alone does not.
    pub jumps_of_yielding: usize,
    /// The longest step of a jump; 0 without jumps.
    pub jump_worst: f64,
    /// Where that step is; absent without jumps.
    #[serde(flatten)]
    pub place: Option<JumpPlace>,
    /// The height of the character at rest. A step shorter than a thousandth of it is no jump.
    pub jump_height: f64,
}

/// The place of the longest step of a jump.
#[derive(Debug, Serialize)]
pub struct JumpPlace {
    /// The vertex, from 0, counted through all meshes.
    pub jump_vertex: usize,
    /// The name of its strongest joint.
    pub jump_joint: String,
    /// Seconds in the clip at the end of the step.
    pub jump_time: f64,
}

/// A warning for a recipe with dynamics, which jumps are measured without.
pub fn dynamics_warning(recipe: &Recipe) -> Option<&'static str> {
    match (recipe.muscles.is_on(), has_shake(recipe)) {
        (true, true) => Some("jumps are measured with muscles at rest in every moment and without after-shake"),
        (true, false) => Some("jumps are measured with muscles at rest in every moment"),
        (false, true) => Some("jumps are measured without after-shake"),
        (false, false) => None,
    }
}

fn has_shake(recipe: &Recipe) -> bool {
    recipe.volume.method != VolumeMethod::Off && recipe.volume.shake.frequency > 0.0
        || recipe.flesh.fineness != Fineness::Off && recipe.flesh.shake.frequency > 0.0
}

/// The recipe without after-shake, for the stack that jumps are measured with.
pub fn without_shake(recipe: &Recipe) -> Recipe {
    let mut recipe = recipe.clone();
    recipe.volume.shake.frequency = 0.0;
    recipe.flesh.shake.frequency = 0.0;
    recipe
}

/// Measures the jumps of a clip. `stack` is a new one for the recipe [`without_shake`]; one that has deformed other poses
/// may still hold their contacts. `on_moment` gets the number of moments, once for each; its error ends the measurement.
pub fn measure_jumps<E: From<Error>>(
    asset: &Asset,
    clip: &Clip,
    recipe: &Recipe,
    stack: &mut Stack,
    mut on_moment: impl FnMut(usize) -> Result<(), E>,
) -> Result<JumpReport, E> {
    let character = &asset.character;
    let skin_recipe = skin_alone(recipe);
    let linear_recipe = Recipe { skin: SkinOptions { method: SkinMethod::Linear }, ..skin_recipe.clone() };
    let mut linear_stack = Stack::new(character, &linear_recipe).map_err(Error::from)?;
    let mut skin_stack = Stack::new(character, &skin_recipe).map_err(Error::from)?;

    let height = height(asset);
    let (mut of_skin, mut of_finished) = (Jumps::new(character, height), Jumps::new(character, height));
    let [mut linear, mut skin, mut finished] = [(); 3].map(|()| Surface::default());
    let (mut pose, mut beyond_skin) = (Pose::default(), 0);
    let (mut yielded, mut yielding, mut of_yielding) = (0.0, 0, 0);
    let intervals = clip.frame_times(INTERVALS_PER_SECOND).map_err(Error::from)?.len() - 1;
    let moments = intervals * STEPS_PER_INTERVAL + 1;
    let rate = INTERVALS_PER_SECOND * STEPS_PER_INTERVAL as f64;
    let seconds_at = |moment: usize| clip.range().0 + moment as f64 / rate;
    for moment in 0..moments {
        let time = Time { seconds: seconds_at(moment), delta: if moment == 0 { 0.0 } else { 1.0 / rate } };
        clip.sample(time.seconds, &character.base_pose, &mut pose);
        linear_stack.deform(&pose, time, &mut linear);
        skin_stack.deform(&pose, time, &mut skin);
        stack.deform_without_dynamics(&pose, time, &mut finished);
        for surface in [&linear, &skin, &finished] {
            require_finite(character, surface, time.seconds)?;
        }
        let skin_jumps = of_skin.include(stack.world(), &linear.positions, &skin.positions);
        let jumps = of_finished.include(stack.world(), &linear.positions, &finished.positions);
        yielded = stack.get::<FleshDeformer>().map_or(0.0, |flesh| flesh.report().yielded.max(yielded));
        if let (Some(jumps), Some(skin_jumps)) = (jumps, skin_jumps) {
            let is_beyond = jumps && !skin_jumps;
            let yields = yielded > YIELDING;
            beyond_skin += usize::from(is_beyond);
            yielding += usize::from(yields);
            of_yielding += usize::from(is_beyond && yields);
            yielded = 0.0;
        }
        on_moment(moments)?;
    }
    let worst = of_finished.worst();
    Ok(JumpReport {
        jumps: of_finished.count(),
        jump_intervals: intervals,
        jump_share: (intervals > 0).then(|| of_finished.count() as f64 / intervals as f64),
        jumps_of_skin: of_skin.count(),
        jumps_beyond_skin: beyond_skin,
        yielding_intervals: yielding,
        jumps_of_yielding: of_yielding,
        jump_worst: worst.map_or(0.0, |jump| jump.length),
        place: worst.map(|jump| JumpPlace {
            jump_vertex: jump.vertex,
            jump_joint: character.skeleton.joints()[jump.joint].name.clone(),
            jump_time: seconds_at(jump.moment),
        }),
        jump_height: height,
    })
}

/// The extent of a character at rest along the file's up axis; its longest side where it lies flat.
fn height(asset: &Asset) -> f64 {
    let surfaces = world_surfaces(&asset.character);
    let points = || surfaces.iter().flat_map(|surface| &surface.positions).map(|p| p.as_dvec3());
    let low = points().reduce(DVec3::min).unwrap_or_default();
    let sides = points().reduce(DVec3::max).unwrap_or_default() - low;
    let height = sides.dot(asset.up.direction());
    if height > 0.0 { height } else { sides.max_element() }
}
