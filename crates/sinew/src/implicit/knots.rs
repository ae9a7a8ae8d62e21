//! What still crosses in a bend?
//!
//! Where two limbs are pressed flat against each other, triangles that are large for the fold, or lie across the seam,
//! can still pass through others; and joints that are no hinges fold as the skin has them. So the surface around joints
//! that turned is searched for triangles that cross. Their corners move towards the mean of those around them, each on
//! its own side of a hinge, until nothing crosses there; what does not help is taken back. What crosses farther away,
//! such as a hand in a hip, is no fold and stays.

use super::anatomy::{Anatomy, Posture};
use super::bend::Hold;
use crate::geometry::{Face, SelfIntersections, Topology};
use crate::rows::Rows;
use glam::{DMat3, DVec3, Vec3};
use std::collections::HashMap;

/// How often corners move at most, and how far towards the mean each time.
const ROUNDS: usize = 16;
const SMOOTHED: f64 = 0.5;

/// In so many rounds there have to be less crossings than this share, or it is no use to go on.
const PATIENCE: usize = 3;
const LESS: f64 = 0.8;

/// How far around a joint its fold goes, in radii of its seam.
const AROUND: f64 = 3.0;

/// The cosine of the turn of a joint from which on it may fold.
const TURNED: f64 = 0.9;

/// The search for crossings around joints.
pub(super) struct Knots {
    search: SelfIntersections,
    folds: Folds,
    corners: Vec<Vec3>,
    /// Points that move, how hinges hold them, and whether a point is one.
    loose: Vec<u32>,
    holds: Vec<Hold>,
    is_loose: Vec<bool>,
    smoothed: Vec<DVec3>,
    /// Where the loose points were with the fewest crossings so far.
    best: Vec<DVec3>,
}

impl Knots {
    pub fn new(anatomy: &Anatomy, is_wanted: Vec<bool>) -> Self {
        let body = &anatomy.body;
        let corners: Vec<Vec3> = body.rest.iter().map(|place| place.as_vec3()).collect();
        let near = near(anatomy);
        let has_fold = |face: &&Face| !in_all(&near, face.corners()).is_empty();
        let faces: Vec<Face> = body.faces.iter().filter(has_fold).copied().collect();
        let search = SelfIntersections::new(&Topology::new(&corners, &faces), &corners).pass_over_smooth();
        Self {
            folds: Folds::new(&search, &near, is_wanted),
            search,
            loose: Vec::with_capacity(body.len()),
            holds: Vec::with_capacity(body.len()),
            is_loose: vec![false; body.len()],
            smoothed: Vec::with_capacity(body.len()),
            best: Vec::with_capacity(body.len()),
            corners,
        }
    }

    /// Looks which joints turned; whether any did.
    pub fn look(&mut self, anatomy: &Anatomy, posture: &Posture) -> bool {
        self.folds.look(anatomy, posture)
    }

    /// Moves places so that less crosses around the joints that turned.
    pub fn untie(&mut self, anatomy: &Anatomy, posture: &Posture, places: &mut [DVec3]) {
        let Self { search, folds, corners, loose, holds, is_loose, smoothed, best } = self;
        if !folds.is_turned.contains(&true) {
            return;
        }
        for (corner, place) in corners.iter_mut().zip(&*places) {
            *corner = place.as_vec3();
        }
        search.watch_among(|triangle| folds.is_open(triangle));
        search.pairs_of_watched(corners);
        let mut counts = [usize::MAX; ROUNDS];
        for round in 0..ROUNDS {
            let known = loose.len();
            let mut count = 0;
            for &(a, b) in search.found().iter().filter(|&&(a, b)| folds.hold(a, b)) {
                count += 1;
                for point in [a, b].into_iter().flat_map(|triangle| search.triangles()[triangle as usize].vertices) {
                    if !std::mem::replace(&mut is_loose[point as usize], true) {
                        loose.push(point);
                        best.push(places[point as usize]);
                        holds.push(posture.hold(anatomy, point as usize));
                    }
                }
            }
            if counts[..round].iter().all(|&other| count < other) {
                loose.iter().zip(&mut *best).for_each(|(&point, best)| *best = places[point as usize]);
            }
            counts[round] = count;
            let is_stuck = round >= PATIENCE && count as f64 > LESS * counts[round - PATIENCE] as f64;
            if count == 0 || is_stuck {
                break;
            }
            smoothed.clear();
            smoothed.extend(loose.iter().zip(&*holds).map(|(&point, hold)| {
                let around = anatomy.body.neighbours.row(point).iter();
                let mean: DVec3 = around.map(|&(j, share)| share * places[j as usize]).sum();
                hold.clamp(places[point as usize].lerp(mean, SMOOTHED))
            }));
            for (&point, &place) in loose.iter().zip(&*smoothed) {
                (places[point as usize], corners[point as usize]) = (place, place.as_vec3());
            }
            if round == 0 {
                search.watch_nothing();
            }
            loose[known..].iter().for_each(|&point| search.watch_around(point));
            search.pairs_of_watched(corners);
        }
        for (&point, &place) in loose.iter().zip(&*best) {
            places[point as usize] = place;
            is_loose[point as usize] = false;
        }
        loose.clear();
        holds.clear();
        best.clear();
    }
}

/// Which triangles are around a joint that turned?
struct Folds {
    /// Sets of limbs whose joints triangles are near to, and the one of each triangle.
    limbs: Rows<u32>,
    of_triangle: Vec<u32>,
    /// Sets with a joint that turned.
    is_open: Vec<bool>,
    /// Joints whose limbs are to stay apart, and those of them that turned.
    is_wanted: Vec<bool>,
    is_turned: Vec<bool>,
}

impl Folds {
    fn new(search: &SelfIntersections, near: &Rows<u32>, is_wanted: Vec<bool>) -> Self {
        let mut sets = Vec::new();
        let mut numbers = HashMap::new();
        let of_triangle = search.triangles().iter().map(|triangle| {
            let limbs = in_all(near, &triangle.vertices);
            *numbers.entry(limbs).or_insert_with_key(|limbs: &Vec<u32>| {
                sets.push(limbs.clone());
                sets.len() as u32 - 1
            })
        });
        let of_triangle = of_triangle.collect();
        Self {
            is_open: vec![false; sets.len()],
            limbs: Rows::new(sets.into_iter()),
            of_triangle,
            is_turned: vec![false; is_wanted.len()],
            is_wanted,
        }
    }

    /// Looks which joints turned; whether any did.
    fn look(&mut self, anatomy: &Anatomy, posture: &Posture) -> bool {
        for (limb, (is_turned, shape)) in self.is_turned.iter_mut().zip(&anatomy.limbs.all).enumerate() {
            *is_turned = shape.parent.filter(|_| self.is_wanted[limb]).is_some_and(|parent| {
                let turn = posture.back[parent].matrix3 * posture.motions[limb].matrix3;
                0.5 * (trace(turn) - 1.0) < TURNED
            });
        }
        for (set, is_open) in self.is_open.iter_mut().enumerate() {
            *is_open = self.limbs.row(set as u32).iter().any(|&limb| self.is_turned[limb as usize]);
        }
        self.is_turned.contains(&true)
    }

    /// Whether a triangle is near a joint that turned.
    fn is_open(&self, triangle: u32) -> bool {
        self.is_open[self.of_triangle[triangle as usize] as usize]
    }

    /// Whether two triangles are near the same one.
    fn hold(&self, a: u32, b: u32) -> bool {
        let [ours, theirs] = [a, b].map(|triangle| self.limbs.row(self.of_triangle[triangle as usize]));
        ours.iter().any(|limb| self.is_turned[*limb as usize] && theirs.contains(limb))
    }
}

/// The limbs that are in the rows of all points.
fn in_all(near: &Rows<u32>, points: &[u32]) -> Vec<u32> {
    let [first, others @ ..] = points else { return Vec::new() };
    let is_in_all = |limb: &&u32| others.iter().all(|&point| near.row(point).contains(limb));
    near.row(*first).iter().filter(is_in_all).copied().collect()
}

/// For each point the limbs that it belongs to or that are next to its own, and whose joints are near.
fn near(anatomy: &Anatomy) -> Rows<u32> {
    let (body, limbs) = (&anatomy.body, &anatomy.limbs);
    let radii: Vec<f64> = (0..limbs.all.len()).map(|limb| seam_radius(anatomy, limb).unwrap_or(0.0)).collect();
    let row = |point: usize| {
        let Some(own) = limbs.of_point[point].map(|limb| limb as usize) else { return Vec::new() };
        let around = [own].into_iter().chain(limbs.children(own));
        let is_near = |&limb: &usize| body.rest[point].distance(limbs.all[limb].head) < AROUND * radii[limb];
        around.filter(is_near).map(|limb| limb as u32).collect()
    };
    Rows::new((0..body.len()).map(row))
}

/// The median distance from a limb's joint of the edges to the limb that it hangs on.
fn seam_radius(anatomy: &Anatomy, limb: usize) -> Option<f64> {
    let (body, limbs) = (&anatomy.body, &anatomy.limbs);
    let ends = [Some(limb as u32), Some(limbs.all[limb].parent? as u32)];
    let seam = body.edges().filter(|&(i, j)| [limbs.of_point[i], limbs.of_point[j]] == ends);
    let mut distances: Vec<f64> = seam.map(|(i, _)| body.rest[i].distance(limbs.all[limb].head)).collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied()
}

fn trace(matrix: DMat3) -> f64 {
    matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z
}
