//! A dense solve to compare with.

/// Gaussian elimination with partial pivoting.
pub fn eliminate(mut rows: Vec<Vec<f64>>, rhs: &[f64]) -> Vec<f64> {
    let n = rows.len();
    let mut x = rhs.to_vec();
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).unwrap();
        rows.swap(k, pivot);
        x.swap(k, pivot);
        let (above, below) = rows.split_at_mut(k + 1);
        for (offset, row) in below.iter_mut().enumerate() {
            let share = row[k] / above[k][k];
            row.iter_mut().zip(&above[k]).for_each(|(value, top)| *value -= share * top);
            x[k + 1 + offset] -= share * x[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (x[k] - known) / rows[k][k];
    }
    x
}
