//! Skin that follows joints: rigid, linear, dual quaternion, optimised centres of rotation, direct delta mush.
//!
//! The cost of a vertex hardly depends on the order of the file: the deformer packs vertices of the same joints together.

#[cfg(target_arch = "x86_64")]
mod avx;
mod centers;
mod deformer;
mod delta_mush;
mod direct_delta_mush;
mod dual_quaternion;
mod entries;
mod influences;
mod kernel;
mod lanes;
mod linear;
mod options;
mod order;
mod palette;
mod point;
mod rest;
mod smoothing;

pub use deformer::SkinDeformer;
pub use options::{SkinMethod, SkinOptions};
pub(crate) use point::{Motions, PointSkin, skin_point};
