//! Skeletons fitted to real characters, compared with the joints that their makers placed.

use glam::{DQuat, DVec3};
use sinew::Time;
use sinew::bind::Error;
use sinew::bind::skeleton_fit::{Fitted, Template, fit};
use sinew::deform::skinning::SkinMethod;
use sinew::geometry::Face;
use sinew::recipe::{Recipe, SkinOptions};
use sinew::rig::Anatomy;
use sinew::rig::anatomy::names::{Limb, Side};
use sinew::rig::{Character, Pose};
use sinew::{Stack, Surface};
use sinew_io::world_faces;
use sinew_testing::shared_data;
use std::fmt::Write;
use std::path::Path;

/// A character's surface in a pose, and where its joints are then.
struct Posed {
    positions: Vec<glam::Vec3>,
    faces: Vec<Face>,
    joints: Vec<DVec3>,
    height: f64,
}

/// Rigid parts beside skinned ones are weapons and hats, except for robots.
fn posed(character: &Character, pose: &Pose, up: DVec3, with_rigid_parts: bool) -> Posed {
    let recipe = Recipe { skin: SkinOptions { method: SkinMethod::Linear }, ..Recipe::default() };
    let mut stack = Stack::new(character, &recipe).unwrap();
    let mut surface = Surface::default();
    stack.deform(pose, Time::default(), &mut surface);
    let parts = character.parts.iter().zip(character.vertex_ranges()).zip(world_faces(character));
    let faces: Vec<Face> = parts
        .filter(|((part, _), _)| part.skinned || with_rigid_parts)
        .flat_map(|((_, range), faces)| faces.iter().map(|f| f.map(|v| v + range.start as u32)).collect::<Vec<_>>())
        .collect();
    let heights =
        faces.iter().flat_map(|f| f.corners().to_vec()).map(|v| surface.positions[v as usize].as_dvec3().dot(up));
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), y| (l.min(y), h.max(y)));
    let joints = stack.world().iter().map(|m| m.translation).collect();
    Posed { positions: surface.positions, faces, joints, height: high - low }
}

fn head(fitted: &Fitted, name: &str) -> DVec3 {
    fitted.joints.iter().find(|joint| joint.name == name).unwrap_or_else(|| panic!("no {name}")).head
}

fn distance_to_polyline(point: DVec3, line: &[DVec3]) -> f64 {
    let to_segment = |pair: &[DVec3]| {
        let (start, along) = (pair[0], pair[1] - pair[0]);
        let share = (point - start).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
        point.distance(start + share.clamp(0.0, 1.0) * along)
    };
    line.windows(2).map(to_segment).fold(f64::INFINITY, f64::min)
}

/// The largest error of each group of joints, in per cent of the height.
fn errors(character: &Character, posed: &Posed, fitted: &Fitted) -> Vec<(&'static str, f64)> {
    let anatomy = Anatomy::of(&character.skeleton).unwrap();
    let per_cent = |distance: f64| 100.0 * distance / posed.height;
    let mut errors: Vec<(&'static str, f64)> = Vec::new();
    let limbs = [
        ("ankle", Limb::Foot, "Foot"),
        ("knee", Limb::Calf, "Leg"),
        ("hip", Limb::Thigh, "UpLeg"),
        ("shoulder", Limb::UpperArm, "Arm"),
        ("elbow", Limb::Forearm, "ForeArm"),
        ("wrist", Limb::Hand, "Hand"),
    ];
    for (group, limb, name) in limbs {
        let sides = [(Side::Left, "Left"), (Side::Right, "Right")];
        let of_side = |(side, prefix): (Side, &str)| {
            let authored = posed.joints[anatomy.limb(limb, side)?];
            Some(per_cent(head(fitted, &format!("{prefix}{name}")).distance(authored)))
        };
        let worst = sides.into_iter().filter_map(of_side).fold(f64::NEG_INFINITY, f64::max);
        assert!(worst >= 0.0, "no authored {group}");
        errors.push((group, worst));
    }
    let neck = anatomy.neck.first().copied().or(anatomy.head).unwrap();
    errors.push(("neck", per_cent(head(fitted, "Neck").distance(posed.joints[neck]))));
    let spine: Vec<DVec3> =
        [anatomy.pelvis].iter().chain(&anatomy.spine).chain([&neck]).map(|&joint| posed.joints[joint]).collect();
    let spine_errors = ["LowerBack", "Spine", "Spine1"].map(|name| distance_to_polyline(head(fitted, name), &spine));
    errors.push(("spine", per_cent(spine_errors.into_iter().fold(0.0, f64::max))));
    errors
}

/// Fits and compares: no group of joints is farther off than 5 % of the height, or than its own limit.
fn check(name: &str, character: &Character, posed: &Posed, limits: &[(&str, f64)]) {
    let fitted = fit(&posed.positions, &posed.faces, Template::Humanoid, DVec3::Y).unwrap();
    let errors = errors(character, posed, &fitted);
    let mut row = format!("{name:28}");
    errors.iter().for_each(|(group, error)| write!(row, " {group} {error:4.1}").unwrap());
    eprintln!("{row}");
    for (group, error) in errors {
        let limit = limits.iter().find(|limit| limit.0 == group).map_or(5.0, |limit| limit.1);
        assert!(error <= limit, "{name}: {group} is {error:.1} % of the height off");
    }
}

const HUMANOIDS: [(&str, &[(&str, f64)]); 7] = [
    ("gltf/CesiumMan.glb", &[]),
    ("gltf/RiggedFigure.glb", &[]),
    ("gltf/makehuman_male_cmu31.glb", &[]),
    ("gltf/quaternius_KnightCharacter.glb", &[]),
    ("gltf/kaykit_Knight.glb", &[]),
    // The rig's feet turn at the heels, on the ground. The balls that the shape has for ankles are
    // 4.9 % of the height away from there, and ours are where the shins begin, 6.6 %.
    ("gltf/RobotExpressive.glb", &[("ankle", 7.0)]),
    ("fbx/ozz_arnaud.fbx", &[]),
];

fn in_rest(folder: &Path, file: &str) -> (Character, Posed) {
    let character = sinew_io::load(&folder.join(file)).unwrap().character;
    let posed = posed(&character, &character.rest_pose(), DVec3::Y, file.contains("Robot"));
    (character, posed)
}

#[test]
fn humanoids_have_their_joints_where_their_makers_put_them() {
    let Some(folder) = shared_data::folder() else { return };
    for (file, limits) in HUMANOIDS {
        let (character, posed) = in_rest(&folder, file);
        check(file, &character, &posed, limits);
    }
}

#[test]
fn humanoids_are_understood_in_any_direction_and_unit() {
    let Some(folder) = shared_data::folder() else { return };
    for (file, limits) in HUMANOIDS {
        let (character, posed) = in_rest(&folder, file);
        for (degrees, scale) in [(30.0, 0.013), (123.0, 77.0)] {
            let turn = DQuat::from_rotation_y(f64::to_radians(degrees));
            let moved = |p: DVec3| scale * (turn * p);
            let turned = Posed {
                positions: posed.positions.iter().map(|p| moved(p.as_dvec3()).as_vec3()).collect(),
                faces: posed.faces.clone(),
                joints: posed.joints.iter().copied().map(moved).collect(),
                height: scale * posed.height,
            };
            check(&format!("{file}, turned by {degrees}"), &character, &turned, limits);
        }
    }
}

#[test]
fn the_demo_figure_is_understood_with_its_arms_at_any_angle() {
    let character = sinew::demo::character();
    for degrees in [-25.0, 0.0, 25.0, 45.0] {
        let mut pose = character.rest_pose();
        for (name, sign) in [("LeftArm", 1.0), ("RightArm", -1.0)] {
            let joint = character.skeleton.find(name).unwrap();
            pose.joints[joint].rotation = DQuat::from_rotation_z(f64::to_radians(sign * degrees));
        }
        check(
            &format!("demo, arms {} below level", 45.0 - degrees),
            &character,
            &posed(&character, &pose, DVec3::Y, false),
            &[],
        );
    }
}

/// Fitted joints, the authored ones that mean the same, and how far they may be apart, in per cent of
/// the longest side of the body.
type Counterparts = &'static [(&'static str, &'static str, f64)];

const FOX: Counterparts = &[
    ("LeftArm", "b_LeftUpperArm_09", 5.0),
    ("LeftForeArm", "b_LeftForeArm_010", 5.0),
    ("LeftHand", "b_LeftHand_011", 5.0),
    ("RightHand", "b_RightHand_08", 5.0),
    ("LeftUpLeg", "b_LeftLeg01_015", 5.0),
    ("LeftLeg", "b_LeftLeg02_016", 5.0),
    ("LeftFoot", "b_LeftFoot01_017", 5.0),
    ("LeftToeBase", "b_LeftFoot02_018", 5.0),
    ("RightToeBase", "b_RightFoot02_022", 5.0),
    ("Neck", "b_Neck_04", 5.0),
    ("Head", "b_Head_05", 5.0),
    ("Tail", "b_Tail01_012", 5.0),
];
const HORSE: Counterparts = &[
    ("LeftForeArm", "FrontLowLeg.L", 8.0),
    ("RightForeArm", "FrontLowLeg.R", 8.0),
    ("LeftLeg", "BackLowLeg.L", 5.0),
    ("Neck", "Neck", 8.0),
    ("Head", "Head", 8.0),
    ("Tail", "Tail1", 9.0),
];
/// Its maker calls left what is on its right.
const SPOT: Counterparts = &[
    ("LeftArm", "arm_R", 8.0),
    ("RightArm", "arm_L", 8.0),
    ("LeftUpLeg", "leg_R", 8.0),
    ("LeftForeArm", "hand_R", 8.0),
];

#[test]
fn quadrupeds_have_their_legs_neck_and_tail_in_place() {
    let Some(folder) = shared_data::folder() else { return };
    for (file, up, counterparts) in [
        ("gltf/Fox.glb", DVec3::Y, FOX),
        ("fbx/quaternius_FarmHorse.fbx", DVec3::Y, HORSE),
        ("gltf/spot_rigged.glb", DVec3::Z, SPOT),
    ] {
        let character = sinew_io::load(&folder.join(file)).unwrap().character;
        let posed = posed(&character, &character.rest_pose(), up, false);
        let fitted = fit(&posed.positions, &posed.faces, Template::Quadruped, up).unwrap();
        assert!(fitted.warnings.is_empty(), "{file}: {:?}", fitted.warnings);
        let corners = posed.faces.iter().flat_map(|f| f.corners().to_vec()).map(|v| posed.positions[v as usize]);
        let (low, high) = corners.fold((glam::Vec3::MAX, glam::Vec3::MIN), |(l, h), p| (l.min(p), h.max(p)));
        for (name, counterpart, most) in counterparts {
            let authored = posed.joints[character.skeleton.find(counterpart).unwrap()];
            let error = 100.0 * head(&fitted, name).distance(authored) / f64::from((high - low).max_element());
            assert!(error <= *most, "{file}: {name} is {error:.1} % of the longest side off");
        }
    }
}

#[test]
fn surfaces_without_a_rig_are_fitted_too() {
    let Some(folder) = shared_data::folder() else { return };
    let fit_file = |file: &str, template| {
        let mesh = sinew_io::load(&folder.join(file)).unwrap().character.parts.remove(0).mesh;
        fit(&mesh.positions, &mesh.faces, template, DVec3::Y)
    };
    let body = fit_file("mesh/makehuman_male_body_quads.obj", Template::Humanoid).unwrap();
    assert!(body.warnings.is_empty());
    assert!(head(&body, "LeftLeg").distance(DVec3::new(0.153, 0.507, 0.031)) < 0.05 * 1.75);
    let cow = fit_file("mesh/spot_low_resolution.obj", Template::Quadruped).unwrap();
    // It looks along −z, so its left is at −x.
    assert!(head(&cow, "LeftArm").x < -0.1 && head(&cow, "LeftArm").z < head(&cow, "LeftUpLeg").z);
    // The cat lies on its fore legs.
    let cat = fit_file("mesh/cat-low-resolution.obj", Template::Quadruped);
    assert!(matches!(cat, Err(Error::NotFound { .. })));
}
