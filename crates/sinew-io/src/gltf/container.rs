//! The parts of a glTF file: its JSON, and the buffers inside, beside or embedded in it.
//!
//! Every size is checked against the bytes that are there before anything is allocated.

use super::budget::Budget;
use super::draco::{self, DecodedAccessors};
use super::schema::Document;
use super::uri::{Resource, SideFiles, relative_path};
use super::views::Views;
use crate::Problem;

const MAGIC: &[u8] = b"glTF";
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;

/// An opened file.
pub(super) struct Source<'a> {
    pub document: Document,
    views: Views<'a>,
    side_files: SideFiles<'a>,
    /// Accessors that were compressed.
    pub decoded: DecodedAccessors,
    pub budget: Budget,
    /// Whether it came as one binary file.
    pub binary: bool,
}

impl<'a> Source<'a> {
    /// Parses the file, loads its buffers and unpacks what is compressed.
    pub fn open(bytes: &'a [u8], beside: &'a dyn Fn(&str) -> std::io::Result<Vec<u8>>) -> Result<Self, Problem> {
        let binary = bytes.starts_with(MAGIC);
        let (json, chunk) = if binary { chunks(bytes)? } else { (json_text(bytes)?, None) };
        let mut document: Document =
            serde_json::from_slice(json).map_err(|error| Problem::malformed("the JSON", error.to_string()))?;
        check_version(&document)?;
        check_extensions(&document)?;
        let side_files = SideFiles::new(beside);
        let mut views = Views::load(&document, chunk, &side_files)?;
        let budget = Budget::for_input(bytes.len() + side_files.size());
        views.decode(&document, &budget)?;
        let decoded = draco::decode_primitives(&mut document, &views, &budget)?;
        Ok(Self { document, views, side_files, decoded, budget, binary })
    }

    /// Reads what a URI stands for; `place` is who refers to it.
    pub fn fetch(&self, uri: &str, place: &str) -> Result<Resource, Problem> {
        self.side_files.fetch(uri, place)
    }

    /// The bytes of a buffer view; `place` is who refers to it.
    pub fn view(&self, index: usize, place: &str) -> Result<&[u8], Problem> {
        self.views.bytes(&self.document.buffer_views, index, place)
    }
}

/// The paths, from the document, of the files that it refers to; none if it cannot be read.
pub(crate) fn side_files(bytes: &[u8]) -> Vec<String> {
    let json = if bytes.starts_with(MAGIC) { chunks(bytes).map(|(json, _)| json) } else { json_text(bytes) };
    let document: Option<Document> = json.ok().and_then(|json| serde_json::from_slice(json).ok());
    let Some(document) = document else { return Vec::new() };
    let buffers = document.buffers.iter().filter_map(|buffer| buffer.uri.as_ref());
    let uris = buffers.chain(document.images.iter().filter_map(|image| image.uri.as_ref()));
    uris.filter(|uri| !uri.starts_with("data:")).filter_map(|uri| relative_path(uri).ok()).collect()
}

/// The JSON and the binary chunk of a GLB.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Problem> {
    let truncated =
        |at: usize| Problem::malformed(format!("byte {at}"), "the file is cut off here; export or copy it again");
    let word = |at: usize| {
        let word = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
        word.map(|w| u32::from_le_bytes(*w)).ok_or_else(|| truncated(bytes.len()))
    };
    let version = word(4)?;
    if version != 2 {
        return Err(unsupported_version(&version.to_string()));
    }
    let length = word(8)? as usize;
    if length > bytes.len() {
        return Err(truncated(bytes.len()));
    }
    let (mut json, mut binary) = (None, None);
    let mut at = 12;
    while at < length {
        let (size, kind) = (word(at)? as usize, word(at + 4)?);
        let end = (at + 8).checked_add(size).filter(|&end| end <= length).ok_or_else(|| truncated(length))?;
        let chunk = &bytes[at + 8..end];
        match kind {
            JSON_CHUNK if json.is_none() => json = Some(chunk),
            BINARY_CHUNK if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at = end;
    }
    let json = json.ok_or_else(|| Problem::malformed("byte 12", "the binary glTF file has no JSON chunk"))?;
    Ok((json, binary))
}

fn json_text(bytes: &[u8]) -> Result<&[u8], Problem> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if text.trim_ascii_start().starts_with(b"{") {
        return Ok(text);
    }
    Err(Problem::malformed("byte 0", "this is neither binary glTF, which begins with \"glTF\", nor JSON"))
}

fn check_version(document: &Document) -> Result<(), Problem> {
    let header = &document.asset;
    if !(header.version == "2" || header.version.starts_with("2.")) {
        return Err(unsupported_version(&header.version));
    }
    match header.min_version.as_deref() {
        None | Some("2.0") => Ok(()),
        Some(newer) => Err(unsupported_version(newer)),
    }
}

fn unsupported_version(version: &str) -> Problem {
    Problem::unsupported(format!("this is glTF version \"{version}\""), "export it as glTF 2.0")
}

/// A file may require extensions: compression is read, and what only concerns the appearance is preserved.
fn check_extensions(document: &Document) -> Result<(), Problem> {
    let is_known = |name: &str| {
        // What an avatar adds concerns its face, hair and licence.
        ["KHR_materials_", "VRM"].iter().any(|family| name.starts_with(family))
            || [
                "KHR_draco_mesh_compression",
                "KHR_mesh_quantization",
                "KHR_meshopt_compression",
                "EXT_meshopt_compression",
                "KHR_texture_transform",
                "KHR_texture_basisu",
                "KHR_lights_punctual",
                "EXT_texture_webp",
            ]
            .contains(&name)
    };
    let Some(name) = document.extensions_required.iter().find(|name| !is_known(name)) else {
        return Ok(());
    };
    let hint = "export it again without this extension";
    Err(Problem::unsupported(format!("it requires the glTF extension {name}"), hint))
}
