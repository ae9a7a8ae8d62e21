//! glTF: numbers of the buffers by what they are.

use super::difference::{Difference, of_bytes};
use super::geometry::{Bounds, compare_numbers, floats};
use super::text::compare_lines;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::HashSet;

/// Compares two files that have different bytes, GLB or glTF; the buffers of a glTF are files of their own. Positions
/// and translations are relative to the diagonal of the bounding box, other floats are compared as they are, and all
/// else must be the same.
pub fn compare(old: &[u8], new: &[u8]) -> Result<Difference> {
    let (old, new) = (Document::read(old)?, Document::read(new)?);
    let lengths = old.lengths();
    let size = old.size()?;
    let texts = [serde_json::to_string_pretty(&old.json)?, serde_json::to_string_pretty(&new.json)?];
    let mut total = compare_lines(&texts[0], &texts[1], |_| None);
    if total.other.is_some() || old.buffer.len() != new.buffer.len() {
        total.join(of_bytes(&old.buffer, &new.buffer));
        return Ok(total);
    }
    let mut rest = [old.buffer.clone(), new.buffer.clone()];
    for (index, accessor) in old.accessors().iter().enumerate() {
        const FLOAT: u64 = 5126;
        let Some(range) = old.range(accessor).filter(|_| accessor["componentType"] == FLOAT) else { continue };
        let size = if lengths.contains(&index) { size } else { 1.0 };
        total.join(compare_numbers(&floats(&old.buffer[range.clone()]), &floats(&new.buffer[range.clone()]), size));
        rest.iter_mut().for_each(|buffer| buffer[range.clone()].fill(0));
    }
    total.join(of_bytes(&rest[0], &rest[1]));
    Ok(if total.is_none() { Difference::of_encoding() } else { total })
}

struct Document {
    json: Value,
    buffer: Vec<u8>,
}

impl Document {
    fn read(file: &[u8]) -> Result<Self> {
        if !file.starts_with(b"glTF") {
            return Ok(Self { json: serde_json::from_slice(file)?, buffer: Vec::new() });
        }
        let chunk = |at: usize| -> Option<&[u8]> {
            let length = u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?) as usize;
            file.get(at + 8..at + 8 + length)
        };
        let json = chunk(12).context("a GLB without JSON")?;
        let buffer = chunk(20 + json.len()).unwrap_or_default().to_vec();
        Ok(Self { json: serde_json::from_slice(json)?, buffer })
    }

    fn accessors(&self) -> &[Value] {
        self.json["accessors"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The bytes of an accessor whose elements follow each other.
    fn range(&self, accessor: &Value) -> Option<std::ops::Range<usize>> {
        let number = |value: &Value| value.as_u64().map(|number| number as usize);
        let view = &self.json["bufferViews"][number(&accessor["bufferView"])?];
        let width = match accessor["type"].as_str()? {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" | "MAT2" => 4,
            "MAT3" => 9,
            _ => 16,
        };
        let begin = number(&view["byteOffset"]).unwrap_or(0) + number(&accessor["byteOffset"]).unwrap_or(0);
        let range = begin..begin + 4 * width * number(&accessor["count"])?;
        (view["byteStride"].is_null() && range.end <= self.buffer.len()).then_some(range)
    }

    /// The accessors of lengths: positions, of morph targets too, and translations.
    fn lengths(&self) -> HashSet<usize> {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let mut found: Vec<Value> = Vec::new();
        for primitive in list(&self.json["meshes"]).iter().flat_map(|mesh| list(&mesh["primitives"])) {
            found.push(primitive["attributes"]["POSITION"].clone());
            found.extend(list(&primitive["targets"]).iter().map(|target| target["POSITION"].clone()));
        }
        for animation in list(&self.json["animations"]) {
            let is_translation = |channel: &&Value| channel["target"]["path"] == "translation";
            for channel in list(&animation["channels"]).iter().filter(is_translation) {
                let sampler = channel["sampler"].as_u64().unwrap_or_default() as usize;
                found.push(animation["samplers"][sampler]["output"].clone());
            }
        }
        found.iter().filter_map(Value::as_u64).map(|index| index as usize).collect()
    }

    /// The diagonal of the bounding box of all meshes' positions.
    fn size(&self) -> Result<f64> {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let mut corners = Vec::new();
        for primitive in list(&self.json["meshes"]).iter().flat_map(|mesh| list(&mesh["primitives"])) {
            let Some(index) = primitive["attributes"]["POSITION"].as_u64() else { continue };
            let accessor = self.accessors().get(index as usize).context("a mesh without positions")?;
            for corner in ["min", "max"] {
                corners.extend(list(&accessor[corner]).iter().filter_map(Value::as_f64));
            }
        }
        Ok(Bounds::of(corners).diagonal())
    }
}
