//! Milliseconds of sparse solves and of regularised directions over regions of a tube.
//!
//! `cargo bench -p sinew --bench solve` prints two Markdown tables, the best of several runs each, on
//! one thread.

use glam::DVec3;
use sinew::deform::volume::laplacian::Laplacian;
use sinew::geometry::solve::SparseCholesky;
use std::time::Instant;

/// The neighbours of a triangulated tube: `around` vertices in each of `rings` rings.
fn tube(rings: u32, around: u32) -> Vec<Vec<u32>> {
    let mut rows = vec![Vec::new(); (rings * around) as usize];
    for ring in 0..rings {
        for k in 0..around {
            let (a, next) = (ring * around + k, (k + 1) % around);
            let mut join = |b: u32| {
                rows[a as usize].push(b);
                rows[b as usize].push(a);
            };
            join(ring * around + next);
            if ring + 1 < rings {
                join(a + around);
                join((ring + 1) * around + next);
            }
        }
    }
    rows
}

fn best_ms(runs: usize, mut work: impl FnMut()) -> f64 {
    let mut once = || {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..runs).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn cholesky(rings: u32, around: u32) {
    let rows = tube(rings, around);
    let size = rows.len();
    let pairs = rows.iter().enumerate().flat_map(|(a, row)| row.iter().map(move |&b| (a as u32, b)));
    let edges: Vec<_> = pairs.filter(|(a, b)| a < b).collect();
    let runs = (200_000 / size).clamp(3, 200);
    let analyse = best_ms(runs.min(10), || drop(SparseCholesky::new(size, &edges, 24)));
    let mut cholesky = SparseCholesky::new(size, &edges, 24).unwrap();
    let diagonal: Vec<f64> = rows.iter().map(|row| row.len() as f64 + 0.1).collect();
    let values = vec![-1.0; edges.len()];
    let factor = best_ms(runs, || drop(cholesky.factor(&diagonal, &values)));
    let (mut one, mut many) = (vec![1.0; size], vec![1.0; 24 * size]);
    let one = best_ms(runs, || cholesky.last_factor().unwrap().solve(&mut one));
    let many = best_ms(runs, || cholesky.last_factor().unwrap().solve(&mut many));
    println!("| {size} | {} | {analyse:.2} | {factor:.2} | {one:.2} | {many:.2} |", cholesky.factor_entries());
}

fn direction(rings: u32, around: u32) {
    let rows = tube(rings, around);
    let size = rows.len();
    let starts = rows.iter().scan(0, |end, row| {
        *end += row.len() as u32;
        Some(*end)
    });
    let offsets: Vec<u32> = std::iter::once(0).chain(starts).collect();
    let neighbors = rows.concat();
    let build = best_ms(10, || drop(Laplacian::new(&offsets, &neighbors)));
    let mut laplacian = Laplacian::new(&offsets, &neighbors).unwrap();
    let angle = |v: usize| v as f64 / f64::from(around) * std::f64::consts::TAU;
    let normals: Vec<DVec3> = (0..size).map(|v| DVec3::new(angle(v).cos(), angle(v).sin(), 0.0)).collect();
    let along = |v: usize| v as f64 / size as f64 * std::f64::consts::PI;
    let gamma: Vec<f64> = (0..size).map(|v| along(v).sin().powi(2)).collect();
    let (gradient, mut q) = (vec![1.0; size], vec![0.0; size]);
    let run = best_ms(200, || laplacian.direction(&gamma, &normals, &gradient, 1.0, &mut q));
    println!("| {size} | {build:.2} | {run:.3} |");
}

fn main() {
    println!("| rows | entries of L | analyse, ms | factor, ms | solve 1, ms | solve 24, ms |");
    println!("|---:|---:|---:|---:|---:|---:|");
    for (rings, around) in [(20, 25), (40, 50), (100, 100), (316, 316)] {
        cholesky(rings, around);
    }
    println!("\n| vertices | build, ms | direction, ms |");
    println!("|---:|---:|---:|");
    for (rings, around) in [(20, 25), (40, 50), (100, 100)] {
        direction(rings, around);
    }
}
