//! Delaunay tetrahedralization: no point lies in the circumsphere of a tetrahedron.
//!
//! Points are inserted one by one: the tetrahedra whose circumspheres contain the new point are removed, and the cavity is
//! filled by tetrahedra from its walls to the point (A. Bowyer; D. Watson, *Computing the n-dimensional Delaunay
//! tessellation*, 1981). Predicates are exact (J. Shewchuk, *Adaptive precision floating-point arithmetic and fast robust
//! geometric predicates*, 1997), so lattices and coplanar points are safe. One huge tetrahedron contains all points. Points
//! are inserted along a space-filling curve, which keeps the walk to each short: `O(n)` for evenly distributed points,
//! besides the sort.

use glam::DVec3;
use robust::{Coord3D, insphere, orient3d};
use sinew_field::Box3;

/// No tetrahedron.
pub(super) const NONE: u32 = u32::MAX;

/// The size of the enclosing tetrahedron, in diagonals of the points' bounding box. Its corners must lie outside the
/// circumspheres of all but flat tetrahedra.
const ENCLOSING_SIZE: f64 = 1e4;

/// Bits of each coordinate in the space-filling curve. The curve only orders points, so 1024 cells along an axis are
/// enough.
const CURVE_BITS: u32 = 10;

/// The faces of a tetrahedron, each opposite a corner and oriented so that both have the tetrahedron's sign.
pub(super) const FACES: [[usize; 3]; 4] = [[1, 3, 2], [0, 2, 3], [0, 3, 1], [0, 1, 2]];

/// A Delaunay tetrahedralization. The last four points are the corners of the enclosing tetrahedron.
pub(super) struct Delaunay {
    points: Vec<DVec3>,
    /// Corners, positive by [`orientation`].
    corners: Vec<[u32; 4]>,
    /// The tetrahedron across the face opposite each corner.
    across: Vec<[u32; 4]>,
    is_live: Vec<bool>,
    free_slots: Vec<u32>,
    point_count: usize,
    /// The start of the next walk.
    last: u32,
    /// For each tetrahedron of the current cavity, the inserted point.
    inserted_by: Vec<u32>,
    cavity: Vec<u32>,
    walls: Vec<Wall>,
}

/// A face of the cavity: its corners, and the tetrahedron across.
#[derive(Clone, Copy)]
struct Wall {
    corners: [u32; 3],
    across: u32,
}

impl Delaunay {
    /// Tetrahedralizes points, no two of which coincide.
    pub fn new(points: &[DVec3]) -> Self {
        let bounds = Box3::around(points.iter().copied());
        let (center, size) =
            (bounds.min.midpoint(bounds.max), ENCLOSING_SIZE * bounds.size().length().max(f64::MIN_POSITIVE));
        let enclosing =
            [DVec3::new(-1., -1., -1.), DVec3::new(1., 1., -1.), DVec3::new(1., -1., 1.), DVec3::new(-1., 1., 1.)];
        let point_count = points.len();
        let mut all = points.to_vec();
        all.extend(enclosing.map(|corner| center + corner * size));
        let mut first = [0, 1, 2, 3].map(|k| (point_count + k) as u32);
        if orientation(first.map(|v| all[v as usize])) < 0.0 {
            first.swap(0, 1);
        }
        let mut delaunay = Self {
            points: all,
            corners: vec![first],
            across: vec![[NONE; 4]],
            is_live: vec![true],
            free_slots: Vec::new(),
            point_count,
            last: 0,
            inserted_by: vec![NONE],
            cavity: Vec::new(),
            walls: Vec::new(),
        };
        for point in morton_order(points, &bounds) {
            delaunay.insert(point);
        }
        delaunay
    }

    /// The number of tetrahedron slots, removed ones included.
    pub fn len(&self) -> usize {
        self.corners.len()
    }

    /// The corners of a tetrahedron between given points; none for removed and enclosing ones.
    pub fn tetrahedron(&self, index: usize) -> Option<[u32; 4]> {
        let corners = self.corners[index];
        (self.is_live[index] && corners.iter().all(|&v| (v as usize) < self.point_count)).then_some(corners)
    }

    /// The tetrahedron that contains a point, found by walking from `from`.
    pub fn locate(&self, point: DVec3, from: u32) -> u32 {
        let mut at = from;
        // The first face tested changes from step to step, which prevents cycles.
        for step in 0..self.corners.len() {
            let corners = self.corners[at as usize].map(|v| self.points[v as usize]);
            let outside = (0..4).map(|k| (k + step) % 4).find(|&k| {
                let [a, b, c] = FACES[k].map(|f| corners[f]);
                orientation([a, b, c, point]) < 0.0
            });
            match outside.map(|k| self.across[at as usize][k]) {
                Some(next) if next != NONE => at = next,
                _ => return at,
            }
        }
        at
    }

    /// A tetrahedron to start a walk from.
    pub fn any(&self) -> u32 {
        self.last
    }

    fn insert(&mut self, point: u32) {
        let place = self.points[point as usize];
        let first = self.locate(place, self.last);
        self.cavity.clear();
        self.cavity.push(first);
        self.inserted_by[first as usize] = point;
        let mut next = 0;
        while next < self.cavity.len() {
            let tetrahedron = self.cavity[next] as usize;
            next += 1;
            for (k, face) in FACES.iter().enumerate() {
                let across = self.across[tetrahedron][k];
                if across == NONE || self.inserted_by[across as usize] == point {
                    continue;
                }
                let [a, b, c] = face.map(|f| self.points[self.corners[tetrahedron][f] as usize]);
                // A wall coplanar with the point would make a tetrahedron without volume.
                if self.has_in_sphere(across as usize, place) || orientation([a, b, c, place]) <= 0.0 {
                    self.inserted_by[across as usize] = point;
                    self.cavity.push(across);
                }
            }
        }
        self.find_walls(point);
        self.fill(point);
    }

    fn has_in_sphere(&self, tetrahedron: usize, point: DVec3) -> bool {
        let [a, b, c, d] = self.corners[tetrahedron].map(|v| coordinates(self.points[v as usize]));
        insphere(a, b, c, d, coordinates(point)) > 0.0
    }

    fn find_walls(&mut self, point: u32) {
        self.walls.clear();
        for &tetrahedron in &self.cavity {
            for (k, face) in FACES.iter().enumerate() {
                let across = self.across[tetrahedron as usize][k];
                if across == NONE || self.inserted_by[across as usize] != point {
                    let corners = face.map(|f| self.corners[tetrahedron as usize][f]);
                    self.walls.push(Wall { corners, across });
                }
            }
        }
        for &tetrahedron in &self.cavity {
            self.is_live[tetrahedron as usize] = false;
            self.inserted_by[tetrahedron as usize] = NONE;
            self.free_slots.push(tetrahedron);
        }
    }

    fn fill(&mut self, point: u32) {
        // The two new tetrahedra at an edge of the walls are neighbours; the first waits for the second.
        let mut open_edges: Vec<(u32, u32, u32, usize)> = Vec::with_capacity(3 * self.walls.len() / 2);
        for index in 0..self.walls.len() {
            let Wall { corners: [a, b, c], across } = self.walls[index];
            let new = self.add([a, b, c, point]);
            self.across[new as usize][3] = across;
            if across != NONE {
                let is_shared = |corner: &u32| ![a, b, c].contains(corner);
                let opposite = self.corners[across as usize].iter().position(is_shared).unwrap_or(0);
                self.across[across as usize][opposite] = new;
            }
            for (opposite, (p, q)) in [(b, c), (c, a), (a, b)].into_iter().enumerate() {
                let (low, high) = (p.min(q), p.max(q));
                match open_edges.iter().position(|&(l, h, ..)| (l, h) == (low, high)) {
                    Some(found) => {
                        let (_, _, other, k) = open_edges.swap_remove(found);
                        self.across[new as usize][opposite] = other;
                        self.across[other as usize][k] = new;
                    }
                    None => open_edges.push((low, high, new, opposite)),
                }
            }
            self.last = new;
        }
    }

    fn add(&mut self, corners: [u32; 4]) -> u32 {
        if let Some(index) = self.free_slots.pop() {
            self.corners[index as usize] = corners;
            self.across[index as usize] = [NONE; 4];
            self.is_live[index as usize] = true;
            return index;
        }
        self.corners.push(corners);
        self.across.push([NONE; 4]);
        self.is_live.push(true);
        self.inserted_by.push(NONE);
        self.corners.len() as u32 - 1
    }
}

/// Positive if the first three points are clockwise seen from the last; its sign is exact.
pub(super) fn orientation([a, b, c, d]: [DVec3; 4]) -> f64 {
    orient3d(coordinates(a), coordinates(b), coordinates(c), coordinates(d))
}

fn coordinates(point: DVec3) -> Coord3D<f64> {
    Coord3D { x: point.x, y: point.y, z: point.z }
}

/// Indices of points in the order of a Morton curve through their bounding box.
fn morton_order(points: &[DVec3], bounds: &Box3) -> Vec<u32> {
    let scale = f64::from((1u32 << CURVE_BITS) - 1) / bounds.size().max_element().max(f64::MIN_POSITIVE);
    let key = |&point: &DVec3| {
        let [x, y, z] = ((point - bounds.min) * scale).to_array().map(|k| k as u32);
        let spread = |k: u32| (0..CURVE_BITS).map(|bit| u64::from(k >> bit & 1) << (3 * bit)).sum::<u64>();
        spread(x) | spread(y) << 1 | spread(z) << 2
    };
    let keys: Vec<u64> = points.iter().map(key).collect();
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_by_key(|&point| (keys[point as usize], point));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(count: usize, place: impl Fn(f64) -> DVec3) -> Vec<DVec3> {
        (0..count).map(|k| place(k as f64)).collect()
    }

    fn volume(points: &[DVec3], [a, b, c, d]: [u32; 4]) -> f64 {
        let [a, b, c, d] = [a, b, c, d].map(|v| points[v as usize]);
        (b - a).cross(c - a).dot(d - a).abs() / 6.0
    }

    fn check(points: &[DVec3], hull: f64) {
        let delaunay = Delaunay::new(points);
        let tetrahedra: Vec<[u32; 4]> = (0..delaunay.len()).filter_map(|t| delaunay.tetrahedron(t)).collect();
        for &tetrahedron in &tetrahedra {
            let corners = tetrahedron.map(|v| points[v as usize]);
            assert!(orientation(corners) > 0.0, "{tetrahedron:?} is inverted");
            let [a, b, c, d] = corners.map(coordinates);
            assert!(points.iter().all(|&p| insphere(a, b, c, d, coordinates(p)) <= 0.0), "{tetrahedron:?}");
        }
        let total: f64 = tetrahedra.iter().map(|&t| volume(points, t)).sum();
        assert!((total / hull - 1.0).abs() < 1e-3, "{total} of {hull}");
    }

    #[test]
    fn scattered_points_have_empty_spheres() {
        // Point 0 would coincide with a corner.
        let place = |k: f64| DVec3::new((k * 0.618).fract(), (k * 0.755).fract(), (k * 0.57).fract());
        let scattered = points(300, |k| place(k + 1.0));
        let corners = points(8, |k| DVec3::new(k % 2.0, (k / 2.0).floor() % 2.0, (k / 4.0).floor()));
        check(&[corners, scattered].concat(), 1.0);
    }

    #[test]
    fn so_does_a_lattice() {
        let lattice = points(216, |k| DVec3::new(k % 6.0, (k / 6.0).floor() % 6.0, (k / 36.0).floor()));
        check(&lattice, 125.0);
    }

    #[test]
    fn a_point_is_found_where_it_is() {
        let scattered = points(500, |k| DVec3::new((k * 0.618).fract(), (k * 0.755).fract(), (k * 0.57).fract()));
        let delaunay = Delaunay::new(&scattered);
        let mut from = delaunay.any();
        for k in 0..200 {
            let point = DVec3::new((f64::from(k) * 0.31).fract(), (f64::from(k) * 0.87).fract(), 0.5);
            from = delaunay.locate(point, from);
            let corners = delaunay.corners[from as usize].map(|v| delaunay.points[v as usize]);
            for face in FACES {
                let [a, b, c] = face.map(|f| corners[f]);
                assert!(orientation([a, b, c, point]) >= 0.0);
            }
        }
    }
}
