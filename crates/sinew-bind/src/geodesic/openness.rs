//! How freely does one point of a grid pass on to the next where a surface is near?
//!
//! A way that leaves a surface is closed. It does not close at once as a surface comes up to it, but in the
//! measure in which the distance d between them falls below [`NEAR`], and in the measure in which it would leave: with
//! the outward unit normal n of a triangle and the direction e of the way,
//!
//! ```text
//! openness = 1 − max over triangles of (1 − d/NEAR)₊ · clamp(1 + n·e/PARALLEL, 0, 1)
//! ```
//!
//! so that it is Lipschitz continuous in the positions, and zero where the way leaves a surface. A way that enters stays
//! open. A point of the grid that lies on a surface is not reached at all.

use glam::{DVec3, UVec3};
use sinew_geometry::{Face, closest};

/// The distance from which a surface makes itself felt, in distances between points.
const NEAR: f64 = 0.3;

/// Cosine of the angle to a surface up to which a way that enters is taken to run along it.
const PARALLEL: f64 = 0.25;

/// A surface in the coordinates of a grid, whose points have whole ones from zero to below `size`.
pub(super) struct Obstacles<'a> {
    pub size: UVec3,
    pub corners: &'a [DVec3],
    pub faces: &'a [Face],
    /// −1 for a surface that is inside out, else 1.
    pub outward: f64,
}

impl Obstacles<'_> {
    /// How much of the ways along an axis is closed, from every point to the next and back.
    pub fn closed_ways(&self, axis: usize) -> Vec<[f32; 2]> {
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
                    // Where the line is not farther than that from the triangle's plane.
                    let middle = (triangle.0[0] - start).dot(normal) / normal[axis];
                    let around = NEAR / normal[axis].abs();
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
                        let nearest = 1.0 - triangle.height_of_way(normal, start, axis) / NEAR;
                        if (0..2).all(|k| (nearest * leaves[k]) as f32 <= closed[k]) {
                            continue;
                        }
                        let near = 1.0 - triangle.distance_to_way(normal, start, axis) / NEAR;
                        (0..2).for_each(|k| closed[k] = closed[k].max((near * leaves[k]) as f32));
                    }
                }
            }
        }
        closed
    }

    /// How much each point is closed.
    pub fn closed_points(&self) -> Vec<f32> {
        let mut closed = vec![0.0f32; self.size.element_product() as usize];
        for triangle in self.triangles() {
            let (from, to) = self.points_between(triangle.low(), triangle.high());
            for z in from.z..=to.z {
                for y in from.y..=to.y {
                    for x in from.x..=to.x {
                        let point = UVec3::new(x, y, z);
                        let near = 1.0 - triangle.distance_to_point(point.as_dvec3()) / NEAR;
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

    /// The first and the last point in a box; the last is before the first where there is none.
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
    /// The lowest of the places that are near.
    fn low(&self) -> DVec3 {
        self.0[0].min(self.0[1]).min(self.0[2]) - NEAR
    }

    /// The highest of the places that are near.
    fn high(&self) -> DVec3 {
        self.0[0].max(self.0[1]).max(self.0[2]) + NEAR
    }

    /// Of unit length, or zero.
    fn normal(&self) -> DVec3 {
        let [a, b, c] = self.0;
        (b - a).cross(c - a).normalize_or_zero()
    }

    fn distance_to_point(&self, point: DVec3) -> f64 {
        let shares = closest(self.0, point);
        (0..3).map(|k| shares[k] * self.0[k]).sum::<DVec3>().distance(point)
    }

    /// How far the way of length one along an axis is from the plane of a triangle with this normal, at least.
    fn height_of_way(&self, normal: DVec3, start: DVec3, axis: usize) -> f64 {
        let height = (start - self.0[0]).dot(normal);
        let end = height + normal[axis];
        if height * end > 0.0 { height.abs().min(end.abs()) } else { 0.0 }
    }

    /// How far the way of length one along an axis is from a triangle with this normal.
    fn distance_to_way(&self, normal: DVec3, start: DVec3, axis: usize) -> f64 {
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
            // The end that is nearer to the plane.
            let (height, point) =
                if heights[0].abs() < heights[1].abs() { (heights[0].abs(), start) } else { (heights[1].abs(), end) };
            if height >= NEAR || is_over(point) {
                return height;
            }
        }
        let to_side = |k: usize| squared_distance(start, axis, self.0[k], self.0[(k + 1) % 3]);
        to_side(0).min(to_side(1)).min(to_side(2)).sqrt()
    }
}

/// The squared distance between a way of length one along an axis and a segment.
fn squared_distance(start: DVec3, axis: usize, from: DVec3, to: DVec3) -> f64 {
    let (side, between) = (to - from, start - from);
    let (length, along) = (side.length_squared(), side.dot(between));
    // As if the way had no ends, then with its ends, then with those of the segment.
    let across = length - side[axis] * side[axis];
    let on_way = if across > 0.0 { (side[axis] * along - between[axis] * length) / across } else { 0.0 };
    let on_side = if length > 0.0 { (along + side[axis] * on_way.clamp(0.0, 1.0)) / length } else { 0.0 };
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
        /// Against the nearest of many points of the way.
        #[test]
        fn a_way_is_as_far_from_a_triangle_as_its_nearest_point(
            corners in prop::array::uniform3(point()), start in point(), axis in 0..3usize,
        ) {
            let triangle = Triangle(corners);
            let found = triangle.distance_to_way(triangle.normal(), start, axis);
            let places = (0..=100).map(|k| {
                let mut place = start;
                place[axis] += f64::from(k) / 100.0;
                place
            });
            let least = places.map(|place| triangle.distance_to_point(place)).fold(f64::INFINITY, f64::min);
            // What is not near need not be known.
            prop_assert!(found.min(NEAR) <= least + 1e-9, "{found} against {least}");
            prop_assert!(least.min(NEAR) <= found + 0.006, "{found} against {least}");
        }
    }
}
