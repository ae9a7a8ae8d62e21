//! The welded points of all meshes in one list, at rest.

use crate::parallel::VERTICES_PER_TASK;
use glam::{DVec3, Quat, Vec3};
use sinew_geometry::Rows;
use sinew_geometry::parallel::*;
use sinew_geometry::{Face, SelfIntersections, SurfaceLaplacian, Topology};
use sinew_rig::Surface;
use sinew_rig::{Character, Influence};
use std::iter::Sum;
use std::ops::Mul;

/// The welded points of a character.
pub(crate) struct WeldedSurface {
    /// Where they are in the rest pose.
    pub rest: Vec<DVec3>,
    /// The area-weighted unit normals there; zero where there are no faces.
    pub normals: Vec<DVec3>,
    pub faces: Vec<Face>,
    /// The faces around each point.
    pub(super) faces_at: Rows<u32>,
    /// Joints with weights that sum to one, the largest first.
    pub influences: Rows<(u32, f64)>,
    /// Points next to each, with shares that sum to one.
    pub neighbours: Rows<(u32, f64)>,
    /// Whether morph targets move a point by themselves.
    pub is_morphed: Vec<bool>,
    /// The vertices of the character's surface that are one point; none for a point inside a face.
    pub(super) copies: Rows<u32>,
}

/// The results of [`WeldedSurface::write`] for each point: whether it moved, and the rotation of its normal.
pub(crate) struct NormalRotations {
    has_moved: Vec<bool>,
    rotations: Vec<Quat>,
}

impl NormalRotations {
    pub fn new(body: &WeldedSurface) -> Self {
        Self { has_moved: vec![false; body.len()], rotations: vec![Quat::IDENTITY; body.len()] }
    }
}

impl WeldedSurface {
    /// Refuses a soup of triangles.
    pub fn check_surface(&self) -> sinew_geometry::Result<()> {
        let rest: Vec<Vec3> = self.rest.iter().map(|p| p.as_vec3()).collect();
        SelfIntersections::new(&Topology::new(&rest, &self.faces), &rest).check_surface(&rest)
    }

    /// The points of all meshes but those of these names.
    pub fn new(character: &Character, leave_out: &[String]) -> Self {
        let world = character.skeleton.rest_world();
        let (mut rest, mut faces) = (Vec::new(), Vec::new());
        let (mut influences, mut copies, mut is_morphed) = (Vec::new(), Vec::new(), Vec::new());
        let ranges = character.vertex_ranges().into_iter().zip(character.morph_ranges());
        for (part, (vertices, morphs)) in character.parts.iter().zip(ranges) {
            let mesh = &part.mesh;
            if leave_out.contains(&mesh.name) {
                continue;
            }
            let topology = Topology::new(&mesh.positions, &mesh.faces);
            let (binding, first) = (&part.binding, rest.len());
            let places = part.rest_positions(&character.base_pose.morphs[morphs]);
            for v in topology.representatives().iter().map(|&v| v as usize) {
                let mut row = binding.weights.row(v).to_vec();
                row.retain(|influence| influence.weight != 0.0);
                row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
                let total: f64 = row.iter().map(|influence| f64::from(influence.weight)).sum();
                let at_rest = |influence: &Influence| {
                    let slot = influence.joint as usize;
                    let matrix = world[binding.joints[slot]] * binding.inverse_bind[slot];
                    f64::from(influence.weight) / total * matrix.transform_point3(places[v])
                };
                rest.push(row.iter().map(at_rest).sum());
                let joint = |i: &Influence| (binding.joints[i.joint as usize] as u32, f64::from(i.weight) / total);
                influences.push(row.iter().map(joint).collect());
                is_morphed.push(mesh.morphs.iter().any(|morph| morph.positions[v] != Vec3::ZERO));
            }
            copies.resize(rest.len(), Vec::new());
            for v in 0..mesh.positions.len() {
                copies[first + topology.welded(v)].push((vertices.start + v) as u32);
            }
            faces.extend(topology.faces().iter().map(|face| face.map(|v| v + first as u32)));
        }
        Self {
            normals: normals(&rest, &faces),
            faces_at: faces_at(rest.len(), &faces),
            neighbours: neighbours(&rest, &faces),
            influences: Rows::new(influences.into_iter()),
            copies: Rows::new(copies.into_iter()),
            rest,
            faces,
            is_morphed,
        }
    }

    /// Turns the faces at points round, and their normals; `is_turned` is one for all points of a shell.
    pub fn reverse_faces(&mut self, is_turned: impl Fn(u32) -> bool) {
        self.faces.iter_mut().filter(|face| is_turned(face.corners()[0])).for_each(|face| *face = face.reversed());
        self.normals = normals(&self.rest, &self.faces);
    }

    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// The vertices of the character's surface that are this point.
    pub fn copies(&self, point: usize) -> &[u32] {
        self.copies.row(point as u32)
    }

    /// Where a point is in a surface.
    #[inline]
    pub fn place(&self, point: usize, surface: &Surface) -> Vec3 {
        surface.positions[self.copies(point)[0] as usize]
    }

    /// The area-weighted normal of the surface around a point, for any places of its points.
    #[inline]
    pub fn normal(&self, point: usize, places: &[Vec3]) -> Vec3 {
        let around = self.faces_at.row(point as u32).iter().flat_map(|&face| self.faces[face as usize].triangles());
        let area = |triangle: [u32; 3]| {
            let [a, b, c] = triangle.map(|v| places[v as usize]);
            (b - a).cross(c - a)
        };
        around.map(area).sum::<Vec3>().normalize_or_zero()
    }

    /// A third of the area of the faces around a point, along their normals.
    #[inline]
    pub fn area_vector(&self, point: usize, places: &[DVec3]) -> DVec3 {
        let around = self.faces_at.row(point as u32).iter().flat_map(|&face| self.faces[face as usize].triangles());
        let area = |triangle: [u32; 3]| {
            let [a, b, c] = triangle.map(|v| places[v as usize]);
            (b - a).cross(c - a)
        };
        around.filter(|triangle| triangle.contains(&(point as u32))).map(area).sum::<DVec3>() / 6.0
    }

    /// Writes what moved into a surface, and turns normals with the surface around them.
    pub fn write(&self, was: &[Vec3], is: &[Vec3], turning: &mut NormalRotations, surface: &mut Surface) {
        let NormalRotations { has_moved, rotations } = turning;
        let moved = has_moved.par_iter_mut().zip(was).zip(is).with_min_len(VERTICES_PER_TASK);
        moved.for_each(|((has_moved, was), is)| *has_moved = was != is);
        if !surface.normals.is_empty() {
            rotations.par_chunks_mut(VERTICES_PER_TASK).enumerate().for_each(|(piece, rotations)| {
                for (k, turn) in rotations.iter_mut().enumerate() {
                    let point = piece * VERTICES_PER_TASK + k;
                    let around = self.neighbours.row(point as u32);
                    *turn = if has_moved[point] || around.iter().any(|&(j, _)| has_moved[j as usize]) {
                        Quat::from_rotation_arc(self.normal(point, was), self.normal(point, is))
                    } else {
                        Quat::IDENTITY
                    };
                }
            });
            for (point, &turn) in rotations.iter().enumerate().filter(|(_, turn)| **turn != Quat::IDENTITY) {
                self.copies(point).iter().for_each(|&copy| surface.rotate(copy as usize, turn));
            }
        }
        for point in (0..self.len()).filter(|&point| has_moved[point]) {
            self.copies(point).iter().for_each(|&copy| surface.positions[copy as usize] = is[point]);
        }
    }

    /// The mean of a value over the neighbours of a point, weighted by their shares.
    #[inline]
    pub fn neighbour_mean<T: Sum>(&self, point: u32, value: impl Fn(usize) -> T) -> T
    where
        f64: Mul<T, Output = T>,
    {
        self.neighbours.row(point).iter().map(|&(neighbour, share)| share * value(neighbour as usize)).sum()
    }

    /// The ends of every edge, once each way.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.len()).flat_map(|i| self.neighbours.row(i as u32).iter().map(move |&(j, _)| (i, j as usize)))
    }
}

pub(super) fn normals(rest: &[DVec3], faces: &[Face]) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; rest.len()];
    for triangle in faces.iter().flat_map(Face::triangles) {
        let [a, b, c] = triangle.map(|v| rest[v as usize]);
        triangle.into_iter().for_each(|v| normals[v as usize] += (b - a).cross(c - a));
    }
    normals.into_iter().map(DVec3::normalize_or_zero).collect()
}

pub(super) fn neighbours(rest: &[DVec3], faces: &[Face]) -> Rows<(u32, f64)> {
    let laplacian = SurfaceLaplacian::new(rest, faces);
    let ends: Vec<(u32, u32, f64)> = laplacian
        .edges()
        .iter()
        .zip(laplacian.weights())
        .flat_map(|(&(i, j), &weight)| [(i, j, weight), (j, i, weight)])
        .collect();
    let by_point = Rows::grouped(rest.len(), ends.iter().map(|end| end.0));
    Rows::new(by_point.iter().map(|row| {
        let row = row.iter().map(|&k| ends[k as usize]);
        let total: f64 = row.clone().map(|(_, _, weight)| weight).sum();
        row.map(|(_, j, weight)| (j, weight / total)).collect()
    }))
}

/// The faces at each of so many points, in the order of the faces.
pub(crate) fn faces_at(points: usize, faces: &[Face]) -> Rows<u32> {
    let corners = faces.iter().flat_map(|face| face.corners().iter().copied());
    let face_of: Vec<u32> = (0..).zip(faces).flat_map(|(k, face)| face.corners().iter().map(move |_| k)).collect();
    let mut rows = Rows::with_capacity(points, face_of.len());
    for corners in Rows::grouped(points, corners).iter() {
        rows.push(corners.iter().map(|&corner| face_of[corner as usize]));
    }
    rows
}
