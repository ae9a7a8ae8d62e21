//! Muscles on real bodies: where anatomists measured them, and inside the characters of other people.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use sinew::Time;
use sinew::bind::skeleton_fit::{Template, fit};
use sinew::deform::muscle::{Attachment, Dynamics, DynamicsOptions, Muscle, MuscleSet, Segment};
use sinew::field::{Box3, DistanceField, MeshDistance};
use sinew::geometry::volume::volume;
use sinew::geometry::{Face, SelfIntersections, Topology};
use sinew::recipe::Recipe;
use sinew::rig::{Part, PlacedJoint, Pose, Skeleton, placed};
use sinew::{Stack, Surface};
use sinew_io::{Asset, rest_surface, world_faces};
use sinew_testing::shared_data;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The places of OpenSim's arm26 (K. Holzbaur et al. 2005): x to the front, y up, z to the right.
const SHOULDER: DVec3 = DVec3::new(-0.017545, -0.007, 0.17);
const ELBOW: DVec3 = DVec3::new(0.0061, -0.2904, -0.0123);
const ELBOW_AXIS: DVec3 = DVec3::new(0.0494, 0.0366, 0.99811);
/// Its forearm and hand are one body; it has no wrist position.
const WRIST: DVec3 = DVec3::new(0.0, -0.24, 0.0);
/// What the triceps is wound around at the elbow: centre, from the shoulder, and radius.
const PULLEY: (DVec3, f64) = (DVec3::new(0.0028, -0.2919, -0.0069), 0.016);

/// A muscle of that model: its places, each in the world of the model at rest, and whether it moves with the
/// forearm.
struct Measured {
    name: &'static str,
    ours: &'static str,
    path: Vec<(DVec3, bool)>,
}

const NAMES: [(&str, &str); 6] = [
    ("BIClong", "biceps brachii, long head"),
    ("BICshort", "biceps brachii, short head"),
    ("BRA", "brachialis"),
    ("TRIlong", "triceps brachii, long head"),
    ("TRIlat", "triceps brachii, lateral head"),
    ("TRImed", "triceps brachii, medial head"),
];

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let from = text.find(start)? + start.len();
    Some(&text[from..from + text[from..].find(end)?])
}

fn measured() -> Option<Vec<Measured>> {
    let text = std::fs::read_to_string(shared_data::folder()?.join("anatomy/arm26.osim")).unwrap();
    let muscle = |(name, ours): (&'static str, &'static str)| {
        let body = between(&text, &format!("<Thelen2003Muscle name=\"{name}\">"), "</Thelen2003Muscle>").unwrap();
        let places = body.split("<PathPoint name=").skip(1).map(|point| {
            let numbers: Vec<f64> =
                between(point, "<location>", "<").unwrap().split_whitespace().map(|n| n.parse().unwrap()).collect();
            let at = DVec3::new(numbers[0], numbers[1], numbers[2]);
            match between(point, "<socket_parent_frame>", "<").unwrap() {
                "/bodyset/base" => (at, false),
                "/bodyset/r_humerus" => (SHOULDER + at, false),
                _ => (SHOULDER + ELBOW + at, true),
            }
        });
        Measured { name, ours, path: places.collect() }
    };
    Some(NAMES.map(muscle).into())
}

/// A body whose right arm is that of the model.
fn skeleton() -> Skeleton {
    let mirrored = |p: DVec3| DVec3::new(p.x, p.y, -p.z);
    let mut joints = Vec::new();
    let mut add = |name: &str, parent: Option<usize>, head: DVec3, tail: DVec3| {
        joints.push(PlacedJoint { name: name.into(), parent, head, tail });
        joints.len() - 1
    };
    let hips = add("Hips", None, DVec3::new(0.0, -0.5, 0.0), DVec3::new(0.0, -0.3, 0.0));
    let spine = add("Spine", Some(hips), DVec3::new(0.0, -0.3, 0.0), DVec3::ZERO);
    add("Head", Some(spine), DVec3::new(0.0, 0.15, 0.0), DVec3::new(0.0, 0.35, 0.0));
    for (side, place) in [("Right", (|p| p) as fn(DVec3) -> DVec3), ("Left", mirrored)] {
        let [shoulder, elbow, wrist] = [SHOULDER, SHOULDER + ELBOW, SHOULDER + ELBOW + WRIST].map(place);
        let upper = add(&format!("{side}Arm"), Some(spine), shoulder, elbow);
        let fore = add(&format!("{side}ForeArm"), Some(upper), elbow, wrist);
        add(&format!("{side}Hand"), Some(fore), wrist, wrist - DVec3::Y * 0.1);
        let leg = [-0.5, -0.93, -1.35].map(|y| place(DVec3::new(0.0, y, 0.09)));
        let thigh = add(&format!("{side}UpLeg"), Some(hips), leg[0], leg[1]);
        let calf = add(&format!("{side}Leg"), Some(thigh), leg[1], leg[2]);
        add(&format!("{side}Foot"), Some(calf), leg[2], leg[2] + DVec3::X * 0.15);
    }
    placed(&joints).unwrap().skeleton
}

/// What the forearm does to the bind pose at a flexion.
fn flexed(degrees: f64) -> DAffine3 {
    let elbow = DAffine3::from_translation(SHOULDER + ELBOW);
    elbow * DAffine3::from_quat(DQuat::from_axis_angle(ELBOW_AXIS.normalize(), degrees.to_radians())) * elbow.inverse()
}

/// The length of the model's path; where the triceps leaves the humerus it is wound around the pulley.
fn model_length(muscle: &Measured, flexion: &DAffine3) -> f64 {
    let place = |&(at, moves): &(DVec3, bool)| if moves { flexion.transform_point3(at) } else { at };
    let segment = |pair: &[(DVec3, bool)]| {
        let (a, b) = (place(&pair[0]), place(&pair[1]));
        let is_wound = muscle.name.starts_with("TRI") && !pair[0].1 && pair[1].1;
        if is_wound { wound(a, b) } else { a.distance(b) }
    };
    muscle.path.windows(2).map(segment).sum()
}

/// The way between two points behind a cylinder across the arm.
fn wound(a: DVec3, b: DVec3) -> f64 {
    let (center, radius) = (SHOULDER + PULLEY.0, PULLEY.1);
    let flat = |p: DVec3| (p - center).truncate();
    let (a2, b2) = (flat(a), flat(b));
    let (da, db) = (a2.length(), b2.length());
    let turn = a2.angle_to(b2).rem_euclid(std::f64::consts::TAU);
    let arc = turn - (radius / da).acos() - (radius / db).acos();
    let straight = a2.distance(b2);
    if arc <= 0.0 || da <= radius || db <= radius {
        return a.distance(b);
    }
    let around = (da * da - radius * radius).sqrt() + (db * db - radius * radius).sqrt() + arc * radius;
    around.max(straight).hypot(a.z - b.z)
}

fn ours<'a>(muscles: &'a [Muscle], name: &str) -> &'a Muscle {
    muscles.iter().find(|muscle| muscle.name == format!("right {name}")).unwrap()
}

#[test]
fn the_arm_is_where_it_was_measured() {
    let Some(model) = measured() else { return };
    let fitted = MuscleSet::humanoid().fit(&skeleton(), None).unwrap();
    for muscle in &model {
        let path = &ours(&fitted.musculature.muscles, muscle.ours).path;
        let ends = [(path[0], muscle.path[0]), (path[path.len() - 1], muscle.path[muscle.path.len() - 1])];
        for (ours, (theirs, moves)) in ends {
            let segment = if moves { WRIST.length() } else { ELBOW.length() };
            let error = ours.position.distance(theirs) / segment;
            assert!(error < 0.1, "{}: {:.1} % of the segment away", muscle.name, 100.0 * error);
        }
    }
}

#[test]
fn lengths_follow_the_measured_arm_through_its_flexion() {
    let Some(model) = measured() else { return };
    let skeleton = skeleton();
    let fitted = MuscleSet::humanoid().fit(&skeleton, None).unwrap();
    let rest = skeleton.rest_world();
    let forearm = skeleton.find("RightForeArm").unwrap();
    let hand = skeleton.find("RightHand").unwrap();
    let mut dynamics = Dynamics::new(&fitted.musculature, &rest, DynamicsOptions::default()).unwrap();
    for step in 0..=13 {
        let flexion = flexed(10.0 * f64::from(step));
        let moved = |joint: usize| if joint == forearm || joint == hand { flexion } else { DAffine3::IDENTITY };
        let world: Vec<DAffine3> = rest.iter().enumerate().map(|(joint, m)| moved(joint) * *m).collect();
        dynamics.settle(&world, &[]);
        for muscle in &model {
            let ours = ours(&fitted.musculature.muscles, muscle.ours);
            let at = fitted.musculature.muscles.iter().position(|m| m.name == ours.name).unwrap();
            let path = ours.path_length(|at: &Attachment| moved(at.joint).transform_point3(at.position));
            let settled = dynamics.muscles().nth(at).unwrap().axis().length();
            let theirs = model_length(muscle, &flexion);
            for (what, length) in [("path", path), ("settled", settled)] {
                let error = length / theirs - 1.0;
                assert!(
                    error.abs() < 0.1,
                    "{} at {}°: {what} is off by {:.1} %",
                    muscle.name,
                    10 * step,
                    100.0 * error
                );
            }
        }
    }
}

fn load(file: &str) -> Option<Asset> {
    let path = shared_data::folder()?.join("gltf").join(file);
    Some(sinew_io::load(&path).unwrap())
}

/// The skinned surface of a character at rest.
fn surface(asset: &Asset) -> (Vec<Vec3>, Vec<Face>) {
    let character = &asset.character;
    let parts = character.parts.iter().zip(character.vertex_ranges()).zip(world_faces(character));
    let of_part = |((_, range), faces): ((&Part, Range<usize>), Cow<'_, [Face]>)| {
        faces.iter().map(|face| face.map(|v| v + range.start as u32)).collect::<Vec<_>>()
    };
    let faces = parts.filter(|((part, _), _)| part.skinned).flat_map(of_part).collect();
    (rest_surface(character).unwrap().positions, faces)
}

/// The skin of a character at rest, and how large it is.
fn skin(asset: &Asset) -> (Arc<MeshDistance>, f64) {
    let (positions, faces) = surface(asset);
    let used = faces.iter().flat_map(|face| face.corners().to_vec()).map(|v| positions[v as usize].as_dvec3());
    let size = Box3::around(used).size().length();
    (Arc::new(MeshDistance::new(&positions, &faces, size / 100.0, size / 50.0).unwrap()), size)
}

/// Nothing is set by hand, and the bodies are as different as bodies are.
#[test]
fn a_set_fits_any_body_and_follows_its_clips() {
    for file in ["makehuman_male_cmu31.glb", "CesiumMan.glb", "kaykit_Knight.glb"] {
        let Some(asset) = load(file) else { return };
        let character = &asset.character;
        let (skin, size) = skin(&asset);
        let fitted = MuscleSet::humanoid().fit(&character.skeleton, Some(skin.clone())).unwrap();
        assert!(fitted.left_out.is_empty(), "{file}: {:?}", fitted.left_out);
        assert!(fitted.without_room.is_empty(), "{file}: {:?}", fitted.without_room);
        for muscle in &fitted.musculature.muscles {
            let farthest = muscle.rest_points(30).iter().map(|&p| skin.distance(p).value).fold(f64::MIN, f64::max);
            assert!(farthest < 0.01 * size, "{file}, {}: {farthest} outside", muscle.name);
        }
        let rest = character.skeleton.rest_world();
        let mut dynamics = Dynamics::new(&fitted.musculature, &rest, DynamicsOptions::default()).unwrap();
        let (mut pose, mut world) = (Pose::default(), rest.clone());
        for (frame, fps) in (0..30).map(|frame| (frame, 30.0)).chain((0..60).map(|frame| (frame, 120.0))) {
            match character.clips.first() {
                Some(clip) => clip.sample(f64::from(frame) / fps, &character.base_pose, &mut pose),
                None => pose.copy_from(&character.base_pose),
            }
            character.skeleton.world(&pose, &mut world);
            dynamics.advance(&world, if frame == 0 { 0.0 } else { 1.0 / fps }, &[]);
            for (muscle, residuals) in fitted.musculature.muscles.iter().zip(dynamics.residuals()) {
                let worst = residuals.bone.max(residuals.skin);
                assert!(worst < 2e-3 * size, "{file}, {} at {frame}: {residuals:?} of {size}", muscle.name);
            }
        }
    }
}

/// The biceps of a modelled human shows in a curl where it is, and every muscle keeps its volume.
#[test]
fn a_modelled_human_curls_its_arms() {
    let Some(asset) = load("makehuman_male_cmu31.glb") else { return };
    let character = &asset.character;
    let skeleton = &character.skeleton;
    let mut pose = character.base_pose.clone();
    for side in Segment::frames(skeleton).unwrap() {
        let [upper, fore] = [Segment::UpperArm, Segment::Forearm].map(|segment| side[&segment]);
        let [along, front] = [upper.from_shares.matrix3.x_axis, upper.from_shares.matrix3.y_axis];
        let above = skeleton.rest_world()[skeleton.joints()[fore.joint].parent.unwrap()];
        let axis = above.inverse().transform_vector3(along.cross(front)).normalize();
        let rotation = &mut pose.joints[fore.joint].rotation;
        *rotation = DQuat::from_axis_angle(axis, 130_f64.to_radians()) * *rotation;
    }
    let active = "[muscles.muscle.\"biceps brachii\"]\nactivation = 1.0\n";
    let recipe =
        |set: &str| Recipe::from_toml(&format!("[implicit]\non = true\n[muscles]\nset = \"{set}\"\n{active}")).unwrap();
    let deformed = |set: &str, pose: &Pose| {
        let mut surface = Surface::default();
        let mut stack = Stack::new(character, &recipe(set)).unwrap();
        stack.deform(pose, Time::default(), &mut surface);
        surface.positions
    };
    let rest = deformed("off", &character.base_pose);
    let [with, without] = ["humanoid", "off"].map(|set| deformed(set, &pose));
    let left = Segment::frames(skeleton).unwrap()[0][&Segment::UpperArm].from_shares;
    // Of each vertex of the upper arm: the share of its length, how far it is to the front, its distance from the
    // bone and how far out it is moved. The upper arm is at rest.
    let around = |v: usize| {
        let shares = |p: Vec3| left.inverse().transform_point3(p.as_dvec3());
        let (at, from, to) = (shares(rest[v]), shares(without[v]), shares(with[v]));
        let out = DVec3::new(0.0, at.y, at.z);
        let is_arm = (0.1..0.9).contains(&at.x) && out.length() < 0.35;
        is_arm.then(|| [at.x, out.normalize().y, out.length(), (to - from).dot(out.normalize())])
    };
    let arm: Vec<[f64; 4]> = (0..rest.len()).filter_map(around).collect();
    let middle: Vec<f64> = arm.iter().filter(|v| (0.4..0.6).contains(&v[0])).map(|v| v[2]).collect();
    let radius = middle.iter().sum::<f64>() / middle.len() as f64;
    let peak = arm.iter().copied().max_by(|a, b| a[3].total_cmp(&b[3])).unwrap();
    assert!(peak[3] > 0.08 * radius, "{} of {radius}", peak[3]);
    assert!((0.25..0.75).contains(&peak[0]) && peak[1] > 0.5, "the peak is at {peak:?}");
    let crossings = |positions: &[Vec3]| {
        let mesh = &character.parts[0].mesh;
        let topology = Topology::new(&mesh.positions, &mesh.faces);
        SelfIntersections::new(&topology, &mesh.positions).count(&positions[..mesh.positions.len()])
    };
    assert!(crossings(&with) <= crossings(&without), "{} {}", crossings(&with), crossings(&without));

    let (skin, _) = skin(&asset);
    let fitted = MuscleSet::humanoid().fit(skeleton, Some(skin)).unwrap();
    let mut dynamics = Dynamics::new(&fitted.musculature, &skeleton.rest_world(), DynamicsOptions::default()).unwrap();
    let volumes = |dynamics: &Dynamics| {
        let surfaces = dynamics.muscles().map(|muscle| muscle.surface(60, 32));
        surfaces.map(|surface| volume(&surface.positions, &surface.faces)).collect::<Vec<_>>()
    };
    dynamics.settle(&skeleton.rest_world(), &[]);
    let before = volumes(&dynamics);
    let mut world = skeleton.rest_world();
    skeleton.world(&pose, &mut world);
    dynamics.settle(&world, &[]);
    for ((muscle, before), after) in fitted.musculature.muscles.iter().zip(before).zip(volumes(&dynamics)) {
        let change = after / before - 1.0;
        assert!(change.abs() < 0.02, "{}: {change}", muscle.name);
    }
}

/// What of a leg on four is called what differs from tool to tool.
#[test]
fn bodies_on_four_legs_are_known_by_the_names_of_their_joints() {
    for (file, joints) in [
        (
            "Fox.glb",
            ["b_LeftLeg01_015", "b_LeftLeg02_016", "b_LeftFoot01_017", "b_LeftUpperArm_09", "b_LeftForeArm_010"],
        ),
        ("quaternius_Trex.glb", ["BackUpLeg.L", "BackLowLeg.L", "BackFoot.L", "FrontUpLeg.L", "FrontLowLeg.L"]),
    ] {
        let Some(asset) = load(file) else { return };
        let character = &asset.character;
        let segments = &Segment::frames(&character.skeleton).unwrap()[0];
        let of = [Segment::Thigh, Segment::Shank, Segment::Foot, Segment::UpperArm, Segment::Forearm];
        for (segment, joint) in of.iter().zip(joints) {
            assert_eq!(segments[segment].joint, character.skeleton.find(joint).unwrap(), "{file}: {}", segment.name());
        }
        let (skin, size) = skin(&asset);
        let fitted = MuscleSet::quadruped().fit(&character.skeleton, Some(skin.clone())).unwrap();
        assert!(fitted.left_out.is_empty(), "{file}: {:?}", fitted.left_out);
        assert!(fitted.without_room.is_empty(), "{file}: {:?}", fitted.without_room);
        for muscle in &fitted.musculature.muscles {
            let farthest = muscle.rest_points(30).iter().map(|&p| skin.distance(p).value).fold(f64::MIN, f64::max);
            assert!(farthest < 0.02 * size, "{file}, {}: {farthest} of {size} outside", muscle.name);
        }
    }
}

/// A robot is made of shells with nothing between them.
#[test]
fn muscles_without_room_are_left_out() {
    let Some(asset) = load("RobotExpressive.glb") else { return };
    let (skin, _) = skin(&asset);
    let fitted = MuscleSet::humanoid().fit(&asset.character.skeleton, Some(skin.clone())).unwrap();
    assert!(!fitted.without_room.is_empty());
    for muscle in &fitted.musculature.muscles {
        assert!(!fitted.without_room.contains(&muscle.name));
        let middle = muscle.rest_points(9)[4];
        assert!(skin.distance(middle).value < 0.0, "{} is outside", muscle.name);
    }
}

/// Its joints are called a part too far outwards: both hips are in the middle of the body.
#[test]
fn a_body_with_misleading_names_is_refused() {
    let Some(asset) = load("spot_rigged.glb") else { return };
    let refused = MuscleSet::quadruped().fit(&asset.character.skeleton, None).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("pair of hips, each apart"), "{refused}");
}

#[test]
fn bodies_on_four_legs_get_their_muscles() {
    for (file, up) in [("spot_rigged.glb", DVec3::Z), ("Fox.glb", DVec3::Y)] {
        let Some(asset) = load(file) else { return };
        let (positions, faces) = surface(&asset);
        let found = fit(&positions, &faces, Template::Quadruped, up).unwrap();
        let skeleton = placed(&found.joints).unwrap().skeleton;
        let (skin, size) = skin(&asset);
        let fitted = MuscleSet::quadruped().fit(&skeleton, Some(skin.clone())).unwrap();
        assert!(fitted.left_out.is_empty(), "{file}: {:?}", fitted.left_out);
        assert!(fitted.without_room.is_empty(), "{file}: {:?}", fitted.without_room);
        let rest = skeleton.rest_world();
        let mut dynamics = Dynamics::new(&fitted.musculature, &rest, DynamicsOptions::default()).unwrap();
        dynamics.settle(&rest, &[]);
        for (muscle, field) in fitted.musculature.muscles.iter().zip(dynamics.muscles()) {
            let farthest = field.axis().positions().map(|p| skin.distance(p).value).fold(f64::MIN, f64::max);
            assert!(farthest < 0.01 * size, "{file}, {}: {farthest} of {size} outside", muscle.name);
        }
        // The front of a leg looks towards the head.
        let middle = |name: &str| fitted.musculature.muscles.iter().find(|m| m.name == name).unwrap().rest_points(9)[4];
        let joint = |name: &str| rest[skeleton.find(name).unwrap()].translation;
        let ahead = (joint("Head") - joint("Hips")).reject_from(up).normalize();
        assert!((middle("left rectus femoris") - middle("left semitendinosus")).dot(ahead) > 0.0, "{file}");
        assert!((middle("left biceps brachii") - middle("left triceps brachii, long head")).dot(ahead) > 0.0, "{file}");
        assert!((middle("left rectus abdominis") - middle("left longissimus")).dot(up) < 0.0, "{file}");
    }
}
