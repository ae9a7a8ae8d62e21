//! Skinning against the blackboard form, and what must hold for any character and any method.

use glam::{DAffine3, DMat3, DQuat, DVec3, Mat3, Vec3, Vec4};
use proptest::prelude::*;
use sinew::Time;
use sinew::deform::skinning::SkinMethod;
use sinew::geometry::{Face, Mesh, MorphTarget};
use sinew::recipe::{Recipe, SkinOptions};
use sinew::rig::{Binding, Character, Influence, Joint, Part, Pose, Skeleton, Transform, Weights};
use sinew::{Stack, Surface};
use sinew_testing::reference_skin;
use sinew_testing::shapes::rod;

fn deform(character: &Character, method: SkinMethod, pose: &Pose) -> Surface {
    let recipe = Recipe { skin: SkinOptions { method }, ..Recipe::default() };
    let mut stack = Stack::new(character, &recipe).unwrap();
    let mut surface = Surface::default();
    stack.deform(pose, Time::default(), &mut surface);
    surface
}

/// A cloud of triangles with 1 to 11 influences each on a random tree of joints.
fn arbitrary_character() -> impl Strategy<Value = Character> {
    let transform = || {
        (prop::array::uniform3(-1.0..1.0f64), prop::array::uniform3(-1.0..1.0f64), 0.0..3.0f64).prop_map(
            |(t, axis, angle)| Transform {
                translation: t.into(),
                rotation: DQuat::from_axis_angle(DVec3::from(axis).try_normalize().unwrap_or(DVec3::X), angle),
                scale: DVec3::ONE,
            },
        )
    };
    let joints = prop::collection::vec((transform(), any::<prop::sample::Index>()), 1..9);
    let vertex = (
        prop::array::uniform3(-2.0..2.0f32),
        prop::collection::vec((any::<prop::sample::Index>(), 0.01..1.0f32), 1..12),
    );
    (joints, prop::collection::vec(vertex, 3..70)).prop_map(|(joints, vertices)| {
        let joints = joints
            .into_iter()
            .enumerate()
            .map(|(k, (rest, parent))| Joint {
                name: format!("j{k}"),
                parent: (k > 0).then(|| parent.index(k)),
                rest,
                ..Joint::default()
            })
            .collect();
        let (skeleton, _) = Skeleton::new(joints).unwrap();
        let mut weights = Weights::default();
        for (_, row) in &vertices {
            weights.push(
                row.iter()
                    .map(|(joint, weight)| Influence { joint: joint.index(skeleton.len()) as u32, weight: *weight }),
            );
        }
        weights.repair("cloud").unwrap();
        let positions: Vec<Vec3> = vertices.iter().map(|(p, _)| Vec3::from_array(*p)).collect();
        let faces = (0..positions.len() as u32 - 2).map(|k| Face::triangle(k, k + 1, k + 2)).collect();
        let mut mesh = Mesh::new("cloud", positions, faces);
        mesh.tangents = vec![Vec4::new(1.0, 0.0, 0.0, -1.0); mesh.positions.len()];
        let inverse_bind = skeleton.rest_world().iter().map(DAffine3::inverse).collect();
        let binding =
            Binding { joints: (0..skeleton.len()).collect(), inverse_bind, weights, dual_quaternion_share: None };
        Character {
            base_pose: skeleton.rest_pose(),
            skeleton,
            parts: vec![Part { node: 0, skinned: true, mesh, binding }],
            ..Character::default()
        }
    })
}

/// A pose with every joint turned by up to a right angle, and scaled between the limits.
fn posed(character: &Character, turns: &[(f64, f64, f64)], scales: &[[f64; 3]]) -> Pose {
    let mut pose = character.rest_pose();
    for (k, local) in pose.joints.iter_mut().enumerate() {
        let (x, y, z) = turns[k % turns.len()];
        local.rotation *= DQuat::from_euler(glam::EulerRot::XYZ, x, y, z);
        local.scale = DVec3::from(scales[k % scales.len()]);
    }
    pose
}

fn turns() -> impl Strategy<Value = Vec<(f64, f64, f64)>> {
    prop::collection::vec((-1.5..1.5f64, -1.5..1.5f64, -1.5..1.5f64), 8)
}

fn largest_difference(surface: &Surface, expected: &[DVec3]) -> f64 {
    let distance = |(p, q): (&Vec3, &DVec3)| (p.as_dvec3() - *q).length() / (1.0 + q.length());
    surface.positions.iter().zip(expected).map(distance).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn linear_is_the_sum_of_matrices(
        character in arbitrary_character(), turns in turns(),
        scales in prop::collection::vec(prop::array::uniform3(0.5..2.0f64), 8),
    ) {
        let pose = posed(&character, &turns, &scales);
        let expected = reference_skin::linear(&character, &pose);
        prop_assert!(largest_difference(&deform(&character, SkinMethod::Linear, &pose), &expected) < 3e-6);
    }

    #[test]
    fn dual_quaternions_are_the_normalised_sum(
        character in arbitrary_character(), turns in turns(),
        scales in prop_oneof![Just(vec![[1.0; 3]]), prop::collection::vec(prop::array::uniform3(0.5..2.0f64), 8)],
    ) {
        let pose = posed(&character, &turns, &scales);
        let expected = reference_skin::dual_quaternion(&character, &pose);
        let found = deform(&character, SkinMethod::DualQuaternion, &pose);
        // Opposite rotations of near-equal weight leave a mean of almost no length, whose direction is open.
        prop_assert!(largest_difference(&found, &expected) < 1e-3);
        let close = found.positions.iter().zip(&expected).filter(|(p, q)| (p.as_dvec3() - **q).length() < 1e-4);
        prop_assert!(close.count() * 10 >= expected.len() * 9);
    }

    #[test]
    fn rest_returns_the_rest_mesh(character in arbitrary_character()) {
        for method in SkinMethod::ALL {
            let found = deform(&character, method, &character.rest_pose());
            let mesh = &character.parts[0].mesh;
            for (p, q) in found.positions.iter().zip(&mesh.positions) {
                prop_assert!(p.distance(*q) < 1e-5, "{method}: {p} against {q}");
            }
            for (t, u) in found.tangents.iter().zip(&mesh.tangents) {
                prop_assert!(t.distance(*u) < 1e-5, "{method}: {t} against {u}");
            }
        }
    }

    #[test]
    fn a_rigid_motion_of_the_root_moves_the_skin_rigidly(
        character in arbitrary_character(), turns in turns(), turn in (-3.0..3.0f64), shift in prop::array::uniform3(-5.0..5.0f64)
    ) {
        let pose = posed(&character, &turns, &[[1.0; 3]]);
        let motion = DAffine3::from_rotation_translation(
            DQuat::from_euler(glam::EulerRot::XYZ, turn, 0.3 * turn, 0.1), shift.into());
        let mut moved = pose.clone();
        moved.joints[0] = Transform::from_matrix(&(motion * pose.joints[0].matrix()));
        for method in SkinMethod::ALL {
            let still = deform(&character, method, &pose);
            let found = deform(&character, method, &moved);
            for (k, p) in still.positions.iter().enumerate() {
                let expected = motion.transform_point3(p.as_dvec3());
                prop_assert!((found.positions[k].as_dvec3() - expected).length() < 1e-3, "{method}");
                let normal = motion.transform_vector3(still.normals[k].as_dvec3());
                prop_assert!((found.normals[k].as_dvec3() - normal).length() < 2e-2, "{method}");
            }
        }
    }

    #[test]
    fn a_shuffled_character_has_the_same_bits(
        character in arbitrary_character(), turns in turns(), keys in prop::collection::vec(any::<u32>(), 70),
    ) {
        let pose = posed(&character, &turns, &[[1.0; 3], [0.5, 1.0, 2.0]]);
        let mut order: Vec<usize> = (0..character.vertex_count()).collect();
        order.sort_by_key(|&v| keys[v]);
        for method in SkinMethod::ALL {
            let expected = deform(&character, method, &pose);
            let found = deform(&reordered(&character, &order), method, &pose);
            for (k, &v) in order.iter().enumerate() {
                prop_assert_eq!(found.positions[k].to_array().map(f32::to_bits), expected.positions[v].to_array().map(f32::to_bits));
                prop_assert_eq!(found.tangents[k].to_array().map(f32::to_bits), expected.tangents[v].to_array().map(f32::to_bits));
            }
        }
    }

    /// A vertex that one joint moves has that joint's normal in every method: the inverse transpose,
    /// outside also under a mirror.
    #[test]
    fn normals_follow_squashes_and_mirrors(
        mut character in arbitrary_character(), turns in turns(), joint in any::<prop::sample::Index>(),
        scale in prop::array::uniform3(prop_oneof![-2.0..-0.3f64, 0.3..2.0f64]),
    ) {
        let joint = joint.index(character.skeleton.len());
        let count = character.parts[0].mesh.positions.len();
        character.parts[0].binding.weights = Weights::rigid(count, joint as u32);
        let mesh = &mut character.parts[0].mesh;
        mesh.normals = (0..count).map(|v| Vec3::new(1.0, v as f32, -2.0).normalize()).collect();
        let pose = posed(&character, &turns, &[scale, [1.0; 3], [1.0; 3], [1.0; 3]]);
        let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
        character.skeleton.world(&pose, &mut world);
        let matrix = (world[joint] * character.parts[0].binding.inverse_bind[joint]).matrix3;
        let follow = matrix.inverse().transpose();
        for method in SkinMethod::ALL {
            let surface = deform(&character, method, &pose);
            for (found, rest) in surface.normals.iter().zip(&character.parts[0].mesh.normals) {
                let expected = (follow * rest.as_dvec3()).normalize();
                prop_assert!((found.as_dvec3() - expected).length() < 1e-4, "{method}: {found} against {expected}");
            }
            for (found, rest) in surface.tangents.iter().zip(&character.parts[0].mesh.tangents) {
                let expected = (matrix * rest.truncate().as_dvec3()).normalize();
                prop_assert!((found.truncate().as_dvec3() - expected).length() < 1e-4, "{method}");
                prop_assert_eq!(found.w, rest.w * matrix.determinant().signum() as f32);
            }
        }
    }
}

/// At a twist of 180° linear skin collapses to a point in the middle, dual quaternions do not.
#[test]
fn a_half_turn_collapses_linear_skin_alone() {
    let character = rod(21, 16);
    let mut pose = character.rest_pose();
    // A hair less than a half turn, so that the shorter way round is defined.
    pose.joints[1].rotation = DQuat::from_rotation_y(std::f64::consts::PI * 0.9999);
    let middle_radius = |method| {
        let surface = deform(&character, method, &pose);
        surface.positions[10 * 16..11 * 16].iter().map(|p| Vec3::new(p.x, 0.0, p.z).length()).fold(0.0, f32::max)
    };
    assert!(middle_radius(SkinMethod::Linear) < 1e-3);
    for method in [SkinMethod::Rigid, SkinMethod::DualQuaternion, SkinMethod::Centers] {
        let radius = middle_radius(method);
        assert!((radius - 0.3).abs() < 1e-5, "{method}: {radius}");
    }
}

/// Le and Hodgins: about its centre a ring turns rigidly, so a bend neither pinches as linear skinning
/// does nor swells outwards as dual quaternions do.
#[test]
fn centers_keep_the_ring_and_do_not_swell() {
    let character = rod(41, 16);
    let mut pose = character.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_z(1.5);
    let ring = |method| {
        let surface = deform(&character, method, &pose);
        let ring: Vec<Vec3> = surface.positions[20 * 16..21 * 16].to_vec();
        let center = ring.iter().sum::<Vec3>() / 16.0;
        (center, ring.iter().map(|p| p.distance(center)).fold(f32::MAX, f32::min))
    };
    let (_, linear) = ring(SkinMethod::Linear);
    let (center, kept) = ring(SkinMethod::Centers);
    assert!(linear < 0.25, "linear skinning pinches the bend: {linear}");
    assert!((kept - 0.3).abs() < 1e-4, "the ring keeps its radius: {kept}");
    assert!(center.length() < 1e-4, "and its place at the joint: {center}");
}

/// A rod with a step in its weights, bent by a right angle: the largest change of direction from ring to ring, in
/// lengths between rings.
fn roughness_of_a_step(method: SkinMethod) -> f32 {
    let (rings, around) = (41, 16);
    let mut character = rod(rings, around);
    let mut weights = Weights::default();
    (0..rings * around).for_each(|v| weights.push([Influence { joint: u32::from(v >= 20 * around), weight: 1.0 }]));
    character.parts[0].binding.weights = weights;
    let mut pose = character.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_z(1.5);
    let positions = deform(&character, method, &pose).positions;
    let second = |v: usize| (positions[v - around] - 2.0 * positions[v] + positions[v + around]).length();
    (around..positions.len() - around).map(second).fold(0.0, f32::max) * 0.5 * (rings - 1) as f32
}

#[test]
fn direct_delta_mush_makes_a_smooth_bend_of_rigid_weights() {
    let [linear, mush] = [SkinMethod::Linear, SkinMethod::DirectDeltaMush].map(roughness_of_a_step);
    assert!(linear > 5.0 && mush < 0.1 * linear, "{mush} against {linear}");
}

/// The rod in two halves: the upper one has copies of the middle ring, which come last.
fn cut_rod() -> Character {
    let mut rod = rod(9, 8);
    let Part { mesh, binding, .. } = &mut rod.parts[0];
    let copy = |v: u32| if (32..40).contains(&v) { v + 40 } else { v };
    for face in mesh.faces.iter_mut().filter(|face| face.corners().iter().all(|&v| v >= 32)) {
        *face = face.map(copy);
    }
    mesh.positions.extend_from_within(32..40);
    *mesh = Mesh::new("rod", mesh.positions.clone(), mesh.faces.clone());
    let rows: Vec<Vec<Influence>> = (32..40).map(|v| binding.weights.row(v).to_vec()).collect();
    rows.into_iter().for_each(|row| binding.weights.push(row));
    rod
}

/// Copies with the same weights are one vertex, as at a seam; copies with others are two, as of lips.
#[test]
fn direct_delta_mush_keeps_seams_closed_and_lips_open() {
    let (whole, mut cut) = (rod(9, 8), cut_rod());
    let mut pose = whole.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_z(1.2);
    let expected = deform(&whole, SkinMethod::DirectDeltaMush, &pose).positions;
    let found = deform(&cut, SkinMethod::DirectDeltaMush, &pose).positions;
    assert_eq!((&found[..72], &found[72..]), (&expected[..], &expected[32..40]));
    let mut weights = Weights::default();
    (0..80).for_each(|v| weights.push([Influence { joint: u32::from(v >= 40), weight: 1.0 }]));
    cut.parts[0].binding.weights = weights;
    let expected = reference_skin::linear(&cut, &pose);
    assert!(largest_difference(&deform(&cut, SkinMethod::DirectDeltaMush, &pose), &expected) < 1e-6);
}

/// Linear skinning blends matrices, whose turn about an axis goes the whole way round, and so does the mush: there is no
/// pose at which it changes sides, but for vertices with half the weight exactly. Half the step, half the motion.
#[test]
fn direct_delta_mush_is_continuous_over_a_full_turn() {
    let character = rod(20, 16);
    let mut stack = crate::stack(
        &character,
        &Recipe { skin: SkinOptions { method: SkinMethod::DirectDeltaMush }, ..Recipe::default() },
    )
    .unwrap();
    for axis in [DVec3::X, DVec3::Y, DVec3::new(0.6, 0.0, 0.8)] {
        let mut farthest_step = |steps: usize| {
            let (mut pose, mut before, mut farthest) = (character.rest_pose(), Vec::new(), 0.0f32);
            for step in 0..=steps {
                let angle = std::f64::consts::TAU * step as f64 / steps as f64;
                pose.joints[1].rotation = DQuat::from_axis_angle(axis, angle);
                let mut surface = Surface::default();
                stack.deform(&pose, Time::default(), &mut surface);
                let moved = surface.positions.iter().zip(&before).map(|(p, q): (&Vec3, &Vec3)| p.distance(*q));
                farthest = moved.fold(farthest, f32::max);
                before = surface.positions;
            }
            farthest
        };
        let [coarse, fine] = [2000, 4000].map(&mut farthest_step);
        assert!(fine < 0.02 && fine < 0.6 * coarse, "{axis}: {fine} after {coarse}");
    }
}

/// An armature may be scaled as a whole.
#[test]
fn direct_delta_mush_of_a_scaled_armature_is_scaled() {
    let character = rod(21, 16);
    let mut pose = character.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_z(1.4);
    let plain = deform(&character, SkinMethod::DirectDeltaMush, &pose);
    for scale in [0.01, 100.0] {
        pose.joints[0].scale = DVec3::splat(scale);
        let scaled = deform(&character, SkinMethod::DirectDeltaMush, &pose);
        for (p, q) in scaled.positions.iter().zip(&plain.positions) {
            assert!(p.distance(*q * scale as f32) < 2e-6 * scale as f32, "{p} against {q}");
        }
        for (n, m) in scaled.normals.iter().zip(&plain.normals) {
            assert!(n.distance(*m) < 1e-5, "{n} against {m}");
        }
    }
}

/// What a morph target adds turns with its vertex, and moves no other.
#[test]
fn direct_delta_mush_turns_morphs_with_their_vertices() {
    let mut character = rod(9, 8);
    let offset = |v: usize| if v.is_multiple_of(2) { Vec3::new(0.1, 0.02 * v as f32, -0.1) } else { Vec3::ZERO };
    let target = MorphTarget { positions: (0..72).map(offset).collect(), ..MorphTarget::default() };
    let mesh = &mut character.parts[0].mesh;
    mesh.morphs = vec![target];
    mesh.normals = vec![Vec3::X; 72];
    mesh.tangents = vec![Vec3::Y.extend(1.0); 72];
    character.base_pose.morphs = vec![0.0];
    let mut pose = character.base_pose.clone();
    pose.joints[1].rotation = DQuat::from_rotation_z(1.2);
    let [plain, morphed] = [0.0, 1.0].map(|weight| {
        pose.morphs[0] = weight;
        deform(&character, SkinMethod::DirectDeltaMush, &pose)
    });
    for v in 0..72 {
        let (x, y) = (plain.normals[v], plain.tangents[v].truncate());
        let turned = Mat3::from_cols(x, y, x.cross(y)) * offset(v);
        let found = morphed.positions[v] - plain.positions[v];
        assert!(found.distance(turned) < 1e-6, "vertex {v}: {found} for {turned}");
    }
}

#[test]
fn one_joint_with_all_the_weight_is_linear_in_every_method() {
    let mut character = rod(5, 8);
    character.parts[0].binding.weights = Weights::rigid(40, 1);
    let mut pose = character.rest_pose();
    pose.joints[0] = Transform { scale: DVec3::splat(100.0), ..Transform::from_translation(DVec3::X) };
    pose.joints[1] =
        Transform { scale: DVec3::new(0.5, 2.0, -1.0), rotation: DQuat::from_rotation_x(2.0), translation: DVec3::Y };
    let expected = reference_skin::linear(&character, &pose);
    for method in SkinMethod::ALL {
        let difference = largest_difference(&deform(&character, method, &pose), &expected);
        assert!(difference < 1e-6, "{method}: {difference}");
    }
}

#[test]
fn collapsed_joints_give_finite_surfaces() {
    let character = rod(5, 8);
    let mut pose = character.rest_pose();
    for scale in [DVec3::ZERO, DVec3::new(0.0, 1.0, 1.0), DVec3::new(1e-20, 1.0, 1e20)] {
        pose.joints[1].scale = scale;
        for method in SkinMethod::ALL {
            let surface = deform(&character, method, &pose);
            assert!(surface.positions.iter().all(|p| p.is_finite()), "{method} with scale {scale}");
            assert!(surface.normals.iter().all(|n| n.is_finite()), "{method} with scale {scale}");
        }
    }
}

#[test]
fn painted_shares_go_from_linear_to_dual_quaternion() {
    let mut character = rod(9, 8);
    let mut pose = character.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_x(2.0);
    let linear = deform(&character, SkinMethod::Linear, &pose);
    let dual = deform(&character, SkinMethod::DualQuaternion, &pose);
    character.parts[0].binding.dual_quaternion_share = Some((0..72).map(|v| v as f32 / 71.0).collect());
    let shared = deform(&character, SkinMethod::DualQuaternion, &pose);
    for v in 0..72 {
        let expected = linear.positions[v].lerp(dual.positions[v], v as f32 / 71.0);
        assert!(shared.positions[v].distance(expected) < 1e-6, "vertex {v}");
    }
}

#[test]
fn morph_targets_are_blended_before_skinning() {
    let mut character = rod(5, 8);
    let offsets: Vec<Vec3> = (0..40).map(|v| Vec3::new(0.0, 0.01 * v as f32, 0.1)).collect();
    let target = MorphTarget { positions: offsets.clone(), ..MorphTarget::default() };
    let mut pose = character.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_z(1.0);
    let mut moved = character.clone();
    for (p, o) in moved.parts[0].mesh.positions.iter_mut().zip(&offsets) {
        *p += *o * 0.5;
    }
    let expected = deform(&moved, SkinMethod::DualQuaternion, &pose);
    character.parts[0].mesh.morphs = vec![target];
    character.base_pose.morphs = vec![0.0];
    pose.morphs = vec![0.5];
    let found = deform(&character, SkinMethod::DualQuaternion, &pose);
    for (p, q) in found.positions.iter().zip(&expected.positions) {
        assert!(p.distance(*q) < 1e-6);
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_byte() {
    let character = rod(401, 64);
    let mut pose = character.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_z(1.2);
    let with_threads = |threads: usize, method| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| deform(&character, method, &pose))
    };
    for method in SkinMethod::ALL {
        let one = with_threads(1, method);
        for threads in [2, 3, 7] {
            assert!(one == with_threads(threads, method), "{method} with {threads} threads");
        }
    }
}

/// A character whose first part begins with vertices without faces. All normals are the same.
fn after_loose_vertices(character: &Character, count: usize) -> Character {
    let mut shifted = character.clone();
    let Part { mesh, binding, .. } = &mut shifted.parts[0];
    let mut positions: Vec<Vec3> = (0..count).map(|k| Vec3::new(0.0, 0.1 * k as f32, 0.05)).collect();
    positions.extend(&mesh.positions);
    let faces = mesh.faces.iter().map(|face| face.map(|v| v + count as u32)).collect();
    *mesh = Mesh::new("rod after loose vertices", positions, faces);
    mesh.normals = vec![Vec3::X; mesh.positions.len()];
    let mut weights = Weights::rigid(count, 0);
    binding.weights.rows().for_each(|row| weights.push(row.to_vec()));
    binding.weights = weights;
    shifted
}

/// The vector forms are chosen by CPU and by how many vertices are left over; each must agree with
/// its neighbours to the last bit.
#[test]
fn a_vertex_does_not_depend_on_its_place_in_the_batch() {
    let character = rod(9, 9);
    let mut pose = character.rest_pose();
    pose.joints[1].rotation = DQuat::from_rotation_z(1.2);
    for method in SkinMethod::ALL {
        let alone = deform(&after_loose_vertices(&character, 0), method, &pose);
        for first in 1..4 {
            let shifted = deform(&after_loose_vertices(&character, first), method, &pose);
            assert_eq!(shifted.positions[first..], alone.positions, "{method} from {first}");
            assert_eq!(shifted.normals[first..], alone.normals, "{method} from {first}");
        }
    }
}

/// The character with the vertices of its first part in another order: the vertex `order[k]` becomes the k-th.
fn reordered(character: &Character, order: &[usize]) -> Character {
    fn pick<T: Copy>(values: &[T], order: &[usize]) -> Vec<T> {
        if values.is_empty() { Vec::new() } else { order.iter().map(|&v| values[v]).collect() }
    }
    let mut character = character.clone();
    let Part { mesh, binding, .. } = &mut character.parts[0];
    let mut number = vec![0; order.len()];
    order.iter().enumerate().for_each(|(k, &v)| number[v] = k as u32);
    mesh.positions = pick(&mesh.positions, order);
    mesh.normals = pick(&mesh.normals, order);
    mesh.tangents = pick(&mesh.tangents, order);
    for MorphTarget { positions, normals, tangents, .. } in &mut mesh.morphs {
        [positions, normals, tangents].into_iter().for_each(|values| *values = pick(values, order));
    }
    mesh.faces.iter_mut().for_each(|face| *face = face.map(|v| number[v as usize]));
    let mut weights = Weights::default();
    order.iter().for_each(|&v| weights.push(binding.weights.row(v).to_vec()));
    binding.weights = weights;
    if let Some(shares) = &mut binding.dual_quaternion_share {
        *shares = pick(shares, order);
    }
    character
}

/// A long chain with the joints of each vertex close by, morph targets and all; some 9000 vertices, so that there are
/// whole windows and a rest.
fn chain() -> Character {
    let count = 9001;
    let joints = (0..40).map(|j: usize| Joint {
        name: format!("joint {j}"),
        parent: j.checked_sub(1),
        rest: Transform::from_translation(DVec3::Y * 0.25),
        ..Joint::default()
    });
    let (skeleton, _) = Skeleton::new(joints.collect()).unwrap();
    let wave = |v: usize, k: f32| (k * v as f32).sin();
    let positions: Vec<Vec3> =
        (0..count).map(|v| Vec3::new(wave(v, 0.1), v as f32 * 10.0 / count as f32, wave(v, 0.17))).collect();
    let mut weights = Weights::default();
    for v in 0..count {
        let first = v * 38 / count;
        let influence = |k: usize| Influence { joint: (first + k) as u32, weight: 1.1 + wave(v, 0.3 + k as f32) };
        weights.push((0..1 + v % 3).map(influence));
    }
    weights.repair("chain").unwrap();
    let faces = (0..count as u32 - 2).map(|k| Face::triangle(k, k + 1, k + 2)).collect();
    let mut mesh = Mesh::new("chain", positions, faces);
    mesh.normals = (0..count).map(|v| Vec3::new(wave(v, 0.1), 0.1, wave(v, 0.17)).normalize()).collect();
    mesh.tangents = (0..count).map(|v| Vec3::Y.extend(wave(v, 1.7).signum())).collect();
    let offsets = |k: f32| (0..count).map(|v| 0.1 * Vec3::new(wave(v, k), 0.0, 0.3)).collect::<Vec<_>>();
    let target = MorphTarget {
        positions: offsets(0.3),
        normals: offsets(0.5),
        tangents: offsets(0.7),
        ..MorphTarget::default()
    };
    mesh.morphs = vec![target];
    let inverse_bind = skeleton.rest_world().iter().map(DAffine3::inverse).collect();
    let binding = Binding { joints: (0..40).collect(), inverse_bind, weights, dual_quaternion_share: None };
    let mut base_pose = skeleton.rest_pose();
    base_pose.morphs = vec![0.0];
    Character {
        base_pose,
        skeleton,
        parts: vec![Part { node: 0, skinned: true, mesh, binding }],
        ..Character::default()
    }
}

/// The stage packs vertices in an order of its own, which must not show: every vertex of a shuffled character has the
/// bits that it has in the file's order.
#[test]
fn the_order_of_the_vertices_does_not_change_a_byte() {
    let mut character = chain();
    let count = character.vertex_count();
    let mut pose = character.base_pose.clone();
    pose.joints.iter_mut().skip(1).for_each(|joint| joint.rotation = DQuat::from_rotation_z(0.1));
    pose.joints[7].scale = DVec3::new(1.0, 0.5, 2.0);
    let shuffled: Vec<usize> = (0..count).map(|k| k * 4001 % count).collect();
    let reversed: Vec<usize> = (0..count).rev().collect();
    let bits = |surface: &Surface, v: usize| {
        let (p, n, t) = (surface.positions[v], surface.normals[v], surface.tangents[v]);
        [p.x, p.y, p.z, n.x, n.y, n.z, t.x, t.y, t.z, t.w].map(f32::to_bits)
    };
    for has_shares in [false, true] {
        let shares = (0..count).map(|v| v as f32 / count as f32).collect();
        character.parts[0].binding.dual_quaternion_share = has_shares.then_some(shares);
        for (method, weight) in SkinMethod::ALL.into_iter().flat_map(|method| [(method, 0.0), (method, 0.7)]) {
            pose.morphs[0] = weight;
            let expected = deform(&character, method, &pose);
            for order in [&shuffled, &reversed] {
                let found = deform(&reordered(&character, order), method, &pose);
                for (k, &v) in order.iter().enumerate() {
                    assert_eq!(bits(&found, k), bits(&expected, v), "{method}, vertex {v}, morph {weight}");
                }
            }
        }
    }
}

#[test]
fn bad_characters_are_refused_by_name() {
    let refuse = |change: fn(&mut Character), expected: &str| {
        let mut character = rod(5, 8);
        change(&mut character);
        let error = Stack::new(&character, &Recipe::default()).expect_err("an error").to_string();
        assert!(error.contains(expected), "{error}");
    };
    refuse(|c| c.parts[0].mesh.positions[3].y = f32::NAN, "position of vertex 3 is not finite");
    refuse(|c| c.parts[0].mesh.faces[0] = Face::triangle(0, 1, 99), "names vertex 99");
    refuse(|c| c.parts[0].binding.weights = Weights::rigid(40, 7), "weighted to joint 7");
    refuse(|c| c.parts[0].binding.weights = Weights::rigid(39, 0), "39 entries");
    refuse(
        |c| {
            c.parts[0].binding.weights = Weights::default();
            (0..40).for_each(|_| c.parts[0].binding.weights.push([]));
        },
        "40 vertices have no weight",
    );
    refuse(|c| c.parts[0].binding.joints[0] = 5, "names joint 5");
    refuse(|c| c.parts[0].binding.inverse_bind[1].translation.x = f64::NAN, "inverse bind matrix");
    refuse(|c| c.parts[0].binding.dual_quaternion_share = Some(vec![1.5; 40]), "not 0 to 1");
    refuse(|c| c.parts[0].mesh.primitives[0].vertices.start = 1, "primitives");
    refuse(|c| c.parts[0].binding.inverse_bind.clear(), "inverse bind");
    refuse(|c| c.base_pose.joints[1].scale.x = f64::INFINITY, "\"upper\"");
    refuse(|c| c.base_pose.joints.clear(), "base pose");
}

#[test]
fn an_empty_character_gives_an_empty_surface() {
    let surface = deform(&Character::default(), SkinMethod::Linear, &Pose::default());
    assert_eq!(surface, Surface::default());
    let mut empty = rod(2, 3);
    empty.parts[0].mesh = Mesh::new("empty", vec![], vec![]);
    empty.parts[0].binding.weights = Weights::default();
    for method in SkinMethod::ALL {
        assert!(deform(&empty, method, &empty.rest_pose()).positions.is_empty());
    }
}

#[test]
fn a_mirrored_joint_is_mirrored() {
    let character = rod(3, 4);
    let mut pose = character.rest_pose();
    pose.joints[0].scale = DVec3::new(-1.0, 1.0, 1.0);
    let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    for method in SkinMethod::ALL {
        let surface = deform(&character, method, &pose);
        for (p, q) in surface.positions.iter().zip(&character.parts[0].mesh.positions) {
            assert!((p.as_dvec3() - mirror * q.as_dvec3()).length() < 1e-6, "{method}");
        }
    }
}
