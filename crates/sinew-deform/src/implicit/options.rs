//! The `[implicit]` table: where the skin follows the fields of its limbs, and how limbs meet.

use glam::DVec3;
use serde::{Deserialize, Serialize};
use sinew_field::{Controller, Operator, Oriented};
use sinew_settings::limits;
use std::collections::BTreeMap;

/// The `[implicit]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImplicitOptions {
    /// Whether it is done at all.
    pub on: bool,
    /// Whether a frame goes on from the frame before: faster, but what comes out depends on what came before.
    pub continues: bool,
    /// Samples of a limb's surface that its field goes through, at first.
    #[serde(deserialize_with = "limits::samples")]
    pub samples: usize,
    /// Whether what takes long to prepare is kept beside the character, for the next time.
    pub keep: bool,
    /// Meshes that are left as they are.
    pub leave_out: Vec<String>,
    /// What happens at joints that are not named below, and what those leave out.
    pub joint: JointFieldOptions,
    /// What happens at single joints, by name. These do as they are told; the others are tried first.
    pub joints: BTreeMap<String, JointFieldOptions>,
    /// What somebody chose for the fields of single limbs, by the joint that carries them.
    pub limbs: BTreeMap<String, LimbOptions>,
}

/// The `[implicit.limbs.NAME]` tables.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimbOptions {
    /// Points that the limb's field goes through and the normals there, at rest in the file's units and axes: six
    /// numbers each. None for those that are found by themselves.
    #[serde(deserialize_with = "limits::limb_samples")]
    pub samples: Vec<[f64; 6]>,
}

impl Default for ImplicitOptions {
    fn default() -> Self {
        Self {
            on: false,
            continues: false,
            samples: 50,
            keep: true,
            leave_out: Vec::new(),
            joint: JointFieldOptions::default(),
            joints: BTreeMap::new(),
            limbs: BTreeMap::new(),
        }
    }
}

/// The `[implicit.joint]` table, and those of single joints.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JointFieldOptions {
    /// How the two limbs at the joint become one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operator: Option<OperatorKind>,
    /// From which angle between the limbs on it has its effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controller: Option<ControllerKind>,
    /// The controller "curve": pairs of an angle in degrees and the effect there.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::controller_curve")]
    pub curve: Option<Vec<[f64; 2]>>,
    /// How much of it is wanted, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "limits::amount")]
    pub amount: Option<f64>,
}

/// What happens at a joint, with nothing left open.
#[derive(Debug, Clone, PartialEq)]
pub struct JointField {
    /// How the two limbs become one.
    pub operator: OperatorKind,
    /// When.
    pub controller: Controller,
    /// How much of it is wanted.
    pub amount: f64,
    /// Whether the recipe names the joint.
    pub is_named: bool,
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

    /// What happens at a joint.
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
            (ControllerKind::Sharp, _) => Controller::sharp(),
            (ControllerKind::Late, _) => Controller::bulge(),
        };
        JointField {
            operator: named.operator.or(common.operator).unwrap_or_default(),
            controller,
            amount: named.amount.or(common.amount).unwrap_or(1.0),
            is_named: own.is_some(),
        }
    }
}

/// How two limbs at a joint become one [R18 §2.3].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OperatorKind {
    /// They keep a wall between them.
    #[default]
    Contact,
    /// They keep a wall between them and swell around it.
    Bulge,
    /// They are one where they meet, with a crease.
    Union,
    /// They are one where they meet, smoothly.
    Blend,
}

impl OperatorKind {
    /// Every kind, in the order of the help.
    pub const ALL: [Self; 4] = [Self::Contact, Self::Bulge, Self::Union, Self::Blend];

    /// The name in recipes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Contact => "contact",
            Self::Bulge => "bulge",
            Self::Union => "union",
            Self::Blend => "blend",
        }
    }

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

/// From which angle between two limbs' gradients on an operator has its effect [R18 fig. 3.5].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ControllerKind {
    /// From 90° on, in full from 120°.
    #[default]
    Sharp,
    /// From 45° on, in full from 135°.
    Wide,
    /// From 90° on, in full at 180°.
    Late,
    /// A curve of one's own.
    Curve,
}

impl ControllerKind {
    /// Every kind, in the order of the help.
    pub const ALL: [Self; 4] = [Self::Sharp, Self::Wide, Self::Late, Self::Curve];

    /// The name in recipes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sharp => "sharp",
            Self::Wide => "wide",
            Self::Late => "late",
            Self::Curve => "curve",
        }
    }
}
