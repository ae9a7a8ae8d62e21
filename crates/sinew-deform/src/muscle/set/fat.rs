//! Fitting the fat of a set to a body.

use super::fit::FILL;
use super::segment::Segments;
use super::{Place, limits};
use crate::muscle::dynamics::gradient_step;
use crate::muscle::{Attachment, Fat};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use sinew_field::{DistanceField, Sample};

/// Fat on one segment: an ellipsoid that swings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedFat {
    /// Its name.
    pub name: String,
    /// Its centre. In the middle of the body there is one, elsewhere one on each side.
    pub at: Place,
    /// Half its lengths along the segment, to the front and outwards, in shares of the segment's units.
    #[serde(deserialize_with = "limits::radii")]
    pub radii: [f64; 3],
    /// How tightly it hangs, above 0 and up to 1: R18's k.
    #[serde(default = "usual_stiffness", deserialize_with = "limits::share")]
    pub stiffness: f64,
}

fn usual_stiffness() -> f64 {
    0.1
}

impl NamedFat {
    /// The fat on one side of a body, drawn in so that the skin covers it; none if the segment is missing, or if
    /// it is in the middle and this is the right side.
    pub(super) fn fitted(
        &self,
        segments: &Segments,
        side: &str,
        skin: Option<&(dyn DistanceField + Send + Sync)>,
    ) -> Option<Fat> {
        let (segment, along, front, out) = self.at;
        let is_middle = out == 0.0;
        if is_middle && side == "right" {
            return None;
        }
        let placed = segments.get(&segment)?;
        let mut position = placed.point([along, front, out]);
        let (rotation, units) = placed.frame();
        let radii = units * DVec3::from(self.radii);
        if let Some(skin) = skin {
            let Sample { value, gradient } = skin.distance(position);
            let outwards = rotation.inverse() * gradient.normalize_or_zero();
            let reach = FILL * (outwards * radii).length();
            if value > -reach {
                position -= gradient_step(gradient, value + reach);
            }
        }
        let name = if is_middle { self.name.clone() } else { format!("{side} {}", self.name) };
        let center = Attachment { joint: placed.joint, position };
        Some(Fat { name, center, radii, rotation, stiffness: self.stiffness })
    }
}
