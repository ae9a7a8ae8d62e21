//! The joints of a humanoid.
//!
//! Trunk, legs and arms are found one after the other ([`Torso`], [`Leg`], [`arm`]). The feet point to the front. Pairs
//! are averaged if the body is symmetric. Human proportions replace what the shape does not show, with a warning.

use super::arm::{Arm, arm, hanging_arm};
use super::leg::Leg;
use super::occupancy_grid::OccupancyGrid;
use super::torso::{BodySide, Torso};
use super::{BodyInterior, missing};
use crate::Result;
use glam::DVec3;
use sinew_rig::PlacedJoint;

/// The least forward extent of the feet that decides the front, in body heights. About one cell of the grid, 1/128.
const MIN_FOOT_LENGTH: f64 = 0.008;
/// The largest distance between mirrored joints of symmetric limbs, relative to the body's longest side. About four
/// cells of the grid; not tuned.
const MAX_ASYMMETRY: f64 = 0.03;
/// Lower back, spine and chest, as fractions of the height from hips to neck. Not tuned.
const SPINE_FRACTIONS: [f64; 3] = [0.15, 0.38, 0.62];
/// The distance of the spine behind the trunk's centre, relative to its depth. Not tuned.
const SPINE_SETBACK: f64 = 0.12;
/// The height of the hips above the hip joints, in body heights. Not tuned.
const HIPS_ABOVE_JOINTS: f64 = 0.02;

/// The joints, parents first, in the grid's coordinates, and warnings.
pub(super) fn fit(body: &BodyInterior) -> Result<(Vec<PlacedJoint>, Vec<String>)> {
    let grid = &body.grid;
    let mut warnings = Vec::new();
    let torso = Torso::new(grid).ok_or_else(|| missing("trunk was"))?;
    let arms = BodySide::BOTH.map(|half| arm(grid, &torso, half));
    if !torso.legs_are_parted && arms.iter().all(Option::is_none) {
        return Err(missing("arms or legs were"));
    }
    if !torso.legs_are_parted {
        warnings.push("the legs are not separate: hips and knees have average human positions".into());
    }
    if !torso.has_neck {
        warnings.push("no narrow neck was found: its position is a guess".into());
    }
    let arms = complete_arms(grid, &torso, arms, &mut warnings);
    let [plus, minus] = BodySide::BOTH.map(|half| Leg::new(grid, &torso, half));
    let legs = [plus.ok_or_else(|| missing("legs were"))?, minus.ok_or_else(|| missing("legs were"))?];
    let ahead = 0.5 * (legs[0].foot_ahead() + legs[1].foot_ahead());
    let front = if ahead.abs() >= MIN_FOOT_LENGTH * torso.height {
        ahead.signum()
    } else {
        warnings.push("the feet do not show the front: left and right may be exchanged".into());
        body.default_front
    };
    let mut legs = legs.map(|leg| leg.joints(front));
    let mut arms = arms;
    symmetrize(&mut arms, "arms", &mut warnings);
    symmetrize(&mut legs, "legs", &mut warnings);
    let trunk = Trunk::new(grid, &torso, front, 0.5 * (legs[0][0].y + legs[1][0].y));
    // The body's left is up × front.
    let [left, right] = if front > 0.0 { [0, 1] } else { [1, 0] };
    let mut joints = trunk.joints();
    for (name, side) in [("Left", left), ("Right", right)] {
        add_leg(&mut joints, name, legs[side]);
        add_arm(&mut joints, name, trunk.collar(arms[side][0]), arms[side]);
    }
    Ok((joints, warnings))
}

/// Replaces missing arms by the mirrored other arm, or by arms that hang down the trunk.
fn complete_arms(grid: &OccupancyGrid, torso: &Torso, arms: [Option<Arm>; 2], warnings: &mut Vec<String>) -> [Arm; 2] {
    match arms {
        [Some(plus), Some(minus)] => [plus, minus],
        [Some(arm), None] | [None, Some(arm)] => {
            warnings.push("one arm is not separate from the body: it is the mirror image of the other".into());
            let other = arm.map(mirrored);
            if arm[0].x > 0.0 { [arm, other] } else { [other, arm] }
        }
        [None, None] => {
            let what = "the arms are not separate from the body: they are assumed to hang at its sides; \
                        use an A or T pose to fit them";
            warnings.push(what.into());
            BodySide::BOTH.map(|half| hanging_arm(grid, torso, half))
        }
    }
}

fn mirrored(point: DVec3) -> DVec3 {
    point.with_x(-point.x)
}

/// Makes two nearly symmetric limbs exactly symmetric.
pub(super) fn symmetrize<const N: usize>([plus, minus]: &mut [[DVec3; N]; 2], what: &str, warnings: &mut Vec<String>) {
    if plus.iter().zip(&*minus).any(|(p, m)| p.distance(mirrored(*m)) > MAX_ASYMMETRY) {
        warnings.push(format!("left and right {what} differ, so they were not made symmetric"));
        return;
    }
    for (p, m) in plus.iter_mut().zip(minus) {
        *p = 0.5 * (*p + mirrored(*m));
        *m = mirrored(*p);
    }
}

/// The joints in the plane of symmetry.
struct Trunk {
    hips: DVec3,
    spine: [DVec3; 3],
    neck: DVec3,
    head: DVec3,
    top: DVec3,
}

impl Trunk {
    fn new(grid: &OccupancyGrid, torso: &Torso, front: f64, hip_height: f64) -> Self {
        let middle = |height: f64| torso.line.at(height).with_x(0.0).with_y(height);
        let hips = middle(hip_height + HIPS_ABOVE_JOINTS * torso.height);
        let neck = middle(torso.neck);
        let spine = SPINE_FRACTIONS.map(|fraction| {
            let height = hips.y + fraction * (neck.y - hips.y);
            // Grows to the full distance at the chest.
            let back = SPINE_SETBACK * (fraction / SPINE_FRACTIONS[2]) * torso.depth(grid, height);
            middle(height) - DVec3::Z * front * back
        });
        let top = grid.low.y + torso.slices[1] as f64 * grid.cell;
        let skull = middle(0.5 * (torso.head + top));
        Self { hips, spine, neck, head: middle(torso.head), top: skull.with_y(top) }
    }

    /// The start of an arm's collar bone.
    fn collar(&self, shoulder: DVec3) -> DVec3 {
        let height = shoulder.y + 0.3 * (self.neck.y - shoulder.y);
        DVec3::new(0.15 * shoulder.x, height, 0.5 * (shoulder.z + self.neck.z))
    }

    fn joints(&self) -> Vec<PlacedJoint> {
        let names = ["Hips", "LowerBack", "Spine", "Spine1", "Neck", "Head"];
        let [lower_back, spine, chest] = self.spine;
        let points = [self.hips, lower_back, spine, chest, self.neck, self.head, self.top];
        chain(&names, None, 0, &points)
    }
}

pub(super) fn add_leg(joints: &mut Vec<PlacedJoint>, side: &str, points: [DVec3; 5]) {
    let names = ["UpLeg", "Leg", "Foot", "ToeBase"].map(|name| format!("{side}{name}"));
    let hips = joints.iter().position(|joint| joint.name == "Hips");
    joints.extend(chain(&names.each_ref().map(String::as_str), hips, joints.len(), &points));
}

pub(super) fn add_arm(joints: &mut Vec<PlacedJoint>, side: &str, collar: DVec3, [shoulder, elbow, wrist, tip]: Arm) {
    let names = ["Shoulder", "Arm", "ForeArm", "Hand"].map(|name| format!("{side}{name}"));
    let chest = joints.iter().position(|joint| joint.name == "Spine1");
    let points = [collar, shoulder, elbow, wrist, tip];
    joints.extend(chain(&names.each_ref().map(String::as_str), chest, joints.len(), &points));
}

/// A chain of joints, each ending at the next, whose first has the index `start`.
pub(super) fn chain(names: &[&str], parent: Option<usize>, start: usize, points: &[DVec3]) -> Vec<PlacedJoint> {
    let joint = |(k, name): (usize, &&str)| PlacedJoint {
        name: (*name).into(),
        parent: if k == 0 { parent } else { Some(start + k - 1) },
        head: points[k],
        tail: points[k + 1],
    };
    names.iter().enumerate().map(joint).collect()
}
