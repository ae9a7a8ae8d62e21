//! Volume change of a character around each bone.
//!
//! A vertex has a point `c` on its bones: the weighted mean of the points of its joints' bones that are closest to it
//! at rest. Its local volume is the sum of the signed tetrahedra between `c` and the faces around the vertex. In a
//! pose, each of these points moves with its joint. The measure is the relative change of that volume, with the joints'
//! own scale divided out: 0 where the surface only follows its joints, −1 where it collapses onto the bone. A bend
//! stretches the outer side and compresses the inner one, which shows as gain and loss side by side.

use super::{Character, Part, Skeleton};
use glam::{DAffine3, DVec3, Vec3};
use sinew_geometry::parallel::*;
use sinew_geometry::volume::signed_volume;
use sinew_geometry::{Face, Topology};
use std::ops::Range;

/// The least rest volume of a measured vertex, as a share of (area of the faces)^1.5. Below it the bone lies in the
/// surface. A cone over area A with height h has the share h / (3 √A), so the bone is then within 0.3 % of √A of the
/// surface.
const SMALLEST_SHARE: f64 = 1e-3;

/// Vertices per task of a thread. A granularity, without effect on results.
const VERTICES_PER_TASK: usize = 1024;

/// Measures the change of local volume at every vertex of a character, for pictures coloured by it.
#[derive(Debug, Clone)]
pub struct LocalVolume {
    /// The faces around each welded vertex, one vertex after another, over the character's vertices.
    faces: Vec<Face>,
    /// The bone points of each vertex, one vertex after another.
    carriers: Vec<Carrier>,
    anchors: Vec<Option<Anchor>>,
}

/// A point of a bone of a vertex.
#[derive(Debug, Clone, Copy)]
struct Carrier {
    /// A joint of the skeleton.
    joint: u32,
    weight: f64,
    /// The point, in the joint's own frame.
    point: DVec3,
    /// The weight times the volume of the joint's unit cube at rest.
    scale: f64,
}

/// The data of a vertex.
#[derive(Debug, Clone)]
struct Anchor {
    carriers: Range<usize>,
    faces: Range<usize>,
    /// The local volume at rest, in the mesh's space.
    rest: f64,
}

impl LocalVolume {
    /// Prepares the measure for a character that passes [`Character::check`].
    pub fn new(character: &Character) -> Self {
        let bones = BonesInJointFrames::new(&character.skeleton);
        let anchors = Vec::with_capacity(character.vertex_count());
        let mut result = Self { faces: Vec::new(), carriers: Vec::new(), anchors };
        for ((part, vertices), morphs) in
            character.parts.iter().zip(character.vertex_ranges()).zip(character.morph_ranges())
        {
            result.add(part, vertices.start as u32, &character.base_pose.morphs[morphs], &bones);
        }
        result
    }

    /// Writes the relative change at every vertex, parts in the order of [`Character::vertex_ranges`].
    ///
    /// `world` has a transform for each joint of the skeleton, `positions` the deformed surface of the
    /// whole character in world space. Vertices that cannot be measured get 0: those without faces or
    /// weights, and those whose bones lie in the surface around them.
    pub fn measure(&self, world: &[DAffine3], positions: &[Vec3], out: &mut Vec<f32>) {
        out.resize(self.anchors.len(), 0.0);
        out.par_iter_mut().zip(&self.anchors).with_min_len(VERTICES_PER_TASK).for_each(|(change, anchor)| {
            *change = anchor.as_ref().map_or(0.0, |anchor| self.change(anchor, world, positions));
        });
    }

    fn change(&self, anchor: &Anchor, world: &[DAffine3], positions: &[Vec3]) -> f32 {
        let (mut center, mut scale) = (DVec3::ZERO, 0.0);
        for carrier in &self.carriers[anchor.carriers.clone()] {
            let joint = world[carrier.joint as usize];
            center += carrier.weight * joint.transform_point3(carrier.point);
            scale += carrier.scale * joint.matrix3.determinant();
        }
        let rest = if scale == 0.0 { anchor.rest } else { anchor.rest * scale };
        let faces = &self.faces[anchor.faces.clone()];
        let posed: f64 =
            faces.iter().map(|face| signed_volume(face, |v| positions[v as usize].as_dvec3() - center)).sum();
        let change = (posed / rest - 1.0) as f32;
        if change.is_finite() { change } else { 0.0 }
    }

    /// Appends the vertices of a part, which begin at `first_vertex` of the character.
    fn add(&mut self, part: &Part, first_vertex: u32, morphs: &[f32], bones: &BonesInJointFrames) {
        let Part { mesh, binding, .. } = part;
        let topology = Topology::new(&mesh.positions, &mesh.faces);
        let representatives = topology.representatives();
        let rest = part.rest_positions(morphs);
        let mut around = vec![Vec::new(); topology.welded_count()];
        for face in topology.faces() {
            let over_vertices = face.map(|v| representatives[v as usize]);
            for &corner in face.corners() {
                around[corner as usize].push(over_vertices);
            }
        }
        let mut face_ranges = Vec::with_capacity(around.len());
        for faces in &around {
            let start = self.faces.len();
            self.faces.extend(faces.iter().map(|face| face.map(|v| v + first_vertex)));
            face_ranges.push(start..self.faces.len());
        }
        for vertex in 0..mesh.positions.len() {
            let welded = topology.welded(vertex);
            let start = self.carriers.len();
            let mut center = DVec3::ZERO;
            for influence in binding.weights.row(vertex) {
                let slot = influence.joint as usize;
                let (joint, weight) = (binding.joints[slot], f64::from(influence.weight));
                let into_joint = binding.inverse_bind[slot];
                let point = bones.closest_point(joint, into_joint.transform_point3(rest[vertex]));
                let scale = weight * into_joint.matrix3.determinant();
                self.carriers.push(Carrier { joint: joint as u32, weight, point, scale });
                center += weight * into_joint.inverse().transform_point3(point);
            }
            let volume = local_volume(&around[welded], &rest, center);
            let (carriers, faces) = (start..self.carriers.len(), face_ranges[welded].clone());
            self.anchors.push(volume.map(|rest| Anchor { carriers, faces, rest }));
        }
    }
}

/// The volume between a point and some faces; none if there is nothing to measure.
fn local_volume(faces: &[Face], positions: &[DVec3], center: DVec3) -> Option<f64> {
    let seen = |v: u32| positions[v as usize] - center;
    let volume: f64 = faces.iter().map(|face| signed_volume(face, seen)).sum();
    let area: f64 = faces
        .iter()
        .flat_map(Face::triangles)
        .map(|t| t.map(seen))
        .map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length())
        .sum();
    (volume.abs() > SMALLEST_SHARE * area.powf(1.5)).then_some(volume)
}

/// Where the bones of each joint end, in its own frame; they begin at its origin.
struct BonesInJointFrames(Vec<Vec<DVec3>>);

impl BonesInJointFrames {
    fn new(skeleton: &Skeleton) -> Self {
        let mut ends = vec![Vec::new(); skeleton.len()];
        for bone in skeleton.bones() {
            ends[bone.joint].push(skeleton.bone_end(bone));
        }
        Self(ends)
    }

    /// The closest point on a joint's bones; the joint itself if it has none.
    fn closest_point(&self, joint: usize, p: DVec3) -> DVec3 {
        let on_bone = |end: &DVec3| {
            let share = p.dot(*end) / end.length_squared();
            if share.is_finite() { *end * share.clamp(0.0, 1.0) } else { DVec3::ZERO }
        };
        let nearer = |a: DVec3, b: DVec3| if b.distance_squared(p) < a.distance_squared(p) { b } else { a };
        self.0[joint].iter().map(on_bone).reduce(nearer).unwrap_or(DVec3::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_point_is_on_the_nearest_bone_between_its_ends() {
        let bones = BonesInJointFrames(vec![vec![DVec3::X, 2.0 * DVec3::Y], vec![], vec![DVec3::ZERO]]);
        let closest = |joint, x, y| bones.closest_point(joint, DVec3::new(x, y, 3.0));
        assert_eq!(closest(0, 0.5, 0.1), 0.5 * DVec3::X);
        assert_eq!(closest(0, 5.0, 0.1), DVec3::X);
        assert_eq!(closest(0, 0.1, 1.5), 1.5 * DVec3::Y);
        assert_eq!(closest(0, -1.0, -1.0), DVec3::ZERO);
        assert_eq!(closest(1, 5.0, 5.0), DVec3::ZERO);
        assert_eq!(closest(2, 5.0, 5.0), DVec3::ZERO);
    }
}
