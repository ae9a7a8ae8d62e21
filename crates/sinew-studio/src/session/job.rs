//! Jobs: long work with progress and cancellation.

use super::{Host, answer};
use crate::error::{Error, Result};
use crate::protocol::{Answer, Progress, Reply};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
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
            // A defect ends its job alone, which shares nothing with the session that it could have left half done.
            let result = catch_unwind(AssertUnwindSafe(|| work(&job))).unwrap_or(Err(Error::Panicked));
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

impl Drop for Jobs {
    fn drop(&mut self) {
        self.cancel_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Downloads;

    #[derive(Default)]
    struct Collected(Mutex<Vec<String>>);

    impl Host for Collected {
        fn send(&self, message: Vec<u8>) {
            lock_all(&self.0).push(String::from_utf8_lossy(&message).into_owned());
        }

        fn offer(&self, message: Vec<u8>) {
            self.send(message);
        }

        fn run(&self, job: Box<dyn FnOnce() + Send>) {
            job();
        }

        fn milliseconds(&self) -> f64 {
            0.0
        }

        fn downloads(&self) -> Option<&dyn Downloads> {
            None
        }

        fn first_key(&self) -> Option<String> {
            None
        }
    }

    fn lock_all(messages: &Mutex<Vec<String>>) -> MutexGuard<'_, Vec<String>> {
        messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[test]
    fn a_panic_ends_its_job_with_a_message_and_frees_its_place() {
        let host = Arc::new(Collected::default());
        let jobs = Jobs::new(host.clone());
        for _ in 0..2 * MOST {
            jobs.start(1, |_| panic!("a defect"));
        }
        let messages = lock_all(&host.0);
        assert_eq!(messages.len(), 2 * MOST);
        assert!(messages.iter().all(|message| message.contains("the engine failed")), "{messages:?}");
    }
}
