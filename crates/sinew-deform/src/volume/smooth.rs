//! The Laplacian-regularised correction of a patch: a smooth direction first, then the exact distance along it.

use super::correction::{self, Request, Sums};
use super::laplacian::Laplacian;
use super::patch::Patch;
use crate::Result;
use glam::DVec3;

/// A patch with its Laplacian and the numbers that go into it.
pub(super) struct Smooth {
    laplacian: Laplacian,
    smoothness: f64,
    /// The gradient, then the unit normals, then the field of displacements.
    field: Vec<DVec3>,
    along_normal: Vec<f64>,
    distance: Vec<f64>,
    sums: Sums,
}

impl Smooth {
    pub fn new(patch: &Patch, smoothness: f64) -> Result<Self> {
        let count = patch.movable().len();
        let mut neighbors = vec![Vec::new(); count];
        let edges = patch.faces().iter().flat_map(|face| face.edges().collect::<Vec<_>>());
        for (a, b) in edges.filter(|&(a, b)| (a as usize) < count && (b as usize) < count) {
            neighbors[a as usize].push(b);
            neighbors[b as usize].push(a);
        }
        let mut offsets = vec![0];
        let mut list: Vec<u32> = Vec::new();
        for around in &mut neighbors {
            around.sort_unstable();
            around.dedup();
            list.extend(&*around);
            offsets.push(list.len() as u32);
        }
        Ok(Self {
            laplacian: Laplacian::new(&offsets, &list)?,
            smoothness,
            field: vec![DVec3::ZERO; patch.len()],
            along_normal: vec![0.0; count],
            distance: vec![0.0; count],
            sums: Sums::new(patch),
        })
    }

    /// Moves the patch along `q n`, exactly [R07 §4.8].
    pub fn correct(&mut self, patch: &Patch, points: &mut [DVec3], request: Request<'_>) -> f64 {
        let Self { laplacian, smoothness, field, along_normal, distance, sums } = self;
        patch.gradient(points, field);
        for (normal, along) in field.iter_mut().zip(&mut *along_normal) {
            *along = normal.length();
            *normal = normal.normalize_or_zero();
        }
        laplacian.direction(request.gamma, &field[..distance.len()], along_normal, *smoothness, distance);
        field.iter_mut().zip(&*distance).for_each(|(normal, q)| *normal *= *q);
        correction::along_field(patch, points, field, request, sums)
    }
}
