//! A coarse closed surface around a mesh.
//!
//! The surface at an offset around the mesh ([`OffsetSolid`]) is simplified ([`Decimation`]) while it stays outside the
//! mesh. Distances sampled on a grid decide which edge collapses are allowed; the result is then checked against the mesh
//! itself. If it comes too close, the decimation is repeated with a larger margin. A margin of √3/2 cells, the largest
//! error of an interpolated distance, always suffices.

mod decimate;
mod offset_solid;
mod quadric;
mod triangle_hash;

use crate::{Error, Result};
use decimate::{CollapseConstraints, Decimation};
use glam::{DVec3, Vec3};
use offset_solid::{MIN_OFFSET_CELLS, OffsetSolid};
use sinew_field::{Box3, Polygons};
use sinew_geometry::parallel::*;
use sinew_geometry::{Face, SelfIntersections, Topology, UnionFind};

/// Eight vertices are those of a box, the coarsest cage that is of use.
const MIN_VERTICES: usize = 8;

/// Margins between cage and mesh, in grid cells, tried in this order. The last is larger than √3/2.
const MARGINS: [f64; 3] = [0.3, 0.6, 0.9];

/// The most triangles of the surface at an offset, before it is simplified, which bounds the time. Eight characters at the
/// usual offset have 170,000 to 380,000; the number grows as the inverse square of the offset.
const MAX_OFFSET_TRIANGLES: usize = 600_000;

/// The options of a cage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CageOptions {
    /// The approximate number of vertices; a cage that cannot enclose the mesh with so few has more.
    pub vertices: usize,
    /// The distance from the mesh before decimation, relative to the diagonal of the mesh's bounding box. Parts closer
    /// than 2.5 offsets merge.
    pub offset: f64,
    /// The factor by which edges are shorter near joints.
    pub joint_detail: f64,
}

impl Default for CageOptions {
    fn default() -> Self {
        Self { vertices: 600, offset: 0.006, joint_detail: 1.6 }
    }
}

/// A closed surface around a mesh, without intersections, its triangles counterclockwise seen from outside.
#[derive(Debug, Clone, PartialEq)]
pub struct Cage {
    /// The positions of the vertices.
    pub positions: Vec<Vec3>,
    /// The triangles.
    pub triangles: Vec<[u32; 3]>,
}

impl Cage {
    /// Encloses a mesh, with shorter edges near `joints`. The mesh may have holes and self-intersections,
    /// but must not be a soup of triangles. `progress`
    /// receives the completed fraction.
    pub fn build(
        positions: &[Vec3],
        faces: &[Face],
        joints: &[DVec3],
        options: &CageOptions,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Self> {
        check(positions, faces, options)?;
        let diagonal = Box3::around(used_positions(positions, faces)).size().length();
        if diagonal == 0.0 {
            return Err(sinew_field::Error::NoSurface.into());
        }
        let topology = Topology::new(positions, faces);
        SelfIntersections::new(&topology, positions).check_surface(positions)?;
        let solid = OffsetSolid::new(positions, faces, options.offset * diagonal)?;
        progress(0.2);
        let (fine, triangles) = outer_shells(&solid.surface()?);
        if triangles.len() > MAX_OFFSET_TRIANGLES {
            return Err(Error::TooIntricate { offset: options.offset, triangles: triangles.len() });
        }
        progress(0.3);
        let shell_samples = shell_samples(&topology, positions);
        let radii: Vec<(DVec3, f64)> = joints.iter().map(|&joint| (joint, detail_radius(joint, &fine))).collect();
        let detail = |position: DVec3| {
            let falloff =
                radii.iter().map(|(joint, radius)| (-joint.distance_squared(position) / (radius * radius)).exp());
            1.0 + (options.joint_detail - 1.0) * falloff.fold(0.0, f64::max)
        };
        for (attempt, margin) in MARGINS.iter().enumerate() {
            let is_clear = |corners| solid.is_clear_on_grid(corners, margin * solid.cell);
            let constraints =
                CollapseConstraints { is_clear: &is_clear, detail: &detail, shell_samples: &shell_samples };
            let mut decimation = Decimation::new(fine.clone(), triangles.clone(), &constraints);
            let [from, to] = [attempt, attempt + 1].map(|k| 0.3 + 0.7 * k as f64 / MARGINS.len() as f64);
            decimation.run(options.vertices, &constraints, &mut |share| progress(from + (to - from) * share));
            let (coarse, triangles) = decimation.finish();
            if triangles.par_iter().all(|t| solid.is_clear(t.map(|v| coarse[v as usize]))) {
                progress(1.0);
                return Ok(Self { positions: coarse.iter().map(|p| p.as_vec3()).collect(), triangles });
            }
        }
        Err(Error::NotEnclosed { offset: options.offset })
    }

    /// The triangles as faces.
    #[must_use]
    pub fn faces(&self) -> Vec<Face> {
        self.triangles.iter().map(|&[a, b, c]| Face::triangle(a, b, c)).collect()
    }

    /// The mean edge length.
    #[must_use]
    pub fn edge_length(&self) -> f64 {
        let lengths = self
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
            .map(|(a, b)| self.positions[a as usize].as_dvec3().distance(self.positions[b as usize].as_dvec3()));
        lengths.sum::<f64>() / (3 * self.triangles.len()).max(1) as f64
    }
}

fn check(positions: &[Vec3], faces: &[Face], options: &CageOptions) -> Result<()> {
    let count = positions.len();
    for (face, corners) in faces.iter().enumerate() {
        for &vertex in corners.corners() {
            let position = positions.get(vertex as usize);
            let position = position.ok_or(sinew_geometry::Error::FaceOutOfRange {
                mesh: "reference".into(),
                face,
                vertex,
                count,
            })?;
            if !position.is_finite() {
                let vertex = vertex as usize;
                return Err(sinew_geometry::Error::VertexNotFinite {
                    mesh: "reference".into(),
                    what: "position",
                    vertex,
                }
                .into());
            }
        }
    }
    if faces.is_empty() {
        return Err(sinew_field::Error::NoSurface.into());
    }
    let check_range = |what, value: f64, is_valid: bool, range| match is_valid {
        true => Ok(()),
        false => Err(sinew_geometry::Error::OutOfRange { what, value, range }.into()),
    };
    let CageOptions { vertices, offset, joint_detail } = *options;
    check_range("the number of a cage's vertices", vertices as f64, vertices >= MIN_VERTICES, "8 or more")?;
    check_range("the offset of a cage", offset, offset > 0.0 && offset <= 0.5, "more than 0 and at most 0.5")?;
    check_range("the detail of a cage at joints", joint_detail, (1.0..=10.0).contains(&joint_detail), "from 1 to 10")
}

fn used_positions<'a>(positions: &'a [Vec3], faces: &'a [Face]) -> impl Iterator<Item = DVec3> + 'a {
    faces.iter().flat_map(Face::corners).map(|&v| positions[v as usize].as_dvec3())
}

/// The surface without the shells of internal cavities, whose volume is negative.
fn outer_shells(surface: &Polygons) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let positions: Vec<DVec3> = surface.positions.iter().map(|p| p.as_dvec3()).collect();
    let triangles: Vec<[u32; 3]> = surface.faces.iter().flat_map(Face::triangles).collect();
    let mut shells = UnionFind::new(positions.len());
    triangles.iter().for_each(|&[a, b, c]| {
        shells.join(a, b);
        shells.join(b, c);
    });
    let mut volumes = vec![0.0; positions.len()];
    for triangle in &triangles {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        volumes[shells.root(triangle[0]) as usize] += a.dot(b.cross(c));
    }
    let outer = triangles.into_iter().filter(|t| volumes[shells.root(t[0]) as usize] > 0.0).collect();
    (positions, outer)
}

/// One vertex of every shell of the mesh.
fn shell_samples(topology: &Topology, positions: &[Vec3]) -> Vec<DVec3> {
    let mut sample = vec![None; topology.shells()];
    for (face, &shell) in topology.faces().iter().zip(topology.shell_of_face()) {
        let vertex = topology.representatives()[face.corners()[0] as usize];
        sample[shell as usize].get_or_insert(positions[vertex as usize].as_dvec3());
    }
    sample.into_iter().flatten().collect()
}

/// The radius of finer detail around a joint: twice the distance to the nearest surface vertex.
fn detail_radius(joint: DVec3, surface: &[DVec3]) -> f64 {
    let nearest = surface.iter().map(|p| p.distance_squared(joint)).fold(f64::INFINITY, f64::min);
    2.0 * nearest.sqrt().max(f64::MIN_POSITIVE)
}

const _: () = assert!(MARGINS[2] > 0.867 && MARGINS[2] < MIN_OFFSET_CELLS);
