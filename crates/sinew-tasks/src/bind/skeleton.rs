//! The source of the skeleton that a mesh is bound to.

use super::placement::{between, check, moved};
use crate::misplacement::Misplacement;
use crate::{Context, Error, Result};
use sinew::bind::skeleton_fit::{Template, fit};
use sinew::bind::{adopt, weighted_joints};
use sinew::geometry::Face;
use sinew::rig::{Character, Transform, placed};
use sinew_io::Asset;

/// The source of a skeleton, already read.
pub enum Source {
    /// The mesh's own file.
    Own,
    /// Another file, and the transform to the mesh.
    File(Box<Asset>, Transform),
    /// A template that is fitted to the mesh.
    Fit(Template),
    /// Another character, whose weights are transferred.
    From(Box<Asset>),
}

/// A mesh on the skeleton it will be bound to.
pub struct Rigged {
    /// The character, without the new weights.
    pub character: Character,
    /// The joints that get weights.
    pub joints: Vec<usize>,
    /// Doubts about the skeleton, a sentence each.
    pub notes: Vec<String>,
    /// A skeleton that may be in other units or in another position; one of the notes names it.
    pub misplacement: Option<Misplacement>,
}

impl Source {
    /// The mesh on this skeleton. A character whose weights are transferred is converted to the mesh's units.
    pub fn rigged(&self, mesh: &Asset) -> Result<Rigged> {
        match self {
            Self::Own => own(mesh),
            Self::File(asset, place) => on_file(mesh, asset, place),
            Self::Fit(template) => on_fitted(mesh, *template),
            Self::From(asset) => {
                let character = moved(asset.character.clone(), between(asset, mesh))?;
                let joints = weighted_joints(&character);
                Ok(Rigged { character, joints, notes: clips_left(mesh), misplacement: None })
            }
        }
    }
}

fn own(mesh: &Asset) -> Result<Rigged> {
    if mesh.character.joints().next().is_none() {
        return Err(Error::NoOwnSkeleton);
    }
    let joints = weighted_joints(&mesh.character);
    Ok(Rigged { character: mesh.character.clone(), joints, notes: Vec::new(), misplacement: None })
}

fn on_file(mesh: &Asset, skeleton: &Asset, place: &Transform) -> Result<Rigged> {
    let units = between(skeleton, mesh).matrix();
    let rig = moved(skeleton.character.clone(), Transform::from_matrix(&(place.matrix() * units)))?;
    let joints = weighted_joints(&rig);
    let rest = sinew_io::rest_surface(&mesh.character)?;
    let mut notes = clips_left(mesh);
    let misplacement = check(&rest.positions, &rig, &joints)?;
    notes.extend(misplacement.map(|misplacement| misplacement.to_string()));
    Ok(Rigged { character: adopt(&mesh.character, &rig)?, joints, notes, misplacement })
}

fn on_fitted(mesh: &Asset, template: Template) -> Result<Rigged> {
    let positions = sinew_io::rest_surface(&mesh.character)?.positions;
    let mut faces: Vec<Face> = Vec::new();
    for (part, range) in sinew_io::world_faces(&mesh.character).iter().zip(mesh.character.vertex_ranges()) {
        faces.extend(part.iter().map(|face| face.map(|vertex| vertex + range.start as u32)));
    }
    let fitted = fit(&positions, &faces, template, mesh.up.direction()).context("no skeleton can be fitted")?;
    let rig = placed(&fitted.joints)?;
    let joints = rig.joints().collect();
    let notes = clips_left(mesh).into_iter().chain(fitted.warnings).collect();
    Ok(Rigged { character: adopt(&mesh.character, &rig)?, joints, notes, misplacement: None })
}

/// The note that clips of the mesh's own skeleton are lost.
fn clips_left(mesh: &Asset) -> Vec<String> {
    match mesh.character.clips.len() {
        0 => Vec::new(),
        count => vec![format!("the mesh's own clips ({count}) move its old skeleton and are left out")],
    }
}
