//! What is there to be seen and to be set of the muscles? The page is told of them once, by a number, as of topologies;
//! frames then have what moves.

use super::Host;
use super::frame::columns;
use crate::message::Outgoing;
use anyhow::Result;
use glam::{DVec3, Vec3};
use serde_json::{Map, Value, json};
use sinew::deform::muscle::{Attachment, Keys, Muscle, MuscleDeformer, NamedMuscle, Place, Segment, SegmentFrame};
use sinew::recipe::MuscleOptions;
use sinew::rig::Character;
use sinew_tasks::musculature::{ACTIVE, RELAXED, meshes};
use std::collections::BTreeMap;

/// Rings of a muscle's mesh, and corners of each.
const RINGS: usize = 16;
const CORNERS: usize = 12;

const SIDES: [&str; 2] = ["left", "right"];

/// The muscles that the page knows.
#[derive(Default)]
pub struct KnownMuscles {
    number: u32,
    /// The rig and the recipe that they are of.
    of: Option<(u32, MuscleOptions)>,
}

impl KnownMuscles {
    /// Tells the page of muscles that it does not know yet, and returns the number by which it knows them.
    pub fn tell(
        &mut self,
        host: &dyn Host,
        rig: u32,
        character: &Character,
        recipe: &MuscleOptions,
        stage: &MuscleDeformer,
    ) -> Result<u32> {
        if !self.of.as_ref().is_some_and(|(known, of)| *known == rig && of == recipe) {
            self.number += 1;
            host.send(described(self.number, character, recipe, stage)?);
            self.of = Some((rig, recipe.clone()));
        }
        Ok(self.number)
    }
}

/// The muscles in a frame.
pub struct SeenMuscles {
    number: u32,
    activations: Vec<f32>,
    /// Positions and normals, where they were asked for.
    shape: Option<[Vec<Vec3>; 2]>,
}

impl SeenMuscles {
    /// Those of the frame deformed last.
    pub fn new(number: u32, stage: &MuscleDeformer, is_drawn: bool) -> Self {
        let shape = is_drawn.then(|| {
            let meshes = meshes(stage, RINGS, CORNERS);
            let positions = meshes.iter().flat_map(|mesh| &mesh.positions).copied().collect();
            [positions, meshes.iter().flat_map(|mesh| &mesh.normals).copied().collect()]
        });
        Self { number, activations: stage.controls().iter().map(|control| control.activation as f32).collect(), shape }
    }

    /// As the page takes it.
    pub fn told(&self, message: &mut Outgoing) -> Value {
        let shape = self.shape.as_ref().map(|[positions, normals]| {
            json!({
                "positions": message.array(bytemuck::cast_slice::<_, f32>(positions)),
                "normals": message.array(bytemuck::cast_slice::<_, f32>(normals)),
            })
        });
        json!({ "flesh": self.number, "activations": message.array(&self.activations), "shape": shape })
    }
}

/// The message that describes the muscles of a recipe on a character.
fn described(number: u32, character: &Character, recipe: &MuscleOptions, stage: &MuscleDeformer) -> Result<Vec<u8>> {
    let frames = Segment::frames(&character.skeleton)?;
    let mut message = Outgoing::new("flesh");
    let mesh = meshes(stage, RINGS, CORNERS).into_iter().next();
    let triangles = mesh.iter().flat_map(|mesh| &mesh.faces).flat_map(|face| face.triangles().flatten());
    let indices = message.array(&triangles.collect::<Vec<u32>>());
    let message = message
        .with("flesh", number)
        .with("vertices", mesh.map_or(0, |mesh| mesh.positions.len()))
        .with("indices", indices)
        .with("colors", json!({ "relaxed": RELAXED.to_array(), "active": ACTIVE.to_array() }))
        .with("segments", frames.each_ref().map(segments))
        .with("muscles", muscles(recipe, &frames, &stage.musculature().muscles)?);
    Ok(message.into_bytes())
}

/// For each segment of a side its joint, and what takes the shares of a place to the bind pose.
fn segments(frames: &BTreeMap<Segment, SegmentFrame>) -> Map<String, Value> {
    let told = |(segment, frame): (&Segment, &SegmentFrame)| {
        (segment.name().into(), json!({ "joint": frame.joint, "from_shares": columns(&frame.from_shares) }))
    };
    frames.iter().map(told).collect()
}

/// Every muscle of both sides, those included that are left out.
fn muscles(
    recipe: &MuscleOptions,
    frames: &[BTreeMap<Segment, SegmentFrame>; 2],
    fibres: &[Muscle],
) -> Result<Vec<Value>> {
    let (unchanged, sets) = (recipe.unchanged()?, recipe.sets()?);
    let of_side = |side: usize, name: &str| sets[side].muscles.iter().find(|muscle| muscle.name == name);
    let is_new = |muscle: &&NamedMuscle| unchanged.muscles.iter().all(|known| known.name != muscle.name);
    let [left, right] = sets.each_ref().map(|set| set.muscles.iter().filter(is_new));
    let right = right.filter(|muscle| of_side(0, &muscle.name).is_none());
    let mut told = Vec::new();
    for muscle in unchanged.muscles.iter().chain(left).chain(right) {
        for (side, name) in SIDES.into_iter().enumerate() {
            let changed = of_side(side, &muscle.name);
            if changed.is_some() || !is_new(&muscle) {
                let of = Named { side: name, recipe, frames: &frames[side], fibres };
                told.push(of.told(changed.unwrap_or(muscle), changed.is_none()));
            }
        }
    }
    Ok(told)
}

/// What a muscle of one side is told with.
struct Named<'a> {
    side: &'a str,
    recipe: &'a MuscleOptions,
    frames: &'a BTreeMap<Segment, SegmentFrame>,
    fibres: &'a [Muscle],
}

impl Named<'_> {
    fn told(&self, muscle: &NamedMuscle, is_off: bool) -> Value {
        let name = format!("{} {}", self.side, muscle.name);
        let is_fibre = |fibre: &Muscle| {
            let rest = fibre.name.strip_prefix(&name);
            rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix(' ').is_some_and(is_number))
        };
        let meshes: Vec<usize> = (0..self.fibres.len()).filter(|&fibre| is_fibre(&self.fibres[fibre])).collect();
        let first = meshes.first().map(|&fibre| &self.fibres[fibre].path);
        let change = self.recipe.change_of(&name);
        let stiffness = self.recipe.stiffness.unwrap_or(muscle.stiffness);
        json!({
            "name": name,
            "side": self.side,
            "off": is_off,
            "meshes": meshes,
            "from": muscle.from,
            "to": muscle.to,
            "ends": {
                "from": self.ends(&muscle.from, first.and_then(|path| path.first())),
                "to": self.ends(&muscle.to, first.and_then(|path| path.last())),
            },
            "radius": muscle.radius,
            "shape": muscle.shape,
            "series": muscle.series,
            "activation": change.activation,
            "width": change.width.unwrap_or(Keys::Constant(1.0)),
            "eccentricity": change.eccentricity.unwrap_or(Keys::Constant(muscle.eccentricity)),
            "stiffness": change.stiffness.unwrap_or(Keys::Constant(stiffness)),
        })
    }

    /// Where in the bind pose the places of an end are seen: one alone where the fibre ends, which fitting may have
    /// drawn in, those of a curve where the set has them.
    fn ends(&self, places: &[Place], fitted: Option<&Attachment>) -> Vec<Value> {
        let end = |&(segment, along, front, out): &Place| {
            let frame = self.frames.get(&segment)?;
            let place = frame.from_shares.transform_point3(DVec3::new(along, front, out));
            let seen = fitted.filter(|_| places.len() == 1).map_or(place, |fitted| fitted.position);
            Some(json!({ "joint": frame.joint, "position": seen.to_array() }))
        };
        places.iter().filter_map(end).collect()
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
