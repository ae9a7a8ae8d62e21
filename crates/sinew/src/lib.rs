//! Sinew: a rigged character and a pose go in, a deformed surface comes out.
//!
//! ```text
//! Character ──► Pose(t) ──► Stack (skin ─► …) ──► Surface
//! ```
//!
//! ```
//! use sinew::deform::volume::VolumeMethod;
//! use sinew::{Stack, StackOptions, Surface, Time};
//!
//! let character = sinew::demo::character(); // or sinew_io::load(path)?.character
//! let mut options = StackOptions::default();
//! options.volume.method = VolumeMethod::Exact;
//! let mut stack = Stack::new(&character, options)?; // checks and prepares everything
//!
//! let (mut pose, mut surface) = (character.rest_pose(), Surface::default());
//! let clip = character.find_clip("elbow curl").expect("the demo bends its elbows");
//! clip.sample(1.0, &character.base_pose, &mut pose);
//! stack.deform(&pose, Time::alone(1.0), &mut surface); // cannot fail, allocates nothing
//! assert_eq!(surface.positions.len(), character.vertex_count());
//! # Ok::<(), sinew::Error>(())
//! ```
//!
//! | to | see |
//! |---|---|
//! | skin a clip, keep volume, resolve contacts, add muscles | [`Stack`], [`deform`], [`recipe`] |
//! | bind a mesh without painting, fit a skeleton, transfer weights | [`bind`] |
//! | edit, retarget, search and repair motion | [`motion`] |
//! | move a mesh by markers or joints without weights | [`cage`] |
//! | read and write files | the crate `sinew-io` |
//!
//! Data goes one way. A deformer is *built* once for a character, where everything that can be wrong is
//! checked; it is then *run* per frame into the caller's buffers, allocates nothing and cannot fail.
//! The engine has no file formats, no network and no clock, and builds for `wasm32`.
//!
//! Features: `parallel` (on by default) runs on all cores, otherwise everything runs on the calling thread; `serde` makes
//! skeletons, poses and clips serde types.
//!
//! Conventions: right-handed, column vectors, `p' = M p`; positions in f32 as files and GPUs hold
//! them, transforms, sums and volumes in f64.

pub mod recipe;

mod error;

pub use error::{Error, Result};
pub use sinew_bind as bind;
pub use sinew_cage as cage;
pub use sinew_deform as deform;
pub use sinew_deform::{Stack, StackOptions};
pub use sinew_demo as demo;
pub use sinew_field as field;
pub use sinew_flesh as flesh;
pub use sinew_geometry as geometry;
pub use sinew_motion as motion;
pub use sinew_rig as rig;
pub use sinew_rig::{Contacts, Deformer, Frame, Surface, Time};

/// Runs the README's example.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
