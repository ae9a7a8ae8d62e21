//! Fitting the fat of a set to a body.

use super::fit::FILL;
use super::segment::Segments;
use super::{Place, Segment};
use crate::muscle::dynamics::gradient_step;
use crate::muscle::{Attachment, Fat};
use glam::DVec3;
use sinew_field::{DistanceField, Sample};
use sinew_settings::settings;

settings! {
    /// Fat on one segment: an ellipsoid that swings.
    pub struct NamedFat {
        /// Its name.
        name: String = String::new(), required();
        /// Its centre. In the middle of the body there is one, elsewhere one on each side.
        at: Place = (Segment::default(), 0.0, 0.0, 0.0), required();
        /// Half its lengths along the segment, to the front and outwards, in shares of the segment's units.
        radii: [f64; 3] = [0.1; 3], required(), above(0.0, 2.0), noun("a radius");
        /// How tightly it hangs: R18's k.
        stiffness: f64 = 0.1, above(0.0, 1.0);
    }
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
