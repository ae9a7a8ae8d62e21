//! What flesh is made of.

/// An elastic material by its Lamé parameters. Shapes at rest depend on their ratio alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// The shear modulus μ.
    pub shear: f64,
    /// The other Lamé parameter λ, which resists changes of volume.
    pub compression: f64,
}

impl Material {
    /// Flesh: Poisson's ratio 0.47, and a Young's modulus of one.
    pub const FLESH: Self = Self::new(1.0, 0.47);

    /// The material with a Young's modulus and a Poisson's ratio, below a half.
    #[must_use]
    pub const fn new(young: f64, poisson: f64) -> Self {
        Self {
            shear: young / (2.0 * (1.0 + poisson)),
            compression: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
        }
    }
}
