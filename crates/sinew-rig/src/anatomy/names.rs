//! Body parts by the names of joints.
//!
//! Tools name joints in many ways (`LeftUpLeg`, `mixamorig:LeftUpLeg`, `thigh.L`, `DEF-thigh.L`,
//! `thigh_l`, `upperleg01.L`, `lfemur`, `Bip01 L Thigh`) that differ in case, separators, prefixes and
//! the position of the side. A name is split into words, the side and the numbers are removed, and the rest
//! is looked up in a table.

/// A side of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Its own left.
    Left,
    /// Its own right.
    Right,
}

/// A finger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Digit {
    /// All fingers but the thumb as one, as in the skeletons of CMU.
    All,
    /// The thumb.
    Thumb,
    /// The index finger.
    Index,
    /// The middle finger.
    Middle,
    /// The ring finger.
    Ring,
    /// The little finger.
    Little,
}

/// A part of a limb, from the body outwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limb {
    /// Collar bone.
    Clavicle,
    /// Shoulder to elbow.
    UpperArm,
    /// Elbow to wrist.
    Forearm,
    /// From the wrist on.
    Hand,
    /// Between the wrist and the fingers, where a skeleton has a joint there.
    Palm,
    /// Hip to knee.
    Thigh,
    /// Knee to ankle.
    Calf,
    /// Ankle to the ball of the foot.
    Foot,
    /// From the ball of the foot on.
    Toes,
}

/// A part of a humanoid body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BodyPart {
    /// The parent of legs and spine.
    Pelvis,
    /// Any joint between the pelvis and the neck.
    Spine,
    /// Any joint between the chest and the head.
    Neck,
    /// The head.
    Head,
    /// Part of an arm or a leg.
    Limb(Limb, Side),
    /// Joint of a finger, counted from 1.
    Finger(Digit, u8, Side),
    /// Joint of an arm that is only numbered.
    SomeArm(Side),
    /// Joint of a leg that is only numbered.
    SomeLeg(Side),
    /// A hip of one side: the thigh, if no other joint has that name.
    Hip(Side),
}

/// Words without information about the part.
const NOISE: [&str; 11] = ["b", "bip", "bone", "c", "character", "def", "f", "j", "jnt", "org", "skeleton"];
/// Words of helpers that are not part of the body.
const HELPERS: [&str; 14] = [
    "ik", "fk", "pole", "control", "ctrl", "mch", "twist", "roll", "end", "nub", "target", "slot", "handslot", "tweak",
];

/// The body part of a name; none for helpers and unknown names.
pub fn body_part(name: &str) -> Option<BodyPart> {
    let bare = name.rsplit([':', '|']).next().unwrap_or(name);
    let mut words = words(bare);
    // MakeHuman writes a joint "__UpLeg_L" before "UpLeg_L" where the two do not touch.
    if bare.starts_with("__") || words.iter().any(|w| HELPERS.contains(&w.as_str()) || w.ends_with("ik")) {
        return None;
    }
    let mut numbers = Vec::new();
    words.retain(|word| match word.parse::<u32>() {
        Ok(number) => {
            numbers.push(number);
            false
        }
        Err(_) => !NOISE.contains(&word.as_str()),
    });
    // The number of "Bip01" or "Character1" went with its noise word only if it came first.
    if bare.to_ascii_lowercase().starts_with("bip") || bare.starts_with("Character") {
        numbers.drain(..numbers.len().min(1));
    }
    let mut side = None;
    words.retain(|word| match side_word(word) {
        Some(found) if side.is_none() => {
            side = Some(found);
            false
        }
        _ => true,
    });
    let word = words.concat();
    if side.is_none()
        && let Some((found, limb)) = glued_side(&word)
    {
        return sided_part(limb, found, &numbers);
    }
    match side {
        Some(side) => sided_part(&word, side, &numbers),
        None => central_part(&word),
    }
}

fn side_word(word: &str) -> Option<Side> {
    match word {
        "l" | "left" => Some(Side::Left),
        "r" | "right" => Some(Side::Right),
        _ => None,
    }
}

/// `lfemur` and the like: the side's letter before a known word.
fn glued_side(word: &str) -> Option<(Side, &str)> {
    let sides = [("left", Side::Left), ("right", Side::Right), ("l", Side::Left), ("r", Side::Right)];
    sides.into_iter().find_map(|(prefix, side)| {
        let rest = word.strip_prefix(prefix)?;
        sided_part(rest, side, &[]).map(|_| (side, rest))
    })
}

fn central_part(word: &str) -> Option<BodyPart> {
    Some(match word {
        "hips" | "hip" | "pelvis" => BodyPart::Pelvis,
        "spine" | "chest" | "upperchest" | "lowerback" | "upperback" | "thorax" | "torso" | "torsojoint"
        | "abdomen" | "back" | "waist" | "breast" => BodyPart::Spine,
        "neck" | "lowerneck" | "upperneck" | "neckjoint" => BodyPart::Neck,
        "head" => BodyPart::Head,
        _ => return None,
    })
}

fn sided_part(word: &str, side: Side, numbers: &[u32]) -> Option<BodyPart> {
    if let Some((is_fore, leg)) = leg_of_four(word) {
        return sided_part(leg, side, &[]).map(|part| if is_fore { fore(part) } else { part });
    }
    let limb = match word {
        "clavicle" | "collar" | "collarbone" | "shoulder" => Limb::Clavicle,
        "arm" | "upperarm" | "uparm" | "humerus" => Limb::UpperArm,
        "forearm" | "lowerarm" | "loarm" | "lowarm" | "radius" | "elbow" => Limb::Forearm,
        "hand" | "wrist" => Limb::Hand,
        "palm" | "fingerbase" | "middlehand" => Limb::Palm,
        "thigh" | "upleg" | "upperleg" | "femur" => Limb::Thigh,
        "leg" | "lowerleg" | "lowleg" | "loleg" | "shin" | "calf" | "tibia" | "knee" => Limb::Calf,
        "foot" | "ankle" => Limb::Foot,
        "toe" | "toes" | "toebase" | "ball" => Limb::Toes,
        "armjoint" => return Some(BodyPart::SomeArm(side)),
        "legjoint" => return Some(BodyPart::SomeLeg(side)),
        "hip" => return Some(BodyPart::Hip(side)),
        _ => return finger(word, side, numbers),
    };
    Some(BodyPart::Limb(limb, side))
}

/// Whether a word means a part of a fore or a hind leg, and which part that is, as in `FrontUpLeg`.
fn leg_of_four(word: &str) -> Option<(bool, &str)> {
    let ends = [("front", true), ("back", false), ("hind", false), ("rear", false)];
    let named = ends.into_iter().find_map(|(end, is_fore)| {
        let leg = word.strip_prefix(end).or_else(|| word.strip_suffix(end))?;
        Some((is_fore, leg))
    });
    let (is_fore, leg) = named.or_else(|| (word == "foreleg").then_some((true, "leg")))?;
    matches!(sided_part(leg, Side::Left, &[]), Some(BodyPart::Limb(limb, _)) if limb >= Limb::Thigh)
        .then_some((is_fore, leg))
}

/// The part of an arm that a part of a leg is on a body with four.
fn fore(part: BodyPart) -> BodyPart {
    match part {
        BodyPart::Limb(Limb::Thigh, side) => BodyPart::Limb(Limb::UpperArm, side),
        BodyPart::Limb(Limb::Calf, side) => BodyPart::Limb(Limb::Forearm, side),
        BodyPart::Limb(Limb::Foot, side) => BodyPart::Limb(Limb::Hand, side),
        BodyPart::Limb(Limb::Toes, side) => BodyPart::Limb(Limb::Palm, side),
        other => other,
    }
}

fn finger(word: &str, side: Side, numbers: &[u32]) -> Option<BodyPart> {
    let word = word.strip_prefix("hand").unwrap_or(word);
    let digit = match (word, numbers) {
        ("thumb", _) | ("finger", [1 | 0, _]) => Digit::Thumb,
        ("index", _) | ("finger", [2, _]) => Digit::Index,
        ("middle" | "mid", _) | ("finger", [3, _]) => Digit::Middle,
        ("ring", _) | ("finger", [4, _]) => Digit::Ring,
        ("pinky" | "little", _) | ("finger", [5, _]) => Digit::Little,
        ("finger" | "fingers", [] | [_]) => Digit::All,
        _ => return None,
    };
    let joint = numbers.last().map_or(1, |&n| u8::try_from(n).unwrap_or(u8::MAX));
    Some(BodyPart::Finger(digit, joint, side))
}

/// Lower-case words of a name: cut at everything that is no letter or digit, between letters and
/// digits, before a capital that follows a small letter, and before the last capital of several.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut inside = false;
    for (index, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            inside = false;
            continue;
        }
        let before = index.checked_sub(1).map(|i| letters[i]);
        let after = letters.get(index + 1);
        let starts = before.is_some_and(|before| {
            before.is_numeric() != letter.is_numeric()
                || (letter.is_uppercase() && before.is_lowercase())
                || (letter.is_uppercase() && before.is_uppercase() && after.is_some_and(|a| a.is_lowercase()))
        });
        match words.last_mut() {
            Some(word) if inside && !starts => word.extend(letter.to_lowercase()),
            _ => words.push(letter.to_lowercase().collect()),
        }
        inside = true;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use BodyPart::{Finger, Head, Neck, Pelvis, Spine};
    use Side::{Left, Right};

    fn limb(limb: Limb, side: Side) -> Option<BodyPart> {
        Some(BodyPart::Limb(limb, side))
    }

    #[test]
    fn names_are_cut_into_words() {
        assert_eq!(words("LHipJoint"), ["l", "hip", "joint"]);
        assert_eq!(words("upperleg01.L"), ["upperleg", "01", "l"]);
        assert_eq!(words("b_RightUpperArm_06"), ["b", "right", "upper", "arm", "06"]);
    }

    #[test]
    fn conventions_agree() {
        let names: [(Limb, &[&str]); 9] = [
            (
                Limb::Clavicle,
                &["LeftShoulder", "lclavicle", "clavicle_l", "shoulder.L", "Bip01 L Clavicle", "Clavicle_L"],
            ),
            (
                Limb::UpperArm,
                &[
                    "LeftArm",
                    "lhumerus",
                    "upperarm_l",
                    "upper_arm.L",
                    "Bip01 L UpperArm",
                    "UpArm_L",
                    "upperarm01.L",
                    "b_LeftUpperArm_09",
                ],
            ),
            (
                Limb::Forearm,
                &["LeftForeArm", "lradius", "lowerarm_l", "forearm.L", "LoArm_L", "Bip001 L Forearm", "DEF-forearm.L"],
            ),
            (Limb::Hand, &["LeftHand", "lwrist", "hand_l", "wrist.l", "mixamorig:LeftHand"]),
            (Limb::Palm, &["LeftFingerBase", "palm.L"]),
            (
                Limb::Thigh,
                &[
                    "LeftUpLeg",
                    "lfemur",
                    "thigh_l",
                    "thigh.L",
                    "UpLeg_L",
                    "upperleg01.L",
                    "Armature|mixamorig:LeftUpLeg",
                    "ORG-thigh.L",
                ],
            ),
            (
                Limb::Calf,
                &["LeftLeg", "ltibia", "calf_l", "shin.L", "LoLeg_L", "lowerleg01.L", "LeftLowLeg", "Bip01 L Calf"],
            ),
            (Limb::Foot, &["LeftFoot", "lfoot", "foot_l", "Foot.L", "Character1_LeftFoot", "J_Bip_L_Foot"]),
            (Limb::Toes, &["LeftToeBase", "ltoes", "ball_l", "toe.L", "toes.l", "Bip01 L Toe0", "Toe_L"]),
        ];
        for (part, names) in names {
            for name in names {
                assert_eq!(body_part(name), limb(part, Left), "{name}");
            }
        }
        assert_eq!(body_part("rtibia"), limb(Limb::Calf, Right));
        assert_eq!(body_part("RightToeBase"), limb(Limb::Toes, Right));
    }

    #[test]
    fn the_middle_of_the_body_is_found() {
        for (name, part) in [
            ("Hips", Pelvis),
            ("pelvis", Pelvis),
            ("mixamorig:Hips", Pelvis),
            ("Bip01 Pelvis", Pelvis),
            ("LowerBack", Spine),
            ("Spine1", Spine),
            ("spine_02", Spine),
            ("spine.003", Spine),
            ("Bip01 Spine1", Spine),
            ("thorax", Spine),
            ("Neck1", Neck),
            ("lowerneck", Neck),
            ("head", Head),
        ] {
            assert_eq!(body_part(name), Some(part), "{name}");
        }
    }

    #[test]
    fn fingers_are_counted() {
        for (name, digit, joint) in [
            ("LeftHandIndex1", Digit::Index, 1),
            ("mixamorig:LeftHandThumb3", Digit::Thumb, 3),
            ("LThumb", Digit::Thumb, 1),
            ("lthumb", Digit::Thumb, 1),
            ("index_01_l", Digit::Index, 1),
            ("f_ring.02.L", Digit::Ring, 2),
            ("Pinky3_L", Digit::Little, 3),
            ("finger3-2.L", Digit::Middle, 2),
            ("lfingers", Digit::All, 1),
            ("LeftHandFinger1", Digit::All, 1),
        ] {
            assert_eq!(body_part(name), Some(Finger(digit, joint, Left)), "{name}");
        }
    }

    #[test]
    fn fore_and_hind_legs_are_distinguished() {
        for (name, part) in [
            ("FrontUpLeg.L", Limb::UpperArm),
            ("FrontLowLeg.L", Limb::Forearm),
            ("front_foot_l", Limb::Hand),
            ("LeftForeLeg", Limb::Forearm),
            ("leg_front.L", Limb::Forearm),
            ("BackUpLeg.L", Limb::Thigh),
            ("hind_thigh.L", Limb::Thigh),
            ("BackLowLeg.L", Limb::Calf),
            ("LeftRearFoot", Limb::Foot),
            ("L_toe_hind", Limb::Toes),
        ] {
            assert_eq!(body_part(name), limb(part, Left), "{name}");
        }
        assert_eq!(body_part("hip_R"), Some(BodyPart::Hip(Right)));
        assert_eq!(body_part("b_LeftHip_03"), Some(BodyPart::Hip(Left)));
    }

    #[test]
    fn helpers_and_strangers_are_not_parts() {
        for name in [
            "kneeIK.l",
            "__UpLeg_L",
            "IK-foot.l",
            "PoleTarget.L",
            "upperarm_twist_01_l",
            "LeftToe_End",
            "LHipJoint",
            "",
            "Armature",
            "Tail1",
            "handslot.l",
            "lamp",
            "right",
            "FrontArm.L",
            "back-front",
            "LeftBack",
        ] {
            assert_eq!(body_part(name), None, "{name}");
        }
    }
}
