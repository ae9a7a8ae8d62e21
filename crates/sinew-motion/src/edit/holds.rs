//! What is held in which frame, and can it be?
//!
//! Three things hold a point in a frame: the ends of the range, where two frames stay as they are so that
//! neither position nor velocity jumps; feet that are planted; and pins. A pin on a planted foot moves
//! the foot for as long as it stands there. Distances are per frame, so whether pins can be reached is a matter of
//! one posture, which distance kinematics decides. A pin that cannot be reached does not hold: it draws, to
//! the nearest place that can be.

use super::body::Body;
use super::contacts::Planted;
use crate::Result;
use crate::distance_geometry::{Constraint, Kinematics};
use glam::DVec3;
use std::collections::BTreeMap;

/// How long before and after a pin a foot is let go that cannot stand elsewhere.
const LET_GO_SECONDS: f64 = 0.3;

/// The farthest that anything of a body can be drawn, in its sizes.
const REACH: f64 = 2.0;

/// Points by frame and number.
pub(super) type Holds = BTreeMap<(usize, usize), DVec3>;

/// A place that a pin asks of a point in a frame of the range.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wish {
    pub frame: usize,
    pub point: usize,
    pub position: DVec3,
}

/// All points in frames of the range that stay as they are.
pub(super) fn ends(frames: &[Vec<DVec3>], start: bool, end: bool) -> Holds {
    let count = frames.len();
    let kept = (0..count).filter(|&k| (start && k < 2) || (end && k + 2 >= count));
    kept.flat_map(|k| frames[k].iter().enumerate().map(move |(point, &p)| ((k, point), p))).collect()
}

/// Where planted points are held: where the source has them, moved with pins on the same foot for as long as
/// it stands. A foot that stands into the ends of the range cannot be moved; it is let go around the pin.
pub(super) fn stands(frames: &[Vec<DVec3>], ends: &Holds, planted: &[Planted], wishes: &[Wish], fps: f64) -> Holds {
    let mut offsets: Vec<Vec<(usize, DVec3)>> = vec![Vec::new(); planted.len()];
    let mut released: Vec<Vec<usize>> = vec![Vec::new(); planted.len()];
    let mut ordered = wishes.to_vec();
    ordered.sort_by_key(|wish| wish.frame);
    for wish in &ordered {
        let stand = one_stand(planted, wish);
        let is_free = |&run: &usize| planted[run].frames.clone().all(|f| !ends.contains_key(&(f, planted[run].point)));
        let can_move = stand.iter().all(is_free);
        for run in stand {
            if can_move {
                offsets[run].push((wish.frame, wish.position - frames[wish.frame][wish.point]));
            } else {
                released[run].push(wish.frame);
            }
        }
    }
    let reach = (LET_GO_SECONDS * fps).ceil() as usize;
    let mut holds = Holds::new();
    for (run, Planted { point, frames: during, place, .. }) in planted.iter().enumerate() {
        for frame in during.clone().filter(|f| released[run].iter().all(|pin| pin.abs_diff(*f) > reach)) {
            let stand = place.unwrap_or(frames[frame][*point]);
            holds.insert((frame, *point), stand + offset_at(&offsets[run], frame));
        }
    }
    holds
}

/// The runs of a pinned foot that belong to one stand: those in the pin's frame, and what overlaps them.
fn one_stand(planted: &[Planted], wish: &Wish) -> Vec<usize> {
    let Some(foot) = planted.iter().find(|p| p.point == wish.point).map(|p| p.foot) else { return Vec::new() };
    let own: Vec<usize> = (0..planted.len()).filter(|&run| planted[run].foot == foot).collect();
    let mut stand: Vec<usize> = own.iter().copied().filter(|&r| planted[r].frames.contains(&wish.frame)).collect();
    loop {
        let first = stand.iter().map(|&r| planted[r].frames.start).min();
        let Some((first, last)) = first.zip(stand.iter().map(|&r| planted[r].frames.end).max()) else { return stand };
        let overlaps = |r: &usize| planted[*r].frames.start < last && planted[*r].frames.end > first;
        let grown: Vec<usize> = own.iter().copied().filter(overlaps).collect();
        if grown.len() == stand.len() {
            return grown;
        }
        stand = grown;
    }
}

fn offset_at(offsets: &[(usize, DVec3)], frame: usize) -> DVec3 {
    let next = offsets.partition_point(|(f, _)| *f <= frame);
    match (next.checked_sub(1).map(|k| offsets[k]), offsets.get(next)) {
        (Some((f, a)), Some(&(g, b))) => a.lerp(b, (frame - f) as f64 / (g - f) as f64),
        (Some((_, offset)), None) | (None, Some(&(_, offset))) => offset,
        (None, None) => DVec3::ZERO,
    }
}

/// Where the wishes of one frame can be met, and whether all of them can: there, or as near as distances and what else
/// is held allow.
pub(super) fn reachable(
    body: &Body,
    source: &[DVec3],
    held: &BTreeMap<usize, DVec3>,
    wishes: &[Wish],
) -> Result<(Vec<DVec3>, bool)> {
    let distance = |&(a, b): &(usize, usize)| {
        let length = source[a].distance(source[b]);
        Constraint::Distance { a: a as u32, b: b as u32, length }
    };
    let distances: Vec<Constraint> = body.pairs.iter().map(distance).collect();
    let goals = wishes.iter().map(|w| Constraint::Target { point: w.point as u32, position: w.position });
    let fixed: Vec<u32> = held.keys().map(|&p| p as u32).collect();
    let start = || {
        let mut positions = source.to_vec();
        held.iter().for_each(|(&point, &position)| positions[point] = position);
        positions
    };
    // Pins that contradict each other are no error of the motion: they come as near as they can together.
    let hard = distances.iter().copied().chain(goals).collect();
    let mut exact = Kinematics::new(body.len(), &fixed, hard, Vec::new()).ok();
    let mut meets = |positions: &mut [DVec3]| exact.as_mut().is_some_and(|exact| exact.solve(positions).is_met);
    let mut positions = start();
    let mut is_met = meets(&mut positions);
    if !is_met {
        positions = start();
        let goal = |w: &Wish| {
            // What is farther away than a body can reach draws in its direction alone.
            let way = (w.position - source[w.point]).clamp_length_max(REACH * body.size);
            (Constraint::Target { point: w.point as u32, position: source[w.point] + way }, 1.0)
        };
        let soft = wishes.iter().map(goal).collect();
        Kinematics::new(body.len(), &fixed, distances, soft)?.solve(&mut positions);
        // From near by, what was too far at first is often met.
        let mut nearer = positions.clone();
        is_met = meets(&mut nearer);
        if is_met {
            positions = nearer;
        }
    }
    Ok((wishes.iter().map(|w| positions[w.point]).collect(), is_met))
}
