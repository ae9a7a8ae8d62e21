//! Flesh that swings.
//!
//! A node of mass m at x has `m ẍ = −∂E/∂x`. With two steps back (BDF2), which hardly dampens what swings slowly and is
//! stable whatever the step h, the next place minimises
//!
//! ```text
//! E(x) + ½ m (3/2h)² |x − x̂|²,   x̂ = (4 xₙ − xₙ₋₁)/3 + (2h/3) (4 vₙ − vₙ₋₁)/3,
//! ```
//!
//! with places and velocities of the world, so that flesh lags behind a body that starts, however its bones move. Damping
//! acts against the motion of the skin: `½ m (2ζω/h) |x − p|²`, where p is where the skin would carry the node.

use super::options::FleshShakeOptions;
use glam::{DAffine3, DVec3};
use std::f64::consts::TAU;

/// Nodes with a mass.
#[derive(Debug)]
pub(super) struct Inertia {
    masses: Vec<f64>,
    /// `2 ζ ω`, by second.
    damping: f64,
    /// Places and velocities in the world, in the last frame and in the one before.
    states: [Vec<(DVec3, DVec3)>; 2],
    /// Seconds between the two.
    seconds: f64,
}

impl Inertia {
    /// Flesh with a volume around each node; none where nothing swings. A layer as thick as `radius` on a bone swings at
    /// the frequency `f = √(G/ρ) / 4r`, which says how dense flesh of the shear modulus G is.
    pub(super) fn new(options: &FleshShakeOptions, volumes: &[f64], radius: f64, shear: f64) -> Option<Self> {
        let frequency = options.frequency;
        let density = shear / (4.0 * radius * frequency).powi(2);
        (frequency > 0.0).then(|| Self {
            masses: volumes.iter().map(|volume| density * volume).collect(),
            damping: 2.0 * options.damping * TAU * frequency,
            states: [vec![(DVec3::ZERO, DVec3::ZERO); volumes.len()], vec![(DVec3::ZERO, DVec3::ZERO); volumes.len()]],
            seconds: 0.0,
        })
    }

    /// Takes nodes for at rest where they are; `frame` takes them to the world.
    pub(super) fn rest(&mut self, nodes: &[DVec3], frame: &DAffine3) {
        for states in &mut self.states {
            let places = states.iter_mut().zip(nodes);
            places.for_each(|(state, &node)| *state = (frame.transform_point3(node), DVec3::ZERO));
        }
        self.seconds = 0.0;
    }

    /// The spring of a node for some seconds, by what it weighs and where the skin carries it.
    pub(super) fn spring(&self, node: usize, seconds: f64, into_frame: &DAffine3, carried: DVec3) -> (f64, DVec3) {
        let (place, velocity) = self.states[0][node];
        let (place_before, velocity_before) = self.state_before(node, seconds);
        let ahead = (4.0 * place - place_before + 2.0 / 3.0 * seconds * (4.0 * velocity - velocity_before)) / 3.0;
        let (swing, hold) = ((1.5 / seconds).powi(2), self.damping / seconds);
        let to = (swing * into_frame.transform_point3(ahead) + hold * carried) / (swing + hold);
        (self.masses[node] * (swing + hold), to)
    }

    /// Takes over where nodes are after some seconds.
    pub(super) fn advance(&mut self, nodes: &[DVec3], frame: &DAffine3, seconds: f64) {
        for (node, &place) in nodes.iter().enumerate() {
            let (last, next) = (self.states[0][node], frame.transform_point3(place));
            let (place_before, _) = self.state_before(node, seconds);
            self.states[1][node] = last;
            self.states[0][node] = (next, (3.0 * next - 4.0 * last.0 + place_before) / (2.0 * seconds));
        }
        self.seconds = seconds;
    }

    /// The state some seconds before the last; with another step than then, what it would have been.
    fn state_before(&self, node: usize, seconds: f64) -> (DVec3, DVec3) {
        let (place, velocity) = self.states[0][node];
        let is_even = (seconds - self.seconds).abs() < 1e-3 * seconds;
        if is_even { self.states[1][node] } else { (place - seconds * velocity, velocity) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mass on a spring of 1 swings as often as its frequency says, and loses little without damping.
    #[test]
    fn a_mass_on_a_spring_swings() {
        let (frequency, seconds) = (2.0, 1.0 / 120.0);
        // A layer of radius 1 with G = (2/π)² swings as a mass of one over ω² on a spring of one.
        let options = FleshShakeOptions { frequency, damping: 1e-6 };
        let mut inertia = Inertia::new(&options, &[1.0], 1.0, (2.0 / std::f64::consts::PI).powi(2)).unwrap();
        inertia.rest(&[DVec3::X], &DAffine3::IDENTITY);
        let (mut places, mut swings) = (vec![1.0], 0);
        for _ in 0..480 {
            let (stiffness, to) = inertia.spring(0, seconds, &DAffine3::IDENTITY, DVec3::ZERO);
            let place = stiffness * to / (stiffness + 1.0);
            inertia.advance(&[place], &DAffine3::IDENTITY, seconds);
            swings += usize::from(place.x * places[places.len() - 1] < 0.0);
            places.push(place.x);
        }
        assert_eq!(swings, 16, "four seconds");
        let late = places[360..].iter().copied().fold(0.0, f64::max);
        assert!((0.9..1.01).contains(&late), "{late}");
    }

    /// With critical damping nothing swings.
    #[test]
    fn a_damped_mass_comes_to_rest() {
        let options = FleshShakeOptions { frequency: 2.0, damping: 1.0 };
        let mut inertia = Inertia::new(&options, &[1.0], 1.0, (2.0 / std::f64::consts::PI).powi(2)).unwrap();
        inertia.rest(&[DVec3::X], &DAffine3::IDENTITY);
        let mut place = DVec3::X;
        for _ in 0..120 {
            let (stiffness, to) = inertia.spring(0, 1.0 / 60.0, &DAffine3::IDENTITY, place);
            place = stiffness * to / (stiffness + 1.0);
            inertia.advance(&[place], &DAffine3::IDENTITY, 1.0 / 60.0);
            assert!(place.x > -1e-3);
        }
        assert!(place.length() < 1e-3, "{place}");
    }
}
