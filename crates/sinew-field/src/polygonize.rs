//! Polygonization: triangles of a level set of a field.
//!
//! Space is cut into cubes and each into the six tetrahedra around its diagonal (H. Kuhn's; A. Doi, A.
//! Koide, *An efficient method of triangulating equi-valued surfaces by using tetrahedral cells*,
//! 1991). Along an edge of which one end is inside and the other outside, the surface is found by
//! bracketing; in a tetrahedron with such edges it is one triangle or two. Unlike in cubes no case is
//! ambiguous, so that the mesh is closed and every edge is shared by two triangles, whatever the field.

use super::lattice::Lattice;
use super::{Box3, CompactField};
use crate::Result;
use glam::{DVec3, Vec3};
use sinew_geometry::Face;
use sinew_geometry::parallel::*;

/// The directions of edges, as steps along the axes in the bits of a number, less one.
const DIRECTIONS: usize = 7;

/// The orders in which a path from a cube's lowest to its highest corner may go along the axes, even
/// ones first.
const PATHS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

/// Steps to find the surface on an edge. The Illinois method triples the number of correct digits about every three
/// steps, so a smooth field needs fewer.
const STEPS: usize = 12;

/// How close to the surface a value must come, of the level. Vertices are f32, good to 1e-7, so less would not show.
const TOLERANCE: f64 = 1e-9;

/// How near to the end of an edge a vertex may be, of its length, so that no two are in one place. Positions in f32 are
/// exact to 6e-8, a thousandth of a cell on a lattice of 16 000 cells a side.
const CLEARANCE: f64 = 1e-3;

/// A closed surface of triangles whose corners run counterclockwise seen from outside.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Polygons {
    /// Where the vertices are.
    pub positions: Vec<Vec3>,
    /// The triangles.
    pub faces: Vec<Face>,
}

/// The surface on which a field has a value, between 0 and 1, within a box and by cells of a size. The
/// field is taken for zero outside the box, so that the surface is closed there.
///
/// ```
/// use glam::DVec3;
/// use sinew_field::{Compact, CompactField, Falloff, Sphere, polygonize};
///
/// let ball = Compact::new(Sphere { center: DVec3::ZERO, radius: 1.0 }, Falloff::Smooth { radius: 0.5 });
/// let surface = polygonize(&ball, 0.5, &ball.bounds(), 0.1)?;
/// assert!(surface.positions.iter().all(|p| (p.length() - 1.0).abs() < 1e-3));
/// # Ok::<(), sinew_field::Error>(())
/// ```
pub fn polygonize(field: &(impl CompactField + Sync), level: f64, bounds: &Box3, cell: f64) -> Result<Polygons> {
    if !(level > 0.0 && level < 1.0) {
        return Err(sinew_geometry::Error::OutOfRange {
            what: "the level of a surface",
            value: level,
            range: "between 0 and 1",
        }
        .into());
    }
    if bounds.is_empty() {
        return Ok(Polygons::default());
    }
    // All nodes of the lattice's border are outside the box.
    let lattice = Lattice::over(&bounds.expanded(DVec3::splat(cell)), cell)?;
    let excess = |point: DVec3| if bounds.contains(point) { field.density(point).value - level } else { -level };
    let values = lattice.values(excess);
    let crossings = Crossings::new(&lattice, &values);
    let positions = crossings.edges().map(|(node, direction)| find(&lattice, &excess, node, direction)).collect();
    let layers = 0..lattice.counts[2] - 1;
    let faces = layers.into_par_iter().flat_map_iter(|layer| crossings.layer(&values, layer)).collect();
    Ok(Polygons { positions, faces })
}

/// The edges that the surface crosses, numbered in the order of their lower ends.
struct Crossings<'a> {
    lattice: &'a Lattice,
    /// For each node the directions of the crossed edges that start there, in bits.
    masks: Vec<u8>,
    /// The number of the first of them.
    starts: Vec<u32>,
}

impl<'a> Crossings<'a> {
    fn new(lattice: &'a Lattice, values: &[f32]) -> Self {
        let mask = |node: usize| {
            let crossed = |direction: &usize| {
                let end = step(lattice, node, *direction);
                end.is_some_and(|end| (values[node] >= 0.0) != (values[end] >= 0.0))
            };
            (0..DIRECTIONS).filter(crossed).fold(0, |mask, direction| mask | 1 << direction)
        };
        let masks: Vec<u8> = (0..lattice.len()).into_par_iter().with_min_len(1024).map(mask).collect();
        let starts = masks.iter().scan(0, |count, mask| Some(std::mem::replace(count, *count + mask.count_ones())));
        Self { lattice, starts: starts.collect(), masks }
    }

    fn edges(&self) -> impl ParallelIterator<Item = (usize, usize)> {
        let of_node = |(node, &mask): (usize, &u8)| {
            (0..DIRECTIONS).filter(move |direction| mask & 1 << direction != 0).map(move |direction| (node, direction))
        };
        self.masks.par_iter().enumerate().with_min_len(1024).flat_map_iter(of_node)
    }

    /// The vertex on the edge between two nodes, the first of which is the lower one.
    fn vertex(&self, node: usize, direction: usize) -> u32 {
        let before = self.masks[node] & ((1 << direction) - 1);
        self.starts[node] + before.count_ones()
    }

    /// The triangles of a layer of cubes.
    fn layer(&self, values: &[f32], z: usize) -> Vec<Face> {
        let strides = self.lattice.strides();
        let [nx, ny, _] = self.lattice.counts;
        let mut faces = Vec::new();
        for (x, y) in (0..ny - 1).flat_map(|y| (0..nx - 1).map(move |x| (x, y))) {
            let first = x + y * strides[1] + z * strides[2];
            let corner = |bits: usize| first + (0..3).map(|axis| (bits >> axis & 1) * strides[axis]).sum::<usize>();
            let inside: [bool; 8] = std::array::from_fn(|bits| values[corner(bits)] >= 0.0);
            if inside.iter().all(|&is| is) || !inside.contains(&true) {
                continue;
            }
            for (k, [a, b, _]) in PATHS.into_iter().enumerate() {
                let corners = [0, 1 << a, 1 << a | 1 << b, 7];
                let vertex = |p: usize, q: usize| {
                    let (low, high) = (corners[p.min(q)], corners[p.max(q)]);
                    self.vertex(corner(low), (high - low) - 1)
                };
                tetrahedron(corners.map(|bits| inside[bits]), k < 3, vertex, &mut faces);
            }
        }
        faces
    }
}

/// The triangles between the corners of a tetrahedron that are inside and those that are not. With
/// inside corners first, in an order that runs as (0, x, y, z) does, outwards is towards the last ones.
fn tetrahedron(inside: [bool; 4], is_even: bool, vertex: impl Fn(usize, usize) -> u32, faces: &mut Vec<Face>) {
    let mut order = [0, 1, 2, 3];
    order.sort_by_key(|&k| !inside[k]);
    let swaps = (0..4).flat_map(|i| (0..i).map(move |j| (j, i))).filter(|&(j, i)| order[j] > order[i]).count();
    let [a, b, c, d] = order;
    let mut add = |p: u32, q: u32, r: u32| {
        let keeps = is_even == swaps.is_multiple_of(2);
        faces.push(if keeps { Face::triangle(p, q, r) } else { Face::triangle(p, r, q) });
    };
    match inside.iter().filter(|&&is| is).count() {
        1 => add(vertex(a, b), vertex(a, c), vertex(a, d)),
        2 => {
            add(vertex(a, c), vertex(a, d), vertex(b, d));
            add(vertex(a, c), vertex(b, d), vertex(b, c));
        }
        3 => add(vertex(a, d), vertex(b, d), vertex(c, d)),
        _ => {}
    }
}

/// The node at the end of an edge, if it is in the lattice.
fn step(lattice: &Lattice, node: usize, direction: usize) -> Option<usize> {
    let (place, strides) = (lattice.place(node), lattice.strides());
    (0..3)
        .filter(|axis| (direction + 1) >> axis & 1 == 1)
        .try_fold(node, |node, axis| (place[axis] + 1 < lattice.counts[axis]).then_some(node + strides[axis]))
}

/// The place on an edge where the excess changes its sign: regula falsi, with the weight of an end that
/// stays halved (the Illinois method), so that both close in.
fn find(lattice: &Lattice, excess: &impl Fn(DVec3) -> f64, node: usize, direction: usize) -> Vec3 {
    let place = lattice.place(node);
    let bits = direction + 1;
    let start = lattice.point(place);
    let along = lattice.cell * DVec3::from_array([0, 1, 2].map(|axis| (bits >> axis & 1) as f64));
    let (mut low, mut high) = ((0.0, excess(start)), (1.0, excess(start + along)));
    // Rounding may have moved an end that is on the surface to its other side; then that is the place.
    let mut found = if low.1.abs() < high.1.abs() { 0.0 } else { 1.0 };
    for _ in 0..STEPS {
        if (low.1 >= 0.0) == (high.1 >= 0.0) {
            break;
        }
        found = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let value = excess(start + found * along);
        if value.abs() < TOLERANCE {
            break;
        }
        if (value >= 0.0) == (high.1 >= 0.0) {
            high = (found, value);
            low.1 *= 0.5;
        } else {
            low = (found, value);
            high.1 *= 0.5;
        }
    }
    (start + found.clamp(CLEARANCE, 1.0 - CLEARANCE) * along).as_vec3()
}
