//! Direct delta mush [Le and Lewis 2019]: the skin keeps its place beside a smoothed skin.
//!
//! Delta mush smooths the linear skin and puts each vertex back where it was relative to the smoothed surface. The
//! frame for that is the rigid motion that takes the rest surface around a vertex closest to the skinned one:
//!
//! ```text
//! min Σ_k b_ik |Q P̄ (u_k − p_i) + q_i − Σ_j w_kj M_j u_k|²      x_i = Q P̄ (u_i − p_i) + q_i
//! ```
//!
//! over the rotation Q and the centre q, with the smooth means b. Everything over k is in the
//! [moments](super::delta_mush) of the rest surface. With `M_j = (A_j | t_j)`, what is left for a frame is a sum over the
//! vertex's joints and [`nearest_rotation`]:
//!
//! ```text
//! q = Σ_j A_j (a_ij + ω_ij p) + ω_ij t_j      H = Σ_j A_j S_ij + (M_j p − q) a_ijᵀ      Q = nearest rotation of H P̄
//! ```
//!
//! As for dual quaternions, a rotation cannot hold scale: the joints' stretches, P of `A_j = R_j P_j`, are blended first,
//! `P̄ = Σ_j ω_ij P_j`, and Q fits what is stretched. Where one joint has all the weight around a vertex, `H P̄ = R P S P`
//! and the result is that joint's matrix, as in linear skinning. A rigid motion of all joints is one of the skin.
//!
//! Morph targets move the vertex, `u_i`, and not the means around it: what a target adds turns with the vertex.
//!
//! This is the full variant of the paper with α = 0, as in delta mush. The operator is another one, see
//! [`smoothing`](super::smoothing).

use super::delta_mush::DeltaMush;
use super::dual_quaternion::stretched;
use super::influences::{Batch, Influences};
use super::kernel::Blend;
use super::lanes::{BLOCK, BlockOf, Lanes, Lanes3};
use super::linear::Matrix;
use super::order::Order;
use super::palette::{MatrixRows, Palette, Rigid};
use super::rest::{RestBlock, in_blocks};
use glam::{DMat3, DQuat, DVec3, Mat3, Vec3};
use sinew_geometry::nearest_rotation;

/// Fits a rotation at each vertex.
pub(super) struct DirectDeltaMush<'a> {
    pub palette: &'a Palette,
    pub moments: &'a BlockMoments,
}

/// The moments of a part's vertices in blocks.
pub(super) struct BlockMoments {
    centers: Vec<[BlockOf<f32>; 3]>,
    /// For each entry of each block.
    joints: Vec<EntryMoments>,
}

/// The moments of one joint at the vertices of a block.
#[derive(Clone, Copy, Default)]
struct EntryMoments {
    arm: [BlockOf<f32>; 3],
    /// `xx, xy, xz, yy, yz, zz`.
    spread: [BlockOf<f32>; 6],
}

impl BlockMoments {
    /// Packs the moments of vertices in an order, beside the influences of [`DeltaMush::weights`].
    pub fn pack(mush: &DeltaMush, order: &Order, influences: &Influences, vertices: usize) -> Self {
        let centers: Vec<Vec3> = (0..vertices).map(|v| mush.center(v).as_vec3()).collect();
        let mut joints = Vec::new();
        for block in 0..vertices.div_ceil(BLOCK) {
            for &slot in influences.batch(block, 0).slots {
                let joint = influences.entries[usize::from(slot)].joint;
                let mut entry = EntryMoments::default();
                for lane in 0..BLOCK.min(vertices - block * BLOCK) {
                    let row = mush.row(order.vertex(block * BLOCK + lane));
                    let Some(moments) = row.iter().find(|moments| moments.joint == joint) else { continue };
                    let (x, s) = (moments.arm.as_vec3().to_array(), moments.spread.as_mat3());
                    let spread = [s.x_axis.x, s.x_axis.y, s.x_axis.z, s.y_axis.y, s.y_axis.z, s.z_axis.z];
                    entry.arm.iter_mut().zip(x).for_each(|(lanes, x)| lanes[lane] = x);
                    entry.spread.iter_mut().zip(spread).for_each(|(lanes, s)| lanes[lane] = s);
                }
                joints.push(entry);
            }
        }
        Self { centers: in_blocks(&order.arrange(&centers)), joints }
    }
}

impl Blend for DirectDeltaMush<'_> {
    #[inline(always)]
    fn blend<V: Lanes>(&self, block: usize, rest: &RestBlock, batch: Batch<'_>) -> (Lanes3<V>, Lanes3<V>) {
        let arm = Lanes3::load(&rest.position, batch.lane).sub(self.center(block, batch.lane));
        let (arm, normal) = stretched(self.palette, arm, Lanes3::load(&rest.normal, batch.lane), batch);
        let (center, rotation) = self.motion::<V>(block, batch);
        (rotation.apply(arm).add(center), rotation.apply(normal))
    }
}

impl DirectDeltaMush<'_> {
    #[inline(always)]
    fn center<V: Lanes>(&self, block: usize, lane: usize) -> Lanes3<V> {
        Lanes3::load(&self.moments.centers[block], lane)
    }

    /// The centre `q` and the rotation `Q`.
    #[inline(always)]
    fn motion<V: Lanes>(&self, block: usize, batch: Batch<'_>) -> (Lanes3<V>, Rotation<V>) {
        let rest = self.center::<V>(block, batch.lane);
        let moments = &self.moments.joints[batch.first..batch.first + batch.slots.len()];
        let mut center = Lanes3 { x: V::splat(0.0), y: V::splat(0.0), z: V::splat(0.0) };
        for ((&slot, weights), moments) in batch.slots.iter().zip(batch.weights).zip(moments) {
            let matrix = JointMatrix::new(&self.palette.matrices[usize::from(slot)]);
            let weight = V::load(&weights[batch.lane..]);
            let arm = Lanes3::load(&moments.arm, batch.lane).add(rest.scale(weight));
            center = center.add(matrix.turn(arm)).add(matrix.translation().scale(weight));
        }
        let mut h = [[V::splat(0.0); 3]; 3];
        for (&slot, moments) in batch.slots.iter().zip(moments) {
            let matrix = JointMatrix::new(&self.palette.matrices[usize::from(slot)]);
            let Lanes3 { x, y, z } = matrix.turn(rest).add(matrix.translation()).sub(center);
            let offset = [x, y, z];
            let Lanes3 { x, y, z } = Lanes3::<V>::load(&moments.arm, batch.lane);
            let arm = [x, y, z];
            let mut s = [V::splat(0.0); 6];
            for (s, spread) in s.iter_mut().zip(&moments.spread) {
                *s = V::load(&spread[batch.lane..]);
            }
            let spread = [[s[0], s[1], s[2]], [s[1], s[3], s[4]], [s[2], s[4], s[5]]];
            for ((h, m), offset) in h.iter_mut().zip(matrix.0).zip(offset) {
                for c in 0..3 {
                    let turned = (m[0] * spread[0][c] + m[1] * spread[1][c]) + m[2] * spread[2][c];
                    h[c] = h[c] + (turned + offset * arm[c]);
                }
            }
        }
        if self.palette.stretched {
            let p = Matrix::<V>::blend(&self.palette.stretches, batch).into_rows();
            for row in &mut h {
                let [x, y, z] = *row;
                for c in 0..3 {
                    row[c] = (x * p[0][c] + y * p[1][c]) + z * p[2][c];
                }
            }
        }
        (center, self.nearest(h, batch))
    }

    /// The nearest rotation of each lane's matrix, in f64. Where there is none the vertex turns with its largest
    /// influence.
    #[inline(always)]
    fn nearest<V: Lanes>(&self, h: [[V; 3]; 3], batch: Batch<'_>) -> Rotation<V> {
        let mut numbers = [[[0.0; BLOCK]; 3]; 3];
        for (row, numbers) in h.iter().zip(&mut numbers) {
            for (value, numbers) in row.iter().zip(numbers) {
                value.store(numbers);
            }
        }
        for lane in 0..V::COUNT {
            let rotation = match nearest_rotation(matrix_of_lane(&numbers, lane)) {
                Some(rotation) => rotation,
                None => self.rotation_of_largest(batch, batch.lane + lane),
            };
            set_lane(&mut numbers, lane, rotation);
        }
        let mut rows = h;
        for (row, numbers) in rows.iter_mut().zip(&numbers) {
            for (value, numbers) in row.iter_mut().zip(numbers) {
                *value = V::load(numbers);
            }
        }
        Rotation(rows)
    }

    #[cold]
    fn rotation_of_largest(&self, batch: Batch<'_>, lane: usize) -> DMat3 {
        let entries = batch.slots.iter().zip(batch.weights);
        // Of equal ones the first joint, as the entries are in their order.
        let largest = entries.rev().max_by(|(_, a), (_, b)| a[lane].total_cmp(&b[lane]));
        largest.map_or(DMat3::IDENTITY, |(&slot, _)| {
            let Rigid([x, y, z, w, ..]) = self.palette.rigid[usize::from(slot)];
            DMat3::from_quat(DQuat::from_xyzw(x.into(), y.into(), z.into(), w.into()).normalize())
        })
    }

    /// The rotation of the vertex in one lane.
    pub fn rotation(&self, block: usize, lane: usize, influences: &Influences) -> Mat3 {
        let (_, Rotation([x, y, z])) = self.motion::<f32>(block, influences.batch(block, lane));
        Mat3::from_cols_array_2d(&[x, y, z]).transpose()
    }
}

/// Rows of a matrix for each vertex of a block.
type MatricesOfBlock = [[BlockOf<f32>; 3]; 3];

#[inline(always)]
fn matrix_of_lane([x, y, z]: &MatricesOfBlock, lane: usize) -> DMat3 {
    let row = |[a, b, c]: &[BlockOf<f32>; 3]| DVec3::new(a[lane].into(), b[lane].into(), c[lane].into());
    DMat3::from_cols(row(x), row(y), row(z)).transpose()
}

#[inline(always)]
fn set_lane(matrices: &mut MatricesOfBlock, lane: usize, matrix: DMat3) {
    let rows = matrix.as_mat3().transpose().to_cols_array_2d();
    for (row, numbers) in matrices.iter_mut().zip(rows) {
        row.iter_mut().zip(numbers).for_each(|(lanes, number)| lanes[lane] = number);
    }
}

/// Rows of the rotations of several vertices.
struct Rotation<V>([[V; 3]; 3]);

impl<V: Lanes> Rotation<V> {
    #[inline(always)]
    fn apply(&self, v: Lanes3<V>) -> Lanes3<V> {
        turn(self.0, v)
    }
}

/// A joint's matrix for all lanes.
struct JointMatrix<V>([[V; 4]; 3]);

impl<V: Lanes> JointMatrix<V> {
    #[inline(always)]
    fn new(MatrixRows(rows): &MatrixRows) -> Self {
        let mut lanes = [[V::splat(0.0); 4]; 3];
        for (lanes, row) in lanes.iter_mut().zip(rows) {
            for (lanes, number) in lanes.iter_mut().zip(row) {
                *lanes = V::splat(*number);
            }
        }
        Self(lanes)
    }

    #[inline(always)]
    fn turn(&self, v: Lanes3<V>) -> Lanes3<V> {
        let [[a, b, c, _], [d, e, f, _], [g, h, i, _]] = self.0;
        turn([[a, b, c], [d, e, f], [g, h, i]], v)
    }

    #[inline(always)]
    fn translation(&self) -> Lanes3<V> {
        Lanes3 { x: self.0[0][3], y: self.0[1][3], z: self.0[2][3] }
    }
}

#[inline(always)]
fn turn<V: Lanes>([x, y, z]: [[V; 3]; 3], v: Lanes3<V>) -> Lanes3<V> {
    Lanes3 {
        x: (x[0] * v.x + x[1] * v.y) + x[2] * v.z,
        y: (y[0] * v.x + y[1] * v.y) + y[2] * v.z,
        z: (z[0] * v.x + z[1] * v.y) + z[2] * v.z,
    }
}
