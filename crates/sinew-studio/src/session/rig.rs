//! A character prepared for a recipe, with the data that does not change from frame to frame.

use crate::error::Result;
use sinew::recipe::{Recipe, VolumeMethod, VolumeOptions};
use sinew::rig::LocalVolume;
use sinew_io::Asset;
use sinew_tasks::deform::prepared;
use sinew_tasks::measure::Measures;
use std::sync::Arc;

/// The inputs of a rig. Recipes that do not refine the mesh share one.
#[derive(Debug, Clone, PartialEq)]
pub struct RigKey {
    character: String,
    refinement: Option<(VolumeOptions, Option<usize>)>,
}

impl RigKey {
    pub fn new(character: &str, recipe: &Recipe, clip: Option<usize>) -> Self {
        let refines = recipe.volume.method != VolumeMethod::Off && recipe.volume.refine.steps > 0;
        Self { character: character.into(), refinement: refines.then(|| (recipe.volume.clone(), clip)) }
    }
}

/// A character, refined for its stages.
pub struct Rig {
    pub asset: Arc<Asset>,
    pub measures: Measures,
    local_volume: Option<LocalVolume>,
}

impl Rig {
    /// Refines the character according to the recipe, near the joints that the clip bends.
    pub fn new(asset: &Arc<Asset>, recipe: &Recipe, clip: Option<usize>, key: &RigKey) -> Result<Self> {
        let asset = match key.refinement {
            None => asset.clone(),
            Some(_) => {
                let clip = clip.and_then(|clip| asset.character.clips.get(clip));
                Arc::new(prepared(Asset::clone(asset), recipe, clip)?)
            }
        };
        Ok(Self { measures: Measures::new(&asset.character)?, asset, local_volume: None })
    }

    /// The measure of volume change at every vertex; created at its first use.
    pub fn local_volume(&mut self) -> &LocalVolume {
        self.local_volume.get_or_insert_with(|| LocalVolume::new(&self.asset.character))
    }
}
