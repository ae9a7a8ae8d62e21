//! Half-space constraints: planes that a vertex keeps to one side of.

use glam::DVec3;
use sinew_geometry::curve::smoothstep;

/// The most half-spaces that constrain a vertex: one for each hinge that it belongs to.
pub(crate) const MAX_HALF_SPACES: usize = 2;

/// The side of a plane that a vertex keeps to. The default constrains nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct HalfSpace {
    /// A point of the plane.
    pub point: DVec3,
    /// The unit normal, into the half-space.
    pub normal: DVec3,
    /// How far the constraint holds, 0 to 1.
    pub weight: f64,
    /// The distance up to which a vertex touches the plane.
    pub touch_distance: f64,
    /// How much touching counts, 0 to 1.
    pub touch_weight: f64,
}

impl HalfSpace {
    /// The place, or the one next to it on this side.
    #[inline]
    fn clamp(&self, place: DVec3) -> DVec3 {
        let depth = (place - self.point).dot(self.normal);
        if depth < 0.0 { place - self.normal * (depth * self.weight) } else { place }
    }

    /// How much a place touches the plane, 0 to 1.
    #[inline]
    fn touch(&self, place: DVec3) -> f64 {
        let depth = (place - self.point).dot(self.normal);
        if self.touch_weight > 0.0 {
            self.weight * self.touch_weight * (1.0 - smoothstep(depth / self.touch_distance))
        } else {
            0.0
        }
    }
}

/// The half-spaces that a vertex keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct HalfSpaces(pub [HalfSpace; MAX_HALF_SPACES]);

impl HalfSpaces {
    /// The place, or one in all half-spaces.
    #[inline]
    pub fn clamp(&self, place: DVec3) -> DVec3 {
        self.0.iter().fold(place, |place, plane| plane.clamp(place))
    }

    /// Cuts a density that exceeds its iso-value by `excess` with the planes: the smaller of the excess and
    /// `depth / (2R)`, where `depth` is the distance from the plane and R the `radius`.
    pub fn cut(&self, excess: f64, place: DVec3, radius: f64) -> f64 {
        let depth = |plane: &HalfSpace| (place - plane.point).dot(plane.normal) / (2.0 * radius);
        self.0.iter().filter(|plane| plane.weight > 0.0).fold(excess, |excess, plane| {
            let cut = excess.min(depth(plane));
            excess + plane.weight * (cut - excess)
        })
    }

    /// How much a place touches any plane, 0 to 1.
    #[inline]
    pub fn touch(&self, place: DVec3) -> f64 {
        self.0.iter().map(|plane| plane.touch(place)).fold(0.0, f64::max)
    }
}
