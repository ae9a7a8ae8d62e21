//! Which bones are nearest to every point inside the body, around corners?
//!
//! The arrival time T of a wave of speed one that a bone sends out, which solves `|∇T| = 1` inside the
//! body, by fast marching (J. Sethian, *A fast marching level set method for monotonically advancing
//! fronts*, 1996): points are settled in order of T, and a neighbour gets the largest root of
//!
//! ```text
//! Σ_axes max(T − T_a, 0)² = h²
//! ```
//!
//! with the smaller time T_a of its two neighbours on each axis. Near a surface a step of length h counts as longer, and not
//! the same from all neighbours ([`Voxels`]): there the point gets the least root of
//!
//! ```text
//! Σ_k ((T − T_k)/h_k)² = 1,     T ≥ T_k
//! ```
//!
//! over all choices of one neighbour k on some of the axes, which is continuous in the h_k. The waves of all bones march together, and
//! a point passes on those that arrive first, [`LABELS`] of them: the work does not grow with the number of
//! bones.

use super::arrival_queue::{Arrival, Front};
use super::bone_distances::Body;
use super::voxels::Voxels;
use crate::bones::Segment;
use glam::{DVec3, IVec3};
use sinew_geometry::Crossing;

/// Waves that a point passes on.
const LABELS: usize = 6;

/// Samples of a bone for each distance between points.
const SAMPLES: f64 = 2.0;

/// Parts of the time from one point to the next that arrivals are sorted into.
const BUCKETS: f32 = 16.0;

/// Points around a place that a path may start or end at, in each direction, so all that are within as many distances
/// between points. They take part less and less from [`FADING`] on.
const AROUND: i32 = 2;
const FADING: f64 = 1.0;

/// Cosine of the angle to the normal of a vertex from which a path may come without being hindered.
const BEHIND: f64 = 0.2;

/// How much longer a path may be than the shortest to the same vertex, in distances between points, before it is known
/// which of them stay inside; and after that, to have a part in where they come from.
const LONGER: f64 = 1.0;
const ALIKE: f64 = 0.25;

/// A wave at a point: whose it is, and when it arrived.
#[derive(Debug, Clone, Copy)]
struct Label {
    bone: u32,
    time: f32,
}

const NOBODY: Label = Label { bone: u32::MAX, time: f32::INFINITY };

/// The first waves to arrive at every point.
pub(crate) struct Waves<'a> {
    body: &'a Body<'a>,
    voxels: &'a Voxels,
    labels: Vec<[Label; LABELS]>,
}

/// A way to a vertex around corners.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    pub bone: u32,
    pub length: f64,
    /// Where it comes from in the end.
    pub direction: DVec3,
}

impl<'a> Waves<'a> {
    /// Sends a wave from every bone that has points of the body around.
    pub fn new(body: &'a Body<'a>, voxels: &'a Voxels, segments: &[Segment]) -> Self {
        let mut waves = Self { body, voxels, labels: vec![[NOBODY; LABELS]; voxels.inside_count()] };
        let mut starts = vec![[NOBODY; LABELS]; voxels.inside_count()];
        let mut found = Vec::new();
        for segment in segments {
            waves.start(segment, &mut starts, &mut found);
        }
        let mut front = Front::new(voxels.spacing as f32 / BUCKETS);
        for (node, labels) in starts.iter().enumerate() {
            let started = labels.iter().filter(|label| label.bone != NOBODY.bone);
            started
                .filter(|label| label.time < f32::INFINITY)
                .for_each(|label| front.push(Arrival::new(label.time, node, label.bone)));
        }
        while let Some(arrival) = front.pop() {
            let (node, bone) = (arrival.node as usize, arrival.bone);
            let Some(free) = waves.free_label(node, bone) else { continue };
            waves.labels[node][free] = Label { bone, time: arrival.time() };
            for direction in 0..6 {
                let Some(neighbor) = voxels.neighbor(node, direction) else { continue };
                if waves.free_label(neighbor, bone).is_some() {
                    let time = waves.arrival(neighbor, bone);
                    if time < f32::INFINITY {
                        front.push(Arrival::new(time, neighbor, bone));
                    }
                }
            }
        }
        waves
    }

    /// The label of a point that the wave of a bone may take, if it has not passed and not too many have.
    fn free_label(&self, node: usize, bone: u32) -> Option<usize> {
        let labels = &self.labels[node];
        let free = labels.iter().position(|label| label.bone == NOBODY.bone)?;
        labels[..free].iter().all(|label| label.bone != bone).then_some(free)
    }

    /// Offers a wave to the points around samples of a segment that it reaches straight, where it is among
    /// the first.
    fn start(&self, segment: &Segment, starts: &mut [[Label; LABELS]], found: &mut Vec<Crossing>) {
        let steps = (SAMPLES * segment.head.distance(segment.tail) / self.voxels.spacing).ceil().clamp(1.0, 1e4);
        let mut last = IVec3::MAX;
        for step in 0..=steps as usize {
            let corner = self.voxels.cell_of(segment.head.lerp(segment.tail, step as f64 / steps));
            if std::mem::replace(&mut last, corner) == corner {
                continue;
            }
            for cell in around(corner) {
                let Some(node) = self.voxels.node(cell) else { continue };
                let place = self.voxels.place(cell.as_uvec3());
                let origin = segment.nearest(place);
                let openness = self.voxels.openness(node) * self.nearness(origin.distance(place));
                let shortest = (origin.distance(place) / openness) as f32;
                let labels = &mut starts[node];
                // The place of an earlier offer by the same bone, or else of the last.
                let slot = labels.iter().position(|other| other.bone == segment.bone).unwrap_or(LABELS - 1);
                if shortest < labels[slot].time {
                    let time = (self.body.length(origin, place, found) / openness) as f32;
                    if time < labels[slot].time {
                        labels[slot] = Label { bone: segment.bone, time };
                        labels.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.bone.cmp(&b.bone)));
                    }
                }
            }
        }
    }

    /// How much a point takes part in paths that start or end at this distance.
    fn nearness(&self, distance: f64) -> f64 {
        let [fading, last] = [FADING, AROUND.into()].map(|points| points * self.voxels.spacing);
        ((last - distance) / (last - fading)).clamp(0.0, 1.0)
    }

    /// When the wave of a bone arrives at a point by those around it where it has passed.
    fn arrival(&self, node: usize, bone: u32) -> f32 {
        let spacing = self.voxels.spacing as f32;
        let passed = |other: usize| {
            let own = |time, label: &Label| if label.bone == bone { label.time } else { time };
            self.labels[other].iter().fold(f32::INFINITY, own)
        };
        if !self.voxels.is_plain(node) {
            let steps = [0, 1, 2, 3, 4, 5].map(|direction| match self.voxels.step_from(node, direction) {
                (_, f32::INFINITY) => (f32::INFINITY, f32::INFINITY),
                (other, step) => (passed(other), step * spacing),
            });
            return least_root(&steps);
        }
        let time = |direction| passed(self.voxels.step_from(node, direction).0);
        root([0, 2, 4].map(|direction| (time(direction).min(time(direction + 1)), spacing)))
    }

    /// The ways to a vertex of the surface from the bones whose waves pass by, around corners or not: in order of bones,
    /// and then of length. Whether they stay inside on their last piece is not known yet.
    pub fn at_vertex(&self, vertex: usize) -> Vec<Way> {
        let (point, normal) = (self.body.positions[vertex], self.body.normals[vertex]);
        let mut ends: Vec<Way> = Vec::new();
        for cell in around(self.voxels.cell_of(point)) {
            let Some(node) = self.voxels.node(cell) else { continue };
            let direction = point - self.voxels.place(cell.as_uvec3());
            let distance = direction.length();
            let cosine = if normal == DVec3::ZERO { 1.0 } else { normal.dot(direction.normalize_or(normal)) };
            let openness = self.voxels.openness(node) * self.nearness(distance) * (cosine / BEHIND).clamp(0.0, 1.0);
            if openness > 0.0 {
                let labels = self.labels[node].iter().filter(|label| label.bone != NOBODY.bone);
                let length = |label: &Label| f64::from(label.time) + distance / openness;
                ends.extend(labels.map(|label| Way { bone: label.bone, length: length(label), direction }));
            }
        }
        ends.sort_by(|a, b| a.bone.cmp(&b.bone).then(a.length.total_cmp(&b.length)));
        ends
    }

    /// The shortest way of a bone to a vertex, of those that [`Waves::at_vertex`] found in order of length, and whether
    /// one stays inside. It comes from where all that are about as short do.
    pub fn shortest(&self, vertex: usize, ways: &[Way], found: &mut Vec<Crossing>) -> (Way, bool) {
        let (longer, alike) = (LONGER * self.voxels.spacing, ALIKE * self.voxels.spacing);
        let mut shortest = Way { length: f64::INFINITY, ..ways[0] };
        let mut is_inside = false;
        let mut lengths: Vec<f64> = Vec::new();
        for way in ways {
            let beyond = (way.length - ways[0].length) / longer;
            let length = ways[0].length + longer * beyond / (1.0 - beyond).max(0.0);
            if beyond >= 1.0 || length >= shortest.length + alike {
                break;
            }
            let hindrance = self.body.hindrance(vertex, way.direction, found);
            is_inside |= hindrance == 0.0;
            lengths.push(length + hindrance);
            shortest.length = shortest.length.min(length + hindrance);
        }
        let part = |length: f64| (1.0 - (length - shortest.length) / alike).max(0.0).powi(2);
        shortest.direction =
            lengths.iter().zip(ways).map(|(&length, way)| part(length) * way.direction.normalize_or_zero()).sum();
        (shortest, is_inside)
    }
}

/// The points around a place whose cell this is.
fn around(cell: IVec3) -> impl Iterator<Item = IVec3> {
    let side = 2 * AROUND;
    (0..side.pow(3)).map(move |k| cell + IVec3::new(k % side, k / side % side, k / side / side) - (AROUND - 1))
}

/// The least time that solves the equation of a point for times at its neighbours −x, +x, −y, +y, −z, +z and the lengths
/// of the steps from there.
fn least_root(steps: &[(f32, f32); 6]) -> f32 {
    // Of the two on an axis, one that is neither earlier nor nearer is never chosen.
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

/// The time that solves the equation of a point for times at some points around it and the lengths of steps from there.
fn root(mut steps: [(f32, f32); 3]) -> f32 {
    steps.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (first, step) = steps[0];
    let mut root = first + step;
    // Times relative to the first, so that nothing is lost in their squares.
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
