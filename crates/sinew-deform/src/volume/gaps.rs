//! The gaps outside of the skin at rest.
//!
//! What is close to other skin, as in a mouth, between fingers or below an arm, must not swell into it, and what is around
//! it must not move against it. The gap at a vertex is how far it is along the skin to a place, and from there along the
//! normal to other skin of the same piece: a coat over a body moves with it. Within the limb's radius, γ falls with it. It
//! depends on nothing but the rest pose, so that a correction stays a continuous function of the pose.

use crate::parallel::VERTICES_PER_TASK;
use glam::{DVec3, Vec3};
use sinew_geometry::curve::smoothstep;
use sinew_geometry::parallel::*;
use sinew_geometry::{ClosedSurface, Face, Rows, Topology, Winding};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How far from its own vertex a path begins, as a share of the body's diagonal: farther than f32 rounds.
const BEGIN: f64 = 1e-5;

/// The freedom that a gap leaves to a limb of a radius, 0 to 1.
pub(super) fn freedom_at(gap: f64, radius: f64) -> f64 {
    if radius > 0.0 { smoothstep(gap / radius) } else { 1.0 }
}

/// The gap at each vertex of a surface, whose shells have volumes; infinite where there is nothing outside.
pub(super) fn gaps(surface: &ClosedSurface, points: &[DVec3], volumes: &[f64]) -> Vec<f64> {
    let mut gaps = vec![f64::INFINITY; surface.vertex_count()];
    let is_skin = |face: &Face| face.corners().iter().all(|&v| (v as usize) < gaps.len());
    let faces = || surface.faces().iter().zip(surface.shell_of_face()).filter(|(face, _)| is_skin(face));
    let mut shells: Vec<Vec<Face>> = vec![Vec::new(); volumes.len()];
    faces().for_each(|(face, shell)| shells[*shell as usize].push(*face));
    let mut shell_of = vec![None; gaps.len()];
    faces().for_each(|(face, shell)| face.corners().iter().for_each(|&v| shell_of[v as usize] = Some(*shell as usize)));
    let normals = normals(shells.iter().flatten(), points);
    let ends = points.iter().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[a, b], &p| [a.min(p), b.max(p)]);
    let (origin, diagonal) = (ends[0], ends[0].distance(ends[1]));
    let rest: Vec<Vec3> = points.iter().map(|point| (*point - origin).as_vec3()).collect();
    let trees: Vec<Winding> = shells.iter().map(|faces| Winding::new(&Topology::new(&rest, faces), &rest)).collect();
    gaps.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each_init(Vec::new, |found, (vertex, gap)| {
        let Some(shell) = shell_of[vertex] else { return };
        let (from, out) = (points[vertex] - origin, volumes[shell].signum() * diagonal * normals[vertex]);
        trees[shell].segment_intersections(from + BEGIN * out, from + out, found);
        *gap = found.first().map_or(f64::INFINITY, |hit| hit.parameter * diagonal);
    });
    spread(surface, points, &mut gaps);
    gaps
}

/// Adds the way along the skin: Dijkstra's algorithm from all vertices at once.
fn spread(surface: &ClosedSurface, points: &[DVec3], gaps: &mut [f64]) {
    let edges = surface.faces().iter().flat_map(Face::edges).filter(|&(i, j)| (i.max(j) as usize) < gaps.len());
    let ends: Vec<[u32; 2]> = edges.flat_map(|(i, j)| [[i, j], [j, i]]).collect();
    let next = Rows::grouped(gaps.len(), ends.iter().map(|end| end[0]));
    // Positive numbers are in the order of their bits.
    let mut open: BinaryHeap<Reverse<(u64, u32)>> =
        (0..).zip(&*gaps).map(|(v, gap)| Reverse((gap.to_bits(), v))).collect();
    while let Some(Reverse((gap, vertex))) = open.pop() {
        let gap = f64::from_bits(gap);
        if gap > gaps[vertex as usize] || gap.is_infinite() {
            continue;
        }
        for &end in next.row(vertex) {
            let other = ends[end as usize][1];
            let through = gap + points[vertex as usize].distance(points[other as usize]);
            if through < gaps[other as usize] {
                gaps[other as usize] = through;
                open.push(Reverse((through.to_bits(), other)));
            }
        }
    }
}

/// The unit normals of all points, by the areas of faces.
fn normals<'a>(faces: impl Iterator<Item = &'a Face>, points: &[DVec3]) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; points.len()];
    for [a, b, c] in faces.flat_map(Face::triangles) {
        let [p, q, r] = [a, b, c].map(|v| points[v as usize]);
        [a, b, c].into_iter().for_each(|v| normals[v as usize] += (q - p).cross(r - p));
    }
    normals.into_iter().map(DVec3::normalize_or_zero).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A letter U, 3 wide and high, with a slot of width 1 and depth 2, in two layers: `is_mirrored` turns it inside out.
    fn letter(at: DVec3, is_mirrored: bool) -> (Vec<DVec3>, Vec<Face>) {
        let outline = [[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [2.0, 3.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        let ring = |z: f64| outline.map(|[x, y]| at + DVec3::new(x, y, z));
        let points = [0.0, 1.0, 2.0].into_iter().flat_map(ring).collect();
        let side = |k: u32| [k, k / 8 * 8 + (k + 1) % 8, k / 8 * 8 + (k + 1) % 8 + 8, k + 8];
        let front = [[0, 1, 4, 5], [1, 2, 3, 4], [5, 6, 7, 0]];
        let ends = front.into_iter().map(|[a, b, c, d]| [d, c, b, a]).chain(front.map(|face| face.map(|v| v + 16)));
        let faces = (0..16).map(side).chain(ends).map(|[a, b, c, d]| Face::quad(a, b, c, d));
        (points, faces.map(|face| if is_mirrored { face.reversed() } else { face }).collect())
    }

    fn gaps_of((points, faces): &(Vec<DVec3>, Vec<Face>)) -> Vec<f64> {
        let positions: Vec<Vec3> = points.iter().map(|point| point.as_vec3()).collect();
        let surface = ClosedSurface::new(&Topology::new(&positions, faces));
        gaps(&surface, points, &surface.shell_volumes(points))
    }

    #[test]
    fn a_gap_is_the_way_along_the_skin_and_out() {
        let letter = letter(DVec3::ZERO, false);
        let gaps = gaps_of(&letter);
        // The normal at the bottom of the slot leads to the other wall, that at its end leads nowhere.
        let across = 1.25f64.sqrt();
        for (vertex, expected) in [(12, across), (13, across), (11, across + 2.0), (0, across + 1.0 + 2f64.sqrt())] {
            assert!((gaps[vertex] - expected).abs() < 1e-4, "{vertex}: {}", gaps[vertex]);
        }
        for face in &letter.1 {
            for (i, j) in face.edges() {
                let way = letter.0[i as usize].distance(letter.0[j as usize]);
                assert!((gaps[i as usize] - gaps[j as usize]).abs() < way + 1e-6, "{i} {j}: {gaps:?}");
            }
        }
        assert_eq!([0.0, 0.5, 1.0, f64::INFINITY].map(|gap| freedom_at(gap, 1.0)), [0.0, 0.5, 1.0, 1.0]);
    }

    /// Far from the origin, inside out, and with another letter around it.
    #[test]
    fn gaps_are_those_of_each_piece() {
        let alone = gaps_of(&letter(DVec3::ZERO, false));
        let mut both = letter(DVec3::new(4096.0, 0.0, 0.0), true);
        let count = both.0.len() as u32;
        let (points, faces) = letter(DVec3::new(4096.25, 0.0, 0.25), false);
        both.0.extend(points);
        both.1.extend(faces.iter().map(|face| face.map(|v| v + count)));
        for (k, gap) in gaps_of(&both).into_iter().enumerate() {
            assert!((gap - alone[k % 24]).abs() < 1e-3, "{k}: {gap} {}", alone[k % 24]);
        }
    }
}
