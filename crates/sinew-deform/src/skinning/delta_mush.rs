//! What direct delta mush knows of each vertex: moments of the rest surface around it, by joint.
//!
//! With the smooth means B of [`smoothing`](super::smoothing), rest points u and weights w, the moments of joint j about
//! the smoothed point `p_i` are
//!
//! ```text
//! ω_ij = Σ_k b_ik w_kj      a_ij = Σ_k b_ik w_kj (u_k − p_i)      S_ij = Σ_k b_ik w_kj (u_k − p_i)(u_k − p_i)ᵀ
//! ```
//!
//! `Σ_j ω_ij = 1` and `Σ_j a_ij = 0`. They are B applied to ten columns per joint, so that no row of B is ever written
//! down. The cost is that of a sparse factorisation and of two solves for each of these columns.

use super::smoothing::{Piece, WeldedSkin, limb_radii};
use crate::Result;
use glam::{DMat3, DVec3};
use sinew_geometry::parallel::*;
use sinew_geometry::{Mesh, Rows};
use sinew_rig::{Influence, Part, Skeleton, Weights};

/// Joints that are solved for at a time, which bounds the memory of the columns.
const JOINTS_AT_A_TIME: usize = 8;

/// Columns of a joint: `w (1, x, y, z, x², xy, xz, y², yz, z²)`.
const COLUMNS: usize = 10;

/// The share of a joint that is left out, and that the larger ones lose too: without the loss a vertex whose share is just
/// above would stand apart from its neighbour. Diffusion reaches everywhere; this ends it 1.8 radii, or six diffusion
/// lengths, beside a step of the weights.
const NEGLIGIBLE: f64 = 0.005;

/// How much of a vertex's spread is a ball, which follows the blended matrix of the joints. In a neighbourhood that is
/// flatter or narrower than one to ten, as of a strand, it decides the turn about the long axis, and elsewhere nothing.
const BALL: f64 = 0.01;

/// The least spread of a vertex, as a share of its squared distance from the middle of its piece. Moments about the middle
/// cancel to some 1e-15 of that, which is then a thousandth of the ball.
const LEAST_SPREAD: f64 = 1e-10;

/// A joint's moments at a vertex.
#[derive(Clone, Copy)]
pub(crate) struct JointMoments {
    /// Place in the binding's list.
    pub joint: u32,
    /// `ω`.
    pub weight: f64,
    /// `a`.
    pub arm: DVec3,
    /// `S`.
    pub spread: DMat3,
}

/// The moments of a part's vertices.
pub(crate) struct DeltaMush {
    /// The row of each vertex.
    number: Vec<u32>,
    centers: Vec<DVec3>,
    /// By row the joints that count, the largest weight first.
    moments: Rows<JointMoments>,
}

impl DeltaMush {
    pub fn new(part: &Part, skeleton: &Skeleton) -> Result<Self> {
        if let Some(joint) = only_joint(&part.binding.weights) {
            return Ok(Self::rigid(&part.mesh, joint));
        }
        let welded = WeldedSkin::new(part);
        let radii = limb_radii(&welded, part, skeleton);
        Self::with_radii(welded, &radii)
    }

    /// The moments of a mesh that follows one joint, as those of any piece that does.
    fn rigid(mesh: &Mesh, joint: u32) -> Self {
        let rows = mesh.positions.iter().map(|position| Moments::of_one(joint, position.as_dvec3()));
        Self::from_rows((0..mesh.positions.len() as u32).collect(), rows.collect())
    }

    /// The moments for limbs of these radii.
    fn with_radii(welded: WeldedSkin, radii: &[f64]) -> Result<Self> {
        let pieces = welded.pieces(radii);
        let moments: Vec<Vec<Moments>> =
            pieces.par_iter().map(|piece| moments_of(piece, &welded)).collect::<Result<_>>()?;
        let mut rows: Vec<Moments> = vec![Moments::default(); welded.positions.len()];
        for (piece, moments) in pieces.iter().zip(moments) {
            piece.members.iter().zip(moments).for_each(|(&member, moments)| rows[member as usize] = moments);
        }
        Ok(Self::from_rows(welded.number, rows))
    }

    fn from_rows(number: Vec<u32>, rows: Vec<Moments>) -> Self {
        let centers = rows.iter().map(|row| row.center).collect();
        Self { number, centers, moments: Rows::new(rows.into_iter().map(|row| row.joints)) }
    }

    /// The smoothed point `p` of a vertex.
    pub fn center(&self, vertex: usize) -> DVec3 {
        self.centers[self.number[vertex] as usize]
    }

    /// The moments of a vertex's joints, the largest weight first.
    pub fn row(&self, vertex: usize) -> &[JointMoments] {
        self.moments.row(self.number[vertex])
    }

    /// The smoothed weights of all vertices.
    pub fn weights(&self) -> Weights {
        let mut weights = Weights::with_capacity(self.number.len(), 4 * self.number.len());
        for vertex in 0..self.number.len() {
            weights.push(self.row(vertex).iter().map(|m| Influence { joint: m.joint, weight: m.weight as f32 }));
        }
        weights
    }
}

/// The joint that has all the weight; none where there are several.
fn only_joint(weights: &Weights) -> Option<u32> {
    let mut joints = weights.rows().flatten().map(|influence| influence.joint);
    let first = joints.next()?;
    joints.all(|joint| joint == first).then_some(first)
}

/// The moments at one vertex.
#[derive(Clone, Default)]
struct Moments {
    center: DVec3,
    joints: Vec<JointMoments>,
}

/// The moments at the members of a piece.
fn moments_of(piece: &Piece, welded: &WeldedSkin) -> Result<Vec<Moments>> {
    let position = |v: u32| welded.positions[v as usize];
    let rows = piece.members.iter().map(|&v| welded.weights.row(v));
    let mut joints: Vec<u32> = rows.clone().flatten().map(|influence| influence.joint).collect();
    joints.sort_unstable();
    joints.dedup();
    if let [joint] = joints[..] {
        return Ok(piece.members.iter().map(|&v| Moments::of_one(joint, position(v))).collect());
    }
    // Some joint has its part of the whole at least, however many there are.
    let negligible = NEGLIGIBLE.min(0.5 / joints.len() as f64);
    let size = piece.members.len();
    // About the middle of the piece, so that little cancels.
    let origin = piece.members.iter().map(|&v| position(v)).sum::<DVec3>() / size as f64;
    let mut smoother = piece.smoother()?;
    let mut sums: Vec<Vec<JointMoments>> = vec![Vec::new(); size];
    let mut columns = Vec::new();
    for group in joints.chunks(JOINTS_AT_A_TIME) {
        columns.clear();
        columns.resize(COLUMNS * size * group.len(), 0.0);
        for (columns, &joint) in columns.chunks_mut(COLUMNS * size).zip(group) {
            for ((k, row), &v) in rows.clone().enumerate().zip(&piece.members) {
                let Some(influence) = row.iter().find(|influence| influence.joint == joint) else { continue };
                let u = position(v) - origin;
                let values = [1.0, u.x, u.y, u.z, u.x * u.x, u.x * u.y, u.x * u.z, u.y * u.y, u.y * u.z, u.z * u.z];
                for (column, value) in values.into_iter().enumerate() {
                    columns[column * size + k] = f64::from(influence.weight) * value;
                }
            }
        }
        smoother.smooth(&mut columns);
        sums.par_iter_mut().enumerate().for_each(|(k, sums)| {
            for (columns, &joint) in columns.chunks(COLUMNS * size).zip(group) {
                let at = |column: usize| columns[column * size + k];
                if at(0) > negligible {
                    let [xx, xy, xz, yy, yz, zz] = [4, 5, 6, 7, 8, 9].map(at);
                    let spread = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
                    sums.push(JointMoments { joint, weight: at(0), arm: DVec3::new(at(1), at(2), at(3)), spread });
                }
            }
        });
    }
    let moments = |(sums, &v): (Vec<JointMoments>, &u32)| {
        if sums.is_empty() {
            return Moments::of_largest(welded.weights.row(v), position(v));
        }
        Moments::centered(sums, negligible, origin)
    };
    Ok(sums.into_par_iter().zip(piece.members.par_iter()).map(moments).collect())
}

impl Moments {
    /// Where one joint has all the weight, any spread turns with it.
    fn of_one(joint: u32, center: DVec3) -> Self {
        let moments = JointMoments { joint, weight: 1.0, arm: DVec3::ZERO, spread: DMat3::IDENTITY };
        Self { center, joints: vec![moments] }
    }

    /// Where the weights of a vertex sum to next to nothing, no share of a joint is above the negligible.
    fn of_largest(row: &[Influence], center: DVec3) -> Self {
        let largest = row.iter().max_by(|a, b| a.weight.total_cmp(&b.weight).then(b.joint.cmp(&a.joint)));
        largest.map_or(Self { center, joints: Vec::new() }, |largest| Self::of_one(largest.joint, center))
    }

    /// Takes moments about an origin, which are all above a negligible weight, to their mean, in shares that sum to one.
    fn centered(mut sums: Vec<JointMoments>, negligible: f64, origin: DVec3) -> Self {
        for sum in &mut sums {
            let share = 1.0 - negligible / sum.weight;
            *sum =
                JointMoments { weight: share * sum.weight, arm: share * sum.arm, spread: sum.spread * share, ..*sum };
        }
        sums.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
        let total: f64 = sums.iter().map(|sum| sum.weight).sum();
        let center = sums.iter().map(|sum| sum.arm).sum::<DVec3>() / total;
        if let [one] = sums[..] {
            return Self::of_one(one.joint, origin + center);
        }
        for sum in &mut sums {
            let across = outer(sum.arm, center);
            let spread = sum.spread - across - across.transpose() + outer(center, center) * sum.weight;
            *sum = JointMoments {
                weight: sum.weight / total,
                arm: (sum.arm - sum.weight * center) / total,
                spread: spread * (1.0 / total),
                ..*sum
            };
        }
        let trace = |m: &DMat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
        let extent: f64 = sums.iter().map(|sum| trace(&sum.spread)).sum();
        let is_spread = extent > LEAST_SPREAD * center.length_squared();
        for sum in &mut sums {
            let ball = |size: f64| DMat3::from_diagonal(DVec3::splat(size * sum.weight));
            *sum = match is_spread {
                true => JointMoments { spread: sum.spread + ball(BALL * extent), ..*sum },
                // Without neighbours or smoothing the rest is rounding, of either sign, and a ball gives `H = Σ ω A`.
                false => JointMoments { arm: DVec3::ZERO, spread: ball(1.0), ..*sum },
            };
        }
        Self { center: origin + center, joints: sums }
    }
}

/// `a bᵀ`.
pub(super) fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::super::point::{Motions, PointBlend, skin_point};
    use super::super::smoothing::tests::cylinder;
    use super::super::{SkinDeformer, SkinMethod};
    use super::*;
    use glam::{DAffine3, DQuat};
    use sinew_geometry::{nearest_rotation, polar};
    use sinew_rig::{Character, Deformer, Frame, Joint, Pose, Surface, Time, Transform};

    /// A cylinder with weights that go linearly from each of three joints to the next.
    fn limb() -> Character {
        let mut part = cylinder(8);
        let joint = |k: usize| Joint {
            name: format!("j{k}"),
            parent: k.checked_sub(1),
            rest: Transform::from_translation(DVec3::Y * if k > 0 { 1.5 } else { 0.0 }),
            tip: (k == 2).then_some(DVec3::Y),
            ..Joint::default()
        };
        let (skeleton, _) = Skeleton::new((0..3).map(joint).collect()).unwrap();
        let mut weights = Weights::default();
        for p in &part.mesh.positions {
            let share = |joint: u32| (1.0 - (0.5 * p.y - joint as f32).abs()).max(0.0);
            weights.push((0..3).map(|joint| Influence { joint, weight: share(joint) }));
        }
        part.binding.weights = weights;
        part.binding.joints = (0..3).collect();
        part.binding.inverse_bind = skeleton.rest_world().iter().map(DAffine3::inverse).collect();
        Character { base_pose: skeleton.rest_pose(), skeleton, parts: vec![part], ..Character::default() }
    }

    /// A pose of the limb with every joint turned, and scaled.
    fn bent(limb: &Character, scale: DVec3) -> (Pose, Vec<DAffine3>) {
        let mut pose = limb.rest_pose();
        for (k, local) in pose.joints.iter_mut().enumerate() {
            local.rotation = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.4 * k as f64, 0.9);
            local.scale = scale;
        }
        let mut world = limb.skeleton.rest_world();
        limb.skeleton.world(&pose, &mut world);
        (pose, world)
    }

    fn matrices(limb: &Character, world: &[DAffine3]) -> Vec<DAffine3> {
        world.iter().zip(&limb.parts[0].binding.inverse_bind).map(|(world, bind)| *world * *bind).collect()
    }

    /// Where a vertex goes from a place at rest.
    fn placed(mush: &DeltaMush, vertex: usize, rest: DVec3, matrices: &[DAffine3]) -> DVec3 {
        let mut motions = Motions::new(matrices.len());
        motions.begin();
        motions.set((0..).zip(matrices.iter().copied()), true);
        let influences: Vec<(u32, f64)> = mush.row(vertex).iter().map(|m| (m.joint, m.weight)).collect();
        let blend = PointBlend::DirectDeltaMush(mush.center(vertex), mush.row(vertex));
        skin_point(rest, &influences, &motions, blend)
    }

    fn deformed(limb: &Character, pose: &Pose, world: &[DAffine3]) -> Surface {
        let mut surface = Surface::default();
        let mut deformer = SkinDeformer::new(limb, SkinMethod::DirectDeltaMush).unwrap();
        deformer.deform(&Frame::new(pose, world, Time::default()), &mut surface);
        surface
    }

    /// The sums that make the skin exact at rest and under rigid motions.
    #[test]
    fn moments_are_shares_about_their_mean() {
        let character = sinew_demo::character();
        let mush = DeltaMush::new(&character.parts[0], &character.skeleton).unwrap();
        let mut several = 0;
        for vertex in 0..character.vertex_count() {
            let row = mush.row(vertex);
            let (weights, arms): (f64, DVec3) = (row.iter().map(|m| m.weight).sum(), row.iter().map(|m| m.arm).sum());
            assert!((weights - 1.0).abs() < 1e-12 && arms.length() < 1e-12, "vertex {vertex}: {weights}, {arms}");
            assert!(row.windows(2).all(|pair| pair[0].weight >= pair[1].weight), "vertex {vertex}");
            for m in row {
                assert!(m.spread.abs_diff_eq(m.spread.transpose(), 1e-15), "vertex {vertex}: {}", m.spread);
            }
            several += usize::from(row.len() > 1);
        }
        assert!(several > character.vertex_count() / 4, "{several} vertices of several joints");
    }

    /// A joint of which no one knows where it is takes nothing from the vertices of others.
    #[test]
    fn a_singular_inverse_bind_matrix_leaves_the_rest_smooth() {
        let mut limb = limb();
        limb.parts[0].binding.inverse_bind[1] = DAffine3::ZERO;
        let mush = DeltaMush::new(&limb.parts[0], &limb.skeleton).unwrap();
        for (vertex, p) in limb.parts[0].mesh.positions.iter().enumerate() {
            assert!(mush.center(vertex).distance(p.as_dvec3()) > 0.03, "vertex {vertex}: {}", mush.center(vertex));
        }
        let (pose, world) = bent(&limb, DVec3::ONE);
        let surface = deformed(&limb, &pose, &world);
        assert!(surface.positions.iter().chain(&surface.normals).all(|v| v.is_finite()));
    }

    #[test]
    fn next_to_no_weight_goes_with_the_largest_joint() {
        let mut limb = limb();
        let mut weights = Weights::default();
        for row in limb.parts[0].binding.weights.rows() {
            weights.push(row.iter().map(|i| Influence { weight: 1e-4 * i.weight, ..*i }));
        }
        limb.parts[0].binding.weights = weights;
        let mush = DeltaMush::new(&limb.parts[0], &limb.skeleton).unwrap();
        for (vertex, p) in limb.parts[0].mesh.positions.iter().enumerate() {
            let [only] = mush.row(vertex) else { panic!("vertex {vertex} has one joint") };
            let expected = if p.y <= 1.0 {
                0
            } else if p.y <= 3.0 {
                1
            } else {
                2
            };
            assert_eq!((only.joint, only.weight, mush.center(vertex)), (expected, 1.0, p.as_dvec3()));
        }
    }

    /// Where nothing is smoothed, a vertex turns by the blend of its joints, and so not at all at rest.
    #[test]
    fn what_is_not_spread_turns_by_the_blend_of_its_joints() {
        let limb = limb();
        let welded = WeldedSkin::new(&limb.parts[0]);
        let radii = vec![0.0; welded.positions.len()];
        let mush = DeltaMush::with_radii(welded, &radii).unwrap();
        for world in [limb.skeleton.rest_world(), bent(&limb, DVec3::ONE).1] {
            let matrices = matrices(&limb, &world);
            for (vertex, p) in limb.parts[0].mesh.positions.iter().map(|p| p.as_dvec3()).enumerate() {
                let normal = DVec3::new(p.x, 0.0, p.z);
                let blend = |sum: DMat3, m: &JointMoments| sum + matrices[m.joint as usize].matrix3 * m.weight;
                let turn = nearest_rotation(mush.row(vertex).iter().fold(DMat3::ZERO, blend)).unwrap();
                let found = placed(&mush, vertex, p + normal, &matrices) - placed(&mush, vertex, p, &matrices);
                assert!(found.distance(turn * normal) < 1e-9, "vertex {vertex}: {found} for {}", turn * normal);
            }
        }
    }

    /// The smooth means of a piece, row by row, from unit columns.
    fn means(piece: &Piece) -> Vec<Vec<f64>> {
        let size = piece.members.len();
        let mut columns = vec![0.0; size * size];
        columns.iter_mut().step_by(size + 1).for_each(|diagonal| *diagonal = 1.0);
        piece.smoother().unwrap().smooth(&mut columns);
        (0..size).map(|i| columns.iter().skip(i).step_by(size).copied().collect()).collect()
    }

    /// Where the fit to the smoothed skin takes a place at rest, summed over every vertex and joint: `Q P̄ (u − p) + q` with
    /// Q nearest to `Σ b (y − q)(u − p)ᵀ P̄`. Each joint's share loses what is negligible, and the ball is added.
    fn fitted(welded: &WeldedSkin, means: &[f64], rest: DVec3, matrices: &[DAffine3]) -> DVec3 {
        let mut terms: Vec<(f64, DVec3, usize)> = Vec::new();
        for ((mean, u), row) in means.iter().zip(&welded.positions).zip(welded.weights.iter()) {
            terms.extend(row.iter().map(|i| (mean * f64::from(i.weight), *u, i.joint as usize)));
        }
        let mut shares = vec![0.0; matrices.len()];
        terms.iter().for_each(|&(b, _, joint)| shares[joint] += b);
        terms.iter_mut().for_each(|(b, _, joint)| *b *= (1.0 - NEGLIGIBLE / shares[*joint]).max(0.0));
        let total: f64 = terms.iter().map(|(b, ..)| b).sum();
        terms.iter_mut().for_each(|(b, ..)| *b /= total);
        let p: DVec3 = terms.iter().map(|&(b, u, _)| b * u).sum();
        let q: DVec3 = terms.iter().map(|&(b, u, joint)| b * matrices[joint].transform_point3(u)).sum();
        let extent: f64 = terms.iter().map(|(b, u, _)| b * u.distance_squared(p)).sum();
        let (mut h, mut stretch) = (DMat3::ZERO, DMat3::ZERO);
        for &(b, u, joint) in &terms {
            let matrix = matrices[joint];
            h += outer(matrix.transform_point3(u) - q, u - p) * b + matrix.matrix3 * (BALL * extent * b);
            stretch += polar(matrix.matrix3).1 * b;
        }
        let (rotation, _) = polar(h * stretch);
        rotation * (stretch * (rest - p)) + q
    }

    #[test]
    fn the_skin_is_the_rigid_fit_to_the_smoothed_one() {
        let limb = limb();
        let part = &limb.parts[0];
        let welded = WeldedSkin::new(part);
        let pieces = welded.pieces(&limb_radii(&welded, part, &limb.skeleton));
        assert!(pieces.len() == 1 && pieces[0].members.is_sorted());
        let means = means(&pieces[0]);
        let mush = DeltaMush::new(part, &limb.skeleton).unwrap();
        for scale in [DVec3::ONE, DVec3::splat(1.3), DVec3::new(0.7, 1.2, 1.0)] {
            let (pose, world) = bent(&limb, scale);
            let (matrices, surface) = (matrices(&limb, &world), deformed(&limb, &pose, &world));
            for (vertex, rest) in part.mesh.positions.iter().map(|p| p.as_dvec3()).enumerate() {
                let expected = fitted(&welded, &means[welded.number[vertex] as usize], rest, &matrices);
                let found = placed(&mush, vertex, rest, &matrices);
                assert!(found.distance(expected) < 1e-8, "vertex {vertex}, scale {scale}: {found} for {expected}");
                let found = surface.positions[vertex].as_dvec3();
                assert!(found.distance(expected) < 1e-5, "vertex {vertex}, scale {scale}: {found} for {expected}");
            }
        }
    }
}
