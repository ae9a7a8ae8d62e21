//! Editing of a captured motion so that some joints are elsewhere in some frames.
//!
//! The frames of a range are one graph in space and time ([`spacetime`](super::spacetime)); what is held is
//! placed, the rest follows by Laplacian editing with lengths kept ([`GraphEdit`]), and the positions become
//! joint rotations again. The range is chosen: a long clip is edited through short windows.

use super::body::Body;
use super::contacts::{Planted, planted, standing};
use super::holds::{self, Holds, Wish};
use super::limits::JointLimit;
use super::options::{MotionEditOptions, Pin};
use super::report::{Contact, EditReport, PinReport};
use super::rotations::pose_from_points;
use super::source::Source;
use super::spacetime;
use crate::laplacian_editing::{GraphEdit, GraphEditSetup};
use crate::{Error, Result};
use glam::{DAffine3, DQuat, DVec3};
use sinew_rig::{Clip, Pose, Skeleton, Transform};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Lengths are left to Newton's iteration when they are this near, or after so many turns.
const NEAR: f64 = 1e-4;
/// How strongly a pin draws that cannot be reached.
const SOFT_PIN: f64 = 400.0;
/// The weight of lengths in the alternation.
const SEGMENT_WEIGHT: f64 = 0.3;

/// A range of a clip, ready to be pulled about.
pub struct MotionEdit<'a> {
    skeleton: Cow<'a, Skeleton>,
    clip: Cow<'a, Clip>,
    options: MotionEditOptions,
    fps: f64,
    source: Source,
    body: Body,
    /// Where the points are in the source.
    frames: Vec<Vec<DVec3>>,
    planted: Vec<Planted>,
    pins: Vec<Pin>,
    limits: Vec<Option<JointLimit>>,
    session: Option<Session>,
    poses: Vec<Pose>,
}

/// A factored system for the vertices that are held, and those that pins draw.
struct Session {
    fixed: Vec<u32>,
    drawn: Vec<u32>,
    edit: GraphEdit,
}

impl<'a> MotionEdit<'a> {
    /// Prepares the frames of a range of a clip, sampled at a frame rate; `base` is the pose of what the clip does not
    /// track.
    pub fn new(
        skeleton: &'a Skeleton,
        base: &Pose,
        clip: &'a Clip,
        fps: f64,
        range: RangeInclusive<usize>,
        options: MotionEditOptions,
    ) -> Result<Self> {
        let source = Source::new(skeleton, base, clip, fps, &range)?;
        let up = options.checked_up()?;
        if (options.free_start && !source.is_start) || (options.free_end && !source.is_end) {
            return Err(Error::FreeEnd { clip: clip.name.clone() });
        }
        let body = Body::new(skeleton, &source);
        if body.len() == 0 {
            return Err(Error::NoJoints);
        }
        let mut frames = vec![vec![DVec3::ZERO; body.len()]; source.frames()];
        for (frame, positions) in frames.iter_mut().enumerate() {
            body.positions(skeleton, source.world(frame), positions);
        }
        let planted = if options.keep_contacts { planted(skeleton, &body, &frames, fps, up) } else { Vec::new() };
        Ok(Self {
            skeleton: Cow::Borrowed(skeleton),
            clip: Cow::Borrowed(clip),
            options,
            fps,
            body,
            frames,
            planted,
            pins: Vec::new(),
            limits: vec![None; skeleton.len()],
            session: None,
            poses: source.poses.clone(),
            source,
        })
    }

    /// The same with a skeleton and a clip of its own, for an edit that outlives them.
    pub fn into_owned(self) -> MotionEdit<'static> {
        MotionEdit {
            skeleton: Cow::Owned(self.skeleton.into_owned()),
            clip: Cow::Owned(self.clip.into_owned()),
            options: self.options,
            fps: self.fps,
            source: self.source,
            body: self.body,
            frames: self.frames,
            planted: self.planted,
            pins: self.pins,
            limits: self.limits,
            session: self.session,
            poses: self.poses,
        }
    }

    /// Adds a pin and returns its number.
    pub fn pin(&mut self, pin: Pin) -> Result<usize> {
        self.check(&pin)?;
        self.pins.push(pin);
        Ok(self.pins.len() - 1)
    }

    /// Drags a pin to another place. The next solve reuses the factored system of the last one.
    pub fn drag(&mut self, pin: usize, position: DVec3) -> Result<()> {
        let count = self.pins.len();
        let known =
            self.pins.get(pin).ok_or(sinew_geometry::Error::UnknownOutOfRange { unknown: pin as u32, size: count })?;
        let moved = Pin { position, ..*known };
        self.check(&moved)?;
        self.pins[pin] = moved;
        Ok(())
    }

    /// Takes all pins away.
    pub fn clear(&mut self) {
        self.pins.clear();
    }

    /// Limits how far a joint may turn from its rest, where an edit turns it. What hangs on it then goes where it leads, and
    /// pins may be missed.
    pub fn limit(&mut self, limit: JointLimit) -> Result<()> {
        let count = self.skeleton.len();
        let missing = sinew_rig::Error::JointOutOfRange { what: "a joint limit".into(), joint: limit.joint, count };
        let place = self.limits.get_mut(limit.joint).ok_or(missing)?;
        for (what, value) in [("the swing of a joint limit", limit.swing_rad), ("its twist", limit.twist_rad)] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(sinew_geometry::Error::OutOfRange { what, value, range: "zero or more" }.into());
            }
        }
        *place = Some(limit);
        Ok(())
    }

    /// The pins.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// Where a joint is in the source, in a frame of the range.
    pub fn source_position(&self, joint: usize, frame: usize) -> Option<DVec3> {
        let frame = frame.checked_sub(self.source.first).filter(|&f| f < self.frames.len())?;
        Some(self.source.world(frame).get(joint)?.translation)
    }

    /// How a joint is turned in the world in the source, in a frame of the range.
    pub fn source_rotation(&self, joint: usize, frame: usize) -> Option<DQuat> {
        let frame = frame.checked_sub(self.source.first).filter(|&f| f < self.frames.len())?;
        Some(Transform::from_matrix(self.source.world(frame).get(joint)?).rotation)
    }

    /// The planted feet that are kept.
    pub fn contacts(&self) -> Vec<Contact> {
        let contact = |planted: &Planted| Contact {
            joint: self.body.joint(planted.point),
            is_tip: self.body.tip_of.contains(&Some(planted.point)),
            frames: self.source.first + planted.frames.start..=self.source.first + planted.frames.end - 1,
            slide: 0.0,
        };
        self.planted.iter().map(contact).collect()
    }

    /// Lets feet stand still in these frames instead of where the source has them planted: each at the mean of where it is, on
    /// ground that is `ground` higher there than the source's. For motions carried over from another skeleton, whose
    /// contacts are known from there, and for ground that is not flat. Where contacts of a foot overlap, the longest holds.
    pub fn stand_still(&mut self, contacts: &[Contact], ground: impl Fn(DVec3) -> f64) -> Result<()> {
        let up = self.options.checked_up()?;
        self.planted = standing(&self.body, &self.frames, self.source.first, contacts)?;
        for Planted { point, frames, place, .. } in &mut self.planted {
            let mean = frames.clone().map(|f| self.frames[f][*point]).sum::<DVec3>() / frames.len() as f64;
            let height = ground(mean);
            if !height.is_finite() {
                return Err(sinew_geometry::Error::OutOfRange {
                    what: "the height of the ground",
                    value: height,
                    range: "finite",
                }
                .into());
            }
            *place = Some(mean + up * height);
        }
        Ok(())
    }

    /// The poses of the range after the last solve.
    pub fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// The clip with the edited range in it.
    pub fn clip(&self) -> Clip {
        super::merge::merged(&self.clip, &self.source, &self.poses, self.fps)
    }

    /// Moves the range so that its pins are met.
    pub fn solve(&mut self) -> Result<EditReport> {
        let wishes: Vec<Wish> = self.pins.iter().flat_map(|pin| self.wishes(pin)).collect();
        let groups = self.groups(&wishes);
        let ends = holds::ends(&self.frames, !self.options.free_start, !self.options.free_end);
        let stands = holds::stands(&self.frames, &ends, &self.planted, &wishes, self.fps);
        let mut report = if groups.is_empty() {
            self.follow(&wishes, &stands, None)?
        } else {
            // A posture that is turned as a whole takes its steps along.
            let ends = (!self.options.free_start, !self.options.free_end);
            let turns = spacetime::turns_between(self.frames.len(), groups, ends);
            self.follow(&wishes, &Holds::new(), Some(&turns))?;
            let stands = self.carried_stands();
            self.follow(&wishes, &stands, Some(&turns))?
        };
        self.measure(&mut report);
        Ok(report)
    }

    fn check(&self, pin: &Pin) -> Result<()> {
        let (count, joint) = (self.skeleton.len(), pin.joint);
        if self.body.point_of.get(joint).copied().flatten().is_none() {
            return Err(sinew_rig::Error::JointOutOfRange { what: "a pin".into(), joint, count }.into());
        }
        let name = || self.skeleton.joints()[joint].name.clone();
        let is_turn = pin.orientation.is_none_or(|turn| turn.is_finite() && turn.is_normalized());
        if !pin.position.is_finite() || !is_turn {
            return Err(sinew_rig::Error::JointNotFinite { joint: name() }.into());
        }
        let last = self.frames.len() - 1;
        let first = if self.options.free_start { 0 } else { 2 };
        let end = if self.options.free_end { last } else { last - 2 };
        let offset = self.source.first;
        if !(offset + first..=offset + end).contains(&pin.frame) {
            return Err(Error::PinFrame { joint: name(), frame: pin.frame, first: offset + first, last: offset + end });
        }
        Ok(())
    }

    /// What a pin asks of points: the joint's own, and where it is turned, those at the ends of its bones.
    fn wishes(&self, pin: &Pin) -> Vec<Wish> {
        let Some(point) = self.body.point_of[pin.joint] else { return Vec::new() };
        let frame = pin.frame - self.source.first;
        let mut wishes = vec![Wish { frame, point, position: pin.position }];
        if let Some(orientation) = pin.orientation {
            let rotation = Transform::from_matrix(&self.source.world(frame)[pin.joint]).rotation;
            let turn = orientation * rotation.inverse();
            let positions = &self.frames[frame];
            let ends = self.body.ends[pin.joint].iter();
            wishes.extend(ends.map(|&end| Wish {
                frame,
                point: end,
                position: pin.position + turn * (positions[end] - positions[point]),
            }));
        }
        wishes
    }

    /// Frames whose pins tell how the whole posture is turned.
    fn groups(&self, wishes: &[Wish]) -> Vec<(usize, DQuat)> {
        let mut by_frame: BTreeMap<usize, Vec<(DVec3, DVec3)>> = BTreeMap::new();
        for wish in wishes {
            by_frame.entry(wish.frame).or_default().push((self.frames[wish.frame][wish.point], wish.position));
        }
        by_frame.into_iter().filter_map(|(frame, pairs)| Some((frame, spacetime::group_turn(&pairs)?))).collect()
    }

    /// Planted points, each run moved as a whole by what it moved on average.
    fn carried_stands(&self) -> Holds {
        let Some(session) = &self.session else { return Holds::new() };
        let (positions, count) = (session.edit.positions(), self.body.len());
        let mut holds = Holds::new();
        for Planted { point, frames, .. } in &self.planted {
            let moved = |frame: usize| positions[frame * count + point] - self.frames[frame][*point];
            let mean = frames.clone().map(moved).sum::<DVec3>() / frames.len() as f64;
            holds.extend(frames.clone().map(|frame| ((frame, *point), self.frames[frame][*point] + mean)));
        }
        holds
    }

    /// Holds what is to be held and lets the graph follow.
    fn follow(&mut self, wishes: &[Wish], stands: &Holds, turns: Option<&[DQuat]>) -> Result<EditReport> {
        let mut held = holds::ends(&self.frames, !self.options.free_start, !self.options.free_end);
        stands.iter().for_each(|(&key, &position)| {
            held.entry(key).or_insert(position);
        });
        let mut drawing = Holds::new();
        let mut by_frame: BTreeMap<usize, Vec<Wish>> = BTreeMap::new();
        wishes.iter().for_each(|wish| by_frame.entry(wish.frame).or_default().push(*wish));
        for (frame, wishes) in by_frame {
            for wish in &wishes {
                held.remove(&(frame, wish.point));
            }
            let others = held.range((frame, 0)..(frame + 1, 0)).map(|(&(_, point), &p)| (point, p)).collect();
            let (reached, is_met) = holds::reachable(&self.body, &self.frames[frame], &others, &wishes)?;
            let places = wishes.iter().zip(reached).map(|(wish, position)| ((frame, wish.point), position));
            if is_met { held.extend(places) } else { drawing.extend(places) }
        }
        let count = self.body.len();
        let vertices = |holds: &Holds| holds.keys().map(|&(frame, point)| (frame * count + point) as u32).collect();
        let (fixed, drawn): (Vec<u32>, Vec<u32>) = (vertices(&held), vertices(&drawing));
        let mut session = match self.session.take().filter(|s| s.fixed == fixed && s.drawn == drawn) {
            Some(session) => session,
            None => self.session(fixed, drawn, turns.is_some())?,
        };
        // From the source each time, so that the result depends on the pins alone and not on how they were dragged.
        session.edit.reset();
        for (&(frame, point), &position) in held.iter().chain(&drawing) {
            session.edit.place(frame * count + point, position);
        }
        if let Some(turns) = turns {
            let per_vertex: Vec<DQuat> = turns.iter().flat_map(|&turn| std::iter::repeat_n(turn, count)).collect();
            session.edit.turn(&per_vertex);
        }
        let outcome = session.edit.solve(NEAR, self.options.iterations);
        session.edit.restore_lengths();
        self.session = Some(session);
        Ok(EditReport { iterations: outcome.iterations, ..EditReport::default() })
    }

    fn session(&self, fixed: Vec<u32>, pulled: Vec<u32>, is_turned: bool) -> Result<Session> {
        let MotionEditOptions { alpha, beta, stay, .. } = self.options;
        let graph = spacetime::graph(&self.body, &self.frames, self.fps, alpha, beta)?;
        let rest = self.frames.concat();
        let mut is_held = vec![false; rest.len()];
        fixed.iter().for_each(|&v| is_held[v as usize] = true);
        let segments = spacetime::segments(&self.body, &self.frames, |v| is_held[v]);
        // What is turned as a whole must be free to leave its place.
        let stay = if is_turned { 0.0 } else { stay };
        let weight = |v: u32| if pulled.contains(&v) { SOFT_PIN } else { stay };
        let free = (0..rest.len() as u32).filter(|&v| !is_held[v as usize]);
        let drawn: Vec<(u32, f64)> = free.map(|v| (v, weight(v))).filter(|(_, weight)| *weight > 0.0).collect();
        let setup = GraphEditSetup {
            graph: &graph,
            rest: &rest,
            fixed: &fixed,
            drawn: &drawn,
            segments: &segments,
            segment_weight: SEGMENT_WEIGHT,
        };
        let edit = GraphEdit::new(&setup)?;
        Ok(Session { fixed, drawn: pulled, edit })
    }

    /// Makes poses of the positions and compares what they do with what was asked.
    fn measure(&mut self, report: &mut EditReport) {
        let Some(session) = &self.session else { return };
        let count = self.body.len();
        let (mut turns, mut world) = (Vec::new(), vec![DAffine3::IDENTITY; self.skeleton.len()]);
        let mut reached = self.frames.clone();
        for (frame, points) in session.edit.positions().chunks_exact(count).enumerate() {
            let source = (&self.source.poses[frame], self.source.world(frame), self.frames[frame].as_slice());
            let pose = &mut self.poses[frame];
            report.limited +=
                pose_from_points(&self.skeleton, &self.body, source, points, &self.limits, &mut turns, pose);
            self.skeleton.world(&self.poses[frame], &mut world);
            self.body.positions(&self.skeleton, &world, &mut reached[frame]);
        }
        let pin = |pin: &Pin| {
            let at = self.body.point_of[pin.joint].map_or(pin.position, |p| reached[pin.frame - self.source.first][p]);
            PinReport { pin: *pin, residual: at.distance(pin.position) }
        };
        report.pins = self.pins.iter().map(pin).collect();
        report.contacts = self.contacts();
        for (contact, planted) in report.contacts.iter_mut().zip(&self.planted) {
            let stand = |frame: usize| planted.place.unwrap_or(self.frames[frame][planted.point]);
            let moved = |frame: usize| reached[frame][planted.point] - stand(frame);
            let first = moved(planted.frames.start);
            contact.slide = planted.frames.clone().map(|f| moved(f).distance(first)).fold(0.0, f64::max);
        }
        report.compare_lengths(&self.body.pairs, &self.frames, &reached);
    }
}
