//! In which frame is a marker told by its neighbours?
//!
//! Those that move with it carry a frame in which it hardly moves; that is best as long as some are left. When a whole
//! limb is lost, the rest of the body tells more in a frame that goes with it but does not turn, as principal components
//! do of whole postures. Both are tried on places that were not lost, and those count that fill them well.

use super::Markers;
use super::frame::RigidFrame;
use super::neighborhood::Neighborhood;
use super::regression::{CARRIED, Mixture, Rows, UPRIGHT, View};

/// What the neighbours of a marker tell of it in some frames, and are to tell in others.
pub(super) struct Told<'a> {
    pub known: &'a Markers,
    pub around: &'a Neighborhood,
    pub marker: usize,
    /// Frames in which the marker and all neighbours are known.
    pub samples: &'a [usize],
    /// Frames to guess for.
    pub knots: &'a [usize],
}

impl Told<'_> {
    /// In the frame that those carry which move with the marker.
    pub fn carried(&self, noise: f64) -> View<'static> {
        let [near, far, _] = self.around.counts();
        self.view([near, far], &CARRIED, noise, |at| self.around.frame(self.known, at))
    }

    /// In the frame that all carry without turning.
    pub fn upright(&self, noise: f64) -> View<'static> {
        let [_, _, all] = self.around.counts();
        self.view([0, all], &UPRIGHT, noise, |at| self.around.upright(self.known, at))
    }

    fn view(
        &self,
        counts: [usize; 2],
        mixtures: &'static [Mixture],
        noise: f64,
        frame: impl Fn(usize) -> RigidFrame,
    ) -> View<'static> {
        let row = |rows: &mut Rows, at: usize| {
            let carried = frame(at);
            rows.times.push(at as f64 / self.known.rate());
            self.around.features(self.known, at, counts[1], &carried, &mut rows.features);
            carried
        };
        let (mut rows, mut wanted) = (Rows::default(), Rows::default());
        let place = |&at: &usize| row(&mut rows, at).inward(self.known.get(at, self.marker).unwrap_or_default());
        let places = self.samples.iter().map(place).collect();
        let frames = self.knots.iter().map(|&at| row(&mut wanted, at)).collect();
        View { rows, places, wanted, frames, counts: counts.map(|count| 3 * count), mixtures, noise }
    }
}
