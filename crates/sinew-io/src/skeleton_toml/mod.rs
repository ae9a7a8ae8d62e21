//! A skeleton as a text that people write: where each bone begins and ends, in the units and axes of the mesh
//! that it is for.
//!
//! ```toml
//! [[joint]]
//! name = "upper arm"
//! head = [0.18, 1.40, -0.03]
//! tail = [0.38, 1.20, -0.04]
//!
//! [[joint]]
//! name = "forearm"
//! parent = "upper arm"
//! head = [0.38, 1.20, -0.04]
//! tail = [0.56, 1.03, 0.01]
//! ```
//!
//! Parents may come after their children. What axes the joints get is up to [`sinew::rig::placed`].

mod read;
mod write;

pub use read::read;
pub use write::write;
