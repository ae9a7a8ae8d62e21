//! The measurements of a deformed surface: volumes and self-intersections.

use crate::Result;
use sinew::Time;
use sinew::deform::skinning::SkinMethod;
use sinew::geometry::volume::closed_volume;
use sinew::geometry::{SelfIntersections, Topology};
use sinew::recipe::{Recipe, SkinOptions};
use sinew::rig::{Character, JointKind, Pose};
use sinew::{Stack, Surface};
use std::ops::Range;

/// Measures the surfaces of one character.
pub struct Measures {
    parts: Vec<Shell>,
    rest_stack: Stack,
    rest_pose: Pose,
    rest_surface: Surface,
    /// The volume of the rest pose; none before it is measured.
    rest_volume: Option<Option<f64>>,
    is_joint: Vec<bool>,
}

struct Shell {
    vertices: Range<usize>,
    topology: Topology,
    intersections: SelfIntersections,
}

impl Measures {
    /// Prepares the topology of every part.
    pub fn new(character: &Character) -> Result<Self> {
        let faces = sinew_io::world_faces(character);
        let parts = character.parts.iter().zip(&faces).zip(character.vertex_ranges());
        let recipe = Recipe { skin: SkinOptions { method: SkinMethod::Linear }, ..Recipe::default() };
        Ok(Self {
            parts: parts
                .map(|((part, faces), vertices)| {
                    let topology = Topology::new(&part.mesh.positions, faces);
                    Shell { vertices, intersections: SelfIntersections::new(&topology, &part.mesh.positions), topology }
                })
                .collect(),
            rest_stack: Stack::new(character, &recipe)?,
            rest_pose: character.rest_pose(),
            rest_surface: Surface::default(),
            rest_volume: None,
            is_joint: character.skeleton.joints().iter().map(|j| j.kind == JointKind::Joint).collect(),
        })
    }

    /// Names of the meshes that have no volume because they are not closed.
    pub fn open_parts(&self, character: &Character) -> Vec<String> {
        let parts = self.parts.iter().zip(&character.parts);
        parts.filter(|(shell, _)| !shell.topology.is_closed()).map(|(_, part)| part.mesh.name.clone()).collect()
    }

    /// Volume of all closed meshes together; none if there is no closed mesh.
    pub fn volume(&self, surface: &Surface) -> Option<f64> {
        let volumes = self.parts.iter().map(|s| closed_volume(&s.topology, &surface.positions[s.vertices.clone()]));
        volumes.flatten().reduce(|sum, volume| sum + volume)
    }

    /// The reference volume of a frame: the bind pose's rotations and translations with the frame's own scales, morph
    /// targets and nodes above the skeleton, so that growth that the animator intends does not count as a change.
    pub fn rest_volume(&mut self, pose: &Pose) -> Option<f64> {
        let before = self.rest_pose.clone();
        for ((rest, now), is_joint) in self.rest_pose.joints.iter_mut().zip(&pose.joints).zip(&self.is_joint) {
            if *is_joint {
                rest.scale = now.scale;
            } else {
                *rest = *now;
            }
        }
        self.rest_pose.morphs.clone_from(&pose.morphs);
        match self.rest_volume.filter(|_| self.rest_pose == before) {
            Some(volume) => volume,
            None => {
                self.rest_stack.deform(&self.rest_pose, Time::default(), &mut self.rest_surface);
                *self.rest_volume.insert(self.volume(&self.rest_surface))
            }
        }
    }

    /// Pairs of triangles of the same mesh that intersect without being neighbours.
    pub fn intersections(&mut self, surface: &Surface) -> usize {
        let count = |s: &mut Shell| s.intersections.count(&surface.positions[s.vertices.clone()]);
        self.parts.iter_mut().map(count).sum()
    }
}
