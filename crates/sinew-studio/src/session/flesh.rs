//! Frames with the flesh of their recipes. It takes longer than a frame may take while something is dragged, so a job makes
//! them beside the session, and prepares the coarse flesh that the session's own frames have.

use super::cage::Cages;
use super::edits::Edits;
use super::frame::Frames;
use super::job::Job;
use super::live_flesh::Order;
use super::sent::Sent;
use crate::error::Result;
use crate::protocol::{FrameRequest, Reply};
use sinew_io::Asset;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Makes frames with flesh, with caches for the next one.
pub struct FleshFrames {
    sent: Arc<Sent>,
    cages: Arc<Cages>,
    /// The caches; none while a job has them, or after one that panicked.
    idle: Mutex<Option<(Frames, Edits)>>,
}

impl FleshFrames {
    /// For the page that gets live frames.
    pub fn new(live: &Frames) -> Self {
        Self { sent: live.sent.clone(), cages: live.cages.clone(), idle: Mutex::default() }
    }

    /// A frame with flesh. Coarse flesh comes first, so that the next drag has it however soon it begins.
    pub fn answer(&self, job: &Job, asset: &Arc<Asset>, request: &FrameRequest, orders: Vec<Order>) -> Result<Reply> {
        for order in orders {
            job.progress(0.0, "Preparing coarse flesh")?;
            order.fulfil();
        }
        let idle = self.lock().take();
        let (mut frames, mut edits) =
            idle.unwrap_or_else(|| (Frames::with_flesh(self.sent.clone(), self.cages.clone()), Edits::default()));
        let reply = answer(job, &mut frames, &mut edits, asset, request);
        *self.lock() = Some((frames, edits));
        reply
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Frames, Edits)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn answer(
    job: &Job,
    frames: &mut Frames,
    edits: &mut Edits,
    asset: &Arc<Asset>,
    request: &FrameRequest,
) -> Result<Reply> {
    job.progress(0.2, "Preparing the flesh")?;
    frames.prepare(&*job.host, asset, request)?;
    job.progress(0.5, "The flesh comes to rest")?;
    frames.answer(&*job.host, edits, asset, request)
}
