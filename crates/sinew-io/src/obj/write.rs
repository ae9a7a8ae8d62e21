//! Writing OBJ. Numbers have as many digits as an `f32` needs to come back the same, nine at most.

use super::NO_MATERIAL;
use crate::rest::rest_surface;
use crate::{Asset, Problem, shape, world_faces};
use sinew::Surface;
use sinew::geometry::Face;
use sinew::rig::Part;
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
    let mut textures_before = 0;
    let mut material = None;
    let parts = asset.character.parts.iter().zip(world_faces(&asset.character));
    for (index, ((part, faces), vertices)) in parts.zip(asset.character.vertex_ranges()).enumerate() {
        writeln!(out, "o {}", object_name(part, index))?;
        for p in &surface.positions[vertices.clone()] {
            writeln!(out, "v {} {} {}", p.x, p.y, p.z)?;
        }
        let textures = shape::texture_coordinates(&part.mesh);
        for uv in textures.iter().flat_map(|attribute| attribute.values.chunks_exact(2)) {
            writeln!(out, "vt {} {}", uv[0], 1.0 - uv[1])?;
        }
        for n in &surface.normals[vertices.clone()] {
            writeln!(out, "vn {} {} {}", n.x, n.y, n.z)?;
        }
        let first = vertices.start + 1;
        let first_texture = textures.map(|_| textures_before + 1);
        for primitive in &part.mesh.primitives {
            if primitive.material != material {
                material = primitive.material;
                let name = material.map_or(NO_MATERIAL.into(), |material| material_name(asset, material));
                writeln!(out, "usemtl {name}")?;
            }
            for face in &faces[primitive.faces.clone()] {
                write_face(face, first, first_texture, out)?;
            }
        }
        textures_before += textures.map_or(0, |_| vertices.len());
    }
    Ok(())
}

fn write_face(face: &Face, first: usize, first_texture: Option<usize>, out: &mut impl Write) -> std::io::Result<()> {
    write!(out, "f")?;
    for &corner in face.corners() {
        let corner = corner as usize;
        let vertex = first + corner;
        match first_texture {
            Some(texture) => write!(out, " {vertex}/{}/{vertex}", texture + corner)?,
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
