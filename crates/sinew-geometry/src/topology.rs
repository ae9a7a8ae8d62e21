//! How a surface hangs together once the copies of a vertex at seams are one: edges, boundary loops,
//! shells.
//!
//! Files repeat a vertex wherever its normal or texture coordinate changes. Volume, adjacency and
//! contacts need the surface without those cuts, so vertices with *identical* positions are welded
//! here, beside the mesh, which keeps its own vertices for output.

use super::{Face, FaceSides, UnionFind};
use glam::Vec3;
use std::collections::HashMap;

/// The welded connectivity of a surface.
#[derive(Debug, Clone)]
pub struct Topology {
    welded: Vec<u32>,
    representatives: Vec<u32>,
    faces: Vec<Face>,
    boundary_loops: Vec<Vec<u32>>,
    boundary_edges: usize,
    non_manifold_edges: usize,
    flipped_edges: usize,
    shell_of_face: Vec<u32>,
    shells: usize,
}

impl Topology {
    /// Welds `positions` and follows `faces` over them. Faces that collapse to fewer than three
    /// corners by welding are dropped; a quad that loses one becomes a triangle.
    pub fn new(positions: &[Vec3], faces: &[Face]) -> Self {
        let (welded, representatives) = weld(positions);
        let faces: Vec<Face> = faces.iter().filter_map(|f| without_repeats(f.map(|v| welded[v as usize]))).collect();
        let sides = FaceSides::new(representatives.len(), &faces);
        let (mut boundary, mut non_manifold_edges, mut flipped_edges) = (Vec::new(), 0, 0);
        for edge in sides.edges() {
            match *edge {
                [side] => boundary.push(side),
                [a, b] => flipped_edges += usize::from(sides.is_forward(a) == sides.is_forward(b)),
                _ => non_manifold_edges += 1,
            }
        }
        boundary.sort_unstable();
        let boundary_loops = boundary_loops(&boundary.iter().map(|&side| sides.ends(side)).collect::<Vec<_>>());
        let (shell_of_face, shells) = shells(&faces, representatives.len());
        Self {
            boundary_edges: boundary.len(),
            non_manifold_edges,
            flipped_edges,
            welded,
            representatives,
            faces,
            boundary_loops,
            shell_of_face,
            shells,
        }
    }

    /// The welded vertex that a vertex of the file belongs to.
    pub fn welded(&self, vertex: usize) -> usize {
        self.welded[vertex] as usize
    }

    /// Number of distinct positions.
    pub fn welded_count(&self) -> usize {
        self.representatives.len()
    }

    /// A vertex of the file for each welded vertex: the first with its position.
    pub fn representatives(&self) -> &[u32] {
        &self.representatives
    }

    /// The faces over welded vertices, without those that welding collapsed.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The loops of boundary edges, as welded vertices in the direction opposite to their faces, so
    /// that a cap over a loop has the surface's orientation.
    pub fn boundary_loops(&self) -> &[Vec<u32>] {
        &self.boundary_loops
    }

    /// Edges with one face only.
    pub fn boundary_edges(&self) -> usize {
        self.boundary_edges
    }

    /// The connected piece that each face belongs to.
    pub fn shell_of_face(&self) -> &[u32] {
        &self.shell_of_face
    }

    /// Number of connected pieces.
    pub fn shells(&self) -> usize {
        self.shells
    }

    /// Whether the surface encloses a volume: every edge has two faces that run along it in opposite
    /// directions, and there is at least one face.
    pub fn is_closed(&self) -> bool {
        !self.faces.is_empty() && self.boundary_edges == 0 && self.non_manifold_edges == 0 && self.flipped_edges == 0
    }
}

/// Gives vertices of identical position one number, in order of first appearance.
pub(super) fn weld(positions: &[Vec3]) -> (Vec<u32>, Vec<u32>) {
    let mut numbers = HashMap::with_capacity(positions.len());
    let mut representatives = Vec::new();
    let welded = positions
        .iter()
        .enumerate()
        .map(|(vertex, p)| {
            // Adding zero turns -0 into +0, which is the same place.
            let key = (*p + Vec3::ZERO).to_array().map(f32::to_bits);
            *numbers.entry(key).or_insert_with(|| {
                representatives.push(vertex as u32);
                representatives.len() as u32 - 1
            })
        })
        .collect();
    (welded, representatives)
}

/// The face without corners that repeat their neighbour; none if fewer than three are left.
fn without_repeats(face: Face) -> Option<Face> {
    let mut corners: Vec<u32> = face.corners().to_vec();
    corners.dedup();
    if corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    match corners[..] {
        [a, b, c] if a != b && b != c && a != c => Some(Face::triangle(a, b, c)),
        [a, b, c, d] if a != c && b != d => Some(Face::quad(a, b, c, d)),
        _ => None,
    }
}

/// Chains the edges of one face, reversed, into loops. Where several loops touch in a vertex the first
/// unused edge is followed, so every edge ends up in exactly one loop.
fn boundary_loops(boundary: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut next: HashMap<u32, Vec<u32>> = HashMap::new();
    for &(to, from) in boundary.iter().rev() {
        next.entry(from).or_default().push(to);
    }
    let mut loops = Vec::new();
    for &(_, start) in boundary {
        let mut chain = Vec::new();
        let mut at = start;
        while let Some(to) = next.get_mut(&at).and_then(Vec::pop) {
            chain.push(at);
            at = to;
            if at == start {
                break;
            }
        }
        if !chain.is_empty() {
            loops.push(chain);
        }
    }
    loops
}

/// Numbers the connected pieces of a surface in order of their first face.
fn shells(faces: &[Face], vertices: usize) -> (Vec<u32>, usize) {
    let mut pieces = UnionFind::new(vertices);
    for face in faces {
        face.corners()[1..].iter().for_each(|&corner| pieces.join(face.corners()[0], corner));
    }
    pieces.numbered(faces.iter().map(|face| face.corners()[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The unit cube with every face's corners repeated, as a file with hard edges has it.
    fn cube() -> (Vec<Vec3>, Vec<Face>) {
        let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32);
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let positions = sides.iter().flatten().map(|&i| corner(i)).collect();
        let faces = (0..6).map(|k| Face::quad(4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3)).collect();
        (positions, faces)
    }

    #[test]
    fn hard_edges_weld_to_a_closed_cube() {
        let (positions, faces) = cube();
        let topology = Topology::new(&positions, &faces);
        assert_eq!(topology.welded_count(), 8);
        assert!(topology.is_closed());
        assert_eq!(topology.shells(), 1);
    }

    #[test]
    fn a_missing_side_is_one_boundary_loop_that_caps_outwards() {
        let (positions, mut faces) = cube();
        let removed = faces.pop().unwrap();
        let topology = Topology::new(&positions, &faces);
        assert!(!topology.is_closed());
        assert_eq!(topology.boundary_edges(), 4);
        let [boundary] = topology.boundary_loops() else { panic!("one loop expected") };
        let cap = Face::quad(boundary[0], boundary[1], boundary[2], boundary[3]);
        let removed = removed.map(|v| topology.welded(v as usize) as u32);
        let edges: Vec<_> = removed.edges().collect();
        assert!(cap.edges().all(|e| edges.contains(&e)), "{cap:?} against {removed:?}");
    }

    #[test]
    fn a_flipped_side_is_not_closed() {
        let (positions, mut faces) = cube();
        let c = faces[0].corners().to_vec();
        faces[0] = Face::quad(c[3], c[2], c[1], c[0]);
        assert!(!Topology::new(&positions, &faces).is_closed());
    }

    #[test]
    fn degenerate_faces_are_dropped_and_shells_counted() {
        let (mut positions, mut faces) = cube();
        let count = positions.len() as u32;
        positions.extend((0..24).map(|i| positions[i] + Vec3::splat(5.0)).collect::<Vec<_>>());
        faces.extend(faces.clone().iter().map(|f| f.map(|v| v + count)));
        faces.push(Face::triangle(0, 0, 1));
        let topology = Topology::new(&positions, &faces);
        assert_eq!((topology.shells(), topology.faces().len()), (2, 12));
        assert!(topology.is_closed());
    }
}
