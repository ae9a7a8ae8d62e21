//! The centre line of a limb.
//!
//! The cells of a limb form layers, by height or by the length of the shortest path through the limb from its start. The
//! centroids of the layers are the centre line, and their cell counts the cross-section areas.

use super::occupancy_grid::OccupancyGrid;
use glam::DVec3;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of layers on either side in the mean of a point. Not tuned.
const SMOOTHING_LAYERS: usize = 2;

/// The centroids of a limb's layers with their parameters along the line.
#[derive(Debug, Clone)]
pub(super) struct Centerline {
    /// Ascending: height, or length along the line.
    along: Vec<f64>,
    points: Vec<DVec3>,
    areas: Vec<f64>,
}

impl Centerline {
    /// Layers by height; none without cells.
    pub fn by_height(grid: &OccupancyGrid, cells: &[usize]) -> Option<Self> {
        let layers = layers(grid, cells, |cell| grid.cell_of(cell)[1]);
        let line = Self::smoothed(layers)?;
        Some(Self { along: line.points.iter().map(|p| p.y).collect(), ..line })
    }

    /// Layers by the length of the shortest path through the cells from the start cells, with arc length as parameter. None
    /// without a start.
    pub fn by_distance(grid: &OccupancyGrid, cells: &[usize], is_start: impl Fn(usize) -> bool) -> Option<Self> {
        let distances = distances(grid, cells, is_start);
        let reached: Vec<usize> = cells.iter().copied().filter(|&cell| distances[cell].is_finite()).collect();
        Self::smoothed(layers(grid, &reached, |cell| distances[cell] as usize))
    }

    fn smoothed(layers: Vec<(DVec3, f64)>) -> Option<Self> {
        let (centroids, areas): (Vec<DVec3>, Vec<f64>) = layers.into_iter().unzip();
        let last = centroids.len().checked_sub(1)?;
        // Fewer layers towards the ends, so that these do not move.
        let around = |k: usize| SMOOTHING_LAYERS.min(k).min(last - k);
        let mean = |k: usize| {
            let near = &centroids[k - around(k)..=k + around(k)];
            near.iter().sum::<DVec3>() / near.len() as f64
        };
        let points: Vec<DVec3> = (0..=last).map(mean).collect();
        let mut along = vec![0.0];
        for pair in points.windows(2) {
            along.push(along[along.len() - 1] + pair[0].distance(pair[1]));
        }
        Some(Self { along, points, areas })
    }

    /// The line with another first point.
    pub fn starting_at(mut self, start: DVec3) -> Self {
        self.along.insert(0, self.along[0] - start.distance(self.points[0]));
        self.points.insert(0, start);
        self.areas.insert(0, self.areas[0]);
        self
    }

    /// The first and last parameter.
    pub fn range(&self) -> (f64, f64) {
        (self.along[0], self.along[self.along.len() - 1])
    }

    /// The point at a parameter, clamped to the ends.
    pub fn at(&self, along: f64) -> DVec3 {
        let next = self.along.partition_point(|&a| a < along);
        match next {
            0 => self.points[0],
            n if n == self.points.len() => self.points[n - 1],
            n => {
                let (from, to) = (self.along[n - 1], self.along[n]);
                self.points[n - 1].lerp(self.points[n], (along - from) / (to - from))
            }
        }
    }

    /// The area in cells at a parameter, the mean of the nearest three layers.
    pub fn area(&self, along: f64) -> f64 {
        let nearest = self.along.partition_point(|&a| a < along).min(self.areas.len() - 1);
        let near = &self.areas[nearest.saturating_sub(1)..(nearest + 2).min(self.areas.len())];
        near.iter().sum::<f64>() / near.len() as f64
    }

    /// The mean area in cells between two parameters, or the area at the first if no layer is between.
    pub fn mean_area(&self, from: f64, to: f64) -> f64 {
        let between = self.along.partition_point(|&a| a < from)..self.along.partition_point(|&a| a < to);
        let areas = &self.areas[between];
        if areas.is_empty() { self.area(from) } else { areas.iter().sum::<f64>() / areas.len() as f64 }
    }

    /// The radius of a disk with the area at a parameter.
    pub fn radius(&self, along: f64, cell: f64) -> f64 {
        cell * (self.area(along) / std::f64::consts::PI).sqrt()
    }

    /// The parameters of the layers.
    pub fn parameters(&self) -> &[f64] {
        &self.along
    }

    /// The parameter where the line bends between two others: the one in `window`, as fractions of the interval, farthest
    /// from the chord, blended with `usual` by how clearly the line bends.
    pub fn bend(&self, [from, to]: [f64; 2], window: [f64; 2], usual: f64) -> f64 {
        /// The distance from the chord, relative to its length, of a straight and of a clearly bent line. Not tuned.
        const STRAIGHT: f64 = 0.05;
        const BENT: f64 = 0.12;
        let (start, end) = (self.at(from), self.at(to));
        let Some(chord) = (end - start).try_normalize() else { return from + usual * (to - from) };
        let chord_distance = |along: f64| (self.at(along) - start).reject_from_normalized(chord).length();
        let fraction = |along: f64| (along - from) / (to - from);
        let inside = self.along.iter().copied().filter(|&a| fraction(a) >= window[0] && fraction(a) <= window[1]);
        let farthest = inside.max_by(|&a, &b| chord_distance(a).total_cmp(&chord_distance(b)));
        let usual = from + usual * (to - from);
        farthest.map_or(usual, |farthest| {
            let depth = chord_distance(farthest) / start.distance(end);
            let confidence = ((depth - STRAIGHT) / (BENT - STRAIGHT)).clamp(0.0, 1.0);
            usual + confidence * (farthest - usual)
        })
    }
}

/// The centroid and number of the cells of each key, by ascending key.
fn layers(grid: &OccupancyGrid, cells: &[usize], key: impl Fn(usize) -> usize) -> Vec<(DVec3, f64)> {
    let last = cells.iter().map(|&cell| key(cell)).max();
    let mut layers = vec![(DVec3::ZERO, 0.0); last.map_or(0, |last| last + 1)];
    for &cell in cells {
        let layer = &mut layers[key(cell)];
        layer.0 += grid.center(cell);
        layer.1 += 1.0;
    }
    layers.retain(|layer| layer.1 > 0.0);
    layers.iter().map(|&(sum, count)| (sum / count, count)).collect()
}

/// The length, in cells, of the shortest path from a start to each cell of the grid through the given cells; infinite if
/// there is none.
pub(super) fn distances(grid: &OccupancyGrid, cells: &[usize], is_start: impl Fn(usize) -> bool) -> Vec<f64> {
    let mut allowed = vec![false; grid.inside.len()];
    cells.iter().for_each(|&cell| allowed[cell] = true);
    let mut distances = vec![f64::INFINITY; grid.inside.len()];
    // The bits of positive floats have the order of the floats.
    let mut open: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    for &start in cells.iter().filter(|&&cell| is_start(cell)) {
        distances[start] = 0.0;
        open.push(Reverse((0, start)));
    }
    while let Some(Reverse((bits, cell))) = open.pop() {
        let distance = f64::from_bits(bits);
        if distance > distances[cell] {
            continue;
        }
        for (next, step) in grid.neighbors(cell).filter(|&(next, _)| allowed[next]) {
            if distance + step < distances[next] {
                distances[next] = distance + step;
                open.push(Reverse(((distance + step).to_bits(), next)));
            }
        }
    }
    distances
}
