//! Frames with flesh. Flesh takes longer than a frame may take while something is dragged, so a job makes them beside
//! the session, whose own frames have none.

use super::cage::Cages;
use super::edits::Edits;
use super::frame::Frames;
use super::job::Job;
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
    /// For the page that gets these frames without flesh.
    pub fn new(plain: &Frames) -> Self {
        Self { sent: plain.sent.clone(), cages: plain.cages.clone(), idle: Mutex::default() }
    }

    /// A frame with flesh.
    pub fn answer(&self, job: &Job, asset: &Arc<Asset>, request: &FrameRequest) -> Result<Reply> {
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
    job.progress(0.0, "Preparing the flesh")?;
    frames.prepare(&*job.host, asset, request)?;
    job.progress(0.5, "The flesh comes to rest")?;
    frames.answer(&*job.host, edits, asset, request)
}
