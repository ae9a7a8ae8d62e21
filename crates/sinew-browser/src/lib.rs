//! The studio's session inside a page: bytes in, bytes out, without a server.
//!
//! A worker of the page (`web/engine/worker.js`) allocates room for a message, writes it there and calls
//! `sinew_receive`; answers go out through the function `sinew_send` that it gave. Everything
//! happens on the worker's one thread. On other machines than `wasm32` the crate is empty.

#[cfg(target_arch = "wasm32")]
mod host;
