//! Can the place of a lost marker be known?
//!
//! Three points that keep their distances to it and are not on a line leave a point one place on each side of their
//! plane, and continuity tells the sides apart. With fewer it is free to turn, and what is filled is a guess.

use super::{Gap, MarkerGraph, Markers};

/// A place that may be farther off than this, in metres, is doubtful.
const DOUBTFUL_METERS: f64 = 0.01;
/// The same where nobody tells the unit: as a part of the body, about 1.75 m.
const DOUBTFUL_OF_BODY: f64 = 1.0 / 175.0;

/// The error from which on a place is doubtful, in the capture's unit.
pub(super) fn doubtful(markers: &Markers) -> f64 {
    markers.meters_per_unit().map_or_else(|| DOUBTFUL_OF_BODY * markers.extent(), |meters| DOUBTFUL_METERS / meters)
}

/// How much more distances may vary in a gap than where they were seen: the less was seen for its length, the more.
pub(super) fn caution(gap: &Gap, seen: usize) -> f64 {
    1.0 + 2.0 * gap.frames.len() as f64 / seen.max(1) as f64
}

/// The neighbours that keep their distance to a marker and are known all through its gap.
pub(super) fn holding(
    graph: &MarkerGraph,
    gap: &Gap,
    caution: f64,
    extent: f64,
    through: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let keeps = |&&other: &&usize| graph.is_held(gap.marker, other, caution, extent) && through(other);
    graph.neighbors(gap.marker).iter().filter(keeps).copied().collect()
}
