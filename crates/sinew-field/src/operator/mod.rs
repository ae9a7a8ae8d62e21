//! Operators that compose two fields.
//!
//! By an operator `F = G(f₁, f₂)` on the densities \[R18 §2.3\]; the gradient follows by the chain rule.
//! A family `G_α` goes from a union (α = 0) to an effect (α = 1), and a [`Controller`] chooses α by the
//! angle between the gradients at the point \[R18 §2.3.4\]. The angle is that of the *normalised*
//! gradients. That α changes from place to place is left out of the gradient, as it is in the source:
//! it would take second derivatives.
//!
//! Min, max, sum and Ricci's are formulas; clean union and blend are one closed family ([`blend`]);
//! contact, bulge and detail are designed by constraints ([`design`]), solved as thin plates ([`plate`])
//! and looked up ([`patch`]).

mod blend;
mod design;
mod patch;
mod plate;
mod tables;

pub use tables::OperatorTables;

use super::{Controller, Sample};

/// A way to make one density of two.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Operator {
    /// The intersection.
    Min,
    /// The union, with a crease at every level.
    Max,
    /// Densities added up; more than 1 is 1.
    Sum,
    /// `(f₁ᵏ + f₂ᵏ)^{1/k}`, from the sum (k = 1) towards the maximum; more than 1 is 1.
    Ricci(f64),
    /// The union, with a crease on the surface alone.
    CleanUnion,
    /// From a clean union to a smooth joint.
    Blend,
    /// From a union to two bodies that keep a wall between them.
    Contact,
    /// From a union to two bodies that keep a wall between them and swell around it.
    Bulge,
    /// The second put onto the first, without spoiling the field inside. α is not used.
    Detail,
}

/// The value of an operator and its derivatives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Combined {
    /// `G(f₁, f₂)`
    pub value: f64,
    /// `∂G/∂f₁`
    pub d1: f64,
    /// `∂G/∂f₂`
    pub d2: f64,
}

impl Operator {
    /// The operator at two densities within 0 and 1, with its parameter within 0 and 1. On a crease the
    /// derivatives are those of the side where the first density is larger.
    #[inline]
    pub fn combine(&self, tables: &OperatorTables, alpha: f64, f1: f64, f2: f64) -> Combined {
        match *self {
            Self::Min if f1 > f2 => Combined { value: f2, d1: 0.0, d2: 1.0 },
            Self::Max if f1 < f2 => Combined { value: f2, d1: 0.0, d2: 1.0 },
            Self::Min | Self::Max => Combined { value: f1, d1: 1.0, d2: 0.0 },
            Self::Sum => Combined { value: f1 + f2, d1: 1.0, d2: 1.0 }.clamped(),
            Self::Ricci(exponent) => ricci(exponent, f1, f2).clamped(),
            Self::CleanUnion => blend::blend(0.0, f1, f2),
            Self::Blend => blend::blend(alpha, f1, f2),
            Self::Contact => tables.contact().mirrored(alpha, f1, f2).clamped(),
            Self::Bulge => tables.bulge().mirrored(alpha, f1, f2).clamped(),
            Self::Detail => tables.detail().at(0.0, f1, f2).clamped(),
        }
    }

    /// The operator on two fields at a point, α chosen by the angle between their gradients.
    #[inline]
    pub fn compose(&self, tables: &OperatorTables, controller: &Controller, a: Sample, b: Sample) -> Sample {
        let alpha = if self.has_parameter() { controller.alpha(a.gradient, b.gradient) } else { 0.0 };
        let Combined { value, d1, d2 } = self.combine(tables, alpha, a.value, b.value);
        Sample { value, gradient: d1 * a.gradient + d2 * b.gradient }
    }

    /// Does α matter?
    pub fn has_parameter(&self) -> bool {
        matches!(self, Self::Blend | Self::Contact | Self::Bulge)
    }
}

impl Combined {
    #[inline]
    fn clamped(self) -> Self {
        match self.value {
            value if value > 1.0 => Self { value: 1.0, d1: 0.0, d2: 0.0 },
            value if value < 0.0 => Self { value: 0.0, d1: 0.0, d2: 0.0 },
            _ => self,
        }
    }
}

/// Of the larger density M and the ratio r to the smaller, `M (1 + rᵏ)^{1/k}`, which neither under- nor
/// overflows.
fn ricci(exponent: f64, f1: f64, f2: f64) -> Combined {
    let (larger, smaller) = if f1 >= f2 { (f1, f2) } else { (f2, f1) };
    if larger <= 0.0 {
        return Combined { value: 0.0, d1: 1.0, d2: 1.0 };
    }
    let ratio = smaller / larger;
    let norm = (1.0 + ratio.powf(exponent)).powf(1.0 / exponent);
    let d_larger = norm.powf(1.0 - exponent);
    let d_smaller = (ratio / norm).powf(exponent - 1.0);
    let (d1, d2) = if f1 >= f2 { (d_larger, d_smaller) } else { (d_smaller, d_larger) };
    Combined { value: larger * norm, d1, d2 }
}

#[cfg(test)]
mod tests;
