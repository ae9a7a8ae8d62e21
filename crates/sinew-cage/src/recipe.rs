//! The `[cage]` table of a recipe: how markers or joints move a mesh by way of a cage.

use crate::{CageOptions, DriverOptions, JointRange, Release};
use sinew_settings::{choices, settings};
use std::collections::BTreeMap;

settings! {
    /// The `[cage]` table.
    pub struct CageRecipe {
        /// How many vertices the cage has, about; finer follows more closely and takes longer.
        vertices: usize = CageOptions::default().vertices,
            within(8.0, 100_000.0);
        /// The distance of the cage from the mesh. Parts that are less than two offsets and a half apart, such as
        /// fingers, are joined.
        offset: f64 = CageOptions::default().offset, above(0.0, 0.5), unit("of the mesh's diagonal");
        /// How much shorter its edges are near joints.
        joint_detail: f64 = CageOptions::default().joint_detail, within(1.0, 10.0);
        /// How the mesh follows the cage.
        embedding: EmbeddingMethod = EmbeddingMethod::default();
        /// How strongly markers and joints draw the body to their places.
        pull: f64 = 100.0, above(0.0, 1e6);
        /// How strongly bones hold their lengths and directions while the body follows; their lengths are exact in the
        /// end.
        bones: f64 = DriverOptions::default().bone_weight, above(0.0, 1e6);
        /// Where the body gives way first.
        release: ReleaseKind = ReleaseKind::default();
        /// For "by-energy": how sharply.
        release_exponent: f64 = 2.0, above(0.0, 100.0);
        /// How often volumes are restored in every frame.
        volume_sweeps: usize = DriverOptions::default().volume_sweeps, within(0.0, 1000.0);
        /// Iterations of the solver in every frame, at most.
        iterations: usize = DriverOptions::default().iterations, within(1.0, 10_000.0);
        /// How far joints may turn against the bone before them, from rest, in degrees: the least and the most. The
        /// bend is in the plane of the two bones, sideways out of it, the twist about the bone.
        limits: BTreeMap<String, RangeRecipe> = BTreeMap::new(),
            example("LeftForeArm", &["bend = [0.0, 140.0]", "sideways = [0.0, 0.0]", "twist = [-80.0, 80.0]"]);
        /// Where markers are on the mesh at rest, by label: at a position or a vertex of the file, or where a ray from
        /// a bone leaves the skin.
        markers: BTreeMap<String, MarkerPlace> = BTreeMap::new(),
            example("LELB", &["joint = \"LeftForeArm\"", "along = 0.0", "toward = [1.0, 0.0, 0.0]"]);
    }
}

impl CageRecipe {
    /// The options of the cage itself.
    pub fn cage_options(&self) -> CageOptions {
        CageOptions { vertices: self.vertices, offset: self.offset, joint_detail: self.joint_detail }
    }

    /// The options of its driver, within ranges whose joints somebody has found.
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

choices! {
    /// How a vertex follows the control mesh.
    pub enum EmbeddingMethod = Continuous {
        /// With the rotations of its tetrahedron's corners: no jumps, small creases.
        Continuous = "continuous",
        /// By Green coordinates of the whole cage: smooth, but it does not see what is inside, and takes memory.
        Green = "green",
        /// By Green coordinates of its tetrahedron alone, which tear the surface; for comparison.
        Tetrahedra = "tetrahedra",
        /// By the places of its tetrahedron's corners alone, with a crease at every face; for comparison.
        Barycentric = "barycentric",
    }
}

choices! {
    /// Where rigidity is released.
    pub enum ReleaseKind = Nowhere {
        /// Nowhere: the same everywhere.
        Nowhere = "nowhere",
        /// By the distance to joints.
        NearJoints = "near-joints",
        /// Where the body bends.
        ByEnergy = "by-energy",
    }
}

settings! {
    /// How far the bones of a joint may turn against the bone before them, from rest: the least and the most.
    #[derive(Copy)]
    pub struct RangeRecipe {
        /// In the plane of the two bones, as a hinge bends; positive is further than at rest.
        bend: [f64; 2] = FREE, within(-180.0, 180.0), unit("degrees") => check_range;
        /// Out of that plane.
        sideways: [f64; 2] = FREE, within(-180.0, 180.0), unit("degrees") => check_range;
        /// About the bone itself.
        twist: [f64; 2] = FREE, within(-180.0, 180.0), unit("degrees") => check_range;
    }
}

/// The range of a joint without limits.
const FREE: [f64; 2] = [-180.0, 180.0];

/// Rest is within a range.
fn check_range([least, most]: &[f64; 2]) -> Result<(), String> {
    if *least > 0.0 {
        return Err(format!("the least of a range must be from -180 to 0 degrees, not {least}"));
    }
    if *most < 0.0 {
        return Err(format!("the most of a range must be from 0 to 180 degrees, not {most}"));
    }
    Ok(())
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

settings! {
    /// Where a marker is on the mesh at rest: at a position, at a vertex, or where a ray from a bone leaves the skin.
    pub struct MarkerPlace {
        /// A place in the world at rest, in the file's units and axes; this, a vertex or a joint.
        position: Option<[f64; 3]> = None;
        /// A vertex of the file, counted from 0.
        vertex: Option<usize> = None;
        /// The joint of the bone that the ray starts at.
        joint: Option<String> = None;
        /// How far along the bone it starts: 0 at the joint, 1 at its end.
        along: f64 = 0.0, within(0.0, 1.0), brief();
        /// The direction of the ray in the world at rest; left out, it goes to the nearest skin.
        toward: Option<[f64; 3]> = None;
    }
}
