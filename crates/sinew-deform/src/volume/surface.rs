//! The surface of a part: welded, closed, and skinned in f64 in any pose.

use crate::skinning::{Motions, PointSkin, skin_point};
use glam::{DAffine3, DVec3};
use sinew_geometry::Rows;
use sinew_geometry::{ClosedSurface, Topology};
use sinew_rig::Part;
use std::ops::Range;

/// The welded vertices of a part with everything that skins them.
pub(super) struct PartSurface {
    pub closed: ClosedSurface,
    /// Where the part's vertices begin in the character's surface.
    pub first: usize,
    /// Copies of each welded vertex in the file, relative to `first`.
    copies: Rows<u32>,
    /// The first copy of each welded vertex in the character's surface.
    representatives: Vec<u32>,
    pub joints: Vec<usize>,
    inverse_bind: Vec<DAffine3>,
    /// Slots of the binding with weights, largest first.
    influences: Rows<(u32, f64)>,
    skin: PointSkin,
    rest: Vec<DVec3>,
    morphs: Range<usize>,
    offsets: Rows<(u32, DVec3)>,
    pub linear: bool,
}

/// The contact of each vertex of the character after the deformers before; none without a deformer that resolves
/// contacts.
#[derive(Clone, Copy)]
pub(super) struct ContactSlack<'a>(pub Option<&'a [f32]>);

impl ContactSlack<'_> {
    /// The share of its displacement that contacts leave a welded vertex of a part.
    #[inline]
    pub fn slack(self, part: &PartSurface, vertex: u32) -> f64 {
        self.0.map_or(1.0, |contacts| 1.0 - f64::from(contacts[part.representative(vertex)]))
    }
}

/// How far each welded vertex of a part is displaced from the base skin so far.
#[derive(Clone, Copy)]
pub(super) struct Displacements<'a> {
    /// The index in `values` of each welded vertex.
    pub number: &'a [u32],
    pub values: &'a [DVec3],
}

impl Displacements<'_> {
    /// The displacement of a welded vertex.
    #[inline]
    pub fn at(self, vertex: u32) -> DVec3 {
        self.values[self.number[vertex as usize] as usize]
    }
}

impl PartSurface {
    pub fn new(part: &Part, skin: PointSkin, first: usize, morphs: Range<usize>) -> Self {
        let mesh = &part.mesh;
        let topology = Topology::new(&mesh.positions, &mesh.faces);
        let representatives = topology.representatives();
        let mut copies = vec![Vec::new(); representatives.len()];
        (0..mesh.positions.len()).for_each(|v| copies[topology.welded(v)].push(v as u32));
        let at = |v: &u32| *v as usize;
        let offsets = |v: usize| {
            let moved = mesh.morphs.iter().enumerate().map(move |(m, morph)| (m as u32, morph.positions[v].as_dvec3()));
            moved.filter(|(_, offset)| *offset != DVec3::ZERO).collect::<Vec<_>>()
        };
        Self {
            closed: ClosedSurface::new(&topology),
            first,
            copies: Rows::new(copies.into_iter()),
            representatives: representatives.iter().map(|&v| first as u32 + v).collect(),
            joints: part.binding.joints.clone(),
            inverse_bind: part.binding.inverse_bind.clone(),
            influences: Rows::new(
                representatives.iter().map(|v| skin.influences(at(v), part.binding.weights.row(at(v)))),
            ),
            rest: representatives.iter().map(|v| mesh.positions[at(v)].as_dvec3()).collect(),
            offsets: Rows::new(representatives.iter().map(|v| offsets(at(v)))),
            morphs,
            linear: skin.is_linear(),
            skin,
        }
    }

    /// Places in the character's surface that share a welded vertex.
    pub fn copies(&self, vertex: u32) -> impl Iterator<Item = usize> + '_ {
        self.copies.row(vertex).iter().map(|&v| self.first + v as usize)
    }

    /// The first of them.
    #[inline]
    pub fn representative(&self, vertex: u32) -> usize {
        self.representatives[vertex as usize] as usize
    }

    /// Slots of the binding with their weights.
    pub fn influences(&self, vertex: u32) -> &[(u32, f64)] {
        self.influences.row(vertex)
    }

    /// The weight of a vertex on some of the joints.
    pub fn share(&self, vertex: u32, is_wanted: impl Fn(usize) -> bool) -> f64 {
        let wanted = self.influences(vertex).iter().filter(|(slot, _)| is_wanted(self.joints[*slot as usize]));
        wanted.map(|(_, weight)| weight).sum()
    }

    /// The motions of some slots, given the world transform of every joint.
    pub fn set_motions(&self, slots: &[u32], motions: &mut Motions, world: impl Fn(usize) -> DAffine3) {
        let matrix = |&slot: &u32| {
            let bind = self.inverse_bind[slot as usize];
            (slot, world(self.joints[slot as usize]) * bind)
        };
        motions.set(slots.iter().map(matrix), !self.linear);
    }

    /// The motions of all slots.
    pub fn motions(&self, world: impl Fn(usize) -> DAffine3) -> Motions {
        let slots: Vec<u32> = (0..self.joints.len() as u32).collect();
        let mut motions = Motions::new(slots.len());
        self.set_motions(&slots, &mut motions, world);
        motions
    }

    /// Where a vertex is under some motions of the slots.
    #[inline]
    pub fn place(&self, vertex: u32, morphs: &[f32], motions: &Motions) -> DVec3 {
        let mut rest = self.rest[vertex as usize];
        for &(morph, offset) in self.offsets.row(vertex) {
            rest += f64::from(morphs[self.morphs.start + morph as usize]) * offset;
        }
        skin_point(rest, self.influences(vertex), motions, self.skin.blend(self.representative(vertex) - self.first))
    }

    /// Places all vertices and the caps' centres.
    pub fn place_all(&self, morphs: &[f32], motions: &Motions, points: &mut Vec<DVec3>) {
        points.clear();
        points.extend((0..self.rest.len() as u32).map(|vertex| self.place(vertex, morphs, motions)));
        self.closed.close(points);
    }
}
