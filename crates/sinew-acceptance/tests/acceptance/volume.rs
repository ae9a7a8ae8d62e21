//! Real characters in their own clips keep their volume: every closed one, every clip, every frame.

use glam::{DQuat, DVec3};
use sinew::Deformer;
use sinew::Time;
use sinew::deform::skinning::SkinMethod;
use sinew::deform::volume::VolumeDeformer;
use sinew::geometry::{ClosedSurface, Topology, Winding};
use sinew::motion::retarget::{Mapping, Retargeter};
use sinew::recipe::{Recipe, SkinOptions, VolumeMethod};
use sinew::rig::{Character, Clip, JointKind, Pose};
use sinew::{Stack, Surface};
use sinew_testing::{gltf_validator, shared_data};
use std::ops::Range;
use std::path::PathBuf;

const FPS: f64 = 30.0;

/// The error of a total volume that f32 positions allow.
const TOTAL: f64 = 1e-6;

/// Penetrating vertices are counted in every tenth frame. Where the base skin crosses itself already, more of it does when
/// it becomes thicker: at most so many times as many, and so many more over a whole clip.
const FRAMES_PER_COUNT: usize = 10;
const TIMES_PENETRATING: f64 = 1.6;
const MORE_PENETRATING: f64 = 10.0;

/// How much farther the correction's own second difference from frame to frame may go than the skin's, as a share of
/// the character's diagonal. A contact that comes or goes moves a fold of skin at once; this is about half the radius
/// of a limb.
const MORE_JERK: f64 = 0.06;

/// The same where all joints swing at random, the limbs run through each other, and contacts come and go all the time.
const MORE_JERK_IN_A_TANGLE: f64 = 0.15;

fn recipe(skin: SkinMethod, volume: VolumeMethod) -> Recipe {
    let mut recipe = Recipe { skin: SkinOptions { method: skin }, ..Recipe::default() };
    recipe.volume.method = volume;
    recipe
}

/// A character whose volume is measured, shell by shell.
struct Body<'a> {
    character: &'a Character,
    parts: Vec<(Topology, ClosedSurface, Range<usize>)>,
    base: Stack,
    rest_pose: Pose,
    rest: Surface,
}

/// A piece of the surface at a moment.
struct Shell {
    volume: f64,
    /// The farthest coordinate from the origin, which f32 rounds the most.
    farthest: f64,
}

impl Shell {
    /// The error that f32 positions allow; the radius is that of the ball of the same volume.
    fn allowed(&self) -> f64 {
        let radius = (0.75 / std::f64::consts::PI * self.volume.abs()).cbrt();
        f64::max(TOTAL, 8.0 * 2f64.powi(-24) * self.farthest / radius)
    }
}

impl<'a> Body<'a> {
    fn new(character: &'a Character, skin: SkinMethod) -> Self {
        let meshes = character.parts.iter().map(|part| &part.mesh);
        let parts = meshes.zip(character.vertex_ranges()).map(|(mesh, range)| {
            let topology = Topology::new(&mesh.positions, &mesh.faces);
            let closed = ClosedSurface::new(&topology);
            (topology, closed, range)
        });
        Self {
            character,
            parts: parts.collect(),
            base: Stack::new(character, &recipe(skin, VolumeMethod::Off)).unwrap(),
            rest_pose: character.rest_pose(),
            rest: Surface::default(),
        }
    }

    fn shells(&self, surface: &Surface) -> Vec<Shell> {
        let mut shells = Vec::new();
        for (topology, closed, range) in &self.parts {
            let at = |&v: &u32| surface.positions[range.start + v as usize].as_dvec3();
            let mut points: Vec<DVec3> = topology.representatives().iter().map(at).collect();
            closed.close(&mut points);
            let first = shells.len();
            let volumes = closed.shell_volumes(&points).into_iter();
            shells.extend(volumes.map(|volume| Shell { volume, farthest: 0.0 }));
            for (face, &shell) in closed.faces().iter().zip(closed.shell_of_face()) {
                let farthest = &mut shells[first + shell as usize].farthest;
                face.corners().iter().for_each(|&v| *farthest = farthest.max(points[v as usize].abs().max_element()));
            }
        }
        shells
    }

    /// The shells that a pose should have: joints rotated and placed as at rest with the scales of the pose; nodes
    /// that are no joints, and morphs, as in the pose.
    fn wanted(&mut self, pose: &Pose) -> Vec<Shell> {
        for (k, joint) in self.character.skeleton.joints().iter().enumerate() {
            match joint.kind {
                JointKind::Joint => self.rest_pose.joints[k].scale = pose.joints[k].scale,
                _ => self.rest_pose.joints[k] = pose.joints[k],
            }
        }
        self.rest_pose.morphs.clone_from(&pose.morphs);
        self.base.deform(&self.rest_pose, Time::default(), &mut self.rest);
        self.shells(&self.rest)
    }

    /// The relative error of the total volume.
    fn error(&mut self, pose: &Pose, surface: &Surface) -> f64 {
        let total = |shells: Vec<Shell>| shells.iter().map(|s| s.volume).sum::<f64>();
        let wanted = total(self.wanted(pose));
        (total(self.shells(surface)) / wanted - 1.0).abs()
    }

    fn diagonal(&self) -> f64 {
        let positions = || self.rest.positions.iter().copied();
        let (low, high) = (positions().reduce(glam::Vec3::min), positions().reduce(glam::Vec3::max));
        f64::from(low.unwrap().distance(high.unwrap()))
    }
}

/// The largest second difference of a moving surface, frame by frame.
#[derive(Default)]
struct Jerk {
    before: [Vec<DVec3>; 2],
    largest: f64,
}

impl Jerk {
    fn add(&mut self, points: Vec<DVec3>) {
        let [first, second] = &self.before;
        for ((a, b), c) in first.iter().zip(second).zip(&points) {
            self.largest = self.largest.max((*a - 2.0 * *b + *c).length());
        }
        self.before.swap(0, 1);
        self.before[1] = points;
    }
}

/// What a clip came to at worst.
#[derive(Debug, Default, Clone, Copy)]
struct Worst {
    total: f64,
    /// Of a single shell, as a share of what it is allowed.
    shell: f64,
    radii: f64,
    /// Second differences as shares of the diagonal.
    base_jerk: f64,
    jerk: f64,
    penetrating: [usize; 2],
}

/// Runs a clip, checks every frame of it, and returns its largest values.
fn run(body: &mut Body<'_>, stack: &mut Stack, windings: &mut [Winding], clip: &Clip, what: &str) -> Worst {
    let character = body.character;
    let (mut pose, mut base, mut surface) = (Pose::default(), Surface::default(), Surface::default());
    let (mut base_jerk, mut jerk) = (Jerk::default(), Jerk::default());
    let mut worst = Worst::default();
    for (frame, seconds) in clip.frame_times(FPS).unwrap().enumerate() {
        clip.sample(seconds, &character.base_pose, &mut pose);
        body.base.deform(&pose, Time::alone(seconds), &mut base);
        stack.deform(&pose, Time { seconds, delta: if frame == 0 { 0.0 } else { 1.0 / FPS } }, &mut surface);
        assert!(surface.positions.iter().all(|p| p.is_finite()), "{what} at {seconds} s: a position");
        assert!(surface.normals.iter().all(|n| n.is_finite()), "{what} at {seconds} s: a normal");

        let total = body.error(&pose, &surface);
        assert!(total <= TOTAL, "{what} at {seconds} s: the volume is off by {total:.1e}");
        worst.total = worst.total.max(total);
        for (k, (wanted, is)) in body.wanted(&pose).iter().zip(body.shells(&surface)).enumerate() {
            let error = (is.volume - wanted.volume).abs();
            let allowed = is.allowed() * wanted.volume.abs();
            assert!(error <= allowed, "{what} at {seconds} s: shell {k} of {} is off by {error:.1e}", wanted.volume);
            worst.shell = worst.shell.max(if error > 0.0 { error / allowed } else { 0.0 });
        }
        let radii = stack.get::<VolumeDeformer>().unwrap().farthest_in_radii();
        assert!(radii <= 1.0, "{what} at {seconds} s: a vertex moves by {radii} limb radii");
        worst.radii = worst.radii.max(radii);
        if frame % FRAMES_PER_COUNT == FRAMES_PER_COUNT / 2 {
            for (surface, count) in [&base, &surface].into_iter().zip(&mut worst.penetrating) {
                for (winding, (_, _, range)) in windings.iter_mut().zip(&body.parts) {
                    winding.follow(&surface.positions[range.clone()]);
                    *count += winding.penetrating().len();
                }
            }
        }
        let moved = surface.positions.iter().zip(&base.positions).map(|(p, q)| (*p - *q).as_dvec3());
        jerk.add(moved.collect());
        base_jerk.add(base.positions.iter().map(|p| p.as_dvec3()).collect());
    }
    worst.jerk = jerk.largest / body.diagonal();
    worst.base_jerk = base_jerk.largest / body.diagonal();
    println!(
        "{what}: volume {:.1e}, shells at {:.2} of their limit, {:.2} radii, second difference {:.4} (skin {:.4}), \
         penetrating {:?}",
        worst.total, worst.shell, worst.radii, worst.jerk, worst.base_jerk, worst.penetrating
    );
    let [before, after] = worst.penetrating;
    let allowed = TIMES_PENETRATING * before as f64 + MORE_PENETRATING;
    assert!(after as f64 <= allowed, "{what}: {after} vertices penetrate, {before} of the skin");
    let more = if clip.name == WOBBLE { MORE_JERK_IN_A_TANGLE } else { MORE_JERK };
    let (jerk, allowed) = (worst.jerk, worst.base_jerk + more);
    assert!(jerk <= allowed, "{what}: the correction jumps by {jerk} of the diagonal");
    worst
}

/// The closed characters with a skin: those of the manifest but for MakeHuman's, which gets motions of its own.
fn closed_characters() -> impl Iterator<Item = (String, Character)> {
    let rows =
        [("gltf", "glb"), ("fbx", "fbx")].into_iter().flat_map(|(folder, kind)| shared_data::manifest(folder, kind));
    let rows = rows.filter(|row| row.text("closed") == "True" && !row.text("file").contains("makehuman"));
    rows.map(|row| {
        let file = row.text("file").to_owned();
        let mut character = sinew_io::load(&shared_data::folder().unwrap().join(&file)).unwrap().character;
        if character.clips.is_empty() {
            character.clips.push(wobble(&character));
        }
        (file, character)
    })
}

/// The clip of characters that have none.
const WOBBLE: &str = "wobble";

/// Every joint swings about an axis of its own.
fn wobble(character: &Character) -> Clip {
    let pose = |k: u32| {
        let mut pose = character.rest_pose();
        for (j, joint) in pose.joints.iter_mut().enumerate() {
            let j = j as f64;
            let axis = DVec3::new(j.sin(), (2.0 * j).cos(), (3.0 * j).sin()).normalize();
            joint.rotation *= DQuat::from_axis_angle(axis, 0.6 * (0.2 * f64::from(k) + j).sin());
        }
        pose
    };
    let times: Vec<f64> = (0..31).map(|k| f64::from(k) / 10.0).collect();
    Clip::from_poses(WOBBLE, &times, &(0..31).map(pose).collect::<Vec<_>>())
}

fn every_clip_keeps_the_volume(skin: SkinMethod) {
    let mut worst = Worst::default();
    for (file, character) in closed_characters() {
        let mut body = Body::new(&character, skin);
        let mut stack = Stack::new(&character, &recipe(skin, VolumeMethod::Exact)).unwrap();
        assert!(
            stack.get::<VolumeDeformer>().unwrap().warnings().is_empty(),
            "{file}: {:?}",
            stack.get::<VolumeDeformer>().unwrap().warnings()
        );
        let parts = character.parts.iter().zip(&body.parts);
        let mut windings: Vec<Winding> =
            parts.map(|(part, (topology, ..))| Winding::new(topology, &part.mesh.positions)).collect();
        for clip in &character.clips {
            let what = format!("{file}, {}, {skin}", clip.name);
            let found = run(&mut body, &mut stack, &mut windings, clip, &what);
            worst = Worst {
                total: worst.total.max(found.total),
                shell: worst.shell.max(found.shell),
                radii: worst.radii.max(found.radii),
                base_jerk: worst.base_jerk.max(found.base_jerk),
                jerk: worst.jerk.max(found.jerk),
                penetrating: [0, 1].map(|k| worst.penetrating[k] + found.penetrating[k]),
            };
        }
    }
    println!("{skin}, the worst of all clips, penetrating vertices summed: {worst:?}");
}

#[test]
fn every_clip_keeps_the_volume_of_the_linear_skin() {
    every_clip_keeps_the_volume(SkinMethod::Linear);
}

#[test]
fn every_clip_keeps_the_volume_of_the_dual_quaternion_skin() {
    every_clip_keeps_the_volume(SkinMethod::DualQuaternion);
}

#[test]
fn a_body_keeps_its_volume_in_captured_motions() {
    let Some(folder) = shared_data::folder() else { return };
    let character = sinew_io::load(&folder.join("gltf/makehuman_male_cmu31.glb")).unwrap().character;
    let mut body = Body::new(&character, SkinMethod::Linear);
    let mut stack = Stack::new(&character, &recipe(SkinMethod::Linear, VolumeMethod::Exact)).unwrap();
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    for motion in ["cartwheel__49_06", "salsa__60_03", "sit_stand__13_01"] {
        let path = folder.join("mocap/cmu30").join(motion).with_extension("bvh");
        let source = sinew_io::load(&path).unwrap().character;
        let mapping = Mapping::automatic(&source.skeleton, &character.skeleton).unwrap();
        let transfer = Retargeter::new(&source.skeleton, &character, &mapping).unwrap();
        let clip = transfer.clip(&source.clips[0], &source.base_pose, FPS).unwrap();
        let (start, end) = clip.range();
        let mut worst = 0.0f64;
        for k in 0..MOMENTS {
            let seconds = start + (end - start) * (f64::from(k) + 0.5) / f64::from(MOMENTS);
            clip.sample(seconds, &character.base_pose, &mut pose);
            stack.deform(&pose, Time::alone(seconds), &mut surface);
            let error = body.error(&pose, &surface);
            assert!(error <= TOTAL, "{motion} at {seconds} s: the volume is off by {error:.1e}");
            let radii = stack.get::<VolumeDeformer>().unwrap().farthest_in_radii();
            assert!(radii <= 1.0, "{motion} at {seconds} s: a vertex moves by {radii} limb radii");
            worst = worst.max(error);
        }
        println!("{motion}: volume {worst:.1e}");
    }
}

/// Moments of a captured motion that are looked at.
const MOMENTS: u32 = 12;

#[test]
fn a_bake_keeps_the_volume() {
    let Some(folder) = shared_data::folder() else { return };
    let asset = sinew_io::load(&folder.join("gltf/CesiumMan.glb")).unwrap();
    let character = &asset.character;
    let mut stack = Stack::new(character, &recipe(SkinMethod::Linear, VolumeMethod::Exact)).unwrap();
    let times: Vec<f64> = character.clips[0].frame_times(FPS).unwrap().collect();
    let out = tempfile::tempdir().unwrap();
    let path: PathBuf = out.path().join("bake.glb");
    let mut bake = sinew_io::bake::bake(&path, &asset, times[0], FPS, times.len()).unwrap();
    let (mut pose, mut surface) = (Pose::default(), Surface::default());
    let mut wanted = Vec::new();
    let mut body = Body::new(character, SkinMethod::Linear);
    for (k, &seconds) in times.iter().enumerate() {
        character.clips[0].sample(seconds, &character.base_pose, &mut pose);
        stack.deform(&pose, Time { seconds, delta: if k == 0 { 0.0 } else { 1.0 / FPS } }, &mut surface);
        bake.frame(&surface).unwrap();
        wanted.push(body.wanted(&pose).iter().map(|s| s.volume).sum::<f64>());
    }
    bake.finish().unwrap();
    gltf_validator::assert_valid(std::slice::from_ref(&path));

    let baked = sinew_io::load(&path).unwrap().character;
    let body = Body::new(&baked, SkinMethod::Linear);
    let mut plain = Stack::new(&baked, &Recipe::default()).unwrap();
    let mut worst = 0.0f64;
    for (seconds, wanted) in times.iter().zip(wanted) {
        baked.clips[0].sample(*seconds, &baked.base_pose, &mut pose);
        plain.deform(&pose, Time::alone(*seconds), &mut surface);
        let volume: f64 = body.shells(&surface).iter().map(|s| s.volume).sum();
        let error = (volume / wanted - 1.0).abs();
        assert!(error <= TOTAL, "at {seconds} s: the volume read back is off by {error:.1e}");
        worst = worst.max(error);
    }
    println!("a bake of {} frames, read back: volume {worst:.1e}", times.len());
}
