//! The report of a bake as data.

use super::{JumpReport, MuscleReport};
use serde::Serialize;
use sinew::deform::flesh::{FleshDeformer, FleshReport, RegionVolume};
use sinew::deform::implicit::{ImplicitDeformer, ImplicitFrame};
use sinew::rig::{Character, JointKind, Pose};
use std::collections::BTreeMap;

/// The measurements of a bake.
#[derive(Debug, Serialize, Default)]
pub struct Report {
    /// One entry per frame.
    pub frames: Vec<FrameReport>,
    /// One entry per joint that moves or has flesh.
    pub joints: Vec<JointReport>,
    /// One entry per limb of the implicit skin.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limbs: Vec<LimbReport>,
    /// One entry per muscle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub muscles: Vec<MuscleReport>,
    /// The jumps over time; absent where they were not measured.
    #[serde(flatten)]
    pub jumps: Option<JumpReport>,
    /// Everything that was repaired or left out.
    pub warnings: Vec<String>,
}

/// One frame. Lengths and volumes are in the file's units.
#[derive(Debug, Serialize, Default)]
pub struct FrameReport {
    /// Seconds in the clip.
    pub time: f64,
    /// The volume at rest, with the frame's scales and morph targets; absent for open meshes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume_rest: Option<f64>,
    /// The volume of the skin alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume_base: Option<f64>,
    /// The volume of the finished surface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// The farthest that the stages after the skin moved a vertex.
    pub max_displacement: f64,
    /// The largest second difference over time of that movement, which shows flicker; 0 in the first and the
    /// last frame.
    pub max_second_difference: f64,
    /// Pairs of triangles of the skin alone that intersect.
    pub intersections_base: usize,
    /// Pairs of triangles of the finished surface that intersect.
    pub intersections: usize,
    /// The time to compute the frame.
    pub milliseconds: f64,
    /// The time of each phase.
    pub phases: BTreeMap<&'static str, f64>,
    /// The implicit skin; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implicit: Option<ImplicitReport>,
    /// The flesh; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flesh: Option<FleshFrame>,
    /// By joint, the volume that its turn adds to the surface before the volume stage and that was taken back: negative where
    /// volume is lost. What contacts gave back before is not in it. Empty without a volume stage.
    pub joints: BTreeMap<String, f64>,
}

/// The implicit skin in a frame.
#[derive(Debug, Serialize)]
pub struct ImplicitReport {
    /// Welded points that it moved.
    pub moved: usize,
    /// Those of them that touch another limb.
    pub touching: usize,
}

impl From<ImplicitFrame> for ImplicitReport {
    fn from(ImplicitFrame { moved, touching, .. }: ImplicitFrame) -> Self {
        Self { moved, touching }
    }
}

/// The flesh in a frame.
#[derive(Debug, Serialize, Default)]
pub struct FleshFrame {
    /// Iterations of the solver.
    pub iterations: usize,
    /// The largest distance that a node still moved in the last of them, in edges of its tetrahedra.
    pub residual: f64,
    /// The largest distance between a bone and the flesh that it holds, in radii of the limb.
    #[serde(rename = "yield")]
    pub yielded: f64,
    /// Points of the skin that are near another part of the body.
    pub contacts: usize,
    /// The smallest share of its volume that a tetrahedron has; zero or less where one is turned over.
    pub smallest_volume: f64,
    /// The volume of the flesh, as a share of that at rest.
    pub volume: f64,
    /// The joint whose flesh has the volume farthest from that at rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_region: Option<FleshRegion>,
}

/// The flesh of a joint: the tetrahedra that it carries most of.
#[derive(Debug, Serialize)]
pub struct FleshRegion {
    /// The joint's name.
    pub joint: String,
    /// The volume of its flesh, as a share of that at rest.
    pub volume: f64,
}

impl FleshFrame {
    pub(super) fn new(character: &Character, report: FleshReport) -> Self {
        let FleshReport { iterations, residual, yielded, contacts, smallest_volume, volume, worst_region } = report;
        let region = |RegionVolume { joint, share }| FleshRegion {
            joint: character.skeleton.joints()[joint].name.clone(),
            volume: share,
        };
        let worst_region = worst_region.map(region);
        Self { iterations, residual, yielded, contacts, smallest_volume, volume, worst_region }
    }
}

/// One limb of the implicit skin.
#[derive(Debug, Serialize)]
pub struct LimbReport {
    /// Its joint.
    pub name: String,
    /// Welded points that belong to it.
    pub points: usize,
    /// Samples that its field goes through; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<usize>,
    /// The mean distance of its points from the field's surface, in radii of the limb.
    pub fit_error: f64,
    /// The largest such distance.
    pub fit_error_max: f64,
    /// Whether the joint above it keeps its two limbs apart.
    pub has_joint: bool,
}

impl LimbReport {
    pub(super) fn of(character: &Character, stage: &ImplicitDeformer) -> Vec<Self> {
        let name = |joint: usize| character.skeleton.joints()[joint].name.clone();
        let report = |limb: &sinew::deform::implicit::LimbReport| Self {
            name: name(limb.joint),
            points: limb.points,
            samples: limb.samples,
            fit_error: limb.fit.mean,
            fit_error_max: limb.fit.worst,
            has_joint: limb.has_joint,
        };
        stage.limbs().iter().map(report).collect()
    }
}

/// One joint over the clip.
#[derive(Debug, Serialize)]
pub struct JointReport {
    /// Its name.
    pub name: String,
    /// The largest angle that it turns away from its rest pose.
    pub max_degrees: f64,
    /// The farthest from zero that its change of the skin's volume comes, with its sign; 0 without a volume stage.
    pub max_volume_change: f64,
    /// The volume of its flesh where it is farthest from that at rest, as a share of it; absent without flesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flesh_volume: Option<f64>,
}

/// The motion and the volume change of every joint, gathered over a clip.
pub(super) struct JointTotals(Vec<JointTotal>);

#[derive(Clone, Default)]
struct JointTotal {
    max_degrees: f64,
    max_volume_change: f64,
    flesh_volume: Option<f64>,
}

impl JointTotals {
    pub fn new(character: &Character) -> Self {
        Self(vec![JointTotal::default(); character.skeleton.len()])
    }

    /// Includes a frame, and returns its volume changes by name.
    pub fn include(
        &mut self,
        character: &Character,
        pose: &Pose,
        volume_changes: &[(usize, f64)],
    ) -> BTreeMap<String, f64> {
        let joints = character.skeleton.joints();
        for ((total, joint), local) in self.0.iter_mut().zip(joints).zip(&pose.joints) {
            let degrees = joint.rest.rotation.angle_between(local.rotation).to_degrees();
            total.max_degrees = total.max_degrees.max(degrees);
        }
        let mut by_name = BTreeMap::new();
        for &(joint, change) in volume_changes {
            let largest = &mut self.0[joint].max_volume_change;
            if change.abs() > largest.abs() {
                *largest = change;
            }
            *by_name.entry(joints[joint].name.clone()).or_default() += change;
        }
        by_name
    }

    /// Includes the flesh of a frame.
    pub fn include_flesh(&mut self, flesh: &FleshDeformer) {
        for RegionVolume { joint, share } in flesh.regions() {
            let farthest = self.0[joint].flesh_volume.get_or_insert(share);
            if (share - 1.0).abs() > (*farthest - 1.0).abs() {
                *farthest = share;
            }
        }
    }

    pub fn report(self, character: &Character) -> Vec<JointReport> {
        let joints = character.skeleton.joints().iter().zip(self.0);
        joints
            .filter(|(joint, total)| {
                let turns = joint.kind == JointKind::Joint && total.max_degrees > 0.01;
                turns || total.max_volume_change != 0.0 || total.flesh_volume.is_some()
            })
            .map(|(joint, JointTotal { max_degrees, max_volume_change, flesh_volume })| JointReport {
                name: joint.name.clone(),
                max_degrees,
                max_volume_change,
                flesh_volume,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joints_change_keeps_its_sign_and_its_largest_size() {
        let character = sinew::demo::tube();
        let joint = character.skeleton.find("bend").unwrap();
        let mut totals = JointTotals::new(&character);
        for change in [0.25, -0.5, -0.125] {
            let by_name = totals.include(&character, &character.rest_pose(), &[(joint, change)]);
            assert_eq!(by_name, BTreeMap::from([("bend".into(), change)]));
        }
        let report = totals.report(&character);
        assert_eq!(report.len(), 1, "the other joint does nothing");
        assert_eq!((report[0].name.as_str(), report[0].max_volume_change), ("bend", -0.5));
    }
}
