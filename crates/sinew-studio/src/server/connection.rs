//! The connection of a tab: a socket, and a thread that answers its requests.
//!
//! Between the socket and the session's thread is a `Mailbox`. It queues requests in order, but only the newest frame
//! request, because only the current frame is of interest. A slow tab makes its session wait, so that no queue grows; a
//! tab that receives nothing for a while is disconnected. A tab that sends more than its session has answered waits too:
//! the requests in a mailbox are bounded in number and in bytes. A defect of the engine ends its own tab alone, with a
//! reason.

use super::Shared;
use crate::protocol::{Malformed, Request};
use crate::session::{Downloads, Host, MAX_UPLOAD, Session};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// The most connected tabs.
const MOST_CONNECTIONS: usize = 32;

/// The most requests in a mailbox, besides a frame.
const MOST_WAITING: usize = 64;

/// The most bytes of the requests in a mailbox, besides one message.
const MOST_BYTES: usize = MAX_UPLOAD;

/// The time between two looks at a full mailbox.
const LOOK: Duration = Duration::from_millis(20);

/// The most outgoing messages in the queue.
const OUTGOING: usize = 4;

/// A tab that receives nothing for this long is disconnected.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time for sending the reason of a disconnection.
const FAREWELL: Duration = Duration::from_secs(2);

/// Accepts a tab.
pub(super) async fn upgrade(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    if shared.connections.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
        shared.connections.fetch_sub(1, Ordering::Relaxed);
        return (StatusCode::SERVICE_UNAVAILABLE, "too many tabs are open").into_response();
    }
    let failed = shared.clone();
    upgrade
        .max_message_size(MAX_UPLOAD)
        .max_frame_size(MAX_UPLOAD)
        .on_failed_upgrade(move |_| {
            failed.connections.fetch_sub(1, Ordering::Relaxed);
        })
        .on_upgrade(|socket| async move {
            talk(socket, shared.clone()).await;
            shared.connections.fetch_sub(1, Ordering::Relaxed);
        })
}

async fn talk(socket: WebSocket, shared: Arc<Shared>) {
    let (mut sink, mut stream) = socket.split();
    let (outgoing, mut waiting) = mpsc::channel::<Vec<u8>>(OUTGOING);
    let (closing, mut closed) = mpsc::channel::<(u16, String)>(1);
    let mailbox = Arc::new(Mailbox::new(MOST_BYTES));
    let session = {
        let (mailbox, host) = (mailbox.clone(), Connection { shared, outgoing, begin: Instant::now() });
        let closing = closing.clone();
        std::thread::spawn(move || report_panic(&closing, || converse(&mailbox, host)))
    };
    let mut writer = tokio::spawn(async move {
        let mut is_talking = true;
        loop {
            tokio::select! {
                biased;
                reason = closed.recv() => {
                    if let Some((code, reason)) = reason {
                        let frame = CloseFrame { code, reason: reason.into() };
                        let _ = tokio::time::timeout(PATIENCE, sink.send(Message::Close(Some(frame)))).await;
                    }
                    return;
                }
                message = waiting.recv(), if is_talking => {
                    let Some(message) = message else {
                        is_talking = false;
                        continue;
                    };
                    let sent = tokio::time::timeout(PATIENCE, sink.send(Message::Binary(message.into()))).await;
                    if !matches!(sent, Ok(Ok(()))) {
                        return;
                    }
                }
            }
        }
    });
    let reason = loop {
        let message = tokio::select! {
            message = stream.next() => message,
            _ = &mut writer => break None,
        };
        match message {
            Some(Ok(Message::Binary(bytes))) => {
                while mailbox.is_full() && !writer.is_finished() {
                    tokio::time::sleep(LOOK).await;
                }
                if let Err(malformed) = mailbox.put(bytes) {
                    break Some((close_code::POLICY, malformed.to_string()));
                }
            }
            Some(Ok(Message::Text(_))) => {
                break Some((close_code::UNSUPPORTED, "only binary messages are read".into()));
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Err(error)) => break Some((close_code::PROTOCOL, error.to_string())),
            Some(Ok(Message::Close(_))) | None => break None,
        }
    };
    if let Some((code, reason)) = reason {
        let _ = closing.try_send((code, shortened(reason)));
    }
    drop(closing);
    mailbox.close();
    if !writer.is_finished() {
        let _ = writer.await;
    }
    // A socket that is dropped with unread data discards its last message.
    let drained = async { while let Some(Ok(_)) = stream.next().await {} };
    let _ = tokio::time::timeout(FAREWELL, drained).await;
    let _ = tokio::task::spawn_blocking(move || session.join()).await;
}

/// A reason of a WebSocket's close may have 123 bytes.
fn shortened(mut reason: String) -> String {
    while reason.len() > 120 {
        reason.pop();
    }
    reason
}

/// Runs a session, and closes its tab with a reason if it panics.
fn report_panic(closing: &mpsc::Sender<(u16, String)>, session: impl FnOnce()) {
    // Nothing of the session is used after it.
    if catch_unwind(AssertUnwindSafe(session)).is_err() {
        let _ =
            closing.try_send((close_code::ERROR, "the engine failed; reload the page, and please report it".into()));
    }
}

/// Answers the requests of a mailbox until it is closed.
fn converse(mailbox: &Mailbox, host: Connection) {
    let characters = host.shared.characters.clone();
    let mut session = Session::new(Arc::new(host), characters);
    while let Some(message) = mailbox.take() {
        // It was parsed once already, on arrival.
        if let Ok((request, payload)) = Request::read(&message) {
            session.handle(request, payload);
        }
    }
    session.close();
}

/// The host of a session of the server.
struct Connection {
    shared: Arc<Shared>,
    outgoing: mpsc::Sender<Vec<u8>>,
    begin: Instant,
}

impl Host for Connection {
    fn send(&self, message: Vec<u8>) {
        // The only error is a closed tab, which also closes the mailbox.
        let _ = self.outgoing.blocking_send(message);
    }

    fn offer(&self, message: Vec<u8>) {
        let _ = self.outgoing.try_send(message);
    }

    fn run(&self, job: Box<dyn FnOnce() + Send>) {
        std::thread::spawn(job);
    }

    fn milliseconds(&self) -> f64 {
        1e3 * self.begin.elapsed().as_secs_f64()
    }

    fn downloads(&self) -> Option<&dyn Downloads> {
        Some(&self.shared.downloads)
    }

    fn first_key(&self) -> Option<String> {
        self.shared.first_key.clone()
    }
}

/// The queue of a session.
struct Mailbox {
    inner: Mutex<Waiting>,
    arrived: Condvar,
    most_bytes: usize,
}

#[derive(Default)]
struct Waiting {
    requests: VecDeque<axum::body::Bytes>,
    frame: Option<axum::body::Bytes>,
    is_closed: bool,
}

impl Mailbox {
    fn new(most_bytes: usize) -> Self {
        Self { inner: Mutex::default(), arrived: Condvar::new(), most_bytes }
    }

    /// Whether the waiting requests have so many bytes that the next one is read later.
    fn is_full(&self) -> bool {
        let waiting = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.requests.iter().map(|request| request.len()).sum::<usize>() > self.most_bytes && !waiting.is_closed
    }

    fn put(&self, message: axum::body::Bytes) -> Result<(), Malformed> {
        let is_frame = matches!(Request::read(&message)?.0.body, Request::Frame(_));
        let mut waiting = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if is_frame {
            waiting.frame = Some(message);
        } else if waiting.requests.len() < MOST_WAITING {
            waiting.requests.push_back(message);
        } else {
            return Err(Malformed(format!("more than {MOST_WAITING} requests wait already")));
        }
        self.arrived.notify_one();
        Ok(())
    }

    /// The next request, frames last; none after the tab has closed.
    fn take(&self) -> Option<axum::body::Bytes> {
        let mut waiting = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if waiting.is_closed {
                return None;
            }
            if let Some(message) = waiting.requests.pop_front() {
                return Some(message);
            }
            if let Some(message) = waiting.frame.take() {
                return Some(message);
            }
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn close(&self) {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).is_closed = true;
        self.arrived.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_closes_its_tab_with_a_reason() {
        let (closing, mut closed) = mpsc::channel(1);
        report_panic(&closing, || ());
        assert!(closed.try_recv().is_err());
        report_panic(&closing, || panic!("a defect"));
        let (code, reason) = closed.try_recv().unwrap();
        assert!(code == close_code::ERROR && reason.contains("the engine failed"), "{code}: {reason}");
        assert!(reason.len() < 120);
    }

    #[test]
    fn waiting_requests_are_bounded_in_bytes() {
        let mailbox = Mailbox::new(1000);
        let header = br#"{"type":"demo","id":1,"name":"tube"}"#;
        let request = [&(header.len() as u32).to_le_bytes()[..], header, &[0; 600]].concat();
        for is_full in [false, true] {
            mailbox.put(request.clone().into()).unwrap();
            assert_eq!(mailbox.is_full(), is_full);
        }
        mailbox.take();
        assert!(!mailbox.is_full());
    }
}
