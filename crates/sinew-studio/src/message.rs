//! How page and engine talk: a JSON header and a payload of plain arrays in one binary message.
//!
//! `u32` length of the header, little endian; the header, padded with spaces so that what follows begins at a multiple
//! of four; the payload. An array is named in the header by the byte of the payload where it begins and its number of
//! elements.

use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fmt;

/// The longest header that is read.
const MAX_HEADER: usize = 4 << 20;

/// A message that breaks the rules above, or asks for what does not exist.
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
        return Err(wrong("has a header beyond all bounds"));
    }
    rest.split_at_checked(length).ok_or_else(|| wrong("ends within its header"))
}

/// A message under construction.
#[derive(Debug, Default)]
pub struct Outgoing {
    header: Map<String, Value>,
    payload: Vec<u8>,
}

impl Outgoing {
    /// A message of that type.
    pub fn new(kind: &str) -> Self {
        Self::default().with("type", kind)
    }

    /// The answer to a request.
    pub fn answer(kind: &str, id: u64) -> Self {
        Self::new(kind).with("id", id)
    }

    /// With a field in the header.
    pub fn with(mut self, name: &str, value: impl Serialize) -> Self {
        self.header.insert(name.into(), serde_json::to_value(value).unwrap_or(Value::Null));
        self
    }

    /// Appends an array to the payload; what it returns belongs into the header.
    pub fn array<T: bytemuck::NoUninit>(&mut self, values: &[T]) -> Value {
        let at = self.payload.len();
        self.payload.extend_from_slice(bytemuck::cast_slice(values));
        self.payload.resize(self.payload.len().next_multiple_of(4), 0);
        json!({ "at": at, "count": values.len() })
    }

    /// The bytes to send.
    pub fn into_bytes(self) -> Vec<u8> {
        let mut header = Value::from(self.header).to_string().into_bytes();
        header.resize(header.len().next_multiple_of(4), b' ');
        let mut message = Vec::with_capacity(4 + header.len() + self.payload.len());
        message.extend((header.len() as u32).to_le_bytes());
        message.extend(header);
        message.extend(self.payload);
        message
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_where_the_header_says() {
        let mut message = Outgoing::answer("frame", 7);
        let bytes = message.array(&[1u8, 2, 3]);
        let numbers = message.array(&[0.5f32, -2.0]);
        let message = message.with("bytes", bytes).with("numbers", numbers).into_bytes();
        let (header, payload) = split(&message).unwrap();
        assert_eq!((4 + header.len()) % 4, 0);
        let header: Value = serde_json::from_slice(header).unwrap();
        assert_eq!((header["type"].as_str(), header["id"].as_u64()), (Some("frame"), Some(7)));
        let at = header["numbers"]["at"].as_u64().unwrap() as usize;
        assert_eq!(payload[at..at + 8], [0.5f32.to_le_bytes(), (-2.0f32).to_le_bytes()].concat());
    }

    #[test]
    fn short_and_boastful_messages_are_refused() {
        assert!(split(&[]).is_err());
        assert!(split(&[1, 0, 0]).is_err());
        assert!(split(&[9, 0, 0, 0, b'{', b'}']).is_err());
        assert!(split(&u32::MAX.to_le_bytes()).is_err());
        assert_eq!(split(&[2, 0, 0, 0, b'{', b'}', 5]), Ok((&b"{}"[..], &[5][..])));
    }
}
