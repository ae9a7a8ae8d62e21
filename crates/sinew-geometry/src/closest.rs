//! The closest point of a surface.
//!
//! A tree of boxes around the triangles is searched nearest box first; boxes farther than the best point so far are
//! skipped. `O(log n)` for a point near the surface. A search for certain normals skips the nodes whose cone of normals
//! has none of them.

use super::Face;
use super::bounds::Bounds;
use super::box_tree::{BoxTree, Branch};
use glam::{DVec3, Vec3, Vec3A};
use std::ops::Range;

/// Sine of the angle between two sides, squared, below which a triangle is taken for its sides. At a sine of 1e-8, the
/// square root of f64's epsilon, a normal still has eight digits.
const FLAT: f64 = 1e-16;

/// The tolerance of the cosines of cones. A sine from a cosine near one is wrong by up to 1.5e-8 (the root of f64's
/// epsilon), and the levels of a tree, about thirty, add up.
const ROUNDING: f64 = 1e-6;

/// A point on a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The face it lies on.
    pub face: usize,
    /// The corners of the triangle it lies in, which is a part of the face.
    pub vertices: [u32; 3],
    /// Its shares of the corners: not negative, with a sum of one.
    pub barycentric: [f64; 3],
    /// The point itself.
    pub point: DVec3,
    /// How far it is.
    pub distance: f64,
}

impl Hit {
    /// A value at the point, from those at the corners.
    pub fn interpolate<T>(&self, value: impl Fn(usize) -> T) -> T
    where
        T: std::ops::Mul<f64, Output = T> + std::ops::Add<Output = T>,
    {
        let [a, b, c] = [0, 1, 2].map(|k| value(self.vertices[k] as usize) * self.barycentric[k]);
        a + b + c
    }
}

/// A surface, ready to be asked for its closest points.
///
/// ```
/// use glam::{DVec3, Vec3};
/// use sinew_geometry::{ClosestSurface, Face};
///
/// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Vec3::from);
/// let surface = ClosestSurface::new(&corners, &[Face::triangle(0, 1, 2)]);
/// let hit = surface.nearest(DVec3::new(0.25, 0.25, 2.0)).unwrap();
/// assert_eq!((hit.point, hit.distance), (DVec3::new(0.25, 0.25, 0.0), 2.0));
/// ```
#[derive(Debug, Clone)]
pub struct ClosestSurface {
    tree: BoxTree,
    /// The triangle in each slot of the tree.
    triangles: Vec<Triangle>,
}

#[derive(Debug, Clone, Copy)]
struct Triangle {
    face: u32,
    vertices: [u32; 3],
    corners: [DVec3; 3],
}

impl ClosestSurface {
    /// Prepares queries. Triangles with a corner that is not finite are left out; those without area
    /// are the segments or points they look like.
    ///
    /// # Panics
    /// If a face names a vertex that `positions` does not have.
    pub fn new(positions: &[Vec3], faces: &[Face]) -> Self {
        let numbered = faces.iter().enumerate().flat_map(|(face, f)| f.triangles().map(move |t| (face as u32, t)));
        let triangles: Vec<Triangle> = numbered
            .map(|(face, vertices)| Triangle {
                face,
                vertices,
                corners: vertices.map(|v| positions[v as usize].as_dvec3()),
            })
            .filter(|triangle| triangle.corners.iter().all(|p| p.is_finite()))
            .collect();
        let boxes: Vec<Bounds> = triangles
            .iter()
            .map(|triangle| Bounds::around(triangle.vertices.map(|v| Vec3A::from(positions[v as usize]))))
            .collect();
        let (tree, order) = BoxTree::new(&boxes);
        Self { tree, triangles: order.iter().map(|&t| triangles[t as usize]).collect() }
    }

    /// Takes over the present positions of the vertices, which must be finite.
    pub fn follow(&mut self, positions: &[DVec3]) {
        self.tree.refit(&mut self.triangles, |triangle| {
            triangle.corners = triangle.vertices.map(|v| positions[v as usize]);
            let [low, high] = [
                triangle.corners.into_iter().fold(DVec3::INFINITY, DVec3::min),
                triangle.corners.into_iter().fold(DVec3::NEG_INFINITY, DVec3::max),
            ];
            let rounding = f64::from(f32::EPSILON) * low.abs().max(high.abs());
            Some(Bounds::around([(low - rounding).as_vec3a(), (high + rounding).as_vec3a()]))
        });
    }

    /// The closest point of the surface; none if it has no triangle or the point is not finite.
    pub fn nearest(&self, point: DVec3) -> Option<Hit> {
        self.nearest_where(point, f64::INFINITY, |_| true)
    }

    /// The closest within a distance among those that each triangle has closest to the point and that
    /// `accept` takes.
    pub fn nearest_where(&self, point: DVec3, within: f64, accept: impl Fn(&Hit) -> bool) -> Option<Hit> {
        self.search(point, within, |_| true, accept)
    }

    /// The same among triangles with normals about a direction; `accept` has to look at the angle itself. Triangles of
    /// the part `own` are left out.
    pub fn nearest_facing(
        &self,
        point: DVec3,
        within: f64,
        (cones, direction, own): (&NormalCones, DVec3, Option<u32>),
        accept: impl Fn(&Hit) -> bool,
    ) -> Option<Hit> {
        let enter = |node| !cones.parts.have_node(node, own) && cones.may_face(node, direction);
        self.search(point, within, enter, |hit| !cones.parts.have(hit, own) && accept(hit))
    }

    /// The closest within a distance of what is not all in the part `own`.
    pub fn nearest_outside(&self, point: DVec3, within: f64, parts: &SurfaceParts, own: u32) -> Option<Hit> {
        let own = Some(own);
        self.search(point, within, |node| !parts.have_node(node, own), |hit| !parts.have(hit, own))
    }

    /// Whether [`ClosestSurface::nearest_facing`] may find something from one of some points, each with its direction.
    /// Where it says no there is nothing.
    pub fn may_face(
        &self,
        points: impl Iterator<Item = DVec3>,
        within: f64,
        (cones, directions, own): (&NormalCones, impl Iterator<Item = DVec3> + Clone, Option<u32>),
    ) -> bool {
        let bounds = Bounds::around(points.map(|point| point.as_vec3a())).widened(within);
        let cone = Cone::around(directions.map(Cone::of));
        // Room for one waiting node per level of a tree over all triangles that a `u32` can count.
        let (mut waiting, mut count) = ([0; 64], usize::from(self.tree.len() > 0));
        while count > 0 {
            count -= 1;
            let node = waiting[count];
            if !self.tree.bounds(node).overlaps(&bounds)
                || cones.parts.have_node(node, own)
                || !cones.may_face_cone(node, &cone)
            {
                continue;
            }
            match self.tree.branch(node) {
                Branch::Leaf(mut slots) => {
                    if slots.any(|slot| self.tree.slot_bounds(slot).overlaps(&bounds)) {
                        return true;
                    }
                }
                Branch::Fork([first, second]) => {
                    waiting[count] = second;
                    waiting[count + 1] = first;
                    count += 2;
                }
            }
        }
        false
    }

    /// Prepares [`ClosestSurface::nearest_facing`] with a unit normal for each vertex, or zero, and the
    /// angle up to which normals between them count as about a direction, at most a right one.
    pub fn cones(&self, normals: &[DVec3], max_angle_rad: f64) -> NormalCones {
        let count = self.tree.len();
        let mut cones = NormalCones {
            cones: vec![Cone::ALL; count],
            least_cosines: vec![-1.0; count],
            max_angle_rad,
            parts: SurfaceParts::default(),
        };
        cones.follow(self, normals);
        cones
    }

    fn search(
        &self,
        point: DVec3,
        within: f64,
        enter: impl Fn(usize) -> bool,
        accept: impl Fn(&Hit) -> bool,
    ) -> Option<Hit> {
        let mut search = Search { surface: self, point, enter, accept, best_squared: within * within, best: None };
        if self.tree.len() > 0 && point.is_finite() {
            search.descend(0);
        }
        search.best
    }
}

/// Where the normals of each part of a surface point.
#[derive(Debug, Clone)]
pub struct NormalCones {
    cones: Vec<Cone>,
    least_cosines: Vec<f64>,
    max_angle_rad: f64,
    parts: SurfaceParts,
}

/// The parts of a surface: one for each vertex, or none.
#[derive(Debug, Clone, Default)]
pub struct SurfaceParts {
    /// The part that each vertex belongs to, and that all vertices of a node do.
    of_vertex: Vec<Option<u32>>,
    of_node: Vec<Option<u32>>,
}

impl SurfaceParts {
    /// The parts of a surface, given that of each vertex.
    pub fn new(surface: &ClosestSurface, of_vertex: Vec<Option<u32>>) -> Self {
        let common = |a: Option<u32>, b: Option<u32>| a.filter(|_| a == b);
        let leaf = |_, slots: Range<usize>| {
            let of_vertices = surface.triangles[slots].iter().flat_map(|t| t.vertices).map(|v| of_vertex[v as usize]);
            of_vertices.reduce(common).flatten()
        };
        let mut of_node = vec![None; surface.tree.len()];
        surface.tree.fill(&mut of_node, &leaf, &|_, &low, &high| common(low, high));
        Self { of_vertex, of_node }
    }

    /// Whether all of a node is of one part.
    fn have_node(&self, node: usize, part: Option<u32>) -> bool {
        part.is_some() && self.of_node.get(node).is_some_and(|&all| all == part)
    }

    /// Whether all corners of a triangle are of one part.
    fn have(&self, hit: &Hit, part: Option<u32>) -> bool {
        part.is_some() && hit.vertices.iter().all(|&v| self.of_vertex.get(v as usize).is_some_and(|&own| own == part))
    }
}

impl NormalCones {
    /// Divides the surface into parts: one for each vertex, or none.
    #[must_use]
    pub fn with_parts(self, surface: &ClosestSurface, part_of: Vec<Option<u32>>) -> Self {
        Self { parts: SurfaceParts::new(surface, part_of), ..self }
    }

    /// Takes over the present normals of the surface's vertices.
    pub fn follow(&mut self, surface: &ClosestSurface, normals: &[DVec3]) {
        let leaf = |_, slots: Range<usize>| {
            let around = surface.triangles[slots].iter().flat_map(|t| t.vertices).map(|v| normals[v as usize]);
            Cone::around(around.filter(|&normal| normal != DVec3::ZERO).map(Cone::of))
        };
        surface.tree.fill(&mut self.cones, &leaf, &|_, &low, &high| Cone::around([low, high].into_iter()));
        let (sine, cosine) = self.max_angle_rad.sin_cos();
        for (least, cone) in self.least_cosines.iter_mut().zip(&self.cones) {
            *least = if cone.cosine < 0.0 { -1.0 } else { cone.cosine * cosine - cone.sine() * sine - ROUNDING };
        }
    }

    fn may_face(&self, node: usize, direction: DVec3) -> bool {
        self.cones[node].axis.dot(direction) >= self.least_cosines[node]
    }

    /// The same for a cone of directions: `cos (a + b)`, where the sum of angles is at most half a turn.
    fn may_face_cone(&self, node: usize, cone: &Cone) -> bool {
        let least = self.least_cosines[node];
        least <= -cone.cosine
            || self.cones[node].axis.dot(cone.axis) >= least * cone.cosine - (1.0 - least * least).sqrt() * cone.sine()
    }
}

/// Directions about an axis, up to an angle.
#[derive(Debug, Clone, Copy)]
struct Cone {
    axis: DVec3,
    /// Of the angle: −1 where it is more than a right one.
    cosine: f64,
}

impl Cone {
    /// Every direction.
    const ALL: Self = Self { axis: DVec3::Z, cosine: -1.0 };

    /// One direction.
    fn of(axis: DVec3) -> Self {
        Self { axis, cosine: 1.0 }
    }

    fn sine(&self) -> f64 {
        (1.0 - self.cosine * self.cosine).max(0.0).sqrt()
    }

    /// A cone around others. Wider than a half space it would not hold what lies between its directions.
    fn around(cones: impl Iterator<Item = Self> + Clone) -> Self {
        let axis = cones.clone().map(|cone| cone.axis).sum::<DVec3>().normalize_or_zero();
        let least = |least: f64, cone: Self| {
            let between = axis.dot(cone.axis).clamp(-1.0, 1.0);
            // Two right angles at most, so that the cosine of their sum tells which is the largest.
            if between < 0.0 || cone.cosine < 0.0 {
                return -1.0;
            }
            least.min(between * cone.cosine - (1.0 - between * between).sqrt() * cone.sine())
        };
        let cosine = cones.fold(1.0, least);
        if axis == DVec3::ZERO || cosine < 0.0 { Self::ALL } else { Self { axis, cosine } }
    }
}

struct Search<'a, E, F> {
    surface: &'a ClosestSurface,
    point: DVec3,
    enter: E,
    accept: F,
    best_squared: f64,
    best: Option<Hit>,
}

impl<E: Fn(usize) -> bool, F: Fn(&Hit) -> bool> Search<'_, E, F> {
    fn descend(&mut self, node: usize) {
        if !(self.enter)(node) {
            return;
        }
        match self.surface.tree.branch(node) {
            Branch::Leaf(slots) => {
                for slot in slots {
                    if self.surface.tree.slot_bounds(slot).distance_squared(self.point) <= self.best_squared {
                        self.try_triangle(&self.surface.triangles[slot]);
                    }
                }
            }
            Branch::Fork(nodes) => {
                let mut nodes = nodes.map(|n| (n, self.surface.tree.bounds(n).distance_squared(self.point)));
                if nodes[1].1 < nodes[0].1 {
                    nodes.swap(0, 1);
                }
                for (node, distance_squared) in nodes {
                    if distance_squared <= self.best_squared {
                        self.descend(node);
                    }
                }
            }
        }
    }

    fn try_triangle(&mut self, triangle: &Triangle) {
        let barycentric = closest(triangle.corners, self.point);
        let [a, b, c] = [0, 1, 2].map(|k| triangle.corners[k] * barycentric[k]);
        let point = a + b + c;
        let distance_squared = point.distance_squared(self.point);
        let is_closer = match self.best {
            Some(_) => distance_squared < self.best_squared,
            None => distance_squared <= self.best_squared,
        };
        if !is_closer {
            return;
        }
        let (face, vertices) = (triangle.face as usize, triangle.vertices);
        let hit = Hit { face, vertices, barycentric, point, distance: distance_squared.sqrt() };
        if (self.accept)(&hit) {
            self.best_squared = distance_squared;
            self.best = Some(hit);
        }
    }
}

/// Barycentric coordinates of the point of a triangle closest to another: its projection if that is
/// inside, else the closest on the three sides.
pub fn closest([a, b, c]: [DVec3; 3], point: DVec3) -> [f64; 3] {
    let (u, v, p) = (b - a, c - a, point - a);
    let normal = u.cross(v);
    let squared = normal.length_squared();
    if squared > FLAT * u.length_squared() * v.length_squared() {
        let (second, third) = (p.cross(v).dot(normal) / squared, u.cross(p).dot(normal) / squared);
        if second >= 0.0 && third >= 0.0 && second + third <= 1.0 {
            return [(1.0 - second - third).max(0.0), second, third];
        }
    }
    let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(from, to)| along(from, to, point));
    let sides = [
        ([1.0 - ab, ab, 0.0], a.lerp(b, ab)),
        ([0.0, 1.0 - bc, bc], b.lerp(c, bc)),
        ([ca, 0.0, 1.0 - ca], c.lerp(a, ca)),
    ];
    let mut best = (sides[0].0, sides[0].1.distance_squared(point));
    for (barycentric, side) in &sides[1..] {
        let distance_squared = side.distance_squared(point);
        if distance_squared < best.1 {
            best = (*barycentric, distance_squared);
        }
    }
    best.0
}

/// How far along a segment its point closest to another lies, 0 to 1.
fn along(from: DVec3, to: DVec3, point: DVec3) -> f64 {
    let side = to - from;
    let squared = side.length_squared();
    if squared > 0.0 { ((point - from).dot(side) / squared).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point(range: std::ops::Range<f32>) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(prop_oneof![3 => range, 1 => (-1..=1i8).prop_map(f32::from)]).prop_map(Vec3::from)
    }

    proptest! {
        /// The closest of a fine mesh of points on every triangle, which is near the closest of all.
        #[test]
        fn the_hit_is_as_close_as_any_point(
            positions in prop::collection::vec(point(-1.0..1.0), 10),
            corners in prop::collection::vec(prop::array::uniform3(0..10u32), 1..40),
            query in point(-2.0..2.0), scale in prop::sample::select(vec![1e-3f32, 1.0, 1e3]),
        ) {
            let positions: Vec<Vec3> = positions.iter().map(|&p| scale * p).collect();
            let query = (scale * query).as_dvec3();
            let faces: Vec<Face> = corners.iter().map(|&[a, b, c]| Face::triangle(a, b, c)).collect();
            let hit = ClosestSurface::new(&positions, &faces).nearest(query).unwrap();
            const STEPS: u32 = 24;
            let mut best = f64::INFINITY;
            for &triangle in &corners {
                let [a, b, c] = triangle.map(|v| positions[v as usize].as_dvec3());
                for i in 0..=STEPS {
                    for j in 0..=STEPS - i {
                        let (s, t) = (f64::from(i) / f64::from(STEPS), f64::from(j) / f64::from(STEPS));
                        best = best.min((a + s * (b - a) + t * (c - a)).distance(query));
                    }
                }
            }
            let scale = f64::from(scale);
            prop_assert!(hit.distance <= best * (1.0 + 1e-9) && best <= hit.distance + 0.12 * scale, "{hit:?}, {best}");
            prop_assert!(hit.barycentric.iter().all(|b| *b >= 0.0));
            prop_assert!((hit.barycentric.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let place = hit.interpolate(|v| positions[v].as_dvec3());
            prop_assert!(place.distance(hit.point) <= 1e-12 * scale);
            prop_assert_eq!(faces[hit.face].corners(), &hit.vertices[..]);
        }

        #[test]
        fn a_surface_that_moved_is_a_new_one(
            positions in prop::collection::vec(point(-1.0..1.0), 12),
            moved in prop::collection::vec(point(-1.0..1.0), 12),
            corners in prop::collection::vec(prop::array::uniform3(0..12u32), 1..40),
            query in point(-2.0..2.0),
        ) {
            let faces: Vec<Face> = corners.iter().map(|&[a, b, c]| Face::triangle(a, b, c)).collect();
            let mut surface = ClosestSurface::new(&positions, &faces);
            surface.follow(&moved.iter().map(|p| p.as_dvec3()).collect::<Vec<_>>());
            let distance = |surface: &ClosestSurface| surface.nearest(query.as_dvec3()).map(|hit| hit.distance);
            prop_assert_eq!(distance(&surface), distance(&ClosestSurface::new(&moved, &faces)));
        }

        #[test]
        fn what_is_not_accepted_is_as_if_it_were_not_there(
            positions in prop::collection::vec(point(-1.0..1.0), 12),
            corners in prop::collection::vec(prop::array::uniform3(0..12u32), 1..40),
            query in point(-2.0..2.0), within in 0.1..3.0f64,
        ) {
            let faces: Vec<Face> = corners.iter().map(|&[a, b, c]| Face::triangle(a, b, c)).collect();
            let odd: Vec<Face> = faces.iter().copied().skip(1).step_by(2).collect();
            let all = ClosestSurface::new(&positions, &faces);
            let found = all.nearest_where(query.as_dvec3(), within, |hit| hit.face % 2 == 1).map(|h| h.distance);
            let alone = ClosestSurface::new(&positions, &odd).nearest(query.as_dvec3()).map(|h| h.distance);
            prop_assert_eq!(found, alone.filter(|distance| *distance <= within));
        }
    }

    proptest! {
        #[test]
        fn cones_leave_out_nothing_that_faces(
            positions in prop::collection::vec(point(-1.0..1.0), 12),
            normals in prop::collection::vec(point(-1.0..1.0), 12),
            corners in prop::collection::vec(prop::array::uniform3(0..12u32), 1..40),
            query in point(-2.0..2.0), direction in point(-1.0..1.0), angle in 0.1..1.5f64,
        ) {
            let normals: Vec<DVec3> = normals.iter().map(|n| n.as_dvec3().normalize_or_zero()).collect();
            let faces: Vec<Face> = corners.iter().map(|&[a, b, c]| Face::triangle(a, b, c)).collect();
            let surface = ClosestSurface::new(&positions, &faces);
            let (query, direction) = (query.as_dvec3(), direction.as_dvec3().normalize_or(DVec3::X));
            let faces_there = |hit: &Hit| {
                let normal = hit.interpolate(|v| normals[v]).normalize_or_zero();
                normal != DVec3::ZERO && normal.dot(direction) >= angle.cos()
            };
            let cones = surface.cones(&normals, angle);
            let found = surface.nearest_facing(query, 9.0, (&cones, direction, None), faces_there).map(|hit| hit.distance);
            prop_assert_eq!(found, surface.nearest_where(query, 9.0, faces_there).map(|hit| hit.distance));
        }

        /// A search that leaves out a part finds what one among the other triangles does.
        #[test]
        fn a_part_is_left_out_whole_and_nothing_else(
            positions in prop::collection::vec(point(-1.0..1.0), 12),
            corners in prop::collection::vec(prop::array::uniform3(0..12u32), 1..40),
            parts in prop::collection::vec(prop::option::of(0..2u32), 12),
            query in point(-2.0..2.0), own in prop::option::of(0..2u32),
        ) {
            let normals = vec![DVec3::Z; 12];
            let faces: Vec<Face> = corners.iter().map(|&[a, b, c]| Face::triangle(a, b, c)).collect();
            let surface = ClosestSurface::new(&positions, &faces);
            let cones = surface.cones(&normals, 1.0).with_parts(&surface, parts.clone());
            let is_own = |t: &[u32; 3]| own.is_some() && t.iter().all(|&v| parts[v as usize] == own);
            let (query, asks) = (query.as_dvec3(), (&cones, DVec3::Z, own));
            let found = surface.nearest_facing(query, 9.0, asks, |_| true).map(|hit| hit.distance);
            let others = |hit: &Hit| !is_own(&hit.vertices);
            prop_assert_eq!(found, surface.nearest_where(query, 9.0, others).map(|hit| hit.distance));
            if let Some(own) = own {
                let parts = SurfaceParts::new(&surface, parts.clone());
                prop_assert_eq!(surface.nearest_outside(query, 9.0, &parts, own).map(|hit| hit.distance), found);
            }
            let may = surface.may_face(std::iter::once(query), 9.0, (&cones, std::iter::once(DVec3::Z), own));
            prop_assert!(may || found.is_none());
        }

        /// A group of points for which nothing may face has none that faces.
        #[test]
        fn a_group_leaves_out_nothing_that_faces(
            positions in prop::collection::vec(point(-1.0..1.0), 12),
            normals in prop::collection::vec(point(-1.0..1.0), 12),
            corners in prop::collection::vec(prop::array::uniform3(0..12u32), 1..4),
            queries in prop::collection::vec((point(-1.0..1.0), point(-1.0..1.0)), 1..4),
            angle in 0.1..1.0f64, within in 0.01..1.0f64,
        ) {
            let normals: Vec<DVec3> = normals.iter().map(|n| n.as_dvec3().normalize_or_zero()).collect();
            let faces: Vec<Face> = corners.iter().map(|&[a, b, c]| Face::triangle(a, b, c)).collect();
            let surface = ClosestSurface::new(&positions, &faces);
            let cones = surface.cones(&normals, angle);
            let queries: Vec<(DVec3, DVec3)> =
                queries.iter().map(|(p, d)| (p.as_dvec3(), d.as_dvec3().normalize_or(DVec3::X))).collect();
            let found = queries.iter().any(|&(query, direction)| {
                let faces_there = |hit: &Hit| {
                    let normal = hit.interpolate(|v| normals[v]).normalize_or_zero();
                    normal != DVec3::ZERO && normal.dot(direction) >= angle.cos()
                };
                surface.nearest_facing(query, within, (&cones, direction, None), faces_there).is_some()
            });
            let points = queries.iter().map(|q| q.0);
            let may = surface.may_face(points, within, (&cones, queries.iter().map(|q| q.1), None));
            prop_assert!(may || !found);
            let far = queries.iter().map(|q| q.0 + DVec3::splat(9.0));
            prop_assert!(!surface.may_face(far, within, (&cones, queries.iter().map(|q| q.1), None)));
        }
    }

    #[test]
    fn nothing_is_close_to_nothing() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::NAN];
        assert_eq!(ClosestSurface::new(&[], &[]).nearest(DVec3::ZERO), None);
        assert_eq!(ClosestSurface::new(&corners, &[Face::triangle(0, 1, 2)]).nearest(DVec3::ZERO), None);
        let point = ClosestSurface::new(&corners, &[Face::triangle(1, 1, 1)]);
        assert_eq!(point.nearest(DVec3::NAN), None);
        assert_eq!(point.nearest(DVec3::ZERO).unwrap().distance, 1.0);
    }
}
