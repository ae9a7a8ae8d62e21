//! Sinew in the browser.
//!
//! The page owns the *document*: what is open, the pose, the recipe, the view, with undo and redo. The engine is a
//! service that gets everything it needs with every request and caches what it can reuse. So a reload, a second tab
//! and undo are the page's own business, and the same [`Session`] serves a page over a WebSocket (the `server`) and
//! inside the page itself, compiled to wasm (`sinew-browser`).
//!
//! ```text
//! page ──request──► Session ──► OpenedCharacters
//!      ◄─messages──            ├► rig: a character made ready, its topology, its measures
//!                              ├► frame: pose ─► stack ─► surface
//!                              └► jobs: bind, bake, plot, cage
//! ```
//!
//! A new panel is a module in `web/panels` and, where it asks for something new, a variant of [`Request`] and one of
//! [`Answer`] with a module in `session`.

mod error;
mod opened_characters;
pub mod protocol;
#[cfg(feature = "server")]
pub mod server;
mod session;

pub use error::{Error, Result};
pub use opened_characters::OpenedCharacters;
pub use protocol::{Answer, Malformed, Request, split};
pub use session::{Downloads, Host, Session};
