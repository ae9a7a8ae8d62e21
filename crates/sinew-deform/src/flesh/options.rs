//! The `[flesh]` table: how fine the tissue under the skin is, and what bones it hangs on.

use sinew_settings::{choices, settings};
use std::collections::BTreeMap;

settings! {
    /// The `[flesh]` table.
    pub struct FleshOptions {
        /// Whether the skin lies where elastic flesh on bones comes to rest, and in how fine tetrahedra.
        fineness: Fineness = Fineness::Off;
        /// Which bones the flesh hangs on.
        bones: BonePreset = BonePreset::Reference;
        /// Names of meshes that are left as the skin has them.
        leave_out: Vec<String> = Vec::new();
        /// Names of closed meshes that are bones, in place of those of the preset: the flesh in each follows its joint as one
        /// solid, and the mesh is left as the skin has it.
        bone_meshes: Vec<String> = Vec::new();
        /// How stiff muscles are, in stiffnesses of the flesh around them, where `[muscles]` has a set.
        muscle_stiffness: f64 = 2.0, within(1.0, 100.0);
        /// How it swings.
        shake: FleshShakeOptions = FleshShakeOptions::default();
        /// The bones of single joints.
        joints: BTreeMap<String, JointFleshOptions> = BTreeMap::new(),
            example("LeftForeArm", &["radius = 0.3", "offset = [0, 0, -0.01]"]);
    }
}

settings! {
    /// The `[flesh.shake]` table: flesh that lags behind the bones and swings on.
    pub struct FleshShakeOptions {
        /// How often flesh as thick as the widest limb swings after a stop, thinner flesh more often; 0 for not at all.
        frequency: f64 = 0.0, within(0.0, 100.0), unit("swings per second");
        /// The share of critical damping: small swings long, 1 does not overshoot.
        damping: f64 = 0.3, above(0.0, 10.0);
    }
}

settings! {
    /// The `[flesh.joints.NAME]` tables.
    pub struct JointFleshOptions {
        /// The radius of the bone that begins at the joint, in radii of the limb; none for that of the preset.
        radius: Option<f64> = None, within(0.05, 0.9), shown("0.275");
        /// By how much the bone lies beside the line between its joints, at rest in the file's units and axes.
        offset: [f64; 3] = [0.0, 0.0, 0.0], unit("file units");
        /// How far the bone yields: 1 as the preset has it, more for cartilage.
        softness: f64 = 1.0, within(0.1, 1000.0);
    }
}

choices! {
    /// How fine the tetrahedra are.
    pub enum Fineness = Off {
        /// No flesh.
        Off = "off",
        /// Some 6,000 tetrahedra: about four fifths of a limb's radius at the joints of a human body, for poses in motion.
        Coarse = "coarse",
        /// Some 20,000 tetrahedra: about half of a limb's radius at the joints of a human body.
        Interactive = "interactive",
        /// 0.3 of a limb's radius at joints, however many that are.
        Fine = "fine",
    }
}

choices! {
    /// The bones of a body.
    pub enum BonePreset = Reference {
        /// Those of the simulations that flesh is compared with: thin shafts, and a small ball in each joint.
        Reference = "reference",
        /// Wide condyles, the tip of the elbow, the head of the shin and the kneecap, each just under the skin.
        Anatomical = "anatomical",
    }
}
