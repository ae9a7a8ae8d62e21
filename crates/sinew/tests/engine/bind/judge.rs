//! What any binding has to satisfy, and how far two bindings are apart.

use sinew::bind::{BindMethod, BindOptions, Bound, bind, weighted_joints};
use sinew::rig::{Character, Influence};

/// The weights of a vertex by joint of the skeleton.
pub type Row = Vec<(usize, f64)>;

pub fn options(influences: usize) -> BindOptions {
    BindOptions { method: BindMethod::Geodesic, influences }
}

/// A character bound to all its joints, with weights that were found to be sound.
pub fn bound(character: &Character, options: &BindOptions) -> Character {
    let Bound { character, report } = bind(character, &weighted_joints(character), options, &mut |_| {}).unwrap();
    check(&character, options.influences);
    assert_eq!((report.vertices, report.weighted), (character.vertex_count(), character.vertex_count()));
    character
}

/// Every vertex has some joints, not more than asked for, with finite shares ≥ 0 that sum to one.
pub fn check(character: &Character, influences: usize) {
    for part in &character.parts {
        assert!(part.skinned, "{} is not bound", part.mesh.name);
        assert_eq!(part.binding.weights.len(), part.mesh.positions.len());
        for (vertex, row) in part.binding.weights.rows().enumerate() {
            let sum: f64 = row.iter().map(|i| f64::from(i.weight)).sum();
            let is_share = |i: &Influence| i.weight.is_finite() && i.weight >= 0.0;
            assert!((1..=influences).contains(&row.len()), "vertex {vertex} of {}: {row:?}", part.mesh.name);
            assert!(row.iter().all(is_share), "vertex {vertex} of {}: {row:?}", part.mesh.name);
            assert!((sum - 1.0).abs() < 1e-5, "vertex {vertex} of {}: {row:?}", part.mesh.name);
        }
    }
    character.check().unwrap();
}

/// The weights of all vertices of all parts.
pub fn rows(character: &Character) -> Vec<Row> {
    let of_part = |part: &sinew::rig::Part| {
        let row = |row: &[Influence]| {
            let mut row: Row =
                row.iter().map(|i| (part.binding.joints[i.joint as usize], f64::from(i.weight))).collect();
            row.sort_by_key(|&(joint, _)| joint);
            row
        };
        part.binding.weights.rows().map(row).collect::<Vec<Row>>()
    };
    character.parts.iter().flat_map(of_part).collect()
}

/// The weight of a joint.
pub fn weight(row: &Row, joint: usize) -> f64 {
    row.iter().find(|&&(other, _)| other == joint).map_or(0.0, |&(_, weight)| weight)
}

/// The joint with the largest weight.
pub fn largest(row: &Row) -> usize {
    row.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("a weight").0
}

/// Half the sum of differences, 0 to 1.
pub fn difference(a: &Row, b: &Row) -> f64 {
    let common: f64 = a.iter().map(|&(joint, weight_a)| (weight_a - weight(b, joint)).abs()).sum();
    let only_b: f64 = b.iter().filter(|&&(joint, _)| weight(a, joint) == 0.0).map(|&(_, weight)| weight).sum();
    0.5 * (common + only_b)
}

/// Mean and largest of some differences.
#[derive(Debug, Clone, Copy, Default)]
pub struct Differences {
    pub mean: f64,
    pub largest: f64,
    /// Where in the list the largest is.
    pub at: usize,
}

impl Differences {
    pub fn new(differences: impl IntoIterator<Item = f64>) -> Self {
        let mut all = Self::default();
        let mut count = 0usize;
        for difference in differences {
            if difference > all.largest {
                (all.largest, all.at) = (difference, count);
            }
            all.mean += difference;
            count += 1;
        }
        all.mean /= count.max(1) as f64;
        all
    }
}
