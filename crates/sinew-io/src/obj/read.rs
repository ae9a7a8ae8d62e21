//! Reading OBJ: tolerant of the dialects, strict about numbers.
//!
//! The vertices are the `v` lines, all of them and in order. Faces with three or four corners stay;
//! larger ones are cut as a fan from their first corner, which is right for convex ones. Several `o`
//! objects become parts where each has its own run of vertices.

use super::NO_MATERIAL;
use crate::corners::{self, Split};
use crate::{Appearance, Asset, Format, Problem, shape};
use glam::Vec3;
use serde_json::json;
use sinew::geometry::{Attribute, Face, Mesh};
use std::borrow::Cow;
use std::ops::Range;

/// Reads an OBJ file as a character of one node without joints.
pub fn read(bytes: &[u8]) -> Result<Asset, Problem> {
    let file = File::parse(bytes)?;
    file.check_ranges()?;
    let warnings = file.warnings();
    let objects = file.object_ranges();
    let meshes = objects.into_iter().map(|object| file.mesh(object)).collect();
    let character = shape::character(meshes)?;
    let materials = file.materials.iter().map(|name| json!({ "name": name })).collect();
    Ok(Asset {
        appearance: Appearance { materials, ..Appearance::default() },
        warnings,
        ..Asset::new(character, Format::Obj)
    })
}

/// Where a corner's values lie in the file's lists, from 0.
#[derive(Clone, Copy)]
struct Corner {
    vertex: u32,
    texture: Option<u32>,
    normal: Option<u32>,
}

/// The start of an `o` object.
struct Object {
    name: String,
    first_vertex: usize,
    first_face: usize,
}

/// A run of vertices and faces that becomes a mesh.
struct ObjectRange {
    name: String,
    vertices: Range<usize>,
    faces: Range<usize>,
}

/// The largest index used in one of the file's lists, and the line that used it first.
#[derive(Default, Clone, Copy)]
struct Largest {
    index: u32,
    line: usize,
}

impl Largest {
    fn include(&mut self, index: u32, line: usize) {
        if self.line == 0 || index > self.index {
            *self = Self { index, line };
        }
    }

    fn check(self, what: &str, count: usize) -> Result<(), Problem> {
        if self.line == 0 || (self.index as usize) < count {
            return Ok(());
        }
        let why = format!("the face names {what} {}, but the file has {count}", u64::from(self.index) + 1);
        Err(Problem::malformed(format!("line {}", self.line), why))
    }
}

#[derive(Default)]
struct File {
    positions: Vec<Vec3>,
    colors: Vec<[f32; 3]>,
    textures: Vec<[f32; 2]>,
    normals: Vec<Vec3>,
    corners: Vec<Corner>,
    /// Where each face ends in `corners`.
    face_ends: Vec<usize>,
    face_materials: Vec<Option<usize>>,
    materials: Vec<String>,
    objects: Vec<Object>,
    largest: [Largest; 3],
    lines_and_points: usize,
}

impl File {
    fn parse(bytes: &[u8]) -> Result<Self, Problem> {
        let text = join_continued_lines(bytes);
        let mut file = Self::default();
        let mut material = None;
        for (index, line) in text.split(|&b| b == b'\n').enumerate() {
            let number = index + 1;
            let mut words = Words { rest: line };
            match words.next() {
                Some(b"v") => file.vertex(words, number)?,
                Some(b"vt") => {
                    let [u, v] = numbers(words, number)?;
                    file.textures.push([u.unwrap_or(0.0), v.unwrap_or(0.0)]);
                }
                Some(b"vn") => {
                    let normal = numbers::<3>(words, number)?.map(|n| n.unwrap_or(0.0));
                    file.normals.push(Vec3::from(normal));
                }
                Some(b"f") => {
                    file.face(words, number)?;
                    file.face_materials.push(material);
                }
                Some(b"o") => {
                    let (first_vertex, first_face) = (file.positions.len(), file.face_ends.len());
                    file.objects.push(Object { name: rest_of(line), first_vertex, first_face });
                }
                Some(b"usemtl") => material = file.material(rest_of(line)),
                Some(b"l" | b"p") => file.lines_and_points += 1,
                _ => {}
            }
        }
        if file.positions.is_empty() {
            return Err(Problem::malformed("OBJ", "there is no vertex (no line that begins with \"v\") in the file"));
        }
        Ok(file)
    }

    fn vertex(&mut self, words: Words<'_>, line: usize) -> Result<(), Problem> {
        let values = numbers::<6>(words, line)?;
        let [Some(x), Some(y), Some(z), r, g, b] = values else {
            return Err(Problem::malformed(format!("line {line}"), "a vertex needs three coordinates"));
        };
        self.positions.push(Vec3::new(x, y, z));
        // Some programs put a colour behind the position. One number there is a weight, which means nothing here.
        if let (Some(r), Some(g), Some(b)) = (r, g, b) {
            self.colors.push([r, g, b]);
        }
        Ok(())
    }

    fn face(&mut self, words: Words<'_>, line: usize) -> Result<(), Problem> {
        let start = self.corners.len();
        for word in words {
            let mut indices = [None; 3];
            let counts = [self.positions.len(), self.textures.len(), self.normals.len()];
            let mut fields = word.split(|&b| b == b'/');
            for (slot, count) in indices.iter_mut().zip(counts) {
                *slot = match fields.next() {
                    None | Some(b"") => None,
                    Some(field) => Some(index(field, count, line)?),
                };
            }
            let [Some(vertex), texture, normal] = indices else {
                return Err(Problem::malformed(format!("line {line}"), "a corner of the face names no vertex"));
            };
            for (largest, index) in self.largest.iter_mut().zip(indices) {
                index.into_iter().for_each(|index| largest.include(index, line));
            }
            self.corners.push(Corner { vertex, texture, normal });
        }
        let corners = self.corners.len() - start;
        if corners < 3 {
            let why = format!("a face needs at least three corners, but this one has {corners}");
            return Err(Problem::malformed(format!("line {line}"), why));
        }
        self.face_ends.push(self.corners.len());
        Ok(())
    }

    /// The number of a material; none for the name that stands for no material.
    fn material(&mut self, name: String) -> Option<usize> {
        if name == NO_MATERIAL {
            return None;
        }
        Some(self.materials.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.materials.push(name);
            self.materials.len() - 1
        }))
    }

    /// Faces may come before the vertices they name, so this is known only at the end.
    fn check_ranges(&self) -> Result<(), Problem> {
        let [vertex, texture, normal] = self.largest;
        vertex.check("vertex", self.positions.len())?;
        texture.check("texture coordinate", self.textures.len())?;
        normal.check("normal", self.normals.len())
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.lines_and_points > 0 {
            warnings.push(format!("{} lines and points are no surface and were left out", self.lines_and_points));
        }
        let cut = (0..self.face_ends.len()).filter(|&f| self.face_corners(f).len() > 4).count();
        if cut > 0 {
            warnings.push(format!("{cut} faces of more than four corners were cut into triangles as if convex"));
        }
        warnings
    }

    fn face_corners(&self, face: usize) -> &[Corner] {
        let start = face.checked_sub(1).map_or(0, |before| self.face_ends[before]);
        &self.corners[start..self.face_ends[face]]
    }

    /// The `o` objects, if there are several and each keeps to its own vertices; otherwise the whole.
    fn object_ranges(&self) -> Vec<ObjectRange> {
        let start = Object { name: String::new(), first_vertex: 0, first_face: 0 };
        let objects: Vec<&Object> = std::iter::once(&start).chain(&self.objects).collect();
        let ends = objects.iter().skip(1).map(|next| (next.first_vertex, next.first_face));
        let ends = ends.chain([(self.positions.len(), self.face_ends.len())]);
        let ranges = objects.iter().zip(ends).map(|(object, (vertex, face))| ObjectRange {
            name: object.name.clone(),
            vertices: object.first_vertex..vertex,
            faces: object.first_face..face,
        });
        let ranges: Vec<_> = ranges.filter(|range| !range.vertices.is_empty() || !range.faces.is_empty()).collect();
        let own = |range: &ObjectRange| {
            let mut corners = range.faces.clone().flat_map(|face| self.face_corners(face));
            !range.vertices.is_empty() && corners.all(|corner| range.vertices.contains(&(corner.vertex as usize)))
        };
        if ranges.iter().all(own) {
            return ranges;
        }
        let name = self.objects.first().map_or_else(String::new, |object| object.name.clone());
        vec![ObjectRange { name, vertices: 0..self.positions.len(), faces: 0..self.face_ends.len() }]
    }

    fn mesh(&self, object: ObjectRange) -> Mesh {
        let ObjectRange { name, vertices, faces: face_range } = object;
        let first_corner = face_range.start.checked_sub(1).map_or(0, |before| self.face_ends[before]);
        let corner = |corner: u32| self.corners[first_corner + corner as usize];
        let mut faces = Vec::with_capacity(face_range.len());
        let mut face_materials = Vec::with_capacity(face_range.len());
        let mut next = 0;
        for index in face_range.clone() {
            let count = self.face_corners(index).len() as u32;
            if count == 4 {
                faces.push(Face::quad(next, next + 1, next + 2, next + 3));
            } else {
                faces.extend((1..count - 1).map(|k| Face::triangle(next, next + k, next + k + 1)));
            }
            face_materials.resize(faces.len(), self.face_materials[index]);
            next += count;
        }
        let local = |c: &Corner| c.vertex as usize - vertices.start;
        let texture = |c: u32| {
            // OBJ counts v from below, glTF from above.
            let [u, v] = self.textures[corner(c).texture? as usize];
            Some([u, 1.0 - v])
        };
        let value = |c| texture(c).map(|uv| uv.map(f32::to_bits));
        let split = Split::new(vertices.len(), &faces, &face_materials, |c| local(&corner(c)) as u32, value);

        let mut mesh = Mesh {
            name,
            positions: split.gather(&self.positions[vertices.clone()]),
            file_vertices: split.remembered(),
            ..Mesh::default()
        };
        let corners = || face_range.clone().flat_map(|face| self.face_corners(face));
        if next > 0 && corners().all(|corner| corner.normal.is_some()) {
            let values = corners().filter_map(|c| Some((local(c), self.normals[c.normal? as usize])));
            mesh.normals = split.gather(&corners::mean_normals(vertices.len(), values));
        }
        if corners().any(|corner| corner.texture.is_some()) {
            let values = split.attribute(texture, [0.0; 2]);
            mesh.attributes.push(Attribute { name: "TEXCOORD_0".into(), width: 2, values });
        }
        if self.colors.len() == self.positions.len() {
            let values = split.gather(&self.colors[vertices.clone()]).into_flattened();
            mesh.attributes.push(Attribute { name: "COLOR_0".into(), width: 3, values });
        }
        Mesh { faces: split.faces, primitives: split.primitives, ..mesh }
    }
}

/// A backslash at the end of a line joins it to the next. Both become blanks, and the line ends that
/// vanish are made up for after the joined line, so that the numbers of later lines stay right.
fn join_continued_lines(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.contains(&b'\\') {
        return Cow::Borrowed(bytes);
    }
    let continues = |at: usize| bytes[at] == b'\\' && matches!(bytes[at + 1..], [b'\n', ..] | [b'\r', b'\n', ..]);
    let mut text = Vec::with_capacity(bytes.len());
    let (mut joined, mut at) = (0, 0);
    while at < bytes.len() {
        if continues(at) {
            at += if bytes[at + 1] == b'\r' { 3 } else { 2 };
            joined += 1;
            text.push(b' ');
            continue;
        }
        text.push(bytes[at]);
        if bytes[at] == b'\n' {
            text.extend(std::iter::repeat_n(b'\n', std::mem::take(&mut joined)));
        }
        at += 1;
    }
    Cow::Owned(text)
}

/// The words of a line before any comment.
struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.rest.iter().position(|b| !b.is_ascii_whitespace())?;
        let text = &self.rest[start..];
        let end = text.iter().position(|&b| b.is_ascii_whitespace() || b == b'#').unwrap_or(text.len());
        let word;
        (word, self.rest) = text.split_at(end);
        (!word.is_empty()).then_some(word)
    }
}

/// The rest after the first word: a name, with blanks inside.
fn rest_of(line: &[u8]) -> String {
    let line = line.trim_ascii();
    let blank = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    String::from_utf8_lossy(line[blank..].trim_ascii()).into_owned()
}

/// Up to `N` finite numbers.
fn numbers<const N: usize>(words: Words<'_>, line: usize) -> Result<[Option<f32>; N], Problem> {
    let mut values = [None; N];
    for (value, word) in values.iter_mut().zip(words) {
        let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<f32>().ok());
        *value = Some(number.filter(|number| number.is_finite()).ok_or_else(|| {
            let why = format!("\"{}\" is no finite number", String::from_utf8_lossy(word));
            Problem::malformed(format!("line {line}"), why)
        })?);
    }
    Ok(values)
}

/// An index from 0, of one written from 1, or from −1 backwards from the last so far.
fn index(field: &[u8], count: usize, line: usize) -> Result<u32, Problem> {
    let fail = |why: &str| {
        let why = format!("the face's index \"{}\" {why}", String::from_utf8_lossy(field));
        Problem::malformed(format!("line {line}"), why)
    };
    let written = std::str::from_utf8(field).ok().and_then(|field| field.parse::<i64>().ok());
    match written.ok_or_else(|| fail("is no whole number"))? {
        0 => Err(fail("is zero; indices begin at 1")),
        // The last number is kept free, as faces use it for "no fourth corner".
        from_start @ 1.. => {
            u32::try_from(from_start - 1).ok().filter(|&i| i < u32::MAX).ok_or_else(|| fail("is out of range"))
        }
        from_end => {
            let index = (count as i64).checked_add(from_end).and_then(|index| u32::try_from(index).ok());
            index.ok_or_else(|| fail("points before the first entry"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn continued_lines_keep_later_line_numbers() {
        let text = b"v 0 0 \\\n0\nv 1 0 0\\\r\n\nv 0 1 0\nf 1 2 x\n";
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with("line 6"), "{error}");
    }
}
