//! The gaps of a capture: frames in which a marker is lost.

use super::Markers;
use std::ops::Range;

/// Consecutive frames in which a marker is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The marker.
    pub marker: usize,
    /// The frames.
    pub frames: Range<usize>,
}

/// All gaps, marker by marker.
pub fn find_gaps(markers: &Markers) -> Vec<Gap> {
    let frames = markers.frames();
    let mut gaps = Vec::new();
    for marker in 0..markers.count() {
        let mut start = None;
        for frame in 0..=frames {
            let seen = frame == frames || markers.is_seen(frame, marker);
            match (seen, start) {
                (false, None) => start = Some(frame),
                (true, Some(first)) => {
                    gaps.push(Gap { marker, frames: first..frame });
                    start = None;
                }
                _ => {}
            }
        }
    }
    gaps
}
