//! A triangle or a quad.

/// A triangle or a quad, corners in cyclic order, counter-clockwise seen from outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Face([u32; 4]);

impl Face {
    const NONE: u32 = u32::MAX;

    /// The triangle `a b c`.
    pub const fn triangle(a: u32, b: u32, c: u32) -> Self {
        Self([a, b, c, Self::NONE])
    }

    /// The quad `a b c d`, in cyclic order.
    pub const fn quad(a: u32, b: u32, c: u32, d: u32) -> Self {
        Self([a, b, c, d])
    }

    /// The three or four corners.
    pub fn corners(&self) -> &[u32] {
        &self.0[..if self.is_quad() { 4 } else { 3 }]
    }

    /// Whether it has four corners.
    pub const fn is_quad(&self) -> bool {
        self.0[3] != Self::NONE
    }

    /// The face split into triangles: itself, or a quad along its first diagonal.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + use<> {
        let [a, b, c, d] = self.0;
        std::iter::once([a, b, c]).chain(self.is_quad().then_some([a, c, d]))
    }

    /// The directed edges around the face.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let corners = self.corners();
        (0..corners.len()).map(move |k| (corners[k], corners[(k + 1) % corners.len()]))
    }

    /// The same face seen from behind; a quad keeps its first diagonal.
    pub const fn reversed(&self) -> Self {
        let [a, b, c, d] = self.0;
        if self.is_quad() { Self([a, d, c, b]) } else { Self([a, c, b, d]) }
    }

    /// The same face with other vertex numbers.
    pub fn map(&self, mut f: impl FnMut(u32) -> u32) -> Self {
        let [a, b, c, d] = self.0;
        Self([f(a), f(b), f(c), if self.is_quad() { f(d) } else { Self::NONE }])
    }
}

impl std::fmt::Debug for Face {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.corners().fmt(f)
    }
}
