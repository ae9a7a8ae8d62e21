//! Skinning weights: the joints that move each vertex, and how much.

use crate::{Error, Result};
use sinew_geometry::{InterpolationMatrix, Rows};

/// One joint's share in a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Influence {
    /// Index in the binding's list of joints.
    pub joint: u32,
    /// Its share, 0 to 1.
    pub weight: f32,
}

/// The changes of [`Weights::repair`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Repairs {
    /// Vertices with a negative weight, set to zero.
    pub negative: usize,
    /// Vertices whose weights did not sum to one within 1e-3, rescaled.
    pub rescaled: usize,
}

/// Any number of influences per vertex, as compressed sparse rows.
#[derive(Debug, Clone)]
pub struct Weights {
    rows: Rows<Influence>,
    authored_sums: Option<(f32, f32)>,
}

impl Default for Weights {
    fn default() -> Self {
        Self::with_capacity(0, 0)
    }
}

/// Weights are equal if their influences are; the sums before a repair do not count.
impl PartialEq for Weights {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows
    }
}

impl Weights {
    /// Weights without vertices, with capacity for some.
    pub fn with_capacity(vertices: usize, influences: usize) -> Self {
        Self { rows: Rows::with_capacity(vertices, influences), authored_sums: None }
    }

    /// Every vertex follows the one joint entirely.
    pub fn rigid(vertices: usize, joint: u32) -> Self {
        Self { rows: Rows::singles(vec![Influence { joint, weight: 1.0 }; vertices]), authored_sums: None }
    }

    /// Appends a vertex. Zero weights are left out; several shares of one joint are added up.
    pub fn push(&mut self, row: impl IntoIterator<Item = Influence>) {
        let mut new = self.rows.begin_row();
        for influence in row {
            match new.values_mut().iter_mut().find(|i| i.joint == influence.joint) {
                Some(same) => same.weight += influence.weight,
                None if influence.weight != 0.0 => new.push(influence),
                None => {}
            }
        }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The influences of a vertex.
    pub fn row(&self, vertex: usize) -> &[Influence] {
        self.rows.row(vertex as u32)
    }

    /// The influences of each vertex in turn.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Influence]> {
        self.rows.iter()
    }

    /// The largest number of influences of any vertex.
    pub fn max_influences(&self) -> usize {
        self.rows().map(<[_]>::len).max().unwrap_or(0)
    }

    /// Smallest and largest sum of a vertex's weights before [`Weights::repair`].
    pub fn authored_sums(&self) -> (f32, f32) {
        self.authored_sums.unwrap_or_else(|| self.sum_range())
    }

    /// Counts a vertex with this sum whose weights were replaced.
    pub fn include_authored_sum(&mut self, sum: f32) {
        let (low, high) = self.authored_sums();
        self.authored_sums = Some((low.min(sum), high.max(sum)));
    }

    /// Smallest and largest sum of a vertex's weights; `(1, 1)` without vertices.
    pub fn sum_range(&self) -> (f32, f32) {
        let sums = self.rows().map(|row| row.iter().map(|i| i.weight).sum::<f32>());
        sums.fold(None, |range: Option<(f32, f32)>, sum| {
            Some(range.map_or((sum, sum), |(low, high)| (low.min(sum), high.max(sum))))
        })
        .unwrap_or((1.0, 1.0))
    }

    /// The weights of vertices that are copies of these, which each copy names.
    #[must_use]
    pub fn copied(&self, originals: impl ExactSizeIterator<Item = usize>) -> Self {
        let mut copied = Self::with_capacity(originals.len(), self.max_influences() * originals.len());
        originals.for_each(|vertex| copied.push(self.row(vertex).iter().copied()));
        Self { authored_sums: self.authored_sums, ..copied }
    }

    /// The weights at the vertices of a refined surface, joints in increasing order in each row.
    #[must_use]
    pub fn refined(&self, interpolation: &InterpolationMatrix) -> Self {
        let mut refined = Self::with_capacity(interpolation.len(), 4 * interpolation.len());
        let mut row: Vec<Influence> = Vec::new();
        for vertex in 0..interpolation.len() {
            row.clear();
            for &(old, share) in interpolation.row(vertex) {
                row.extend(self.row(old as usize).iter().map(|i| Influence { weight: i.weight * share, ..*i }));
            }
            row.sort_by_key(|i| i.joint);
            refined.push(row.iter().copied());
        }
        refined
    }

    /// The `limit` largest influences of each vertex, joints in increasing order, rescaled to sum to one;
    /// and the largest share that any vertex lost. Of equal influences the lower joint remains.
    #[must_use]
    pub fn pruned(&self, limit: usize) -> (Self, f32) {
        let mut pruned =
            Self::with_capacity(self.len(), self.rows.values().len().min(limit.saturating_mul(self.len())));
        let mut largest_loss = 0.0f64;
        let mut row: Vec<Influence> = Vec::new();
        for influences in self.rows() {
            row.clear();
            row.extend_from_slice(influences);
            let sum = |row: &[Influence]| row.iter().map(|i| f64::from(i.weight)).sum::<f64>();
            let before = sum(&row);
            row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
            row.truncate(limit);
            row.sort_by_key(|i| i.joint);
            let remaining = sum(&row);
            largest_loss = largest_loss.max(1.0 - remaining / before);
            pruned.push(row.iter().map(|i| Influence { weight: (f64::from(i.weight) / remaining) as f32, ..*i }));
        }
        (pruned, largest_loss as f32)
    }

    /// Makes every weight ≥ 0 and every vertex's sum 1, and counts the changes. Weights that are not finite and
    /// vertices without a positive weight cannot be repaired.
    pub fn repair(&mut self, mesh: &str) -> Result<Repairs> {
        self.authored_sums = Some(self.authored_sums());
        let mut repairs = Repairs::default();
        let mut weightless = None;
        let mut weightless_count = 0;
        for vertex in 0..self.len() {
            let row = self.rows.row_mut(vertex as u32);
            if row.iter().any(|i| !i.weight.is_finite()) {
                return Err(Error::WeightNotFinite { mesh: mesh.into(), vertex });
            }
            if row.iter().any(|i| i.weight < 0.0) {
                repairs.negative += 1;
                row.iter_mut().for_each(|i| i.weight = i.weight.max(0.0));
            }
            let sum: f64 = row.iter().map(|i| f64::from(i.weight)).sum();
            if sum <= 0.0 {
                weightless.get_or_insert(vertex);
                weightless_count += 1;
                continue;
            }
            if (sum - 1.0).abs() > 1e-3 {
                repairs.rescaled += 1;
            }
            // Sums within rounding of one do not change, so that weights survive a round trip.
            if (sum - 1.0).abs() > 1e-6 {
                row.iter_mut().for_each(|i| i.weight = (f64::from(i.weight) / sum) as f32);
            }
        }
        match weightless {
            Some(vertex) => Err(Error::Weightless { mesh: mesh.into(), vertex, count: weightless_count }),
            None => Ok(repairs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn weights(rows: &[Vec<(u32, f32)>]) -> Weights {
        let mut weights = Weights::default();
        for row in rows {
            weights.push(row.iter().map(|&(joint, weight)| Influence { joint, weight }));
        }
        weights
    }

    #[test]
    fn repeated_joints_add_up_and_zeros_vanish() {
        let w = weights(&[vec![(3, 0.25), (1, 0.0), (3, 0.5), (2, 0.25)]]);
        assert_eq!(w.row(0), [Influence { joint: 3, weight: 0.75 }, Influence { joint: 2, weight: 0.25 }]);
    }

    #[test]
    fn refined_weights_are_the_mean_of_their_face() {
        let face = sinew_geometry::Face::quad(0, 1, 2, 3);
        let step = sinew_geometry::subdivide::catmull_clark(4, &[face]);
        let refined = weights(&[vec![(2, 1.0)], vec![(1, 0.5), (2, 0.5)], vec![(1, 1.0)], vec![(0, 1.0)]])
            .refined(step.interpolation());
        let center = [(0, 0.25), (1, 0.375), (2, 0.375)].map(|(joint, weight)| Influence { joint, weight });
        assert_eq!(refined.row(4), center);
    }

    #[test]
    fn the_largest_stay_and_what_was_lost_is_known() {
        let w = weights(&[vec![(5, 0.25), (1, 0.125), (3, 0.25), (2, 0.375)], vec![(4, 1.0)]]);
        let (pruned, lost) = w.pruned(2);
        assert_eq!(pruned, weights(&[vec![(2, 0.6), (3, 0.4)], vec![(4, 1.0)]]));
        assert_eq!(lost, 0.375);
        assert_eq!(w.pruned(4).1, 0.0);
    }

    #[test]
    fn what_cannot_be_repaired_is_refused_by_name() {
        let nan = weights(&[vec![(0, 1.0)], vec![(0, f32::NAN)]]).repair("arm").unwrap_err();
        assert_eq!(nan, Error::WeightNotFinite { mesh: "arm".into(), vertex: 1 });
        let none = weights(&[vec![], vec![(0, 1.0)], vec![(0, -1.0)]]).repair("arm").unwrap_err();
        assert_eq!(none, Error::Weightless { mesh: "arm".into(), vertex: 0, count: 2 });
    }

    proptest! {
        #[test]
        fn repaired_weights_are_a_partition_of_unity(
            rows in prop::collection::vec(prop::collection::vec((0u32..8, -0.2f32..2.0), 1..12), 1..40)
        ) {
            let mut w = weights(&rows);
            if w.repair("mesh").is_ok() {
                for row in w.rows() {
                    prop_assert!(row.iter().all(|i| i.weight >= 0.0));
                    let sum: f64 = row.iter().map(|i| f64::from(i.weight)).sum();
                    prop_assert!((sum - 1.0).abs() < 2e-6, "{sum}");
                }
            }
        }
    }
}
