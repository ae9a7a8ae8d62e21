//! The distances from every window of one motion to every window of another.
//!
//! `‖a - b‖²` over contiguous numbers, in eight sums that are added in a fixed order.

use super::motion::WINDOW;
use sinew_geometry::parallel::*;

/// Partial sums: eight f32 are a register of 256 bits.
const SUMS: usize = 8;
/// Windows per task of a thread. A granularity, without effect on results.
const RUN: usize = 512;

/// A row for each window of `targets` with its squared distance to every window of `queries`.
pub fn squared_distances(queries: &[f32], targets: &[f32]) -> Vec<f32> {
    let count = queries.len() / WINDOW;
    let mut distances = vec![0.0; count * (targets.len() / WINDOW)];
    if count > 0 {
        let runs = distances.par_chunks_mut(RUN * count).zip(targets.par_chunks(RUN * WINDOW));
        runs.for_each(|(distances, targets)| {
            let rows = distances.chunks_exact_mut(count).zip(targets.chunks_exact(WINDOW));
            for (row, target) in rows {
                let places = row.iter_mut().zip(queries.chunks_exact(WINDOW));
                places.for_each(|(distance, query)| *distance = squared_distance(query, target));
            }
        });
    }
    distances
}

fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0f32; SUMS];
    let (a, a_rest) = a.as_chunks::<SUMS>();
    let (b, b_rest) = b.as_chunks::<SUMS>();
    for (a, b) in a.iter().zip(b) {
        for k in 0..SUMS {
            let difference = a[k] - b[k];
            sums[k] += difference * difference;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| (a - b) * (a - b)).sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_every_pair() {
        let windows = |count: usize, seed: usize| -> Vec<f32> {
            (0..count * WINDOW).map(|k| ((k * 31 + seed * 17) % 101) as f32 / 101.0).collect()
        };
        let (queries, targets) = (windows(3, 1), windows(700, 2));
        let found = squared_distances(&queries, &targets);
        assert_eq!(found.len(), 2100);
        for (k, distance) in found.iter().enumerate() {
            let (t, q) = (k / 3, k % 3);
            let pairs = queries[q * WINDOW..][..WINDOW].iter().zip(&targets[t * WINDOW..][..WINDOW]);
            let expected: f64 = pairs.map(|(a, b)| f64::from(a - b).powi(2)).sum();
            assert!((f64::from(*distance) - expected).abs() <= 1e-5 * expected, "{k}: {distance}, not {expected}");
        }
        assert!(squared_distances(&[], &targets).is_empty());
    }
}
