//! What a recipe does in captured motions and in hard poses: time, volume, crossings and jumps.
//!
//! `cargo bench -p sinew-tasks --bench captures -- [NAME…] [FROM-TO] [jumps]` prints a Markdown table of MakeHuman's figure
//! in motions of the shared set, whole or between two seconds; `jumps` deforms each eight times as often to find those.
//! `coarse` and `fine` measure flesh of that fineness; the name of a skin, `implicit`, `exact`, `normal` and `laplacian` the fast
//! methods: a skin, with implicit skin, with volume.
//! `poses` prints the same of the hard poses: those in `docs/poses`, a fox that runs and a dinosaur that dies; `bends` of
//! the figure's knees, elbows and knuckles alone; `clips` of all clips of the shared characters and the mannequin.
//! Crossings are pairs of triangles that do not cross at rest; with `joints` their joints are named, and those
//! whose flesh is more than 2 % from its volume at rest. *Rough* is the change of curvature away from contacts ([`fairness`]).

mod fairness;

use fairness::{Fairness, percentile};
use glam::{DQuat, DVec3};
use sinew::deform::flesh::{FleshDeformer, RegionVolume};
use sinew::deform::skinning::SkinMethod;
use sinew::geometry::{SelfIntersections, Topology};
use sinew::recipe::{Recipe, VolumeMethod};
use sinew::rig::{Character, Clip, Pose};
use sinew::{Stack, Surface, Time};
use sinew_io::Asset;
use sinew_tasks::bake::measure_jumps;
use sinew_tasks::motion::retarget::retarget;
use sinew_tasks::pose_file::PoseFile;
use sinew_testing::shared_data;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

/// The motions that the documents name.
const CAPTURES: [&str; 8] = [
    "walk__39_01",
    "run__09_01",
    "boxing__13_17",
    "sit_stand__13_01",
    "kick__74_03",
    "golf_swing__64_01",
    "salsa__60_03",
    "jump__13_11",
];

const FIGURE: &str = "makehuman_male_cmu31.glb";
const MANNEQUIN: &str = "mannequin";

/// The poses that the documents name: the character, and a file in `docs/poses` or a clip.
const POSES: [(&str, &str, &str); 7] = [
    ("squat", FIGURE, "squat.json"),
    ("crossed-arms", FIGURE, "crossed-arms.json"),
    ("hand-on-chest", FIGURE, "hand-on-chest.json"),
    ("sitting", FIGURE, "sitting.json"),
    ("fist", MANNEQUIN, "fist.json"),
    ("fox", "Fox.glb", "Run"),
    ("dinosaur", "quaternius_Trex.glb", "Armature|TRex_Death"),
];

/// Bends of the figure: the joint, the next one, and degrees.
const BENDS: [(&str, &str, f64); 14] = [
    ("LeftLeg", "LeftFoot", 90.0),
    ("LeftLeg", "LeftFoot", 120.0),
    ("LeftLeg", "LeftFoot", 140.0),
    ("RightLeg", "RightFoot", 90.0),
    ("RightLeg", "RightFoot", 120.0),
    ("RightLeg", "RightFoot", 140.0),
    ("LeftForeArm", "LeftHand", 60.0),
    ("LeftForeArm", "LeftHand", 93.0),
    ("RightForeArm", "RightHand", 60.0),
    ("RightForeArm", "RightHand", 93.0),
    ("LeftHandFinger1", "", -40.0),
    ("LeftHandFinger1", "", -60.0),
    ("LeftHandFinger1", "", -80.0),
    ("LeftHandFinger1", "", -90.0),
];

/// Characters with clips.
const CHARACTERS: [&str; 9] = [
    MANNEQUIN,
    "CesiumMan.glb",
    "Fox.glb",
    "RiggedFigure.glb",
    "RobotExpressive.glb",
    "kaykit_Knight.glb",
    "quaternius_KnightCharacter.glb",
    "quaternius_Trex.glb",
    "spot_rigged.glb",
];

const RATE: f64 = 30.0;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let has = |word: &str| arguments.iter().any(|a| a == word);
    let range = arguments.iter().find_map(|a| {
        let (from, to) = a.split_once('-')?;
        Some((from.parse::<f64>().ok()?, to.parse::<f64>().ok()?))
    });
    let named = arguments.iter().filter(|a| a.contains("__")).map(String::as_str);
    let names = if named.clone().count() > 0 { named.collect() } else { CAPTURES.to_vec() };
    let Some(folder) = shared_data::folder() else { return println!("the shared data are not here") };
    let asset = sinew_io::load(&folder.join("gltf").join(FIGURE)).expect("the figure");
    let recipe = recipe(&has);
    println!(
        "| motion | frames | ms median | ms worst | iterations | contacts | smallest J | volume | worst region | crossings mean | worst | rough | jumps |"
    );
    println!("|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    if has("poses") {
        let named = |name: &str| POSES.iter().all(|pose| !has(pose.0)) || has(name);
        for (name, file, source) in POSES.into_iter().filter(|pose| named(pose.0)) {
            let character = load(&folder, file);
            let clip = pose_or_clip(&character, source);
            println!("| {name} | {} | |", follow(&character, &recipe, &clip, has("joints")));
        }
        return;
    }
    if has("bends") {
        for (joint, child, degrees) in BENDS {
            let clip = bend(&asset.character, joint, child, degrees);
            println!("| {joint} {degrees}° | {} | |", follow(&asset.character, &recipe, &clip, has("joints")));
        }
        return;
    }
    if has("clips") {
        let files: Vec<&str> = CHARACTERS.into_iter().filter(|file| has(file)).collect();
        for file in if files.is_empty() { CHARACTERS.to_vec() } else { files } {
            let character = load(&folder, file);
            for clip in &character.clips {
                println!("| {file} {} | {} | |", clip.name, follow(&character, &recipe, clip, has("joints")));
            }
        }
        return;
    }
    for name in names {
        let motion = sinew_io::load(&folder.join(format!("mocap/cmu30/{name}.bvh"))).expect("a motion");
        let clip = retarget(&motion.character, &motion.character.clips[0], &asset.character, None, RATE)
            .expect("a motion")
            .clip;
        let clip = range.map_or_else(|| clip.clone(), |range| cut(&clip, &asset, range));
        let row = follow(&asset.character, &recipe, &clip, has("joints"));
        let jumps = has("jumps").then(|| {
            let mut stack = Stack::new(&asset.character, &recipe).expect("a stack");
            measure_jumps(&asset, &clip, &recipe, &mut stack, |_| Ok::<(), sinew_tasks::Error>(())).expect("jumps")
        });
        let jumps = jumps.map_or(String::new(), |report| {
            let at = report.place.map_or(String::new(), |p| {
                format!(", {} at {:.3} s, vertex {}", p.jump_joint, p.jump_time, p.jump_vertex)
            });
            let worst = 100.0 * report.jump_worst / report.jump_height;
            let (beyond, all) = (report.jumps_beyond_skin, report.jump_intervals);
            let (yielding, of_yielding) = (report.yielding_intervals, report.jumps_of_yielding);
            format!("{beyond} of {all}, {of_yielding} of {yielding} where bones yield, {worst:.2} %{at}")
        });
        println!("| {name} | {row} | {jumps} |");
    }
}

/// The recipe that words ask for: flesh, or a fast method.
fn recipe(has: &impl Fn(&str) -> bool) -> Recipe {
    let fineness = ["coarse", "fine"].into_iter().find(|word| has(word)).unwrap_or("interactive");
    let skin = SkinMethod::ALL.into_iter().find(|method| has(method.name()));
    let mut recipe = Recipe::default();
    if skin.is_some() || ["implicit", "apart", "exact", "normal", "laplacian"].into_iter().any(&has) {
        recipe.skin.method = skin.unwrap_or(recipe.skin.method);
        recipe.implicit.on = has("implicit") || has("apart");
        recipe.implicit.apart = has("apart");
        let methods = [VolumeMethod::Exact, VolumeMethod::Normal, VolumeMethod::Laplacian];
        recipe.volume.method = methods.into_iter().find(|method| has(method.name())).unwrap_or(VolumeMethod::Off);
        return recipe;
    }
    let flesh = format!("[skin]\nmethod = \"linear\"\n[flesh]\nfineness = \"{fineness}\"");
    Recipe::from_toml(&flesh).expect("a recipe")
}

fn load(folder: &Path, file: &str) -> Character {
    if file == MANNEQUIN {
        return sinew::demo::character();
    }
    sinew_io::load(&folder.join("gltf").join(file)).expect("a character").character
}

/// A joint bent about the axis that it is bent about at rest, as a clip of one frame; with no child, about its z-axis.
fn bend(character: &Character, joint: &str, child: &str, degrees: f64) -> Clip {
    let skeleton = &character.skeleton;
    let world = skeleton.rest_world();
    let joint = skeleton.find(joint).expect("a joint");
    let axis = skeleton.find(child).map_or(DVec3::Z, |child| {
        let above = skeleton.joints()[joint].parent.expect("a joint above");
        let [a, b, c] = [above, joint, child].map(|joint| world[joint].translation);
        (world[joint].matrix3.inverse() * (b - a).cross(c - b)).normalize()
    });
    let mut pose = character.rest_pose();
    pose.joints[joint].rotation *= DQuat::from_axis_angle(axis, degrees.to_radians());
    Clip::from_poses("bend", &[0.0], &[pose])
}

/// The part of a clip between two seconds.
fn cut(clip: &Clip, asset: &Asset, (from, to): (f64, f64)) -> Clip {
    let times: Vec<f64> = (0..=((to - from) * RATE) as usize).map(|frame| frame as f64 / RATE).collect();
    let pose_at = |time: &f64| {
        let mut pose = Pose::default();
        clip.sample(from + time, &asset.character.base_pose, &mut pose);
        pose
    };
    Clip::from_poses(clip.name.clone(), &times, &times.iter().map(pose_at).collect::<Vec<_>>())
}

/// A pose of `docs/poses` as a clip of one frame, or a clip of the character.
fn pose_or_clip(character: &Character, source: &str) -> Clip {
    if !source.ends_with(".json") {
        return character.find_clip(source).expect("a clip").clone();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/poses").join(source);
    let file = PoseFile::from_json(&std::fs::read(file).expect("a pose")).expect("a pose");
    Clip::from_poses(source, &[0.0], &[file.pose(character).expect("a pose")])
}

/// Deforms a clip frame by frame, and says what happened.
fn follow(character: &Character, recipe: &Recipe, clip: &Clip, names_joints: bool) -> String {
    let mut stack = Stack::new(character, recipe).expect("a stack");
    let (mut surface, mut pose) = (Surface::default(), Pose::default());
    let parts = character.parts.iter().zip(character.vertex_ranges());
    let mut searches: Vec<_> = parts
        .map(|(part, range)| {
            let rest = &part.mesh.positions;
            let mut search = SelfIntersections::new(&Topology::new(rest, &part.mesh.faces), rest);
            let at_rest: BTreeSet<(u32, u32)> = search.pairs(rest).iter().copied().collect();
            (part, range, search, at_rest, Fairness::new(part))
        })
        .collect();
    let (mut times, mut crossings, mut joints) = (Vec::new(), Vec::new(), BTreeMap::new());
    let (mut iterations, mut contacts, mut smallest) = (0, 0, f64::INFINITY);
    let (mut volume, mut worst) = (1.0, RegionVolume { joint: 0, share: 1.0 });
    let rest_world = character.skeleton.rest_world();
    let (mut regions, mut rough) = (BTreeMap::new(), Vec::new());
    let moments = clip.frame_times(RATE).expect("a rate");
    // The first frame stands alone, so its way is from rest, and it counts only where there is no other.
    let is_pose = moments.len() == 1;
    for seconds in moments {
        clip.sample(seconds, &character.base_pose, &mut pose);
        let delta = if times.is_empty() { 0.0 } else { 1.0 / RATE };
        let start = Instant::now();
        stack.deform(&pose, Time { seconds, delta }, &mut surface);
        times.push(start.elapsed().as_secs_f64() * 1e3);
        if let Some(flesh) = stack.get::<FleshDeformer>() {
            let report = flesh.report();
            iterations += if delta > 0.0 || is_pose { report.iterations } else { 0 };
            contacts += report.contacts;
            smallest = smallest.min(report.smallest_volume);
            let is_farther = |share: f64, than: f64| (share - 1.0).abs() > (than - 1.0).abs();
            if is_farther(report.volume, volume) {
                volume = report.volume;
            }
            let far = flesh.regions().filter(|region| names_joints && is_farther(region.share, 1.02));
            for RegionVolume { joint, share } in far {
                let (farthest, frames): &mut (f64, usize) = regions.entry(joint).or_insert((1.0, 0));
                *farthest = if is_farther(share, *farthest) { share } else { *farthest };
                *frames += 1;
            }
            worst = report.worst_region.filter(|region| is_farther(region.share, worst.share)).unwrap_or(worst);
        }
        let mut count = 0;
        let motions: Vec<_> = stack.world().iter().zip(&rest_world).map(|(is, was)| *is * was.inverse()).collect();
        for (part, range, search, at_rest, fairness) in &mut searches {
            let pairs: Vec<(u32, u32)> = search.pairs(&surface.positions[range.clone()]).to_vec();
            let pairs: Vec<(u32, u32)> = pairs.into_iter().filter(|pair| !at_rest.contains(pair)).collect();
            count += pairs.len();
            rough.extend(fairness.changes(&motions, &surface.positions[range.clone()]));
            for (a, b) in pairs.into_iter().filter(|_| names_joints) {
                let joint = |t: u32| part.strongest_joint(search.triangles()[t as usize].vertices[0] as usize);
                let mut pair = [a, b].map(|t| &character.skeleton.joints()[joint(t)].name);
                pair.sort_unstable();
                *joints.entry(pair).or_insert(0) += 1;
            }
        }
        crossings.push(count);
    }
    for ([a, b], count) in joints {
        println!("{a} and {b}: {count}");
    }
    for (joint, (share, frames)) in regions {
        let name = &character.skeleton.joints()[joint].name;
        println!("volume of {name}: {:+.1} %, beyond 2 % in {frames} frames", 100.0 * (share - 1.0));
    }
    let frames = times.len();
    let mut along = if frames > 1 { times.split_off(1) } else { times };
    along.sort_unstable_by(f64::total_cmp);
    let mean = |sum: usize| sum as f64 / frames as f64;
    format!(
        "{frames} | {:.1} | {:.1} | {:.0} | {:.0} | {smallest:.2} | {:+.2} % | {:+.1} % {} | {:.1} | {} | {:.0}",
        along[along.len() / 2],
        along[along.len() - 1],
        iterations as f64 / along.len() as f64,
        mean(contacts),
        100.0 * (volume - 1.0),
        100.0 * (worst.share - 1.0),
        character.skeleton.joints()[worst.joint].name,
        mean(crossings.iter().sum()),
        crossings.iter().max().copied().unwrap_or(0),
        percentile(&mut rough, 0.95),
    )
}
