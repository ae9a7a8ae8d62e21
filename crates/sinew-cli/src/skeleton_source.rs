//! Where does the skeleton come from that a mesh is bound to?

use crate::files;
use crate::skeleton_place::{between, check, moved};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use glam::DVec3;
use sinew::bind::{adopt, weighted_joints};
use sinew::fit::{Template, fit};
use sinew::geometry::Face;
use sinew::rig::{Character, Transform, placed};
use sinew_io::Asset;
use std::path::{Path, PathBuf};

/// The skeleton.
#[derive(Args)]
#[command(next_help_heading = "Skeleton")]
pub struct SkeletonArguments {
    /// A skeleton that stands in the mesh: .glb, .gltf, .fbx, .bvh, .asf, or .toml [default: the mesh's own]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fit", "from"])]
    skeleton: Option<PathBuf>,

    /// Place the joints of a body inside the mesh, which stands upright
    #[arg(long, value_name = "BODY", conflicts_with = "from")]
    fit: Option<Body>,

    /// Take skeleton, clips and weights from a rigged character that stands where the mesh is
    #[arg(long, value_name = "RIGGED", conflicts_with_all = ["method", "alpha"])]
    from: Option<PathBuf>,

    /// Multiply the lengths of --skeleton, such as 0.01 from centimetres to metres
    #[arg(long, value_name = "S", requires = "skeleton", allow_negative_numbers = true)]
    skeleton_scale: Option<f64>,

    /// Then move it, in the mesh's units
    #[arg(long, value_name = "X,Y,Z", requires = "skeleton", value_parser = parse_point, allow_hyphen_values = true)]
    skeleton_offset: Option<DVec3>,
}

/// A kind of body.
#[derive(Clone, Copy, ValueEnum)]
enum Body {
    /// Upright, with two arms and two legs
    Humanoid,
    /// On four legs
    Quadruped,
}

fn parse_point(text: &str) -> Result<DVec3, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if DVec3::new(x, y, z).is_finite() => Ok(DVec3::new(x, y, z)),
        _ => Err("use three numbers, such as 0,0.95,0".into()),
    }
}

/// A source that has been read.
pub enum Source {
    /// The mesh's own file.
    Own,
    /// Another file, with what is to be done to it.
    File(Box<Asset>, Transform),
    /// A body to be placed.
    Fit(Template),
    /// Another character with its weights.
    From(Box<Asset>),
}

/// A mesh on the skeleton that it is to be bound to.
pub struct Rigged {
    pub character: Character,
    /// The joints that take part.
    pub joints: Vec<usize>,
    /// What is doubtful, a sentence each.
    pub notes: Vec<String>,
}

impl SkeletonArguments {
    /// Reads what is given. `output` must not replace it.
    pub fn source(&self, output: &Path) -> Result<Source> {
        for file in self.skeleton.iter().chain(&self.from) {
            files::refuse_replacing(file, output)?;
        }
        if let Some(path) = &self.skeleton {
            let wanted = "a rigged character, a motion or a .toml with a [[joint]] each";
            return Ok(Source::File(with_joints(files::load(path)?, path, wanted)?, self.place()?));
        }
        if let Some(path) = &self.from {
            let wanted = "a rigged character (.glb, .gltf or .fbx)";
            return Ok(Source::From(with_joints(files::load_character(path)?, path, wanted)?));
        }
        Ok(match self.fit {
            Some(Body::Humanoid) => Source::Fit(Template::Humanoid),
            Some(Body::Quadruped) => Source::Fit(Template::Quadruped),
            None => Source::Own,
        })
    }

    fn place(&self) -> Result<Transform> {
        let scale = self.skeleton_scale.unwrap_or(1.0);
        if !(scale > 0.0 && scale.is_finite()) {
            bail!("--skeleton-scale must be above 0, not {scale}");
        }
        let translation = self.skeleton_offset.unwrap_or_default();
        Ok(Transform { scale: DVec3::splat(scale), translation, ..Transform::IDENTITY })
    }
}

fn with_joints(asset: Asset, path: &Path, wanted: &str) -> Result<Box<Asset>> {
    if asset.character.joints().next().is_none() {
        bail!("{}: it has no skeleton; give {wanted}", path.display());
    }
    Ok(Box::new(asset))
}

impl Source {
    /// The mesh on this skeleton. A character whose weights are taken over is brought to the mesh's units.
    pub fn rigged(&self, mesh: &Asset) -> Result<Rigged> {
        match self {
            Self::Own => own(mesh),
            Self::File(asset, place) => on_file(mesh, asset, place),
            Self::Fit(template) => on_fitted(mesh, *template),
            Self::From(asset) => {
                let character = moved(asset.character.clone(), between(asset, mesh))?;
                let joints = weighted_joints(&character);
                Ok(Rigged { character, joints, notes: clips_left(mesh) })
            }
        }
    }
}

fn own(mesh: &Asset) -> Result<Rigged> {
    if mesh.character.joints().next().is_none() {
        bail!(
            "it has no skeleton of its own; give one with --skeleton FILE, let one be placed with --fit humanoid, or \
             take that of a rigged character with --from RIGGED"
        );
    }
    let joints = weighted_joints(&mesh.character);
    Ok(Rigged { character: mesh.character.clone(), joints, notes: Vec::new() })
}

fn on_file(mesh: &Asset, skeleton: &Asset, place: &Transform) -> Result<Rigged> {
    let units = between(skeleton, mesh).matrix();
    let rig = moved(skeleton.character.clone(), Transform::from_matrix(&(place.matrix() * units)))?;
    let joints = weighted_joints(&rig);
    let rest = sinew_io::rest_surface(&mesh.character)?;
    let mut notes = clips_left(mesh);
    notes.extend(check(&rest.positions, &rig, &joints)?);
    Ok(Rigged { character: adopt(&mesh.character, &rig)?, joints, notes })
}

fn on_fitted(mesh: &Asset, template: Template) -> Result<Rigged> {
    let positions = sinew_io::rest_surface(&mesh.character)?.positions;
    let mut faces: Vec<Face> = Vec::new();
    for (part, range) in sinew_io::world_faces(&mesh.character).iter().zip(mesh.character.vertex_ranges()) {
        faces.extend(part.iter().map(|face| face.map(|vertex| vertex + range.start as u32)));
    }
    let fitted = fit(&positions, &faces, template, mesh.up.direction()).context("no skeleton could be placed")?;
    let rig = placed(&fitted.joints)?;
    let joints = rig.joints().collect();
    let notes = clips_left(mesh).into_iter().chain(fitted.warnings).collect();
    Ok(Rigged { character: adopt(&mesh.character, &rig)?, joints, notes })
}

/// What another skeleton means for the clips of the mesh.
fn clips_left(mesh: &Asset) -> Vec<String> {
    match mesh.character.clips.len() {
        0 => Vec::new(),
        count => vec![format!("the mesh's own clips ({count}) move its own skeleton and are left out")],
    }
}
