//! Reading PLY: vertices with normals, texture coordinates and colours; faces.

use super::header::{self, Element, Encoding, Header, Property, Scalar};
use super::values::Values;
use crate::{Asset, Format, Problem, shape};
use glam::Vec3;
use sinew::geometry::{Attribute, Face, Mesh};

/// Reads a PLY file as a character of one node without joints. Quads stay; larger faces are cut as a
/// fan from their first corner.
pub fn read(bytes: &[u8]) -> Result<Asset, Problem> {
    let (Header { encoding, elements }, body) = header::parse(bytes)?;
    let mut values = Values::new(encoding, body);
    let mut mesh = Mesh::default();
    let mut warnings = Vec::new();
    let mut faces = FaceList::default();
    for element in &elements {
        check_size(element, encoding, values.remaining())?;
        match element.name.as_str() {
            "vertex" => read_vertices(element, &mut values, &mut mesh)?,
            "face" => faces = read_faces(element, &mut values)?,
            _ => {
                warnings.push(format!("{} items of \"{}\" were left out", element.count, element.name));
                skip(element, &mut values)?;
            }
        }
    }
    if mesh.positions.is_empty() {
        return Err(Problem::malformed("PLY", "there is no vertex in the file"));
    }
    let vertices = mesh.positions.len();
    if let Some((face, vertex)) = faces.largest.filter(|&(_, vertex)| vertex as usize >= vertices) {
        let why = format!("it names vertex {vertex}, but the file has {vertices}, counted from 0");
        return Err(Problem::malformed(format!("face {face}"), why));
    }
    if faces.dropped > 0 {
        warnings.push(format!("{} faces of fewer than three corners were left out", faces.dropped));
    }
    if faces.cut > 0 {
        warnings.push(format!("{} faces of more than four corners were cut into triangles as if convex", faces.cut));
    }
    let whole = Mesh::new("", mesh.positions, faces.faces);
    let mesh = Mesh { normals: mesh.normals, attributes: mesh.attributes, ..whole };
    let character = shape::character(vec![mesh])?;
    Ok(Asset { warnings, ..Asset::new(character, Format::Ply) })
}

/// A count is believed only if the file is long enough for it.
fn check_size(element: &Element, encoding: Encoding, remaining: usize) -> Result<(), Problem> {
    let least = element.least_size(encoding) as u128 * element.count as u128;
    // The last number of a text needs no blank behind it.
    if least > remaining as u128 + 1 {
        let why = format!("{} items take at least {least} bytes, but {remaining} are left", element.count);
        return Err(Problem::malformed(format!("element \"{}\"", element.name), why));
    }
    Ok(())
}

fn read_vertices(element: &Element, values: &mut Values<'_>, mesh: &mut Mesh) -> Result<(), Problem> {
    let column = |names: &[&str]| element.position(names);
    let missing = || Problem::malformed("element \"vertex\"", "it needs the properties x, y and z");
    let position = [["x"], ["y"], ["z"]].map(|name| column(&name));
    let [Some(x), Some(y), Some(z)] = position else { return Err(missing()) };
    let normal = group([column(&["nx"]), column(&["ny"]), column(&["nz"])]);
    let texture = group([column(&["s", "u", "texture_u"]), column(&["t", "v", "texture_v"])]);
    let color = group([column(&["red", "r"]), column(&["green", "g"]), column(&["blue", "b"])]);
    let alpha = color.and(column(&["alpha", "a"]));

    let mut texture_values = Vec::new();
    let mut color_values = Vec::new();
    let mut row = vec![0.0; element.properties.len()];
    for vertex in 0..element.count {
        read_row(element, values, vertex, &mut row)?;
        let vector = |columns: [usize; 3]| Vec3::from(columns.map(|c| row[c] as f32));
        let point = vector([x, y, z]);
        if !point.is_finite() {
            return Err(Problem::malformed(format!("vertex {vertex}"), "its position is not finite"));
        }
        mesh.positions.push(point);
        mesh.normals.extend(normal.map(|columns| vector(columns).normalize_or(Vec3::Y)));
        // PLY counts the second coordinate from below, glTF from above.
        texture_values.extend(texture.iter().flat_map(|&[s, t]| [row[s] as f32, 1.0 - row[t] as f32]));
        let channels = color.iter().flatten().chain(&alpha);
        color_values.extend(channels.map(|&c| (row[c] / full_color(element.properties[c].scalar)) as f32));
    }
    if texture.is_some() {
        mesh.attributes.push(Attribute { name: "TEXCOORD_0".into(), width: 2, values: texture_values });
    }
    if color.is_some() {
        let width = if alpha.is_some() { 4 } else { 3 };
        mesh.attributes.push(Attribute { name: "COLOR_0".into(), width, values: color_values });
    }
    Ok(())
}

/// All of the columns or none.
fn group<const N: usize>(columns: [Option<usize>; N]) -> Option<[usize; N]> {
    columns.iter().all(Option::is_some).then(|| columns.map(Option::unwrap_or_default))
}

/// The value of a colour channel that means 1.
fn full_color(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::F32 | Scalar::F64 => 1.0,
        Scalar::I8 | Scalar::U8 => 255.0,
        _ => 65535.0,
    }
}

/// Reads an item's single numbers into `row`, and past its lists.
fn read_row(element: &Element, values: &mut Values<'_>, item: usize, row: &mut [f64]) -> Result<(), Problem> {
    let at = || format!("{} {item}", element.name);
    for (property, value) in element.properties.iter().zip(row) {
        *value = read_property(property, values, &at)?;
    }
    Ok(())
}

/// Reads a single number, or past a list, which gives zero.
fn read_property(property: &Property, values: &mut Values<'_>, at: &dyn Fn() -> String) -> Result<f64, Problem> {
    let Some(length) = property.length else { return values.next(property.scalar, at) };
    for _ in 0..list_length(values, length, property.scalar, at)? {
        values.next(property.scalar, at)?;
    }
    Ok(0.0)
}

fn skip(element: &Element, values: &mut Values<'_>) -> Result<(), Problem> {
    if element.properties.is_empty() {
        return Ok(());
    }
    let mut row = vec![0.0; element.properties.len()];
    (0..element.count).try_for_each(|item| read_row(element, values, item, &mut row))
}

fn list_length(
    values: &mut Values<'_>,
    length: Scalar,
    scalar: Scalar,
    at: &dyn Fn() -> String,
) -> Result<usize, Problem> {
    let count = values.next(length, at)?;
    // At least one byte for each number, whatever the encoding.
    if count >= 0.0 && count.fract() == 0.0 && count <= values.remaining() as f64 {
        return Ok(count as usize);
    }
    let why = format!("a list cannot have {count} numbers of {} bytes; {} are left", scalar.size(), values.remaining());
    Err(Problem::malformed(at(), why))
}

#[derive(Default)]
struct FaceList {
    faces: Vec<Face>,
    /// The face with the largest vertex number, and that number.
    largest: Option<(usize, u32)>,
    dropped: usize,
    cut: usize,
}

fn read_faces(element: &Element, values: &mut Values<'_>) -> Result<FaceList, Problem> {
    let Some(indices) = element.position(&["vertex_indices", "vertex_index"]) else {
        return Err(Problem::malformed("element \"face\"", "it needs the list vertex_indices"));
    };
    let Some(length) = element.properties[indices].length else {
        return Err(Problem::malformed("element \"face\"", "its vertex_indices are no list"));
    };
    let mut list = FaceList::default();
    let mut corners: Vec<u32> = Vec::new();
    for face in 0..element.count {
        let at = || format!("face {face}");
        for (column, property) in element.properties.iter().enumerate() {
            if column != indices {
                read_property(property, values, &at)?;
                continue;
            }
            corners.clear();
            for _ in 0..list_length(values, length, property.scalar, &at)? {
                corners.push(vertex_index(values.next(property.scalar, &at)?, &at)?);
            }
        }
        let largest = corners.iter().max().filter(|&&v| list.largest.is_none_or(|(_, known)| v > known));
        list.largest = largest.map(|&v| (face, v)).or(list.largest);
        match corners[..] {
            [a, b, c] => list.faces.push(Face::triangle(a, b, c)),
            [a, b, c, d] => list.faces.push(Face::quad(a, b, c, d)),
            [first, ref fan @ ..] if fan.len() > 3 => {
                list.cut += 1;
                list.faces.extend(fan.windows(2).map(|pair| Face::triangle(first, pair[0], pair[1])));
            }
            _ => list.dropped += 1,
        }
    }
    Ok(list)
}

fn vertex_index(number: f64, at: &dyn Fn() -> String) -> Result<u32, Problem> {
    // The largest u32 is kept free, as faces use it for "no fourth corner".
    if number.fract() == 0.0 && (0.0..f64::from(u32::MAX)).contains(&number) {
        return Ok(number as u32);
    }
    Err(Problem::malformed(at(), format!("{number} is no vertex number")))
}
