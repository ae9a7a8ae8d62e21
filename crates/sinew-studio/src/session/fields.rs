//! The limbs' fields: the fit of each, their common surface, contour lines on a plane through a joint, and the samples
//! of a limb.

use super::plane::{Plane, contours};
use crate::error::{Error, Result};
use crate::protocol::{ContourLine, FieldCut, FieldSamples, FieldSurface, ImplicitFrame, LimbInfo, Payload};
use glam::{DMat4, DVec3};
use sinew::Stack;
use sinew::deform::implicit::ImplicitDeformer;
use sinew::field::{Box3, CompactField, Oriented, Sample, polygonize};
use sinew::rig::Skeleton;

/// Cells along the longest side of the box with density.
const CELLS: f64 = 96.0;

/// The densities of the contour lines.
const LEVELS: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// The fields of all limbs in the last deformed frame.
struct Whole<'a>(&'a ImplicitDeformer);

impl CompactField for Whole<'_> {
    fn density(&self, point: DVec3) -> Sample {
        self.0.density(point)
    }

    fn bounds(&self) -> Box3 {
        self.0.bounds()
    }
}

/// What the implicit skin did in the last deformed frame; none without it.
pub fn implicit_frame(stack: &Stack) -> Option<ImplicitFrame> {
    let frame = stack.get::<ImplicitDeformer>()?.last_frame();
    Some(ImplicitFrame { moved: frame.moved, touching: frame.touching })
}

/// The description of each limb.
pub fn limbs(stage: &ImplicitDeformer) -> Vec<LimbInfo> {
    let limb = |limb: &sinew::deform::implicit::LimbReport| LimbInfo {
        joint: limb.joint,
        points: limb.points,
        samples: limb.samples,
        fit: limb.fit.mean,
        worst: limb.fit.worst,
        has_joint: limb.has_joint,
    };
    stage.limbs().iter().map(limb).collect()
}

/// The surface on which the density of all limbs is ½, with normals along its gradient.
pub fn surface(stage: &ImplicitDeformer, payload: &mut Payload) -> Result<FieldSurface> {
    let field = Whole(stage);
    let bounds = field.bounds();
    let polygons = polygonize(&field, 0.5, &bounds, bounds.size().max_element() / CELLS)?;
    let normal =
        |place: &glam::Vec3| (-stage.density(place.as_dvec3()).gradient).normalize_or_zero().as_vec3().to_array();
    let normals: Vec<[f32; 3]> = polygons.positions.iter().map(normal).collect();
    let indices: Vec<u32> = polygons.faces.iter().flat_map(|face| face.triangles().flatten()).collect();
    Ok(FieldSurface {
        positions: payload.push(bytemuck::cast_slice::<_, f32>(&polygons.positions)),
        normals: payload.push(normals.as_flattened()),
        indices: payload.push(&indices),
    })
}

/// Contour lines of the density on the plane of a joint's bend.
pub fn cut(
    stack: &Stack,
    stage: &ImplicitDeformer,
    skeleton: &Skeleton,
    joint: &str,
    payload: &mut Payload,
) -> Result<FieldCut> {
    let index = find(skeleton, joint)?;
    let plane = Plane::of_bend(skeleton, stack.world(), index).ok_or_else(|| Error::NoBone(joint.into()))?;
    let lines = contours(&plane, |place| stage.density(place).value, &LEVELS);
    let line = |(level, segments): (f64, Vec<[f32; 6]>)| {
        let segments = payload.push(segments.as_flattened());
        ContourLine { level, segments }
    };
    let lines = LEVELS.into_iter().zip(lines).map(line).collect();
    Ok(FieldCut { joint: joint.into(), corners: plane.corners().map(|corner| corner.to_array()), lines })
}

/// The samples of a joint's limb at rest, and their transform to the last deformed frame; none for a joint without a
/// limb.
pub fn samples(
    stack: &Stack,
    stage: &ImplicitDeformer,
    skeleton: &Skeleton,
    joint: &str,
    payload: &mut Payload,
) -> Result<Option<FieldSamples>> {
    let index = find(skeleton, joint)?;
    let Some(limb) = stage.limbs().iter().position(|limb| limb.joint == index) else { return Ok(None) };
    let row = |&Oriented { point, normal }: &Oriented| {
        let ([x, y, z], [u, v, w]) = (point.as_vec3().to_array(), normal.as_vec3().to_array());
        [x, y, z, u, v, w]
    };
    let rows: Vec<[f32; 6]> = stage.samples(limb).iter().map(row).collect();
    let motion = DMat4::from(stack.world()[index] * skeleton.rest_world()[index].inverse());
    let rows = payload.push(rows.as_flattened());
    Ok(Some(FieldSamples { joint: joint.into(), rows, motion: motion.to_cols_array() }))
}

fn find(skeleton: &Skeleton, joint: &str) -> Result<usize> {
    skeleton.find(joint).ok_or_else(|| Error::UnknownJoint(joint.into()))
}
