//! Meshes: primitives one after another, each with vertices of its own, and their weights.

use super::container::Source;
use super::schema;
use crate::{MAX_INFLUENCES, Problem};
use glam::{Vec3, Vec4};
use sinew::geometry::{Attribute, Face, Mesh, MorphTarget, Primitive, Topology};
use sinew::rig::{Influence, Weights};
use std::ops::Range;

/// A mesh as read, and which of its primitives are in it.
pub(super) struct Geometry {
    pub mesh: Mesh,
    index: usize,
    kept: Vec<usize>,
}

/// The name of a mesh, or its number.
pub(super) fn mesh_name(mesh: &schema::Mesh, index: usize) -> String {
    mesh.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| format!("mesh {index}"))
}

impl Geometry {
    /// Reads a mesh. Primitives without triangles are left out with a warning; none if nothing is left.
    pub fn read(source: &Source<'_>, index: usize, warnings: &mut Vec<String>) -> Result<Option<Self>, Problem> {
        let file = &source.document.meshes[index];
        let mut reader = Reader {
            source,
            file,
            mesh: Mesh { name: mesh_name(file, index), ..Mesh::default() },
            without_normals: Vec::new(),
            warnings,
        };
        let target_count = file.primitives.iter().map(|p| p.targets.len()).max().unwrap_or(0);
        reader.mesh.morphs =
            (0..target_count).map(|t| MorphTarget { name: file.target_name(t), ..MorphTarget::default() }).collect();
        let mut kept = Vec::new();
        for (number, primitive) in file.primitives.iter().enumerate() {
            let place = format!("mesh \"{}\" primitive {number}", reader.mesh.name);
            if reader.primitive(primitive, &place)? {
                kept.push(number);
            }
        }
        if kept.is_empty() {
            reader.warnings.push(format!("mesh \"{}\" has no triangles and was left out", reader.mesh.name));
            return Ok(None);
        }
        Ok(Some(Self { mesh: reader.finish()?, index, kept }))
    }

    /// The shares of a skin's joints in each vertex, repaired; none if no primitive has any.
    pub fn weights(&self, source: &Source<'_>, warnings: &mut Vec<String>) -> Result<Option<Weights>, Problem> {
        let name = &self.mesh.name;
        let file = &source.document.meshes[self.index];
        if self.kept.iter().all(|&number| !file.primitives[number].attributes.contains_key("JOINTS_0")) {
            return Ok(None);
        }
        let count = self.mesh.positions.len();
        source.budget.charge(&format!("mesh \"{name}\""), count, 5 * size_of::<Influence>())?;
        let mut weights = Weights::with_capacity(count, 4 * count);
        for (&number, range) in self.kept.iter().zip(&self.mesh.primitives) {
            let place = format!("mesh \"{name}\" primitive {number}");
            let sets = influence_sets(source, &file.primitives[number], range.vertices.len(), &place)?;
            for vertex in 0..range.vertices.len() {
                weights.push(sets.iter().flat_map(|(joints, shares)| {
                    let set = 4 * vertex..4 * vertex + 4;
                    joints[set.clone()].iter().zip(&shares[set]).map(|(&joint, &weight)| Influence { joint, weight })
                }));
            }
        }
        let (low, high) = weights.sum_range();
        let repairs = weights.repair(name)?;
        if repairs.negative > 0 {
            let count = repairs.negative;
            warnings.push(format!("mesh \"{name}\": {count} vertices had negative weights, which were set to zero"));
        }
        if repairs.rescaled > 0 {
            let count = repairs.rescaled;
            warnings.push(format!(
                "mesh \"{name}\": the weights of {count} vertices did not sum to one \
                 (sums from {low:.3} to {high:.3}) and were rescaled"
            ));
        }
        Ok(Some(weights))
    }

    /// Bytes that a copy of the mesh takes, about.
    pub fn footprint(&self) -> usize {
        let floats = self.mesh.attributes.iter().map(|a| a.values.len()).sum::<usize>();
        let morphs = self.mesh.morphs.iter().map(|m| m.positions.len() + m.normals.len() + m.tangents.len());
        let vectors = morphs.sum::<usize>() + self.mesh.positions.len() + self.mesh.normals.len();
        4 * floats + 12 * vectors + 16 * (self.mesh.tangents.len() + self.mesh.faces.len()) + 1024
    }
}

type InfluenceSet = (Vec<u32>, Vec<f32>);

fn influence_sets(
    source: &Source<'_>,
    primitive: &schema::Primitive,
    count: usize,
    place: &str,
) -> Result<Vec<InfluenceSet>, Problem> {
    let mut sets = Vec::new();
    for set in 0.. {
        let (joints, weights) = (format!("JOINTS_{set}"), format!("WEIGHTS_{set}"));
        let (joints, weights) = match (primitive.attributes.get(&joints), primitive.attributes.get(&weights)) {
            (Some(&joints), Some(&weights)) => (joints, weights),
            (None, None) => break,
            _ => return Err(Problem::malformed(place, format!("{joints} and {weights} must come together"))),
        };
        if 4 * set == MAX_INFLUENCES {
            let why = format!("more than {MAX_INFLUENCES} influences per vertex; limit them and export it again");
            return Err(Problem::malformed(place, why));
        }
        let joints = source.array_of::<u32>(joints, place, &[4], Some(count))?;
        let weights = source.array_of::<f32>(weights, place, &[4], Some(count))?;
        sets.push((joints.values, weights.values));
    }
    Ok(sets)
}

/// A mesh under construction.
struct Reader<'a, 'b> {
    source: &'a Source<'b>,
    file: &'a schema::Mesh,
    mesh: Mesh,
    without_normals: Vec<Range<usize>>,
    warnings: &'a mut Vec<String>,
}

impl Reader<'_, '_> {
    /// Appends a primitive; false if it has no triangles.
    fn primitive(&mut self, primitive: &schema::Primitive, place: &str) -> Result<bool, Problem> {
        let Some(&positions) = primitive.attributes.get("POSITION") else {
            self.warnings.push(format!("{place} has no positions and was left out"));
            return Ok(false);
        };
        let positions = self.vectors(positions, place, None)?;
        let start = self.mesh.positions.len();
        let range = start..start + positions.len();
        let Some(faces) = self.faces(primitive, place, &range)? else {
            return Ok(false);
        };
        if let Some(material) = primitive.material
            && material >= self.source.document.materials.len()
        {
            return Err(Problem::malformed(place, format!("there is no material {material}")));
        }
        let first_face = self.mesh.faces.len();
        self.mesh.positions.extend(positions);
        self.mesh.faces.extend(faces);
        self.mesh.primitives.push(Primitive {
            vertices: range.clone(),
            faces: first_face..self.mesh.faces.len(),
            material: primitive.material,
        });
        self.normals(primitive, place, &range)?;
        self.tangents(primitive, place, &range)?;
        self.attributes(primitive, place, &range)?;
        self.morphs(primitive, place, &range)?;
        Ok(true)
    }

    /// The triangles of a primitive over the mesh's vertices; none if there are none.
    fn faces(
        &mut self,
        primitive: &schema::Primitive,
        place: &str,
        range: &Range<usize>,
    ) -> Result<Option<Vec<Face>>, Problem> {
        let mode = primitive.mode.unwrap_or(4);
        if mode <= 3 {
            self.warnings.push(format!("{place} has points or lines instead of triangles and was left out"));
            return Ok(None);
        }
        let corners: Vec<u32> = match primitive.indices {
            Some(indices) => self.source.array_of(indices, place, &[1], None)?.values,
            None => (0..range.len() as u32).collect(),
        };
        if let Some(bad) = corners.iter().find(|&&c| c as usize >= range.len()) {
            return Err(Problem::malformed(place, format!("index {bad} is outside its {} vertices", range.len())));
        }
        self.source.budget.charge(place, corners.len(), size_of::<Face>())?;
        let Ok(first) = u32::try_from(range.start) else {
            return Err(Problem::malformed(place, "the mesh has more vertices than Sinew can number"));
        };
        let triangle = |a: u32, b: u32, c: u32| Face::triangle(first + a, first + b, first + c);
        // Strips are sewn together by triangles that repeat a corner.
        let proper = |&[a, b, c]: &[u32; 3]| a != b && b != c && a != c;
        let faces: Vec<Face> = match mode {
            4 => corners.as_chunks::<3>().0.iter().map(|&[a, b, c]| triangle(a, b, c)).collect(),
            5 => {
                let ordered = corners
                    .windows(3)
                    .enumerate()
                    .map(|(k, w)| if k % 2 == 0 { [w[0], w[1], w[2]] } else { [w[0], w[2], w[1]] });
                ordered.filter(proper).map(|[a, b, c]| triangle(a, b, c)).collect()
            }
            6 => {
                let (hub, rim) = corners.split_first().unwrap_or((&0, &[]));
                rim.windows(2).map(|w| [*hub, w[0], w[1]]).filter(proper).map(|[a, b, c]| triangle(a, b, c)).collect()
            }
            _ => return Err(Problem::malformed(place, format!("{mode} is no mode of drawing"))),
        };
        if mode == 4 && !corners.len().is_multiple_of(3) {
            self.warnings.push(format!("{place} ends in an unfinished triangle, which was left out"));
        }
        if faces.is_empty() {
            self.warnings.push(format!("{place} has no triangles and was left out"));
            return Ok(None);
        }
        Ok(Some(faces))
    }

    fn normals(&mut self, primitive: &schema::Primitive, place: &str, range: &Range<usize>) -> Result<(), Problem> {
        if let Some(&normals) = primitive.attributes.get("NORMAL") {
            let normals = self.vectors(normals, place, Some(range.len()))?;
            if normals.iter().all(|n| n.is_finite()) {
                self.mesh.normals.extend(normals.into_iter().map(unit));
                return Ok(());
            }
            self.warnings.push(format!("{place} has normals that are not finite; they were computed anew"));
        }
        self.mesh.normals.resize(range.end, Vec3::ZERO);
        self.without_normals.push(range.clone());
        Ok(())
    }

    fn tangents(&mut self, primitive: &schema::Primitive, place: &str, range: &Range<usize>) -> Result<(), Problem> {
        if let Some(&tangents) = primitive.attributes.get("TANGENT") {
            let array = self.source.array_of::<f32>(tangents, place, &[4], Some(range.len()))?;
            if array.values.iter().all(|x| x.is_finite()) {
                self.mesh.tangents.resize(range.start, Vec4::ZERO);
                self.mesh.tangents.extend(array.values.as_chunks::<4>().0.iter().map(|&t| unit_tangent(t.into())));
                return Ok(());
            }
            self.warnings.push(format!("{place} has tangents that are not finite; they were left out"));
        }
        if !self.mesh.tangents.is_empty() {
            self.mesh.tangents.resize(range.end, Vec4::ZERO);
        }
        Ok(())
    }

    /// Texture coordinates, colours and attributes of the application's own.
    fn attributes(&mut self, primitive: &schema::Primitive, place: &str, range: &Range<usize>) -> Result<(), Problem> {
        for (name, &accessor) in &primitive.attributes {
            if !(name.starts_with("TEXCOORD_") || name.starts_with("COLOR_") || name.starts_with('_')) {
                continue;
            }
            let kind = self.source.document.accessors.get(accessor).map(|a| a.kind.as_str());
            if kind.is_some_and(|kind| kind.starts_with("MAT")) {
                self.warnings.push(format!("{place}: attribute {name} holds matrices and was left out"));
                continue;
            }
            let mut array = self.source.array_of::<f32>(accessor, place, &[1, 2, 3, 4], Some(range.len()))?;
            let bad = array.values.iter_mut().filter(|x| !x.is_finite()).map(|x| *x = 0.0).count();
            if bad > 0 {
                self.warnings.push(format!("{place}: {bad} numbers of {name} are not finite and were set to zero"));
            }
            let at = match self.mesh.attributes.iter().position(|a| a.name == *name) {
                Some(at) => at,
                None => {
                    let new = Attribute { name: name.clone(), width: array.width, values: Vec::new() };
                    self.mesh.attributes.push(new);
                    self.mesh.attributes.len() - 1
                }
            };
            let attribute = &mut self.mesh.attributes[at];
            let wider = array.width.max(attribute.width);
            widen(&mut attribute.values, attribute.width, wider, filler(name));
            widen(&mut array.values, array.width, wider, filler(name));
            attribute.width = wider;
            self.source.budget.charge(place, range.start - attribute.values.len() / wider, 4 * wider)?;
            attribute.values.resize(range.start * wider, filler(name));
            attribute.values.append(&mut array.values);
        }
        Ok(())
    }

    fn morphs(&mut self, primitive: &schema::Primitive, place: &str, range: &Range<usize>) -> Result<(), Problem> {
        for (target, file) in primitive.targets.iter().enumerate() {
            let place = format!("{place} morph target {target}");
            let read = |reader: &Self, what: &str| match file.get(what) {
                Some(&accessor) => reader.vectors(accessor, &place, Some(range.len())),
                None => Ok(Vec::new()),
            };
            let (positions, normals, tangents) =
                (read(self, "POSITION")?, read(self, "NORMAL")?, read(self, "TANGENT")?);
            let morph = &mut self.mesh.morphs[target];
            for (list, new) in
                [(&mut morph.positions, positions), (&mut morph.normals, normals), (&mut morph.tangents, tangents)]
            {
                if !new.is_empty() {
                    self.source.budget.charge(&place, range.start - list.len(), size_of::<Vec3>())?;
                    list.resize(range.start, Vec3::ZERO);
                    list.extend(new);
                }
            }
        }
        Ok(())
    }

    /// Fills in what some primitives have and others lack.
    fn finish(mut self) -> Result<Mesh, Problem> {
        let count = self.mesh.positions.len();
        let mut mesh = std::mem::take(&mut self.mesh);
        let budget = &self.source.budget;
        for attribute in &mut mesh.attributes {
            budget.charge(&attribute.name, count * attribute.width - attribute.values.len(), 4)?;
            attribute.values.resize(count * attribute.width, filler(&attribute.name));
        }
        for morph in &mut mesh.morphs {
            budget.charge("the morph targets", 3 * count, size_of::<Vec3>())?;
            morph.positions.resize(count, Vec3::ZERO);
            for list in [&mut morph.normals, &mut morph.tangents] {
                if !list.is_empty() {
                    list.resize(count, Vec3::ZERO);
                }
            }
        }
        if self.file.primitives.iter().any(|p| p.targets.len() != mesh.morphs.len()) {
            self.warnings.push(format!("mesh \"{}\": its primitives differ in their morph targets", mesh.name));
        }
        if !self.without_normals.is_empty() {
            let given = std::mem::take(&mut mesh.normals);
            mesh.compute_normals(&Topology::new(&mesh.positions, &mesh.faces));
            let mut at = 0;
            for range in self.without_normals {
                mesh.normals[at..range.start].copy_from_slice(&given[at..range.start]);
                at = range.end;
            }
            mesh.normals[at..].copy_from_slice(&given[at..]);
        }
        Ok(mesh)
    }

    fn vectors(&self, accessor: usize, place: &str, count: Option<usize>) -> Result<Vec<Vec3>, Problem> {
        let array = self.source.array_of::<f32>(accessor, place, &[3], count)?;
        Ok(array.values.as_chunks::<3>().0.iter().map(|&v| Vec3::from(v)).collect())
    }
}

/// A normal of unit length. Quantised ones are only nearly so; one that is unit but for the last bits
/// stays as it is.
fn unit(normal: Vec3) -> Vec3 {
    if (normal.length_squared() - 1.0).abs() < 1e-5 { normal } else { normal.normalize_or(Vec3::Y) }
}

/// A tangent of unit length with +1 or −1 as its fourth number.
fn unit_tangent(tangent: Vec4) -> Vec4 {
    let direction = tangent.truncate();
    let direction =
        if (direction.length_squared() - 1.0).abs() < 1e-5 { direction } else { direction.normalize_or(Vec3::X) };
    direction.extend(if tangent.w < 0.0 { -1.0 } else { 1.0 })
}

/// What stands for an attribute that a primitive lacks: white for colours, which are multiplied in.
fn filler(name: &str) -> f32 {
    if name.starts_with("COLOR_") { 1.0 } else { 0.0 }
}

fn widen(values: &mut Vec<f32>, from: usize, to: usize, fill: f32) {
    if from < to {
        let padded = values.chunks_exact(from).flat_map(|v| v.iter().copied().chain((from..to).map(move |_| fill)));
        *values = padded.collect();
    }
}
