//! The `[skin]` table: how the skin follows the joints.

use super::SkinMethod;
use serde::{Deserialize, Serialize};

/// The `[skin]` table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SkinOptions {
    /// The skinning method.
    pub method: SkinMethod,
}
