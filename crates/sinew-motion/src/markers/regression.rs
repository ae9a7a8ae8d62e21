//! Regression of a marker's position from its neighbours and from its positions before and after a gap.
//!
//! A Gaussian process (Rasmussen and Williams 2006, ch. 2) whose covariance of two frames is a sum,
//!
//! ```text
//! k = a ⟨z, z'⟩ + b exp(−‖z − z'‖²/2ℓ²) + c (1 + √3 |t − t'|/τ) exp(−√3 |t − t'|/τ),
//! ```
//!
//! of a linear term in the neighbours (as of principal components), a radial one, and one in time. The last term
//! replaces the blend of a forward and a backward pass (L13 alg. 2): its influence falls off from both ends of a gap,
//! and it meets them in position and velocity. Cross-validation on known positions selects the mixtures for a marker.
//! With K the covariance of all samples and α = K⁻¹ y, the error on a held-out part B is `(K⁻¹_BB)⁻¹ α_B` and its
//! variance `(K⁻¹_BB)⁻¹`, so nothing is factored twice.

use super::frame::RigidFrame;
use glam::DVec3;
use sinew_geometry::solve::DenseCholesky;
use std::ops::Range;

/// The terms of a covariance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mixture {
    linear: f64,
    radial: f64,
    time: f64,
    /// Whether all neighbours are features, or the nearest only.
    far: bool,
    /// τ, one of [`TAUS`].
    tau: f64,
}

/// The values of τ, in seconds. Not tuned; cross-validation chooses among the mixtures.
const TAUS: [f64; 2] = [0.8, 0.3];
/// The mixtures that are tried in the rigid frame.
pub(super) const RIGID_FRAME_MIXTURES: [Mixture; 6] = [
    Mixture { linear: 0.0, radial: 0.0, time: 1.0, far: false, tau: TAUS[0] },
    Mixture { linear: 1.0, radial: 0.0, time: 0.1, far: false, tau: TAUS[1] },
    Mixture { linear: 1.0, radial: 1.0, time: 0.1, far: false, tau: TAUS[1] },
    Mixture { linear: 1.0, radial: 1.0, time: 0.02, far: false, tau: TAUS[1] },
    Mixture { linear: 1.0, radial: 1.0, time: 0.1, far: true, tau: TAUS[1] },
    Mixture { linear: 1.0, radial: 0.0, time: 0.1, far: true, tau: TAUS[1] },
];
/// The mixtures that are tried in the translating frame.
pub(super) const TRANSLATING_FRAME_MIXTURES: [Mixture; 2] = [
    Mixture { linear: 0.0, radial: 0.0, time: 1.0, far: false, tau: TAUS[0] },
    Mixture { linear: 1.0, radial: 0.0, time: 0.1, far: true, tau: TAUS[1] },
];
/// ℓ² in units of the mean square of the features. Not tuned.
const RADIUS: f64 = 0.4;
/// The largest distance of a predicted position from the mean, as a multiple of the largest measured one. It bounds an
/// extrapolation; not tuned.
const FARTHEST: f64 = 4.0;
/// The least weight of a mixture, relative to the best one. The weight is the inverse cube of the summed squared error,
/// so mixtures up to 1.5 times the least sum count. Not tuned.
const LEAST_SHARE: f64 = 0.3;
/// The least and the largest correction of the model's variance. It bounds the ratio where few held-out samples are
/// unreliable; not tuned.
const CALIBRATION: (f64, f64) = (0.1, 1e4);

/// One row of features for each of some frames, and the times in seconds.
#[derive(Debug, Clone, Default)]
pub(super) struct FeatureRows {
    pub times: Vec<f64>,
    pub features: Vec<f64>,
}

/// A position with the variance of each coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Guess {
    pub place: DVec3,
    pub variance: f64,
}

/// The positions of a marker in a moving frame, and the features to predict them from.
pub(super) struct RegressionData<'a> {
    /// Samples.
    pub rows: FeatureRows,
    /// The positions of the marker in them.
    pub places: Vec<DVec3>,
    /// The frames to predict.
    pub wanted: FeatureRows,
    /// The moving frame in each of them.
    pub frames: Vec<RigidFrame>,
    /// The number of features of the nearest neighbours, and of all neighbours.
    pub counts: [usize; 2],
    /// The mixtures to try.
    pub mixtures: &'a [Mixture],
    /// The least noise, as a share of the variance of the positions.
    pub noise: f64,
}

/// Regression data, prepared for its mixtures.
pub(super) struct Regression<'a> {
    data: &'a RegressionData<'a>,
    mean: DVec3,
    /// The variance of the positions.
    scale: f64,
    noise: f64,
    by_features: [FeatureCovariance; 2],
    by_time: [TimeCovariance; 2],
}

impl<'a> Regression<'a> {
    /// Prepares the data; `measured` is the measurement error of a position.
    pub fn new(data: &'a RegressionData<'a>, measured: f64) -> Self {
        let size = data.places.len().max(1) as f64;
        let mean = data.places.iter().sum::<DVec3>() / size;
        let deviation = data.places.iter().map(|p| p.distance_squared(mean)).sum::<f64>() / (3.0 * size);
        let scale = deviation.max(measured * measured).max(f64::MIN_POSITIVE);
        let by_features = [false, true].map(|far| FeatureCovariance::new(data, far));
        let by_time = TAUS.map(|tau| TimeCovariance::new(&data.rows.times, &data.wanted.times, tau));
        Self { data, mean, scale, noise: data.noise + measured * measured / scale, by_features, by_time }
    }

    /// The mean position, in the moving frame.
    pub fn mean(&self) -> Guess {
        Guess { place: self.mean, variance: self.scale }
    }

    /// All mixtures, with their errors on the held-out parts of the samples.
    pub fn fit(&self, held_out: &[Range<usize>]) -> Vec<Fitted<'_>> {
        let [near, all] = self.data.counts;
        let mean = self.mean;
        let targets: Vec<f64> = (0..3).flat_map(|c| self.data.places.iter().map(move |p| p[c] - mean[c])).collect();
        let has_features = |m: &&Mixture| m.linear == 0.0 || if m.far { all > near } else { near > 0 };
        let tried = self.data.mixtures.iter().filter(has_features);
        tried.filter_map(|&mixture| self.fit_one(mixture, held_out, &targets)).collect()
    }

    fn fit_one(&self, mixture: Mixture, held_out: &[Range<usize>], targets: &[f64]) -> Option<Fitted<'_>> {
        let size = self.data.places.len();
        let gram = Gram::new(&self.by_features[usize::from(mixture.far)], &self.by_time, &mixture);
        let entry = |i: usize, j: usize| gram.inside(i, j) + if i == j { self.noise } else { 0.0 };
        let factor = DenseCholesky::new(size, entry).ok()?;
        let count: usize = held_out.iter().map(Range::len).sum();
        let mut columns = vec![0.0; size * count];
        for (column, row) in held_out.iter().cloned().flatten().enumerate() {
            columns[column * size + row] = 1.0;
        }
        columns.extend(targets);
        factor.solve(size, &mut columns);
        let weights = columns.split_off(size * count);
        let (mut error, mut expected) = (0.0, 0.0);
        let mut first = 0;
        for part in held_out {
            let length = part.len();
            let entry = |i: usize, j: usize| columns[(first + i) * size + part.start + j];
            let small = DenseCholesky::new(length, entry).ok()?;
            let mut errors: Vec<f64> =
                (0..3).flat_map(|c| part.clone().map(move |row| c * size + row)).map(|k| weights[k]).collect();
            small.solve(length, &mut errors);
            error += errors.iter().map(|e| e * e).sum::<f64>();
            let mut identity: Vec<f64> = (0..length * length).map(|k| f64::from(k % (length + 1) == 0)).collect();
            small.solve(length, &mut identity);
            expected += 3.0 * self.scale * (0..length).map(|i| identity[i * (length + 1)]).sum::<f64>();
            first += length;
        }
        let calibration = if expected > 0.0 { (error / expected).clamp(CALIBRATION.0, CALIBRATION.1) } else { 1.0 };
        Some(Fitted { problem: self, gram, factor, weights, error, held_out: count, calibration })
    }
}

/// The mean of the mixtures' predictions, weighted by their accuracy; none without mixtures.
pub(super) fn average(fitted: &[Fitted<'_>]) -> Option<Vec<Guess>> {
    let least = fitted.iter().map(|f| f.error).min_by(f64::total_cmp)?.max(f64::MIN_POSITIVE);
    let share = |fitted: &Fitted<'_>| (least / fitted.error.max(f64::MIN_POSITIVE)).powi(3);
    let counting = fitted.iter().map(|f| (share(f), f)).filter(|(share, _)| *share > LEAST_SHARE);
    let predictions: Vec<(f64, Vec<Guess>)> = counting.map(|(share, f)| (share, f.guess())).collect();
    let total: f64 = predictions.iter().map(|(share, _)| share).sum();
    let rows = predictions.first()?.1.len();
    let mean = |row: usize| {
        let place = predictions.iter().map(|(share, g)| *share * g[row].place).sum::<DVec3>() / total;
        let variance = predictions.iter().map(|(share, g)| share * g[row].variance).sum::<f64>() / total;
        Guess { place, variance }
    };
    Some((0..rows).map(mean).collect())
}

/// A mixture that was fitted to the samples.
pub(super) struct Fitted<'a> {
    problem: &'a Regression<'a>,
    gram: Gram<'a>,
    factor: DenseCholesky,
    weights: Vec<f64>,
    /// The sum of squared errors of the held-out samples.
    error: f64,
    /// The number of held-out samples.
    held_out: usize,
    calibration: f64,
}

impl Fitted<'_> {
    /// The root mean square error of the held-out samples.
    pub fn mean_error(&self) -> f64 {
        (self.error / self.held_out.max(1) as f64).sqrt()
    }

    /// The predictions for the wanted rows, in the world.
    fn guess(&self) -> Vec<Guess> {
        let Regression { data, mean, scale, noise, .. } = self.problem;
        let (size, count) = (data.places.len(), data.wanted.times.len());
        let farthest = data.places.iter().map(|p| p.distance(*mean)).fold(0.0, f64::max) * FARTHEST;
        let across: Vec<f64> = (0..size * count).map(|k| self.gram.across(k)).collect();
        let mut solved = across.clone();
        self.factor.solve(size, &mut solved);
        let guess = |row: usize| {
            let (k, s) = (&across[row * size..][..size], &solved[row * size..][..size]);
            let along = |c: usize| dot(k, &self.weights[c * size..][..size]);
            let left = (self.gram.itself(row) - dot(k, s)).max(0.0) + noise;
            let offset = DVec3::new(along(0), along(1), along(2)).clamp_length_max(farthest);
            Guess { place: data.frames[row].outward(*mean + offset), variance: left * scale * self.calibration }
        };
        (0..count).map(guess).collect()
    }
}

/// The covariance of a mixture, among the samples and with the wanted rows.
struct Gram<'a> {
    by_features: &'a FeatureCovariance,
    by_time: &'a TimeCovariance,
    mixture: Mixture,
}

impl<'a> Gram<'a> {
    fn new(by_features: &'a FeatureCovariance, by_time: &'a [TimeCovariance; 2], mixture: &Mixture) -> Self {
        let by_time = if mixture.tau == TAUS[0] { &by_time[0] } else { &by_time[1] };
        Self { by_features, by_time, mixture: *mixture }
    }

    /// j is not above i.
    fn inside(&self, i: usize, j: usize) -> f64 {
        let k = i * self.by_features.size + j;
        self.mixture.covariance(self.by_features.inside[k], self.by_time.inside[k])
    }

    fn across(&self, k: usize) -> f64 {
        self.mixture.covariance(self.by_features.across[k], self.by_time.across[k])
    }

    fn itself(&self, row: usize) -> f64 {
        self.mixture.covariance([self.by_features.itself[row], 1.0], 1.0)
    }
}

/// Products of centred features, and their radial covariance; nothing where no mixture asks for them.
struct FeatureCovariance {
    size: usize,
    inside: Vec<[f64; 2]>,
    across: Vec<[f64; 2]>,
    itself: Vec<f64>,
}

impl FeatureCovariance {
    fn new(data: &RegressionData<'_>, far: bool) -> Self {
        let [near, stride] = data.counts;
        let (size, count) = (data.places.len(), data.wanted.times.len());
        let asks = |share: fn(&Mixture) -> f64| data.mixtures.iter().any(|m| m.far == far && share(m) != 0.0);
        let is_radial = asks(|mixture| mixture.radial);
        let used = match (far, is_radial || asks(|mixture| mixture.linear)) {
            (_, false) => 0,
            (true, _) => stride,
            (false, _) => near,
        };
        let mut mean = vec![0.0; used];
        for k in 0..size {
            let features = &data.rows.features[k * stride..][..used];
            mean.iter_mut().zip(features).for_each(|(m, f)| *m += f / size as f64);
        }
        let centered = |rows: &FeatureRows| -> Vec<f64> {
            let row = |k: usize| rows.features[k * stride..][..used].iter().zip(&mean).map(|(f, m)| f - m);
            (0..rows.times.len()).flat_map(row).collect()
        };
        let (samples, others) = (centered(&data.rows), centered(&data.wanted));
        let sample = |k: usize| &samples[k * used..][..used];
        let other = |k: usize| &others[k * used..][..used];
        let squares: Vec<f64> = (0..size).map(|k| dot(sample(k), sample(k))).collect();
        let square = squares.iter().sum::<f64>() / size as f64;
        let unit = if square > 0.0 { square.recip() } else { 0.0 };
        let pair = |product: f64, squares: f64| {
            let apart = unit * (squares - 2.0 * product).max(0.0);
            [unit * product, if is_radial { (-apart / (2.0 * RADIUS)).exp() } else { 0.0 }]
        };
        let mut inside = vec![[0.0; 2]; size * size];
        if used == 0 {
            return Self { size, inside, across: vec![[0.0; 2]; size * count], itself: vec![0.0; count] };
        }
        for i in 0..size {
            for j in 0..=i {
                inside[i * size + j] = pair(dot(sample(i), sample(j)), squares[i] + squares[j]);
            }
        }
        let mut across = Vec::with_capacity(size * count);
        let itself: Vec<f64> = (0..count).map(|k| dot(other(k), other(k))).collect();
        for (k, square) in itself.iter().enumerate() {
            across.extend((0..size).map(|i| pair(dot(other(k), sample(i)), square + squares[i])));
        }
        Self { size, inside, across, itself: itself.into_iter().map(|s| unit * s).collect() }
    }
}

/// The covariance in time.
struct TimeCovariance {
    inside: Vec<f64>,
    across: Vec<f64>,
}

impl TimeCovariance {
    fn new(samples: &[f64], wanted: &[f64], tau: f64) -> Self {
        let covariance = |s: f64, t: f64| {
            let apart = 3f64.sqrt() * (s - t).abs() / tau;
            (1.0 + apart) * (-apart).exp()
        };
        let mut inside = vec![0.0; samples.len() * samples.len()];
        for i in 0..samples.len() {
            (0..=i).for_each(|j| inside[i * samples.len() + j] = covariance(samples[i], samples[j]));
        }
        let across = wanted.iter().flat_map(|&t| samples.iter().map(move |&s| covariance(s, t))).collect();
        Self { inside, across }
    }
}

impl Mixture {
    fn covariance(&self, [product, radial]: [f64; 2], by_time: f64) -> f64 {
        self.linear * product + self.radial * radial + self.time * by_time
    }
}

/// Four sums at a time, always the same ones.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a4.zip(b4) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
