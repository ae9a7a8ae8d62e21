//! The functions that the worker calls, and those that it gives.

use sinew_studio::{Downloads, Host, OpenedCharacters, Request, Session};
use std::cell::RefCell;
use std::sync::Arc;

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Takes a copy of a message to the page.
    fn sinew_send(pointer: *const u8, length: usize);
    /// Milliseconds from some moment on.
    safe fn sinew_milliseconds() -> f64;
}

thread_local! {
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// Begins the session, which sends hello.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_start() {
    let session = Session::new(Arc::new(Worker), Arc::new(OpenedCharacters::default()));
    SESSION.with(|place| *place.borrow_mut() = Some(session));
}

/// Room for a message of that many bytes, which [`sinew_receive`] gives back.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; length].into_boxed_slice()).cast()
}

/// Answers a message.
///
/// # Safety
/// `pointer` comes from [`sinew_allocate`] with the same length and is given once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_receive(pointer: *mut u8, length: usize) {
    // SAFETY: the caller's promise above: this is the box that sinew_allocate let go.
    let message = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(pointer, length)) };
    // The page and this engine are of one build, so a message is always readable.
    let Ok((request, payload)) = Request::read(&message) else { return };
    SESSION.with(|session| {
        if let Some(session) = session.borrow_mut().as_mut() {
            session.handle(request, payload);
        }
    });
}

/// A worker of the page.
struct Worker;

impl Host for Worker {
    fn send(&self, message: Vec<u8>) {
        // SAFETY: the pointer and the length are those of the message, which lives until the page has copied it.
        unsafe { sinew_send(message.as_ptr(), message.len()) }
    }

    fn offer(&self, message: Vec<u8>) {
        self.send(message);
    }

    fn run(&self, job: Box<dyn FnOnce() + Send>) {
        job();
    }

    fn milliseconds(&self) -> f64 {
        sinew_milliseconds()
    }

    fn downloads(&self) -> Option<&dyn Downloads> {
        None
    }

    fn first_key(&self) -> Option<String> {
        None
    }
}
