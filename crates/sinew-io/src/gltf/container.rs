//! The parts of a glTF file: its JSON, and the buffers inside, beside or embedded in it.
//!
//! Every size is checked against the bytes that are there before anything is allocated. A small file
//! may still stand for a large character, through accessors without data and meshes that many nodes
//! share; a [`Budget`] in proportion to the file bounds what it may unpack to.

use super::schema::Document;
use super::uri::{Resource, SideFiles};
use crate::Problem;
use std::cell::Cell;
use std::ops::Deref;
use std::sync::Arc;

const MAGIC: &[u8] = b"glTF";
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;

/// An opened file.
pub(super) struct Source<'a> {
    pub document: Document,
    /// The buffers that could be found; using one that could not is an error, its absence is not.
    buffers: Vec<Option<Buffer<'a>>>,
    side_files: SideFiles<'a>,
    pub budget: Budget,
    /// Whether it came as one binary file.
    pub binary: bool,
}

impl<'a> Source<'a> {
    /// Parses the file and loads its buffers.
    pub fn open(bytes: &'a [u8], beside: &'a dyn Fn(&str) -> std::io::Result<Vec<u8>>) -> Result<Self, Problem> {
        let binary = bytes.starts_with(MAGIC);
        let (json, chunk) = if binary { chunks(bytes)? } else { (json_text(bytes)?, None) };
        let document: Document =
            serde_json::from_slice(json).map_err(|error| Problem::malformed("the JSON", error.to_string()))?;
        check_version(&document)?;
        check_extensions(&document)?;
        let side_files = SideFiles::new(beside);
        let buffers = load_buffers(&document, chunk, &side_files)?;
        let budget = Budget::for_input(bytes.len() + side_files.size());
        Ok(Self { document, buffers, side_files, budget, binary })
    }

    /// Reads what a URI stands for; `place` is who refers to it.
    pub fn fetch(&self, uri: &str, place: &str) -> Result<Resource, Problem> {
        self.side_files.fetch(uri, place)
    }

    /// The bytes of a buffer view; `place` is who refers to it.
    pub fn view(&self, index: usize, place: &str) -> Result<&[u8], Problem> {
        let view = self.document.buffer_views.get(index);
        let view = view.ok_or_else(|| Problem::malformed(place, format!("there is no buffer view {index}")))?;
        let Some(Some(buffer)) = self.buffers.get(view.buffer) else {
            let why = format!("there is no data for buffer {}", view.buffer);
            return Err(Problem::malformed(format!("buffer view {index}"), why));
        };
        let end = view.byte_offset.checked_add(view.byte_length);
        end.and_then(|end| buffer.get(view.byte_offset..end)).ok_or_else(|| {
            let (offset, length) = (view.byte_offset, view.byte_length);
            let why = format!("{length} bytes from {offset} reach past its buffer of {} bytes", buffer.len());
            Problem::malformed(format!("buffer view {index}"), why)
        })
    }
}

/// The bytes of a buffer: of the file's own binary chunk, or of a file that several buffers may name.
enum Buffer<'a> {
    Chunk(&'a [u8]),
    Resource(Arc<[u8]>),
}

impl Deref for Buffer<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Chunk(bytes) => bytes,
            Self::Resource(bytes) => bytes,
        }
    }
}

/// How many bytes a file may still unpack to.
pub(super) struct Budget {
    left: Cell<u64>,
}

impl Budget {
    /// Room for any real character: 256 MiB, and 64 times the file.
    fn for_input(bytes: usize) -> Self {
        Self { left: Cell::new((1 << 28) + 64 * bytes as u64) }
    }

    /// Takes bytes before they are allocated; `place` is what needs them.
    pub fn charge(&self, place: &str, count: usize, bytes_each: usize) -> Result<(), Problem> {
        let bytes = (count as u64).saturating_mul(bytes_each as u64);
        match self.left.get().checked_sub(bytes) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(Problem::malformed(place, format!("{count} elements are out of all proportion to the file"))),
        }
    }
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

/// A file may require extensions. Those that only concern the appearance are preserved.
fn check_extensions(document: &Document) -> Result<(), Problem> {
    let harmless = |name: &str| {
        // What an avatar adds concerns its face, hair and licence.
        ["KHR_materials_", "VRM"].iter().any(|family| name.starts_with(family))
            || [
                "KHR_mesh_quantization",
                "KHR_texture_transform",
                "KHR_texture_basisu",
                "KHR_lights_punctual",
                "EXT_texture_webp",
            ]
            .contains(&name)
    };
    let Some(name) = document.extensions_required.iter().find(|name| !harmless(name)) else {
        return Ok(());
    };
    let hint = match name.as_str() {
        "KHR_draco_mesh_compression" | "EXT_meshopt_compression" | "KHR_meshopt_compression" => {
            "export it again without compression"
        }
        _ => "export it again without this extension",
    };
    Err(Problem::unsupported(format!("it requires the glTF extension {name}"), hint))
}

fn load_buffers<'a>(
    document: &Document,
    chunk: Option<&'a [u8]>,
    side_files: &SideFiles<'_>,
) -> Result<Vec<Option<Buffer<'a>>>, Problem> {
    let load = |(index, buffer): (usize, &super::schema::Buffer)| {
        let place = format!("buffer {index}");
        let bytes = match (&buffer.uri, chunk) {
            (Some(uri), _) => Buffer::Resource(side_files.fetch(uri, &place)?.bytes),
            (None, Some(chunk)) if index == 0 => Buffer::Chunk(chunk),
            _ => return Ok(None),
        };
        if bytes.len() < buffer.byte_length {
            let why = format!("{} bytes are promised, but only {} are there", buffer.byte_length, bytes.len());
            return Err(Problem::malformed(place, why));
        }
        Ok(Some(bytes))
    };
    document.buffers.iter().enumerate().map(load).collect()
}
