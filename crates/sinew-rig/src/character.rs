//! A skeleton with its skinned surfaces and its motions.

use super::{Clip, JointKind, Pose, Skeleton, Weights};
use crate::{Error, Result};
use glam::{DAffine3, DVec3};
use sinew_geometry::Mesh;
use std::ops::Range;

/// The binding of a mesh to a skeleton: `p' = Σ wⱼ Mⱼ inverse_bindⱼ p̄`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Binding {
    /// Joints of the skeleton that the weights refer to.
    pub joints: Vec<usize>,
    /// For each of them, from the mesh's space to the joint's at bind time.
    pub inverse_bind: Vec<DAffine3>,
    /// Shares of these joints in each vertex.
    pub weights: Weights,
    /// For each vertex the share of dual-quaternion against linear skinning, as Maya paints it.
    pub dual_quaternion_share: Option<Vec<f32>>,
}

impl Binding {
    /// A mesh that is not skinned but follows a node as a whole.
    pub fn rigid(node: usize, vertices: usize) -> Self {
        Self {
            joints: vec![node],
            inverse_bind: vec![DAffine3::IDENTITY],
            weights: Weights::rigid(vertices, 0),
            dual_quaternion_share: None,
        }
    }
}

/// A mesh with its binding: one mesh node of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    /// The node of the mesh in the file.
    pub node: usize,
    /// Whether the file skins it; otherwise it follows its node rigidly.
    pub skinned: bool,
    /// The surface at rest, in the mesh's own space.
    pub mesh: Mesh,
    /// The binding to the skeleton.
    pub binding: Binding,
}

/// Everything that moves together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Character {
    /// Its name, possibly empty.
    pub name: String,
    /// Joints and plain nodes, at rest as the skins were bound.
    pub skeleton: Skeleton,
    /// The pose of the file's nodes, which differs from the bind pose in many real files. Joints without a track have
    /// this pose.
    pub base_pose: Pose,
    /// Meshes in the file's order.
    pub parts: Vec<Part>,
    /// Motions in the file's order.
    pub clips: Vec<Clip>,
}

impl Character {
    /// Vertices of all parts.
    pub fn vertex_count(&self) -> usize {
        self.parts.iter().map(|p| p.mesh.positions.len()).sum()
    }

    /// Morph targets of all parts.
    pub fn morph_count(&self) -> usize {
        self.parts.iter().map(|p| p.mesh.morphs.len()).sum()
    }

    /// The range of each part's vertices in a surface of the whole character.
    pub fn vertex_ranges(&self) -> Vec<Range<usize>> {
        ranges(self.parts.iter().map(|p| p.mesh.positions.len()))
    }

    /// The vertices of a surface of the whole character, in the order of files without parts: the file's own vertices
    /// of all parts, each by its first copy, then those that refinement added.
    pub fn file_order(&self) -> Vec<usize> {
        let parts = || self.vertex_ranges().into_iter().zip(&self.parts);
        let own = parts().flat_map(|(range, part)| part.mesh.first_copies().into_iter().map(move |v| range.start + v));
        let added = parts().flat_map(|(range, part)| range.start + part.mesh.own_vertices()..range.end);
        own.chain(added).collect()
    }

    /// The range of each part's morph weights in a pose.
    pub fn morph_ranges(&self) -> Vec<Range<usize>> {
        ranges(self.parts.iter().map(|p| p.mesh.morphs.len()))
    }

    /// The bind pose, with the base pose's morph weights.
    pub fn rest_pose(&self) -> Pose {
        Pose { morphs: self.base_pose.morphs.clone(), ..self.skeleton.rest_pose() }
    }

    /// The clip of that name, or with that index from 0.
    pub fn find_clip(&self, name_or_index: &str) -> Option<&Clip> {
        let by_name = self.clips.iter().find(|c| c.name == name_or_index);
        by_name.or_else(|| name_or_index.parse::<usize>().ok().and_then(|i| self.clips.get(i)))
    }

    /// Indices of the real joints.
    pub fn joints(&self) -> impl Iterator<Item = usize> + '_ {
        let joints = self.skeleton.joints().iter().enumerate();
        joints.filter(|(_, j)| j.kind == JointKind::Joint).map(|(index, _)| index)
    }

    /// Checks the preconditions of the running code: finite numbers, equal lengths, indices in range.
    pub fn check(&self) -> Result<()> {
        let joint_count = self.skeleton.len();
        for (local, joint) in self.base_pose.joints.iter().zip(self.skeleton.joints()) {
            if !local.is_finite() {
                return Err(Error::JointNotFinite { joint: joint.name.clone() });
            }
        }
        let length = |what: &str, found, expected| sinew_geometry::Error::check_len(&self.name, what, found, expected);
        length("the base pose", self.base_pose.joints.len(), joint_count)?;
        length("the base pose's morph weights", self.base_pose.morphs.len(), self.morph_count())?;
        if let Some(morph) = self.base_pose.morphs.iter().position(|weight| !weight.is_finite()) {
            return Err(Error::MorphNotFinite { character: self.name.clone(), morph });
        }
        for part in &self.parts {
            part.check(joint_count)?;
        }
        for clip in &self.clips {
            clip.check(&self.skeleton, self.morph_count())?;
        }
        Ok(())
    }
}

impl Part {
    /// The joint with the largest weight of a vertex; the part's node for a vertex without weights.
    pub fn strongest_joint(&self, vertex: usize) -> usize {
        let strongest = self.binding.weights.row(vertex).iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
        strongest.map_or(self.node, |influence| self.binding.joints[influence.joint as usize])
    }

    /// The surface with morph targets blended in, in the mesh's own space.
    pub fn rest_positions(&self, morph_weights: &[f32]) -> Vec<DVec3> {
        let mut positions: Vec<DVec3> = self.mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        for (morph, &weight) in self.mesh.morphs.iter().zip(morph_weights).filter(|(_, weight)| **weight != 0.0) {
            for (position, offset) in positions.iter_mut().zip(&morph.positions) {
                *position += f64::from(weight) * offset.as_dvec3();
            }
        }
        positions
    }

    fn check(&self, joint_count: usize) -> Result<()> {
        self.mesh.check()?;
        let Self { mesh, binding, .. } = self;
        let length = |what: &str, found, expected| sinew_geometry::Error::check_len(&mesh.name, what, found, expected);
        length("the list of weights", binding.weights.len(), mesh.positions.len())?;
        length("the list of inverse bind matrices", binding.inverse_bind.len(), binding.joints.len())?;
        if let Some(shares) = &binding.dual_quaternion_share {
            length("the list of dual-quaternion shares", shares.len(), mesh.positions.len())?;
            if let Some(vertex) = shares.iter().position(|share| !(0.0..=1.0).contains(share)) {
                return Err(Error::ShareOutOfRange { mesh: mesh.name.clone(), vertex, share: shares[vertex] });
            }
        }
        if let Some(slot) = binding.inverse_bind.iter().position(|bind| !bind.is_finite()) {
            return Err(Error::BindNotFinite { mesh: mesh.name.clone(), slot });
        }
        for &joint in binding.joints.iter().chain([&self.node]) {
            if joint >= joint_count {
                let what = format!("mesh \"{}\"", mesh.name);
                return Err(Error::JointOutOfRange { what, joint, count: joint_count });
            }
        }
        for (vertex, row) in binding.weights.rows().enumerate() {
            let count = binding.joints.len();
            if let Some(bad) = row.iter().find(|i| i.joint as usize >= count) {
                return Err(Error::InfluenceOutOfRange { mesh: mesh.name.clone(), vertex, joint: bad.joint, count });
            }
            if row.iter().any(|i| !i.weight.is_finite()) {
                return Err(Error::WeightNotFinite { mesh: mesh.name.clone(), vertex });
            }
            if row.is_empty() {
                let count = binding.weights.rows().filter(|row| row.is_empty()).count();
                return Err(Error::Weightless { mesh: mesh.name.clone(), vertex, count });
            }
        }
        Ok(())
    }
}

fn ranges(lengths: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    lengths
        .scan(0, |start, length| {
            *start += length;
            Some(*start - length..*start)
        })
        .collect()
}
