//! The entries of a palette that a vertex refers to: joints, or pairs of joints.

use sinew_rig::Influence;

/// A joint in the company of a vertex's largest influence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Entry {
    pub joint: u32,
    pub largest: u32,
}

/// Which entries a palette has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entries {
    /// One for each joint.
    Joints,
    /// One for each pair of joints that meet.
    Pairs,
}

/// The entries of a vertex with its share of each.
pub(super) fn entries_of(
    row: &[Influence],
    entries: Entries,
    only_largest: bool,
) -> impl Iterator<Item = (Entry, f32)> + '_ {
    let by_weight = |a: &&Influence, b: &&Influence| a.weight.total_cmp(&b.weight).then(b.joint.cmp(&a.joint));
    let largest = row.iter().max_by(by_weight);
    let kept = if only_largest { largest.map_or(&[][..], std::slice::from_ref) } else { row };
    kept.iter().zip(largest.into_iter().cycle()).map(move |(influence, largest)| {
        let seen_from = if entries == Entries::Pairs { largest.joint } else { influence.joint };
        let entry = Entry { joint: influence.joint, largest: seen_from };
        (entry, if only_largest { 1.0 } else { influence.weight })
    })
}
