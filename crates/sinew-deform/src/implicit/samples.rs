//! The sample points of a limb that its field interpolates.
//!
//! Points as far from each other as possible, where distance counts the turn of the normal as well, so that thin parts
//! get points on both sides: a Poisson disc of growing density, which can stop at any number. Points whose normal
//! disagrees with those around them sit on sharp details, wrinkles or noise, and would pull the whole field after them
//! \[R18 §3.1.1\]; they are left out. Where the limb goes on into another it is closed by a cap: points on a sphere
//! around the joint that just reaches the surface \[R18 fig. 3.3\], the outermost and a ring around it. One point
//! alone leaves the field free to go anywhere beyond the rim.

use crate::welded::Limb;
use crate::welded::WeldedSurface;
use glam::DVec3;
use sinew_field::Oriented;
use std::f64::consts::TAU;

/// The least cosine between a point's normal and the mean around it.
const MIN_NORMAL_COSINE: f64 = 0.8;

/// Points of a ring around the outermost of a cap.
const CAP_RING_POINTS: usize = 5;

/// Points to choose from, and the caps.
pub(super) struct Candidates {
    points: Vec<Oriented>,
    caps: Vec<Oriented>,
    /// How much a turn of the normal counts as distance.
    turn: f64,
}

impl Candidates {
    /// The points of a limb that are no outliers. `ends` are where it goes on, with the direction outwards.
    pub fn new(body: &WeldedSurface, limb: &Limb, members: &[u32], ends: &[(DVec3, DVec3)]) -> Self {
        let is_smooth = |&i: &u32| {
            let own = body.normals[i as usize];
            let mean = body.neighbour_mean(i, |j| body.normals[j]) + own;
            own.dot(mean.normalize_or_zero()) > MIN_NORMAL_COSINE
        };
        let oriented = |&i: &u32| Oriented { point: body.rest[i as usize], normal: body.normals[i as usize] };
        let points: Vec<Oriented> = members.iter().filter(|i| is_smooth(i)).map(oriented).collect();
        let mut thickness: Vec<f64> = points.iter().map(|sample| limb.distance(sample.point)).collect();
        thickness.sort_by(f64::total_cmp);
        let turn = 0.5 * thickness.get(thickness.len() / 2).copied().unwrap_or(0.0);
        let reach = |end: DVec3| members.iter().map(|&i| body.rest[i as usize].distance(end)).fold(f64::MAX, f64::min);
        let caps = ends.iter().flat_map(|&(end, outwards)| cap(end, outwards, reach(end))).collect();
        Self { points, caps, turn }
    }

    /// How many there are to choose from.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The caps and so many of the points, or all.
    pub fn choose(&self, count: usize) -> Vec<Oriented> {
        let mut chosen = self.caps.clone();
        let middle = self.points.iter().map(|s| s.point).sum::<DVec3>() / self.points.len().max(1) as f64;
        let from_caps = |s: &Oriented| self.caps.iter().map(|cap| cap.point.distance_squared(s.point)).reduce(f64::min);
        let mut distances: Vec<f64> =
            self.points.iter().map(|s| from_caps(s).unwrap_or(s.point.distance_squared(middle))).collect();
        let is_first_alone = self.caps.is_empty();
        for k in 0..count.min(self.points.len()) {
            let farthest = (0..distances.len()).max_by(|&a, &b| distances[a].total_cmp(&distances[b]).then(b.cmp(&a)));
            let Some(next) = farthest else { break };
            if k > 0 && distances[next] <= 1e-6 * self.turn * self.turn {
                break;
            }
            let sample = self.points[next];
            for (distance, other) in distances.iter_mut().zip(&self.points) {
                let turned = self.turn * self.turn * (sample.normal - other.normal).length_squared();
                let apart = sample.point.distance_squared(other.point) + turned;
                *distance = if k == 0 && is_first_alone { apart } else { distance.min(apart) };
            }
            chosen.push(sample);
        }
        chosen
    }
}

/// The points that close a limb around one of its ends.
fn cap(end: DVec3, outwards: DVec3, radius: f64) -> Vec<Oriented> {
    let at = |normal: DVec3| Oriented { point: end + radius * normal, normal };
    let u = outwards.any_orthonormal_vector();
    let v = outwards.cross(u);
    let ring = (0..CAP_RING_POINTS).map(|k| {
        let (sine, cosine) = (TAU * k as f64 / CAP_RING_POINTS as f64).sin_cos();
        at(0.6 * outwards + 0.8 * (cosine * u + sine * v))
    });
    [at(outwards)].into_iter().chain(ring).collect()
}
