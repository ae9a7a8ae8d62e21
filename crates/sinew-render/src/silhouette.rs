//! How soft is the shadow that a figure throws on the ground?
//!
//! The ground lies below the whole figure, so a lamp's shadow on it is the figure's outline as the lamp
//! sees it. One lamp of a cluster stands for a patch of sky, and the wider the gap between figure and
//! ground, the more that patch blurs the outline. The outline is kept at halved and halved resolution,
//! with the height of what it covers; a point looks up how high the figure is above it, and reads the
//! outline at the resolution that fits the blur (as in Fernando, "Percentage-Closer Soft Shadows",
//! 2005, but without random samples).

use glam::Vec2;

/// Cover and cover times height on a square grid, at several resolutions.
pub(crate) struct Silhouette {
    levels: Vec<Level>,
}

struct Level {
    size: usize,
    /// Cover from 0 to 1, and cover times height.
    texels: Vec<Vec2>,
}

/// The level that first guesses the height of what hides a point.
const FIRST_GUESS: f32 = 4.0;

impl Silhouette {
    /// From a square map of heights, minus infinity where there is nothing. The finest level kept has
    /// half the map's resolution: the ground needs no more.
    pub fn new(size: usize, heights: &[f32]) -> Self {
        let cover = |&h: &f32| if h == f32::NEG_INFINITY { Vec2::ZERO } else { Vec2::new(1.0, h) };
        let mut levels = vec![Level { size, texels: heights.iter().map(cover).collect() }.halved()];
        while let Some(half) = levels.last().filter(|l| l.size >= 12).map(Level::halved) {
            levels.push(half);
        }
        Self { levels }
    }

    /// The share of the lamp that a point at `at` (in texels of the map of heights) with the given height
    /// sees; `blur` is the width of the blur in texels for each unit of height.
    pub fn openness(&self, at: Vec2, height: f32, blur: f32) -> f32 {
        let mut level = FIRST_GUESS;
        for _ in 0..2 {
            let seen = self.sample(at, level);
            if seen.x <= 1e-4 {
                return 1.0;
            }
            let gap = (seen.y / seen.x - height).max(0.0);
            level = (gap * blur).max(1.0).log2();
        }
        1.0 - self.sample(at, level).x
    }

    /// Mixes the two nearest levels; texels of level `k` are `2^k` of the map's wide, and level 1 is the
    /// finest.
    fn sample(&self, at: Vec2, level: f32) -> Vec2 {
        let level = (level - 1.0).clamp(0.0, (self.levels.len() - 1) as f32);
        let first = level as usize;
        let fraction = level - first as f32;
        let fine = self.levels[first].sample(at / (2 << first) as f32);
        match self.levels.get(first + 1) {
            Some(next) if fraction > 0.0 => fine.lerp(next.sample(at / (4 << first) as f32), fraction),
            _ => fine,
        }
    }
}

impl Level {
    fn halved(&self) -> Self {
        let size = self.size / 2;
        let texels = (0..size * size)
            .map(|k| {
                let corner = (k / size) * 2 * self.size + (k % size) * 2;
                let block = [corner, corner + 1, corner + self.size, corner + self.size + 1];
                block.iter().map(|&t| self.texels[t]).sum::<Vec2>() * 0.25
            })
            .collect();
        Self { size, texels }
    }

    /// Mixes the four texels around a position; there is nothing outside the grid.
    fn sample(&self, at: Vec2) -> Vec2 {
        // Counted from one texel before the grid, so that indices are not negative.
        let shifted = at + 0.5;
        let end = self.size as f32 + 1.0;
        if !(shifted.x >= 0.0 && shifted.y >= 0.0 && shifted.x < end && shifted.y < end) {
            return Vec2::ZERO;
        }
        let (x, y) = (shifted.x as usize, shifted.y as usize);
        let (fx, fy) = (shifted.x - x as f32, shifted.y - y as f32);
        let texel = |x: usize, y: usize| {
            let inside = (1..=self.size).contains(&x) && (1..=self.size).contains(&y);
            if inside { self.texels[(y - 1) * self.size + x - 1] } else { Vec2::ZERO }
        };
        let above = texel(x, y).lerp(texel(x + 1, y), fx);
        let below = texel(x, y + 1).lerp(texel(x + 1, y + 1), fx);
        above.lerp(below, fy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A half-plane three units high: how wide is its shadow's edge?
    fn edge_width(blur: f32) -> usize {
        let heights: Vec<f32> = (0..64 * 64).map(|k| if k % 64 < 32 { 3.0 } else { f32::NEG_INFINITY }).collect();
        let silhouette = Silhouette::new(64, &heights);
        let open = |x: usize| silhouette.openness(Vec2::new(x as f32 + 0.5, 32.0), 0.0, blur);
        (8..56).filter(|&x| (0.02..0.98).contains(&open(x))).count()
    }

    #[test]
    fn a_wider_lamp_throws_a_softer_shadow() {
        assert!(edge_width(0.0) <= 2);
        assert!(edge_width(1.5) > edge_width(0.0));
        assert!(edge_width(4.0) > edge_width(1.5));
    }
}
