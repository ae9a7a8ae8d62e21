//! The messages between page and engine, typed both ways.
//!
//! The page sends a [`Request`] with an `id`; the engine sends [`Answer`]s, and those to a request carry its `id`. A
//! message is a JSON header and a payload of plain arrays (`message`). `web/types/protocol.d.ts` is generated from the
//! types of this module, and a test fails when it is not up to date (`typescript`).

mod answer;
mod message;
mod request;
#[cfg(test)]
mod typescript;

pub use answer::*;
pub use message::{ArrayRange, Envelope, Malformed, Payload, Reply, split};
pub use request::*;
