//! The projection of a point of space onto the axis.
//!
//! The nearest one, but on the inner side of a bend that jumps \[R18 §4.2.2\]. R18 detects points that are
//! nearest to the interiors of two consecutive segments, and takes the mean of both places by the cotangents
//! of the angles at the vertex between them. With the distances d₁, d₂ to the segments and M to the vertex,
//! these are `cot λ = √(M²/d² − 1)`: a place counts by how far below the *pass* M it lies. That is what makes
//! it continuous where one of the two disappears, as it then has risen to its pass.
//!
//! Seen so, the rule extends to any number of places. Along the axis the distance to the point has minima,
//! and between each two of them a pass, which on a polyline is a vertex. Minima are joined over the lowest
//! pass first. With `u = d⁻⁴` of a minimum and `m = M⁻⁴` of a pass,
//!
//! ```text
//! s = ((u₁−m) s₁ + (u₂−m) s₂) / (u₁ + u₂ − 2m)        u = u₁ + u₂ − m
//! ```
//!
//! A minimum that has risen to its pass (u = m) changes nothing, and at passes of equal height the order does
//! not matter, since the weights `u − m` add up. So s is continuous everywhere, and on a straight axis it is
//! the orthogonal projection. (R18's rule has a square root in place of the fourth power, so that s would
//! change infinitely fast where a place disappears; and it has no answer to three places, or to two that are
//! not neighbours, which any strongly bent axis has.)
//!
//! The walk along the axis gives minima and passes in turn; joining over the lowest pass first is reading an
//! expression whose operators bind the tighter, the lower the pass.

use super::axis::{Axis, AxisPoint};
use glam::DVec3;

/// A place on the axis as a function of space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projected {
    /// Its share of the axis.
    pub share: f64,
    /// The derivative of that.
    pub gradient: DVec3,
}

/// A minimum of the distance along the axis, or several joined; or a pass, whose place does not matter.
#[derive(Debug, Clone, Copy)]
struct Extremum {
    place: Projected,
    /// `d⁻⁴`, in units of the axis' length.
    nearness: f64,
    nearness_gradient: DVec3,
}

/// Squared distances are at least this share of the squared length.
const MIN_SQUARED_DISTANCE: f64 = 1e-24;

impl Axis {
    /// The place that a point belongs to.
    pub fn project(&self, point: DVec3) -> Projected {
        let mut walk = Walk { axis: self, point, segment: 0, is_falling: true, ahead: None };
        walk.ahead = walk.find();
        walk.join(0.0).place
    }
}

/// A walk along the axis, on which the distance to a point falls and rises.
struct Walk<'a> {
    axis: &'a Axis,
    point: DVec3,
    segment: usize,
    is_falling: bool,
    ahead: Option<Extremum>,
}

impl Walk<'_> {
    /// Joins what lies ahead, up to the first pass that is as high as one given by its nearness.
    fn join(&mut self, highest: f64) -> Extremum {
        // A walk starts and ends with a minimum, and has one behind every pass.
        let mut left = self.next().expect("a minimum");
        while let Some(pass) = self.ahead
            && pass.nearness > highest
        {
            self.next();
            let right = self.join(pass.nearness);
            left = joined(&left, &right, &pass);
        }
        left
    }

    fn next(&mut self) -> Option<Extremum> {
        let next = self.ahead;
        self.ahead = self.find();
        next
    }

    fn find(&mut self) -> Option<Extremum> {
        let points = &self.axis.points;
        while let Some([a, b]) = points.get(self.segment..self.segment + 2) {
            let start = a.position.as_dvec3();
            let along = b.position.as_dvec3() - start;
            let (reached, squared) = ((self.point - start).dot(along), along.length_squared());
            if squared == 0.0 {
                self.segment += 1;
                continue;
            }
            if !self.is_falling && reached > 0.0 {
                self.is_falling = true;
                return Some(self.at_point(a));
            }
            self.segment += 1;
            if self.is_falling && reached < squared {
                self.is_falling = false;
                if reached <= 0.0 {
                    return Some(self.at_point(a));
                }
                let t = reached / squared;
                let width = f64::from(b.share - a.share);
                let place = Projected { share: f64::from(a.share) + t * width, gradient: along * (width / squared) };
                return Some(self.extremum(start + t * along, place));
            }
        }
        if !self.is_falling {
            return None;
        }
        self.is_falling = false;
        points.last().map(|last| self.at_point(last))
    }

    fn at_point(&self, at: &AxisPoint) -> Extremum {
        self.extremum(at.position.as_dvec3(), Projected { share: at.share.into(), gradient: DVec3::ZERO })
    }

    fn extremum(&self, at: DVec3, place: Projected) -> Extremum {
        let unit = self.axis.length() * self.axis.length();
        let from = self.point - at;
        let squared = from.length_squared().max(MIN_SQUARED_DISTANCE * unit);
        let nearness = (unit / squared) * (unit / squared);
        Extremum { place, nearness, nearness_gradient: from * (-4.0 * nearness / squared) }
    }
}

fn joined(left: &Extremum, right: &Extremum, pass: &Extremum) -> Extremum {
    let (a, b) = (left.nearness - pass.nearness, right.nearness - pass.nearness);
    let total = a + b;
    let nearness = left.nearness + b;
    let nearness_gradient = left.nearness_gradient + right.nearness_gradient - pass.nearness_gradient;
    // Both have risen to the pass, and are where it is.
    if total <= 0.0 {
        return Extremum { nearness, nearness_gradient, ..*left };
    }
    let share = (a * left.place.share + b * right.place.share) / total;
    let of = |side: &Extremum, weight: f64| {
        weight * side.place.gradient + (side.place.share - share) * (side.nearness_gradient - pass.nearness_gradient)
    };
    let gradient = (of(left, a) + of(right, b)) / total;
    Extremum { place: Projected { share, gradient }, nearness, nearness_gradient }
}
