//! A limb as a density in space, that of its joint at rest.
//!
//! The Hermite surface through a few of its points is a distance near them and anything far away; it is cut off by the
//! distance to the limb's bones less a length that no point of it reaches. A grid holds what comes out, and the
//! fall-off \[R18 eq. 3.1\] makes it a density after the look-up, with the support R of the limb's own thickness.

use super::samples::Candidates;
use crate::Result;
use crate::welded::Limb;
use crate::welded::WeldedSurface;
use glam::DVec3;
use sinew_field::{Box3, DistanceField, Falloff, Grid, Hrbf, Oriented, Sample, SlopedGrid};

/// The most samples: twice as many are taken each time the surface is missed.
const MAX_SAMPLES: usize = 200;

/// The mean distance of a limb's points from its field's surface, in R, from which more samples are taken.
const GOOD_FIT: f64 = 0.02;

/// Cells along R, and the most nodes of a grid.
const CELLS_PER_RADIUS: f64 = 8.0;
const MAX_NODES: f64 = 50_000.0;

/// How far beyond the limb's farthest point the cut lies, and how soft it is, in R.
const CUT_DISTANCE: f64 = 1.2;
const CUT_SOFTNESS: f64 = 0.15;

/// The density of a limb.
#[derive(Debug, Clone, PartialEq)]
pub struct LimbField {
    grid: SlopedGrid,
    falloff: Falloff,
    samples: Vec<Oriented>,
    fit: Fit,
}

/// How well a field fits its limb.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Fit {
    /// The mean distance of the limb's points from the field's surface, in radii of the limb.
    pub mean: f64,
    /// The largest of them.
    pub worst: f64,
}

/// The samples that the options ask for.
#[derive(Debug, Clone, Copy)]
pub(super) struct SampleRequest<'a> {
    /// These; if there are none, so many at first.
    pub samples: &'a [Oriented],
    pub count: usize,
}

impl LimbField {
    /// The field of a limb that has these points and goes on at these ends. None where its points define no shape, such
    /// as when they all lie in a plane.
    pub(super) fn new(
        body: &WeldedSurface,
        limb: &Limb,
        members: &[u32],
        ends: &[(DVec3, DVec3)],
        wanted: SampleRequest<'_>,
    ) -> Result<Option<Self>> {
        let candidates = Candidates::new(body, limb, members, ends);
        let mut distances: Vec<f64> = members.iter().map(|&i| limb.distance(body.rest[i as usize])).collect();
        distances.sort_by(f64::total_cmp);
        let (Some(&radius), Some(&farthest)) = (distances.get(distances.len() * 95 / 100), distances.last()) else {
            return Ok(None);
        };
        if candidates.len() < 4 || radius.is_nan() || radius <= 0.0 {
            return Ok(None);
        }
        let measure = |field: &Hrbf| {
            let errors = members.iter().map(|&i| field.distance(body.rest[i as usize]).value.abs() / radius);
            let (sum, worst) = errors.fold((0.0, 0.0), |(sum, worst), e| (sum + e, f64::max(worst, e)));
            Fit { mean: sum / members.len() as f64, worst }
        };
        let mut best: Option<(Hrbf, Vec<Oriented>, Fit)> = None;
        let mut count = wanted.count;
        loop {
            let samples = if wanted.samples.is_empty() { candidates.choose(count) } else { wanted.samples.to_vec() };
            if let Some(field) = Hrbf::new(&samples) {
                let fit = measure(&field);
                if best.as_ref().is_none_or(|(_, _, other)| fit.mean < other.mean) {
                    best = Some((field, samples, fit));
                }
            }
            let is_good = best.as_ref().is_some_and(|(_, _, fit)| fit.mean < GOOD_FIT);
            if is_good || !wanted.samples.is_empty() || count >= candidates.len().min(MAX_SAMPLES) {
                break;
            }
            count *= 2;
        }
        let Some((field, samples, fit)) = best.filter(|(_, _, fit)| fit.mean < 0.5) else { return Ok(None) };
        let around = Box3::around(samples.iter().map(|sample| sample.point)).expanded(DVec3::splat(radius));
        let cell = cell_size(around.size(), radius / CELLS_PER_RADIUS);
        let cut = |place: DVec3| limb.distance(place) - CUT_DISTANCE * farthest;
        let grid = Grid::sample(&around, cell, |place| {
            smooth_max(field.distance(place).value, cut(place), CUT_SOFTNESS * radius)
        })?;
        let grid = SlopedGrid::new(&grid);
        Ok(Some(Self { grid, falloff: Falloff::Smooth { radius }, samples, fit }))
    }

    /// A field from a cache; none if it is no field.
    pub(super) fn from_cache(grid: Grid, radius: f64, samples: Vec<Oriented>, fit: Fit) -> Option<Self> {
        // Distances to a surface inside the grid are at most its diagonal; a fitted field may be somewhat steeper.
        let most = 4.0 * grid.bounds().size().length();
        let is_distance = |value: &f32| f64::from(value.abs()) <= most;
        let is_field = radius > 0.0 && fit.mean >= 0.0 && fit.worst >= 0.0 && grid.values().iter().all(is_distance);
        is_field.then_some(Self { grid: SlopedGrid::new(&grid), falloff: Falloff::Smooth { radius }, samples, fit })
    }

    pub(super) fn grid(&self) -> &SlopedGrid {
        &self.grid
    }

    /// The density at a place in the rest pose.
    #[inline]
    pub fn density(&self, place: DVec3) -> Sample {
        if self.grid.bounds().contains(place) { self.falloff.apply(self.grid.sample(place)) } else { Sample::NOTHING }
    }

    /// The signed distance from the limb's surface at a place in the rest pose, as that on the grid's border beyond it.
    #[inline]
    pub fn distance(&self, place: DVec3) -> Sample {
        self.grid.sample(place)
    }

    /// Outside this box the density is zero.
    pub fn bounds(&self) -> Box3 {
        self.grid.bounds()
    }

    /// R: the thickness of the limb and the width of its field.
    pub fn radius(&self) -> f64 {
        self.falloff.radius()
    }

    /// The points that its surface goes through.
    pub fn samples(&self) -> &[Oriented] {
        &self.samples
    }

    /// How well it fits its limb.
    pub fn fit(&self) -> Fit {
        self.fit
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> usize {
        self.grid.bytes() + size_of_val(&self.samples[..])
    }
}

/// A cell no smaller than wished for with which a box has no more than so many nodes.
fn cell_size(size: DVec3, wished: f64) -> f64 {
    let nodes = |cell: f64| (size / cell + 1.0).element_product();
    let mut cell = wished;
    while nodes(cell) > MAX_NODES {
        cell *= 1.1;
    }
    cell
}

/// The larger of two numbers, rounded where they are within `width` of each other.
fn smooth_max(a: f64, b: f64, width: f64) -> f64 {
    let apart = (a - b) / width;
    if apart.abs() >= 1.0 { a.max(b) } else { 0.5 * (a + b) + 0.25 * width * (1.0 + apart * apart) }
}
