//! What follows the body without a bone of its own?
//!
//! A piece of surface that no bone reaches (a button, a hat, a sheet of hair) follows the closest
//! point of the pieces that are bound; where several are about as close, all of them, since the closest alone would jump
//! from one to the other. A small piece does so as one, with the mean of the shares; on a
//! large one every vertex follows its own closest point, smoothed by the heat equation with the distance to
//! the body in the place of the distance to a bone.

use crate::Result;
use crate::diffusion::{ColdEquation, Heat};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use sinew_geometry::{ClosestSurface, Face, SurfaceLaplacian, UnionFind};
use sinew_rig::Influence;
use std::cell::RefCell;

/// A piece up to this size, of the diagonal of the whole surface's box, moves as one.
const SMALL: f64 = 0.1;

/// The least distance to the body that counts.
const NEAREST: f64 = 1e-3;

/// Points up to this much farther than the closest are followed, too: of its distance, and of the diagonal.
const ABOUT_AS_CLOSE: (f64, f64) = (0.05, 0.002);

/// Connected pieces of a surface.
pub(super) struct Pieces {
    /// The piece of each vertex; a vertex without faces is a piece of its own.
    pub of_vertex: Vec<u32>,
    pub count: usize,
}

impl Pieces {
    /// Numbers the pieces of a surface in order of their first vertex.
    pub fn new(laplacian: &SurfaceLaplacian) -> Self {
        let vertices = laplacian.areas().len();
        let mut pieces = UnionFind::new(vertices);
        laplacian.edges().iter().for_each(|&(a, b)| pieces.join(a, b));
        let (of_vertex, count) = pieces.numbered(0..vertices as u32);
        Self { of_vertex, count }
    }
}

/// Gives rows to the vertices of pieces that are not bound, from the faces of those that are. Without
/// such faces they are left as they are.
pub(super) fn follow(
    positions: &[DVec3],
    faces: &[Face],
    laplacian: &SurfaceLaplacian,
    pieces: &Pieces,
    is_bound: &[bool],
    rows: &mut [Vec<Influence>],
) -> Result<()> {
    let on_body: Vec<Face> = (faces.iter())
        .filter(|face| is_bound[pieces.of_vertex[face.corners()[0] as usize] as usize])
        .copied()
        .collect();
    let places: Vec<Vec3> = positions.iter().map(|p| p.as_vec3()).collect();
    let body = ClosestSurface::new(&places, &on_body);
    let members: Vec<u32> =
        (0..).zip(&pieces.of_vertex).filter(|&(_, &piece)| !is_bound[piece as usize]).map(|(v, _)| v).collect();
    let followed: Option<Vec<Followed>> =
        members.par_iter().map(|&vertex| Followed::new(&body, positions[vertex as usize], rows)).collect();
    let Some(followed) = followed else { return Ok(()) };

    let mut by_piece: Vec<Vec<usize>> = vec![Vec::new(); pieces.count];
    for (member, &vertex) in members.iter().enumerate() {
        by_piece[pieces.of_vertex[vertex as usize] as usize].push(member);
    }
    let mut heats = vec![Heat::default(); members.len()];
    for island in by_piece.iter().filter(|island| !island.is_empty()) {
        let place = |&member: &usize| positions[members[member] as usize];
        let (low, high) = island
            .iter()
            .map(place)
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
        if low.distance(high) <= SMALL {
            let mut mean: Vec<(u32, f64)> = Vec::new();
            for &member in island {
                followed[member]
                    .shares
                    .iter()
                    .for_each(|&(bone, share)| add(&mut mean, bone, share / island.len() as f64));
            }
            island.iter().for_each(|&member| heats[member] = Heat { strength: 1.0, shares: mean.clone() });
        } else {
            for &member in island {
                let Followed { distance, shares } = &followed[member];
                let area = laplacian.areas()[members[member] as usize];
                heats[member] = Heat::by_body(area, *distance, shares.clone());
            }
        }
    }
    let within = laplacian.restricted(&members);
    let bones = heats.iter().flat_map(|heat| &heat.shares).map(|&(bone, _)| bone as usize + 1).max().unwrap_or(0);
    let shares = ColdEquation::new(&within)?.heated(&within, heats)?.solve(bones);
    for (&vertex, shares) in members.iter().zip(shares) {
        rows[vertex as usize] = shares;
    }
    Ok(())
}

/// What a vertex of an island finds on the body.
struct Followed {
    distance: f64,
    shares: Vec<(u32, f64)>,
}

impl Followed {
    /// What is closest to a point, and what is about as close; each triangle has one closest point, which is continuous.
    fn new(body: &ClosestSurface, point: DVec3, rows: &[Vec<Influence>]) -> Option<Self> {
        let distance = body.nearest(point)?.distance.max(NEAREST);
        let within = distance + (ABOUT_AS_CLOSE.0 * distance).min(ABOUT_AS_CLOSE.1);
        let hits = RefCell::new(Vec::new());
        body.nearest_where(point, within, |hit| {
            hits.borrow_mut().push((hit.vertices, hit.barycentric, (within - hit.distance).max(0.0).powi(2)));
            false
        });
        let hits = hits.into_inner();
        let total: f64 = hits.iter().map(|&(_, _, say)| say).sum();
        let mut shares: Vec<(u32, f64)> = Vec::new();
        for (vertices, barycentric, say) in hits {
            for (corner, share) in vertices.into_iter().zip(barycentric) {
                let share = share * say / total;
                rows[corner as usize].iter().for_each(|i| add(&mut shares, i.joint, share * f64::from(i.weight)));
            }
        }
        Some(Self { distance, shares })
    }
}

fn add(row: &mut Vec<(u32, f64)>, bone: u32, share: f64) {
    match row.iter_mut().find(|(same, _)| *same == bone) {
        Some((_, sum)) => *sum += share,
        None => row.push((bone, share)),
    }
}
