//! A character and the cage around it, filled with tetrahedra.

use super::body::Body;
use super::place::Placed;
use crate::{Clock, Error, Result};
use glam::{DVec3, Vec3};
use serde::Serialize;
use sinew::Surface;
use sinew::cage::{Cage, ControlMesh};
use sinew::geometry::{Face, Mesh, Topology};
use sinew::recipe::CageRecipe;
use sinew::rig::{Binding, Character, Joint, JointKind, Part, Skeleton};
use sinew_io::{Asset, Format};
use std::fmt;

/// A character in a cage.
pub struct Caged {
    /// The character, on the skeleton that is inside the cage.
    pub asset: Asset,
    /// Its surface at rest, in the world.
    pub rest: Surface,
    /// The faces of all its parts.
    pub faces: Vec<Face>,
    /// The cage, filled.
    pub control: ControlMesh,
    /// The labels of the markers that are among its vertices.
    pub markers: Vec<String>,
}

/// A phase of building a cage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildPhase {
    /// A closed surface around the mesh.
    Cage,
    /// Tetrahedra inside it.
    Tetrahedra,
}

impl BuildPhase {
    /// The name of the phase.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cage => "cage",
            Self::Tetrahedra => "tetrahedra",
        }
    }
}

/// A cage in numbers.
#[derive(Debug, Clone, Serialize)]
pub struct BuildReport {
    /// Vertices of the mesh.
    pub vertices: usize,
    /// Vertices of the cage.
    pub cage_vertices: usize,
    /// Triangles of the cage.
    pub cage_triangles: usize,
    /// Vertices of the tetrahedra, those of the cage among them.
    pub control_vertices: usize,
    /// Tetrahedra.
    pub tetrahedra: usize,
    /// The least quality of a tetrahedron, 1 for a regular one.
    pub least_quality: f64,
    /// The mean quality.
    pub mean_quality: f64,
    /// Tetrahedra with a quality below 0.1.
    pub slivers: usize,
    /// Joints, tips of bones and markers that are outside the cage and only linked to it.
    pub linked: usize,
    /// The cage's volume, in volumes of the mesh; absent for open meshes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volume_share: Option<f64>,
    /// Joints inside.
    pub joints: usize,
    /// Markers.
    pub markers: Vec<String>,
    /// The time of the cage, and of the tetrahedra.
    pub milliseconds: [f64; 2],
    /// The warnings.
    pub warnings: Vec<String>,
}

/// Builds a cage around a character and fills it with tetrahedra. `progress` gets the phase and its finished share.
pub fn enclosed(
    asset: Asset,
    recipe: &CageRecipe,
    markers: &[Placed],
    clock: Clock<'_>,
    progress: &mut dyn FnMut(BuildPhase, f64),
) -> Result<(Caged, BuildReport)> {
    let begin = clock();
    let cage = cage_around(&asset.character, recipe, &mut |share| progress(BuildPhase::Cage, share))?;
    let enclosed = clock();
    let caged = filled(asset, &cage, markers, &mut |share| progress(BuildPhase::Tetrahedra, share))?;
    let report = caged.report([enclosed - begin, clock() - enclosed]);
    Ok((caged, report))
}

/// The surface around a character, which does not depend on markers. `progress` gets the finished share.
pub fn cage_around(character: &Character, recipe: &CageRecipe, progress: &mut dyn FnMut(f64)) -> Result<Cage> {
    let Body { rest, faces } = Body::of(character)?;
    let world = character.skeleton.rest_world();
    let joints: Vec<DVec3> = character.joints().map(|joint| world[joint].translation).collect();
    Ok(Cage::build(&rest.positions, &faces, &joints, &recipe.cage_options(), progress)?)
}

/// A character in the cage that is around it, with its joints and markers among the vertices inside. `progress` gets
/// the finished share.
pub fn filled(asset: Asset, cage: &Cage, markers: &[Placed], progress: &mut dyn FnMut(f64)) -> Result<Caged> {
    let character = &asset.character;
    let Body { rest, faces } = Body::of(character)?;
    let places: Vec<DVec3> = markers.iter().map(|marker| marker.position).collect();
    let skeleton = character.joints().next().map(|_| &character.skeleton);
    let control = ControlMesh::build(cage, &rest.positions, skeleton, &places, progress);
    let control = control.map_err(|error| named(error, markers))?;
    Ok(Caged { rest, faces, control, markers: markers.iter().map(|m| m.label.clone()).collect(), asset })
}

/// The same error with labels of markers instead of indices.
fn named(error: sinew::cage::Error, markers: &[Placed]) -> Error {
    let label = |marker: usize| markers.get(marker).map_or_else(String::new, |placed| placed.label.clone());
    match error {
        sinew::cage::Error::MarkerFarAway { marker, distance, size } => {
            Error::MarkerFarAway { label: label(marker), distance, size }
        }
        sinew::cage::Error::MarkersCoincide { first, second } => {
            Error::MarkersCoincide { first: label(first), second: label(second) }
        }
        other => other.into(),
    }
}

impl Caged {
    /// The report of the cage, with the times of building it.
    pub fn report(&self, milliseconds: [f64; 2]) -> BuildReport {
        let Self { asset, rest, faces, control, markers } = self;
        let topology = Topology::new(&rest.positions, faces);
        let volume = sinew::geometry::volume::closed_volume(&topology, &rest.positions);
        let surface = self.cage_mesh();
        let quality = control.quality;
        let mut warnings = Vec::new();
        if quality.linked > 0 {
            warnings.push(format!(
                "{} joints, ends of bones or markers are outside the cage; they are linked to the nearest vertices",
                quality.linked
            ));
        }
        BuildReport {
            vertices: rest.positions.len(),
            cage_vertices: surface.positions.len(),
            cage_triangles: surface.faces.len(),
            control_vertices: control.positions.len(),
            tetrahedra: control.tetrahedra.len(),
            least_quality: quality.least,
            mean_quality: quality.mean,
            slivers: quality.slivers,
            linked: quality.linked,
            volume_share: volume.map(|volume| control.volume(&control.positions) / volume),
            joints: asset.character.joints().count(),
            markers: markers.clone(),
            milliseconds,
            warnings,
        }
    }

    /// The surface of the cage as a mesh.
    pub fn cage_mesh(&self) -> Mesh {
        let mut used: Vec<u32> = self.control.surface.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let number = |v: u32| used.partition_point(|&u| u < v) as u32;
        let positions: Vec<Vec3> = used.iter().map(|&v| self.control.positions[v as usize].as_vec3()).collect();
        let triangle = |t: &[u32; 3]| {
            let [a, b, c] = t.map(number);
            Face::triangle(a, b, c)
        };
        let faces = self.control.surface.iter().map(triangle).collect();
        Mesh::new("cage", positions, faces)
    }

    /// The surface of the cage as a file of its own, in the units and axes of the character.
    pub fn cage_asset(&self) -> Result<Asset> {
        let (skeleton, _) = Skeleton::new(vec![Joint { kind: JointKind::Node, ..Joint::default() }])?;
        let mesh = self.cage_mesh();
        let binding = Binding::rigid(0, mesh.positions.len());
        let character = Character {
            name: format!("{} cage", self.asset.character.name).trim().into(),
            base_pose: skeleton.rest_pose(),
            skeleton,
            parts: vec![Part { node: 0, skinned: false, mesh, binding }],
            ..Character::default()
        };
        let Asset { meters_per_unit, up, .. } = self.asset;
        Ok(Asset { meters_per_unit, up, ..Asset::new(character, Format::Glb) })
    }
}

impl fmt::Display for BuildReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} vertices in a cage of {}, {} tetrahedra of {} vertices, quality {:.2} in the mean and {:.3} at least, \
             {} slivers",
            self.vertices,
            self.cage_vertices,
            self.tetrahedra,
            self.control_vertices,
            self.mean_quality,
            self.least_quality,
            self.slivers
        )?;
        if let Some(share) = self.volume_share {
            write!(f, ", {share:.2} times the volume of the mesh")?;
        }
        write!(f, "; {} joints, {} markers", self.joints, self.markers.len())
    }
}
