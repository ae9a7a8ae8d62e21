//! A capture of markers.

use crate::{Error, Result};
use glam::{DVec3, Vec3};

/// Positions of labelled markers over time, some of them missing, in the unit of their file.
#[derive(Debug, Clone, PartialEq)]
pub struct Markers {
    labels: Vec<String>,
    rate: f64,
    meters_per_unit: Option<f64>,
    /// Frame by frame; not finite where a marker is missing.
    positions: Vec<Vec3>,
}

impl Markers {
    /// A capture of `rate` frames a second. Positions are those of all markers in the first frame, then in the next;
    /// one that is not finite is missing. `meters_per_unit` is none if the unit is unknown.
    pub fn new(labels: Vec<String>, rate: f64, meters_per_unit: Option<f64>, mut positions: Vec<Vec3>) -> Result<Self> {
        if labels.is_empty() {
            return Err(Error::NoMarkers { what: "it names no markers" });
        }
        if positions.is_empty() {
            return Err(Error::NoMarkers { what: "it has no frames" });
        }
        if !positions.len().is_multiple_of(labels.len()) {
            let range = "as many for every frame as there are labels";
            return Err(sinew_geometry::Error::OutOfRange {
                what: "the number of markers",
                value: positions.len() as f64,
                range,
            }
            .into());
        }
        if !(rate.is_finite() && rate > 0.0) {
            return Err(sinew_geometry::Error::OutOfRange {
                what: "the rate of a capture",
                value: rate,
                range: "above 0",
            }
            .into());
        }
        if let Some(value) = meters_per_unit.filter(|m| !(m.is_finite() && *m > 0.0)) {
            return Err(sinew_geometry::Error::OutOfRange {
                what: "the unit of a capture in metres",
                value,
                range: "above 0",
            }
            .into());
        }
        for position in positions.iter_mut().filter(|p| !p.is_finite()) {
            *position = Vec3::NAN;
        }
        Ok(Self { labels, rate, meters_per_unit, positions })
    }

    /// Names of the markers.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Number of markers.
    pub fn count(&self) -> usize {
        self.labels.len()
    }

    /// Frames a second.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// The length of the unit of positions, if known.
    pub fn meters_per_unit(&self) -> Option<f64> {
        self.meters_per_unit
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.positions.len() / self.count()
    }

    /// All positions, frame by frame; those of missing markers are not finite.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The position of a marker, if it is visible.
    #[inline]
    pub fn get(&self, frame: usize, marker: usize) -> Option<DVec3> {
        let position = self.positions[frame * self.count() + marker];
        position.is_finite().then(|| position.as_dvec3())
    }

    /// Whether a marker is visible.
    #[inline]
    pub fn is_seen(&self, frame: usize, marker: usize) -> bool {
        !self.positions[frame * self.count() + marker].x.is_nan()
    }

    /// Sets the position of a marker; none makes it missing.
    pub fn set(&mut self, frame: usize, marker: usize, position: Option<DVec3>) {
        let count = self.count();
        let place = position.map(DVec3::as_vec3).filter(|p| p.is_finite());
        self.positions[frame * count + marker] = place.unwrap_or(Vec3::NAN);
    }

    /// Exchanges two markers in one frame.
    pub fn exchange(&mut self, frame: usize, a: usize, b: usize) {
        let start = frame * self.count();
        self.positions.swap(start + a, start + b);
    }

    /// The share of positions that are missing.
    pub fn missing_share(&self) -> f64 {
        self.positions.iter().filter(|p| p.x.is_nan()).count() as f64 / self.positions.len() as f64
    }

    /// The size of the body: the median over frames of the diagonal of the visible markers.
    pub fn extent(&self) -> f64 {
        let step = self.frames().div_ceil(200);
        let diagonal = |frame: usize| {
            let seen = || (0..self.count()).filter_map(move |marker| self.get(frame, marker));
            let (low, high) = (seen().reduce(DVec3::min)?, seen().reduce(DVec3::max)?);
            Some(low.distance(high))
        };
        let mut diagonals: Vec<f64> = (0..self.frames()).step_by(step).filter_map(diagonal).collect();
        diagonals.sort_by(f64::total_cmp);
        diagonals.get(diagonals.len() / 2).copied().unwrap_or(0.0)
    }
}
