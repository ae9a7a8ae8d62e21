//! What a person can set of a binding, on the command line and on the page.

use crate::{BindMethod, BindOptions};
use sinew_settings::{choices, settings};

/// The most joints that may move a vertex. Four sets of four in a glTF file; the largest number in the test rigs is 11.
pub const MAX_INFLUENCES: usize = 16;

choices! {
    /// How weights are found.
    pub enum BindMethodKind = Geodesic {
        /// By distances through the inside of the body, then heat diffusion over its surface: fingers and legs stay
        /// apart.
        Geodesic = "geodesic",
        /// By 1/d^A of the straight distance to each bone, whatever lies between: fast, for simple shapes.
        Distance = "distance",
    }
}

settings! {
    /// The settings of a binding.
    pub struct BindSettings {
        /// How weights are found.
        method: BindMethodKind = BindMethodKind::default();
        /// The most joints that move a vertex.
        influences: usize = 4, within(1.0, MAX_INFLUENCES as f64);
        /// How local the weights of "distance" are: the exponent A.
        alpha: f64 = 2.0, above(0.0, 100.0);
    }
}

impl From<&BindSettings> for BindOptions {
    fn from(settings: &BindSettings) -> Self {
        let method = match settings.method {
            BindMethodKind::Geodesic => BindMethod::Geodesic,
            BindMethodKind::Distance => BindMethod::Distance { alpha: settings.alpha },
        };
        Self { method, influences: settings.influences }
    }
}
