//! Where does the skeleton come from that a mesh is bound to?

use crate::files;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use glam::DVec3;
use sinew::fit::Template;
use sinew::rig::Transform;
use sinew_io::Asset;
use sinew_work::rigging::Source;
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
