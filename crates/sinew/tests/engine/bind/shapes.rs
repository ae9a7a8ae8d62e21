//! Bodies and skeletons made by code.

use glam::{DVec3, Vec3};
use sinew::geometry::{Face, Mesh};
use sinew::rig::{Binding, Character, Joint, JointKind, Part, Skeleton, Transform};
use std::collections::HashMap;
use std::f64::consts::TAU;

/// A joint with the parent it hangs on, where it is and where its bone ends if it is a leaf.
pub struct Bone {
    pub name: &'static str,
    pub parent: Option<usize>,
    pub head: DVec3,
    pub tail: Option<DVec3>,
}

/// A joint without parent, with a bone of its own.
pub fn lone_bone(name: &'static str, head: DVec3, tail: DVec3) -> Bone {
    Bone { name, parent: None, head, tail: Some(tail) }
}

/// Joints whose frames are parallel to the world's.
pub fn joints(bones: &[Bone]) -> Vec<Joint> {
    let joint = |bone: &Bone| Joint {
        name: bone.name.into(),
        parent: bone.parent,
        rest: Transform::from_translation(bone.head - bone.parent.map_or(DVec3::ZERO, |parent| bones[parent].head)),
        tip: bone.tail.map(|tail| tail - bone.head),
        ..Joint::default()
    };
    bones.iter().map(joint).collect()
}

/// Meshes that are not bound yet beside joints that come first in the skeleton; each mesh follows a plain node at the
/// origin.
pub fn unbound(meshes: Vec<Mesh>, mut joints: Vec<Joint>) -> Character {
    let node = joints.len();
    joints.push(Joint { name: "meshes".into(), kind: JointKind::Node, ..Joint::default() });
    let (skeleton, _) = Skeleton::new(joints).unwrap();
    let part = |mesh: Mesh| {
        let binding = Binding::rigid(node, mesh.positions.len());
        Part { node, skinned: false, mesh, binding }
    };
    Character {
        base_pose: skeleton.rest_pose(),
        skeleton,
        parts: meshes.into_iter().map(part).collect(),
        ..Character::default()
    }
}

/// The meshes and the joints of a character that was bound where both stand, without its weights.
pub fn stripped(character: &Character) -> Character {
    unbound(character.parts.iter().map(|part| part.mesh.clone()).collect(), character.skeleton.joints().to_vec())
}

/// `count + 1` numbers from one to another.
pub fn steps(from: f64, to: f64, count: usize) -> Vec<f64> {
    (0..=count).map(|k| from + (to - from) * k as f64 / count as f64).collect()
}

/// The closed surface of those cells of a grid, given by its lines along the three axes, whose centres are filled.
pub fn solid(lines: [&[f64]; 3], is_filled: impl Fn(DVec3) -> bool) -> (Vec<DVec3>, Vec<Face>) {
    let cells = lines.map(|line| line.len() as i32 - 1);
    let filled = |cell: [i32; 3]| {
        let center = |k: usize| 0.5 * (lines[k][cell[k] as usize] + lines[k][cell[k] as usize + 1]);
        (0..3).all(|k| (0..cells[k]).contains(&cell[k])) && is_filled(DVec3::new(center(0), center(1), center(2)))
    };
    let mut numbers: HashMap<[i32; 3], u32> = HashMap::new();
    let mut positions = Vec::new();
    let mut corner = |at: [i32; 3]| {
        *numbers.entry(at).or_insert_with(|| {
            positions.push(DVec3::from([0, 1, 2].map(|k| lines[k][at[k] as usize])));
            positions.len() as u32 - 1
        })
    };
    let mut faces = Vec::new();
    let all = (0..cells[0]).flat_map(|i| (0..cells[1]).flat_map(move |j| (0..cells[2]).map(move |k| [i, j, k])));
    for cell in all.filter(|&cell| filled(cell)) {
        for axis in 0..3 {
            for side in [0, 1] {
                let mut beyond = cell;
                beyond[axis] += 2 * side - 1;
                if filled(beyond) {
                    continue;
                }
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut ring = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[a, b]| {
                    let mut at = cell;
                    (at[axis], at[u], at[v]) = (at[axis] + side, at[u] + a, at[v] + b);
                    corner(at)
                });
                if side == 0 {
                    ring.reverse();
                }
                faces.push(Face::quad(ring[0], ring[1], ring[2], ring[3]));
            }
        }
    }
    (positions, faces)
}

/// Takes the edge off corners: each round moves every vertex halfway to the mean of its neighbours.
pub fn relax(positions: &mut [DVec3], faces: &[Face], rounds: usize) {
    for _ in 0..rounds {
        let mut sums = vec![(DVec3::ZERO, 0.0); positions.len()];
        for (a, b) in faces.iter().flat_map(Face::edges) {
            sums[a as usize].0 += positions[b as usize];
            sums[a as usize].1 += 1.0;
        }
        for (position, (sum, count)) in positions.iter_mut().zip(sums) {
            *position = position.lerp(sum / count, 0.5);
        }
    }
}

/// The positions of all parts.
pub fn positions(character: &Character) -> Vec<Vec3> {
    character.parts.iter().flat_map(|part| part.mesh.positions.iter().copied()).collect()
}

pub fn mesh(name: &str, positions: &[DVec3], faces: Vec<Face>) -> Mesh {
    Mesh::new(name, positions.iter().map(|p| p.as_vec3()).collect(), faces)
}

/// A box with rounded edges, of cells about this wide.
pub fn block(name: &str, low: DVec3, high: DVec3, cell: f64) -> Mesh {
    let counts = ((high - low) / cell).round().max(DVec3::ONE);
    let [x, y, z] = [0, 1, 2].map(|k| steps(low[k], high[k], counts[k] as usize));
    let (mut positions, faces) = solid([&x, &y, &z], |_| true);
    relax(&mut positions, &faces, 2);
    mesh(name, &positions, faces)
}

/// A cylinder of radius 1 along z; closed by caps, or open at both ends.
pub fn tube([low, high]: [f64; 2], rings: u32, around: u32, is_closed: bool) -> Mesh {
    let at = |ring: u32, k: u32| ring * around + k % around;
    let mut positions: Vec<Vec3> = Vec::new();
    for z in steps(low, high, rings as usize - 1) {
        positions.extend((0..around).map(|k| {
            let (sine, cosine) = (TAU * f64::from(k) / f64::from(around)).sin_cos();
            DVec3::new(cosine, sine, z).as_vec3()
        }));
    }
    let mut faces: Vec<Face> = (0..rings - 1)
        .flat_map(|r| (0..around).map(move |k| Face::quad(at(r, k), at(r, k + 1), at(r + 1, k + 1), at(r + 1, k))))
        .collect();
    if is_closed {
        let [first, last] = [positions.len() as u32, positions.len() as u32 + 1];
        positions.extend([low, high].map(|z| Vec3::Z * z as f32));
        for k in 0..around {
            faces.push(Face::triangle(first, at(0, k + 1), at(0, k)));
            faces.push(Face::triangle(last, at(rings - 1, k), at(rings - 1, k + 1)));
        }
    }
    Mesh::new("tube", positions, faces)
}

/// Two bones along z that meet at z = 5, for a tube from 0 to 10.
pub fn two_bones() -> Vec<Joint> {
    joints(&[
        Bone { name: "root", parent: None, head: DVec3::ZERO, tail: None },
        Bone { name: "bend", parent: Some(0), head: DVec3::Z * 5.0, tail: Some(DVec3::Z * 10.0) },
    ])
}

/// A doll of loose parts, as game characters are: the limbs stick in the trunk, the head floats on it, and the skirt is
/// a sheet.
pub fn doll() -> Character {
    let v = DVec3::new;
    let limb = |name, x: f64, low: f64, high: f64| block(name, v(x - 0.12, low, -0.12), v(x + 0.12, high, 0.12), 0.06);
    let mut skirt = tube([0.0, 1.0], 9, 24, false);
    skirt.name = "skirt".into();
    skirt.positions.iter_mut().for_each(|p| *p = Vec3::new(0.55 * p.x, 1.2 - 0.5 * p.z, 0.4 * p.y));
    let meshes = vec![
        block("trunk", v(-0.4, 0.9, -0.25), v(0.4, 2.0, 0.25), 0.1),
        block("head", v(-0.25, 2.02, -0.25), v(0.25, 2.5, 0.25), 0.1),
        limb("left arm", 0.45, 1.3, 1.9),
        limb("right arm", -0.45, 1.3, 1.9),
        limb("left leg", 0.2, 0.0, 1.0),
        limb("right leg", -0.2, 0.0, 1.0),
        skirt,
    ];
    let leaf = |name, parent, head, tail| Bone { name, parent: Some(parent), head, tail: Some(tail) };
    let bones = [
        Bone { name: "hips", parent: None, head: v(0.0, 1.0, 0.0), tail: None },
        Bone { name: "chest", parent: Some(0), head: v(0.0, 1.4, 0.0), tail: None },
        leaf("head", 1, v(0.0, 1.93, 0.0), v(0.0, 2.45, 0.0)),
        leaf("left arm", 1, v(0.45, 1.8, 0.0), v(0.45, 1.35, 0.0)),
        leaf("right arm", 1, v(-0.45, 1.8, 0.0), v(-0.45, 1.35, 0.0)),
        leaf("left leg", 0, v(0.2, 0.95, 0.0), v(0.2, 0.05, 0.0)),
        leaf("right leg", 0, v(-0.2, 0.95, 0.0), v(-0.2, 0.05, 0.0)),
    ];
    unbound(meshes, joints(&bones))
}
