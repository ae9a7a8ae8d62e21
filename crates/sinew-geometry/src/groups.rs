//! What belongs to the same vertex?
//!
//! Things are put in order of their vertex by counting, which is linear, and then sorted around each vertex, where there
//! are few.

/// Groups that one thread sorts at a time.
const PIECE: usize = 4096;

/// Numbers from 0 by the group of each, in a stable order, and where each group starts.
pub fn grouped(groups: usize, group_of: impl Iterator<Item = u32> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; groups + 1];
    group_of.clone().for_each(|group| starts[group as usize + 1] += 1);
    (0..groups).for_each(|group| starts[group + 1] += starts[group]);
    let mut order = vec![0; starts[groups] as usize];
    let mut next = starts.clone();
    for (number, group) in group_of.enumerate() {
        let place = &mut next[group as usize];
        order[*place as usize] = number as u32;
        *place += 1;
    }
    (starts, order)
}

/// Sorts each group on its own.
pub(super) fn sort_groups<K: Ord>(starts: &[u32], order: &mut [u32], key: &(impl Fn(u32) -> K + Sync)) {
    let groups = starts.len() - 1;
    if groups > PIECE {
        let middle = groups / 2;
        let (low, high) = order.split_at_mut((starts[middle] - starts[0]) as usize);
        rayon::join(|| sort_groups(&starts[..=middle], low, key), || sort_groups(&starts[middle..], high, key));
        return;
    }
    for group in starts.windows(2) {
        order[(group[0] - starts[0]) as usize..(group[1] - starts[0]) as usize].sort_unstable_by_key(|&i| key(i));
    }
}
