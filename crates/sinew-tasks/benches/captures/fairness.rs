//! How rough does a pose make the skin?
//!
//! The change of mean curvature `H = n · Σ c (xᵢ − xⱼ) / 2A` from rest to the pose, times the height of the character, at
//! points of joints that bend. Points near lines of contact, where skin folds, do not count. The figure is the 95th
//! percentile.

use glam::{DAffine3, DVec3, Vec3};
use sinew::geometry::{Face, SurfaceLaplacian, Topology, Winding};
use sinew::rig::Part;

/// The least weight of a joint that moves a point with another.
const SHARED: f32 = 0.05;

/// The least angle between two joints since rest, in radians, for what is between them to be bent.
const BENT: f64 = 0.35;

/// The distance from other skin below which a point is in contact, as a share of the height.
const NEAR: f64 = 0.02;

/// Edges from a point in contact to the last that does not count.
const RINGS: usize = 2;

/// A part at rest.
pub struct Fairness {
    topology: Topology,
    winding: Winding,
    /// The two joints that move each point most, where there are two.
    joints: Vec<Option<[usize; 2]>>,
    rest: Vec<f64>,
    height: f64,
}

impl Fairness {
    pub fn new(part: &Part) -> Self {
        let positions = &part.mesh.positions;
        let topology = Topology::new(positions, &part.mesh.faces);
        let two = |&v: &u32| {
            let mut row = part.binding.weights.row(v as usize).to_vec();
            row.retain(|influence| influence.weight > SHARED);
            row.sort_by(|a, b| b.weight.total_cmp(&a.weight));
            let joint = |k: usize| Some(part.binding.joints[row.get(k)?.joint as usize]);
            Some([joint(0)?, joint(1)?])
        };
        let ends = positions.iter().fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[a, b], &p| [a.min(p), b.max(p)]);
        Self {
            joints: topology.representatives().iter().map(two).collect(),
            rest: curvatures(&topology, positions).0,
            winding: Winding::new(&topology, positions),
            height: f64::from((ends[1] - ends[0]).max_element()),
            topology,
        }
    }

    /// The change of curvature at each point that counts in a pose, given what each joint did since rest.
    pub fn changes(&mut self, motions: &[DAffine3], positions: &[Vec3]) -> Vec<f64> {
        self.winding.follow(positions);
        let (posed, normals) = curvatures(&self.topology, positions);
        let mut is_left_out = vec![false; posed.len()];
        self.winding.penetrating().iter().for_each(|&v| is_left_out[v as usize] = true);
        let (near, mut found) = (NEAR * self.height, Vec::new());
        for (k, &vertex) in self.topology.representatives().iter().enumerate() {
            let (from, out) = (positions[vertex as usize].as_dvec3(), self.winding.orientation() * normals[k]);
            self.winding.segment_intersections(from + 1e-2 * near * out, from + near * out, &mut found);
            is_left_out[k] |= !found.is_empty();
        }
        for _ in 0..RINGS {
            let before = is_left_out.clone();
            for (i, j) in self.topology.faces().iter().flat_map(Face::edges) {
                is_left_out[i as usize] |= before[j as usize];
                is_left_out[j as usize] |= before[i as usize];
            }
        }
        let turn = |joint: usize| sinew::geometry::polar(motions[joint].matrix3).0;
        let is_bent =
            |k: &usize| self.joints[*k].is_some_and(|[one, other]| turn(one).angle_between(turn(other)) > BENT);
        let counts = (0..posed.len()).filter(|&k| !is_left_out[k]).filter(is_bent);
        counts.map(|k| self.height * (posed[k] - self.rest[k]).abs()).collect()
    }
}

/// The number that so many of all are below.
pub fn percentile(numbers: &mut [f64], share: f64) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get((share * numbers.len() as f64) as usize).copied().unwrap_or(0.0)
}

/// The mean curvature at each welded point, and its normal.
fn curvatures(topology: &Topology, positions: &[Vec3]) -> (Vec<f64>, Vec<DVec3>) {
    let points: Vec<DVec3> = topology.representatives().iter().map(|&v| positions[v as usize].as_dvec3()).collect();
    let mut normals = vec![DVec3::ZERO; points.len()];
    for [a, b, c] in topology.faces().iter().flat_map(Face::triangles) {
        let [p, q, r] = [a, b, c].map(|v| points[v as usize]);
        [a, b, c].into_iter().for_each(|v| normals[v as usize] += (q - p).cross(r - p));
    }
    normals.iter_mut().for_each(|normal| *normal = normal.normalize_or_zero());
    let laplacian = SurfaceLaplacian::new(&points, topology.faces());
    let mut sums = vec![DVec3::ZERO; points.len()];
    for (&(i, j), &c) in laplacian.edges().iter().zip(laplacian.weights()) {
        let along = c * (points[i as usize] - points[j as usize]);
        sums[i as usize] += along;
        sums[j as usize] -= along;
    }
    let curvature = |k: usize| match laplacian.areas()[k] {
        area if area > 0.0 => sums[k].dot(normals[k]) / (2.0 * area),
        _ => 0.0,
    };
    ((0..points.len()).map(curvature).collect(), normals)
}
