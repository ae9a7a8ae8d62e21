//! Flat shapes with smooth edges: strokes, discs, polygons and boxes drawn over a picture.
//!
//! A pixel's cover is its signed distance to the shape, cut to half a pixel on both sides of the edge.

use crate::Image;
use glam::{Vec2, Vec3};

/// A colour (linear RGB) with its opacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ink {
    /// Linear RGB.
    pub color: Vec3,
    /// 0 for nothing, 1 for opaque.
    pub opacity: f32,
}

impl Ink {
    /// An opaque colour.
    pub fn solid(color: Vec3) -> Self {
        Self { color, opacity: 1.0 }
    }
}

/// A straight stroke with round ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// One end in pixels.
    pub from: Vec2,
    /// The other end in pixels.
    pub to: Vec2,
    /// Half the width in pixels.
    pub radius: f32,
}

impl Stroke {
    fn distance(&self, p: Vec2) -> f32 {
        let along = self.to - self.from;
        let t = ((p - self.from).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
        p.distance(self.from + along * t) - self.radius
    }
}

/// Draws strokes as one shape: where they overlap the ink does not get thicker.
pub fn strokes(image: &mut Image, strokes: &[Stroke], ink: Ink) {
    let corners = strokes.iter().flat_map(|s| {
        let reach = Vec2::splat(s.radius);
        [s.from.min(s.to) - reach, s.from.max(s.to) + reach]
    });
    let bounds = bounds(corners);
    fill(image, bounds, ink, |p| strokes.iter().map(|s| s.distance(p)).fold(f32::INFINITY, f32::min));
}

/// Draws a disc.
pub fn disc(image: &mut Image, center: Vec2, radius: f32, ink: Ink) {
    strokes(image, &[Stroke { from: center, to: center, radius }], ink);
}

/// Fills a convex polygon, in either direction.
pub fn polygon(image: &mut Image, corners: &[Vec2], ink: Ink) {
    let count = corners.len();
    let twice_area: f32 = (0..count).map(|k| corners[k].perp_dot(corners[(k + 1) % count])).sum();
    let side = twice_area.signum();
    fill(image, bounds(corners.iter().copied()), ink, |p| {
        (0..count)
            .map(|k| {
                let along = (corners[(k + 1) % count] - corners[k]).normalize_or_zero();
                side * (p - corners[k]).perp_dot(along)
            })
            .fold(f32::NEG_INFINITY, f32::max)
    });
}

fn bounds(points: impl Iterator<Item = Vec2>) -> [Vec2; 2] {
    points.fold([Vec2::INFINITY, Vec2::NEG_INFINITY], |[low, high], p| [low.min(p), high.max(p)])
}

fn fill(image: &mut Image, [low, high]: [Vec2; 2], ink: Ink, distance: impl Fn(Vec2) -> f32) {
    if !low.is_finite() || !high.is_finite() {
        return;
    }
    // A conversion from a float to an index stops at its ends, so what lies outside costs nothing.
    let first = (low - 1.0).floor().max(Vec2::ZERO);
    let end = (high + 1.0).ceil();
    for y in first.y as usize..(end.y as usize).min(image.height()) {
        for x in first.x as usize..(end.x as usize).min(image.width()) {
            let cover = (0.5 - distance(Vec2::new(x as f32 + 0.5, y as f32 + 0.5))).clamp(0.0, 1.0);
            if cover > 0.0 {
                image.blend(x, y, ink.color, cover * ink.opacity);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec4;

    fn ink_used(draw: impl Fn(&mut Image)) -> f32 {
        let mut image = Image::new(40, 40, Vec4::ZERO).unwrap();
        draw(&mut image);
        image.pixels().iter().map(|p| p.w).sum()
    }

    #[test]
    fn shapes_cover_their_area() {
        let ink = Ink::solid(Vec3::ONE);
        let disc_area = ink_used(|image| disc(image, Vec2::new(20.3, 19.6), 10.0, ink));
        assert!((disc_area - std::f32::consts::PI * 100.0).abs() < 1.0, "{disc_area}");
        let square = [[5.0, 5.0], [5.0, 15.0], [15.0, 15.0], [15.0, 5.0]].map(Vec2::from);
        assert_eq!(ink_used(|image| polygon(image, &square, ink)), 100.0);
    }

    #[test]
    fn shapes_outside_or_without_numbers_draw_nothing() {
        let ink = Ink::solid(Vec3::ONE);
        for center in [Vec2::splat(-500.0), Vec2::splat(1e20), Vec2::NAN] {
            assert_eq!(ink_used(|image| disc(image, center, 3.0, ink)), 0.0);
        }
        assert_eq!(ink_used(|image| polygon(image, &[], ink)), 0.0);
    }
}
