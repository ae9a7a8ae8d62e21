//! The layout of a message: a JSON header and a payload of plain arrays in one block of bytes.
//!
//! `u32` length of the header, little endian; the header, padded with spaces so that what follows begins at a multiple
//! of four; the payload. The header names an array by the byte of the payload where it begins and its number of
//! elements ([`ArrayRange`]).

use super::Answer;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The longest header that is read.
const MAX_HEADER: usize = 4 << 20;

/// A message that breaks the layout, or whose header is no request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Malformed {}

/// The header and the payload of a message.
pub fn split(message: &[u8]) -> Result<(&[u8], &[u8]), Malformed> {
    let wrong = |what: &str| Malformed(format!("a message {what}"));
    let (length, rest) = message.split_first_chunk::<4>().ok_or_else(|| wrong("is shorter than its own length"))?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > MAX_HEADER {
        return Err(wrong("has a header that is too long"));
    }
    rest.split_at_checked(length).ok_or_else(|| wrong("ends within its header"))
}

/// A request with the number that its answers carry.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Envelope<T> {
    /// The number, which the page chooses.
    pub id: u64,
    /// The request.
    #[serde(flatten)]
    pub body: T,
}

/// An array in the payload of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ArrayRange {
    /// Its first byte.
    pub at: usize,
    /// Number of elements.
    pub count: usize,
}

/// The arrays of a message.
#[derive(Debug, Default)]
pub struct Payload(Vec<u8>);

impl Payload {
    /// Appends an array; the header names it by the range.
    pub fn push<T: bytemuck::NoUninit>(&mut self, values: &[T]) -> ArrayRange {
        let at = self.0.len();
        self.0.extend_from_slice(bytemuck::cast_slice(values));
        self.0.resize(self.0.len().next_multiple_of(4), 0);
        ArrayRange { at, count: values.len() }
    }
}

/// An answer with its arrays.
#[derive(Debug)]
pub struct Reply {
    answer: Answer,
    payload: Payload,
}

/// The header of an answer.
#[derive(Serialize)]
struct Header<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(flatten)]
    answer: &'a Answer,
}

impl Reply {
    /// An answer whose ranges lie in a payload.
    pub fn new(answer: Answer, payload: Payload) -> Self {
        Self { answer, payload }
    }

    /// The bytes of the answer to the request of that number; `None` for a message that nobody asked for.
    pub fn into_bytes(self, id: Option<u64>) -> Vec<u8> {
        // Serialization fails only for maps whose keys are not strings, and the answers have none.
        let mut header = serde_json::to_vec(&Header { id, answer: &self.answer }).unwrap_or_default();
        header.resize(header.len().next_multiple_of(4), b' ');
        let mut message = Vec::with_capacity(4 + header.len() + self.payload.0.len());
        message.extend((header.len() as u32).to_le_bytes());
        message.extend(header);
        message.extend(self.payload.0);
        message
    }
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        Self::new(answer, Payload::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{MotionFile, Weights};
    use serde_json::Value;

    #[test]
    fn arrays_are_at_the_offsets_in_the_header() {
        let mut payload = Payload::default();
        payload.push(&[1u8, 2, 3]);
        let values = payload.push(&[0.5f32, -2.0]);
        let message = Reply::new(Answer::Weights(Weights { topology: 3, values }), payload).into_bytes(Some(7));
        let (header, payload) = split(&message).unwrap();
        assert_eq!((4 + header.len()) % 4, 0);
        let header: Value = serde_json::from_slice(header).unwrap();
        assert_eq!((header["type"].as_str(), header["id"].as_u64()), (Some("weights"), Some(7)));
        let at = header["values"]["at"].as_u64().unwrap() as usize;
        assert_eq!(payload[at..at + 8], [0.5f32.to_le_bytes(), (-2.0f32).to_le_bytes()].concat());
    }

    #[test]
    fn a_message_nobody_asked_for_has_no_id() {
        let content = ArrayRange { at: 0, count: 0 };
        let answer = Answer::MotionFile(MotionFile { name: "walk.bvh".into(), content });
        let message = Reply::from(answer).into_bytes(None);
        let header: Value = serde_json::from_slice(split(&message).unwrap().0).unwrap();
        assert_eq!(header["type"], "motion_file");
        assert!(header.get("id").is_none());
    }

    #[test]
    fn truncated_messages_and_false_lengths_are_refused() {
        assert!(split(&[]).is_err());
        assert!(split(&[1, 0, 0]).is_err());
        assert!(split(&[9, 0, 0, 0, b'{', b'}']).is_err());
        assert!(split(&u32::MAX.to_le_bytes()).is_err());
        assert_eq!(split(&[2, 0, 0, 0, b'{', b'}', 5]), Ok((&b"{}"[..], &[5][..])));
    }
}
