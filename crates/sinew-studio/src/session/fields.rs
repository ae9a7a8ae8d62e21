//! What is there to be seen of the limbs' fields? How well each tells its limb, the surface of them all, contour lines on a
//! plane through a joint, and the samples that a limb's field goes through.

use super::plane::{Plane, contours};
use crate::message::Outgoing;
use anyhow::{Context, Result};
use glam::{DMat4, DVec3};
use serde_json::{Value, json};
use sinew::Stack;
use sinew::deform::implicit::{ImplicitDeformer, Tracking};
use sinew::field::{Box3, CompactField, Oriented, Sample, polygonize};
use sinew::rig::Skeleton;

/// Cells along the longest side of what has a density.
const CELLS: f64 = 96.0;

/// The densities that have a contour line.
const LEVELS: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// The fields of all limbs as they are in the frame deformed last.
struct Whole<'a>(&'a ImplicitDeformer);

impl CompactField for Whole<'_> {
    fn density(&self, point: DVec3) -> Sample {
        self.0.density(point)
    }

    fn bounds(&self) -> Box3 {
        self.0.bounds()
    }
}

/// What following the fields came to, for every frame; null where nothing follows any.
pub fn tracking(stack: &Stack) -> Value {
    let told = |Tracking { points, before, after, worst, .. }: Tracking| json!({ "points": points, "before": before, "after": after, "worst": worst });
    stack.get::<ImplicitDeformer>().map_or(Value::Null, |stage| told(stage.tracking()))
}

/// What is known of each limb.
pub fn limbs(stage: &ImplicitDeformer) -> Vec<Value> {
    let limb = |limb: &sinew::deform::implicit::LimbReport| {
        let (fit, worst) = (limb.fit.mean, limb.fit.worst);
        json!({
            "joint": limb.joint, "points": limb.points, "samples": limb.samples, "fit": fit, "worst": worst,
            "hinge": limb.hinge,
        })
    };
    stage.limbs().iter().map(limb).collect()
}

/// The surface on which the density of all limbs is ½, with normals along its gradient.
pub fn surface(stage: &ImplicitDeformer, message: &mut Outgoing) -> Result<Value> {
    let field = Whole(stage);
    let bounds = field.bounds();
    let polygons = polygonize(&field, 0.5, &bounds, bounds.size().max_element() / CELLS)?;
    let normal =
        |place: &glam::Vec3| (-stage.density(place.as_dvec3()).gradient).normalize_or_zero().as_vec3().to_array();
    let normals: Vec<[f32; 3]> = polygons.positions.iter().map(normal).collect();
    let indices: Vec<u32> = polygons.faces.iter().flat_map(|face| face.triangles().flatten()).collect();
    Ok(json!({
        "positions": message.array(bytemuck::cast_slice::<_, f32>(&polygons.positions)),
        "normals": message.array(normals.as_flattened()),
        "indices": message.array(&indices),
    }))
}

/// Contour lines of the density on a plane through a joint, in which its bend lies.
pub fn cut(
    stack: &Stack,
    stage: &ImplicitDeformer,
    skeleton: &Skeleton,
    joint: &str,
    message: &mut Outgoing,
) -> Result<Value> {
    let index = find(skeleton, joint)?;
    let plane = Plane::of_bend(skeleton, stack.world(), index)
        .with_context(|| format!("joint \"{joint}\" has no bone that a plane could go through"))?;
    let lines = contours(&plane, |place| stage.density(place).value, &LEVELS);
    let line = |(level, segments): (&f64, Vec<[f32; 6]>)| json!({ "level": level, "segments": message.array(segments.as_flattened()) });
    let lines: Vec<Value> = LEVELS.iter().zip(lines).map(line).collect();
    Ok(json!({ "joint": joint, "corners": plane.corners().map(|corner| corner.to_array()), "lines": lines }))
}

/// The samples of the limb that a joint carries, at rest, and what takes them from there to the frame deformed last; none
/// where the joint carries no limb.
pub fn samples(
    stack: &Stack,
    stage: &ImplicitDeformer,
    skeleton: &Skeleton,
    joint: &str,
    message: &mut Outgoing,
) -> Result<Option<Value>> {
    let index = find(skeleton, joint)?;
    let Some(limb) = stage.limbs().iter().position(|limb| limb.joint == index) else { return Ok(None) };
    let row = |&Oriented { point, normal }: &Oriented| {
        let ([x, y, z], [u, v, w]) = (point.as_vec3().to_array(), normal.as_vec3().to_array());
        [x, y, z, u, v, w]
    };
    let rows: Vec<[f32; 6]> = stage.samples(limb).iter().map(row).collect();
    let motion = DMat4::from(stack.world()[index] * skeleton.rest_world()[index].inverse());
    let rows = message.array(rows.as_flattened());
    Ok(Some(json!({ "joint": joint, "rows": rows, "motion": motion.to_cols_array() })))
}

fn find(skeleton: &Skeleton, joint: &str) -> Result<usize> {
    skeleton.find(joint).with_context(|| format!("there is no joint \"{joint}\""))
}
