//! The activation of muscles, estimated from the motion.
//!
//! A muscle works that has shortened, and one towards whose
//! shortening the joints are accelerated, be it to move them or to brake them. With the length l of its path,
//! l̄ at rest and the filtered velocity v of l, the excitation is
//!
//! ```text
//! e = gain · (shortened (1 − l/l̄)⁺ + accelerated (−dv/dt / l̄)⁺), at most the gain
//! ```
//!
//! `−dv/dt` is the acceleration of the joints times the muscle's lever. Activation follows excitation as in
//! muscle, fast when it rises and slower when it falls (F. E. Zajac, *Muscle and tendon*, 1989), here slowly
//! enough to be seen. All filters are exponential in time, so that the frame rate does not matter.

use super::{Attachment, Muscle};
use glam::DAffine3;

/// The gain for a share of the length.
const SHORTENING_GAIN: f64 = 3.0;
/// The gain for lengths per squared second.
const ACCELERATION_GAIN: f64 = 0.02;
/// Seconds over which velocities are smoothed.
const VELOCITY_SMOOTHING_SECONDS: f64 = 0.05;
/// Seconds in which activation rises and falls by two thirds.
const RISE_SECONDS: f64 = 0.05;
const FALL_SECONDS: f64 = 0.15;

/// Activations that follow from the motion.
#[derive(Debug, Clone)]
pub struct AutoActivation {
    paths: Vec<Vec<Attachment>>,
    from_rest: Vec<DAffine3>,
    states: Vec<ActivationState>,
    activations: Vec<f64>,
    has_moved: bool,
}

#[derive(Debug, Clone)]
struct ActivationState {
    rest_length: f64,
    length: f64,
    /// Not known in the first frame.
    velocity: Option<f64>,
}

impl AutoActivation {
    /// Prepares for muscles on a skeleton, given by the world transforms of its bind pose.
    ///
    /// # Panics
    /// If a muscle is attached to a joint that the skeleton does not have.
    pub fn new(muscles: &[Muscle], rest_world: &[DAffine3]) -> Self {
        assert!(muscles.iter().flat_map(|m| &m.path).all(|at| at.joint < rest_world.len()), "a joint is missing");
        let rest = |muscle: &Muscle| muscle.path_length(|at| at.position);
        let state = |length| ActivationState { rest_length: length, length, velocity: None };
        Self {
            paths: muscles.iter().map(|muscle| muscle.path.clone()).collect(),
            from_rest: rest_world.iter().map(DAffine3::inverse).collect(),
            states: muscles.iter().map(|muscle| state(rest(muscle))).collect(),
            activations: vec![0.0; muscles.len()],
            has_moved: false,
        }
    }

    /// Goes on to the pose of the next frame, with a gain from 0 to 1, and gives the activation of each muscle.
    /// The first frame and a frame without a duration restart, with the activation by shortening alone.
    ///
    /// # Panics
    /// If the skeleton has another number of joints.
    pub fn advance(&mut self, world: &[DAffine3], seconds: f64, gain: f64) -> &[f64] {
        assert_eq!(world.len(), self.from_rest.len(), "the pose belongs to another skeleton");
        let goes_on = self.has_moved && seconds > 0.0 && seconds.is_finite();
        self.has_moved = true;
        for ((path, state), activation) in self.paths.iter().zip(&mut self.states).zip(&mut self.activations) {
            let place = |at: &Attachment| (world[at.joint] * self.from_rest[at.joint]).transform_point3(at.position);
            let length = path.windows(2).map(|pair| place(&pair[0]).distance(place(&pair[1]))).sum::<f64>();
            if length.is_finite() {
                *activation = state.follow(length, goes_on.then_some(seconds), gain, *activation);
            }
        }
        &self.activations
    }
}

impl ActivationState {
    /// Sets the length and returns the new activation.
    fn follow(&mut self, length: f64, seconds: Option<f64>, gain: f64, activation: f64) -> f64 {
        let shortened = SHORTENING_GAIN * (1.0 - length / self.rest_length).max(0.0);
        let before = std::mem::replace(&mut self.length, length);
        let Some(seconds) = seconds else {
            self.velocity = None;
            return gain * shortened.min(1.0);
        };
        let towards = |seconds_needed: f64| 1.0 - (-seconds / seconds_needed).exp();
        let now = (length - before) / seconds;
        let velocity = self.velocity.unwrap_or(now);
        let change = (now - velocity) * towards(VELOCITY_SMOOTHING_SECONDS);
        self.velocity = Some(velocity + change);
        let accelerated = ACCELERATION_GAIN * (-change / (seconds * self.rest_length)).max(0.0);
        let excitation = gain * (shortened + accelerated).min(1.0);
        let needed = if excitation > activation { RISE_SECONDS } else { FALL_SECONDS };
        activation + (excitation - activation) * towards(needed)
    }
}
