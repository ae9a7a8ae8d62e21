//! Newton's method, as a yardstick for faster ones.
//!
//! Each step solves `H d = −g` by conjugate gradients (Steihaug 1983: up to a direction without curvature), with
//! products of the Hessian from differences of gradients, and goes along `d` as far as the energy falls. Nothing is
//! assembled, so any energy will do.

use glam::DVec3;

/// How far the farthest point is moved in a product with the Hessian, in the units of places.
const DIFFERENCE: f64 = 1e-6;

/// A minimum, and the way there.
#[derive(Debug, Clone)]
pub struct Minimum {
    /// Where it is.
    pub places: Vec<DVec3>,
    /// The energy.
    pub energy: f64,
    /// The length of the gradient.
    pub gradient: f64,
    /// Steps.
    pub steps: usize,
    /// Evaluations of the energy and its gradient.
    pub evaluations: usize,
}

/// What is minimised, from what comes near the inverse of its Hessian.
pub trait Energy {
    /// The energy of places; its gradient goes to `gradient`.
    fn energy(&mut self, places: &[DVec3], gradient: &mut [DVec3]) -> f64;

    /// Multiplies a vector by something near the inverse Hessian.
    fn precondition(&mut self, vector: &mut [DVec3]);
}

/// The minimum near a place, to a length of the gradient or after so many steps.
pub fn minimize(of: &mut impl Energy, from: &[DVec3], least_gradient: f64, steps: usize) -> Minimum {
    let count = from.len();
    let mut gradient = vec![DVec3::ZERO; count];
    let energy = of.energy(from, &mut gradient);
    let mut at = Minimum { places: from.to_vec(), energy, gradient: length(&gradient), steps: 0, evaluations: 1 };
    let (mut next, mut next_gradient) = (vec![DVec3::ZERO; count], vec![DVec3::ZERO; count]);
    while at.gradient > least_gradient && at.steps < steps {
        let direction = direction(of, &mut at, &gradient, least_gradient);
        let slope = dot(&gradient, &direction);
        let mut share = 1.0;
        loop {
            next.iter_mut().zip(&at.places).zip(&direction).for_each(|((to, from), d)| *to = *from + share * *d);
            let energy = of.energy(&next, &mut next_gradient);
            at.evaluations += 1;
            if energy <= at.energy + 1e-4 * share * slope {
                at.energy = energy;
                break;
            }
            share *= 0.5;
            if share < 1e-10 {
                return at;
            }
        }
        std::mem::swap(&mut at.places, &mut next);
        std::mem::swap(&mut gradient, &mut next_gradient);
        at.gradient = length(&gradient);
        at.steps += 1;
    }
    at
}

/// Conjugate gradients, as far as this step of Newton's method deserves.
fn direction(of: &mut impl Energy, at: &mut Minimum, gradient: &[DVec3], least: f64) -> Vec<DVec3> {
    let mut direction = vec![DVec3::ZERO; gradient.len()];
    let mut residual: Vec<DVec3> = gradient.iter().map(|g| -*g).collect();
    let mut solved = residual.clone();
    of.precondition(&mut solved);
    let mut along = solved.clone();
    let mut curvature_of_residual = dot(&residual, &solved);
    let enough = (at.gradient * at.gradient.sqrt().min(0.1)).max(0.1 * least);
    for _ in 0..500 {
        let product = product(of, at, &along);
        let curvature = dot(&along, &product);
        if curvature <= 0.0 {
            return if length(&direction) > 0.0 { direction } else { along };
        }
        let share = curvature_of_residual / curvature;
        direction.iter_mut().zip(&along).for_each(|(d, a)| *d += share * *a);
        residual.iter_mut().zip(&product).for_each(|(r, p)| *r -= share * *p);
        if length(&residual) <= enough {
            break;
        }
        solved.copy_from_slice(&residual);
        of.precondition(&mut solved);
        let next = dot(&residual, &solved);
        let keep = next / curvature_of_residual;
        curvature_of_residual = next;
        along.iter_mut().zip(&solved).for_each(|(a, s)| *a = *s + keep * *a);
    }
    direction
}

/// The Hessian times a vector, by a central difference.
fn product(of: &mut impl Energy, at: &mut Minimum, vector: &[DVec3]) -> Vec<DVec3> {
    let longest = vector.iter().map(|v| v.length()).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let step = DIFFERENCE / longest;
    let [ahead, behind] = [step, -step].map(|step| {
        let places: Vec<DVec3> = at.places.iter().zip(vector).map(|(x, v)| *x + step * *v).collect();
        let mut gradient = places.clone();
        of.energy(&places, &mut gradient);
        gradient
    });
    at.evaluations += 2;
    ahead.iter().zip(&behind).map(|(a, b)| (*a - *b) / (2.0 * step)).collect()
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

fn length(a: &[DVec3]) -> f64 {
    dot(a, a).sqrt()
}
