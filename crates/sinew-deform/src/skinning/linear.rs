//! Linear blend skinning: `p' = (Σ wⱼ Bⱼ) p̄` [R07 §2.2].

use super::influences::Batch;
use super::kernel::Blend;
use super::lanes::{Lanes, Lanes3};
use super::palette::{MatrixRows, Palette};
use super::rest::RestBlock;
use glam::Mat3;

/// Blends the matrices of a palette.
pub(super) struct Linear<'a>(pub &'a Palette);

impl Blend for Linear<'_> {
    #[inline(always)]
    fn blend<V: Lanes>(&self, _block: usize, rest: &RestBlock, batch: Batch<'_>) -> (Lanes3<V>, Lanes3<V>) {
        let matrix = Matrix::<V>::blend(&self.0.matrices, batch);
        let position = matrix.transform_point(Lanes3::load(&rest.position, batch.lane));
        let rest_normal = Lanes3::load(&rest.normal, batch.lane);
        let normal = if self.0.normals_differ {
            Matrix::<V>::blend(&self.0.normal_matrices, batch).transform_vector(rest_normal)
        } else {
            matrix.transform_vector(rest_normal)
        };
        (position, normal.normalize())
    }
}

/// Three rows `(m₀, m₁, m₂, t)` for each of several vertices.
pub(super) struct Matrix<V>([[V; 4]; 3]);

impl<V: Lanes> Matrix<V> {
    /// `Σ wⱼ Mⱼ`, in the order of the influences.
    #[inline(always)]
    pub fn blend(palette: &[MatrixRows], batch: Batch<'_>) -> Self {
        let mut sum = [[V::splat(0.0); 4]; 3];
        for (&slot, weights) in batch.slots.iter().zip(batch.weights) {
            let weight = V::load(&weights[batch.lane..]);
            let MatrixRows(matrix) = &palette[slot as usize];
            for r in 0..3 {
                for c in 0..4 {
                    sum[r][c] = sum[r][c] + V::splat(matrix[r][c]) * weight;
                }
            }
        }
        Self(sum)
    }

    /// The rows.
    #[inline(always)]
    pub fn into_rows(self) -> [[V; 4]; 3] {
        self.0
    }

    #[inline(always)]
    pub fn transform_point(&self, p: Lanes3<V>) -> Lanes3<V> {
        let [x, y, z] = &self.0;
        self.transform_vector(p).add(Lanes3 { x: x[3], y: y[3], z: z[3] })
    }

    #[inline(always)]
    pub fn transform_vector(&self, v: Lanes3<V>) -> Lanes3<V> {
        let [x, y, z] = &self.0;
        Lanes3 { x: row_times(x, v), y: row_times(y, v), z: row_times(z, v) }
    }
}

#[inline(always)]
fn row_times<V: Lanes>(m: &[V; 4], v: Lanes3<V>) -> V {
    (m[0] * v.x + m[1] * v.y) + m[2] * v.z
}

impl Matrix<f32> {
    /// The part that acts on directions.
    pub fn linear_part(&self) -> Mat3 {
        let [a, b, c] = self.0.map(|[x, y, z, _]| [x, y, z]);
        Mat3::from_cols_array_2d(&[a, b, c]).transpose()
    }
}
