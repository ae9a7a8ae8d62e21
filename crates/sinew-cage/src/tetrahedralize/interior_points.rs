//! The vertices of a control mesh inside its cage.
//!
//! Joints, points along the bones about one cage edge apart, markers, and a body-centred cubic lattice in the remaining
//! space, whose tetrahedra have no slivers. Joints at the same position share a vertex.

use crate::build::Cage;
use crate::{Error, Result};
use glam::{DMat3, DVec3};
use sinew_field::Box3;
use sinew_geometry::parallel::*;
use sinew_geometry::{ClosestSurface, Topology, Winding};
use sinew_rig::{JointKind, Skeleton};
use std::ops::Range;

/// Points closer than this, relative to the mesh's diagonal, share a vertex. It is ten times the rounding of positions
/// in f32.
const COINCIDENCE: f64 = 1e-6;

/// The largest distance of a marker from the cage, relative to the mesh's diagonal. A marker beyond it has another unit
/// or place; not tuned.
const MAX_MARKER_DISTANCE: f64 = 0.5;

/// The edge length of the lattice's cubes in mean cage edges. The nearest nodes are √3/2 of it apart, so that 1.15
/// spaces them one cage edge apart.
const LATTICE_EDGES: f64 = 1.15;

/// The least distance of a lattice node from the cage and from other points, in mean cage edges. Neither is tuned.
const MIN_SURFACE_DISTANCE: f64 = 0.45;
const MIN_POINT_DISTANCE: f64 = 0.65;

/// A bone as a polyline of vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlBone {
    /// The joint of the bone.
    pub joint: usize,
    /// The bone whose end is this one's start.
    pub parent: Option<usize>,
    /// The vertices from start to end, at least two.
    pub vertices: Vec<u32>,
    /// The unit axes of the joint in world space at rest.
    pub axes: DMat3,
}

/// The position of a vertex in the frame of a joint: at the joint or at the tip of its bone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The vertex.
    pub vertex: u32,
    /// The joint.
    pub joint: usize,
    /// The position in the joint's frame.
    pub local: DVec3,
}

/// Vertices with their roles.
pub(crate) struct InteriorPoints {
    pub positions: Vec<DVec3>,
    pub joints: Vec<Option<u32>>,
    pub bones: Vec<ControlBone>,
    pub markers: Vec<u32>,
    /// One for each vertex at a joint or a tip.
    pub anchors: Vec<Anchor>,
    /// The range of lattice vertices.
    pub lattice: Range<usize>,
    /// The mean edge length of the cage.
    pub edge: f64,
    coincidence: f64,
}

impl InteriorPoints {
    pub fn new(cage: &Cage, skeleton: Option<&Skeleton>, markers: &[DVec3]) -> Result<Self> {
        let positions: Vec<DVec3> = cage.positions.iter().map(|p| p.as_dvec3()).collect();
        let size = Box3::around(positions.iter().copied()).size().length();
        let mut points = Self {
            positions,
            joints: Vec::new(),
            bones: Vec::new(),
            markers: Vec::new(),
            anchors: Vec::new(),
            lattice: 0..0,
            edge: cage.edge_length(),
            coincidence: COINCIDENCE * size,
        };
        let closest = ClosestSurface::new(&cage.positions, &cage.faces());
        if let Some(skeleton) = skeleton {
            points.add_skeleton(skeleton, &closest, size)?;
        }
        points.add_markers(markers, &closest, size)?;
        let first = points.positions.len();
        points.add_lattice(cage, &closest);
        points.lattice = first..points.positions.len();
        Ok(points)
    }

    /// For each of `count` vertices, whether it is a joint, on a bone or a marker.
    pub fn fixed_vertices(&self, count: usize) -> Vec<bool> {
        let mut is_fixed = vec![false; count];
        let on_bones = self.bones.iter().flat_map(|bone| &bone.vertices);
        let all = self.joints.iter().flatten().chain(&self.markers).chain(on_bones);
        all.for_each(|&v| is_fixed[v as usize] = true);
        is_fixed
    }

    /// Replaces the vertex indices of joints, bones, markers and anchors.
    pub fn renumber(&mut self, index: &[u32]) {
        let on_bones = self.bones.iter_mut().flat_map(|bone| &mut bone.vertices);
        let anchors = self.anchors.iter_mut().map(|anchor| &mut anchor.vertex);
        let all = self.joints.iter_mut().flatten().chain(&mut self.markers).chain(on_bones).chain(anchors);
        all.for_each(|vertex| *vertex = index[*vertex as usize]);
    }

    /// The vertex at a position, added if there is none.
    fn vertex(&mut self, position: DVec3) -> u32 {
        let found = self.positions.iter().position(|p| p.distance(position) <= self.coincidence);
        found.unwrap_or_else(|| {
            self.positions.push(position);
            self.positions.len() - 1
        }) as u32
    }

    fn add_skeleton(&mut self, skeleton: &Skeleton, closest: &ClosestSurface, size: f64) -> Result<()> {
        let world = skeleton.rest_world();
        let is_joint = |joint: usize| skeleton.joints()[joint].kind == JointKind::Joint;
        let positions = (0..skeleton.len()).filter(|&j| is_joint(j)).map(|j| world[j].translation);
        let distance = |position| closest.nearest(position).map_or(f64::INFINITY, |hit| hit.distance);
        let nearest = positions.map(distance).fold(f64::INFINITY, f64::min);
        if nearest > size {
            return Err(Error::SkeletonFarAway { distance: nearest, size });
        }
        let at = |joint: usize| is_joint(joint).then(|| world[joint].translation);
        self.joints = (0..skeleton.len()).map(|joint| at(joint).map(|position| self.vertex(position))).collect();
        for (joint, vertex) in self.joints.iter().enumerate().filter_map(|(joint, &v)| Some((joint, v?))) {
            if self.anchors.iter().all(|anchor| anchor.vertex != vertex) {
                self.anchors.push(Anchor { vertex, joint, local: DVec3::ZERO });
            }
        }
        for bone in skeleton.bones() {
            let start = world[bone.joint].translation;
            let end = world[bone.joint].transform_point3(skeleton.bone_end(bone));
            if start.distance(end) <= 10.0 * self.coincidence {
                continue;
            }
            let pieces = (start.distance(end) / self.edge).round().clamp(1.0, 64.0) as usize;
            let positions = (0..=pieces).map(|k| start.lerp(end, k as f64 / pieces as f64));
            let vertices: Vec<u32> = positions.map(|position| self.vertex(position)).collect();
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
        for (marker, &position) in markers.iter().enumerate() {
            if !position.is_finite() {
                return Err(sinew_geometry::Error::VertexNotFinite {
                    mesh: "markers".into(),
                    what: "position",
                    vertex: marker,
                }
                .into());
            }
            let distance = closest.nearest(position).map_or(f64::INFINITY, |hit| hit.distance);
            if distance > MAX_MARKER_DISTANCE * size {
                return Err(Error::MarkerFarAway { marker, distance, size });
            }
            let vertex = self.vertex(position);
            if let Some(first) = self.markers.iter().position(|&other| other == vertex) {
                return Err(Error::MarkersCoincide { first, second: marker });
            }
            self.markers.push(vertex);
        }
        Ok(())
    }

    /// Adds the lattice nodes that are inside and not too close to other vertices.
    fn add_lattice(&mut self, cage: &Cage, closest: &ClosestSurface) {
        let side = LATTICE_EDGES * self.edge;
        let bounds = Box3::around(cage.positions.iter().map(|p| p.as_dvec3()));
        let counts = (bounds.size() / side).ceil().as_ivec3() + 1;
        let winding = Winding::new(&Topology::new(&cage.positions, &cage.faces()), &cage.positions);
        let others = &self.positions[cage.positions.len()..];
        let node = |index: i32| {
            let (sublattice, position) = (index % 2, index / 2);
            let position =
                glam::IVec3::new(position % counts.x, position / counts.x % counts.y, position / (counts.x * counts.y));
            let point = bounds.min + (position.as_dvec3() + 0.5 * f64::from(sublattice)) * side;
            let has_room = || others.iter().all(|p| p.distance(point) >= MIN_POINT_DISTANCE * self.edge);
            let is_deep = || closest.nearest_where(point, MIN_SURFACE_DISTANCE * self.edge, |_| true).is_none();
            (has_room() && is_deep() && winding.number(point) >= 0.5).then_some(point)
        };
        let nodes: Vec<DVec3> = (0..2 * counts.element_product()).into_par_iter().filter_map(node).collect();
        self.positions.extend(nodes);
    }
}

/// The normalized axes of a matrix.
fn unit_axes(matrix: DMat3) -> DMat3 {
    DMat3::from_cols(
        matrix.x_axis.normalize_or_zero(),
        matrix.y_axis.normalize_or_zero(),
        matrix.z_axis.normalize_or_zero(),
    )
}
