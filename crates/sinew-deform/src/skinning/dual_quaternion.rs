//! Dual-quaternion skinning: the weighted mean of unit dual quaternions, normalised
//! [Kavan et al. 2007].
//!
//! `q` and `−q` are the same rotation; each influence takes the sign that agrees with the vertex's
//! *largest-weight* influence, which the palette has settled for every pair of joints that meet. Scale cannot be in a unit dual quaternion, so it is blended first, as
//! matrices `S` of `M = R S`, and the rigid part acts on the result. Where one joint has all the
//! weight this is that joint's matrix, exactly as in linear skinning.

use super::influences::Batch;
use super::kernel::Blend;
use super::lanes::{BlockOf, Lanes, Lanes3};
use super::linear::{Linear, Matrix};
use super::palette::{Palette, Rigid};
use super::rest::RestBlock;

/// Blends the dual quaternions of a palette.
pub(super) struct DualQuaternion<'a>(pub &'a Palette);

impl Blend for DualQuaternion<'_> {
    #[inline(always)]
    fn blend<V: Lanes>(&self, _block: usize, rest: &RestBlock, batch: Batch<'_>) -> (Lanes3<V>, Lanes3<V>) {
        let position = Lanes3::load(&rest.position, batch.lane);
        let normal = Lanes3::load(&rest.normal, batch.lane);
        let (position, normal) = stretched(self.0, position, normal, batch);
        let motion = Motion::<V>::blend(&self.0.rigid, batch);
        (position.rotate(motion.q, motion.w).add(motion.translation()), normal.rotate(motion.q, motion.w))
    }
}

/// Positions and unit normals after the blended stretch of their joints.
#[inline(always)]
pub(super) fn stretched<V: Lanes>(
    palette: &Palette,
    position: Lanes3<V>,
    normal: Lanes3<V>,
    batch: Batch<'_>,
) -> (Lanes3<V>, Lanes3<V>) {
    if !palette.stretched {
        return (position, normal);
    }
    let position = Matrix::<V>::blend(&palette.stretches, batch).transform_vector(position);
    let normal = Matrix::<V>::blend(&palette.normal_stretches, batch).transform_vector(normal);
    (position, normal.normalize())
}

/// A unit dual quaternion `(q, w) + ε (d, e)` for each of several vertices.
pub(super) struct Motion<V> {
    pub q: Lanes3<V>,
    pub w: V,
    d: Lanes3<V>,
    e: V,
}

impl<V: Lanes> Motion<V> {
    /// `Σ wⱼ (qⱼ + ε dⱼ)`, divided by the length of its real part. The palette has every joint with the
    /// sign that agrees with the vertex's largest influence.
    #[inline(always)]
    pub fn blend(palette: &[Rigid], batch: Batch<'_>) -> Self {
        let mut sum = [V::splat(0.0); 8];
        for (&slot, weights) in batch.slots.iter().zip(batch.weights) {
            let weight = V::load(&weights[batch.lane..]);
            let Rigid(motion) = &palette[slot as usize];
            for c in 0..8 {
                sum[c] = sum[c] + V::splat(motion[c]) * weight;
            }
        }
        let [x, y, z, w, dx, dy, dz, e] = sum;
        let scale = (((x * x + y * y) + z * z) + w * w).inverse_square_root();
        Self {
            q: Lanes3 { x, y, z }.scale(scale),
            w: w * scale,
            d: Lanes3 { x: dx, y: dy, z: dz }.scale(scale),
            e: e * scale,
        }
    }

    /// `2 (d, e) (q, w)*`.
    #[inline(always)]
    fn translation(&self) -> Lanes3<V> {
        let half = self.d.scale(self.w).sub(self.q.scale(self.e)).add(self.q.cross(self.d));
        half.add(half)
    }
}

/// Part linear, part dual quaternion, by a share painted per vertex.
pub(super) struct Shared<'a> {
    pub palette: &'a Palette,
    pub shares: &'a [BlockOf<f32>],
}

impl Blend for Shared<'_> {
    #[inline(always)]
    fn blend<V: Lanes>(&self, block: usize, rest: &RestBlock, batch: Batch<'_>) -> (Lanes3<V>, Lanes3<V>) {
        let share = V::load(&self.shares[block][batch.lane..]);
        let remainder = V::splat(1.0) - share;
        let (linear, linear_normal) = Linear(self.palette).blend::<V>(block, rest, batch);
        let (dual, dual_normal) = DualQuaternion(self.palette).blend::<V>(block, rest, batch);
        let position = linear.scale(remainder).add(dual.scale(share));
        let normal = linear_normal.scale(remainder).add(dual_normal.scale(share));
        (position, normal.normalize())
    }
}
