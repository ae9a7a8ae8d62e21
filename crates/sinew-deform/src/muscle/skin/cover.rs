//! The offset of a point of the skin over muscles.
//!
//! Its field is that of \[R18 §6.1\]: the clean union of its nearby muscles (`near`), composed with the field
//! of its limb by the detail operator,
//!
//! ```text
//! F(d) = G_detail( h(d), G_union(f₁, f₂, …)(p + d n) )        h(d) = K((d + t) / R)
//! ```
//!
//! along its normal n. At rest F(0) = e is its iso-value, and in a pose it moves to where F(d) = e again. As e is
//! measured in the same composition, a skin at rest stays what it is to the last bit.
//!
//! The field h of the limb is not the HRBF of \[R18 ch. 3\], but the depth below the skin itself, through a fall-off K
//! over a share R of the limb's radius. So it follows whatever the skin does, at joints as well, and without a change
//! of the muscles nothing moves. It is set in by the thinning t, without which the skin would follow the muscles only
//! in part: R18 does that by hand, here t is the least depth at which
//!
//! ```text
//! ∂F/∂f₂ ≥ 0.98
//! ```
//!
//! It is also what holds the skin where a muscle goes away: it sinks by no more than about t.
//! A muscle's density falls off over its radius *at rest*, so that the skin keeps its distance to a muscle that
//! swells.

use super::Pieces;
use super::near::Near;
use glam::DVec3;
use sinew_field::{Falloff, Operator, OperatorTables, Sample};
use sinew_geometry::curve::smoothstep;

/// How much of a change of the muscles a point follows at least.
const FOLLOWED: f64 = 0.98;

/// The densities of muscles between which a point begins to follow, and does so in full.
const FAINT: f64 = 0.01;
const CLEAR: f64 = 0.15;

/// The cosines of the angle between the skin's normal and that of the muscles, likewise.
const ASLANT: f64 = 0.1;
const ALONG: f64 = 0.6;

/// Steps towards the iso-value.
const OFFSET_STEPS: usize = 2;

/// R, of the radius of the limb.
const SHEATH: f64 = 0.3;

/// A field that is flatter than this, in its radius, is taken to be as steep.
const MIN_SLOPE: f64 = 0.35;

/// The farthest that a point moves, out and in, of its limb's radius.
const MAX_OFFSETS: [f64; 2] = [0.3, 0.2];

/// A point that follows muscles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cover {
    pub point: u32,
    /// e
    iso: f64,
    /// t
    thinning: f64,
    /// Of the limb.
    pub radius: f64,
    /// How far it follows, more than 0 and at most 1.
    pub weight: f64,
}

impl Cover {
    /// A point with muscles around it at rest; none where they are too far away or look aside.
    pub fn new(
        point: u32,
        place: DVec3,
        normal: DVec3,
        radius: f64,
        near: &[Near],
        pieces: &Pieces<'_>,
    ) -> Option<Self> {
        let muscles = union(near, pieces, place);
        let steepness = muscles.gradient.length();
        if !(muscles.value > FAINT && steepness > 0.0 && radius > 0.0) {
            return None;
        }
        let cosine = -muscles.gradient.dot(normal) / steepness;
        let clear = smoothstep((muscles.value - FAINT) / (CLEAR - FAINT));
        let weight = clear * smoothstep((cosine - ASLANT) / (ALONG - ASLANT));
        let thinning = thinning(pieces.tables, muscles.value) * SHEATH * radius;
        let mut cover = Self { point, iso: 0.0, thinning, radius, weight };
        cover.iso = cover.seen(pieces.tables, muscles, normal, 0.0).0;
        (weight > 0.0).then_some(cover)
    }

    /// F, and its slope along the normal, where the muscles have a density.
    fn seen(&self, tables: &OperatorTables, muscles: Sample, normal: DVec3, offset: f64) -> (f64, f64) {
        let limb = Falloff::Smooth { radius: SHEATH * self.radius }
            .apply(Sample { value: offset + self.thinning, gradient: normal });
        let whole = Operator::Detail.combine(tables, 0.0, limb.value, muscles.value);
        (whole.value, whole.d1 * limb.gradient.dot(normal) + whole.d2 * muscles.gradient.dot(normal))
    }

    /// How far it moves along its normal, from a place of the skin in a pose.
    pub fn offset(&self, place: DVec3, normal: DVec3, near: &[Near], pieces: &Pieces<'_>) -> f64 {
        let steepness = near.iter().map(|near| 1.0 / pieces.radius(near.piece as usize)).fold(0.0, f64::max);
        let mut offset = 0.0;
        for _ in 0..OFFSET_STEPS {
            let muscles = union(near, pieces, place + offset * normal);
            let (value, slope) = self.seen(pieces.tables, muscles, normal, offset);
            let step = (value - self.iso) / (-slope).max(MIN_SLOPE * steepness);
            offset = (offset + step).clamp(-MAX_OFFSETS[1] * self.radius, MAX_OFFSETS[0] * self.radius);
        }
        self.weight * offset
    }
}

/// The clean union of a point's nearby muscles, each by its share of the point.
fn union(near: &[Near], pieces: &Pieces<'_>, place: DVec3) -> Sample {
    let mut whole = Sample::NOTHING;
    for near in near {
        let Sample { value, gradient } = pieces.density(near.piece as usize, place);
        let own = Sample { value: near.share * value, gradient: near.share * gradient };
        if own.value <= 0.0 {
            continue;
        }
        whole = match whole.value > 0.0 {
            true => {
                let both = Operator::CleanUnion.combine(pieces.tables, 0.0, whole.value, own.value);
                Sample { value: both.value, gradient: both.d1 * whole.gradient + both.d2 * own.gradient }
            }
            false => own,
        };
    }
    whole
}

/// The least depth, in radii, by which a limb's field is set in for the skin to follow muscles of a density.
fn thinning(tables: &OperatorTables, muscles: f64) -> f64 {
    let follows = |depth: f64| {
        let limb = Falloff::Smooth { radius: 1.0 }.apply(Sample { value: depth, gradient: DVec3::ZERO });
        Operator::Detail.combine(tables, 0.0, limb.value, muscles).d2 >= FOLLOWED
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        if follows(middle) { high = middle } else { low = middle }
    }
    high
}
