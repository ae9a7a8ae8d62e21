//! The bytes of buffers and of the views into them.

use super::budget::Budget;
use super::schema::{self, BufferView, Document};
use super::uri::SideFiles;
use crate::Problem;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

/// The bytes of buffer views.
pub(super) struct Views<'a> {
    /// The buffers that could be found; using one that could not is an error, its absence is not.
    buffers: Vec<Option<Buffer<'a>>>,
    /// Views that were compressed.
    decoded: HashMap<usize, Vec<u8>>,
}

impl<'a> Views<'a> {
    /// The buffers of a document: `chunk` is the binary part of the file itself.
    pub fn load(document: &Document, chunk: Option<&'a [u8]>, side_files: &SideFiles<'_>) -> Result<Self, Problem> {
        let load = |(index, buffer): (usize, &schema::Buffer)| {
            if buffer.extensions.meshopt.fallback {
                return Ok(None);
            }
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
        let buffers = document.buffers.iter().enumerate().map(load).collect::<Result<_, _>>()?;
        Ok(Self { buffers, decoded: HashMap::new() })
    }

    /// Unpacks the views that are compressed.
    pub fn decode(&mut self, document: &Document, budget: &Budget) -> Result<(), Problem> {
        for (index, view) in document.buffer_views.iter().enumerate() {
            let Some(compressed) = &view.extensions.meshopt else { continue };
            let place = format!("buffer view {index}");
            budget.charge(&place, compressed.count, compressed.byte_stride)?;
            let bytes = self.slice(compressed.buffer, compressed.byte_offset, compressed.byte_length, &place)?;
            let decoded = compressed.decode(bytes).map_err(|why| Problem::malformed(&place, why))?;
            self.decoded.insert(index, decoded);
        }
        Ok(())
    }

    /// The bytes of a view out of these; `place` is who refers to it.
    pub fn bytes(&self, views: &[BufferView], index: usize, place: &str) -> Result<&[u8], Problem> {
        let view = views.get(index);
        let view = view.ok_or_else(|| Problem::malformed(place, format!("there is no buffer view {index}")))?;
        match self.decoded.get(&index) {
            Some(bytes) => Ok(bytes),
            None => self.slice(view.buffer, view.byte_offset, view.byte_length, &format!("buffer view {index}")),
        }
    }

    fn slice(&self, buffer: usize, offset: usize, length: usize, place: &str) -> Result<&[u8], Problem> {
        let Some(Some(bytes)) = self.buffers.get(buffer) else {
            return Err(Problem::malformed(place, format!("there is no data for buffer {buffer}")));
        };
        let end = offset.checked_add(length);
        end.and_then(|end| bytes.get(offset..end)).ok_or_else(|| {
            let why = format!("{length} bytes from {offset} reach past its buffer of {} bytes", bytes.len());
            Problem::malformed(place, why)
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
