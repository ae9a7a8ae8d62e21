//! A cotangent Laplacian with non-negative weights for any surface.
//!
//! The cotangent Laplacian of a piecewise linear function w, as a network of conductances:
//!
//! ```text
//! (L w)_i = Σ_j c_ij (w_i − w_j)      c_ij = ½ Σ cot(angle opposite to edge ij), over the triangles at it
//! ```
//!
//! (U. Pinkall, K. Polthier, *Computing discrete minimal surfaces and their conjugates*, 1993), with the
//! mixed Voronoi area around each vertex (M. Meyer et al., *Discrete differential-geometry operators for
//! triangulated 2-manifolds*, 2003). `wᵀ L w` is the Dirichlet energy of w; conductances have no unit.
//!
//! It is made from the lengths of edges alone, so it does not ask which way faces are wound nor how many
//! of them meet at an edge, and a face that is there twice counts once. Three things keep it safe on any
//! input, and exact where nothing is wrong:
//!
//! - A triangle whose sides `a ≥ b ≥ c` do not keep `b + c − a ≥ δ a` gets the same length added to all
//!   three until they do (N. Sharp, K. Crane, *A Laplacian for nonmanifold triangle meshes*, 2020, for each
//!   triangle on its own). No cotangent is larger than `1/δ + 1` then.
//! - A quad is split along the diagonal of larger conductance, which in a plane is the Delaunay choice: its
//!   conductance is not negative. Where those of both diagonals are next to the same, the quad is split both
//!   ways and each counts in part, so that the operator is continuous in the positions.
//! - Negative conductances, which would let values leave the range of those around them, are made good
//!   from the detour over the obtuse corner opposite. With conductances p and q along that detour, which
//!   in a row are `pq / (p + q)`, both shrink by the factor that takes the deficit from this: the ends of
//!   the edge stay coupled as they were. The hairline triangle of a vertex that lies on its neighbour's
//!   edge comes down to the edge split in two. What is still below a floor next to nothing is raised to
//!   it, so that no edge is cut and values stay within their range: the matrix is that of a connected
//!   network.
//!
//! Cost: linear in the number of faces; edges are merged by counting and sorting around each vertex.

use super::{Face, Rows};
use crate::parallel::*;
use glam::DVec3;

/// What the two shorter sides of a triangle must have over the longest, as a share of the longest. Caps
/// flatter than 1 : 450 and needles thinner than 1 : 100 000 are below.
const MARGIN: f64 = 1e-5;

/// The least conductance of an edge, where 1 is that of two neighbouring squares' common side. It is large beside the
/// rounding of a sum (1e-16) and small beside any edge of a proper triangle.
const FLOOR: f64 = 1e-10;

/// The difference in conductance of the two diagonals of a quad from which it is split along one only. With an
/// immediate change of diagonal, weights at fingers stepped by up to 0.003; the width is not tuned.
const DECIDED: f64 = 0.005;

/// The conductances of a surface's edges, and the areas around its vertices.
///
/// ```
/// use glam::DVec3;
/// use sinew_geometry::{Face, SurfaceLaplacian};
///
/// let corners = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]].map(DVec3::from);
/// let laplacian = SurfaceLaplacian::new(&corners, &[Face::quad(0, 1, 2, 3)]);
/// assert!(laplacian.areas().iter().all(|area| (area - 0.25).abs() < 1e-15));
/// let side = laplacian.edges().iter().position(|&edge| edge == (0, 1)).unwrap();
/// assert!((laplacian.weights()[side] - 0.5).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceLaplacian {
    edges: Vec<(u32, u32)>,
    weights: Vec<f64>,
    areas: Vec<f64>,
}

impl SurfaceLaplacian {
    /// Measures a surface over *welded* vertices, such as [`super::Topology::faces`]. Triangles that name
    /// a vertex twice or have a corner that is not finite are left out.
    ///
    /// # Panics
    /// If a face names a vertex that `positions` does not have.
    pub fn new(positions: &[DVec3], faces: &[Face]) -> Self {
        let (triangles, shares) = distinct_triangles(positions, faces);
        let (mut halves, corner_areas): (Vec<[f64; 3]>, Vec<[f64; 3]>) = triangles
            .par_iter()
            .zip(&shares)
            .map(|(triangle, &share)| {
                let (halves, areas) = measure(triangle.map(|v| positions[v as usize]));
                (halves.map(|half| share * half), areas.map(|area| share * area))
            })
            .unzip();
        let mut areas = vec![0.0; positions.len()];
        for (triangle, corner_areas) in triangles.iter().zip(&corner_areas) {
            triangle.iter().zip(corner_areas).for_each(|(&vertex, area)| areas[vertex as usize] += area);
        }
        let sides = Sides::new(positions.len(), &triangles);
        let detours = sides.detours(&halves);
        for Detour { side, deficit } in detours {
            let half = &mut halves[side / 3];
            let (p, q) = (half[(side + 1) % 3], half[(side + 2) % 3]);
            let factor = 1.0 - deficit * (p + q) / (p * q);
            half[side % 3] += deficit;
            half[(side + 1) % 3] *= factor;
            half[(side + 2) % 3] *= factor;
        }
        let (edges, weights) = sides.edges(&|run| total(run, &halves).max(FLOOR)).unzip();
        Self { edges, weights, areas }
    }

    /// The edges, each once, its lower vertex first, in increasing order.
    pub fn edges(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// The conductance c of each edge: positive, without a unit.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The area around each vertex; zero where there is no face. They add up to that of the surface.
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// The operator over some of the vertices, in this order, that have no edges to others.
    pub fn restricted(&self, members: &[u32]) -> Self {
        let mut place = vec![u32::MAX; self.areas.len()];
        (0..).zip(members).for_each(|(member, &vertex)| place[vertex as usize] = member);
        let kept = self.edges.iter().zip(&self.weights).filter_map(|(&(a, b), &weight)| {
            let (a, b) = (place[a as usize], place[b as usize]);
            (a != u32::MAX && b != u32::MAX).then_some(((a, b), weight))
        });
        let (edges, weights) = kept.unzip();
        Self { edges, weights, areas: members.iter().map(|&vertex| self.areas[vertex as usize]).collect() }
    }

    /// The diagonal of L: the sum of conductances at each vertex. The other entries are `−c` at each edge.
    pub fn diagonal(&self) -> Vec<f64> {
        let mut diagonal = vec![0.0; self.areas.len()];
        for (&(a, b), weight) in self.edges.iter().zip(&self.weights) {
            diagonal[a as usize] += weight;
            diagonal[b as usize] += weight;
        }
        diagonal
    }
}

/// The triangles of a surface, corners in increasing order, each once, in increasing order: whatever
/// order and direction the faces had, sums over them have the same bits. And in which part each counts.
fn distinct_triangles(positions: &[DVec3], faces: &[Face]) -> (Vec<[u32; 3]>, Vec<f64>) {
    let is_proper = |&([a, b, c], share): &([u32; 3], f64)| {
        share > 0.0 && a < b && b < c && [a, b, c].iter().all(|&v| positions[v as usize].is_finite())
    };
    let split = |face: &Face| {
        let parts = match *face.corners() {
            [a, b, c, d] => split_quad(positions, [a, b, c, d]).map(Some),
            [a, b, c] => [Some(([a, b, c], 1.0)), None, None, None],
            _ => [None; 4],
        };
        parts.into_iter().flatten().map(|(mut triangle, share)| {
            triangle.sort_unstable();
            (triangle, share)
        })
    };
    let triangles: Vec<([u32; 3], f64)> = faces.par_iter().flat_map_iter(split).filter(is_proper).collect();
    let mut by_lowest_corner = Rows::grouped(positions.len(), triangles.iter().map(|(t, _)| t[0]));
    by_lowest_corner.sort_rows_by_key(&|t| triangles[t as usize].0);
    let mut sorted: Vec<([u32; 3], f64)> =
        by_lowest_corner.values().par_iter().map(|&t| triangles[t as usize]).collect();
    sorted.dedup_by(|again, first| {
        let is_same = again.0 == first.0;
        if is_same {
            first.1 = first.1.max(again.1);
        }
        is_same
    });
    sorted.into_iter().unzip()
}

/// The triangles on either side of each diagonal of a quad, and in which part they count: wholly at the diagonal of
/// larger conductance where it is decided which that is.
fn split_quad(positions: &[DVec3], [a, b, c, d]: [u32; 4]) -> [([u32; 3], f64); 4] {
    let half_cotangent = |corners: [u32; 3]| measure(corners.map(|v| positions[v as usize])).0[0];
    let first = half_cotangent([b, a, c]) + half_cotangent([d, a, c]);
    let second = half_cotangent([a, b, d]) + half_cotangent([c, b, d]);
    // Where a corner is not finite one triangle at most is left.
    let share = |beyond: f64| if beyond.is_nan() { 1.0 } else { (0.5 + 0.5 * beyond / DECIDED).clamp(0.0, 1.0) };
    let shares = [share(first - second), share(second - first)];
    [([a, b, c], shares[0]), ([a, c, d], shares[0]), ([a, b, d], shares[1]), ([b, c, d], shares[1])]
}

/// Half the cotangent of each angle of a triangle and the area around each corner, from the lengths of its
/// sides, by Heron's formula with Kahan's order of terms.
fn measure(corners: [DVec3; 3]) -> ([f64; 3], [f64; 3]) {
    let opposite = [0, 1, 2].map(|k| corners[(k + 1) % 3].distance(corners[(k + 2) % 3]));
    let longest = opposite[0].max(opposite[1]).max(opposite[2]);
    if longest == 0.0 {
        return ([0.5 / 3f64.sqrt(); 3], [0.0; 3]);
    }
    let mut sides = opposite.map(|length| length / longest);
    let [a, b, c] = descending(sides);
    let missing = (MARGIN - (c - (a - b))).max(0.0);
    sides = sides.map(|side| side + missing);
    let [a, b, c] = descending(sides);
    let area = 0.25 * ((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))).sqrt();
    let squares = sides.map(|side| side * side);
    let halves = [0, 1, 2].map(|k| (squares[(k + 1) % 3] + squares[(k + 2) % 3] - squares[k]) / (8.0 * area));
    let share = match halves.iter().position(|&half| half < 0.0) {
        Some(obtuse) => [0, 1, 2].map(|k| area * if k == obtuse { 0.5 } else { 0.25 }),
        None => [0, 1, 2].map(|k| {
            let (next, last) = ((k + 1) % 3, (k + 2) % 3);
            0.25 * (squares[next] * halves[next] + squares[last] * halves[last])
        }),
    };
    (halves, share.map(|area| area * longest * longest))
}

fn descending(mut sides: [f64; 3]) -> [f64; 3] {
    sides.sort_unstable_by(|a, b| b.total_cmp(a));
    sides
}

/// Every side of every triangle, ordered by its ends and then by the triangle. Side `3 t + k` is opposite
/// to corner k of triangle t.
struct Sides<'a> {
    triangles: &'a [[u32; 3]],
    by_lower_end: Rows<u32>,
}

/// The part of an edge's negative conductance that one obtuse corner answers for.
struct Detour {
    side: usize,
    deficit: f64,
}

impl<'a> Sides<'a> {
    fn new(vertices: usize, triangles: &'a [[u32; 3]]) -> Self {
        let lower = triangles.iter().flat_map(|&[a, b, _]| [b, a, a]);
        let mut by_lower_end = Rows::grouped(vertices, lower);
        by_lower_end.sort_rows_by_key(&|side| (higher_end(triangles, side), side));
        Self { triangles, by_lower_end }
    }

    /// Each edge with the `value` of its sides.
    fn edges<T: Send>(&self, value: &(impl Fn(&[u32]) -> T + Sync)) -> impl ParallelIterator<Item = ((u32, u32), T)> {
        (0..self.by_lower_end.len() as u32).into_par_iter().flat_map_iter(move |vertex| {
            self.by_lower_end
                .row(vertex)
                .chunk_by(|&s, &t| higher_end(self.triangles, s) == higher_end(self.triangles, t))
                .map(move |run| ((vertex, higher_end(self.triangles, run[0])), value(run)))
        })
    }

    /// What the obtuse corners at edges of negative conductance answer for, each in proportion.
    fn detours(&self, halves: &[[f64; 3]]) -> Vec<Detour> {
        let at_edge = |run: &[u32]| {
            let sum = total(run, halves);
            if sum >= -FLOOR {
                return Vec::new();
            }
            let negative: f64 = run.iter().map(|&side| half(side, halves).min(0.0)).sum();
            let obtuse = run.iter().filter(|&&side| half(side, halves) < 0.0);
            obtuse.map(|&side| Detour { side: side as usize, deficit: sum / negative * -half(side, halves) }).collect()
        };
        self.edges(&at_edge).flat_map_iter(|(_, detours)| detours).collect()
    }
}

fn higher_end(triangles: &[[u32; 3]], side: u32) -> u32 {
    let [_, b, c] = triangles[side as usize / 3];
    if side % 3 == 2 { b } else { c }
}

fn half(side: u32, halves: &[[f64; 3]]) -> f64 {
    halves[side as usize / 3][side as usize % 3]
}

fn total(run: &[u32], halves: &[[f64; 3]]) -> f64 {
    run.iter().map(|&side| half(side, halves)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Topology;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// `side²` squares of a square grid, sheared, bent by `height`, as quads or split at alternating
    /// diagonals.
    fn grid(side: u32, quads: bool, height: impl Fn(f64, f64) -> f64) -> (Vec<DVec3>, Vec<Face>) {
        let at = |x: u32, y: u32| y * (side + 1) + x;
        let place = |i: u32| {
            let (x, y) = (f64::from(i % (side + 1)) / f64::from(side), f64::from(i / (side + 1)) / f64::from(side));
            DVec3::new(x + 0.1 * y, y, height(x, y))
        };
        let positions = (0..(side + 1).pow(2)).map(place).collect();
        let faces = (0..side * side).flat_map(|i| {
            let (x, y) = (i % side, i / side);
            let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
            match (quads, i % 2) {
                (true, _) => vec![Face::quad(a, b, c, d)],
                (_, 0) => vec![Face::triangle(a, b, c), Face::triangle(a, c, d)],
                _ => vec![Face::triangle(a, b, d), Face::triangle(b, c, d)],
            }
        });
        (positions, faces.collect())
    }

    /// A sphere of radius 1 from a cube of `6 n²` quads, spread so that they are of similar size.
    fn sphere(n: u32) -> (Vec<DVec3>, Vec<Face>) {
        let coordinate = |i: u32| (std::f64::consts::FRAC_PI_4 * (2.0 * f64::from(i) / f64::from(n) - 1.0)).tan();
        let mut positions = Vec::new();
        let mut faces = Vec::new();
        for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)] {
            let first = positions.len() as u32;
            for i in 0..(n + 1).pow(2) {
                let mut p = DVec3::ZERO;
                (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) =
                    (sign, coordinate(i % (n + 1)), coordinate(i / (n + 1)));
                positions.push(p.normalize().as_vec3());
            }
            faces.extend((0..n * n).map(|i| {
                let a = first + i / n * (n + 1) + i % n;
                Face::quad(a, a + 1, a + n + 2, a + n + 1)
            }));
        }
        let topology = Topology::new(&positions, &faces);
        let place = |&v: &u32| positions[v as usize].as_dvec3().normalize();
        (topology.representatives().iter().map(place).collect(), topology.faces().to_vec())
    }

    fn apply<T>(laplacian: &SurfaceLaplacian, values: &[T]) -> Vec<T>
    where
        T: Copy + Default + std::ops::AddAssign + std::ops::Sub<Output = T> + std::ops::Mul<f64, Output = T>,
    {
        let mut result = vec![T::default(); values.len()];
        for (&(a, b), &weight) in laplacian.edges.iter().zip(&laplacian.weights) {
            let (a, b) = (a as usize, b as usize);
            result[a] += (values[a] - values[b]) * weight;
            result[b] += (values[b] - values[a]) * weight;
        }
        result
    }

    #[test]
    fn linear_functions_on_a_plane_are_harmonic() {
        let (positions, faces) = grid(12, true, |_, _| 0.0);
        let laplacian = SurfaceLaplacian::new(&positions, &faces);
        let linear: Vec<f64> = positions.iter().map(|p| 3.0 * p.x - 2.0 * p.y + 1.0).collect();
        let is_inside = |p: &DVec3| [p.x - 0.1 * p.y, p.y].iter().all(|x| (0.01..0.99).contains(x));
        for (p, change) in positions.iter().zip(apply(&laplacian, &linear)).filter(|(p, _)| is_inside(p)) {
            assert!(change.abs() < 1e-9, "{change} at {p}");
        }
    }

    #[test]
    fn areas_add_up_whatever_the_diagonals() {
        for quads in [true, false] {
            let (positions, faces) = grid(12, quads, |_, _| 0.0);
            let laplacian = SurfaceLaplacian::new(&positions, &faces);
            assert!((laplacian.areas().iter().sum::<f64>() - 1.0).abs() < 1e-14);
        }
    }

    /// `L x = 2 H n A` with the mean curvature H = 1 of the sphere, and `Σ c l² = 2 A` whatever the shape, but for
    /// what diagonals that are not decided make good.
    #[test]
    fn a_sphere_has_its_mean_curvature_and_its_area() {
        let (positions, faces) = sphere(16);
        let laplacian = SurfaceLaplacian::new(&positions, &faces);
        let area: f64 = laplacian.areas().iter().sum();
        assert!((area / (4.0 * std::f64::consts::PI) - 1.0).abs() < 0.005, "{area}");
        let ends =
            laplacian.edges().iter().map(|&(a, b)| positions[a as usize].distance_squared(positions[b as usize]));
        let energy: f64 = ends.zip(laplacian.weights()).map(|(squared, weight)| weight * squared).sum();
        assert!((energy / area - 2.0).abs() < 1e-4, "{energy} for {area}");
        for ((p, change), area) in positions.iter().zip(apply(&laplacian, &positions)).zip(laplacian.areas()) {
            assert!((change / *area - 2.0 * *p).length() < 0.03, "{} at {p}", change / *area);
        }
    }

    /// A quad that is not flat and passes from one diagonal to the other.
    #[test]
    fn a_quad_changes_its_diagonal_gradually() {
        let at = |x: f64| {
            let corners =
                [[0.0, 0.0, 0.2], [1.0 + x, 0.0, 0.0], [1.0 + x, 1.0 + x, 0.2], [0.0, 1.0, 0.0]].map(DVec3::from);
            let laplacian = SurfaceLaplacian::new(&corners, &[Face::quad(0, 1, 2, 3)]);
            let sides = laplacian.edges().iter().zip(laplacian.weights());
            let sides: Vec<f64> =
                sides.filter(|(edge, _)| ![(0, 2), (1, 3)].contains(edge)).map(|(_, weight)| *weight).collect();
            [sides, laplacian.areas().to_vec()].concat()
        };
        let step = 1e-4;
        let largest = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let changes = (-2000..2000).map(|k| largest(&at(step * f64::from(k)), &at(step * f64::from(k + 1))));
        let change = changes.fold(0.0, f64::max);
        assert!(change < 20.0 * step, "{change} in a step of {step}");
    }

    #[test]
    fn winding_order_copies_and_scale_do_not_matter() {
        let (positions, faces) = grid(9, true, |x, y| 0.4 * (5.0 * x).sin() * (4.0 * y).cos());
        let plain = SurfaceLaplacian::new(&positions, &faces);
        let flipped: Vec<Face> =
            faces.iter().enumerate().map(|(k, f)| if k % 3 == 0 { f.reversed() } else { *f }).rev().collect();
        assert_eq!(SurfaceLaplacian::new(&positions, &flipped), plain);
        let twice: Vec<Face> = faces.iter().copied().chain(faces.iter().map(Face::reversed)).collect();
        assert_eq!(SurfaceLaplacian::new(&positions, &twice), plain);
        for scale in [1e-3, 1e3, 1e-30, 1e30] {
            let scaled: Vec<DVec3> = positions.iter().map(|&p| scale * p).collect();
            let scaled = SurfaceLaplacian::new(&scaled, &faces);
            for (found, expected) in scaled.weights().iter().zip(plain.weights()) {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
            for (found, expected) in scaled.areas().iter().zip(plain.areas()) {
                assert!((found / (scale * scale) - expected).abs() < 1e-14, "{found} {expected}");
            }
        }
    }

    /// A vertex on the side of a square, tied to it by a triangle without area, in a strip of two
    /// squares: a current along the strip meets the resistance of the strip without the vertex.
    #[test]
    fn a_hairline_triangle_conducts_as_the_edge_it_splits() {
        let corners = [[0., 0.], [1., 0.], [1., 1.], [0., 1.], [0.3, 1.0 + 1e-12], [0., 2.], [1., 2.]];
        let positions = corners.map(|[x, y]| DVec3::new(x, y, 0.0));
        let faces = [
            Face::quad(0, 1, 2, 3),
            Face::triangle(2, 3, 4),
            Face::triangle(3, 4, 5),
            Face::triangle(4, 6, 5),
            Face::triangle(4, 2, 6),
        ];
        let laplacian = SurfaceLaplacian::new(&positions, &faces);
        let linear: Vec<f64> = positions.iter().map(|p| p.x).collect();
        let energy: f64 = apply(&laplacian, &linear).iter().zip(&linear).map(|(change, x)| change * x).sum();
        assert!((energy - 2.0).abs() < 0.1, "the energy of x is the area, but {energy}");
        assert!(laplacian.weights().iter().all(|&weight| weight < 10.0), "{:?}", laplacian.weights());
    }

    #[test]
    fn thin_triangles_and_points_stay_finite() {
        let thin = [[0., 0., 0.], [1., 0., 0.], [0.4, 1e-12, 0.], [0., 1e-12, 0.], [0., 0., 0.], [0., 0., 1.]];
        let positions = thin.map(DVec3::from);
        let faces =
            [[0, 1, 2], [0, 1, 3], [0, 3, 4], [0, 4, 5], [2, 3, 5], [0, 0, 1]].map(|[a, b, c]| Face::triangle(a, b, c));
        let nan = [positions.as_slice(), &[DVec3::NAN]].concat();
        let laplacian = SurfaceLaplacian::new(&nan, &[&faces[..], &[Face::triangle(0, 1, 6)]].concat());
        assert!(laplacian.weights().iter().all(|w| (FLOOR..=1.5 / MARGIN).contains(w)), "{:?}", laplacian.weights());
        assert!(laplacian.areas().iter().all(|a| (0.0..1.0).contains(a)), "{:?}", laplacian.areas());
        assert_eq!(laplacian.areas()[6], 0.0);
        assert_eq!(SurfaceLaplacian::new(&[], &[]).edges(), []);
    }

    /// The definition, with angles measured in a drawing of each triangle.
    fn naive(positions: &[DVec3], faces: &[Face]) -> (BTreeMap<(u32, u32), f64>, Vec<f64>) {
        let drawn = |triangle: [u32; 3]| -> ([f64; 3], [f64; 3]) {
            let [a, b, c] = triangle.map(|v| positions[v as usize]);
            let mut l = [b.distance(c), c.distance(a), a.distance(b)];
            let longest = l.iter().copied().fold(0.0, f64::max);
            let missing = (MARGIN * longest - (l.iter().sum::<f64>() - 2.0 * longest)).max(0.0);
            l.iter_mut().for_each(|l| *l += missing);
            let x = (l[1] * l[1] + l[2] * l[2] - l[0] * l[0]) / (2.0 * l[2]);
            let y = (l[1] * l[1] - x * x).sqrt();
            let p = [DVec3::ZERO, DVec3::new(l[2], 0.0, 0.0), DVec3::new(x, y, 0.0)];
            let arms = [0, 1, 2].map(|k| (p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]));
            let cotangents = arms.map(|(u, v)| u.dot(v) / u.cross(v).length());
            let area = 0.5 * l[2] * y;
            let is_obtuse = cotangents.iter().any(|c| *c < 0.0);
            let areas = [0, 1, 2].map(|k| match is_obtuse {
                true => area * if cotangents[k] < 0.0 { 0.5 } else { 0.25 },
                false => {
                    (l[(k + 2) % 3].powi(2) * cotangents[(k + 2) % 3]
                        + l[(k + 1) % 3].powi(2) * cotangents[(k + 1) % 3])
                        / 8.0
                }
            });
            (cotangents, areas)
        };
        let mut triangles = BTreeMap::<[u32; 3], f64>::new();
        for face in faces {
            let mut add = |mut triangle: [u32; 3], part: f64| {
                triangle.sort_unstable();
                if part > 0.0 && triangle[0] < triangle[1] && triangle[1] < triangle[2] {
                    let known = triangles.entry(triangle).or_default();
                    *known = known.max(part);
                }
            };
            match *face.corners() {
                [a, b, c, d] => {
                    let conductance = |x, y, u, v| drawn([u, x, y]).0[0] + drawn([v, x, y]).0[0];
                    // Half cotangents decide from half of the difference of cotangents on.
                    let ahead = 0.5 * (conductance(a, c, b, d) - conductance(b, d, a, c)) / DECIDED;
                    let part = 0.5 + 0.5 * ahead.clamp(-1.0, 1.0);
                    [[a, b, c], [a, c, d]].into_iter().for_each(|triangle| add(triangle, part));
                    [[a, b, d], [b, c, d]].into_iter().for_each(|triangle| add(triangle, 1.0 - part));
                }
                [a, b, c] => add([a, b, c], 1.0),
                _ => {}
            }
        }
        let sides = |[a, b, c]: [u32; 3]| [(b, c), (a, c), (a, b)];
        let mut halves: BTreeMap<[u32; 3], [f64; 3]> = BTreeMap::new();
        let mut areas = vec![0.0; positions.len()];
        for (&triangle, part) in &triangles {
            let (cotangents, around) = drawn(triangle);
            halves.insert(triangle, cotangents.map(|c| 0.5 * part * c));
            (0..3).for_each(|k| areas[triangle[k] as usize] += part * around[k]);
        }
        let sum = |halves: &BTreeMap<[u32; 3], [f64; 3]>| {
            let mut sums = BTreeMap::<(u32, u32), (f64, f64)>::new();
            for (&triangle, halves) in halves {
                for (side, half) in sides(triangle).into_iter().zip(halves) {
                    let entry = sums.entry(side).or_default();
                    *entry = (entry.0 + half, entry.1 + half.min(0.0));
                }
            }
            sums
        };
        let before = sum(&halves);
        for (&triangle, halves) in &mut halves {
            let own = *halves;
            for (k, side) in sides(triangle).into_iter().enumerate() {
                let (total, negative) = before[&side];
                if total < -FLOOR && own[k] < 0.0 {
                    let taken = own[k] * total / negative;
                    let (p, q) = (own[(k + 1) % 3], own[(k + 2) % 3]);
                    let kept = (p * q / (p + q) + taken) / (p * q / (p + q));
                    *halves = [0, 1, 2].map(|i| if i == k { own[k] - taken } else { own[i] * kept });
                }
            }
        }
        (sum(&halves).into_iter().map(|(side, (total, _))| (side, total.max(FLOOR))).collect(), areas)
    }

    proptest! {
        #[test]
        fn any_soup_has_the_operator_of_its_definition(
            points in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 12),
            corners in prop::collection::vec(prop::array::uniform4(0..12u32), 0..40),
        ) {
            let positions: Vec<DVec3> = points.into_iter().map(DVec3::from).collect();
            let face = |[a, b, c, d]: [u32; 4]| {
                let is_quad = (a + b) % 2 == 0 && BTreeSet::from([a, b, c, d]).len() == 4;
                if is_quad { Face::quad(a, b, c, d) } else { Face::triangle(a, b, c) }
            };
            let faces: Vec<Face> = corners.into_iter().map(face).collect();
            let laplacian = SurfaceLaplacian::new(&positions, &faces);
            let (weights, areas) = naive(&positions, &faces);
            prop_assert!(laplacian.edges().iter().eq(weights.keys()));
            for (edge, (found, expected)) in laplacian.edges().iter().zip(laplacian.weights().iter().zip(weights.values())) {
                prop_assert!((found - expected).abs() < 1e-8 * expected.max(1.0), "{found} for {expected} at {edge:?}");
            }
            for (found, expected) in laplacian.areas().iter().zip(&areas) {
                prop_assert!((found - expected).abs() < 1e-8);
            }
        }

        /// Points that coincide, lie on a line or next to it.
        #[test]
        fn no_soup_leaves_the_bounds(
            points in prop::collection::vec(prop::array::uniform3(-1..=1i8), 8),
            nudges in prop::collection::vec(-1e-12..1e-12f64, 8),
            corners in prop::collection::vec(prop::array::uniform4(0..8u32), 0..30),
        ) {
            let place = |(p, nudge): ([i8; 3], f64)| DVec3::from(p.map(f64::from)) + DVec3::new(nudge, -nudge, 0.5 * nudge);
            let positions: Vec<DVec3> = points.into_iter().zip(nudges).map(place).collect();
            let faces: Vec<Face> = corners.into_iter().map(|[a, b, c, d]| Face::quad(a, b, c, d)).collect();
            let laplacian = SurfaceLaplacian::new(&positions, &faces);
            let most = 0.5 * faces.len() as f64 * (1.0 / MARGIN + 1.0);
            prop_assert!(laplacian.weights().iter().all(|w| (FLOOR..=2.0 * most).contains(w)));
            prop_assert!(laplacian.areas().iter().all(|a| *a >= 0.0 && a.is_finite()));
        }
    }
}
