//! How do slivers become proper tetrahedra?
//!
//! For each, the worst first, the ways are tried in turn until one leads to tetrahedra that are all good enough:
//! those that keep the vertices first, then those inside, and those that change the surface last. Where none does, the
//! best of all is taken if it makes anything better; the next pass may find more.

use super::cavity::{Apex, Opened, Roles, Star, Tetrahedra, sides};
use super::quality::SLIVER;
use glam::DVec3;

/// The quality that is aimed at.
const GOAL: f64 = 1.2 * SLIVER;

/// How often all that are below the goal are looked at.
const PASSES: usize = 8;

/// How much better tetrahedra have to become where the goal is not reached.
const GAIN: f64 = 1.05;

/// The first step of a vertex that looks for a better place, of the sliver's longest edge, and how often it is halved.
const STEP: f64 = 0.2;
const HALVINGS: usize = 6;

/// How far vertices of the surface may be moved, of the sliver's longest edge.
const REACH: f64 = 0.25;

/// How far from a sliver's plane new vertices begin, of its longest edge.
const HEIGHTS: [f64; 5] = [0.0, 0.2, -0.2, 0.4, -0.4];

/// What can be done about a sliver.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// Other tetrahedra between the same vertices.
    Flip,
    /// A vertex inside is moved.
    Move,
    /// A vertex is put in.
    Insert,
    /// One at the surface without a point of the mesh is taken away.
    Peel,
    /// A vertex of the surface becomes one with another.
    Contract,
    /// A vertex of the surface is moved.
    MoveSurface,
    /// An edge of the surface is split.
    Split,
}

const WAYS: [Way; 7] = [Way::Flip, Way::Move, Way::Insert, Way::Peel, Way::Contract, Way::MoveSurface, Way::Split];

/// Makes tetrahedra below the goal better while that is possible.
pub(crate) fn improve(tetrahedra: &mut Tetrahedra<'_>) {
    for _ in 0..PASSES {
        let of = |t: u32| (tetrahedra.quality(t), tetrahedra.corners(t), t);
        let mut poor: Vec<(f64, [u32; 4], u32)> = tetrahedra.live().map(of).filter(|poor| poor.0 < GOAL).collect();
        poor.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut is_changed = false;
        for (_, corners, t) in poor {
            // What was done for one before may have replaced or improved it.
            let is_there = tetrahedra.is_live(t) && tetrahedra.corners(t) == corners && tetrahedra.quality(t) < GOAL;
            is_changed |= is_there && mend(tetrahedra, t);
        }
        if !is_changed {
            break;
        }
    }
}

/// Replaces a sliver by something better. Says whether it could.
fn mend(tetrahedra: &mut Tetrahedra<'_>, sliver: u32) -> bool {
    let mut partly: Vec<Star> = Vec::new();
    for way in WAYS {
        let mut stars = stars(tetrahedra, sliver, way);
        stars.sort_by(|a, b| b.least.total_cmp(&a.least));
        for star in stars {
            if star.apex.opened != Opened::Nothing && tetrahedra.crosses(&star) {
                continue;
            }
            if star.least < GOAL {
                partly.push(star);
            } else if tetrahedra.fill(&star) {
                return true;
            }
        }
    }
    let worst = |star: &Star| star.cavity.iter().map(|&t| tetrahedra.quality(t)).fold(f64::INFINITY, f64::min);
    partly.retain(|star| star.least > GAIN * worst(star).max(0.0));
    partly.sort_by(|a, b| b.least.total_cmp(&a.least));
    partly.iter().any(|star| tetrahedra.fill(star))
}

/// Looks for what can be done about one sliver.
struct Search<'a, 'b> {
    tetrahedra: &'a Tetrahedra<'b>,
    sliver: u32,
    /// Its longest edge.
    size: f64,
}

/// What a way could replace a sliver by.
fn stars(tetrahedra: &Tetrahedra<'_>, sliver: u32, way: Way) -> Vec<Star> {
    let edges = sides(tetrahedra.corners(sliver)).map(|(a, b)| tetrahedra.places([a, b]));
    let size = edges.iter().map(|[a, b]| a.distance(*b)).fold(0.0, f64::max);
    let search = Search { tetrahedra, sliver, size };
    match way {
        Way::Flip => search.flipped(),
        Way::Move => search.moved(),
        Way::Insert => search.inserted(),
        Way::Peel => search.peeled().into_iter().collect(),
        Way::Contract => search.contracted(),
        Way::MoveSurface => search.moved_on_surface(),
        Way::Split => search.split(),
    }
}

impl Search<'_, '_> {
    /// The best star of a place, in cavities that are grown for different aims; its place is kept.
    fn star(&self, apex: Apex, start: &[u32]) -> Option<Star> {
        let more = GAIN * self.tetrahedra.quality(self.sliver).max(f64::MIN_POSITIVE);
        self.stars(apex, start, more).max_by(|a, b| a.least.total_cmp(&b.least))
    }

    /// The best star with its apex moved to a better place. Its cavity need not be good, or even proper, before.
    fn smoothed(&self, apex: Apex, start: &[u32]) -> Option<Star> {
        let reach = if apex.opened == Opened::Nothing { f64::INFINITY } else { REACH * self.size };
        let smoothed = |mut star: Star| {
            self.tetrahedra.smooth(&mut star, STEP * self.size, HALVINGS, reach);
            star
        };
        self.stars(apex, start, f64::NEG_INFINITY).map(smoothed).max_by(|a, b| a.least.total_cmp(&b.least))
    }

    fn stars(&self, apex: Apex, start: &[u32], lowest: f64) -> impl Iterator<Item = Star> {
        let aims = [2.0 * GOAL, GOAL, 0.1 * GOAL, lowest];
        aims.into_iter().filter_map(move |least| self.tetrahedra.star(apex, start, least))
    }

    fn at(&self, vertex: u32) -> DVec3 {
        self.tetrahedra.positions[vertex as usize]
    }

    fn inner(&self, vertex: u32) -> Apex {
        Apex { vertex, place: self.at(vertex), opened: Opened::Nothing }
    }

    /// The number of a new vertex.
    fn next(&self) -> u32 {
        self.tetrahedra.positions.len() as u32
    }

    /// Corners that are neither free nor held.
    fn on_surface(&self) -> impl Iterator<Item = u32> {
        let Roles { is_free, is_held, .. } = &self.tetrahedra.roles;
        self.tetrahedra.corners(self.sliver).into_iter().filter(|&v| !is_free[v as usize] && !is_held[v as usize])
    }

    /// The corners of the sliver and of those beyond its faces, without double.
    fn near(&self) -> Vec<u32> {
        let faces = self.tetrahedra.faces(self.sliver).into_iter();
        let beyond = faces.filter_map(|face| self.tetrahedra.beyond(self.sliver, face));
        unique(beyond.chain([self.sliver]).flat_map(|t| self.tetrahedra.corners(t)))
    }

    fn near_and_free(&self) -> impl Iterator<Item = u32> {
        self.near().into_iter().filter(|&v| self.tetrahedra.roles.is_free[v as usize])
    }

    /// The tetrahedra around a vertex, and the sliver.
    fn around(&self, vertex: u32) -> Vec<u32> {
        let others = self.tetrahedra.around(vertex).iter().copied().filter(|&t| t != self.sliver);
        others.chain([self.sliver]).collect()
    }

    fn flipped(&self) -> Vec<Star> {
        self.near().into_iter().filter_map(|v| self.star(self.inner(v), &[self.sliver])).collect()
    }

    fn moved(&self) -> Vec<Star> {
        self.near_and_free().filter_map(|v| self.smoothed(self.inner(v), &self.around(v))).collect()
    }

    fn inserted(&self) -> Vec<Star> {
        let corners = self.tetrahedra.corners(self.sliver);
        let normals = self.tetrahedra.faces(self.sliver).map(|face| {
            let [a, b, c] = self.tetrahedra.places(face);
            (b - a).cross(c - a)
        });
        let larger = |a: DVec3, b: DVec3| if b.length_squared() > a.length_squared() { b } else { a };
        let normal = normals.into_iter().fold(DVec3::ZERO, larger).normalize_or_zero();
        let middles = sides(corners).map(|(a, b)| self.at(a).midpoint(self.at(b)));
        let center = self.tetrahedra.places(corners).iter().sum::<DVec3>() / 4.0;
        let seeds = middles.into_iter().chain([center]);
        let places = seeds.flat_map(|seed| HEIGHTS.map(|height| seed + normal * (height * self.size)));
        let apex = |place: DVec3| Apex { vertex: self.next(), place, opened: Opened::Nothing };
        places.filter_map(|place| self.smoothed(apex(place), &[self.sliver])).collect()
    }

    /// Leaves the sliver out, if it is at the surface and that stays a manifold.
    fn peeled(&self) -> Option<Star> {
        let Self { tetrahedra, sliver, .. } = *self;
        let corners = tetrahedra.corners(sliver);
        let open: Vec<[u32; 3]> = tetrahedra.open_faces(sliver).collect();
        let (common, others): (Vec<u32>, Vec<u32>) =
            corners.into_iter().partition(|v| open.iter().all(|face| face.contains(v)));
        let is_fine = match (&common[..], &others[..]) {
            // One face: the corner opposite comes to the surface.
            ([_, _, _], &[inner]) => tetrahedra.surface_neighbors(inner).is_empty(),
            // Two faces: their common edge gives way to the one opposite.
            ([_, _], &[c, d]) => !tetrahedra.surface_neighbors(c).contains(&d),
            // Three faces: the tip between them is cut off.
            (&[tip], _) => !tetrahedra.roles.is_held[tip as usize],
            _ => false,
        };
        let apex = self.inner(corners[0]);
        is_fine.then(|| Star { apex, cavity: vec![sliver], walls: Vec::new(), least: 1.0 })
    }

    fn contracted(&self) -> Vec<Star> {
        let on_surface = |v: u32| {
            let around = self.tetrahedra.surface_neighbors(v);
            let onto = move |&w: &u32| {
                // With more than two neighbours in common the surface would touch itself.
                let of_other = self.tetrahedra.surface_neighbors(w);
                let common = around.iter().filter(|n| of_other.contains(n)).count();
                let apex = Apex { opened: Opened::Vertex(v), ..self.inner(w) };
                (common == 2).then(|| self.star(apex, &self.around(v))).flatten()
            };
            self.tetrahedra.surface_neighbors(v).iter().filter_map(onto).collect::<Vec<_>>()
        };
        let inside = |v: u32| {
            let corners = self.tetrahedra.around(v).iter().flat_map(|&t| self.tetrahedra.corners(t));
            let others = unique(corners).into_iter().filter(move |&w| w != v);
            others.filter_map(|w| self.star(self.inner(w), &self.around(v))).collect::<Vec<_>>()
        };
        self.on_surface().flat_map(on_surface).chain(self.near_and_free().flat_map(inside)).collect()
    }

    fn moved_on_surface(&self) -> Vec<Star> {
        let moved = |v: u32| {
            let apex = Apex { opened: Opened::Vertex(v), ..self.inner(v) };
            self.smoothed(apex, self.tetrahedra.around(v))
        };
        self.on_surface().filter_map(moved).collect()
    }

    fn split(&self) -> Vec<Star> {
        let edges = self.tetrahedra.open_faces(self.sliver).flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)]);
        let split = |(a, b): (u32, u32)| {
            let place = self.at(a).midpoint(self.at(b));
            let apex = Apex { vertex: self.next(), place, opened: Opened::Edge(a, b) };
            self.smoothed(apex, &self.tetrahedra.around_edge((a, b)))
        };
        edges.filter_map(split).collect()
    }
}

fn unique(vertices: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = vertices.collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::super::barycentric::barycentric;
    use super::super::cavity::tests::{delaunay, least_quality, points};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Nothing is turned over, the least quality does not fall, points stay in tetrahedra, and the result is always
        /// the same.
        #[test]
        fn tetrahedra_become_better(positions in points()) {
            let (corners, roles) = delaunay(&positions);
            let center = |t: &[u32; 4]| t.iter().map(|&v| positions[v as usize]).sum::<DVec3>() / 4.0;
            let mesh: Vec<DVec3> = corners.iter().map(center).collect();
            let tetrahedron_of: Vec<u32> = (0..corners.len() as u32).collect();
            let run = || {
                let roles = roles.clone();
                let mut tetrahedra =
                    Tetrahedra::new(positions.clone(), roles, corners.clone(), &mesh, &tetrahedron_of);
                let before = least_quality(&tetrahedra);
                improve(&mut tetrahedra);
                (before, least_quality(&tetrahedra), tetrahedra.finish())
            };
            let (before, after, finished) = run();
            prop_assert!(after > 0.0 && after >= before.min(GOAL), "{before} became {after}");
            for (point, &t) in mesh.iter().zip(&finished.tetrahedron_of) {
                let corners = finished.tetrahedra[t as usize].map(|v| finished.positions[v as usize]);
                prop_assert!(barycentric(corners, *point).iter().all(|&share| share > -1e-9));
            }
            let again = run().2;
            prop_assert_eq!(finished.positions, again.positions);
            prop_assert_eq!(finished.tetrahedra, again.tetrahedra);
        }
    }
}
