//! How does an alternation arrive sooner?
//!
//! Parts that are far from all handles come after slowly, a little in the same direction in every turn. Each turn
//! starts from where they would be next (Y. Nesterov, *A method of solving a convex programming problem with
//! convergence rate O(1/k²)*, 1983),
//!
//! ```text
//! y = x_k + (t_k − 1) / t_{k+1} (x_k − x_{k−1}),      t_{k+1} = ½ (1 + √(1 + 4 t_k²)),
//! ```
//!
//! and what was gathered is forgotten where a turn goes against it, `(y − x_{k+1})·(x_{k+1} − x_k) > 0` (B. O'Donoghue,
//! E. Candès, *Adaptive restart for accelerated gradient schemes*, 2015).

use glam::DVec3;

/// Where vertices are on their way to.
pub(super) struct Momentum {
    /// The last ways of the vertices; none after a rest.
    ways: Vec<DVec3>,
    is_moving: bool,
    /// Where the last turn started.
    starts: Vec<DVec3>,
    /// The t above.
    pace: f64,
}

impl Momentum {
    /// Vertices at rest.
    pub fn new(vertices: usize) -> Self {
        Self { ways: vec![DVec3::ZERO; vertices], is_moving: false, starts: vec![DVec3::ZERO; vertices], pace: 1.0 }
    }

    /// Begins anew.
    pub fn forget(&mut self) {
        (self.is_moving, self.pace) = (false, 1.0);
    }

    /// Moves vertices on along their ways; says whether it did.
    pub fn carry(&mut self, positions: &mut [DVec3]) -> bool {
        let mut share = 0.0;
        if self.is_moving {
            let next = 0.5 * (1.0 + (1.0 + 4.0 * self.pace * self.pace).sqrt());
            share = (self.pace - 1.0) / next;
            self.pace = next;
        }
        for ((position, way), start) in positions.iter_mut().zip(&self.ways).zip(&mut self.starts) {
            if share > 0.0 {
                *position += *way * share;
            }
            *start = *position;
        }
        share > 0.0
    }

    /// Takes in a turn that brought vertices from before to after.
    pub fn gather(&mut self, before: &[DVec3], after: &[DVec3]) {
        let mut against = 0.0;
        for (((way, start), before), after) in self.ways.iter_mut().zip(&self.starts).zip(before).zip(after) {
            *way = *after - *before;
            against += (*start - *after).dot(*way);
        }
        if against > 0.0 {
            self.forget();
        }
        self.is_moving = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns that each bring a vertex closer by its own share of the way.
    fn turns_to(target: f64, has_momentum: bool) -> usize {
        let shares = [0.5, 0.05, 0.002];
        let mut positions = vec![DVec3::ONE; shares.len()];
        let mut momentum = Momentum::new(shares.len());
        (0..10_000)
            .find(|_| {
                let before = positions.clone();
                if has_momentum {
                    momentum.carry(&mut positions);
                }
                positions.iter_mut().zip(shares).for_each(|(position, share)| *position *= 1.0 - share);
                momentum.gather(&before, &positions);
                positions.iter().all(|position| position.length() < target)
            })
            .unwrap()
    }

    #[test]
    fn slow_parts_arrive_sooner() {
        assert!(5 * turns_to(1e-2, true) < turns_to(1e-2, false));
    }
}
