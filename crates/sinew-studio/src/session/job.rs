//! Jobs: long work with progress and cancellation.

use super::{Host, answer};
use crate::error::{Error, Result};
use crate::protocol::{Answer, Progress, Reply};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most jobs of one page at a time.
const MOST: usize = 8;

/// The jobs of a session.
pub struct Jobs {
    host: Arc<dyn Host>,
    running: Arc<Mutex<Running>>,
}

type Running = BTreeMap<u64, Arc<AtomicBool>>;

fn lock(running: &Mutex<Running>) -> MutexGuard<'_, Running> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running job.
pub struct Job {
    pub id: u64,
    pub host: Arc<dyn Host>,
    is_cancelled: Arc<AtomicBool>,
}

impl Job {
    /// Reports the progress, 0 to 1. Fails if the job was cancelled.
    pub fn progress(&self, done: f64, text: &str) -> Result<()> {
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(Error::Cancelled);
        }
        let progress = Answer::Progress(Progress { done, text: text.into() });
        self.host.offer(Reply::from(progress).into_bytes(Some(self.id)));
        Ok(())
    }
}

impl Jobs {
    pub fn new(host: Arc<dyn Host>) -> Self {
        Self { host, running: Arc::default() }
    }

    /// Starts a job, whose result is sent. Jobs beyond the limit, and a job with the number of a running one, are
    /// refused.
    pub fn start(&self, id: u64, work: impl FnOnce(&Job) -> Result<Reply> + Send + 'static) {
        let is_cancelled = Arc::new(AtomicBool::new(false));
        {
            let mut running = lock(&self.running);
            if running.len() >= MOST || running.contains_key(&id) {
                return self.host.send(answer::failed(&Error::TooManyJobs).into_bytes(Some(id)));
            }
            running.insert(id, is_cancelled.clone());
        }
        let job = Job { id, host: self.host.clone(), is_cancelled };
        let running = self.running.clone();
        self.host.run(Box::new(move || {
            let result = work(&job);
            lock(&running).remove(&id);
            let reply = match result {
                _ if job.is_cancelled.load(Ordering::Relaxed) => answer::cancelled(),
                Ok(reply) => reply,
                Err(error) => answer::failed(&error),
            };
            job.host.send(reply.into_bytes(Some(id)));
        }));
    }

    /// Cancels a job, unless it has ended.
    pub fn cancel(&self, id: u64) {
        if let Some(is_cancelled) = lock(&self.running).get(&id) {
            is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    pub fn cancel_all(&self) {
        lock(&self.running).values().for_each(|is_cancelled| is_cancelled.store(true, Ordering::Relaxed));
    }
}
