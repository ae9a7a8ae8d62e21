//! The options of a driver.

use super::joint_limits::JointRange;
use super::release::Release;
use crate::control_mesh::{ControlMesh, Handle};
use crate::{Error, Result};

/// The options of a driver.
#[derive(Debug, Clone, PartialEq)]
pub struct DriverOptions {
    /// The weight of bones, in units of the mean weight of a vertex.
    pub bone_weight: f64,
    /// Where rigidity is released.
    pub release: Release,
    /// The ranges of joint rotation.
    pub ranges: Vec<JointRange>,
    /// The number of volume restoration sweeps after the iterations.
    pub volume_sweeps: usize,
    /// The largest number of local–global iterations.
    pub iterations: usize,
    /// The iterations end when no vertex moves farther than this, in mean edge lengths.
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

/// Rejects handles and options that are invalid for a control mesh.
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
            return Err(
                sinew_rig::Error::JointOutOfRange { what: "a joint range".into(), joint: range.joint, count }.into()
            );
        }
        if !range.is_valid() {
            let (what, range) = ("a joint range", "finite intervals that contain zero");
            return Err(sinew_geometry::Error::OutOfRange { what, value: f64::NAN, range }.into());
        }
    }
    Ok(())
}
