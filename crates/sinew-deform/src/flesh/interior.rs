//! The inside of a skin at rest: its limbs, how thick they are, and the bones in them.

use super::bones::{BoneShape, LimbRadii, THINNEST_PART, limb_radii};
use super::named_bones::named_bones;
use super::options::FleshOptions;
use super::presets::bones;
use super::shells::face_outwards;
use crate::welded::{Limb, Limbs, WeldedSurface};
use crate::{Error, Result};
use glam::{DVec3, Vec3};
use sinew_geometry::Winding;
use sinew_rig::{Character, JointKind, Skeleton};

/// The fewest points that a joint must carry most of to have a bone. The front paws of a fox have eleven, its hind feet four
/// and seven.
const FEWEST: usize = 1;

pub(super) struct Interior {
    pub welded: WeldedSurface,
    /// The welded points in single precision.
    pub places: Vec<Vec3>,
    pub winding: Winding,
    /// One at least.
    pub limbs: Limbs,
    /// The radius of each limb at its joint.
    pub radii: Vec<f64>,
    pub bones: Vec<BoneShape>,
    pub warnings: Vec<String>,
}

impl Interior {
    pub(super) fn new(character: &Character, options: &FleshOptions) -> Result<Self> {
        character.check()?;
        let (named, mut warnings) = named_bones(character, &options.bone_meshes)?;
        let mut welded = WeldedSurface::new(character, &[&options.leave_out[..], &options.bone_meshes].concat());
        welded.check_surface()?;
        let skeleton = &character.skeleton;
        if !is_on_joints(&welded, skeleton) {
            return Err(Error::NoBones);
        }
        let places: Vec<Vec3> = welded.rest.iter().map(|p| p.as_vec3()).collect();
        let (winding, of_shells) = face_outwards(character, &mut welded, &places)?;
        warnings.extend(of_shells);
        let limbs = Limbs::new(&welded, skeleton, FEWEST);
        if limbs.all.is_empty() {
            return Err(Error::NoBones);
        }
        warnings.extend(length_warning(&limbs, skeleton));
        let LimbRadii { radii, too_thin } = limb_radii(&limbs, &welded.rest, &winding);
        let given = named.iter().map(|bone| bone.joint).collect();
        let mut bones = bones(&limbs, &radii, skeleton, &winding, options, &given);
        bones.retain(|bone| !too_thin.contains(&bone.joint));
        if !too_thin.is_empty() {
            let joints = names(too_thin, skeleton);
            if bones.is_empty() && named.is_empty() {
                return Err(Error::TooThin { joints, part: THINNEST_PART });
            }
            warnings.push(format!("too thin for bones in it, less than a {THINNEST_PART}th of the body: {joints}"));
        }
        for bone in named {
            let limb_radius = limb_of(bone.joint, &limbs, character).map_or(radii[0], |limb| radii[limb]);
            let softness = options.joints.get(&skeleton.joints()[bone.joint].name).map_or(1.0, |own| own.softness);
            bones.push(BoneShape { joint: bone.joint, turn: 1.0, solid: bone.solid, limb_radius, softness });
        }
        Ok(Self { welded, places, winding, limbs, radii, bones, warnings })
    }
}

/// The limb of a joint, or of the nearest joint above that has one.
fn limb_of(joint: usize, limbs: &Limbs, character: &Character) -> Option<usize> {
    let joints = character.skeleton.joints();
    let mut above = std::iter::successors(Some(joint), |&joint| joints[joint].parent);
    above.find_map(|joint| limbs.all.iter().position(|limb| limb.joint == joint))
}

/// Whether a joint carries some of the skin, itself or by a node below it.
fn is_on_joints(welded: &WeldedSurface, skeleton: &Skeleton) -> bool {
    let joints = skeleton.joints();
    let above = |joint: u32| std::iter::successors(Some(joint as usize), |&joint| joints[joint].parent);
    let is_joint = |joint: usize| joints[joint].kind == JointKind::Joint;
    welded.influences.values().iter().any(|&(joint, _)| above(joint).any(is_joint))
}

/// The warning about joints whose bones all end where they begin.
fn length_warning(limbs: &Limbs, skeleton: &Skeleton) -> Option<String> {
    let (joints, world) = (skeleton.joints(), skeleton.rest_world());
    let has_no_length = |limb: &&Limb| {
        let below =
            joints.iter().zip(&world).filter(|(j, _)| j.parent == Some(limb.joint) && j.kind == JointKind::Joint);
        let tip = joints[limb.joint].tip.map(|tip| world[limb.joint].transform_point3(tip));
        let ends: Vec<DVec3> = below.map(|(_, world)| world.translation).chain(tip).collect();
        let least = 1e-6 * limb.tail().distance(limb.head);
        !ends.is_empty() && ends.iter().all(|end| end.distance(limb.head) <= least)
    };
    let without: Vec<usize> = limbs.all.iter().filter(has_no_length).map(|limb| limb.joint).collect();
    let warning = |joints| format!("bones without a length point to the middle of their skin instead: {joints}");
    (!without.is_empty()).then(|| warning(names(without, skeleton)))
}

/// The names of joints, in one line.
fn names(joints: impl IntoIterator<Item = usize>, skeleton: &Skeleton) -> String {
    let names: Vec<&str> = joints.into_iter().map(|joint| skeleton.joints()[joint].name.as_str()).collect();
    names.join(", ")
}
