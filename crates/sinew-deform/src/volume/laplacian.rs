//! The Laplacian-regularised direction of a correction: distances along normals that change the volume
//! and keep the detail of the surface.
//!
//! Vertex i moves by `ρ_i n_i`. Of all ρ that change the volume by ΔV to first order, take the one
//! that costs least [R07 §4.8, annex F]:
//!
//! ```text
//! E(ρ) = Σ_i ρ_i²/γ_i + κ Σ_i 1/(|N_i| g_i) Σ_{j∈N_i} ‖ρ_i n_i − ρ_j n_j‖²,     Σ_i ρ_i K_i = ΔV
//! ```
//!
//! with `K_i = ⟨n_i, ∂V/∂p_i⟩`, the compliance γ of the vertices, and the smoothness κ between
//! neighbours. In the source `g_i = γ_i`. With `w_ij`, the cost of the edge from
//! both its ends, the derivative of E is twice
//!
//! ```text
//! (A ρ)_i = ρ_i/γ_i + κ Σ_j w_ij ⟨n_i, ρ_i n_i − ρ_j n_j⟩,     w_ij = 1/(|N_i| g_i) + 1/(|N_j| g_j),
//!
//! A_ii = 1/γ_i + κ ‖n_i‖² Σ_j w_ij,     A_ij = −κ w_ij ⟨n_i, n_j⟩,
//! ```
//!
//! and the Lagrange condition `A ρ = λ K` makes ρ a multiple of `q = A⁻¹ K`. (The annex drops a κ and
//! turns a sign on the way to its matrix; this is the derivative of the energy it starts from.)
//! For κ = 0, `q_i = γ_i K_i`.
//!
//! # Where γ goes to zero
//!
//! γ_i = 0 fixes a vertex, but A is infinite there. With `ρ = √γ y` the system becomes
//!
//! ```text
//! B y = √γ K,     B = I + κ Σ_{ij} w_ij (m_i e_i − m_j e_j)(m_i e_i − m_j e_j)ᵀ,     m_i = √γ_i n_i
//! ```
//!
//! (the products of m are scalar products). No eigenvalue of B is below one, whatever γ is, and the row
//! of a fixed vertex is that of the identity, without a case of its own.
//!
//! There remains `w_ij`, infinite at a fixed vertex. Taken literally, the energy then fixes all
//! neighbours of a fixed vertex too, for every κ > 0 but not for κ = 0: the surface would be
//! discontinuous in κ. So `g_i = max(γ_i, γ_max/1000)`, in this term alone. A vertex of
//! little γ is as stiff a neighbour as before, up to that bound; B is bounded and continuous in γ
//! and κ, and so is q, all the way to γ_i = 0 and κ = 0. Where no γ is below the bound, E is the
//! source's own.

use crate::{Error, Result};
use glam::DVec3;
use sinew_geometry::solve::SparseCholesky;

/// The least `g_i`, as a share of the largest γ.
const SOFTEST_SHARE: f64 = 1e-3;

/// The regularised direction over one region of a surface, whose connectivity does not change.
pub struct Laplacian {
    edges: Vec<Edge>,
    cholesky: SparseCholesky,
    diagonal: Vec<f64>,
    off_diagonal: Vec<f64>,
    moves: Vec<Move>,
}

/// Two neighbours, and `1/|N|` at each that counts the other among its own.
struct Edge {
    ends: [usize; 2],
    shares: [f64; 2],
}

/// A vertex of the frame at hand; γ is relative to the largest.
#[derive(Clone, Copy, Default)]
struct Move {
    /// `√γ`.
    root: f64,
    /// `√γ n`.
    normal: DVec3,
    /// `1/g`.
    stiffness: f64,
}

impl std::fmt::Debug for Laplacian {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Laplacian").field("vertices", &self.diagonal.len()).finish_non_exhaustive()
    }
}

impl Laplacian {
    /// Prepares a region of `offsets.len() − 1` vertices. The neighbours of vertex i are
    /// `neighbors[offsets[i]..offsets[i + 1]]`, numbered in the region. To fix the border of the region, include the
    /// vertices around it with γ = 0.
    pub fn new(offsets: &[u32], neighbors: &[u32]) -> Result<Self> {
        let edges = edges(offsets, neighbors)?;
        let size = offsets.len().saturating_sub(1);
        let pattern: Vec<_> = edges.iter().map(|e| (e.ends[0] as u32, e.ends[1] as u32)).collect();
        Ok(Self {
            cholesky: SparseCholesky::new(size, &pattern, 1)?,
            diagonal: vec![0.0; size],
            off_diagonal: vec![0.0; edges.len()],
            moves: vec![Move::default(); size],
            edges,
        })
    }

    /// Number of vertices.
    pub fn size(&self) -> usize {
        self.moves.len()
    }

    /// Computes `q = A⁻¹ K`: the vertices move along `q_i n_i`, by a common factor that makes the
    /// volume right. `gradient_along_normal` is K.
    ///
    /// A vertex whose γ is not positive, or whose γ, normal or K is not finite, stays: its q is zero.
    /// κ below zero counts as zero. A κ so large that B cannot be factored in f64 leaves the closed form
    /// of κ = 0.
    ///
    /// # Panics
    /// If a list is not as long as there are vertices.
    pub fn direction(
        &mut self,
        gamma: &[f64],
        normals: &[DVec3],
        gradient_along_normal: &[f64],
        kappa: f64,
        out: &mut [f64],
    ) {
        let lengths = [gamma.len(), normals.len(), gradient_along_normal.len(), out.len()];
        assert_eq!(lengths, [self.size(); 4], "one γ, normal, K and result per vertex");
        let free = |i: usize| gamma[i] > 0.0 && gamma[i].is_finite() && normals[i].is_finite();
        let weight = |i: usize| if free(i) && gradient_along_normal[i].is_finite() { gamma[i] } else { 0.0 };
        let largest = (0..gamma.len()).map(weight).fold(0.0, f64::max);
        if largest == 0.0 {
            out.fill(0.0);
            return;
        }
        for (i, m) in self.moves.iter_mut().enumerate() {
            let share = weight(i) / largest;
            let root = share.sqrt();
            let normal = if share > 0.0 { root * normals[i] } else { DVec3::ZERO };
            *m = Move { root, normal, stiffness: 1.0 / share.max(SOFTEST_SHARE) };
            out[i] = if share > 0.0 { root * gradient_along_normal[i] } else { 0.0 };
        }
        self.assemble(kappa.max(0.0));
        if let Ok(mut factor) = self.cholesky.factor(&self.diagonal, &self.off_diagonal) {
            factor.solve(out);
        }
        for (q, m) in out.iter_mut().zip(&self.moves) {
            *q *= largest * m.root;
        }
    }

    /// Writes B for the moves at hand.
    fn assemble(&mut self, kappa: f64) {
        self.diagonal.fill(1.0);
        for (edge, off_diagonal) in self.edges.iter().zip(&mut self.off_diagonal) {
            let [a, b] = edge.ends;
            let (ma, mb) = (&self.moves[a], &self.moves[b]);
            let cost = kappa * (edge.shares[0] * ma.stiffness + edge.shares[1] * mb.stiffness);
            self.diagonal[a] += cost * ma.normal.length_squared();
            self.diagonal[b] += cost * mb.normal.length_squared();
            *off_diagonal = -cost * ma.normal.dot(mb.normal);
        }
    }
}

/// The pairs of neighbours, each once, in order.
fn edges(offsets: &[u32], neighbors: &[u32]) -> Result<Vec<Edge>> {
    let size = offsets.len().saturating_sub(1);
    let mut sides = Vec::with_capacity(neighbors.len());
    for (vertex, ends) in offsets.windows(2).enumerate() {
        let row = neighbors
            .get(ends[0] as usize..ends[1] as usize)
            .ok_or(Error::NeighborRowOutOfRange { vertex, entries: neighbors.len() })?;
        if let Some(&unknown) = row.iter().find(|&&other| other as usize >= size) {
            return Err(sinew_geometry::Error::UnknownOutOfRange { unknown, size }.into());
        }
        let others = || row.iter().map(|&other| other as usize).filter(|&other| other != vertex);
        let share = 1.0 / others().count() as f64;
        sides.extend(others().map(|other| {
            if vertex < other { ([vertex, other], [share, 0.0]) } else { ([other, vertex], [0.0, share]) }
        }));
    }
    sides.sort_by_key(|(ends, _)| *ends);
    let same_ends = |a: &([usize; 2], _), b: &([usize; 2], _)| a.0 == b.0;
    let merged = sides.chunk_by(same_ends).map(|sides: &[([usize; 2], [f64; 2])]| Edge {
        ends: sides[0].0,
        shares: [0, 1].map(|end| sides.iter().map(|(_, shares)| shares[end]).sum()),
    });
    Ok(merged.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat3;
    use proptest::prelude::*;
    use sinew_geometry::Face;
    use sinew_geometry::solve::DenseLu;

    /// A region with everything that a direction is computed from.
    #[derive(Debug, Clone)]
    struct Region {
        offsets: Vec<u32>,
        neighbors: Vec<u32>,
        gamma: Vec<f64>,
        normals: Vec<DVec3>,
        gradient: Vec<f64>,
    }

    impl Region {
        fn new(edges: &[(u32, u32)], gamma: Vec<f64>, normals: Vec<DVec3>, gradient: Vec<f64>) -> Self {
            let mut rows = vec![Vec::new(); gamma.len()];
            for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
                rows[a as usize].push(b);
                rows[b as usize].push(a);
            }
            for row in &mut rows {
                row.sort_unstable();
                row.dedup();
            }
            let mut offsets = vec![0];
            offsets.extend(rows.iter().scan(0, |end, row| {
                *end += row.len() as u32;
                Some(*end)
            }));
            Self { offsets, neighbors: rows.concat(), gamma, normals, gradient }
        }

        /// A surface, with normals along the gradient of its volume and γ as a function of position.
        fn of(character: &sinew_rig::Character, gamma: impl Fn(DVec3) -> f64) -> Self {
            let mesh = &character.parts[0].mesh;
            let at = |v: u32| mesh.positions[v as usize].as_dvec3();
            let mut gradients = vec![DVec3::ZERO; mesh.positions.len()];
            let mut add = |[a, b, c]: [u32; 3], share: f64| {
                for (v, left, right) in [(a, b, c), (b, c, a), (c, a, b)] {
                    gradients[v as usize] += share * at(left).cross(at(right)) / 6.0;
                }
            };
            for face in &mesh.faces {
                match *face.corners() {
                    [a, b, c, d] => [[a, b, c], [a, c, d], [a, b, d], [b, c, d]].map(|t| add(t, 0.5)),
                    ref t => [add([t[0], t[1], t[2]], 1.0); 4],
                };
            }
            let edges: Vec<_> = mesh.faces.iter().flat_map(Face::edges).collect();
            let normals: Vec<DVec3> = gradients.iter().map(|v| v.normalize()).collect();
            let gradient = normals.iter().zip(&gradients).map(|(n, v)| n.dot(*v)).collect();
            let gamma = (0..mesh.positions.len() as u32).map(|v| gamma(at(v))).collect();
            Self::new(&edges, gamma, normals, gradient)
        }

        fn laplacian(&self) -> Laplacian {
            Laplacian::new(&self.offsets, &self.neighbors).unwrap()
        }

        fn direction(&self, kappa: f64) -> Vec<f64> {
            let mut q = vec![f64::NAN; self.gamma.len()];
            self.laplacian().direction(&self.gamma, &self.normals, &self.gradient, kappa, &mut q);
            q
        }

        /// `ρ = q / Σ q K`, which changes the volume by one.
        fn unit_change(&self, kappa: f64) -> Vec<f64> {
            let q = self.direction(kappa);
            let change: f64 = q.iter().zip(&self.gradient).map(|(q, k)| q * k).sum();
            q.iter().map(|q| q / change).collect()
        }

        fn row(&self, i: usize) -> &[u32] {
            &self.neighbors[self.offsets[i] as usize..self.offsets[i + 1] as usize]
        }

        /// The two sums of the energy, word by word, over vertices that are free to move.
        fn energy(&self, rho: &[f64]) -> (f64, f64) {
            let softest = 1e-3 * self.gamma.iter().copied().fold(0.0, f64::max);
            let amplitude = rho.iter().zip(&self.gamma).filter(|(_, g)| **g > 0.0).map(|(r, g)| r * r / g).sum();
            let differences = (0..rho.len()).map(|i| {
                let row = self.row(i);
                let moved = |v: usize| rho[v] * self.normals[v];
                let sum: f64 = row.iter().map(|&j| (moved(i) - moved(j as usize)).length_squared()).sum();
                sum / (row.len().max(1) as f64 * self.gamma[i].max(softest))
            });
            (amplitude, differences.sum())
        }
    }

    /// `max |a − b| / max |b|`.
    fn relative_difference(a: &[f64], b: &[f64]) -> f64 {
        let largest = |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).fold(0.0, f64::max);
        largest(&mut a.iter().zip(b).map(|(a, b)| a - b)) / largest(&mut b.iter().copied()).max(f64::MIN_POSITIVE)
    }

    fn unit(angles: (f64, f64)) -> DVec3 {
        let (sine, cosine) = angles.0.sin_cos();
        DVec3::new(cosine * angles.1.cos(), sine * angles.1.cos(), angles.1.sin())
    }

    /// Up to twenty vertices joined at random, with γ from the range.
    fn any_region(gamma: std::ops::Range<f64>) -> impl Strategy<Value = Region> {
        (1u32..20).prop_flat_map(move |size| {
            let n = size as usize;
            let edges = prop::collection::vec((0..size, 0..size), 0..60);
            let normals = prop::collection::vec((0.0..6.3, -1.5..1.5).prop_map(unit), n);
            (edges, prop::collection::vec(gamma.clone(), n), normals, prop::collection::vec(0.05..2.0, n))
                .prop_map(|(edges, gamma, normals, gradient)| Region::new(&edges, gamma, normals, gradient))
        })
    }

    /// The tube with γ a smooth bump about its middle, from exact zero to one and back.
    fn tube() -> Region {
        Region::of(&sinew_demo::tube(), |p| (1.0 - ((p.z - 5.0) / 2.0).powi(2)).max(0.0).powi(2))
    }

    proptest! {
        #[test]
        fn without_kappa_the_closed_form(region in any_region(-0.2..3.0)) {
            let closed: Vec<f64> = region.gamma.iter().zip(&region.gradient).map(|(g, k)| g.max(0.0) * k).collect();
            prop_assert!(relative_difference(&region.direction(0.0), &closed) < 1e-15);
        }

        /// A, written entry by entry from its formula and solved as a dense matrix.
        #[test]
        fn the_direction_solves_the_dense_system(region in any_region(0.05..3.0), kappa in 0.0..20.0f64) {
            let n = region.gamma.len();
            let cost = |i: usize, j: usize| {
                let row = region.row(i);
                f64::from(u8::from(row.contains(&(j as u32)))) / (row.len().max(1) as f64 * region.gamma[i])
            };
            let entry = |i: usize, j: usize| {
                if i != j {
                    return -kappa * (cost(i, j) + cost(j, i)) * region.normals[i].dot(region.normals[j]);
                }
                let around: f64 = (0..n).map(|k| cost(i, k) + cost(k, i)).sum();
                1.0 / region.gamma[i] + kappa * region.normals[i].length_squared() * around
            };
            let dense = DenseLu::new(n, entry).solve(&region.gradient);
            prop_assert!(relative_difference(&region.direction(kappa), &dense) < 1e-10);
        }

        /// `yᵀ B y = E(√γ y) ≥ ‖y‖²`: B is the energy's own matrix, symmetric as it is stored and
        /// positive definite.
        #[test]
        fn the_matrix_is_the_energy(region in any_region(1e-9..3.0), kappa in 0.0..20.0, seed in 0.0..9.0f64) {
            let mut laplacian = region.laplacian();
            let n = region.gamma.len();
            laplacian.direction(&region.gamma, &region.normals, &region.gradient, kappa, &mut vec![0.0; n]);
            let y: Vec<f64> = (0..n).map(|i| (seed + 7.0 * i as f64).sin()).collect();
            let ends = laplacian.edges.iter().map(|e| y[e.ends[0]] * y[e.ends[1]]);
            let form = laplacian.diagonal.iter().zip(&y).map(|(d, y)| d * y * y).sum::<f64>()
                + 2.0 * ends.zip(&laplacian.off_diagonal).map(|(yy, value)| yy * value).sum::<f64>();
            let rho: Vec<f64> = y.iter().zip(&region.gamma).map(|(y, g)| y * g.sqrt()).collect();
            let (amplitude, differences) = region.energy(&rho);
            prop_assert!((form - amplitude - kappa * differences).abs() < 1e-9 * form.max(1e-300));
            prop_assert!(form >= y.iter().map(|y| y * y).sum::<f64>() * (1.0 - 1e-12));
        }

        /// Any step that keeps the volume costs more.
        #[test]
        fn no_other_move_of_that_volume_costs_less(
            region in any_region(1e-6..3.0), kappa in 0.0..20.0, seed in 0.0..9.0f64,
        ) {
            let rho = region.unit_change(kappa);
            let step: Vec<f64> = (0..rho.len()).map(|i| (seed + 3.0 * i as f64).sin() * region.gamma[i].sqrt()).collect();
            let change: f64 = step.iter().zip(&region.gradient).map(|(s, k)| s * k).sum();
            let total = |rho: &[f64]| {
                let (amplitude, differences) = region.energy(rho);
                amplitude + kappa * differences
            };
            let tangent: Vec<f64> = step.iter().zip(&rho).map(|(s, r)| s - change * r).collect();
            prop_assume!(total(&tangent) > 1e-12 * total(&step));
            for size in [-1.0, -0.01, 0.01, 1.0] {
                let other: Vec<f64> = rho.iter().zip(&tangent).map(|(r, t)| r + size * t).collect();
                let rise = total(&other) - total(&rho);
                let expected = size * size * total(&tangent);
                prop_assert!((rise - expected).abs() < 1e-9 * (total(&rho) + expected), "{rise} for {expected}");
            }
        }

        /// γ_i → 0 and κ → 0 lead to the values at zero, in steps that shrink with them.
        #[test]
        fn the_direction_is_continuous_down_to_zero(
            region in any_region(0.1..3.0), kappa in 0.0..20.0, vertex in 0usize..20,
        ) {
            let vertex = vertex % region.gamma.len();
            let with = |gamma: f64| {
                let mut region = region.clone();
                region.gamma[vertex] = gamma;
                region.direction(kappa)
            };
            let (limit, scale) = (with(0.0), region.direction(0.0));
            prop_assert_eq!(limit[vertex], 0.0);
            for tiny in [1e-8, 1e-12, 1e-16, 1e-300] {
                let away = with(tiny).iter().zip(&limit).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                let largest = scale.iter().copied().fold(0.0, f64::max);
                prop_assert!(away <= 1e6 * tiny.max(1e-21) * largest, "{away} at {tiny}");
            }
            let fixed = {
                let mut region = region.clone();
                region.gamma[vertex] = 0.0;
                region
            };
            prop_assume!(fixed.gamma.iter().any(|g| *g > 0.0));
            prop_assert!(relative_difference(&fixed.direction(1e-12), &fixed.direction(0.0)) < 1e-7);
        }

        #[test]
        fn turning_everything_changes_nothing(region in any_region(0.0..3.0), angle in 0.0..6.0) {
            let turn = DMat3::from_axis_angle(unit((angle, 0.4)), angle);
            let mut turned = region.clone();
            turned.normals.iter_mut().for_each(|n| *n = turn * *n);
            prop_assert!(relative_difference(&turned.direction(2.0), &region.direction(2.0)) < 1e-12);
        }
    }

    /// The more neighbours hold together, the less they part, on the way to the same volume. Where γ
    /// itself is rough, so do their plain lengths.
    #[test]
    fn larger_kappa_is_smoother() {
        let cylinder = Region::of(&sinew_demo::cylinder(), |p| 0.05 + (-p.z * p.z * 9.0).exp());
        let rough = Region::of(&sinew_demo::tube(), |p| 1.0 + 0.9 * (37.0 * p.x + 53.0 * p.y + 71.0 * p.z).sin());
        for (name, region) in [("tube", tube()), ("cylinder", cylinder), ("rough tube", rough)] {
            let [mut roughness, mut lengths] = [f64::INFINITY; 2];
            let edges = region.laplacian().edges;
            for kappa in [0.0, 0.1, 1.0, 10.0, 100.0] {
                let rho = region.unit_change(kappa);
                let (_, differences) = region.energy(&rho);
                let dirichlet: f64 = edges.iter().map(|e| (rho[e.ends[0]] - rho[e.ends[1]]).powi(2)).sum();
                println!("{name}, κ = {kappa}: differences {differences:.4e}, of lengths {dirichlet:.4e}");
                assert!(differences < roughness, "{name}, κ = {kappa}");
                assert!(name != "rough tube" || dirichlet < lengths, "{name}, κ = {kappa}");
                (roughness, lengths) = (differences, dirichlet);
            }
        }
    }

    /// Fixed vertices stay, and the surface comes to rest on its way to them.
    #[test]
    fn the_border_stays_smooth() {
        let region = tube();
        let rings = |rho: &[f64]| (0..101).map(|ring| rho[48 * ring]).collect::<Vec<_>>();
        for kappa in [0.0, 1.0, 100.0] {
            let rho = region.unit_change(kappa);
            for (i, rho) in rho.iter().enumerate().filter(|(i, _)| region.gamma[*i] == 0.0) {
                assert_eq!(*rho, 0.0, "vertex {i}");
            }
            let profile = rings(&rho);
            let highest = profile.iter().copied().fold(0.0, f64::max);
            let bends = profile.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs());
            let sharpest = bends.fold(0.0, f64::max) / highest;
            println!("κ = {kappa}: highest {highest:.4e}, sharpest bend {sharpest:.4e}");
            assert!(profile.iter().all(|rho| *rho >= 0.0) && sharpest < 0.03, "κ = {kappa}: {sharpest}");
        }
    }

    #[test]
    fn what_is_not_a_number_stays_where_it_is() {
        let mut region = tube();
        let (a, b, c) = (48 * 50, 48 * 51 + 7, 48 * 49 + 20);
        region.gamma[a] = f64::NAN;
        region.normals[b] = DVec3::NAN;
        region.gradient[c] = f64::INFINITY;
        let q = region.direction(3.0);
        assert!(q.iter().all(|q| q.is_finite()) && [a, b, c].map(|v| q[v]) == [0.0; 3]);
        assert!(q[48 * 50 + 24] > 0.0);
        region.gamma.fill(-1.0);
        assert!(region.direction(3.0).iter().all(|q| *q == 0.0));
    }

    #[test]
    fn kappa_beyond_reason_leaves_the_closed_form() {
        let region = tube();
        for kappa in [f64::INFINITY, f64::MAX] {
            assert_eq!(region.direction(kappa), region.direction(0.0));
        }
        for kappa in [f64::NAN, -1.0] {
            assert_eq!(region.direction(kappa), region.direction(0.0));
        }
    }

    #[test]
    fn rows_that_are_no_rows_are_errors() {
        let error = |offsets: &[u32], neighbors: &[u32]| Laplacian::new(offsets, neighbors).err();
        assert_eq!(error(&[0, 1, 3], &[1, 0]), Some(Error::NeighborRowOutOfRange { vertex: 1, entries: 2 }));
        assert_eq!(error(&[0, 2, 1], &[1, 0]), Some(Error::NeighborRowOutOfRange { vertex: 1, entries: 2 }));
        assert_eq!(
            error(&[0, 1, 2], &[1, 2]),
            Some(sinew_geometry::Error::UnknownOutOfRange { unknown: 2, size: 2 }.into())
        );
        assert_eq!(error(&[], &[]), None);
    }
}
