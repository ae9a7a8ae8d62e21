//! Smooth means over the surface of a part: the operator of delta mush.
//!
//! `B = ((M + L)⁻¹ M)²` with the area M around each vertex and the Laplacian L of the conductances `t c`, where c are
//! those of [`SurfaceLaplacian`]: two steps of implicit diffusion. No entry of B is negative and its rows sum to one, so
//! every vertex gets a mean of the vertices around it; and being made of areas and cotangents, B does not depend on how
//! finely the surface is divided, as a number of steps from neighbour to neighbour would.
//!
//! The diffusivity t goes with the square of the limb's radius, so that a bend of a finger is as round, for its size, as
//! one of a thigh.

use crate::Result;
use glam::DVec3;
use sinew_geometry::solve::SparseCholesky;
use sinew_geometry::{Face, Rows, SurfaceLaplacian, UnionFind};
use sinew_rig::{Influence, Part, Skeleton};
use std::cmp::Ordering;

/// The diffusion length of a step in radii of the limb; the two steps average over 0.6 radii along it, by standard
/// deviation. Against simulated flesh at elbows and knees (`docs/flesh-comparison.md`) vertices are closest from 0.25 to
/// 0.35. Half of it smooths little; twice of it straightens bends and draws their outside in by a fifth of a radius.
const REACH: f64 = 0.3;

/// Right-hand sides that go through the factor together.
const SOLVER_BLOCK: usize = 10;

/// The least area around a vertex, as a share of the mean: enough to keep the system definite at vertices without faces.
const LEAST_AREA: f64 = 1e-9;

/// The vertices of a part that are in one place and have the same weights, as one. Their numbers go by place and not by
/// the order of the file, so that sums over them have the same bits in every order. Copies with other weights, as of
/// lips that touch, stay apart.
pub(super) struct WeldedSkin {
    /// For each vertex of the part.
    pub number: Vec<u32>,
    pub positions: Vec<DVec3>,
    /// Joints in increasing order.
    pub weights: Rows<Influence>,
    faces: Vec<Face>,
}

impl WeldedSkin {
    pub fn new(part: &Part) -> Self {
        let mesh = &part.mesh;
        let row = |v: usize| {
            let mut row = part.binding.weights.row(v).to_vec();
            row.sort_by_key(|influence| influence.joint);
            row
        };
        let rows: Vec<Vec<Influence>> = (0..mesh.positions.len()).map(row).collect();
        // Adding zero turns -0 into +0, which is the same place.
        let place = |v: usize| (mesh.positions[v] + glam::Vec3::ZERO).to_array();
        let compare = |&a: &usize, &b: &usize| {
            let places = place(a).into_iter().zip(place(b)).map(|(a, b)| a.total_cmp(&b));
            let weights = rows[a].iter().zip(&rows[b]);
            let weights = weights.map(|(a, b)| a.joint.cmp(&b.joint).then(a.weight.total_cmp(&b.weight)));
            places.chain(weights).find(|order| order.is_ne()).unwrap_or(rows[a].len().cmp(&rows[b].len()))
        };
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by(compare);
        let mut number = vec![0; rows.len()];
        let mut firsts: Vec<usize> = Vec::new();
        for vertex in order {
            if firsts.last().is_none_or(|first| compare(first, &vertex) != Ordering::Equal) {
                firsts.push(vertex);
            }
            number[vertex] = firsts.len() as u32 - 1;
        }
        Self {
            positions: firsts.iter().map(|&v| mesh.positions[v].as_dvec3()).collect(),
            weights: Rows::new(firsts.iter().map(|&v| rows[v].clone())),
            faces: mesh.faces.iter().map(|face| face.map(|v| number[v as usize])).collect(),
            number,
        }
    }

    /// The connected pieces of the surface, those of single vertices included.
    pub fn pieces(&self, radii: &[f64]) -> Vec<Piece> {
        let laplacian = SurfaceLaplacian::new(&self.positions, &self.faces);
        let count = self.positions.len();
        let mut joined = UnionFind::new(count);
        laplacian.edges().iter().for_each(|&(a, b)| joined.join(a, b));
        let (piece_of, pieces) = joined.numbered(0..count as u32);
        let members = Rows::grouped(pieces, piece_of.iter().copied());
        let edges = Rows::grouped(pieces, laplacian.edges().iter().map(|&(a, _)| piece_of[a as usize]));
        let mut place = vec![0; count];
        members.iter().for_each(|members| (0..).zip(members).for_each(|(k, &v)| place[v as usize] = k));
        let square = |v: u32| radii[v as usize] * radii[v as usize];
        let piece = |(members, edges): (&[u32], &[u32])| {
            let areas = members.iter().map(|&v| laplacian.areas()[v as usize]);
            let mean = areas.clone().sum::<f64>() / members.len() as f64;
            let ends = edges.iter().map(|&e| (laplacian.edges()[e as usize], laplacian.weights()[e as usize]));
            Piece {
                areas: areas.map(|area| if mean > 0.0 { area.max(LEAST_AREA * mean) } else { 1.0 }).collect(),
                conductances: ends
                    .clone()
                    .map(|((a, b), weight)| 0.5 * REACH * REACH * (square(a) + square(b)) * weight)
                    .collect(),
                edges: ends.map(|((a, b), _)| (place[a as usize], place[b as usize])).collect(),
                members: members.to_vec(),
            }
        };
        members.iter().zip(edges.iter()).map(piece).collect()
    }
}

/// A connected piece of a welded skin.
pub(super) struct Piece {
    /// Its vertices.
    pub members: Vec<u32>,
    areas: Vec<f64>,
    edges: Vec<(u32, u32)>,
    conductances: Vec<f64>,
}

impl Piece {
    /// Factors the operator. A matrix that overflows or that rounding leaves indefinite has no factor, and B is then the
    /// identity.
    pub fn smoother(&self) -> Result<Smoother<'_>> {
        let mut matrix = SparseCholesky::new(self.members.len(), &self.edges, SOLVER_BLOCK)?;
        let mut diagonal = self.areas.clone();
        for (&(a, b), conductance) in self.edges.iter().zip(&self.conductances) {
            diagonal[a as usize] += conductance;
            diagonal[b as usize] += conductance;
        }
        let edges: Vec<f64> = self.conductances.iter().map(|conductance| -conductance).collect();
        // `Smoother::smooth` asks whether there is one.
        matrix.factor(&diagonal, &edges).ok();
        Ok(Smoother { matrix, areas: &self.areas })
    }
}

/// The operator B of a piece, factored.
pub(super) struct Smoother<'a> {
    matrix: SparseCholesky,
    areas: &'a [f64],
}

impl Smoother<'_> {
    /// Replaces columns of values by their smooth means.
    pub fn smooth(&mut self, columns: &mut [f64]) {
        let Some(factor) = self.matrix.last_factor() else { return };
        for _ in 0..2 {
            for column in columns.chunks_mut(self.areas.len()) {
                column.iter_mut().zip(self.areas).for_each(|(value, area)| *value *= area);
            }
            factor.solve_in_parallel(columns);
        }
    }
}

/// The radius of the limb at each vertex: the mean distance from its joints' bones, by weight, and no more than the part's
/// extent. A joint without a place, as that of a singular inverse bind matrix, does not count.
pub(super) fn limb_radii(welded: &WeldedSkin, part: &Part, skeleton: &Skeleton) -> Vec<f64> {
    let lines: Vec<Vec<Line>> = (0..part.binding.joints.len()).map(|slot| lines(part, skeleton, slot)).collect();
    let extent = extent(&welded.positions);
    let radius = |(position, row): (&DVec3, &[Influence])| {
        let nearest =
            |slot: u32| lines[slot as usize].iter().map(|l| l.distance(*position)).fold(f64::INFINITY, f64::min);
        let distances = row.iter().map(|influence| (f64::from(influence.weight), nearest(influence.joint)));
        let known = distances.filter(|(_, distance)| distance.is_finite());
        let (total, sum) = known.fold((0.0, 0.0), |(total, sum), (w, distance)| (total + w, sum + w * distance));
        if total > 0.0 { (sum / total).clamp(0.0, extent) } else { 0.0 }
    };
    welded.positions.iter().zip(welded.weights.iter()).map(radius).collect()
}

/// The diagonal of the box around some points.
fn extent(points: &[DVec3]) -> f64 {
    let Some(&first) = points.first() else { return 0.0 };
    let (low, high) = points.iter().fold((first, first), |(low, high), &point| (low.min(point), high.max(point)));
    low.distance(high)
}

/// A bone, or the ray that goes on from a bone before.
struct Line {
    begin: DVec3,
    direction: DVec3,
    is_ray: bool,
}

impl Line {
    fn distance(&self, point: DVec3) -> f64 {
        let arm = point - self.begin;
        let length = self.direction.length_squared();
        let along = if length > 0.0 { (arm.dot(self.direction) / length).max(0.0) } else { 0.0 };
        (arm - self.direction * if self.is_ray { along } else { along.min(1.0) }).length()
    }
}

/// The bones of a joint in the space of the mesh. One without bones goes on as the bone to it does.
fn lines(part: &Part, skeleton: &Skeleton, slot: usize) -> Vec<Line> {
    let joint = part.binding.joints[slot];
    let to_mesh = part.binding.inverse_bind[slot].inverse();
    let begin = to_mesh.translation;
    let own = skeleton.bones().into_iter().filter(|bone| bone.joint == joint);
    let own =
        own.map(|bone| Line { begin, direction: to_mesh.transform_vector3(skeleton.bone_end(bone)), is_ray: false });
    let own: Vec<Line> = own.collect();
    if !own.is_empty() {
        return own;
    }
    let parent = skeleton.joints()[joint].rest.matrix().inverse().translation;
    vec![Line { begin, direction: to_mesh.transform_vector3(-parent), is_ray: true }]
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use glam::Vec3;
    use sinew_geometry::Mesh;
    use sinew_rig::Weights;

    /// A cylinder of radius 1 and length 4 with so many vertices around, and twice as many rings.
    pub(in crate::skinning) fn cylinder(around: u32) -> Part {
        let rings = 2 * around + 1;
        let place = |v: u32| {
            let angle = (v % around) as f32 / around as f32 * std::f32::consts::TAU;
            Vec3::new(angle.cos(), 4.0 * (v / around) as f32 / (rings - 1) as f32, angle.sin())
        };
        let at = |ring: u32, k: u32| ring * around + k % around;
        let cells = (0..rings - 1).flat_map(|ring| (0..around).map(move |k| (ring, k)));
        let faces = cells.map(|(r, k)| Face::quad(at(r, k), at(r + 1, k), at(r + 1, k + 1), at(r, k + 1)));
        let mesh = Mesh::new("cylinder", (0..rings * around).map(place).collect(), faces.collect());
        let mut part = Part { mesh, ..Part::default() };
        part.binding.weights = Weights::rigid((rings * around) as usize, 0);
        part
    }

    /// A step along the axis and the position across it, both smoothed, where the step is and a radius above.
    fn smoothed(around: u32) -> [[f64; 2]; 2] {
        let welded = WeldedSkin::new(&cylinder(around));
        let pieces = welded.pieces(&vec![1.0; welded.positions.len()]);
        let [piece] = &pieces[..] else { panic!("one piece") };
        let step = |p: &DVec3| if (p.y - 2.0).abs() < 1e-6 { 0.5 } else { f64::from(p.y > 2.0) };
        let mut columns: Vec<f64> = welded.positions.iter().map(step).collect();
        columns.extend(welded.positions.iter().map(|p| p.x));
        columns.extend(welded.positions.iter().map(|_| 1.0));
        piece.smoother().unwrap().smooth(&mut columns);
        let (step, rest) = columns.split_at(welded.positions.len());
        let (across, ones) = rest.split_at(step.len());
        assert!(ones.iter().all(|one| (one - 1.0).abs() < 1e-12), "rows sum to one");
        [2.0, 3.0].map(|y| {
            let place = DVec3::new(1.0, y, 0.0);
            let v = welded.positions.iter().position(|p| p.distance(place) < 1e-6).unwrap();
            [step[v], across[v]]
        })
    }

    /// On the surface of a cylinder: `e^(−y/ℓ) (½ + ¼ y/ℓ)` is missing of the step at height y with the length ℓ of a
    /// step, and the first harmonic shrinks by `(1 + ℓ²)²`.
    #[test]
    fn means_are_those_of_the_surface_and_not_of_its_mesh() {
        let heights = [0.0, 1.0 / REACH];
        let expected = heights.map(|y: f64| [1.0 - (-y).exp() * (0.5 + 0.25 * y), (1.0 + REACH * REACH).powi(-2)]);
        for around in [24, 48] {
            for (found, expected) in smoothed(around).iter().flatten().zip(expected.iter().flatten()) {
                assert!((found - expected).abs() < 0.01, "{around} around: {found} for {expected}");
            }
        }
    }

    #[test]
    fn without_a_factor_values_stay_as_they_are() {
        let welded = WeldedSkin::new(&cylinder(6));
        let pieces = welded.pieces(&vec![f64::MAX; welded.positions.len()]);
        let heights: Vec<f64> = welded.positions.iter().map(|p| p.y).collect();
        let mut smoothed = heights.clone();
        pieces[0].smoother().unwrap().smooth(&mut smoothed);
        assert_eq!(smoothed, heights);
    }
}
