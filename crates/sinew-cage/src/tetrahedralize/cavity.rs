//! Which tetrahedra make room for others that fill the same place better?
//!
//! A cavity of some tetrahedra is filled anew by tetrahedra from one point, the apex, to its walls. As volumes with
//! signs, they add up to the cavity's volume wherever the apex is; so if none is turned over they fill it exactly. Every
//! operation that is usual for better tetrahedra is of that kind: an apex that is a vertex of the cavity makes flips and
//! contracts edges, one that is moved with all tetrahedra around it is smoothed, and a new one is inserted (B. Klingner,
//! J. Shewchuk, *Aggressive tetrahedral mesh improvement*, 2007). A cavity grows over every wall that would make a
//! tetrahedron less good than is asked for. Where the apex is on the surface, that goes through it instead of what it
//! opens.

use super::barycentric::barycentric;
use super::delaunay::FACES;
use super::quality::{SLIVER, TetrahedraQuality, quality};
use glam::DVec3;
use sinew_geometry::intersect;
use std::collections::HashSet;

/// Tetrahedra of a cavity at most.
const LARGEST: usize = 80;

/// Steps of one length at most that an apex makes to a better place.
const STEPS: usize = 3;

/// How far outside a tetrahedron a point of the mesh may be by rounding, in shares.
const ROUNDING: f64 = 1e-10;

/// What every vertex is, and must stay.
#[derive(Clone)]
pub(crate) struct Roles {
    /// Whether a vertex may be moved, or left out; not at the surface.
    pub is_free: Vec<bool>,
    /// Whether it must stay where it is. What is neither is on the surface.
    pub is_held: Vec<bool>,
    /// Whether it is on a bone.
    pub is_on_bone: Vec<bool>,
    /// Edges along bones, the lower end first.
    pub along: HashSet<(u32, u32)>,
}

/// Tetrahedra that can be replaced, and the points of a mesh in them.
pub(crate) struct Tetrahedra<'a> {
    pub positions: Vec<DVec3>,
    pub roles: Roles,
    corners: Vec<[u32; 4]>,
    is_live: Vec<bool>,
    unused: Vec<u32>,
    /// Those at each vertex.
    around: Vec<Vec<u32>>,
    mesh: &'a [DVec3],
    /// Vertices of the mesh in each.
    points: Vec<Vec<u32>>,
}

/// Where tetrahedra of a cavity come together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Apex {
    /// A vertex, or the number of the next one.
    pub vertex: u32,
    pub place: DVec3,
    pub opened: Opened,
}

/// What of the surface gives way to an apex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Opened {
    Nothing,
    Vertex(u32),
    Edge(u32, u32),
}

impl Opened {
    fn is_in(self, face: [u32; 3]) -> bool {
        match self {
            Self::Nothing => false,
            Self::Vertex(v) => face.contains(&v),
            Self::Edge(a, b) => face.contains(&a) && face.contains(&b),
        }
    }
}

/// A cavity, and the walls that an apex fills it from.
#[derive(Debug, Clone)]
pub(crate) struct Star {
    pub apex: Apex,
    pub cavity: Vec<u32>,
    pub walls: Vec<[u32; 3]>,
    /// The least quality of the new tetrahedra.
    pub least: f64,
}

impl<'a> Tetrahedra<'a> {
    /// `tetrahedron_of` tells the tetrahedron that each point of the mesh is in.
    pub fn new(
        positions: Vec<DVec3>,
        roles: Roles,
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
        let mut tetrahedra = Self { positions, roles, corners, is_live, unused: Vec::new(), around, mesh, points };
        let open: Vec<[u32; 3]> = tetrahedra.live().flat_map(|t| tetrahedra.open_faces(t)).collect();
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

    pub fn places<const N: usize>(&self, vertices: [u32; N]) -> [DVec3; N] {
        vertices.map(|v| self.positions[v as usize])
    }

    pub fn quality(&self, tetrahedron: u32) -> f64 {
        quality(self.places(self.corners(tetrahedron)))
    }

    /// Those that an edge is a side of.
    pub fn around_edge(&self, (a, b): (u32, u32)) -> Vec<u32> {
        self.around(a).iter().copied().filter(|&t| self.corners(t).contains(&b)).collect()
    }

    /// The faces of a tetrahedron, of positive volumes with what is inside.
    pub fn faces(&self, tetrahedron: u32) -> [[u32; 3]; 4] {
        let corners = self.corners(tetrahedron);
        FACES.map(|face| face.map(|k| corners[k]))
    }

    /// The tetrahedron on the other side of a face; none at the surface.
    pub fn beyond(&self, tetrahedron: u32, [a, b, c]: [u32; 3]) -> Option<u32> {
        let has = |t: u32| t != tetrahedron && [b, c].iter().all(|v| self.corners(t).contains(v));
        self.around(a).iter().copied().find(|&t| has(t))
    }

    pub fn open_faces(&self, tetrahedron: u32) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.faces(tetrahedron).into_iter().filter(move |&face| self.beyond(tetrahedron, face).is_none())
    }

    /// Grows a cavity from some tetrahedra until all that an apex fills it with are at least of a quality. None where
    /// the surface or something that must be kept is in the way.
    pub fn star(&self, apex: Apex, start: &[u32], least: f64) -> Option<Star> {
        let mut cavity = start.to_vec();
        let mut next = 0;
        while let Some(&t) = cavity.get(next) {
            next += 1;
            for face in self.faces(t) {
                if is_apart(apex, face) || self.seen(apex, face) >= least {
                    continue;
                }
                match self.beyond(t, face) {
                    Some(beyond) if cavity.contains(&beyond) => {}
                    Some(beyond) if cavity.len() < LARGEST => cavity.push(beyond),
                    _ => return None,
                }
            }
        }
        let is_wall = |&(t, face): &(u32, [u32; 3])| {
            !is_apart(apex, face) && self.beyond(t, face).is_none_or(|beyond| !cavity.contains(&beyond))
        };
        let faces = cavity.iter().flat_map(|&t| self.faces(t).map(|face| (t, face)));
        let walls: Vec<[u32; 3]> = faces.filter(is_wall).map(|(_, face)| face).collect();
        let least = walls.iter().map(|&face| self.seen(apex, face)).fold(f64::INFINITY, f64::min);
        let star = Star { apex, cavity, walls, least };
        self.keeps(&star).then_some(star)
    }

    fn seen(&self, apex: Apex, face: [u32; 3]) -> f64 {
        let [a, b, c] = self.places(face);
        quality([a, b, c, apex.place])
    }

    /// Whether what must stay does: vertices that are not free, edges along bones, and room between bones.
    fn keeps(&self, star: &Star) -> bool {
        let Star { apex, cavity, walls, .. } = star;
        let has = |v: u32| v == apex.vertex || walls.iter().any(|wall| wall.contains(&v));
        let may_go = |v: u32| {
            self.roles.is_free[v as usize] || apex.opened == Opened::Vertex(v) && !self.roles.is_held[v as usize]
        };
        let is_kept = |v: u32| has(v) || may_go(v);
        let keeps_edge = |(a, b): (u32, u32)| {
            let is_there = || walls.iter().any(|w| w.contains(&a) && w.contains(&b));
            !self.roles.along.contains(&(a, b)) || a == apex.vertex || b == apex.vertex || is_there()
        };
        let on_bone = |v: u32| self.roles.is_on_bone.get(v as usize).copied().unwrap_or(false);
        let is_new_edge = |v: u32| {
            let edge = (v.min(apex.vertex), v.max(apex.vertex));
            on_bone(v) && !self.roles.along.contains(&edge) && self.around_edge(edge).is_empty()
        };
        let crowds = |wall: &[u32; 3]| {
            let count = wall.iter().filter(|&&v| on_bone(v)).count();
            count == 3 || (on_bone(apex.vertex) && (count == 2 || wall.iter().any(|&v| is_new_edge(v))))
        };
        let corners = cavity.iter().map(|&t| self.corners(t));
        corners.clone().flatten().all(is_kept) && corners.flat_map(sides).all(keeps_edge) && !walls.iter().any(crowds)
    }

    /// Moves the apex of a star to where the least quality is larger, by steps that become shorter.
    pub fn smooth(&self, star: &mut Star, mut step: f64, halvings: usize, reach: f64) {
        let origin = star.apex.place;
        let walls: Vec<[DVec3; 3]> = star.walls.iter().map(|&wall| self.places(wall)).collect();
        let least = |place: DVec3, beyond: f64| {
            let mut least = f64::INFINITY;
            for &[a, b, c] in &walls {
                least = least.min(quality([a, b, c, place]));
                if least <= beyond {
                    break;
                }
            }
            least
        };
        for _ in 0..halvings {
            for _ in 0..STEPS {
                let mut is_better = false;
                for direction in DIRECTIONS {
                    let place = star.apex.place + direction * step;
                    let found = least(place, star.least);
                    if found > star.least && place.distance(origin) <= reach {
                        star.apex.place = place;
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

    /// Fills the cavity of a star. False, and nothing is changed, if points of the mesh would be left out.
    pub fn fill(&mut self, star: &Star) -> bool {
        let new: Vec<[u32; 4]> = star.walls.iter().map(|&[a, b, c]| [a, b, c, star.apex.vertex]).collect();
        let place = |v: u32| if v == star.apex.vertex { star.apex.place } else { self.positions[v as usize] };
        let held: Vec<u32> = star.cavity.iter().flat_map(|&t| self.points[t as usize].iter().copied()).collect();
        let mut points = vec![Vec::new(); new.len()];
        for point in held {
            let depth = |t: &[u32; 4]| {
                barycentric(t.map(place), self.mesh[point as usize]).into_iter().fold(f64::INFINITY, f64::min)
            };
            let deepest = (0..new.len()).map(|k| (depth(&new[k]), k)).max_by(|a, b| a.0.total_cmp(&b.0));
            match deepest {
                Some((depth, k)) if depth >= -ROUNDING => points[k].push(point),
                _ => return false,
            }
        }
        if star.walls.is_empty() {
            // What was behind them is at the surface now.
            star.cavity
                .iter()
                .for_each(|&t| self.corners(t).iter().for_each(|&v| self.roles.is_free[v as usize] = false));
        }
        star.cavity.iter().for_each(|&t| self.take(t));
        if star.apex.vertex as usize == self.positions.len() {
            self.positions.push(star.apex.place);
            self.around.push(Vec::new());
            self.roles.is_free.push(star.apex.opened == Opened::Nothing);
            self.roles.is_held.push(false);
            self.roles.is_on_bone.push(false);
        }
        self.positions[star.apex.vertex as usize] = star.apex.place;
        for (corners, points) in new.into_iter().zip(points) {
            self.put(corners, points);
        }
        true
    }

    fn take(&mut self, tetrahedron: u32) {
        for vertex in self.corners(tetrahedron) {
            self.around[vertex as usize].retain(|&t| t != tetrahedron);
        }
        self.is_live[tetrahedron as usize] = false;
        self.points[tetrahedron as usize].clear();
        self.unused.push(tetrahedron);
    }

    fn put(&mut self, corners: [u32; 4], points: Vec<u32>) {
        let t = self.unused.pop().unwrap_or_else(|| {
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

    /// Whether the surface, where a star changes it, passes through another part of it.
    pub fn crosses(&self, star: &Star) -> bool {
        let Apex { vertex, place, opened } = star.apex;
        let open = star.cavity.iter().flat_map(|&t| self.open_faces(t));
        let changed: Vec<[u32; 3]> = open.filter(|&face| opened.is_in(face)).collect();
        let new = |face: [u32; 3]| {
            let moved = move |gone: u32| face.map(|v| if v == gone { vertex } else { v });
            let faces = match opened {
                Opened::Nothing => vec![],
                Opened::Vertex(v) => vec![moved(v)],
                Opened::Edge(a, b) => vec![moved(a), moved(b)],
            };
            faces.into_iter().filter(|f| f.iter().filter(|&&v| v == vertex).count() == 1)
        };
        let new: Vec<[u32; 3]> = changed.iter().flat_map(|&face| new(face)).collect();
        let at = |v: u32| if v == vertex { place } else { self.positions[v as usize] };
        let others = self.live().flat_map(|t| self.open_faces(t)).filter(|face| !changed.contains(face));
        others.into_iter().any(|other| {
            let apart = new.iter().filter(|face| !face.iter().any(|v| other.contains(v)));
            apart.into_iter().any(|face| intersect(face.map(at), self.places(other)))
        })
    }

    /// Vertices that an edge of the surface leads to.
    pub fn surface_neighbors(&self, vertex: u32) -> Vec<u32> {
        let faces = self.around(vertex).iter().flat_map(|&t| self.open_faces(t)).filter(|face| face.contains(&vertex));
        let mut found: Vec<u32> = faces.flatten().filter(|&v| v != vertex).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Tetrahedra that are as good as they become.
pub(crate) struct Finished {
    pub positions: Vec<DVec3>,
    pub tetrahedra: Vec<[u32; 4]>,
    /// Their faces that are open, counterclockwise seen from outside.
    pub surface: Vec<[u32; 3]>,
    /// For each point of the mesh the tetrahedron it is in.
    pub tetrahedron_of: Vec<u32>,
    pub quality: TetrahedraQuality,
    /// The new number of each vertex that is left.
    pub number: Vec<u32>,
}

impl Tetrahedra<'_> {
    /// Everything without vertices that are not held and that no tetrahedron has any more.
    pub fn finish(self) -> Finished {
        let is_left = |v: usize| self.roles.is_held[v] || !self.around[v].is_empty();
        let left: Vec<usize> = (0..self.positions.len()).filter(|&v| is_left(v)).collect();
        let mut number = vec![0; self.positions.len()];
        (0..).zip(&left).for_each(|(new, &old)| number[old] = new);
        let numbered = |vertices: [u32; 4]| vertices.map(|v| number[v as usize]);
        let live: Vec<u32> = self.live().collect();
        let mut tetrahedron_of = vec![0; self.mesh.len()];
        for (new, &t) in (0..).zip(&live) {
            self.points[t as usize].iter().for_each(|&point| tetrahedron_of[point as usize] = new);
        }
        let open = live.iter().flat_map(|&t| self.open_faces(t));
        let qualities = live.iter().map(|&t| self.quality(t));
        Finished {
            surface: open.map(|[a, b, c]| [a, c, b].map(|v| number[v as usize])).collect(),
            quality: TetrahedraQuality {
                least: qualities.clone().fold(1.0, f64::min),
                mean: qualities.clone().sum::<f64>() / live.len().max(1) as f64,
                slivers: qualities.filter(|&quality| quality < SLIVER).count(),
                ..TetrahedraQuality::default()
            },
            tetrahedra: live.iter().map(|&t| numbered(self.corners(t))).collect(),
            positions: left.iter().map(|&v| self.positions[v]).collect(),
            tetrahedron_of,
            number,
        }
    }
}

/// Along the axes and the diagonals.
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

/// Whether a face would make no tetrahedron with an apex, as it has it already or gives way to it.
fn is_apart(apex: Apex, face: [u32; 3]) -> bool {
    face.contains(&apex.vertex) || apex.opened.is_in(face)
}

/// The edges of a tetrahedron, the lower end first.
pub(super) fn sides([a, b, c, d]: [u32; 4]) -> [(u32, u32); 6] {
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
    pub fn delaunay(positions: &[DVec3]) -> (Vec<[u32; 4]>, Roles) {
        let delaunay = Delaunay::new(positions);
        let all = (0..delaunay.len()).filter_map(|t| delaunay.tetrahedron(t));
        let corners: Vec<[u32; 4]> = all.map(|[a, b, c, d]| [b, a, c, d]).collect();
        let roles = Roles {
            is_free: vec![true; positions.len()],
            is_held: vec![false; positions.len()],
            is_on_bone: vec![false; positions.len()],
            along: HashSet::new(),
        };
        (corners, roles)
    }

    pub fn total_volume(tetrahedra: &Tetrahedra<'_>) -> f64 {
        tetrahedra.live().map(|t| volume(tetrahedra.places(tetrahedra.corners(t)))).sum()
    }

    pub fn least_quality(tetrahedra: &Tetrahedra<'_>) -> f64 {
        tetrahedra.live().map(|t| tetrahedra.quality(t)).fold(f64::INFINITY, f64::min)
    }

    proptest! {
        /// Two tetrahedra become three, three two, vertices are put in and taken out: the volume stays, nothing is
        /// turned over, and what was asked for is kept.
        #[test]
        fn cavities_are_filled_exactly(positions in points(), place in prop::array::uniform3(0.0..1.0f64)) {
            let (corners, roles) = delaunay(&positions);
            let mut tetrahedra = Tetrahedra::new(positions, roles, corners, &[], &[]);
            let (before, least) = (total_volume(&tetrahedra), least_quality(&tetrahedra));
            let mut count = 0;
            for vertex in 0..tetrahedra.positions.len() as u32 + 1 {
                let place = tetrahedra.positions.get(vertex as usize).copied().unwrap_or(place.into());
                for sliver in tetrahedra.live().collect::<Vec<_>>() {
                    let asked = 1.1 * tetrahedra.quality(sliver).max(1e-3);
                    let apex = Apex { vertex, place, opened: Opened::Nothing };
                    let is_there = tetrahedra.is_live(sliver) && vertex as usize <= tetrahedra.positions.len();
                    let star = is_there.then(|| tetrahedra.star(apex, &[sliver], asked)).flatten();
                    if let Some(star) = star.filter(|star| !star.walls.is_empty()) {
                        prop_assert!(star.least >= asked);
                        prop_assert!(tetrahedra.fill(&star));
                        count += 1;
                        prop_assert!((total_volume(&tetrahedra) - before).abs() < 1e-9);
                        prop_assert!(least_quality(&tetrahedra) >= least.min(asked));
                        break;
                    }
                }
            }
            // A few points may leave none; a run in which all do is refused.
            prop_assume!(count > 0);
        }
    }
}
