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
pub use options::SkinOptions;
pub(crate) use point::{Motions, PointBlend, PointSkin, skin_point};
use serde::{Deserialize, Serialize};

/// How the transforms of several joints become one for a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkinMethod {
    /// The joint of largest weight alone.
    Rigid,
    /// The weighted mean of the matrices.
    Linear,
    /// The weighted mean of unit dual quaternions, scale apart.
    #[default]
    DualQuaternion,
    /// The mean rotation about a centre found from the weights [Le and Hodgins 2016].
    Centers,
}

impl SkinMethod {
    /// Every method, simplest first.
    pub const ALL: [Self; 4] = [Self::Rigid, Self::Linear, Self::DualQuaternion, Self::Centers];

    /// The name in recipes and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rigid => "rigid",
            Self::Linear => "linear",
            Self::DualQuaternion => "dual-quaternion",
            Self::Centers => "centers",
        }
    }
}

impl std::fmt::Display for SkinMethod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
