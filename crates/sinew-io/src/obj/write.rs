//! Writing OBJ. Numbers have as many digits as an `f32` needs to come back the same, nine at most.
//!
//! The vertices are in the input's order, in the object they belong to; copies of one at a seam are one. Those that
//! refinement added come after all of these, so a refined character has its vertices before the first object.

use super::NO_MATERIAL;
use crate::rest::rest_surface;
use crate::{Asset, Problem, shape, world_faces};
use glam::Vec3;
use sinew::Surface;
use sinew::geometry::Face;
use sinew::rig::{Character, Part};
use std::io::Write;

/// The character at rest, in world space, an `o` object for each part.
pub fn write(asset: &Asset) -> Result<Vec<u8>, Problem> {
    Ok(write_surface(asset, &rest_surface(&asset.character)?))
}

/// A deformed surface of the character, with at least the character's vertices; those beyond are not
/// written.
pub fn write_surface(asset: &Asset, surface: &Surface) -> Vec<u8> {
    let mut out = Vec::with_capacity(surface.positions.len() * 96);
    write_into(asset, surface, &mut out).expect("a vector takes every byte");
    out
}

fn write_into(asset: &Asset, surface: &Surface, out: &mut impl Write) -> std::io::Result<()> {
    let Asset { character, .. } = asset;
    let is_refined = character.parts.iter().any(|part| part.mesh.added_vertices > 0);
    if is_refined {
        let order = character.file_order();
        write_vectors("v", order.iter().map(|&vertex| surface.positions[vertex]), out)?;
        write_vectors("vn", order.iter().map(|&vertex| surface.normals[vertex]), out)?;
    }
    let mut textures_before = 0;
    let mut material = None;
    let parts = character.parts.iter().zip(world_faces(character)).zip(numbers(character));
    for (index, (((part, faces), numbers), vertices)) in parts.zip(character.vertex_ranges()).enumerate() {
        writeln!(out, "o {}", object_name(part, index))?;
        let own = || part.mesh.first_copies().into_iter().map(|vertex| vertices.start + vertex);
        if !is_refined {
            write_vectors("v", own().map(|vertex| surface.positions[vertex]), out)?;
        }
        let textures = shape::texture_coordinates(&part.mesh);
        for uv in textures.iter().flat_map(|attribute| attribute.values.chunks_exact(2)) {
            writeln!(out, "vt {} {}", uv[0], 1.0 - uv[1])?;
        }
        if !is_refined {
            write_vectors("vn", own().map(|vertex| surface.normals[vertex]), out)?;
        }
        let first_texture = textures.map(|_| textures_before + 1);
        for primitive in &part.mesh.primitives {
            if primitive.material != material {
                material = primitive.material;
                let name = material.map_or(NO_MATERIAL.into(), |material| material_name(asset, material));
                writeln!(out, "usemtl {name}")?;
            }
            for face in &faces[primitive.faces.clone()] {
                write_face(face, &numbers, first_texture, out)?;
            }
        }
        textures_before += textures.map_or(0, |_| vertices.len());
    }
    Ok(())
}

fn write_vectors(what: &str, mut vectors: impl Iterator<Item = Vec3>, out: &mut impl Write) -> std::io::Result<()> {
    vectors.try_for_each(|v| writeln!(out, "{what} {} {} {}", v.x, v.y, v.z))
}

/// For each part, the numbers of its vertices in the file, from 1.
fn numbers(character: &Character) -> Vec<Vec<usize>> {
    let copies: Vec<Vec<usize>> = character.parts.iter().map(|part| part.mesh.first_copies()).collect();
    let mut first_own = 1;
    let mut first_added = 1 + copies.iter().map(Vec::len).sum::<usize>();
    let number = |(part, copies): (&Part, &Vec<usize>)| {
        let mesh = &part.mesh;
        let own = (0..mesh.own_vertices()).map(|vertex| first_own + mesh.file_vertex(vertex));
        let numbers = own.chain(first_added..first_added + mesh.added_vertices).collect();
        first_own += copies.len();
        first_added += mesh.added_vertices;
        numbers
    };
    character.parts.iter().zip(&copies).map(number).collect()
}

fn write_face(
    face: &Face,
    numbers: &[usize],
    first_texture: Option<usize>,
    out: &mut impl Write,
) -> std::io::Result<()> {
    write!(out, "f")?;
    for &corner in face.corners() {
        let vertex = numbers[corner as usize];
        match first_texture {
            Some(texture) => write!(out, " {vertex}/{}/{vertex}", texture + corner as usize)?,
            None => write!(out, " {vertex}//{vertex}")?,
        }
    }
    writeln!(out)
}

fn object_name(part: &Part, index: usize) -> String {
    let name = one_line(&part.mesh.name);
    if name.is_empty() { format!("part_{index}") } else { name }
}

fn material_name(asset: &Asset, material: usize) -> String {
    let named = asset.appearance.materials.get(material).and_then(|m| m["name"].as_str()).map(one_line);
    named.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("material_{material}"))
}

/// A name that neither ends its line nor begins a comment.
fn one_line(name: &str) -> String {
    name.replace(|c: char| c.is_control() || c == '#' || c == '\\', "_").trim().into()
}
