//! Splitting of faces of which some edges have a midpoint.
//!
//! Every pattern uses all the points on the face's rim, so that none is left hanging beside an edge, and
//! keeps the face's winding. Triangles stay triangles, red and green ones [Bank, Sherman and Weiser
//! 1983]; of a quad as much as possible stays quads.
//!
//! | split edges | triangle | quad |
//! |---|---|---|
//! | 1 | two halves | the triangle from the opposite edge to the point, and one on either side |
//! | 2 | the corner between them, and the rest cut in two | beside each other: three quads around the centre; opposite: two quads |
//! | 3 | four like itself | the corners between them, the triangle they leave, and half the quad |
//! | 4 | | four quads around the centre |

use crate::Face;

/// A face whose rim may have a point on each edge.
#[derive(Clone, Copy)]
pub(super) struct Rim {
    pub face: Face,
    /// The point on the edge from each corner to the next.
    pub points: [Option<u32>; 4],
}

impl Rim {
    /// Number of split edges.
    pub fn split(&self) -> usize {
        self.points.iter().flatten().count()
    }

    /// Whether every edge is split.
    pub fn is_whole(&self) -> bool {
        self.split() == self.face.corners().len()
    }

    /// Whether the pattern has a point in the middle of the face.
    pub fn needs_center(&self) -> bool {
        let beside = |k: usize| self.points[k].is_some() && self.points[(k + 1) % 4].is_some();
        self.face.is_quad() && (self.split() == 4 || self.split() == 2 && (0..4).any(beside))
    }

    /// Appends what the face becomes; `center` is used where it is needed.
    pub fn close(&self, center: u32, out: &mut Vec<Face>) {
        if self.face.is_quad() { self.close_quad(center, out) } else { self.close_triangle(out) }
    }

    fn close_triangle(&self, out: &mut Vec<Face>) {
        let corner = |k: usize| self.face.corners()[k % 3];
        let first_split = self.points.iter().position(Option::is_some).unwrap_or(0);
        let first_unsplit = self.points.iter().position(Option::is_none).unwrap_or(0);
        // Seen from the edge that differs from the two others.
        let k = if self.split() == 2 { first_unsplit } else { first_split };
        let point = |i: usize| self.points[(k + i) % 3];
        let (a, b, c) = (corner(k), corner(k + 1), corner(k + 2));
        match [point(0), point(1), point(2)] {
            [Some(ab), None, None] => out.extend([Face::triangle(a, ab, c), Face::triangle(ab, b, c)]),
            [None, Some(bc), Some(ca)] => {
                out.extend([Face::triangle(bc, c, ca), Face::triangle(a, b, bc), Face::triangle(a, bc, ca)]);
            }
            [Some(ab), Some(bc), Some(ca)] => out.extend([
                Face::triangle(a, ab, ca),
                Face::triangle(b, bc, ab),
                Face::triangle(c, ca, bc),
                Face::triangle(ab, bc, ca),
            ]),
            _ => out.push(self.face),
        }
    }

    fn close_quad(&self, center: u32, out: &mut Vec<Face>) {
        // Seen from the first split edge after an unsplit one.
        let is_first = |k: &usize| self.points[*k].is_some() && self.points[(k + 3) % 4].is_none();
        let k = (0..4).find(is_first).unwrap_or(0);
        let corner = |i: usize| self.face.corners()[(k + i) % 4];
        let point = |i: usize| self.points[(k + i) % 4];
        let (a, b, c, d) = (corner(0), corner(1), corner(2), corner(3));
        match [point(0), point(1), point(2), point(3)] {
            [Some(ab), None, None, None] => {
                out.extend([Face::triangle(a, ab, d), Face::triangle(ab, b, c), Face::triangle(ab, c, d)]);
            }
            [Some(ab), Some(bc), None, None] => {
                out.extend([Face::quad(a, ab, center, d), Face::quad(b, bc, center, ab), Face::quad(c, d, center, bc)])
            }
            [Some(ab), None, Some(cd), None] => out.extend([Face::quad(a, ab, cd, d), Face::quad(ab, b, c, cd)]),
            [Some(ab), Some(bc), Some(cd), None] => out.extend([
                Face::quad(a, ab, cd, d),
                Face::triangle(b, bc, ab),
                Face::triangle(c, cd, bc),
                Face::triangle(ab, bc, cd),
            ]),
            [Some(ab), Some(bc), Some(cd), Some(da)] => out.extend([
                Face::quad(a, ab, center, da),
                Face::quad(b, bc, center, ab),
                Face::quad(c, cd, center, bc),
                Face::quad(d, da, center, cd),
            ]),
            _ => out.push(self.face),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    const CENTER: u32 = 8;

    /// A regular face with its corners, the points 4… on its edges and the centre.
    fn regular(corners: usize) -> (Face, Vec<Vec2>) {
        let corner = |k: usize| Vec2::from_angle(std::f32::consts::TAU * k as f32 / corners as f32);
        let mut places = vec![Vec2::ZERO; 9];
        for k in 0..corners {
            places[k] = corner(k);
            places[4 + k] = 0.5 * (corner(k) + corner(k + 1));
        }
        (if corners == 3 { Face::triangle(0, 1, 2) } else { Face::quad(0, 1, 2, 3) }, places)
    }

    fn patterns() -> impl Iterator<Item = (Rim, Vec<Vec2>, Vec<Face>)> {
        [3usize, 4].into_iter().flat_map(|corners| {
            (0..1 << corners).map(move |mask: u32| {
                let (face, places) = regular(corners);
                let points = std::array::from_fn(|k| (mask >> k & 1 == 1).then_some(4 + k as u32));
                let rim = Rim { face, points };
                let mut children = Vec::new();
                rim.close(CENTER, &mut children);
                (rim, places, children)
            })
        })
    }

    #[test]
    fn every_pattern_fills_its_face_with_well_shaped_children() {
        for (rim, places, children) in patterns() {
            let area = |face: &Face| {
                let p = |v: u32| places[v as usize];
                face.triangles().map(|[a, b, c]| 0.5 * (p(b) - p(a)).perp_dot(p(c) - p(a))).sum::<f32>()
            };
            let sum: f32 = children.iter().map(area).sum();
            assert!((sum - area(&rim.face)).abs() < 1e-5, "{children:?}");
            for child in &children {
                let corners = child.corners();
                for k in 0..corners.len() {
                    let at = |i: usize| places[corners[(k + i) % corners.len()] as usize];
                    let angle = (at(1) - at(0)).angle_to(at(corners.len() - 1) - at(0)).to_degrees();
                    assert!((26.0..=136.0).contains(&angle), "{angle}° in {child:?} of {children:?}");
                }
            }
        }
    }

    #[test]
    fn every_edge_inside_has_two_children_and_the_rim_has_every_point() {
        for (rim, _, children) in patterns() {
            let mut edges: Vec<(u32, u32)> = children.iter().flat_map(Face::edges).collect();
            let all = edges.clone();
            edges.retain(|&(a, b)| !all.contains(&(b, a)));
            edges.sort_unstable();
            let mut expected = Vec::new();
            for (k, (a, b)) in rim.face.edges().enumerate() {
                match rim.points[k] {
                    Some(point) => expected.extend([(a, point), (point, b)]),
                    None => expected.push((a, b)),
                }
            }
            expected.sort_unstable();
            assert_eq!(edges, expected);
            let has_center = children.iter().flat_map(Face::corners).any(|&v| v == CENTER);
            assert_eq!(has_center, rim.needs_center());
        }
    }
}
