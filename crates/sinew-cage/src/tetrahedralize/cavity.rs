//! Tetrahedra that are replaced cavity by cavity.
//!
//! A cavity of some tetrahedra is filled again by tetrahedra from one point, the apex, to its walls. Their signed volumes
//! add up to the cavity's volume wherever the apex is, so they fill it exactly if none is inverted. The usual operations
//! of mesh improvement are of this kind: an apex at a vertex of the cavity flips faces or contracts edges, a moved apex
//! smooths, a new apex inserts a vertex (B. Klingner, J. Shewchuk, *Aggressive tetrahedral mesh improvement*, 2007). A
//! cavity grows across every wall whose new tetrahedron would be below the requested quality. An apex on the surface
//! replaces the surface vertex or edge that it opens.

use super::barycentric::barycentric;
use super::delaunay::FACES;
use super::quality::{SLIVER, TetrahedraQuality, quality};
use glam::DVec3;
use sinew_geometry::intersect;
use std::collections::HashSet;

/// The largest number of tetrahedra in a cavity. A bound on time; not tuned.
const MAX_CAVITY: usize = 80;

/// The largest number of smoothing steps at one step length. A bound on time; not tuned.
const MAX_SMOOTHING_STEPS: usize = 3;

/// The least barycentric coordinate, up to rounding, of a mesh point in its tetrahedron. Quotients of volumes lose
/// about 1e-15, more in slivers.
const BARYCENTRIC_TOLERANCE: f64 = 1e-10;

/// The role of every vertex, which improvement preserves.
#[derive(Clone)]
pub(crate) struct VertexRoles {
    /// Whether a vertex is inside and may move or disappear.
    pub is_free: Vec<bool>,
    /// Whether it must not move. A vertex that is neither free nor fixed is on the surface.
    pub is_fixed: Vec<bool>,
    /// Whether it is on a bone.
    pub is_on_bone: Vec<bool>,
    /// Edges along bones, the lower index first.
    pub bone_edges: HashSet<(u32, u32)>,
}

/// An editable tetrahedral mesh, and the points of a surface mesh inside it.
pub(crate) struct TetrahedralMesh<'a> {
    pub positions: Vec<DVec3>,
    pub roles: VertexRoles,
    corners: Vec<[u32; 4]>,
    is_live: Vec<bool>,
    free_slots: Vec<u32>,
    /// The tetrahedra at each vertex.
    around: Vec<Vec<u32>>,
    mesh: &'a [DVec3],
    /// The mesh points in each tetrahedron.
    points: Vec<Vec<u32>>,
}

/// The common vertex of the tetrahedra that fill a cavity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Apex {
    /// A vertex, or the index of a new one.
    pub vertex: u32,
    pub position: DVec3,
    pub replaced: Replaced,
}

/// The part of the surface that an apex replaces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Replaced {
    Nothing,
    Vertex(u32),
    Edge(u32, u32),
}

impl Replaced {
    fn is_in(self, face: [u32; 3]) -> bool {
        match self {
            Self::Nothing => false,
            Self::Vertex(v) => face.contains(&v),
            Self::Edge(a, b) => face.contains(&a) && face.contains(&b),
        }
    }
}

/// A cavity, its walls, and the apex that fills it.
#[derive(Debug, Clone)]
pub(crate) struct Star {
    pub apex: Apex,
    pub cavity: Vec<u32>,
    pub walls: Vec<[u32; 3]>,
    /// The lowest quality of the new tetrahedra.
    pub least: f64,
}

impl<'a> TetrahedralMesh<'a> {
    /// `tetrahedron_of` is the tetrahedron that contains each mesh point.
    pub fn new(
        positions: Vec<DVec3>,
        roles: VertexRoles,
        corners: Vec<[u32; 4]>,
        mesh: &'a [DVec3],
        tetrahedron_of: &[u32],
    ) -> Self {
        let mut around = vec![Vec::new(); positions.len()];
        for (t, corners) in (0..).zip(&corners) {
            corners.iter().for_each(|&v| around[v as usize].push(t));
        }
        let mut points = vec![Vec::new(); corners.len()];
        (0..).zip(tetrahedron_of).for_each(|(point, &t)| points[t as usize].push(point));
        let is_live = vec![true; corners.len()];
        let mut tetrahedra = Self { positions, roles, corners, is_live, free_slots: Vec::new(), around, mesh, points };
        let open: Vec<[u32; 3]> = tetrahedra.live().flat_map(|t| tetrahedra.boundary_faces(t)).collect();
        open.iter().flatten().for_each(|&v| tetrahedra.roles.is_free[v as usize] = false);
        tetrahedra
    }

    pub fn live(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.corners.len() as u32).filter(|&t| self.is_live[t as usize])
    }

    pub fn is_live(&self, tetrahedron: u32) -> bool {
        self.is_live[tetrahedron as usize]
    }

    pub fn corners(&self, tetrahedron: u32) -> [u32; 4] {
        self.corners[tetrahedron as usize]
    }

    pub fn around(&self, vertex: u32) -> &[u32] {
        self.around.get(vertex as usize).map_or(&[], Vec::as_slice)
    }

    pub fn positions_of<const N: usize>(&self, vertices: [u32; N]) -> [DVec3; N] {
        vertices.map(|v| self.positions[v as usize])
    }

    pub fn quality(&self, tetrahedron: u32) -> f64 {
        quality(self.positions_of(self.corners(tetrahedron)))
    }

    /// The tetrahedra around an edge.
    pub fn around_edge(&self, (a, b): (u32, u32)) -> Vec<u32> {
        self.around(a).iter().copied().filter(|&t| self.corners(t).contains(&b)).collect()
    }

    /// The faces of a tetrahedron, oriented so that each has a positive volume with the opposite corner.
    pub fn faces(&self, tetrahedron: u32) -> [[u32; 3]; 4] {
        let corners = self.corners(tetrahedron);
        FACES.map(|face| face.map(|k| corners[k]))
    }

    /// The tetrahedron across a face; none at the surface.
    pub fn across(&self, tetrahedron: u32, [a, b, c]: [u32; 3]) -> Option<u32> {
        let has = |t: u32| t != tetrahedron && [b, c].iter().all(|v| self.corners(t).contains(v));
        self.around(a).iter().copied().find(|&t| has(t))
    }

    pub fn boundary_faces(&self, tetrahedron: u32) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.faces(tetrahedron).into_iter().filter(move |&face| self.across(tetrahedron, face).is_none())
    }

    /// Grows a cavity until all tetrahedra that fill it have at least the quality `least`. None where the surface or a
    /// vertex or edge that must stay prevents it.
    pub fn star(&self, apex: Apex, start: &[u32], least: f64) -> Option<Star> {
        let mut cavity = start.to_vec();
        let mut next = 0;
        while let Some(&t) = cavity.get(next) {
            next += 1;
            for face in self.faces(t) {
                if has_no_tetrahedron(apex, face) || self.quality_from(apex, face) >= least {
                    continue;
                }
                match self.across(t, face) {
                    Some(across) if cavity.contains(&across) => {}
                    Some(across) if cavity.len() < MAX_CAVITY => cavity.push(across),
                    _ => return None,
                }
            }
        }
        let is_wall = |&(t, face): &(u32, [u32; 3])| {
            !has_no_tetrahedron(apex, face) && self.across(t, face).is_none_or(|across| !cavity.contains(&across))
        };
        let faces = cavity.iter().flat_map(|&t| self.faces(t).map(|face| (t, face)));
        let walls: Vec<[u32; 3]> = faces.filter(is_wall).map(|(_, face)| face).collect();
        let least = walls.iter().map(|&face| self.quality_from(apex, face)).fold(f64::INFINITY, f64::min);
        let star = Star { apex, cavity, walls, least };
        self.is_valid(&star).then_some(star)
    }

    fn quality_from(&self, apex: Apex, face: [u32; 3]) -> f64 {
        let [a, b, c] = self.positions_of(face);
        quality([a, b, c, apex.position])
    }

    /// Whether a star preserves vertices that are not free and edges along bones, and adds no edge between bones.
    fn is_valid(&self, star: &Star) -> bool {
        let Star { apex, cavity, walls, .. } = star;
        let has = |v: u32| v == apex.vertex || walls.iter().any(|wall| wall.contains(&v));
        let may_disappear = |v: u32| {
            self.roles.is_free[v as usize] || apex.replaced == Replaced::Vertex(v) && !self.roles.is_fixed[v as usize]
        };
        let is_preserved = |v: u32| has(v) || may_disappear(v);
        let preserves_edge = |(a, b): (u32, u32)| {
            let is_there = || walls.iter().any(|w| w.contains(&a) && w.contains(&b));
            !self.roles.bone_edges.contains(&(a, b)) || a == apex.vertex || b == apex.vertex || is_there()
        };
        let on_bone = |v: u32| self.roles.is_on_bone.get(v as usize).copied().unwrap_or(false);
        let is_new_edge = |v: u32| {
            let edge = (v.min(apex.vertex), v.max(apex.vertex));
            on_bone(v) && !self.roles.bone_edges.contains(&edge) && self.around_edge(edge).is_empty()
        };
        let joins_bones = |wall: &[u32; 3]| {
            let count = wall.iter().filter(|&&v| on_bone(v)).count();
            count == 3 || (on_bone(apex.vertex) && (count == 2 || wall.iter().any(|&v| is_new_edge(v))))
        };
        let corners = cavity.iter().map(|&t| self.corners(t));
        corners.clone().flatten().all(is_preserved)
            && corners.flat_map(tetrahedron_edges).all(preserves_edge)
            && !walls.iter().any(joins_bones)
    }

    /// Moves the apex of a star to increase its lowest quality, by a pattern search with shrinking steps.
    pub fn smooth(&self, star: &mut Star, mut step: f64, halvings: usize, reach: f64) {
        let origin = star.apex.position;
        let walls: Vec<[DVec3; 3]> = star.walls.iter().map(|&wall| self.positions_of(wall)).collect();
        let least = |position: DVec3, across: f64| {
            let mut least = f64::INFINITY;
            for &[a, b, c] in &walls {
                least = least.min(quality([a, b, c, position]));
                if least <= across {
                    break;
                }
            }
            least
        };
        for _ in 0..halvings {
            for _ in 0..MAX_SMOOTHING_STEPS {
                let mut is_better = false;
                for direction in DIRECTIONS {
                    let position = star.apex.position + direction * step;
                    let found = least(position, star.least);
                    if found > star.least && position.distance(origin) <= reach {
                        star.apex.position = position;
                        star.least = found;
                        is_better = true;
                    }
                }
                if !is_better {
                    break;
                }
            }
            step *= 0.5;
        }
    }

    /// Fills the cavity of a star. Returns false and changes nothing if a mesh point would be outside.
    pub fn fill(&mut self, star: &Star) -> bool {
        let new: Vec<[u32; 4]> = star.walls.iter().map(|&[a, b, c]| [a, b, c, star.apex.vertex]).collect();
        let position = |v: u32| if v == star.apex.vertex { star.apex.position } else { self.positions[v as usize] };
        let mesh_points: Vec<u32> = star.cavity.iter().flat_map(|&t| self.points[t as usize].iter().copied()).collect();
        let mut points = vec![Vec::new(); new.len()];
        for point in mesh_points {
            let lowest_coordinate = |t: &[u32; 4]| {
                barycentric(t.map(position), self.mesh[point as usize]).into_iter().fold(f64::INFINITY, f64::min)
            };
            let best = (0..new.len()).map(|k| (lowest_coordinate(&new[k]), k)).max_by(|a, b| a.0.total_cmp(&b.0));
            match best {
                Some((lowest_coordinate, k)) if lowest_coordinate >= -BARYCENTRIC_TOLERANCE => points[k].push(point),
                _ => return false,
            }
        }
        if star.walls.is_empty() {
            // The vertices behind them are at the surface now.
            star.cavity
                .iter()
                .for_each(|&t| self.corners(t).iter().for_each(|&v| self.roles.is_free[v as usize] = false));
        }
        star.cavity.iter().for_each(|&t| self.remove(t));
        if star.apex.vertex as usize == self.positions.len() {
            self.positions.push(star.apex.position);
            self.around.push(Vec::new());
            self.roles.is_free.push(star.apex.replaced == Replaced::Nothing);
            self.roles.is_fixed.push(false);
            self.roles.is_on_bone.push(false);
        }
        self.positions[star.apex.vertex as usize] = star.apex.position;
        for (corners, points) in new.into_iter().zip(points) {
            self.add(corners, points);
        }
        true
    }

    fn remove(&mut self, tetrahedron: u32) {
        for vertex in self.corners(tetrahedron) {
            self.around[vertex as usize].retain(|&t| t != tetrahedron);
        }
        self.is_live[tetrahedron as usize] = false;
        self.points[tetrahedron as usize].clear();
        self.free_slots.push(tetrahedron);
    }

    fn add(&mut self, corners: [u32; 4], points: Vec<u32>) {
        let t = self.free_slots.pop().unwrap_or_else(|| {
            self.corners.push(corners);
            self.is_live.push(false);
            self.points.push(Vec::new());
            self.corners.len() as u32 - 1
        });
        self.corners[t as usize] = corners;
        self.is_live[t as usize] = true;
        self.points[t as usize] = points;
        corners.iter().for_each(|&v| self.around[v as usize].push(t));
    }

    /// Whether the changed part of the surface intersects the rest.
    pub fn crosses(&self, star: &Star) -> bool {
        let Apex { vertex, position, replaced } = star.apex;
        let open = star.cavity.iter().flat_map(|&t| self.boundary_faces(t));
        let changed: Vec<[u32; 3]> = open.filter(|&face| replaced.is_in(face)).collect();
        let new = |face: [u32; 3]| {
            let moved = move |gone: u32| face.map(|v| if v == gone { vertex } else { v });
            let faces = match replaced {
                Replaced::Nothing => vec![],
                Replaced::Vertex(v) => vec![moved(v)],
                Replaced::Edge(a, b) => vec![moved(a), moved(b)],
            };
            faces.into_iter().filter(|f| f.iter().filter(|&&v| v == vertex).count() == 1)
        };
        let new: Vec<[u32; 3]> = changed.iter().flat_map(|&face| new(face)).collect();
        let at = |v: u32| if v == vertex { position } else { self.positions[v as usize] };
        let others = self.live().flat_map(|t| self.boundary_faces(t)).filter(|face| !changed.contains(face));
        others.into_iter().any(|other| {
            let apart = new.iter().filter(|face| !face.iter().any(|v| other.contains(v)));
            apart.into_iter().any(|face| intersect(face.map(at), self.positions_of(other)))
        })
    }

    /// The neighbours of a vertex along surface edges.
    pub fn surface_neighbors(&self, vertex: u32) -> Vec<u32> {
        let faces =
            self.around(vertex).iter().flat_map(|&t| self.boundary_faces(t)).filter(|face| face.contains(&vertex));
        let mut found: Vec<u32> = faces.flatten().filter(|&v| v != vertex).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The result of improvement, with unused vertices removed.
pub(crate) struct ImprovedMesh {
    pub positions: Vec<DVec3>,
    pub tetrahedra: Vec<[u32; 4]>,
    /// The boundary faces, counterclockwise seen from outside.
    pub surface: Vec<[u32; 3]>,
    /// The tetrahedron that contains each mesh point.
    pub tetrahedron_of: Vec<u32>,
    pub quality: TetrahedraQuality,
    /// The new index of each remaining vertex.
    pub index: Vec<u32>,
}

impl TetrahedralMesh<'_> {
    /// Removes vertices that are neither fixed nor used by a tetrahedron.
    pub fn finish(self) -> ImprovedMesh {
        let is_used = |v: usize| self.roles.is_fixed[v] || !self.around[v].is_empty();
        let remaining: Vec<usize> = (0..self.positions.len()).filter(|&v| is_used(v)).collect();
        let mut index = vec![0; self.positions.len()];
        (0..).zip(&remaining).for_each(|(new, &old)| index[old] = new);
        let numbered = |vertices: [u32; 4]| vertices.map(|v| index[v as usize]);
        let live: Vec<u32> = self.live().collect();
        let mut tetrahedron_of = vec![0; self.mesh.len()];
        for (new, &t) in (0..).zip(&live) {
            self.points[t as usize].iter().for_each(|&point| tetrahedron_of[point as usize] = new);
        }
        let open = live.iter().flat_map(|&t| self.boundary_faces(t));
        let qualities = live.iter().map(|&t| self.quality(t));
        ImprovedMesh {
            surface: open.map(|[a, b, c]| [a, c, b].map(|v| index[v as usize])).collect(),
            quality: TetrahedraQuality {
                least: qualities.clone().fold(1.0, f64::min),
                mean: qualities.clone().sum::<f64>() / live.len().max(1) as f64,
                slivers: qualities.filter(|&quality| quality < SLIVER).count(),
                ..TetrahedraQuality::default()
            },
            tetrahedra: live.iter().map(|&t| numbered(self.corners(t))).collect(),
            positions: remaining.iter().map(|&v| self.positions[v]).collect(),
            tetrahedron_of,
            index,
        }
    }
}

/// The axes and the diagonals of a cube, unit vectors.
const DIRECTIONS: [DVec3; 14] = {
    let d = 0.577_350_269;
    [
        DVec3::X,
        DVec3::NEG_X,
        DVec3::Y,
        DVec3::NEG_Y,
        DVec3::Z,
        DVec3::NEG_Z,
        DVec3::new(d, d, d),
        DVec3::new(-d, -d, -d),
        DVec3::new(d, d, -d),
        DVec3::new(-d, -d, d),
        DVec3::new(d, -d, d),
        DVec3::new(-d, d, -d),
        DVec3::new(-d, d, d),
        DVec3::new(d, -d, -d),
    ]
};

/// Whether a face makes no tetrahedron with an apex because it contains the apex or is replaced by it.
fn has_no_tetrahedron(apex: Apex, face: [u32; 3]) -> bool {
    face.contains(&apex.vertex) || apex.replaced.is_in(face)
}

/// The edges of a tetrahedron, the lower index first.
pub(super) fn tetrahedron_edges([a, b, c, d]: [u32; 4]) -> [(u32, u32); 6] {
    [(a, b), (a, c), (a, d), (b, c), (b, d), (c, d)].map(|(a, b)| (a.min(b), a.max(b)))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::delaunay::Delaunay;
    use super::super::quality::volume;
    use super::*;
    use proptest::prelude::*;

    /// Points in a cube.
    pub fn points() -> impl Strategy<Value = Vec<DVec3>> {
        prop::collection::vec(prop::array::uniform3(0.0..1.0f64).prop_map(DVec3::from), 8..40)
    }

    /// The Delaunay tetrahedra of points that may all be moved.
    pub fn delaunay(positions: &[DVec3]) -> (Vec<[u32; 4]>, VertexRoles) {
        let delaunay = Delaunay::new(positions);
        let all = (0..delaunay.len()).filter_map(|t| delaunay.tetrahedron(t));
        let corners: Vec<[u32; 4]> = all.map(|[a, b, c, d]| [b, a, c, d]).collect();
        let roles = VertexRoles {
            is_free: vec![true; positions.len()],
            is_fixed: vec![false; positions.len()],
            is_on_bone: vec![false; positions.len()],
            bone_edges: HashSet::new(),
        };
        (corners, roles)
    }

    pub fn total_volume(tetrahedra: &TetrahedralMesh<'_>) -> f64 {
        tetrahedra.live().map(|t| volume(tetrahedra.positions_of(tetrahedra.corners(t)))).sum()
    }

    pub fn least_quality(tetrahedra: &TetrahedralMesh<'_>) -> f64 {
        tetrahedra.live().map(|t| tetrahedra.quality(t)).fold(f64::INFINITY, f64::min)
    }

    proptest! {
        /// Under flips, insertions and removals the volume is constant, nothing inverts, and the requested quality is
        /// reached.
        #[test]
        fn cavities_are_filled_exactly(positions in points(), position in prop::array::uniform3(0.0..1.0f64)) {
            let (corners, roles) = delaunay(&positions);
            let mut tetrahedra = TetrahedralMesh::new(positions, roles, corners, &[], &[]);
            let (before, least) = (total_volume(&tetrahedra), least_quality(&tetrahedra));
            let mut count = 0;
            for vertex in 0..tetrahedra.positions.len() as u32 + 1 {
                let position = tetrahedra.positions.get(vertex as usize).copied().unwrap_or(position.into());
                for sliver in tetrahedra.live().collect::<Vec<_>>() {
                    let requested = 1.1 * tetrahedra.quality(sliver).max(1e-3);
                    let apex = Apex { vertex, position, replaced: Replaced::Nothing };
                    let is_there = tetrahedra.is_live(sliver) && vertex as usize <= tetrahedra.positions.len();
                    let star = is_there.then(|| tetrahedra.star(apex, &[sliver], requested)).flatten();
                    if let Some(star) = star.filter(|star| !star.walls.is_empty()) {
                        prop_assert!(star.least >= requested);
                        prop_assert!(tetrahedra.fill(&star));
                        count += 1;
                        prop_assert!((total_volume(&tetrahedra) - before).abs() < 1e-9);
                        prop_assert!(least_quality(&tetrahedra) >= least.min(requested));
                        break;
                    }
                }
            }
            // A run without any operation does not count.
            prop_assume!(count > 0);
        }
    }
}
