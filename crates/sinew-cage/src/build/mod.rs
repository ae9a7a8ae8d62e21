//! Which coarse closed surface has the mesh inside?
//!
//! The surface at an offset around the mesh ([`OffsetSolid`]) is made coarser ([`Decimation`]) while it stays
//! outside. Distances on a grid decide which collapses are allowed, and the surface that comes out is then held
//! against the mesh itself. Where it comes too near, the margin is made wider; from √3/2 cells on, by which
//! interpolated distances are off at most, that cannot happen.

mod decimate;
mod offset_solid;
mod quadric;
mod triangle_hash;

use crate::{Error, Result};
use decimate::{Decimation, Respect};
use glam::{DVec3, Vec3};
use offset_solid::{CELLS, OffsetSolid};
use rayon::prelude::*;
use sinew_field::{Box3, Polygons};
use sinew_geometry::{Face, Topology, UnionFind};

/// Fewer vertices do not go round a body.
const LEAST_VERTICES: usize = 8;

/// Margins from the mesh that are tried, in cells.
const MARGINS: [f64; 3] = [0.3, 0.6, 0.9];

/// How a cage is to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CageOptions {
    /// How many vertices it has, about; more where the mesh cannot be enclosed with so few.
    pub vertices: usize,
    /// How far it is from the mesh before it is made coarser, of the diagonal of the mesh's box. Parts that are less
    /// than two offsets and a half apart are joined.
    pub offset: f64,
    /// How much shorter its edges are near joints.
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
    /// Where its vertices are.
    pub positions: Vec<Vec3>,
    /// Its triangles.
    pub triangles: Vec<[u32; 3]>,
}

impl Cage {
    /// Encloses a mesh; finer near the joints given. Holes and intersections of the mesh do not matter. `progress` is
    /// told the share that is done.
    pub fn build(
        positions: &[Vec3],
        faces: &[Face],
        joints: &[DVec3],
        options: &CageOptions,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Self> {
        check(positions, faces, options)?;
        let diagonal = Box3::around(used(positions, faces)).size().length();
        if diagonal == 0.0 {
            return Err(sinew_field::Error::NoSurface.into());
        }
        let solid = OffsetSolid::new(positions, faces, options.offset * diagonal)?;
        progress(0.2);
        let (fine, triangles) = outer_shells(&solid.surface()?);
        progress(0.3);
        let topology = Topology::new(positions, faces);
        let witnesses = witnesses(&topology, positions);
        let radii: Vec<(DVec3, f64)> = joints.iter().map(|&joint| (joint, reach(joint, &fine))).collect();
        let fineness = |place: DVec3| {
            let near = radii.iter().map(|(joint, radius)| (-joint.distance_squared(place) / (radius * radius)).exp());
            1.0 + (options.joint_detail - 1.0) * near.fold(0.0, f64::max)
        };
        for (attempt, margin) in MARGINS.iter().enumerate() {
            let is_clear = |corners| solid.seems_clear(corners, margin * solid.cell);
            let respect = Respect { is_clear: &is_clear, fineness: &fineness, witnesses: &witnesses };
            let mut decimation = Decimation::new(fine.clone(), triangles.clone(), &respect);
            let [from, to] = [attempt, attempt + 1].map(|k| 0.3 + 0.7 * k as f64 / MARGINS.len() as f64);
            decimation.run(options.vertices, &respect, &mut |share| progress(from + (to - from) * share));
            let (coarse, triangles) = decimation.finish();
            if triangles.par_iter().all(|t| solid.is_clear(t.map(|v| coarse[v as usize]))) {
                progress(1.0);
                return Ok(Self { positions: coarse.iter().map(|p| p.as_vec3()).collect(), triangles });
            }
        }
        Err(Error::NotEnclosed { offset: options.offset })
    }

    /// Its triangles as faces.
    pub fn faces(&self) -> Vec<Face> {
        self.triangles.iter().map(|&[a, b, c]| Face::triangle(a, b, c)).collect()
    }

    /// The mean length of its edges.
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
            let place = positions.get(vertex as usize);
            let place =
                place.ok_or(sinew_geometry::Error::FaceOutOfRange { mesh: "reference".into(), face, vertex, count })?;
            if !place.is_finite() {
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
    let within = |what, value: f64, is_fine: bool, range| match is_fine {
        true => Ok(()),
        false => Err(sinew_geometry::Error::OutOfRange { what, value, range }.into()),
    };
    let CageOptions { vertices, offset, joint_detail } = *options;
    within("the number of a cage's vertices", vertices as f64, vertices >= LEAST_VERTICES, "8 or more")?;
    within("the offset of a cage", offset, offset > 0.0 && offset <= 0.5, "more than 0 and at most 0.5")?;
    within("the detail of a cage at joints", joint_detail, (1.0..=10.0).contains(&joint_detail), "from 1 to 10")
}

fn used<'a>(positions: &'a [Vec3], faces: &'a [Face]) -> impl Iterator<Item = DVec3> + 'a {
    faces.iter().flat_map(Face::corners).map(|&v| positions[v as usize].as_dvec3())
}

/// The surface without the walls of hollows inside it.
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

/// A point of every connected piece of the mesh.
fn witnesses(topology: &Topology, positions: &[Vec3]) -> Vec<DVec3> {
    let mut witness = vec![None; topology.shells()];
    for (face, &shell) in topology.faces().iter().zip(topology.shell_of_face()) {
        let vertex = topology.representatives()[face.corners()[0] as usize];
        witness[shell as usize].get_or_insert(positions[vertex as usize].as_dvec3());
    }
    witness.into_iter().flatten().collect()
}

/// How far around a joint its detail reaches: twice as far as the nearest of the surface is.
fn reach(joint: DVec3, surface: &[DVec3]) -> f64 {
    let nearest = surface.iter().map(|p| p.distance_squared(joint)).fold(f64::INFINITY, f64::min);
    2.0 * nearest.sqrt().max(f64::MIN_POSITIVE)
}

const _: () = assert!(MARGINS[2] > 0.867 && MARGINS[2] < CELLS);
