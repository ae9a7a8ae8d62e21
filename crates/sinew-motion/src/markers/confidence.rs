//! Confidence in the position of a lost marker.
//!
//! Three points that keep their distances to it and are not on a line leave a point one place on each side of their
//! plane, and continuity tells the sides apart. With fewer its position is not determined, and what is filled is a guess.

use super::{Gap, MarkerGraph, Markers};

/// The largest expected error of a confident position, in metres.
const CONFIDENT_METERS: f64 = 0.01;
/// The same where the unit is unknown: 10 mm of a body of 1.75 m.
const CONFIDENT_OF_BODY: f64 = 1.0 / 175.0;

/// The largest expected error of a confident position, in the capture's unit.
pub(super) fn confidence_limit(markers: &Markers) -> f64 {
    markers.meters_per_unit().map_or_else(|| CONFIDENT_OF_BODY * markers.extent(), |meters| CONFIDENT_METERS / meters)
}

/// How many times as much distances may vary in a gap as where they were seen. It grows with the length of the gap
/// and falls with the number of frames in which the marker was seen.
pub(super) fn gap_variation(gap: &Gap, seen: usize) -> f64 {
    1.0 + 2.0 * gap.frames.len() as f64 / seen.max(1) as f64
}

/// The neighbours that keep their distance to a marker and are known all through its gap.
pub(super) fn rigid_neighbors(
    graph: &MarkerGraph,
    gap: &Gap,
    variation: f64,
    extent: f64,
    through: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let keeps = |&&other: &&usize| graph.is_rigid(gap.marker, other, variation, extent) && through(other);
    graph.neighbors(gap.marker).iter().filter(keeps).copied().collect()
}
