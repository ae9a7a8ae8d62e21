//! The flesh deformer.

use super::bones::{BoneShape, BoneSolid, bone_transform};
use super::core::{Core, agreement, core, trunk_share};
use super::grading::{ELSEWHERE, GradedJoint, largest_edge};
use super::hinges::joints_of_limbs;
use super::inertia::Inertia;
use super::interior::Interior;
use super::loose_parts::{BonesInFlesh, LooseParts, loose_parts};
use super::muscles::{Contraction, fibres};
use super::node_skin::{ONE_JOINT, node_weights};
use super::options::{Fineness, FleshOptions};
use super::regions::{RegionVolume, Regions};
use super::rest_skin::RestSkin;
use crate::muscle::{MuscleDeformer, MuscleField};
use crate::welded::{Limb, Limbs, WeldedSurface};
use crate::{Error, Result};
use glam::{DAffine3, DMat3, DVec3, Quat, Vec3};
use sinew_flesh::{
    Attachment, Body, ContactSearch, ContactSkin, FleshPoint, Lattice, Material, Outcome, Settings, Skin, Solid,
};
use sinew_geometry::parallel::*;
use sinew_geometry::{ClosestSurface, Rows, Winding, polar};
use sinew_rig::{Character, Deformer, Frame, Pose, Skeleton, Surface};
use std::f64::consts::SQRT_2;

/// The stiffness of a bone against the flesh in it, by volume and in squares of the limb's radius.
const BONE_STIFFNESS: f64 = 200.0;

/// The distance between a bone and the flesh that it holds at which it gives way, in limb radii. A figure with its hand on its
/// chest has 79 crossings at the thumb if bones never yield, and 31 / 6 with 0.05 / 0.03.
const YIELDS_AT: f64 = 0.03;

/// The same for the balls in joints, kneecaps and tips of elbows, which have few points to hold with. The tube, bent by 90°,
/// is .013 / .006 / .006 limb radii from simulated flesh with 0.03 / 0.06 / if they never yield. Where a limb
/// begins at a trunk they yield as shafts do: with 0.06 there a squatting figure has a lump below the crease of its hip.
const BALLS_YIELD_AT: f64 = 0.06;

/// The share of a bone's joint in what moves flesh from which on the bone holds it: bones of a fox's legs reach into those
/// of its chest. With 0 / 0.5 / 0.7 a sitting figure has 157 / 140 / 132 crossings, bones yield by 1.75 / 1.50 / 0.98 limb
/// radii in a dinosaur's death, and MakeHuman's elbow and knee are .026 / .026 / .023 from simulated flesh; but the knee,
/// bent by 130°, has 0 / 0 / 2 crossings.
const MOVES_ALONG: f64 = 0.5;

/// The same, in the largest share that the bone's joint has anywhere in it: a collarbone, and the bones of a neck and of a
/// palm, share their flesh with others. Without it they hold none, and a fist's fingers lose up to 10 % of their volume
/// instead of 4 %.
const MOSTLY: f64 = 0.8;

/// The distance of two layers of points in a bone, in edges of the cells there.
const LAYERS: f64 = 0.4;

/// The distance at which contacts begin, in radii of the wider of two limbs. MakeHuman's knee, bent by 130°, has no crossing
/// with it, and 6 with the radius of the point's own limb.
const GAP: f64 = 0.03;

/// The stiffness of contacts, by area and in radii of the limb. With 300 / 500 / 900 a squatting figure has 32 / 8 / 8
/// crossings, a sitting one 116 / 113 / 184, and the smallest J of a fox at gallop is .08 / .07 / −.04.
const CONTACT_STIFFNESS: f64 = 500.0;

/// How flesh follows the bones from one pose to the next.
#[derive(Debug, Clone, Copy)]
struct Pace {
    /// The most that a joint turns between two shapes that are solved for, in degrees.
    degrees: f64,
    /// The most searches for contacts in each.
    rounds: usize,
    /// How far nodes may settle, in edges of their tetrahedra, before contacts are looked for again.
    near_by: f64,
    /// When the solver stops between two searches.
    settings: Settings,
}

/// From rest to a pose that stands alone: how a crook folds depends on the way.
const FROM_REST: Pace =
    Pace { degrees: 5.0, rounds: 3, near_by: 0.05, settings: Settings { iterations: 150, tolerance: 1e-3 } };

/// From frame to frame of a clip. With a tolerance of 0.003 / 0.002 eight captures of MakeHuman's figure jump in 63 / 44 of
/// 1,121 intervals, at 240 frames a second, and walk 39_01 takes 33 / 38 iterations a frame, at 30. Contacts
/// are prepared for about as far as nodes may settle, so that a quiet frame has one search: a second of a walk and one of
/// boxing have 7.7 and 13 crossings a frame with 0.05 to 0.4, and 8.0 and 13.4 with 0.8.
const ALONG_CLIP: Pace =
    Pace { degrees: 15.0, rounds: 2, near_by: 0.4, settings: Settings { iterations: 60, tolerance: 2e-3 } };

/// What holds flesh back from frame to frame of a clip: Young's moduli times seconds. Folds in armpits and groins, which
/// hardly anything else holds, then move with the bones instead of to and fro: walk 39_01 of MakeHuman's figure jumps
/// there in 8 of its 60 intervals from 0.4 s on without, and in none with 0.0005. All of it jumps in 16 / 13 of 93 intervals
/// with 0.0005 / 0.002. More makes flesh lag: a tube of radius 1 that bends by 450° in a second is .07 behind with 0.002, and
/// just .01, as far as a pose alone and in a clip may differ, with 0.0005.
const VISCOSITY: f64 = 0.0004;

/// The same for bones that gave way, in their springs' constants times seconds: a thumb that slips off a thigh comes back in
/// some hundredths of a second. Of walk 39_01 thumbs jump in 9 / 7 / 4 / 3 intervals with 0 / 0.0005 / 0.001 / this; with
/// twice as much there are more crossings.
const SLOW_TO_RETURN: f64 = 0.002;

/// The turn, in radians, and the way, in radii of the thinnest limb, up to which a joint has not moved.
const STILL: f64 = 1e-6;

/// The longest edge of the skin that flesh is filled into, in edges of the cells there: forces of contacts act at its
/// points, and with a coarse skin all of a large face would act on the few tetrahedra at its corners. Of a fox at
/// gallop tetrahedra are turned over with 1, to −2.9 of their volume, and with this to −0.1. A second and a half of boxing
/// has 12 crossings a frame with 0.5 and 25 with 1.
const LONGEST_EDGE: f64 = 0.5;

/// The same in fine cells. A crook then folds as sharply as flesh does, and the character's own faces cut across the fold:
/// MakeHuman's knee, bent by 90° and by 130°, has 9 / 4 / 0 crossings with 0.5 / 1 / 2, and at 130° it is .037 / .037 / .033 limb
/// radii from simulated flesh.
const LONGEST_FINE_EDGE: f64 = 2.0;

/// Stands for a bone where the skin itself holds a node.
const ON_SKIN: u32 = u32::MAX;

/// The number of tetrahedra that a lattice is fitted to.
struct Cells {
    tetrahedra: f64,
    /// The limits of their edges at joints, in limb radii.
    edges: [f64; 2],
}

const INTERACTIVE: Cells = Cells { tetrahedra: 20_000.0, edges: [0.25, 0.8] };

/// With 2,000 / 4,000 / 6,000 / 8,000, and joints that turn by 3° a frame, MakeHuman's elbow and knee are .055 / .041 / .038 / .042
/// limb radii from simulated flesh, and a frame of the elbow takes 10 / 17 / 17 ms with the first three. With edges of at least
/// 0.5 the tube, bent by 120°, is .030 from it, and .011 with these.
const COARSE: Cells = Cells { tetrahedra: 6_000.0, edges: [0.35, 1.6] };

/// The edge of fine cells at joints, in limb radii. The mean distance of the seven shapes from simulated flesh is .0156 /
/// .0143 limb radii with 0.3 / 0.25.
const FINE_EDGE: f64 = 0.25;

/// What happened in a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FleshReport {
    /// Iterations of the solver.
    pub iterations: usize,
    /// The largest distance that a node still moved, in edges of its tetrahedra.
    pub residual: f64,
    /// The largest distance between a bone and the flesh that it holds, in limb radii.
    pub yielded: f64,
    /// Contacts between points of the skin and other parts.
    pub contacts: usize,
    /// The smallest share of its volume that a tetrahedron has; zero or less where one is turned over.
    pub smallest_volume: f64,
    /// The volume of the flesh, as a share of that at rest.
    pub volume: f64,
    /// The joint whose flesh has the volume farthest from that at rest.
    pub worst_region: Option<RegionVolume>,
}

/// Moves the skin to where flesh on bones is at rest.
pub struct FleshDeformer {
    welded: WeldedSurface,
    skeleton: Skeleton,
    rest_inverse: Vec<DAffine3>,
    pub(super) body: Body,
    bones: Vec<BoneShape>,
    pub(super) solid: Solid,
    /// The bone of each attachment, and its place at rest.
    attached: Vec<(u32, DVec3)>,
    /// The stiffness at rest of the last attachments, which hold the inside of trunks.
    core: Vec<f64>,
    contacts: ContactSearch,
    regions: Regions,
    /// What makes it swing, if anything does.
    inertia: Option<Inertia>,
    contraction: Contraction,
    pub(super) node_weights: Rows<(u32, f64)>,
    root: usize,
    /// The radius of the thinnest limb.
    thinnest: f64,
    /// Where joints are at rest.
    heads: Vec<DVec3>,
    bone_transforms: Vec<DAffine3>,
    /// The pose that the solid is in.
    pose: Pose,
    path: Pose,
    transforms: Vec<DAffine3>,
    before: Vec<DAffine3>,
    world: Vec<DAffine3>,
    gradients: Vec<DMat3>,
    skin: Vec<DVec3>,
    rest: RestSkin,
    places: Vec<Vec3>,
    /// How each joint turned since rest.
    turns: Vec<Quat>,
    report: FleshReport,
    warnings: Vec<String>,
}

impl std::fmt::Debug for FleshDeformer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (tetrahedra, nodes) = (self.body.lattice.tetrahedra.len(), self.body.lattice.nodes.len());
        let mut deformer = f.debug_struct("FleshDeformer");
        deformer.field("tetrahedra", &tetrahedra).field("nodes", &nodes).finish_non_exhaustive()
    }
}

impl FleshDeformer {
    /// Fills a character with flesh.
    pub fn new(character: &Character, options: &FleshOptions) -> Result<Self> {
        Self::around(character, options, &[])
    }

    /// The same with muscles at rest in the flesh. Frames say how far they contract.
    pub fn with_muscles(character: &Character, options: &FleshOptions, muscles: &MuscleDeformer) -> Result<Self> {
        Self::around(character, options, &muscles.muscles().collect::<Vec<_>>())
    }

    pub(super) fn around(character: &Character, options: &FleshOptions, muscles: &[&MuscleField]) -> Result<Self> {
        let Interior { mut welded, places, winding, mut limbs, radii, bones, mut warnings } =
            Interior::new(character, options)?;
        let skeleton = character.skeleton.clone();
        let root = limbs.all[0].joint;
        let graded = graded_joints(&limbs, &radii, &skeleton, options.fineness);
        let (lattice, edge) = Space::new(&welded, &winding, &places, &graded).lattice(options.fineness)?;
        let seen_faces = welded.faces.clone();
        let longest_edge = if options.fineness == Fineness::Fine { LONGEST_FINE_EDGE } else { LONGEST_EDGE };
        let halved = welded.refine(|place| longest_edge * largest_edge(&graded, edge, place));
        for [end, _] in halved {
            limbs.of_point.push(limbs.of_point[end as usize]);
        }
        let skin = Skin { points: &welded.rest, normals: &welded.normals, faces: &welded.faces, winding: &winding };
        let body = Body::new(&lattice, &skin);
        let node_weights = node_weights(&body, &welded.influences, skeleton.len())?;
        let (mut attachments, mut attached) = (Vec::new(), Vec::new());
        // The share of a bone's joint in what moves a point, with its parent's where the bone turns between the two.
        let share_of = |bone: &BoneShape, point: &FleshPoint| -> f64 {
            let parent = skeleton.joints()[bone.joint].parent.filter(|_| bone.turn < 1.0);
            let is_its = |joint: u32| joint as usize == bone.joint || Some(joint as usize) == parent;
            let at_node =
                |node: u32| -> f64 { node_weights.row(node).iter().filter(|w| is_its(w.0)).map(|w| w.1).sum() };
            let corners = body.lattice.tetrahedra[point.tetrahedron as usize].into_iter().zip(point.shares);
            corners.map(|(node, share)| share * at_node(node)).sum()
        };
        let at_trunk = |joint: usize| {
            let parent = limbs.all.iter().find(|limb| limb.joint == joint).and_then(|limb| limb.parent);
            parent.is_some_and(|parent| trunk_share(&limbs.all[parent], radii[parent]) > 0.0)
        };
        let mut has_bones = false;
        for (number, bone) in (0..).zip(&bones) {
            let points = bone.solid.points(|place| LAYERS * largest_edge(&graded, edge, place));
            let stiffness = BONE_STIFFNESS * bone.solid.volume()
                / points.len().max(1) as f64
                / (bone.softness * bone.limb_radius.powi(2));
            let is_firm = matches!(bone.solid, BoneSolid::Ball { .. }) && !at_trunk(bone.joint);
            let yields_at = if is_firm { BALLS_YIELD_AT } else { YIELDS_AT } * bone.limb_radius;
            let before = attached.len();
            let inside = points.into_iter().filter(|&p| winding.number(p) > 0.5);
            let located: Vec<_> = inside.filter_map(|place| Some((place, body.locate(place)?))).collect();
            let shares = located.iter().map(|(_, point)| share_of(bone, point));
            // Bones whose flesh moves with others as well, such as those of a neck, hold what moves with them most.
            let least = MOVES_ALONG.min(MOSTLY * shares.fold(0.0, f64::max));
            for (place, point) in located {
                has_bones = true;
                if matches!(bone.solid, BoneSolid::Mesh { .. }) || share_of(bone, &point) > least {
                    let nodes = body.lattice.tetrahedra[point.tetrahedron as usize];
                    let shares = point.shares;
                    attachments.push(Attachment { nodes, shares, stiffness, target: place, yields_at });
                    attached.push((number, place));
                }
            }
            if let (BoneSolid::Mesh { name, .. }, true) = (&bone.solid, attached.len() == before) {
                warnings.push(format!("bone mesh \"{name}\" holds no flesh: no part of it lies inside the skin"));
            }
        }
        if !has_bones {
            return Err(Error::BonesOutside);
        }
        let (gaps, stiffness) = contact_sizes(&welded, &limbs, &radii);
        let contact_skin = ContactSkin {
            points: &welded.rest,
            normals: &welded.normals,
            faces: &welded.faces,
            seen_faces: &seen_faces,
            gaps: &gaps,
            stiffness: &stiffness,
            parts: &lone_parts(&body, &node_weights),
            influences: &welded.influences,
        };
        let parts = parts(&body, &node_weights);
        let contacts = ContactSearch::new(&body, &contact_skin, &parts);
        let surface = ClosestSurface::new(&places, &seen_faces);
        let bones_in_flesh = BonesInFlesh { bones: &bones, attachments: &attachments, attached: &attached };
        let LooseParts { springs, joints: loose } =
            loose_parts(&body, (&limbs, &skeleton), &bones_in_flesh, &node_weights, (&winding, &surface));
        attached.extend(springs.iter().map(|spring| (ON_SKIN, spring.target)));
        attachments.extend(springs);
        let Core { springs, compression } = core(&body, &node_weights, (&limbs, &radii), &winding, &surface);
        let core = springs.iter().map(|spring| spring.stiffness).collect();
        attached.extend(springs.iter().map(|spring| (ON_SKIN, spring.target)));
        attachments.extend(springs);
        let names: Vec<&str> = loose.iter().map(|&joint| skeleton.joints()[joint].name.as_str()).collect();
        let warning = || format!("no bone in the flesh: it follows the skin at {}", names.join(", "));
        warnings.extend((!names.is_empty()).then(warning));
        let fibres = fibres(&body, muscles, options);
        let mut solid = Solid::with_fibres(body.lattice.clone(), &body.volumes, Material::FLESH, attachments, &fibres)?;
        solid.resist_compression(&compression);
        let widest = radii.iter().copied().fold(0.0, f64::max);
        let inertia = Inertia::new(&options.shake, solid.node_volumes(), widest, Material::FLESH.shear);
        let count = skeleton.len();
        let rest_world = skeleton.rest_world();
        Ok(Self {
            thinnest: radii.iter().copied().fold(f64::INFINITY, f64::min),
            rest_inverse: rest_world.iter().map(DAffine3::inverse).collect(),
            pose: skeleton.rest_pose(),
            path: skeleton.rest_pose(),
            transforms: vec![DAffine3::IDENTITY; count],
            before: vec![DAffine3::IDENTITY; count],
            heads: rest_world.iter().map(|world| world.translation).collect(),
            bone_transforms: vec![DAffine3::IDENTITY; bones.len()],
            world: rest_world,
            gradients: Vec::with_capacity(body.lattice.nodes.len()),
            skin: welded.rest.clone(),
            rest: RestSkin::new(character)?,
            places: vec![Vec3::ZERO; welded.len()],
            turns: vec![Quat::IDENTITY; count],
            contraction: Contraction::new(muscles.len()),
            report: FleshReport::default(),
            regions: Regions::new(&body, &parts, count),
            warnings,
            welded,
            skeleton,
            body,
            bones,
            solid,
            attached,
            core,
            contacts,
            inertia,
            node_weights,
            root,
        })
    }

    /// What happened in the last frame.
    pub fn report(&self) -> FleshReport {
        self.report
    }

    /// The volume of each joint's flesh in the last frame.
    pub fn regions(&self) -> impl Iterator<Item = RegionVolume> + '_ {
        self.regions.volumes()
    }

    /// The pose that the flesh is in.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The most that a joint turns from the pose that the flesh is in to another.
    pub fn degrees_to(&self, pose: &Pose) -> f64 {
        let pairs = self.pose.joints.iter().zip(&pose.joints).enumerate().filter(|(joint, _)| *joint != self.root);
        let angles = pairs.map(|(_, (from, to))| from.rotation.angle_between(to.rotation));
        angles.fold(0.0, f64::max).to_degrees()
    }

    /// Puts the flesh where it was at rest.
    fn reset(&mut self) {
        self.solid.reset();
        self.pose.joints.iter_mut().zip(self.skeleton.joints()).for_each(|(pose, joint)| *pose = joint.rest);
        self.transforms.fill(DAffine3::IDENTITY);
        self.contraction.reset();
    }

    /// Moves the bones from the pose they are in to another, in steps, and lets the flesh settle; in some seconds, in
    /// which it is viscous and has a mass, or without time.
    fn go_to(&mut self, pose: &Pose, world: &[DAffine3], pace: Pace, seconds: f64) {
        let steps = (self.degrees_to(pose) / pace.degrees).ceil().max(1.0) as usize;
        self.report = FleshReport::default();
        for step in 1..=steps {
            if step < steps {
                let share = step as f64 / steps as f64;
                for ((path, from), to) in self.path.joints.iter_mut().zip(&self.pose.joints).zip(&pose.joints) {
                    *path = from.interpolate(to, share);
                }
                self.skeleton.world(&self.path, &mut self.world);
            } else {
                self.world.copy_from_slice(world);
            }
            let is_last = step == steps;
            let contracts = self.contraction.advance(1.0 / (steps + 1 - step) as f64, STILL);
            self.step(pace, seconds / steps as f64, if is_last { seconds } else { 0.0 }, contracts);
        }
        self.pose.joints.copy_from_slice(&pose.joints);
        let frame = self.root_frame();
        match &mut self.inertia {
            Some(inertia) if seconds > 0.0 => inertia.advance(self.solid.nodes(), &frame, seconds),
            // Without time there is no velocity.
            Some(inertia) => inertia.rest(self.solid.nodes(), &frame),
            None => (),
        }
    }

    /// Takes over the bones' places of `world`, in the frame of the root; viscous for some seconds, and with a mass for
    /// others. `contracts` says whether muscles changed.
    fn step(&mut self, pace: Pace, viscous: f64, swinging: f64, contracts: bool) {
        let root = self.root_frame().inverse();
        std::mem::swap(&mut self.before, &mut self.transforms);
        for ((transform, world), inverse) in self.transforms.iter_mut().zip(&self.world).zip(&self.rest_inverse) {
            *transform = root * *world * *inverse;
        }
        if self.inertia.is_none() && !contracts && !self.has_moved() {
            return;
        }
        self.predict();
        for (to, bone) in self.bone_transforms.iter_mut().zip(&self.bones) {
            *to = bone_transform(bone, &self.skeleton, &self.heads, &self.transforms);
        }
        for (attachment, &(bone, place)) in self.solid.attachments.iter_mut().zip(&self.attached) {
            attachment.target = if bone == ON_SKIN {
                let row = self.node_weights.row(attachment.nodes[0]);
                row.iter()
                    .map(|&(joint, weight)| weight * self.transforms[joint as usize].transform_point3(place))
                    .sum()
            } else {
                self.bone_transforms[bone as usize].transform_point3(place)
            };
        }
        let first = self.attached.len() - self.core.len();
        for (attachment, stiffness) in self.solid.attachments[first..].iter_mut().zip(&self.core) {
            let row = self.node_weights.row(attachment.nodes[0]);
            attachment.stiffness = stiffness * agreement(row, &self.transforms);
        }
        let Self { solid, contraction, .. } = self;
        solid.contract(|muscle| contraction.of(muscle));
        self.solid.drag(per_second(VISCOSITY, viscous), per_second(SLOW_TO_RETURN, viscous));
        if let Some(inertia) = self.inertia.as_ref().filter(|_| swinging > 0.0) {
            self.solid.draw(|node, carried| inertia.spring(node, swinging, &root, carried));
        }
        for _ in 0..pace.rounds {
            self.place_skin();
            let Self { contacts, body, solid, skin, .. } = self;
            solid.touch(contacts, body, skin);
            let Outcome { iterations, step, moved, .. } = solid.settle(&pace.settings);
            self.report.iterations += iterations;
            self.report.residual = step;
            if moved < pace.near_by {
                break;
            }
        }
        self.place_skin();
    }

    /// Whether a joint moved against the root in the last step.
    fn has_moved(&self) -> bool {
        let moved = |(a, b): (&DAffine3, &DAffine3)| {
            !a.matrix3.abs_diff_eq(b.matrix3, STILL) || !a.translation.abs_diff_eq(b.translation, STILL * self.thinnest)
        };
        self.transforms.iter().zip(&self.before).any(moved)
    }

    /// Moves the nodes as the skin of the joints would.
    fn predict(&mut self) {
        let Self { node_weights, body, transforms, before, solid, .. } = self;
        let rest = &body.lattice.nodes;
        solid.nodes_mut().par_iter_mut().enumerate().for_each(|(node, place)| {
            let row = node_weights.row(node as u32);
            let skinned = |transforms: &[DAffine3]| -> DVec3 {
                row.iter()
                    .map(|&(joint, weight)| weight * transforms[joint as usize].transform_point3(rest[node]))
                    .sum()
            };
            let Some(&(main, _)) = row.first() else { return };
            let (was, is) = (skinned(before), skinned(transforms));
            let turn = transforms[main as usize].matrix3 * before[main as usize].matrix3.inverse();
            *place = is + turn * (*place - was);
        });
    }

    /// The similarity that takes the rest pose to the root's present place.
    fn root_frame(&self) -> DAffine3 {
        let moved = self.world[self.root] * self.rest_inverse[self.root];
        let (rotation, stretch) = polar(moved.matrix3);
        let scale = stretch.determinant().abs().cbrt();
        DAffine3::from_scale_rotation_translation(DVec3::splat(scale), rotation, moved.translation)
    }

    /// The skin on the nodes: `Σ bᵢ (xᵢ + ½ Fᵢ (X − Xᵢ))` with the mean deformation gradients at nodes, which is exact
    /// for quadratic maps (James 2020, *Phong deformation*).
    fn place_skin(&mut self) {
        let Self { solid, gradients, body, skin, welded, .. } = self;
        solid.node_gradients(gradients);
        let places = solid.nodes();
        let lattice = &body.lattice;
        skin.par_iter_mut().enumerate().for_each(|(v, place)| {
            let point = &body.skin[v];
            let nodes = lattice.tetrahedra[point.tetrahedron as usize];
            *place = nodes
                .iter()
                .zip(point.shares)
                .map(|(&node, share)| {
                    let node = node as usize;
                    share * (places[node] + 0.5 * (gradients[node] * (welded.rest[v] - lattice.nodes[node])))
                })
                .sum();
        });
    }
}

impl FleshDeformer {
    /// Writes the skin into a surface. Authored normals turn with the joint that carries most of a point, and then with
    /// the surface itself. What morph targets move a point by turns with it.
    fn write(&mut self, root: &DAffine3, surface: &mut Surface) {
        let scale = root.matrix3.determinant().cbrt() as f32;
        let Self { places, skin, welded, rest, transforms, turns, .. } = self;
        for (turn, transform) in turns.iter_mut().zip(transforms) {
            *turn = polar(root.matrix3 * transform.matrix3).0.as_quat();
        }
        places.iter_mut().zip(skin).for_each(|(place, point)| *place = root.transform_point3(*point).as_vec3());
        for (point, place) in places.iter().enumerate().filter(|(point, _)| !welded.copies(*point).is_empty()) {
            let carried = turns[welded.influences.row(point as u32)[0].0 as usize];
            let before = carried * welded.normals[point].as_vec3();
            let turn = Quat::from_rotation_arc(before, welded.normal(point, places)) * carried;
            for &copy in welded.copies(point) {
                let copy = copy as usize;
                surface.positions[copy] = *place + turn * (scale * rest.offset(copy));
                if let Some(normal) = surface.normals.get_mut(copy) {
                    *normal = turn * rest.surface.normals[copy];
                }
                if let Some(tangent) = surface.tangents.get_mut(copy) {
                    let rest = rest.surface.tangents[copy];
                    *tangent = (turn * rest.truncate()).extend(rest.w);
                }
            }
        }
    }
}

impl Deformer for FleshDeformer {
    fn deform_in_phases(
        &mut self,
        frame: &Frame<'_>,
        surface: &mut Surface,
        on_phase_end: &mut dyn FnMut(&'static str),
    ) {
        let stands_alone = frame.time.delta == 0.0;
        if stands_alone {
            self.reset();
        }
        let pace = if stands_alone { FROM_REST } else { ALONG_CLIP };
        self.contraction.aim(frame.fibres);
        self.go_to(frame.pose, frame.world, pace, frame.time.delta);
        let root = self.root_frame();
        let stretched = |(attachment, &(bone, _)): (&Attachment, &(u32, DVec3))| {
            if bone == ON_SKIN {
                return 0.0;
            }
            let place =
                attachment.nodes.iter().zip(attachment.shares).map(|(&n, s)| s * self.solid.nodes()[n as usize]);
            place.sum::<DVec3>().distance(attachment.target) / self.bones[bone as usize].limb_radius
        };
        self.report.yielded = self.solid.attachments.iter().zip(&self.attached).map(stretched).fold(0.0, f64::max);
        self.report.contacts = self.solid.contacts().len();
        self.report.smallest_volume = self.solid.smallest_volume();
        self.regions.measure(&self.body.lattice.tetrahedra, self.solid.nodes());
        self.report.volume = self.regions.total();
        self.report.worst_region = self.regions.worst();
        self.rest.follow(&frame.pose.morphs);
        self.write(&root, surface);
        on_phase_end("flesh");
    }

    fn advance_dynamics(&mut self, frame: &Frame<'_>) {
        self.contraction.aim(frame.fibres);
        self.go_to(frame.pose, frame.world, ALONG_CLIP, frame.time.delta);
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// A drag in seconds over the time of a step; none where no time passes, or time goes back.
fn per_second(drag: f64, seconds: f64) -> f64 {
    let drag = drag / seconds;
    if drag > 0.0 && drag.is_finite() { drag } else { 0.0 }
}

/// The joints of limbs with the size of cells there.
fn graded_joints(limbs: &Limbs, radii: &[f64], skeleton: &Skeleton, fineness: Fineness) -> Vec<GradedJoint> {
    let bending = joints_of_limbs(skeleton);
    let is_even = fineness == Fineness::Fine || !limbs.all.iter().any(|limb| bending.contains(&limb.joint));
    let joint = |(limb, &radius): (&Limb, &f64)| {
        let coarseness = if is_even || bending.contains(&limb.joint) { 1.0 } else { ELSEWHERE };
        GradedJoint { center: limb.head, radius, coarseness }
    };
    limbs.all.iter().zip(radii).map(joint).collect()
}

/// What cells are fitted to.
struct Space<'a> {
    corners: [DVec3; 2],
    winding: &'a Winding,
    surface: ClosestSurface,
    joints: &'a [GradedJoint],
    /// The median of the radii at the joints with the finest cells.
    typical: f64,
}

impl<'a> Space<'a> {
    fn new(welded: &WeldedSurface, winding: &'a Winding, places: &[Vec3], joints: &'a [GradedJoint]) -> Self {
        let (low, high) = welded.rest.iter().fold((DVec3::MAX, DVec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
        let margin = 0.1 * (high - low).max_element();
        let mut radii: Vec<f64> = joints.iter().filter(|j| j.coarseness == 1.0).map(|joint| joint.radius).collect();
        radii.sort_by(f64::total_cmp);
        let surface = ClosestSurface::new(places, &welded.faces);
        Self { corners: [low - margin, high + margin], winding, surface, joints, typical: radii[radii.len() / 2] }
    }

    /// The lattice of a fineness, and the edge of its cells at joints in limb radii.
    fn lattice(&self, fineness: Fineness) -> Result<(Lattice, f64)> {
        if fineness == Fineness::Fine {
            return Ok((self.lattice_of(FINE_EDGE)?, FINE_EDGE));
        }
        let Cells { tetrahedra, edges } = if fineness == Fineness::Coarse { COARSE } else { INTERACTIVE };
        let mut edge = 0.5;
        let mut lattice = self.lattice_of(edge)?;
        for _ in 0..3 {
            let ratio = self.filled(&lattice) / tetrahedra;
            let next = (edge * ratio.cbrt()).clamp(edges[0], edges[1]);
            if (0.8..=1.1).contains(&ratio) || next == edge {
                break;
            }
            edge = next;
            lattice = self.lattice_of(edge)?;
        }
        Ok((lattice, edge))
    }

    /// The lattice whose cells have so many limb radii at joints, up to a factor of the root of two; at a joint of the
    /// typical radius exactly so many.
    fn lattice_of(&self, edge: f64) -> Result<Lattice> {
        let ([low, high], typical) = (self.corners, edge * self.typical);
        let largest = typical * ((high - low).max_element() / (4.0 * typical)).log2().ceil().max(0.0).exp2();
        let splits = |center: DVec3, cell: f64| {
            cell > SQRT_2 * largest_edge(self.joints, edge, center)
                && (self.surface.nearest_where(center, cell, |_| true).is_some() || self.winding.number(center) > 0.5)
        };
        Ok(Lattice::new(low, high, largest, splits)?)
    }

    /// About how many tetrahedra have flesh.
    fn filled(&self, lattice: &Lattice) -> f64 {
        let inside: Vec<bool> = lattice.nodes.par_iter().map(|&node| self.winding.number(node) > 0.5).collect();
        lattice.tetrahedra.iter().filter(|t| t.iter().any(|&node| inside[node as usize])).count() as f64
    }
}

/// The joint that carries most of each tetrahedron.
fn parts(body: &Body, node_weights: &Rows<(u32, f64)>) -> Vec<u32> {
    let mut sums: Vec<(u32, f64)> = Vec::new();
    let part = |nodes: &[u32; 4]| {
        sums.clear();
        for &(joint, weight) in nodes.iter().flat_map(|&node| node_weights.row(node)) {
            match sums.iter_mut().find(|(other, _)| *other == joint) {
                Some((_, sum)) => *sum += weight,
                None => sums.push((joint, weight)),
            }
        }
        sums.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |&(joint, _)| joint)
    };
    body.lattice.tetrahedra.iter().map(part).collect()
}

/// The joint that each point of the skin moves with, if the flesh around it has only one.
fn lone_parts(body: &Body, node_weights: &Rows<(u32, f64)>) -> Vec<Option<u32>> {
    let part = |point: &FleshPoint| {
        let nodes = body.lattice.tetrahedra[point.tetrahedron as usize];
        let joint = node_weights.row(nodes[0]).first()?.0;
        let is_its_own = |&node: &u32| node_weights.row(node).first().is_some_and(|w| w.0 == joint && w.1 > ONE_JOINT);
        nodes.iter().all(is_its_own).then_some(joint)
    };
    body.skin.iter().map(part).collect()
}

/// The gap and the stiffness of contacts at each point of the skin.
fn contact_sizes(welded: &WeldedSurface, limbs: &Limbs, radii: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut areas = vec![0.0; welded.len()];
    for triangle in welded.faces.iter().flat_map(|face| face.triangles()) {
        let [a, b, c] = triangle.map(|v| welded.rest[v as usize]);
        let area = (b - a).cross(c - a).length() / 6.0;
        triangle.iter().for_each(|&v| areas[v as usize] += area);
    }
    let radius = |point: usize| limbs.of_point[point].map_or(radii[0], |limb| radii[limb as usize]);
    let gaps = (0..welded.len()).map(|point| GAP * radius(point)).collect();
    let stiffness = (0..welded.len()).map(|point| CONTACT_STIFFNESS * areas[point] / radius(point)).collect();
    (gaps, stiffness)
}
