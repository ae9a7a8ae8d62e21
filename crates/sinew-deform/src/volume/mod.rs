//! Skin that keeps its volume, exactly, with the shape an artist wants [R07, R09].
//!
//! ```text
//! pose ─► change: ΔV of every joint ─► region: frame, γ, correction ─► shell: total, oscillation
//! ```
//!
//! - The volume that a joint's motion changes: `change`, over the faces it bends alone.
//! - Where it is corrected: `frame` and `profile` define γ in the joint's frame, `region` has the vertices that may
//!   move.
//! - How: `correction` on a `patch` of the surface, exactly; `laplacian` and `smooth` for the smooth direction.
//! - Contacts: those that the stage before resolved, [`crate::implicit`] where the options ask for contacts; a vertex
//!   in contact does not move (γ = 0).
//! - The whole: `shell` keeps each connected piece exact, with `whole`, `oscillation` and `output`; `deformer` runs it
//!   all; `refine` makes the mesh finer where folds need it.
//!
//! ```
//! use sinew_deform::volume::{VolumeMethod, VolumeDeformer};
//! use sinew_deform::{Stack, StackOptions};
//! use sinew_rig::{Surface, Time};
//!
//! let figure = sinew_demo::character();
//! let mut options = StackOptions::default();
//! options.volume.method = VolumeMethod::Exact;
//! let mut stack = Stack::new(&figure, options)?;
//! let (mut pose, mut surface) = (figure.rest_pose(), Surface::default());
//! figure.find_clip("elbow curl").unwrap().sample(1.0, &figure.base_pose, &mut pose);
//! stack.deform(&pose, Time::alone(1.0), &mut surface);
//! let given_back: f64 = stack.get::<VolumeDeformer>().unwrap().joint_changes().map(|(_, change)| -change).sum();
//! assert!(given_back != 0.0);
//! # Ok::<(), sinew_deform::Error>(())
//! ```

mod ancestry;
mod change;
pub mod correction;
mod deformer;
mod frame;
mod gaps;
mod gradient;
pub mod laplacian;
mod options;
mod oscillation;
mod output;
pub mod patch;
mod profile;
mod reach;
mod refine;
mod region;
mod rest;
mod settings;
mod shell;
mod smooth;
mod surface;
mod whole;

pub use deformer::VolumeDeformer;
pub use options::{
    DEFAULT_SIZE, GammaSource, Profile, ProfileKind, ProfileOptions, RefineOptions, ShakeOptions, Target, VolumeMethod,
    VolumeOptions,
};
pub use profile::profile_samples;
pub use refine::refine;
