//! A glTF document under construction: arrays become accessors, and identical arrays become one.
//!
//! Characters repeat themselves: instances of a mesh, the key times of fifty channels. Whatever is
//! added here twice is stored once.

use super::uri;
use crate::{Appearance, Asset, Image, Problem, UpAxis};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The use of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Usage {
    /// A vertex attribute.
    Attribute,
    /// Indices of triangles.
    Indices,
    /// Anything else.
    Data,
}

impl Usage {
    fn target(self) -> Option<u32> {
        match self {
            Self::Attribute => Some(34962),
            Self::Indices => Some(34963),
            Self::Data => None,
        }
    }
}

const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// A PNG of one white pixel, in the place of a picture that could not be read.
const WHITE_PIXEL: &[u8] = b"\
    \x89\x50\x4E\x47\x0D\x0A\x1A\x0A\x00\x00\x00\x0D\x49\x48\x44\x52\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\
    \x00\x00\x3A\x7E\x9B\x55\x00\x00\x00\x0A\x49\x44\x41\x54\x78\xDA\x63\xF8\x0F\x00\x01\x01\x01\x00\x1C\xB0\x8C\
    \x99\x00\x00\x00\x00\x49\x45\x4E\x44\xAE\x42\x60\x82";

/// An array that has been stored.
struct Stored {
    description: Value,
    usage: Usage,
    bytes: Range<usize>,
    accessor: usize,
}

/// The document so far.
#[derive(Default)]
pub(super) struct Output {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    stored: HashMap<u64, Vec<Stored>>,
    pub nodes: Vec<Value>,
    /// Nodes without a parent.
    pub roots: Vec<usize>,
    pub meshes: Unique,
    pub skins: Unique,
    pub animations: Vec<Value>,
    appearance: Map<String, Value>,
}

/// A list of JSON values in which equal ones are one.
#[derive(Default)]
pub(super) struct Unique {
    values: Vec<Value>,
    known: HashMap<String, usize>,
}

impl Unique {
    /// The index of a value, which is added if it is new.
    pub fn add(&mut self, value: Value) -> usize {
        let next = self.values.len();
        let index = *self.known.entry(value.to_string()).or_insert(next);
        if index == next {
            self.values.push(value);
        }
        index
    }
}

impl Output {
    /// An empty document with a character's materials and pictures.
    pub fn new(appearance: &Appearance) -> Self {
        let mut output = Self::default();
        let mut views = HashMap::new();
        let images: Vec<Value> = appearance.images.iter().map(|image| output.image(image, &mut views)).collect();
        let lists = [
            ("materials", &appearance.materials),
            ("textures", &appearance.textures),
            ("samplers", &appearance.samplers),
            ("images", &images),
            ("extensionsUsed", &appearance.extensions.iter().cloned().map(Value::String).collect()),
        ];
        for (name, list) in lists {
            if !list.is_empty() {
                output.appearance.insert(name.into(), list.clone().into());
            }
        }
        output
    }

    /// A picture; those that share their bytes share a view.
    fn image(&mut self, image: &Image, views: &mut HashMap<*const u8, usize>) -> Value {
        let missing = image.bytes.is_empty();
        let (bytes, mime_type) =
            if missing { (WHITE_PIXEL, "image/png") } else { (&image.bytes[..], &image.mime_type[..]) };
        let view = *views.entry(bytes.as_ptr()).or_insert_with(|| self.view(bytes, Usage::Data));
        let mut value = json!({ "bufferView": view, "mimeType": mime_type });
        if !image.name.is_empty() {
            value["name"] = image.name.clone().into();
        }
        value
    }

    /// Stores floats, `width` to an element.
    pub fn floats(&mut self, values: &[f32], width: usize, usage: Usage) -> usize {
        self.array(&little_endian(values, f32::to_le_bytes), F32, width, values.len() / width, usage, json!({}))
    }

    /// Stores floats with the bounds that positions and key times must have.
    pub fn floats_with_bounds(&mut self, values: &[f32], width: usize, usage: Usage) -> usize {
        let bounds = bounds(values, width);
        self.array(&little_endian(values, f32::to_le_bytes), F32, width, values.len() / width, usage, bounds)
    }

    /// Stores integers in the narrowest type for numbers up to `largest`; `bytes_at_least` is 1, 2 or 4.
    pub fn integers(
        &mut self,
        values: &[u32],
        largest: u32,
        bytes_at_least: usize,
        width: usize,
        usage: Usage,
    ) -> usize {
        let (bytes, component) = narrow(values, largest, bytes_at_least);
        self.array(&bytes, component, width, values.len() / width, usage, json!({}))
    }

    /// Stores an array of zeros but for ones at some increasing indices.
    pub fn sparse_ones(&mut self, count: usize, ones: &[u32]) -> usize {
        let (indices, component) = narrow(ones, ones.last().copied().unwrap_or(0), 1);
        let indices = self.view(&indices, Usage::Data);
        let values = self.view(&little_endian(&vec![1.0f32; ones.len()], f32::to_le_bytes), Usage::Data);
        self.push_accessor(json!({
            "componentType": F32,
            "type": "SCALAR",
            "count": count,
            "sparse": {
                "count": ones.len(),
                "indices": { "bufferView": indices, "componentType": component },
                "values": { "bufferView": values },
            },
        }))
    }

    /// Announces three-vectors for vertices that will follow at a byte after everything stored here,
    /// in the view that [`Output::tail_view`] makes.
    pub fn tail_vectors(&mut self, view: usize, byte: u64, count: usize, bounds: Option<&Value>) -> usize {
        let mut accessor =
            json!({ "bufferView": view, "byteOffset": byte, "componentType": F32, "type": "VEC3", "count": count });
        if let (Some(bounds), Some(fields)) = (bounds.and_then(Value::as_object), accessor.as_object_mut()) {
            fields.extend(bounds.clone());
        }
        self.push_accessor(accessor)
    }

    /// A view of bytes that follow everything stored here; nothing may be stored after it.
    pub fn tail_view(&mut self, length: u64) -> usize {
        self.align();
        let (offset, target) = (self.bytes.len(), Usage::Attribute.target());
        self.views.push(
            json!({ "buffer": 0, "byteOffset": offset, "byteLength": length, "byteStride": 12, "target": target }),
        );
        self.views.len() - 1
    }

    /// Bytes stored so far.
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn array(
        &mut self,
        bytes: &[u8],
        component: u32,
        width: usize,
        count: usize,
        usage: Usage,
        bounds: Value,
    ) -> usize {
        let mut description = bounds;
        description["componentType"] = component.into();
        description["type"] = element_type(width).into();
        description["count"] = count.into();
        let mut hasher = DefaultHasher::new();
        (description.to_string(), usage, bytes).hash(&mut hasher);
        let key = hasher.finish();
        let same = self.stored.get(&key).into_iter().flatten().find(|stored| {
            stored.usage == usage && stored.description == description && self.bytes[stored.bytes.clone()] == *bytes
        });
        if let Some(same) = same {
            return same.accessor;
        }
        let view = self.view(bytes, usage);
        let mut value = description.clone();
        value["bufferView"] = view.into();
        let accessor = self.push_accessor(value);
        let range = self.bytes.len() - bytes.len()..self.bytes.len();
        self.stored.entry(key).or_default().push(Stored { description, usage, bytes: range, accessor });
        accessor
    }

    fn push_accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8], usage: Usage) -> usize {
        self.align();
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = usage.target() {
            view["target"] = target.into();
        }
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    /// The document's JSON, for a buffer with `tail` more bytes than are stored here.
    fn json(&mut self, tail: u64, uri: Option<String>) -> Value {
        self.align();
        let mut root = std::mem::take(&mut self.appearance);
        root.insert("asset".into(), json!({ "version": "2.0", "generator": "Sinew" }));
        let lists = [
            ("nodes", &mut self.nodes),
            ("meshes", &mut self.meshes.values),
            ("skins", &mut self.skins.values),
            ("animations", &mut self.animations),
            ("accessors", &mut self.accessors),
            ("bufferViews", &mut self.views),
        ];
        for (name, list) in lists {
            if !list.is_empty() {
                root.insert(name.into(), std::mem::take(list).into());
            }
        }
        if !self.roots.is_empty() {
            root.insert("scene".into(), 0.into());
            root.insert("scenes".into(), json!([{ "nodes": self.roots }]));
        }
        let length = self.len() + tail;
        if length > 0 {
            let mut buffer = json!({ "byteLength": length });
            if let Some(uri) = uri {
                buffer["uri"] = uri.into();
            }
            root.insert("buffers".into(), json!([buffer]));
        }
        root.into()
    }

    /// The binary file up to its last `tail` bytes, which the caller appends.
    pub fn into_glb(mut self, tail: u64) -> Result<Vec<u8>, Problem> {
        let mut json = self.json(tail, None).to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let binary = self.len() + tail;
        let total = 12 + 8 + json.len() as u64 + if binary > 0 { 8 + binary } else { 0 };
        let total = u32::try_from(total).map_err(|_| {
            Problem::unsupported(
                "a binary glTF file cannot be larger than 4 GiB",
                "bake fewer frames, or to .pc2 or .usda",
            )
        })?;
        let mut file = Vec::with_capacity(28 + json.len() + self.bytes.len());
        file.extend_from_slice(b"glTF");
        for word in [2, total, json.len() as u32] {
            file.extend_from_slice(&word.to_le_bytes());
        }
        file.extend_from_slice(b"JSON");
        file.extend_from_slice(&json);
        if binary > 0 {
            file.extend_from_slice(&(binary as u32).to_le_bytes());
            file.extend_from_slice(b"BIN\0");
            file.extend_from_slice(&self.bytes);
        }
        Ok(file)
    }

    /// The JSON file with its buffer inside.
    pub fn into_embedded(mut self) -> Vec<u8> {
        self.align();
        let uri = uri::data_uri("application/octet-stream", &self.bytes);
        self.json(0, Some(uri)).to_string().into_bytes()
    }
}

/// The root node that takes a file's units and axes to glTF's metres with y up; none if they are.
pub(super) fn unit_node(asset: &Asset) -> Option<Value> {
    let rotation = (asset.up != UpAxis::Y).then(|| asset.up.to_y_up());
    let scale = asset.meters_per_unit.filter(|&scale| scale != 1.0 && scale > 0.0 && scale.is_finite());
    let mut node = Map::new();
    rotation.map(|r| node.insert("rotation".into(), json!(r.to_array())));
    scale.map(|s| node.insert("scale".into(), json!([s, s, s])));
    if node.is_empty() {
        return None;
    }
    node.insert("name".into(), "units".into());
    Some(node.into())
}

/// Smallest and largest of each component, as fields of an accessor.
pub(super) fn bounds(values: &[f32], width: usize) -> Value {
    let mut low = vec![f32::INFINITY; width];
    let mut high = vec![f32::NEG_INFINITY; width];
    for element in values.chunks_exact(width) {
        for (k, &x) in element.iter().enumerate() {
            low[k] = low[k].min(x);
            high[k] = high[k].max(x);
        }
    }
    json!({ "min": low, "max": high })
}

fn element_type(width: usize) -> &'static str {
    match width {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    }
}

fn narrow(values: &[u32], largest: u32, bytes_at_least: usize) -> (Vec<u8>, u32) {
    if largest < 0xFF && bytes_at_least <= 1 {
        (little_endian(values, |v| [v as u8]), U8)
    } else if largest < 0xFFFF && bytes_at_least <= 2 {
        (little_endian(values, |v| (v as u16).to_le_bytes()), U16)
    } else {
        (little_endian(values, u32::to_le_bytes), U32)
    }
}

fn little_endian<T: Copy, const SIZE: usize>(values: &[T], bytes: impl Fn(T) -> [u8; SIZE]) -> Vec<u8> {
    values.iter().flat_map(|&v| bytes(v)).collect()
}
