//! Swapped labels.
//!
//! Two labels are exchanged in a frame where both markers jump and each continues the path of the other. After a gap a
//! path cannot be continued. There, near-constant distances decide: two labels are exchanged if the distances fit the
//! pair much better with the labels swapped, and did not before the gap. The markers are swapped between an exchange
//! and the next, or outside of them if that is the shorter part.

use super::{Gap, MarkerGraph, Markers, find_gaps};
use sinew_geometry::parallel::*;
use std::ops::Range;

/// The least size of a jump, as a multiple of the usual prediction error. Not tuned.
const JUMP_FACTOR: f64 = 6.0;
/// The largest cost of swapped labels, as a share of the cost of the given ones. Not tuned.
const MAX_COST_RATIO: f64 = 0.3;
/// The number of frames on each side of a gap in which distances are compared. Not tuned.
const COMPARED_FRAMES: usize = 12;

/// Two markers with swapped labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap {
    /// One marker.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// The frames.
    pub frames: Range<usize>,
}

/// Finds swapped markers.
pub fn find_swaps(markers: &Markers, graph: &MarkerGraph) -> Vec<Swap> {
    let mut exchanges = jumps(markers);
    exchanges.extend(after_gaps(markers, graph));
    exchanges.sort_unstable();
    exchanges.dedup();
    let mut swaps = Vec::new();
    while let Some(&(a, b, _)) = exchanges.first() {
        let frames: Vec<usize> = exchanges.iter().take_while(|e| (e.0, e.1) == (a, b)).map(|e| e.2).collect();
        exchanges.drain(..frames.len());
        swaps.extend(shorter_part(&frames, markers.frames()).map(|frames| Swap { a, b, frames }));
    }
    swaps.sort_by_key(|swap| (swap.frames.start, swap.a, swap.b));
    swaps
}

/// Swaps the labels back.
pub fn undo_swaps(markers: &mut Markers, swaps: &[Swap]) {
    for swap in swaps {
        swap.frames.clone().for_each(|frame| markers.exchange(frame, swap.a, swap.b));
    }
}

/// Every second interval between exchanges: the even or the odd ones, whichever have fewer frames in total.
fn shorter_part(exchanges: &[usize], frames: usize) -> impl Iterator<Item = Range<usize>> {
    let bounds: Vec<usize> = [0].into_iter().chain(exchanges.iter().copied()).chain([frames]).collect();
    let stretch = move |k: usize| bounds[k]..bounds[k + 1];
    let count = exchanges.len() + 1;
    let length = |first: usize| (first..count).step_by(2).map(|k| stretch(k).len()).sum::<usize>();
    let first = usize::from(length(1) <= length(0));
    let stretches: Vec<Range<usize>> = (first..count).step_by(2).map(stretch).collect();
    stretches.into_iter().filter(|stretch| !stretch.is_empty())
}

/// Pairs that jump onto each other's path.
fn jumps(markers: &Markers) -> Vec<(usize, usize, usize)> {
    let usual: Vec<f64> = (0..markers.count()).map(|marker| usual_jump(markers, marker)).collect();
    let mut found = Vec::new();
    let mut jumping = Vec::new();
    for frame in 1..markers.frames() {
        jumping.clear();
        for (marker, usual) in usual.iter().enumerate() {
            let Some((expected, place)) = expected(markers, frame, marker) else { continue };
            if expected.distance(place) > JUMP_FACTOR * usual {
                jumping.push((marker, expected, place));
            }
        }
        for (k, &(a, expected_a, place_a)) in jumping.iter().enumerate() {
            for &(b, expected_b, place_b) in &jumping[k + 1..] {
                let given = expected_a.distance(place_a) + expected_b.distance(place_b);
                let swapped = expected_a.distance(place_b) + expected_b.distance(place_a);
                if swapped < MAX_COST_RATIO * given {
                    found.push((a, b, frame));
                }
            }
        }
    }
    found
}

/// The position of a marker by linear extrapolation, and its measured position.
fn expected(markers: &Markers, frame: usize, marker: usize) -> Option<(glam::DVec3, glam::DVec3)> {
    let (place, last) = (markers.get(frame, marker)?, markers.get(frame.checked_sub(1)?, marker)?);
    let before = frame.checked_sub(2).and_then(|frame| markers.get(frame, marker));
    Some((before.map_or(last, |before| 2.0 * last - before), place))
}

fn usual_jump(markers: &Markers, marker: usize) -> f64 {
    let step = markers.frames().div_ceil(400);
    let jump = |frame: usize| expected(markers, frame, marker).map(|(expected, place)| expected.distance(place));
    let mut jumps: Vec<f64> = (1..markers.frames()).step_by(step).filter_map(jump).collect();
    jumps.sort_by(f64::total_cmp);
    jumps.get(jumps.len() * 9 / 10).copied().unwrap_or(f64::INFINITY)
}

/// Pairs that are exchanged during a gap of either.
fn after_gaps(markers: &Markers, graph: &MarkerGraph) -> Vec<(usize, usize, usize)> {
    let is_inside = |gap: &Gap| gap.frames.start > 0 && gap.frames.end < markers.frames();
    let found = |gap: Gap| -> Vec<(usize, usize, usize)> {
        let (a, frame) = (gap.marker, gap.frames.end);
        let is_exchanged = |&b: &usize| {
            let before = (0..gap.frames.start).rev().filter(|&f| markers.is_seen(f, b)).take(COMPARED_FRAMES);
            let Some(was_swapped) = is_swapped(markers, graph, [a, b], before) else { return false };
            let after = frame..markers.frames().min(frame + COMPARED_FRAMES);
            is_swapped(markers, graph, [a, b], after) == Some(!was_swapped)
        };
        let others = (0..markers.count()).filter(|&b| b != a && markers.is_seen(frame, b));
        others.filter(is_exchanged).map(|b| (a.min(b), a.max(b), frame)).collect()
    };
    find_gaps(markers).into_par_iter().filter(is_inside).flat_map_iter(found).collect()
}

/// Whether distances fit a pair much better with swapped labels; none if neither labelling fits much better.
fn is_swapped(
    markers: &Markers,
    graph: &MarkerGraph,
    [a, b]: [usize; 2],
    frames: impl Iterator<Item = usize>,
) -> Option<bool> {
    let [given, swapped] = fit_costs(markers, graph, a, b, frames)?;
    match (given < MAX_COST_RATIO * swapped, swapped < MAX_COST_RATIO * given) {
        (false, false) => None,
        (_, is_swapped) => Some(is_swapped),
    }
}

/// The sum of the errors of near-constant distances with the given and with swapped labels; none without such
/// distances.
fn fit_costs(
    markers: &Markers,
    graph: &MarkerGraph,
    a: usize,
    b: usize,
    frames: impl Iterator<Item = usize>,
) -> Option<[f64; 2]> {
    let mut costs = [0.0; 2];
    let mut count = 0;
    for frame in frames {
        let (Some(place_a), Some(place_b)) = (markers.get(frame, a), markers.get(frame, b)) else { continue };
        for (marker, own, swapped) in [(a, place_a, place_b), (b, place_b, place_a)] {
            let others = graph.neighbors(marker).iter().filter(|&&other| other != a && other != b);
            for &other in others.filter(|&&other| graph.pair(marker, other).is_near_constant).take(6) {
                let Some(there) = markers.get(frame, other) else { continue };
                let pair = graph.pair(marker, other);
                costs[0] += (own.distance(there) - pair.length).abs();
                costs[1] += (swapped.distance(there) - pair.length).abs();
                count += 1;
            }
        }
    }
    (count > 0).then_some(costs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_part_is_swapped() {
        let part =
            |exchanges: &[usize]| shorter_part(exchanges, 100).map(|part| (part.start, part.end)).collect::<Vec<_>>();
        assert_eq!(part(&[20, 30]), [(20, 30)]);
        assert_eq!(part(&[20]), [(0, 20)]);
        assert_eq!(part(&[10, 90]), [(0, 10), (90, 100)]);
        assert_eq!(part(&[80]), [(80, 100)]);
    }
}
