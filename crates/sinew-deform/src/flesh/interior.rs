//! The inside of a skin at rest: its limbs, how thick they are, and the bones in them.

use super::bones::{BoneShape, limb_radii};
use super::named_bones::named_bones;
use super::options::FleshOptions;
use super::presets::bones;
use crate::welded::{Limbs, WeldedSurface};
use crate::{Error, Result};
use glam::Vec3;
use sinew_geometry::{Topology, Winding};
use sinew_rig::Character;

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
        let (named, warnings) = named_bones(character, &options.bone_meshes)?;
        let welded = WeldedSurface::new(character, &[&options.leave_out[..], &options.bone_meshes].concat());
        welded.check_surface()?;
        let skeleton = &character.skeleton;
        let limbs = Limbs::new(&welded, skeleton);
        if limbs.all.is_empty() {
            return Err(Error::NoBones);
        }
        let places: Vec<Vec3> = welded.rest.iter().map(|p| p.as_vec3()).collect();
        let winding = Winding::new(&Topology::new(&places, &welded.faces), &places);
        let radii = limb_radii(&limbs, &welded.rest, &winding);
        let given = named.iter().map(|bone| bone.joint).collect();
        let mut bones = bones(&limbs, &radii, skeleton, &winding, options, &given);
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
