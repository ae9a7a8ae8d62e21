//! The distance of a place from the skin of another limb, as that skin is in a pose.
//!
//! The field of a limb misses its skin by some hundredths of its radius, more than two limbs that touch are apart. So
//! the field only tells where to look. A place p is taken back to rest with the limb's motion M, to x = M⁻¹ p, and the
//! nearest skin there is s, which the pose has at s'. As skin is moved by more than one joint, s' is not M s; the skin
//! nearest to s + M⁻¹ (p − s') is. The distance is that along its posed normal, d = n·(p − s').
//!
//! It counts as far as the limb is another one: not where the skin moves with the own limb, where it was as near at rest,
//! or where the pose has torn the two places apart.

use super::fields::PosedFields;
use super::region::rising;
use crate::welded::{Limbs, WeldedSurface};
use glam::{DAffine3, DVec3, Vec3};
use sinew_field::Box3;
use sinew_geometry::{ClosestSurface, Hit, SurfaceParts};

/// How far beyond a distance the field may miss it, in radii of the limb.
pub(super) const MISSES: f64 = 0.1;

/// How much farther than the field says the skin is looked for, in radii.
const WITHIN: f64 = 0.3;

/// What a distance is taken longer by, in radii, so that a place at it is within it.
const ROUNDING: f64 = 1e-9;

/// How much nearer than at rest a limb must be, in its radii, from nothing to all.
const NEARER: [f64; 2] = [0.02, 0.1];

/// How far away the skin was at rest, in radii of the thinner limb, from which it is other skin.
const APART: [f64; 2] = [0.15, 0.6];

/// The weight of a limb in what moves with the other, from which they are not apart.
const SHARED: [f64; 2] = [0.1, 0.5];

/// The difference of distances at rest and in the pose, in radii, from which the skin is not the one that was looked for:
/// for points of the skin, and for bones, which are farther from it.
pub(super) const TORN: [f64; 2] = [0.05, 0.15];
pub(super) const TORN_FROM_BONE: [f64; 2] = [0.1, 0.4];

/// The same for the difference from the field's.
const DIFFERENT: [f64; 2] = [0.2, 0.5];

/// The skin at rest, and what is known of its limbs there.
pub(super) struct RestSkin {
    surface: ClosestSurface,
    /// Its limbs.
    parts: SurfaceParts,
    pub limb_of: Vec<Option<u32>>,
    /// The limbs that move each point, with weights.
    pub weights: Vec<Vec<(u32, f64)>>,
    /// A box around the skin of each limb, as wide as fields miss it.
    boxes: Vec<Box3>,
    pub radius: Vec<f64>,
}

/// The limbs in a pose.
#[derive(Clone, Copy)]
pub(super) struct LimbPose<'a> {
    pub body: &'a WeldedSurface,
    pub fields: PosedFields<'a>,
    /// What each limb did since rest, and the way back.
    pub motions: &'a [DAffine3],
    pub back: &'a [DAffine3],
    pub scales: &'a [f64],
    pub is_sound: &'a [bool],
}

/// The skin in a pose.
#[derive(Clone, Copy)]
pub(super) struct PosedSkin<'a> {
    pub pose: LimbPose<'a>,
    pub rest: &'a RestSkin,
    /// Where all points are.
    pub places: &'a [DVec3],
}

/// Something that may meet another limb.
#[derive(Debug, Clone, Copy)]
pub(super) struct Probe {
    pub limb: usize,
    /// The point of the skin, if it is none of a bone.
    pub point: Option<usize>,
    /// Its place at rest, and in the pose.
    pub rest: DVec3,
    pub place: DVec3,
    /// Distances beyond this one, in the pose, are of no interest.
    pub farthest: f64,
}

/// Where the skin that a probe asked for was found last, at rest. It is near to where it is now: a search that knows it
/// ends sooner, with the same result.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Guess {
    /// The limbs that were met last, each with the two places that were found.
    found: [Option<(usize, [DVec3; 2])>; 2],
}

impl Guess {
    fn of(&self, other: usize) -> Option<[DVec3; 2]> {
        self.found.iter().flatten().find(|(limb, _)| *limb == other).map(|(_, places)| *places)
    }

    fn store(&mut self, other: usize, places: [DVec3; 2]) {
        if self.of(other).is_none() {
            self.found[1] = self.found[0];
            self.found[0] = Some((other, places));
        } else if let Some((_, stored)) = self.found.iter_mut().flatten().find(|(limb, _)| *limb == other) {
            *stored = places;
        }
    }
}

/// The skin of another limb near a probe.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearSkin {
    /// The signed distance, negative inside.
    pub distance: f64,
    /// Its normal in the pose.
    pub normal: DVec3,
    /// How much it counts, 0 to 1.
    pub weight: f64,
}

impl RestSkin {
    pub fn new(body: &WeldedSurface, limbs: &Limbs, radius: Vec<f64>) -> Self {
        let places: Vec<Vec3> = body.rest.iter().map(|place| place.as_vec3()).collect();
        let around = |(points, radius): (Vec<u32>, &f64)| {
            Box3::around(points.iter().map(|&point| body.rest[point as usize]))
                .expanded(DVec3::splat(2.0 * MISSES * radius))
        };
        let weights = |point: usize| {
            let row = body.influences.row(point as u32).iter();
            row.filter_map(|&(joint, weight)| Some((limbs.of_joint[joint as usize]?, weight))).collect()
        };
        let surface = ClosestSurface::new(&places, &body.faces);
        Self {
            parts: SurfaceParts::new(&surface, limbs.of_point.clone()),
            surface,
            limb_of: limbs.of_point.clone(),
            weights: (0..body.len()).map(weights).collect(),
            boxes: limbs.points().into_iter().zip(&radius).map(around).collect(),
            radius,
        }
    }

    /// The weight of a limb at a point.
    fn weight(&self, point: usize, limb: usize) -> f64 {
        self.weights[point].iter().filter(|(other, _)| *other as usize == limb).map(|(_, weight)| weight).sum()
    }

    /// A box in which a limb's skin and all within some distance of it are.
    pub fn around(&self, limb: usize, distance: f64) -> Box3 {
        self.boxes[limb].expanded(DVec3::splat(distance))
    }
}

impl PosedSkin<'_> {
    /// The unit normal of the posed skin at a point.
    pub fn normal(&self, point: usize) -> DVec3 {
        self.pose.body.area_vector(point, self.places).normalize_or_zero()
    }

    /// The radius of a limb in the pose.
    pub fn radius(&self, limb: usize) -> f64 {
        self.rest.radius[limb] * self.pose.scales[limb]
    }

    /// The skin of a limb near a probe.
    pub fn near(&self, probe: &Probe, other: usize, torn: [f64; 2], guess: &mut Guess) -> Option<NearSkin> {
        let (rest, back, scale) = (self.rest, &self.pose.back[other], self.pose.scales[other]);
        let radius = rest.radius[other];
        let far = probe.farthest / scale;
        let from = back.transform_point3(probe.place);
        if !rest.around(other, far).contains(from) {
            return None;
        }
        let field = self.pose.fields.fields.all[other].as_ref()?;
        let here = field.distance(from).value;
        if here > far + MISSES * radius {
            return None;
        }
        let nearer = rising((field.distance(probe.rest).value - here) / radius, NEARER);
        let shared = probe.point.map_or(0.0, |point| rest.weight(point, other));
        let weight = nearer * (1.0 - rising(shared, SHARED));
        if weight == 0.0 {
            return None;
        }
        let within = here.abs() + WITHIN * radius;
        let posed = |hit: &Hit| hit.interpolate(|v| self.places[v]);
        let guessed = guess.of(other);
        let up_to = |from: DVec3, place: DVec3| from.distance(place) + ROUNDING * radius;
        let nearest =
            |from: DVec3, within: f64| rest.surface.nearest_outside(from, within, &rest.parts, probe.limb as u32);
        let first = nearest(from, guessed.map_or(within, |places| within.min(up_to(from, places[0]))))?;
        let from = first.point + back.transform_vector3(probe.place - posed(&first));
        let known = up_to(from, first.point);
        let hit = nearest(from, guessed.map_or(known, |places| known.min(up_to(from, places[1]))))?;
        guess.store(other, [first.point, hit.point]);
        let offset = probe.place - posed(&hit);
        let normal = hit.interpolate(|v| self.normal(v)).normalize_or_zero();
        let distance = offset.dot(normal);
        let thinner = self.radius(probe.limb).min(scale * radius);
        let was_apart = rising(scale * probe.rest.distance(hit.point) / thinner, APART);
        let shared = hit.interpolate(|v| rest.weight(v, probe.limb));
        let is_torn = rising((offset.length() / scale - hit.distance).abs() / radius, torn);
        let is_different = rising((distance / scale - here).abs() / radius, DIFFERENT);
        let weight = weight * was_apart * (1.0 - rising(shared, SHARED)) * (1.0 - is_torn) * (1.0 - is_different);
        (weight > 0.0).then_some(NearSkin { distance, normal, weight })
    }
}
