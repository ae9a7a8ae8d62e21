//! Freedom: the share of its displacement that a vertex in contact keeps.

/// Freedom that returns in a second. It returns gradually, so that a contact does not flicker from frame to frame.
const RELEASE_PER_SECOND: f64 = 4.0;

/// Returns freedom to all vertices, some time after the frame before; all of it in a frame without a duration.
pub(super) fn release(freedom: &mut [f64], delta_seconds: f64) {
    let release = if delta_seconds > 0.0 { RELEASE_PER_SECOND * delta_seconds } else { 1.0 };
    freedom.iter_mut().for_each(|freedom| *freedom = (*freedom + release).min(1.0));
}
