//! Fitting a set of muscles to a body.
//!
//! Points are mapped from segments to the bind pose. Points outside, or too close to the skin for the muscle's width in
//! the set, move inwards along the field's gradient. If the path would leave the skin between two points, a point is
//! added. Then the width is fitted: a superficial muscle fills the distance from the axis of its belly to the skin, up
//! to 1.5 times its width in the set; a deep muscle has its width in the set, unless it would reach out of the skin. A
//! muscle whose belly is still outside is left out. Bones are capsules of a share of their length, and points inside a
//! bone move to its surface.

use super::segment::{Placed, Segment, Segments, anatomy, segments};
use super::{MuscleSet, NamedMuscle, Place};
use crate::Result;
use crate::muscle::dynamics::gradient_step;
use crate::muscle::{Attachment, Bone, BoneShape, Muscle, Musculature, Shape, fan};
use glam::DVec3;
use sinew_field::{Capsule, DistanceField, Sample};
use sinew_rig::Anatomy;
use sinew_rig::Skeleton;
use std::sync::Arc;

/// The limits of a fitted width, as multiples of the width in the set.
const MAX_WIDTH: f64 = 1.5;
const MIN_WIDTH: f64 = 0.1;
/// How deep the ends of a muscle lie at least, of the thickness of its belly, and how much deeper all of a
/// deep one lies.
const SHALLOWEST: f64 = 0.25;
const DEEPER: f64 = 0.5;
/// The most places that fitting adds to a path.
const MAX_ADDED_PLACES: usize = 4;
/// How much of the way to the skin a muscle fills from its axis, and fat from its centre.
pub(super) const FILL: f64 = 0.95;

/// A set of muscles in a body.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FittedSet {
    /// Muscles and bones.
    pub musculature: Musculature,
    /// The muscles whose bones the skeleton does not have.
    pub left_out: Vec<String>,
    /// The muscles whose belly would lie outside the skin, as between the shells of a machine.
    pub without_room: Vec<String>,
}

impl MuscleSet {
    /// Fits the set to a skeleton, and to a skin in the bind pose if there is one. Fibres of one muscle are
    /// numbered.
    pub fn fit(&self, skeleton: &Skeleton, skin: Option<Arc<dyn DistanceField + Send + Sync>>) -> Result<FittedSet> {
        self.fit_anatomy(skeleton, &anatomy(skeleton)?, skin)
    }

    /// Fits the set to a skeleton whose anatomy is known.
    pub fn fit_anatomy(
        &self,
        skeleton: &Skeleton,
        anatomy: &Anatomy,
        skin: Option<Arc<dyn DistanceField + Send + Sync>>,
    ) -> Result<FittedSet> {
        Self::fit_sides([self, self], skeleton, anatomy, skin)
    }

    /// Fits two sets, of the left and the right side. Fat in the middle is that of the left.
    pub fn fit_sides(
        sets: [&Self; 2],
        skeleton: &Skeleton,
        anatomy: &Anatomy,
        skin: Option<Arc<dyn DistanceField + Send + Sync>>,
    ) -> Result<FittedSet> {
        let sides = segments(skeleton, anatomy)?;
        let musculature = Musculature { bones: bones(&sides), ..Musculature::default() };
        let mut fitted = FittedSet { musculature, left_out: Vec::new(), without_room: Vec::new() };
        let groups = groups(sets);
        for (side, ((segments, name), set)) in sides.iter().zip(["left", "right"]).zip(sets).enumerate() {
            fitted
                .musculature
                .fats
                .extend(set.fats.iter().filter_map(|fat| fat.fitted(segments, name, skin.as_deref())));
            for muscle in &set.muscles {
                let group = muscle.group.as_ref().and_then(|group| groups.iter().position(|g| *g == group));
                let group = group.map(|group| (2 * group + side) as u32);
                let full_name = format!("{name} {}", muscle.name);
                let Some(fibres) = fibres(muscle, segments, &full_name, group, skin.as_deref())? else {
                    fitted.left_out.push(full_name);
                    continue;
                };
                for fibre in fibres {
                    match fibre {
                        FittedFibre::Fits(fibre) => fitted.musculature.muscles.push(fibre),
                        FittedFibre::WithoutRoom(name) => fitted.without_room.push(name),
                    }
                }
            }
        }
        let Musculature { muscles, bones, .. } = &mut fitted.musculature;
        muscles.iter_mut().for_each(|muscle| lift(muscle, bones));
        if let Some(skin) = skin {
            let parts = fitted.musculature.muscles.iter().map(|muscle| muscle.part);
            fitted.musculature.skins = parts.map(|part| (part, skin.clone())).collect();
        }
        Ok(fitted)
    }
}

fn groups(sets: [&MuscleSet; 2]) -> Vec<&String> {
    let mut groups: Vec<&String> =
        sets.into_iter().flat_map(|set| &set.muscles).filter_map(|muscle| muscle.group.as_ref()).collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}

/// A fibre of a muscle in a body.
enum FittedFibre {
    Fits(Muscle),
    WithoutRoom(String),
}

/// The fibres of a muscle; none if a segment is missing.
fn fibres(
    muscle: &NamedMuscle,
    segments: &Segments,
    name: &str,
    group: Option<u32>,
    skin: Option<&(dyn DistanceField + Send + Sync)>,
) -> Result<Option<Vec<FittedFibre>>> {
    let place = |&(segment, a, b, c): &Place| {
        segments.get(&segment).map(|of| Attachment { joint: of.joint, position: of.point([a, b, c]) })
    };
    let all = |places: &[Place]| places.iter().map(place).collect::<Option<Vec<Attachment>>>();
    let (Some(from), Some(through), Some(to)) = (all(&muscle.from), all(&muscle.through), all(&muscle.to)) else {
        return Ok(None);
    };
    let Some(part) = segments.get(&muscle.part).map(|part| part.joint) else { return Ok(None) };
    let positions = |curve: &[Attachment]| curve.iter().map(|at| at.position).collect::<Vec<_>>();
    let profiles = muscle.profiles()?;
    let largest = profiles.largest(profiles.activated(0.0));
    let mut fibres = Vec::new();
    for (k, fibre) in fan(&positions(&from), &positions(&to), muscle.fibres).iter().enumerate() {
        // A fibre is attached to the joint of the nearest corner of the curve.
        let held = |curve: &[Attachment], position: DVec3| {
            let distance = |at: &&Attachment| at.position.distance_squared(position);
            let nearest = curve.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
            Attachment { joint: nearest.map_or(part, |at| at.joint), position }
        };
        let mut path = vec![held(&from, fibre.ends[0])];
        path.extend(&through);
        path.push(held(&to, fibre.ends[1]));
        let length: f64 = path.windows(2).map(|pair| pair[0].position.distance(pair[1].position)).sum();
        let width = muscle.radius * length / largest;
        let mut fitted = Muscle {
            name: if muscle.fibres > 1 { format!("{name} {}", k + 1) } else { name.to_string() },
            path,
            normals: fibre.normals,
            shape: Shape { profiles: profiles.clone(), width, eccentricity: muscle.eccentricity },
            stiffness: muscle.stiffness,
            group,
            part,
        };
        if let Some(skin) = skin {
            draw_in(&mut fitted, muscle.deep, skin);
            bend_in(&mut fitted, skin);
            let room = room(&fitted, skin);
            if room <= 0.0 {
                fibres.push(FittedFibre::WithoutRoom(fitted.name));
                continue;
            }
            fitted.shape.width *= room.clamp(MIN_WIDTH, if muscle.deep { 1.0 } else { MAX_WIDTH });
        }
        turn(&mut fitted, skin);
        fibres.push(FittedFibre::Fits(fitted));
    }
    Ok(Some(fibres))
}

/// Moves the places of a muscle's path out of the bones, onto their surface.
fn lift(muscle: &mut Muscle, bones: &[Bone]) {
    for at in &mut muscle.path {
        for bone in bones {
            let Sample { value, gradient } = bone.shape.field().distance(at.position);
            if value < 0.0 {
                at.position -= gradient_step(gradient, value);
            }
        }
    }
}

/// How thick a muscle is towards the skin, at a share of its path; flat ones lie along it.
fn thickness_at(muscle: &Muscle, share: f64) -> f64 {
    let flatness = (1.0 - muscle.shape.eccentricity.powi(2)).sqrt().sqrt();
    muscle.shape.width * flatness * muscle.shape.profiles.relaxed().at(share).value
}

/// Moves the places of a muscle's path so deep under the skin that it has room.
fn draw_in(muscle: &mut Muscle, is_deep: bool, skin: &(dyn DistanceField + Send + Sync)) {
    let total = muscle.path_length(|at| at.position);
    let belly = (1..16).map(|k| thickness_at(muscle, f64::from(k) / 16.0)).fold(0.0, f64::max);
    let mut passed = 0.0;
    for k in 0..muscle.path.len() {
        let position = muscle.path[k].position;
        let own = thickness_at(muscle, passed / total).max(SHALLOWEST * belly);
        let depth = if is_deep { own + DEEPER * belly } else { own };
        passed += muscle.path.get(k + 1).map_or(0.0, |next| next.position.distance(position));
        let Sample { value, gradient } = skin.distance(position);
        if value > -depth {
            muscle.path[k].position -= gradient_step(gradient, value + depth);
        }
    }
}

/// Leads a muscle through more places where it would leave the skin in between, as in the hollow of an armpit.
fn bend_in(muscle: &mut Muscle, skin: &(dyn DistanceField + Send + Sync)) {
    for _ in 0..MAX_ADDED_PLACES {
        let belly = (1..16).map(|k| thickness_at(muscle, f64::from(k) / 16.0)).fold(0.0, f64::max);
        let total = muscle.path_length(|at| at.position);
        let mut passed = 0.0;
        // How far out it is, and behind which place of the path.
        let mut worst = (-SHALLOWEST * belly, None);
        for (k, pair) in muscle.path.windows(2).enumerate() {
            for t in [0.25, 0.5, 0.75] {
                let at = pair[0].position.lerp(pair[1].position, t);
                let value = skin.distance(at).value;
                if value > worst.0 {
                    let share = (passed + t * pair[0].position.distance(pair[1].position)) / total;
                    worst = (value, Some((k, at, share)));
                }
            }
            passed += pair[0].position.distance(pair[1].position);
        }
        let (_, Some((k, at, share))) = worst else { return };
        let Sample { value, gradient } = skin.distance(at);
        let depth = thickness_at(muscle, share).max(SHALLOWEST * belly);
        let position = at - gradient_step(gradient, value + depth);
        muscle.path.insert(k + 1, Attachment { joint: muscle.part, position });
    }
}

/// How wide a muscle could be, of its width.
fn room(muscle: &Muscle, skin: &(dyn DistanceField + Send + Sync)) -> f64 {
    let points = muscle.rest_points(17);
    let thickness = |k: usize| thickness_at(muscle, k as f64 / 16.0);
    // The belly is where the muscle is at least half as thick as at its thickest.
    let peak = (1..16).map(thickness).fold(0.0, f64::max);
    let belly = (1..16).filter(|&k| thickness(k) >= 0.5 * peak);
    belly.map(|k| -FILL * skin.distance(points[k]).value / thickness(k)).fold(f64::INFINITY, f64::min)
}

/// Turns the wide side of a muscle without curves along the skin.
fn turn(muscle: &mut Muscle, skin: Option<&(dyn DistanceField + Send + Sync)>) {
    let [start, end] = [muscle.path[0].position, muscle.path[muscle.path.len() - 1].position];
    let (along, middle) = ((end - start).normalize_or_zero(), muscle.rest_points(3)[1]);
    let outwards = skin.map_or(DVec3::ZERO, |skin| skin.distance(middle).gradient);
    let across = along.cross(outwards).try_normalize().unwrap_or(along.any_orthonormal_vector());
    for normal in &mut muscle.normals {
        if *normal == DVec3::ZERO {
            *normal = across;
        }
    }
}

/// The radius of a segment's bone, of its length.
fn thickness(segment: Segment) -> Option<f64> {
    Some(match segment {
        Segment::UpperArm | Segment::Shank => 0.035,
        Segment::Forearm | Segment::Thigh => 0.04,
        _ => return None,
    })
}

fn bones(sides: &[Segments; 2]) -> Vec<Bone> {
    let bone = |(&segment, placed): (&Segment, &Placed)| {
        let (thickness, end) = (thickness(segment)?, placed.end?);
        let radius = thickness * placed.origin.distance(end);
        let shape = BoneShape::Capsule(Capsule { start: placed.origin, end, radius });
        Some(Bone { joint: placed.joint, shape })
    };
    sides.iter().flatten().filter_map(bone).collect()
}
