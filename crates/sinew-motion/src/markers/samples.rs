//! The frames from which the regression of a marker is trained.
//!
//! They are dense on both sides of the gap and even over the rest of the capture. Some intervals as long as the gap,
//! with the same sampling around them, are held out in turn for cross-validation.

use std::ops::Range;

/// The distances of the samples on each side of a gap from its border, in frames. 2ᵏ − 1: position, velocity and ever
/// slower motion at the border.
const SIDE: [usize; 5] = [0, 1, 3, 7, 15];
/// The number of held-out intervals. Not tuned.
const HELD_OUT: usize = 4;
/// The number of samples in each held-out interval. Not tuned.
const INSIDE: usize = 4;
/// The number of samples in all. The factorisation costs its cube, 5·10⁵ operations. Not tuned.
const MOST: usize = 80;

/// Training frames.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Samples {
    /// The frames, in order.
    pub frames: Vec<usize>,
    /// The parts of `frames` that are held out in turn.
    pub held_out: Vec<Range<usize>>,
}

/// Chooses among usable frames, which are in order and outside the gap.
pub(super) fn choose(usable: &[usize], gap: &Range<usize>) -> Samples {
    let split = usable.partition_point(|&frame| frame < gap.start);
    let mut chosen: Vec<usize> = sides(split, split, usable.len()).collect();
    // Intervals are counted in usable frames, so that other gaps do not interrupt them.
    let length = gap.len().min(usable.len() / 3).max(1);
    let mut places = Vec::new();
    for k in 0..HELD_OUT {
        let room = usable.len().saturating_sub(length);
        let start = room * (2 * k + 1) / (2 * HELD_OUT);
        if usable.len() > length && places.last().is_none_or(|p: &Range<usize>| p.start < start) {
            places.push(start..start + length);
            chosen.extend(sides(start, start + length, usable.len()));
            chosen.extend((0..INSIDE).map(|i| start + (2 * i + 1) * length / (2 * INSIDE)));
        }
    }
    let left = MOST.saturating_sub(chosen.len()).max(1);
    chosen.extend((0..left.min(usable.len())).map(|k| k * usable.len() / left.min(usable.len())));
    chosen.sort_unstable();
    chosen.dedup();
    let part = |place: Range<usize>| {
        let first = chosen.partition_point(|&c| c < place.start);
        first..chosen.partition_point(|&c| c < place.end)
    };
    let held_out = places.into_iter().map(part).filter(|p| !p.is_empty() && p.len() < chosen.len()).collect();
    Samples { frames: chosen.iter().map(|&c| usable[c]).collect(), held_out }
}

/// Samples before `start` and from `end` on.
fn sides(start: usize, end: usize, length: usize) -> impl Iterator<Item = usize> {
    let before = SIDE.into_iter().filter_map(move |k| start.checked_sub(k + 1));
    let after = SIDE.into_iter().map(move |k| end + k).filter(move |&k| k < length);
    before.chain(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_usable_ordered_and_close_to_the_gap() {
        for frames in [2, 5, 40, 5000] {
            let gap = frames / 3..frames / 3 + frames / 10;
            let usable: Vec<usize> = (0..frames).filter(|f| !gap.contains(f)).collect();
            let samples = choose(&usable, &gap);
            assert!(samples.frames.windows(2).all(|w| w[0] < w[1]), "{samples:?}");
            assert!(samples.frames.iter().all(|f| usable.contains(f)), "{samples:?}");
            assert!(gap.start == 0 || samples.frames.contains(&(gap.start - 1)), "{samples:?}");
            assert!(samples.frames.contains(&gap.end), "{samples:?}");
            assert!(samples.held_out.iter().all(|p| !p.is_empty() && p.end <= samples.frames.len()), "{samples:?}");
            assert!(samples.frames.len() <= MOST + 1, "{}", samples.frames.len());
        }
    }
}
