//! Vectors, transforms and matrices of ufbx as ours.

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use sinew::rig::Transform;

pub fn vector(v: &ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

pub fn vector_f32(v: &ufbx::Vec3) -> Vec3 {
    vector(v).as_vec3()
}

pub fn transform(t: &ufbx::Transform) -> Transform {
    let rotation = DQuat::from_xyzw(t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w);
    Transform { translation: vector(&t.translation), rotation: rotation.normalize(), scale: vector(&t.scale) }
}

pub fn matrix(m: &ufbx::Matrix) -> DAffine3 {
    DAffine3 {
        matrix3: DMat3::from_cols(
            DVec3::new(m.m00, m.m10, m.m20),
            DVec3::new(m.m01, m.m11, m.m21),
            DVec3::new(m.m02, m.m12, m.m22),
        ),
        translation: DVec3::new(m.m03, m.m13, m.m23),
    }
}
