//! The implicit deformer: from where the skin has the points around joints to where flesh would have them.
//!
//! A frame is a fixed number of steps, each of them continuous in the pose. Nothing is tried, counted or remembered, so
//! that the same pose is the same surface, and a smooth motion is smooth.

use super::apart::Apart;
use super::cache;
use super::fields::{Fields, JointComposition};
use super::joint::{AtJoint, Joint, PosedJoint};
use super::limb_field::{LimbField, SampleRequest};
use super::membrane::{Membrane, Skin};
use super::options::{ImplicitOptions, JointField, OperatorKind};
use super::pressure::JointVolume;
use super::region::Region;
use super::report::{ImplicitFrame, LimbReport};
use super::sides::{STEPS, keep_side, slack, slide, step_to};
use super::skin_distance::LimbPose;
use super::strain::{Turns, measure_strain};
use crate::Result;
use crate::parallel::VERTICES_PER_TASK;
use crate::skinning::{SkinDeformer, SkinMethod};
use crate::welded::{FEWEST, Limb, Limbs, NormalRotations, WeldedSurface};
use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use sinew_field::{Box3, OperatorTables, Oriented, Sample};
use sinew_geometry::curve::smoothstep;
use sinew_geometry::parallel::*;
use sinew_geometry::swing_twist;
use sinew_rig::Character;
use sinew_rig::{Contacts, Deformer, Frame, Pose, Surface, Time};
use std::fmt;
use std::sync::Arc;

/// How far crushed skin goes with its own limb instead of with the blend, tuned on the simulated flesh.
const WITH_LIMB: f64 = 0.5;

/// How many times the missing volume swells around a joint whose operator bulges.
const BULGE: f64 = 2.0;

/// ε of the pressure, nearest to simulated flesh.
const GIVES_WAY: f64 = 0.15;

/// The same before a stage that restores what is still missing, which it would put in worse places.
const GIVES_WAY_BEFORE_VOLUME: f64 = 0.02;

/// How far a point moves, in radii, until its normal is that of the finished surface.
const TURNS_IN: f64 = 0.02;

/// How far the motions of two limbs differ that do not move against each other: f32 shows no more.
const STILL: f64 = 1e-9;

/// A contact from which on a point counts as touching.
const TOUCHES: f64 = 0.5;

/// The limbs and joints in a pose.
struct Posture {
    /// What each limb did since rest.
    motions: Vec<DAffine3>,
    /// The way back.
    back: Vec<DAffine3>,
    /// How many times as large each limb is.
    scales: Vec<f64>,
    /// Whether a limb has a shape: one that is scaled to nothing or mirrored has none, and counts as being at rest.
    is_sound: Vec<bool>,
    /// The joints between sound limbs.
    joints: Vec<Option<PosedJoint>>,
}

impl Posture {
    fn new(limbs: usize) -> Self {
        let still = vec![DAffine3::IDENTITY; limbs];
        let (scales, is_sound) = (vec![1.0; limbs], vec![true; limbs]);
        Self { motions: still.clone(), back: still, scales, is_sound, joints: vec![None; limbs] }
    }

    /// Takes over what limbs did since rest. Returns whether they moved against each other.
    fn follow(&mut self, joints: &[Option<Joint>], motion: impl Fn(usize) -> DAffine3) -> bool {
        for limb in 0..self.motions.len() {
            let (motion, size) = (motion(limb), motion(limb).matrix3.determinant());
            let back = motion.inverse();
            self.is_sound[limb] = size > 0.0 && back.is_finite();
            let sound = if self.is_sound[limb] {
                (motion, back, size.cbrt())
            } else {
                (DAffine3::IDENTITY, DAffine3::IDENTITY, 1.0)
            };
            (self.motions[limb], self.back[limb], self.scales[limb]) = sound;
        }
        for (posed, joint) in self.joints.iter_mut().zip(joints) {
            let joint = joint.as_ref().filter(|joint| joint.limbs.iter().all(|&limb| self.is_sound[limb]));
            *posed = joint.map(|joint| joint.posed(joint.limbs.map(|limb| &self.motions[limb])));
        }
        let first = self.back.first().copied().unwrap_or_default();
        let is_still = |motion: &DAffine3| (first * *motion).abs_diff_eq(DAffine3::IDENTITY, STILL);
        !self.motions.iter().all(is_still)
    }

    /// What a point did since rest that moves with its limb, but turns about the bone as the skin does.
    fn twisted(&self, limb: usize, bone: &Limb, own: DQuat, skin: DQuat) -> DAffine3 {
        let axis = (bone.tail() - bone.head).normalize_or(DVec3::Z);
        let twist = DQuat::from_axis_angle(axis, swing_twist(own.inverse() * skin, axis).1);
        let about_bone = DAffine3::from_rotation_translation(twist, bone.head - twist * bone.head);
        self.motions[limb] * about_bone
    }
}

/// The sides of joints that the points of a region belong to.
struct Sides<'a> {
    fields: &'a Fields,
    joints: &'a [Option<Joint>],
    posture: &'a Posture,
    region: &'a Region,
    shares: &'a [f64],
    taut: &'a [f64],
}

impl Sides<'_> {
    /// A place of a point on its own side, and the wall that it touches there.
    fn keep(&self, k: usize, place: DVec3) -> (DVec3, DVec3) {
        let posed = self.fields.posed(&self.posture.back);
        let effect = |joint: u32, place| {
            let limbs = self.joints[joint as usize].as_ref().map_or([0; 2], |joint| joint.limbs);
            posed.effect(joint as usize, limbs, place)
        };
        let parting = |joint: u32| {
            let is_parting = self.fields.compositions[joint as usize].parts;
            self.posture.joints[joint as usize].as_ref().filter(|_| is_parting)
        };
        keep_side(self.region, k, self.shares[k] * slack(self.taut[k]), parting, effect, place)
    }
}

/// Keeps joints from collapsing, bulging and crossing.
pub struct ImplicitDeformer {
    body: WeldedSurface,
    limbs: Limbs,
    fields: Fields,
    joints: Vec<Option<Joint>>,
    region: Region,
    apart: Option<Apart>,
    membrane: Membrane,
    /// The iso-value of each point of the region whose limb becomes one with another.
    isos: Vec<Option<f64>>,
    /// For each joint its volume, how much of what is missing swells, and the pressure in the frame.
    volumes: Vec<Option<JointVolume>>,
    swelling: Vec<f64>,
    pressures: Vec<f64>,
    gives_way: f64,
    turns: Turns,
    reports: Vec<LimbReport>,
    warnings: Vec<String>,
    /// From the world at rest to each joint.
    to_joint: Vec<DAffine3>,
    posture: Posture,
    /// Where the skin has each point, and where it is in the end.
    skinned: Vec<Vec3>,
    finished: Vec<Vec3>,
    /// Where it is after limbs are parted, and how normals turn there.
    parted: Vec<Vec3>,
    turning: NormalRotations,
    /// Where each point is on the way.
    places: Vec<DVec3>,
    /// How much of its way each point of the region takes in the frame.
    shares: Vec<f64>,
    /// How taut each is by itself, and the tension of the skin around it.
    taut: Vec<f64>,
    tension: Vec<f64>,
    /// The wall that each touches, places that are to be stored, and how normals turn.
    walls: Vec<DVec3>,
    targets: Vec<DVec3>,
    rotations: Vec<Quat>,
    /// Whether the last frame moved anything.
    is_moved: bool,
    /// The checksum of what all this was made from.
    key: u64,
    /// How much each vertex touches another limb.
    contacts: Vec<f32>,
    /// Where the skin alone has each vertex.
    skin: Vec<Vec3>,
}

impl ImplicitDeformer {
    /// Prepares a character. Joints and meshes that the options name and the character does not have are passed over,
    /// so that the same options serve many characters.
    pub fn new(character: &Character, implicit: &ImplicitOptions) -> Result<Self> {
        Self::with_cache(character, implicit, &[])
    }

    /// Prepares a character at once with the bytes that [`ImplicitDeformer::to_bytes`] gave for it and these options;
    /// with any others as if there were none.
    pub fn with_cache(character: &Character, implicit: &ImplicitOptions, cache: &[u8]) -> Result<Self> {
        let (tables, fields) = cache::split(cache);
        Self::with_tables(character, implicit, tables, fields)
    }

    /// The checksum of all that the bytes of [`Self::to_bytes`] depend on, to find them by.
    pub fn cache_key(character: &Character, implicit: &ImplicitOptions) -> Result<u64> {
        character.check()?;
        Ok(cache::key(character, &WeldedSurface::new(character, &implicit.leave_out), implicit))
    }

    /// The same with tables for the operators, and the bytes of the fields alone.
    pub(crate) fn with_tables(
        character: &Character,
        implicit: &ImplicitOptions,
        tables: Arc<OperatorTables>,
        fields: &[u8],
    ) -> Result<Self> {
        character.check()?;
        let skeleton = &character.skeleton;
        let body = WeldedSurface::new(character, &implicit.leave_out);
        body.check_surface()?;
        let mut limbs = Limbs::new(&body, skeleton, FEWEST);
        let count = limbs.all.len();
        let mut joints = Vec::with_capacity(count);
        for limb in 0..count {
            let joint = Joint::new(&body, &limbs, limb);
            joint.iter().for_each(|joint| joint.divide(&body, &mut limbs));
            joints.push(joint);
        }
        let points = limbs.points();
        let key = cache::key(character, &body, implicit);
        let field = |limb: usize| {
            let samples = implicit.samples_of(&skeleton.joints()[limbs.all[limb].joint].name);
            let wanted = SampleRequest { samples: &samples, count: implicit.samples };
            LimbField::new(&body, &limbs.all[limb], &points[limb], &limbs.ends(limb), wanted)
        };
        let fit = || (0..count).into_par_iter().with_max_len(1).map(field).collect::<Result<Vec<_>>>();
        let all = cache::read(fields, key, count).map_or_else(fit, Ok)?;
        let wanted: Vec<JointField> =
            limbs.all.iter().map(|limb| implicit.field_of(&skeleton.joints()[limb.joint].name)).collect();
        let amounts: Vec<f64> = wanted.iter().map(|wanted| wanted.amount).collect();
        let region = Region::new(&body, &limbs, &joints, &all, &amounts);
        let composition = |wanted: &JointField| JointComposition {
            operator: wanted.operator.operator(),
            controller: wanted.controller.clone(),
            parts: wanted.operator.parts(),
        };
        let fields = Fields::new(&limbs, all, wanted.iter().map(composition).collect(), tables);
        let posture = Posture::new(count);
        let iso = |k: usize| {
            let is_joined = region.at(k).iter().any(|at| !fields.compositions[at.joint as usize].parts);
            let rest = body.rest[region.points[k] as usize];
            is_joined.then(|| fields.posed(&posture.back).iso_value(region.limb[k] as usize, rest))
        };
        let swelling = |wanted: &JointField| match wanted.operator {
            OperatorKind::Contact => 1.0,
            OperatorKind::Bulge => BULGE,
            OperatorKind::Union | OperatorKind::Blend => 0.0,
        };
        let volume = |joint: &Option<Joint>| Some(JointVolume::new(&body, &limbs, joint.as_ref()?));
        let size = region.len();
        let apart = implicit.apart.then(|| Apart::new((&body, &limbs, &joints), &fields, &amounts));
        let mut deformer = Self {
            isos: (0..size).map(iso).collect(),
            volumes: joints.iter().map(volume).collect(),
            swelling: wanted.iter().map(swelling).collect(),
            pressures: vec![0.0; count],
            gives_way: GIVES_WAY,
            turns: Turns::new(&body, &region, skeleton.len()),
            warnings: Vec::new(),
            reports: Vec::new(),
            to_joint: skeleton.rest_world().iter().map(DAffine3::inverse).collect(),
            skinned: vec![Vec3::ZERO; body.len()],
            finished: vec![Vec3::ZERO; body.len()],
            parted: vec![Vec3::ZERO; body.len()],
            turning: NormalRotations::new(&body),
            places: vec![DVec3::ZERO; body.len()],
            shares: vec![0.0; size],
            taut: vec![0.0; size],
            tension: vec![0.0; size],
            walls: vec![DVec3::ZERO; size],
            targets: vec![DVec3::ZERO; size],
            rotations: vec![Quat::IDENTITY; size],
            is_moved: false,
            key,
            contacts: vec![0.0; character.vertex_count()],
            skin: vec![Vec3::ZERO; character.vertex_count()],
            membrane: Membrane::new(&region)?,
            posture,
            body,
            limbs,
            fields,
            joints,
            region,
            apart,
        };
        deformer.reports = (0..count).map(|limb| deformer.report(limb, points[limb].len())).collect();
        deformer.warnings = deformer.find_warnings(character);
        Ok(deformer)
    }

    /// Leaves the skin alone where a painted vertex attribute is 0; elsewhere each point takes so much of its way.
    pub(crate) fn paint(&mut self, character: &Character, attribute: &str) {
        let Self { body, region, apart, .. } = self;
        for (part, vertices) in character.parts.iter().zip(character.vertex_ranges()) {
            let Some(painted) = part.mesh.attributes.iter().find(|a| a.name == attribute) else { continue };
            let paint = |point: usize, share: &mut f64| {
                let first = body.copies(point).first().map_or(usize::MAX, |&copy| copy as usize);
                if vertices.contains(&first) {
                    *share *= f64::from(painted.values[(first - vertices.start) * painted.width]).clamp(0.0, 1.0);
                }
            };
            region.points.iter().zip(&mut region.share).for_each(|(&point, share)| paint(point as usize, share));
            let freedom = apart.iter_mut().flat_map(|apart| &mut apart.freedom);
            freedom.enumerate().for_each(|(point, share)| paint(point, share));
        }
    }

    /// Tells whether a stage after this one restores volume.
    pub(crate) fn precedes_volume(&mut self, is_kept: bool) {
        self.gives_way = if is_kept { GIVES_WAY_BEFORE_VOLUME } else { GIVES_WAY };
    }

    fn report(&self, limb: usize, points: usize) -> LimbReport {
        let field = self.fields.all[limb].as_ref();
        LimbReport {
            joint: self.limbs.all[limb].joint,
            points,
            samples: field.map(|field| field.samples().len()),
            fit: field.map(LimbField::fit).unwrap_or_default(),
            has_joint: self.fields.compositions[limb].parts && self.region.has_joint(limb),
        }
    }

    /// Skins and deforms a pose.
    fn skin_pose(&mut self, character: &Character, pose: &Pose, method: SkinMethod) -> Result<Surface> {
        let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
        character.skeleton.world(pose, &mut world);
        let frame = Frame::new(pose, &world, Time::default());
        let mut surface = Surface::default();
        SkinDeformer::new(character, method)?.deform(&frame, &mut surface);
        self.deform(&frame, &mut surface);
        Ok(surface)
    }

    /// The cache of what took long to find out about the character, for [`Self::with_cache`].
    pub fn to_bytes(&self) -> Vec<u8> {
        cache::join(&self.fields.tables, &cache::write(&self.fields.all, self.key))
    }

    /// The points that a limb's field goes through and the normals there, at rest in the world of the bind pose; empty
    /// for limbs without a field.
    pub fn samples(&self, limb: usize) -> &[Oriented] {
        self.fields.all.get(limb).and_then(Option::as_ref).map_or(&[], LimbField::samples)
    }

    /// The description of each limb.
    pub fn limbs(&self) -> &[LimbReport] {
        &self.reports
    }

    /// What the last frame did.
    pub fn last_frame(&self) -> ImplicitFrame {
        if !self.is_moved {
            return ImplicitFrame::default();
        }
        let moved = self.skinned.iter().zip(&self.finished).filter(|(was, is)| was != is).count();
        ImplicitFrame { moved, touching: self.walls.iter().filter(|wall| wall.length() > TOUCHES).count() }
    }

    /// The density of all limbs together at a place of the frame deformed last, as their joints put them together.
    pub fn density(&self, place: DVec3) -> Sample {
        self.fields.posed(&self.posture.back).whole(place)
    }

    /// A box around everything that has a density in the frame deformed last.
    pub fn bounds(&self) -> Box3 {
        let boxes = self.fields.all.iter().zip(&self.posture.motions);
        let posed = boxes.filter_map(|(field, motion)| Some(field.as_ref()?.bounds().transformed(motion)));
        posed.fold(Box3::EMPTY, |all, one| all.union(&one))
    }

    /// Bytes that the fields take.
    pub fn field_bytes(&self) -> usize {
        self.fields.all.iter().flatten().map(LimbField::bytes).sum()
    }

    /// Moves the points around joints, given where the skin has all points.
    fn solve(&mut self, on_phase_end: &mut dyn FnMut(&'static str)) {
        let Self { body, region, turns, places, taut, tension, membrane, .. } = self;
        measure_strain(body, region, &turns.points, places, taut);
        membrane.spread(taut, tension);
        on_phase_end("implicit_strain");
        self.follow_limbs();
        on_phase_end("implicit_fields");
        self.press();
        self.keep_sides();
        on_phase_end("implicit_sides");
        let Self { body, region, turns, places, shares, tension, walls, membrane, .. } = self;
        membrane.tighten(body, region, &turns.points, Skin { shares, tension, walls }, places);
        self.swell();
        on_phase_end("implicit_membrane");
        self.keep_sides();
        on_phase_end("implicit_sides");
    }

    /// Takes each point towards the limb that it belongs to, where it is crushed, and to its distance from that.
    fn follow_limbs(&mut self) {
        let Self { body, limbs, fields, posture, region, turns, places, shares, tension, targets, isos, .. } = self;
        let posed = fields.posed(&posture.back);
        targets.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(k, target)| {
            let (point, limb, share) = (region.points[k] as usize, region.limb[k] as usize, shares[k]);
            let skinned = places[point];
            let motion =
                posture.twisted(limb, &limbs.all[limb], turns.of_joint(limbs.all[limb].joint), turns.rotations[point]);
            let back = motion.inverse();
            let rigid = motion.transform_point3(body.rest[point]);
            *target = skinned + share * WITH_LIMB * (1.0 - tension[k]) * (rigid - skinned);
            let scale = posture.scales[limb];
            let radius = scale * region.radius[k];
            for _ in 0..STEPS {
                let step = match isos[k] {
                    None => step_to(scale * region.distance[k], posed.distance(limb, &back, *target, scale), radius),
                    Some(iso) => {
                        let Sample { value, gradient } = posed.joined(limb, iso, *target);
                        step_to(radius * iso, Sample { value: radius * value, gradient: radius * gradient }, radius)
                    }
                };
                *target += share * step;
            }
        });
        self.store_targets();
    }

    /// Presses points towards their own sides of joints, and flesh around with them.
    fn press(&mut self) {
        let Self { fields, joints, posture, region, places, shares, taut, membrane, .. } = self;
        let sides = Sides { fields, joints, posture, region, shares, taut };
        membrane.press(|k| {
            let place = places[region.points[k] as usize];
            sides.keep(k, place).0 - place
        });
        for ((&point, share), pressed) in region.points.iter().zip(&*shares).zip(&membrane.moves) {
            places[point as usize] += *share * *pressed;
        }
    }

    /// Keeps points on their own sides of joints.
    fn keep_sides(&mut self) {
        let Self { fields, joints, posture, region, places, shares, taut, walls, targets, .. } = self;
        let sides = Sides { fields, joints, posture, region, shares, taut };
        let both = targets.par_iter_mut().zip(walls).enumerate().with_min_len(VERTICES_PER_TASK);
        both.for_each(|(k, (target, wall))| {
            (*target, *wall) = sides.keep(k, places[region.points[k] as usize]);
        });
        self.store_targets();
    }

    /// Writes the places of the points around joints into a surface, with the normals that belong to them.
    ///
    /// Normals turn from where the joints of a point turn them to the finished surface. The surface of the skin is no
    /// start: it is folded over where limbs cross.
    fn write(&mut self, surface: &mut Surface) {
        let Self {
            body, region, turns, posture, skinned, places, shares, finished, rotations, walls, contacts, ..
        } = self;
        contacts.fill(0.0);
        finished.copy_from_slice(skinned);
        for &point in &region.points {
            finished[point as usize] = places[point as usize].as_vec3();
        }
        if !surface.normals.is_empty() {
            rotations.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(k, rotation)| {
                let point = region.points[k] as usize;
                let around = region.around.row(k as u32).iter().map(|&(j, _)| j as usize).chain([point]);
                let moved = around.map(|j| skinned[j].distance(finished[j])).fold(0.0, f32::max);
                *rotation = Quat::IDENTITY;
                if moved > 0.0 {
                    let was = (turns.points[point] * body.normals[point]).normalize_or_zero().as_vec3();
                    let turn = Quat::from_rotation_arc(was, body.normal(point, finished));
                    let radius = region.radius[k] * posture.scales[region.limb[k] as usize];
                    let share = smoothstep(f64::from(moved) / (TURNS_IN * radius)) * shares[k];
                    *rotation = Quat::IDENTITY.slerp(turn, share as f32);
                }
            });
            for (&point, &turn) in region.points.iter().zip(&*rotations).filter(|(_, turn)| **turn != Quat::IDENTITY) {
                body.copies(point as usize).iter().for_each(|&copy| surface.rotate(copy as usize, turn));
            }
        }
        for (&point, wall) in region.points.iter().zip(&*walls) {
            for &copy in body.copies(point as usize) {
                surface.positions[copy as usize] = finished[point as usize];
                contacts[copy as usize] = wall.length() as f32;
            }
        }
    }

    /// Keeps limbs apart that no joint parts.
    fn part(&mut self, surface: &mut Surface) {
        let Self { apart, fields, posture, body, places, finished, parted, turning, contacts, .. } = self;
        let Posture { motions, back, scales, is_sound, .. } = posture;
        let pose = LimbPose { body, fields: fields.posed(back), motions, back, scales, is_sound };
        let Some(apart) = apart.as_mut() else { return };
        if !apart.part(pose, places) {
            return;
        }
        parted.iter_mut().zip(&*places).for_each(|(parted, place)| *parted = place.as_vec3());
        body.write(finished, parted, turning, surface);
        finished.copy_from_slice(parted);
        for point in 0..body.len() {
            let touch = apart.touch(point) as f32;
            body.copies(point)
                .iter()
                .map(|&copy| copy as usize)
                .for_each(|copy| contacts[copy] = contacts[copy].max(touch));
        }
    }

    fn store_targets(&mut self) {
        for (&point, target) in self.region.points.iter().zip(&self.targets) {
            self.places[point as usize] = *target;
        }
    }

    /// Gives back the volume that bends squeeze out.
    fn swell(&mut self) {
        let Self {
            body,
            region,
            membrane,
            volumes,
            swelling,
            gives_way,
            posture,
            places,
            shares,
            taut,
            walls,
            pressures,
            ..
        } = self;
        let at = &*places;
        membrane.moves.par_iter_mut().enumerate().with_min_len(VERTICES_PER_TASK).for_each(|(k, force)| {
            let near: f64 = region.at(k).iter().map(AtJoint::nearness).sum();
            let slack = shares[k] * near * (1.0 - taut[k]);
            let area = if slack > 0.0 { body.area_vector(region.points[k] as usize, at) } else { DVec3::ZERO };
            *force = slack / (region.radius[k] * posture.scales[region.limb[k] as usize]) * slide(area, walls[k]);
        });
        membrane.solve();
        let moves = &membrane.moves;
        let move_of = |point: u32| moves.get(region.place[point as usize] as usize).copied().unwrap_or_default();
        let joints = volumes.iter().zip(&*swelling).zip(&posture.joints);
        for (pressure, ((volume, swelling), posed)) in pressures.iter_mut().zip(joints) {
            let both = volume.as_ref().zip(posed.as_ref());
            *pressure =
                both.map_or(0.0, |(volume, posed)| swelling * volume.pressure(posed, *gives_way, places, move_of));
        }
        for (k, &point) in region.points.iter().enumerate() {
            let weights = region.at(k).iter().map(|at| (at.nearness(), at.joint as usize));
            let (sum, total) = weights
                .fold((0.0, 0.0), |(sum, total), (weight, joint)| (sum + weight * pressures[joint], total + weight));
            places[point as usize] += shares[k] * slide(sum / total * moves[k], walls[k]);
        }
    }
}

/// The implicit skin of a single pose. For many poses, prepare an [`ImplicitDeformer`] once.
///
/// ```
/// use sinew_deform::implicit::{ImplicitOptions, implicit_skin};
/// use sinew_deform::skinning::SkinMethod;
///
/// let figure = sinew_demo::character();
/// let surface =
///     implicit_skin(&figure, &figure.rest_pose(), SkinMethod::DualQuaternion, &ImplicitOptions::default())?;
/// assert_eq!(surface.positions.len(), figure.vertex_count());
/// # Ok::<(), sinew_deform::Error>(())
/// ```
///
/// # Panics
/// If the pose is not one of this character.
pub fn implicit_skin(
    character: &Character,
    pose: &Pose,
    method: SkinMethod,
    options: &ImplicitOptions,
) -> Result<Surface> {
    let mut deformer = ImplicitDeformer::new(character, options)?;
    deformer.skin_pose(character, pose, method)
}

impl fmt::Debug for ImplicitDeformer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImplicitDeformer").field("limbs", &self.reports).finish_non_exhaustive()
    }
}

impl Deformer for ImplicitDeformer {
    fn deform_in_phases(
        &mut self,
        frame: &Frame<'_>,
        surface: &mut Surface,
        on_phase_end: &mut dyn FnMut(&'static str),
    ) {
        let Self { body, limbs, joints, region, to_joint, posture, turns, .. } = self;
        let motion = |joint: usize| frame.world[joint] * to_joint[joint];
        self.is_moved = posture.follow(joints, |limb| motion(limbs.all[limb].joint));
        on_phase_end("implicit_pose");
        if !self.is_moved {
            return;
        }
        turns.follow(body, motion);
        for (k, share) in self.shares.iter_mut().enumerate() {
            let is_sound = region.at(k).iter().all(|at| posture.joints[at.joint as usize].is_some());
            *share = if is_sound { region.share[k] } else { 0.0 };
        }
        self.skin.copy_from_slice(&surface.positions);
        for (point, (skinned, place)) in self.skinned.iter_mut().zip(&mut self.places).enumerate() {
            *skinned = self.body.place(point, surface);
            *place = skinned.as_dvec3();
        }
        self.solve(on_phase_end);
        self.write(surface);
        on_phase_end("implicit_output");
        if self.apart.is_some() {
            self.part(surface);
            on_phase_end("implicit_apart");
        }
    }

    /// Nothing where the frame deformed last left the skin alone.
    fn contacts(&self) -> Option<Contacts<'_>> {
        self.is_moved.then_some(Contacts { before: &self.skin, amount: &self.contacts })
    }

    /// Parts of the character that are left as the skin has them, and why.
    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl ImplicitDeformer {
    fn find_warnings(&self, character: &Character) -> Vec<String> {
        let reports = &self.reports;
        let name = |report: &LimbReport| format!("\"{}\"", character.skeleton.joints()[report.joint].name);
        let mut warnings = Vec::new();
        let shapeless: Vec<String> = reports.iter().filter(|report| report.samples.is_none()).map(name).collect();
        if !shapeless.is_empty() {
            warnings.push(format!(
                "the implicit skin does not change the limb of {}: its points define no shape",
                shapeless.join(", ")
            ));
        }
        let without = self.limbs.of_point.iter().filter(|limb| limb.is_none()).count();
        if without > 0 {
            warnings.push(format!(
                "the implicit skin does not change {without} points: no joint above them has {} points or more",
                crate::welded::FEWEST
            ));
        }
        let badly: Vec<String> = reports.iter().filter(|report| report.fit.mean > 0.05).map(name).collect();
        if !badly.is_empty() {
            warnings.push(format!("the fields of {} fit their limbs poorly", badly.join(", ")));
        }
        if !character.parts.is_empty() && self.region.len() == 0 {
            warnings.push("the implicit skin changes nothing: no joint has points that it may move".into());
        }
        warnings
    }
}
