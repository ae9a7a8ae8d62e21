//! Small glTF files made of JSON and bytes, to be broken at will.

use serde_json::{Value, json};
use sinew_io::{Asset, Problem};

pub const U8: u32 = 5121;
pub const I8: u32 = 5120;
pub const I16: u32 = 5122;
pub const U16: u32 = 5123;
pub const F32: u32 = 5126;

/// A file under construction.
#[derive(Clone)]
pub struct Sample {
    pub json: Value,
    pub bytes: Vec<u8>,
}

impl Sample {
    pub fn empty() -> Self {
        let json = json!({ "asset": { "version": "2.0" }, "buffers": [{}], "bufferViews": [], "accessors": [] });
        Self { json, bytes: Vec::new() }
    }

    /// Appends to a list of the document; the new index.
    pub fn push(&mut self, list: &str, value: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let items = self.json[list].as_array_mut().unwrap();
        items.push(value);
        items.len() - 1
    }

    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        self.bytes.extend_from_slice(bytes);
        self.push("bufferViews", view)
    }

    pub fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        let view = self.view(bytes);
        self.push("accessors", json!({ "bufferView": view, "componentType": component, "type": kind, "count": count }))
    }

    pub fn floats(&mut self, values: &[f32], kind: &str) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        self.accessor(&le(values), F32, kind, values.len() / width)
    }

    /// Replaces a float of an accessor.
    pub fn set_float(&mut self, accessor: usize, index: usize, value: f32) {
        let view = self.json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
        let start = self.json["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize + 4 * index;
        self.bytes[start..start + 4].copy_from_slice(&value.to_le_bytes());
    }

    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"][0]["byteLength"] = self.bytes.len().into();
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut binary = self.bytes.clone();
        binary.resize(binary.len().next_multiple_of(4), 0);
        let total = 28 + text.len() + binary.len();
        let mut file = b"glTF".to_vec();
        for word in [2, total as u32, text.len() as u32] {
            file.extend(word.to_le_bytes());
        }
        file.extend(b"JSON");
        file.extend(text);
        file.extend((binary.len() as u32).to_le_bytes());
        file.extend(b"BIN\0");
        file.extend(binary);
        file
    }

    pub fn read(&self) -> Result<Asset, Problem> {
        read(&self.glb())
    }

    /// The message that reading it gives.
    pub fn error(&self) -> String {
        match self.read() {
            Ok(_) => panic!("it was read without an error"),
            Err(problem) => problem.to_string(),
        }
    }
}

/// Reads a file that has nothing beside it.
pub fn read(bytes: &[u8]) -> Result<Asset, Problem> {
    sinew_io::gltf::read(bytes, &|_| Err(std::io::ErrorKind::NotFound.into()))
}

pub fn le(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

pub fn le16(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Accessors of [`bar`] by number.
pub const POSITION: usize = 0;
pub const JOINTS: usize = 1;
pub const WEIGHTS: usize = 2;
pub const INDICES: usize = 3;
pub const INVERSE_BIND: usize = 4;
pub const MORPH: usize = 5;
pub const TIMES: usize = 6;
pub const ROTATIONS: usize = 7;
pub const MORPH_WEIGHTS: usize = 8;

/// A flat bar of six vertices from y = 0 to 2 on two joints, which bends at y = 1, with a morph target
/// and a clip. Node 2 is the mesh's.
pub fn bar() -> Sample {
    let mut sample = Sample::empty();
    let heights = [0.0f32, 0.0, 1.0, 1.0, 2.0, 2.0];
    let positions: Vec<f32> =
        heights.iter().enumerate().flat_map(|(v, &y)| [if v % 2 == 0 { -0.5 } else { 0.5 }, y, 0.0]).collect();
    sample.floats(&positions, "VEC3");
    sample.accessor(&[0u8, 1, 0, 0].repeat(6), U8, "VEC4", 6);
    let weights: Vec<f32> = heights.iter().flat_map(|&y| [1.0 - 0.5 * y, 0.5 * y, 0.0, 0.0]).collect();
    sample.floats(&weights, "VEC4");
    sample.accessor(&le16(&[0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]), U16, "SCALAR", 12);
    let mut inverse_bind = [glam::Mat4::IDENTITY.to_cols_array(), glam::Mat4::IDENTITY.to_cols_array()];
    inverse_bind[1][13] = -1.0;
    sample.floats(&inverse_bind.concat(), "MAT4");
    sample.floats(&[0.25, 0.0, 0.0].repeat(6), "VEC3");
    sample.floats(&[0.0, 1.0], "SCALAR");
    let half = std::f32::consts::FRAC_1_SQRT_2;
    sample.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half], "VEC4");
    sample.floats(&[0.0, 1.0], "SCALAR");
    sample.push("nodes", json!({ "name": "shoulder", "children": [1] }));
    sample.push("nodes", json!({ "name": "elbow", "translation": [0.0, 1.0, 0.0] }));
    sample.push("nodes", json!({ "name": "arm", "mesh": 0, "skin": 0 }));
    sample.push(
        "meshes",
        json!({
            "name": "bar",
            "primitives": [{
                "attributes": { "POSITION": POSITION, "JOINTS_0": JOINTS, "WEIGHTS_0": WEIGHTS },
                "indices": INDICES,
                "targets": [{ "POSITION": MORPH }],
            }],
            "weights": [0.5],
            "extras": { "targetNames": ["wide"] },
        }),
    );
    sample.push("skins", json!({ "joints": [0, 1], "inverseBindMatrices": INVERSE_BIND }));
    sample.push(
        "animations",
        json!({
            "name": "bend",
            "samplers": [{ "input": TIMES, "output": ROTATIONS }, { "input": TIMES, "output": MORPH_WEIGHTS }],
            "channels": [
                { "sampler": 0, "target": { "node": 1, "path": "rotation" } },
                { "sampler": 1, "target": { "node": 2, "path": "weights" } },
            ],
        }),
    );
    sample
}
