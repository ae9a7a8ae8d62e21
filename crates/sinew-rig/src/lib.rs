//! A character and its motion: skeleton, pose, clip, weights.
//!
//! Definition and state are different types: [`Skeleton`] and [`Pose`].

pub mod anatomy;
mod character;
mod clip;
mod error;
mod frame;
pub mod jumps;
mod limits;
mod local_volume;
mod mirror;
mod placed;
mod pose;
mod refine;
pub mod rest_surface;
mod skeleton;
mod transform;
mod weights;
mod world_rotations;

pub use anatomy::Anatomy;
pub use character::{Binding, Character, Part};
pub use clip::{Clip, Interpolate, Interpolation, JointTracks, MorphTrack, Track};
pub use error::{Error, Result};
pub use frame::{Contacts, Deformer, Frame, MuscleFibres, Surface, Time};
pub use limits::{MAX_FRAMES, MAX_REFINED_FACES, MAX_SECONDS};
pub use local_volume::LocalVolume;
pub use mirror::Mirror;
pub use placed::{PlacedJoint, placed};
pub use pose::Pose;
pub use refine::refined;
pub use skeleton::{Bone, Joint, JointKind, Skeleton, is_tip_name};
pub use transform::Transform;
pub use weights::{Influence, Repairs, Weights};
pub use world_rotations::{WorldRotations, conjugate, orthogonal};
