//! The outline of a drawn muscle \[R18 §4.4.2\]: the largest closed shape of an SVG file, or the largest
//! silhouette of a PNG picture.
//!
//! Corners are in the file's own units, with y downwards as on a page; a profile is fitted to their proportions alone.

mod border;
mod numbers;
mod silhouette;
mod svg;

use crate::Problem;
use glam::DVec2;

const PNG: &[u8] = b"\x89PNG";
const GZIP: &[u8] = b"\x1f\x8b";

/// Reads the outline of an SVG or PNG file; the content determines the format.
pub fn read(bytes: &[u8]) -> Result<Vec<DVec2>, Problem> {
    let is_text = || {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        text.trim_ascii_start().starts_with(b"<")
    };
    if bytes.is_empty() {
        Err(Problem::malformed("the file", "is empty; save the sketch again as SVG or PNG"))
    } else if bytes.starts_with(PNG) {
        silhouette::read(bytes)
    } else if bytes.starts_with(GZIP) {
        Err(Problem::unsupported("it is packed, as .svgz files are", "save the sketch as plain SVG"))
    } else if is_text() {
        svg::read(bytes)
    } else {
        Err(Problem::unsupported("it is no SVG and no PNG file", "save the sketch as one of them"))
    }
}
