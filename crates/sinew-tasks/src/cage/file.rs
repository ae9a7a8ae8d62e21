//! A cage as a file: its mesh, the skeleton inside, and the control mesh, ready to be driven.
//!
//! JSON. The mesh and a skeleton of another file are named by their paths, relative to the cage, and read again; a mesh
//! that is not the one the cage was made for is refused.

use super::body::Body;
use super::enclose::{BuildReport, Caged};
use crate::bind::Source;
use crate::{Context, Error, Result};
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};
use sinew::bind::skeleton_fit::Template;
use sinew::cage::{Anchor, ControlBone, ControlMesh, TetrahedraQuality};
use sinew::rig::Transform;
use std::path::{Path, PathBuf};

/// The content of a cage file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CageFile {
    /// The version of the format.
    sinew_cage: u32,
    /// The mesh, relative to the cage.
    mesh: PathBuf,
    /// The skeleton inside.
    skeleton: SkeletonOf,
    /// Labels of markers, in the order of their vertices.
    markers: Vec<String>,
    control: Control,
    /// The times of building it.
    milliseconds: [f64; 2],
}

/// The source of the skeleton inside a cage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SkeletonOf {
    /// The mesh's own file, where it has one.
    Own,
    /// Another file, relative to the cage, scaled and moved.
    File {
        /// The file.
        path: PathBuf,
        /// The factor of its lengths.
        scale: f64,
        /// The offset after that.
        offset: [f64; 3],
    },
    /// A body with two arms and two legs, placed in the mesh.
    Humanoid,
    /// A body on four legs, placed in the mesh.
    Quadruped,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Control {
    positions: Vec<[f64; 3]>,
    tetrahedra: Vec<[u32; 4]>,
    links: Vec<(u32, u32)>,
    surface: Vec<[u32; 3]>,
    joints: Vec<Option<u32>>,
    bones: Vec<Bone>,
    markers: Vec<u32>,
    /// Vertex, joint, and place in the joint's frame.
    anchors: Vec<(u32, usize, [f64; 3])>,
    tetrahedron_of: Vec<u32>,
    /// The least and the mean quality, slivers, and triangles that are no face.
    quality: (f64, f64, usize, usize, usize),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bone {
    joint: usize,
    parent: Option<usize>,
    vertices: Vec<u32>,
    axes: [f64; 9],
}

const VERSION: u32 = 1;

impl SkeletonOf {
    /// Reads the skeleton; paths are relative to a folder.
    pub fn source(&self, folder: &Path) -> Result<Source> {
        Ok(match self {
            Self::Own => Source::Own,
            Self::Humanoid => Source::Fit(Template::Humanoid),
            Self::Quadruped => Source::Fit(Template::Quadruped),
            Self::File { path, scale, offset } => {
                let asset = sinew_io::load(&folder.join(path))?;
                let place =
                    Transform { scale: DVec3::splat(*scale), translation: DVec3::from(*offset), ..Transform::IDENTITY };
                Source::File(Box::new(asset), place)
            }
        })
    }
}

impl CageFile {
    /// The file of a caged character, whose mesh and skeleton are at paths relative to it.
    pub fn new(caged: &Caged, mesh: PathBuf, skeleton: SkeletonOf, milliseconds: [f64; 2]) -> Self {
        let control = &caged.control;
        let bone = |bone: &ControlBone| Bone {
            joint: bone.joint,
            parent: bone.parent,
            vertices: bone.vertices.clone(),
            axes: bone.axes.to_cols_array(),
        };
        let TetrahedraQuality { least, mean, slivers, unmatched, linked } = control.quality;
        Self {
            sinew_cage: VERSION,
            mesh,
            skeleton,
            markers: caged.markers.clone(),
            milliseconds,
            control: Control {
                positions: control.positions.iter().map(|p| p.to_array()).collect(),
                tetrahedra: control.tetrahedra.clone(),
                links: control.links.clone(),
                surface: control.surface.clone(),
                joints: control.joints.clone(),
                bones: control.bones.iter().map(bone).collect(),
                markers: control.markers.clone(),
                anchors: control.anchors.iter().map(|a| (a.vertex, a.joint, a.local.to_array())).collect(),
                tetrahedron_of: control.tetrahedron_of.clone(),
                quality: (least, mean, slivers, unmatched, linked),
            },
        }
    }

    /// The text of the file.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string(self).map_err(Error::Json)
    }

    /// Reads the text of a file.
    pub fn from_json(bytes: &[u8]) -> Result<Self> {
        let file: Self = serde_json::from_slice(bytes).map_err(Error::NotACage)?;
        if file.sinew_cage != VERSION {
            return Err(Error::CageVersion { found: file.sinew_cage, supported: VERSION });
        }
        Ok(file)
    }

    /// The path of its mesh, for a cage in a folder.
    pub fn mesh(&self, folder: &Path) -> PathBuf {
        folder.join(&self.mesh)
    }

    /// The caged character, with its mesh and skeleton read from paths relative to the cage's folder.
    pub fn open(self, folder: &Path) -> Result<(Caged, BuildReport)> {
        let path = self.mesh(folder);
        let mut asset = sinew_io::load(&path).context("the mesh of the cage")?;
        if self.skeleton != SkeletonOf::Own {
            asset.character = self.skeleton.source(folder)?.rigged(&asset)?.character;
        }
        let Body { rest, faces } = Body::of(&asset.character)?;
        let control = self.control.into_mesh();
        control.check(rest.positions.len(), asset.character.skeleton.len())?;
        if control.markers.len() != self.markers.len() {
            return Err(Error::CageMarkers { labels: self.markers.len(), vertices: control.markers.len() });
        }
        if let Some(vertex) = control.first_outside(&rest.positions) {
            return Err(Error::CageMeshChanged { path, vertex });
        }
        let caged = Caged { asset, rest, faces, control, markers: self.markers };
        let report = caged.report(self.milliseconds);
        Ok((caged, report))
    }
}

impl Control {
    fn into_mesh(self) -> ControlMesh {
        let bone = |bone: Bone| ControlBone {
            joint: bone.joint,
            parent: bone.parent,
            vertices: bone.vertices,
            axes: DMat3::from_cols_array(&bone.axes),
        };
        let (least, mean, slivers, unmatched, linked) = self.quality;
        ControlMesh {
            positions: self.positions.into_iter().map(DVec3::from).collect(),
            tetrahedra: self.tetrahedra,
            links: self.links,
            surface: self.surface,
            joints: self.joints,
            bones: self.bones.into_iter().map(bone).collect(),
            markers: self.markers,
            anchors: self
                .anchors
                .into_iter()
                .map(|(vertex, joint, local)| Anchor { vertex, joint, local: DVec3::from(local) })
                .collect(),
            tetrahedron_of: self.tetrahedron_of,
            quality: TetrahedraQuality { least, mean, slivers, unmatched, linked },
        }
    }
}
