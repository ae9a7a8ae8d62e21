//! A damped oscillation of the correction, vertex by vertex: soft tissue swings on after the bone has stopped.
//!
//! The shown displacement x follows the correction u of a frame: `ẍ = ω² (u − x) − 2 ζ ω ẋ`. Over a frame u is
//! constant, and the step is the exact solution of that equation, so it is stable for any frame rate. Displacements are
//! stored in the frame of each vertex's strongest joint, so that they rotate with the limb. The shell makes the volume
//! exact again afterwards.

use glam::{DQuat, DVec3};

/// The swinging displacements of a shell's vertices.
pub(super) struct Oscillation {
    angular_frequency: f64,
    damping: f64,
    states: Vec<OscillationState>,
    is_running: bool,
}

/// Displacement and velocity, in the frame of the vertex's strongest joint.
#[derive(Clone, Copy, Default)]
struct OscillationState {
    displacement: DVec3,
    velocity: DVec3,
}

impl Oscillation {
    /// `frequency` in swings per second, `damping` as a share of the critical one.
    pub fn new(frequency: f64, damping: f64, vertices: usize) -> Self {
        Self {
            angular_frequency: std::f64::consts::TAU * frequency,
            damping,
            states: vec![OscillationState::default(); vertices],
            is_running: false,
        }
    }

    /// Replaces the displacements that the frame asks for by those that it shows. Without time since the frame
    /// before, a swing begins at rest.
    pub fn advance(&mut self, displacements: &mut [DVec3], turn: impl Fn(usize) -> DQuat, delta_seconds: f64) {
        let step = OscillationStep::new(self.angular_frequency, self.damping, delta_seconds);
        let begins = !self.is_running || delta_seconds <= 0.0;
        self.is_running = true;
        for (k, (shown, state)) in displacements.iter_mut().zip(&mut self.states).enumerate() {
            let turn = turn(k);
            let wanted = turn.conjugate() * *shown;
            if begins {
                *state = OscillationState { displacement: wanted, velocity: DVec3::ZERO };
                continue;
            }
            let away = state.displacement - wanted;
            *state = OscillationState {
                displacement: wanted + step.matrix[0][0] * away + step.matrix[0][1] * state.velocity,
                velocity: step.matrix[1][0] * away + step.matrix[1][1] * state.velocity,
            };
            *shown = turn * state.displacement;
        }
    }
}

/// `(x − u, ẋ)` after a time, as a matrix on what it was.
struct OscillationStep {
    matrix: [[f64; 2]; 2],
}

impl OscillationStep {
    fn new(omega: f64, damping: f64, seconds: f64) -> Self {
        // x = e^(−ζωt) [x₀ c + (ẋ₀ + ζω x₀) s] with c, s the cosine and sine of the damped frequency, or their
        // hyperbolic forms beyond critical damping.
        let square = omega * omega * (1.0 - damping * damping);
        let root = square.abs().sqrt();
        let drag = damping * omega;
        let decay = (-drag * seconds).exp();
        let (c, s) = if root * seconds < 1e-6 {
            (decay, decay * seconds)
        } else if square > 0.0 {
            (decay * (root * seconds).cos(), decay * (root * seconds).sin() / root)
        } else {
            // Growth and decay in one exponent, which is never positive; drag - root = omega^2/(drag + root).
            let slow = (-omega * omega / (drag + root) * seconds).exp();
            let fast = (-(drag + root) * seconds).exp();
            (0.5 * (slow + fast), 0.5 * (slow - fast) / root)
        };
        Self { matrix: [[c + drag * s, s], [-omega * omega * s, c - drag * s]] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Two half steps are a whole one, and small steps follow the differential equation.
        #[test]
        fn steps_solve_the_equation(omega in 0.5..40.0f64, damping in 0.01..10.0f64, seconds in 0.001..100.0f64) {
            let whole = OscillationStep::new(omega, damping, seconds).matrix;
            prop_assert!(whole.iter().flatten().all(|value| value.is_finite()));
            let half = OscillationStep::new(omega, damping, 0.5 * seconds).matrix;
            for i in 0..2 {
                for j in 0..2 {
                    let twice = half[i][0] * half[0][j] + half[i][1] * half[1][j];
                    prop_assert!((twice - whole[i][j]).abs() < 1e-9 * (1.0 + omega * omega), "{twice} {}", whole[i][j]);
                }
            }
            let tiny = OscillationStep::new(omega, damping, 1e-7).matrix;
            prop_assert!(((tiny[1][0] / 1e-7) + omega * omega).abs() < 1e-3 * omega * omega);
            prop_assert!(((tiny[1][1] - 1.0) / 1e-7 + 2.0 * damping * omega).abs() < 1e-3 * omega * (1.0 + omega));
        }

        #[test]
        fn swings_die_out(omega in 1.0..60.0f64, damping in 0.05..2.0f64, fps in 1.0..240.0f64) {
            let mut oscillation = Oscillation::new(omega / std::f64::consts::TAU, damping, 1);
            let still = |_: usize| DQuat::IDENTITY;
            oscillation.advance(&mut [DVec3::ZERO], still, 0.0);
            let seconds = 40.0 / (omega * damping.min(1.0 / damping));
            let mut shown = [DVec3::X];
            for _ in 0..(seconds * fps).ceil() as usize {
                shown = [DVec3::X];
                oscillation.advance(&mut shown, still, 1.0 / fps);
                prop_assert!(shown[0].length() < 2.5);
            }
            prop_assert!(shown[0].distance(DVec3::X) < 1e-3, "{shown:?}");
        }
    }
}
