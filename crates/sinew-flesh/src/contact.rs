//! Contact between any two parts of the flesh.
//!
//! A point of the skin that lies in a tetrahedron of another part is taken back to the rest pose by its place in that
//! tetrahedron, where the nearest point of the skin is found, and with it the depth. So a contact needs no history:
//! it depends on the pose alone, however fast it was reached (McAdams et al. 2011). The tetrahedra reach beyond the skin,
//! so that contacts begin at a distance, the *gap*, with a force of zero.
//!
//! Looked at are the points of the skin, and the middles of its long edges. Those that move with one *part*, such as
//! the flesh of a joint, meet other parts only, so that they cost little.

use crate::{Body, FleshPoint, Lattice};
use glam::{DVec3, Vec3};
use sinew_geometry::parallel::*;
use sinew_geometry::{ClosestSurface, Face, Hit, Rows, TetrahedronTree};

/// How far beyond its sides a tetrahedron is looked at for contacts, as a share: the skin may graze its side.
const MARGIN: f64 = 0.15;

/// Contacts are prepared up to so many gaps away, since the flesh moves between two searches.
const BAND: f64 = 8.0;

/// One over the cosine from which on two parts that face each other have a contact in full.
const FACING: f64 = 2.0;

/// The cosine between a normal and the mean of those around a tetrahedron above which none of them faces the other.
const AVERTED: f64 = 0.5;

/// The nodes of a contact: of the two ends of an edge, and of the three corners of a triangle across.
const NODES: usize = 20;

/// Where an edge of the skin is longer than this share of the tetrahedra's, its middle is looked at, too: triangles would
/// cross between their corners. Boxing has up to 427 crossings of hands and arms without and 182 with it.
const LONG_EDGE: f64 = 0.5;

/// A spring that keeps a point of the flesh on one side of another: `½ k max(0, g − n · Σ bᵢ xᵢ)²`.
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
}

impl Contact {
    /// How far the point is from where it must be; not positive where it is free.
    fn depth(&self, nodes: &[DVec3]) -> f64 {
        let shares = self.nodes.iter().zip(self.shares);
        self.gap - self.normal.dot(shares.map(|(&node, share)| share * nodes[node as usize]).sum())
    }

    /// The energy; its derivative is added to a gradient.
    pub(crate) fn energy(&self, nodes: &[DVec3], gradient: &mut [DVec3]) -> f64 {
        let depth = self.depth(nodes);
        if depth <= 0.0 {
            return 0.0;
        }
        let force = -self.stiffness * depth * self.normal;
        self.nodes.iter().zip(self.shares).for_each(|(&node, share)| gradient[node as usize] += share * force);
        0.5 * self.stiffness * depth * depth
    }
}

/// The contacts of a body, pose after pose.
#[derive(Debug)]
pub struct ContactSearch {
    parts: Vec<Part>,
    probes: Vec<Probe>,
    rest: ClosestSurface,
    /// Whether the skin passes near a tetrahedron.
    is_near_skin: Vec<bool>,
    rest_normals: Vec<DVec3>,
    normals: Vec<DVec3>,
    /// The sum of the normals of the skin around each node.
    node_normals: Vec<DVec3>,
    found: Vec<Option<Contact>>,
}

/// The tetrahedra of a part.
#[derive(Debug)]
struct Part {
    tree: TetrahedronTree,
    /// The tetrahedra of the body that the tree has.
    members: Vec<u32>,
}

/// A point of the skin, or the middle of an edge.
#[derive(Debug, Clone, Copy)]
struct Probe {
    /// The edge's ends; a point of the skin twice.
    ends: [u32; 2],
    /// The place and the normal at rest.
    place: DVec3,
    normal: DVec3,
    /// The distance to keep; less between parts that were nearer at rest.
    gap: f64,
    stiffness: f64,
    /// The part that it moves with, if it is only one.
    part: Option<u32>,
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
    /// The distance to keep at each point.
    pub gaps: &'a [f64],
    /// The stiffness of contacts at each point.
    pub stiffness: &'a [f64],
    /// The part that each point moves with, if it is only one.
    pub parts: &'a [Option<u32>],
}

impl ContactSkin<'_> {
    /// The points, then the middles of edges that are long beside their tetrahedra.
    fn probes(&self, body: &Body, rest: &ClosestSurface) -> Vec<Probe> {
        let lattice = &body.lattice;
        let cell = |v: u32| {
            let corners = lattice.tetrahedra[body.skin[v as usize].tetrahedron as usize];
            lattice.nodes[corners[0] as usize].distance(lattice.nodes[corners[1] as usize])
        };
        let length = |[a, b]: [u32; 2]| self.points[a as usize].distance(self.points[b as usize]);
        let sides = self.faces.iter().flat_map(Face::triangles).flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges.retain(|&edge| length(edge) > LONG_EDGE * cell(edge[0]).min(cell(edge[1])));
        let points = (0..self.points.len() as u32).map(|v| [v, v]);
        let all: Vec<[u32; 2]> = points.chain(edges).collect();
        all.par_iter().map(|&ends| self.probe(ends, rest)).collect()
    }

    fn probe(&self, ends: [u32; 2], rest: &ClosestSurface) -> Probe {
        let [a, b] = ends.map(|v| v as usize);
        let mean = |values: &[f64]| 0.5 * (values[a] + values[b]);
        let place = 0.5 * (self.points[a] + self.points[b]);
        let normal = (self.normals[a] + self.normals[b]).normalize_or_zero();
        let gap = mean(self.gaps);
        // Lips, or two fingers of one part, meet, too: where something faces a point at rest.
        let is_opposite =
            |hit: &Hit| hit.interpolate(|w| self.normals[w]).dot(normal) < 0.0 && normal.dot(hit.point - place) > 0.0;
        let is_alone = |_: &u32| rest.nearest_where(place, BAND * gap, is_opposite).is_none();
        let part = self.parts[a].filter(|_| self.parts[a] == self.parts[b]).filter(is_alone);
        Probe { ends, place, normal, gap, stiffness: mean(self.stiffness), part }
    }
}

impl ContactSearch {
    /// Prepares the contacts of a skin. `part_of` has the part of each tetrahedron.
    pub fn new(body: &Body, skin: &ContactSkin<'_>, part_of: &[u32]) -> Self {
        let places: Vec<Vec3> = skin.points.iter().map(|p| p.as_vec3()).collect();
        let rest = ClosestSurface::new(&places, skin.faces);
        let lattice = &body.lattice;
        let mut is_skin_node = vec![false; lattice.nodes.len()];
        for point in &body.skin {
            let corners = lattice.tetrahedra[point.tetrahedron as usize];
            corners.iter().for_each(|&node| is_skin_node[node as usize] = true);
        }
        let is_near_skin = |t: &[u32; 4]| t.iter().any(|&node| is_skin_node[node as usize]);
        let count_of_parts = part_of.iter().max().map_or(0, |&last| last as usize + 1);
        let part = |members: &[u32]| {
            let tetrahedra = members.iter().map(|&t| lattice.tetrahedra[t as usize]).collect();
            Part { tree: TetrahedronTree::with_margin(&lattice.nodes, tetrahedra, MARGIN), members: members.to_vec() }
        };
        let probes = skin.probes(body, &rest);
        Self {
            is_near_skin: lattice.tetrahedra.iter().map(is_near_skin).collect(),
            parts: Rows::grouped(count_of_parts, part_of.iter().copied()).iter().map(part).collect(),
            rest,
            rest_normals: skin.normals.to_vec(),
            normals: vec![DVec3::ZERO; skin.points.len()],
            node_normals: vec![DVec3::ZERO; lattice.nodes.len()],
            found: vec![None; probes.len()],
            probes,
        }
    }

    /// Finds the contacts of the present places of nodes and skin.
    pub fn find(&mut self, body: &Body, nodes: &[DVec3], skin: &[DVec3], faces: &[Face], contacts: &mut Vec<Contact>) {
        self.parts.par_iter_mut().for_each(|part| part.tree.follow(nodes));
        self.normals.fill(DVec3::ZERO);
        for triangle in faces.iter().flat_map(Face::triangles) {
            let [a, b, c] = triangle.map(|v| skin[v as usize]);
            triangle.iter().for_each(|&v| self.normals[v as usize] += (b - a).cross(c - a));
        }
        let lattice = &body.lattice;
        self.node_normals.fill(DVec3::ZERO);
        for (point, normal) in body.skin.iter().zip(&mut self.normals) {
            *normal = normal.normalize_or_zero();
            let corners = lattice.tetrahedra[point.tetrahedron as usize];
            corners.iter().for_each(|&node| self.node_normals[node as usize] += *normal);
        }
        let mut found = std::mem::take(&mut self.found);
        found.par_iter_mut().zip(&self.probes).for_each(|(found, probe)| *found = self.meet(body, probe, nodes, skin));
        contacts.clear();
        contacts.extend(found.iter().flatten());
        self.found = found;
    }

    /// The deepest contact of a probe.
    fn meet(&self, body: &Body, probe: &Probe, nodes: &[DVec3], skin: &[DVec3]) -> Option<Contact> {
        let lattice = &body.lattice;
        let [a, b] = probe.ends.map(|v| v as usize);
        let own = [body.skin[a], body.skin[b]];
        let here = 0.5 * (skin[a] + skin[b]);
        let own_normal = (self.normals[a] + self.normals[b]).normalize_or_zero();
        let (mut deepest, mut found) = (-BAND * probe.gap, None);
        let mut enter = |tetrahedron: u32, shares: [f64; 4]| {
            if own.iter().any(|own| own.tetrahedron == tetrahedron) {
                return;
            }
            let there = FleshPoint { tetrahedron, shares };
            let place = there.interpolate(lattice, &lattice.nodes);
            // A point that leaves its own tetrahedron for the next has met nothing.
            let is_beside = own.iter().any(|own| touch(lattice, there, *own));
            let is_outside = shares.iter().any(|share| *share < 0.0);
            if is_beside && is_outside {
                return;
            }
            let corners = lattice.tetrahedra[tetrahedron as usize];
            let edge = lattice.nodes[corners[0] as usize].distance(lattice.nodes[corners[1] as usize]);
            let is_near = place.distance(probe.place) < 2.0 * edge;
            if is_outside || is_near {
                let there: DVec3 = corners.iter().map(|&node| self.node_normals[node as usize]).sum();
                if there.dot(own_normal) > AVERTED * there.length() {
                    return;
                }
            }
            let is_inner = !self.is_near_skin[tetrahedron as usize];
            let within = if is_inner { f64::INFINITY } else { 2.0 * edge };
            let belongs =
                |hit: &Hit| is_inner || hit.vertices.iter().any(|&w| touch(lattice, there, body.skin[w as usize]));
            let Some(hit) = self.rest.nearest_where(place, within, belongs) else { return };
            let normal = hit.interpolate(|w| self.normals[w]).normalize_or_zero();
            // Beyond the sides of a tetrahedron two parts meet only where they face each other: on the outside of a bend
            // they see the same surface.
            let facing = -normal.dot(own_normal);
            let share = if is_outside || is_near { (FACING * facing).clamp(0.0, 1.0) } else { 1.0 };
            if share == 0.0 {
                return;
            }
            let across = hit.interpolate(|w| skin[w]);
            // Two parts that faced each other from near at rest may be as near.
            let rest_normal = hit.interpolate(|w| self.rest_normals[w]).normalize_or_zero();
            let apart = probe.place - hit.point;
            let faced = rest_normal.dot(probe.normal) < 0.0 && apart.length() < 2.0 * edge;
            let gap = if faced { probe.gap.min(rest_normal.dot(apart)) } else { probe.gap };
            let depth = gap - normal.dot(here - across);
            if depth > deepest {
                deepest = depth;
                found = Some(contact(body, own, &hit, normal, depth, nodes, share * probe.stiffness));
            }
        };
        for (index, part) in (0u32..).zip(&self.parts) {
            if probe.part != Some(index) {
                part.tree.holding(here, |t, shares| enter(part.members[t as usize], shares));
            }
        }
        found
    }
}

/// The contact of a point between two with a point across, at a depth.
fn contact(
    body: &Body,
    own: [FleshPoint; 2],
    hit: &Hit,
    normal: DVec3,
    depth: f64,
    nodes: &[DVec3],
    stiffness: f64,
) -> Contact {
    let mut contact = Contact { nodes: [0; NODES], shares: [0.0; NODES], normal, gap: 0.0, stiffness };
    let across = hit.vertices.iter().zip(hit.barycentric).map(|(&w, share)| (body.skin[w as usize], -share));
    let lattice = &body.lattice;
    for (k, (point, sign)) in own.into_iter().map(|point| (point, 0.5)).chain(across).enumerate() {
        for (corner, &node) in lattice.tetrahedra[point.tetrahedron as usize].iter().enumerate() {
            contact.nodes[4 * k + corner] = node;
            contact.shares[4 * k + corner] = sign * point.shares[corner];
        }
    }
    // The skin is not quite where the tetrahedra have it; the difference stays.
    contact.gap = depth - contact.depth(nodes);
    contact
}

/// Whether the tetrahedra of two points share a node.
fn touch(lattice: &Lattice, a: FleshPoint, b: FleshPoint) -> bool {
    let [a, b] = [a, b].map(|point| lattice.tetrahedra[point.tetrahedron as usize]);
    a.iter().any(|node| b.contains(node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::tests::{body_of_boxes, boxes};

    /// A small box over a large one, and what they meet when the small one is moved down.
    fn contacts_of_boxes(down: f64, part_of_point: impl Fn(usize) -> Option<u32>) -> (Vec<Contact>, Vec<DVec3>) {
        let corners = [[DVec3::ZERO, DVec3::ONE], [DVec3::new(0.3, 0.3, 1.5), DVec3::new(0.7, 0.7, 2.5)]];
        let body = body_of_boxes(&corners, 0.4);
        let (points, normals, faces) = boxes(&corners);
        let parts: Vec<Option<u32>> = (0..points.len()).map(part_of_point).collect();
        let (gaps, stiffness) = (vec![0.01; points.len()], vec![1.0; points.len()]);
        let (points, normals, faces) = (&points[..], &normals[..], &faces[..]);
        let skin = ContactSkin { points, normals, faces, gaps: &gaps, stiffness: &stiffness, parts: &parts };
        let is_upper = |t: &[u32; 4]| t.iter().map(|&node| body.lattice.nodes[node as usize].z).sum::<f64>() > 5.0;
        let part_of: Vec<u32> = body.lattice.tetrahedra.iter().map(|t| u32::from(is_upper(t))).collect();
        let mut nodes = body.lattice.nodes.clone();
        for node in body.lattice.tetrahedra.iter().filter(|t| is_upper(t)).flatten() {
            nodes[*node as usize] = body.lattice.nodes[*node as usize] - down * DVec3::Z;
        }
        let moved: Vec<DVec3> = body.skin.iter().map(|point| point.interpolate(&body.lattice, &nodes)).collect();
        let mut contacts = Vec::new();
        ContactSearch::new(&body, &skin, &part_of).find(&body, &nodes, &moved, faces, &mut contacts);
        (contacts, nodes)
    }

    #[test]
    fn what_is_apart_has_no_contact() {
        assert!(contacts_of_boxes(0.0, |_| None).0.is_empty());
    }

    /// The lower corners of the small box and the middle between them are 0.1 deep.
    #[test]
    fn points_in_another_part_are_pushed_out() {
        for part_of_point in [|_| None, |point: usize| Some(u32::from(point >= 8))] {
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

    /// The force of a contact is the derivative of its energy, and acts on both sides alike.
    #[test]
    fn a_contact_pushes_both_sides() {
        let (contacts, nodes) = contacts_of_boxes(0.6, |_| None);
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
