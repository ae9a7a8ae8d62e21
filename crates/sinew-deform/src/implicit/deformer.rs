//! The implicit deformer: around joints that bend like hinges the skin keeps its shape, and its two sides stay apart.
//!
//! A frame starts from the surface of the deformer before. Hinges put the points around them to where two pipes would
//! have them ([`super::bend`]); from there points follow the fields of their limbs and each other ([`super::track`]).
//! Everything else stays as it was.

use super::cache;
use super::confidence::tracked_vertices;
use super::fields::{Fields, JointComposition};
use super::fold_intersections::FoldIntersections;
use super::hinge::{DIRECTIONS, Hinge, Member};
use super::limb_field::{LimbField, SampleRequest};
use super::model::{Posture, RestModel};
use super::options::{ImplicitOptions, JointField, OperatorKind};
use super::report::LimbReport;
use super::track::{TrackedVertexState, Tracking, gather, measure, track};
use super::trial::{reject_hinges, try_hinge};
use crate::Result;
use crate::parallel::VERTICES_PER_TASK;
use crate::skinning::{SkinDeformer, SkinMethod};
use crate::welded::{FEWEST, Limbs, NormalRotations, WeldedSurface};
use glam::{DAffine3, DVec3, Vec3};
use sinew_field::{Box3, OperatorTables, Oriented, Sample};
use sinew_geometry::Rows;
use sinew_geometry::parallel::*;
use sinew_rig::Character;
use sinew_rig::{Contacts, Deformer, Frame, Pose, Surface, Time};
use std::fmt;
use std::sync::Arc;

/// The least mean weight concentration of the points around a hinge: where weights reach over several joints, the skin
/// is no limb that moves as a whole.
const MIN_WEIGHT_CONCENTRATION: f64 = 0.85;

/// Keeps joints from collapsing, bulging and crossing.
pub struct ImplicitDeformer {
    model: RestModel,
    reports: Vec<LimbReport>,
    warnings: Vec<String>,
    /// Whether a frame starts from the one before.
    warm_start: bool,
    /// From the world at rest to each limb's joint.
    to_joint: Vec<DAffine3>,
    posture: Posture,
    /// Where the skin, the hinges and the fields have each point.
    skinned: Vec<Vec3>,
    start: Vec<DVec3>,
    places: Vec<DVec3>,
    states: Vec<TrackedVertexState>,
    /// How far each point followed in the frame before, in its limb's space; empty if there was none.
    offsets: Vec<DVec3>,
    /// Where points are in the end.
    finished: Vec<Vec3>,
    turning: NormalRotations,
    has_previous: bool,
    /// Whether the last frame moved anything.
    is_moved: bool,
    fold_intersections: FoldIntersections,
    /// The checksum of what all this was made from.
    key: u64,
    /// How much each point, and each vertex, touches another limb.
    touched: Vec<f32>,
    contacts: Vec<f32>,
    /// Where the skin alone has each vertex.
    skin: Vec<Vec3>,
}

impl ImplicitDeformer {
    /// Prepares a character. Joints and meshes that the options name and the character does not have are passed over,
    /// so that the same options serve many characters.
    pub fn new(character: &Character, method: SkinMethod, implicit: &ImplicitOptions) -> Result<Self> {
        Self::with_cache(character, method, implicit, &[])
    }

    /// Prepares a character at once with the bytes that [`ImplicitDeformer::to_bytes`] gave for it and these options;
    /// with any others as if there were none.
    pub fn with_cache(
        character: &Character,
        method: SkinMethod,
        implicit: &ImplicitOptions,
        cache: &[u8],
    ) -> Result<Self> {
        let (tables, fields) = cache::split(cache);
        Self::with_tables(character, method, implicit, tables, fields)
    }

    /// The checksum of all that the bytes of [`Self::to_bytes`] depend on, to find them by.
    pub fn cache_key(character: &Character, method: SkinMethod, implicit: &ImplicitOptions) -> Result<u64> {
        character.check()?;
        Ok(cache::key(character, &WeldedSurface::new(character, &implicit.leave_out), method, implicit))
    }

    /// The same with tables for the operators, and the bytes of the fields alone.
    pub(crate) fn with_tables(
        character: &Character,
        method: SkinMethod,
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
        let mut hinges: Vec<Option<Hinge>> = (0..count).map(|limb| Hinge::new(&body, &mut limbs, limb)).collect();
        let points = limbs.points();
        let key = cache::key(character, &body, method, implicit);
        let (known, trials) =
            cache::read(fields, key, count).map_or((None, None), |k| (Some(k.fields), Some(k.trials)));
        let field = |limb: usize| {
            let samples = implicit.samples_of(&skeleton.joints()[limbs.all[limb].joint].name);
            let wanted = SampleRequest { samples: &samples, count: implicit.samples };
            LimbField::new(&body, &limbs.all[limb], &points[limb], &limbs.ends(limb), wanted)
        };
        let fit = || (0..count).into_par_iter().with_max_len(1).map(field).collect::<Result<Vec<_>>>();
        let all = known.map_or_else(fit, Ok)?;
        let wanted: Vec<_> =
            limbs.all.iter().map(|limb| implicit.field_of(&skeleton.joints()[limb.joint].name)).collect();
        for (hinge, wanted) in hinges.iter_mut().zip(&wanted) {
            *hinge = hinge.take().filter(|_| wanted.amount > 0.0);
            if let Some(hinge) = hinge {
                (hinge.amount, hinge.parts) = (wanted.amount, wanted.operator.parts());
                hinge.keeps_beyond = wanted.operator == OperatorKind::Bulge;
            }
        }
        let composition =
            |w: &JointField| JointComposition { operator: w.operator.operator(), controller: w.controller.clone() };
        let fields = Fields::new(&limbs, all, wanted.iter().map(composition).collect(), tables);
        let posture = Posture::new(count);
        for (hinge, wanted) in hinges.iter_mut().zip(&wanted) {
            *hinge = hinge.take().filter(|hinge| {
                wanted.is_named || hinge.weight_concentration(&body, &limbs) > MIN_WEIGHT_CONCENTRATION
            });
        }
        let members = members(&body, &limbs, &hinges);
        let tracked_vertices = tracked_vertices(&body, &limbs, fields.posed(&posture.back), &members);
        let mut model = RestModel { body, limbs, hinges, fields, members, tracked_vertices };
        let is_linear = matches!(method, SkinMethod::Linear | SkinMethod::Rigid);
        let is_known = trials.is_some();
        let tried = trials.unwrap_or_else(|| {
            let trial = |(hinge, wanted): (&Option<Hinge>, &JointField)| match hinge {
                Some(hinge) if !wanted.is_named => try_hinge(hinge, &model, skeleton, is_linear),
                _ => [[1.0; DIRECTIONS]; 2],
            };
            model.hinges.par_iter().zip(&wanted).with_max_len(1).map(trial).collect()
        });
        for (hinge, [confidence, follow]) in model.hinges.iter_mut().zip(tried) {
            if let Some(hinge) = hinge {
                (hinge.confidence, hinge.follow) = (confidence, follow);
            }
        }
        let is_parted = wanted.iter().map(|wanted| wanted.amount > 0.0 && wanted.operator.parts());
        let rest_world = skeleton.rest_world();
        let size = model.body.len();
        let mut deformer = Self {
            warnings: Vec::new(),
            reports: Vec::new(),
            warm_start: implicit.continues,
            to_joint: model.limbs.all.iter().map(|limb| rest_world[limb.joint].inverse()).collect(),
            posture,
            skinned: vec![Vec3::ZERO; size],
            start: vec![DVec3::ZERO; size],
            places: vec![DVec3::ZERO; size],
            states: Vec::with_capacity(model.tracked_vertices.len()),
            offsets: if implicit.continues { vec![DVec3::ZERO; size] } else { Vec::new() },
            finished: vec![Vec3::ZERO; size],
            turning: NormalRotations::new(&model.body),
            has_previous: false,
            is_moved: false,
            fold_intersections: FoldIntersections::new(&model, is_parted.collect(), implicit.continues),
            key,
            touched: vec![0.0; size],
            contacts: vec![0.0; character.vertex_count()],
            skin: vec![Vec3::ZERO; character.vertex_count()],
            model,
        };
        if !is_known {
            deformer.try_base_pose(character, method)?;
        }
        let reports = (0..count).map(|limb| deformer.model.report(limb, points[limb].len())).collect();
        deformer.reports = reports;
        deformer.warnings = warnings(character, &deformer.model, &deformer.reports);
        Ok(deformer)
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

    /// Tries the pose that the file has the character in.
    fn try_base_pose(&mut self, character: &Character, method: SkinMethod) -> Result<()> {
        self.skin_pose(character, &character.base_pose, method)?;
        if !self.posture.hinges.iter().all(Option::is_none) {
            reject_hinges(&mut self.model, &self.posture, &self.skinned, &self.finished);
        }
        self.has_previous = false;
        Ok(())
    }

    /// The cache of what took long to find out about the character, for [`Self::with_cache`].
    pub fn to_bytes(&self) -> Vec<u8> {
        cache::join(&self.model.fields.tables, &cache::write(&self.model, self.key))
    }

    /// The points that a limb's field goes through and the normals there, at rest in the world of the bind pose; empty
    /// for limbs without a field.
    pub fn samples(&self, limb: usize) -> &[Oriented] {
        self.model.fields.all.get(limb).and_then(Option::as_ref).map_or(&[], LimbField::samples)
    }

    /// The description of each limb.
    pub fn limbs(&self) -> &[LimbReport] {
        &self.reports
    }

    /// The result of following the fields in the last deformed frame.
    pub fn tracking(&self) -> Tracking {
        measure(self.model.fields.posed(&self.posture.back), &self.states, &self.skinned, &self.places)
    }

    /// The density of all limbs together at a place of the frame deformed last, as their joints put them together.
    pub fn density(&self, place: DVec3) -> Sample {
        self.model.fields.posed(&self.posture.back).whole(place)
    }

    /// A box around everything that has a density in the frame deformed last.
    pub fn bounds(&self) -> Box3 {
        let boxes = self.model.fields.all.iter().zip(&self.posture.motions);
        let posed = boxes.filter_map(|(field, motion)| Some(field.as_ref()?.bounds().transformed(motion)));
        posed.fold(Box3::EMPTY, |all, one| all.union(&one))
    }

    /// Bytes that the fields take.
    pub fn field_bytes(&self) -> usize {
        self.model.fields.all.iter().flatten().map(LimbField::bytes).sum()
    }

    /// Puts points to where hinges have them.
    fn bend(&mut self, surface: &Surface) {
        let Self { model, posture, skinned, start, touched, .. } = self;
        let pieces = start
            .par_chunks_mut(VERTICES_PER_TASK)
            .zip(skinned.par_chunks_mut(VERTICES_PER_TASK))
            .zip(touched.par_chunks_mut(VERTICES_PER_TASK));
        pieces.enumerate().for_each(|(piece, ((start, skinned), touched))| {
            for (k, ((start, skinned), touched)) in start.iter_mut().zip(skinned).zip(touched).enumerate() {
                let point = piece * VERTICES_PER_TASK + k;
                *skinned = model.body.place(point, surface);
                let (place, constraint) = posture.settle(model, point, skinned.as_dvec3());
                (*start, *touched) = (place, constraint.half_spaces.touch(place) as f32);
            }
        });
        self.skin.copy_from_slice(&surface.positions);
    }

    /// Lets points follow the fields.
    fn follow(&mut self, is_warm: bool) {
        let Self { model, posture, skinned, start, places, states, offsets, .. } = self;
        gather(model, posture, model.tracked_vertices.iter(), states);
        places.copy_from_slice(start);
        if is_warm {
            for vertex in states.iter().map(|state| &state.vertex) {
                let turn = posture.motions[vertex.limb as usize].matrix3;
                places[vertex.point as usize] += turn * offsets[vertex.point as usize];
            }
        }
        track(&model.body, model.fields.posed(&posture.back), states, skinned, start, places, is_warm);
        if self.warm_start {
            offsets.fill(DVec3::ZERO);
            for vertex in states.iter().map(|state| &state.vertex) {
                let point = vertex.point as usize;
                offsets[point] = posture.back[vertex.limb as usize].matrix3 * (places[point] - start[point]);
            }
            self.has_previous = true;
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
    let mut deformer = ImplicitDeformer::new(character, method, options)?;
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
        let Self { model, to_joint, posture, .. } = self;
        let limbs = &model.limbs.all;
        posture.follow(model, |limb| frame.world[limbs[limb].joint] * to_joint[limb]);
        on_phase_end("implicit_pose");
        let folds = self.fold_intersections.detect(model, posture);
        self.is_moved = folds || posture.hinges.iter().any(Option::is_some);
        if !self.is_moved {
            self.states.clear();
            self.has_previous = false;
            return;
        }
        self.bend(surface);
        on_phase_end("implicit_hinges");
        let is_warm = self.warm_start && frame.time.delta > 0.0 && self.has_previous;
        self.follow(is_warm);
        on_phase_end("implicit_fields");
        let Self { model, posture, fold_intersections, skinned, places, finished, turning, touched, contacts, .. } =
            self;
        fold_intersections.resolve(model, posture, places, is_warm);
        on_phase_end("implicit_knots");
        finished.iter_mut().zip(&*places).for_each(|(finished, place)| *finished = place.as_vec3());
        model.body.write(skinned, finished, turning, surface);
        for (point, &touched) in touched.iter().enumerate() {
            model.body.copies(point).iter().for_each(|&copy| contacts[copy as usize] = touched);
        }
        on_phase_end("implicit_output");
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

/// For each point its hinges.
fn members(body: &WeldedSurface, limbs: &Limbs, hinges: &[Option<Hinge>]) -> Rows<(u32, Member)> {
    let of_point = |point: usize| {
        let Some(limb) = limbs.of_point[point].map(|limb| limb as usize) else { return Vec::new() };
        let near = [limb].into_iter().chain(limbs.children(limb));
        let member = |k: usize| Some((k as u32, hinges[k].as_ref()?.membership(body, limbs, point)?));
        near.filter_map(member).collect()
    };
    Rows::new((0..body.len()).map(of_point))
}

fn warnings(character: &Character, model: &RestModel, reports: &[LimbReport]) -> Vec<String> {
    let name = |report: &LimbReport| format!("\"{}\"", character.skeleton.joints()[report.joint].name);
    let mut warnings = Vec::new();
    let shapeless: Vec<String> = reports.iter().filter(|report| report.samples.is_none()).map(name).collect();
    if !shapeless.is_empty() {
        warnings.push(format!(
            "the implicit skin does not change the limb of {}: its points define no shape",
            shapeless.join(", ")
        ));
    }
    let without = model.limbs.of_point.iter().filter(|limb| limb.is_none()).count();
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
    if !character.parts.is_empty() && model.hinges.iter().flatten().all(|hinge| hinge.confidence == [0.0; DIRECTIONS]) {
        warnings.push("no joint bends like a hinge: the implicit skin changes nothing".into());
    }
    warnings
}
