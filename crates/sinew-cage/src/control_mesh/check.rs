//! Is a control mesh that comes from elsewhere, such as a file, one that can be driven?

use super::ControlMesh;
use crate::tetrahedralize::{Anchor, barycentric, volume};
use crate::{Error, Result};
use glam::{DVec3, Vec3};

/// How far outside its tetrahedron a vertex may be, in shares: positions are rounded to 32 bits.
const ROUNDING: f64 = 1e-3;

impl ControlMesh {
    /// Checks everything that running code relies on, for a mesh and a skeleton of so many vertices and joints.
    pub fn check(&self, mesh_vertices: usize, skeleton_joints: usize) -> Result<()> {
        let count = self.positions.len();
        let is_vertex = |&v: &u32| (v as usize) < count;
        let at = |v: u32| self.positions[v as usize];
        let refuse_unless = |is_fine: bool, what: &'static str| match is_fine {
            true => Ok(()),
            false => Err(Error::BrokenControlMesh { what }),
        };
        refuse_unless(self.positions.iter().all(|p| p.is_finite()), "a vertex is not finite")?;
        refuse_unless(self.tetrahedra.iter().flatten().all(is_vertex), "a tetrahedron has a vertex that is not there")?;
        let is_proper = |t: &[u32; 4]| volume(t.map(at)) > 0.0;
        refuse_unless(self.tetrahedra.iter().all(is_proper), "a tetrahedron is flat or turned over")?;
        refuse_unless(self.surface.iter().flatten().all(is_vertex), "its surface has a vertex that is not there")?;
        let is_edge = |&(a, b): &(u32, u32)| is_vertex(&a) && is_vertex(&b) && a != b;
        refuse_unless(self.links.iter().all(is_edge), "a link has an end that is not there")?;
        refuse_unless(self.markers.iter().all(is_vertex), "a marker is at a vertex that is not there")?;
        let has_joints = self.joints.is_empty() || self.joints.len() == skeleton_joints;
        refuse_unless(has_joints, "its skeleton is another one")?;
        refuse_unless(self.joints.iter().flatten().all(is_vertex), "a joint is at a vertex that is not there")?;
        let is_anchor = |a: &Anchor| is_vertex(&a.vertex) && a.joint < skeleton_joints && a.local.is_finite();
        refuse_unless(self.anchors.iter().all(is_anchor), "a joint or tip is nowhere")?;
        for (index, bone) in self.bones.iter().enumerate() {
            let is_row = bone.vertices.len() >= 2 && bone.vertices.iter().all(is_vertex);
            refuse_unless(is_row && bone.vertices.windows(2).all(|w| at(w[0]) != at(w[1])), "a bone has no length")?;
            let hangs = bone.joint < skeleton_joints && bone.parent.is_none_or(|parent| parent < index);
            refuse_unless(hangs && bone.axes.is_finite(), "a bone hangs on nothing")?;
        }
        let is_within = |&t: &u32| (t as usize) < self.tetrahedra.len();
        let is_embedded = self.tetrahedron_of.len() == mesh_vertices && self.tetrahedron_of.iter().all(is_within);
        refuse_unless(is_embedded, "its mesh has another number of vertices")
    }

    /// The first vertex of the mesh that is not in its tetrahedron, if there is one.
    ///
    /// # Panics
    /// If the mesh has more vertices than the control mesh was made for.
    pub fn strays(&self, mesh: &[Vec3]) -> Option<usize> {
        let corners = |vertex: usize| self.tetrahedra[self.tetrahedron_of[vertex] as usize];
        let is_astray = |(vertex, place): (usize, &Vec3)| {
            let corners: [DVec3; 4] = corners(vertex).map(|v| self.positions[v as usize]);
            barycentric(corners, place.as_dvec3()).iter().any(|&share| share < -ROUNDING || share.is_nan())
        };
        mesh.iter().enumerate().position(is_astray)
    }
}
