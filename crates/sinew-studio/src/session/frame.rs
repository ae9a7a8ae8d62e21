//! A frame: pose, surface, and measurements.

use super::cage::{Built, CageFrames, CageKey, Cages, Followed};
use super::edits::Edits;
use super::live_flesh::{self, LiveFlesh, Order};
use super::matrix::columns;
use super::muscles::FrameMuscles;
use super::pose::pose_at;
use super::rig::{Rig, RigKey};
use super::sent::Sent;
use super::{Host, fields, read_recipe};
use crate::error::{Error, Result};
use crate::protocol::{
    Answer, CageDrive, CageFrame, Color, Crossings, Fields, FieldsRequest, FleshFrame, FleshRegion, Frame,
    FrameRequest, ImplicitFrame, JointChange, Payload, Reply, SurfaceFrame, UncheckedRecipe, Volumes, Weights,
};
use glam::DAffine3;
use sinew::Time;
use sinew::deform::flesh::{FleshDeformer, FleshReport, RegionVolume};
use sinew::deform::implicit::ImplicitDeformer;
use sinew::deform::muscle::MuscleDeformer;
use sinew::recipe::{Fineness, Recipe};
use sinew::rig::{Character, Deformer, Pose};
use sinew::{Stack, Surface};
use sinew_io::Asset;
use sinew_tasks::deform::{joint_changes, skin_alone};
use sinew_tasks::unresolved_names;
use std::sync::Arc;

/// The number of cached rigs: those of two recipes, and those for undo.
const RIGS: usize = 3;

/// The longest step of time in a continuous motion, in seconds; a longer one is a jump, except during playback.
const LONGEST_STEP: f64 = 0.2;

/// The longest step of a slow engine during playback.
const LONGEST_PLAYED_STEP: f64 = 1.0;

/// The longest time step of the muscles.
const LONGEST_MUSCLE_STEP: f64 = 1.0 / 30.0;

/// The change of local volume at the end of the colour ramp.
const STRONGEST_CHANGE: f32 = 0.5;

/// Computes frames, with caches for the next one.
#[derive(Default)]
pub struct Frames {
    /// Coarse flesh, if frames have that instead of the flesh of their recipes, which takes too long while something is
    /// dragged.
    live: Option<LiveFlesh>,
    rigs: Vec<NumberedRig>,
    /// For the recipe and for the comparison: the skin alone, and all stages; each with the number of its rig.
    stacks: [[Option<(u32, Stack)>; 2]; 2],
    pose: Pose,
    surface: Surface,
    skin: Surface,
    values: Vec<f32>,
    /// What the page has.
    pub sent: Arc<Sent>,
    /// The built cages, and the driven one.
    pub cages: Arc<Cages>,
    caged: CageFrames,
    /// Character, clip and time of the frame before.
    before: Option<(String, Option<usize>, f64)>,
}

struct NumberedRig {
    key: RigKey,
    /// The number of its topology.
    number: u32,
    rig: Rig,
}

impl Frames {
    /// Frames while the document changes, with coarse flesh or without any.
    pub fn live() -> Self {
        Self { live: Some(LiveFlesh::default()), ..Self::default() }
    }

    /// Frames with the flesh of their recipes.
    pub fn with_flesh(sent: Arc<Sent>, cages: Arc<Cages>) -> Self {
        Self { sent, cages, ..Self::default() }
    }

    /// Builds the stages of a frame, so that it takes less time.
    pub fn prepare(&mut self, host: &dyn Host, asset: &Arc<Asset>, request: &FrameRequest) -> Result<()> {
        for (place, recipe) in seen_recipes(request) {
            let recipe = read_recipe(recipe)?;
            let rig = self.rig(host, asset, &request.key, &recipe, request.clip)?;
            let NumberedRig { number, rig, .. } = &self.rigs[rig];
            updated(&mut self.stacks[place][1], *number, &rig.asset.character, &recipe)?;
        }
        Ok(())
    }

    /// What a job is to prepare, so that the next frames have coarse flesh.
    pub fn flesh_orders(&mut self, host: &dyn Host, asset: &Arc<Asset>, request: &FrameRequest) -> Result<Vec<Order>> {
        let mut orders = Vec::new();
        for (place, recipe) in seen_recipes(request) {
            let recipe = read_recipe(recipe)?;
            let rig = self.rig(host, asset, &request.key, &recipe, request.clip)?;
            let NumberedRig { number, rig, .. } = &self.rigs[rig];
            if let Some(live) = &mut self.live {
                orders.extend(live.order(place, *number, &rig.asset, &recipe)?);
            }
        }
        Ok(orders)
    }

    /// The frame. New topologies and muscles are sent before it.
    pub fn answer(
        &mut self,
        host: &dyn Host,
        edits: &mut Edits,
        asset: &Arc<Asset>,
        request: &FrameRequest,
    ) -> Result<Reply> {
        let recipe = read_recipe(&request.recipe)?;
        let compare = request.compare.as_ref().map(read_recipe).transpose()?;
        let delta = self.step(request);
        let cage = || self.cages.find(&CageKey::new(&request.key, &recipe.cage));
        let driven = request.cage.as_ref().and_then(|drive| Some((drive, cage()?)));
        let seen = match &driven {
            Some((drive, built)) => {
                let mut seen = self.deform(host, edits, asset, request, &skin_alone(&recipe), 0, delta)?;
                self.follow_cage(host, request, &recipe, drive, built, &mut seen)?;
                seen
            }
            None => self.deform(host, edits, asset, request, &recipe, 0, delta)?,
        };
        let mut payload = Payload::default();
        let mut frame = Frame {
            key: request.key.clone(),
            seconds: request.time,
            milliseconds: seen.milliseconds,
            surfaces: vec![self.surface_frame(seen.topology, request.color, &mut payload)],
            joints: payload.push(seen.world.as_flattened()),
            source: seen.source.map(|world| payload.push(world.as_flattened())),
            volume: seen.volume,
            changes: seen.changes,
            implicit: seen.implicit,
            flesh: seen.flesh,
            muscles: seen.muscles.map(|muscles| muscles.describe(&mut payload)),
            cage: seen.followed.map(|followed| CageFrame {
                places: payload.push(followed.places.as_flattened()),
                outcome: followed.outcome,
            }),
            warnings: seen.warnings,
            range: self.range(request.color),
        };
        if let Some(recipe) = &compare {
            let seen = self.deform(host, edits, asset, request, recipe, 1, delta)?;
            frame.surfaces.push(self.surface_frame(seen.topology, request.color, &mut payload));
        }
        Ok(Reply::new(Answer::Frame(Box::new(frame)), payload))
    }

    /// The last deformed surface, with its measurements.
    fn surface_frame(&self, topology: u32, color: Color, payload: &mut Payload) -> SurfaceFrame {
        SurfaceFrame {
            topology,
            positions: payload.push(bytemuck::cast_slice::<_, f32>(&self.surface.positions)),
            normals: payload.push(bytemuck::cast_slice::<_, f32>(&self.surface.normals)),
            values: (color != Color::None).then(|| payload.push(&self.values)),
        }
    }

    /// The weight of a joint at every vertex.
    pub fn answer_weights(
        &mut self,
        host: &dyn Host,
        asset: &Arc<Asset>,
        key: &str,
        recipe: &Recipe,
        clip: Option<usize>,
        joint: &str,
    ) -> Result<Reply> {
        let rig = self.rig(host, asset, key, recipe, clip)?;
        let (topology, character) = (self.rigs[rig].number, &self.rigs[rig].rig.asset.character);
        let joint = character.skeleton.find(joint).ok_or_else(|| Error::UnknownJoint(joint.into()))?;
        let mut payload = Payload::default();
        let values = payload.push(&weights(character, joint));
        Ok(Reply::new(Answer::Weights(Weights { topology, values }), payload))
    }

    /// The limbs' fields at a time, and the number of intersecting triangles with and without them.
    pub fn answer_fields(
        &mut self,
        host: &dyn Host,
        edits: &mut Edits,
        asset: &Arc<Asset>,
        request: &FieldsRequest,
    ) -> Result<Reply> {
        let recipe = without_flesh(&read_recipe(&request.recipe)?);
        let rig = self.rig(host, asset, &request.key, &recipe, request.clip)?;
        let NumberedRig { number, rig, .. } = &mut self.rigs[rig];
        let character = &rig.asset.character;
        let played = edits.play(asset, &request.key, request.clip, &recipe.motion)?;
        pose_at(character, played.clip(), request.time, &request.turns, &mut self.pose)?;
        let [base_stack, stack] = &mut self.stacks[0];
        let base = updated(base_stack, *number, character, &skin_alone(&recipe))?;
        base.deform(&self.pose, Time::alone(request.time), &mut self.skin);
        let stack = updated(stack, *number, character, &recipe)?;
        stack.deform(&self.pose, Time::alone(request.time), &mut self.surface);
        let [base, last] = [&self.skin, &self.surface].map(|surface| rig.measures.intersections(surface));
        let stage = stack.get::<ImplicitDeformer>().ok_or(Error::NoFields)?;
        let (skeleton, mut payload) = (&character.skeleton, Payload::default());
        let surface = request.surface.then(|| fields::surface(stage, &mut payload)).transpose()?;
        let cut = request.cut.as_ref();
        let cut = cut.map(|joint| fields::cut(stack, stage, skeleton, joint, &mut payload)).transpose()?;
        let samples = request.samples.as_ref();
        let samples = samples.map(|joint| fields::samples(stack, stage, skeleton, joint, &mut payload)).transpose()?;
        let answer = Fields {
            limbs: fields::limbs(stage),
            crossings: Crossings { base, last },
            surface,
            cut,
            samples: samples.flatten(),
        };
        Ok(Reply::new(Answer::Fields(answer), payload))
    }

    /// The time since the frame before, if this one follows it.
    fn step(&mut self, request: &FrameRequest) -> f64 {
        let now = (request.key.clone(), request.clip, request.time);
        let before = self.before.replace(now);
        let follows = |(key, clip, _): &(String, Option<usize>, f64)| *key == request.key && *clip == request.clip;
        let step = before.filter(follows).map_or(0.0, |(_, _, time)| request.time - time);
        let longest = if request.playing { LONGEST_PLAYED_STEP } else { LONGEST_STEP };
        if (0.0..=longest).contains(&step) { step } else { 0.0 }
    }

    /// Deforms into `surface` and measures into `values`.
    #[allow(clippy::too_many_arguments)]
    fn deform(
        &mut self,
        host: &dyn Host,
        edits: &mut Edits,
        asset: &Arc<Asset>,
        request: &FrameRequest,
        recipe: &Recipe,
        place: usize,
        delta: f64,
    ) -> Result<Seen> {
        let rig = self.rig(host, asset, &request.key, recipe, request.clip)?;
        let NumberedRig { number, rig, .. } = &mut self.rigs[rig];
        let character = &rig.asset.character;
        let played = edits.play(asset, &request.key, request.clip, &recipe.motion)?;
        let source = match played.original() {
            Some(clip) => {
                pose_at(character, Some(clip), request.time, &request.turns, &mut self.pose)?;
                Some(joints_of(character, &self.pose))
            }
            None => None,
        };
        pose_at(character, played.clip(), request.time, &request.turns, &mut self.pose)?;
        let has_all_flesh = self.live.is_none();
        let mut live = match &mut self.live {
            Some(live) => live.stack(place, *number, character, recipe)?,
            None => None,
        };
        live.take_if(|stack| !live_flesh::approach(stack, &self.pose, request.time, &mut self.surface));
        let is_live = live.is_some();
        let recipe = &if has_all_flesh || is_live { recipe.clone() } else { without_flesh(recipe) };
        let base = skin_alone(recipe);
        let has_stages = base != *recipe;
        let [base_stack, stack] = &mut self.stacks[place];
        let stack = match live {
            Some(stack) => stack,
            None => updated(stack, *number, character, recipe)?,
        };
        let begin = host.milliseconds();
        let (steps, step) = in_steps(delta, stack.get::<MuscleDeformer>().is_some());
        for k in (1..steps).rev() {
            let seconds = request.time - k as f64 * step;
            pose_at(character, played.clip(), seconds, &request.turns, &mut self.pose)?;
            let time = Time { seconds, delta: step };
            match is_live {
                true => stack.advance_dynamics_without_flesh(&self.pose, time),
                false => stack.advance_dynamics(&self.pose, time),
            }
        }
        pose_at(character, played.clip(), request.time, &request.turns, &mut self.pose)?;
        let time = Time { seconds: request.time, delta: step };
        match is_live {
            true => live_flesh::follow(stack, &self.pose, time, &mut self.surface),
            false => stack.deform(&self.pose, time, &mut self.surface),
        }
        let milliseconds = host.milliseconds() - begin;
        if has_stages {
            let stack = updated(base_stack, *number, character, &base)?;
            stack.deform(&self.pose, Time { seconds: request.time, delta }, &mut self.skin);
        }
        let skin = if has_stages { &self.skin } else { &self.surface };
        let muscles = match stack.get::<MuscleDeformer>() {
            Some(stage) if place == 0 => {
                let number = self.sent.muscles(host, *number, &rig.asset.character, &recipe.muscles, stage)?;
                Some(FrameMuscles::new(number, stage, request.muscles))
            }
            _ => None,
        };
        measure(request.color, rig, stack.world(), &self.surface, skin, &mut self.values);
        let mut warnings = if has_stages { unresolved_names(recipe, &rig.asset.character) } else { Vec::new() };
        warnings.extend(stack.warnings().map(String::from));
        warnings.extend(played.problem);
        let last = rig.measures.volume(&self.surface);
        let base = if has_stages { rig.measures.volume(skin) } else { last };
        let volume = rig.measures.rest_volume(&self.pose).zip(base).zip(last);
        let change = |(joint, change): (usize, f64)| JointChange { joint, change };
        Ok(Seen {
            topology: *number,
            milliseconds,
            world: stack.world().iter().map(columns).collect(),
            source,
            volume: volume.map(|((rest, base), last)| Volumes { rest, base, last }),
            changes: joint_changes(stack).into_iter().map(change).collect(),
            implicit: fields::implicit_frame(stack),
            flesh: stack.get().map(|stage| flesh_frame(stage, is_live)),
            muscles,
            followed: None,
            warnings,
        })
    }

    /// Moves the mesh by the cage after skinning. The mesh is that of the file, because a skin alone needs no
    /// refinement.
    fn follow_cage(
        &mut self,
        host: &dyn Host,
        request: &FrameRequest,
        recipe: &Recipe,
        drive: &CageDrive,
        built: &Arc<Built>,
        seen: &mut Seen,
    ) -> Result<()> {
        let rig = self.rigs.iter_mut().find(|rig| rig.number == seen.topology);
        // `deform` has just created both.
        let (Some((_, stack)), Some(rig)) = (&self.stacks[0][1], rig) else { return Ok(()) };
        std::mem::swap(&mut self.skin, &mut self.surface);
        let begin = host.milliseconds();
        let followed = self.caged.follow(built, &recipe.cage, drive, stack.world(), &mut self.surface)?;
        seen.milliseconds = host.milliseconds() - begin;
        let world = followed.world.as_deref().unwrap_or(stack.world());
        measure(request.color, &mut rig.rig, world, &self.surface, &self.skin, &mut self.values);
        seen.world = world.iter().map(columns).collect();
        if let Some((volume, last)) = seen.volume.as_mut().zip(rig.rig.measures.volume(&self.surface)) {
            volume.last = last;
        }
        seen.followed = Some(followed);
        Ok(())
    }

    /// The rig for a recipe; a new one is described to the page.
    fn rig(
        &mut self,
        host: &dyn Host,
        asset: &Arc<Asset>,
        key: &str,
        recipe: &Recipe,
        clip: Option<usize>,
    ) -> Result<usize> {
        let key = RigKey::new(key, recipe, clip);
        if let Some(place) = self.rigs.iter().position(|known| known.key == key) {
            return Ok(place);
        }
        let rig = Rig::new(asset, recipe, clip, &key)?;
        if self.rigs.len() >= RIGS {
            self.rigs.remove(0);
        }
        let number = self.sent.topology(host, &key, &rig.asset.character);
        self.rigs.push(NumberedRig { key, number, rig });
        Ok(self.rigs.len() - 1)
    }

    fn range(&self, color: Color) -> Option<[f32; 2]> {
        match color {
            Color::None => None,
            Color::Displacement => Some([0.0, self.values.iter().copied().fold(0.0, f32::max)]),
            Color::Volume => Some([-STRONGEST_CHANGE, STRONGEST_CHANGE]),
        }
    }
}

/// The recipes of a request that are seen, each with its place; a cage moves the skin alone.
fn seen_recipes(request: &FrameRequest) -> impl Iterator<Item = (usize, &UncheckedRecipe)> {
    let recipe = request.cage.is_none().then_some(&request.recipe);
    let recipes = [recipe, request.compare.as_ref()].into_iter().enumerate();
    recipes.filter_map(|(place, recipe)| Some((place, recipe?)))
}

fn without_flesh(recipe: &Recipe) -> Recipe {
    let mut recipe = recipe.clone();
    recipe.flesh.fineness = Fineness::Off;
    recipe
}

/// The number of time steps to a frame, and their length: muscles need several; without muscles there is one.
fn in_steps(delta: f64, has_muscles: bool) -> (usize, f64) {
    // A frame's time is a rounded difference of two others.
    let count = if has_muscles { (delta / LONGEST_MUSCLE_STEP - 1e-6).ceil().max(1.0) } else { 1.0 };
    let step = delta / count;
    (count as usize, if step > LONGEST_STEP { 0.0 } else { step })
}

/// The stack of a recipe on a rig. Stages with unchanged settings are reused. After an error the former stack stays for
/// the next recipe.
fn updated<'a>(
    place: &'a mut Option<(u32, Stack)>,
    rig: u32,
    character: &Character,
    recipe: &Recipe,
) -> Result<&'a mut Stack> {
    match place.take() {
        Some((known, stack)) if known == rig => {
            let stack = &mut place.insert((rig, stack)).1;
            stack.update(character, recipe)?;
            Ok(stack)
        }
        _ => Ok(&mut place.insert((rig, Stack::new(character, recipe)?)).1),
    }
}

/// Measures a quantity at every vertex of a surface; `skin` is the surface of the skin alone.
fn measure(color: Color, rig: &mut Rig, world: &[DAffine3], surface: &Surface, skin: &Surface, values: &mut Vec<f32>) {
    match color {
        Color::None => values.clear(),
        Color::Displacement => {
            let pairs = surface.positions.iter().zip(&skin.positions);
            values.clear();
            values.extend(pairs.map(|(p, q)| p.distance(*q)));
        }
        Color::Volume => rig.local_volume().measure(world, &surface.positions, values),
    }
}

/// The data of a frame besides its surface.
struct Seen {
    topology: u32,
    /// The time of all stages.
    milliseconds: f64,
    world: Vec<[f32; 16]>,
    /// The joints without the edit of the motion, if there is one.
    source: Option<Vec<[f32; 16]>>,
    volume: Option<Volumes>,
    changes: Vec<JointChange>,
    /// What the implicit skin did; none without it.
    implicit: Option<ImplicitFrame>,
    /// What the flesh did; none without it.
    flesh: Option<FleshFrame>,
    /// The muscles, if there are any.
    muscles: Option<FrameMuscles>,
    /// The cage, if the mesh follows one.
    followed: Option<Followed>,
    warnings: Vec<String>,
}

/// What the flesh did in the last deformed frame.
fn flesh_frame(stage: &FleshDeformer, live: bool) -> FleshFrame {
    let FleshReport { iterations, residual, yielded, contacts, smallest_volume, volume, worst_region } = stage.report();
    let worst_region = worst_region.map(|RegionVolume { joint, share }| FleshRegion { joint, volume: share });
    let warnings = stage.warnings().to_vec();
    FleshFrame { live, iterations, residual, yielded, contacts, smallest_volume, volume, worst_region, warnings }
}

/// World matrices of a pose.
fn joints_of(character: &Character, pose: &Pose) -> Vec<[f32; 16]> {
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    character.skeleton.world(pose, &mut world);
    world.iter().map(columns).collect()
}

/// The weight of a joint at every vertex of the character.
fn weights(character: &Character, joint: usize) -> Vec<f32> {
    let mut weights = Vec::with_capacity(character.vertex_count());
    for part in &character.parts {
        let is_joint = |slot: u32| part.binding.joints[slot as usize] == joint;
        let rows = part.binding.weights.rows();
        weights.extend(rows.map(|row| row.iter().filter(|i| is_joint(i.joint)).map(|i| i.weight).sum::<f32>()));
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn muscles_go_a_long_way_in_short_steps_and_all_else_jumps() {
        assert_eq!(in_steps(0.0, true), (1, 0.0));
        assert_eq!(in_steps(0.7 + 1.0 / 30.0 - 0.7, true).0, 1);
        let (count, step) = in_steps(0.5, true);
        assert!(count == 15 && (step - 1.0 / 30.0).abs() < 1e-12, "{count} steps of {step}");
        assert_eq!(in_steps(0.15, false), (1, 0.15));
        assert_eq!(in_steps(0.5, false), (1, 0.0));
    }
}
