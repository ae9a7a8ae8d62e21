//! Eight and sixteen lanes, for CPUs with AVX2 and AVX-512.
//!
//! Only code that runs under the matching `#[target_feature]` makes or uses these numbers, and all of it is
//! inlined there: that is what the `unsafe` blocks of this module rely on. An instruction is not inlined
//! into a closure, which has no such feature of its own, so the kernels loop instead.

use super::lanes::{Lanes, Lanes3, SMALLEST_SQUARE};
use glam::{Vec3, Vec4};
use std::arch::x86_64::*;
use std::ops::{Add, Mul, Sub};

/// Eight numbers (AVX2).
#[derive(Clone, Copy)]
pub(super) struct Eight(__m256);

/// Sixteen numbers (AVX-512F).
#[derive(Clone, Copy)]
pub(super) struct Sixteen(__m512);

macro_rules! operator {
    ($lanes:ident, $operator:ident, $method:ident, $instruction:ident) => {
        impl $operator for $lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the CPU has the instruction, see the module.
                Self(unsafe { $instruction(self.0, other.0) })
            }
        }
    };
}

operator!(Eight, Add, add, _mm256_add_ps);
operator!(Eight, Sub, sub, _mm256_sub_ps);
operator!(Eight, Mul, mul, _mm256_mul_ps);
operator!(Sixteen, Add, add, _mm512_add_ps);
operator!(Sixteen, Sub, sub, _mm512_sub_ps);
operator!(Sixteen, Mul, mul, _mm512_mul_ps);

impl Lanes for Eight {
    const COUNT: usize = 8;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: the CPU has AVX2, see the module.
        Self(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        let values = &values[..8];
        // SAFETY: the CPU has AVX2, see the module; there are eight numbers.
        Self(unsafe { _mm256_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, places: &mut [f32]) {
        let places = &mut places[..8];
        // SAFETY: the CPU has AVX2, see the module; there are eight places.
        unsafe { _mm256_storeu_ps(places.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn scatter(Lanes3 { x, y, z }: Lanes3<Self>, places: &mut [Vec3]) {
        let places = &mut places[..8];
        for (place, vertex) in places.iter_mut().zip(vertices_of_eight(x, y, z)) {
            *place = vertex.truncate();
        }
    }

    #[inline(always)]
    fn scatter_to(Lanes3 { x, y, z }: Lanes3<Self>, places: &[u16], out: &mut [Vec3]) {
        for (&place, vertex) in places.iter().zip(vertices_of_eight(x, y, z)) {
            out[usize::from(place)] = vertex.truncate();
        }
    }

    #[inline(always)]
    fn inverse_square_root(self) -> Self {
        // SAFETY: the CPU has AVX2, see the module.
        unsafe {
            let root = _mm256_sqrt_ps(_mm256_max_ps(self.0, _mm256_set1_ps(SMALLEST_SQUARE)));
            let above = _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, _mm256_setzero_ps());
            Self(_mm256_and_ps(_mm256_div_ps(_mm256_set1_ps(1.0), root), above))
        }
    }
}

impl Lanes for Sixteen {
    const COUNT: usize = 16;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: the CPU has AVX-512F, see the module.
        Self(unsafe { _mm512_set1_ps(value) })
    }

    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        let values = &values[..16];
        // SAFETY: the CPU has AVX-512F, see the module; there are sixteen numbers.
        Self(unsafe { _mm512_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, places: &mut [f32]) {
        let places = &mut places[..16];
        // SAFETY: the CPU has AVX-512F, see the module; there are sixteen places.
        unsafe { _mm512_storeu_ps(places.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn scatter(Lanes3 { x, y, z }: Lanes3<Self>, places: &mut [Vec3]) {
        let places = &mut places[..16];
        // SAFETY: the CPU has AVX-512F, see the module; the places are three times sixteen numbers.
        unsafe {
            // Number n of a third is coordinate (16 t + n) mod 3 of vertex (16 t + n) div 3: first x and y are
            // put where they belong, then z over them.
            let third = |xy: [i32; 16], z: [i32; 16]| (load_order(xy), load_order(z));
            let orders = [
                third(
                    [0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5],
                    [0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15],
                ),
                third(
                    [21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26],
                    [0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15],
                ),
                third(
                    [0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0],
                    [26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31],
                ),
            ];
            let floats = places.as_mut_ptr().cast::<f32>();
            for (t, (xy, z_over)) in orders.into_iter().enumerate() {
                let merged = _mm512_permutex2var_ps(x.0, xy, y.0);
                _mm512_storeu_ps(floats.add(16 * t), _mm512_permutex2var_ps(merged, z_over, z.0));
            }
        }
    }

    #[inline(always)]
    fn scatter_to(Lanes3 { x, y, z }: Lanes3<Self>, places: &[u16], out: &mut [Vec3]) {
        let (low, high) = places.split_at(places.len().min(8));
        let [[x, x_high], [y, y_high], [z, z_high]] = [x.halves(), y.halves(), z.halves()];
        Eight::scatter_to(Lanes3 { x, y, z }, low, out);
        Eight::scatter_to(Lanes3 { x: x_high, y: y_high, z: z_high }, high, out);
    }

    #[inline(always)]
    fn inverse_square_root(self) -> Self {
        // SAFETY: the CPU has AVX-512F, see the module.
        unsafe {
            let root = _mm512_sqrt_ps(_mm512_max_ps(self.0, _mm512_set1_ps(SMALLEST_SQUARE)));
            let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(self.0, _mm512_setzero_ps());
            Self(_mm512_maskz_div_ps(above, _mm512_set1_ps(1.0), root))
        }
    }
}

impl Sixteen {
    #[inline(always)]
    fn halves(self) -> [Eight; 2] {
        // SAFETY: the CPU has AVX-512F, see the module.
        unsafe {
            let high = _mm512_extractf64x4_pd::<1>(_mm512_castps_pd(self.0));
            [Eight(_mm512_castps512_ps256(self.0)), Eight(_mm256_castpd_ps(high))]
        }
    }
}

/// Eight vertices, each with a fourth number.
#[inline(always)]
fn vertices_of_eight(x: Eight, y: Eight, z: Eight) -> [Vec4; 8] {
    // SAFETY: the CPU has AVX2, see the module.
    unsafe {
        // The 4 × 4 numbers in both halves, transposed.
        let (xy_low, xy_high) = (_mm256_unpacklo_ps(x.0, y.0), _mm256_unpackhi_ps(x.0, y.0));
        let (z_low, z_high) = (_mm256_unpacklo_ps(z.0, z.0), _mm256_unpackhi_ps(z.0, z.0));
        let pairs = [
            _mm256_shuffle_ps::<0b01_00_01_00>(xy_low, z_low),
            _mm256_shuffle_ps::<0b11_10_11_10>(xy_low, z_low),
            _mm256_shuffle_ps::<0b01_00_01_00>(xy_high, z_high),
            _mm256_shuffle_ps::<0b11_10_11_10>(xy_high, z_high),
        ];
        let mut vertices = [Vec4::ZERO; 8];
        for (k, pair) in pairs.iter().enumerate() {
            vertices[k] = Vec4::from(_mm256_castps256_ps128(*pair));
            vertices[k + 4] = Vec4::from(_mm256_extractf128_ps::<1>(*pair));
        }
        vertices
    }
}

#[inline(always)]
unsafe fn load_order(order: [i32; 16]) -> __m512i {
    // SAFETY: the CPU has AVX-512F, see the module; there are sixteen numbers.
    unsafe { _mm512_loadu_si512(order.as_ptr().cast()) }
}
