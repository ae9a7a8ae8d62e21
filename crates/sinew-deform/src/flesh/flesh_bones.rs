//! The bones of flesh, without the flesh.

use super::bones::{BoneShape, bone_transform};
use super::interior::Interior;
use super::options::FleshOptions;
use crate::Result;
use glam::{DAffine3, DVec3};
use sinew_geometry::Mesh;
use sinew_rig::{Character, Skeleton};

/// The bones that flesh would hang on, as meshes: a fraction of a second, where [`FleshDeformer`](super::FleshDeformer) takes seconds.
///
/// ```
/// use sinew_deform::flesh::{FleshBones, FleshOptions};
///
/// let figure = sinew_demo::character();
/// let bones = FleshBones::new(&figure, &FleshOptions::default())?;
/// let at_rest = bones.meshes(&figure.skeleton.rest_world());
/// assert!(at_rest.iter().any(|bone| bone.name == "LeftForeArm"));
/// # Ok::<(), sinew_deform::Error>(())
/// ```
pub struct FleshBones {
    skeleton: Skeleton,
    rest_inverse: Vec<DAffine3>,
    heads: Vec<DVec3>,
    bones: Vec<(BoneShape, Mesh)>,
    warnings: Vec<String>,
}

impl std::fmt::Debug for FleshBones {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FleshBones").field("bones", &self.bones.len()).finish_non_exhaustive()
    }
}

impl FleshBones {
    /// Finds the bones of a character.
    pub fn new(character: &Character, options: &FleshOptions) -> Result<Self> {
        let Interior { bones, warnings, .. } = Interior::new(character, options)?;
        let (skeleton, rest) = (character.skeleton.clone(), character.skeleton.rest_world());
        let with_mesh = |bone: BoneShape| {
            let mesh = bone.solid.mesh(&skeleton.joints()[bone.joint].name);
            (bone, mesh)
        };
        Ok(Self {
            bones: bones.into_iter().map(with_mesh).collect(),
            rest_inverse: rest.iter().map(DAffine3::inverse).collect(),
            heads: rest.iter().map(|world| world.translation).collect(),
            skeleton,
            warnings,
        })
    }

    /// A closed mesh of each bone, with the name of its joint, where the joints have these world transforms.
    ///
    /// # Panics
    /// If there is not a transform for each joint.
    pub fn meshes(&self, world: &[DAffine3]) -> Vec<Mesh> {
        assert_eq!(world.len(), self.skeleton.len(), "the transforms belong to another skeleton");
        let transforms: Vec<DAffine3> = world.iter().zip(&self.rest_inverse).map(|(&now, &rest)| now * rest).collect();
        let placed = |(bone, mesh): &(BoneShape, Mesh)| {
            let transform = bone_transform(bone, &self.skeleton, &self.heads, &transforms);
            let mut mesh = mesh.clone();
            for place in &mut mesh.positions {
                *place = transform.transform_point3(place.as_dvec3()).as_vec3();
            }
            mesh.normals = mesh.mean_normals(mesh.positions.len(), |vertex| vertex);
            mesh
        };
        self.bones.iter().map(placed).collect()
    }

    /// What a person should know about meshes that are bones, a sentence each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}
