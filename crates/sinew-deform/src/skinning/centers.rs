//! Optimised centres of rotation [Le and Hodgins 2016, named by R18 §1.4.2].
//!
//! Vertices with similar weights should move together, rigidly. Each vertex gets a centre: the mean of
//! the surface, weighted by how similar its weights are to the vertex's. The vertex then turns by the
//! mean *rotation* of its joints about that centre, and the centre moves by linear blending. There is
//! neither the collapse of linear skinning nor the bulge of dual quaternions.

use super::dual_quaternion::{Motion, stretched};
use super::influences::Batch;
use super::kernel::Blend;
use super::lanes::{BlockOf, Lanes, Lanes3};
use super::linear::Matrix;
use super::palette::Palette;
use super::rest::RestBlock;
use glam::DVec3;
use sinew_geometry::Mesh;
use sinew_geometry::parallel::*;
use sinew_rig::{Influence, Weights};
use std::collections::BTreeMap;

/// Turns vertices about their centres.
pub(super) struct Centers<'a> {
    pub palette: &'a Palette,
    pub centers: &'a [[BlockOf<f32>; 3]],
}

impl Blend for Centers<'_> {
    /// `p' = R S (p̄ − c) + (Σ wⱼ Mⱼ) c`.
    #[inline(always)]
    fn blend<V: Lanes>(&self, block: usize, rest: &RestBlock, batch: Batch<'_>) -> (Lanes3<V>, Lanes3<V>) {
        let center = Lanes3::load(&self.centers[block], batch.lane);
        let moved = Matrix::<V>::blend(&self.palette.matrices, batch).transform_point(center);
        let arm = Lanes3::load(&rest.position, batch.lane).sub(center);
        let (arm, normal) = stretched(self.palette, arm, Lanes3::load(&rest.normal, batch.lane), batch);
        let Motion { q, w, .. } = Motion::<V>::blend(&self.palette.rigid, batch);
        (arm.rotate(q, w).add(moved), normal.rotate(q, w))
    }
}

/// Width of the similarity's kernel, as the paper sets it.
const SIGMA: f64 = 0.1;

/// The centre of every vertex:
/// `c_i = Σ_t s(wᵢ, w_t) a_t x_t / Σ_t s(wᵢ, w_t) a_t` over triangles t of area a, centroid x and mean
/// weights, with the similarity
/// `s(p, v) = Σ_{j≠k} p_j p_k v_j v_k exp(−(p_j v_k − p_k v_j)² / σ²)`.
///
/// The similarity sees weights alone, so triangles of almost equal weights are gathered into one
/// [`Patch`] first: the cost is vertices × patches under shared joints, not vertices × triangles. A
/// vertex with one joint, or similar to nothing, is its own centre: where one transform has all the
/// weight, any centre gives the same result.
pub(super) fn centers_of_rotation(mesh: &Mesh, weights: &Weights) -> Vec<DVec3> {
    let patches = patches(mesh, weights, WEIGHT_STEPS);
    let joint_count = weights.rows().flatten().map(|i| i.joint as usize + 1).max().unwrap_or(0);
    let mut by_joint = vec![Vec::new(); joint_count];
    for (index, patch) in patches.iter().enumerate() {
        for influence in &patch.influences {
            by_joint[influence.joint as usize].push(index as u32);
        }
    }
    (0..mesh.positions.len())
        .into_par_iter()
        .map(|vertex| {
            let position = mesh.positions[vertex].as_dvec3();
            center(position, weights.row(vertex), &patches, &by_joint)
        })
        .collect()
}

/// Weights that round to the same multiple of `1/WEIGHT_STEPS`, a sixth of [`SIGMA`], share a patch.
const WEIGHT_STEPS: f32 = 64.0;

/// Triangles under the same joints with almost the same weights.
#[derive(Default)]
struct Patch {
    area: f64,
    /// `Σ area · centroid`.
    moment: DVec3,
    /// Mean weights by area.
    influences: Vec<Influence>,
}

/// Joints with their weights in whole steps.
type RoundedWeights = Vec<(u32, u32)>;

/// Gathers the triangles that are under more than one joint.
fn patches(mesh: &Mesh, weights: &Weights, steps: f32) -> Vec<Patch> {
    let mut gathered: BTreeMap<RoundedWeights, (Patch, Vec<f64>)> = BTreeMap::new();
    for [a, b, c] in mesh.faces.iter().flat_map(|f| f.triangles()) {
        let mut mean = Weights::default();
        mean.push([a, b, c].iter().flat_map(|&v| {
            weights.row(v as usize).iter().map(|i| Influence { joint: i.joint, weight: i.weight / 3.0 })
        }));
        let mut influences = mean.row(0).to_vec();
        if influences.len() < 2 {
            continue;
        }
        influences.sort_by_key(|i| i.joint);
        let [p, q, r] = [a, b, c].map(|v| mesh.positions[v as usize].as_dvec3());
        let area = 0.5 * (q - p).cross(r - p).length();
        let key = influences.iter().map(|i| (i.joint, (i.weight * steps).round() as u32)).collect();
        let (patch, sums) = gathered.entry(key).or_insert_with(|| {
            let sums = vec![0.0; influences.len()];
            (Patch { influences: influences.clone(), ..Patch::default() }, sums)
        });
        patch.area += area;
        patch.moment += area * (p + q + r) / 3.0;
        sums.iter_mut().zip(&influences).for_each(|(sum, i)| *sum += area * f64::from(i.weight));
    }
    let finish = |(mut patch, sums): (Patch, Vec<f64>)| {
        let means = sums.iter().map(|sum| (sum / patch.area) as f32);
        patch.influences.iter_mut().zip(means).for_each(|(i, mean)| i.weight = mean);
        patch
    };
    gathered.into_values().filter(|(patch, _)| patch.area > 0.0).map(finish).collect()
}

fn center(position: DVec3, row: &[Influence], patches: &[Patch], by_joint: &[Vec<u32>]) -> DVec3 {
    if row.len() < 2 {
        return position;
    }
    // Two shared joints are needed, so every patch of interest is under some joint besides the most
    // common one: visiting the lists of the others, each patch once, finds them all.
    let mut lists: Vec<&Influence> = row.iter().collect();
    lists.sort_by_key(|i| std::cmp::Reverse(by_joint[i.joint as usize].len()));
    let (mut sum, mut total) = (DVec3::ZERO, 0.0);
    for (k, influence) in lists.iter().enumerate().skip(1) {
        let seen = &lists[1..k];
        for &index in &by_joint[influence.joint as usize] {
            let patch = &patches[index as usize];
            let visited = |i: &Influence| seen.iter().any(|s| s.joint == i.joint);
            if patch.influences.iter().any(visited) {
                continue;
            }
            let similarity = similarity(row, &patch.influences);
            sum += patch.moment * similarity;
            total += patch.area * similarity;
        }
    }
    if total > 0.0 && sum.is_finite() { sum / total } else { position }
}

fn similarity(p: &[Influence], v: &[Influence]) -> f64 {
    let of = |joint: u32| v.iter().find(|i| i.joint == joint).map_or(0.0, |i| f64::from(i.weight));
    let shared = |i: &Influence| (f64::from(i.weight), of(i.joint));
    let mut sum = 0.0;
    for (j, first) in p.iter().enumerate() {
        let (pj, vj) = shared(first);
        if vj == 0.0 {
            continue;
        }
        for second in &p[j + 1..] {
            let (pk, vk) = shared(second);
            let difference = (pj * vk - pk * vj) / SIGMA;
            sum += 2.0 * pj * pk * vj * vk * (-difference * difference).exp();
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use sinew_geometry::Face;

    /// A strip under three joints, with weights that vary everywhere.
    fn strip() -> (Mesh, Weights) {
        let count = 300;
        let mut weights = Weights::default();
        let positions = (0..count)
            .map(|k| {
                let t = k as f32 / count as f32;
                let wave = 0.5 + 0.5 * (9.0 * t).sin();
                weights.push([
                    Influence { joint: 0, weight: (1.0 - t) * wave },
                    Influence { joint: 1, weight: t * wave },
                    Influence { joint: 2, weight: 1.0 - wave },
                ]);
                Vec3::new(t * 10.0, (k % 2) as f32, (7.0 * t).cos())
            })
            .collect();
        let faces = (0..count as u32 - 2).map(|k| Face::triangle(k, k + 1, k + 2)).collect();
        (Mesh::new("strip", positions, faces), weights)
    }

    /// The paper's sum, triangle by triangle.
    #[test]
    fn patches_stand_for_their_triangles() {
        let (mesh, weights) = strip();
        let every_triangle = patches(&mesh, &weights, 1e6);
        assert!(every_triangle.len() > 250);
        for (vertex, found) in centers_of_rotation(&mesh, &weights).into_iter().enumerate() {
            let (mut sum, mut total) = (DVec3::ZERO, 0.0);
            for triangle in &every_triangle {
                let s = similarity(weights.row(vertex), &triangle.influences);
                sum += triangle.moment * s;
                total += triangle.area * s;
            }
            if total > 0.0 {
                assert!(found.distance(sum / total) < 0.02, "vertex {vertex}: {found} against {}", sum / total);
            }
        }
    }
}
