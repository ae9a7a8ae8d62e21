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

use glam::DVec3;
use sinew_geometry::{Face, FaceSides, Side};

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
    let links = links(positions.len(), faces);
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
            for link in links[face].iter().flatten() {
                let other = link.face as usize;
                if turns[other].is_none() {
                    turns[other] = turns[face].map(|turned| turned != link.disagrees);
                    piece.push(other);
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

/// A neighbour of a face.
#[derive(Clone, Copy)]
struct Link {
    face: u32,
    /// Whether it runs along the common edge in the same direction.
    disagrees: bool,
}

/// For each side of each face the neighbour across it, if its edge has exactly two faces.
fn links(vertices: usize, faces: &[Face]) -> Vec<[Option<Link>; Side::PER_FACE]> {
    let sides = FaceSides::new(vertices, faces);
    let mut links = vec![[None; Side::PER_FACE]; faces.len()];
    for edge in sides.edges() {
        if let &[a, b] = edge {
            let disagrees = sides.is_forward(a) == sides.is_forward(b);
            links[a.face()][a.of_face()] = Some(Link { face: b.face() as u32, disagrees });
            links[b.face()][b.of_face()] = Some(Link { face: a.face() as u32, disagrees });
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::Topology;

    #[test]
    fn faces_turned_at_random_are_turned_back() {
        let tube = sinew_demo::tube();
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
