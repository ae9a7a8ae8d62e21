//! USD in text form: a mesh for each part whose points, normals and extent move over time.
//!
//! Checked with Pixar's own reader. Time codes are frames: `timeCodesPerSecond` is the bake's rate,
//! and frame k has the time code `start · fps + k`. USD wants all time samples of an attribute
//! together, so the frames are kept in memory until the bake is finished.

use crate::BakeWriter;
use crate::frame_count::FrameCount;
use crate::{Asset, AtomicFile, Error, Problem, UpAxis, shape, world_faces};
use glam::Vec3;
use sinew::Surface;
use sinew::geometry::{Face, Mesh};
use std::collections::HashSet;
use std::fmt::Display;
use std::io::{Result as IoResult, Write};
use std::ops::Range;
use std::path::Path;

/// Begins a bake of `frames` frames at `fps`, the first at `start` seconds.
pub fn bake(path: &Path, asset: &Asset, start: f64, fps: f64, frames: usize) -> Result<Box<dyn BakeWriter>, Error> {
    asset.character.check().map_err(|error| Problem::from(error).at(path))?;
    if !(fps.is_finite() && fps > 0.0 && start.is_finite()) {
        let what = format!("a bake cannot begin at {start} s with {fps} frames per second");
        return Err(Problem::unsupported(what, "give a positive rate").at(path));
    }
    let count = FrameCount::new(path, asset.character.vertex_count(), frames);
    let file = AtomicFile::new(path)?;
    Ok(Box::new(UsdaBake { asset: asset.clone(), file, count, start, fps, surfaces: Vec::new() }))
}

struct UsdaBake {
    asset: Asset,
    file: AtomicFile,
    count: FrameCount,
    start: f64,
    fps: f64,
    surfaces: Vec<Surface>,
}

impl BakeWriter for UsdaBake {
    fn frame(&mut self, surface: &Surface) -> Result<(), Error> {
        self.count.take(surface)?;
        let (positions, normals) = (surface.positions.clone(), surface.normals.clone());
        self.surfaces.push(Surface { positions, normals, tangents: Vec::new() });
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), Error> {
        self.count.finish()?;
        self.write().map_err(|error| Problem::from(error).at(self.count.path()))?;
        self.file.finish()
    }
}

impl UsdaBake {
    fn write(&mut self) -> IoResult<()> {
        let Self { asset, file: out, start, fps, surfaces, .. } = self;
        let root = Names::default().unique(&asset.character.name, "character");
        let first = *start * *fps;
        let last = first + surfaces.len().saturating_sub(1) as f64;
        writeln!(out, "#usda 1.0\n(\n    defaultPrim = \"{root}\"")?;
        writeln!(out, "    startTimeCode = {first}\n    endTimeCode = {last}")?;
        writeln!(out, "    timeCodesPerSecond = {fps}\n    framesPerSecond = {fps}")?;
        if let Some(meters) = asset.meters_per_unit {
            writeln!(out, "    metersPerUnit = {meters}")?;
        }
        let up = if asset.up == UpAxis::Z { "Z" } else { "Y" };
        writeln!(out, "    upAxis = \"{up}\"\n)\n\ndef Xform \"{root}\"\n{{")?;
        if asset.up == UpAxis::X {
            // USD has only y and z up: a rotation by 90° about z maps x to y.
            writeln!(out, "    double3 xformOp:rotateXYZ = (0, 0, 90)")?;
            writeln!(out, "    uniform token[] xformOpOrder = [\"xformOp:rotateXYZ\"]\n")?;
        }
        let mut names = Names::default();
        let parts = asset.character.parts.iter().zip(world_faces(&asset.character));
        for ((part, faces), vertices) in parts.zip(asset.character.vertex_ranges()) {
            let name = names.unique(&part.mesh.name, "part");
            writeln!(out, "    def Mesh \"{name}\"\n    {{")?;
            write_shape(out, asset, &part.mesh, &faces)?;
            write_motion(out, surfaces, vertices, first)?;
            writeln!(out, "    }}")?;
        }
        writeln!(out, "}}")
    }
}

/// The static data: faces, texture coordinates, colour.
fn write_shape(out: &mut impl Write, asset: &Asset, mesh: &Mesh, faces: &[Face]) -> IoResult<()> {
    let counts = faces.iter().map(|face| face.corners().len());
    let corners = faces.iter().flat_map(|face| face.corners());
    write_list(out, "        int[] faceVertexCounts = ", counts, "\n")?;
    write_list(out, "        int[] faceVertexIndices = ", corners, "\n")?;
    writeln!(out, "        uniform token subdivisionScheme = \"none\"")?;
    writeln!(out, "        uniform token orientation = \"rightHanded\"")?;
    if let Some(texture) = shape::texture_coordinates(mesh) {
        // USD counts the second coordinate from below, glTF from above.
        let pairs = texture.values.chunks_exact(2).map(|uv| Tuple([uv[0], 1.0 - uv[1]]));
        write_list(out, "        texCoord2f[] primvars:st = ", pairs, INTERPOLATED_PER_VERTEX)?;
    }
    let colors: Vec<Option<[f32; 3]>> =
        mesh.primitives.iter().map(|primitive| base_color(asset, primitive.material?)).collect();
    if colors.iter().any(Option::is_some) {
        let grey = [0.5; 3];
        let per_face =
            mesh.primitives.iter().zip(&colors).flat_map(|(primitive, color)| {
                std::iter::repeat_n(Tuple(color.unwrap_or(grey)), primitive.faces.len())
            });
        let name = "        color3f[] primvars:displayColor = ";
        if colors.windows(2).all(|pair| pair[0] == pair[1]) {
            write_list(out, name, colors.iter().flatten().take(1).map(|&color| Tuple(color)), "\n")?;
        } else {
            write_list(out, name, per_face, " (\n            interpolation = \"uniform\"\n        )\n")?;
        }
    }
    Ok(())
}

const INTERPOLATED_PER_VERTEX: &str = " (\n            interpolation = \"vertex\"\n        )\n";

/// The moving data: extent, points, normals.
fn write_motion(out: &mut impl Write, surfaces: &[Surface], vertices: Range<usize>, first: f64) -> IoResult<()> {
    let vectors = |list: &[Vec3]| -> Vec<Tuple<3>> { list.iter().map(|v| Tuple(v.to_array())).collect() };
    write_samples(out, "float3[] extent", surfaces, first, |surface| {
        let points = &surface.positions[vertices.clone()];
        let low = points.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let high = points.iter().copied().reduce(Vec3::max).unwrap_or_default();
        vectors(&[low, high])
    })?;
    write_samples(out, "point3f[] points", surfaces, first, |s| vectors(&s.positions[vertices.clone()]))?;
    // The interpolation is written once, beside the attribute without a value.
    write!(out, "        normal3f[] normals{INTERPOLATED_PER_VERTEX}")?;
    write_samples(out, "normal3f[] normals", surfaces, first, |s| vectors(&s.normals[vertices.clone()]))
}

fn write_samples(
    out: &mut impl Write,
    attribute: &str,
    surfaces: &[Surface],
    first: f64,
    value: impl Fn(&Surface) -> Vec<Tuple<3>>,
) -> IoResult<()> {
    writeln!(out, "        {attribute}.timeSamples = {{")?;
    for (frame, surface) in surfaces.iter().enumerate() {
        write_list(out, &format!("            {}: ", first + frame as f64), value(surface).iter(), ",\n")?;
    }
    writeln!(out, "        }}")
}

fn write_list<T: Display>(
    out: &mut impl Write,
    before: &str,
    items: impl Iterator<Item = T>,
    after: &str,
) -> IoResult<()> {
    write!(out, "{before}[")?;
    for (index, item) in items.enumerate() {
        write!(out, "{}{item}", if index == 0 { "" } else { ", " })?;
    }
    write!(out, "]{after}")
}

/// Numbers in brackets, each with the fewest digits that bring the same `f32` back.
#[derive(Clone)]
struct Tuple<const N: usize>([f32; N]);

impl<const N: usize> Display for Tuple<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, number) in self.0.iter().enumerate() {
            write!(f, "{}{number}", if index == 0 { "(" } else { ", " })?;
        }
        f.write_str(")")
    }
}

/// The base colour of a material, without its alpha.
fn base_color(asset: &Asset, material: usize) -> Option<[f32; 3]> {
    let factor = &asset.appearance.materials.get(material)?["pbrMetallicRoughness"]["baseColorFactor"];
    let channel = |index: usize| factor[index].as_f64().map(|value| value as f32).filter(|value| value.is_finite());
    Some([channel(0)?, channel(1)?, channel(2)?])
}

/// Names that USD allows for prims: letters, digits and underscores, no digit first, none twice.
#[derive(Default)]
struct Names {
    taken: HashSet<String>,
}

impl Names {
    fn unique(&mut self, wanted: &str, otherwise: &str) -> String {
        let mut name: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if name.chars().all(|c| c == '_') {
            name = otherwise.into();
        }
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert(0, '_');
        }
        let numbered = (1..).map(|number| format!("{name}_{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !self.taken.contains(name));
        let name = free.unwrap_or(name);
        self.taken.insert(name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_unique() {
        let mut names = Names::default();
        let given = ["left arm", "left.arm", "2nd", "", "éé", "left_arm"].map(|name| names.unique(name, "part"));
        assert_eq!(given, ["left_arm", "left_arm_1", "_2nd", "part", "part_1", "left_arm_2"]);
    }
}
