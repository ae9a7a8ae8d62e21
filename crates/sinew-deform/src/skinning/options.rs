//! The `[skin]` table: how the skin follows the joints.

use sinew_settings::{choices, settings};

choices! {
    /// How the transforms of several joints become one for a vertex. The centres are those of Le and Hodgins 2016.
    pub enum SkinMethod = DualQuaternion {
        /// The joint of largest weight alone.
        Rigid = "rigid",
        /// The weighted mean of the matrices.
        Linear = "linear",
        /// The weighted mean of unit dual quaternions, scale apart.
        DualQuaternion = "dual-quaternion",
        /// The mean rotation about optimised centres of rotation, found from the weights.
        Centers = "centers",
        /// The motion of a smoothed skin, with each vertex where it is beside it at rest (Le and Lewis 2019).
        DirectDeltaMush = "direct-delta-mush",
    }
}

settings! {
    /// The `[skin]` table.
    pub struct SkinOptions {
        /// How the skin follows the joints.
        method: SkinMethod = SkinMethod::default();
    }
}
