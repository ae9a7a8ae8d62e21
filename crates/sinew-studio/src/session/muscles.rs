//! The muscles. Their description is sent once, with a number, as for topologies; frames have only the moving data.

use super::Host;
use super::matrix::columns;
use crate::error::Result;
use crate::protocol::{
    Answer, MuscleColors, MuscleEnds, MuscleInfo, MusclePoint, MuscleShape, MusclesFrame, Musculature, Payload, Reply,
    SegmentInfo, Side,
};
use glam::{DVec3, Vec3};
use sinew::deform::muscle::{Attachment, Keys, Muscle, MuscleDeformer, NamedMuscle, Place, Segment, SegmentFrame};
use sinew::recipe::MuscleOptions;
use sinew::rig::Character;
use sinew_tasks::muscle_meshes::{ACTIVE, RELAXED, meshes};
use std::collections::BTreeMap;

/// Rings of a muscle's mesh, and corners of each.
const RINGS: usize = 16;
const CORNERS: usize = 12;

const SIDES: [(Side, &str); 2] = [(Side::Left, "left"), (Side::Right, "right")];

/// The muscles that were sent to the page.
#[derive(Default)]
pub struct SentMuscles {
    number: u32,
    /// Their rig and their recipe.
    of: Option<(u32, MuscleOptions)>,
}

impl SentMuscles {
    /// Sends muscles that were not sent yet, and returns their number.
    pub fn send(
        &mut self,
        host: &dyn Host,
        rig: u32,
        character: &Character,
        recipe: &MuscleOptions,
        stage: &MuscleDeformer,
    ) -> Result<u32> {
        if !self.of.as_ref().is_some_and(|(known, of)| *known == rig && of == recipe) {
            self.number += 1;
            host.send(described(self.number, character, recipe, stage)?.into_bytes(None));
            self.of = Some((rig, recipe.clone()));
        }
        Ok(self.number)
    }
}

/// The muscles in a frame.
pub struct FrameMuscles {
    number: u32,
    activations: Vec<f32>,
    /// Positions and normals, if requested.
    shape: Option<[Vec<Vec3>; 2]>,
}

impl FrameMuscles {
    /// The muscles of the last deformed frame.
    pub fn new(number: u32, stage: &MuscleDeformer, is_drawn: bool) -> Self {
        let shape = is_drawn.then(|| {
            let meshes = meshes(stage, RINGS, CORNERS);
            let positions = meshes.iter().flat_map(|mesh| &mesh.positions).copied().collect();
            [positions, meshes.iter().flat_map(|mesh| &mesh.normals).copied().collect()]
        });
        Self { number, activations: stage.controls().iter().map(|control| control.activation as f32).collect(), shape }
    }

    /// The muscles in the frame's message.
    pub fn describe(&self, payload: &mut Payload) -> MusclesFrame {
        let shape = self.shape.as_ref().map(|[positions, normals]| MuscleShape {
            positions: payload.push(bytemuck::cast_slice::<_, f32>(positions)),
            normals: payload.push(bytemuck::cast_slice::<_, f32>(normals)),
        });
        MusclesFrame { musculature: self.number, activations: payload.push(&self.activations), shape }
    }
}

/// The message that describes the muscles of a recipe on a character.
fn described(number: u32, character: &Character, recipe: &MuscleOptions, stage: &MuscleDeformer) -> Result<Reply> {
    let frames = Segment::frames(&character.skeleton)?;
    let mut payload = Payload::default();
    let mesh = meshes(stage, RINGS, CORNERS).into_iter().next();
    let triangles = mesh.iter().flat_map(|mesh| &mesh.faces).flat_map(|face| face.triangles().flatten());
    let indices = payload.push(&triangles.collect::<Vec<u32>>());
    let musculature = Musculature {
        musculature: number,
        vertices: mesh.map_or(0, |mesh| mesh.positions.len()),
        indices,
        colors: MuscleColors { relaxed: RELAXED.to_array(), active: ACTIVE.to_array() },
        segments: frames.each_ref().map(segments),
        muscles: muscles(recipe, &frames, &stage.musculature().muscles)?,
    };
    Ok(Reply::new(Answer::Musculature(musculature), payload))
}

/// For each segment of a side its joint, and the matrix from shares of the segment to the bind pose.
fn segments(frames: &BTreeMap<Segment, SegmentFrame>) -> BTreeMap<&'static str, SegmentInfo> {
    let described = |(segment, frame): (&Segment, &SegmentFrame)| {
        (segment.name(), SegmentInfo { joint: frame.joint, from_shares: columns(&frame.from_shares) })
    };
    frames.iter().map(described).collect()
}

/// Every muscle of both sides, including those that are left out.
fn muscles(
    recipe: &MuscleOptions,
    frames: &[BTreeMap<Segment, SegmentFrame>; 2],
    fibres: &[Muscle],
) -> Result<Vec<MuscleInfo>> {
    let (unchanged, sets) = (recipe.unchanged()?, recipe.sets()?);
    let of_side = |side: usize, name: &str| sets[side].muscles.iter().find(|muscle| muscle.name == name);
    let is_new = |muscle: &&NamedMuscle| unchanged.muscles.iter().all(|known| known.name != muscle.name);
    let [left, right] = sets.each_ref().map(|set| set.muscles.iter().filter(is_new));
    let right = right.filter(|muscle| of_side(0, &muscle.name).is_none());
    let mut described = Vec::new();
    for muscle in unchanged.muscles.iter().chain(left).chain(right) {
        for (index, side) in SIDES.into_iter().enumerate() {
            let changed = of_side(index, &muscle.name);
            if changed.is_some() || !is_new(&muscle) {
                let context = MuscleContext { side, recipe, frames: &frames[index], fibres };
                described.push(context.describe(changed.unwrap_or(muscle), changed.is_none()));
            }
        }
    }
    Ok(described)
}

/// The context of a muscle's description.
struct MuscleContext<'a> {
    /// The side and its name.
    side: (Side, &'static str),
    recipe: &'a MuscleOptions,
    frames: &'a BTreeMap<Segment, SegmentFrame>,
    fibres: &'a [Muscle],
}

impl MuscleContext<'_> {
    fn describe(&self, muscle: &NamedMuscle, is_off: bool) -> MuscleInfo {
        let (side, side_name) = self.side;
        let name = format!("{side_name} {}", muscle.name);
        let is_fibre = |fibre: &Muscle| {
            let rest = fibre.name.strip_prefix(&name);
            rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix(' ').is_some_and(is_number))
        };
        let meshes: Vec<usize> = (0..self.fibres.len()).filter(|&fibre| is_fibre(&self.fibres[fibre])).collect();
        let first = meshes.first().map(|&fibre| &self.fibres[fibre].path);
        let change = self.recipe.change_of(&name);
        let stiffness = self.recipe.stiffness.unwrap_or(muscle.stiffness);
        MuscleInfo {
            name,
            side,
            off: is_off,
            ends: MuscleEnds {
                from: self.ends(&muscle.from, first.and_then(|path| path.first())),
                to: self.ends(&muscle.to, first.and_then(|path| path.last())),
            },
            meshes,
            from: muscle.from.clone(),
            to: muscle.to.clone(),
            radius: muscle.radius,
            shape: muscle.shape,
            series: muscle.series.clone(),
            activation: change.activation,
            width: change.width.unwrap_or(Keys::Constant(1.0)),
            eccentricity: change.eccentricity.unwrap_or(Keys::Constant(muscle.eccentricity)),
            stiffness: change.stiffness.unwrap_or(Keys::Constant(stiffness)),
        }
    }

    /// The shown points of an end in the bind pose: the end of the fibre, which fitting may have moved inwards, or the
    /// points of a curve as in the set.
    fn ends(&self, places: &[Place], fitted: Option<&Attachment>) -> Vec<MusclePoint> {
        let end = |&(segment, along, front, out): &Place| {
            let frame = self.frames.get(&segment)?;
            let place = frame.from_shares.transform_point3(DVec3::new(along, front, out));
            let seen = fitted.filter(|_| places.len() == 1).map_or(place, |fitted| fitted.position);
            Some(MusclePoint { joint: frame.joint, position: seen.to_array() })
        };
        places.iter().filter_map(end).collect()
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}
