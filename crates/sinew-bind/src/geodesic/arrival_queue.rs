//! Which wave arrives next, and where?
//!
//! Arrivals are taken out in order of time, and none is put in that is earlier than the last that was taken. So they are
//! kept in buckets of a few at a time, as R. Dial's shortest paths are (*Algorithm 360: shortest-path forest with
//! topological ordering*, 1969); only the bucket at hand is kept in order, in a heap that is small. Of two arrivals at
//! the same time that at the lower point is the first, then that of the lower bone: the order is that of one heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Buckets up to the last, which holds all that comes later.
const MOST: usize = 1 << 15;

/// The arrival of a wave, in the order of waves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arrival {
    /// The time's bits, which are in its order as it is not negative.
    time: u32,
    pub node: u32,
    pub bone: u32,
}

impl Arrival {
    /// The wave of a bone at a point, at a time that is not negative.
    pub fn new(time: f32, node: usize, bone: u32) -> Self {
        Self { time: time.to_bits(), node: node as u32, bone }
    }

    pub fn time(self) -> f32 {
        f32::from_bits(self.time)
    }
}

/// Arrivals to come.
pub(super) struct Front {
    /// The time that one bucket holds.
    width: f32,
    /// The bucket at hand: arrivals up to its end.
    current: BinaryHeap<Reverse<Arrival>>,
    at: usize,
    later: Vec<Vec<Arrival>>,
}

impl Front {
    /// Nothing to come, in buckets of this width.
    pub fn new(width: f32) -> Self {
        Self { width, current: BinaryHeap::new(), at: 0, later: Vec::new() }
    }

    /// Puts an arrival in.
    pub fn push(&mut self, arrival: Arrival) {
        let bucket = ((arrival.time() / self.width) as usize).min(MOST);
        if bucket <= self.at {
            self.current.push(Reverse(arrival));
            return;
        }
        if bucket >= self.later.len() {
            self.later.resize_with(bucket + 1, Vec::new);
        }
        self.later[bucket].push(arrival);
    }

    /// Takes the next arrival out.
    pub fn pop(&mut self) -> Option<Arrival> {
        while self.current.is_empty() && self.at + 1 < self.later.len() {
            self.at += 1;
            self.current.extend(std::mem::take(&mut self.later[self.at]).into_iter().map(Reverse));
        }
        self.current.pop().map(|Reverse(arrival)| arrival)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Each arrival that is taken out brings some more.
        #[test]
        fn arrivals_come_in_the_order_of_one_heap(
            steps in prop::collection::vec((0.0f32..3.0, 0..5usize, 0..3u32), 1..200), width in 0.05f32..4.0,
        ) {
            let mut front = Front::new(width);
            let mut heap = BinaryHeap::new();
            let mut now = 0.0;
            for steps in steps.chunks(3) {
                for &(step, node, bone) in steps {
                    front.push(Arrival::new(now + step, node, bone));
                    heap.push(Reverse(Arrival::new(now + step, node, bone)));
                }
                let next = front.pop();
                prop_assert_eq!(next, heap.pop().map(|Reverse(arrival)| arrival));
                now = next.map_or(now, Arrival::time);
            }
            while let Some(Reverse(arrival)) = heap.pop() {
                prop_assert_eq!(front.pop(), Some(arrival));
            }
            prop_assert_eq!(front.pop(), None);
        }
    }
}
