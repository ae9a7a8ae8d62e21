//! The skinning weights of nodes: those of the skin, spread through the flesh.
//!
//! `(L + E ᵀE) w = Eᵀ w_skin` with the Laplacian L of the lattice and the matrix E that interpolates nodes at the points
//! of the skin, so that weights never pass from a finger to the next.

use crate::Result;
use sinew_flesh::Body;
use sinew_geometry::Rows;
use sinew_geometry::solve::SymmetricEntries;

/// Weights that a node keeps.
const MOST: usize = 8;

/// The weight from which on a node moves with one joint.
pub(super) const ONE_JOINT: f64 = 0.98;

/// What the skin counts for against smoothness, in typical entries of the Laplacian.
const SKIN_SHARE: f64 = 10.0;

/// Joints with weights that sum to one at each node, the largest first. Nodes that no skin is near have none.
pub(super) fn node_weights(body: &Body, skin: &Rows<(u32, f64)>, joints: usize) -> Result<Rows<(u32, f64)>> {
    let count = body.lattice.nodes.len();
    let (mut entries, mut total) = (SymmetricEntries::new(count), 0.0);
    for (row, column, value) in body.lattice.laplacian(&body.volumes) {
        total += if row == column { value } else { 0.0 };
        entries.add(row, column, value);
    }
    let unit = total / count as f64;
    (0..count as u32).for_each(|node| entries.add(node, node, 1e-9 * unit));
    for point in &body.skin {
        let nodes = body.lattice.tetrahedra[point.tetrahedron as usize];
        for a in 0..4 {
            for b in a..4 {
                entries.add(nodes[a], nodes[b], SKIN_SHARE * unit * point.shares[a] * point.shares[b]);
            }
        }
    }
    let mut cholesky = entries.prepare(8).map_err(sinew_flesh::Error::from)?;
    let factor = entries.factor(&mut cholesky).map_err(|_| sinew_flesh::Error::NotHeld)?;
    let mut used = vec![false; joints];
    skin.values().iter().for_each(|&(joint, _)| used[joint as usize] = true);
    let used: Vec<u32> = (0..joints as u32).filter(|&joint| used[joint as usize]).collect();
    let mut columns = vec![0.0; used.len() * count];
    for (point, row) in body.skin.iter().zip(skin.iter()) {
        let nodes = body.lattice.tetrahedra[point.tetrahedron as usize];
        for &(joint, weight) in row {
            let Ok(slot) = used.binary_search(&joint) else { continue };
            for (&node, share) in nodes.iter().zip(point.shares) {
                columns[slot * count + node as usize] += SKIN_SHARE * unit * share * weight;
            }
        }
    }
    factor.solve_in_parallel(&mut columns);
    Ok(Rows::new((0..count).map(|node| {
        let at = |(slot, &joint): (usize, &u32)| (joint, columns[slot * count + node]);
        let mut row: Vec<(u32, f64)> = used.iter().enumerate().map(at).filter(|(_, w)| *w > 1e-3).collect();
        row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        row.truncate(MOST);
        let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
        row.iter_mut().for_each(|(_, weight)| *weight /= sum);
        row
    })))
}
