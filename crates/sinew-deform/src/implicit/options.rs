//! The `[implicit]` table: where the skin follows the fields of its limbs, and how limbs meet.

use glam::DVec3;
use sinew_field::{Controller, Operator, Oriented};
use sinew_settings::{choices, settings};
use std::collections::BTreeMap;

settings! {
    /// The `[implicit]` table.
    pub struct ImplicitOptions {
        /// Whether joints that bend keep their shape and their two sides apart, with the fields of their limbs. Before a
        /// volume with contacts they do so in any case.
        on: bool = false;
        /// Whether limbs that no joint parts keep apart, too, such as a hand and the chest or a thigh and the belly. A frame
        /// takes four to five times as long.
        apart: bool = false;
        /// Samples of a limb's surface that its field goes through at first.
        samples: usize = 50, within(10.0, 200.0);
        /// Whether the fields, which take a second or two to find, are cached for the next time.
        keep: bool = true;
        /// Names of meshes that are left as they are.
        leave_out: Vec<String> = Vec::new();
        /// The field at every joint that has no table of its own.
        joint: JointFieldOptions = JointFieldOptions::default();
        /// The fields at single joints; a key that is left out is as above.
        joints: BTreeMap<String, JointFieldOptions> = BTreeMap::new(),
            example("LeftForeArm", &["operator = \"bulge\"", "amount = 0.5"]);
        /// Samples of single limbs, by the joint that carries them, in place of those that are found.
        limbs: BTreeMap<String, LimbOptions> = BTreeMap::new(),
            example("LeftForeArm", &["samples = [[0.4, 1.2, 0.05, 0, 0, 1], [0.4, 1.2, -0.05, 0, 0, -1], \
                [0.4, 1.25, 0, 0, 1, 0], [0.4, 1.15, 0, 0, -1, 0]]"]);
    }
}

settings! {
    /// The `[implicit.limbs.NAME]` tables.
    pub struct LimbOptions {
        /// Points that the limb's field goes through and the normals there, at rest in the file's units and axes: six
        /// numbers each. None for those that are found.
        samples: Vec<[f64; 6]> = Vec::new() => |samples| check_samples(samples);
    }
}

/// The limits of the number of chosen samples of a limb; fewer define no shape.
const FEWEST_SAMPLES: usize = 4;
const MOST_SAMPLES: usize = 400;

/// Samples are points with normals.
fn check_samples(samples: &[[f64; 6]]) -> Result<(), String> {
    if !(samples.is_empty() || (FEWEST_SAMPLES..=MOST_SAMPLES).contains(&samples.len())) {
        return Err(format!("a limb has {FEWEST_SAMPLES} to {MOST_SAMPLES} samples, not {}", samples.len()));
    }
    let is_one = |sample: &[f64; 6]| sample.iter().all(|x| x.is_finite()) && sample[3..].iter().any(|&x| x != 0.0);
    match samples.iter().position(|sample| !is_one(sample)) {
        Some(k) => Err(format!("sample {k} is no point with a normal: x, y, z and a direction that is not 0")),
        None => Ok(()),
    }
}

settings! {
    /// The `[implicit.joint]` table, and those of single joints.
    pub struct JointFieldOptions {
        /// How the two limbs at the joint become one.
        operator: Option<OperatorKind> = None, shown("\"contact\"");
        /// From which angle between the limbs on the operator has its effect.
        controller: Option<ControllerKind> = None, shown("\"always\"");
        /// For "curve": pairs of an angle and the effect there.
        curve: Option<Vec<[f64; 2]>> = None,
            places("angle", 0.0, 180.0, "degrees"), within(0.0, 1.0), shown("[[90.0, 0.0], [120.0, 1.0]]");
        /// The share of the effect; 0 leaves a joint as the skin has it.
        amount: Option<f64> = None, within(0.0, 1.0), shown("1.0");
    }
}

/// The settings of a joint, with all defaults.
#[derive(Debug, Clone, PartialEq)]
pub struct JointField {
    /// How the two limbs become one.
    pub operator: OperatorKind,
    /// When.
    pub controller: Controller,
    /// How much of it is wanted.
    pub amount: f64,
}

impl ImplicitOptions {
    /// The samples that somebody chose for a limb; none for those that are found by themselves.
    pub fn samples_of(&self, joint: &str) -> Vec<Oriented> {
        let oriented = |&[x, y, z, u, v, w]: &[f64; 6]| Oriented {
            point: DVec3::new(x, y, z),
            normal: DVec3::new(u, v, w).normalize_or_zero(),
        };
        self.limbs.get(joint).map_or_else(Vec::new, |limb| limb.samples.iter().map(oriented).collect())
    }

    /// The settings of a joint.
    pub fn field_of(&self, joint: &str) -> JointField {
        let own = self.joints.get(joint);
        let (named, common) = (own.unwrap_or(&self.joint), &self.joint);
        let curve = named.curve.as_ref().or(common.curve.as_ref());
        let controller = match (named.controller.or(common.controller).unwrap_or_default(), curve) {
            (ControllerKind::Curve, Some(points)) => {
                let knots: Vec<(f64, f64)> = points.iter().map(|&[angle, value]| (angle.to_radians(), value)).collect();
                // Its limits were checked when the recipe was read.
                Controller::curve(&knots).unwrap_or_default()
            }
            (ControllerKind::Wide | ControllerKind::Curve, _) => Controller::default(),
            (ControllerKind::Always, _) => Controller::constant(1.0),
            (ControllerKind::Sharp, _) => Controller::sharp(),
            (ControllerKind::Late, _) => Controller::bulge(),
        };
        JointField {
            operator: named.operator.or(common.operator).unwrap_or_default(),
            controller,
            amount: named.amount.or(common.amount).unwrap_or(1.0),
        }
    }
}

choices! {
    /// How two limbs at a joint become one [R18 §2.3].
    pub enum OperatorKind = Contact {
        /// They keep a wall between them.
        Contact = "contact",
        /// They keep a wall between them and swell around it.
        Bulge = "bulge",
        /// They are one where they meet, with a crease.
        Union = "union",
        /// They are one where they meet, smoothly.
        Blend = "blend",
    }
}

impl OperatorKind {
    /// The operator on fields.
    pub const fn operator(self) -> Operator {
        match self {
            Self::Contact => Operator::Contact,
            Self::Bulge => Operator::Bulge,
            Self::Union => Operator::CleanUnion,
            Self::Blend => Operator::Blend,
        }
    }

    /// Whether limbs stay apart.
    pub const fn parts(self) -> bool {
        matches!(self, Self::Contact | Self::Bulge)
    }
}

choices! {
    /// From which angle between two limbs' gradients on an operator has its effect [R18 fig. 3.5].
    pub enum ControllerKind = Always {
        /// At all angles.
        Always = "always",
        /// From 90° on, in full from 120°.
        Sharp = "sharp",
        /// From 45° on, in full from 135°.
        Wide = "wide",
        /// From 90° on, in full at 180°.
        Late = "late",
        /// By a curve.
        Curve = "curve",
    }
}
