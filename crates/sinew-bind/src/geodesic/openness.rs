//! Openness of grid edges near a surface.
//!
//! A grid edge that leaves a surface is closed. It closes gradually as a surface approaches within [`NEAR_DISTANCE`], and by
//! the angle at which it would leave: with the distance d, the outward unit normal n of a triangle and the direction e of
//! the edge,
//!
//! ```text
//! openness = 1 − max over triangles of (1 − d/NEAR_DISTANCE)₊ · clamp(1 + n·e/PARALLEL, 0, 1)
//! ```
//!
//! It is Lipschitz continuous in the positions, and zero where the edge leaves a surface. An edge that enters stays open. A
//! grid point on a surface is closed.

use glam::{DVec3, UVec3};
use sinew_geometry::{Face, closest};

/// The distance at which a surface begins to close edges, in grid spacings. Not tuned.
const NEAR_DISTANCE: f64 = 0.3;

/// The cosine to a surface's normal up to which an entering edge counts as parallel to it. Not tuned.
const PARALLEL: f64 = 0.25;

/// A surface in grid coordinates, in which grid points are integers from zero to below `size`.
pub(super) struct SurfaceObstacles<'a> {
    pub size: UVec3,
    pub corners: &'a [DVec3],
    pub faces: &'a [Face],
    /// −1 for an inverted surface, else 1.
    pub outward: f64,
}

impl SurfaceObstacles<'_> {
    /// How far the edges along an axis are closed, from every point to the next and back.
    pub fn closed_edges(&self, axis: usize) -> Vec<[f32; 2]> {
        let mut closed = vec![[0.0f32; 2]; self.size.element_product() as usize];
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for triangle in self.triangles() {
            let (low, high) = (triangle.low(), triangle.high());
            let (from, to) = self.points_between(low, high);
            if from[u] > to[u] || from[v] > to[v] {
                continue;
            }
            let normal = self.outward * triangle.normal();
            let leaves = [normal[axis], -normal[axis]].map(|cosine| (1.0 + cosine / PARALLEL).clamp(0.0, 1.0));
            for y in from[v]..=to[v] {
                for x in from[u]..=to[u] {
                    let mut start = DVec3::ZERO;
                    (start[u], start[v]) = (f64::from(x), f64::from(y));
                    // The part of the line near the triangle's plane.
                    let middle = (triangle.0[0] - start).dot(normal) / normal[axis];
                    let around = NEAR_DISTANCE / normal[axis].abs();
                    let first = low[axis].max(middle - around).max(0.0);
                    let last = high[axis].min(middle + around).min(f64::from(self.size[axis]) - 1.5);
                    if first > last {
                        continue;
                    }
                    let mut point = UVec3::ZERO;
                    (point[u], point[v]) = (x, y);
                    for z in first as u32..=last as u32 {
                        (start[axis], point[axis]) = (f64::from(z), z);
                        let closed = &mut closed[self.index(point)];
                        let nearest = 1.0 - triangle.plane_distance(normal, start, axis) / NEAR_DISTANCE;
                        if (0..2).all(|k| (nearest * leaves[k]) as f32 <= closed[k]) {
                            continue;
                        }
                        let near = 1.0 - triangle.distance_to_edge(normal, start, axis) / NEAR_DISTANCE;
                        (0..2).for_each(|k| closed[k] = closed[k].max((near * leaves[k]) as f32));
                    }
                }
            }
        }
        closed
    }

    /// How far each point is closed.
    pub fn closed_points(&self) -> Vec<f32> {
        let mut closed = vec![0.0f32; self.size.element_product() as usize];
        for triangle in self.triangles() {
            let (from, to) = self.points_between(triangle.low(), triangle.high());
            for z in from.z..=to.z {
                for y in from.y..=to.y {
                    for x in from.x..=to.x {
                        let point = UVec3::new(x, y, z);
                        let near = 1.0 - triangle.distance_to_point(point.as_dvec3()) / NEAR_DISTANCE;
                        let closed = &mut closed[self.index(point)];
                        *closed = closed.max(near as f32);
                    }
                }
            }
        }
        closed
    }

    fn triangles(&self) -> impl Iterator<Item = Triangle> {
        let triangles = self.faces.iter().flat_map(Face::triangles);
        triangles.map(|triangle| Triangle(triangle.map(|corner| self.corners[corner as usize])))
    }

    /// The first and the last point in a box; the last is before the first if there is none.
    fn points_between(&self, low: DVec3, high: DVec3) -> (UVec3, UVec3) {
        (low.ceil().max(DVec3::ZERO).as_uvec3(), high.as_uvec3().min(self.size - UVec3::ONE))
    }

    fn index(&self, point: UVec3) -> usize {
        (point.z as usize * self.size.y as usize + point.y as usize) * self.size.x as usize + point.x as usize
    }
}

/// The corners of a triangle.
struct Triangle([DVec3; 3]);

impl Triangle {
    /// The lower corner of the box of near points.
    fn low(&self) -> DVec3 {
        self.0[0].min(self.0[1]).min(self.0[2]) - NEAR_DISTANCE
    }

    /// The upper corner of the box of near points.
    fn high(&self) -> DVec3 {
        self.0[0].max(self.0[1]).max(self.0[2]) + NEAR_DISTANCE
    }

    /// The unit normal, or zero.
    fn normal(&self) -> DVec3 {
        let [a, b, c] = self.0;
        (b - a).cross(c - a).normalize_or_zero()
    }

    fn distance_to_point(&self, point: DVec3) -> f64 {
        let shares = closest(self.0, point);
        (0..3).map(|k| shares[k] * self.0[k]).sum::<DVec3>().distance(point)
    }

    /// A lower bound of the distance of a unit edge from a triangle: its distance from the plane with this normal.
    fn plane_distance(&self, normal: DVec3, start: DVec3, axis: usize) -> f64 {
        let height = (start - self.0[0]).dot(normal);
        let end = height + normal[axis];
        if height * end > 0.0 { height.abs().min(end.abs()) } else { 0.0 }
    }

    /// The distance of a unit edge along an axis from a triangle with this normal.
    fn distance_to_edge(&self, normal: DVec3, start: DVec3, axis: usize) -> f64 {
        let mut end = start;
        end[axis] += 1.0;
        let heights = [start, end].map(|point| (point - self.0[0]).dot(normal));
        let is_over = |point: DVec3| {
            let turn = |k: usize| (self.0[(k + 1) % 3] - self.0[k]).cross(point - self.0[k]).dot(normal);
            let turns = [turn(0), turn(1), turn(2)];
            turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0)
        };
        if (heights[0] < 0.0) != (heights[1] < 0.0) {
            if is_over(start.lerp(end, heights[0] / (heights[0] - heights[1]))) {
                return 0.0;
            }
        } else {
            // The end nearer to the plane.
            let (height, point) =
                if heights[0].abs() < heights[1].abs() { (heights[0].abs(), start) } else { (heights[1].abs(), end) };
            if height >= NEAR_DISTANCE || is_over(point) {
                return height;
            }
        }
        let to_side = |k: usize| squared_distance(start, axis, self.0[k], self.0[(k + 1) % 3]);
        to_side(0).min(to_side(1)).min(to_side(2)).sqrt()
    }
}

/// The squared distance between a unit edge along an axis and a segment.
fn squared_distance(start: DVec3, axis: usize, from: DVec3, to: DVec3) -> f64 {
    let (side, between) = (to - from, start - from);
    let (length, along) = (side.length_squared(), side.dot(between));
    // The closest points of the two lines, clamped to the edge, then to the segment.
    let across = length - side[axis] * side[axis];
    let on_edge = if across > 0.0 { (side[axis] * along - between[axis] * length) / across } else { 0.0 };
    let on_side = if length > 0.0 { (along + side[axis] * on_edge.clamp(0.0, 1.0)) / length } else { 0.0 };
    let on_side = on_side.clamp(0.0, 1.0);
    let mut apart = between - on_side * side;
    apart[axis] += (on_side * side[axis] - between[axis]).clamp(0.0, 1.0);
    apart.length_squared()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-2.0..2.0f64).prop_map(DVec3::from)
    }

    proptest! {
        /// Compares with the nearest of many points of the edge.
        #[test]
        fn an_edge_is_as_far_from_a_triangle_as_its_nearest_point(
            corners in prop::array::uniform3(point()), start in point(), axis in 0..3usize,
        ) {
            let triangle = Triangle(corners);
            let found = triangle.distance_to_edge(triangle.normal(), start, axis);
            let samples = (0..=100).map(|k| {
                let mut sample = start;
                sample[axis] += f64::from(k) / 100.0;
                sample
            });
            let least = samples.map(|sample| triangle.distance_to_point(sample)).fold(f64::INFINITY, f64::min);
            // Distances beyond the range need not be exact.
            prop_assert!(found.min(NEAR_DISTANCE) <= least + 1e-9, "{found} against {least}");
            prop_assert!(least.min(NEAR_DISTANCE) <= found + 0.006, "{found} against {least}");
        }
    }
}
