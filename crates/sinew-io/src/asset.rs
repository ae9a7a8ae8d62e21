//! A file's content: the character, how it looks, and what the file says of its units and axes.

use crate::{Error, Problem, WriteAside};
use glam::{DQuat, DVec3};
use sinew::rig::{Character, Part};
use std::path::Path;

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

/// The axis that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// x up.
    X,
    /// y up, as glTF has it.
    #[default]
    Y,
    /// z up, as Blender and 3ds Max have it.
    Z,
}

impl UpAxis {
    /// The unit vector that points up.
    pub fn direction(self) -> DVec3 {
        match self {
            Self::X => DVec3::X,
            Self::Y => DVec3::Y,
            Self::Z => DVec3::Z,
        }
    }

    /// What turns this axis to y.
    pub fn to_y_up(self) -> DQuat {
        let quarter = std::f64::consts::FRAC_PI_2;
        match self {
            Self::X => DQuat::from_axis_angle(DVec3::Z, quarter),
            Self::Y => DQuat::IDENTITY,
            Self::Z => DQuat::from_axis_angle(DVec3::X, -quarter),
        }
    }
}

/// An encoded picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Its name, possibly empty.
    pub name: String,
    /// `image/png` or `image/jpeg`.
    pub mime_type: String,
    /// The encoded file.
    pub bytes: Vec<u8>,
}

/// Materials and textures in glTF's own terms, carried from file to file untouched. Materials refer
/// to textures, textures to samplers and images, by index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Appearance {
    /// glTF `materials`.
    pub materials: Vec<serde_json::Value>,
    /// glTF `textures`.
    pub textures: Vec<serde_json::Value>,
    /// glTF `samplers`.
    pub samplers: Vec<serde_json::Value>,
    /// The pictures themselves.
    pub images: Vec<Image>,
    /// Names of the glTF extensions that the above use.
    pub extensions: Vec<String>,
}

/// What a file holds. A motion or a skeleton is a character without parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Asset {
    /// Skeleton, meshes and clips, in the file's own units and axes.
    pub character: Character,
    /// How it looks.
    pub appearance: Appearance,
    /// Where it came from.
    pub format: Format,
    /// Length of the file's unit in metres; none where the format does not say.
    pub meters_per_unit: Option<f64>,
    /// The file's up axis.
    pub up: UpAxis,
    /// The skinning that the file was made for, where it says.
    pub authored_method: Option<sinew::deform::skinning::SkinMethod>,
    /// Everything that was repaired or left out, a sentence each.
    pub warnings: Vec<String>,
}

impl Asset {
    /// A character in a format's usual axes, without materials.
    pub fn new(character: Character, format: Format) -> Self {
        let meters_per_unit = matches!(format, Format::Gltf | Format::Glb).then_some(1.0);
        Self {
            character,
            appearance: Appearance::default(),
            format,
            meters_per_unit,
            up: UpAxis::Y,
            authored_method: None,
            warnings: vec![],
        }
    }
}

/// Reads a file by its extension.
pub fn load(path: &Path) -> Result<Asset, Error> {
    Format::of(path)?;
    let bytes = std::fs::read(path).map_err(|error| cannot_read(error).at(path))?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let list = || -> std::io::Result<Vec<String>> {
        let name = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        Ok(std::fs::read_dir(folder)?.flatten().map(name).collect())
    };
    read(path, &bytes, &Beside { list: &list, read: &|name: &str| std::fs::read(path.with_file_name(name)) })
}

/// The files that lie beside one.
pub struct Beside<'a> {
    /// Their names.
    pub list: &'a dyn Fn() -> std::io::Result<Vec<String>>,
    /// The bytes of one, by its path from there.
    pub read: &'a dyn Fn(&str) -> std::io::Result<Vec<u8>>,
}

/// Reads the bytes of a file by the extension of its name.
pub fn read(path: &Path, bytes: &[u8], beside: &Beside<'_>) -> Result<Asset, Error> {
    let format = Format::of(path)?;
    let mut asset = match format {
        Format::Gltf | Format::Glb => crate::gltf::read(bytes, beside.read),
        #[cfg(feature = "fbx")]
        Format::Fbx => crate::fbx::read(bytes),
        #[cfg(not(feature = "fbx"))]
        Format::Fbx => Err(Problem::unsupported("FBX is not read in this build", "convert it with the program sinew")),
        Format::Obj => crate::obj::read(bytes),
        Format::Ply => crate::ply::read(bytes),
        Format::Bvh => crate::bvh::read(bytes),
        Format::Asf => crate::asf::read_skeleton(bytes),
        Format::Amc => read_amc_beside_asf(path, bytes, beside),
        Format::Toml => crate::skeleton_toml::read(bytes),
        Format::Pc2 | Format::Usda => Err(Problem::unsupported(
            format!("Sinew writes .{} files but does not read them", format.extension()),
            "give it the character they were made from",
        )),
    }
    .map_err(|problem| problem.at(path))?;
    asset.character.check().map_err(|error| Problem::from(error).at(path))?;
    check_joint_counts(&asset.character).map_err(|error| Problem::from(error).at(path))?;
    asset.format = format;
    if asset.character.name.is_empty() {
        asset.character.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
    Ok(asset)
}

/// The engine numbers the joints of a mesh with 16 bits.
fn check_joint_counts(character: &Character) -> sinew::rig::Result<()> {
    match character.parts.iter().find(|part| part.binding.joints.len() > 1 << 16) {
        None => Ok(()),
        Some(Part { mesh, binding, .. }) => {
            Err(sinew::rig::Error::TooManyJoints { mesh: mesh.name.clone(), count: binding.joints.len() })
        }
    }
}

fn cannot_read(error: std::io::Error) -> Problem {
    match error.kind() {
        std::io::ErrorKind::NotFound => Problem::unsupported("there is no such file", "check its name and folder"),
        _ => Problem::from(error),
    }
}

/// Writes a rigged character, a motion or a skeleton by the path's extension.
pub fn save(path: &Path, asset: &Asset) -> Result<(), Error> {
    let format = Format::of(path)?;
    let bytes = match format {
        Format::Glb => crate::gltf::write(asset),
        Format::Gltf => crate::gltf::write_embedded(asset),
        Format::Obj => crate::obj::write(asset),
        Format::Ply => crate::ply::write(asset),
        Format::Bvh => crate::bvh::write(asset),
        Format::Toml => crate::skeleton_toml::write(asset),
        _ => Err(Problem::unsupported(
            format!("Sinew does not write a character as .{}", format.extension()),
            "use .glb, .gltf, .obj, .ply, .bvh or .toml (its skeleton), or bake to .pc2 or .usda",
        )),
    }
    .map_err(|problem| problem.at(path))?;
    WriteAside::write(path, &bytes)
}

/// An AMC file has no skeleton of its own: it is the ASF of the same name, the one named by the part
/// before the first underscore (`02_01.amc` and `02.asf`), or the only ASF in the folder.
fn read_amc_beside_asf(path: &Path, amc: &[u8], beside: &Beside<'_>) -> Result<Asset, Problem> {
    let name = skeleton_beside(path, &(beside.list)()?)?;
    let asf = (beside.read)(&name).map_err(|source| Problem::Missing { name, source })?;
    crate::asf::read_motion(&asf, amc)
}

fn skeleton_beside(path: &Path, names: &[String]) -> Result<String, Problem> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let subject = stem.split('_').next().unwrap_or_default();
    let named = [stem.as_str(), subject].map(|name| format!("{name}.asf"));
    if let Some(found) = named.into_iter().find(|name| names.contains(name)) {
        return Ok(found);
    }
    let is_skeleton = |name: &&String| Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("asf"));
    let mut skeletons = names.iter().filter(is_skeleton);
    match (skeletons.next(), skeletons.next()) {
        (Some(only), None) => Ok(only.clone()),
        _ => Err(Problem::unsupported(
            "an AMC motion needs its ASF skeleton",
            format!("put {stem}.asf or {subject}.asf beside it"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_joints_than_the_engine_can_number_are_refused() {
        let mut part = Part::default();
        part.binding.joints = vec![0; 1 << 16];
        let mut character = Character { parts: vec![part], ..Character::default() };
        assert!(check_joint_counts(&character).is_ok());
        character.parts[0].binding.joints.push(0);
        assert!(check_joint_counts(&character).is_err());
    }
}
