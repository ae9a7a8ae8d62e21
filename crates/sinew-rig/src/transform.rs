//! Translation, rotation and scale.

use glam::{DAffine3, DMat3, DQuat, DVec3};

/// `p ↦ translation + rotation (scale ∘ p)`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Transform {
    /// Applied last.
    pub translation: DVec3,
    /// A unit quaternion.
    pub rotation: DQuat,
    /// Per axis, applied first.
    pub scale: DVec3,
}

impl Transform {
    /// The identity.
    pub const IDENTITY: Self = Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// A translation alone.
    pub const fn from_translation(translation: DVec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// A rotation alone.
    pub const fn from_rotation(rotation: DQuat) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// The nearest transform of this kind to a matrix. It is exact unless the matrix shears. A mirrored matrix has a
    /// negative scale on x; a column of zeros has scale zero.
    pub fn from_matrix(matrix: &DAffine3) -> Self {
        let m = matrix.matrix3;
        let lengths = DVec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length());
        let sign = if m.determinant() < 0.0 { -1.0 } else { 1.0 };
        let scale = lengths * DVec3::new(sign, 1.0, 1.0);
        let x = (m.x_axis * sign).try_normalize();
        let (y, z) = (m.y_axis.try_normalize(), m.z_axis.try_normalize());
        // A column of zero length has no direction: complete the basis from the others.
        let basis = match (x, y, z) {
            (Some(x), Some(y), Some(z)) => DMat3::from_cols(x, y, z),
            (Some(x), Some(y), None) => DMat3::from_cols(x, y, x.cross(y)),
            (Some(x), None, Some(z)) => DMat3::from_cols(x, z.cross(x), z),
            (None, Some(y), Some(z)) => DMat3::from_cols(y.cross(z), y, z),
            (Some(x), None, None) => {
                let (y, z) = x.any_orthonormal_pair();
                DMat3::from_cols(x, y, z)
            }
            (None, Some(y), None) => {
                let (z, x) = y.any_orthonormal_pair();
                DMat3::from_cols(x, y, z)
            }
            (None, None, Some(z)) => {
                let (x, y) = z.any_orthonormal_pair();
                DMat3::from_cols(x, y, z)
            }
            (None, None, None) => DMat3::IDENTITY,
        };
        let rotation = DQuat::from_mat3(&nearest_rotation(basis)).normalize();
        Self { translation: matrix.translation, rotation, scale }
    }

    /// The matrix `T R S`.
    pub fn matrix(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// The transform at a share of the way to another: along the shorter arc, and straight.
    pub fn interpolate(&self, to: &Self, share: f64) -> Self {
        Self {
            translation: self.translation.lerp(to.translation, share),
            rotation: self.rotation.slerp(to.rotation, share),
            scale: self.scale.lerp(to.scale, share),
        }
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// The orthogonal polar factor by Newton's iteration `R ← ½ (R + R⁻ᵀ)`, which converges quadratically
/// for any regular matrix of positive determinant; a singular one is returned as it is.
pub fn nearest_rotation(mut matrix: DMat3) -> DMat3 {
    for _ in 0..32 {
        let determinant = matrix.determinant();
        if !determinant.is_normal() {
            return matrix;
        }
        let next = (matrix + matrix.inverse().transpose()) * 0.5;
        let change = (next - matrix).to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        matrix = next;
        if change < 1e-15 {
            break;
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_matrix_without_shear_comes_back(
            t in prop::array::uniform3(-10.0..10.0f64),
            axis in prop::array::uniform3(-1.0..1.0f64),
            angle in -3.0..3.0f64,
            s in prop::array::uniform3(0.01..100.0f64),
            mirrored: bool,
        ) {
            let axis = DVec3::from(axis).try_normalize().unwrap_or(DVec3::Z);
            let scale = DVec3::from(s) * DVec3::new(if mirrored { -1.0 } else { 1.0 }, 1.0, 1.0);
            let original =
                Transform { translation: t.into(), rotation: DQuat::from_axis_angle(axis, angle), scale };
            let back = Transform::from_matrix(&original.matrix());
            prop_assert!(back.matrix().abs_diff_eq(original.matrix(), 1e-10));
        }

        #[test]
        fn collapsed_axes_still_give_a_rotation(keep in 0usize..8, angle in -3.0..3.0f64) {
            let scale = DVec3::new((keep & 1) as f64, (keep >> 1 & 1) as f64, (keep >> 2 & 1) as f64);
            let matrix = DAffine3::from_scale_rotation_translation(scale, DQuat::from_rotation_y(angle), DVec3::ONE);
            let back = Transform::from_matrix(&matrix);
            prop_assert!((back.rotation.length() - 1.0).abs() < 1e-12);
            prop_assert!(back.matrix().abs_diff_eq(matrix, 1e-12));
        }
    }
}
