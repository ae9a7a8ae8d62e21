//! A cage filled with tetrahedra.
//!
//! The Delaunay tetrahedra of the cage's vertices and the points inside it, without those outside; [`improve`] replaces
//! slivers. Edges link vertices without a tetrahedron, such as a marker outside, and disconnected components.

mod bone_frame;
mod check;

use crate::Result;
use crate::build::Cage;
use crate::tetrahedralize::{
    Anchor, ControlBone, DelaunayComplex, ImprovedMesh, InteriorPoints, InteriorTetrahedra, PointSet,
    TetrahedraQuality, TetrahedralMesh, VertexRoles, improve, volume,
};
use bone_frame::bone_frame;
use glam::{DMat3, DVec3, Vec3};
use sinew_geometry::{Topology, UnionFind, Winding};
use sinew_rig::Skeleton;
use std::collections::{HashMap, HashSet};

/// The number of refinements by edge splits. More would fill thin parts of the cage with ever smaller triangles.
const REFINEMENTS: usize = 2;

/// The number of vertices that one without a tetrahedron is linked to: as many as hold it in all directions.
const LINKS_PER_VERTEX: usize = 6;

/// A vertex with a target position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handle {
    /// The vertex of the control mesh.
    pub vertex: u32,
    /// The weight of the target, in units of the mean weight of a vertex.
    pub weight: f64,
}

/// A cage filled with tetrahedra.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlMesh {
    /// The positions of the vertices, remaining cage vertices first.
    pub positions: Vec<DVec3>,
    /// Tetrahedra with positive volumes.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Edges that no tetrahedron has.
    pub links: Vec<(u32, u32)>,
    /// The surface of the tetrahedra: the cage, except where edges were split or slivers removed.
    pub surface: Vec<[u32; 3]>,
    /// The vertex of each joint of the skeleton; none for nodes that are not joints.
    pub joints: Vec<Option<u32>>,
    /// The bones, parents before children.
    pub bones: Vec<ControlBone>,
    /// The vertex of each marker.
    pub markers: Vec<u32>,
    /// The positions of joints and bone tips in the frames of joints.
    pub anchors: Vec<Anchor>,
    /// The tetrahedron that contains each vertex of the mesh.
    pub tetrahedron_of: Vec<u32>,
    /// The quality of the tetrahedra.
    pub quality: TetrahedraQuality,
}

impl ControlMesh {
    /// Fills the cage of a mesh, with the joints of a skeleton and markers among the vertices. `progress` receives the
    /// completed fraction.
    pub fn build(
        cage: &Cage,
        mesh: &[Vec3],
        skeleton: Option<&Skeleton>,
        markers: &[DVec3],
        progress: &mut dyn FnMut(f64),
    ) -> Result<Self> {
        let mut points = InteriorPoints::new(cage, skeleton, markers)?;
        progress(0.2);
        let topology = Topology::new(&cage.positions, &cage.faces());
        let winding = Winding::new(&topology, &cage.positions);
        let mesh: Vec<DVec3> = mesh.iter().map(|p| p.as_dvec3()).collect();
        let bone_edges: HashSet<(u32, u32)> = (points.bones.iter())
            .flat_map(|bone| bone.vertices.windows(2).map(|w| (w[0].min(w[1]), w[0].max(w[1]))))
            .collect();
        let mut point_set = PointSet {
            free: points.lattice.clone().map(|v| v as u32).collect(),
            bone_vertices: bone_edges.iter().flat_map(|&(a, b)| [a, b]).collect(),
            bone_edges,
            positions: std::mem::take(&mut points.positions),
            surface: cage.triangles.clone(),
        };
        let mut complex = DelaunayComplex::new(&point_set);
        for refinement in 1..=REFINEMENTS {
            if !point_set.refine(&complex, &winding) {
                break;
            }
            complex = DelaunayComplex::new(&point_set);
            progress(0.2 + 0.5 * refinement as f64 / REFINEMENTS as f64);
        }
        let InteriorTetrahedra { tetrahedra, tetrahedron_of, unmatched } =
            InteriorTetrahedra::new(&point_set, &complex, &winding, &mesh);
        progress(0.75);
        let is_in = |set: &HashSet<u32>| (0..point_set.positions.len() as u32).map(|v| set.contains(&v)).collect();
        let roles = VertexRoles {
            is_free: is_in(&point_set.free),
            is_fixed: points.fixed_vertices(point_set.positions.len()),
            is_on_bone: is_in(&point_set.bone_vertices),
            bone_edges: point_set.bone_edges,
        };
        let mut tetrahedra = TetrahedralMesh::new(point_set.positions, roles, tetrahedra, &mesh, &tetrahedron_of);
        improve(&mut tetrahedra);
        let ImprovedMesh { positions, tetrahedra, surface, tetrahedron_of, quality, index } = tetrahedra.finish();
        points.renumber(&index);
        let mut control = Self {
            quality: TetrahedraQuality { unmatched, ..quality },
            positions,
            tetrahedra,
            tetrahedron_of,
            surface,
            links: Vec::new(),
            joints: points.joints,
            bones: points.bones,
            markers: points.markers,
            anchors: points.anchors,
        };
        control.add_links();
        progress(1.0);
        Ok(control)
    }

    /// Handles at all joints and bone tips.
    #[must_use]
    pub fn joint_handles(&self, weight: f64) -> Vec<Handle> {
        self.anchors.iter().map(|anchor| Handle { vertex: anchor.vertex, weight }).collect()
    }

    /// A handle at each marker, in order.
    #[must_use]
    pub fn marker_handles(&self, weight: f64) -> Vec<Handle> {
        self.markers.iter().map(|&vertex| Handle { vertex, weight }).collect()
    }

    /// Every edge of the tetrahedra and bones once, without the links.
    #[must_use]
    pub fn edges(&self) -> Vec<(u32, u32)> {
        let edges_of = |[a, b, c, d]: [u32; 4]| [(a, b), (a, c), (a, d), (b, c), (b, d), (c, d)];
        let bones = self.bones.iter().flat_map(|bone| bone.vertices.windows(2).map(|w| (w[0], w[1])));
        let all = self.tetrahedra.iter().copied().flat_map(edges_of).chain(bones);
        let mut edges: Vec<(u32, u32)> = all.map(|(a, b)| (a.min(b), a.max(b))).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The direction of a bone at rest.
    pub(crate) fn bone_direction(&self, bone: usize) -> DVec3 {
        let vertices = &self.bones[bone].vertices;
        let at = |vertex: u32| self.positions[vertex as usize];
        (at(vertices[vertices.len() - 1]) - at(vertices[0])).normalize_or(DVec3::X)
    }

    /// The rest frame of a bone in world space, in which its rotation relative to its parent is limited [L13 §9.4.4]:
    /// x along the bone, z normal to the plane of bone and parent, `y = z × x`.
    #[must_use]
    pub fn bone_frame(&self, bone: usize) -> DMat3 {
        let parent = self.bones[bone].parent.map(|parent| self.bone_direction(parent));
        bone_frame(self.bone_direction(bone), parent, self.bones[bone].axes)
    }

    /// The volume of the tetrahedra for these vertex positions.
    #[must_use]
    pub fn volume(&self, positions: &[DVec3]) -> f64 {
        self.tetrahedra.iter().map(|&t| volume(t.map(|v| positions[v as usize]))).sum()
    }

    /// Links vertices without a tetrahedron, and disconnected components, to the nearest vertices.
    fn add_links(&mut self) {
        let mut has_tetrahedron = vec![false; self.positions.len()];
        self.tetrahedra.iter().flatten().for_each(|&v| has_tetrahedron[v as usize] = true);
        let unconnected: Vec<u32> =
            (0..self.positions.len() as u32).filter(|&v| !has_tetrahedron[v as usize]).collect();
        self.quality.linked = unconnected.len();
        for &vertex in &unconnected {
            let found = self.nearest(vertex, |other| has_tetrahedron[other as usize]);
            self.links.extend(found.into_iter().map(|other| (vertex, other)));
        }
        loop {
            let mut components = UnionFind::new(self.positions.len());
            self.edges().iter().chain(&self.links).for_each(|&(a, b)| components.join(a, b));
            let roots: Vec<u32> = (0..self.positions.len() as u32).map(|v| components.root(v)).collect();
            let mut sizes = HashMap::new();
            roots.iter().for_each(|&root| *sizes.entry(root).or_insert(0usize) += 1);
            let smallest = sizes.iter().map(|(&root, &size)| (size, root)).min();
            let Some((_, component)) = smallest.filter(|_| sizes.len() > 1) else { break };
            let members =
                (0..self.positions.len() as u32).filter(|&v| roots[v as usize] == component).take(LINKS_PER_VERTEX);
            let links: Vec<(u32, u32)> = members
                .flat_map(|v| self.nearest(v, |o| roots[o as usize] != component).into_iter().map(move |o| (v, o)))
                .collect();
            self.links.extend(links);
        }
    }

    fn nearest(&self, vertex: u32, accept: impl Fn(u32) -> bool) -> Vec<u32> {
        let from = self.positions[vertex as usize];
        let mut others: Vec<(f64, u32)> = (0..self.positions.len() as u32)
            .filter(|&other| other != vertex && accept(other))
            .map(|other| (self.positions[other as usize].distance_squared(from), other))
            .collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        others.into_iter().take(LINKS_PER_VERTEX).map(|(_, other)| other).collect()
    }
}
