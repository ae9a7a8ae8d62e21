//! The frames of a bake that are worth a picture: the largest change of the skin's volume, and the largest
//! displacement by the stages after the skin. Their surfaces are stored, since a stage may depend on earlier frames.

use glam::DAffine3;
use sinew::rig::Character;
use sinew::{Stack, Surface};

/// A frame worth a picture.
pub struct Highlight {
    /// Seconds in the clip.
    pub time: f64,
    /// The reason, as "where …".
    pub why: String,
    /// The skin alone.
    pub skin: Surface,
    /// The finished surface.
    pub finished: Surface,
    /// The joints' transforms.
    pub world: Vec<DAffine3>,
    /// The joint to look at.
    pub joint: usize,
}

/// The measurements of a frame.
pub(super) struct Measured<'a> {
    /// Seconds in the clip.
    pub time: f64,
    /// The skin's volume against rest, where it has one.
    pub volume_change: Option<f64>,
    /// The farthest that a vertex is moved.
    pub max_displacement: f64,
    /// That vertex.
    pub farthest_vertex: usize,
    /// The joints that changed the volume.
    pub joint_changes: &'a [(usize, f64)],
    /// The skin alone.
    pub skin: &'a Surface,
    /// The finished surface.
    pub finished: &'a Surface,
}

/// The highlights of a bake so far.
#[derive(Default)]
pub struct Highlights {
    volume: Option<(f64, Highlight)>,
    displacement: Option<(f64, Highlight)>,
}

impl Highlights {
    /// Includes the frame that `stack` deformed last.
    pub(super) fn include(&mut self, character: &Character, stack: &Stack, frame: &Measured<'_>) {
        let highlight = |why: String, joint: usize| Highlight {
            time: frame.time,
            why,
            skin: frame.skin.clone(),
            finished: frame.finished.clone(),
            world: stack.world().to_vec(),
            joint,
        };
        let beyond = |best: &Option<(f64, Highlight)>, value: f64| best.as_ref().is_none_or(|(b, _)| value > *b);
        let carrier = || strongest_joint(character, frame.farthest_vertex);
        if let Some(change) = frame.volume_change
            && change != 0.0
            && beyond(&self.volume, change.abs())
        {
            let most = frame.joint_changes.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            let joint = most.map_or_else(carrier, |&(joint, _)| joint);
            let verb = if change < 0.0 { "loses" } else { "gains" };
            let why = format!("where the skin {verb} most volume, {:+.2} %", 100.0 * change);
            self.volume = Some((change.abs(), highlight(why, joint)));
        }
        if frame.max_displacement > 0.0 && beyond(&self.displacement, frame.max_displacement) {
            let why = format!("where a vertex is moved farthest, by {:.4}", frame.max_displacement);
            self.displacement = Some((frame.max_displacement, highlight(why, carrier())));
        }
    }

    /// At most two highlights; one where both are the same frame.
    pub fn into_vec(self) -> Vec<Highlight> {
        let (volume, displacement) = (self.volume.map(|(_, h)| h), self.displacement.map(|(_, h)| h));
        match (volume, displacement) {
            (Some(mut volume), Some(displacement)) if volume.time == displacement.time => {
                volume.why = format!("{}, and {}", volume.why, displacement.why);
                vec![volume]
            }
            (volume, displacement) => volume.into_iter().chain(displacement).collect(),
        }
    }
}

/// The joint with the largest weight of a vertex.
fn strongest_joint(character: &Character, vertex: usize) -> usize {
    let part = character.parts.iter().zip(character.vertex_ranges()).find(|(_, range)| range.contains(&vertex));
    part.map_or(0, |(part, range)| part.strongest_joint(vertex - range.start))
}
