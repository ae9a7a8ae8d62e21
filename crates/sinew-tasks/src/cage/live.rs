//! A caged character that follows handles, one frame after another.

use super::enclose::Caged;
use crate::{Context, Error, Result, find};
use glam::{DAffine3, DMat3, DVec3};
use sinew::Surface;
use sinew::cage::{ControlMesh, Driver, DriverOutcome, Embedding, Handle, JointRange};
use sinew::recipe::CageRecipe;

/// The vertex that a handle holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandleOf {
    /// A joint of the skeleton.
    Joint(usize),
    /// The tip of a joint's bone.
    Tip(usize),
    /// A marker, by its index in the cage's list.
    Marker(usize),
}

impl Caged {
    /// Handles at all joints and the tips of bones.
    pub fn joint_handles(&self) -> Vec<HandleOf> {
        let anchors = self.control.anchors.iter();
        anchors
            .map(|anchor| match anchor.local == DVec3::ZERO {
                true => HandleOf::Joint(anchor.joint),
                false => HandleOf::Tip(anchor.joint),
            })
            .collect()
    }

    /// Handles at all markers.
    pub fn marker_handles(&self) -> Vec<HandleOf> {
        (0..self.control.markers.len()).map(HandleOf::Marker).collect()
    }

    /// The vertex of the control mesh that a handle holds.
    fn vertex_of(&self, handle: HandleOf) -> Result<u32> {
        let ControlMesh { joints, anchors, markers, .. } = &self.control;
        let vertex = match handle {
            HandleOf::Joint(joint) => joints.get(joint).copied().flatten(),
            HandleOf::Tip(joint) => {
                anchors.iter().find(|a| a.joint == joint && a.local != DVec3::ZERO).map(|anchor| anchor.vertex)
            }
            HandleOf::Marker(marker) => markers.get(marker).copied(),
        };
        vertex.ok_or_else(|| Error::HandleWithoutVertex { handle: self.name_of(handle) })
    }

    fn name_of(&self, handle: HandleOf) -> String {
        let joint = |joint: usize| self.asset.character.skeleton.joints().get(joint).map_or("", |joint| &joint.name);
        match handle {
            HandleOf::Joint(index) => format!("joint \"{}\"", joint(index)),
            HandleOf::Tip(index) => format!("the tip of joint \"{}\"", joint(index)),
            HandleOf::Marker(marker) => format!("marker \"{}\"", self.markers.get(marker).map_or("", String::as_str)),
        }
    }
}

/// A solved frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LiveFrame {
    /// The result of the solver.
    pub outcome: DriverOutcome,
    /// The change of the volume of all tetrahedra, as a share of it.
    pub volume_error: f64,
}

/// A caged character with handles that can be dragged: the surface follows.
pub struct LiveCage {
    driver: Driver,
    embedding: Embedding,
    surface: Surface,
    handles: Vec<HandleOf>,
    tetrahedra: Vec<[u32; 4]>,
    volume: f64,
}

impl LiveCage {
    /// Prepares a character for some handles; the system is factored for these.
    pub fn new(caged: &Caged, recipe: &CageRecipe, handles: &[HandleOf]) -> Result<Self> {
        let Caged { control, rest, .. } = caged;
        let held = |&handle: &HandleOf| Ok(Handle { vertex: caged.vertex_of(handle)?, weight: recipe.pull });
        let held = handles.iter().map(held).collect::<Result<Vec<Handle>>>()?;
        let ranges = ranges(caged, recipe)?;
        let mut surface = rest.clone();
        surface.tangents.clear();
        Ok(Self {
            driver: Driver::new(control, &held, recipe.driver_options(ranges))?,
            embedding: Embedding::new(control, &rest.positions, &rest.normals, recipe.embedding)
                .context("this embedding is not possible; \"continuous\" takes the least memory")?,
            surface,
            handles: handles.to_vec(),
            tetrahedra: control.tetrahedra.clone(),
            volume: control.volume(&control.positions),
        })
    }

    /// The handles.
    pub fn handles(&self) -> &[HandleOf] {
        &self.handles
    }

    /// Moves a handle to a position in the world. A position that is not finite is ignored.
    pub fn drag(&mut self, handle: usize, place: DVec3) -> Result<()> {
        if handle >= self.handles.len() {
            return Err(Error::UnknownHandle { handle, count: self.handles.len() });
        }
        self.driver.set_target(handle, place);
        Ok(())
    }

    /// Places joints and tips where a posed skeleton has them, and starts from these bones alone.
    pub fn pose(&mut self, world: &[DAffine3]) {
        self.driver.pose(world);
    }

    /// Starts from rest, moved as a whole to where it fits the handles.
    pub fn start_from_handles(&mut self) {
        self.driver.start_from_handles();
    }

    /// Goes back to rest.
    pub fn reset(&mut self) {
        self.driver.reset();
    }

    /// Solves for the handles. The surface stays the same until [`Self::embed`].
    pub fn solve(&mut self) -> LiveFrame {
        let outcome = self.driver.solve();
        let places = self.driver.positions();
        let six_volumes = self.tetrahedra.iter().map(|t| {
            let [a, b, c, d] = t.map(|v| places[v as usize]);
            DMat3::from_cols(b - a, c - a, d - a).determinant()
        });
        LiveFrame { outcome, volume_error: six_volumes.sum::<f64>() / (6.0 * self.volume) - 1.0 }
    }

    /// Updates the surface from the cage.
    pub fn embed(&mut self) -> &Surface {
        let Surface { positions, normals, .. } = &mut self.surface;
        self.embedding.deform(self.driver.positions(), self.driver.rotations(), positions, normals);
        &self.surface
    }

    /// The surface after the last [`Self::embed`].
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The control mesh: the positions and rotations of its vertices and bones.
    pub fn driver(&self) -> &Driver {
        &self.driver
    }
}

/// The limits of a recipe on a skeleton.
fn ranges(caged: &Caged, recipe: &CageRecipe) -> Result<Vec<JointRange>> {
    let mut ranges = Vec::with_capacity(recipe.limits.len());
    for (name, range) in &recipe.limits {
        let joint = find::joint(&caged.asset.character, name).with_context(|| format!("[cage.limits.{name}]"))?;
        if !caged.control.bones.iter().any(|bone| bone.joint == joint && bone.parent.is_some()) {
            return Err(Error::NothingToLimit).with_context(|| format!("[cage.limits.{name}]"));
        }
        ranges.push(range.of_joint(joint));
    }
    Ok(ranges)
}
