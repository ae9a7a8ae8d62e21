//! The profile of a muscle, fitted to a drawing: the outline and the profile as polygons.

use glam::DVec2;
use sinew::deform::muscle::profile::Profile;
use sinew::deform::muscle::{Fitted, Sketch};
use sinew_io::Problem;
use std::path::Path;

/// Corners of each side of a profile that is drawn.
const STEPS: usize = 100;

/// A drawing and its fitted profile.
pub struct Drawing {
    /// The corners of the outline, with y downwards.
    pub outline: Vec<DVec2>,
    /// The measurements of the outline.
    pub sketch: Sketch,
    /// The profile.
    pub fitted: Fitted,
}

impl Drawing {
    /// Fits a profile to an outline.
    pub fn new(outline: Vec<DVec2>) -> sinew::Result<Self> {
        let sketch = Sketch::new(&outline)?;
        Ok(Self { outline, fitted: sketch.fitted(), sketch })
    }

    /// Fits a profile to the outline in an SVG or PNG file.
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        Ok(Self::new(sinew_io::sketch::read(bytes)?)?)
    }

    /// The same, from a path.
    pub fn load(path: &Path) -> Result<Self, sinew_io::Error> {
        let read = || Self::read(&std::fs::read(path)?);
        read().map_err(|problem: Problem| problem.at(path))
    }

    /// The outline of the fitted profile around the axis of the drawing.
    pub fn profile(&self) -> Vec<DVec2> {
        let profile = Profile::from(self.fitted.profile.clone());
        let (start, end) = (self.sketch.start(), self.sketch.end());
        let across = (end - start).normalize_or_zero().perp();
        let side = |k: usize, sign: f64| {
            let place = k as f64 / STEPS as f64;
            start.lerp(end, place) + across * (sign * self.fitted.width * profile.at(place).value)
        };
        (0..STEPS).map(|k| side(k, -1.0)).chain((1..=STEPS).rev().map(|k| side(k, 1.0))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_lies_over_the_drawing() {
        let file = "<svg><path transform=\"rotate(20)\" d=\"M0 0Q50 20 100 0Q50 -20 0 0z\"/></svg>";
        let drawing = Drawing::read(file.as_bytes()).unwrap();
        let farthest = |from: &[DVec2], to: &[DVec2]| {
            let nearest = |p: &DVec2| to.iter().map(|q| p.distance(*q)).fold(f64::INFINITY, f64::min);
            from.iter().map(nearest).fold(0.0, f64::max)
        };
        let profile = drawing.profile();
        // Corners of either are three apart at most.
        assert!(farthest(&profile, &drawing.outline) < 2.0 && farthest(&drawing.outline, &profile) < 2.0);
        assert!(Drawing::load(Path::new("no such.svg")).is_err_and(|error| error.to_string().contains("no such.svg")));
    }
}
