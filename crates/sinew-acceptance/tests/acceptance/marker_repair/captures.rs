//! Captures whose truth is known: joints of real motions, and points on a skin that moves with them.

use glam::{DAffine3, DVec3, Vec3};
use sinew::Time;
use sinew::motion::markers::Markers;
use sinew::motion::retarget::{Mapping, Retargeter};
use sinew::recipe::Recipe;
use sinew::rig::{Character, Pose};
use sinew::{Stack, Surface};
use sinew_io::{bvh, gltf};
use sinew_testing::shared_data;

/// Metres in the unit of the CMU motions.
const CMU_UNIT: f64 = 0.0254 / 0.45;

/// Numbers from 0 to 1 that look random.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, count: usize) -> usize {
        ((self.roll() * count as f64) as usize).min(count.saturating_sub(1))
    }
}

/// A capture with its name, all markers seen.
pub struct Capture {
    pub name: String,
    pub truth: Markers,
}

fn read(path: &std::path::Path) -> (String, Character) {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    (name, bvh::read(&std::fs::read(path).unwrap()).unwrap().character)
}

/// The joints of the motions at 30 frames a second, and of the walk at 120. Joints that never leave another are left
/// out, as they would be found there.
pub fn joints() -> Vec<Capture> {
    let paths = shared_data::motions();
    let wanted = paths.iter().filter(|p| p.to_string_lossy().contains("cmu"));
    wanted.map(|path| joint_capture(read(path), path.to_string_lossy().contains("native"))).collect()
}

fn joint_capture((name, character): (String, Character), is_native: bool) -> Capture {
    let clip = &character.clips[0];
    let rate = if is_native { 120.0 } else { 30.0 };
    let mut pose = Pose::default();
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    let mut frames: Vec<Vec<DVec3>> = Vec::new();
    // The first row of the native walk is a T-pose far from the rest.
    for seconds in clip.frame_times(rate).unwrap().skip(usize::from(is_native)) {
        clip.sample(seconds, &character.base_pose, &mut pose);
        character.skeleton.world(&pose, &mut world);
        frames.push(world.iter().map(|m| m.translation * CMU_UNIT).collect());
    }
    let apart = |a: usize, b: usize| frames.iter().any(|f| f[a].distance(f[b]) > 1e-4);
    let kept: Vec<usize> = (0..world.len()).filter(|&j| (0..j).all(|k| apart(k, j))).collect();
    let labels = kept.iter().map(|&j| character.skeleton.joints()[j].name.clone()).collect();
    let positions = frames.iter().flat_map(|f| kept.iter().map(|&j| f[j].as_vec3())).collect();
    Capture { name, truth: Markers::new(labels, rate, Some(1.0), positions).unwrap() }
}

/// Points far from each other on the skin of a body that moves as the CMU's, each of which wobbles by some
/// millimetres and is measured with noise. `every` counts how many motions are left out for each that is taken.
pub fn surfaces(count: usize, every: usize) -> Vec<Capture> {
    let Some(folder) = shared_data::folder() else { return Vec::new() };
    let bytes = std::fs::read(folder.join("gltf/makehuman_male_cmu31.glb")).unwrap();
    let body = gltf::read(&bytes, &|_: &str| Err(std::io::ErrorKind::NotFound.into())).unwrap().character;
    let mut stack = Stack::new(&body, &Recipe::default()).unwrap();
    let mut surface = Surface::default();
    stack.deform(&body.rest_pose(), Time::default(), &mut surface);
    let vertices = scattered(&surface.positions, count);
    let paths = shared_data::motions();
    let motions = paths.iter().filter(|p| p.to_string_lossy().contains("cmu30")).step_by(every);
    let capture = |path: &std::path::PathBuf| {
        let (name, motion) = read(path);
        let mapping = Mapping::automatic(&motion.skeleton, &body.skeleton).unwrap();
        let transfer = Retargeter::new(&motion.skeleton, &body, &mapping).unwrap();
        let clip = transfer.clip(&motion.clips[0], &motion.base_pose, 60.0).unwrap();
        let mut pose = Pose::default();
        let mut positions = Vec::new();
        let mut dice = Dice(1);
        let phases: Vec<[f64; 4]> = vertices.iter().map(|_| std::array::from_fn(|_| dice.roll())).collect();
        for seconds in clip.frame_times(60.0).unwrap() {
            clip.sample(seconds, &body.base_pose, &mut pose);
            stack.deform(&pose, Time::alone(seconds), &mut surface);
            for (&vertex, phase) in vertices.iter().zip(&phases) {
                let wave = |k: usize| 0.0015 * ((1.0 + 2.0 * phase[3]) * 6.3 * seconds + 6.3 * phase[k]).sin();
                let noise = |dice: &mut Dice| 0.0003 * (dice.roll() + dice.roll() + dice.roll() - 1.5);
                let wobble = DVec3::from(std::array::from_fn(|k| wave(k) + noise(&mut dice)));
                positions.push(surface.positions[vertex] + wobble.as_vec3());
            }
        }
        let labels = (0..vertices.len()).map(|k| format!("M{k:02}")).collect();
        Capture { name, truth: Markers::new(labels, 60.0, Some(1.0), positions).unwrap() }
    };
    motions.map(capture).collect()
}

/// Vertices that are as far from those before as can be.
fn scattered(points: &[Vec3], count: usize) -> Vec<usize> {
    let mut distances = vec![f32::INFINITY; points.len()];
    let mut chosen = vec![0];
    while chosen.len() < count {
        let last = points[chosen[chosen.len() - 1]];
        distances.iter_mut().zip(points).for_each(|(d, p)| *d = d.min(p.distance(last)));
        chosen.push((0..points.len()).max_by(|&a, &b| distances[a].total_cmp(&distances[b])).unwrap());
    }
    chosen
}

/// The markers that are closest on average, best first.
pub fn closest(truth: &Markers, marker: usize) -> Vec<usize> {
    let frames = (0..truth.frames()).step_by(5);
    let place = |frame: usize, m: usize| truth.get(frame, m).unwrap();
    let mean = |other: usize| frames.clone().map(|f| place(f, marker).distance(place(f, other))).sum::<f64>();
    let mut others: Vec<(f64, usize)> = (0..truth.count()).filter(|&o| o != marker).map(|o| (mean(o), o)).collect();
    others.sort_by(|a, b| a.0.total_cmp(&b.0));
    others.into_iter().map(|o| o.1).collect()
}
