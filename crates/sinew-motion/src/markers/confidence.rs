//! Confidence in the position of a lost marker.
//!
//! Three points at constant distance that are not collinear leave a point one position on each side of their plane, and
//! continuity selects the side. Fewer points do not determine the position, and the filled one is a guess.

use super::{Gap, MarkerGraph, Markers};

/// The largest expected error of a confident position, in metres. It defines what the report calls confident.
const CONFIDENT_METERS: f64 = 0.01;
/// The same where the unit is unknown: 10 mm of a body of 1.75 m.
const CONFIDENT_OF_BODY: f64 = 1.0 / 175.0;

/// The largest expected error of a confident position, in the capture's unit.
pub(super) fn confidence_limit(markers: &Markers) -> f64 {
    markers.meters_per_unit().map_or_else(|| CONFIDENT_OF_BODY * markers.extent(), |meters| CONFIDENT_METERS / meters)
}

/// The variation of distances in a gap, as a multiple of the measured variation. It grows with the length of the gap
/// and falls with the number of frames in which the marker is visible.
pub(super) fn gap_variation(gap: &Gap, seen: usize) -> f64 {
    1.0 + 2.0 * gap.frames.len() as f64 / seen.max(1) as f64
}

/// The neighbours at near-constant distance from a marker that are known throughout its gap.
pub(super) fn rigid_neighbors(
    graph: &MarkerGraph,
    gap: &Gap,
    variation: f64,
    extent: f64,
    through: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let is_rigid = |&&other: &&usize| graph.is_rigid(gap.marker, other, variation, extent) && through(other);
    graph.neighbors(gap.marker).iter().filter(is_rigid).copied().collect()
}
