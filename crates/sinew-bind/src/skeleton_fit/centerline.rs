//! Where is the middle of a limb?
//!
//! A limb's cells are cut into layers, by height or by the length of the shortest way through the
//! limb from where it starts. The centroids of the layers are the limb's centre line and the number of
//! cells in each its cross-section.

use super::occupancy_grid::OccupancyGrid;
use glam::DVec3;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Layers on either side that a point of the line is averaged over.
const SMOOTHING: usize = 2;

/// The centroids of a limb's layers with what the layers are told apart by.
#[derive(Debug, Clone)]
pub(super) struct Centerline {
    /// Ascending: height, or length along the line.
    along: Vec<f64>,
    points: Vec<DVec3>,
    areas: Vec<f64>,
}

impl Centerline {
    /// Layers by height. None of no cells.
    pub fn by_height(grid: &OccupancyGrid, cells: &[usize]) -> Option<Self> {
        let layers = layers(grid, cells, |cell| grid.cell_of(cell)[1]);
        let line = Self::smoothed(layers)?;
        Some(Self { along: line.points.iter().map(|p| p.y).collect(), ..line })
    }

    /// Layers by the length of the way through the cells from those among them that are starts;
    /// measured along the line. None where no cell is a start.
    pub fn by_distance(grid: &OccupancyGrid, cells: &[usize], is_start: impl Fn(usize) -> bool) -> Option<Self> {
        let distances = distances(grid, cells, is_start);
        let reached: Vec<usize> = cells.iter().copied().filter(|&cell| distances[cell].is_finite()).collect();
        Self::smoothed(layers(grid, &reached, |cell| distances[cell] as usize))
    }

    fn smoothed(layers: Vec<(DVec3, f64)>) -> Option<Self> {
        let (centroids, areas): (Vec<DVec3>, Vec<f64>) = layers.into_iter().unzip();
        let last = centroids.len().checked_sub(1)?;
        // Fewer layers towards the ends, so that these stay where they are.
        let around = |k: usize| SMOOTHING.min(k).min(last - k);
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

    /// The line with another point before its first one.
    pub fn starting_at(mut self, start: DVec3) -> Self {
        self.along.insert(0, self.along[0] - start.distance(self.points[0]));
        self.points.insert(0, start);
        self.areas.insert(0, self.areas[0]);
        self
    }

    /// The first and last place along the line.
    pub fn range(&self) -> (f64, f64) {
        (self.along[0], self.along[self.along.len() - 1])
    }

    /// The point at a place along the line, the ends for places beyond them.
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

    /// The number of cells of the layer at a place, the mean of it and its neighbours.
    pub fn area(&self, along: f64) -> f64 {
        let nearest = self.along.partition_point(|&a| a < along).min(self.areas.len() - 1);
        let near = &self.areas[nearest.saturating_sub(1)..(nearest + 2).min(self.areas.len())];
        near.iter().sum::<f64>() / near.len() as f64
    }

    /// The mean number of cells of the layers from one place to another, of the layer at the first if
    /// there is none between.
    pub fn mean_area(&self, from: f64, to: f64) -> f64 {
        let between = self.along.partition_point(|&a| a < from)..self.along.partition_point(|&a| a < to);
        let areas = &self.areas[between];
        if areas.is_empty() { self.area(from) } else { areas.iter().sum::<f64>() / areas.len() as f64 }
    }

    /// The radius of a disk as large as the layer at a place.
    pub fn radius(&self, along: f64, cell: f64) -> f64 {
        cell * (self.area(along) / std::f64::consts::PI).sqrt()
    }

    /// The places of the layers.
    pub fn places(&self) -> &[f64] {
        &self.along
    }

    /// Where the line between two places bends: the place among `window`, as shares of the way, that
    /// is farthest from the straight way, as far as it is bent at all; `usual` for a straight line.
    pub fn bend(&self, [from, to]: [f64; 2], window: [f64; 2], usual: f64) -> f64 {
        /// Shares of the way's length by which a line is away from straight: not bent, clearly bent.
        const STRAIGHT: f64 = 0.05;
        const BENT: f64 = 0.12;
        let (start, end) = (self.at(from), self.at(to));
        let Some(way) = (end - start).try_normalize() else { return from + usual * (to - from) };
        let away = |along: f64| (self.at(along) - start).reject_from_normalized(way).length();
        let share = |along: f64| (along - from) / (to - from);
        let inside = self.along.iter().copied().filter(|&a| share(a) >= window[0] && share(a) <= window[1]);
        let farthest = inside.max_by(|&a, &b| away(a).total_cmp(&away(b)));
        let usual = from + usual * (to - from);
        farthest.map_or(usual, |farthest| {
            let depth = away(farthest) / start.distance(end);
            let trust = ((depth - STRAIGHT) / (BENT - STRAIGHT)).clamp(0.0, 1.0);
            usual + trust * (farthest - usual)
        })
    }
}

/// Centroid and number of the cells with the same key, in ascending order of the key.
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

/// For each cell of the grid the length, in cells, of the shortest way from a start through the given
/// cells; infinite where there is none.
pub(super) fn distances(grid: &OccupancyGrid, cells: &[usize], is_start: impl Fn(usize) -> bool) -> Vec<f64> {
    let mut allowed = vec![false; grid.inside.len()];
    cells.iter().for_each(|&cell| allowed[cell] = true);
    let mut distances = vec![f64::INFINITY; grid.inside.len()];
    // Bits of positive numbers are in the order of the numbers.
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
