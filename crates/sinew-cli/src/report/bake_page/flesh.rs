//! The flesh in the report of a bake.

use super::Page;
use crate::report::html::escape;
use sinew_tasks::bake::{FleshFrame, FleshRegion};

impl Page<'_> {
    /// The volume of the flesh where it is farthest from that at rest: of all of it, and of one joint's.
    pub(super) fn flesh_rows(&self) -> Vec<(&'static str, String)> {
        let frames: Vec<(f64, &FleshFrame)> =
            self.0.frames.iter().filter_map(|frame| Some((frame.time, frame.flesh.as_ref()?))).collect();
        let whole = farthest(frames.iter().map(|&(time, flesh)| (flesh.volume, time, None)));
        let regions = frames.iter().filter_map(|&(time, flesh)| {
            let FleshRegion { joint, volume } = flesh.worst_region.as_ref()?;
            Some((*volume, time, Some(joint)))
        });
        let worst = farthest(regions);
        let row = |what, farthest: Option<(f64, f64, Option<&String>)>| {
            let (volume, time, joint) = farthest?;
            let of = joint.map_or(String::new(), |joint| format!("{}, ", escape(joint)));
            Some((what, format!("{:+.2} % ({of}at {time:.3} s)", 100.0 * (volume - 1.0))))
        };
        [row("largest change of the flesh's volume", whole), row("largest change of a joint's flesh", worst)]
            .into_iter()
            .flatten()
            .collect()
    }
}

/// The volume farthest from one, with its time and its joint.
fn farthest<J>(volumes: impl Iterator<Item = (f64, f64, J)>) -> Option<(f64, f64, J)> {
    volumes.max_by(|a, b| (a.0 - 1.0).abs().total_cmp(&(b.0 - 1.0).abs()))
}
