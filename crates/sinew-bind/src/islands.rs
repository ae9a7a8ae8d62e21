//! Weights of surface components that no bone reaches.
//!
//! Such a component (a button, a hat, a sheet of hair) follows the closest point of the bound components, blended with
//! others about as close, because the closest point alone would jump. A small component takes the mean weights as one
//! rigid piece; on a large one every vertex follows its own closest point, smoothed by the diffusion equation with the
//! distance to the body in place of the distance to a bone.

use crate::Result;
use crate::diffusion::{HeatSource, SymbolicDiffusion};
use glam::{DVec3, Vec3};
use sinew_geometry::parallel::*;
use sinew_geometry::{ClosestSurface, Face, SurfaceLaplacian, UnionFind};
use sinew_rig::Influence;
use std::cell::RefCell;

/// The largest diagonal, relative to that of the whole surface, of a component that moves rigidly. Not tuned.
const MAX_RIGID_SIZE: f64 = 0.1;

/// The least distance to the body, relative to the diagonal; it keeps the heat finite. Not tuned.
const MIN_DISTANCE: f64 = 1e-3;

/// Points up to this much farther than the closest contribute: relative to its distance, and to the diagonal. Not
/// tuned.
const BLEND_MARGIN: (f64, f64) = (0.05, 0.002);

/// The connected components of a surface.
pub(super) struct Components {
    /// The component of each vertex; a vertex without faces is a component of its own.
    pub of_vertex: Vec<u32>,
    pub count: usize,
}

impl Components {
    /// Numbers the components of a surface in order of their first vertex.
    pub fn new(laplacian: &SurfaceLaplacian) -> Self {
        let vertices = laplacian.areas().len();
        let mut components = UnionFind::new(vertices);
        laplacian.edges().iter().for_each(|&(a, b)| components.join(a, b));
        let (of_vertex, count) = components.numbered(0..vertices as u32);
        Self { of_vertex, count }
    }
}

/// Writes weights of components that are not bound, from the faces of those that are. Without such faces nothing
/// changes.
pub(super) fn follow_body(
    positions: &[DVec3],
    faces: &[Face],
    laplacian: &SurfaceLaplacian,
    components: &Components,
    is_bound: &[bool],
    rows: &mut [Vec<Influence>],
) -> Result<()> {
    let on_body: Vec<Face> = (faces.iter())
        .filter(|face| is_bound[components.of_vertex[face.corners()[0] as usize] as usize])
        .copied()
        .collect();
    let positions_f32: Vec<Vec3> = positions.iter().map(|p| p.as_vec3()).collect();
    let body = ClosestSurface::new(&positions_f32, &on_body);
    let island_vertices: Vec<u32> = (0..)
        .zip(&components.of_vertex)
        .filter(|&(_, &component)| !is_bound[component as usize])
        .map(|(v, _)| v)
        .collect();
    let closest_weights: Option<Vec<ClosestWeights>> = island_vertices
        .par_iter()
        .map(|&vertex| ClosestWeights::new(&body, positions[vertex as usize], rows))
        .collect();
    let Some(closest_weights) = closest_weights else { return Ok(()) };

    let mut members_of_component: Vec<Vec<usize>> = vec![Vec::new(); components.count];
    for (member, &vertex) in island_vertices.iter().enumerate() {
        members_of_component[components.of_vertex[vertex as usize] as usize].push(member);
    }
    let mut heat_sources = vec![HeatSource::default(); island_vertices.len()];
    for members in members_of_component.iter().filter(|members| !members.is_empty()) {
        let place = |&member: &usize| positions[island_vertices[member] as usize];
        let (low, high) = members
            .iter()
            .map(place)
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
        if low.distance(high) <= MAX_RIGID_SIZE {
            let mut mean: Vec<(u32, f64)> = Vec::new();
            for &member in members {
                closest_weights[member]
                    .weights
                    .iter()
                    .for_each(|&(bone, weight)| add(&mut mean, bone, weight / members.len() as f64));
            }
            members
                .iter()
                .for_each(|&member| heat_sources[member] = HeatSource { strength: 1.0, weights: mean.clone() });
        } else {
            for &member in members {
                let ClosestWeights { distance, weights } = &closest_weights[member];
                let area = laplacian.areas()[island_vertices[member] as usize];
                heat_sources[member] = HeatSource::from_body(area, *distance, weights.clone());
            }
        }
    }
    let within = laplacian.restricted(&island_vertices);
    let bones = heat_sources
        .iter()
        .flat_map(|heat_source| &heat_source.weights)
        .map(|&(bone, _)| bone as usize + 1)
        .max()
        .unwrap_or(0);
    let weights = SymbolicDiffusion::new(&within)?.factor(&within, heat_sources)?.solve(bones);
    for (&vertex, weights) in island_vertices.iter().zip(weights) {
        rows[vertex as usize] = weights;
    }
    Ok(())
}

/// The weights that a vertex of an island takes from the body.
struct ClosestWeights {
    distance: f64,
    weights: Vec<(u32, f64)>,
}

impl ClosestWeights {
    /// Blends the points of the body closest to `point` and about as close, one of each triangle; each is continuous.
    fn new(body: &ClosestSurface, point: DVec3, rows: &[Vec<Influence>]) -> Option<Self> {
        let distance = body.nearest(point)?.distance.max(MIN_DISTANCE);
        let within = distance + (BLEND_MARGIN.0 * distance).min(BLEND_MARGIN.1);
        let hits = RefCell::new(Vec::new());
        body.nearest_where(point, within, |hit| {
            hits.borrow_mut().push((hit.vertices, hit.barycentric, (within - hit.distance).max(0.0).powi(2)));
            false
        });
        let hits = hits.into_inner();
        let total: f64 = hits.iter().map(|&(_, _, blend_weight)| blend_weight).sum();
        let mut weights: Vec<(u32, f64)> = Vec::new();
        for (vertices, barycentric, blend_weight) in hits {
            for (corner, coordinate) in vertices.into_iter().zip(barycentric) {
                let weight = coordinate * blend_weight / total;
                rows[corner as usize].iter().for_each(|i| add(&mut weights, i.joint, weight * f64::from(i.weight)));
            }
        }
        Some(Self { distance, weights })
    }
}

fn add(row: &mut Vec<(u32, f64)>, bone: u32, weight: f64) {
    match row.iter_mut().find(|(same, _)| *same == bone) {
        Some((_, sum)) => *sum += weight,
        None => row.push((bone, weight)),
    }
}
