//! The volume deformer: every joint that bends gives back the volume that its bend took.
//!
//! All changes `ΔV(b)` come from the uncorrected skin. The corrections are then applied one after another to the
//! surface of the frame, down the hierarchy, each with its gradient on the surface as already corrected, and each
//! changes the volume by exactly `−ΔV(b)`. The sum telescopes, so the final volume is exact whatever overlaps.
//! Regions that share no vertex do not see each other; they go side by side in *waves*, with the same result.

use super::ancestry::descendants;
use super::change::Steps;
use super::frame::{JointBones, JointFrame};
use super::gaps::gaps;
use super::options::{ProfileKind, VolumeOptions};
use super::patch::FacesAt;
use super::region::{Region, RegionKey, SkinBefore};
use super::rest::{BoneLine, PartRest};
use super::settings::Settings;
use super::shell::Shell;
use super::surface::{ContactSlack, PartSurface};
use crate::skinning::{PointSkin, SkinMethod};
use crate::{Error, Result};
use glam::{DAffine3, DVec3, Vec3};
use sinew_geometry::parallel::*;
use sinew_geometry::volume::signed_volume;
use sinew_geometry::{ClosedSurface, Face, Mesh};
use sinew_rig::{Character, Skeleton};
use sinew_rig::{Contacts, Deformer, Frame, Surface};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

/// Gives back the volume that the skin loses at bent joints, joint after joint down the hierarchy, each exactly.
pub struct VolumeDeformer {
    skeleton: Skeleton,
    options: VolumeOptions,
    settings: Settings,
    parts: Vec<PartSurface>,
    /// Each part at rest; none for parts that are left out.
    rests: Vec<Option<PartRest>>,
    bones: Vec<Option<JointBones>>,
    frames: Vec<Option<JointFrame>>,
    /// Regions by wave: those of one wave share no vertex.
    regions: Vec<Region>,
    waves: Vec<Range<usize>>,
    shells: Vec<Shell>,
    /// For each face of each part, how many joints that bend in this frame count it as theirs.
    times: Vec<Vec<u32>>,
    warnings: Vec<String>,
}

impl VolumeDeformer {
    /// Prepares the correction of a character. Joints, meshes and attributes that the options name and the
    /// character does not have are passed over, so that the same options serve many characters.
    pub fn new(character: &Character, method: SkinMethod, options: &VolumeOptions) -> Result<Self> {
        character.check()?;
        let skeleton = &character.skeleton;
        let mut deformer = Self {
            skeleton: skeleton.clone(),
            options: options.clone(),
            settings: Settings::new(options, false),
            parts: Vec::new(),
            rests: Vec::new(),
            bones: vec![None; skeleton.len()],
            frames: vec![None; skeleton.len()],
            regions: Vec::new(),
            waves: Vec::new(),
            shells: Vec::new(),
            times: Vec::new(),
            warnings: Vec::new(),
        };
        let ranges = character.vertex_ranges().into_iter().zip(character.morph_ranges());
        for (index, (part, (vertices, morphs))) in character.parts.iter().zip(ranges).enumerate() {
            let is_left_out = options.leave_out.contains(&part.mesh.name);
            // No one asks for the skin of a part that is left out, and linear skinning prepares nothing.
            let skin = PointSkin::new(part, skeleton, if is_left_out { SkinMethod::Linear } else { method })?;
            let surface = PartSurface::new(part, skin, vertices.start, morphs);
            let rest = match is_left_out {
                true => None,
                false => deformer.add(character, index, &surface, options)?,
            };
            deformer.rests.push(rest);
            deformer.times.push(vec![0; surface.closed.faces().len()]);
            deformer.parts.push(surface);
        }
        deformer.sort_into_waves();
        deformer.settle(character);
        Ok(deformer)
    }

    /// Takes over options whose corrections differ in their shapes alone, and keeps all else that was prepared, as it
    /// is while a user drags a curve. False, and nothing happens, where more is different.
    pub fn reshape(&mut self, character: &Character, options: &VolumeOptions) -> Result<bool> {
        let VolumeOptions { profile, joints, .. } = &self.options;
        let alike = VolumeOptions { profile: profile.clone(), joints: joints.clone(), ..options.clone() };
        if alike != self.options {
            return Ok(false);
        }
        let (parts, rests, skeleton) = (&self.parts, &self.rests, &self.skeleton);
        let reshaped = self.regions.par_iter_mut().with_max_len(1).map(|region| {
            let Some(rest) = &rests[region.part] else { return Ok(false) };
            region.reshape(&rest.surface(&parts[region.part]), skeleton, options)
        });
        if reshaped.try_reduce(|| false, |one, other| Ok(one || other))? {
            self.sort_into_waves();
        }
        self.options = options.clone();
        self.settle(character);
        Ok(true)
    }

    /// Tells whether other stages come between the skin and this one.
    pub(crate) fn follow_stages(&mut self, follows: bool) {
        self.settings.follows_stages = follows;
    }

    /// The data that depends on the shapes of all regions.
    fn settle(&mut self, character: &Character) {
        let amounts = self.regions.iter().map(|r| r.reach.shape.profile().amount);
        self.settings = Settings::new(&self.options, self.settings.follows_stages);
        self.settings.is_total &= amounts.into_iter().all(|amount| amount == 1.0);
        self.find_largest_changes(character);
    }

    /// The joints that changed the volume of the surface before this stage in the frame deformed last, each with what it
    /// added; this is what was undone.
    pub fn joint_changes(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.regions.iter().filter(|r| r.reach.scratch.delta != 0.0).map(|r| (r.joint, r.reach.scratch.delta))
    }

    /// The farthest that a vertex was moved in the frame deformed last, in radii of its limb.
    pub fn farthest_in_radii(&self) -> f64 {
        self.shells.iter().map(Shell::farthest_in_radii).fold(0.0, f64::max)
    }

    /// The volume between each joint's centre and the faces that it bends or corrects, for every
    /// region of a surface: where the joint is, and how much there is around it.
    pub fn local_volumes<'a>(
        &'a self,
        world: &'a [DAffine3],
        surface: &'a Surface,
    ) -> impl Iterator<Item = (usize, f64)> + 'a {
        self.regions.iter().map(|region| {
            let part = &self.parts[region.part];
            let at = |v: u32| surface.positions[part.representative(v)].as_dvec3();
            (region.joint, region.local_volume(part, world[region.joint].translation, at))
        })
    }

    /// For every vertex of the character the largest γ at rest of the joints that are asked for.
    pub(super) fn gamma_at_rest(&self, character: &Character, is_wanted: impl Fn(usize) -> bool) -> Vec<f64> {
        let mut gamma = vec![0.0; character.vertex_count()];
        let rest_world = character.skeleton.rest_world();
        for region in self.regions.iter().filter(|r| is_wanted(r.joint)) {
            let Some(bones) = &self.bones[region.joint] else { continue };
            let part = &self.parts[region.part];
            let places = part.motions(|joint| rest_world[joint]);
            let place = |v: u32| part.place(v, &character.base_pose.morphs, &places);
            for (vertex, value) in region.gamma_at(&bones.frame(&rest_world), place) {
                part.copies(vertex).for_each(|copy| gamma[copy] = f64::max(gamma[copy], value));
            }
        }
        gamma
    }

    /// Adds the shells and regions of a part.
    fn add(
        &mut self,
        character: &Character,
        index: usize,
        surface: &PartSurface,
        options: &VolumeOptions,
    ) -> Result<Option<PartRest>> {
        let mesh = &character.parts[index].mesh;
        let mut mixed = mixed_faces(surface, &character.skeleton);
        if mixed.is_empty() {
            return Ok(None);
        }
        let rest_world = character.skeleton.rest_world();
        let mut points = Vec::new();
        surface.place_all(&character.base_pose.morphs, &surface.motions(|j| rest_world[j]), &mut points);
        let volumes = surface.closed.shell_volumes(&points);
        let part_rest = PartRest {
            faces_at: FacesAt::new(&surface.closed),
            areas: vertex_areas(&surface.closed, &points),
            paint: paint(mesh, surface, &options.paint),
            gaps: match options.contacts {
                true => gaps(&surface.closed, &points, &volumes),
                false => vec![f64::INFINITY; surface.closed.vertex_count()],
            },
            points,
        };
        let rest = part_rest.surface(surface);
        let points = rest.points;
        let flat: Vec<bool> = flat_shells(&surface.closed, points, &volumes);
        mixed.retain(|(shell, _), _| !flat[*shell as usize]);
        if flat.contains(&true) {
            let count = flat.iter().filter(|flat| **flat).count();
            self.warnings.push(format!(
                "mesh \"{}\": {count} open piece{} too flat to have a volume and left as the skin has {}",
                mesh.name,
                if count == 1 { " is" } else { "s are" },
                if count == 1 { "it" } else { "them" }
            ));
        }
        let shells: BTreeSet<u32> = mixed.keys().map(|&(shell, _)| shell).collect();
        if shells.iter().any(|&shell| surface.closed.is_torn(shell as usize)) {
            return Err(Error::NotClosable { mesh: mesh.name.clone(), loops: surface.closed.rims().len() });
        }
        let caps = surface.closed.rims().len();
        if caps > 0 {
            self.warnings.push(format!(
                "mesh \"{}\" is open: {caps} hole{} closed by a cap for the computation of its volume",
                mesh.name,
                if caps == 1 { " is" } else { "s are" }
            ));
        }
        let inverted = shells.iter().filter(|&&s| volumes[s as usize] < 0.0).count();
        if inverted > 0 {
            self.warnings.push(format!("mesh \"{}\" has {inverted} pieces that are inside out", mesh.name));
        }
        for ((shell, joint), faces) in &mixed {
            let bones = self.bones[*joint].get_or_insert_with(|| {
                JointBones::new(
                    character,
                    &rest_world,
                    *joint,
                    limb_center(surface, points, &character.skeleton, *joint),
                )
            });
            let bone = BoneLine {
                center: rest_world[*joint].translation,
                direction: bones.own_direction(&rest_world),
                length: bones.length(&character.skeleton, &rest_world),
            };
            let shell_index = self.shells.len() + shells.iter().position(|s| s == shell).unwrap_or(0);
            let orientation = volumes[*shell as usize].signum();
            let key = RegionKey { part: index, shell: *shell, joint: *joint, shell_index, orientation };
            self.regions.push(Region::new(&rest, character, bone, key, faces, options)?);
        }
        let radius = |joint: usize| {
            let own = self.regions.iter().filter(move |r| r.part == index && r.joint == joint);
            own.map(|r| r.radius)
        };
        let radii: Vec<Option<f64>> = (0..character.skeleton.len()).map(|j| radius(j).reduce(f64::max)).collect();
        let thickness = thickness(surface, &radii);
        let breath_joint = character.skeleton.find(&options.target_joint);
        let breath_center = breath_joint.map(|joint| rest_world[joint].translation);
        for &shell in &shells {
            self.shells.push(Shell::new(&rest, (index, shell), options, &thickness, breath_center));
        }
        Ok(Some(part_rest))
    }

    /// Sorts the regions down the hierarchy into waves: each comes after those before it that share a vertex.
    fn sort_into_waves(&mut self) {
        self.regions.sort_by_key(|r| (r.joint, r.part, r.shell));
        self.waves.clear();
        let mut last: Vec<Vec<usize>> = self.parts.iter().map(|p| vec![0; p.closed.vertex_count()]).collect();
        for region in &mut self.regions {
            let last = &mut last[region.part];
            let wave = region.vertices().map(|v| last[v as usize]).max().unwrap_or(0);
            region.vertices().for_each(|v| last[v as usize] = wave + 1);
            region.wave = wave;
        }
        self.regions.sort_by_key(|r| (r.wave, r.joint, r.part, r.shell));
        let mut start = 0;
        for chunk in self.regions.chunk_by(|a, b| a.wave == b.wave) {
            self.waves.push(start..start + chunk.len());
            start += chunk.len();
        }
    }

    /// `|ΔV|` of every joint whose profile asks for it, bent by the profile's largest angle.
    fn find_largest_changes(&mut self, character: &Character) {
        let rest_world = character.skeleton.rest_world();
        for region in self.regions.iter_mut().filter(|r| r.reach.shape.profile().kind == ProfileKind::Blend) {
            let Some(bones) = &self.bones[region.joint] else { continue };
            let mut pose = character.rest_pose();
            let angle = region.reach.shape.profile().largest_bend.to_radians();
            pose.joints[region.joint].rotation *= bones.bend(&rest_world, angle);
            let mut world = rest_world.clone();
            character.skeleton.world(&pose, &mut world);
            let steps = Steps { skeleton: &character.skeleton, pose: &pose, world: &world };
            region.largest_change = region.change.measure(&self.parts[region.part], &steps).abs();
        }
    }
}

impl fmt::Debug for VolumeDeformer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VolumeDeformer").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Deformer for VolumeDeformer {
    /// What a deformer before this one did to the volume counts for the joints around it, and where it brought parts
    /// into contact, nothing moves (γ = 0).
    fn deform_in_phases(
        &mut self,
        frame: &Frame<'_>,
        surface: &mut Surface,
        on_phase_end: &mut dyn FnMut(&'static str),
    ) {
        let steps = Steps { skeleton: &self.skeleton, pose: frame.pose, world: frame.world };
        for (joint, bones) in self.bones.iter().enumerate() {
            let moves = steps.moves(joint);
            self.frames[joint] = bones.as_ref().filter(|_| moves).map(|bones| bones.frame(frame.world));
        }
        let (parts, frames) = (&self.parts, &self.frames);
        self.regions.par_iter_mut().with_max_len(1).for_each(|region| {
            let moves = frames[region.joint].is_some();
            region.reach.scratch.delta = if moves { region.change.measure(&parts[region.part], &steps) } else { 0.0 };
        });
        if let Some(contacts) = frame.contacts {
            add_volume_of_contacts(&mut self.regions, parts, &mut self.times, frame, surface, contacts);
        }
        self.shells.iter_mut().for_each(Shell::begin);
        let contacts = ContactSlack(frame.contacts.map(|contacts| contacts.amount));
        for wave in &self.waves {
            let regions = &mut self.regions[wave.clone()];
            let (shells, settings, positions) = (&self.shells, &self.settings, &surface.positions);
            regions.par_iter_mut().with_max_len(1).filter(|r| r.reach.scratch.delta != 0.0).for_each(|region| {
                let Some(frame) = &frames[region.joint] else { return };
                let shell = &shells[region.shell_index];
                let skin =
                    SkinBefore { part: &parts[region.part], positions, contacts, displacements: shell.displacements() };
                region.correct(frame, skin, settings);
            });
            for region in regions.iter().filter(|r| r.reach.scratch.delta != 0.0) {
                let is_exact = parts[region.part].linear || steps.is_rigid(region.joint);
                self.shells[region.shell_index].add(region, is_exact);
            }
        }
        for shell in &mut self.shells {
            shell.finish(&parts[shell.part], &steps, frame, &self.settings, surface, contacts);
        }
        on_phase_end("volume");
    }

    /// The warnings of closed holes and of inverted pieces.
    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// Adds to each joint's ΔV the change of volume, at the faces around it, by the deformer that resolved contacts. Faces
/// around several joints count for each in part, so that the sum is that of the whole.
fn add_volume_of_contacts(
    regions: &mut [Region],
    parts: &[PartSurface],
    times: &mut [Vec<u32>],
    frame: &Frame<'_>,
    surface: &Surface,
    contacts: Contacts<'_>,
) {
    let is_active = |region: &Region| region.reach.scratch.delta != 0.0;
    // Only the faces of these regions are counted, so only they begin at 0.
    for region in regions.iter().filter(|region| is_active(region)) {
        region.reach.local_faces.iter().for_each(|&face| times[region.part][face as usize] = 0);
    }
    for region in regions.iter().filter(|region| is_active(region)) {
        region.reach.local_faces.iter().for_each(|&face| times[region.part][face as usize] += 1);
    }
    let origin = frame.world.first().map_or(DVec3::ZERO, |world| world.translation);
    regions.par_iter_mut().with_max_len(1).filter(|region| is_active(region)).for_each(|region| {
        let (part, times) = (&parts[region.part], &times[region.part]);
        let at = |positions: &[Vec3], v: u32| positions[part.representative(v)].as_dvec3() - origin;
        let volume = |positions: &[Vec3], face: u32| {
            signed_volume(&part.closed.faces()[face as usize], |v| part.closed.rim_mean(v, |v| at(positions, v)))
        };
        let change = |&face: &u32| {
            let change = volume(&surface.positions, face) - volume(contacts.before, face);
            change / f64::from(times[face as usize])
        };
        region.reach.scratch.delta += region.reach.local_faces.iter().map(change).sum::<f64>();
    });
}

/// The mean of the vertices below a joint, by weight.
fn limb_center(surface: &PartSurface, points: &[DVec3], skeleton: &Skeleton, joint: usize) -> DVec3 {
    let below = descendants(skeleton, joint);
    let (mut sum, mut total) = (DVec3::ZERO, 0.0);
    for vertex in 0..surface.closed.vertex_count() as u32 {
        for &(_, weight) in surface.influences(vertex).iter().filter(|(s, _)| below[surface.joints[*s as usize]]) {
            sum += weight * points[vertex as usize];
            total += weight;
        }
    }
    sum / total
}

/// The radius of the limb that each welded vertex is on: the mean of its joints', or of all where none has one.
fn thickness(surface: &PartSurface, radii: &[Option<f64>]) -> Vec<f64> {
    let known = radii.iter().flatten();
    let mean = known.clone().sum::<f64>() / known.count() as f64;
    let of = |&(slot, weight): &(u32, f64)| weight * radii[surface.joints[slot as usize]].unwrap_or(mean);
    (0..surface.closed.vertex_count() as u32).map(|v| surface.influences(v).iter().map(of).sum()).collect()
}

/// The first number of a painted attribute at each welded vertex, from 0 to 1; 1 if the mesh does not have it.
fn paint(mesh: &Mesh, surface: &PartSurface, name: &str) -> Vec<f64> {
    let vertices = surface.closed.vertex_count();
    let Some(attribute) = mesh.attributes.iter().find(|a| a.name == name) else { return vec![1.0; vertices] };
    let of = |v: u32| f64::from(attribute.values[(surface.representative(v) - surface.first) * attribute.width]);
    (0..vertices as u32).map(|v| of(v).clamp(0.0, 1.0)).collect()
}

/// Open shells that enclose next to nothing for their size: sheets, capes, cards of hair.
fn flat_shells(surface: &ClosedSurface, points: &[DVec3], volumes: &[f64]) -> Vec<bool> {
    let mut areas = vec![0.0; volumes.len()];
    let mut is_open = vec![false; volumes.len()];
    for (face, &shell) in surface.faces().iter().zip(surface.shell_of_face()) {
        is_open[shell as usize] |= face.corners().iter().any(|&v| surface.rim_of(v).is_some());
        areas[shell as usize] += face_area(face, points);
    }
    let is_flat = |shell: usize| is_open[shell] && volumes[shell].abs() < FLAT * areas[shell].powf(1.5);
    (0..volumes.len()).map(is_flat).collect()
}

/// The volume of an open piece over its area to the power 3/2, below which it is a sheet; that of a ball is 0.094.
const FLAT: f64 = 0.002;

fn face_area(face: &Face, points: &[DVec3]) -> f64 {
    let triangle = |[a, b, c]: [u32; 3]| {
        let [a, b, c] = [a, b, c].map(|v| points[v as usize]);
        0.5 * (b - a).cross(c - a).length()
    };
    face.triangles().map(triangle).sum()
}

/// A third, or a quarter, of the area of the faces around every point.
fn vertex_areas(surface: &ClosedSurface, points: &[DVec3]) -> Vec<f64> {
    let mut areas = vec![0.0; points.len()];
    for face in surface.faces() {
        let area = face_area(face, points);
        face.corners().iter().for_each(|&v| areas[v as usize] += area / face.corners().len() as f64);
    }
    areas
}

/// The mixed faces of every shell and joint: the faces with an influence below the joint and one that is not.
fn mixed_faces(surface: &PartSurface, skeleton: &Skeleton) -> BTreeMap<(u32, usize), Vec<u32>> {
    let closed = &surface.closed;
    let mut mixed: BTreeMap<(u32, usize), Vec<u32>> = BTreeMap::new();
    let mut joints = Vec::new();
    let mut times = vec![0usize; skeleton.len()];
    for (index, face) in closed.faces().iter().enumerate() {
        joints.clear();
        for &point in face.corners() {
            let vertices = closed.rim_of(point).unwrap_or(std::slice::from_ref(&point));
            let slots = vertices.iter().flat_map(|&v| surface.influences(v));
            joints.extend(slots.map(|&(slot, _)| surface.joints[slot as usize]));
        }
        joints.sort_unstable();
        joints.dedup();
        // A joint above some of the influences, itself included, but not above all of them.
        let above = |&joint: &usize| std::iter::once(joint).chain(super::frame::ancestors(skeleton, joint));
        joints.iter().flat_map(above).for_each(|a| times[a] += 1);
        for a in joints.iter().flat_map(above) {
            if !std::mem::take(&mut times[a]).is_multiple_of(joints.len()) {
                mixed.entry((closed.shell_of_face()[index], a)).or_default().push(index as u32);
            }
        }
    }
    mixed
}
