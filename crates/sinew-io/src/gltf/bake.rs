//! A moving surface as morph targets: the first frame is the mesh, every later frame a target, and
//! the weights of an animation show one after another.
//!
//! With `n` frames the weights are `n (n − 1)` numbers of which `n − 1` are not zero, so they are a
//! sparse accessor. Displacements go to a temporary file as they come: memory holds one frame.

use super::output::{Output, Usage, bounds, unit_node};
use super::write_mesh::{self, VertexList};
use crate::BakeWriter;
use crate::atomic_file::{cannot_write_into, folder_of};
use crate::frame_count::FrameCount;
use crate::{Asset, AtomicFile, Error, Problem, world_faces};
use glam::Vec3;
use serde_json::{Map, Value, json};
use sinew::Surface;
use sinew::rig::Character;
use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::ops::Range;
use std::path::Path;

/// Begins a bake into a binary file.
pub fn bake(path: &Path, asset: &Asset, start: f64, fps: f64, frames: usize) -> Result<Box<dyn BakeWriter>, Error> {
    let begin = || {
        if !(fps > 0.0 && fps.is_finite() && start.is_finite()) {
            return Err(Problem::unsupported(
                format!("{fps} frames per second from {start} s"),
                "use a rate above zero",
            ));
        }
        asset.character.check()?;
        let bytes = (frames.saturating_sub(1) as u64).saturating_mul(24 * asset.character.vertex_count() as u64);
        if bytes > u64::from(u32::MAX) {
            return Err(Problem::unsupported(
                format!("{frames} frames are more than a binary glTF file can hold"),
                "bake fewer frames, or to .pc2 or .usda",
            ));
        }
        let mut still = asset.clone();
        still.character.clips.clear();
        for (part, faces) in still.character.parts.iter_mut().zip(world_faces(&asset.character)) {
            part.mesh.faces = faces.into_owned();
        }
        let folder = folder_of(path);
        let displacements = tempfile::tempfile_in(folder).map_err(|error| cannot_write_into(folder, &error))?;
        Ok(Bake {
            pieces: pieces(&still.character),
            count: FrameCount::new(path, asset.character.vertex_count(), frames),
            still,
            start: start.max(0.0),
            fps,
            first: None,
            targets: Vec::new(),
            displacements: BufWriter::new(displacements),
        })
    };
    match begin() {
        Ok(bake) => Ok(Box::new(bake)),
        Err(problem) => Err(problem.at(path)),
    }
}

struct Bake {
    count: FrameCount,
    /// The character without its clips, its faces as they are in the world.
    still: Asset,
    pieces: Vec<Piece>,
    start: f64,
    fps: f64,
    /// The first frame.
    first: Option<Surface>,
    /// For every later frame, the bounds of the displacements of each primitive.
    targets: Vec<Vec<Value>>,
    displacements: BufWriter<File>,
}

impl BakeWriter for Bake {
    fn frame(&mut self, surface: &Surface) -> Result<(), Error> {
        self.count.take(surface)?;
        self.append(surface).map_err(|problem| problem.at(self.count.path()))
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        self.count.finish()?;
        let path = self.count.path().to_owned();
        self.write().map_err(|problem| problem.at(&path))?.finish()
    }
}

/// A primitive that is written: part, number in its mesh, vertices in the mesh, and where the mesh's begin
/// in the whole surface.
struct Piece {
    part: usize,
    primitive: usize,
    vertices: VertexList,
    mesh_vertices: Range<usize>,
}

impl Piece {
    /// What a list for the whole surface has for this.
    fn pick(&self, list: &[Vec3]) -> Vec<Vec3> {
        self.vertices.pick(&list[self.mesh_vertices.clone()], 1)
    }
}

fn pieces(character: &Character) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (part, mesh_vertices) in character.vertex_ranges().into_iter().enumerate() {
        let mesh = &character.parts[part].mesh;
        for (number, primitive) in mesh.primitives.iter().enumerate().filter(|(_, p)| !p.faces.is_empty()) {
            let vertices = VertexList::new(mesh, primitive);
            pieces.push(Piece { part, primitive: number, vertices, mesh_vertices: mesh_vertices.clone() });
        }
    }
    pieces
}

impl Bake {
    fn append(&mut self, surface: &Surface) -> Result<(), Problem> {
        let Some(first) = &self.first else {
            self.first = Some(surface.clone());
            return Ok(());
        };
        let mut target = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let change = |now: &[Vec3], then: &[Vec3]| -> Vec<Vec3> {
                piece.pick(now).iter().zip(piece.pick(then)).map(|(a, b)| *a - b).collect()
            };
            let moved = change(&surface.positions, &first.positions);
            let turned = change(&surface.normals, &first.normals);
            target.push(bounds(bytemuck::cast_slice(&moved), 3));
            for list in [moved, turned] {
                for x in list.iter().flat_map(|v| v.to_array()) {
                    self.displacements.write_all(&x.to_le_bytes())?;
                }
            }
        }
        self.targets.push(target);
        Ok(())
    }

    fn write(self) -> Result<AtomicFile, Problem> {
        let mut output = Output::new(&self.still.appearance);
        let mut meshes: Vec<Vec<Value>> = vec![Vec::new(); self.still.character.parts.len()];
        let Some(first) = &self.first else {
            return Err(Problem::unsupported("a bake without frames", "give it at least one"));
        };
        for piece in &self.pieces {
            let mesh = &self.still.character.parts[piece.part].mesh;
            let primitive = &mesh.primitives[piece.primitive];
            let (positions, normals) = (piece.pick(&first.positions), piece.pick(&first.normals));
            let value = write_mesh::surface(&mut output, mesh, primitive, &piece.vertices, &positions, &normals);
            meshes[piece.part].push(value);
        }
        let sampler = (!self.targets.is_empty()).then(|| self.sampler(&mut output)).transpose()?;
        let tail = self.add_targets(&mut output, &mut meshes);
        self.add_nodes(&mut output, meshes, sampler);
        let Self { count, displacements, .. } = self;
        let mut file = AtomicFile::new(count.path()).map_err(|error| error.problem)?;
        file.write_all(&output.into_glb(tail)?)?;
        let mut displacements = displacements.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        displacements.rewind()?;
        std::io::copy(&mut displacements, &mut file)?;
        Ok(file)
    }

    /// Gives each primitive its targets; the number of bytes they take.
    fn add_targets(&self, output: &mut Output, meshes: &mut [Vec<Value>]) -> u64 {
        let pieces = &self.pieces;
        let bytes_each = |piece: &Piece| 12 * piece.vertices.len() as u64;
        let tail = self.targets.len() as u64 * pieces.iter().map(|p| 2 * bytes_each(p)).sum::<u64>();
        if tail == 0 {
            return 0;
        }
        let view = output.tail_view(tail);
        let mut byte = 0;
        let mut targets: Vec<Vec<Value>> = vec![Vec::new(); pieces.len()];
        for frame in &self.targets {
            for ((piece, bounds), targets) in pieces.iter().zip(frame).zip(&mut targets) {
                let count = piece.vertices.len();
                let moved = output.tail_vectors(view, byte, count, Some(bounds));
                let turned = output.tail_vectors(view, byte + bytes_each(piece), count, None);
                byte += 2 * bytes_each(piece);
                targets.push(json!({ "POSITION": moved, "NORMAL": turned }));
            }
        }
        let primitives = meshes.iter_mut().flatten();
        for (primitive, targets) in primitives.zip(targets) {
            primitive["targets"] = targets.into();
        }
        tail
    }

    /// The sampler that shows frame `k` by target `k − 1` alone.
    fn sampler(&self, output: &mut Output) -> Result<Value, Problem> {
        let targets = self.targets.len();
        let times: Vec<f32> = (0..=targets).map(|k| (self.start + k as f64 / self.fps) as f32).collect();
        if times.windows(2).any(|w| w[0] >= w[1]) {
            let what = format!("{} frames per second from {} s are too close for glTF's times", self.fps, self.start);
            return Err(Problem::unsupported(what, "use a lower rate"));
        }
        let ones: Vec<u32> = (1..=targets).map_while(|k| u32::try_from(k * targets + k - 1).ok()).collect();
        if ones.len() < targets {
            let what = format!("{targets} frames are more than glTF can number");
            return Err(Problem::unsupported(what, "bake fewer frames, or to .pc2 or .usda"));
        }
        let input = output.floats_with_bounds(&times, 1, Usage::Data);
        let weights = output.sparse_ones((targets + 1) * targets, &ones);
        Ok(json!({ "input": input, "output": weights }))
    }

    fn add_nodes(&self, output: &mut Output, meshes: Vec<Vec<Value>>, sampler: Option<Value>) {
        let root = unit_node(&self.still);
        let first = usize::from(root.is_some());
        let character = &self.still.character;
        let mut nodes = Vec::new();
        let mut channels = Vec::new();
        for (part, primitives) in character.parts.iter().zip(meshes) {
            let mut node = Map::new();
            node.insert("name".into(), character.skeleton.joints()[part.node].name.clone().into());
            if !primitives.is_empty() {
                channels.push(json!({ "sampler": 0, "target": { "node": first + nodes.len(), "path": "weights" } }));
                let mesh = json!({ "name": part.mesh.name, "primitives": primitives });
                node.insert("mesh".into(), output.meshes.add(mesh).into());
            }
            nodes.push(Value::from(node));
        }
        let below: Vec<usize> = (first..first + nodes.len()).collect();
        match root {
            Some(mut root) if !below.is_empty() => {
                root["children"] = below.into();
                nodes.insert(0, root);
                output.roots = vec![0];
            }
            _ => output.roots = below,
        }
        output.nodes = nodes;
        if let Some(sampler) = sampler.filter(|_| !channels.is_empty()) {
            output.animations.push(json!({ "name": "bake", "channels": channels, "samplers": [sampler] }));
        }
    }
}
