//! What a quasi-Newton method remembers of its last steps.
//!
//! Limited-memory BFGS (Nocedal 1980) finds a direction from pairs `sᵢ` of moves and `yᵢ` of changes of the gradient, and
//! from a first approximation `γ P` of the inverse Hessian. Its two loops need `P` of the gradient only where `wᵢ = P yᵢ`
//! are kept: one solve for a step. And they need no vectors but in their last sum,
//!
//! ```text
//! d = γ (P g − Σ aᵢ wᵢ) + Σ (aᵢ − bᵢ) sᵢ,
//! aᵢ = (sᵢ·g − Σ_{j>i} aⱼ sᵢ·yⱼ) / sᵢ·yᵢ,
//! bᵢ = (γ (yᵢ·P g − Σ aⱼ yᵢ·wⱼ) + Σ_{j<i} (aⱼ − bⱼ) yᵢ·sⱼ) / sᵢ·yᵢ,
//! ```
//!
//! where `γ = s·y / y·w` of the last step. So vectors are read twice for a step, in parallel, whatever the memory.
//!
//! Histories of their own for regions around joints, which hardly act on each other, were tried: 63 iterations instead of
//! 58 in a walk, both without γ.

use glam::DVec3;
use sinew_geometry::parallel::*;

/// How many steps are remembered. Two seconds of a walk and of boxing take 31 and 41 iterations a frame with 8, 32 and 37 with
/// 5; but with 5 a pose in a clip is farther from the pose alone.
const MEMORY: usize = 8;

/// There is a slot for the newest step, too, until it is known to be of use.
const SLOTS: usize = MEMORY + 1;

/// Points that one thread adds up, so that sums do not depend on the number of threads. Not tuned.
const BLOCK: usize = 512;

/// The place of a minimisation: positions, the gradient there, and `P` of it.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub nodes: Vec<DVec3>,
    pub gradient: Vec<DVec3>,
    pub solved: Vec<DVec3>,
}

impl Place {
    pub(crate) fn new(nodes: Vec<DVec3>) -> Self {
        let zero = vec![DVec3::ZERO; nodes.len()];
        Self { nodes, gradient: zero.clone(), solved: zero }
    }
}

/// The last steps. Nothing is allocated after the beginning.
#[derive(Debug, Clone)]
pub(crate) struct History {
    blocks: Vec<Block>,
    /// Slots in the order of time.
    order: Vec<usize>,
    /// `sᵢ·yⱼ` and `yᵢ·wⱼ` of slots.
    moved_changed: [[f64; SLOTS]; SLOTS],
    changed_solved: [[f64; SLOTS]; SLOTS],
    /// `sᵢ·g` and `yᵢ·P g` of slots.
    moved_gradient: [f64; SLOTS],
    changed_gradient: [f64; SLOTS],
}

/// The steps of some points.
#[derive(Debug, Clone)]
struct Block {
    moved: [Vec<DVec3>; SLOTS],
    changed: [Vec<DVec3>; SLOTS],
    solved: [Vec<DVec3>; SLOTS],
    sums: Sums,
}

/// What a block adds to sums: for each slot `s·g`, `y·P g`, and `y` times the newest `s`; of the newest `s·s` and `y·w`.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    moved_gradient: [f64; SLOTS],
    changed_gradient: [f64; SLOTS],
    changed_moved: [f64; SLOTS],
    moved_moved: f64,
    changed_solved: f64,
}

impl History {
    pub(crate) fn new(count: usize) -> Self {
        let block = |from: usize| {
            let slots = || std::array::from_fn(|_| vec![DVec3::ZERO; BLOCK.min(count - from)]);
            Block { moved: slots(), changed: slots(), solved: slots(), sums: Sums::default() }
        };
        Self {
            blocks: (0..count).step_by(BLOCK).map(block).collect(),
            order: Vec::with_capacity(SLOTS),
            moved_changed: Default::default(),
            changed_solved: Default::default(),
            moved_gradient: Default::default(),
            changed_gradient: Default::default(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.order.clear();
    }

    /// Keeps the step between two places, the later of which is where the next direction is asked for. A step without
    /// curvature says nothing.
    pub(crate) fn remember(&mut self, from: &Place, to: &Place) {
        let Self { blocks, order, moved_changed, changed_solved, moved_gradient, changed_gradient } = self;
        let newest = (0..SLOTS).find(|slot| !order.contains(slot)).unwrap_or(0);
        order.push(newest);
        blocks.par_iter_mut().enumerate().for_each(|(index, block)| block.take_in(order, index * BLOCK, from, to));
        let mut sums = Sums::default();
        blocks.iter().for_each(|block| sums.add(&block.sums, order));
        for &slot in order.iter().filter(|&&slot| slot != newest) {
            moved_changed[newest][slot] = sums.changed_moved[slot];
            moved_changed[slot][newest] = sums.moved_gradient[slot] - moved_gradient[slot];
            changed_solved[slot][newest] = sums.changed_gradient[slot] - changed_gradient[slot];
            changed_solved[newest][slot] = changed_solved[slot][newest];
        }
        moved_changed[newest][newest] = sums.changed_moved[newest];
        changed_solved[newest][newest] = sums.changed_solved;
        (*moved_gradient, *changed_gradient) = (sums.moved_gradient, sums.changed_gradient);
        let has_curvature = sums.changed_moved[newest] > 1e-12 * sums.moved_moved;
        if !has_curvature {
            order.pop();
        } else if order.len() > MEMORY {
            order.remove(0);
        }
    }

    /// The direction, against the gradient, in which the minimum is expected.
    pub(crate) fn direction(&self, place: &Place, direction: &mut [DVec3]) {
        let curvature = |slot: usize| self.moved_changed[slot][slot];
        let scale = self.order.last().map_or(1.0, |&last| curvature(last) / self.changed_solved[last][last]);
        let (mut a, mut c) = ([0.0; SLOTS], [0.0; SLOTS]);
        for (k, &i) in self.order.iter().enumerate().rev() {
            let later: f64 = self.order[k + 1..].iter().map(|&j| a[j] * self.moved_changed[i][j]).sum();
            a[i] = (self.moved_gradient[i] - later) / curvature(i);
        }
        for (k, &i) in self.order.iter().enumerate() {
            let first: f64 = self.order.iter().map(|&j| a[j] * self.changed_solved[i][j]).sum();
            let earlier: f64 = self.order[..k].iter().map(|&j| c[j] * self.moved_changed[j][i]).sum();
            c[i] = a[i] - (scale * (self.changed_gradient[i] - first) + earlier) / curvature(i);
        }
        direction.par_chunks_mut(BLOCK).enumerate().for_each(|(index, direction)| {
            let solved = &place.solved[index * BLOCK..][..direction.len()];
            direction.iter_mut().zip(solved).for_each(|(d, p)| *d = scale * *p);
            let block = &self.blocks[index];
            for &slot in &self.order {
                let steps = block.solved[slot].iter().zip(&block.moved[slot]);
                let (of_solved, of_moved) = (-scale * a[slot], c[slot]);
                direction.iter_mut().zip(steps).for_each(|(d, (w, s))| *d += of_solved * *w + of_moved * *s);
            }
        });
    }
}

impl Block {
    /// Takes in the last slot's step, and adds up what all of them are worth where it ends.
    fn take_in(&mut self, order: &[usize], start: usize, from: &Place, to: &Place) {
        let Self { moved, changed, solved, sums } = self;
        let difference = |into: &mut [DVec3], from: &[DVec3], to: &[DVec3]| {
            into.iter_mut().zip(&from[start..]).zip(&to[start..]).for_each(|((d, from), to)| *d = *to - *from);
        };
        let Some(&newest) = order.last() else { return };
        difference(&mut moved[newest], &from.nodes, &to.nodes);
        difference(&mut changed[newest], &from.gradient, &to.gradient);
        difference(&mut solved[newest], &from.solved, &to.solved);
        for &slot in order {
            sums.moved_gradient[slot] = dot(&moved[slot], &to.gradient[start..]);
            sums.changed_gradient[slot] = dot(&changed[slot], &to.solved[start..]);
            sums.changed_moved[slot] = dot(&changed[slot], &moved[newest]);
        }
        sums.moved_moved = dot(&moved[newest], &moved[newest]);
        sums.changed_solved = dot(&changed[newest], &solved[newest]);
    }
}

impl Sums {
    fn add(&mut self, other: &Self, order: &[usize]) {
        for &slot in order {
            self.moved_gradient[slot] += other.moved_gradient[slot];
            self.changed_gradient[slot] += other.changed_gradient[slot];
            self.changed_moved[slot] += other.changed_moved[slot];
        }
        self.moved_moved += other.moved_moved;
        self.changed_solved += other.changed_solved;
    }
}

/// Eight sums side by side, which do not wait for each other.
fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    let count = a.len().min(b.len());
    let (a, b): (&[f64], &[f64]) = (bytemuck::cast_slice(&a[..count]), bytemuck::cast_slice(&b[..count]));
    let ((a, rest_of_a), (b, rest_of_b)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        (0..8).for_each(|k| sums[k] += a[k] * b[k]);
    }
    sums.iter().sum::<f64>() + rest_of_a.iter().zip(rest_of_b).map(|(a, b)| a * b).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COUNT: usize = 700;

    /// Numbers without a pattern, the same for the same seed.
    fn noise(seed: usize) -> Vec<DVec3> {
        let number = |k: usize| ((k as f64 + 1.7 * seed as f64) * 12.9898).sin();
        (0..COUNT).map(|k| DVec3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2))).collect()
    }

    /// Places along a way down a convex energy, with a diagonal matrix for `P`.
    fn places(count: usize, seed: usize) -> Vec<Place> {
        let place = |k: usize| {
            let nodes = noise(seed + k);
            let gradient: Vec<DVec3> = nodes
                .iter()
                .enumerate()
                .map(|(i, x)| (1.0 + 0.3 * (i as f64).sin()) * *x + 0.1 * *x * *x * *x)
                .collect();
            Place { nodes, solved: preconditioned(&gradient), gradient }
        };
        (0..count).map(place).collect()
    }

    fn preconditioned(gradient: &[DVec3]) -> Vec<DVec3> {
        gradient.iter().enumerate().map(|(i, g)| (2.0 + (i as f64).cos()) * *g).collect()
    }

    /// The two loops as they are in the books.
    fn two_loops(places: &[Place]) -> Vec<DVec3> {
        let difference = |a: &[DVec3], b: &[DVec3]| -> Vec<DVec3> { b.iter().zip(a).map(|(b, a)| *b - *a).collect() };
        let steps: Vec<(Vec<DVec3>, Vec<DVec3>)> = places
            .windows(2)
            .map(|w| (difference(&w[0].nodes, &w[1].nodes), difference(&w[0].gradient, &w[1].gradient)))
            .collect();
        let steps = &steps[steps.len().saturating_sub(MEMORY)..];
        let mut q = places[places.len() - 1].gradient.clone();
        let mut shares = Vec::new();
        for (s, y) in steps.iter().rev() {
            let share = dot(s, &q) / dot(s, y);
            q.iter_mut().zip(y).for_each(|(q, y)| *q -= share * *y);
            shares.push(share);
        }
        let mut r = preconditioned(&q);
        if let Some((s, y)) = steps.last() {
            let scale = dot(s, y) / dot(y, &preconditioned(y));
            r.iter_mut().for_each(|r| *r *= scale);
        }
        for ((s, y), share) in steps.iter().zip(shares.iter().rev()) {
            let more = share - dot(y, &r) / dot(s, y);
            r.iter_mut().zip(s).for_each(|(r, s)| *r += more * *s);
        }
        r
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn the_direction_is_that_of_the_two_loops(count in 1usize..14, seed in 0usize..1000) {
            let places = places(count, seed);
            let mut history = History::new(COUNT);
            places.windows(2).for_each(|w| history.remember(&w[0], &w[1]));
            let mut direction = vec![DVec3::ZERO; COUNT];
            history.direction(&places[count - 1], &mut direction);
            let expected = two_loops(&places);
            let size = expected.iter().map(|d| d.length()).fold(0.0, f64::max);
            let worst = direction.iter().zip(&expected).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            prop_assert!(worst < 1e-9 * size, "{} of {}", worst, size);
        }
    }

    /// A step against the curvature of a minimum is not kept.
    #[test]
    fn a_step_without_curvature_says_nothing() {
        let place = places(1, 3).remove(0);
        let uphill = Place {
            nodes: place.nodes.iter().map(|x| 2.0 * *x).collect(),
            gradient: place.gradient.iter().map(|g| 0.5 * *g).collect(),
            solved: place.solved.iter().map(|p| 0.5 * *p).collect(),
        };
        let mut history = History::new(COUNT);
        history.remember(&place, &uphill);
        let mut direction = vec![DVec3::ZERO; COUNT];
        history.direction(&uphill, &mut direction);
        assert_eq!(direction, uphill.solved);
    }
}
