//! Where are markers on a mesh at rest?
//!
//! By hand they are at a position or a vertex; by a template they are where a way from a bone leaves the skin; and by
//! a frame of the capture in which the body stands as the mesh does, each is at the nearest vertex.

use super::body::Body;
use super::capture::Fitted;
use crate::motion_edit::joint;
use anyhow::{Context, Result, bail};
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
    /// Where it is in the world.
    pub position: DVec3,
}

/// Markers as somebody has placed them.
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
            Some(DVec3::from(position)).filter(|p| p.is_finite()).context("its position is not finite")
        }
        (None, Some(vertex), None) => {
            let order = character.file_order().into_iter().flatten().nth(vertex);
            let count = body.rest.positions.len();
            let vertex = order.with_context(|| format!("there is no vertex {vertex}; the file has {count}"))?;
            Ok(body.rest.positions[vertex].as_dvec3())
        }
        (None, None, Some(name)) => {
            let joint = joint(character, name)?;
            let world = character.skeleton.rest_world();
            let start = world[joint].translation;
            let bone = character.skeleton.bones().into_iter().find(|bone| bone.joint == joint);
            let end = bone.map(|bone| world[joint].transform_point3(character.skeleton.bone_end(bone)));
            skin.from(start.lerp(end.unwrap_or(start), place.along), place.toward.map(DVec3::from))
        }
        _ => bail!("a marker has a position, a vertex or a joint, and only one of them"),
    }
}

/// The skin of a body, to be met from inside.
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

    /// Where a way leaves the skin for the first time; without a direction, or where it never does, the nearest skin.
    fn from(&self, start: DVec3, toward: Option<DVec3>) -> Result<DVec3> {
        let nearest = || self.closest.nearest(start).map(|hit| hit.point).context("the mesh has no faces");
        let Some(toward) = toward else { return nearest() };
        let direction = toward.try_normalize().context("the direction it lies toward is zero")?;
        let end = start + direction * self.size;
        let mut crossings: Vec<SegmentIntersection> = Vec::new();
        self.winding.segment_intersections(start, end, &mut crossings);
        match crossings.iter().find(|crossing| !crossing.enters) {
            Some(crossing) => Ok(start.lerp(end, crossing.parameter)),
            None => nearest(),
        }
    }
}

/// Markers at the vertices nearest to where a frame of a capture has them. Those that the frame lacks are left out.
pub fn nearest_vertices(
    character: &Character,
    capture: &Markers,
    frame: usize,
    fitted: &Fitted,
) -> Result<Vec<Placed>> {
    if frame >= capture.frames() {
        bail!("there is no frame {frame}; the capture has {} frames, counted from 0", capture.frames());
    }
    let body = Body::of(character)?;
    let mut placed = Vec::new();
    for (marker, label) in capture.labels().iter().enumerate() {
        let Some(seen) = capture.get(frame, marker) else { continue };
        let place = fitted.apply(seen).as_vec3();
        let nearest =
            body.rest.positions.iter().min_by(|a, b| a.distance_squared(place).total_cmp(&b.distance_squared(place)));
        let position = nearest.context("the mesh has no vertices")?.as_dvec3();
        placed.push(Placed { label: label.clone(), position });
    }
    Ok(placed)
}
