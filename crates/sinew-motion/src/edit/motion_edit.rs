//! Editing of a captured motion by new positions of some joints in some frames.
//!
//! The frames of a range are one graph in space and time ([`spacetime`](super::spacetime)); constrained points are
//! placed, the others follow by Laplacian editing with preserved lengths ([`LaplacianEditor`]), and the positions
//! become joint rotations again. The range is chosen: a long clip is edited through short windows.

use super::contacts::{FootPlant, find_foot_plants, foot_plants_of};
use super::limits::JointLimit;
use super::options::{MotionEditOptions, Pin};
use super::position_constraints::{self as constraints, PinTarget, PositionConstraints};
use super::report::{Contact, EditReport, PinReport};
use super::rotations::pose_from_points;
use super::skeleton_points::SkeletonPoints;
use super::source::Source;
use super::spacetime;
use crate::laplacian_editing::{LaplacianEditor, LaplacianEditorSetup};
use crate::{Error, Result};
use glam::{DAffine3, DQuat, DVec3};
use sinew_rig::{Clip, Pose, Skeleton, Transform};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The relative error of lengths from which on Newton's iteration takes over. Newton's iteration squares it, so two
/// steps reach rounding.
const LENGTH_TOLERANCE: f64 = 1e-4;
/// The weight of a pin that cannot be reached, as a soft constraint. Edges within the body have weight 1. Not tuned.
const SOFT_PIN_WEIGHT: f64 = 400.0;
/// The weight of lengths in the local–global iteration. Edges within the body have weight 1. Not tuned.
const SEGMENT_WEIGHT: f64 = 0.3;

/// A range of a clip, prepared for edits.
#[derive(Debug)]
pub struct MotionEdit<'a> {
    skeleton: Cow<'a, Skeleton>,
    clip: Cow<'a, Clip>,
    options: MotionEditOptions,
    fps: f64,
    source: Source,
    points: SkeletonPoints,
    /// Where the points are in the source.
    frames: Vec<Vec<DVec3>>,
    planted: Vec<FootPlant>,
    pins: Vec<Pin>,
    limits: Vec<Option<JointLimit>>,
    session: Option<Session>,
    poses: Vec<Pose>,
}

/// A factored system for the fixed vertices and those with soft constraints.
#[derive(Debug)]
struct Session {
    fixed: Vec<u32>,
    soft: Vec<u32>,
    edit: LaplacianEditor,
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
        let points = SkeletonPoints::new(skeleton, &source);
        if points.len() == 0 {
            return Err(Error::NoJoints);
        }
        let mut frames = vec![vec![DVec3::ZERO; points.len()]; source.frames()];
        for (frame, positions) in frames.iter_mut().enumerate() {
            points.positions(skeleton, source.world(frame), positions);
        }
        let planted =
            if options.keep_contacts { find_foot_plants(skeleton, &points, &frames, fps, up) } else { Vec::new() };
        Ok(Self {
            skeleton: Cow::Borrowed(skeleton),
            clip: Cow::Borrowed(clip),
            options,
            fps,
            points,
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
    #[must_use]
    pub fn into_owned(self) -> MotionEdit<'static> {
        MotionEdit {
            skeleton: Cow::Owned(self.skeleton.into_owned()),
            clip: Cow::Owned(self.clip.into_owned()),
            options: self.options,
            fps: self.fps,
            source: self.source,
            points: self.points,
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

    /// Limits the rotation of a joint from its rest, where an edit rotates it. Joints below it follow, and pins may be
    /// missed.
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

    /// The frames that are edited.
    pub fn range(&self) -> RangeInclusive<usize> {
        self.source.first..=(self.source.first + self.frames.len()).saturating_sub(1)
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

    /// The preserved foot contacts.
    pub fn contacts(&self) -> Vec<Contact> {
        let contact = |planted: &FootPlant| Contact {
            joint: self.points.joint(planted.point),
            is_tip: self.points.tip_of.contains(&Some(planted.point)),
            frames: self.source.first + planted.frames.start..=self.source.first + planted.frames.end - 1,
            slide: 0.0,
        };
        self.planted.iter().map(contact).collect()
    }

    /// Replaces the foot contacts of the source: each foot is fixed at the mean of its positions, on ground that is
    /// `ground` higher there than the source's. For motions retargeted from another skeleton, whose contacts are known
    /// from there, and for ground that is not flat. Where contacts of a foot overlap, the longest counts.
    pub fn plant_feet(&mut self, contacts: &[Contact], ground: impl Fn(DVec3) -> f64) -> Result<()> {
        let up = self.options.checked_up()?;
        self.planted = foot_plants_of(&self.points, &self.frames, self.source.first, contacts)?;
        for FootPlant { point, frames, place, .. } in &mut self.planted {
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
        let targets: Vec<PinTarget> = self.pins.iter().flat_map(|pin| self.targets_of(pin)).collect();
        let groups = self.groups(&targets);
        let ends = constraints::fixed_ends(&self.frames, !self.options.free_start, !self.options.free_end);
        let plants = constraints::foot_plants(&self.frames, &ends, &self.planted, &targets, self.fps);
        let mut report = if groups.is_empty() {
            self.follow(&targets, &plants, None)?
        } else {
            // A posture that is rotated as a whole moves its foot contacts.
            let ends = (!self.options.free_start, !self.options.free_end);
            let rotations = spacetime::rotations_between(self.frames.len(), groups, ends);
            self.follow(&targets, &PositionConstraints::new(), Some(&rotations))?;
            let plants = self.moved_foot_plants();
            self.follow(&targets, &plants, Some(&rotations))?
        };
        self.measure(&mut report);
        Ok(report)
    }

    fn check(&self, pin: &Pin) -> Result<()> {
        let (count, joint) = (self.skeleton.len(), pin.joint);
        if self.points.point_of.get(joint).copied().flatten().is_none() {
            return Err(sinew_rig::Error::JointOutOfRange { what: "a pin".into(), joint, count }.into());
        }
        let name = || self.skeleton.joints()[joint].name.clone();
        let is_rotation = pin.orientation.is_none_or(|rotation| rotation.is_finite() && rotation.is_normalized());
        if !pin.position.is_finite() || !is_rotation {
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

    /// The targets of a pin: the joint's own point, and for an orientation those at the ends of its bones.
    fn targets_of(&self, pin: &Pin) -> Vec<PinTarget> {
        let Some(point) = self.points.point_of[pin.joint] else { return Vec::new() };
        let frame = pin.frame - self.source.first;
        let mut targets = vec![PinTarget { frame, point, position: pin.position }];
        if let Some(orientation) = pin.orientation {
            let source = Transform::from_matrix(&self.source.world(frame)[pin.joint]).rotation;
            let rotation = orientation * source.inverse();
            let positions = &self.frames[frame];
            let ends = self.points.ends[pin.joint].iter();
            targets.extend(ends.map(|&end| PinTarget {
                frame,
                point: end,
                position: pin.position + rotation * (positions[end] - positions[point]),
            }));
        }
        targets
    }

    /// Frames whose pins determine the rotation of the whole posture.
    fn groups(&self, targets: &[PinTarget]) -> Vec<(usize, DQuat)> {
        let mut by_frame: BTreeMap<usize, Vec<(DVec3, DVec3)>> = BTreeMap::new();
        for target in targets {
            by_frame.entry(target.frame).or_default().push((self.frames[target.frame][target.point], target.position));
        }
        by_frame.into_iter().filter_map(|(frame, pairs)| Some((frame, spacetime::group_rotation(&pairs)?))).collect()
    }

    /// Planted points, each run moved as a whole by what it moved on average.
    fn moved_foot_plants(&self) -> PositionConstraints {
        let Some(session) = &self.session else { return PositionConstraints::new() };
        let (positions, count) = (session.edit.positions(), self.points.len());
        let mut moved_plants = PositionConstraints::new();
        for FootPlant { point, frames, .. } in &self.planted {
            let moved = |frame: usize| positions[frame * count + point] - self.frames[frame][*point];
            let mean = frames.clone().map(moved).sum::<DVec3>() / frames.len() as f64;
            moved_plants.extend(frames.clone().map(|frame| ((frame, *point), self.frames[frame][*point] + mean)));
        }
        moved_plants
    }

    /// Applies the constraints and solves for the graph.
    fn follow(
        &mut self,
        targets: &[PinTarget],
        plants: &PositionConstraints,
        rotations: Option<&[DQuat]>,
    ) -> Result<EditReport> {
        let mut fixed_points = constraints::fixed_ends(&self.frames, !self.options.free_start, !self.options.free_end);
        plants.iter().for_each(|(&key, &position)| {
            fixed_points.entry(key).or_insert(position);
        });
        let mut soft_targets = PositionConstraints::new();
        let mut by_frame: BTreeMap<usize, Vec<PinTarget>> = BTreeMap::new();
        targets.iter().for_each(|target| by_frame.entry(target.frame).or_default().push(*target));
        for (frame, targets) in by_frame {
            for target in &targets {
                fixed_points.remove(&(frame, target.point));
            }
            let others = fixed_points.range((frame, 0)..(frame + 1, 0)).map(|(&(_, point), &p)| (point, p)).collect();
            let (reached, is_met) = constraints::reachable(&self.points, &self.frames[frame], &others, &targets)?;
            let places = targets.iter().zip(reached).map(|(target, position)| ((frame, target.point), position));
            if is_met { fixed_points.extend(places) } else { soft_targets.extend(places) }
        }
        let count = self.points.len();
        let vertices = |targets: &PositionConstraints| {
            targets.keys().map(|&(frame, point)| (frame * count + point) as u32).collect()
        };
        let (fixed, soft): (Vec<u32>, Vec<u32>) = (vertices(&fixed_points), vertices(&soft_targets));
        let mut session = match self.session.take().filter(|s| s.fixed == fixed && s.soft == soft) {
            Some(session) => session,
            None => self.session(fixed, soft, rotations.is_some())?,
        };
        // From the source each time, so that the result depends on the pins alone and not on how they were dragged.
        session.edit.reset();
        for (&(frame, point), &position) in fixed_points.iter().chain(&soft_targets) {
            session.edit.place(frame * count + point, position);
        }
        if let Some(rotations) = rotations {
            let per_vertex: Vec<DQuat> =
                rotations.iter().flat_map(|&rotation| std::iter::repeat_n(rotation, count)).collect();
            session.edit.rotate(&per_vertex);
        }
        let outcome = session.edit.solve(LENGTH_TOLERANCE, self.options.iterations);
        session.edit.restore_lengths();
        self.session = Some(session);
        Ok(EditReport { iterations: outcome.iterations, ..EditReport::default() })
    }

    fn session(&self, fixed: Vec<u32>, soft_vertices: Vec<u32>, is_rotated: bool) -> Result<Session> {
        let MotionEditOptions { alpha, beta, stay, .. } = self.options;
        let graph = spacetime::graph(&self.points, &self.frames, self.fps, alpha, beta)?;
        let rest = self.frames.concat();
        let mut is_fixed = vec![false; rest.len()];
        fixed.iter().for_each(|&v| is_fixed[v as usize] = true);
        let segments = spacetime::segments(&self.points, &self.frames, |v| is_fixed[v]);
        // A posture that is rotated as a whole must be free to leave its place.
        let stay = if is_rotated { 0.0 } else { stay };
        let weight = |v: u32| if soft_vertices.contains(&v) { SOFT_PIN_WEIGHT } else { stay };
        let free = (0..rest.len() as u32).filter(|&v| !is_fixed[v as usize]);
        let soft: Vec<(u32, f64)> = free.map(|v| (v, weight(v))).filter(|(_, weight)| *weight > 0.0).collect();
        let setup = LaplacianEditorSetup {
            graph: &graph,
            rest: &rest,
            fixed: &fixed,
            soft: &soft,
            segments: &segments,
            segment_weight: SEGMENT_WEIGHT,
        };
        let edit = LaplacianEditor::new(&setup)?;
        Ok(Session { fixed, soft: soft_vertices, edit })
    }

    /// Makes poses of the positions and compares what they do with what was asked.
    fn measure(&mut self, report: &mut EditReport) {
        let Some(session) = &self.session else { return };
        let count = self.points.len();
        let (mut rotations, mut world) = (Vec::new(), vec![DAffine3::IDENTITY; self.skeleton.len()]);
        let mut reached = self.frames.clone();
        for (frame, positions) in session.edit.positions().chunks_exact(count).enumerate() {
            let source = (&self.source.poses[frame], self.source.world(frame), self.frames[frame].as_slice());
            let pose = &mut self.poses[frame];
            report.limited +=
                pose_from_points(&self.skeleton, &self.points, source, positions, &self.limits, &mut rotations, pose);
            self.skeleton.world(&self.poses[frame], &mut world);
            self.points.positions(&self.skeleton, &world, &mut reached[frame]);
        }
        let pin = |pin: &Pin| {
            let at =
                self.points.point_of[pin.joint].map_or(pin.position, |p| reached[pin.frame - self.source.first][p]);
            PinReport { pin: *pin, residual: at.distance(pin.position) }
        };
        report.pins = self.pins.iter().map(pin).collect();
        report.contacts = self.contacts();
        for (contact, planted) in report.contacts.iter_mut().zip(&self.planted) {
            let place = |frame: usize| planted.place.unwrap_or(self.frames[frame][planted.point]);
            let moved = |frame: usize| reached[frame][planted.point] - place(frame);
            let first = moved(planted.frames.start);
            contact.slide = planted.frames.clone().map(|f| moved(f).distance(first)).fold(0.0, f64::max);
        }
        report.compare_lengths(&self.points.pairs, &self.frames, &reached);
    }
}
