//! Fast marching: distances of bones around corners inside the body.
//!
//! The arrival time T of a wave of unit speed from a bone solves `|∇T| = 1` inside the body (J. Sethian, *A fast marching
//! level set method for monotonically advancing fronts*, 1996): points are accepted in order of T, and a neighbour gets the
//! largest root of
//!
//! ```text
//! Σ_axes max(T − T_a, 0)² = h²
//! ```
//!
//! with the smaller time T_a of its two neighbours on each axis. Near a surface steps are longer than h, and differ between
//! neighbours ([`Voxels`]): there the point gets the least root of
//!
//! ```text
//! Σ_k ((T − T_k)/h_k)² = 1,     T ≥ T_k
//! ```
//!
//! over all choices of one neighbour k on some of the axes, which is continuous in the h_k. The waves of all bones march
//! together, and a point passes on the [`WAVES_PER_POINT`] that arrive first: the cost does not grow with the number of
//! bones.

use super::arrival_queue::{Arrival, ArrivalQueue};
use super::straight_distances::BodySurface;
use super::voxels::Voxels;
use crate::bones::Segment;
use glam::{DVec3, IVec3};
use sinew_geometry::SegmentIntersection;

/// The number of waves that a point passes on. Not tuned.
const WAVES_PER_POINT: usize = 6;

/// Samples of a bone per grid spacing. Half a spacing apart, so that no cell along a bone is skipped.
const SAMPLES_PER_SPACING: f64 = 2.0;

/// Queue buckets per grid spacing; a granularity, without effect on results.
const BUCKETS_PER_SPACING: f32 = 16.0;

/// The range of grid points, in spacings, at which a path may start or end. Points fade out from [`FADING`] on. Any
/// place is within √3/2 spacings of a grid point, so at least one is never faded.
const ENDPOINT_RANGE: i32 = 2;
const FADING: f64 = 1.0;

/// The cosine to a vertex normal above which a path arrives without extra cost. Not tuned.
const MIN_FREE_COSINE: f64 = 0.2;

/// The excess length over the shortest path to a vertex, in grid spacings, up to which a path is tested for staying
/// inside, and up to which it contributes to the mean direction. Neither is tuned.
const TESTED_EXCESS: f64 = 1.0;
const BLENDED_EXCESS: f64 = 0.25;

/// A wave at a point: its bone and arrival time.
#[derive(Debug, Clone, Copy)]
struct Label {
    bone: u32,
    time: f32,
}

const NO_WAVE: Label = Label { bone: u32::MAX, time: f32::INFINITY };

/// The first waves to arrive at every grid point.
pub(crate) struct BoneWaves<'a> {
    body: &'a BodySurface<'a>,
    voxels: &'a Voxels,
    labels: Vec<[Label; WAVES_PER_POINT]>,
}

/// A path to a vertex around corners.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BonePath {
    pub bone: u32,
    pub length: f64,
    /// Its final direction.
    pub direction: DVec3,
}

impl<'a> BoneWaves<'a> {
    /// Sends a wave from every bone with grid points around it.
    pub fn new(body: &'a BodySurface<'a>, voxels: &'a Voxels, segments: &[Segment]) -> Self {
        let mut waves = Self { body, voxels, labels: vec![[NO_WAVE; WAVES_PER_POINT]; voxels.inside_count()] };
        let mut starts = vec![[NO_WAVE; WAVES_PER_POINT]; voxels.inside_count()];
        let mut crossings = Vec::new();
        for segment in segments {
            waves.start(segment, &mut starts, &mut crossings);
        }
        let mut queue = ArrivalQueue::new(voxels.spacing as f32 / BUCKETS_PER_SPACING);
        for (node, labels) in starts.iter().enumerate() {
            let started = labels.iter().filter(|label| label.bone != NO_WAVE.bone);
            started
                .filter(|label| label.time < f32::INFINITY)
                .for_each(|label| queue.push(Arrival::new(label.time, node, label.bone)));
        }
        while let Some(arrival) = queue.pop() {
            let (node, bone) = (arrival.node as usize, arrival.bone);
            let Some(free) = waves.free_label(node, bone) else { continue };
            waves.labels[node][free] = Label { bone, time: arrival.time() };
            for direction in 0..6 {
                let Some(neighbor) = voxels.neighbor(node, direction) else { continue };
                if waves.free_label(neighbor, bone).is_some() {
                    let time = waves.arrival(neighbor, bone);
                    if time < f32::INFINITY {
                        queue.push(Arrival::new(time, neighbor, bone));
                    }
                }
            }
        }
        waves
    }

    /// The free label of a point for the wave of a bone, unless it has passed or all labels are taken.
    fn free_label(&self, node: usize, bone: u32) -> Option<usize> {
        let labels = &self.labels[node];
        let free = labels.iter().position(|label| label.bone == NO_WAVE.bone)?;
        labels[..free].iter().all(|label| label.bone != bone).then_some(free)
    }

    /// Starts a wave at the points around a segment, where it is among the first.
    fn start(
        &self,
        segment: &Segment,
        starts: &mut [[Label; WAVES_PER_POINT]],
        crossings: &mut Vec<SegmentIntersection>,
    ) {
        let steps =
            (SAMPLES_PER_SPACING * segment.head.distance(segment.tail) / self.voxels.spacing).ceil().clamp(1.0, 1e4);
        let mut last = IVec3::MAX;
        for step in 0..=steps as usize {
            let corner = self.voxels.cell_of(segment.head.lerp(segment.tail, step as f64 / steps));
            if std::mem::replace(&mut last, corner) == corner {
                continue;
            }
            for cell in points_around(corner) {
                let Some(node) = self.voxels.node(cell) else { continue };
                let position = self.voxels.position(cell.as_uvec3());
                let origin = segment.nearest(position);
                let openness = self.voxels.openness(node) * self.fade_out(origin.distance(position));
                let shortest = (origin.distance(position) / openness) as f32;
                let labels = &mut starts[node];
                // The label of the same bone, or else the last.
                let slot = labels.iter().position(|other| other.bone == segment.bone).unwrap_or(WAVES_PER_POINT - 1);
                if shortest < labels[slot].time {
                    let time = (self.body.length(origin, position, crossings) / openness) as f32;
                    if time < labels[slot].time {
                        labels[slot] = Label { bone: segment.bone, time };
                        labels.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.bone.cmp(&b.bone)));
                    }
                }
            }
        }
    }

    /// The fade-out factor of a point at this distance from the end of a path.
    fn fade_out(&self, distance: f64) -> f64 {
        let [fading, last] = [FADING, ENDPOINT_RANGE.into()].map(|points| points * self.voxels.spacing);
        ((last - distance) / (last - fading)).clamp(0.0, 1.0)
    }

    /// The arrival time of a bone's wave at a point from its accepted neighbours.
    fn arrival(&self, node: usize, bone: u32) -> f32 {
        let spacing = self.voxels.spacing as f32;
        let passed = |other: usize| {
            let own = |time, label: &Label| if label.bone == bone { label.time } else { time };
            self.labels[other].iter().fold(f32::INFINITY, own)
        };
        if !self.voxels.has_unit_steps(node) {
            let steps = [0, 1, 2, 3, 4, 5].map(|direction| match self.voxels.step_from(node, direction) {
                (_, f32::INFINITY) => (f32::INFINITY, f32::INFINITY),
                (other, step) => (passed(other), step * spacing),
            });
            return least_root(&steps);
        }
        let time = |direction| passed(self.voxels.step_from(node, direction).0);
        root([0, 2, 4].map(|direction| (time(direction).min(time(direction + 1)), spacing)))
    }

    /// The paths to a vertex from the bones whose waves pass near it, in order of bones, then of length. Their last
    /// sections may leave the body.
    pub fn paths_to(&self, vertex: usize) -> Vec<BonePath> {
        let (point, normal) = (self.body.positions[vertex], self.body.normals[vertex]);
        let mut paths: Vec<BonePath> = Vec::new();
        for cell in points_around(self.voxels.cell_of(point)) {
            let Some(node) = self.voxels.node(cell) else { continue };
            let direction = point - self.voxels.position(cell.as_uvec3());
            let distance = direction.length();
            let cosine = if normal == DVec3::ZERO { 1.0 } else { normal.dot(direction.normalize_or(normal)) };
            let openness =
                self.voxels.openness(node) * self.fade_out(distance) * (cosine / MIN_FREE_COSINE).clamp(0.0, 1.0);
            if openness > 0.0 {
                let labels = self.labels[node].iter().filter(|label| label.bone != NO_WAVE.bone);
                let length = |label: &Label| f64::from(label.time) + distance / openness;
                paths.extend(labels.map(|label| BonePath { bone: label.bone, length: length(label), direction }));
            }
        }
        paths.sort_by(|a, b| a.bone.cmp(&b.bone).then(a.length.total_cmp(&b.length)));
        paths
    }

    /// The shortest of a bone's paths from [`BoneWaves::paths_to`], and whether any stays inside. Its direction is the mean of
    /// all that are about as short.
    pub fn shortest(
        &self,
        vertex: usize,
        paths: &[BonePath],
        crossings: &mut Vec<SegmentIntersection>,
    ) -> (BonePath, bool) {
        let (tested, blended) = (TESTED_EXCESS * self.voxels.spacing, BLENDED_EXCESS * self.voxels.spacing);
        let mut shortest = BonePath { length: f64::INFINITY, ..paths[0] };
        let mut is_inside = false;
        let mut lengths: Vec<f64> = Vec::new();
        for path in paths {
            let beyond = (path.length - paths[0].length) / tested;
            let length = paths[0].length + tested * beyond / (1.0 - beyond).max(0.0);
            if beyond >= 1.0 || length >= shortest.length + blended {
                break;
            }
            let outside_cost = self.body.outside_cost(vertex, path.direction, crossings);
            is_inside |= outside_cost == 0.0;
            lengths.push(length + outside_cost);
            shortest.length = shortest.length.min(length + outside_cost);
        }
        let weight = |length: f64| (1.0 - (length - shortest.length) / blended).max(0.0).powi(2);
        shortest.direction =
            lengths.iter().zip(paths).map(|(&length, path)| weight(length) * path.direction.normalize_or_zero()).sum();
        (shortest, is_inside)
    }
}

/// The grid points around a cell.
fn points_around(cell: IVec3) -> impl Iterator<Item = IVec3> {
    let side = 2 * ENDPOINT_RANGE;
    (0..side.pow(3)).map(move |k| cell + IVec3::new(k % side, k / side % side, k / side / side) - (ENDPOINT_RANGE - 1))
}

/// The least arrival time at a point, given the times at its neighbours −x, +x, −y, +y, −z, +z and the step lengths.
fn least_root(steps: &[(f32, f32); 6]) -> f32 {
    // Of two neighbours on an axis, one that is neither earlier nor nearer is never chosen.
    let on_axis = |axis: usize| match (steps[2 * axis], steps[2 * axis + 1]) {
        (a, b) if a.0 <= b.0 && a.1 <= b.1 => [a, a],
        (a, b) if b.0 <= a.0 && b.1 <= a.1 => [b, b],
        both => both.into(),
    };
    let distinct = |[a, b]: [(f32, f32); 2]| if a == b { 1 } else { 2 };
    let [x, y, z] = [0, 1, 2].map(on_axis);
    let mut least = f32::INFINITY;
    for &x in &x[..distinct(x)] {
        for &y in &y[..distinct(y)] {
            for &z in &z[..distinct(z)] {
                least = least.min(root([x, y, z]));
            }
        }
    }
    least
}

/// The arrival time at a point, given the times at one neighbour on each axis and the step lengths.
fn root(mut steps: [(f32, f32); 3]) -> f32 {
    steps.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (first, step) = steps[0];
    let mut root = first + step;
    // Times are relative to the first to avoid cancellation.
    let (mut weights, mut sum, mut squares) = (1.0 / (step * step), 0.0, 0.0);
    for &(time, step) in &steps[1..] {
        if root <= time {
            break;
        }
        let (time, weight) = (time - first, 1.0 / (step * step));
        weights += weight;
        sum += weight * time;
        squares += weight * time * time;
        let discriminant = sum * sum - weights * (squares - 1.0);
        root = first + (sum + discriminant.max(0.0).sqrt()) / weights;
    }
    root
}
