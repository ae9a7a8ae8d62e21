//! Work that takes long enough to be watched, and stopped.

use super::{Host, answer};
use crate::error::{Error, Result};
use crate::protocol::{Answer, Progress, Reply};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many jobs of one page may run at a time.
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

/// A job that runs.
pub struct Job {
    pub id: u64,
    pub host: Arc<dyn Host>,
    is_cancelled: Arc<AtomicBool>,
}

impl Job {
    /// Says how far it is, 0 to 1. The error is that somebody stopped it.
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

    /// Starts a job, whose result is sent. One with the number of another is refused, as are too many.
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

    /// Stops a job; nothing happens if it is done already.
    pub fn cancel(&self, id: u64) {
        if let Some(is_cancelled) = lock(&self.running).get(&id) {
            is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    pub fn cancel_all(&self) {
        lock(&self.running).values().for_each(|is_cancelled| is_cancelled.store(true, Ordering::Relaxed));
    }
}
