//! Validation of a control mesh from a file.

use super::ControlMesh;
use crate::tetrahedralize::{Anchor, barycentric, volume};
use crate::{Error, Result};
use glam::{DVec3, Vec3};

/// The least barycentric coordinate of a vertex in its tetrahedron is minus this: files hold 32-bit positions.
const BARYCENTRIC_TOLERANCE: f64 = 1e-3;

impl ControlMesh {
    /// Checks everything that the driver relies on, for a mesh of `mesh_vertices` and a skeleton of `skeleton_joints`.
    pub fn check(&self, mesh_vertices: usize, skeleton_joints: usize) -> Result<()> {
        let count = self.positions.len();
        let is_vertex = |&v: &u32| (v as usize) < count;
        let at = |v: u32| self.positions[v as usize];
        let ensure = |is_valid: bool, what: &'static str| match is_valid {
            true => Ok(()),
            false => Err(Error::BrokenControlMesh { what }),
        };
        ensure(self.positions.iter().all(|p| p.is_finite()), "a vertex is not finite")?;
        ensure(self.tetrahedra.iter().flatten().all(is_vertex), "a tetrahedron has a vertex that does not exist")?;
        let is_positive = |t: &[u32; 4]| volume(t.map(at)) > 0.0;
        ensure(self.tetrahedra.iter().all(is_positive), "a tetrahedron is flat or inverted")?;
        ensure(self.surface.iter().flatten().all(is_vertex), "its surface has a vertex that does not exist")?;
        let is_edge = |&(a, b): &(u32, u32)| is_vertex(&a) && is_vertex(&b) && a != b;
        ensure(self.links.iter().all(is_edge), "a link has an end that does not exist")?;
        ensure(self.markers.iter().all(is_vertex), "a marker is at a vertex that does not exist")?;
        let has_joints = self.joints.is_empty() || self.joints.len() == skeleton_joints;
        ensure(has_joints, "it was built for another skeleton")?;
        ensure(self.joints.iter().flatten().all(is_vertex), "a joint is at a vertex that does not exist")?;
        let is_anchor = |a: &Anchor| is_vertex(&a.vertex) && a.joint < skeleton_joints && a.local.is_finite();
        ensure(self.anchors.iter().all(is_anchor), "a joint or tip has no position")?;
        for (index, bone) in self.bones.iter().enumerate() {
            let is_polyline = bone.vertices.len() >= 2 && bone.vertices.iter().all(is_vertex);
            ensure(is_polyline && bone.vertices.windows(2).all(|w| at(w[0]) != at(w[1])), "a bone has no length")?;
            let has_owner = bone.joint < skeleton_joints && bone.parent.is_none_or(|parent| parent < index);
            ensure(has_owner && bone.axes.is_finite(), "a bone has no joint or parent")?;
        }
        let is_within = |&t: &u32| (t as usize) < self.tetrahedra.len();
        let is_embedded = self.tetrahedron_of.len() == mesh_vertices && self.tetrahedron_of.iter().all(is_within);
        ensure(is_embedded, "its mesh has a different number of vertices")
    }

    /// The first vertex of the mesh outside its tetrahedron, if any.
    ///
    /// # Panics
    /// If the mesh has more vertices than the control mesh was made for.
    #[must_use]
    pub fn first_outside(&self, mesh: &[Vec3]) -> Option<usize> {
        let corners = |vertex: usize| self.tetrahedra[self.tetrahedron_of[vertex] as usize];
        let is_outside = |(vertex, position): (usize, &Vec3)| {
            let corners: [DVec3; 4] = corners(vertex).map(|v| self.positions[v as usize]);
            barycentric(corners, position.as_dvec3())
                .iter()
                .any(|&coordinate| coordinate < -BARYCENTRIC_TOLERANCE || coordinate.is_nan())
        };
        mesh.iter().enumerate().position(is_outside)
    }
}
