//! A character that is open.

use crate::protocol::ArrayRange;
use serde::Serialize;
use sinew::recipe::Recipe;

/// A character that is open.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opened {
    /// Requests name the character by it.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The extension of its file.
    pub format: &'static str,
    /// Metres per unit; `null` if unknown.
    pub units: Option<f64>,
    /// The axis that points up.
    pub up: Axis,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles, with quads as two.
    pub triangles: usize,
    /// Its meshes.
    pub parts: Vec<PartInfo>,
    /// The nodes of the skeleton.
    pub joints: Vec<JointInfo>,
    /// The normal of the symmetry plane.
    pub mirror_axis: [f64; 3],
    /// Its clips.
    pub clips: Vec<ClipInfo>,
    /// The first clip that was just retargeted to it.
    pub added_clip: Option<usize>,
    /// Repairs and losses when the file was read.
    pub warnings: Vec<String>,
    /// The box around it at rest.
    pub bounds: Bounds,
    /// The recipe to start with.
    #[cfg_attr(test, ts(type = "Recipe"))]
    pub recipe: Recipe,
    /// Its materials.
    pub materials: Vec<MaterialInfo>,
    /// The images of the materials.
    pub images: Vec<ImageInfo>,
}

/// An axis of the file.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Axis {
    X,
    Y,
    Z,
}

/// A mesh.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PartInfo {
    /// Its name.
    pub name: String,
    /// Whether it has weights.
    pub skinned: bool,
}

/// A node of the skeleton.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JointInfo {
    /// Its name.
    pub name: String,
    /// The index of its parent, or -1.
    pub parent: i64,
    /// False for a plain node of the file.
    pub joint: bool,
    /// Whether vertices have weights of it.
    pub weighted: bool,
    /// The index of the joint on the other side, or -1.
    pub mirror: i64,
    /// World matrix at rest, column-major.
    pub rest: [f32; 16],
    /// The end of a leaf's bone, in the joint's own axes.
    pub tip: Option<[f64; 3]>,
}

/// A clip. Times are in seconds.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClipInfo {
    /// Its name.
    pub name: String,
    /// Its first time.
    pub start: f64,
    /// Its last time.
    pub end: f64,
    /// Its own frames per second.
    pub rate: f64,
    /// Its last frame, counted from 0.
    pub last: usize,
}

/// A box.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Bounds {
    /// Its lowest corner.
    pub min: [f32; 3],
    /// Its highest corner.
    pub max: [f32; 3],
}

/// A material, in the terms of glTF.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MaterialInfo {
    /// Its name.
    pub name: String,
    /// Base color, linear RGBA.
    pub color: [f64; 4],
    /// Metallic factor.
    pub metallic: f64,
    /// Roughness factor.
    pub roughness: f64,
    /// The index of the base color's image.
    pub image: Option<u64>,
    /// Whether back faces are visible.
    pub double_sided: bool,
    /// The meaning of alpha.
    pub alpha: AlphaMode,
    /// The threshold of `mask`.
    pub cutoff: f64,
}

/// The meaning of a material's alpha.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AlphaMode {
    /// It has none.
    Opaque,
    /// Visible or not.
    Mask,
    /// Transparency.
    Blend,
}

/// The file of an image.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImageInfo {
    /// Its media type.
    pub mime: String,
    /// Its bytes.
    #[serde(flatten)]
    pub content: ArrayRange,
}

/// The part of a surface that does not move. Frames refer to it by its number.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Topology {
    /// Its number.
    pub topology: u32,
    /// Number of vertices.
    pub vertices: usize,
    /// Triangles, u32.
    pub indices: ArrayRange,
    /// The wireframe: pairs of vertices, u32.
    pub edges: ArrayRange,
    /// Triangles by material.
    pub groups: Vec<MaterialGroup>,
    /// Texture coordinates, two f32 per vertex.
    pub uv: Option<ArrayRange>,
    /// The vertices of each mesh.
    pub parts: Vec<PartRange>,
}

/// Triangles of one material.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MaterialGroup {
    /// The index of the material, or -1.
    pub material: i64,
    /// The first of the indices.
    pub start: usize,
    /// Number of indices.
    pub count: usize,
}

/// The vertices of a mesh.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PartRange {
    /// The first.
    pub first: u32,
    /// Their number.
    pub count: usize,
}
