//! Implicit skin on real characters.

use glam::DQuat;
use sinew::Time;
use sinew::geometry::{SelfIntersections, Topology};
use sinew::recipe::Recipe;
use sinew::rig::{Character, Pose};
use sinew::{Stack, Surface};
use sinew_testing::shared_data;

fn shared(name: &str) -> Option<Character> {
    Some(sinew_io::load(&shared_data::folder()?.join("gltf").join(name)).unwrap().character)
}

/// A stack with dual quaternions, and one with the implicit skin after them.
struct Pair {
    character: Character,
    stacks: [Stack; 2],
    crossings: Vec<SelfIntersections>,
    surface: Surface,
}

impl Pair {
    fn new(name: &str) -> Option<Self> {
        Self::with(name, false)
    }

    fn with(name: &str, apart: bool) -> Option<Self> {
        let character = shared(name)?;
        let mut recipe = Recipe::default();
        recipe.implicit.apart = apart;
        let plain = Stack::new(&character, &recipe).unwrap();
        recipe.implicit.on = true;
        let implicit = Stack::new(&character, &recipe).unwrap();
        let crossings = character.parts.iter().map(|part| {
            SelfIntersections::new(&Topology::new(&part.mesh.positions, &part.mesh.faces), &part.mesh.positions)
        });
        let (crossings, stacks) = (crossings.collect(), [plain, implicit]);
        Some(Self { crossings, stacks, surface: Surface::default(), character })
    }

    /// Pairs of triangles that cross, without and with.
    fn count(&mut self, pose: &Pose) -> [usize; 2] {
        let ranges = self.character.vertex_ranges();
        self.stacks.each_mut().map(|stack| {
            stack.deform(pose, Time::default(), &mut self.surface);
            let parts = self.crossings.iter_mut().zip(&ranges);
            parts.map(|(found, range)| found.count(&self.surface.positions[range.clone()])).sum()
        })
    }
}

/// How many more pairs than with the skin alone may cross in a clip: in every hundred of them, and besides. The neck and the
/// legs of the dinosaur, which have few vertices, swell into what is beside them.
const MORE: (usize, usize) = (20, 12);

/// On every clip of every shared character hardly more triangles cross than without.
#[test]
fn no_clip_has_more_crossings() {
    let names = [
        "CesiumMan.glb",
        "Fox.glb",
        "RiggedFigure.glb",
        "RiggedSimple.glb",
        "RobotExpressive.glb",
        "kaykit_Knight.glb",
        "quaternius_KnightCharacter.glb",
        "quaternius_Trex.glb",
        "spot_rigged.glb",
        "makehuman_male_cmu31.glb",
    ];
    for name in names {
        let Some(mut pair) = Pair::new(name) else { return };
        let mut pose = pair.character.rest_pose();
        assert_eq!(pair.count(&pose)[0], pair.count(&pose)[1], "{name} at rest");
        for clip in pair.character.clips.clone() {
            let mut sums = [0; 2];
            for seconds in clip.frame_times(10.0).unwrap() {
                clip.sample(seconds, &pair.character.base_pose, &mut pose);
                let counts = pair.count(&pose);
                sums = [sums[0] + counts[0], sums[1] + counts[1]];
            }
            assert!(sums[1] <= sums[0] + MORE.0 * sums[0] / 100 + MORE.1, "{name}, {}: {sums:?}", clip.name);
        }
    }
}

/// A joint bent about the axis that it is bent about at rest.
fn bent(character: &Character, joint: &str, child: &str, degrees: f64) -> Pose {
    let skeleton = &character.skeleton;
    let world = skeleton.rest_world();
    let [joint, child] = [joint, child].map(|name| skeleton.find(name).unwrap());
    let parent = skeleton.joints()[joint].parent.unwrap();
    let [a, b, c] = [parent, joint, child].map(|j| world[j].translation);
    let axis = world[joint].matrix3.inverse() * (b - a).cross(c - b);
    let mut pose = character.rest_pose();
    pose.joints[joint].rotation *= DQuat::from_axis_angle(axis.normalize(), degrees.to_radians());
    pose
}

/// Knees and elbows of a modelled human bent by 140°; the elbows are bent by 47° at rest.
#[test]
fn a_humans_knees_and_elbows_do_not_cross() {
    let Some(mut pair) = Pair::new("makehuman_male_cmu31.glb") else { return };
    for side in ["Left", "Right"] {
        let (knee, foot) = (format!("{side}Leg"), format!("{side}Foot"));
        let (elbow, hand) = (format!("{side}ForeArm"), format!("{side}Hand"));
        for (joint, child, degrees) in [
            (&knee, &foot, 90.0),
            (&knee, &foot, 120.0),
            (&knee, &foot, 140.0),
            (&elbow, &hand, 60.0),
            (&elbow, &hand, 93.0),
        ] {
            let pose = bent(&pair.character, joint, child, degrees);
            let [plain, implicit] = pair.count(&pose);
            assert!(plain >= 10 && implicit == 0, "{joint} at {degrees}°: {plain}, {implicit}");
        }
    }
}

/// Where thighs meet the belly, and arms and hands the trunk, at most an eighth as many triangles cross as with the skin
/// alone, where limbs keep apart. Without that it is more than half.
#[test]
fn limbs_of_a_human_keep_apart() {
    let Some(mut pair) = Pair::with("makehuman_male_cmu31.glb", true) else { return };
    for name in ["squat", "sitting", "hand-on-chest", "crossed-arms"] {
        let pose = crate::documented_pose(&pair.character, name);
        let [plain, apart] = pair.count(&pose);
        assert!(plain > 200 && apart <= plain / 8, "{name}: {plain}, {apart}");
    }
}
