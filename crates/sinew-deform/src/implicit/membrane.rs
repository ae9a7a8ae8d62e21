//! The skin as a membrane on flesh: it is drawn to its own lengths where it is tense, and moves as one piece.
//!
//! Edges of points in tension τ want the shape `R e` that they have at rest, and flesh holds every point where it is. The
//! moves u of a membrane with targets t minimise
//!
//! ```text
//! ½ Σ c |uᵢ − uⱼ − τ (R eᵢⱼ − (tᵢ − tⱼ))|² + ½ Σ a |uᵢ|²        a = 2 A / d²
//! ```
//!
//! with the conductances c, the areas A, and the depth d to which a pull on the surface is felt. The matrix `L + a` does
//! not depend on the pose: it is factored once, and serves for every force on the membrane. A wall that presses on a part
//! of it takes what is around along, so that lips of a contact are round as flesh is. Numbers at points spread in the same
//! way: `(L + a)⁻¹ a s` is their mean over the depth around each point.

use super::region::Region;
use super::sides::slide;
use crate::Result;
use crate::parallel::VERTICES_PER_TASK;
use crate::welded::WeldedSurface;
use glam::{DMat3, DVec3};
use sinew_geometry::curve::smoothstep;
use sinew_geometry::parallel::*;
use sinew_geometry::solve::{SparseCholesky, SymmetricEntries};

/// The depth of the flesh under the membrane, in radii of the limb: it holds on the bone.
const DEPTH: f64 = 1.0;

/// How much of their lengths at rest tense edges are given, tuned on the simulated flesh.
const PULL: f64 = 0.8;

/// What a membrane needs to know of the points of a region in a frame.
#[derive(Clone, Copy)]
pub(super) struct Skin<'a> {
    /// How much of its way each takes.
    pub shares: &'a [f64],
    pub tension: &'a [f64],
    /// The wall that each touches.
    pub walls: &'a [DVec3],
}

/// The tension around a point, in the mean, from which to which it counts: between its edges that are taut and others,
/// the mean is lower than at either.
const COUNTS: [f64; 2] = [0.15, 0.65];

/// How much farther a wall presses than to where it is: of what it moves by itself, flesh around takes away about half.
const PRESS: f64 = 2.0;

/// The membrane over a region.
pub(super) struct Membrane {
    matrix: SparseCholesky,
    /// How flesh holds each point.
    hold: Vec<f64>,
    /// The mean of ones: less than 1 beside points that are not of the region.
    ones: Vec<f64>,
    /// The force on each point, and after [`Self::solve`] its move.
    pub moves: Vec<DVec3>,
}

impl Membrane {
    /// The membrane over a region; points next to it stay.
    pub fn new(region: &Region) -> Result<Self> {
        let mut entries = SymmetricEntries::new(region.len());
        let hold = |k: usize| (2.0 * region.area[k] / (DEPTH * region.radius[k]).powi(2)).max(LEAST_HOLD);
        let hold: Vec<f64> = (0..region.len()).map(hold).collect();
        for (k, &hold) in hold.iter().enumerate() {
            entries.add(k as u32, k as u32, hold);
            for &(j, c) in region.around.row(k as u32) {
                entries.add(k as u32, k as u32, c);
                let other = region.place[j as usize];
                if other != u32::MAX && other < k as u32 {
                    entries.add(k as u32, other, -c);
                }
            }
        }
        let mut matrix = entries.prepare(POINTS_AT_ONCE)?;
        entries.factor(&mut matrix).map_err(|_| sinew_geometry::Error::SystemTooLarge { size: region.len() })?;
        let mut ones = vec![1.0; region.len()];
        let mut membrane = Self { matrix, hold, ones: Vec::new(), moves: vec![DVec3::ZERO; region.len()] };
        membrane.average(&mut ones);
        membrane.ones = ones;
        Ok(membrane)
    }

    /// The tension of the skin around each point, given how taut each is by itself.
    pub fn spread(&mut self, taut: &[f64], tension: &mut [f64]) {
        tension.copy_from_slice(taut);
        self.average(tension);
        for (tension, ones) in tension.iter_mut().zip(&self.ones) {
            *tension = smoothstep((*tension / ones - COUNTS[0]) / (COUNTS[1] - COUNTS[0]));
        }
    }

    /// `(L + a)⁻¹ a s`.
    fn average(&mut self, numbers: &mut [f64]) {
        let forces = self.moves.iter_mut().zip(&self.hold);
        forces.zip(&*numbers).for_each(|((force, hold), number)| *force = DVec3::X * *hold * *number);
        self.solve();
        numbers.iter_mut().zip(&self.moves).for_each(|(number, mean)| *number = mean.x);
    }

    /// Finds the moves of points that walls push, each by itself so far, and of what they take along.
    pub fn press(&mut self, push: impl Fn(usize) -> DVec3 + Sync) {
        let forces = self.moves.par_iter_mut().zip(&self.hold).enumerate().with_min_len(VERTICES_PER_TASK);
        forces.for_each(|(k, (force, hold))| *force = PRESS * *hold * push(k));
        self.solve();
    }

    /// Moves points to where tense edges have their lengths.
    pub fn tighten(
        &mut self,
        body: &WeldedSurface,
        region: &Region,
        turns: &[DMat3],
        Skin { shares, tension, walls }: Skin<'_>,
        places: &mut [DVec3],
    ) {
        let at = &*places;
        self.moves.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(k, force)| {
            let i = region.points[k] as usize;
            *force = DVec3::ZERO;
            for &(j, c) in region.around.row(k as u32) {
                let (other, j) = (region.place[j as usize] as usize, j as usize);
                if other < region.len() {
                    let tense = 0.5 * (tension[k] + tension[other]) * shares[k].min(shares[other]);
                    let own = 0.5 * (turns[i] + turns[j]) * (body.rest[i] - body.rest[j]);
                    *force += PULL * c * tense * (own - (at[i] - at[j]));
                }
            }
        });
        self.solve();
        for (k, &point) in region.points.iter().enumerate() {
            places[point as usize] += shares[k] * slide(self.moves[k], walls[k]);
        }
    }

    /// Replaces forces by moves.
    pub fn solve(&mut self) {
        if let Some(mut factor) = self.matrix.last_factor() {
            factor.solve_points(&mut self.moves);
        }
    }
}

/// The least hold of a point, beside conductances of about one: a point without faces is held, too.
const LEAST_HOLD: f64 = 1e-9;

/// Right-hand sides that are solved together.
const POINTS_AT_ONCE: usize = 3;
