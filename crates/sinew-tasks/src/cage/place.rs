//! The positions of markers on a mesh at rest.
//!
//! A marker is at a position, at a vertex, or where a ray from a bone leaves the skin (as in a template). From a frame of
//! the capture in which the body stands as the mesh does, each is at the nearest vertex.

use super::body::Body;
use super::fitted::Fitted;
use crate::{Context, Error, Result, find};
use glam::{DVec3, Vec3};
use sinew::geometry::{ClosestSurface, SegmentIntersection, Topology, Winding};
use sinew::motion::markers::Markers;
use sinew::recipe::MarkerPlace;
use sinew::rig::Character;
use std::collections::BTreeMap;

/// A marker on the mesh at rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// Its label.
    pub label: String,
    /// Its position in the world.
    pub position: DVec3,
}

/// The positions of markers that are placed by hand or by a template.
pub fn placed(character: &Character, places: &BTreeMap<String, MarkerPlace>) -> Result<Vec<Placed>> {
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let body = Body::of(character)?;
    let skin = Skin::new(&body);
    let one = |(label, place): (&String, &MarkerPlace)| {
        let position =
            position(character, &body, &skin, place).with_context(|| format!("the place of marker \"{label}\""))?;
        Ok(Placed { label: label.clone(), position })
    };
    places.iter().map(one).collect()
}

fn position(character: &Character, body: &Body, skin: &Skin, place: &MarkerPlace) -> Result<DVec3> {
    match (place.position, place.vertex, &place.joint) {
        (Some(position), None, None) => {
            Some(DVec3::from(position)).filter(|p| p.is_finite()).ok_or(Error::MarkerNotFinite)
        }
        (None, Some(vertex), None) => {
            let order = character.file_order();
            let &first = order.get(vertex).ok_or(Error::UnknownVertex { vertex, count: order.len() })?;
            Ok(body.rest.positions[first].as_dvec3())
        }
        (None, None, Some(name)) => {
            let joint = find::joint(character, name)?;
            let world = character.skeleton.rest_world();
            let start = world[joint].translation;
            let bone = character.skeleton.bones().into_iter().find(|bone| bone.joint == joint);
            let end = bone.map(|bone| world[joint].transform_point3(character.skeleton.bone_end(bone)));
            skin.exit(start.lerp(end.unwrap_or(start), place.along), place.toward.map(DVec3::from))
        }
        _ => Err(Error::MarkerGoal),
    }
}

/// The skin of a body, for rays from inside.
struct Skin {
    winding: Winding,
    closest: ClosestSurface,
    size: f64,
}

impl Skin {
    fn new(body: &Body) -> Self {
        let positions = &body.rest.positions;
        let topology = Topology::new(positions, &body.faces);
        let (low, high) = (positions.iter().copied().reduce(Vec3::min), positions.iter().copied().reduce(Vec3::max));
        Self {
            winding: Winding::new(&topology, positions),
            closest: ClosestSurface::new(positions, &body.faces),
            size: f64::from(low.zip(high).map_or(0.0, |(low, high)| low.distance(high))),
        }
    }

    /// Where a ray leaves the skin for the first time; without a direction, or where it never does, the closest point.
    fn exit(&self, start: DVec3, toward: Option<DVec3>) -> Result<DVec3> {
        let nearest = || self.closest.nearest(start).map(|hit| hit.point).ok_or(Error::NoFaces);
        let Some(toward) = toward else { return nearest() };
        let direction = toward.try_normalize().ok_or(Error::MarkerDirection)?;
        let end = start + direction * self.size;
        let mut crossings: Vec<SegmentIntersection> = Vec::new();
        self.winding.segment_intersections(start, end, &mut crossings);
        match crossings.iter().find(|crossing| !crossing.enters) {
            Some(crossing) => Ok(start.lerp(end, crossing.parameter)),
            None => nearest(),
        }
    }
}

/// Markers at the vertices nearest to their positions in a frame of a capture. Those that the frame lacks are left out.
pub fn nearest_vertices(
    character: &Character,
    capture: &Markers,
    frame: usize,
    fitted: &Fitted,
) -> Result<Vec<Placed>> {
    if frame >= capture.frames() {
        return Err(Error::UnknownFrame { frame, count: capture.frames() });
    }
    let body = Body::of(character)?;
    let mut placed = Vec::new();
    for (marker, label) in capture.labels().iter().enumerate() {
        let Some(seen) = capture.get(frame, marker) else { continue };
        let place = fitted.apply(seen).as_vec3();
        let nearest =
            body.rest.positions.iter().min_by(|a, b| a.distance_squared(place).total_cmp(&b.distance_squared(place)));
        let position = nearest.ok_or(Error::NoVertices)?.as_dvec3();
        placed.push(Placed { label: label.clone(), position });
    }
    Ok(placed)
}
