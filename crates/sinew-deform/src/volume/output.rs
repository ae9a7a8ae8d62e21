//! A corrected shell is handed on: positions move, and normals turn with the surface around them.
//!
//! Authored normals keep what their author meant, hard edges included: each is turned by the rotation that takes the
//! area-weighted normal of the surface before the correction to the one after it. Tangents follow.

use super::patch::Patch;
use super::surface::PartSurface;
use glam::{DVec3, Quat};
use sinew_geometry::parallel::*;
use sinew_rig::Surface;

/// Room for the turns of a shell's normals.
pub(super) struct Output {
    turns: Vec<Quat>,
}

/// Normals that a task rotates. Each task writes its own, so the number changes no result.
const NORMALS_PER_TASK: usize = 512;

impl Output {
    pub fn new(vertices: usize) -> Self {
        Self { turns: Vec::with_capacity(vertices) }
    }

    /// Writes the touched vertices of a patch to all their copies in the surface.
    pub fn write(
        &mut self,
        part: &PartSurface,
        patch: &Patch,
        touched: &[u32],
        displacement: &[DVec3],
        surface: &mut Surface,
    ) {
        let vertices = patch.vertices();
        if !surface.normals.is_empty() {
            self.turn(part, patch, touched, displacement, surface);
        }
        for &k in touched {
            let vertex = vertices[k as usize];
            let base = surface.positions[part.representative(vertex)].as_dvec3();
            let place = (base + displacement[k as usize]).as_vec3();
            part.copies(vertex).for_each(|copy| surface.positions[copy] = place);
        }
    }

    fn turn(
        &mut self,
        part: &PartSurface,
        patch: &Patch,
        touched: &[u32],
        displacement: &[DVec3],
        surface: &mut Surface,
    ) {
        let vertices = patch.vertices();
        let places = |k: u32| {
            let base = surface.positions[part.representative(vertices[k as usize])];
            [base, base + displacement[k as usize].as_vec3()]
        };
        let turn = |&k: &u32| {
            let [was, is] = patch.normals(k, places);
            Quat::from_rotation_arc(was, is)
        };
        self.turns.clear();
        self.turns.resize(touched.len(), Quat::IDENTITY);
        if touched.len() <= 2 * NORMALS_PER_TASK {
            self.turns.iter_mut().zip(touched).for_each(|(t, k)| *t = turn(k));
        } else {
            let pieces = self.turns.par_chunks_mut(NORMALS_PER_TASK).zip(touched.par_chunks(NORMALS_PER_TASK));
            pieces.for_each(|(turns, touched)| turns.iter_mut().zip(touched).for_each(|(t, k)| *t = turn(k)));
        }
        for (&k, &rotation) in touched.iter().zip(&self.turns) {
            for copy in part.copies(vertices[k as usize]) {
                surface.rotate(copy, rotation);
            }
        }
    }
}
