//! Trilateration: a point from its distances to three others.
//!
//! With the three in a plane, their first at the origin and their second on the x axis, subtracting the equations of
//! the spheres gives x and y, and `z² = r² − x² − y²` gives two positions, one on each side of the plane. If the
//! spheres do not intersect, both are the position in the plane.

use glam::DVec3;

/// The positions above and below the plane of the corners, by the right-hand rule; none for collinear corners.
pub(super) fn two_places(corners: [DVec3; 3], lengths: [f64; 3]) -> Option<[DVec3; 2]> {
    let [a, b, c] = corners;
    let along = (b - a).try_normalize()?;
    let normal = along.cross(c - a).try_normalize()?;
    let across = normal.cross(along);
    let (base, shift, height) = (a.distance(b), (c - a).dot(along), (c - a).dot(across));
    let [near, second, third] = lengths.map(|l| l * l);
    let x = (near - second + base * base) / (2.0 * base);
    let y = (near - third + shift * shift + height * height - 2.0 * shift * x) / (2.0 * height);
    let z = (near - x * x - y * y).max(0.0).sqrt();
    let foot = a + x * along + y * across;
    let places = [foot + z * normal, foot - z * normal];
    places.iter().all(|p| p.is_finite()).then_some(places)
}

/// The height of a point above the plane of the corners.
pub(super) fn height_above([a, b, c]: [DVec3; 3], point: DVec3) -> f64 {
    (b - a).cross(c - a).normalize_or_zero().dot(point - a)
}

/// The lowest height of a triangle as a part of its longest side.
pub(super) fn flatness([a, b, c]: [DVec3; 3]) -> f64 {
    let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    (b - a).cross(c - a).length() / longest.max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_places_keep_their_distances_and_mirror_each_other() {
        let corners = [DVec3::new(1.0, 2.0, 0.5), DVec3::new(2.0, 2.5, 0.0), DVec3::new(1.5, 3.5, 1.0)];
        let point = DVec3::new(1.2, 2.9, 2.0);
        let lengths = corners.map(|c| c.distance(point));
        let places = two_places(corners, lengths).unwrap();
        assert!(places.iter().any(|p| p.distance(point) < 1e-12), "{places:?}");
        let [above, below] = places.map(|p| height_above(corners, p));
        assert!(above > 0.0 && (above + below).abs() < 1e-12);
        for place in places {
            assert!(corners.iter().zip(lengths).all(|(c, l)| (c.distance(place) - l).abs() < 1e-12));
        }
        let apart = two_places(corners, [0.1; 3]).unwrap();
        assert_eq!(apart[0], apart[1]);
        assert!(two_places([DVec3::ZERO, DVec3::X, 2.0 * DVec3::X], lengths).is_none());
    }
}
