//! The shells of a skin, its connected pieces: which way each faces, and whether it has an inside.
//!
//! A shell is judged by the winding numbers just under and just over its triangles, of which the median counts. Under a
//! closed skin the number is 1, under half of a tube three quarters (by Thales' theorem), and under a plane a half at most.
//! Over a skin that is inside out it is the negative of that. A cavity in another shell, whose faces point into it, has 0
//! over its skin and stays as it is.

use crate::welded::WeldedSurface;
use crate::{Error, Result};
use glam::{DVec3, Vec3};
use sinew_geometry::parallel::*;
use sinew_geometry::{Face, Topology, Winding};
use sinew_rig::Character;
use std::collections::BTreeSet;

/// How far from the skin winding numbers are taken, in diagonals of its box: less than any thickness that can be filled.
const DEPTH: f64 = 1e-6;

/// The least winding number under a skin that has an inside: that of a sheet rolled by 72°. At 0.5 a sheet with waves has
/// one, at 0.75 half of a tube has none.
const INSIDE: f64 = 0.6;

/// The triangles of a shell that are looked at, at most.
const MOST_PLACES: usize = 256;

/// Turns the faces of shells that are inside out, and refuses a skin of which no shell has an inside. Returns the winding
/// number of the skin, and warnings.
pub(super) fn face_outwards(
    character: &Character,
    welded: &mut WeldedSurface,
    places: &[Vec3],
) -> Result<(Winding, Vec<String>)> {
    let topology = Topology::new(places, &welded.faces);
    let mut winding = Winding::new(&topology, places);
    let shells = Shells::new(&topology, places.len());
    let mut warnings = Vec::new();
    let over = shells.medians(&winding, welded, places, DEPTH);
    let is_inverted: Vec<bool> = over.iter().map(|number| winding.orientation() * number < -INSIDE).collect();
    if is_inverted.contains(&true) {
        welded.reverse_faces(|point| shells.of_point[point as usize].is_some_and(|shell| is_inverted[shell as usize]));
        winding = Winding::new(&Topology::new(places, &welded.faces), places);
        let meshes = shells.meshes(character, welded, &is_inverted);
        warnings.push(format!("pieces of {meshes} are inside out: flesh takes them as turned round"));
    }
    let under = shells.medians(&winding, welded, places, -DEPTH);
    let is_sheet: Vec<bool> = under.iter().map(|number| *number < INSIDE).collect();
    let meshes = shells.meshes(character, welded, &is_sheet);
    if !is_sheet.contains(&false) {
        let why = match topology.boundary_edges() {
            _ if topology.faces().is_empty() => "its points are all in one place or in a line".into(),
            _ if topology.is_closed() => "the surface is closed, but flat".into(),
            0 => "its faces disagree about which side is out".into(),
            edges => format!("the surface is open along {edges} edges"),
        };
        return Err(Error::NoInside { meshes, why });
    }
    if is_sheet.contains(&true) {
        warnings.push(format!("pieces of {meshes} have no inside: they go with the skin, or with flesh beside them"));
    }
    Ok((winding, warnings))
}

struct Shells {
    count: usize,
    /// The shell of each point; none for a point without faces.
    of_point: Vec<Option<u32>>,
}

impl Shells {
    fn new(topology: &Topology, points: usize) -> Self {
        let mut of_vertex = vec![None; topology.welded_count()];
        for (face, &shell) in topology.faces().iter().zip(topology.shell_of_face()) {
            face.corners().iter().for_each(|&vertex| of_vertex[vertex as usize] = Some(shell));
        }
        let of_point = (0..points).map(|point| of_vertex[topology.welded(point)]).collect();
        Self { count: topology.shells(), of_point }
    }

    /// The median winding number of each at a distance from its faces, in diagonals of the skin's box; 0 for one without
    /// area.
    fn medians(&self, winding: &Winding, welded: &WeldedSurface, places: &[Vec3], distance: f64) -> Vec<f64> {
        let (low, high) = places.iter().fold((Vec3::MAX, Vec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
        let distance = distance * (high - low).as_dvec3().length();
        let mut beside: Vec<Vec<DVec3>> = vec![Vec::new(); self.count];
        for [a, b, c] in welded.faces.iter().flat_map(Face::triangles) {
            let Some(shell) = self.of_point[a as usize] else { continue };
            let [a, b, c] = [a, b, c].map(|point| places[point as usize].as_dvec3());
            if let Some(normal) = (b - a).cross(c - a).try_normalize() {
                beside[shell as usize].push((a + b + c) / 3.0 + distance * normal);
            }
        }
        let median = |places: &Vec<DVec3>| {
            let some = places.iter().step_by(places.len().div_ceil(MOST_PLACES).max(1));
            let mut numbers: Vec<f64> = some.map(|&place| winding.number(place)).collect();
            numbers.sort_by(f64::total_cmp);
            numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
        };
        beside.par_iter().map(median).collect()
    }

    /// The names of the meshes with these shells; of all meshes of the skin where there is no shell.
    fn meshes(&self, character: &Character, welded: &WeldedSurface, is_meant: &[bool]) -> String {
        let is_in = |shell: Option<u32>| shell.map_or(is_meant.is_empty(), |shell| is_meant[shell as usize]);
        let points = (0..welded.len()).filter(|&point| is_in(self.of_point[point]));
        let vertices: Vec<usize> = points.map(|point| welded.copies(point)[0] as usize).collect();
        let parts = character.parts.iter().zip(character.vertex_ranges());
        let meant = parts.filter(|(_, range)| vertices.iter().any(|vertex| range.contains(vertex)));
        let names: BTreeSet<String> = meant.map(|(part, _)| format!("mesh \"{}\"", part.mesh.name)).collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    }
}
