//! The skin deformer: every part of a character, morphed and skinned.

use super::SkinMethod;
use super::centers::{Centers, centers_of_rotation};
use super::delta_mush::DeltaMush;
use super::direct_delta_mush::{BlockMoments, DirectDeltaMush};
use super::dual_quaternion::{DualQuaternion, Motion, Shared};
use super::entries::Entries;
use super::influences::Influences;
use super::kernel::{self, Job};
use super::lanes::{BLOCK, BlockOf};
use super::linear::{Linear, Matrix};
use super::order::{Order, WINDOW};
use super::palette::{MatrixRows, Palette};
use super::rest::{Rest, in_blocks};
use crate::Result;
use glam::{DAffine3, Mat3, Quat, Vec3, Vec4};
use sinew_geometry::Topology;
use sinew_geometry::parallel::*;
use sinew_rig::{Binding, Character, Part, Skeleton};
use sinew_rig::{Deformer, Frame, Surface};
use std::fmt;
use std::ops::Range;

/// Skins every part of a character: the first deformer of every stack.
pub struct SkinDeformer {
    parts: Vec<SkinPart>,
    vertices: usize,
    has_normals: bool,
    has_tangents: bool,
}

impl SkinDeformer {
    /// Prepares a method for a character that passes [`Character::check`].
    pub fn new(character: &Character, method: SkinMethod) -> Result<Self> {
        character.check()?;
        let ranges = character.vertex_ranges().into_iter().zip(character.morph_ranges());
        let parts: Vec<SkinPart> = character
            .parts
            .iter()
            .zip(ranges)
            .map(|(part, (vertices, morphs))| SkinPart::new(part, &character.skeleton, vertices, morphs, method))
            .collect::<Result<_>>()?;
        let has_tangents = character.parts.iter().any(|p| !p.mesh.tangents.is_empty());
        Ok(Self { parts, vertices: character.vertex_count(), has_normals: true, has_tangents })
    }

    /// Leaves normals and tangents out, for a caller that needs positions alone.
    pub fn positions_only(self) -> Self {
        Self { has_normals: false, has_tangents: false, ..self }
    }
}

impl Deformer for SkinDeformer {
    fn deform_in_phases(
        &mut self,
        frame: &Frame<'_>,
        surface: &mut Surface,
        on_phase_end: &mut dyn FnMut(&'static str),
    ) {
        surface.positions.resize(self.vertices, Vec3::ZERO);
        surface.normals.resize(if self.has_normals { self.vertices } else { 0 }, Vec3::ZERO);
        surface.tangents.resize(if self.has_tangents { self.vertices } else { 0 }, Vec4::ZERO);
        for part in &mut self.parts {
            part.deform(frame, surface);
        }
        on_phase_end("skin");
    }
}

impl fmt::Debug for SkinDeformer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { parts, vertices, .. } = self;
        let mut deformer = f.debug_struct("SkinDeformer");
        deformer.field("parts", &parts.len()).field("vertices", vertices).finish_non_exhaustive()
    }
}

struct SkinPart {
    vertices: Range<usize>,
    morphs: Range<usize>,
    joints: Vec<usize>,
    inverse_bind: Vec<DAffine3>,
    transforms: Vec<DAffine3>,
    order: Order,
    /// In that order, as is what the blend needs per vertex.
    rest: Rest,
    influences: Influences,
    palette: Palette,
    blend: PartBlend,
}

/// How a part's transforms are blended, with what that needs per vertex.
enum PartBlend {
    Linear,
    DualQuaternion,
    Shared(Vec<BlockOf<f32>>),
    Centers(Vec<[BlockOf<f32>; 3]>),
    DirectDeltaMush(BlockMoments),
}

impl SkinPart {
    fn new(
        part: &Part,
        skeleton: &Skeleton,
        vertices: Range<usize>,
        morphs: Range<usize>,
        method: SkinMethod,
    ) -> Result<Self> {
        let Part { mesh, binding, .. } = part;
        let Binding { joints, inverse_bind, weights, dual_quaternion_share } = binding;
        let mush = match method {
            SkinMethod::DirectDeltaMush => Some(DeltaMush::new(part, skeleton)?),
            _ => None,
        };
        let smoothed = mush.as_ref().map(DeltaMush::weights);
        let weights = smoothed.as_ref().unwrap_or(weights);
        let has_pairs = matches!(method, SkinMethod::DualQuaternion | SkinMethod::Centers);
        let entries = if has_pairs { Entries::Pairs } else { Entries::Joints };
        let only_largest = method == SkinMethod::Rigid;
        let order = Order::new(weights, entries, only_largest);
        let rest = if mesh.normals.is_empty() {
            Rest::new(mesh, &mesh.face_normals(&Topology::new(&mesh.positions, &mesh.faces)), &order)
        } else {
            Rest::new(mesh, &mesh.normals, &order)
        };
        let influences = Influences::pack(weights, &order, entries, only_largest)
            .ok_or_else(|| sinew_rig::Error::TooManyJoints { mesh: mesh.name.clone(), count: joints.len() })?;
        let blend = match (mush, method, dual_quaternion_share) {
            (Some(mush), ..) => {
                PartBlend::DirectDeltaMush(BlockMoments::pack(&mush, &order, &influences, mesh.positions.len()))
            }
            (_, SkinMethod::DualQuaternion, None) => PartBlend::DualQuaternion,
            (_, SkinMethod::DualQuaternion, Some(shares)) => {
                let block = |shares: &[f32]| std::array::from_fn(|lane| shares.get(lane).copied().unwrap_or(0.0));
                PartBlend::Shared(order.arrange(shares).chunks(BLOCK).map(block).collect())
            }
            (_, SkinMethod::Centers, _) => {
                let centers: Vec<Vec3> = centers_of_rotation(mesh, weights).iter().map(|c| c.as_vec3()).collect();
                PartBlend::Centers(in_blocks(&order.arrange(&centers)))
            }
            _ => PartBlend::Linear,
        };
        Ok(Self {
            vertices,
            morphs,
            joints: joints.clone(),
            inverse_bind: inverse_bind.clone(),
            order,
            rest,
            transforms: vec![DAffine3::IDENTITY; joints.len()],
            palette: Palette::new(&influences.entries, joints.len()),
            influences,
            blend,
        })
    }

    fn deform(&mut self, frame: &Frame<'_>, surface: &mut Surface) {
        self.rest.morph(&frame.pose.morphs[self.morphs.clone()]);
        for ((transform, &joint), bind) in self.transforms.iter_mut().zip(&self.joints).zip(&self.inverse_bind) {
            *transform = frame.world[joint] * *bind;
        }
        if !matches!(self.blend, PartBlend::DualQuaternion) {
            self.palette.set_matrices(&self.transforms);
        }
        if !matches!(self.blend, PartBlend::Linear) {
            self.palette.set_rigid(&self.transforms);
        }
        if surface.normals.is_empty() {
            self.skin_all::<false>(surface);
        } else {
            self.skin_all::<true>(surface);
        }
        if !surface.tangents.is_empty() {
            let tangents = &mut surface.tangents[self.vertices.clone()];
            tangents.fill(Vec4::ZERO);
            self.skin_tangents(tangents);
        }
    }

    fn skin_all<const NORMALS: bool>(&self, surface: &mut Surface) {
        let positions = &mut surface.positions[self.vertices.clone()];
        let normals = if NORMALS { &mut surface.normals[self.vertices.clone()] } else { &mut [] };
        if positions.len() <= 2 * WINDOW {
            for (window, positions) in positions.chunks_mut(WINDOW).enumerate() {
                let first = window * WINDOW;
                let normals = if NORMALS { &mut normals[first..first + positions.len()] } else { &mut [] };
                self.skin_window::<NORMALS>(first, positions, normals);
            }
        } else if NORMALS {
            let windows = positions.par_chunks_mut(WINDOW).zip(normals.par_chunks_mut(WINDOW)).enumerate();
            windows.for_each(|(window, (p, n))| self.skin_window::<NORMALS>(window * WINDOW, p, n));
        } else {
            let windows = positions.par_chunks_mut(WINDOW).enumerate();
            windows.for_each(|(window, p)| self.skin_window::<NORMALS>(window * WINDOW, p, &mut []));
        }
    }

    /// Skins the packed vertices of a window, which begins at `first`, to their places in the surface.
    fn skin_window<const NORMALS: bool>(&self, first: usize, positions: &mut [Vec3], normals: &mut [Vec3]) {
        let job = Job {
            blocks: first / BLOCK..(first + positions.len()).div_ceil(BLOCK),
            rest: self.rest.blocks(),
            influences: &self.influences,
            places: self.order.places(first..first + positions.len()),
            positions,
            normals,
        };
        let palette = &self.palette;
        match &self.blend {
            PartBlend::Linear => kernel::run::<_, NORMALS>(&Linear(palette), job),
            PartBlend::DualQuaternion => kernel::run::<_, NORMALS>(&DualQuaternion(palette), job),
            PartBlend::Shared(shares) => kernel::run::<_, NORMALS>(&Shared { palette, shares }, job),
            PartBlend::Centers(centers) => kernel::run::<_, NORMALS>(&Centers { palette, centers }, job),
            PartBlend::DirectDeltaMush(moments) => {
                kernel::run::<_, NORMALS>(&DirectDeltaMush { palette, moments }, job);
            }
        }
    }

    /// Tangents lie in the surface and follow the blended matrix itself.
    fn skin_tangents(&self, tangents: &mut [Vec4]) {
        let windows = tangents.par_chunks_mut(WINDOW).zip(self.rest.tangents().par_chunks(WINDOW)).enumerate();
        windows.for_each(|(window, (tangents, rests))| {
            let first = window * WINDOW;
            for (packed, rest) in (first..).zip(rests) {
                let linear = self.blended_linear_part(packed);
                // A mirror turns the bitangent over.
                let handedness = if linear.determinant() < 0.0 { -rest.w } else { rest.w };
                let tangent = (linear * rest.truncate()).normalize_or_zero().extend(handedness);
                tangents[self.order.vertex(packed) - first] = tangent;
            }
        });
    }

    /// The matrix that a packed vertex's surroundings follow.
    fn blended_linear_part(&self, packed: usize) -> Mat3 {
        let batch = self.influences.batch(packed / BLOCK, packed % BLOCK);
        let blended = |palette: &[MatrixRows]| Matrix::<f32>::blend(palette, batch).linear_part();
        let turned = || {
            let Motion { q, w, .. } = Motion::<f32>::blend(&self.palette.rigid, batch);
            Mat3::from_quat(Quat::from_xyzw(q.x, q.y, q.z, w)) * blended(&self.palette.stretches)
        };
        match &self.blend {
            PartBlend::Linear => blended(&self.palette.matrices),
            PartBlend::DualQuaternion | PartBlend::Centers(_) => turned(),
            PartBlend::DirectDeltaMush(moments) => {
                let fit = DirectDeltaMush { palette: &self.palette, moments };
                fit.rotation(packed / BLOCK, packed % BLOCK, &self.influences) * blended(&self.palette.stretches)
            }
            PartBlend::Shared(shares) => {
                let share = shares[packed / BLOCK][packed % BLOCK];
                blended(&self.palette.matrices) * (1.0 - share) + turned() * share
            }
        }
    }
}
