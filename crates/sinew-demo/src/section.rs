//! Cross-sections of limbs: rings of eight around an axis.

use glam::Vec3;

/// A cross-section: four quarter ellipses around a centre.
pub(super) struct Section {
    /// The point of the axis.
    pub(super) center: Vec3,
    /// Unit vector from the centre to vertex 0.
    pub(super) first: Vec3,
    /// Unit vector from the centre to vertex 2, a quarter turn further.
    pub(super) second: Vec3,
    /// Radii towards vertices 0, 2, 4 and 6.
    pub(super) radii: [f32; 4],
}

impl Section {
    /// The eight vertices, an eighth of a turn apart.
    pub(super) fn ring(&self) -> [Vec3; 8] {
        std::array::from_fn(|k| {
            let (sine, cosine) = (k as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
            let along_first = cosine * if cosine > 0.0 { self.radii[0] } else { self.radii[2] };
            let along_second = sine * if sine > 0.0 { self.radii[1] } else { self.radii[3] };
            self.center + along_first * self.first + along_second * self.second
        })
    }
}
