//! How far do the stages after the skin move the surface, and does it flicker?
//!
//! The correction of a vertex in frame k is `u(k) = p(k) - s(k)`: the finished surface less the skin alone.
//! What flickers has large second differences over time, `u(k+1) - 2 u(k) + u(k-1)`.

use glam::{DVec3, Vec3};

/// The corrections of the last frames.
#[derive(Default)]
pub struct Corrections {
    now: Vec<DVec3>,
    before: Vec<DVec3>,
    frames: usize,
}

/// The correction of a frame.
pub struct Correction {
    /// The farthest that a vertex moved.
    pub max_displacement: f64,
    /// That vertex; 0 where nothing moves.
    pub farthest_vertex: usize,
    /// The largest second difference in the frame before this one, which needs both its neighbours; none
    /// where that is the first, or there is none.
    pub second_difference_before: Option<f64>,
}

impl Corrections {
    /// Includes the next frame.
    pub fn include(&mut self, skin: &[Vec3], finished: &[Vec3]) -> Correction {
        let (mut farthest, mut vertex) = (0.0, 0);
        let mut largest = 0.0f64;
        self.now.resize(skin.len(), DVec3::ZERO);
        self.before.resize(skin.len(), DVec3::ZERO);
        for (index, (skin, finished)) in skin.iter().zip(finished).enumerate() {
            let next = finished.as_dvec3() - skin.as_dvec3();
            if next.length() > farthest {
                (farthest, vertex) = (next.length(), index);
            }
            let (now, before) = (self.now[index], self.before[index]);
            largest = largest.max((next - 2.0 * now + before).length());
            (self.before[index], self.now[index]) = (now, next);
        }
        self.frames += 1;
        Correction {
            max_displacement: farthest,
            farthest_vertex: vertex,
            second_difference_before: (self.frames > 2).then_some(largest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second_differences(heights: &[f32]) -> Vec<Option<f64>> {
        let mut corrections = Corrections::default();
        let skin = [Vec3::X, Vec3::NEG_X];
        let frame = |height: &f32| corrections.include(&skin, &[Vec3::X, Vec3::NEG_X + *height * Vec3::Z]);
        heights.iter().map(frame).map(|frame| frame.second_difference_before).collect()
    }

    #[test]
    fn what_moves_evenly_does_not_flicker() {
        assert_eq!(second_differences(&[1.0, 1.5, 2.0, 2.5]), [None, None, Some(0.0), Some(0.0)]);
    }

    #[test]
    fn what_jumps_in_one_frame_shows_in_its_neighbours_too() {
        let expected = [None, None, Some(0.0), Some(1.0), Some(2.0), Some(1.0)];
        assert_eq!(second_differences(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]), expected);
    }

    #[test]
    fn the_farthest_vertex_is_named() {
        let frame = Corrections::default().include(&[Vec3::ZERO; 3], &[Vec3::ZERO, 3.0 * Vec3::Y, Vec3::X]);
        assert_eq!((frame.max_displacement, frame.farthest_vertex), (3.0, 1));
    }

    #[test]
    fn lengths_of_any_finite_surface_are_finite() {
        let frame = Corrections::default().include(&[Vec3::ZERO], &[Vec3::splat(1e30)]);
        assert!((frame.max_displacement / 1e30 - 3f64.sqrt()).abs() < 1e-6, "{}", frame.max_displacement);
    }
}
