//! Where a glTF file may point: into itself by a data URI, or to a file beside or below it.
//!
//! A file is read once however often it is named: a thousand buffers of one file take the memory of one.

use crate::Problem;
use crate::folder::{MAX_SIDE_BYTES, TOO_MANY_BYTES};
use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

/// Exporters disagree on whether the padding of a data URI is needed.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Bytes that a URI stands for, with the media type that a data URI states.
#[derive(Default)]
pub(super) struct Resource {
    pub bytes: Arc<[u8]>,
    pub mime_type: Option<String>,
}

/// The files beside a document, each read once.
pub(super) struct SideFiles<'a> {
    read: &'a dyn Fn(&str) -> std::io::Result<Vec<u8>>,
    known: RefCell<HashMap<String, Arc<[u8]>>>,
    bytes_left: Cell<u64>,
}

impl<'a> SideFiles<'a> {
    /// No file so far; `read` reads one by its path from the document.
    pub fn new(read: &'a dyn Fn(&str) -> std::io::Result<Vec<u8>>) -> Self {
        Self { read, known: RefCell::default(), bytes_left: Cell::new(MAX_SIDE_BYTES) }
    }

    /// The bytes of all files that were read.
    pub fn size(&self) -> usize {
        self.known.borrow().values().map(|bytes| bytes.len()).sum()
    }

    /// Reads what a URI stands for; `place` is who refers to it.
    pub fn fetch(&self, uri: &str, place: &str) -> Result<Resource, Problem> {
        if let Some(data) = uri.strip_prefix("data:") {
            return decode_data(data).map_err(|why| Problem::malformed(place, why));
        }
        let name = relative_path(uri).map_err(|why| Problem::malformed(place, why))?;
        if let Some(bytes) = self.known.borrow().get(&name) {
            return Ok(Resource { bytes: bytes.clone(), mime_type: None });
        }
        let read = (self.read)(&name);
        let bytes: Arc<[u8]> = read.map_err(|source| Problem::Missing { name: name.clone(), source })?.into();
        // A file may have several names, of which a reader knows nothing.
        let left = self.bytes_left.get().checked_sub(bytes.len() as u64);
        self.bytes_left.set(left.ok_or_else(|| Problem::malformed(place, TOO_MANY_BYTES))?);
        self.known.borrow_mut().insert(name, bytes.clone());
        Ok(Resource { bytes, mime_type: None })
    }
}

/// The data URI that holds some bytes.
pub(super) fn data_uri(mime_type: &str, bytes: &[u8]) -> String {
    format!("data:{mime_type};base64,{}", BASE64.encode(bytes))
}

fn decode_data(data: &str) -> Result<Resource, String> {
    let (header, content) = data.split_once(',').ok_or("the data URI has no comma")?;
    let media = header.strip_suffix(";base64").ok_or("the data URI is not in base64")?;
    let bytes = BASE64.decode(content).map_err(|error| format!("the data URI cannot be decoded: {error}"))?;
    let mime_type = media.split(';').next().filter(|m| !m.is_empty()).map(str::to_owned);
    Ok(Resource { bytes: bytes.into(), mime_type })
}

/// The file name that a relative reference stands for. A file from elsewhere must not make Sinew
/// read anything outside its own folder, nor the network.
pub(super) fn relative_path(uri: &str) -> Result<String, String> {
    let refuse = |why: &str| Err(format!("it refers to \"{}\", {why}", shortened(uri)));
    let scheme = uri.split(['/', '\\']).next().unwrap_or_default();
    if scheme.contains(':') {
        return refuse("which is not a file beside it; download the file and refer to it by name");
    }
    let Some(path) = percent_decoded(uri) else {
        return refuse("which is not a valid URI");
    };
    if path.is_empty() || path.contains('\0') {
        return refuse("which names no file");
    }
    if path.starts_with(['/', '\\']) || path.contains(':') {
        return refuse("an absolute path; only files beside or below it are read");
    }
    if path.split(['/', '\\']).any(|part| part == "..") {
        return refuse("which leaves its folder; only files beside or below it are read");
    }
    Ok(path)
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, tail) = rest.split_at_checked(2)?;
        let digits = digits.iter().map(|&d| char::from(d).to_digit(16)).collect::<Option<Vec<u32>>>()?;
        bytes.push((digits[0] * 16 + digits[1]) as u8);
        rest = tail;
    }
    String::from_utf8(bytes).ok()
}

fn shortened(uri: &str) -> String {
    uri.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_decoded() {
        assert_eq!(relative_path("a%20b/c%C3%A9.bin").unwrap(), "a b/cé.bin");
    }

    #[test]
    fn nothing_outside_the_folder_is_read() {
        for uri in [
            "/etc/passwd",
            "%2Fetc/passwd",
            "../x.bin",
            "a/%2e%2e/%2e%2e/x",
            "a\\..\\..\\x",
            "http://host/x.bin",
            "file:///x",
            "C:\\x",
            "C%3A/x",
            "",
            "%zz",
            "%4",
            "a%00b",
        ] {
            assert!(relative_path(uri).is_err(), "{uri}");
        }
    }

    #[test]
    fn padding_is_optional() {
        for content in ["AAECAw==", "AAECAw"] {
            assert_eq!(decode_data(&format!("x/y;base64,{content}")).unwrap().bytes[..], [0, 1, 2, 3]);
        }
        assert!(decode_data("x/y,abc").is_err());
        assert_eq!(decode_data(data_uri("a/b", &[7, 8]).strip_prefix("data:").unwrap()).unwrap().bytes[..], [7, 8]);
    }
}
