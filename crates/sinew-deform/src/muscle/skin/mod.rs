//! The skin over muscles.
//!
//! Every point has a list of the muscles that reach it at rest ([`near`]) and moves along its normal until their
//! density is that at rest ([`cover`]). Offsets are smoothed between neighbours, and limited where they would push the
//! two sides of a bend into each other ([`crease`]). Points without muscles cost nothing, and do not move.

mod cover;
mod crease;
mod near;
mod offset_guard;

use super::{Dynamics, FatField, MuscleField, Musculature};
use crate::welded::{FEWEST, Limbs, NormalRotations, WeldedSurface};
use cover::Cover;
use crease::Creases;
use glam::{DAffine3, DVec3, Vec3};
use near::Near;
use offset_guard::OffsetGuard;
use sinew_field::{Box3, DistanceField, Falloff, OperatorTables, Sample};
use sinew_geometry::Rows;
use sinew_geometry::parallel::*;
use sinew_rig::Skeleton;
use sinew_rig::Surface;
use std::sync::Arc;

/// Iterations that smooth the offsets, and how far an offset moves to the mean of its neighbours in each.
const SMOOTHING_ITERATIONS: usize = 2;
const OFFSET_SMOOTHING: f64 = 0.5;

/// Covers of a task: fewer than vertices elsewhere, as each evaluates several fields.
const COVERS_PER_TASK: usize = 64;

/// The muscles and the fat in space, with the radii of their fields.
pub(super) struct Pieces<'a> {
    pub dynamics: &'a Dynamics,
    /// At rest, muscles first.
    pub radii: &'a [f64],
    /// The tables of the operators that join them.
    pub tables: &'a OperatorTables,
}

impl Pieces<'_> {
    fn len(&self) -> usize {
        self.radii.len()
    }

    fn radius(&self, piece: usize) -> f64 {
        self.radii[piece]
    }

    fn field(&self, piece: usize) -> Piece<'_> {
        let muscles = self.dynamics.muscles().len();
        match piece.checked_sub(muscles) {
            None => Piece::Muscle(self.dynamics.muscle(piece)),
            Some(fat) => Piece::Fat(self.dynamics.fat(fat)),
        }
    }

    fn bounds_within(&self, piece: usize, distance: f64) -> Box3 {
        match self.field(piece) {
            Piece::Muscle(field) => field.bounds_within(distance),
            Piece::Fat(field) => field.bounds_within(distance),
        }
    }

    #[inline]
    fn density(&self, piece: usize, place: DVec3) -> Sample {
        let radius = self.radii[piece];
        match self.field(piece) {
            Piece::Muscle(field) if !field.reaches(place, radius) => Sample::NOTHING,
            field => Falloff::Smooth { radius }.apply(field.distance(place)),
        }
    }
}

enum Piece<'a> {
    Muscle(&'a MuscleField),
    Fat(&'a FatField),
}

impl DistanceField for Piece<'_> {
    #[inline]
    fn distance(&self, point: DVec3) -> Sample {
        match self {
            Self::Muscle(field) => field.distance(point),
            Self::Fat(field) => field.distance(point),
        }
    }
}

/// The settings of the coupling.
#[derive(Debug, Clone, Copy)]
pub(super) struct CouplingOptions {
    /// How much of what the muscles do the skin shows.
    pub amount: f64,
    /// Whether the skin is kept from passing through itself.
    pub contacts: bool,
}

/// The skin over muscles.
pub(super) struct Coupling {
    body: Arc<WeldedSurface>,
    limbs: Limbs,
    near: Rows<Near>,
    covers: Vec<Cover>,
    creases: Creases,
    /// None where contacts do not matter.
    guard: Option<OffsetGuard>,
    /// How much of it is wanted.
    pub amount: f64,
    /// For each cover, in this frame.
    normals: Vec<DVec3>,
    found: Vec<f64>,
    /// For each point of the body.
    offsets: Vec<f64>,
    was: Vec<Vec3>,
    is: Vec<Vec3>,
    turning: NormalRotations,
}

impl Coupling {
    /// Prepares a body whose muscles have come to rest in its bind pose.
    pub fn new(
        body: Arc<WeldedSurface>,
        skeleton: &Skeleton,
        musculature: &Musculature,
        pieces: &Pieces<'_>,
        options: CouplingOptions,
    ) -> Self {
        let limbs = Limbs::new(&body, skeleton, FEWEST);
        let near = near::near(&body, skeleton, musculature, pieces);
        let cover = |i: usize| {
            let limb = &limbs.all[limbs.of_point[i]? as usize];
            let (place, normal) = (body.rest[i], body.normals[i]);
            Cover::new(i as u32, place, normal, limb.distance(place), near.row(i as u32), pieces)
        };
        let covers: Vec<Cover> = (0..body.len()).into_par_iter().filter_map(cover).collect();
        let count = body.len();
        Self {
            creases: Creases::new(&limbs, skeleton),
            normals: vec![DVec3::ZERO; covers.len()],
            found: vec![0.0; covers.len()],
            offsets: vec![0.0; count],
            was: vec![Vec3::ZERO; count],
            is: vec![Vec3::ZERO; count],
            turning: NormalRotations::new(&body),
            guard: options.contacts.then(|| OffsetGuard::new(&body)),
            amount: options.amount,
            body,
            limbs,
            near,
            covers,
        }
    }

    /// How many points follow muscles.
    pub fn points(&self) -> usize {
        self.covers.len()
    }

    /// How far the skin moved in the frame deformed last, at each vertex of the surface that moved.
    pub fn offsets(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let of_point = |cover: &Cover| {
            let offset = self.offsets[cover.point as usize];
            self.body.copies(cover.point as usize).iter().map(move |&copy| (copy, offset))
        };
        self.covers.iter().flat_map(of_point)
    }

    /// Moves the skin, some time after the frame before.
    pub fn deform(&mut self, pieces: &Pieces<'_>, world: &[DAffine3], delta_seconds: f64, surface: &mut Surface) {
        self.creases.follow(world);
        let Self { body, was, .. } = self;
        was.iter_mut().enumerate().for_each(|(point, was)| *was = body.place(point, surface));
        self.is.copy_from_slice(&self.was);
        self.follow(pieces);
        self.smooth();
        self.limit_at_creases();
        self.place();
        if let Some(mut guard) = self.guard.take() {
            guard.begin(delta_seconds);
            self.apply_freedom(&guard);
            guard.find(self.covers.iter().map(|cover| (cover.point, cover.radius)), &self.was, &self.is);
            for round in 0..OffsetGuard::MAX_ROUNDS {
                if !guard.reduce(&self.body, &self.was, round) {
                    break;
                }
                self.apply_freedom(&guard);
                guard.find_again(&self.is);
            }
            self.guard = Some(guard);
        }
        let Self { body, was, is, turning, .. } = self;
        body.write(was, is, turning, surface);
    }

    /// Applies the freedom that the guard leaves to each offset.
    fn apply_freedom(&mut self, guard: &OffsetGuard) {
        for (cover, found) in self.covers.iter().zip(&self.found) {
            self.offsets[cover.point as usize] = found * guard.freedom[cover.point as usize];
        }
        self.place();
    }

    fn place(&mut self) {
        for (cover, normal) in self.covers.iter().zip(&self.normals) {
            let point = cover.point as usize;
            self.is[point] = (self.was[point].as_dvec3() + self.offsets[point] * normal).as_vec3();
        }
    }

    /// Offsets from the density of the muscles at each point.
    fn follow(&mut self, pieces: &Pieces<'_>) {
        let Self { body, near, covers, normals, found, was, amount, .. } = self;
        let (body, was) = (&*body, &*was);
        let each = covers
            .par_chunks(COVERS_PER_TASK)
            .zip(normals.par_chunks_mut(COVERS_PER_TASK))
            .zip(found.par_chunks_mut(COVERS_PER_TASK));
        each.for_each(|((covers, normals), found)| {
            for ((cover, normal), found) in covers.iter().zip(normals).zip(found) {
                let point = cover.point as usize;
                *normal = body.normal(point, was).as_dvec3();
                *found = *amount * cover.offset(was[point].as_dvec3(), *normal, near.row(cover.point), pieces);
            }
        });
        self.take_over();
    }

    /// Moves offsets towards the means of their neighbours.
    fn smooth(&mut self) {
        for _ in 0..SMOOTHING_ITERATIONS {
            let Self { body, covers, found, offsets, .. } = self;
            let (body, offsets) = (&*body, &*offsets);
            let each = covers.par_chunks(COVERS_PER_TASK).zip(found.par_chunks_mut(COVERS_PER_TASK));
            each.for_each(|(covers, found)| {
                for (cover, found) in covers.iter().zip(found) {
                    let mean = body.neighbour_mean(cover.point, |j| offsets[j]);
                    *found += OFFSET_SMOOTHING * (mean - *found);
                }
            });
            self.take_over();
        }
    }

    /// Reduces offsets that would push the two sides of a bend into each other.
    fn limit_at_creases(&mut self) {
        let Self { limbs, creases, covers, normals, found, was, .. } = self;
        for ((cover, normal), found) in covers.iter().zip(normals).zip(found) {
            let point = cover.point as usize;
            if let Some(limb) = limbs.of_point[point] {
                *found = creases.limit(limb as usize, was[point].as_dvec3(), *normal, *found, cover.radius);
            }
        }
        self.take_over();
    }

    fn take_over(&mut self) {
        self.covers.iter().zip(&self.found).for_each(|(cover, &found)| self.offsets[cover.point as usize] = found);
    }
}
