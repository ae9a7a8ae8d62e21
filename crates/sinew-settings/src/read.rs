//! Tables with serde: each value is checked while its key is read, so that an error is at its line.

use crate::Settings;
use crate::schema::Key;
use crate::value::Value;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use std::fmt;
use std::marker::PhantomData;

/// Reads a table. What is left out has its default; an unknown key is an error.
pub fn read<'de, T: Settings, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_struct(T::TABLE.name, T::NAMES, TableVisitor(PhantomData))
}

/// Writes a key, unless it has no value.
pub fn write_key<T: Value, M: SerializeMap>(map: &mut M, key: &Key, value: &T) -> Result<(), M::Error> {
    if (key.is_optional || key.is_brief) && value.is_nothing() {
        return Ok(());
    }
    map.serialize_entry(key.name, value)
}

struct TableVisitor<T>(PhantomData<T>);

impl<'de, T: Settings> Visitor<'de> for TableVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a table with {}", T::NAMES.join(", "))
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<T, M::Error> {
        let keys = T::TABLE.keys;
        let mut table = T::default();
        let mut is_read = vec![false; keys.len()];
        while let Some(k) = map.next_key_seed(NameReader(T::NAMES))? {
            if is_read[k] {
                return Err(M::Error::duplicate_field(keys[k].name));
            }
            is_read[k] = true;
            table.read_key(&keys[k], &mut map)?;
        }
        match keys.iter().zip(is_read).find(|(key, is_read)| key.is_required && !is_read) {
            Some((key, _)) => Err(M::Error::missing_field(key.name)),
            None => Ok(table),
        }
    }
}

/// Reads the name of a key as its index.
struct NameReader(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for NameReader {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for NameReader {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a key")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        self.0.iter().position(|known| *known == name).ok_or_else(|| E::unknown_field(name, self.0))
    }
}

/// Reads the value of a key and checks it.
pub struct KeyReader<T> {
    key: &'static Key,
    check: fn(&T) -> Result<(), String>,
}

impl<T: Value> KeyReader<T> {
    /// By the rules of the key.
    pub fn new(key: &'static Key) -> Self {
        Self { key, check: |_| Ok(()) }
    }

    /// And by a check of its own.
    pub fn and(self, check: fn(&T) -> Result<(), String>) -> Self {
        Self { check, ..self }
    }
}

impl<'de, T: Value> DeserializeSeed<'de> for KeyReader<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        let value = T::read(self.key, deserializer)?;
        (self.check)(&value).map_err(D::Error::custom)?;
        Ok(value)
    }
}
