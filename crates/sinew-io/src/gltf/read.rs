//! A glTF file becomes a character.

use super::animation::{self, Targets};
use super::container::Source;
use super::geometry::Geometry;
use super::skeleton::{self, Nodes};
use super::uri::Resource;
use super::{DUAL_QUATERNION_SHARE, schema};
use crate::{Appearance, Asset, Format, Image, Problem};
use serde_json::Value;
use sinew::geometry::Mesh;
use sinew::rig::{Binding, Character, Part, Weights};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// Reads a `.glb` or `.gltf` file; `beside` reads a file by its name relative to it.
pub fn read(bytes: &[u8], beside: &dyn Fn(&str) -> std::io::Result<Vec<u8>>) -> Result<Asset, Problem> {
    let source = Source::open(bytes, beside)?;
    let mut warnings = Vec::new();
    let nodes = skeleton::read(&source, &mut warnings)?;
    let parts = read_parts(&source, &nodes, &mut warnings)?;

    let mut morphs = Vec::new();
    let mut morph_ranges: HashMap<usize, Range<usize>> = HashMap::new();
    for (node, part) in &parts {
        let start = morphs.len();
        morphs.extend(default_weights(&source.document, *node, part.mesh.morphs.len()));
        morph_ranges.insert(*node, start..morphs.len());
    }
    let targets = Targets { order: &nodes.order, morphs: &morph_ranges };
    let clips = animation::read(&source, &targets, &mut warnings)?;
    let appearance = read_appearance(&source, &mut warnings)?;

    let Nodes { skeleton, mut base, .. } = nodes;
    base.morphs = morphs;
    let parts = parts.into_iter().map(|(_, part)| part).collect();
    let character = Character { name: String::new(), skeleton, base_pose: base, parts, clips };
    character.check()?;
    let format = if source.binary { Format::Glb } else { Format::Gltf };
    Ok(Asset { appearance, warnings, ..Asset::new(character, format) })
}

/// The mesh nodes in the file's order, each with its node in the file.
fn read_parts(source: &Source<'_>, nodes: &Nodes, warnings: &mut Vec<String>) -> Result<Vec<(usize, Part)>, Problem> {
    let document = &source.document;
    let mut library = Library::new(document.meshes.len());
    let mut parts = Vec::new();
    for (index, node) in document.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh else { continue };
        let place = format!("node {index}");
        if mesh >= document.meshes.len() {
            return Err(Problem::malformed(place, format!("there is no mesh {mesh}")));
        }
        let Some(geometry) = library.geometry(source, mesh, warnings)? else { continue };
        source.budget.charge(&place, 1, geometry.footprint())?;
        let mut surface = geometry.mesh.clone();
        let own = nodes.order[index];
        let skin = match node.skin {
            None => None,
            Some(skin) => {
                let found = nodes.skins.get(skin);
                Some(found.ok_or_else(|| Problem::malformed(&place, format!("there is no skin {skin}")))?)
            }
        };
        let weights = if skin.is_some() { library.weights(source, mesh, warnings)? } else { None };
        if skin.is_some() && weights.is_none() {
            warnings.push(format!("mesh \"{}\" has a skin but no weights; it follows its node", surface.name));
        }
        let (skinned, binding) = match (skin, weights) {
            (Some(skin), Some(weights)) => {
                source.budget.charge(&place, skin.joints.len(), 104)?;
                source.budget.charge(&place, surface.positions.len(), 12 + 8 * weights.max_influences())?;
                let (joints, inverse_bind) = (skin.joints.clone(), skin.inverse_bind.clone());
                let dual_quaternion_share = take_share(&mut surface);
                (true, Binding { joints, inverse_bind, weights: weights.clone(), dual_quaternion_share })
            }
            _ => (false, Binding::rigid(own, surface.positions.len())),
        };
        parts.push((index, Part { node: own, skinned, mesh: surface, binding }));
    }
    Ok(parts)
}

/// The share of dual-quaternion skinning that Sinew writes as an attribute.
fn take_share(mesh: &mut Mesh) -> Option<Vec<f32>> {
    let place = mesh.attributes.iter().position(|a| a.name == DUAL_QUATERNION_SHARE && a.width == 1)?;
    Some(mesh.attributes.remove(place).values.into_iter().map(|share| share.clamp(0.0, 1.0)).collect())
}

/// The meshes read so far: many nodes may share one.
struct Library {
    geometries: Vec<Option<Option<Geometry>>>,
    weights: Vec<Option<Option<Weights>>>,
}

impl Library {
    fn new(count: usize) -> Self {
        Self { geometries: (0..count).map(|_| None).collect(), weights: vec![None; count] }
    }

    fn geometry(
        &mut self,
        source: &Source<'_>,
        mesh: usize,
        warnings: &mut Vec<String>,
    ) -> Result<Option<&Geometry>, Problem> {
        let slot = &mut self.geometries[mesh];
        if slot.is_none() {
            *slot = Some(Geometry::read(source, mesh, warnings)?);
        }
        Ok(slot.as_ref().and_then(Option::as_ref))
    }

    fn weights(
        &mut self,
        source: &Source<'_>,
        mesh: usize,
        warnings: &mut Vec<String>,
    ) -> Result<Option<&Weights>, Problem> {
        if self.weights[mesh].is_none() {
            let weights = match self.geometry(source, mesh, warnings)? {
                Some(geometry) => geometry.weights(source, warnings)?,
                None => None,
            };
            self.weights[mesh] = Some(weights);
        }
        Ok(self.weights[mesh].as_ref().and_then(Option::as_ref))
    }
}

/// A node's own morph weights before its mesh's.
fn default_weights(document: &schema::Document, node: usize, count: usize) -> impl Iterator<Item = f32> {
    let node = &document.nodes[node];
    let of_mesh = node.mesh.and_then(|m| document.meshes.get(m)).map_or(&[][..], |m| &m.weights);
    let weights = if node.weights.is_empty() { of_mesh } else { &node.weights };
    weights.iter().copied().chain(std::iter::repeat(0.0)).take(count)
}

fn read_appearance(source: &Source<'_>, warnings: &mut Vec<String>) -> Result<Appearance, Problem> {
    let document = &source.document;
    let mut views = HashMap::new();
    let read = |(index, image)| read_image(source, image, &format!("image {index}"), &mut views, warnings);
    let images = document.images.iter().enumerate().map(read).collect();
    let mut extensions = BTreeSet::new();
    for value in document.materials.iter().chain(&document.textures).chain(&document.samplers) {
        collect_extensions(value, &mut extensions);
    }
    Ok(Appearance {
        materials: document.materials.clone(),
        textures: document.textures.clone(),
        samplers: document.samplers.clone(),
        images,
        extensions: extensions.into_iter().collect(),
    })
}

/// An encoded picture. One that cannot be had keeps its place, empty, so that textures still find theirs. Pictures of
/// one buffer view share its bytes.
fn read_image(
    source: &Source<'_>,
    image: &schema::Image,
    place: &str,
    views: &mut HashMap<usize, Arc<[u8]>>,
    warnings: &mut Vec<String>,
) -> Image {
    let fetched = match (image.buffer_view, &image.uri) {
        (Some(view), _) => match views.get(&view) {
            Some(bytes) => Ok(Resource { bytes: bytes.clone(), mime_type: None }),
            None => source.view(view, place).and_then(|bytes| {
                source.budget.charge(place, bytes.len(), 1)?;
                let bytes = views.entry(view).or_insert_with(|| bytes.into()).clone();
                Ok(Resource { bytes, mime_type: None })
            }),
        },
        (None, Some(uri)) => source.fetch(uri, place),
        (None, None) => Err(Problem::malformed(place, "it has no data")),
    };
    let resource = fetched.unwrap_or_else(|problem| {
        warnings.push(format!("{place} was left out: {problem}"));
        Resource::default()
    });
    let stated = image.mime_type.clone().or(resource.mime_type);
    let mime_type = stated.unwrap_or_else(|| mime_type(&resource.bytes).to_owned());
    Image { name: image.name.clone().unwrap_or_default(), mime_type, bytes: resource.bytes }
}

/// The media type by the file's first bytes.
fn mime_type(bytes: &[u8]) -> &'static str {
    match bytes {
        [0xFF, 0xD8, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [0xAB, b'K', b'T', b'X', ..] => "image/ktx2",
        _ => "image/png",
    }
}

/// The names of all extensions used within a value. JSON nests at most 128 deep, so this ends.
fn collect_extensions(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                if key == "extensions" {
                    names.extend(value.as_object().into_iter().flat_map(|e| e.keys().cloned()));
                }
                collect_extensions(value, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_extensions(item, names)),
        _ => {}
    }
}
