//! Coarse flesh, which goes on from frame to frame while the document changes. A job prepares it, since that takes
//! seconds.

use crate::error::Result;
use sinew::deform::flesh::FleshDeformer;
use sinew::recipe::{Fineness, FleshShakeOptions, Recipe};
use sinew::rig::{Character, Pose};
use sinew::{Stack, StackOptions, Surface, Time};
use sinew_io::Asset;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// The time from one frame to the next for the flesh, in seconds, which says how viscous it is: a drag has no clock. With 1/30 /
/// 0.3 / 10 the tube, turned by 30° at once, is .030 / .006 / .004 radii from where it rests, and at 40° .023 / .012 / .010 from
/// itself after 20° more and back.
const STEP: f64 = 0.3;

/// The most that a joint turns in a frame, in degrees: three steps of flesh in a clip, which take MakeHuman's figure about
/// 100 ms on two cores. Flesh that is farther behind catches up by as much in every frame, and is not seen meanwhile.
const FARTHEST: f64 = 45.0;

/// The coarse flesh of the recipe, and of the one beside it.
pub struct LiveFlesh {
    /// Each with the number of its rig.
    stacks: [Option<(u32, Stack)>; 2],
    sender: Sender<Prepared>,
    receiver: Receiver<Prepared>,
}

/// What a job hands over.
struct Prepared {
    place: usize,
    rig: u32,
    stack: Stack,
}

/// Coarse flesh to be prepared.
pub struct Order {
    place: usize,
    rig: u32,
    asset: Arc<Asset>,
    recipe: Recipe,
    to: Sender<Prepared>,
}

impl Default for LiveFlesh {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self { stacks: [None, None], sender, receiver }
    }
}

impl LiveFlesh {
    /// The stack of a recipe with coarse flesh, if it is prepared. That of another character or of other flesh is dropped.
    pub fn stack(
        &mut self,
        place: usize,
        rig: u32,
        character: &Character,
        recipe: &Recipe,
    ) -> Result<Option<&mut Stack>> {
        for Prepared { place, rig, stack } in self.receiver.try_iter() {
            self.stacks[place] = Some((rig, stack));
        }
        let Some(coarse) = coarse(recipe) else {
            self.stacks[place] = None;
            return Ok(None);
        };
        let options = StackOptions::from(&coarse);
        self.stacks[place].take_if(|(known, stack)| *known != rig || !stack.keeps_flesh(&options));
        let Some((_, stack)) = &mut self.stacks[place] else { return Ok(None) };
        stack.update(character, options)?;
        Ok(Some(stack))
    }

    /// What a job is to prepare for a recipe, if it has flesh and that is not prepared.
    pub fn order(&mut self, place: usize, rig: u32, asset: &Arc<Asset>, recipe: &Recipe) -> Result<Option<Order>> {
        if self.stack(place, rig, &asset.character, recipe)?.is_some() {
            return Ok(None);
        }
        let order = |recipe| Order { place, rig, asset: asset.clone(), recipe, to: self.sender.clone() };
        Ok(coarse(recipe).map(order))
    }
}

impl Order {
    /// Prepares the flesh and hands it over. Where there can be none, the frame with the flesh of the recipe says why.
    pub fn fulfil(self) {
        if let Ok(stack) = Stack::new(&self.asset.character, &self.recipe) {
            // Nobody receives it after the session has ended.
            let _ = self.to.send(Prepared { place: self.place, rig: self.rig, stack });
        }
    }
}

/// A recipe with coarse flesh, which does not swing: a drag has no time. None for one without flesh.
fn coarse(recipe: &Recipe) -> Option<Recipe> {
    let mut coarse = (recipe.flesh.fineness != Fineness::Off).then(|| recipe.clone())?;
    coarse.flesh.fineness = Fineness::Coarse;
    coarse.flesh.shake = FleshShakeOptions::default();
    Some(coarse)
}

/// Brings flesh nearer to a pose that is too far for a frame. Says whether it was near enough.
pub fn approach(stack: &mut Stack, pose: &Pose, seconds: f64, surface: &mut Surface) -> bool {
    let Some(flesh) = stack.get::<FleshDeformer>() else { return false };
    let degrees = flesh.degrees_to(pose);
    if degrees <= FARTHEST {
        return true;
    }
    let pairs = flesh.pose().joints.iter().zip(&pose.joints);
    let joints = pairs.map(|(from, to)| from.interpolate(to, FARTHEST / degrees)).collect();
    follow(stack, &Pose { joints, morphs: pose.morphs.clone() }, Time::alone(seconds), surface);
    false
}

/// Deforms with flesh that goes on from the frame before.
pub fn follow(stack: &mut Stack, pose: &Pose, time: Time, surface: &mut Surface) {
    stack.deform_with_continuous_flesh(pose, time, STEP, surface);
}
