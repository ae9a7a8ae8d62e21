//! Limbs that keep to their own surface and to their own side.

use super::joint::PosedJoint;
use super::region::Region;
use glam::DVec3;
use sinew_field::Sample;
use sinew_geometry::curve::smoothstep;

/// The steps to a distance from the own limb: fields are nearly distances, so that two are enough.
pub(super) const STEPS: usize = 2;

/// The slope that a field must have to be followed all the way; a distance has 1. Where gradients cancel, inside a limb,
/// there is no direction.
const SLOPE: f64 = 0.5;

/// The longest step, in radii.
const LONGEST_STEP: f64 = 0.5;

/// The room between the plane and points that crowd there, in radii: layers stay in their order.
const ROOM: f64 = 0.02;

/// The height at rest of points that have most of the room, in radii: those at the bottom of a crook.
const CROWD: f64 = 0.4;

/// The share of the room that all points keep; the rest is less towards the lips of a crook, so that they close.
const KEPT: f64 = 0.5;

/// The distance from the room, in radii, from which on a point touches nothing.
const TOUCH: f64 = 0.1;

/// The step of a place to where a field of slope about 1 has a value.
#[inline]
pub(super) fn step_to(value: f64, field: Sample, radius: f64) -> DVec3 {
    let slope = field.gradient.length();
    let along = field.gradient / slope.max(SLOPE).powi(2);
    (smoothstep(slope / SLOPE) * (value - field.value) * along).clamp_length_max(LONGEST_STEP * radius)
}

/// How far skin can touch other skin: not at all where it is taut, on the outside of a bend, and in full where it is not.
pub(super) fn slack(taut: f64) -> f64 {
    smoothstep(2.0 * (1.0 - taut))
}

/// The least height above the plane of a point with a height at rest, in radii, with x = rest/CROWD:
/// `ROOM (KEPT (1 − e⁻ˣ) + (1 − KEPT) x e¹⁻ˣ)`.
fn least_height(rest: f64) -> f64 {
    let x = rest / CROWD;
    if rest < 0.0 { rest } else { ROOM * (KEPT * (1.0 - (-x).exp()) + (1.0 - KEPT) * x * (1.0 - x).exp()) }
}

/// A place on its own side of all joints that part their limbs, and the wall that it touches there: the normal of the
/// plane, as long as it touches, 0 to 1.
#[inline]
pub(super) fn keep_side<'a>(
    region: &Region,
    k: usize,
    share: f64,
    joint: impl Fn(u32) -> Option<&'a PosedJoint>,
    effect: impl Fn(u32, DVec3) -> f64,
    mut place: DVec3,
) -> (DVec3, DVec3) {
    let mut wall = DVec3::ZERO;
    for at in region.at(k) {
        let Some(joint) = joint(at.joint) else { continue };
        let radius = region.radius[k] * joint.scale;
        let room = radius * least_height(at.height / region.radius[k]);
        let height = joint.height(at, place);
        // A point that is as near at rest touches nothing there.
        let clearance = (TOUCH * radius).min(at.height * joint.scale - room);
        if height - room >= clearance {
            continue;
        }
        let share = share * effect(at.joint, place);
        let contact = 1.0 - smoothstep((height - room) / clearance.max(f64::MIN_POSITIVE));
        place += share * (room - height).max(0.0) * joint.up(at);
        wall += share * contact * joint.closing * joint.up(at);
    }
    (place, wall.clamp_length_max(1.0))
}

/// A move or a force along a wall: what touches it neither leaves it nor goes through it.
#[inline]
pub(super) fn slide(along: DVec3, wall: DVec3) -> DVec3 {
    let touch = wall.length();
    if touch > 0.0 { along - along.dot(wall) / touch * wall } else { along }
}
