//! Intersections of a segment with a surface.
//!
//! The tree of a [`Winding`] answers that, too: a path is followed through the boxes that it meets, and
//! each triangle in them is tested by the signs of three volumes (T. Möller, B. Trumbore, *Fast, minimum
//! storage ray-triangle intersection*, 1997).

use super::Winding;
use super::bounds::Path;
use super::box_tree::Branch;
use glam::DVec3;

impl Winding {
    /// Collects the intersections of the segment from `from` to `to` with the surface, in order. A segment through the
    /// edge of two triangles intersects at least one of them.
    pub fn segment_intersections(&self, from: DVec3, to: DVec3, found: &mut Vec<SegmentIntersection>) {
        found.clear();
        if self.tree().len() > 0 {
            self.collect(0, &Path::new(from, to - from), from, to - from, found);
        }
        if self.orientation() < 0.0 {
            found.iter_mut().for_each(|hit| hit.enters = !hit.enters);
        }
        found.sort_unstable_by(|a, b| a.parameter.total_cmp(&b.parameter).then(a.enters.cmp(&b.enters)));
    }

    fn collect(&self, node: usize, path: &Path, from: DVec3, along: DVec3, found: &mut Vec<SegmentIntersection>) {
        if !self.tree().bounds(node).meets(path) {
            return;
        }
        match self.tree().branch(node) {
            Branch::Leaf(slots) => {
                let met = slots.filter(|&slot| self.tree().slot_bounds(slot).meets(path));
                found.extend(met.filter_map(|slot| intersection(self.corners(slot), from, along)));
            }
            Branch::Fork(nodes) => nodes.into_iter().for_each(|child| self.collect(child, path, from, along, found)),
        }
    }
}

/// An intersection of a segment with a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SegmentIntersection {
    /// Its parameter along the segment, from 0 to 1.
    pub parameter: f64,
    /// Whether the segment enters the surface here.
    pub enters: bool,
}

/// How far beyond its sides a triangle is met, relative to its size, so that no path slips through an edge. The value
/// lies between rounding errors in f64 (1e-15) and those of vertices in f32 (1e-7).
const EDGE_TOLERANCE: f64 = 1e-9;

/// The intersection of a segment with a triangle.
fn intersection([a, b, c]: [DVec3; 3], from: DVec3, along: DVec3) -> Option<SegmentIntersection> {
    let (u, v, to_start) = (b - a, c - a, from - a);
    let p = along.cross(v);
    let determinant = u.dot(p);
    // Zero for a path in the triangle's plane, and for a triangle without area: then no quotient is finite.
    let x = to_start.dot(p) / determinant;
    let q = to_start.cross(u);
    let y = along.dot(q) / determinant;
    let parameter = v.dot(q) / determinant;
    let meets = x >= -EDGE_TOLERANCE
        && y >= -EDGE_TOLERANCE
        && x + y <= 1.0 + EDGE_TOLERANCE
        && (0.0..=1.0).contains(&parameter);
    meets.then_some(SegmentIntersection { parameter, enters: determinant > 0.0 })
}

#[cfg(test)]
mod tests {
    use super::super::{Face, Topology};
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    #[test]
    fn a_path_through_a_tetrahedron_enters_and_leaves() {
        let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vec3::from);
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(|[a, b, c]| Face::triangle(a, b, c));
        let winding = Winding::new(&Topology::new(&corners, &faces), &corners);
        let mut found = Vec::new();
        winding.segment_intersections(DVec3::new(-1.0, 0.2, 0.2), DVec3::new(3.0, 0.2, 0.2), &mut found);
        let [first, second] = found[..] else { panic!("{found:?}") };
        assert!(first.enters && (first.parameter - 0.25).abs() < 1e-12, "{first:?}");
        assert!(!second.enters && (second.parameter - 0.4).abs() < 1e-12, "{second:?}");
        winding.segment_intersections(DVec3::splat(2.0), DVec3::splat(3.0), &mut found);
        assert!(found.is_empty());
    }

    /// A face of the demo, whose types come from the crate as it is built for other crates.
    fn own(corners: &[u32]) -> Face {
        match *corners {
            [a, b, c] => Face::triangle(a, b, c),
            [a, b, c, d] => Face::quad(a, b, c, d),
            _ => unreachable!("a triangle or a quad"),
        }
    }

    proptest! {
        /// Every triangle tried one by one gives the same.
        #[test]
        fn the_tree_misses_nothing(from in prop::array::uniform3(-1.0f64..1.0), to in prop::array::uniform3(-1.0f64..1.0)) {
            let tube = sinew_demo::tube();
            let mesh = &tube.parts[0].mesh;
            let faces: Vec<Face> = mesh.faces.iter().map(|face| own(face.corners())).collect();
            let winding = Winding::new(&Topology::new(&mesh.positions, &faces), &mesh.positions);
            let size = mesh.positions.iter().fold(0.0f32, |size, p| size.max(p.length()));
            let (from, to) = (DVec3::from(from) * f64::from(size), DVec3::from(to) * f64::from(size));
            let place = |v: u32| mesh.positions[v as usize].as_dvec3();
            let one_by_one = faces.iter().flat_map(Face::triangles).filter(|&t| {
                intersection(t.map(place), from, to - from).is_some()
            });
            let mut found = Vec::new();
            winding.segment_intersections(from, to, &mut found);
            prop_assert_eq!(found.len(), one_by_one.count());
        }
    }
}
