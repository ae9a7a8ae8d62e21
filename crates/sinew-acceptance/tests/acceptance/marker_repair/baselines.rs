//! What everybody does with gaps: straight lines, cubics, principal components; and L13's Laplacian.

use glam::DVec3;
use sinew::geometry::solve::symmetric_eigen;
use sinew::motion::markers::{Gap, Markers, find_gaps};

/// The places at both ends of a gap and the velocities there, per frame.
fn ends(markers: &Markers, gap: &Gap) -> [(DVec3, DVec3); 2] {
    let get = |frame: Option<usize>| frame.filter(|&f| f < markers.frames()).and_then(|f| markers.get(f, gap.marker));
    let before = get(gap.frames.start.checked_sub(1));
    let after = get(Some(gap.frames.end));
    let before_that = get(gap.frames.start.checked_sub(2));
    let after_that = get(Some(gap.frames.end + 1));
    let start = before.or(after).unwrap_or_default();
    let end = after.or(before).unwrap_or_default();
    let slope = |a: Option<DVec3>, b: Option<DVec3>| a.zip(b).map_or(DVec3::ZERO, |(a, b)| b - a);
    [(start, slope(before_that, before)), (end, slope(after, after_that))]
}

fn by_curve(markers: &Markers, curve: impl Fn([(DVec3, DVec3); 2], f64, f64) -> DVec3) -> Markers {
    let mut filled = markers.clone();
    for gap in find_gaps(markers) {
        let ends = ends(markers, &gap);
        let length = (gap.frames.len() + 1) as f64;
        for (k, frame) in gap.frames.clone().enumerate() {
            filled.set(frame, gap.marker, Some(curve(ends, (k + 1) as f64 / length, length)));
        }
    }
    filled
}

pub fn linear(markers: &Markers) -> Markers {
    by_curve(markers, |[(p, _), (q, _)], t, _| p.lerp(q, t))
}

pub fn cubic(markers: &Markers) -> Markers {
    by_curve(markers, |[(p, u), (q, v)], t, length| {
        let (u, v) = (u * length, v * length);
        p + t * u + t * t * (3.0 * (q - p) - 2.0 * u - v) + t * t * t * (2.0 * (p - q) + u + v)
    })
}

/// Principal components of the complete frames about their mean, as many as hold 99.9 % of what varies; the lost
/// coordinates are those of the posture that fits the seen ones best. What is off at the ends of a gap is taken off
/// linearly. Postures are relative to the mean of the markers that are never lost.
pub fn principal_components(markers: &Markers) -> Markers {
    let (count, frames) = (markers.count(), markers.frames());
    let steady: Vec<usize> = (0..count).filter(|&m| (0..frames).all(|f| markers.is_seen(f, m))).collect();
    let center =
        |frame: usize| steady.iter().filter_map(|&m| markers.get(frame, m)).sum::<DVec3>() / steady.len().max(1) as f64;
    let complete: Vec<usize> = (0..frames).filter(|&f| (0..count).all(|m| markers.is_seen(f, m))).collect();
    if complete.len() < 2 {
        return linear(markers);
    }
    let row = |frame: usize| -> Vec<f64> {
        let center = center(frame);
        (0..count).flat_map(|m| (markers.get(frame, m).unwrap() - center).to_array()).collect()
    };
    let rows: Vec<Vec<f64>> = complete.iter().map(|&f| row(f)).collect();
    let size = 3 * count;
    let mean: Vec<f64> = (0..size).map(|i| rows.iter().map(|r| r[i]).sum::<f64>() / rows.len() as f64).collect();
    let mut covariance = vec![0.0; size * size];
    for r in &rows {
        for i in 0..size {
            for j in 0..=i {
                covariance[i * size + j] += (r[i] - mean[i]) * (r[j] - mean[j]);
            }
        }
    }
    let eigen = symmetric_eigen(size, |i, j| covariance[i * size + j], size);
    let total: f64 = eigen.iter().map(|e| e.0).sum();
    let mut kept = 0;
    let mut held = 0.0;
    while kept < eigen.len() && held < 0.999 * total {
        held += eigen[kept].0;
        kept += 1;
    }
    let basis = &eigen[..kept];
    let posture = |frame: usize| -> Vec<DVec3> {
        let center = center(frame);
        let seen: Vec<usize> = (0..count).filter(|&m| markers.is_seen(frame, m)).collect();
        let coordinates: Vec<usize> = seen.iter().flat_map(|&m| (0..3).map(move |c| 3 * m + c)).collect();
        let value = |i: usize| (markers.get(frame, i / 3).unwrap() - center)[i % 3] - mean[i];
        let mut rows: Vec<Vec<f64>> = (0..kept)
            .map(|a| (0..kept).map(|b| coordinates.iter().map(|&i| basis[a].1[i] * basis[b].1[i]).sum()).collect())
            .collect();
        (0..kept).for_each(|a| rows[a][a] += 1e-6);
        let right = (0..kept).map(|a| coordinates.iter().map(|&i| basis[a].1[i] * value(i)).sum()).collect();
        let weights = eliminate(rows, right);
        let coordinate = |i: usize| mean[i] + (0..kept).map(|a| weights[a] * basis[a].1[i]).sum::<f64>();
        (0..count).map(|m| center + DVec3::from(std::array::from_fn(|c| coordinate(3 * m + c)))).collect()
    };
    let wanted: std::collections::BTreeMap<usize, Vec<DVec3>> = (0..frames)
        .filter(|&f| (0..count).any(|m| !markers.is_seen(f, m)) || near_gap(markers, f))
        .map(|f| (f, posture(f)))
        .collect();
    let mut filled = markers.clone();
    for gap in find_gaps(markers) {
        let off = |frame: Option<usize>| {
            let frame = frame.filter(|&f| f < frames)?;
            Some(markers.get(frame, gap.marker)? - wanted.get(&frame)?[gap.marker])
        };
        let (start, end) = (off(gap.frames.start.checked_sub(1)), off(Some(gap.frames.end)));
        let (start, end) = (start.or(end).unwrap_or_default(), end.or(start).unwrap_or_default());
        for (k, frame) in gap.frames.clone().enumerate() {
            let t = (k + 1) as f64 / (gap.frames.len() + 1) as f64;
            filled.set(frame, gap.marker, Some(wanted[&frame][gap.marker] + start.lerp(end, t)));
        }
    }
    filled
}

fn near_gap(markers: &Markers, frame: usize) -> bool {
    let around = frame.saturating_sub(1)..(frame + 2).min(markers.frames());
    around.into_iter().any(|f| (0..markers.count()).any(|m| !markers.is_seen(f, m)))
}

fn eliminate(mut rows: Vec<Vec<f64>>, mut x: Vec<f64>) -> Vec<f64> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).unwrap();
        rows.swap(k, pivot);
        x.swap(k, pivot);
        let (above, below) = rows.split_at_mut(k + 1);
        for (i, row) in below.iter_mut().enumerate() {
            let share = row[k] / above[k][k];
            row[k..].iter_mut().zip(&above[k][k..]).for_each(|(value, other)| *value -= share * other);
            x[k + 1 + i] -= share * x[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (x[k] - known) / rows[k][k];
    }
    x
}
