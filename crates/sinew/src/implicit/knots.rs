//! What still crosses in a bend?
//!
//! Where two limbs are pressed flat against each other, triangles that are large for the fold, or lie across the seam,
//! can still pass through others; and joints that are no hinges fold as the skin has them. So the surface around joints
//! that turned is searched for triangles that cross. Their corners move towards the mean of those around them, each on
//! its own side of a hinge, until nothing crosses there; what does not help is taken back. What crosses farther away,
//! such as a hand in a hip, is no fold and stays.

use super::anatomy::{Anatomy, Posture};
use crate::geometry::{Face, SelfIntersections, Topology};
use crate::rows::Rows;
use glam::{DMat3, DVec3, Vec3};

/// How often corners move, and how far towards the mean each time.
const ROUNDS: usize = 16;
const SMOOTHED: f64 = 0.5;

/// How far around a joint its fold goes, in radii of its seam.
const AROUND: f64 = 3.0;

/// The cosine of the turn of a joint from which on it may fold.
const TURNED: f64 = 0.9;

/// The search for crossings around joints.
pub(super) struct Knots {
    /// For each point the limbs whose joints it is near to.
    near: Rows<u32>,
    /// Joints whose limbs are to stay apart, and those of them that turned.
    is_wanted: Vec<bool>,
    is_turned: Vec<bool>,
    search: SelfIntersections,
    corners: Vec<Vec3>,
    /// Points that move, and whether a point is one.
    loose: Vec<u32>,
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
        let is_near = |face: &&Face| face.corners().iter().all(|&v| !near.row(v).is_empty());
        let faces: Vec<Face> = body.faces.iter().filter(is_near).copied().collect();
        Self {
            near,
            is_turned: vec![false; is_wanted.len()],
            is_wanted,
            search: SelfIntersections::new(&Topology::new(&corners, &faces), &corners),
            loose: Vec::with_capacity(body.len()),
            is_loose: vec![false; body.len()],
            smoothed: Vec::with_capacity(body.len()),
            best: Vec::with_capacity(body.len()),
            corners,
        }
    }

    /// Looks which joints turned; whether any did.
    pub fn look(&mut self, anatomy: &Anatomy, posture: &Posture) -> bool {
        for (limb, (is_turned, shape)) in self.is_turned.iter_mut().zip(&anatomy.limbs.all).enumerate() {
            *is_turned = shape.parent.filter(|_| self.is_wanted[limb]).is_some_and(|parent| {
                let turn = posture.back[parent].matrix3 * posture.motions[limb].matrix3;
                0.5 * (trace(turn) - 1.0) < TURNED
            });
        }
        self.is_turned.contains(&true)
    }

    /// Moves places so that less crosses around the joints that turned.
    pub fn untie(&mut self, anatomy: &Anatomy, posture: &Posture, places: &mut [DVec3]) {
        let Self { near, is_turned, search, corners, loose, is_loose, smoothed, best, .. } = self;
        if !is_turned.contains(&true) {
            return;
        }
        for (corner, place) in corners.iter_mut().zip(&*places) {
            *corner = place.as_vec3();
        }
        search.watch(|point| near.row(point).iter().any(|&limb| is_turned[limb as usize]));
        search.pairs(corners);
        let is_fold = |points: [u32; 6]| {
            let holds = |limb: &u32| points[1..].iter().all(|&point| near.row(point).contains(limb));
            near.row(points[0]).iter().any(|limb| is_turned[*limb as usize] && holds(limb))
        };
        let mut fewest = usize::MAX;
        for _ in 0..ROUNDS {
            let mut count = 0;
            for &(a, b) in search.found() {
                let [[a, b, c], [d, e, f]] = [a, b].map(|triangle| search.triangles()[triangle as usize].vertices);
                let points = [a, b, c, d, e, f];
                if !is_fold(points) {
                    continue;
                }
                count += 1;
                for point in points {
                    if !std::mem::replace(&mut is_loose[point as usize], true) {
                        loose.push(point);
                        best.push(places[point as usize]);
                    }
                }
            }
            if count < fewest {
                fewest = count;
                loose.iter().zip(&mut *best).for_each(|(&point, best)| *best = places[point as usize]);
            }
            if count == 0 {
                break;
            }
            smoothed.clear();
            smoothed.extend(loose.iter().map(|&point| {
                let place = places[point as usize];
                let around = anatomy.body.neighbours.row(point).iter();
                let mean: DVec3 = around.map(|&(j, share)| share * places[j as usize]).sum();
                let hold = posture.settle(anatomy, point as usize, place).1;
                hold.clamp(place.lerp(mean, SMOOTHED))
            }));
            for (&point, &place) in loose.iter().zip(&*smoothed) {
                (places[point as usize], corners[point as usize]) = (place, place.as_vec3());
            }
            search.watch(|point| is_loose[point as usize]);
            search.pairs(corners);
        }
        for (&point, &place) in loose.iter().zip(&*best) {
            places[point as usize] = place;
            is_loose[point as usize] = false;
        }
        loose.clear();
        best.clear();
    }
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
