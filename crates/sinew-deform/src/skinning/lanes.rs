//! Several vertices side by side, one SIMD lane each.
//!
//! The kernels are written once, over [`Lanes`]: one vertex (`f32`), four (`glam::Vec4`, which is SSE, NEON
//! or wasm SIMD by the target's default features), eight with AVX2, sixteen with AVX-512. Every operation is rounded
//! on its own and in the order written (no fused multiply-add), so all forms give the same bits.

use glam::{Mat4, Vec3, Vec4};
use std::ops::{Add, Mul, Sub};

/// Vertices are laid out in blocks of this many; every number of lanes divides it.
pub(super) const BLOCK: usize = 16;

/// One number for each vertex of a block.
pub(super) type BlockOf<T> = [T; BLOCK];

/// One number for each of several vertices.
pub(super) trait Lanes: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// How many vertices.
    const COUNT: usize;

    /// The same number for all.
    fn splat(value: f32) -> Self;

    /// The first numbers of a slice.
    fn load(values: &[f32]) -> Self;

    /// Writes the numbers to the first [`Lanes::COUNT`] places.
    fn store(self, places: &mut [f32]);

    /// Writes the vertices to the first [`Lanes::COUNT`] places.
    fn scatter(vertices: Lanes3<Self>, places: &mut [Vec3]);

    /// Writes vertex k to place `places[k]`, for as many as there are.
    fn scatter_to(vertices: Lanes3<Self>, places: &[u16], out: &mut [Vec3]);

    /// `1/√x`, and zero where `x` is not above zero.
    fn inverse_square_root(self) -> Self;
}

/// Squares below this are taken as this, so that the reciprocal of their root stays finite.
pub(super) const SMALLEST_SQUARE: f32 = 1e-30;

/// A single vertex.
impl Lanes for f32 {
    const COUNT: usize = 1;

    fn splat(value: f32) -> Self {
        value
    }

    fn load(values: &[f32]) -> Self {
        values[0]
    }

    fn store(self, places: &mut [f32]) {
        places[0] = self;
    }

    fn scatter(Lanes3 { x, y, z }: Lanes3<Self>, places: &mut [Vec3]) {
        places[0] = Vec3::new(x, y, z);
    }

    fn scatter_to(Lanes3 { x, y, z }: Lanes3<Self>, places: &[u16], out: &mut [Vec3]) {
        out[usize::from(places[0])] = Vec3::new(x, y, z);
    }

    fn inverse_square_root(self) -> Self {
        if self > 0.0 { 1.0 / self.max(SMALLEST_SQUARE).sqrt() } else { 0.0 }
    }
}

impl Lanes for Vec4 {
    const COUNT: usize = 4;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Vec4::splat(value)
    }

    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        Vec4::from_slice(values)
    }

    #[inline(always)]
    fn store(self, places: &mut [f32]) {
        self.write_to_slice(places);
    }

    #[inline(always)]
    fn scatter(Lanes3 { x, y, z }: Lanes3<Self>, places: &mut [Vec3]) {
        let vertices = Mat4::from_cols(x, y, z, Vec4::ZERO).transpose();
        let places = &mut places[..4];
        places[0] = vertices.x_axis.truncate();
        places[1] = vertices.y_axis.truncate();
        places[2] = vertices.z_axis.truncate();
        places[3] = vertices.w_axis.truncate();
    }

    #[inline(always)]
    fn scatter_to(Lanes3 { x, y, z }: Lanes3<Self>, places: &[u16], out: &mut [Vec3]) {
        let vertices = Mat4::from_cols(x, y, z, Vec4::ZERO).transpose();
        for (k, &place) in places.iter().take(4).enumerate() {
            out[usize::from(place)] = vertices.col(k).truncate();
        }
    }

    #[inline(always)]
    fn inverse_square_root(self) -> Self {
        let root = self.max(Vec4::splat(SMALLEST_SQUARE)).to_array().map(f32::sqrt);
        Vec4::select(self.cmpgt(Vec4::ZERO), Vec4::ONE / Vec4::from_array(root), Vec4::ZERO)
    }
}

/// Three coordinates of several vertices.
#[derive(Clone, Copy)]
pub(super) struct Lanes3<V> {
    pub x: V,
    pub y: V,
    pub z: V,
}

impl<V: Lanes> Lanes3<V> {
    /// The vertices of a block from `lane` on.
    #[inline(always)]
    pub fn load([x, y, z]: &[BlockOf<f32>; 3], lane: usize) -> Self {
        Self { x: V::load(&x[lane..]), y: V::load(&y[lane..]), z: V::load(&z[lane..]) }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> V {
        (self.x * other.x + self.y * other.y) + self.z * other.z
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    #[inline(always)]
    pub fn scale(self, factor: V) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }

    #[inline(always)]
    pub fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }

    #[inline(always)]
    pub fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }

    /// Unit length; a vector of length zero stays zero.
    #[inline(always)]
    pub fn normalize(self) -> Self {
        self.scale(self.dot(self).inverse_square_root())
    }

    /// Turned by the unit quaternion `(q, w)`: `v + 2 q × (q × v + w v)`.
    #[inline(always)]
    pub fn rotate(self, q: Self, w: V) -> Self {
        let inner = q.cross(self).add(self.scale(w));
        let turned = q.cross(inner);
        self.add(turned.add(turned))
    }

    /// Writes the vertices to the places there are: all but the last ones of a surface have room for
    /// every lane.
    #[inline(always)]
    pub fn scatter(self, places: &mut [Vec3]) {
        if places.len() >= V::COUNT {
            V::scatter(self, places);
        } else {
            let mut room = [Vec3::ZERO; BLOCK];
            V::scatter(self, &mut room);
            places.copy_from_slice(&room[..places.len()]);
        }
    }
}
