//! A mesh that follows its cage: moved by the joints of a pose, or by dragged handles.
//!
//! The system is factored again after a change of the set of handles or of a setting. During a drag, a frame starts
//! from the one before (warm start). After a jump of the handles, such as an undo, it starts from the rest shape, moved
//! rigidly to fit the handles.

use super::cache::Built;
use crate::error::{Error, Result};
use crate::protocol::{CageDrive, CageOutcome, DrivenBy};
use glam::{DAffine3, DVec3, Vec3};
use sinew::Surface;
use sinew::cage::Recorder;
use sinew::recipe::CageRecipe;
use sinew::rig::Skeleton;
use sinew_tasks::cage::{HandleOf, LiveCage, LiveFrame};
use std::sync::Arc;

/// The most solves of the first frame, and of any other; the page requests more if the solver has not converged.
const FIRST_SOLVES: usize = 6;
const SOLVES: usize = 2;

/// The largest step of a dragged handle between two frames, of the mesh's diagonal; a larger one is a jump.
const JUMP: f64 = 0.15;

/// Moves meshes by their cages, with a warm start from the last frame.
#[derive(Default)]
pub struct CageFrames {
    live: Option<Live>,
}

/// A cage that is driven.
struct Live {
    built: Arc<Built>,
    recipe: CageRecipe,
    cage: LiveCage,
    recorder: Recorder,
    /// The position of each handle in the frame before; empty before the first.
    places: Vec<DVec3>,
    /// The largest step of a dragged handle.
    jump: f64,
}

/// The cage in a frame.
pub struct Followed {
    /// The positions of the control mesh's vertices.
    pub places: Vec<[f32; 3]>,
    /// The world transforms of the joints, if the cage determines them.
    pub world: Option<Vec<DAffine3>>,
    /// The result of the solver; none without handles.
    pub outcome: Option<CageOutcome>,
}

impl CageFrames {
    /// Moves a mesh into `surface`. `world` has the joints of the pose.
    pub fn follow(
        &mut self,
        built: &Arc<Built>,
        recipe: &CageRecipe,
        drive: &CageDrive,
        world: &[DAffine3],
        surface: &mut Surface,
    ) -> Result<Followed> {
        let (handles, places) = match drive.by {
            DrivenBy::Pose => (built.caged.joint_handles(), Vec::new()),
            DrivenBy::Handles => handle_targets(built, drive)?,
        };
        if handles.is_empty() {
            self.live = None;
            surface.clone_from(&built.caged.rest);
            return Ok(at_rest(built));
        }
        let mut recipe = recipe.clone();
        if !drive.limits {
            recipe.limits.clear();
        }
        let live = self.live(built, &recipe, &handles)?;
        let (frame, is_settled) = match drive.by {
            DrivenBy::Pose => {
                live.cage.pose(world);
                (live.cage.solve(), true)
            }
            DrivenBy::Handles => {
                let frame = live.drag(&places)?;
                (frame, frame.outcome.iterations < recipe.iterations)
            }
        };
        surface.clone_from(live.cage.embed());
        let world = match drive.by {
            DrivenBy::Pose => None,
            DrivenBy::Handles => Some(live.world(&built.caged.asset.character.skeleton)),
        };
        let places = live.cage.driver().positions().iter().map(|place| place.as_vec3().to_array()).collect();
        Ok(Followed { places, world, outcome: Some(outcome(&frame, is_settled)) })
    }

    /// The driven cage; a new one if the cage, the recipe or the handles changed.
    fn live(&mut self, built: &Arc<Built>, recipe: &CageRecipe, handles: &[HandleOf]) -> Result<&mut Live> {
        let is_requested =
            |live: &Live| Arc::ptr_eq(&live.built, built) && live.recipe == *recipe && live.cage.handles() == handles;
        let live = match self.live.take().filter(is_requested) {
            Some(live) => live,
            None => Live {
                built: built.clone(),
                recipe: recipe.clone(),
                cage: LiveCage::new(&built.caged, recipe, handles)?,
                recorder: Recorder::new(&built.caged.control, &built.caged.asset.character.skeleton),
                places: Vec::new(),
                jump: JUMP * diagonal(&built.caged.rest.positions),
            },
        };
        Ok(self.live.insert(live))
    }
}

impl Live {
    /// Moves handles to their targets.
    fn drag(&mut self, places: &[DVec3]) -> Result<LiveFrame> {
        for (handle, &place) in places.iter().enumerate() {
            self.cage.drag(handle, place)?;
        }
        let is_near = |(a, b): (&DVec3, &DVec3)| a.distance(*b) < self.jump;
        let is_continuous = self.places.len() == places.len() && self.places.iter().zip(places).all(is_near);
        if !is_continuous {
            self.cage.start_from_handles();
        }
        self.places = places.to_vec();
        let mut frame = self.cage.solve();
        for _ in 1..if is_continuous { SOLVES } else { FIRST_SOLVES } {
            if frame.outcome.iterations < self.recipe.iterations {
                break;
            }
            frame = self.cage.solve();
        }
        Ok(frame)
    }

    /// The joints, from the bones of the cage.
    fn world(&mut self, skeleton: &Skeleton) -> Vec<DAffine3> {
        let mut world = vec![DAffine3::IDENTITY; skeleton.len()];
        skeleton.world(self.recorder.pose(self.cage.driver()), &mut world);
        world
    }
}

/// Handles and their targets: all markers, then the fixed joints.
fn handle_targets(built: &Built, drive: &CageDrive) -> Result<(Vec<HandleOf>, Vec<DVec3>)> {
    let (caged, skeleton) = (&built.caged, &built.caged.asset.character.skeleton);
    let (mut handles, mut places) = (Vec::new(), Vec::new());
    for (marker, (label, &vertex)) in caged.markers.iter().zip(&caged.control.markers).enumerate() {
        let rest = caged.control.positions[vertex as usize];
        handles.push(HandleOf::Marker(marker));
        places.push(drive.markers.get(label).map_or(rest, |&place| DVec3::from(place)));
    }
    for (name, &place) in &drive.joints {
        let joint = skeleton.find(name).ok_or_else(|| Error::UnknownJoint(name.clone()))?;
        handles.push(HandleOf::Joint(joint));
        places.push(DVec3::from(place));
    }
    match places.iter().all(|place| place.is_finite()) {
        true => Ok((handles, places)),
        false => Err(Error::HandlePosition),
    }
}

/// The result without handles.
fn at_rest(built: &Built) -> Followed {
    let places = built.caged.control.positions.iter().map(|place| place.as_vec3().to_array()).collect();
    let world = built.caged.asset.character.skeleton.rest_world();
    Followed { places, world: Some(world), outcome: None }
}

/// The diagonal of the bounding box of positions.
fn diagonal(places: &[Vec3]) -> f64 {
    let (low, high) = (places.iter().copied().reduce(Vec3::min), places.iter().copied().reduce(Vec3::max));
    low.zip(high).map_or(0.0, |(low, high)| f64::from(low.distance(high)))
}

/// The outcome of a frame; `is_settled` is whether the solver converged within its iterations.
fn outcome(frame: &LiveFrame, is_settled: bool) -> CageOutcome {
    CageOutcome {
        settled: is_settled,
        volume_error: frame.volume_error,
        rigidity: frame.outcome.rigidity,
        bone_error: frame.outcome.bone_error,
        handle_error: frame.outcome.handle_error,
        inverted: frame.outcome.inverted,
        iterations: frame.outcome.iterations,
    }
}
