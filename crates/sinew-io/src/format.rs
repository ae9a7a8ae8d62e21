//! The formats that Sinew reads or writes, by extension.

use crate::{Error, Problem};
use std::path::Path;

/// The extension of avatars, which are read as GLB and not written.
pub(crate) const VRM: &str = "vrm";

/// The formats that Sinew reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// glTF 2.0 with separate or embedded buffers.
    Gltf,
    /// glTF 2.0 in one binary file.
    Glb,
    /// Autodesk FBX.
    Fbx,
    /// Wavefront OBJ.
    Obj,
    /// Stanford PLY.
    Ply,
    /// Biovision hierarchy.
    Bvh,
    /// Acclaim skeleton.
    Asf,
    /// Acclaim motion; its skeleton lies beside it.
    Amc,
    /// Point cache.
    Pc2,
    /// USD in text form.
    Usda,
    /// A plain skeleton: names, parents, heads and tails.
    Toml,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 11] = [
        Self::Gltf,
        Self::Glb,
        Self::Fbx,
        Self::Obj,
        Self::Ply,
        Self::Bvh,
        Self::Asf,
        Self::Amc,
        Self::Pc2,
        Self::Usda,
        Self::Toml,
    ];

    /// The file extension, which is also the name in reports.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Gltf => "gltf",
            Self::Glb => "glb",
            Self::Fbx => "fbx",
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Bvh => "bvh",
            Self::Asf => "asf",
            Self::Amc => "amc",
            Self::Pc2 => "pc2",
            Self::Usda => "usda",
            Self::Toml => "toml",
        }
    }

    /// The format that a path's extension names.
    pub fn of(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        // An avatar in VRM is a GLB with extensions of its own.
        let extension = if extension == VRM { Self::Glb.extension().into() } else { extension };
        Self::ALL.into_iter().find(|f| f.extension() == extension).ok_or_else(|| {
            let known = Self::ALL.map(Self::extension).join(", ");
            Problem::unsupported(
                format!("the extension \".{extension}\" names no known format"),
                format!("use one of {known}"),
            )
            .at(path)
        })
    }
}
