//! Generalised winding numbers.
//!
//! The generalised winding number of a surface S at a point q is the solid angle under which q sees it,
//! in full spheres:
//!
//! ```text
//! w(q) = 1/4π ∫_S (x − q)·n / |x − q|³ dA
//! ```
//!
//! 1 inside a closed surface, 0 outside, 2 where two of its parts overlap, and in between, smoothly,
//! where a surface has holes (A. Jacobson et al., *Robust inside-outside segmentation using generalized
//! winding numbers*, 2013). A triangle's solid angle has a closed form (A. Van Oosterom, J. Strackee,
//! *The solid angle of a plane triangle*, 1983). From afar a cluster of triangles looks like the first
//! three terms of its Taylor series about its centroid (G. Barill et al., *Fast winding numbers for soups
//! and clouds*, 2018), so a tree of clusters answers a query in `O(log n)`.

use super::bounds::Bounds;
use super::box_tree::{BoxTree, Branch};
use super::triangle_pair::is_proper;
use super::{Face, Topology};
use crate::parallel::*;
use glam::{DMat3, DVec3, Vec3, Vec3A};
use std::f64::consts::PI;

/// A cluster is far when its centroid is this many times its radius away. The series then leaves out
/// terms in the inverse fifth power of this; their sum over all far clusters stays below 0.01 (a test
/// compares with the sum over all triangles).
const FAR: f64 = 2.5;

/// Depth under the surface at which a vertex is tested, of the diagonal of the posed surface's box. Positions in f32
/// are rounded by 1e-7 of the diagonal, and limbs are about 1e-2 of it thick.
const DEPTH: f64 = 1e-4;

/// Winding number from which a point under the surface is inside another part of it, too. It is the middle between 1,
/// inside once, and 2.
const INSIDE_TWICE: f64 = 1.5;

/// Vertices that one thread tests at a time. A granularity, without effect on results.
const VERTICES_PER_TASK: usize = 64;

/// Answers for one surface in any number of poses how often it goes round points, and which of its
/// vertices are inside it.
///
/// The tree is made once from the rest surface; each pose then costs one pass over the triangles. A
/// surface that is inside out as a whole (its volume is negative) is turned, so that its inside has
/// the number 1. Triangles without area, and those with corners that are not finite, are left out.
///
/// ```
/// use glam::{DVec3, Vec3};
/// use sinew_geometry::{Face, Topology, Winding};
///
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
/// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(|[a, b, c]| Face::triangle(a, b, c));
/// let mut winding = Winding::new(&Topology::new(&corners, &faces), &corners);
/// assert!((winding.number(DVec3::splat(0.2)) - 1.0).abs() < 0.01);
/// assert!(winding.number(DVec3::splat(0.5)).abs() < 0.01);
/// assert!(winding.penetrating().is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct Winding {
    faces: Vec<Face>,
    /// A vertex of the file for each welded vertex, and where it is in the present pose.
    representatives: Vec<u32>,
    positions: Vec<DVec3>,
    tree: BoxTree,
    /// The triangle in each slot of the tree, as welded vertices.
    triangles: Vec<[u32; 3]>,
    /// The far-field approximation of each node of the tree.
    clusters: Vec<Cluster>,
    /// −1 for a surface that is inside out, 1 for any other.
    orientation: f64,
    /// The area-weighted normal of each welded vertex, not normalised.
    normals: Vec<DVec3>,
    is_penetrating: Vec<bool>,
    penetrating: Vec<u32>,
}

/// The series of a node's triangles about their centroid.
#[derive(Debug, Clone, Copy)]
struct Cluster {
    /// Its centroid by area.
    center: DVec3,
    area: f64,
    /// `∫ n dA`
    vector_area: DVec3,
    /// `∫ δ nᵀ dA` with `δ = x − center`
    first_moment: DMat3,
    /// `∫ δ δᵀ n_k dA` for each coordinate k of the normal
    second_moments: [DMat3; 3],
    /// From this squared distance on the series stands for the triangles.
    far_squared: f64,
}

impl Winding {
    /// Prepares queries for a surface, and puts it into the pose given: a position for each vertex of
    /// the file.
    pub fn new(topology: &Topology, rest: &[Vec3]) -> Self {
        Self::over(topology.faces().to_vec(), topology.representatives().to_vec(), rest)
    }

    /// Prepares queries for welded faces, with a vertex of `rest` for each welded vertex.
    pub fn over(faces: Vec<Face>, representatives: Vec<u32>, rest: &[Vec3]) -> Self {
        let positions: Vec<DVec3> = representatives.iter().map(|&v| rest[v as usize].as_dvec3()).collect();
        let triangles: Vec<[u32; 3]> = faces.iter().flat_map(Face::triangles).collect();
        let boxes: Vec<Bounds> = triangles.par_iter().map(|&t| bounds(corners(&positions, t))).collect();
        let (tree, order) = BoxTree::new(&boxes);
        let mut winding = Self {
            faces,
            normals: vec![DVec3::ZERO; positions.len()],
            representatives,
            positions,
            triangles: order.iter().map(|&t| triangles[t as usize]).collect(),
            clusters: vec![Cluster::NOTHING; tree.len()],
            tree,
            orientation: 1.0,
            is_penetrating: Vec::new(),
            penetrating: Vec::new(),
        };
        winding.follow(rest);
        winding
    }

    /// Moves the surface to a pose, given as a position for each vertex of the file.
    pub fn follow(&mut self, positions: &[Vec3]) {
        for (position, &vertex) in self.positions.iter_mut().zip(&self.representatives) {
            *position = positions[vertex as usize].as_dvec3();
        }
        self.tree.refit(&mut self.triangles, |triangle| Some(bounds(corners(&self.positions, *triangle))));
        let mut clusters = std::mem::take(&mut self.clusters);
        let far_from = |node: usize, cluster: Cluster| Cluster {
            far_squared: (FAR * self.tree.bounds(node).reach(cluster.center)).powi(2),
            ..cluster
        };
        self.tree.fill(
            &mut clusters,
            &|node, slots| far_from(node, Cluster::sum(slots.map(|slot| Cluster::from(self.corners(slot))))),
            &|node, &low, &high| far_from(node, Cluster::sum([low, high].into_iter())),
        );
        self.clusters = clusters;
        // About the surface's centroid; the trace of its first moment is three times its volume.
        let volume = self.clusters.first().map_or(0.0, |root| trace(&root.first_moment));
        self.orientation = if volume < 0.0 { -1.0 } else { 1.0 };
        self.find_normals();
    }

    /// The winding number at a point, with an error below 0.01.
    pub fn number(&self, point: DVec3) -> f64 {
        let angle = if self.clusters.is_empty() { 0.0 } else { self.solid_angle(0, point) };
        self.orientation * angle / (4.0 * PI)
    }

    /// The welded vertices of the present pose that are inside the surface, in ascending order: those
    /// with a winding number of at least 1.5 just under the surface, at 10⁻⁴ of the diagonal of its
    /// box.
    pub fn penetrating(&mut self) -> &[u32] {
        let finite = self.positions.iter().filter(|p| p.is_finite());
        let (low, high) =
            finite.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)));
        let depth = DEPTH * (high - low).length();
        let mut is_penetrating = std::mem::take(&mut self.is_penetrating);
        is_penetrating.resize(self.positions.len(), false);
        is_penetrating.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(vertex, is_inside)| {
            let normal = self.orientation * self.normals[vertex].normalize_or_zero();
            *is_inside = normal != DVec3::ZERO && self.number(self.positions[vertex] - depth * normal) >= INSIDE_TWICE;
        });
        self.penetrating.clear();
        self.penetrating
            .extend((0..).zip(&is_penetrating).filter(|(_, is_inside)| **is_inside).map(|(vertex, _)| vertex));
        self.is_penetrating = is_penetrating;
        &self.penetrating
    }

    /// The solid angle of a node of the tree.
    fn solid_angle(&self, node: usize, point: DVec3) -> f64 {
        let cluster = &self.clusters[node];
        if cluster.center.distance_squared(point) > cluster.far_squared {
            return cluster.solid_angle(point);
        }
        match self.tree.branch(node) {
            Branch::Leaf(slots) => slots.map(|slot| solid_angle(self.corners(slot), point)).sum(),
            Branch::Fork([first, second]) => self.solid_angle(first, point) + self.solid_angle(second, point),
        }
    }

    pub(super) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// −1 for a surface that is inside out as a whole, 1 for any other.
    pub fn orientation(&self) -> f64 {
        self.orientation
    }

    /// The triangle in a slot of the tree.
    pub(super) fn corners(&self, slot: usize) -> [DVec3; 3] {
        corners(&self.positions, self.triangles[slot])
    }

    fn find_normals(&mut self) {
        self.normals.fill(DVec3::ZERO);
        for face in &self.faces {
            let area: DVec3 = face.triangles().map(|t| vector_area(corners(&self.positions, t))).sum();
            if area.is_finite() {
                for &vertex in face.corners() {
                    self.normals[vertex as usize] += area;
                }
            }
        }
    }
}

impl From<[DVec3; 3]> for Cluster {
    /// A triangle; nothing if it has no area or a corner that is not finite.
    fn from(corners: [DVec3; 3]) -> Self {
        if !is_proper(corners) {
            return Self::NOTHING;
        }
        let vector_area = vector_area(corners);
        let (center, area) = (corners.iter().sum::<DVec3>() / 3.0, vector_area.length());
        // About its own centroid a flat piece has no first moment.
        let spread = corners.iter().fold(DMat3::ZERO, |sum, &corner| sum + outer(corner - center, corner - center));
        let second_moments = vector_area.to_array().map(|n| spread * (n / 12.0));
        Self { center, area, vector_area, second_moments, ..Self::NOTHING }
    }
}

impl Cluster {
    const NOTHING: Self = Self {
        center: DVec3::ZERO,
        area: 0.0,
        vector_area: DVec3::ZERO,
        first_moment: DMat3::ZERO,
        second_moments: [DMat3::ZERO; 3],
        far_squared: 0.0,
    };

    /// All of them as one.
    fn sum(parts: impl Iterator<Item = Self> + Clone) -> Self {
        let area: f64 = parts.clone().map(|part| part.area).sum();
        if area == 0.0 {
            return Self::NOTHING;
        }
        let center = parts.clone().map(|part| part.area * part.center).sum::<DVec3>() / area;
        parts.fold(Self { center, area, ..Self::NOTHING }, |mut sum, part| {
            let arm = part.center - center;
            for k in 0..3 {
                let crossed = outer(part.first_moment.col(k), arm);
                sum.second_moments[k] +=
                    part.second_moments[k] + crossed + crossed.transpose() + outer(arm, arm) * part.vector_area[k];
            }
            sum.first_moment += part.first_moment + outer(arm, part.vector_area);
            sum.vector_area += part.vector_area;
            sum
        })
    }

    /// The integrand to second order in δ, integrated: with `d = center − q` and `r = |d|`, the terms of
    /// `n·(d + δ)/|d + δ|³` are `n·d/r³`, `(n·δ − 3 (n·d)(δ·d)/r²)/r³` and
    /// `(15 (n·d)(δ·d)²/r² − 6 (n·δ)(δ·d) − 3 (n·d)|δ|²)/2r⁵`.
    fn solid_angle(&self, point: DVec3) -> f64 {
        let to_center = self.center - point;
        let r = to_center.length();
        let d = to_center / r;
        let constant = self.vector_area.dot(d);
        let linear = trace(&self.first_moment) - 3.0 * d.dot(self.first_moment * d);
        let quadratic: f64 = (0..3)
            .map(|k| {
                let along = self.second_moments[k] * d;
                d[k] * (7.5 * d.dot(along) - 1.5 * trace(&self.second_moments[k])) - 3.0 * along[k]
            })
            .sum();
        (constant + (linear + quadratic / r) / r) / (r * r)
    }
}

/// The solid angle of a triangle: positive seen from behind, where its corners run clockwise. Zero for
/// a point in the triangle's plane.
pub fn solid_angle(corners: [DVec3; 3], point: DVec3) -> f64 {
    let [a, b, c] = corners.map(|corner| corner - point);
    let [la, lb, lc] = [a, b, c].map(DVec3::length);
    let volume = a.dot(b.cross(c));
    let cosine = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    let angle = 2.0 * volume.atan2(cosine);
    if volume != 0.0 && volume.is_finite() && cosine.is_finite() { angle } else { 0.0 }
}

fn corners(positions: &[DVec3], triangle: [u32; 3]) -> [DVec3; 3] {
    triangle.map(|v| positions[v as usize])
}

fn vector_area([a, b, c]: [DVec3; 3]) -> DVec3 {
    0.5 * (b - a).cross(c - a)
}

fn bounds(corners: [DVec3; 3]) -> Bounds {
    if is_proper(corners) { Bounds::around(corners.map(|p| Vec3A::from(p.as_vec3()))) } else { Bounds::EMPTY }
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(b.x * a, b.y * a, b.z * a)
}

fn trace(matrix: &DMat3) -> f64 {
    matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl Winding {
        /// The sum over all triangles.
        fn brute_force(&self, point: DVec3) -> f64 {
            let angles = (0..self.triangles.len()).map(|slot| solid_angle(self.corners(slot), point));
            self.orientation * angles.sum::<f64>() / (4.0 * PI)
        }
    }

    /// A unit cube of quads with its lowest corner at a place.
    fn cube(at: Vec3) -> (Vec<Vec3>, Vec<Face>) {
        let corner = |i: u32| at + Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32);
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        ((0..8).map(corner).collect(), sides.map(|[a, b, c, d]| Face::quad(a, b, c, d)).to_vec())
    }

    /// A sphere of `6 · 4ⁿ` quads, from a cube.
    fn sphere(center: Vec3, radius: f32, n: u32) -> (Vec<Vec3>, Vec<Face>) {
        let (mut positions, mut faces) = cube(Vec3::splat(-0.5));
        for _ in 0..n {
            let refined: Vec<[Vec3; 4]> = faces
                .iter()
                .flat_map(|face| {
                    let p = [0, 1, 2, 3].map(|k| positions[face.corners()[k] as usize]);
                    let middle = (p[0] + p[1] + p[2] + p[3]) / 4.0;
                    [0, 1, 2, 3].map(|k| [p[k], (p[k] + p[(k + 1) % 4]) / 2.0, middle, (p[k] + p[(k + 3) % 4]) / 2.0])
                })
                .collect();
            faces = (0..refined.len() as u32).map(|f| Face::quad(4 * f, 4 * f + 1, 4 * f + 2, 4 * f + 3)).collect();
            positions = refined.into_flattened();
        }
        positions.iter_mut().for_each(|p| *p = center + radius * p.normalize());
        (positions, faces)
    }

    fn both(a: (Vec<Vec3>, Vec<Face>), b: (Vec<Vec3>, Vec<Face>)) -> (Vec<Vec3>, Vec<Face>) {
        let shift = a.0.len() as u32;
        let faces = a.1.into_iter().chain(b.1.iter().map(|f| f.map(|v| v + shift))).collect();
        ([a.0, b.0].concat(), faces)
    }

    fn winding((positions, faces): &(Vec<Vec3>, Vec<Face>)) -> Winding {
        Winding::new(&Topology::new(positions, faces), positions)
    }

    fn assert_number(winding: &Winding, point: DVec3, expected: f64) {
        let found = winding.number(point);
        assert!((found - expected).abs() < 0.01, "{found} instead of {expected} at {point}");
    }

    #[test]
    fn a_cube_has_one_inside_and_none_outside() {
        let winding = winding(&cube(Vec3::ZERO));
        for point in [DVec3::splat(0.5), DVec3::new(0.001, 0.4, 0.999)] {
            assert_number(&winding, point, 1.0);
        }
        for point in [DVec3::new(-0.001, 0.4, 0.5), DVec3::splat(1.2), DVec3::splat(1e6), DVec3::splat(1e30)] {
            assert_number(&winding, point, 0.0);
        }
    }

    /// A missing side of a cube takes a sixth of the sphere that its centre sees.
    #[test]
    fn an_open_cube_is_counted_by_what_is_left() {
        let (positions, mut faces) = cube(Vec3::ZERO);
        faces.pop();
        let winding = winding(&(positions, faces));
        assert!((winding.number(DVec3::splat(0.5)) - 5.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn overlapping_spheres_count_twice_and_hold_each_others_vertices() {
        let other = Vec3::new(1.0, 0.0, 0.0);
        let spheres = both(sphere(Vec3::ZERO, 1.0, 4), sphere(other, 0.8, 4));
        let mut winding = winding(&spheres);
        assert_number(&winding, DVec3::new(0.6, 0.0, 0.0), 2.0);
        assert_number(&winding, DVec3::new(-0.6, 0.0, 0.0), 1.0);
        assert_number(&winding, DVec3::new(1.6, 0.1, 0.0), 1.0);
        assert_number(&winding, DVec3::new(0.5, 1.2, 0.0), 0.0);

        let penetrating = winding.penetrating().to_vec();
        let topology = Topology::new(&spheres.0, &spheres.1);
        for (vertex, &representative) in topology.representatives().iter().enumerate() {
            let p = spheres.0[representative as usize];
            let gap =
                if p.length() > 0.9999 && p.length() < 1.0001 { (p - other).length() - 0.8 } else { p.length() - 1.0 };
            // The facets lie a little inside the spheres.
            if gap.abs() > 0.01 {
                assert_eq!(penetrating.contains(&(vertex as u32)), gap < 0.0, "{p}");
            }
        }
    }

    #[test]
    fn an_inside_out_surface_is_turned() {
        let (positions, faces) = both(sphere(Vec3::ZERO, 1.0, 3), sphere(Vec3::X, 0.8, 3));
        let turned: Vec<Face> = faces
            .iter()
            .map(|face| match *face.corners() {
                [a, b, c, d] => Face::quad(a, d, c, b),
                _ => unreachable!("all quads"),
            })
            .collect();
        let (mut plain, mut turned) = (winding(&(positions.clone(), faces)), winding(&(positions, turned)));
        assert_number(&turned, DVec3::new(0.6, 0.0, 0.0), 2.0);
        assert!(!plain.penetrating().is_empty());
        assert_eq!(plain.penetrating(), turned.penetrating());
    }

    #[test]
    fn the_series_stays_close_to_the_sum_over_all_triangles() {
        let character = sinew_demo::character();
        let mesh = &character.parts[0].mesh;
        let faces: Vec<Face> = mesh.faces.iter().map(|face| own(face.corners())).collect();
        let topology = Topology::new(&mesh.positions, &faces);
        let winding = Winding::new(&topology, &mesh.positions);
        let mut worst = 0.0f64;
        for (k, p) in mesh.positions.iter().enumerate().step_by(7) {
            let p = p.as_dvec3();
            let away = [1e-4, 0.01, 0.1, 1.0][k % 4] * mesh.normals[k].as_dvec3();
            for point in [p - away, p + away] {
                worst = worst.max((winding.number(point) - winding.brute_force(point)).abs());
            }
        }
        assert!(worst < 0.01, "{worst}");
        assert!(worst > 1e-12, "the series was never used");
    }

    /// A face of the demo, whose types come from the crate as it is built for other crates.
    fn own(corners: &[u32]) -> Face {
        match *corners {
            [a, b, c] => Face::triangle(a, b, c),
            [a, b, c, d] => Face::quad(a, b, c, d),
            _ => unreachable!("a triangle or a quad"),
        }
    }

    /// Ordinary numbers, and now and then what is no number.
    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![
            40 => -2.0..2.0f32,
            20 => (-2..=2i8).prop_map(f32::from),
            1 => prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(1e6f32), Just(-1e-30f32)],
        ]
    }

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(coordinate()).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn any_soup_in_any_pose_is_close_to_the_sum_over_all_triangles(
            rest in prop::collection::vec(point(), 40), posed in prop::collection::vec(point(), 40),
            corners in prop::collection::vec(prop::array::uniform4(0..40u32), 0..80),
            query in point(),
        ) {
            let face = |[a, b, c, d]: [u32; 4]| {
                if (a + b) % 2 == 0 { Face::triangle(a, b, c) } else { Face::quad(a, b, c, d) }
            };
            let faces: Vec<Face> = corners.into_iter().map(face).collect();
            let mut winding = Winding::new(&Topology::new(&rest, &faces), &rest);
            winding.follow(&posed);
            let penetrating = winding.penetrating().to_vec();
            prop_assert!(penetrating.is_sorted() && penetrating == winding.penetrating());
            if query.is_finite() {
                let (found, expected) = (winding.number(query.as_dvec3()), winding.brute_force(query.as_dvec3()));
                prop_assert!((found - expected).abs() < 0.05, "{found} against {expected}");
            }
        }
    }
}
