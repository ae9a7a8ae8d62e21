//! What can be set of how a control mesh is driven?

use super::joint_limits::JointRange;
use super::release::Release;
use crate::control_mesh::{ControlMesh, Handle};
use crate::{Error, Result};

/// How a control mesh is driven.
#[derive(Debug, Clone, PartialEq)]
pub struct DriverOptions {
    /// The weight of bones, in units of the mean weight of a vertex.
    pub bone_weight: f64,
    /// Where rigidity is released.
    pub release: Release,
    /// How far joints may turn.
    pub ranges: Vec<JointRange>,
    /// How often tetrahedra are given their volumes back after the alternation.
    pub volume_sweeps: usize,
    /// Turns of the alternation at most.
    pub iterations: usize,
    /// A turn that moves no vertex farther, in mean lengths of an edge, is the last.
    pub tolerance: f64,
}

impl Default for DriverOptions {
    fn default() -> Self {
        Self {
            bone_weight: 10.0,
            release: Release::Nowhere,
            volume_sweeps: 10,
            ranges: Vec::new(),
            iterations: 30,
            tolerance: 1e-3,
        }
    }
}

/// Refuses handles and options that make no sense for a control mesh.
pub(super) fn check(control: &ControlMesh, handles: &[Handle], options: &DriverOptions) -> Result<()> {
    let size = control.positions.len();
    if handles.is_empty() {
        return Err(Error::NoHandles);
    }
    if let Some(handle) = handles.iter().find(|handle| handle.vertex as usize >= size) {
        return Err(sinew_geometry::Error::UnknownOutOfRange { unknown: handle.vertex, size }.into());
    }
    let positive = |what, value: f64| match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => Err(sinew_geometry::Error::OutOfRange { what, value, range: "more than zero" }),
    };
    handles.iter().try_for_each(|handle| positive("the weight of a handle", handle.weight))?;
    positive("the weight of bones", options.bone_weight)?;
    positive("the tolerance of a driver", options.tolerance)?;
    if let Release::ByEnergy { exponent } = options.release {
        positive("the exponent of a release", exponent)?;
    }
    for range in &options.ranges {
        let count = control.joints.len();
        if range.joint >= count {
            return Err(sinew_rig::Error::JointOutOfRange {
                what: "a range of turns".into(),
                joint: range.joint,
                count,
            }
            .into());
        }
        if !range.is_proper() {
            let (what, range) = ("a joint's range of turns", "intervals that are finite and have zero within them");
            return Err(sinew_geometry::Error::OutOfRange { what, value: f64::NAN, range }.into());
        }
    }
    Ok(())
}
