//! Which points are inside a cage, besides its vertices?
//!
//! Joints, points along the bones at about the length of the cage's edges, markers, and a body-centred lattice in
//! what is left, whose tetrahedra have no slivers. Joints in one place are one vertex.

use crate::build::Cage;
use crate::{Error, Result};
use glam::{DMat3, DVec3};
use rayon::prelude::*;
use sinew_field::Box3;
use sinew_geometry::{ClosestSurface, Topology, Winding};
use sinew_rig::{JointKind, Skeleton};
use std::ops::Range;

/// Of the mesh's diagonal: points that are nearer are one.
const TOGETHER: f64 = 1e-6;

/// Of the mesh's diagonal: markers may be so far outside.
const MARKER_REACH: f64 = 0.5;

/// Side of the lattice's cubes in lengths of an edge; the nearest nodes are √3/2 of it apart.
const LATTICE: f64 = 1.15;

/// In lengths of an edge: how near lattice nodes may be to the cage, and to other points.
const FROM_SURFACE: f64 = 0.45;
const FROM_POINTS: f64 = 0.65;

/// A bone as a row of vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlBone {
    /// The joint that it belongs to.
    pub joint: usize,
    /// The bone that ends where this one starts.
    pub parent: Option<usize>,
    /// Its vertices from start to end, at least two.
    pub vertices: Vec<u32>,
    /// The axes of its joint in the world at rest, of length one.
    pub axes: DMat3,
}

/// Where a vertex is in the frame of a joint: at a joint itself, or at the tip of its bone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The vertex.
    pub vertex: u32,
    /// The joint.
    pub joint: usize,
    /// The place in the joint's frame.
    pub local: DVec3,
}

/// Points with what they are.
pub(crate) struct Inside {
    pub positions: Vec<DVec3>,
    pub joints: Vec<Option<u32>>,
    pub bones: Vec<ControlBone>,
    pub markers: Vec<u32>,
    /// A place for each vertex that is a joint or a tip.
    pub anchors: Vec<Anchor>,
    /// The vertices of the lattice.
    pub filling: Range<usize>,
    /// The mean length of the cage's edges.
    pub edge: f64,
    together: f64,
}

impl Inside {
    pub fn new(cage: &Cage, skeleton: Option<&Skeleton>, markers: &[DVec3]) -> Result<Self> {
        let positions: Vec<DVec3> = cage.positions.iter().map(|p| p.as_dvec3()).collect();
        let size = Box3::around(positions.iter().copied()).size().length();
        let mut inside = Self {
            positions,
            joints: Vec::new(),
            bones: Vec::new(),
            markers: Vec::new(),
            anchors: Vec::new(),
            filling: 0..0,
            edge: cage.edge_length(),
            together: TOGETHER * size,
        };
        let closest = ClosestSurface::new(&cage.positions, &cage.faces());
        if let Some(skeleton) = skeleton {
            inside.add_skeleton(skeleton, &closest, size)?;
        }
        inside.add_markers(markers, &closest, size)?;
        let first = inside.positions.len();
        inside.fill(cage, &closest);
        inside.filling = first..inside.positions.len();
        Ok(inside)
    }

    /// Which of so many vertices are joints, on bones or markers.
    pub fn is_held(&self, count: usize) -> Vec<bool> {
        let mut is_held = vec![false; count];
        let on_bones = self.bones.iter().flat_map(|bone| &bone.vertices);
        let all = self.joints.iter().flatten().chain(&self.markers).chain(on_bones);
        all.for_each(|&v| is_held[v as usize] = true);
        is_held
    }

    /// Gives joints, bones, markers and anchors the new numbers of their vertices.
    pub fn renumber(&mut self, number: &[u32]) {
        let on_bones = self.bones.iter_mut().flat_map(|bone| &mut bone.vertices);
        let anchors = self.anchors.iter_mut().map(|anchor| &mut anchor.vertex);
        let all = self.joints.iter_mut().flatten().chain(&mut self.markers).chain(on_bones).chain(anchors);
        all.for_each(|vertex| *vertex = number[*vertex as usize]);
    }

    /// The vertex at a place, which is a new one unless there is one already.
    fn vertex(&mut self, place: DVec3) -> u32 {
        let found = self.positions.iter().position(|p| p.distance(place) <= self.together);
        found.unwrap_or_else(|| {
            self.positions.push(place);
            self.positions.len() - 1
        }) as u32
    }

    fn add_skeleton(&mut self, skeleton: &Skeleton, closest: &ClosestSurface, size: f64) -> Result<()> {
        let world = skeleton.rest_world();
        let is_real = |joint: usize| skeleton.joints()[joint].kind == JointKind::Joint;
        let places = (0..skeleton.len()).filter(|&j| is_real(j)).map(|j| world[j].translation);
        let distance = |place| closest.nearest(place).map_or(f64::INFINITY, |hit| hit.distance);
        let nearest = places.map(distance).fold(f64::INFINITY, f64::min);
        if nearest > size {
            return Err(Error::SkeletonFarAway { distance: nearest, size });
        }
        let at = |joint: usize| is_real(joint).then(|| world[joint].translation);
        self.joints = (0..skeleton.len()).map(|joint| at(joint).map(|place| self.vertex(place))).collect();
        for (joint, vertex) in self.joints.iter().enumerate().filter_map(|(joint, &v)| Some((joint, v?))) {
            if self.anchors.iter().all(|anchor| anchor.vertex != vertex) {
                self.anchors.push(Anchor { vertex, joint, local: DVec3::ZERO });
            }
        }
        for bone in skeleton.bones() {
            let start = world[bone.joint].translation;
            let end = world[bone.joint].transform_point3(skeleton.bone_end(bone));
            if start.distance(end) <= 10.0 * self.together {
                continue;
            }
            let pieces = (start.distance(end) / self.edge).round().clamp(1.0, 64.0) as usize;
            let places = (0..=pieces).map(|k| start.lerp(end, k as f64 / pieces as f64));
            let vertices: Vec<u32> = places.map(|place| self.vertex(place)).collect();
            let tip = vertices[vertices.len() - 1];
            if self.anchors.iter().all(|anchor| anchor.vertex != tip) {
                self.anchors.push(Anchor { vertex: tip, joint: bone.joint, local: skeleton.bone_end(bone) });
            }
            let parent = self.bones.iter().position(|b| b.vertices.last() == vertices.first());
            let axes = unit_axes(world[bone.joint].matrix3);
            self.bones.push(ControlBone { joint: bone.joint, parent, vertices, axes });
        }
        Ok(())
    }

    fn add_markers(&mut self, markers: &[DVec3], closest: &ClosestSurface, size: f64) -> Result<()> {
        for (marker, &place) in markers.iter().enumerate() {
            if !place.is_finite() {
                return Err(sinew_geometry::Error::VertexNotFinite {
                    mesh: "markers".into(),
                    what: "position",
                    vertex: marker,
                }
                .into());
            }
            let distance = closest.nearest(place).map_or(f64::INFINITY, |hit| hit.distance);
            if distance > MARKER_REACH * size {
                return Err(Error::MarkerFarAway { marker, distance, size });
            }
            let vertex = self.vertex(place);
            if let Some(first) = self.markers.iter().position(|&other| other == vertex) {
                return Err(Error::MarkersCoincide { first, second: marker });
            }
            self.markers.push(vertex);
        }
        Ok(())
    }

    /// Nodes of a lattice with room around them.
    fn fill(&mut self, cage: &Cage, closest: &ClosestSurface) {
        let side = LATTICE * self.edge;
        let bounds = Box3::around(cage.positions.iter().map(|p| p.as_dvec3()));
        let counts = (bounds.size() / side).ceil().as_ivec3() + 1;
        let winding = Winding::new(&Topology::new(&cage.positions, &cage.faces()), &cage.positions);
        let others = &self.positions[cage.positions.len()..];
        let node = |number: i32| {
            let (layer, place) = (number % 2, number / 2);
            let place = glam::IVec3::new(place % counts.x, place / counts.x % counts.y, place / (counts.x * counts.y));
            let point = bounds.min + (place.as_dvec3() + 0.5 * f64::from(layer)) * side;
            let has_room = || others.iter().all(|p| p.distance(point) >= FROM_POINTS * self.edge);
            let is_deep = || closest.nearest_where(point, FROM_SURFACE * self.edge, |_| true).is_none();
            (has_room() && is_deep() && winding.number(point) >= 0.5).then_some(point)
        };
        let nodes: Vec<DVec3> = (0..2 * counts.element_product()).into_par_iter().filter_map(node).collect();
        self.positions.extend(nodes);
    }
}

/// The axes of a matrix at length one.
fn unit_axes(matrix: DMat3) -> DMat3 {
    DMat3::from_cols(
        matrix.x_axis.normalize_or_zero(),
        matrix.y_axis.normalize_or_zero(),
        matrix.z_axis.normalize_or_zero(),
    )
}
