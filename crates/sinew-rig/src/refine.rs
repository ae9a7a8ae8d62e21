//! Local refinement of a character [R09 §4.3].
//!
//! [`sinew_geometry::refine`] subdivides the faces around selected vertices, once per step. A new vertex is selected if
//! all vertices that it lies between are. A mesh is refined across its seams:
//!
//! | what | how |
//! |---|---|
//! | positions | by the smooth rule of the welded surface: all copies of a vertex get the same bits |
//! | weights, shares of dual quaternions, displacements of morph targets | likewise; where the copies of a vertex disagree, by the mean on each side |
//! | texture coordinates, colours, normals, tangents | by the mean on each side; normals that are the means of [`Mesh::compute_normals`] are computed anew |
//!
//! A closed surface stays closed in every pose, and seams stay seams. The indices of the file's vertices do not change;
//! new vertices come after them. The result depends on the selection only, so one refined character serves a whole clip
//! and a bake has one topology. Cost: linear in the size of the mesh, for each step.

use super::{Character, Part};
use crate::limits::MAX_REFINED_FACES;
use crate::{Error, Result};
use glam::{Vec3, Vec4};
use sinew_geometry::refine::seams::{SeamStep, Weld};
use sinew_geometry::{Attribute, InterpolationMatrix, Mesh, MorphTarget, Primitive};

/// The character with the faces around selected vertices subdivided `steps` times.
///
/// `selected` is called for each part and each of its vertices. Vertices at the same position are copies of one vertex,
/// so a selected vertex selects its copies too.
///
/// ```
/// use sinew_rig::refined;
/// use sinew_demo as demo;
///
/// let tube = demo::tube();
/// let is_near_the_bend = |part: usize, vertex: usize| (tube.parts[part].mesh.positions[vertex].z - 5.0).abs() < 1.0;
/// let finer = refined(&tube, is_near_the_bend, 1)?;
/// let mesh = &finer.parts[0].mesh;
/// assert_eq!(mesh.own_vertices(), tube.vertex_count());
/// assert!(mesh.added_vertices > 0);
/// # Ok::<(), sinew_rig::Error>(())
/// ```
pub fn refined(character: &Character, selected: impl Fn(usize, usize) -> bool, steps: usize) -> Result<Character> {
    character.check()?;
    let mut refined = character.clone();
    for (index, part) in refined.parts.iter_mut().enumerate() {
        let selected: Vec<bool> = (0..part.mesh.positions.len()).map(|vertex| selected(index, vertex)).collect();
        if selected.contains(&true) {
            part.refine(&selected, steps)?;
        }
    }
    Ok(refined)
}

impl Part {
    fn refine(&mut self, selected_vertices: &[bool], steps: usize) -> Result<()> {
        let mut weld = Weld::new(&self.mesh.positions);
        let means = |mesh: &Mesh, weld: &Weld| mesh.mean_normals(weld.len(), |vertex| weld.number(vertex));
        let normals_are_means = !self.mesh.normals.is_empty() && self.mesh.normals == means(&self.mesh, &weld);
        let mut selected = vec![false; weld.len()];
        for (vertex, is_selected) in selected_vertices.iter().enumerate() {
            selected[weld.number(vertex)] |= is_selected;
        }
        for _ in 0..steps {
            self.check_size(&weld, &selected)?;
            let step = SeamStep::new(&self.mesh.faces, &weld, &selected);
            self.apply(&step, &weld)?;
            step.carry(&mut selected);
            weld = step.weld;
        }
        if normals_are_means {
            self.mesh.normals = means(&self.mesh, &weld);
        }
        Ok(())
    }

    /// Each selected face becomes four, and so may each of its neighbours.
    fn check_size(&self, weld: &Weld, selected: &[bool]) -> Result<()> {
        let faces = &self.mesh.faces;
        let touched = faces.iter().filter(|f| f.corners().iter().any(|&v| selected[weld.number(v as usize)])).count();
        if faces.len() + 12 * touched > MAX_REFINED_FACES {
            return Err(Error::TooFine { mesh: self.mesh.name.clone(), faces: touched });
        }
        Ok(())
    }

    fn apply(&mut self, step: &SeamStep, weld: &Weld) -> Result<()> {
        let agrees = self.agreement(weld);
        let interpolation = step.interpolation_where(|vertex| agrees[weld.number(vertex as usize)]);
        self.binding.weights = self.binding.weights.refined(&interpolation);
        // Shares are rounded, and their sums with them.
        self.binding.weights.repair(&self.mesh.name)?;
        if let Some(list) = &mut self.binding.dual_quaternion_share {
            *list = interpolation.apply(list).into_iter().map(|share| share.clamp(0.0, 1.0)).collect();
        }
        self.mesh = refined_mesh(&self.mesh, step, &interpolation);
        Ok(())
    }

    /// For each welded vertex whether its copies move together.
    fn agreement(&self, weld: &Weld) -> Vec<bool> {
        let Self { mesh, binding, .. } = self;
        let mut agrees = vec![true; weld.len()];
        for vertex in 0..mesh.positions.len() {
            let first = weld.representative(vertex);
            agrees[weld.number(vertex)] &= vertex == first
                || binding.weights.row(vertex) == binding.weights.row(first)
                    && binding.dual_quaternion_share.as_ref().is_none_or(|list| list[vertex] == list[first])
                    && mesh.morphs.iter().all(|morph| morph.positions[vertex] == morph.positions[first]);
        }
        agrees
    }
}

/// A mesh after a step; displacements of morph targets follow `interpolation`.
fn refined_mesh(mesh: &Mesh, step: &SeamStep, interpolation: &InterpolationMatrix) -> Mesh {
    let linear = |list: &[Vec3]| if list.is_empty() { Vec::new() } else { step.linear.apply(list) };
    let attribute = |attribute: &Attribute| Attribute {
        name: attribute.name.clone(),
        width: attribute.width,
        values: refined_values(&attribute.values, attribute.width, &step.linear),
    };
    let morph = |morph: &MorphTarget| MorphTarget {
        name: morph.name.clone(),
        positions: interpolation.apply(&morph.positions),
        normals: linear(&morph.normals),
        tangents: linear(&morph.tangents),
    };
    let mut normals = linear(&mesh.normals);
    if !normals.is_empty() {
        for vertex in step.added.clone() {
            let otherwise = mesh.normals[step.linear.row(vertex)[0].0 as usize];
            normals[vertex] = normals[vertex].normalize_or(otherwise);
        }
    }
    Mesh {
        name: mesh.name.clone(),
        positions: step.smooth.apply(&mesh.positions),
        normals,
        tangents: refined_tangents(&mesh.tangents, step),
        faces: step.faces.clone(),
        primitives: mesh.primitives.iter().map(|p| Primitive { faces: step.children(&p.faces), ..p.clone() }).collect(),
        attributes: mesh.attributes.iter().map(attribute).collect(),
        morphs: mesh.morphs.iter().map(morph).collect(),
        file_vertices: mesh.file_vertices.clone(),
        added_vertices: mesh.added_vertices + step.added.len(),
    }
}

/// Unit directions again, with the bitangent's sign of the first vertex that a new one lies between.
fn refined_tangents(tangents: &[Vec4], step: &SeamStep) -> Vec<Vec4> {
    if tangents.is_empty() {
        return Vec::new();
    }
    let mut refined = step.linear.apply(tangents);
    for vertex in step.added.clone() {
        let first = tangents[step.linear.row(vertex)[0].0 as usize];
        refined[vertex] = refined[vertex].truncate().normalize_or(first.truncate()).extend(first.w);
    }
    refined
}

fn refined_values(values: &[f32], width: usize, interpolation: &InterpolationMatrix) -> Vec<f32> {
    let mut refined = vec![0.0; interpolation.len() * width];
    for (vertex, numbers) in refined.chunks_exact_mut(width.max(1)).enumerate() {
        for &(old, share) in interpolation.row(vertex) {
            let values = &values[old as usize * width..][..width];
            numbers.iter_mut().zip(values).for_each(|(sum, value)| *sum += value * share);
        }
    }
    refined
}
