//! Markers that were sampled from a skinned figure move it again, cages survive their files, and what cannot be is
//! refused by name.

use glam::{DVec3, Vec3};
use sinew::Time;
use sinew::motion::markers::Markers;
use sinew::recipe::{CageRecipe, MarkerPlace, Recipe};
use sinew::rig::{Character, Pose};
use sinew::{Stack, Surface};
use sinew_io::{Asset, Format};
use sinew_tasks::cage::{
    CageFile, Capture, Drive, Drives, HandleOf, LiveCage, Placed, SkeletonOf, drive, enclosed, full_body, placed,
};
use std::collections::BTreeMap;

const FPS: f64 = 10.0;

fn recipe() -> CageRecipe {
    CageRecipe { vertices: 300, offset: 0.012, iterations: 20, ..CageRecipe::default() }
}

fn figure() -> Asset {
    Asset::new(sinew::demo::character(), Format::Glb)
}

fn clock() -> f64 {
    0.0
}

/// The template's markers, each at the vertex nearest to its place.
fn markers_on(character: &Character) -> (Vec<Placed>, Vec<usize>) {
    let places = placed(character, &full_body(character, DVec3::Y, None).unwrap()).unwrap();
    let rest = sinew_io::rest_surface(character).unwrap().positions;
    let nearest = |placed: &Placed| {
        let distance = |v: &usize| rest[*v].as_dvec3().distance(placed.position);
        (0..rest.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap()
    };
    let vertices: Vec<usize> = places.iter().map(nearest).collect();
    let place = |(placed, &v): (&Placed, &usize)| Placed { position: rest[v].as_dvec3(), ..placed.clone() };
    (places.iter().zip(&vertices).map(place).collect(), vertices)
}

/// The surfaces of a clip as it is skinned.
fn skinned(character: &Character, clip: usize, count: usize) -> Vec<Vec<Vec3>> {
    let mut stack = Stack::new(character, &Recipe::default()).unwrap();
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let frame = |k: usize| {
        character.clips[clip].sample(k as f64 / FPS, &character.base_pose, &mut pose);
        stack.deform(&pose, Time::default(), &mut surface);
        surface.positions.clone()
    };
    (0..count).map(frame).collect()
}

/// Vertices of surfaces as a capture in millimetres with z up.
fn captured(labels: Vec<String>, surfaces: &[Vec<Vec3>], vertices: &[usize]) -> Markers {
    let turned = |p: Vec3| 1e3 * Vec3::new(p.x, -p.z, p.y);
    let positions = surfaces.iter().flat_map(|surface| vertices.iter().map(|&v| turned(surface[v])));
    Markers::new(labels, FPS, Some(1e-3), positions.collect()).unwrap()
}

#[test]
fn sampled_markers_move_the_figure_as_its_skin_does() {
    let asset = figure();
    let character = asset.character.clone();
    let walk = character.clips.iter().position(|clip| clip.name == "walk").unwrap();
    let surfaces = skinned(&character, walk, 11);
    let (placed, vertices) = markers_on(&character);
    assert!(placed.len() >= 36, "{}", placed.len());
    let labels = placed.iter().map(|placed| placed.label.clone()).collect();
    let mut capture = captured(labels, &surfaces, &vertices);
    let lost = placed.iter().position(|placed| placed.label == "STRN").unwrap();
    (4..7).for_each(|frame| capture.set(frame, lost, None));
    let (caged, build) = enclosed(asset, &recipe(), &placed, &clock, &mut |_, _| {}).unwrap();
    let capture = Capture::new(&capture, &placed, DVec3::Y, None, &clock).unwrap();
    let fitted = capture.fitted();
    assert!((fitted.scale - 1e-3).abs() < 2e-5, "{fitted:?}");
    assert!((fitted.turn * DVec3::Z).distance(DVec3::Y) < 1e-12, "{fitted:?}");
    assert!(capture.warnings.iter().any(|warning| warning.contains("1 gap filled")), "{:?}", capture.warnings);
    let recipe = recipe();
    let work = Drive { caged: &caged, build: &build, recipe: &recipe, by: Drives::Markers(&capture), fps: FPS };
    let mut distances = Vec::new();
    let driven = drive(&work, None, &clock, |index, count, surface, frame| {
        assert_eq!(count, surfaces.len());
        assert_eq!(frame.inverted, 0, "frame {index}");
        let pairs = surface.positions.iter().zip(&surfaces[index]);
        distances.push(pairs.map(|(a, b)| f64::from(a.distance(*b))).sum::<f64>() / surfaces[index].len() as f64);
        Ok::<(), sinew_tasks::Error>(())
    })
    .unwrap();
    let worst = distances.iter().copied().fold(0.0, f64::max);
    println!("mean distances {distances:.4?}; {}", driven.report);
    // The figure is 1.75 tall.
    assert!(worst < 0.03, "{worst} from the skinned mesh");
    assert!(driven.report.volume_error() < 0.05, "{}", driven.report);
    assert!(driven.report.most(|frame| frame.segment_error) < 1e-3, "{}", driven.report);
    driven.clip.unwrap().check(&character.skeleton, 0).unwrap();
}

#[test]
fn handles_are_dragged_one_frame_at_a_time() {
    let (caged, _) = enclosed(figure(), &recipe(), &[], &clock, &mut |_, _| {}).unwrap();
    let mut live = LiveCage::new(&caged, &recipe(), &caged.joint_handles()).unwrap();
    let hand = caged.asset.character.skeleton.find("LeftHand").unwrap();
    let handle = live.handles().iter().position(|&handle| handle == HandleOf::Joint(hand)).unwrap();
    let rest = live.surface().clone();
    let place = caged.asset.character.skeleton.rest_world()[hand].translation;
    live.drag(handle, place + DVec3::Y * 0.03).unwrap();
    let frame = live.solve();
    assert_eq!(frame.outcome.inverted, 0);
    assert!(frame.volume_error.abs() < 0.02, "{frame:?}");
    let moved = live.embed().positions.iter().zip(&rest.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(moved > 0.01, "{moved}");
    assert!(live.drag(10_000, place).is_err());
    let unknown = LiveCage::new(&caged, &recipe(), &[HandleOf::Tip(hand)]).err().unwrap().to_string();
    assert!(unknown.contains("the tip of joint \"LeftHand\""), "{unknown}");
    live.reset();
    live.solve();
    let back = live.embed().positions.iter().zip(&rest.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(back < 1e-5, "{back}");
}

#[test]
fn a_cage_survives_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = folder.path().join("figure.glb");
    sinew_io::save(&mesh, &figure()).unwrap();
    let asset = sinew_io::load(&mesh).unwrap();
    let places = [("A".to_owned(), MarkerPlace { vertex: Some(17), ..MarkerPlace::default() })];
    let markers = placed(&asset.character, &BTreeMap::from(places)).unwrap();
    let (caged, _) = enclosed(asset, &recipe(), &markers, &clock, &mut |_, _| {}).unwrap();
    let text = CageFile::new(&caged, "figure.glb".into(), SkeletonOf::Own, [1.0, 2.0]).to_json().unwrap();
    let open = |text: &str| CageFile::from_json(text.as_bytes()).and_then(|file| file.open(folder.path()));
    let (again, report) = open(&text).unwrap();
    assert_eq!((&again.control, &again.markers), (&caged.control, &caged.markers));
    assert_eq!(report.milliseconds, [1.0, 2.0]);

    let refusal = |text: &str| open(text).err().unwrap().one_sentence();
    assert!(refusal("{}").contains("not a cage file"));
    assert!(refusal(&text.replace("\"sinew_cage\":1", "\"sinew_cage\":7")).contains("version 7"));
    let beyond = text.replacen("\"tetrahedra\":[[", "\"tetrahedra\":[[4000000,1,2,3],[", 1);
    assert!(refusal(&beyond).contains("vertex that does not exist"), "{}", refusal(&beyond));
    let mut other = figure();
    for part in &mut other.character.parts {
        part.mesh.positions.iter_mut().for_each(|p| *p *= 1.5);
    }
    sinew_io::save(&mesh, &other).unwrap();
    assert!(refusal(&text).contains("build the cage again"), "{}", refusal(&text));
}

#[test]
fn what_cannot_be_placed_is_named() {
    let character = sinew::demo::character();
    let refusal = |place: MarkerPlace| {
        placed(&character, &BTreeMap::from([("ELB".to_owned(), place)])).unwrap_err().one_sentence()
    };
    let joint = |name: &str| MarkerPlace { joint: Some(name.into()), ..MarkerPlace::default() };
    assert!(refusal(joint("LeftForArm")).contains("did you mean \"LeftForeArm\""));
    assert!(refusal(MarkerPlace::default()).contains("\"ELB\""));
    assert!(refusal(MarkerPlace { vertex: Some(1 << 30), ..MarkerPlace::default() }).contains("no vertex"));
    assert!(refusal(MarkerPlace { toward: Some([0.0; 3]), ..joint("LeftForeArm") }).contains("is zero"));
    assert!(full_body(&sinew::demo::tube(), DVec3::Y, None).is_err());
    assert!(full_body(&character, DVec3::Y, Some(&["nose".to_owned()])).is_err());

    let at = |label: &str, x: f64| Placed { label: label.into(), position: DVec3::new(x, 1.0, 0.0) };
    let refusal = |markers: &[Placed]| {
        enclosed(figure(), &recipe(), markers, &clock, &mut |_, _| {}).err().unwrap().one_sentence()
    };
    assert!(refusal(&[at("HIP", 0.0), at("FAR", 90.0)]).contains("\"FAR\" is"));
    assert!(refusal(&[at("HIP", 0.0), at("SACR", 0.0)]).contains("\"HIP\" and \"SACR\""));
    let capture = captured(vec!["LHIP".into()], &[vec![Vec3::ZERO]], &[0]);
    let unknown = Capture::new(&capture, &[at("HIP", 0.0)], DVec3::Y, None, &clock).err().unwrap();
    assert!(unknown.one_sentence().contains("\"HIP\"; did you mean \"LHIP\""), "{unknown}");
    let scale = Capture::new(&capture, &[at("LHIP", 0.0)], DVec3::Y, Some(-1.0), &clock).err().unwrap();
    assert!(scale.one_sentence().contains("above 0"));
}

/// The seed of the fuzzer is a cage that opens beside the mesh and the skeleton it was built from.
#[test]
fn the_seed_of_the_fuzzer_opens() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("box.obj"), include_bytes!("../../../../fuzz/seeds/obj/box.obj")).unwrap();
    std::fs::write(folder.path().join("box.toml"), include_bytes!("../../../../fuzz/seeds/skeleton/two_bones.toml"))
        .unwrap();
    let file = CageFile::from_json(include_bytes!("../../../../fuzz/seeds/cage_file/box.cage")).unwrap();
    let (caged, _) = file.open(folder.path()).unwrap();
    assert_eq!((caged.control.joints.len(), caged.markers.len()), (3, 1), "two joints and a tip, one marker");
}
