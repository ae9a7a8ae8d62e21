//! The lines of a text, whatever ends them.

use std::ops::Range;

/// The lines of a text without their ends, and where they begin.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    std::iter::from_fn(move || {
        if start >= bytes.len() {
            return None;
        }
        let length = bytes[start..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - start);
        let mut end = start + length;
        let next = end + 1;
        while end > start && bytes[end - 1] == b'\r' {
            end -= 1;
        }
        let line = start..end;
        start = next;
        Some(line)
    })
}
