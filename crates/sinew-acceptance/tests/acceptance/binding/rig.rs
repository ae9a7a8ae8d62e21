//! What the metric sees of a character: welded vertices with dense weights, and the joints of its skin where they were
//! bound, all in the space of the mesh.

use glam::{DMat3, DVec3, Vec3};
use sinew::rig::{Character, Part};
use sinew_testing::shared_data;
use std::collections::HashMap;

/// A joint with less than this everywhere does not deform.
const LEAST_WEIGHT: f64 = 1e-3;

/// The characters that were measured, those first whose weights are not heat's own.
pub const INDEPENDENT: [&str; 3] = ["makehuman_male_cmu31", "Fox", "RiggedFigure"];

/// The others, whose authored weights are or may be those of bone heat, touched up.
pub const LIKE_HEAT: [&str; 7] = [
    "CesiumMan",
    "RiggedSimple",
    "quaternius_KnightCharacter",
    "quaternius_Trex",
    "spot_rigged",
    "kaykit_Knight",
    "RobotExpressive",
];

/// A character of the shared set; none where that is absent.
pub fn load(name: &str) -> Option<Character> {
    let path = shared_data::folder()?.join("gltf").join(format!("{name}.glb"));
    Some(sinew_io::load(&path).unwrap().character)
}

pub struct Rig {
    /// Of the welded vertices, part by part.
    pub positions: Vec<DVec3>,
    /// For each of them its copies, as part and vertex.
    copies: Vec<Vec<(usize, usize)>>,
    /// For each joint of the skin its nearest ancestor in the skin.
    pub parents: Vec<Option<usize>>,
    /// Where each joint was bound.
    pub places: Vec<DVec3>,
    /// Its axes, each of unit length, as columns.
    pub axes: Vec<DMat3>,
    /// Whether it moves a vertex.
    pub deforms: Vec<bool>,
    /// Whether it or a joint below it does.
    pub is_built: Vec<bool>,
    /// Of the box around all vertices.
    pub diagonal: f64,
    /// The weights of the file: a row of all joints for each welded vertex.
    pub authored: Vec<Vec<f64>>,
}

impl Rig {
    /// The skinned parts, which share one list of joints.
    pub fn new(character: &Character) -> Self {
        let binding = &skinned(character).next().expect("a skinned part").1.binding;
        assert!(skinned(character).all(|(_, part)| part.binding.joints == binding.joints));
        let parents = parents(character, &binding.joints);
        let bind = binding.inverse_bind.iter().map(|inverse| inverse.inverse());
        let (places, axes): (Vec<DVec3>, Vec<DMat3>) = bind.map(|m| (m.translation, unit_columns(m.matrix3))).unzip();
        let (positions, copies) = welded(character);
        let low = positions.iter().copied().reduce(DVec3::min).expect("a vertex");
        let high = positions.iter().copied().reduce(DVec3::max).expect("a vertex");
        let mut rig = Self {
            positions,
            copies,
            deforms: vec![false; parents.len()],
            is_built: vec![false; parents.len()],
            parents,
            places,
            axes,
            diagonal: low.distance(high),
            authored: Vec::new(),
        };
        rig.authored = rig.weights(character);
        for joint in 0..rig.joint_count() {
            rig.deforms[joint] = rig.authored.iter().any(|row| row[joint] > LEAST_WEIGHT);
            if rig.deforms[joint] {
                rig.up_from(joint).collect::<Vec<_>>().into_iter().for_each(|above| rig.is_built[above] = true);
            }
        }
        rig
    }

    pub fn joint_count(&self) -> usize {
        self.parents.len()
    }

    /// The joint and all above it.
    pub fn up_from(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(joint), |&joint| self.parents[joint])
    }

    /// The weights of a character with the same meshes: for each welded vertex the mean of its copies, made to sum
    /// to one.
    pub fn weights(&self, character: &Character) -> Vec<Vec<f64>> {
        let mean = |copies: &Vec<(usize, usize)>| {
            let mut row = vec![0.0; self.joint_count()];
            for &(part, vertex) in copies {
                let influences = character.parts[part].binding.weights.row(vertex);
                let sum: f64 = influences.iter().map(|i| f64::from(i.weight)).sum();
                influences.iter().for_each(|i| row[i.joint as usize] += f64::from(i.weight) / sum);
            }
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|weight| *weight /= sum);
            row
        };
        self.copies.iter().map(mean).collect()
    }
}

fn skinned(character: &Character) -> impl Iterator<Item = (usize, &Part)> {
    character.parts.iter().enumerate().filter(|(_, part)| part.skinned)
}

/// For each joint of a skin its nearest ancestor in the skin.
fn parents(character: &Character, joints: &[usize]) -> Vec<Option<usize>> {
    let slots: HashMap<usize, usize> = joints.iter().copied().zip(0..).collect();
    let above = |joint: usize| character.skeleton.joints()[joint].parent;
    let nearest = |&joint: &usize| {
        let mut chain = std::iter::successors(above(joint), |&joint| above(joint));
        chain.find_map(|joint| slots.get(&joint).copied())
    };
    joints.iter().map(nearest).collect()
}

fn unit_columns(m: DMat3) -> DMat3 {
    DMat3::from_cols(m.x_axis.normalize(), m.y_axis.normalize(), m.z_axis.normalize())
}

/// Positions that are identical within a part become one.
fn welded(character: &Character) -> (Vec<DVec3>, Vec<Vec<(usize, usize)>>) {
    let mut positions = Vec::new();
    let mut copies: Vec<Vec<(usize, usize)>> = Vec::new();
    for (index, part) in skinned(character) {
        let mut numbers: HashMap<[u32; 3], usize> = HashMap::new();
        for (vertex, &position) in part.mesh.positions.iter().enumerate() {
            // Adding zero turns −0 into +0.
            let key = (position + Vec3::ZERO).to_array().map(f32::to_bits);
            let number = *numbers.entry(key).or_insert_with(|| {
                positions.push(position.as_dvec3());
                copies.push(Vec::new());
                positions.len() - 1
            });
            copies[number].push((index, vertex));
        }
    }
    (positions, copies)
}
