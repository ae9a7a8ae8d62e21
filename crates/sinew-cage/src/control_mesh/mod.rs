//! Which tetrahedra fill a cage?
//!
//! The Delaunay tetrahedra of the cage's vertices and the points inside it, without those outside; where they are
//! flat, others in their place ([`improve`]). What is left without a tetrahedron, such as a marker outside, and pieces
//! that hang on nothing are linked by edges.

mod bone_frame;
mod check;

use crate::Result;
use crate::build::Cage;
use crate::tetrahedralize::{
    Anchor, ControlBone, Draft, Filled, Finished, Inside, Net, Roles, Tetrahedra, TetrahedraQuality, improve, volume,
};
use bone_frame::bone_frame;
use glam::{DMat3, DVec3, Vec3};
use sinew_geometry::{Topology, UnionFind, Winding};
use sinew_rig::Skeleton;
use std::collections::{HashMap, HashSet};

/// How often the tetrahedra are made anew with edges split. More would follow thin parts of the cage with ever smaller
/// triangles.
const ROUNDS: usize = 2;

/// Vertices that one without a tetrahedron is linked to.
const LINKS: usize = 6;

/// A vertex that is drawn to where it is placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handle {
    /// The vertex of the control mesh.
    pub vertex: u32,
    /// How strongly, in units of the mean weight of a vertex.
    pub weight: f64,
}

/// A cage filled with tetrahedra, ready to be deformed.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlMesh {
    /// The vertices: those of the cage that are left first.
    pub positions: Vec<DVec3>,
    /// Tetrahedra with positive volumes.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Edges besides those of the tetrahedra.
    pub links: Vec<(u32, u32)>,
    /// The surface of the tetrahedra: the cage, but for edges that had to be split, and where it would have made
    /// tetrahedra flat.
    pub surface: Vec<[u32; 3]>,
    /// The vertex of each joint of the skeleton; none for plain nodes.
    pub joints: Vec<Option<u32>>,
    /// The bones, parents before children.
    pub bones: Vec<ControlBone>,
    /// The vertex of each marker.
    pub markers: Vec<u32>,
    /// Where joints and the tips of bones are in the frames of joints.
    pub anchors: Vec<Anchor>,
    /// For each vertex of the mesh the tetrahedron it is in.
    pub tetrahedron_of: Vec<u32>,
    /// How good the tetrahedra are.
    pub quality: TetrahedraQuality,
}

impl ControlMesh {
    /// Fills the cage of a mesh, with the joints of a skeleton and with markers as vertices. `progress` is told the
    /// share that is done.
    pub fn build(
        cage: &Cage,
        mesh: &[Vec3],
        skeleton: Option<&Skeleton>,
        markers: &[DVec3],
        progress: &mut dyn FnMut(f64),
    ) -> Result<Self> {
        let mut inside = Inside::new(cage, skeleton, markers)?;
        progress(0.2);
        let topology = Topology::new(&cage.positions, &cage.faces());
        let winding = Winding::new(&topology, &cage.positions);
        let mesh: Vec<DVec3> = mesh.iter().map(|p| p.as_dvec3()).collect();
        let along: HashSet<(u32, u32)> = (inside.bones.iter())
            .flat_map(|bone| bone.vertices.windows(2).map(|w| (w[0].min(w[1]), w[0].max(w[1]))))
            .collect();
        let mut draft = Draft {
            free: inside.filling.clone().map(|v| v as u32).collect(),
            skeleton: along.iter().flat_map(|&(a, b)| [a, b]).collect(),
            along,
            positions: std::mem::take(&mut inside.positions),
            surface: cage.triangles.clone(),
        };
        let mut net = Net::new(&draft);
        for round in 1..=ROUNDS {
            if !draft.refine(&net, &winding) {
                break;
            }
            net = Net::new(&draft);
            progress(0.2 + 0.5 * round as f64 / ROUNDS as f64);
        }
        let Filled { tetrahedra, tetrahedron_of, unmatched } = Filled::new(&draft, &net, &winding, &mesh);
        progress(0.75);
        let is_in = |set: &HashSet<u32>| (0..draft.positions.len() as u32).map(|v| set.contains(&v)).collect();
        let roles = Roles {
            is_free: is_in(&draft.free),
            is_held: inside.is_held(draft.positions.len()),
            is_on_bone: is_in(&draft.skeleton),
            along: draft.along,
        };
        let mut tetrahedra = Tetrahedra::new(draft.positions, roles, tetrahedra, &mesh, &tetrahedron_of);
        improve(&mut tetrahedra);
        let Finished { positions, tetrahedra, surface, tetrahedron_of, quality, number } = tetrahedra.finish();
        inside.renumber(&number);
        let mut control = Self {
            quality: TetrahedraQuality { unmatched, ..quality },
            positions,
            tetrahedra,
            tetrahedron_of,
            surface,
            links: Vec::new(),
            joints: inside.joints,
            bones: inside.bones,
            markers: inside.markers,
            anchors: inside.anchors,
        };
        control.link();
        progress(1.0);
        Ok(control)
    }

    /// Handles at all joints and the tips of bones.
    pub fn joint_handles(&self, weight: f64) -> Vec<Handle> {
        self.anchors.iter().map(|anchor| Handle { vertex: anchor.vertex, weight }).collect()
    }

    /// A handle at each marker, in their order.
    pub fn marker_handles(&self, weight: f64) -> Vec<Handle> {
        self.markers.iter().map(|&vertex| Handle { vertex, weight }).collect()
    }

    /// Every edge of the tetrahedra and the bones once; links are apart.
    pub fn edges(&self) -> Vec<(u32, u32)> {
        let sides = |[a, b, c, d]: [u32; 4]| [(a, b), (a, c), (a, d), (b, c), (b, d), (c, d)];
        let bones = self.bones.iter().flat_map(|bone| bone.vertices.windows(2).map(|w| (w[0], w[1])));
        let all = self.tetrahedra.iter().copied().flat_map(sides).chain(bones);
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

    /// The frame of a bone in the world at rest, in which its turns against the bone before it are limited [L13 §9.4.4]:
    /// x along it, z across the plane of the two, `y = z × x`.
    pub fn bone_frame(&self, bone: usize) -> DMat3 {
        let before = self.bones[bone].parent.map(|parent| self.bone_direction(parent));
        bone_frame(self.bone_direction(bone), before, self.bones[bone].axes)
    }

    /// The volume of the tetrahedra with their vertices at places.
    pub fn volume(&self, positions: &[DVec3]) -> f64 {
        self.tetrahedra.iter().map(|&t| volume(t.map(|v| positions[v as usize]))).sum()
    }

    /// Links vertices without a tetrahedron, and pieces, to those nearest to them.
    fn link(&mut self) {
        let mut has_tetrahedron = vec![false; self.positions.len()];
        self.tetrahedra.iter().flatten().for_each(|&v| has_tetrahedron[v as usize] = true);
        let bare: Vec<u32> = (0..self.positions.len() as u32).filter(|&v| !has_tetrahedron[v as usize]).collect();
        self.quality.linked = bare.len();
        for &vertex in &bare {
            let found = self.nearest(vertex, |other| has_tetrahedron[other as usize]);
            self.links.extend(found.into_iter().map(|other| (vertex, other)));
        }
        loop {
            let mut pieces = UnionFind::new(self.positions.len());
            self.edges().iter().chain(&self.links).for_each(|&(a, b)| pieces.join(a, b));
            let roots: Vec<u32> = (0..self.positions.len() as u32).map(|v| pieces.root(v)).collect();
            let mut sizes = HashMap::new();
            roots.iter().for_each(|&root| *sizes.entry(root).or_insert(0usize) += 1);
            let smallest = sizes.iter().map(|(&root, &size)| (size, root)).min();
            let Some((_, piece)) = smallest.filter(|_| sizes.len() > 1) else { break };
            let members = (0..self.positions.len() as u32).filter(|&v| roots[v as usize] == piece).take(LINKS);
            let links: Vec<(u32, u32)> = members
                .flat_map(|v| self.nearest(v, |o| roots[o as usize] != piece).into_iter().map(move |o| (v, o)))
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
        others.into_iter().take(LINKS).map(|(_, other)| other).collect()
    }
}
