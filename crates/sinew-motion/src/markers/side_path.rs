//! The side of a marker relative to the plane of three others, through a whole gap.
//!
//! A marker changes sides only through the plane, where both positions coincide. A single frame cannot decide between
//! sides of similar cost; the whole gap can. The best path through the gap has the least sum of position costs and of
//! second differences of the height over the plane (Viterbi 1967, over pairs of frames): the right path goes straight
//! through the plane, a wrong one bounces off it. A second difference costs `ν ln(1 + z²/ν)`, with z in units of its
//! usual size, so that one large value is possible. The margin of a side in a frame is the extra cost of the best path
//! on the other side.

/// The heights of the two positions of a frame, above and below, and their costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SideCosts {
    pub heights: [f64; 2],
    pub costs: [f64; 2],
}

/// The degrees of freedom of the Student distribution of second differences. Heavy tails allow single large values. Not
/// tuned.
const FREEDOM: f64 = 2.0;

/// Costs of the best paths that end with a pair of sides, the earlier first.
type Pairs = [[f64; 2]; 2];

/// For every frame, the best side and its margin, given the measured heights before and after the gap, in order.
pub(super) fn best_path(sides: &[SideCosts], before: &[f64], after: &[f64], usual: f64) -> Vec<(usize, f64)> {
    let known = |&height: &f64| SideCosts { heights: [height; 2], costs: [0.0; 2] };
    let all: Vec<SideCosts> =
        before.iter().map(known).chain(sides.iter().copied()).chain(after.iter().map(known)).collect();
    let unit = usual.max(f64::MIN_POSITIVE).recip();
    let bend = |k: usize, a: usize, b: usize, c: usize| {
        let [first, second, third] = [(k - 2, a), (k - 1, b), (k, c)].map(|(k, side)| all[k].heights[side]);
        let z = (third - 2.0 * second + first) * unit;
        FREEDOM * (z * z / FREEDOM).ln_1p()
    };
    let pair = |a: usize, b: usize| all[0].costs[a] + all.get(1).map_or(0.0, |s| s.costs[b]);
    let mut forward: Vec<Pairs> = vec![each(pair)];
    for k in 2..all.len() {
        let costs = forward[k - 2];
        let path = |b: usize, c: usize| (costs[0][b] + bend(k, 0, b, c)).min(costs[1][b] + bend(k, 1, b, c));
        forward.push(each(|b, c| path(b, c) + all[k].costs[c]));
    }
    let mut backward: Vec<Pairs> = vec![each(|_, _| 0.0); forward.len()];
    for k in (2..all.len()).rev() {
        let costs = backward[k - 1];
        let path = |a: usize, b: usize, c: usize| costs[b][c] + bend(k, a, b, c) + all[k].costs[c];
        backward[k - 2] = each(|a, b| path(a, b, 0).min(path(a, b, 1)));
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

    /// Heights that cross in the middle; after it, costs favour the path that bounces off.
    fn crossing(favour: f64) -> Vec<SideCosts> {
        let height = |k: i32| 0.1 * (f64::from(k) - 10.5).abs();
        let side =
            |k: i32| SideCosts { heights: [height(k), -height(k)], costs: [0.0, if k > 10 { favour } else { 0.5 }] };
        (0..21).map(side).collect()
    }

    #[test]
    fn a_path_goes_straight_through_the_plane() {
        let before = [1.25, 1.15];
        let path = best_path(&crossing(0.05), &before, &[], 0.01);
        assert!(path[..11].iter().all(|p| p.0 == 0) && path[11..].iter().all(|p| p.0 == 1), "{path:?}");
        let path = best_path(&crossing(5.0), &before, &[], 0.01);
        assert!(path.iter().all(|p| p.0 == 0), "{path:?}");
    }

    #[test]
    fn a_side_is_certain_where_the_places_never_meet() {
        let apart = [SideCosts { heights: [1.0, -1.0], costs: [0.0; 2] }; 9];
        let path = best_path(&apart, &[1.0; 3], &[1.0; 3], 0.01);
        assert!(path.iter().all(|&(side, margin)| side == 0 && margin > 10.0), "{path:?}");
        let open = best_path(&apart, &[], &[], 0.01);
        assert!(open.iter().all(|&(_, margin)| margin == 0.0), "{open:?}");
    }
}
