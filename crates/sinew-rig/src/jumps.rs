//! Does a correction follow the pose smoothly in time?
//!
//! The correction of a vertex is `c = A⁻¹ (p − s)`: the finished point p less the point s of a reference skin, in the
//! frame of the vertex's strongest joint. A is the linear part of that joint's transform since rest, so a limb that
//! turns, moves or grows does not change c.
//!
//! An interval between two frames has [`STEPS_PER_INTERVAL`] steps, `dₖ = ‖cₖ − cₖ₋₁‖`. A vertex *jumps* where
//! `max dₖ > ½ Σ dₖ` and `max dₖ > h/1000`, for the height h of the character; an interval jumps where a vertex does. A
//! smooth correction has about an eighth of the sum in each step, however fast it is.
//!
//! One moment is included at a time. The state has a fixed size, and a moment costs a 3×3 product per vertex.

use super::Character;
use glam::{DAffine3, DMat3, DVec3, Vec3};

/// The frames that intervals lie between, per second: the rate of most clips.
pub const INTERVALS_PER_SECOND: f64 = 30.0;

/// The steps of an interval. With eight, the largest step of a jump is four times the mean.
pub const STEPS_PER_INTERVAL: usize = 8;

/// The largest share of an interval's change that a single step of a smooth correction has.
const LARGEST_SHARE: f64 = 0.5;

/// The shortest step that shows, in heights: 1.7 mm for a person.
const SHORTEST_STEP: f64 = 1e-3;

/// Counts the intervals of a motion in which a correction jumps.
#[derive(Debug, Clone)]
pub struct Jumps {
    /// The strongest joint of each vertex.
    joints: Vec<usize>,
    /// The linear part of each joint's transform at rest.
    rest: Vec<DMat3>,
    /// A⁻¹ of each joint.
    to_rest: Vec<DMat3>,
    shortest: f64,
    paths: Vec<Path>,
    /// Moments included so far.
    moments: usize,
    count: usize,
    worst: Option<Jump>,
}

/// The longest step of a jump.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jump {
    /// The vertex, counted through all parts.
    pub vertex: usize,
    /// Its strongest joint.
    pub joint: usize,
    /// The length of the step, in the character's units.
    pub length: f64,
    /// The moment at its end, from 0 for the first that was included.
    pub moment: usize,
}

/// The way of a vertex's correction through an interval.
#[derive(Debug, Clone, Copy, Default)]
struct Path {
    correction: DVec3,
    sum: f64,
    longest: f64,
    /// The moment at the end of the longest step.
    moment: usize,
}

impl Path {
    fn begin(&mut self) {
        (self.sum, self.longest) = (0.0, 0.0);
    }

    fn extend(&mut self, correction: DVec3, moment: usize) {
        let step = correction.distance(self.correction);
        self.correction = correction;
        self.sum += step;
        if step > self.longest {
            (self.longest, self.moment) = (step, moment);
        }
    }
}

impl Jumps {
    /// Prepares the measure for a character of a height. It needs [`Character::check`].
    pub fn new(character: &Character, height: f64) -> Self {
        let strongest = character.parts.iter().flat_map(|part| {
            let vertices = 0..part.mesh.positions.len();
            vertices.map(|vertex| part.strongest_joint(vertex))
        });
        Self {
            joints: strongest.collect(),
            rest: character.skeleton.rest_world().iter().map(|rest| rest.matrix3).collect(),
            to_rest: vec![DMat3::ZERO; character.skeleton.len()],
            shortest: SHORTEST_STEP * height,
            paths: vec![Path::default(); character.vertex_count()],
            moments: 0,
            count: 0,
            worst: None,
        }
    }

    /// Includes the next moment: the joints' transforms, the reference skin and the finished surface. Returns whether
    /// the interval that ends here jumps; none where no interval ends. A joint without an inverse, of scale zero, has
    /// no correction.
    pub fn include(&mut self, world: &[DAffine3], skin: &[Vec3], finished: &[Vec3]) -> Option<bool> {
        for ((to_rest, rest), world) in self.to_rest.iter_mut().zip(&self.rest).zip(world) {
            let inverse = *rest * world.matrix3.inverse();
            *to_rest = if inverse.is_finite() { inverse } else { DMat3::ZERO };
        }
        let moment = self.moments;
        self.moments += 1;
        let points = skin.iter().zip(finished);
        for ((path, &joint), (skin, finished)) in self.paths.iter_mut().zip(&self.joints).zip(points) {
            let correction = self.to_rest[joint] * (finished.as_dvec3() - skin.as_dvec3());
            match moment {
                0 => path.correction = correction,
                _ => path.extend(correction, moment),
            }
        }
        (moment > 0 && moment.is_multiple_of(STEPS_PER_INTERVAL)).then(|| self.end_interval())
    }

    fn end_interval(&mut self) -> bool {
        let mut has_jump = false;
        for (vertex, path) in self.paths.iter_mut().enumerate() {
            let Path { sum, longest: length, moment, .. } = *path;
            if length > LARGEST_SHARE * sum && length > self.shortest {
                has_jump = true;
                if self.worst.is_none_or(|worst| length > worst.length) {
                    self.worst = Some(Jump { vertex, joint: self.joints[vertex], length, moment });
                }
            }
            path.begin();
        }
        self.count += usize::from(has_jump);
        has_jump
    }

    /// The intervals so far; the last one counts when it is complete.
    pub fn intervals(&self) -> usize {
        self.moments.saturating_sub(1) / STEPS_PER_INTERVAL
    }

    /// The intervals that jump.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The jump with the longest step.
    pub fn worst(&self) -> Option<Jump> {
        self.worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Joint, Part, Skeleton, Transform};
    use glam::DQuat;
    use sinew_geometry::Mesh;

    const HEIGHT: f64 = 2.0;

    /// Two vertices, the first on the second of two joints.
    fn character() -> Character {
        let turned = Transform { rotation: DQuat::from_rotation_z(0.4), ..Transform::default() };
        let joints = vec![
            Joint { name: "lower".into(), ..Joint::default() },
            Joint { name: "upper".into(), parent: Some(0), rest: turned, ..Joint::default() },
        ];
        let (skeleton, _) = Skeleton::new(joints).unwrap();
        let part = |node: usize| Part {
            node,
            mesh: Mesh::new("point", vec![Vec3::X], Vec::new()),
            binding: crate::Binding::rigid(node, 1),
            ..Part::default()
        };
        Character { base_pose: skeleton.rest_pose(), skeleton, parts: vec![part(1), part(0)], ..Character::default() }
    }

    /// Measures corrections of the first vertex, with joints at rest.
    fn measured(corrections: impl IntoIterator<Item = f64>) -> Jumps {
        let character = character();
        let mut jumps = Jumps::new(&character, HEIGHT);
        let world = character.skeleton.rest_world();
        for correction in corrections {
            let moved = Vec3::X + correction as f32 * Vec3::Z;
            jumps.include(&world, &[Vec3::X; 2], &[moved, Vec3::X]);
        }
        jumps
    }

    /// Steps of these lengths, one after another.
    fn of_steps(steps: &[f64]) -> Jumps {
        let places = steps.iter().scan(0.0, |place, step| {
            *place += step;
            Some(*place)
        });
        measured([0.0].into_iter().chain(places))
    }

    #[test]
    fn a_smooth_correction_has_no_jumps_however_fast_it_is() {
        let jumps = measured((0..=80).map(|k| (0.3 * f64::from(k)).sin()));
        assert_eq!((jumps.intervals(), jumps.count(), jumps.worst()), (10, 0, None));
    }

    #[test]
    fn a_single_step_is_a_single_jump_with_its_place() {
        let jumps = measured((0..=80).map(|k| (0.001 * f64::from(k)) + if k < 27 { 0.0 } else { 0.25 }));
        assert_eq!((jumps.intervals(), jumps.count()), (10, 1));
        let worst = jumps.worst().unwrap();
        assert_eq!((worst.vertex, worst.joint, worst.moment), (0, 1, 27));
        assert!((worst.length - 0.251).abs() < 1e-6, "{worst:?}");
    }

    #[test]
    fn each_interval_is_judged_by_itself() {
        let still = [0.0; 7];
        let steps = [&[0.5][..], &still, &[0.0; 8], &still, &[0.25]].concat();
        let jumps = of_steps(&steps);
        assert_eq!((jumps.intervals(), jumps.count()), (3, 2));
        assert_eq!(jumps.worst().unwrap().moment, 1);
    }

    #[test]
    fn half_of_the_sum_is_no_jump() {
        let with = |step: f64| of_steps(&[step, 0.125, 0.125, 0.125, 0.125, 0.0, 0.0, 0.0]).count();
        assert_eq!((with(0.5), with(0.501)), (0, 1));
    }

    #[test]
    fn a_step_below_a_thousandth_of_the_height_is_no_jump() {
        let with = |step: f64| of_steps(&[0.0, step, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]).count();
        assert_eq!((with(0.000_999 * HEIGHT), with(0.001_001 * HEIGHT)), (0, 1));
    }

    #[test]
    fn an_interval_counts_when_it_is_complete() {
        let jumps = of_steps(&[1.0; 7]);
        assert_eq!((jumps.intervals(), jumps.count()), (0, 0));
        let jumps = of_steps(&[&[0.0; 8][..], &[1.0]].concat());
        assert_eq!((jumps.intervals(), jumps.count()), (1, 0));
    }

    /// The joint that carries a vertex turns, moves and doubles in one step; what is on it goes with it.
    #[test]
    fn a_correction_that_follows_its_joint_stays_as_it_is() {
        let character = character();
        let mut jumps = Jumps::new(&character, HEIGHT);
        let rest = character.skeleton.rest_world();
        let flip = DAffine3::from_scale_rotation_translation(
            DVec3::splat(2.0),
            DQuat::from_rotation_y(2.0),
            DVec3::new(5.0, 0.0, 1.0),
        );
        let (skin, finished) = ([Vec3::X; 2], [Vec3::X + Vec3::Z, Vec3::X]);
        let mut ends = Vec::new();
        for moment in 0..=8 {
            let turn = if moment < 3 { DAffine3::IDENTITY } else { flip };
            let world = [rest[0], turn * rest[1]];
            let moved = |points: &[Vec3; 2]| [turn.transform_point3(points[0].as_dvec3()).as_vec3(), points[1]];
            ends.extend(jumps.include(&world, &moved(&skin), &moved(&finished)));
        }
        assert_eq!((ends, jumps.worst()), (vec![false], None));
    }

    /// A joint that vanishes for a moment hides no jump at another.
    #[test]
    fn a_joint_of_no_size_has_no_correction() {
        let character = character();
        let mut jumps = Jumps::new(&character, HEIGHT);
        let rest = character.skeleton.rest_world();
        for moment in 0..=8 {
            let world = if moment == 2 { vec![DAffine3::from_scale(DVec3::ZERO); 2] } else { rest.clone() };
            let finished = if moment < 5 { Vec3::ZERO } else { Vec3::Z };
            jumps.include(&world, &[Vec3::ZERO; 2], &[finished, Vec3::ZERO]);
        }
        assert_eq!((jumps.count(), jumps.worst().map(|worst| worst.moment)), (1, Some(5)));
    }
}
