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
//! with the smaller time T_a of its two neighbours on each axis. The waves of all bones march together, and
//! a point passes on those that arrive first, [`LABELS`] of them: the work does not grow with the number of
//! bones. A wave passes only between points that reach each other ([`Voxels`]).

use super::bones::Segment;
use super::front::{Arrival, Front};
use super::reach::Body;
use super::voxels::Voxels;
use crate::geometry::Crossing;
use glam::{DVec3, IVec3};

/// Waves that a point passes on.
const LABELS: usize = 6;

/// Samples of a bone for each distance between points.
const SAMPLES: f64 = 2.0;

/// Parts of the time from one point to the next that arrivals are sorted into.
const BUCKETS: f32 = 16.0;

/// Points around a vertex that a path may end at, in each direction.
const AROUND: i32 = 2;

/// A wave at a point: whose it is, and when it arrived.
#[derive(Debug, Clone, Copy)]
struct Label {
    bone: u32,
    time: f32,
}

const NOBODY: Label = Label { bone: u32::MAX, time: f32::INFINITY };

/// The first waves to arrive at every point.
pub(super) struct Waves<'a> {
    body: &'a Body<'a>,
    voxels: &'a Voxels,
    labels: Vec<[Label; LABELS]>,
}

/// A way to a vertex around corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
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
            started.for_each(|label| front.push(Arrival::new(label.time, node, label.bone)));
        }
        while let Some(arrival) = front.pop() {
            let (node, bone) = (arrival.node as usize, arrival.bone);
            let Some(free) = waves.free_label(node, bone) else { continue };
            waves.labels[node][free] = Label { bone, time: arrival.time() };
            for direction in 0..6 {
                let Some(neighbor) = voxels.neighbor(node, direction) else { continue };
                if waves.free_label(neighbor, bone).is_some() {
                    front.push(Arrival::new(waves.arrival(neighbor, bone), neighbor, bone));
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
            for k in 0..8 {
                let cell = corner + IVec3::new(k & 1, k >> 1 & 1, k >> 2);
                let Some(node) = self.voxels.node(cell) else { continue };
                let place = self.voxels.place(cell.as_uvec3());
                let origin = segment.nearest(place);
                let label = Label { bone: segment.bone, time: origin.distance(place) as f32 };
                let labels = &mut starts[node];
                // The place of an earlier offer by the same bone, or else of the last.
                let slot = labels.iter().position(|other| other.bone == label.bone).unwrap_or(LABELS - 1);
                if label.time < labels[slot].time && self.body.outside_length(origin, place, found) == 0.0 {
                    labels[slot] = label;
                    labels.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.bone.cmp(&b.bone)));
                }
            }
        }
    }

    /// When the wave of a bone arrives at a point by those around it where it has passed.
    fn arrival(&self, node: usize, bone: u32) -> f32 {
        let spacing = self.voxels.spacing as f32;
        let time = |direction| {
            let Some(other) = self.voxels.neighbor_into(node, direction) else { return f32::INFINITY };
            let own = |time, label: &Label| if label.bone == bone { label.time } else { time };
            self.labels[other].iter().fold(f32::INFINITY, own)
        };
        let mut times = [time(0).min(time(1)), time(2).min(time(3)), time(4).min(time(5))];
        times.sort_unstable_by(f32::total_cmp);
        let mut arrival = times[0] + spacing;
        let mut sum = 0.0;
        // Times relative to the first, so that nothing is lost in their squares.
        let mut squares = 0.0;
        for (count, &next) in (2..).zip(&times[1..]) {
            if arrival <= next {
                break;
            }
            sum += next - times[0];
            squares += (next - times[0]) * (next - times[0]);
            let count = count as f32;
            let discriminant = sum * sum - count * (squares - spacing * spacing);
            arrival = times[0] + (sum + discriminant.max(0.0).sqrt()) / count;
        }
        arrival
    }

    /// The ways to a vertex of the surface from the bones whose waves pass by, around corners or not: in order of bones,
    /// and then of length.
    pub fn at_vertex(&self, vertex: usize) -> Vec<Way> {
        let (point, normal) = (self.body.positions[vertex], self.body.normals[vertex]);
        let corner = self.voxels.cell_of(point);
        let side = 2 * AROUND;
        let mut ends: Vec<Way> = Vec::new();
        for k in 0..side.pow(3) {
            let offset = IVec3::new(k % side, k / side % side, k / side / side) - IVec3::splat(AROUND - 1);
            let Some(node) = self.voxels.node(corner + offset) else { continue };
            let direction = point - self.voxels.place(self.voxels.cell(node));
            if direction.dot(normal) >= 0.0 {
                let labels = self.labels[node].iter().filter(|label| label.bone != NOBODY.bone);
                ends.extend(labels.map(|label| Way {
                    bone: label.bone,
                    length: f64::from(label.time) + direction.length(),
                    direction,
                }));
            }
        }
        ends.sort_by(|a, b| a.bone.cmp(&b.bone).then(a.length.total_cmp(&b.length)));
        ends
    }

    /// Whether a way to a vertex stays inside on its last piece.
    pub fn arrives(&self, vertex: usize, way: &Way, found: &mut Vec<Crossing>) -> bool {
        let point = self.body.positions[vertex];
        self.body.outside_length(point - way.direction, point, found) == 0.0
    }
}
