//! Contact between any two parts of the flesh.
//!
//! A point of the skin that lies in a tetrahedron of another part is taken back to the rest pose by its place in that
//! tetrahedron, where the nearest point of the skin is found, and with it the depth. So a contact needs no history:
//! it depends on the pose alone, however fast it was reached (McAdams et al. 2011). The tetrahedra reach beyond the skin,
//! so that contacts begin at a distance, the *gap*, with a force of zero.
//!
//! Points that move with one *part*, such as the flesh of a joint, meet other parts only, so that they cost little.

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

/// A spring that keeps a point of the flesh on one side of another: `½ k max(0, g − n · Σ bᵢ xᵢ)²`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// The nodes that hold the point, then those that hold the point across.
    pub nodes: [u32; 16],
    /// Their shares: positive sums to one for the point, negative ones for the point across.
    pub shares: [f64; 16],
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
    /// The tetrahedra of each part.
    parts: Vec<Part>,
    /// The part that each point moves with, if it is only one.
    part_of: Vec<Option<u32>>,
    rest: ClosestSurface,
    /// Whether the skin passes near a tetrahedron.
    is_near_skin: Vec<bool>,
    /// The gap of each point; less between parts that were nearer at rest.
    gaps: Vec<f64>,
    stiffness: Vec<f64>,
    points: Vec<DVec3>,
    rest_normals: Vec<DVec3>,
    normals: Vec<DVec3>,
    /// The sum of the normals of the skin around each node.
    node_normals: Vec<DVec3>,
    found: Vec<Option<Contact>>,
}

#[derive(Debug)]
struct Part {
    tree: TetrahedronTree,
    /// The tetrahedra of the body that the tree has.
    members: Vec<u32>,
}

impl ContactSearch {
    /// Prepares the contacts of a skin, with the gap and the stiffness at each point. `part_of` has the part of each
    /// tetrahedron, `part_of_point` the part that a point moves with, if it is only one.
    pub fn new(
        body: &Body,
        (part_of, part_of_point): (Vec<u32>, Vec<Option<u32>>),
        (points, normals): (&[DVec3], &[DVec3]),
        faces: &[Face],
        gaps: Vec<f64>,
        stiffness: Vec<f64>,
    ) -> Self {
        let places: Vec<Vec3> = points.iter().map(|p| p.as_vec3()).collect();
        let rest = ClosestSurface::new(&places, faces);
        let lattice = &body.lattice;
        let count = points.len();
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
        // Lips, or two fingers of one part, meet, too: where something faces a point at rest.
        let has_none_opposite = |v: usize| {
            let is_opposite = |hit: &Hit| {
                let normal = hit.interpolate(|w| normals[w]);
                normal.dot(normals[v]) < 0.0 && normals[v].dot(hit.point - points[v]) > 0.0
            };
            rest.nearest_where(points[v], BAND * gaps[v], is_opposite).is_none()
        };
        let alone = part_of_point.par_iter().enumerate().map(|(v, part)| part.filter(|_| has_none_opposite(v)));
        Self {
            is_near_skin: lattice.tetrahedra.iter().map(is_near_skin).collect(),
            parts: Rows::grouped(count_of_parts, part_of.iter().copied()).iter().map(part).collect(),
            part_of: alone.collect(),
            rest,
            gaps,
            stiffness,
            points: points.to_vec(),
            rest_normals: normals.to_vec(),
            normals: vec![DVec3::ZERO; count],
            node_normals: vec![DVec3::ZERO; lattice.nodes.len()],
            found: vec![None; count],
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
        let Self { parts, part_of, rest, is_near_skin, gaps, stiffness, points, rest_normals, normals, .. } = self;
        let (node_normals, found) = (&mut self.node_normals, &mut self.found);
        let lattice = &body.lattice;
        node_normals.fill(DVec3::ZERO);
        for (point, normal) in body.skin.iter().zip(&mut *normals) {
            *normal = normal.normalize_or_zero();
            let corners = lattice.tetrahedra[point.tetrahedron as usize];
            corners.iter().for_each(|&node| node_normals[node as usize] += *normal);
        }
        found.par_iter_mut().enumerate().for_each(|(v, found)| {
            *found = None;
            let own = body.skin[v];
            let mut deepest = -BAND * gaps[v];
            let others = (0..).zip(&*parts).filter(|&(part, _)| part_of[v] != Some(part));
            let mut meet = |tetrahedron: u32, shares: [f64; 4]| {
                if tetrahedron == own.tetrahedron {
                    return;
                }
                let there = FleshPoint { tetrahedron, shares };
                let place = there.interpolate(lattice, &lattice.nodes);
                // A point that leaves its own tetrahedron for the next has met nothing.
                let is_beside = touch(lattice, there, own);
                let is_outside = shares.iter().any(|share| *share < 0.0);
                if is_beside && is_outside {
                    return;
                }
                let corners = lattice.tetrahedra[tetrahedron as usize];
                let edge = lattice.nodes[corners[0] as usize].distance(lattice.nodes[corners[1] as usize]);
                let is_near = place.distance(points[v]) < 2.0 * edge;
                if is_outside || is_near {
                    let there: DVec3 = corners.iter().map(|&node| node_normals[node as usize]).sum();
                    if there.dot(normals[v]) > AVERTED * there.length() {
                        return;
                    }
                }
                let is_inner = !is_near_skin[tetrahedron as usize];
                let within = if is_inner { f64::INFINITY } else { 2.0 * edge };
                let belongs =
                    |hit: &Hit| is_inner || hit.vertices.iter().any(|&w| touch(lattice, there, body.skin[w as usize]));
                let Some(hit) = rest.nearest_where(place, within, belongs) else { return };
                let normal = hit.interpolate(|w| normals[w]).normalize_or_zero();
                // Beyond the sides of a tetrahedron two parts meet only where they face each other: on the outside of a
                // bend they see the same surface.
                let facing = -normal.dot(normals[v]);
                let share = if is_outside || is_near { (FACING * facing).clamp(0.0, 1.0) } else { 1.0 };
                if share == 0.0 {
                    return;
                }
                let across = hit.interpolate(|w| skin[w]);
                // Two parts that faced each other from near at rest may be as near.
                let rest_normal = hit.interpolate(|w| rest_normals[w]).normalize_or_zero();
                let apart = points[v] - hit.point;
                let faced = rest_normal.dot(rest_normals[v]) < 0.0 && apart.length() < 2.0 * edge;
                let gap = if faced { gaps[v].min(rest_normal.dot(apart)) } else { gaps[v] };
                let depth = gap - normal.dot(skin[v] - across);
                if depth > deepest {
                    deepest = depth;
                    *found = Some(contact(body, own, &hit, normal, depth, nodes, share * stiffness[v]));
                }
            };
            others.for_each(|(_, part)| part.tree.holding(skin[v], |t, shares| meet(part.members[t as usize], shares)));
        });
        contacts.clear();
        contacts.extend(found.iter().flatten());
    }
}

/// The contact of a point with a point across, at a depth.
fn contact(
    body: &Body,
    own: FleshPoint,
    hit: &Hit,
    normal: DVec3,
    depth: f64,
    nodes: &[DVec3],
    stiffness: f64,
) -> Contact {
    let mut contact = Contact { nodes: [0; 16], shares: [0.0; 16], normal, gap: 0.0, stiffness };
    let across = hit.vertices.iter().zip(hit.barycentric).map(|(&w, share)| (body.skin[w as usize], -share));
    let lattice = &body.lattice;
    for (k, (point, sign)) in std::iter::once((own, 1.0)).chain(across).enumerate() {
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
