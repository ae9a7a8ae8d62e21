//! The graph of markers at near-constant distance.
//!
//! Every pair has its distances in a sample of the frames in which both are visible. Their median is the length. Half
//! the range from the 5th to the 95th percentile is the spread, which a few wrong labels do not change. Pairs of least
//! spread are neighbours (in L13 section 8.4 a person chooses them).

use super::Markers;
use crate::Result;

/// The largest spread of a near-constant distance is the sum of these shares of its length and of the body's extent.
/// The second is 2.6 mm of a body of 1.75 m. Not tuned.
const CONSTANT_PART: f64 = 0.005;
const CONSTANT_OF_BODY: f64 = 0.0015;
/// The number of sampled frames. Eight of 160 lie beyond each of the 5th and 95th percentiles.
const SAMPLES: usize = 160;
/// The least number of distances of a pair. A median needs a value on each side.
const FEWEST: usize = 3;

/// The statistics of the distance of two markers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairDistance {
    /// The median.
    pub length: f64,
    /// Half the range from the 5th to the 95th percentile.
    pub spread: f64,
    /// The largest deviation from the median.
    pub range: f64,
    /// Whether it is near-constant.
    pub is_near_constant: bool,
}

impl PairDistance {
    const UNKNOWN: Self =
        Self { length: f64::INFINITY, spread: f64::INFINITY, range: f64::INFINITY, is_near_constant: false };
}

/// The distance statistics of all pairs, and the neighbours of each marker, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkerGraph {
    count: usize,
    pairs: Vec<PairDistance>,
    neighbors: Vec<Vec<usize>>,
}

impl MarkerGraph {
    /// Finds the graph in a capture.
    pub fn find(markers: &Markers) -> Self {
        let count = markers.count();
        let extent = markers.extent();
        let step = markers.frames().div_ceil(SAMPLES);
        let sampled: Vec<usize> = (0..markers.frames()).step_by(step).collect();
        let mut pairs = vec![PairDistance::UNKNOWN; count * count];
        let mut distances = Vec::with_capacity(sampled.len());
        for a in 0..count {
            for b in 0..a {
                distances.clear();
                let distance = |&frame: &usize| Some(markers.get(frame, a)?.distance(markers.get(frame, b)?));
                distances.extend(sampled.iter().filter_map(distance));
                let pair = pair_distance(&mut distances, extent);
                pairs[a * count + b] = pair;
                pairs[b * count + a] = pair;
            }
        }
        let neighbors = (0..count).map(|marker| by_spread(marker, count, &pairs)).collect();
        Self { count, pairs, neighbors }
    }

    /// The same graph with given neighbours: two markers, and whether their distance is near-constant. The neighbours
    /// of all other markers do not change.
    pub fn with_links(mut self, links: &[(usize, usize, bool)]) -> Result<Self> {
        let count = self.count;
        if let Some(&(a, b, _)) = links.iter().find(|(a, b, _)| a.max(b) >= &count) {
            return Err(sinew_geometry::Error::UnknownOutOfRange { unknown: a.max(b) as u32, size: count }.into());
        }
        let mut linked = vec![false; count];
        links.iter().for_each(|&(a, b, _)| (linked[a], linked[b]) = (true, true));
        let is_link = |a: usize, b: usize| links.iter().any(|&(x, y, _)| (x, y) == (a, b) || (x, y) == (b, a));
        for marker in (0..count).filter(|&marker| linked[marker]) {
            self.neighbors[marker].retain(|&other| is_link(marker, other));
            for other in 0..count {
                self.pairs[marker * count + other].is_near_constant = false;
                self.pairs[other * count + marker].is_near_constant = false;
            }
        }
        for &(a, b, _) in links.iter().filter(|link| link.2 && link.0 != link.1) {
            self.pairs[a * count + b].is_near_constant = true;
            self.pairs[b * count + a].is_near_constant = true;
        }
        Ok(self)
    }

    /// The distance statistics of two markers.
    pub fn pair(&self, a: usize, b: usize) -> PairDistance {
        self.pairs[a * self.count + b]
    }

    /// The other markers, by increasing spread of their distance.
    pub fn neighbors(&self, marker: usize) -> &[usize] {
        &self.neighbors[marker]
    }

    /// Whether a distance is near-constant even with `variation` times its measured spread.
    pub(super) fn is_rigid(&self, a: usize, b: usize, variation: f64, extent: f64) -> bool {
        let pair = self.pair(a, b);
        pair.is_near_constant && (variation * pair.spread <= limit(pair.length, extent))
    }

    /// Every pair at near-constant distance.
    pub fn near_constant(&self) -> impl Iterator<Item = (usize, usize)> {
        let below = |a: usize| (0..a).map(move |b| (b, a));
        (0..self.count).flat_map(below).filter(|&(a, b)| self.pair(a, b).is_near_constant)
    }
}

fn pair_distance(distances: &mut [f64], extent: f64) -> PairDistance {
    if distances.len() < FEWEST {
        return PairDistance::UNKNOWN;
    }
    distances.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| distances[((distances.len() - 1) as f64 * share).round() as usize];
    let (length, spread) = (at(0.5), 0.5 * (at(0.95) - at(0.05)));
    let is_near_constant = spread <= limit(length, extent);
    let range = (at(1.0) - length).max(length - at(0.0));
    PairDistance { length, spread, range, is_near_constant }
}

/// The largest spread of a near-constant distance.
fn limit(length: f64, extent: f64) -> f64 {
    CONSTANT_PART * length + CONSTANT_OF_BODY * extent
}

/// The other markers by spread plus a small share of the distance: at equal spread, the nearer comes first.
fn by_spread(marker: usize, count: usize, pairs: &[PairDistance]) -> Vec<usize> {
    let cost = |other: &usize| {
        let pair = pairs[marker * count + other];
        pair.spread + 0.01 * pair.length
    };
    let known = |other: &usize| *other != marker && pairs[marker * count + other].spread.is_finite();
    let mut others: Vec<usize> = (0..count).filter(known).collect();
    others.sort_by(|a, b| cost(a).total_cmp(&cost(b)).then(a.cmp(b)));
    others
}
