//! Flesh beside the simulated flesh of the test data.

use glam::{DQuat, DVec3, Vec3};
use sinew::deform::flesh::{FleshBones, FleshDeformer, FleshOptions};
use sinew::geometry::{ClosestSurface, Face, SelfIntersections, Topology, Winding};
use sinew::recipe::{BonePreset, Fineness, Recipe};
use sinew::rig::Deformer;
use sinew::rig::rest_surface::world_surfaces;
use sinew::{Stack, Surface, Time};
use sinew_testing::shared_data;
use std::collections::BTreeSet;
use std::path::Path;

/// A joint of a character that was simulated at some angles.
struct Case {
    file: String,
    name: String,
    joint: String,
    axis: DVec3,
    rest_degrees: f64,
    center: Vec3,
    radius: f32,
    angles: Vec<f64>,
    near: usize,
}

impl Case {
    fn read(path: &Path) -> Self {
        let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let numbers =
            |key: &str| -> Vec<f64> { json[key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect() };
        let text = |key: &str| json[key].as_str().unwrap().to_owned();
        Self {
            file: text("file"),
            name: text("case"),
            joint: text("joint"),
            axis: DVec3::from_slice(&numbers("axis")),
            rest_degrees: json["rest_degrees"].as_f64().unwrap(),
            center: DVec3::from_slice(&numbers("center")).as_vec3(),
            radius: json["radius"].as_f64().unwrap() as f32,
            angles: numbers("angles"),
            near: json["near"].as_u64().unwrap() as usize,
        }
    }
}

/// The area around each vertex.
fn areas(places: &[Vec3], faces: &[Face]) -> Vec<f64> {
    let mut areas = vec![0.0; places.len()];
    for triangle in faces.iter().flat_map(Face::triangles) {
        let [a, b, c] = triangle.map(|v| places[v as usize].as_dvec3());
        triangle.iter().for_each(|&v| areas[v as usize] += (b - a).cross(c - a).length() / 6.0);
    }
    areas
}

/// The mean distance of some vertices of a surface from another, by area.
fn mean_distance(places: &[Vec3], faces: &[Face], other: &ClosestSurface, is_counted: impl Fn(usize) -> bool) -> f64 {
    let counted = areas(places, faces).into_iter().enumerate().filter(|&(v, area)| area > 0.0 && is_counted(v));
    let (sum, total) = counted.fold((0.0, 0.0), |(sum, total), (v, area)| {
        (sum + area * other.nearest(places[v].as_dvec3()).unwrap().distance, total + area)
    });
    sum / total
}

/// How far shapes of the test data are from simulated flesh, in limb radii, and their crossings that are not there at rest.
fn distances(data: &Path, names: &[&str], fineness: Fineness) -> (Vec<f64>, usize) {
    let folder = data.join("reference/flesh");
    let mut recipe = Recipe::default();
    recipe.flesh.fineness = fineness;
    let (mut distances, mut crossings) = (Vec::new(), 0);
    for name in names {
        let case = Case::read(&folder.join(name).with_extension("json"));
        let character = sinew_io::load(&data.join(&case.file)).unwrap().character;
        let mut stack = Stack::new(&character, &recipe).unwrap();
        let joint = character.skeleton.find(&case.joint).unwrap();
        let mesh = &character.parts[0].mesh;
        let mut surface = Surface::default();
        stack.deform(&character.rest_pose(), Time::alone(0.0), &mut surface);
        let away: Vec<f32> = surface.positions.iter().map(|p| p.distance(case.center) / case.radius).collect();
        let faces: Vec<Face> =
            mesh.faces.iter().filter(|face| face.corners().iter().all(|&v| away[v as usize] < 4.0)).copied().collect();
        let mut search = SelfIntersections::new(&Topology::new(&surface.positions, &mesh.faces), &surface.positions);
        let at_rest = search.count(&surface.positions);
        for &angle in &case.angles {
            let reference = sinew_io::load(&folder.join(format!("{}_{angle}.obj", case.name))).unwrap().character;
            let simulated = &reference.parts[0].mesh;
            let mut pose = character.rest_pose();
            pose.joints[joint].rotation *=
                DQuat::from_axis_angle(case.axis.normalize(), (angle - case.rest_degrees).to_radians());
            stack.deform(&pose, Time::alone(0.0), &mut surface);
            crossings += search.count(&surface.positions).saturating_sub(at_rest);
            let there = ClosestSurface::new(&simulated.positions, &simulated.faces);
            let here = ClosestSurface::new(&surface.positions, &faces);
            let to = mean_distance(&surface.positions, &faces, &there, |v| away[v] < 3.0);
            let back = mean_distance(&simulated.positions, &simulated.faces, &here, |v| v < case.near);
            distances.push(0.5 * (to + back) / f64::from(case.radius));
        }
    }
    (distances, crossings)
}

/// The bars for the interactive fineness: a mean of seven shapes of at most .025 limb radii, and no crossing that is not
/// there at rest.
#[test]
fn flesh_is_where_simulated_flesh_is() {
    let Some(data) = shared_data::folder() else { return };
    let (distances, crossings) = distances(&data, &["tube", "mh_elbow", "mh_knee"], Fineness::Interactive);
    assert_eq!(distances.len(), 7);
    let mean = distances.iter().sum::<f64>() / 7.0;
    assert!(mean <= 0.025 && crossings == 0, "{mean}, {crossings} crossings: {distances:.3?}");
}

/// Fine flesh of the tube, whose mesh is fine as well, is as near as the simulation is certain.
#[test]
fn fine_flesh_of_a_tube_is_the_simulated_flesh() {
    let Some(data) = shared_data::folder() else { return };
    let (distances, crossings) = distances(&data, &["tube"], Fineness::Fine);
    assert!(distances.iter().all(|&d| d <= 0.01) && crossings == 0, "{crossings} crossings: {distances:.4?}");
}

/// Where skin meets skin, as a squatting figure's belly meets its thighs, it does not pass through, and no tetrahedron is
/// turned over. Plain skin does in each of these poses.
#[test]
fn skin_does_not_pass_through_skin_in_hard_poses() {
    let Some(folder) = shared_data::folder() else { return };
    let figure = sinew_io::load(&folder.join("gltf/makehuman_male_cmu31.glb")).unwrap().character;
    let mut recipe = Recipe::default();
    let mut plain = Stack::new(&figure, &recipe).unwrap();
    recipe.flesh.fineness = Fineness::Interactive;
    let mut stack = Stack::new(&figure, &recipe).unwrap();
    let mesh = &figure.parts[0].mesh;
    let mut search = SelfIntersections::new(&Topology::new(&mesh.positions, &mesh.faces), &mesh.positions);
    let at_rest: BTreeSet<(u32, u32)> = search.pairs(&mesh.positions).iter().copied().collect();
    let mut crossings =
        |surface: &Surface| search.pairs(&surface.positions).iter().filter(|pair| !at_rest.contains(pair)).count();
    let time = Time { seconds: 0.0, delta: 0.0 };
    let mut surface = Surface::default();
    let hips = figure.skeleton.find("Hips").unwrap();
    // The flesh of the neck moves with three joints, each of which has a bone in it.
    assert!(stack.get::<FleshDeformer>().unwrap().warnings().iter().all(|warning| !warning.contains("Neck")));
    for name in ["squat", "sitting", "hand-on-chest"] {
        let pose = crate::documented_pose(&figure, name);
        plain.deform(&pose, time, &mut surface);
        let before = crossings(&surface);
        stack.deform(&pose, time, &mut surface);
        let flesh = stack.get::<FleshDeformer>().unwrap();
        let report = flesh.report();
        assert!(report.smallest_volume > 0.1, "{name}: {report:?}");
        // Entrails keep their volume: 7 % of that of the hips is lost in the squat if they are as soft as limbs.
        let hips = flesh.regions().find(|region| region.joint == hips).unwrap();
        assert!((hips.share - 1.0).abs() < 0.04, "{name}: {hips:?}");
        assert!(before > 20 && crossings(&surface) == 0, "{name}: {before} and {}", crossings(&surface));
    }
}

/// The front paws of the fox, of eleven points each, turn with their joints as its skin does, and no tetrahedron is turned over.
#[test]
fn paws_follow_their_joints() {
    let Some(data) = shared_data::folder() else { return };
    let fox = sinew_io::load(&data.join("gltf/Fox.glb")).unwrap().character;
    let run = fox.clips.iter().find(|clip| clip.name == "Run").unwrap();
    let mut pose = fox.rest_pose();
    run.sample(0.3, &fox.rest_pose(), &mut pose);
    let [plain, flesh] = [Fineness::Off, Fineness::Interactive].map(|fineness| {
        let mut recipe = Recipe::default();
        recipe.flesh.fineness = fineness;
        let (mut stack, mut surface) = (Stack::new(&fox, &recipe).unwrap(), Surface::default());
        stack.deform(&pose, Time::alone(0.0), &mut surface);
        if let Some(report) = stack.get::<FleshDeformer>().map(FleshDeformer::report) {
            assert!(report.smallest_volume > 0.0, "{}", report.smallest_volume);
        }
        surface
    });
    let binding = &fox.parts[0].binding;
    let paws: Vec<usize> = ["b_LeftHand_011", "b_RightHand_08"]
        .map(|name| fox.skeleton.find(name).unwrap())
        .into_iter()
        .flat_map(|joint| {
            let is_its = move |v: &usize| {
                let row = binding.weights.row(*v);
                row.iter().any(|w| binding.joints[w.joint as usize] == joint && w.weight > 0.9)
            };
            (0..plain.positions.len()).filter(is_its)
        })
        .collect();
    let away = |&v: &usize| plain.positions[v].distance(flesh.positions[v]);
    let farthest = paws.iter().map(away).fold(0.0, f32::max);
    // Without bones in them paws stay stretched.
    assert!(paws.len() > 20 && farthest < 2.0, "{} vertices, {farthest}", paws.len());
}

/// The bones of both presets lie inside the skin of MakeHuman's figure at elbows and knees.
#[test]
fn bones_are_inside_the_skin() {
    let Some(data) = shared_data::folder() else { return };
    let figure = sinew_io::load(&data.join("gltf/makehuman_male_cmu31.glb")).unwrap().character;
    let skin = &world_surfaces(&figure)[0];
    let winding = Winding::new(&Topology::new(&skin.positions, &skin.faces), &skin.positions);
    for preset in [BonePreset::Reference, BonePreset::Anatomical] {
        let options = FleshOptions { bones: preset, ..FleshOptions::default() };
        let bones = FleshBones::new(&figure, &options).unwrap().meshes(&figure.skeleton.rest_world());
        for joint in ["LeftForeArm", "RightForeArm", "LeftLeg", "RightLeg"] {
            let points = bones.iter().filter(|bone| bone.name == joint).flat_map(|bone| &bone.positions);
            let (inside, outside): (Vec<&Vec3>, Vec<&Vec3>) = points.partition(|p| winding.number(p.as_dvec3()) > 0.5);
            assert!(inside.len() > 200 && outside.is_empty(), "{preset:?}, {joint}: {} are outside", outside.len());
        }
    }
}
