//! The source of a skeleton for a mesh.

use crate::alignment::options_of;
use crate::failure::{Result, refuse};
use crate::files;
use crate::terminal::note;
use clap::{Args, ValueEnum};
use glam::DVec3;
use sinew::bind::skeleton_fit::Template;
use sinew::rig::Transform;
use sinew_io::Asset;
use sinew_tasks::bind::{Misplacement, Source};
use sinew_tasks::cage::SkeletonOf;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The skeleton.
#[derive(Args)]
#[command(next_help_heading = "Skeleton")]
pub struct SkeletonArguments {
    /// A skeleton that stands in the mesh: .glb, .gltf, .fbx, .bvh, .asf, or .toml [default: the mesh's own]
    #[arg(long, value_name = "FILE", conflicts_with = "fit")]
    pub skeleton: Option<PathBuf>,

    /// Place the joints of a body inside the mesh, which stands upright
    #[arg(long, value_name = "BODY")]
    fit: Option<Body>,

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

/// Three numbers.
pub fn parse_point(text: &str) -> Result<DVec3, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if DVec3::new(x, y, z).is_finite() => Ok(DVec3::new(x, y, z)),
        _ => Err("use three numbers, such as 0,0.95,0".into()),
    }
}

impl SkeletonArguments {
    /// Reads the skeleton.
    pub fn source(&self) -> Result<Source> {
        if let Some(path) = &self.skeleton {
            let wanted = "a rigged character, a motion or a .toml with a [[joint]] each";
            return Ok(Source::File(with_joints(files::load(path)?, path, wanted)?, self.place()?));
        }
        Ok(match self.fit {
            Some(Body::Humanoid) => Source::Fit(Template::Humanoid),
            Some(Body::Quadruped) => Source::Fit(Template::Quadruped),
            None => Source::Own,
        })
    }

    /// The source relative to a folder, for a cage file there.
    pub fn relative_to(&self, folder: &Path) -> Result<SkeletonOf> {
        if let Some(path) = &self.skeleton {
            let place = self.place()?;
            let path = files::relative(path, folder)?;
            return Ok(SkeletonOf::File { path, scale: place.scale.x, offset: place.translation.to_array() });
        }
        Ok(match self.fit {
            Some(Body::Humanoid) => SkeletonOf::Humanoid,
            Some(Body::Quadruped) => SkeletonOf::Quadruped,
            None => SkeletonOf::Own,
        })
    }

    /// Whether one is given.
    pub fn is_given(&self) -> bool {
        self.skeleton.is_some() || self.fit.is_some()
    }

    fn place(&self) -> Result<Transform> {
        let scale = self.skeleton_scale.unwrap_or(1.0);
        if !(scale > 0.0 && scale.is_finite()) {
            refuse!("--skeleton-scale must be above 0, not {scale}");
        }
        let translation = self.skeleton_offset.unwrap_or_default();
        Ok(Transform { scale: DVec3::splat(scale), translation, ..Transform::IDENTITY })
    }
}

/// Prints the options that align a skeleton with its mesh, after the warning that it may be misplaced.
pub fn suggest_options(about: impl Display, misplacement: Option<&Misplacement>) {
    if let Some(options) = misplacement.and_then(options_of) {
        note(format_args!("note: {about}: {options} would align the skeleton"));
    }
}

/// Checks that a file has joints.
pub fn with_joints(asset: Asset, path: &Path, wanted: &str) -> Result<Box<Asset>> {
    if asset.character.joints().next().is_none() {
        refuse!("{}: it has no skeleton; give {wanted}", path.display());
    }
    Ok(Box::new(asset))
}
