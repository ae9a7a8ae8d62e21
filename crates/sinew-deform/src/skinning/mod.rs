//! Skin that follows joints: rigid, linear, dual quaternion, optimised centres of rotation.
//!
//! The cost of a vertex hardly depends on the order of the file: the deformer packs vertices of the same joints together.

#[cfg(target_arch = "x86_64")]
mod avx;
mod centers;
mod deformer;
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

pub use deformer::SkinDeformer;
pub use options::{SkinMethod, SkinOptions};
pub(crate) use point::{Motions, PointBlend, PointSkin, skin_point};
