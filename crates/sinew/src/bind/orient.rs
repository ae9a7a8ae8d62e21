//! Which way is out?
//!
//! Winding numbers ask that faces agree about it. Each connected piece is turned so that neighbours across
//! an edge of two faces agree, following edges from its first face; then the whole piece, if it encloses a
//! negative volume:
//!
//! ```text
//! V = ⅓ Σ_f (x_f − c)·a_f
//! ```
//!
//! with the centroid `x_f` and the area vector `a_f` of each face and the piece's centroid c. A piece that
//! encloses next to nothing (a sheet, a lone triangle of a soup) keeps the direction that most of its faces
//! have.

use crate::geometry::Face;
use glam::DVec3;

/// What a piece must enclose to know its outside, relative to the ball of the same area.
const ENCLOSING: f64 = 0.01;

/// Faces over welded vertices, turned to agree.
pub(super) struct Oriented {
    pub faces: Vec<Face>,
    /// How many were turned.
    pub turned: usize,
}

/// Turns the faces of a surface so that they agree about its outside.
pub(super) fn oriented(positions: &[DVec3], faces: &[Face]) -> Oriented {
    let links = Links::new(faces);
    let mut turns: Vec<Option<bool>> = vec![None; faces.len()];
    let mut piece = Vec::new();
    for first in 0..faces.len() {
        if turns[first].is_some() {
            continue;
        }
        piece.clear();
        piece.push(first);
        turns[first] = Some(false);
        let mut next = 0;
        while next < piece.len() {
            let face = piece[next];
            next += 1;
            for &(other, disagrees) in links.of(face) {
                if turns[other as usize].is_none() {
                    turns[other as usize] = turns[face].map(|turned| turned != disagrees);
                    piece.push(other as usize);
                }
            }
        }
        if faces_inward(positions, faces, &piece, &turns) {
            piece.iter().for_each(|&face| turns[face] = turns[face].map(|turned| !turned));
        }
    }
    let turned = turns.iter().filter(|&&turn| turn == Some(true)).count();
    let faces = faces.iter().zip(turns).map(|(face, turn)| if turn == Some(true) { face.reversed() } else { *face });
    Oriented { faces: faces.collect(), turned }
}

/// Whether a piece whose faces agree is inside out; one that encloses next to nothing is if more of its
/// faces were turned than not.
fn faces_inward(positions: &[DVec3], faces: &[Face], piece: &[usize], turns: &[Option<bool>]) -> bool {
    let triangles = || {
        piece.iter().flat_map(|&face| {
            let sign = if turns[face] == Some(true) { -1.0 } else { 1.0 };
            faces[face].triangles().map(move |t| (t.map(|v| positions[v as usize]), sign))
        })
    };
    let (mut center, mut area) = (DVec3::ZERO, 0.0);
    for ([a, b, c], _) in triangles() {
        let size = (b - a).cross(c - a).length();
        center += size * (a + b + c) / 3.0;
        area += size;
    }
    center /= area;
    let volume: f64 =
        triangles().map(|([a, b, c], sign)| sign * (a - center).dot((b - center).cross(c - center)) / 6.0).sum();
    let ball = (0.5 * area).powf(1.5) / (6.0 * std::f64::consts::PI.sqrt());
    if volume.abs() > ENCLOSING * ball {
        return volume < 0.0;
    }
    2 * piece.iter().filter(|&&face| turns[face] == Some(true)).count() > piece.len()
}

/// For each face its neighbours across edges of exactly two faces, and whether they disagree.
struct Links {
    starts: Vec<u32>,
    links: Vec<(u32, bool)>,
}

impl Links {
    fn new(faces: &[Face]) -> Self {
        let mut sides: Vec<(u32, u32, u32, bool)> = (0..)
            .zip(faces)
            .flat_map(|(index, face)| face.edges().map(move |(a, b)| (a.min(b), a.max(b), index, a < b)))
            .collect();
        sides.sort_unstable();
        let mut pairs: Vec<(u32, u32, bool)> = Vec::with_capacity(sides.len());
        for edge in sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if let &[(_, _, first, forward), (_, _, second, also_forward)] = edge {
                let disagrees = forward == also_forward;
                pairs.extend([(first, second, disagrees), (second, first, disagrees)]);
            }
        }
        pairs.sort_unstable();
        let mut starts = vec![0u32; faces.len() + 1];
        pairs.iter().for_each(|&(face, ..)| starts[face as usize + 1] += 1);
        (0..faces.len()).for_each(|face| starts[face + 1] += starts[face]);
        Self { starts, links: pairs.into_iter().map(|(_, other, disagrees)| (other, disagrees)).collect() }
    }

    fn of(&self, face: usize) -> &[(u32, bool)] {
        &self.links[self.starts[face] as usize..self.starts[face + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo;
    use crate::geometry::Topology;

    #[test]
    fn faces_turned_at_random_are_turned_back() {
        let tube = demo::tube();
        let mesh = &tube.parts[0].mesh;
        let topology = Topology::new(&mesh.positions, &mesh.faces);
        let positions: Vec<DVec3> =
            topology.representatives().iter().map(|&v| mesh.positions[v as usize].as_dvec3()).collect();
        let clean = topology.faces();
        let dirty: Vec<Face> =
            clean.iter().enumerate().map(|(k, face)| if k * k % 7 < 4 { face.reversed() } else { *face }).collect();
        let count = (0..clean.len()).filter(|k| k * k % 7 < 4).count();
        let oriented = oriented(&positions, &dirty);
        assert_eq!(oriented.turned, count);
        assert!(oriented.faces.iter().zip(clean).all(|(a, b)| a.edges().all(|edge| b.edges().any(|e| e == edge))));
    }

    #[test]
    fn a_lone_triangle_stays_as_it_is() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
        assert_eq!(oriented(&corners, &[Face::triangle(0, 2, 1)]).turned, 0);
    }
}
