//! A surface that encloses a volume: the welded faces, with a cap over every hole.
//!
//! A cap is for the computation alone: a fan around the mean of the hole's rim. Its centre is not a vertex of
//! the mesh but the mean of the rim, `m = (1/n) Σ rim`, so it follows every pose and every correction, and the
//! volume stays a trilinear function of the true vertices.

use super::volume::signed_volume;
use super::{Face, Topology};
use glam::DVec3;
use std::collections::HashMap;

/// The faces of a welded surface and of the caps that close it.
#[derive(Debug, Clone)]
pub struct ClosedSurface {
    faces: Vec<Face>,
    shell_of_face: Vec<u32>,
    shells: usize,
    vertices: usize,
    rims: Vec<Vec<u32>>,
    torn: Vec<bool>,
}

impl ClosedSurface {
    /// Closes a surface. Caps are numbered as vertices after the welded ones, in the order of the holes.
    pub fn new(topology: &Topology) -> Self {
        let vertices = topology.welded_count();
        let mut faces = topology.faces().to_vec();
        let mut shell_of_face = topology.shell_of_face().to_vec();
        let mut shell_of_vertex = vec![0; vertices];
        for (face, &shell) in faces.iter().zip(&shell_of_face) {
            face.corners().iter().for_each(|&v| shell_of_vertex[v as usize] = shell);
        }
        let rims = topology.boundary_loops().to_vec();
        for (cap, rim) in rims.iter().enumerate() {
            let center = (vertices + cap) as u32;
            for (k, &from) in rim.iter().enumerate() {
                faces.push(Face::triangle(center, from, rim[(k + 1) % rim.len()]));
                shell_of_face.push(shell_of_vertex[from as usize]);
            }
        }
        let torn = torn_shells(&faces, &shell_of_face, topology.shells());
        Self { faces, shell_of_face, shells: topology.shells(), vertices, rims, torn }
    }

    /// The faces over welded vertices and cap centres: those of the surface first, then those of the caps.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The connected piece that each face belongs to.
    pub fn shell_of_face(&self) -> &[u32] {
        &self.shell_of_face
    }

    /// Number of connected pieces.
    pub fn shells(&self) -> usize {
        self.shells
    }

    /// Whether a shell has no inside even with its caps: somewhere its faces disagree about which side is out.
    pub fn is_torn(&self, shell: usize) -> bool {
        self.torn[shell]
    }

    /// Number of welded vertices; cap centres come after them.
    pub fn vertex_count(&self) -> usize {
        self.vertices
    }

    /// Number of welded vertices and cap centres.
    pub fn point_count(&self) -> usize {
        self.vertices + self.rims.len()
    }

    /// The rim of each cap, as welded vertices.
    pub fn rims(&self) -> &[Vec<u32>] {
        &self.rims
    }

    /// The rim of a point that is a cap's centre.
    pub fn rim_of(&self, point: u32) -> Option<&[u32]> {
        (point as usize).checked_sub(self.vertices).map(|cap| self.rims[cap].as_slice())
    }

    /// Where a point is, given where vertices are: the centre of a cap is in the mean of its rim.
    #[inline]
    pub fn rim_mean(&self, point: u32, at: impl Fn(u32) -> DVec3) -> DVec3 {
        match self.rim_of(point) {
            Some(rim) => rim.iter().map(|&v| at(v)).sum::<DVec3>() / rim.len() as f64,
            None => at(point),
        }
    }

    /// Appends the cap centres to the positions of the welded vertices.
    pub fn close(&self, points: &mut Vec<DVec3>) {
        points.truncate(self.vertices);
        for rim in &self.rims {
            let sum: DVec3 = rim.iter().map(|&v| points[v as usize]).sum();
            points.push(sum / rim.len() as f64);
        }
    }

    /// Signed volume of each shell, about the mean of its corners.
    pub fn shell_volumes(&self, points: &[DVec3]) -> Vec<f64> {
        let mut centers = vec![(DVec3::ZERO, 0usize); self.shells];
        for (face, &shell) in self.faces.iter().zip(&self.shell_of_face) {
            let (sum, count) = &mut centers[shell as usize];
            face.corners().iter().for_each(|&v| *sum += points[v as usize]);
            *count += face.corners().len();
        }
        let mut volumes = vec![0.0; self.shells];
        for (face, &shell) in self.faces.iter().zip(&self.shell_of_face) {
            let (sum, count) = centers[shell as usize];
            let center = sum / count as f64;
            volumes[shell as usize] += signed_volume(face, |v| points[v as usize] - center);
        }
        volumes
    }
}

/// Shells with an edge that is not run along as often in one direction as in the other.
fn torn_shells(faces: &[Face], shell_of_face: &[u32], shells: usize) -> Vec<bool> {
    let mut balance: HashMap<(u32, u32), (i32, u32)> = HashMap::with_capacity(2 * faces.len());
    for (face, &shell) in faces.iter().zip(shell_of_face) {
        for (a, b) in face.edges() {
            let (sum, at) = balance.entry((a.min(b), a.max(b))).or_default();
            *sum += if a < b { 1 } else { -1 };
            *at = shell;
        }
    }
    let mut torn = vec![false; shells];
    balance.values().filter(|(sum, _)| *sum != 0).for_each(|&(_, shell)| torn[shell as usize] = true);
    torn
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn cube() -> (Vec<Vec3>, Vec<Face>) {
        let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32);
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        ((0..8).map(corner).collect(), sides.map(|[a, b, c, d]| Face::quad(a, b, c, d)).to_vec())
    }

    #[test]
    fn a_cap_closes_a_cube_without_a_side() {
        let (positions, mut faces) = cube();
        faces.pop();
        let surface = ClosedSurface::new(&Topology::new(&positions, &faces));
        let mut points: Vec<DVec3> = positions.iter().map(|p| p.as_dvec3()).collect();
        surface.close(&mut points);
        assert_eq!(points.len(), 9);
        assert_eq!(points[8], DVec3::new(1.0, 0.5, 0.5));
        assert!((surface.shell_volumes(&points)[0] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn every_shell_has_its_own_volume() {
        let (positions, faces) = cube();
        let far = positions.iter().map(|p| 2.0 * *p + Vec3::splat(1e3));
        let both: Vec<Vec3> = positions.iter().copied().chain(far).collect();
        let turned = faces.iter().map(|f| {
            let &[a, b, c, d] = f.corners() else { unreachable!("a cube's sides are quads") };
            Face::quad(d + 8, c + 8, b + 8, a + 8)
        });
        let faces: Vec<Face> = faces.iter().copied().chain(turned).collect();
        let surface = ClosedSurface::new(&Topology::new(&both, &faces));
        let points: Vec<DVec3> = both.iter().map(|p| p.as_dvec3()).collect();
        let volumes = surface.shell_volumes(&points);
        assert!((volumes[0] - 1.0).abs() < 1e-15 && (volumes[1] + 8.0).abs() < 1e-12, "{volumes:?}");
    }
}
