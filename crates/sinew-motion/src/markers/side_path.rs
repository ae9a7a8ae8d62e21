//! The side of a marker relative to the plane of three others, through a whole gap.
//!
//! It may pass from one side to the other only through their plane, where both places are the same. A single frame
//! cannot tell the sides apart when what it looks like is between them; the whole gap can. Of all paths through the gap,
//! the one is taken whose places cost least and whose height over the plane turns least (Viterbi 1967, over pairs of
//! frames): the right path goes straight through the plane, a wrong one bounces off it. A turn costs
//! `ν ln(1 + z²/ν)`, z being the second difference in units of what is usual, so that one hard turn is possible. The
//! extra cost of the best path on the other side in a frame is the margin of the side there.

/// Heights of the two places of a frame, above and below, and what each costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SideCosts {
    pub heights: [f64; 2],
    pub costs: [f64; 2],
}

/// Turns follow a distribution of Student with so many degrees of freedom.
const FREEDOM: f64 = 2.0;

/// Costs of the best paths that end with a pair of sides, the earlier first.
type Pairs = [[f64; 2]; 2];

/// For every frame, the best side and its margin over the other one, given the heights that were seen
/// right before and after, in order.
pub(super) fn best_path(sides: &[SideCosts], before: &[f64], after: &[f64], usual: f64) -> Vec<(usize, f64)> {
    let known = |&height: &f64| SideCosts { heights: [height; 2], costs: [0.0; 2] };
    let all: Vec<SideCosts> =
        before.iter().map(known).chain(sides.iter().copied()).chain(after.iter().map(known)).collect();
    let unit = usual.max(f64::MIN_POSITIVE).recip();
    let turn = |k: usize, a: usize, b: usize, c: usize| {
        let [first, second, third] = [(k - 2, a), (k - 1, b), (k, c)].map(|(k, side)| all[k].heights[side]);
        let z = (third - 2.0 * second + first) * unit;
        FREEDOM * (z * z / FREEDOM).ln_1p()
    };
    let pair = |a: usize, b: usize| all[0].costs[a] + all.get(1).map_or(0.0, |s| s.costs[b]);
    let mut forward: Vec<Pairs> = vec![each(pair)];
    for k in 2..all.len() {
        let costs = forward[k - 2];
        let way = |b: usize, c: usize| (costs[0][b] + turn(k, 0, b, c)).min(costs[1][b] + turn(k, 1, b, c));
        forward.push(each(|b, c| way(b, c) + all[k].costs[c]));
    }
    let mut backward: Vec<Pairs> = vec![each(|_, _| 0.0); forward.len()];
    for k in (2..all.len()).rev() {
        let costs = backward[k - 1];
        let way = |a: usize, b: usize, c: usize| costs[b][c] + turn(k, a, b, c) + all[k].costs[c];
        backward[k - 2] = each(|a, b| way(a, b, 0).min(way(a, b, 1)));
    }
    let least = |frame: usize| -> [f64; 2] {
        let pairs = forward[frame.saturating_sub(1)];
        let rest = backward[frame.saturating_sub(1)];
        let whole = each(|a, b| pairs[a][b] + rest[a][b]);
        match frame {
            0 => [0, 1].map(|side: usize| whole[side][0].min(whole[side][1])),
            _ => [0, 1].map(|side: usize| whole[0][side].min(whole[1][side])),
        }
    };
    let choose = |frame: usize| {
        let [above, below] = least(frame);
        (usize::from(below < above), (above - below).abs())
    };
    (before.len()..before.len() + sides.len()).map(choose).collect()
}

fn each(entry: impl Fn(usize, usize) -> f64) -> Pairs {
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heights that cross in the middle; after it, costs favour the way that bounces off.
    fn crossing(favour: f64) -> Vec<SideCosts> {
        let height = |k: i32| 0.1 * (f64::from(k) - 10.5).abs();
        let side =
            |k: i32| SideCosts { heights: [height(k), -height(k)], costs: [0.0, if k > 10 { favour } else { 0.5 }] };
        (0..21).map(side).collect()
    }

    #[test]
    fn a_way_goes_straight_through_the_plane() {
        let before = [1.25, 1.15];
        let way = best_path(&crossing(0.05), &before, &[], 0.01);
        assert!(way[..11].iter().all(|w| w.0 == 0) && way[11..].iter().all(|w| w.0 == 1), "{way:?}");
        let way = best_path(&crossing(5.0), &before, &[], 0.01);
        assert!(way.iter().all(|w| w.0 == 0), "{way:?}");
    }

    #[test]
    fn a_side_is_certain_where_the_places_never_meet() {
        let apart = [SideCosts { heights: [1.0, -1.0], costs: [0.0; 2] }; 9];
        let way = best_path(&apart, &[1.0; 3], &[1.0; 3], 0.01);
        assert!(way.iter().all(|&(side, margin)| side == 0 && margin > 10.0), "{way:?}");
        let open = best_path(&apart, &[], &[], 0.01);
        assert!(open.iter().all(|&(_, margin)| margin == 0.0), "{open:?}");
    }
}
