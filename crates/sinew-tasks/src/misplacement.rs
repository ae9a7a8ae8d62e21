//! A skeleton that is not where its mesh is, and what would align the two.

use glam::DVec3;

/// Where a skeleton is, and where its mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Misplacement {
    /// The box of the skeleton.
    pub(crate) skeleton: Bounds,
    /// The box of the mesh.
    pub(crate) mesh: Bounds,
}

/// The scale of a skeleton, and then its offset, that align its box with the mesh's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Remedy {
    /// The factor of all lengths.
    pub scale: f64,
    /// The offset, in the mesh's units.
    pub offset: DVec3,
}

impl Misplacement {
    /// The scale and the offset that would help, if only size and place differ.
    pub fn remedy(&self) -> Option<Remedy> {
        let scale = rounded(self.mesh.diagonal() / self.skeleton.diagonal());
        let smallest = 1e-3 * self.mesh.diagonal();
        let offset = self.mesh.middle() - scale * self.skeleton.middle();
        let offset = offset.map(|x| if x.abs() < smallest { 0.0 } else { rounded(x) });
        scale.is_normal().then_some(Remedy { scale, offset })
    }
}

impl std::fmt::Display for Misplacement {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "the skeleton lies from {}, the mesh from {}", self.skeleton, self.mesh)?;
        let Some(Remedy { scale, offset }) = self.remedy() else { return Ok(()) };
        write!(
            formatter,
            "; if only size and place differ, a scale of {scale} and an offset of {},{},{} align them",
            offset.x, offset.y, offset.z
        )
    }
}

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    low: DVec3,
    high: DVec3,
}

impl Bounds {
    /// The smallest box around points.
    pub fn of(points: impl Iterator<Item = DVec3>) -> Self {
        let none = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        points.fold(none, |bounds, p| Self { low: bounds.low.min(p), high: bounds.high.max(p) })
    }

    /// The length of its diagonal.
    pub fn diagonal(&self) -> f64 {
        self.low.distance(self.high)
    }

    /// Its middle.
    pub fn middle(&self) -> DVec3 {
        0.5 * (self.low + self.high)
    }

    /// From the box to a point; zero inside.
    pub fn distance(&self, point: DVec3) -> f64 {
        point.distance(point.clamp(self.low, self.high))
    }
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [low, high] = [self.low, self.high].map(|p| p.map(rounded));
        write!(formatter, "({}, {}, {}) to ({}, {}, {})", low.x, low.y, low.z, high.x, high.y, high.z)
    }
}

/// A number with three significant digits.
fn rounded(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}
