//! Consistent orientation of faces.
//!
//! Winding numbers need consistently oriented faces. Within each component, faces are flipped to agree across edges with
//! two faces, starting from the first face; then the whole component is flipped if its volume is negative:
//!
//! ```text
//! V = ⅓ Σ_f (x_f − c)·a_f
//! ```
//!
//! with the centroid `x_f` and the area vector `a_f` of each face and the component's centroid c. A component that encloses
//! almost nothing (a sheet, a single triangle) keeps the orientation of most of its faces.

use glam::DVec3;
use sinew_geometry::{Face, FaceSides, Side};

/// The least volume that decides the orientation, relative to the ball of the same area. Not tuned.
const MIN_VOLUME_RATIO: f64 = 0.01;

/// Consistently oriented faces over welded vertices.
pub(super) struct OrientedFaces {
    pub faces: Vec<Face>,
    /// The number of flipped faces.
    pub flipped: usize,
}

/// Orients the faces of a surface consistently, outward where it encloses a volume.
pub(super) fn orient_faces(positions: &[DVec3], faces: &[Face]) -> OrientedFaces {
    let face_neighbors = face_neighbors(positions.len(), faces);
    let mut flips: Vec<Option<bool>> = vec![None; faces.len()];
    let mut component = Vec::new();
    for first in 0..faces.len() {
        if flips[first].is_some() {
            continue;
        }
        component.clear();
        component.push(first);
        flips[first] = Some(false);
        let mut next = 0;
        while next < component.len() {
            let face = component[next];
            next += 1;
            for neighbor in face_neighbors[face].iter().flatten() {
                let other = neighbor.face as usize;
                if flips[other].is_none() {
                    flips[other] = flips[face].map(|flipped| flipped != neighbor.disagrees);
                    component.push(other);
                }
            }
        }
        if faces_inward(positions, faces, &component, &flips) {
            component.iter().for_each(|&face| flips[face] = flips[face].map(|flipped| !flipped));
        }
    }
    let flipped = flips.iter().filter(|&&flip| flip == Some(true)).count();
    let faces = faces.iter().zip(flips).map(|(face, flip)| if flip == Some(true) { face.reversed() } else { *face });
    OrientedFaces { faces: faces.collect(), flipped }
}

/// Whether a consistent component faces inward; one without volume does if most of its faces were flipped.
fn faces_inward(positions: &[DVec3], faces: &[Face], component: &[usize], flips: &[Option<bool>]) -> bool {
    let triangles = || {
        component.iter().flat_map(|&face| {
            let sign = if flips[face] == Some(true) { -1.0 } else { 1.0 };
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
    if volume.abs() > MIN_VOLUME_RATIO * ball {
        return volume < 0.0;
    }
    2 * component.iter().filter(|&&face| flips[face] == Some(true)).count() > component.len()
}

/// A neighbour of a face.
#[derive(Clone, Copy)]
struct FaceNeighbor {
    face: u32,
    /// Whether both run along the common edge in the same direction.
    disagrees: bool,
}

/// The neighbour across each side of each face, if the edge has exactly two faces.
fn face_neighbors(vertices: usize, faces: &[Face]) -> Vec<[Option<FaceNeighbor>; Side::PER_FACE]> {
    let sides = FaceSides::new(vertices, faces);
    let mut face_neighbors = vec![[None; Side::PER_FACE]; faces.len()];
    for edge in sides.edges() {
        if let &[a, b] = edge {
            let disagrees = sides.is_forward(a) == sides.is_forward(b);
            face_neighbors[a.face()][a.of_face()] = Some(FaceNeighbor { face: b.face() as u32, disagrees });
            face_neighbors[b.face()][b.of_face()] = Some(FaceNeighbor { face: a.face() as u32, disagrees });
        }
    }
    face_neighbors
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
        let orient_faces = orient_faces(&positions, &dirty);
        assert_eq!(orient_faces.flipped, count);
        assert!(orient_faces.faces.iter().zip(clean).all(|(a, b)| a.edges().all(|edge| b.edges().any(|e| e == edge))));
    }

    #[test]
    fn a_lone_triangle_stays_as_it_is() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
        assert_eq!(orient_faces(&corners, &[Face::triangle(0, 2, 1)]).flipped, 0);
    }

    #[test]
    fn a_solid_that_is_inside_out_is_turned_at_any_size() {
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(|[a, b, c]| Face::triangle(a, b, c).reversed());
        for size in [1e-3, 1.0, 1e3] {
            let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|corner| size * corner);
            assert_eq!(orient_faces(&corners, &faces).flipped, 4, "{size}");
        }
    }

    /// A low pyramid without a base, of half a percent of the ball's volume, with its hollow side outwards.
    #[test]
    fn a_large_sheet_with_a_bump_stays_as_it_is() {
        let corners = [[0., 0., 0.2], [50., 50., 0.], [-50., 50., 0.], [-50., -50., 0.], [50., -50., 0.]];
        let faces = [1, 2, 3, 4].map(|k| Face::triangle(0, k % 4 + 1, k));
        assert_eq!(orient_faces(&corners.map(DVec3::from), &faces).flipped, 0);
    }
}
