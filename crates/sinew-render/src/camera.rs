//! Where the picture is taken from.
//!
//! The question: from a given direction, which camera sees all points as large as possible? With the
//! camera's axes fixed, a point `(x, y, z)` (z towards the viewer) is inside the right border of a
//! frustum with half-width `t` at unit distance when `x + t z <= cx + t cz`, and inside the left one
//! when `-x + t z <= -cx + t cz`. With `R = max(x + t z)` and `L = max(-x + t z)` over the points, the
//! nearest camera has `cz = (R + L) / 2t` and `cx = (R - L) / 2`; the same holds for `y`, and the larger
//! `cz` of the two wins. The fit is exact and takes one pass.

use glam::{DVec2, DVec3, Vec3};

/// The axis that points away from the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// Y is up and the front looks along +Z, as in glTF and Maya.
    #[default]
    Y,
    /// Z is up and the front looks along -Y, as in Blender and 3ds Max.
    Z,
}

impl UpAxis {
    /// The unit vector away from the ground.
    pub fn up(self) -> DVec3 {
        match self {
            Self::Y => DVec3::Y,
            Self::Z => DVec3::Z,
        }
    }

    /// The unit vector a figure at rest looks along.
    pub fn front(self) -> DVec3 {
        match self {
            Self::Y => DVec3::Z,
            Self::Z => DVec3::NEG_Y,
        }
    }
}

/// A direction to look from and the opening of the lens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Degrees around the up axis, 0 in front of the figure, positive towards its left hand.
    pub azimuth_degrees: f64,
    /// Degrees above the horizon.
    pub elevation_degrees: f64,
    /// Vertical opening of the lens in degrees; small values flatten the perspective.
    pub field_of_view_degrees: f64,
    /// The axis away from the ground.
    pub up: UpAxis,
}

impl Default for View {
    fn default() -> Self {
        Self { azimuth_degrees: 25.0, elevation_degrees: 12.0, field_of_view_degrees: 24.0, up: UpAxis::Y }
    }
}

/// A perspective camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it stands.
    pub eye: DVec3,
    /// Unit vector to the right in the picture.
    pub right: DVec3,
    /// Unit vector upwards in the picture.
    pub up: DVec3,
    /// Unit vector from the scene to the viewer.
    pub back: DVec3,
    /// Half the picture's height at unit distance.
    pub half_height: f64,
}

impl Camera {
    /// The nearest camera of a view that sees every finite point in a picture of the given aspect
    /// (width over height), keeping `margin` (a fraction of the half-size) free at the borders.
    pub fn frame(points: impl Iterator<Item = Vec3>, view: &View, aspect: f64, margin: f64) -> Self {
        let finite_or = |value: f64, default: f64| if value.is_finite() { value } else { default };
        let azimuth = finite_or(view.azimuth_degrees, 0.0).to_radians();
        let elevation = finite_or(view.elevation_degrees, 0.0).clamp(-89.9, 89.9).to_radians();
        let opening = finite_or(view.field_of_view_degrees, 24.0).clamp(1.0, 120.0).to_radians();
        let (world_up, front) = (view.up.up(), view.up.front());
        let side = world_up.cross(front);
        let horizontal = front * azimuth.cos() + side * azimuth.sin();
        let back = horizontal * elevation.cos() + world_up * elevation.sin();
        let right = world_up.cross(back).normalize();
        let up = back.cross(right);

        let half_height = (0.5 * opening).tan();
        let free = 1.0 - finite_or(margin, 0.0).clamp(0.0, 0.9);
        let (tx, ty) = (half_height * finite_or(aspect, 1.0).clamp(0.01, 100.0) * free, half_height * free);
        let none = f64::NEG_INFINITY;
        let [mut rightmost, mut leftmost, mut top, mut bottom, mut nearest] = [none; 5];
        for p in points.filter(|p| p.is_finite()) {
            let p = p.as_dvec3();
            let (x, y, z) = (p.dot(right), p.dot(up), p.dot(back));
            rightmost = rightmost.max(x + tx * z);
            leftmost = leftmost.max(-x + tx * z);
            top = top.max(y + ty * z);
            bottom = bottom.max(-y + ty * z);
            nearest = nearest.max(z);
        }
        if !nearest.is_finite() {
            return Self { eye: back * 5.0, right, up, back, half_height };
        }
        let fitted = ((rightmost + leftmost) / (2.0 * tx)).max((top + bottom) / (2.0 * ty));
        let distance = if fitted - nearest > 1e-6 * nearest.abs().max(1e-30) { fitted } else { nearest + 1.0 };
        let eye = right * (0.5 * (rightmost - leftmost)) + up * (0.5 * (top - bottom)) + back * distance;
        Self { eye, right, up, back, half_height }
    }

    /// A point in the camera's axes: right, up, and towards the viewer (negative in front of the lens).
    pub fn to_view(&self, point: DVec3) -> DVec3 {
        let p = point - self.eye;
        DVec3::new(p.dot(self.right), p.dot(self.up), p.dot(self.back))
    }

    /// Where a point lies in a picture with the given centre and height in pixels, and how far in
    /// front of the lens; none when it is behind.
    pub fn project(&self, point: DVec3, viewport: &Viewport) -> Option<(DVec2, f64)> {
        let p = self.to_view(point);
        let depth = -p.z;
        let scale = 0.5 * viewport.height / self.half_height;
        let pixel = viewport.center() + DVec2::new(p.x, -p.y) * (scale / depth);
        (depth > 0.0 && pixel.is_finite()).then_some((pixel, depth))
    }

    /// The direction, not of unit length, of the ray through a pixel.
    pub fn ray(&self, pixel: DVec2, viewport: &Viewport) -> DVec3 {
        let offset = (pixel - viewport.center()) * (2.0 * self.half_height / viewport.height);
        self.right * offset.x - self.up * offset.y - self.back
    }
}

/// The rectangle of a sheet that a camera fills, in pixels from the top left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    /// Left border.
    pub x: f64,
    /// Upper border.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Viewport {
    /// The middle of the rectangle.
    pub fn center(&self) -> DVec2 {
        DVec2::new(self.x + 0.5 * self.width, self.y + 0.5 * self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_touches_the_borders_and_loses_no_point() {
        let points = [Vec3::new(-3.0, 0.0, 1.0), Vec3::new(1.0, 8.0, -2.0), Vec3::new(0.5, 2.0, 4.0), Vec3::ZERO];
        for aspect in [0.3, 1.0, 2.5] {
            let camera = Camera::frame(points.iter().copied(), &View::default(), aspect, 0.1);
            let viewport = Viewport { x: 0.0, y: 0.0, width: 100.0 * aspect, height: 100.0 };
            let half = DVec2::new(0.5 * viewport.width, 0.5 * viewport.height);
            let reach = points
                .iter()
                .map(|p| (camera.project(p.as_dvec3(), &viewport).unwrap().0 - viewport.center()).abs() / half)
                .fold(DVec2::ZERO, DVec2::max);
            assert!((reach.max_element() - 0.9).abs() < 1e-9, "aspect {aspect}: {reach}");
        }
    }

    #[test]
    fn nothing_to_see_still_gives_a_camera() {
        for points in [vec![], vec![Vec3::NAN], vec![Vec3::ONE], vec![Vec3::splat(1e30); 2]] {
            let camera = Camera::frame(points.into_iter(), &View::default(), 1.0, 0.1);
            assert!(camera.eye.is_finite());
        }
    }

    #[test]
    fn from_the_front_the_figures_left_hand_is_on_the_right() {
        for (up, left_hand) in [(UpAxis::Y, Vec3::X), (UpAxis::Z, Vec3::X)] {
            let view = View { azimuth_degrees: 0.0, up, ..View::default() };
            let camera = Camera::frame([left_hand, -left_hand].into_iter(), &view, 1.0, 0.1);
            assert!(camera.to_view(left_hand.as_dvec3()).x > 0.0);
        }
    }
}
