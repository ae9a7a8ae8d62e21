//! Volume corrections: displacements of least weighted norm under the volume constraint.
//!
//! The norm is `Σ ‖uₖ‖²/γₖ`: γ is the compliance of a vertex, and γ = 0 fixes it. V is trilinear in the
//! coordinate vectors x, y, z, so along one axis it is linear and the minimiser is closed and exact:
//! `u = ΔV · γ ∂V / Σ γ (∂V)²` [R07 eq. 4.10, R09 eq. 4]. Along any field d, `V(p + t d)` is a cubic in t.
//!
//! Every correction has a *limit* for a single vertex's step. What cannot be done within it is returned, for
//! the caller to do elsewhere; without a limit only a surface without any gradient leaves something over.

use super::patch::Patch;
use glam::DVec3;
use sinew_geometry::Face;
use sinew_geometry::parallel::*;

/// The numbers that a correction works with.
#[derive(Debug, Clone, Default)]
pub struct Buffers {
    /// One for each movable vertex.
    along: Vec<f64>,
    /// How far each point goes, or the gradient there; zero where nothing moves.
    field: Vec<DVec3>,
    sums: Sums,
}

/// Room for sums over pieces of a patch's faces, which are the same on any number of threads.
#[derive(Debug, Clone, Default)]
pub struct Sums(Vec<DVec3>);

impl Sums {
    /// Room for a patch.
    pub fn new(patch: &Patch) -> Self {
        Self(vec![DVec3::ZERO; patch.faces().len().div_ceil(FACES_PER_SUM)])
    }

    /// The sum of what every face adds.
    fn over(&mut self, faces: &[Face], of_face: impl Fn(&Face) -> DVec3 + Sync) -> DVec3 {
        let pieces = self.0.par_iter_mut().zip(faces.par_chunks(FACES_PER_SUM));
        pieces.for_each(|(sum, faces)| *sum = faces.iter().map(&of_face).sum());
        self.0.iter().sum()
    }
}

/// Faces of a partial sum. Partial sums are added in order, so the number fixes how a sum is rounded.
const FACES_PER_SUM: usize = 1024;

impl Buffers {
    /// Room for a patch.
    pub fn new(patch: &Patch) -> Self {
        Self { along: vec![0.0; patch.movable().len()], field: vec![DVec3::ZERO; patch.len()], sums: Sums::new(patch) }
    }
}

/// Where a correction goes.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// How willingly each movable vertex moves.
    pub gamma: &'a [f64],
    /// The volume to add.
    pub volume: f64,
    /// The farthest that a vertex may go in one step.
    pub limit: f64,
    /// How much farther a vertex may go along one axis than it would along its normal. An axis that the surface
    /// hardly faces can only add volume by sliding far along it; what it cannot do goes to the other axes.
    pub balance: f64,
}

impl<'a> Request<'a> {
    /// Nothing to add, without limits.
    pub fn unlimited(gamma: &'a [f64]) -> Self {
        Self { gamma, volume: 0.0, limit: f64::INFINITY, balance: f64::INFINITY }
    }
}

/// Axis after axis, exactly: the axis of the largest share first [R07 §4.4, R09 §2.2 and §5]. What an axis
/// cannot take within the limits goes to the next one, and round again. Returns the volume that is left over.
pub fn exact(
    patch: &Patch,
    points: &mut [DVec3],
    request: Request<'_>,
    shares: [f64; 3],
    buffers: &mut Buffers,
) -> f64 {
    let mut left = request.volume;
    let mut room = [request.limit; 3];
    for _ in 0..AXIS_ROUNDS {
        let balanced = balanced_limit(patch, points, request, left, buffers);
        let mut carried = 0.0;
        for axis in largest_first(shares).into_iter().filter(|&axis| shares[axis] > 0.0) {
            let step = Request { volume: shares[axis] * left + carried, limit: room[axis].min(balanced), ..request };
            carried = along_axis(patch, points, step, axis, &mut room[axis], buffers);
        }
        left = carried;
        if left.abs() <= 1e-3 * request.volume.abs() {
            break;
        }
    }
    if left == 0.0 {
        return 0.0;
    }
    // The little that is left goes where it moves the surface least.
    patch.gradient(points, &mut buffers.field);
    let weighted =
        |axis: usize| buffers.field.iter().zip(request.gamma).map(|(g, w)| w * g[axis] * g[axis]).sum::<f64>();
    let open = [0, 1, 2].into_iter().filter(|&axis| shares[axis] > 0.0);
    match open.max_by(|&a, &b| weighted(a).total_cmp(&weighted(b))) {
        Some(axis) => {
            let step = Request { volume: left, limit: room[axis], ..request };
            along_axis(patch, points, step, axis, &mut room[axis], buffers)
        }
        None => left,
    }
}

/// Rounds over the axes, each with what the one before left over.
const AXIS_ROUNDS: usize = 3;

/// The farthest that `balance` lets a vertex go, from what all axes together would need.
fn balanced_limit(patch: &Patch, points: &[DVec3], request: Request<'_>, volume: f64, buffers: &mut Buffers) -> f64 {
    if request.balance.is_infinite() {
        return f64::INFINITY;
    }
    patch.gradient(points, &mut buffers.field);
    let (mut norm, mut longest) = (0.0, 0.0f64);
    for (g, gamma) in buffers.field.iter().zip(request.gamma) {
        norm += gamma * g.length_squared();
        longest = longest.max(gamma * gamma * g.length_squared());
    }
    let limit = request.balance * (volume / norm).abs() * longest.sqrt();
    if limit.is_finite() { limit } else { 0.0 }
}

/// The axes by their shares, the largest first, equal ones in order.
fn largest_first(shares: [f64; 3]) -> [usize; 3] {
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
    axes
}

/// One axis. Takes the farthest step of a vertex from the axis' `room`, and returns the volume that is left over.
fn along_axis(
    patch: &Patch,
    points: &mut [DVec3],
    request: Request<'_>,
    axis: usize,
    room: &mut f64,
    buffers: &mut Buffers,
) -> f64 {
    patch.gradient_along(axis, points, request.gamma, &mut buffers.along);
    let Some(step) = Step::new(&buffers.along, request, request.volume) else { return request.volume };
    for (k, (gradient, gamma)) in buffers.along.iter().zip(request.gamma).enumerate() {
        points[k][axis] += step.factor * gamma * gradient;
    }
    patch.close(points);
    *room = (*room - step.longest).max(0.0);
    request.volume - step.volume
}

/// How far along `γ ∂V` to go, what volume that adds, and how far it moves a vertex at most.
struct Step {
    factor: f64,
    volume: f64,
    longest: f64,
}

impl Step {
    fn new(gradient: &[f64], Request { gamma, limit, .. }: Request<'_>, volume: f64) -> Option<Self> {
        let (mut norm, mut longest) = (0.0, 0.0f64);
        for (g, w) in gradient.iter().zip(gamma) {
            norm += w * g * g;
            longest = longest.max((w * g).abs());
        }
        let factor = volume / norm;
        if !factor.is_finite() {
            return None;
        }
        let longest = factor.abs() * longest;
        let share = (limit / longest).min(1.0);
        Some(Self { factor: factor * share, volume: volume * share, longest: longest * share })
    }
}

/// All axes at once, to first order [R07 eq. 4.7]: exact for small changes only.
pub fn linear(
    patch: &Patch,
    points: &mut [DVec3],
    request: Request<'_>,
    shares: [f64; 3],
    buffers: &mut Buffers,
) -> f64 {
    let mut left = 0.0;
    buffers.field.fill(DVec3::ZERO);
    for axis in largest_first(shares).into_iter().filter(|&axis| shares[axis] > 0.0) {
        let volume = shares[axis] * request.volume + left;
        patch.gradient_along(axis, points, request.gamma, &mut buffers.along);
        left = volume;
        let Some(step) = Step::new(&buffers.along, request, volume) else { continue };
        left -= step.volume;
        for ((field, gradient), gamma) in buffers.field.iter_mut().zip(&buffers.along).zip(request.gamma) {
            field[axis] = step.factor * gamma * gradient;
        }
    }
    points.iter_mut().zip(&buffers.field).for_each(|(p, u)| *p += *u);
    patch.close(points);
    left
}

/// Along the normals, exactly [R07 §4.7]. The area-weighted normal *is* the direction of the gradient, so
/// `ρ n = γ ⟨n, ∂V⟩ n = γ ∂V`.
pub fn normal(patch: &Patch, points: &mut [DVec3], request: Request<'_>, buffers: &mut Buffers) -> f64 {
    patch.gradient(points, &mut buffers.field);
    buffers.field.iter_mut().zip(request.gamma).for_each(|(d, gamma)| *d *= *gamma);
    along_field(patch, points, &mut buffers.field, request, &mut buffers.sums)
}

/// Along any field of displacements of the movable vertices, exactly: the smallest `t` with
/// `V(p + t d) = V(p) + volume`. The field has room for all points of the patch and is zero where nothing moves; the
/// caps' centres follow. Returns the volume that is left over.
pub fn along_field(
    patch: &Patch,
    points: &mut [DVec3],
    field: &mut [DVec3],
    Request { volume, limit, .. }: Request<'_>,
    sums: &mut Sums,
) -> f64 {
    patch.close(field);
    let cubic = Cubic::of_volume(patch.faces(), points, field, sums);
    let longest = field.iter().map(|d| d.length_squared()).fold(0.0, f64::max).sqrt();
    if longest == 0.0 {
        return volume;
    }
    let farthest = limit / longest;
    let t = cubic.smallest_root(volume).unwrap_or(f64::INFINITY.copysign(volume * cubic.0[0]));
    let t = t.clamp(-farthest, farthest);
    if !t.is_finite() {
        return volume;
    }
    points.iter_mut().zip(field).for_each(|(p, d)| *p += t * *d);
    volume - cubic.at(t)
}

/// `c₀ t + c₁ t² + c₂ t³`.
#[derive(Debug, Clone, Copy)]
struct Cubic([f64; 3]);

impl Cubic {
    /// `V(p + t d) − V(p)` over the faces of a patch. Twelve times the volume under a face is
    /// `a·(b × s + c × d) + b·(c × d)` with `s = c + d`; a triangle has the same form with `s = 2c` and no d.
    fn of_volume(faces: &[Face], points: &[DVec3], field: &[DVec3], sums: &mut Sums) -> Self {
        let center = points.first().copied().unwrap_or_default();
        let at = |v: u32| Moving { place: points[v as usize] - center, step: field[v as usize] };
        let of_face = |face: &Face| match *face.corners() {
            [a, b, c, d] => {
                let [a, b, c, d] = [a, b, c, d].map(at);
                let far = c.cross(d);
                let near = b.cross(Moving { place: c.place + d.place, step: c.step + d.step });
                let [near, b] = [a.dot([0, 1, 2].map(|k| near[k] + far[k])), b.dot(far)];
                near + b
            }
            ref corners => {
                let [a, b, c] = [corners[0], corners[1], corners[2]].map(at);
                2.0 * a.dot(b.cross(c))
            }
        };
        Self((sums.over(faces, of_face) / 12.0).to_array())
    }

    fn at(&self, t: f64) -> f64 {
        ((self.0[2] * t + self.0[1]) * t + self.0[0]) * t
    }

    /// The root of `cubic(t) = value` nearest to 0 in the direction that the slope at 0 points to, before the
    /// slope turns; none if the cubic turns back before it gets there.
    fn smallest_root(&self, value: f64) -> Option<f64> {
        if value == 0.0 {
            return Some(0.0);
        }
        let [c0, c1, c2] = self.0;
        let direction = (value * c0).signum();
        let mut low = 0.0;
        let mut high = self.turn(direction);
        if !high.is_finite() {
            // No turn on this side: go out until the value is passed.
            high = direction * (value / c0).abs();
            while (self.at(high) - value) * value.signum() < 0.0 {
                low = high;
                high *= 2.0;
                if !high.is_finite() {
                    return None;
                }
            }
        } else if (self.at(high) - value) * value.signum() < 0.0 {
            return None;
        }
        // Newton's method, kept within the bracket by bisection.
        let mut t = (value / c0).clamp(low.min(high), low.max(high));
        for _ in 0..100 {
            let error = self.at(t) - value;
            if error * value.signum() < 0.0 {
                low = t;
            } else {
                high = t;
            }
            let slope = (3.0 * c2 * t + 2.0 * c1) * t + c0;
            let newton = t - error / slope;
            let inside = newton > low.min(high) && newton < low.max(high);
            let next = if inside { newton } else { 0.5 * (low + high) };
            if next == t || (next - t).abs() <= 1e-16 * t.abs() {
                break;
            }
            t = next;
        }
        Some(t)
    }

    /// Where the slope first vanishes on one side of 0; infinite if nowhere.
    fn turn(&self, direction: f64) -> f64 {
        let [c0, c1, c2] = self.0;
        // 3 c₂ t² + 2 c₁ t + c₀ = 0, without cancellation.
        let root = (c1 * c1 - 3.0 * c2 * c0).sqrt();
        let q = -(c1 + root.copysign(c1));
        let on_side = |t: f64| if t.is_finite() && t * direction > 0.0 { t } else { direction * f64::INFINITY };
        let (a, b) = (on_side(q / (3.0 * c2)), on_side(c0 / q));
        if a.abs() < b.abs() { a } else { b }
    }
}

/// `p + t d`.
#[derive(Debug, Clone, Copy)]
struct Moving {
    place: DVec3,
    step: DVec3,
}

impl Moving {
    /// The coefficients of 1, t and t² of a cross product.
    fn cross(self, other: Self) -> [DVec3; 3] {
        let mixed = self.place.cross(other.step) + self.step.cross(other.place);
        [self.place.cross(other.place), mixed, self.step.cross(other.step)]
    }

    /// The coefficients of t, t² and t³ of a dot product.
    fn dot(self, other: [DVec3; 3]) -> DVec3 {
        let Self { place, step } = self;
        let [first, second, third] = other;
        DVec3::new(step.dot(first) + place.dot(second), step.dot(second) + place.dot(third), step.dot(third))
    }
}

/// The volume between the faces of a patch and a point.
pub fn volume_of(faces: &[Face], points: &[DVec3], center: DVec3) -> f64 {
    faces.iter().map(|face| sinew_geometry::volume::signed_volume(face, |v| points[v as usize] - center)).sum()
}
