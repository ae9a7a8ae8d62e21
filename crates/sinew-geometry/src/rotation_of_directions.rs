//! The rotation that takes the directions from a joint to the ends of its bones from one place to another.

use glam::{DMat3, DQuat, DVec3};

/// Of the square of the size: directions that span less are one direction. A length of 1e-5 of the size: positions
/// rounded to f32 are wrong by 1e-7, which turns such a direction by 0.01 rad.
const FLAT: f64 = 1e-10;

/// The rotation of a joint whose ends moved from `before` to `after`, nearest to its `parent`'s rotation; directions
/// shorter than 1e-5 of `size` do not count.
pub fn rotation_of_directions(
    ends: &[usize],
    own: usize,
    before: &[DVec3],
    after: &[DVec3],
    parent: DQuat,
    size: f64,
) -> DQuat {
    let directions = || {
        let pairs = ends.iter().map(|&end| (before[end] - before[own], after[end] - after[own]));
        pairs.filter(|(from, to)| from.length_squared().min(to.length_squared()) > FLAT * size * size)
    };
    // The parent's turn first, so that what is left is small and unmoved joints stay as they are.
    let longest = directions().max_by(|a, b| a.0.length_squared().total_cmp(&b.0.length_squared()));
    let Some((from, to)) = longest else { return parent };
    let swing = |turn: DQuat, from: DVec3, to: DVec3| {
        let (from, to) = ((turn * from).normalize(), to.normalize());
        if from == to { turn } else { (DQuat::from_rotation_arc(from, to) * turn).normalize() }
    };
    let mut turn = swing(parent, from, to);
    // Several directions: turns about the longest that bring the others over, then the best for all.
    let axis = to.normalize();
    let (mut sine, mut cosine) = (0.0, 0.0);
    for (from, to) in directions() {
        let (from, to) = ((turn * from).reject_from_normalized(axis), to.reject_from_normalized(axis));
        sine += from.cross(to).dot(axis);
        cosine += from.dot(to);
    }
    if sine.hypot(cosine) > FLAT * size * size && sine != 0.0 {
        turn = (DQuat::from_axis_angle(axis, sine.atan2(cosine)) * turn).normalize();
    }
    if ends.len() > 1 { polished(turn, directions()) } else { turn }
}

/// The rotation nearest to taking each direction to its partner, by small turns `ω` with
/// `Σ (‖a‖² − a aᵀ) ω = Σ a × b` for the turned directions a.
fn polished(mut turn: DQuat, directions: impl Iterator<Item = (DVec3, DVec3)> + Clone) -> DQuat {
    for _ in 0..8 {
        let (mut moment, mut torque) = (DMat3::ZERO, DVec3::ZERO);
        for (from, to) in directions.clone() {
            let from = turn * from;
            torque += from.cross(to);
            moment += DMat3::from_diagonal(DVec3::splat(from.length_squared()));
            moment -= DMat3::from_cols(from * from.x, from * from.y, from * from.z);
        }
        let step = moment.inverse() * torque;
        // Directions in one line leave the turn about it as it is.
        if !step.is_finite() || step.length_squared() < 1e-30 || step.length_squared() > 1.0 {
            break;
        }
        turn = (DQuat::from_scaled_axis(step) * turn).normalize();
    }
    turn
}
