//! Weights by geodesic distance through the body, smoothed by diffusion over its surface [R09 §4.1].
//!
//! 1. Faces are oriented consistently ([`crate::face_orientation`]).
//! 2. Leaf bones without an end in the file extend through their region of the surface ([`leaf_lengths`]).
//! 3. Every vertex finds its nearest bones, along straight paths where these stay inside ([`straight_distances`]),
//!    around corners on a grid where they do not ([`voxels`], [`crate::geodesic::fast_marching`]).
//! 4. Heat from these bones diffuses over the surface ([`crate::diffusion`]).
//! 5. Components that no bone reaches follow the surface closest to them ([`islands`]).
//!
//! All lengths are relative to the diagonal of the surface's bounding box, so units do not matter.

use crate::bones::{Bones, Segment};
use crate::diffusion::{HeatSource, SymbolicDiffusion};
use crate::face_orientation::{OrientedFaces, orient_faces};
use crate::geodesic::fast_marching::{BonePath, BoneWaves};
use crate::geodesic::leaf_lengths;
use crate::geodesic::straight_distances::{self, BodySurface, BoneDistance, BoneDistances};
use crate::geodesic::vertex_fans::VertexFans;
use crate::geodesic::voxels::{self, Voxels};
use crate::inverse_distance;
use crate::islands::{self, Components};
use crate::report::quoted_list;
use crate::rest_surface::RestSurface;
use crate::{Phase, Progress, Result};
use glam::{DVec3, Vec3};
use sinew_geometry::parallel::*;
use sinew_geometry::{Face, SurfaceLaplacian, Winding};
use sinew_rig::Influence;

/// The depth under the surface at which the ray for its thickness starts. It is a thousand times the rounding of
/// positions in f32 and far below a limb's thickness.
const RAY_START_DEPTH: f64 = 1e-4;

/// The approximate number of vertices that sample the thickness. The quantile at 5 % of so many has a standard error of
/// 0.7 %.
const THICKNESS_SAMPLES: usize = 1024;

/// The direction and density of the planes that select samples: incommensurable, so that no regular mesh aligns with
/// them.
const SAMPLE_PLANES: DVec3 = DVec3::new(23.606798, 14.589803, 19.098301);

/// The fraction of vertices that may lie on limbs too thin for the grid. Not tuned.
const UNRESOLVED_FRACTION: f64 = 0.05;

/// The least fraction of vertices above an inside for a surface to count as closed. Not tuned.
const MIN_INSIDE_FRACTION: f64 = 0.02;

/// Islands and repairs of a geodesic binding.
#[derive(Default)]
pub(super) struct GeodesicReport {
    pub islands: usize,
    pub repairs: Vec<String>,
}

/// What geodesic binding needs of a surface, whatever the bones.
pub(super) struct GeodesicSurface {
    faces: Vec<Face>,
    duplicates: usize,
    flipped: usize,
    winding: Winding,
    laplacian: SurfaceLaplacian,
    /// Outward unit normals; zero where the surface has no inside.
    normals: Vec<DVec3>,
    /// None where the surface has no inside.
    voxels: Option<Voxels>,
}

impl GeodesicSurface {
    pub fn new(surface: &RestSurface) -> Self {
        let positions = surface.positions();
        let (faces, duplicates) = without_duplicates(surface.topology().faces());
        let OrientedFaces { faces, flipped } = orient_faces(positions, &faces);
        let positions_f32: Vec<Vec3> = positions.iter().map(|p| p.as_vec3()).collect();
        let (winding, laplacian) = join(
            || Winding::over(faces.clone(), (0..positions_f32.len() as u32).collect(), &positions_f32),
            || SurfaceLaplacian::new(positions, &faces),
        );
        let mut normals = normals(positions, &faces, winding.orientation());
        let thickness = Thickness::new(positions, &normals, &winding);
        let has_inside = thickness.inside_fraction >= MIN_INSIDE_FRACTION;
        if !has_inside {
            normals.fill(DVec3::ZERO);
        }
        let voxels = has_inside.then(|| {
            let spacing = voxels::spacing(thickness.thinnest, surface.extent(), positions.len());
            Voxels::new(positions, &faces, &winding, spacing)
        });
        Self { faces, duplicates, flipped, winding, laplacian, normals, voxels }
    }
}

/// The weights of bones at each welded vertex.
pub(super) fn weights(
    surface: &RestSurface,
    prepared: &GeodesicSurface,
    bones: &mut Bones,
    progress: Progress<'_>,
) -> Result<(Vec<Vec<Influence>>, GeodesicReport)> {
    let GeodesicSurface { faces, winding, laplacian, normals, voxels, .. } = prepared;
    let positions = surface.positions();
    let fans = VertexFans::new(positions, faces);
    let body = BodySurface { positions, normals, fans: &fans, winding, has_inside: voxels.is_some() };
    leaf_lengths::estimate_leaf_lengths(&body, bones, laplacian.areas());
    progress(Phase::Distances);
    let (waves, (equation, mut distances)) = join(
        || voxels.as_ref().map(|voxels| BoneWaves::new(&body, voxels, &bones.segments)),
        || {
            join(
                || SymbolicDiffusion::new(laplacian),
                || straight_distances::straight_distances(&body, &bones.segments),
            )
        },
    );
    if let Some(waves) = waves {
        add_paths_around_corners(&body, &waves, bones, &mut distances);
    }

    progress(Phase::Factorisation);
    let components = Components::new(laplacian);
    let mut is_bound = vec![false; components.count];
    for (distances, &component) in distances.iter().zip(&components.of_vertex) {
        is_bound[component as usize] |= distances.bones.iter().any(|bone| !bone.is_blocked);
    }
    if !is_bound.contains(&true) {
        is_bound.fill(true);
    }
    let area_of = |vertex: usize| match laplacian.areas()[vertex] {
        area if area > 0.0 => area,
        _ => f64::MIN_POSITIVE,
    };
    let heat_sources: Vec<HeatSource> = (0..positions.len())
        .into_par_iter()
        .map(|vertex| match is_bound[components.of_vertex[vertex] as usize] {
            true => HeatSource::new(area_of(vertex), &distances[vertex]),
            false => HeatSource::default(),
        })
        .collect();
    let mut equation = equation?.factor(laplacian, heat_sources)?;
    progress(Phase::Solves);
    let mut rows = equation.solve(bones.count());
    let islands = is_bound.iter().filter(|is_bound| !**is_bound).count();
    if islands > 0 {
        islands::follow_body(positions, faces, laplacian, &components, &is_bound, &mut rows)?;
    }
    let mut report = GeodesicReport { islands, repairs: Vec::new() };
    if prepared.duplicates > 0 {
        report.repairs.push(format!("{} duplicate faces were counted once", prepared.duplicates));
    }
    if prepared.flipped > 0 {
        report.repairs.push(format!("{} faces were flipped to agree with their neighbours", prepared.flipped));
    }
    if !body.has_inside {
        report.repairs.push("the surface encloses nothing, so distances are straight".into());
    }
    report.repairs.extend(bones_outside(bones, &body));
    let mut unreached = 0;
    for (row, &point) in rows.iter_mut().zip(positions).filter(|(row, _)| row.is_empty()) {
        unreached += 1;
        *row = inverse_distance::point_weights(point, &bones.segments, 2.0, 1);
    }
    if unreached > 0 {
        report.repairs.push(format!("{unreached} vertices that no bone reaches follow the nearest one"));
    }
    Ok((rows, report))
}

/// Adds paths around corners, for vertices whose straight paths leave the body. Bones too far away to contribute are
/// skipped.
fn add_paths_around_corners(
    body: &BodySurface<'_>,
    waves: &BoneWaves<'_>,
    bones: &Bones,
    distances: &mut [BoneDistances],
) {
    distances.par_iter_mut().enumerate().for_each_init(Vec::new, |crossings, (vertex, distances)| {
        let BoneDistances { bones: near_bones, is_obstructed, .. } = distances;
        if !*is_obstructed {
            return;
        }
        let open = near_bones.iter().filter(|bone| !bone.is_blocked);
        let mut nearest = open.fold(f64::INFINITY, |nearest, bone| nearest.min(bone.distance));
        let all_paths = waves.paths_to(vertex);
        let mut candidates: Vec<(f64, f64, &[BonePath])> = all_paths
            .chunk_by(|a, b| a.bone == b.bone)
            .map(|paths| {
                let straight = body.straight_distance_to(vertex, bones.of(paths[0].bone));
                ((paths[0].length / straight_distances::MAX_FACING).max(straight), straight, paths)
            })
            .collect();
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (least, straight, paths) in candidates {
            if least > nearest * (1.0 + straight_distances::FALLOFF_WIDTH) {
                break;
            }
            let (path, is_inside) = waves.shortest(vertex, paths, crossings);
            // A path around a corner is never shorter than the straight one, whatever its final direction.
            let distance =
                (path.length / straight_distances::facing(body.normals[vertex], path.direction)).max(straight);
            BoneDistance { bone: path.bone, distance, is_blocked: !is_inside }.add_to(near_bones);
            if is_inside {
                nearest = nearest.min(distance);
            }
        }
    });
}

/// A sentence about the bones that lie entirely outside a body.
fn bones_outside(bones: &Bones, body: &BodySurface<'_>) -> Option<String> {
    let is_outside = |segment: &Segment| {
        let samples = (0..5).map(|k| segment.head.lerp(segment.tail, 0.25 * f64::from(k)));
        samples.into_iter().all(|sample| body.winding.number(sample) < 0.5)
    };
    let by_bone = bones.segments.chunk_by(|a, b| a.bone == b.bone);
    let bones_outside = by_bone.filter(|bone| body.has_inside && bone.iter().all(is_outside));
    let names: Vec<&str> = bones_outside.map(|bone| bones.name(bone[0].bone)).collect();
    (!names.is_empty())
        .then(|| format!("outside the mesh, so distances start at its nearest point: {}", quoted_list(&names, "bone")))
}

/// The thickness of the body under the surface.
struct Thickness {
    /// The fraction of samples above an inside.
    inside_fraction: f64,
    /// The distance to the opposite side at the thinnest limbs that the grid must resolve.
    thinnest: f64,
}

impl Thickness {
    fn new(positions: &[DVec3], normals: &[DVec3], winding: &Winding) -> Self {
        let step = (positions.len() as f64 / THICKNESS_SAMPLES as f64).max(1.0);
        let samples: Vec<(usize, f64)> = (0..positions.len())
            .map(|vertex| (vertex, if step > 1.0 { sample_weight(positions[vertex], step) } else { 1.0 }))
            .filter(|&(_, weight)| weight > 0.0)
            .collect();
        let thicknesses: Vec<Option<(f64, f64)>> = samples
            .par_iter()
            .map_init(Vec::new, |crossings, &(vertex, weight)| {
                let start = positions[vertex] - RAY_START_DEPTH * normals[vertex];
                winding.segment_intersections(start, positions[vertex] - normals[vertex], crossings);
                crossings
                    .first()
                    .filter(|crossing| !crossing.enters)
                    .map(|crossing| (crossing.parameter + RAY_START_DEPTH, weight))
            })
            .collect();
        let mut thicknesses: Vec<(f64, f64)> = thicknesses.into_iter().flatten().collect();
        thicknesses.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let total_weight = |list: &[(f64, f64)]| list.iter().map(|&(_, weight)| weight).sum::<f64>();
        let samples: f64 = samples.iter().map(|&(_, weight)| weight).sum();
        let total = total_weight(&thicknesses);
        // The mean around the quantile, which is continuous in thicknesses and sample weights.
        let quantile_range = [0.5 * UNRESOLVED_FRACTION * total, 1.5 * UNRESOLVED_FRACTION * total];
        let (mut before, mut sum) = (0.0, 0.0);
        for (thickness, weight) in thicknesses {
            let within = [before, before + weight].map(|at: f64| at.clamp(quantile_range[0], quantile_range[1]));
            sum += thickness * (within[1] - within[0]);
            before += weight;
        }
        let thinnest = if total > 0.0 { sum / (quantile_range[1] - quantile_range[0]) } else { 1.0 };
        Self { inside_fraction: if samples > 0.0 { total / samples } else { 0.0 }, thinnest }
    }
}

/// The weight of a vertex as one of about every `one_of` samples: positive between alternate planes and zero on them,
/// so that it is continuous and independent of the vertex order.
fn sample_weight(position: DVec3, one_of: f64) -> f64 {
    let phase = position.dot(SAMPLE_PLANES).rem_euclid(1.0);
    (1.0 - (2.0 * phase * one_of - 1.0).abs()).max(0.0)
}

/// The faces without duplicates of either orientation, and the number of duplicates.
fn without_duplicates(faces: &[Face]) -> (Vec<Face>, usize) {
    let sorted = |face: &Face| {
        let mut corners = [u32::MAX; 4];
        corners[..face.corners().len()].copy_from_slice(face.corners());
        corners.sort_unstable();
        corners
    };
    let mut order: Vec<([u32; 4], u32)> = faces.iter().map(sorted).zip(0..).collect();
    order.par_sort_unstable();
    order.dedup_by_key(|(corners, _)| *corners);
    let mut unique: Vec<u32> = order.into_iter().map(|(_, face)| face).collect();
    unique.sort_unstable();
    let duplicates = faces.len() - unique.len();
    (unique.into_iter().map(|face| faces[face as usize]).collect(), duplicates)
}

/// Outward vertex normals: the mean of the unit normals of the adjacent triangles.
fn normals(positions: &[DVec3], faces: &[Face], orientation: f64) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; positions.len()];
    for triangle in faces.iter().flat_map(Face::triangles) {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        let normal = orientation * (b - a).cross(c - a).normalize_or_zero();
        triangle.iter().for_each(|&v| normals[v as usize] += normal);
    }
    normals.iter().map(|normal| normal.normalize_or_zero()).collect()
}
