//! The data of a marker's regression in two frames of reference.
//!
//! In the rigid frame of its nearest neighbours a marker hardly moves; this frame is best while some of them are
//! visible. When a whole limb is lost, the rest of the body predicts better in a frame that translates with it and does
//! not rotate, as principal components of whole postures do. Cross-validation on known positions weights both.

use super::Markers;
use super::frame::RigidFrame;
use super::neighborhood::Neighborhood;
use super::regression::{FeatureRows, Mixture, RIGID_FRAME_MIXTURES, RegressionData, TRANSLATING_FRAME_MIXTURES};

/// The neighbours of a marker in the frames to learn from and in those to predict.
pub(super) struct NeighborData<'a> {
    pub known: &'a Markers,
    pub around: &'a Neighborhood,
    pub marker: usize,
    /// Frames in which the marker and all neighbours are known.
    pub samples: &'a [usize],
    /// Frames to predict.
    pub knots: &'a [usize],
}

impl NeighborData<'_> {
    /// In the rigid frame of the nearest neighbours.
    pub fn in_rigid_frame(&self, noise: f64) -> RegressionData<'static> {
        let [near, far, _] = self.around.counts();
        self.data([near, far], &RIGID_FRAME_MIXTURES, noise, |at| self.around.rigid_frame(self.known, at))
    }

    /// In the frame that translates with all neighbours.
    pub fn in_translating_frame(&self, noise: f64) -> RegressionData<'static> {
        let [_, _, all] = self.around.counts();
        self.data([0, all], &TRANSLATING_FRAME_MIXTURES, noise, |at| self.around.translating_frame(self.known, at))
    }

    fn data(
        &self,
        counts: [usize; 2],
        mixtures: &'static [Mixture],
        noise: f64,
        frame: impl Fn(usize) -> RigidFrame,
    ) -> RegressionData<'static> {
        let row = |rows: &mut FeatureRows, at: usize| {
            let carried = frame(at);
            rows.times.push(at as f64 / self.known.rate());
            self.around.features(self.known, at, counts[1], &carried, &mut rows.features);
            carried
        };
        let (mut rows, mut wanted) = (FeatureRows::default(), FeatureRows::default());
        let place = |&at: &usize| row(&mut rows, at).inward(self.known.get(at, self.marker).unwrap_or_default());
        let places = self.samples.iter().map(place).collect();
        let frames = self.knots.iter().map(|&at| row(&mut wanted, at)).collect();
        RegressionData { rows, places, wanted, frames, counts: counts.map(|count| 3 * count), mixtures, noise }
    }
}
