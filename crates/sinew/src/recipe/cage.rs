//! The `[cage]` table: how markers or joints move a mesh by way of a cage.

use serde::{Deserialize, Serialize};
use sinew_cage::{CageOptions, DriverOptions, EmbeddingMethod, JointRange, Release};
use sinew_settings::limits;
use std::collections::BTreeMap;

/// The `[cage]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CageRecipe {
    /// How many vertices the cage has, about.
    #[serde(deserialize_with = "limits::cage_vertices")]
    pub vertices: usize,
    /// How far it is from the mesh, of the diagonal of the mesh's box.
    #[serde(deserialize_with = "limits::cage_offset")]
    pub offset: f64,
    /// How much shorter its edges are near joints.
    #[serde(deserialize_with = "limits::joint_detail")]
    pub joint_detail: f64,
    /// How the mesh follows the cage.
    pub embedding: EmbeddingMethod,
    /// How strongly markers and joints draw the body to their places.
    #[serde(deserialize_with = "limits::pull")]
    pub pull: f64,
    /// How strongly bones keep their lengths and directions while the body follows.
    #[serde(deserialize_with = "limits::bones")]
    pub bones: f64,
    /// Where the body gives way first.
    pub release: ReleaseKind,
    /// For a release by energy: how sharply.
    #[serde(deserialize_with = "limits::release_exponent")]
    pub release_exponent: f64,
    /// How often volumes are restored in every frame.
    #[serde(deserialize_with = "limits::volume_sweeps")]
    pub volume_sweeps: usize,
    /// Turns of the solver in every frame, at most.
    #[serde(deserialize_with = "limits::iterations")]
    pub iterations: usize,
    /// How far joints may turn against the bone before them, by name.
    pub limits: BTreeMap<String, RangeRecipe>,
    /// Where markers are on the mesh, by label.
    pub markers: BTreeMap<String, MarkerPlace>,
}

impl Default for CageRecipe {
    fn default() -> Self {
        let (cage, driver) = (CageOptions::default(), DriverOptions::default());
        Self {
            vertices: cage.vertices,
            offset: cage.offset,
            joint_detail: cage.joint_detail,
            embedding: EmbeddingMethod::default(),
            pull: 100.0,
            bones: driver.bone_weight,
            release: ReleaseKind::default(),
            release_exponent: 2.0,
            volume_sweeps: driver.volume_sweeps,
            iterations: driver.iterations,
            limits: BTreeMap::new(),
            markers: BTreeMap::new(),
        }
    }
}

impl CageRecipe {
    /// How the cage is to be.
    pub fn cage_options(&self) -> CageOptions {
        CageOptions { vertices: self.vertices, offset: self.offset, joint_detail: self.joint_detail }
    }

    /// How the control mesh is driven, within ranges whose joints somebody has found.
    pub fn driver_options(&self, ranges: Vec<JointRange>) -> DriverOptions {
        DriverOptions {
            bone_weight: self.bones,
            release: match self.release {
                ReleaseKind::Nowhere => Release::Nowhere,
                ReleaseKind::NearJoints => Release::NearJoints,
                ReleaseKind::ByEnergy => Release::ByEnergy { exponent: self.release_exponent },
            },
            ranges,
            volume_sweeps: self.volume_sweeps,
            iterations: self.iterations,
            ..DriverOptions::default()
        }
    }
}

/// Where rigidity is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseKind {
    /// Nowhere: the same everywhere.
    #[default]
    Nowhere,
    /// By the distance to joints.
    NearJoints,
    /// Where the body bends.
    ByEnergy,
}

impl ReleaseKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Nowhere, Self::NearJoints, Self::ByEnergy];

    /// The name in recipes and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nowhere => "nowhere",
            Self::NearJoints => "near-joints",
            Self::ByEnergy => "by-energy",
        }
    }
}

/// How far the bones of a joint may turn against the bone before them, from rest, in degrees: the least and the most.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RangeRecipe {
    /// About the bone itself.
    #[serde(deserialize_with = "limits::range")]
    pub twist: [f64; 2],
    /// In the plane of the two bones, as a hinge bends; positive is further than at rest.
    #[serde(deserialize_with = "limits::range")]
    pub bend: [f64; 2],
    /// Out of that plane.
    #[serde(deserialize_with = "limits::range")]
    pub sideways: [f64; 2],
}

impl Default for RangeRecipe {
    fn default() -> Self {
        let free = [-180.0, 180.0];
        Self { twist: free, bend: free, sideways: free }
    }
}

impl RangeRecipe {
    /// The range of a joint.
    pub fn of_joint(&self, joint: usize) -> JointRange {
        let radians = |[low, high]: [f64; 2]| [low.to_radians(), high.to_radians()];
        // The frame's z is `bone × before`, about which a further bend is a negative turn.
        let [least, most] = radians(self.bend);
        JointRange {
            joint,
            twist_rad: radians(self.twist),
            swing_y_rad: radians(self.sideways),
            swing_z_rad: [-most, -least],
        }
    }
}

/// Where a marker is on the mesh at rest: at a position, at a vertex, or where a way from a bone leaves the skin.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MarkerPlace {
    /// A place in the world at rest, in the file's units and axes; this, a vertex or a joint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<[f64; 3]>,
    /// A vertex of the file, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertex: Option<usize>,
    /// The joint of the bone that the way starts at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
    /// How far along the bone it starts: 0 at the joint, 1 at its end.
    #[serde(deserialize_with = "limits::along")]
    pub along: f64,
    /// The direction of the way in the world at rest; none for the way to the nearest skin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toward: Option<[f64; 3]>,
}
