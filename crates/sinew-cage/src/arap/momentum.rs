//! Nesterov acceleration of local–global iterations.
//!
//! Vertices far from all handles converge slowly, by small steps in the same direction. Each iteration starts from
//! extrapolated positions (Y. Nesterov, *A method of solving a convex programming problem with convergence rate O(1/k²)*,
//! 1983),
//!
//! ```text
//! y = x_k + (t_k − 1) / t_{k+1} (x_k − x_{k−1}),      t_{k+1} = ½ (1 + √(1 + 4 t_k²)),
//! ```
//!
//! and restarts where an iteration moves against the momentum, `(y − x_{k+1})·(x_{k+1} − x_k) > 0` (B. O'Donoghue, E.
//! Candès, *Adaptive restart for accelerated gradient schemes*, 2015).

use glam::DVec3;

/// The momentum of the vertices.
pub(super) struct Momentum {
    /// The last displacements of the vertices.
    displacements: Vec<DVec3>,
    has_history: bool,
    /// The positions at the start of the last iteration.
    starts: Vec<DVec3>,
    /// t above.
    t: f64,
}

impl Momentum {
    /// No momentum.
    pub fn new(vertices: usize) -> Self {
        Self {
            displacements: vec![DVec3::ZERO; vertices],
            has_history: false,
            starts: vec![DVec3::ZERO; vertices],
            t: 1.0,
        }
    }

    /// Drops the momentum.
    pub fn reset(&mut self) {
        (self.has_history, self.t) = (false, 1.0);
    }

    /// Extrapolates the positions. Returns whether they moved.
    pub fn extrapolate(&mut self, positions: &mut [DVec3]) -> bool {
        let mut factor = 0.0;
        if self.has_history {
            let next = 0.5 * (1.0 + (1.0 + 4.0 * self.t * self.t).sqrt());
            factor = (self.t - 1.0) / next;
            self.t = next;
        }
        for ((position, displacement), start) in positions.iter_mut().zip(&self.displacements).zip(&mut self.starts) {
            if factor > 0.0 {
                *position += *displacement * factor;
            }
            *start = *position;
        }
        factor > 0.0
    }

    /// Updates the momentum by an iteration from `before` to `after`.
    pub fn update(&mut self, before: &[DVec3], after: &[DVec3]) {
        let mut against = 0.0;
        for (((displacement, start), before), after) in
            self.displacements.iter_mut().zip(&self.starts).zip(before).zip(after)
        {
            *displacement = *after - *before;
            against += (*start - *after).dot(*displacement);
        }
        if against > 0.0 {
            self.reset();
        }
        self.has_history = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of iterations in which each vertex covers its own fraction of the distance.
    fn iterations_to(target: f64, has_momentum: bool) -> usize {
        let rates = [0.5, 0.05, 0.002];
        let mut positions = vec![DVec3::ONE; rates.len()];
        let mut momentum = Momentum::new(rates.len());
        (0..10_000)
            .find(|_| {
                let before = positions.clone();
                if has_momentum {
                    momentum.extrapolate(&mut positions);
                }
                positions.iter_mut().zip(rates).for_each(|(position, factor)| *position *= 1.0 - factor);
                momentum.update(&before, &positions);
                positions.iter().all(|position| position.length() < target)
            })
            .unwrap()
    }

    #[test]
    fn slow_parts_arrive_sooner() {
        assert!(5 * iterations_to(1e-2, true) < iterations_to(1e-2, false));
    }
}
