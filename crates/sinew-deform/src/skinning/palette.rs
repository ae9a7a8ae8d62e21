//! The transforms of a part's joints for one frame, in the forms that the kernels blend.

use super::entries::Entry;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew_geometry::polar;

/// `Mⱼ · inverse_bindⱼ` as three rows `(m₀, m₁, m₂, t)`.
#[derive(Clone, Copy, Default)]
pub(super) struct MatrixRows(pub [[f32; 4]; 3]);

impl MatrixRows {
    fn new(linear: DMat3, translation: DVec3) -> Self {
        let m = linear.as_mat3();
        let t = translation.as_vec3();
        Self([m.row(0).extend(t.x), m.row(1).extend(t.y), m.row(2).extend(t.z)].map(|row| row.to_array()))
    }
}

/// A rotation and translation as a unit dual quaternion: the real part, then the dual part.
#[derive(Clone, Copy, Default)]
pub(super) struct Rigid(pub [f32; 8]);

/// The entries of a part's influences in one frame.
pub(super) struct Palette {
    entries: Vec<Entry>,
    pub matrices: Vec<MatrixRows>,
    /// The transform of normals, if it is not the matrix itself.
    pub normal_matrices: Vec<MatrixRows>,
    pub normals_differ: bool,
    /// Rotation and translation, with the sign that agrees with the entry's largest influence.
    pub rigid: Vec<Rigid>,
    /// The stretch that goes before them, and what it does to normals.
    pub stretches: Vec<MatrixRows>,
    pub normal_stretches: Vec<MatrixRows>,
    pub stretched: bool,
    joint_rotations: Vec<DQuat>,
    joint_stretches: Vec<DMat3>,
}

impl Palette {
    pub fn new(entries: &[Entry], joints: usize) -> Self {
        let count = entries.len();
        Self {
            entries: entries.to_vec(),
            matrices: vec![MatrixRows::default(); count],
            normal_matrices: vec![MatrixRows::default(); count],
            normals_differ: false,
            rigid: vec![Rigid::default(); count],
            stretches: vec![MatrixRows::default(); count],
            normal_stretches: vec![MatrixRows::default(); count],
            stretched: false,
            joint_rotations: vec![DQuat::IDENTITY; joints],
            joint_stretches: vec![DMat3::IDENTITY; joints],
        }
    }

    /// Matrices, for linear blending. Normals go by [`normal_matrix`], which is the matrix itself
    /// unless some joint squashes.
    pub fn set_matrices(&mut self, transforms: &[DAffine3]) {
        self.normals_differ = false;
        for (k, entry) in self.entries.iter().enumerate() {
            let DAffine3 { matrix3: linear, translation } = transforms[entry.joint as usize];
            self.matrices[k] = MatrixRows::new(linear, translation);
            let normal = normal_matrix(linear);
            self.normals_differ |= normal != linear;
            self.normal_matrices[k] = MatrixRows::new(normal, DVec3::ZERO);
        }
    }

    /// Dual quaternions and stretches, `M = R S`: first the stretch, then the rigid motion.
    pub fn set_rigid(&mut self, transforms: &[DAffine3]) {
        self.stretched = false;
        for (joint, transform) in transforms.iter().enumerate() {
            let linear = transform.matrix3;
            let (rotation, stretch) = if is_rotation(linear) {
                (DQuat::from_mat3(&linear).normalize(), DMat3::IDENTITY)
            } else {
                self.stretched = true;
                polar(linear)
            };
            self.joint_rotations[joint] = rotation;
            self.joint_stretches[joint] = stretch;
        }
        for (k, entry) in self.entries.iter().enumerate() {
            let joint = entry.joint as usize;
            let largest = self.joint_rotations[entry.largest as usize];
            let rotation = self.joint_rotations[joint];
            let real = if largest.dot(rotation) < 0.0 { -rotation } else { rotation };
            let half = 0.5 * transforms[joint].translation;
            let dual = DQuat::from_xyzw(half.x, half.y, half.z, 0.0) * real;
            let ([x, y, z, w], [dx, dy, dz, e]) = (real.as_quat().to_array(), dual.as_quat().to_array());
            self.rigid[k] = Rigid([x, y, z, w, dx, dy, dz, e]);
            let stretch = self.joint_stretches[joint];
            self.stretches[k] = MatrixRows::new(stretch, DVec3::ZERO);
            self.normal_stretches[k] = MatrixRows::new(normal_matrix(stretch), DVec3::ZERO);
        }
    }
}

/// How normals follow a matrix: its cofactor, divided by `∛det` so that a similarity, mirrored or not,
/// gives back itself. With that normalisation the blend of several joints does not jump when one of them
/// begins to squash. A collapsed matrix keeps the cofactor.
fn normal_matrix(linear: DMat3) -> DMat3 {
    if is_similarity(linear) {
        return linear;
    }
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = linear;
    let cofactor = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    let determinant = linear.determinant();
    if determinant.abs() < 1e-30 { cofactor } else { cofactor * (1.0 / determinant.cbrt()) }
}

/// Whether a matrix turns and scales uniformly, to single precision.
fn is_similarity(linear: DMat3) -> bool {
    let gram = linear.transpose() * linear;
    let mean = (gram.x_axis.x + gram.y_axis.y + gram.z_axis.z) / 3.0;
    mean > 0.0 && gram.abs_diff_eq(DMat3::from_diagonal(DVec3::splat(mean)), TOLERANCE * mean)
}

/// Whether a matrix only turns, to single precision.
pub(super) fn is_rotation(linear: DMat3) -> bool {
    (linear.transpose() * linear).abs_diff_eq(DMat3::IDENTITY, TOLERANCE) && linear.determinant() > 0.0
}

/// Matrices of files are f32 and carry errors of a few units in the seventh digit.
const TOLERANCE: f64 = 2e-6;
