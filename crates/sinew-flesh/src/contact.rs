//! Contact between any two parts of the flesh.
//!
//! Near a point of the skin, the nearest skin that faces it is what it meets: so two sides of a fold stay apart down to
//! its bottom, where they lie in the same tetrahedra. A point that is deeper in another part is taken back to the rest
//! pose by its place in the tetrahedron there, where the nearest point of the skin is found, and with it the depth. So a
//! contact needs no history: it depends on the pose alone, however fast it was reached (McAdams et al. 2011). Contacts
//! begin at a distance, the *gap*, with a force of zero.
//!
//! Looked at are points of the skin as dense as tetrahedra can tell apart, and the middles of its long edges; those in one
//! tetrahedron together, since most of them have nothing near that could face or hold them. Those that move with one
//! *part*, such as the flesh of a joint, meet other parts only: lips and fingers that one joint moves stay as they are.
//! So do lips that two joints move alike. Of two parts that differ in thickness the points of the thinner one are pushed
//! out of the thicker one, and not the other way: a point of a thigh in a thumb may be nearer to the thumb's far side.

use crate::{Body, FleshPoint};
use glam::{DVec3, Vec3};
use sinew_geometry::parallel::*;
use sinew_geometry::{ClosestSurface, Face, Hit, NormalCones, Rows, TetrahedronTree};
use std::f64::consts::FRAC_PI_2;

/// Contacts are prepared up to so many gaps away, since the flesh moves between two searches.
const BAND: f64 = 4.0;

/// One over the cosine from which on two parts that face each other have a contact in full.
const FACING: f64 = 2.0;

/// The gap of a part, as a share of the point's own, from which on points meet it, and from which on in full.
const THINNER: [f64; 2] = [0.25, 0.5];

/// The cosine from which on two points face each other at rest: fingers do, an armpit with the arm held out does not.
const OPPOSITE: f64 = 0.3;

/// The share of weights that two points do not have in common from which on they meet although they were near at rest, and
/// from which on in full: lips, which the neck moves a little, stay as they are. With contacts at the corners of the mouth
/// MakeHuman's head jumps in 16 of 110 intervals of golf swing 64_01, and in none with this.
const TOGETHER: [f64; 2] = [0.2, 0.5];

/// The depth, in gaps, from which on a contact pushes no harder. Arms that are crossed on a way through each other have
/// 799 crossings and torn hands without such a limit, 324 with this one and 347 with a third of it; the knee, bent by
/// 130°, has none without a limit and with this one, and 2 with a third of it.
const FULL_AT: f64 = 0.3;

/// The spring against sliding, in those of contacts. It holds what touches until the next search, so that skin pressed
/// against skin creeps instead of slipping off: the back of MakeHuman's knee, bent by 130°, has 0 to 72 crossings without,
/// depending on where its skin is looked at, and 0 to 2 with a third of this up to three times as much.
const FRICTION: f64 = 0.03;

/// The nodes of a contact: of the two ends of an edge, and of the three corners of a triangle across.
const NODES: usize = 20;

/// The distance of points that are looked at, in edges of their tetrahedra, which can hardly tell nearer ones apart.
/// With all points a search in boxing takes three times as long and has as many crossings.
const SPACING: f64 = 0.3;

/// The same where skin faces skin at rest, and so has no gap to spare.
const FACED_SPACING: f64 = 0.1;

/// The cosine of normals from which on one point stands for another.
const ALIKE: f64 = 0.5;

/// Where an edge of the skin is longer than this share of the tetrahedra's, its middle is looked at, too: triangles would
/// cross between their corners. Boxing has up to 427 crossings of hands and arms without and 182 with it.
const LONG_EDGE: f64 = 0.5;

/// A spring that keeps a point of the flesh on one side of another: `½ k d²` with `d = max(0, g − n · Σ bᵢ xᵢ)`, and from a
/// depth on `k d₁ (d − ½ d₁)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The nodes that hold the point, then those that hold the point across.
    pub nodes: [u32; NODES],
    /// Their shares: positive sums to one for the point, negative ones for the point across.
    pub shares: [f64; NODES],
    /// The direction in which the point is kept from the other.
    pub normal: DVec3,
    /// The least distance.
    pub gap: f64,
    /// The spring's constant.
    pub stiffness: f64,
    /// The depth from which on the force does not grow, so that flesh gives way where bones cross instead of tearing.
    pub full_at: f64,
    /// Where the point was from the one across when the two met.
    pub met: DVec3,
    /// The constant of the spring that keeps the two from sliding on each other.
    pub friction: f64,
}

impl Contact {
    /// Where the point is from the one across.
    fn apart(&self, nodes: &[DVec3]) -> DVec3 {
        self.nodes.iter().zip(self.shares).map(|(&node, share)| share * nodes[node as usize]).sum()
    }

    /// How far the point is from where it must be; not positive where it is free.
    fn depth(&self, nodes: &[DVec3]) -> f64 {
        self.gap - self.normal.dot(self.apart(nodes))
    }

    /// The energy; its derivative is added to a gradient.
    pub(crate) fn energy(&self, nodes: &[DVec3], gradient: &mut [DVec3]) -> f64 {
        let apart = self.apart(nodes);
        let depth = (self.gap - self.normal.dot(apart)).max(0.0);
        if depth == 0.0 && self.friction == 0.0 {
            return 0.0;
        }
        let pushed = depth.min(self.full_at);
        let slid = (apart - self.met).reject_from_normalized(self.normal);
        let force = self.friction * slid - self.stiffness * pushed * self.normal;
        self.nodes.iter().zip(self.shares).for_each(|(&node, share)| gradient[node as usize] += share * force);
        self.stiffness * pushed * (depth - 0.5 * pushed) + 0.5 * self.friction * slid.length_squared()
    }
}

/// Probes that a thread looks at one after another: as many as a word has bits. Not tuned.
const BLOCK: usize = 64;

/// The contacts of a body, pose after pose.
#[derive(Debug)]
pub struct ContactSearch {
    /// The tetrahedra, and the part of each.
    tree: TetrahedronTree,
    part_of: Vec<u32>,
    /// Those of one tetrahedron next to each other.
    probes: Vec<Probe>,
    rest: ClosestSurface,
    present: ClosestSurface,
    cones: NormalCones,
    /// The triangles of the skin, and those around each of its points.
    triangles: Vec<[u32; 3]>,
    around: Rows<u32>,
    rest_normals: Vec<DVec3>,
    gaps: Vec<f64>,
    rest_points: Vec<DVec3>,
    influences: Rows<(u32, f64)>,
    /// By triangle and by point.
    areas: Vec<DVec3>,
    normals: Vec<DVec3>,
    /// Where each probe is with its normal, and what it meets there.
    places: Vec<(DVec3, DVec3)>,
    found: Vec<Option<Meeting>>,
}

/// A point of the skin at rest.
#[derive(Debug, Clone, Copy)]
struct SkinPoint {
    vertices: [u32; 3],
    shares: [f64; 3],
    place: DVec3,
}

impl SkinPoint {
    /// A value at the point, from those at the corners.
    fn interpolate<T: std::ops::Mul<f64, Output = T> + std::iter::Sum>(&self, value: impl Fn(usize) -> T) -> T {
        self.vertices.iter().zip(self.shares).map(|(&v, share)| value(v as usize) * share).sum()
    }
}

/// What a probe meets.
#[derive(Debug, Clone, Copy)]
struct Meeting {
    across: SkinPoint,
    normal: DVec3,
    /// How much nearer than the gap the two are; negative where they are farther.
    depth: f64,
    stiffness: f64,
}

/// A point of the skin, or the middle of an edge.
#[derive(Debug, Clone, Copy)]
struct Probe {
    /// The edge's ends; a point of the skin twice.
    ends: [u32; 2],
    /// The tetrahedron of the first.
    home: u32,
    /// The place and the normal at rest.
    place: DVec3,
    normal: DVec3,
    /// The distance to keep; less between parts that were nearer at rest.
    gap: f64,
    stiffness: f64,
    /// The part that it moves with, if it is only one.
    part: Option<u32>,
    /// The distance at rest of other skin that faces it; infinite where none does from near.
    faced_from: f64,
}

/// What contacts need to know of the skin at rest.
#[derive(Debug, Clone, Copy)]
pub struct ContactSkin<'a> {
    /// Its points.
    pub points: &'a [DVec3],
    /// Their normals.
    pub normals: &'a [DVec3],
    /// Its faces.
    pub faces: &'a [Face],
    /// The faces that are seen: the same, or larger ones that they divide.
    pub seen_faces: &'a [Face],
    /// The distance to keep at each point.
    pub gaps: &'a [f64],
    /// The stiffness of contacts at each point.
    pub stiffness: &'a [f64],
    /// The part that each point moves with, if it is only one.
    pub parts: &'a [Option<u32>],
    /// The joints that move each point, with weights that sum to one.
    pub influences: &'a Rows<(u32, f64)>,
}

impl ContactSkin<'_> {
    /// Points some way apart, then the middles of edges that are long beside their tetrahedra.
    fn probes(&self, body: &Body, rest: &ClosestSurface) -> Vec<Probe> {
        let length = |&[a, b]: &[u32; 2]| self.points[a as usize].distance(self.points[b as usize]);
        let mut edges = edges_of(self.faces);
        let (kept, mut stiffness) = self.spread(body, &edges, rest);
        let points = kept.into_iter().map(|v| [v, v]);
        let is_long = |edge: &[u32; 2]| length(edge) > LONG_EDGE * cell(body, edge[0]).min(cell(body, edge[1]));
        edges.extend(edges_of(self.seen_faces));
        edges.sort_unstable();
        edges.dedup();
        edges.retain(is_long);
        // What a point stands for is divided among it and the middles of its edges, each of which two points divide.
        let mut middles = vec![0.0; self.points.len()];
        edges.iter().flatten().for_each(|&v| middles[v as usize] += 1.0);
        stiffness.iter_mut().zip(&middles).for_each(|(stiffness, middles)| *stiffness *= 2.0 / (middles + 2.0));
        let all: Vec<[u32; 2]> = points.chain(edges.iter().copied()).collect();
        let mut probes: Vec<Probe> = all.par_iter().map(|&ends| self.probe(ends, &stiffness, body, rest)).collect();
        probes.sort_by_key(|probe| (probe.home, probe.part));
        probes
    }

    /// Points of the skin that stand for those around them, as dense as the tetrahedra can tell apart, and the
    /// stiffness that each gathers. They are denser where skin faces skin of another part at rest.
    fn spread(&self, body: &Body, edges: &[[u32; 2]], rest: &ClosestSurface) -> (Vec<u32>, Vec<f64>) {
        let count = self.points.len();
        let point = |v: usize| (self.points[v], self.normals[v]);
        let is_faced = |v: usize| self.faced_from(point(v), self.parts[v], BAND * self.gaps[v], rest).is_finite();
        let faced: Vec<bool> = (0..count).into_par_iter().map(is_faced).collect();
        let mut neighbors = vec![Vec::new(); count];
        for &[a, b] in edges {
            neighbors[a as usize].push(b);
            neighbors[b as usize].push(a);
        }
        let (mut kept, mut stiffness, mut stood_for) = (Vec::new(), self.stiffness.to_vec(), vec![false; count]);
        let mut front = Vec::new();
        for first in 0..count as u32 {
            if stood_for[first as usize] {
                continue;
            }
            stood_for[first as usize] = true;
            kept.push(first);
            let reach = if faced[first as usize] { FACED_SPACING } else { SPACING } * cell(body, first);
            front.push(first);
            while let Some(v) = front.pop() {
                for &next in &neighbors[v as usize] {
                    let (from, to) = (first as usize, next as usize);
                    let is_near = self.points[from].distance(self.points[to]) < reach;
                    let is_alike = faced[from] == faced[to] && self.normals[from].dot(self.normals[to]) > ALIKE;
                    if !stood_for[to] && is_near && is_alike {
                        stood_for[to] = true;
                        stiffness[from] += self.stiffness[to];
                        front.push(next);
                    }
                }
            }
        }
        (kept, stiffness)
    }

    /// The distance of skin of other parts that faces a point at rest; infinite where none does within another.
    fn faced_from(
        &self,
        (place, normal): (DVec3, DVec3),
        part: Option<u32>,
        within: f64,
        rest: &ClosestSurface,
    ) -> f64 {
        let is_own = |hit: &Hit| part.is_some() && hit.vertices.iter().all(|&w| self.parts[w as usize] == part);
        let is_opposite = |hit: &Hit| {
            let is_ahead = normal.dot(hit.point - place) > OPPOSITE * hit.distance;
            is_ahead && hit.interpolate(|w| self.normals[w]).dot(normal) < -OPPOSITE && !is_own(hit)
        };
        rest.nearest_where(place, within, is_opposite).map_or(f64::INFINITY, |hit| hit.distance)
    }

    fn probe(&self, ends: [u32; 2], stiffness: &[f64], body: &Body, rest: &ClosestSurface) -> Probe {
        let [a, b] = ends.map(|v| v as usize);
        let mean = |values: &[f64]| 0.5 * (values[a] + values[b]);
        let place = 0.5 * (self.points[a] + self.points[b]);
        let normal = (self.normals[a] + self.normals[b]).normalize_or_zero();
        let gap = mean(self.gaps);
        let point = (place, normal);
        let part = self.parts[a].filter(|_| self.parts[a] == self.parts[b]);
        let faced_from = self.faced_from(point, part, 2.0 * cell(body, ends[0]), rest);
        let home = body.skin[a].tetrahedron;
        Probe { ends, home, place, normal, gap, stiffness: mean(stiffness), part, faced_from }
    }
}

impl ContactSearch {
    /// Prepares the contacts of a skin. `part_of` has the part of each tetrahedron.
    pub fn new(body: &Body, skin: &ContactSkin<'_>, part_of: &[u32]) -> Self {
        let places: Vec<Vec3> = skin.points.iter().map(|p| p.as_vec3()).collect();
        let rest = ClosestSurface::new(&places, skin.faces);
        let probes = skin.probes(body, &rest);
        let triangles: Vec<[u32; 3]> = triangles(skin.faces).collect();
        let mut around = vec![Vec::new(); skin.points.len()];
        for (number, triangle) in (0..).zip(&triangles) {
            triangle.iter().for_each(|&v| around[v as usize].push(number));
        }
        Self {
            around: Rows::new(around.into_iter()),
            areas: vec![DVec3::ZERO; triangles.len()],
            triangles,
            tree: TetrahedronTree::new(&body.lattice.nodes, body.lattice.tetrahedra.clone()),
            part_of: part_of.to_vec(),
            cones: rest.cones(skin.normals, FRAC_PI_2).with_parts(&rest, skin.parts.to_vec()),
            present: rest.clone(),
            rest,
            rest_normals: skin.normals.to_vec(),
            gaps: skin.gaps.to_vec(),
            rest_points: skin.points.to_vec(),
            influences: skin.influences.clone(),
            normals: vec![DVec3::ZERO; skin.points.len()],
            places: vec![Default::default(); probes.len()],
            found: vec![None; probes.len()],
            probes,
        }
    }

    /// Finds the contacts of the present places of nodes and skin.
    pub fn find(&mut self, body: &Body, nodes: &[DVec3], skin: &[DVec3], contacts: &mut Vec<Contact>) {
        self.tree.follow(nodes);
        let Self { triangles, around, areas, normals, .. } = self;
        areas.par_iter_mut().zip(&*triangles).with_min_len(BLOCK).for_each(|(area, triangle)| {
            let [a, b, c] = triangle.map(|v| skin[v as usize]);
            *area = (b - a).cross(c - a);
        });
        normals.par_iter_mut().enumerate().with_min_len(BLOCK).for_each(|(v, normal)| {
            let sum: DVec3 = around.row(v as u32).iter().map(|&triangle| areas[triangle as usize]).sum();
            *normal = sum.normalize_or_zero();
        });
        self.present.follow(skin);
        self.cones.follow(&self.present, &self.normals);
        let Self { places, probes, normals, .. } = self;
        places.par_iter_mut().zip(probes).with_min_len(BLOCK).for_each(|(place, probe)| {
            let [a, b] = probe.ends.map(|v| v as usize);
            *place = (0.5 * (skin[a] + skin[b]), (normals[a] + normals[b]).normalize_or_zero());
        });
        let mut found = std::mem::take(&mut self.found);
        let blocks = self.probes.par_chunks(BLOCK).zip(self.places.par_chunks(BLOCK));
        found.par_chunks_mut(BLOCK).zip(blocks).for_each(|(found, (probes, places))| {
            let mut start = 0;
            for group in probes.chunk_by(|a, b| a.home == b.home && a.part == b.part) {
                let own = start..start + group.len();
                self.meet(body, group, &places[own.clone()], &mut found[own], skin);
                start += group.len();
            }
        });
        contacts.clear();
        let met = self.probes.iter().zip(&found).filter_map(|(probe, meeting)| Some((probe, (*meeting)?)));
        contacts.extend(met.map(|(probe, meeting)| contact(body, probe, &meeting, nodes)));
        self.found = found;
    }

    /// What at most 64 probes of one tetrahedron and one part meet: skin that faces them from near, else what they are
    /// deepest in.
    fn meet(
        &self,
        body: &Body,
        probes: &[Probe],
        places: &[(DVec3, DVec3)],
        found: &mut [Option<Meeting>],
        skin: &[DVec3],
    ) {
        found.fill(None);
        let here = places.iter().map(|&(here, _)| here);
        let directions = places.iter().map(|&(_, normal)| -normal);
        let widest = probes.iter().map(|probe| probe.gap).fold(0.0, f64::max);
        let part = probes[0].part;
        if self.present.may_face(here.clone(), BAND * widest, (&self.cones, directions, part)) {
            for ((found, probe), &place) in found.iter_mut().zip(probes).zip(places) {
                *found = self.face(probe, place, skin);
            }
        }
        // A bit for each probe that skin faces.
        let faced = (0..).zip(&*found).filter(|(_, met)| met.is_some()).fold(0u64, |bits, (k, _)| bits | 1 << k);
        let tetrahedra = &body.lattice.tetrahedra;
        let home = tetrahedra[probes[0].home as usize];
        // Tetrahedra with a common node are one's own flesh, unless skin faced it at rest.
        let asks = |probe: &Probe, t: u32| {
            let is_apart = || tetrahedra[t as usize].iter().all(|node| !home.contains(node));
            probe.part != Some(self.part_of[t as usize]) && (probe.faced_from.is_finite() || is_apart())
        };
        let is_asked = |t: u32| probes.iter().any(|probe| asks(probe, t));
        self.tree.holding_any(here, is_asked, |k, tetrahedron, shares| {
            if faced >> k & 1 == 1 || !asks(&probes[k], tetrahedron) {
                return;
            }
            let there = FleshPoint { tetrahedron, shares };
            let meeting = self.enter(body, &probes[k], there, places[k].0, skin);
            let deepest = found[k].map_or(-BAND * probes[k].gap, |found| found.depth);
            if let Some(meeting) = meeting.filter(|meeting| meeting.depth > deepest) {
                found[k] = Some(meeting);
            }
        });
    }

    /// The skin near a probe that faces it, as in a fold.
    fn face(&self, probe: &Probe, (here, own_normal): (DVec3, DVec3), skin: &[DVec3]) -> Option<Meeting> {
        let faces = |hit: &Hit| {
            let normal = hit.interpolate(|w| self.normals[w]);
            if normal.dot(own_normal) >= 0.0 || hit.vertices.iter().any(|w| probe.ends.contains(w)) {
                return false;
            }
            // The other side of an ear has the same normals, but was behind at rest, too.
            let apart = probe.place - hit.interpolate(|w| self.rest_points[w]);
            let was_behind = hit.interpolate(|w| self.rest_normals[w]).dot(apart) < 0.0;
            !(was_behind && apart.length() < 2.0 * BAND * probe.gap)
        };
        let hit = self.present.nearest_facing(here, BAND * probe.gap, (&self.cones, -own_normal, probe.part), faces)?;
        let place = hit.interpolate(|w| self.rest_points[w]);
        let across = SkinPoint { vertices: hit.vertices, shares: hit.barycentric, place };
        let normal = across.interpolate(|w| self.normals[w]).normalize_or_zero();
        let facing = (-FACING * normal.dot(own_normal)).clamp(0.0, 1.0);
        Some(self.meeting(probe, across, here, facing, skin))
    }

    /// What a probe at a place meets in a tetrahedron.
    fn enter(&self, body: &Body, probe: &Probe, there: FleshPoint, here: DVec3, skin: &[DVec3]) -> Option<Meeting> {
        let lattice = &body.lattice;
        let corners = lattice.tetrahedra[there.tetrahedron as usize];
        let edge = lattice.nodes[corners[0] as usize].distance(lattice.nodes[corners[1] as usize]);
        let place = there.interpolate(lattice, &lattice.nodes);
        // Near its place at rest it is in its own flesh, unless skin faced it there: half way to that at least.
        let moved = place.distance(probe.place);
        let is_own = moved < 2.0 * edge;
        if is_own && moved < 0.5 * probe.faced_from {
            return None;
        }
        let across = self.nearest(body, there.tetrahedron, place, 2.0 * edge)?;
        let rest_normal = across.interpolate(|w| self.rest_normals[w]);
        let faced = rest_normal.dot(probe.normal) < 0.0 && rest_normal.dot(probe.place - across.place) > 0.0;
        if is_own && !faced {
            return None;
        }
        let thickness = (across.interpolate(|w| self.gaps[w]) / probe.gap - THINNER[0]) / (THINNER[1] - THINNER[0]);
        (thickness > 0.0).then(|| self.meeting(probe, across, here, thickness.min(1.0), skin))
    }

    /// The meeting with a point of the skin, by a share.
    fn meeting(&self, probe: &Probe, across: SkinPoint, here: DVec3, share: f64, skin: &[DVec3]) -> Meeting {
        let normal = across.interpolate(|w| self.normals[w]).normalize_or_zero();
        // Two parts that faced each other from near at rest may be as near.
        let rest_normal = across.interpolate(|w| self.rest_normals[w]).normalize_or_zero();
        let was_apart = rest_normal.dot(probe.place - across.place);
        let full = probe.gap.max(across.interpolate(|w| self.gaps[w]));
        let faced = rest_normal.dot(probe.normal) < 0.0 && probe.place.distance(across.place) < BAND * full;
        let gap = if faced { full.min(was_apart) } else { full };
        let depth = gap - normal.dot(here - across.interpolate(|w| skin[w]));
        // In a crook normals were alike.
        let was_near = probe.place.distance(across.place) < 2.0 * BAND * full && rest_normal.dot(probe.normal) < ALIKE;
        let apart = if was_near { self.moves_apart(probe, &across) } else { 1.0 };
        Meeting { across, normal, depth, stiffness: share * apart * probe.stiffness }
    }

    /// How much a probe and the skin across move with joints of their own, from 0 for those of lips to 1.
    fn moves_apart(&self, probe: &Probe, across: &SkinPoint) -> f64 {
        let weight = |w: usize, joint: u32| {
            self.influences.row(w as u32).iter().find(|other| other.0 == joint).map_or(0.0, |other| other.1)
        };
        let in_common = |v: u32| {
            let row = self.influences.row(v).iter();
            row.map(|&(joint, own)| own.min(across.interpolate(|w| weight(w, joint)))).sum::<f64>()
        };
        let own = 1.0 - 0.5 * (in_common(probe.ends[0]) + in_common(probe.ends[1]));
        ((own - TOGETHER[0]) / (TOGETHER[1] - TOGETHER[0])).clamp(0.0, 1.0)
    }

    /// The nearest point of the skin at rest, with a corner in a tetrahedron that this one touches; where none is near, the
    /// nearest of all.
    fn nearest(&self, body: &Body, tetrahedron: u32, place: DVec3, within: f64) -> Option<SkinPoint> {
        let corners = |t: u32| body.lattice.tetrahedra[t as usize];
        let here = corners(tetrahedron);
        let is_near = |hit: &Hit| {
            let mut homes = hit.vertices.iter().map(|&v| corners(body.skin[v as usize].tetrahedron));
            homes.any(|home| home.iter().any(|node| here.contains(node)))
        };
        let hit = self.rest.nearest_where(place, within, is_near).or_else(|| self.rest.nearest(place))?;
        Some(SkinPoint { vertices: hit.vertices, shares: hit.barycentric, place: hit.point })
    }
}

/// The edge of the tetrahedron that a point of the skin is in.
fn cell(body: &Body, point: u32) -> f64 {
    let corners = body.lattice.tetrahedra[body.skin[point as usize].tetrahedron as usize];
    body.lattice.nodes[corners[0] as usize].distance(body.lattice.nodes[corners[1] as usize])
}

/// The edges of faces, each once.
fn edges_of(faces: &[Face]) -> Vec<[u32; 2]> {
    let sides = triangles(faces).flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn triangles(faces: &[Face]) -> impl Iterator<Item = [u32; 3]> {
    faces.iter().flat_map(Face::triangles)
}

/// The contact of a probe with the point across.
fn contact(body: &Body, probe: &Probe, meeting: &Meeting, nodes: &[DVec3]) -> Contact {
    let Meeting { across, normal, depth, stiffness } = *meeting;
    let full_at = FULL_AT * probe.gap;
    let mut contact = Contact {
        nodes: [0; NODES],
        shares: [0.0; NODES],
        normal,
        gap: 0.0,
        stiffness,
        full_at,
        met: DVec3::ZERO,
        friction: 0.0,
    };
    let ends = probe.ends.map(|v| (v, 0.5));
    let corners = across.vertices.iter().zip(across.shares).map(|(&w, share)| (w, -share));
    for (k, (vertex, sign)) in ends.into_iter().chain(corners).enumerate() {
        let point = body.skin[vertex as usize];
        for (corner, &node) in body.lattice.tetrahedra[point.tetrahedron as usize].iter().enumerate() {
            contact.nodes[4 * k + corner] = node;
            contact.shares[4 * k + corner] = sign * point.shares[corner];
        }
    }
    // The skin is not quite where the tetrahedra have it; the difference stays.
    contact.gap = depth - contact.depth(nodes);
    contact.met = contact.apart(nodes);
    contact.friction = if depth > 0.0 { FRICTION * stiffness } else { 0.0 };
    contact
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::tests::{body_of_boxes, boxes};

    /// A small box over a large one.
    struct TwoBoxes {
        gap: f64,
        /// The joint that moves the small one; the large one has the first.
        joint_of_upper: u32,
        part_of_point: fn(usize) -> Option<u32>,
    }

    impl Default for TwoBoxes {
        fn default() -> Self {
            Self { gap: 0.01, joint_of_upper: 1, part_of_point: |_| None }
        }
    }

    impl TwoBoxes {
        /// What they meet when the small one is moved down, and the nodes.
        fn contacts(&self, down: f64) -> (Vec<Contact>, Vec<DVec3>) {
            let corners = [[DVec3::ZERO, DVec3::ONE], [DVec3::new(0.3, 0.3, 1.5), DVec3::new(0.7, 0.7, 2.5)]];
            let body = body_of_boxes(&corners, 0.4);
            let (points, normals, faces) = boxes(&corners);
            let parts: Vec<Option<u32>> = (0..points.len()).map(self.part_of_point).collect();
            let (gaps, stiffness) = (vec![self.gap; points.len()], vec![1.0; points.len()]);
            let joint = |point: usize| if point >= 8 { self.joint_of_upper } else { 0 };
            let influences = Rows::singles((0..points.len()).map(|point| (joint(point), 1.0)).collect());
            let (points, normals, faces) = (&points[..], &normals[..], &faces[..]);
            let skin = ContactSkin {
                points,
                normals,
                faces,
                seen_faces: faces,
                gaps: &gaps,
                stiffness: &stiffness,
                parts: &parts,
                influences: &influences,
            };
            let is_upper = |t: &[u32; 4]| t.iter().map(|&node| body.lattice.nodes[node as usize].z).sum::<f64>() > 5.0;
            let part_of: Vec<u32> = body.lattice.tetrahedra.iter().map(|t| u32::from(is_upper(t))).collect();
            let mut nodes = body.lattice.nodes.clone();
            for node in body.lattice.tetrahedra.iter().filter(|t| is_upper(t)).flatten() {
                nodes[*node as usize] = body.lattice.nodes[*node as usize] - down * DVec3::Z;
            }
            let moved: Vec<DVec3> = body.skin.iter().map(|point| point.interpolate(&body.lattice, &nodes)).collect();
            let mut contacts = Vec::new();
            ContactSearch::new(&body, &skin, &part_of).find(&body, &nodes, &moved, &mut contacts);
            (contacts, nodes)
        }
    }

    fn contacts_of_boxes(down: f64, part_of_point: fn(usize) -> Option<u32>) -> (Vec<Contact>, Vec<DVec3>) {
        TwoBoxes { part_of_point, ..TwoBoxes::default() }.contacts(down)
    }

    /// Two boxes half a unit apart whose points have the same weights were near at rest with gaps of a tenth.
    #[test]
    fn what_was_near_and_moves_alike_does_not_meet() {
        for (gap, own_joint, meets) in [(0.1, 1, true), (0.1, 0, false), (0.01, 0, true)] {
            let boxes = TwoBoxes { gap, joint_of_upper: own_joint, ..TwoBoxes::default() };
            let (contacts, _) = boxes.contacts(0.6);
            assert_eq!(contacts.iter().any(|contact| contact.stiffness > 0.0), meets, "{gap} and {own_joint}");
        }
    }

    /// At a distance of two gaps a contact is prepared, without a force.
    #[test]
    fn what_is_near_is_looked_at() {
        let (contacts, nodes) = contacts_of_boxes(0.48, |_| None);
        assert!(contacts.iter().any(|contact| contact.normal.z > 0.5));
        assert!(contacts.iter().all(|contact| contact.depth(&nodes) < 0.0));
    }

    #[test]
    fn what_is_apart_has_no_contact() {
        assert!(contacts_of_boxes(0.0, |_| None).0.is_empty());
    }

    /// The lower corners of the small box and the middle between them are 0.1 deep.
    #[test]
    fn points_in_another_part_are_pushed_out() {
        for part_of_point in [(|_| None) as fn(usize) -> Option<u32>, |point| Some(u32::from(point >= 8))] {
            let (contacts, nodes) = contacts_of_boxes(0.6, part_of_point);
            let pushed_up: Vec<&Contact> = contacts.iter().filter(|contact| contact.normal.z > 0.5).collect();
            assert!(pushed_up.len() >= 5, "{}", pushed_up.len());
            for contact in pushed_up {
                // Normals lean outwards at the corners of a box, so that the depth is less along them.
                let depth = contact.depth(&nodes);
                assert!((0.05..0.12).contains(&depth), "{depth}");
                assert!(contact.shares.iter().sum::<f64>().abs() < 1e-9);
            }
        }
    }

    /// What touches is held where it is, what is only near is not.
    #[test]
    fn what_touches_does_not_slide() {
        for (down, holds) in [(0.48, false), (0.6, true)] {
            let (contacts, mut nodes) = contacts_of_boxes(down, |_| None);
            let energy = |nodes: &[DVec3]| -> f64 {
                contacts.iter().map(|contact| contact.energy(nodes, &mut vec![DVec3::ZERO; nodes.len()])).sum()
            };
            let before = energy(&nodes);
            nodes.iter_mut().for_each(|node| node.x += 0.1 * node.z);
            assert_eq!(energy(&nodes) > before, holds, "{down}");
        }
    }

    /// The force of a contact is the derivative of its energy, and acts on both sides alike.
    #[test]
    fn a_contact_pushes_both_sides() {
        let (contacts, mut nodes) = contacts_of_boxes(0.6, |_| None);
        // Some slide on others.
        nodes.iter_mut().for_each(|node| node.x += 0.01 * node.z);
        let mut gradient = vec![DVec3::ZERO; nodes.len()];
        let energy: f64 = contacts.iter().map(|contact| contact.energy(&nodes, &mut gradient)).sum();
        assert!(energy > 0.0 && gradient.iter().sum::<DVec3>().length() < 1e-9);
        let step = 1e-7;
        let ahead: Vec<DVec3> = nodes.iter().zip(&gradient).map(|(x, g)| *x - step * *g).collect();
        let fall = energy - contacts.iter().map(|contact| contact.energy(&ahead, &mut gradient.clone())).sum::<f64>();
        let squares: f64 = gradient.iter().map(|g| g.length_squared()).sum();
        assert!((fall - step * squares).abs() < 1e-4 * step * squares, "{fall} and {}", step * squares);
    }
}
