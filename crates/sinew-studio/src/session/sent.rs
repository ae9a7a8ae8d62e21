//! The static data that the page has, which frames refer to by a number: topologies and muscles.

use super::muscles::SentMuscles;
use super::rig::RigKey;
use super::{Host, topology};
use crate::error::Result;
use sinew::deform::muscle::MuscleDeformer;
use sinew::recipe::MuscleOptions;
use sinew::rig::Character;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What was sent to the page, shared by the session and the jobs that make frames.
#[derive(Default)]
pub struct Sent {
    /// The rigs of the topologies. The place of a rig is the number of its topology.
    rigs: Mutex<Vec<RigKey>>,
    muscles: Mutex<SentMuscles>,
}

impl Sent {
    /// The number of a rig's topology. A new one is sent before the number is known to anyone.
    pub fn topology(&self, host: &dyn Host, key: &RigKey, character: &Character) -> u32 {
        let mut rigs = lock(&self.rigs);
        let place = rigs.iter().position(|known| known == key).unwrap_or_else(|| {
            host.send(topology::describe(rigs.len() as u32, character).into_bytes(None));
            rigs.push(key.clone());
            rigs.len() - 1
        });
        place as u32
    }

    /// The number of the muscles of a rig, which are sent if they are new.
    pub fn muscles(
        &self,
        host: &dyn Host,
        rig: u32,
        character: &Character,
        recipe: &MuscleOptions,
        stage: &MuscleDeformer,
    ) -> Result<u32> {
        lock(&self.muscles).send(host, rig, character, recipe, stage)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
