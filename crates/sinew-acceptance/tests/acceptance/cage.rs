//! Captured motions that move real characters by the positions of joints alone, by way of a cage, beside the same
//! characters as they are skinned.

use glam::{DAffine3, Vec3};
use sinew::Time;
use sinew::cage::{Cage, CageOptions, ControlMesh, Driver, DriverOptions, Embedding, EmbeddingMethod};
use sinew::geometry::Face;
use sinew::motion::retarget::{Mapping, Retargeter};
use sinew::recipe::Recipe;
use sinew::rig::{Character, Clip, Pose};
use sinew::{Stack, Surface};
use sinew_io::{bvh, gltf};
use sinew_testing::shared_data;

const FPS: f64 = 30.0;

/// Frames of each clip that are looked at.
const FRAMES: usize = 4;

/// A character ready to be driven.
struct Driven {
    character: Character,
    stack: Stack,
    faces: Vec<Face>,
    rest: Vec<Vec3>,
    driver: Driver,
    embedding: Embedding,
}

/// What was found over all frames.
#[derive(Debug, Default)]
struct Worst {
    frames: usize,
    inverted: usize,
    volume: f64,
    mean_distance: f64,
    /// Of the length of a bone.
    bone: f64,
    handle: f64,
}

impl Driven {
    fn new(character: Character, vertices: usize, offset: f64) -> Self {
        let mut stack = Stack::new(&character, &Recipe::default()).unwrap();
        let mut surface = Surface::default();
        stack.deform(&character.rest_pose(), Time::default(), &mut surface);
        let rest = surface.positions;
        let ranges = character.vertex_ranges();
        let parts = character.parts.iter().zip(&ranges);
        let of_part = |(part, range): (&sinew::rig::Part, &std::ops::Range<usize>)| {
            let first = range.start as u32;
            part.mesh.faces.iter().map(move |face| face.map(|v| v + first)).collect::<Vec<_>>()
        };
        let faces: Vec<Face> = parts.flat_map(of_part).collect();
        let world = character.skeleton.rest_world();
        let joints: Vec<_> = character.joints().map(|joint| world[joint].translation).collect();
        let options = CageOptions { vertices, offset, ..CageOptions::default() };
        let cage = Cage::build(&rest, &faces, &joints, &options, &mut |_| {}).unwrap();
        let control = ControlMesh::build(&cage, &rest, Some(&character.skeleton), &[], &mut |_| {}).unwrap();
        println!(
            "{}: {} vertices in a cage of {}, {} control vertices, {} tetrahedra, {:?}",
            character.name,
            rest.len(),
            cage.positions.len(),
            control.positions.len(),
            control.tetrahedra.len(),
            control.quality
        );
        let options = DriverOptions { iterations: 15, ..DriverOptions::default() };
        let driver = Driver::new(&control, &control.joint_handles(100.0), options).unwrap();
        let embedding = Embedding::new(&control, &rest, &[], EmbeddingMethod::Continuous).unwrap();
        Self { character, stack, faces, rest, driver, embedding }
    }

    fn volume(&self, positions: &[Vec3]) -> f64 {
        let corners = self.faces.iter().flat_map(Face::triangles).map(|t| t.map(|v| positions[v as usize].as_dvec3()));
        corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    fn height(&self) -> f64 {
        let low = self.rest.iter().copied().reduce(Vec3::min).unwrap();
        let high = self.rest.iter().copied().reduce(Vec3::max).unwrap();
        f64::from((high - low).max_element())
    }

    /// Plays some frames of a clip.
    fn play(&mut self, clip: &Clip, worst: &mut Worst) {
        let times: Vec<f64> = clip.frame_times(FPS).unwrap().collect();
        let (mut pose, mut surface, mut moved) = (Pose::default(), Surface::default(), self.rest.clone());
        let mut world = vec![DAffine3::IDENTITY; self.character.skeleton.len()];
        let (whole, height) = (self.volume(&self.rest), self.height());
        for k in 0..FRAMES {
            let seconds = times[(times.len() - 1) * k / (FRAMES - 1)];
            clip.sample(seconds, &self.character.base_pose, &mut pose);
            self.character.skeleton.world(&pose, &mut world);
            self.driver.pose(&world);
            let outcome = self.driver.solve();
            self.embedding.deform(self.driver.positions(), self.driver.rotations(), &mut moved, &mut []);
            self.stack.deform(&pose, Time { seconds, delta: 1.0 / FPS }, &mut surface);
            let distances = moved.iter().zip(&surface.positions).map(|(a, b)| f64::from(a.distance(*b)));
            worst.frames += 1;
            worst.inverted += outcome.inverted;
            worst.volume = worst.volume.max((self.volume(&moved) / whole - 1.0).abs());
            worst.mean_distance = worst.mean_distance.max(distances.sum::<f64>() / (moved.len() as f64 * height));
            worst.bone = worst.bone.max(outcome.bone_error);
            worst.handle = worst.handle.max(outcome.handle_error / height);
        }
    }
}

fn every_clip(mut driven: Driven) -> Worst {
    let mut worst = Worst::default();
    for path in shared_data::motions() {
        let source = bvh::read(&std::fs::read(&path).unwrap()).unwrap().character;
        let mapping = Mapping::automatic(&source.skeleton, &driven.character.skeleton).unwrap();
        let transfer = Retargeter::new(&source.skeleton, &driven.character, &mapping).unwrap();
        let clip = transfer.clip(&source.clips[0], &source.base_pose, FPS).unwrap();
        driven.play(&clip, &mut worst);
    }
    worst
}

fn judge(worst: &Worst) {
    assert!(worst.frames > 150);
    assert_eq!(worst.inverted, 0, "{worst:?}");
    assert!(worst.bone < 1e-3, "{worst:?}");
    assert!(worst.volume < 0.05, "{worst:?}");
    assert!(worst.mean_distance < 0.03, "{worst:?}");
    assert!(worst.handle < 0.05, "{worst:?}");
}

#[test]
fn every_motion_moves_makehuman_by_joint_positions_alone() {
    let Some(folder) = shared_data::folder() else { return };
    let bytes = std::fs::read(folder.join("gltf/makehuman_male_cmu31.glb")).unwrap();
    let character = gltf::read(&bytes, &|_: &str| Err(std::io::ErrorKind::NotFound.into())).unwrap().character;
    let worst = every_clip(Driven::new(character, 900, 0.006));
    println!("{worst:?}");
    judge(&worst);
}

#[test]
fn and_the_demo() {
    if shared_data::folder().is_none() {
        return;
    }
    let worst = every_clip(Driven::new(sinew::demo::character(), 700, 0.008));
    println!("{worst:?}");
    judge(&worst);
}
