//! Where does the skeleton come from that a mesh is bound to?

use crate::place::{between, check, moved};
use anyhow::{Context, Result, bail};
use sinew::bind::{adopt, weighted_joints};
use sinew::fit::{Template, fit};
use sinew::geometry::Face;
use sinew::rig::{Character, Transform, placed};
use sinew_io::Asset;

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
    /// The character, still without these weights.
    pub character: Character,
    /// The joints that take part.
    pub joints: Vec<usize>,
    /// What is doubtful, a sentence each.
    pub notes: Vec<String>,
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
        bail!("it has no skeleton of its own");
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
