//! Shares by distance through the inside of the body, smoothed over its surface [R09 §4.1].
//!
//! 1. Faces are turned to agree about the outside ([`crate::face_orientation`]).
//! 2. Leaves whose end the file does not tell are stretched through the part of the surface that is
//!    theirs ([`leaf_lengths`]).
//! 3. For every vertex the nearest bones are found, by straight ways where these stay inside
//!    ([`bone_distances`]), around corners on a grid where they do not ([`voxels`], [`crate::geodesic::fast_marching`]).
//! 4. Heat from these bones spreads over the surface ([`crate::diffusion`]).
//! 5. What no bone reaches follows the surface that it is closest to ([`islands`]).
//!
//! All lengths are relative to the diagonal of the surface's box, so units do not matter.

use crate::bones::{Bones, Segment};
use crate::diffusion::{ColdEquation, Heat};
use crate::face_orientation::{Oriented, oriented};
use crate::geodesic::bone_distances::{self, Body, Reached, Source};
use crate::geodesic::fast_marching::{Waves, Way};
use crate::geodesic::leaf_lengths;
use crate::geodesic::vertex_fans::Fans;
use crate::geodesic::voxels::{self, Voxels};
use crate::inverse_distance;
use crate::islands::{self, Pieces};
use crate::report::listed;
use crate::rest_surface::RestSurface;
use crate::{Phase, Progress, Result};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use sinew_geometry::{Face, SurfaceLaplacian, Winding};
use sinew_rig::Influence;

/// How deep under the surface its inside is looked for.
const DEPTH: f64 = 1e-4;

/// Vertices that are asked for the thickness under them, at most.
const ASKED: usize = 1024;

/// Across planes between which vertices are asked, as many of them as there are to the unit.
const ACROSS_PLANES: DVec3 = DVec3::new(23.606798, 14.589803, 19.098301);

/// The share of vertices that may lie on limbs which the grid does not resolve.
const UNRESOLVED: f64 = 0.05;

/// The share of vertices with an inside under them from which the surface has one.
const HOLLOW: f64 = 0.02;

/// What else is to be told.
#[derive(Default)]
pub(super) struct Findings {
    pub islands: usize,
    pub repairs: Vec<String>,
}

/// The shares of bones in each welded vertex.
pub(super) fn weights(
    surface: &RestSurface,
    bones: &mut Bones,
    progress: Progress<'_>,
) -> Result<(Vec<Vec<Influence>>, Findings)> {
    progress(Phase::Voxels);
    let positions = surface.positions();
    let (faces, repeated) = without_repeats(surface.topology().faces());
    let Oriented { faces, turned } = oriented(positions, &faces);
    let places: Vec<Vec3> = positions.iter().map(|p| p.as_vec3()).collect();
    let (winding, laplacian) = rayon::join(
        || Winding::over(faces.clone(), (0..places.len() as u32).collect(), &places),
        || SurfaceLaplacian::new(positions, &faces),
    );
    let mut normals = normals(positions, &faces, winding.orientation());
    let thickness = Thickness::new(positions, &normals, &winding);
    let has_inside = thickness.hollow >= HOLLOW;
    if !has_inside {
        normals.fill(DVec3::ZERO);
    }
    let fans = Fans::new(positions, &faces);
    let body = Body { positions, normals: &normals, fans: &fans, winding: &winding, has_inside };
    leaf_lengths::stretch_leaves(&body, bones, laplacian.areas());

    let voxels = has_inside.then(|| {
        let spacing = voxels::spacing(thickness.thinnest, surface.extent(), positions.len());
        Voxels::new(positions, &faces, &winding, spacing)
    });
    progress(Phase::Distances);
    let (waves, (equation, mut reached)) = rayon::join(
        || voxels.as_ref().map(|voxels| Waves::new(&body, voxels, &bones.segments)),
        || rayon::join(|| ColdEquation::new(&laplacian), || bone_distances::straight(&body, &bones.segments)),
    );
    if let Some(waves) = waves {
        around_corners(&body, &waves, bones, &mut reached);
    }

    progress(Phase::Factorisation);
    let pieces = Pieces::new(&laplacian);
    let mut is_bound = vec![false; pieces.count];
    for (reached, &piece) in reached.iter().zip(&pieces.of_vertex) {
        is_bound[piece as usize] |= reached.sources.iter().any(|source| !source.is_blocked);
    }
    if !is_bound.contains(&true) {
        is_bound.fill(true);
    }
    let area_of = |vertex: usize| match laplacian.areas()[vertex] {
        area if area > 0.0 => area,
        _ => f64::MIN_POSITIVE,
    };
    let heats: Vec<Heat> = (0..positions.len())
        .into_par_iter()
        .map(|vertex| match is_bound[pieces.of_vertex[vertex] as usize] {
            true => Heat::new(area_of(vertex), &reached[vertex]),
            false => Heat::default(),
        })
        .collect();
    let mut equation = equation?.heated(&laplacian, heats)?;
    progress(Phase::Solves);
    let mut rows = equation.solve(bones.count());
    let islands = is_bound.iter().filter(|is_bound| !**is_bound).count();
    if islands > 0 {
        islands::follow(positions, &faces, &laplacian, &pieces, &is_bound, &mut rows)?;
    }
    let mut findings = Findings { islands, repairs: Vec::new() };
    if repeated > 0 {
        findings.repairs.push(format!("{repeated} faces that are there more than once were counted once"));
    }
    if turned > 0 {
        findings.repairs.push(format!("{turned} faces were turned to agree with their neighbours about the outside"));
    }
    if !body.has_inside {
        findings.repairs.push("the surface encloses nothing, so distances are straight".into());
    }
    findings.repairs.extend(outside(bones, &body));
    let mut forgotten = 0;
    for (row, &point) in rows.iter_mut().zip(positions).filter(|(row, _)| row.is_empty()) {
        forgotten += 1;
        *row = inverse_distance::shares(point, &bones.segments, 2.0, 1);
    }
    if forgotten > 0 {
        findings.repairs.push(format!("{forgotten} vertices that no bone reaches follow the nearest one"));
    }
    Ok((rows, findings))
}

/// Adds ways around corners, for vertices to which a straight way leaves the body. Bones that are too far on any way to have a
/// part are left as they are.
fn around_corners(body: &Body<'_>, waves: &Waves<'_>, bones: &Bones, reached: &mut [Reached]) {
    reached.par_iter_mut().enumerate().for_each_init(Vec::new, |found, (vertex, reached)| {
        let Reached { sources, is_hindered, .. } = reached;
        if !*is_hindered {
            return;
        }
        let open = sources.iter().filter(|source| !source.is_blocked);
        let mut nearest = open.fold(f64::INFINITY, |nearest, source| nearest.min(source.distance));
        let ends = waves.at_vertex(vertex);
        let mut candidates: Vec<(f64, f64, &[Way])> = ends
            .chunk_by(|a, b| a.bone == b.bone)
            .map(|ways| {
                let straight = body.straight_distance_to(vertex, bones.of(ways[0].bone));
                ((ways[0].length / bone_distances::FACING).max(straight), straight, ways)
            })
            .collect();
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (least, straight, ways) in candidates {
            if least > nearest * (1.0 + bone_distances::SHARED) {
                break;
            }
            let (way, is_inside) = waves.shortest(vertex, ways, found);
            // A way around is not nearer than the straight one, however it comes in.
            let distance = (way.length / bone_distances::facing(body.normals[vertex], way.direction)).max(straight);
            Source { bone: way.bone, distance, is_blocked: !is_inside }.add_to(sources);
            if is_inside {
                nearest = nearest.min(distance);
            }
        }
    });
}

/// A sentence about the bones that lie outside of a body all along.
fn outside(bones: &Bones, body: &Body<'_>) -> Option<String> {
    let is_outside = |segment: &Segment| {
        let samples = (0..5).map(|k| segment.head.lerp(segment.tail, 0.25 * f64::from(k)));
        samples.into_iter().all(|sample| body.winding.number(sample) < 0.5)
    };
    let by_bone = bones.segments.chunk_by(|a, b| a.bone == b.bone);
    let outside = by_bone.filter(|bone| body.has_inside && bone.iter().all(is_outside));
    let names: Vec<&str> = outside.map(|bone| bones.name(bone[0].bone)).collect();
    (!names.is_empty())
        .then(|| format!("outside of the mesh, which is entered at its nearest point: {}", listed(&names, "bone")))
}

/// What lies under the surface.
struct Thickness {
    /// The share of vertices with an inside under them.
    hollow: f64,
    /// The way to the other side, but for the thinnest places.
    thinnest: f64,
}

impl Thickness {
    fn new(positions: &[DVec3], normals: &[DVec3], winding: &Winding) -> Self {
        let step = (positions.len() as f64 / ASKED as f64).max(1.0);
        let asked: Vec<(usize, f64)> = (0..positions.len())
            .map(|vertex| (vertex, if step > 1.0 { say_of_place(positions[vertex], step) } else { 1.0 }))
            .filter(|&(_, say)| say > 0.0)
            .collect();
        let through: Vec<Option<(f64, f64)>> = asked
            .par_iter()
            .map_init(Vec::new, |found, &(vertex, say)| {
                let start = positions[vertex] - DEPTH * normals[vertex];
                winding.crossings(start, positions[vertex] - normals[vertex], found);
                found.first().filter(|crossing| !crossing.enters).map(|crossing| (crossing.share + DEPTH, say))
            })
            .collect();
        let mut through: Vec<(f64, f64)> = through.into_iter().flatten().collect();
        through.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let says = |list: &[(f64, f64)]| list.iter().map(|&(_, say)| say).sum::<f64>();
        let asked: f64 = asked.iter().map(|&(_, say)| say).sum();
        let total = says(&through);
        // The mean of what lies about the share, which is continuous in what each vertex tells and in its say.
        let about = [0.5 * UNRESOLVED * total, 1.5 * UNRESOLVED * total];
        let (mut before, mut sum) = (0.0, 0.0);
        for (thickness, say) in through {
            let within = [before, before + say].map(|at: f64| at.clamp(about[0], about[1]));
            sum += thickness * (within[1] - within[0]);
            before += say;
        }
        let thinnest = if total > 0.0 { sum / (about[1] - about[0]) } else { 1.0 };
        Self { hollow: if asked > 0.0 { total / asked } else { 0.0 }, thinnest }
    }
}

/// The say of a vertex in what is asked of about one of so many: those have one that lie between planes, and less towards
/// these, so that it is continuous and does not depend on the order of vertices.
fn say_of_place(position: DVec3, one_of: f64) -> f64 {
    let phase = position.dot(ACROSS_PLANES).rem_euclid(1.0);
    (1.0 - (2.0 * phase * one_of - 1.0).abs()).max(0.0)
}

/// The faces with those that are there more than once, either way round, once; and how many were left out.
fn without_repeats(faces: &[Face]) -> (Vec<Face>, usize) {
    let sorted = |face: &Face| {
        let mut corners = [u32::MAX; 4];
        corners[..face.corners().len()].copy_from_slice(face.corners());
        corners.sort_unstable();
        corners
    };
    let mut order: Vec<([u32; 4], u32)> = faces.iter().map(sorted).zip(0..).collect();
    order.par_sort_unstable();
    order.dedup_by_key(|(corners, _)| *corners);
    let mut kept: Vec<u32> = order.into_iter().map(|(_, face)| face).collect();
    kept.sort_unstable();
    let repeated = faces.len() - kept.len();
    (kept.into_iter().map(|face| faces[face as usize]).collect(), repeated)
}

/// Outward normals: the mean of those of the faces around each vertex.
fn normals(positions: &[DVec3], faces: &[Face], orientation: f64) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; positions.len()];
    for triangle in faces.iter().flat_map(Face::triangles) {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        let normal = orientation * (b - a).cross(c - a).normalize_or_zero();
        triangle.iter().for_each(|&v| normals[v as usize] += normal);
    }
    normals.iter().map(|normal| normal.normalize_or_zero()).collect()
}
