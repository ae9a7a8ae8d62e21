//! The axis that a muscle is swept along, with its frames.
//!
//! A polyline from origin to insertion. A place on it is given by its share of the length. Each point has a
//! normal, the direction in which an eccentric section is widest: the normals of the two ends are
//! interpolated on the sphere by share, and each is made perpendicular to the axis \[R18 §4.2.1\]. (R18
//! projects them onto the plane of a point and its neighbours instead. That plane turns with every tremor of
//! a nearly straight axis, and so would the muscle.) Since a section looks the same from both sides, a normal
//! and its opposite mean the same.
//!
//! A point takes 28 bytes, so that a muscle of thirty is below a kilobyte.

use crate::Result;
use glam::{DVec3, Vec3};

/// The most points that an axis has.
pub const MAX_POINTS: usize = 64;

/// Directions that are shorter than this share of what they were before something was taken out are noise.
const NOISE: f64 = 1e-6;

/// A point of the axis.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct AxisPoint {
    pub position: Vec3,
    pub normal: Vec3,
    /// Of the length, from the origin to here.
    pub share: f32,
}

/// A polyline with normals.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    pub(super) points: Vec<AxisPoint>,
    length: f64,
}

/// The axis at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisFrame {
    /// Where it is.
    pub position: DVec3,
    /// The derivative of that by the share: along the axis, of its length.
    pub velocity: DVec3,
    /// The direction in which an eccentric section is widest.
    pub normal: DVec3,
    /// The derivative of that by the share.
    pub normal_velocity: DVec3,
}

impl Axis {
    /// An axis through points, with the directions in which sections are widest at its two ends.
    pub fn new(points: &[DVec3], normals: [DVec3; 2]) -> Result<Self> {
        if !(2..=MAX_POINTS).contains(&points.len()) {
            let what = "the number of points of a muscle's axis";
            return Err(sinew_geometry::Error::OutOfRange { what, value: points.len() as f64, range: "2 to 64" }.into());
        }
        let mut axis = Self { points: vec![AxisPoint::default(); points.len()], length: 0.0 };
        axis.place(points, normals);
        if !(axis.length.is_finite() && axis.length > 0.0) {
            let what = "the length of a muscle's axis";
            return Err(
                sinew_geometry::Error::OutOfRange { what, value: axis.length, range: "finite and above 0" }.into()
            );
        }
        Ok(axis)
    }

    /// Moves the axis, without allocating.
    ///
    /// # Panics
    /// If there are more or fewer points than before.
    pub fn place(&mut self, points: &[DVec3], normals: [DVec3; 2]) {
        assert_eq!(points.len(), self.points.len(), "an axis keeps its number of points");
        let total = length(points);
        let mut passed = 0.0;
        for (k, (&position, point)) in points.iter().zip(&mut self.points).enumerate() {
            passed += if k > 0 { position.distance(points[k - 1]) } else { 0.0 };
            point.position = position.as_vec3();
            point.share = if total > 0.0 { (passed / total) as f32 } else { 0.0 };
        }
        if let Some(last) = self.points.last_mut() {
            last.share = 1.0;
        }
        self.length = total;
        self.turn(points, normals);
    }

    /// Finds the normals.
    fn turn(&mut self, points: &[DVec3], [first, last]: [DVec3; 2]) {
        let first = first.try_normalize().unwrap_or(DVec3::ZERO);
        let last = last.try_normalize().unwrap_or(first);
        let mut before: Option<DVec3> = None;
        let mut open = 0;
        for k in 0..points.len() {
            let along = (points[(k + 1).min(points.len() - 1)] - points[k.saturating_sub(1)]).normalize_or_zero();
            let between = first.slerp(last, f64::from(self.points[k].share));
            let across = between - along * between.dot(along);
            let normal = if across.length() > NOISE { Some(across.normalize()) } else { before };
            let Some(normal) = normal else {
                open += 1;
                continue;
            };
            let normal = if before.is_some_and(|before| before.dot(normal) < 0.0) { -normal } else { normal };
            self.points[k].normal = normal.as_vec3();
            before = Some(normal);
        }
        // Ends whose own normal runs along the axis take that of the first point that has one.
        let chord = (points[points.len() - 1] - points[0]).try_normalize().unwrap_or(DVec3::X);
        let known =
            before.map_or(chord.any_orthonormal_vector().as_vec3(), |_| self.points[open % points.len()].normal);
        self.points[..open].iter_mut().for_each(|point| point.normal = known);
    }

    /// How long it is.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Its points, from origin to insertion.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        self.points.iter().map(|point| point.position.as_dvec3())
    }

    /// Place and direction at a share of the length.
    pub fn at(&self, share: f64) -> AxisFrame {
        let behind = self.points.partition_point(|point| f64::from(point.share) <= share);
        let k = behind.clamp(1, self.points.len() - 1);
        let (a, b) = (&self.points[k - 1], &self.points[k]);
        let (start, end) = (f64::from(a.share), f64::from(b.share));
        let width = end - start;
        let t = if width > 0.0 { ((share - start) / width).clamp(0.0, 1.0) } else { 0.0 };
        let rate = if width > 0.0 { 1.0 / width } else { 0.0 };
        let (from, to) = (a.position.as_dvec3(), b.position.as_dvec3());
        let (first, last) = (a.normal.as_dvec3(), b.normal.as_dvec3());
        // Neighbours are alike, so that the mean is as good as the way on the sphere.
        let (mean, change) = (first.lerp(last, t), last - first);
        let size = mean.length();
        let normal = mean / size;
        AxisFrame {
            position: from.lerp(to, t),
            velocity: (to - from) * rate,
            normal,
            normal_velocity: (change - normal * normal.dot(change)) * (rate / size),
        }
    }

    /// The direction of the axis at a share, turning evenly from point to point.
    pub fn tangent(&self, share: f64) -> DVec3 {
        let last = self.points.len() - 1;
        let at = |k: usize| self.points[k].position.as_dvec3();
        let of_point = |k: usize| (at((k + 1).min(last)) - at(k.saturating_sub(1))).normalize_or_zero();
        let behind = self.points.partition_point(|point| f64::from(point.share) <= share).clamp(1, last);
        let (start, end) = (f64::from(self.points[behind - 1].share), f64::from(self.points[behind].share));
        let t = if end > start { ((share - start) / (end - start)).clamp(0.0, 1.0) } else { 0.0 };
        of_point(behind - 1).lerp(of_point(behind), t).normalize_or_zero()
    }
}

/// The length of a polyline.
pub(super) fn length(points: &[DVec3]) -> f64 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_turn_from_one_end_to_the_other_and_stay_across() {
        let points: Vec<DVec3> = (0..=20).map(|k| DVec3::new(0.0, 0.0, f64::from(k))).collect();
        let axis = Axis::new(&points, [DVec3::X, DVec3::Y]).unwrap();
        assert_eq!(axis.length(), 20.0);
        for k in 0..=20 {
            let share = f64::from(k) / 20.0;
            let normal = axis.at(share).normal;
            assert!(normal.z.abs() < 1e-6);
            assert!((normal.y.atan2(normal.x) - share * std::f64::consts::FRAC_PI_2).abs() < 1e-3, "{k}: {normal}");
        }
    }

    #[test]
    fn a_normal_along_the_axis_is_replaced() {
        let points = [DVec3::ZERO, DVec3::Z, DVec3::Z * 2.0];
        for normals in [[DVec3::Z, DVec3::Z], [DVec3::ZERO; 2], [DVec3::Z, DVec3::X]] {
            let axis = Axis::new(&points, normals).unwrap();
            for point in &axis.points {
                assert!((point.normal.length() - 1.0).abs() < 1e-5 && point.normal.z.abs() < 1e-5, "{point:?}");
            }
        }
    }

    #[test]
    fn an_axis_without_length_is_refused() {
        assert!(Axis::new(&[DVec3::ONE; 4], [DVec3::X; 2]).is_err());
        assert!(Axis::new(&[DVec3::ONE], [DVec3::X; 2]).is_err());
        assert!(Axis::new(&[DVec3::ONE, DVec3::NAN], [DVec3::X; 2]).is_err());
    }
}
