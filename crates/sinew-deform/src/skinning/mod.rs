//! Skin that follows joints: rigid, linear, dual quaternion, optimised centres of rotation.

#[cfg(target_arch = "x86_64")]
mod avx;
mod centers;
mod deformer;
mod dual_quaternion;
mod influences;
mod kernel;
mod lanes;
mod linear;
mod options;
mod palette;
mod point;
mod rest;

pub use deformer::SkinDeformer;
pub use options::{SkinMethod, SkinOptions};
pub(crate) use point::{Motions, PointBlend, PointSkin, skin_point};
