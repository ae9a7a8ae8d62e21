//! What the quasi-Newton method takes for the Hessian where it begins.
//!
//! One matrix for the three coordinates, so it cannot turn a force: of the Hessian's 3 × 3 blocks it has about the mean
//! of the diagonal. The second derivative of a tetrahedron's energy by F, so averaged, is `μ` and, from its resistance to
//! compression, a multiple of `(cof F)ᵀ cof F`; what `−μ (J − 1)` and the curvature of J add has a mean of zero. So with the
//! derivatives ∇ of the shares of nodes a and b at rest
//!
//! ```text
//! H_ab = Σ V (2 μ ∇a·∇b + (λ/2 + 2 c λ' h) (cof F ∇a)·(cof F ∇b)),
//! ```
//!
//! where h is 1 for tetrahedra that are crushed, or nearly so, and 0 for others; attachments and fibres come on top. The
//! factors 2 and ½ are guesses: compression at nodes sees few modes. V is the volume that resists being crushed, with that
//! of flesh alone two seconds of a walk and of boxing take 30 and 37 iterations a frame instead of 22 and 29.
//!
//! With F = 1 that is a Laplacian, factored once (Liu, Bouaziz and Kavan 2017). But a crushed tetrahedron of little flesh
//! is some hundred times as stiff as at rest, and four of five iterations were spent on the twenty nodes of such. So the
//! matrix follows the shape.

use crate::chunk::{CRUSH_STIFFNESS, CRUSHED, Element};
use crate::fibre::Fibres;
use crate::lattice::{edges, gradients};
use crate::{Attachment, Error, Material, Result};
use glam::{DMat3, DVec3};
use sinew_geometry::solve::{Factor, SparseCholesky, SymmetricEntries};

/// The volume, in that from which on a tetrahedron counts as crushed, from which on it nearly does. A second of a walk and
/// one of boxing take 39 and 54 / 34 and 43 / 33 and 45 / 31 and 50 iterations a frame with 1 / 1.2 / 1.3 / 1.7.
const NEARLY_CRUSHED: f64 = 1.2;

/// The matrix follows in the first of so many shapes. Refreshed in every shape / every second / fourth / tenth, a second
/// of a walk and one of boxing take 21 and 32 / 21 and 34 / 22 and 34 / 22 and 37 iterations a frame, and a refreshment takes
/// as long as four of them.
const SHAPES: usize = 4;

/// A matrix for the three coordinates, and its factor. Nothing is allocated after the beginning.
#[derive(Debug)]
pub(crate) struct Preconditioner {
    elements: Vec<Element>,
    material: Material,
    entries: SymmetricEntries,
    factor: SparseCholesky,
    /// Shapes since the beginning.
    shapes: usize,
}

impl Preconditioner {
    /// The matrix of a shape at rest.
    pub(crate) fn new(
        elements: Vec<Element>,
        material: Material,
        nodes: &[DVec3],
        attachments: &[Attachment],
        fibres: &Fibres,
    ) -> Result<Self> {
        let mut entries = SymmetricEntries::new(nodes.len());
        fill(&mut entries, &elements, &material, nodes, attachments, fibres);
        let mut factor = entries.prepare(3)?;
        entries.factor(&mut factor).map_err(|_| Error::NotHeld)?;
        Ok(Self { elements, material, entries, factor, shapes: 0 })
    }

    /// Follows nodes to the next shape, now and then.
    pub(crate) fn follow(&mut self, nodes: &[DVec3], attachments: &[Attachment], fibres: &Fibres) {
        if self.shapes.is_multiple_of(SHAPES) {
            let Self { elements, material, entries, factor, .. } = self;
            entries.clear();
            fill(entries, elements, material, nodes, attachments, fibres);
            // What is not finite has no factor, and stays where it is.
            let _ = entries.factor(factor);
        }
        self.shapes += 1;
    }

    /// Forgets what it followed, so that what comes next does not depend on it.
    pub(crate) fn reset(&mut self) {
        self.shapes = 0;
    }

    /// The factor, if the matrix is finite.
    pub(crate) fn factor(&mut self) -> Option<Factor<'_>> {
        self.factor.last_factor()
    }
}

fn fill(
    entries: &mut SymmetricEntries,
    elements: &[Element],
    material: &Material,
    nodes: &[DVec3],
    attachments: &[Attachment],
    fibres: &Fibres,
) {
    let (shear, compression) = (2.0 * material.shear, 0.5 * material.compression);
    let crushing = 2.0 * CRUSH_STIFFNESS * (material.compression + material.shear);
    for element in elements {
        let deformation = edges(&element.nodes, nodes) * element.inverse;
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } = deformation;
        let cofactor = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
        let is_crushed = deformation.determinant() < NEARLY_CRUSHED * CRUSHED;
        let bulk = compression + if is_crushed { crushing } else { 0.0 };
        let at_rest = gradients(element.inverse);
        let moved = at_rest.map(|gradient| cofactor * gradient);
        for a in 0..4 {
            for b in a..4 {
                let value = shear * at_rest[a].dot(at_rest[b]) + bulk * moved[a].dot(moved[b]);
                let (a, b) = (element.nodes[a], element.nodes[b]);
                entries.add(a.min(b), a.max(b), element.crushed * value);
            }
        }
    }
    fibres.stiffnesses().for_each(|(row, column, value)| entries.add(row, column, value));
    for (row, column, value) in attachments.iter().flat_map(|attachment| attachment.stiffnesses(nodes)) {
        entries.add(row, column, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;
    use crate::tissue::{Tissue, elements};

    /// What the matrix takes for the sum of the Hessian's diagonal, in that of the energy's gradient by differences. Flesh
    /// is squeezed along x to a share of its length.
    fn diagonal_of(squeezed: f64) -> f64 {
        let lattice = Lattice::new(DVec3::ZERO, DVec3::ONE, 1.0, |_, _| false).unwrap();
        let elements = elements(&lattice, &lattice.volumes());
        let count = lattice.nodes.len();
        let mut tissue = Tissue::new(&elements, count, Material::FLESH);
        let nodes: Vec<DVec3> = lattice.nodes.iter().map(|p| DVec3::new(squeezed * p.x, p.y, p.z)).collect();
        let (mut before, mut after) = (vec![DVec3::ZERO; count], vec![DVec3::ZERO; count]);
        let (step, mut sum) = (1e-6, 0.0);
        for (node, axis) in (0..count).flat_map(|node| (0..3).map(move |axis| (node, axis))) {
            let mut moved = nodes.clone();
            moved[node][axis] += step;
            tissue.energy(&moved, &mut after);
            moved[node][axis] -= 2.0 * step;
            tissue.energy(&moved, &mut before);
            sum += (after[node][axis] - before[node][axis]) / (2.0 * step);
        }
        let mut entries = SymmetricEntries::new(count);
        fill(&mut entries, &elements, &Material::FLESH, &nodes, &[], &Fibres::new(&lattice, &[]));
        3.0 * entries.diagonal().iter().sum::<f64>() / sum
    }

    #[test]
    fn the_matrix_is_as_stiff_as_the_flesh_crushed_or_not() {
        let ratios = [1.0, 0.6, 0.2, 0.1].map(diagonal_of);
        assert!(ratios.iter().all(|ratio| (0.5..4.0).contains(ratio)), "{ratios:?}");
    }
}
