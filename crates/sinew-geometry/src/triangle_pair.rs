//! Intersection of two triangles.
//!
//! By separating axes: two convex shapes have no inner point in common exactly if along some axis one
//! ends before, or where, the other begins. For triangles it is enough to try the two normals, the six
//! in-plane normals of the sides and the nine cross products of a side of each (the facets of their
//! Minkowski difference). *Any* axis along which they part is a proof, so a rounded axis does no harm
//! and only the projections need a tolerance, of a few units in the last place of f64.

use glam::{DVec3, Vec3};

/// Relative size of a projection's rounding error, with a good margin. About ten operations of f64 lose 1e-15.
const TOLERANCE: f64 = 1e-13;

/// Sine below which two sides are parallel and their cross product is no direction. A cross product at this sine has an
/// error of 1e-16 and so four digits left.
const PARALLEL: f64 = 1e-12;

/// Whether the triangle is finite and has an area.
pub(super) fn is_proper([a, b, c]: [DVec3; 3]) -> bool {
    let (u, v) = (b - a, c - a);
    // False for NaN and infinity as well.
    u.cross(v).length_squared() > PARALLEL * PARALLEL * u.length_squared() * v.length_squared() && u.is_finite()
}

/// Whether the corners of one triangle are on one side of the plane of another beyond any doubt of rounding in f32: then
/// they do not meet.
pub(super) fn is_beside([a, b, c]: [Vec3; 3], corners: [Vec3; 3]) -> bool {
    let (u, v) = (b - a, c - a);
    let from = corners.map(|p| p - a);
    let normal = u.cross(v);
    let extent = from.into_iter().fold(u.abs().max(v.abs()), |most, p| most.max(p.abs())).max_element();
    // A product of three vectors has an error of less than 2.5e-6 of their size, and what has no full precision left.
    let doubt = 1e-5 * extent * extent * extent + f32::MIN_POSITIVE;
    let [x, y, z] = from.map(|p| normal.dot(p));
    x.min(y).min(z) > doubt || x.max(y).max(z) < -doubt
}

/// Whether the interiors of two proper triangles meet: in a segment if they cross, in an area if they
/// are coplanar. Triangles that touch in a point or along an edge do not.
pub fn intersect(mut a: [DVec3; 3], mut b: [DVec3; 3]) -> bool {
    let origin = a[0];
    a = a.map(|p| p - origin);
    b = b.map(|p| p - origin);
    let extent = a.into_iter().chain(b).map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let span = |axis: DVec3, corners: [DVec3; 3]| {
        let [x, y, z] = corners.map(|p| axis.dot(p));
        (x.min(y).min(z), x.max(y).max(z))
    };
    let rounding = |axis: DVec3| TOLERANCE * extent * axis.length();
    let parted = |axis: DVec3| {
        let ((a_low, a_high), (b_low, b_high)) = (span(axis, a), span(axis, b));
        (a_high - b_low).min(b_high - a_low) <= rounding(axis)
    };
    let (a_sides, b_sides) = (sides(a), sides(b));
    let (a_normal, b_normal) = (a_sides[0].cross(a_sides[1]), b_sides[0].cross(b_sides[1]));
    let flat_along = |axis: DVec3| {
        let ((a_low, a_high), (b_low, b_high)) = (span(axis, a), span(axis, b));
        a_high.max(b_high) - a_low.min(b_low) <= rounding(axis)
    };
    let parted_in_planes = || {
        a_sides.into_iter().any(|side| parted(a_normal.cross(side)))
            || b_sides.into_iter().any(|side| parted(b_normal.cross(side)))
    };
    if parted(a_normal) || parted(b_normal) {
        return flat_along(a_normal) && flat_along(b_normal) && !parted_in_planes();
    }
    let parted_across = || {
        a_sides.into_iter().any(|u| {
            b_sides.into_iter().any(|v| {
                let axis = u.cross(v);
                let is_direction =
                    axis.length_squared() > PARALLEL * PARALLEL * u.length_squared() * v.length_squared();
                is_direction && parted(axis)
            })
        })
    };
    !parted_in_planes() && !parted_across()
}

fn sides([a, b, c]: [DVec3; 3]) -> [DVec3; 3] {
    [b - a, c - b, a - c]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Corners = [[i64; 3]; 3];

    fn sub(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
        std::array::from_fn(|k| a[k] - b[k])
    }

    fn cross(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
        std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
    }

    fn dot(a: [i64; 3], b: [i64; 3]) -> i64 {
        (0..3).map(|k| a[k] * b[k]).sum()
    }

    fn normal(t: Corners) -> [i64; 3] {
        cross(sub(t[1], t[0]), sub(t[2], t[0]))
    }

    /// The open interval that a triangle cuts out of the line where the planes meet, as two fractions
    /// `(numerator, denominator > 0)`; none if its interior does not reach the other plane.
    fn interval(t: Corners, plane: Corners, line: [i64; 3]) -> Option<[(i128, i128); 2]> {
        let height = t.map(|p| i128::from(dot(normal(plane), sub(p, plane[0]))));
        let along = t.map(|p| i128::from(dot(line, p)));
        if !(height.iter().any(|&h| h > 0) && height.iter().any(|&h| h < 0)) {
            return None;
        }
        let mut cuts = Vec::new();
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let (h, g) = (height[i], height[j]);
            if h * g < 0 {
                let (numerator, denominator) = (along[i] * g - along[j] * h, g - h);
                cuts.push((numerator * denominator.signum(), denominator.abs()));
            }
            if h == 0 {
                cuts.push((along[i], 1));
            }
        }
        let (x, y) = (cuts[0], cuts[1]);
        Some(if x.0 * y.1 <= y.0 * x.1 { [x, y] } else { [y, x] })
    }

    /// Exact, by intervals on the common line; none for parallel planes.
    fn exact(a: Corners, b: Corners) -> Option<bool> {
        let line = cross(normal(a), normal(b));
        if line == [0; 3] {
            return None;
        }
        let (Some([p, q]), Some([r, s])) = (interval(a, b, line), interval(b, a, line)) else { return Some(false) };
        let less = |x: (i128, i128), y: (i128, i128)| x.0 * y.1 < y.0 * x.1;
        Some(less(p, s) && less(r, q))
    }

    fn corners(t: Corners) -> [DVec3; 3] {
        t.map(|p| DVec3::new(p[0] as f64, p[1] as f64, p[2] as f64))
    }

    fn triangle(limit: i64) -> impl Strategy<Value = Corners> {
        prop::array::uniform3(prop::array::uniform3(-limit..=limit))
    }

    proptest! {
        #![proptest_config(ProptestConfig { max_global_rejects: 1 << 16, ..ProptestConfig::with_cases(20_000) })]

        #[test]
        fn agrees_with_exact_arithmetic(pair in prop_oneof![(triangle(2), triangle(2)), (triangle(9), triangle(9)),
            (triangle(900), triangle(900))])
        {
            let (a, b) = pair;
            let expected = exact(a, b);
            prop_assume!(expected.is_some());
            let (x, y) = (corners(a), corners(b));
            prop_assert_eq!(Some(intersect(x, y)), expected);
            prop_assert_eq!(Some(intersect([y[2], y[1], y[0]], [x[1], x[2], x[0]])), expected);
            // The same pair at any size.
            prop_assert_eq!(Some(intersect(x.map(|p| p * 1e-20), y.map(|p| p * 1e-20))), expected);
        }

        #[test]
        fn improper_is_what_has_no_area(t in triangle(3)) {
            prop_assert_eq!(is_proper(corners(t)), normal(t) != [0; 3]);
        }
    }

    #[test]
    fn coplanar_triangles_intersect_where_they_overlap() {
        let tilt = glam::DAffine3::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 1.0);
        let at = |x: i64, y: i64| corners([[x, y, 0], [x + 4, y, 0], [x, y + 4, 0]]);
        for (t, expected) in
            [(at(1, 1), true), (at(0, 0), true), (at(4, 0), false), (at(2, 2), false), (at(9, 9), false)]
        {
            assert_eq!(intersect(at(0, 0), t), expected, "{t:?}");
            assert_eq!(intersect(t, at(0, 0)), expected, "{t:?}");
            let turned = |t: [DVec3; 3]| t.map(|p| tilt.transform_point3(p));
            assert_eq!(intersect(turned(at(0, 0)), turned(t)), expected, "{t:?} turned");
        }
        let small = corners([[1, 1, 0], [2, 1, 0], [1, 2, 0]]);
        assert!(intersect(at(0, 0), small), "one inside the other");
        let above = small.map(|p| p + 1e-6 * DVec3::Z);
        assert!(!intersect(at(0, 0), above), "parallel planes");
    }

    #[test]
    fn what_is_not_finite_is_not_proper() {
        for bad in [f64::NAN, f64::INFINITY] {
            for k in 0..3 {
                let mut t = corners([[0, 0, 0], [1, 0, 0], [0, 1, 0]]);
                t[k].y = bad;
                assert!(!is_proper(t), "{t:?}");
            }
        }
    }
}
