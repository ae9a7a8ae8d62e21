//! A frame: the pose of a character at a time, its surface, and the deformers of the surface.

use crate::Pose;
use glam::{DAffine3, Quat, Vec3, Vec4};
use std::any::Any;

/// The deformed surface of a whole character: the vertices of its parts one after another, in world
/// space.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    /// A position for each vertex.
    pub positions: Vec<Vec3>,
    /// A unit normal for each vertex.
    pub normals: Vec<Vec3>,
    /// A tangent for each vertex, zero for parts that have none; empty if no part has any.
    pub tangents: Vec<Vec4>,
}

impl Surface {
    /// Rotates the normal and the tangent of a vertex. Authored normals are preserved, with their hard edges.
    pub fn rotate(&mut self, vertex: usize, rotation: Quat) {
        self.normals[vertex] = rotation * self.normals[vertex];
        if let Some(tangent) = self.tangents.get_mut(vertex) {
            *tangent = (rotation * tangent.truncate()).extend(tangent.w);
        }
    }
}

/// The time of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Time {
    /// Time in the clip, in seconds.
    pub seconds: f64,
    /// Time since the frame before, in seconds; zero for a pose that stands alone.
    pub delta: f64,
}

impl Time {
    /// A pose that stands alone.
    pub const fn alone(seconds: f64) -> Self {
        Self { seconds, delta: 0.0 }
    }
}

/// The input of a deformer for one frame.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// Local transforms and morph weights.
    pub pose: &'a Pose,
    /// World transform of every joint in that pose.
    pub world: &'a [DAffine3],
    /// The time.
    pub time: Time,
    /// The contacts that a deformer before this one resolved, if one did.
    pub contacts: Option<Contacts<'a>>,
    /// The fibres of each muscle, if a deformer of the stack has muscles.
    pub fibres: Option<&'a [MuscleFibres]>,
}

impl<'a> Frame<'a> {
    /// A frame before any contact was resolved.
    pub const fn new(pose: &'a Pose, world: &'a [DAffine3], time: Time) -> Self {
        Self { pose, world, time, contacts: None, fibres: None }
    }
}

/// The fibres of a muscle in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MuscleFibres {
    /// The length that they draw themselves to, as a share of that at rest.
    pub stretch: f64,
    /// How strongly, from 0 for a muscle that is relaxed to 1.
    pub activation: f64,
}

impl MuscleFibres {
    /// Those of a muscle at rest.
    pub const RELAXED: Self = Self { stretch: 1.0, activation: 0.0 };
}

/// The contacts that a deformer resolved in a frame.
#[derive(Debug, Clone, Copy)]
pub struct Contacts<'a> {
    /// The position of each vertex before that deformer moved it.
    pub before: &'a [Vec3],
    /// The strength of each vertex's contact with another part of the body, 0 to 1. A vertex of strength 1 must not
    /// move any more.
    pub amount: &'a [f32],
}

/// A deformer of a surface. It is built once for a character; building checks and prepares everything. It runs per
/// frame, allocates nothing, cannot fail, and gives the same bytes for any number of threads.
pub trait Deformer: Any + Send {
    /// Moves the surface, and calls `on_phase_end` with the name of each phase that it ends. The first deformer of a
    /// stack fills the surface; later ones change it.
    fn deform_in_phases(
        &mut self,
        frame: &Frame<'_>,
        surface: &mut Surface,
        on_phase_end: &mut dyn FnMut(&'static str),
    );

    /// Moves the surface by itself, without a stack.
    fn deform(&mut self, frame: &Frame<'_>, surface: &mut Surface) {
        self.prepare(frame, &mut |_| ());
        self.deform_in_phases(frame, surface, &mut |_| ());
    }

    /// Advances dynamic state through a frame that is not shown.
    fn advance_dynamics(&mut self, frame: &Frame<'_>) {
        let _ = frame;
    }

    /// The contacts resolved in the frame deformed last, for the deformers after this one.
    fn contacts(&self) -> Option<Contacts<'_>> {
        None
    }

    /// Advances dynamic state to a frame that is deformed next, before any deformer of the stack moves the surface.
    fn prepare(&mut self, frame: &Frame<'_>, on_phase_end: &mut dyn FnMut(&'static str)) {
        let _ = (frame, on_phase_end);
    }

    /// The fibres of its muscles in the frame prepared last, for all deformers of the stack.
    fn fibres(&self) -> Option<&[MuscleFibres]> {
        None
    }

    /// The warnings of building the deformer: omissions and repairs, a sentence each.
    fn warnings(&self) -> &[String] {
        &[]
    }
}
