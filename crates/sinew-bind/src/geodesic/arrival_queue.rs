//! A monotone priority queue of wave arrivals.
//!
//! Arrivals are removed in order of time, and none is added that is earlier than the last removed. So they are sorted into
//! buckets, as in R. Dial's shortest paths (*Algorithm 360: shortest-path forest with topological ordering*, 1969); only the
//! current bucket is ordered, by a small heap. Ties are broken by the lower point, then by the lower bone, so the order is
//! that of a single heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The index of the last bucket, which holds all later arrivals. At 16 buckets per grid spacing it is 2048 spacings,
/// five times the diagonal of the finest grid; arrivals after it only take longer.
const LAST_BUCKET: usize = 1 << 15;

/// The arrival of a wave, ordered by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arrival {
    /// The bits of the time, which have its order because it is not negative.
    time: u32,
    pub node: u32,
    pub bone: u32,
}

impl Arrival {
    /// The wave of a bone at a point, at a non-negative time.
    pub fn new(time: f32, node: usize, bone: u32) -> Self {
        Self { time: time.to_bits(), node: node as u32, bone }
    }

    pub fn time(self) -> f32 {
        f32::from_bits(self.time)
    }
}

/// Pending arrivals.
pub(super) struct ArrivalQueue {
    /// The time span of a bucket.
    width: f32,
    /// The arrivals of the current bucket and before.
    current: BinaryHeap<Reverse<Arrival>>,
    current_bucket: usize,
    later: Vec<Vec<Arrival>>,
}

impl ArrivalQueue {
    /// An empty queue with buckets of this width.
    pub fn new(width: f32) -> Self {
        Self { width, current: BinaryHeap::new(), current_bucket: 0, later: Vec::new() }
    }

    /// Adds an arrival.
    pub fn push(&mut self, arrival: Arrival) {
        let bucket = ((arrival.time() / self.width) as usize).min(LAST_BUCKET);
        if bucket <= self.current_bucket {
            self.current.push(Reverse(arrival));
            return;
        }
        if bucket >= self.later.len() {
            self.later.resize_with(bucket + 1, Vec::new);
        }
        self.later[bucket].push(arrival);
    }

    /// Removes the next arrival.
    pub fn pop(&mut self) -> Option<Arrival> {
        while self.current.is_empty() && self.current_bucket + 1 < self.later.len() {
            self.current_bucket += 1;
            self.current.extend(std::mem::take(&mut self.later[self.current_bucket]).into_iter().map(Reverse));
        }
        self.current.pop().map(|Reverse(arrival)| arrival)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Each arrival removed adds some more.
        #[test]
        fn arrivals_come_in_the_order_of_one_heap(
            steps in prop::collection::vec((0.0f32..3.0, 0..5usize, 0..3u32), 1..200), width in 0.05f32..4.0,
        ) {
            let mut queue = ArrivalQueue::new(width);
            let mut heap = BinaryHeap::new();
            let mut now = 0.0;
            for steps in steps.chunks(3) {
                for &(step, node, bone) in steps {
                    queue.push(Arrival::new(now + step, node, bone));
                    heap.push(Reverse(Arrival::new(now + step, node, bone)));
                }
                let next = queue.pop();
                prop_assert_eq!(next, heap.pop().map(|Reverse(arrival)| arrival));
                now = next.map_or(now, Arrival::time);
            }
            while let Some(Reverse(arrival)) = heap.pop() {
                prop_assert_eq!(queue.pop(), Some(arrival));
            }
            prop_assert_eq!(queue.pop(), None);
        }
    }
}
