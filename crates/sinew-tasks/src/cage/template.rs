//! The positions of a usual set of markers on a body.
//!
//! The full-body set of Plug-in Gait, described by parts of the body and directions relative to it, so that it fits every
//! figure whose joints have usual names. The result is a start to edit.

use crate::{Error, Result};
use glam::DVec3;
use sinew::recipe::MarkerPlace;
use sinew::rig::Anatomy;
use sinew::rig::Character;
use sinew::rig::anatomy::names::{BodyPart, Limb, Side};
use std::collections::BTreeMap;

/// A bone of the trunk.
#[derive(Clone, Copy)]
enum Trunk {
    Pelvis,
    Waist,
    Chest,
    Neck,
    Head,
}

/// Markers on the trunk: label, bone, how far along, and toward its left, up and front.
const TRUNK: [(&str, Trunk, f64, [f64; 3]); 12] = [
    ("LFHD", Trunk::Head, 0.7, [0.6, 0.0, 1.0]),
    ("RFHD", Trunk::Head, 0.7, [-0.6, 0.0, 1.0]),
    ("LBHD", Trunk::Head, 0.7, [0.6, 0.0, -1.0]),
    ("RBHD", Trunk::Head, 0.7, [-0.6, 0.0, -1.0]),
    ("C7", Trunk::Neck, 0.0, [0.0, 0.0, -1.0]),
    ("T10", Trunk::Waist, 0.5, [0.0, 0.0, -1.0]),
    ("CLAV", Trunk::Chest, 0.8, [0.0, 0.0, 1.0]),
    ("STRN", Trunk::Chest, 0.0, [0.0, 0.0, 1.0]),
    ("LASI", Trunk::Pelvis, 0.3, [0.8, 0.0, 1.0]),
    ("RASI", Trunk::Pelvis, 0.3, [-0.8, 0.0, 1.0]),
    ("LPSI", Trunk::Pelvis, 0.3, [0.4, 0.0, -1.0]),
    ("RPSI", Trunk::Pelvis, 0.3, [-0.4, 0.0, -1.0]),
];

/// Markers on either side: label without it, bone, how far along, and toward the outside, up and front.
const SIDES: [(&str, Limb, f64, [f64; 3]); 13] = [
    ("SHO", Limb::UpperArm, 0.0, [0.2, 1.0, 0.0]),
    ("UPA", Limb::UpperArm, 0.5, [0.4, 0.3, -1.0]),
    ("ELB", Limb::Forearm, 0.0, [0.2, 0.0, -1.0]),
    ("FRM", Limb::Forearm, 0.5, [0.3, 1.0, 0.0]),
    ("WRA", Limb::Hand, 0.0, [0.0, 0.0, 1.0]),
    ("WRB", Limb::Hand, 0.0, [0.0, 0.0, -1.0]),
    ("FIN", Limb::Hand, 0.9, [0.3, 1.0, 0.0]),
    ("THI", Limb::Thigh, 0.5, [1.0, 0.0, 0.0]),
    ("KNE", Limb::Calf, 0.0, [1.0, 0.0, 0.0]),
    ("TIB", Limb::Calf, 0.5, [1.0, 0.0, 0.0]),
    ("ANK", Limb::Foot, 0.0, [1.0, 0.0, 0.0]),
    ("HEE", Limb::Foot, 0.0, [0.0, -0.5, -1.0]),
    ("TOE", Limb::Foot, 0.9, [0.0, 1.0, 0.0]),
];

/// The places of the markers that a capture has, by label; without labels all of the set.
pub fn full_body(character: &Character, up: DVec3, labels: Option<&[String]>) -> Result<BTreeMap<String, MarkerPlace>> {
    let skeleton = &character.skeleton;
    let anatomy = Anatomy::of(skeleton).ok_or(Error::NoTemplateBody)?;
    let world = skeleton.rest_world();
    let limb = |limb, side| anatomy.limbs.get(&BodyPart::Limb(limb, side)).copied();
    let thighs = [Side::Left, Side::Right].map(|side| limb(Limb::Thigh, side).map(|joint| world[joint].translation));
    let [Some(left), Some(right)] = thighs else { return Err(Error::NoTemplateBody) };
    let left = (left - right).reject_from(up).normalize_or(DVec3::X);
    let front = left.cross(up.normalize_or(DVec3::Y));
    let place = |joint: usize, along: f64, [x, y, z]: [f64; 3]| MarkerPlace {
        joint: Some(skeleton.joints()[joint].name.clone()),
        along,
        toward: Some((left * x + up * y + front * z).to_array()),
        ..MarkerPlace::default()
    };
    let mut places = BTreeMap::new();
    for (label, part, along, toward) in TRUNK {
        let chest = anatomy.spine.last().copied();
        let joint = match part {
            Trunk::Pelvis => Some(anatomy.pelvis),
            Trunk::Waist => anatomy.spine.first().copied(),
            Trunk::Chest => chest,
            Trunk::Neck => anatomy.neck.first().copied().or(anatomy.head),
            Trunk::Head => anatomy.head,
        };
        if let Some(joint) = joint {
            places.insert(label.to_owned(), place(joint, along, toward));
        }
    }
    for (side, letter, outward) in [(Side::Left, "L", 1.0), (Side::Right, "R", -1.0)] {
        for (label, part, along, [x, y, z]) in SIDES {
            if let Some(joint) = limb(part, side) {
                places.insert(format!("{letter}{label}"), place(joint, along, [outward * x, y, z]));
            }
        }
    }
    let Some(labels) = labels else { return Ok(places) };
    let bare = |label: &str| label.rsplit(':').next().unwrap_or(label).to_uppercase();
    let named = labels.iter().filter_map(|label| Some((label.clone(), places.get(&bare(label))?.clone())));
    let named: BTreeMap<String, MarkerPlace> = named.collect();
    if named.is_empty() {
        return Err(Error::NoTemplateMarker { known: places.into_keys().collect() });
    }
    Ok(named)
}
