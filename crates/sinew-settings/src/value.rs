//! What a key's value can be.

use crate::schema::{Key, Kind};
use serde::Serialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A type that the value of a key can have.
pub trait Value: Serialize + DeserializeOwned {
    /// What it is.
    const KIND: Kind;

    /// Whether it may be none.
    const IS_OPTIONAL: bool = false;

    /// Refuses a value that the rules of its key do not allow.
    fn check(&self, _key: &Key) -> Result<(), String> {
        Ok(())
    }

    /// Refuses a list of such values.
    fn check_list(list: &[Self], key: &Key) -> Result<(), String> {
        list.iter().try_for_each(|value| value.check(key))
    }

    /// Reads a value and checks it.
    fn read<'de, D: Deserializer<'de>>(key: &Key, deserializer: D) -> Result<Self, D::Error> {
        let value = Self::deserialize(deserializer)?;
        value.check(key).map_err(D::Error::custom)?;
        Ok(value)
    }

    /// Whether it is none, false or 0.
    fn is_nothing(&self) -> bool {
        false
    }

    /// The number that it is, if it is one.
    fn as_number(&self) -> Option<f64> {
        None
    }
}

impl Key {
    /// What reads the key's value from an argument of the command line and checks it.
    pub fn parser<T>(&'static self) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
    where
        T: Value + FromStr<Err: fmt::Display>,
    {
        move |text| {
            let value: T = text.parse().map_err(|error: T::Err| error.to_string())?;
            value.check(self)?;
            Ok(value)
        }
    }
}

/// A value as TOML; none for an option without one.
pub fn to_toml<T: Value>(value: &T) -> Option<toml::Value> {
    toml::Value::try_from(value).ok()
}

impl Value for bool {
    const KIND: Kind = Kind::Bool;

    fn is_nothing(&self) -> bool {
        !self
    }
}

impl Value for f64 {
    const KIND: Kind = Kind::Number;

    fn check(&self, key: &Key) -> Result<(), String> {
        key.check(*self)
    }

    fn is_nothing(&self) -> bool {
        *self == 0.0
    }

    fn as_number(&self) -> Option<f64> {
        Some(*self)
    }
}

impl Value for usize {
    const KIND: Kind = Kind::Whole;

    fn check(&self, key: &Key) -> Result<(), String> {
        key.check(*self as f64)
    }

    /// As a signed number first, so that the error about a negative one is about its range.
    fn read<'de, D: Deserializer<'de>>(key: &Key, deserializer: D) -> Result<Self, D::Error> {
        let value = <i64 as serde::Deserialize>::deserialize(deserializer)?;
        key.check(value as f64).map_err(D::Error::custom)?;
        Self::try_from(value).map_err(|_| D::Error::custom(format!("{} must be at least 0, not {value}", key.name)))
    }
}

impl Value for u8 {
    const KIND: Kind = Kind::Whole;

    fn check(&self, key: &Key) -> Result<(), String> {
        key.check(f64::from(*self))
    }
}

impl Value for String {
    const KIND: Kind = Kind::Text;
}

impl<T: Value> Value for Option<T> {
    const KIND: Kind = T::KIND;
    const IS_OPTIONAL: bool = true;

    fn check(&self, key: &Key) -> Result<(), String> {
        self.as_ref().map_or(Ok(()), |value| value.check(key))
    }

    fn is_nothing(&self) -> bool {
        self.is_none()
    }
}

impl<T: Value, const N: usize> Value for [T; N]
where
    [T; N]: Serialize + DeserializeOwned,
{
    const KIND: Kind = Kind::Array(&T::KIND, N);

    fn check(&self, key: &Key) -> Result<(), String> {
        self.iter().try_for_each(|value| value.check(key))
    }

    /// Pairs can be the points of a curve.
    fn check_list(list: &[Self], key: &Key) -> Result<(), String> {
        let Some(places) = key.places else { return list.iter().try_for_each(|value| value.check(key)) };
        let numbers = |n: usize| list.iter().filter_map(move |point| point.get(n)?.as_number());
        places.check(&numbers(0).collect::<Vec<_>>())?;
        numbers(1).try_for_each(|value| key.check_as("the value of a curve's point", value))
    }
}

impl<T: Value> Value for Vec<T> {
    const KIND: Kind = Kind::List(&T::KIND);

    fn check(&self, key: &Key) -> Result<(), String> {
        key.check_count(self.len())?;
        T::check_list(self, key)
    }
}

impl<T: Value> Value for BTreeMap<String, T> {
    const KIND: Kind = Kind::Named(&T::KIND);
}

impl<A: Value, B: Value, C: Value, D: Value> Value for (A, B, C, D) {
    const KIND: Kind = Kind::Tuple(&[A::KIND, B::KIND, C::KIND, D::KIND]);

    fn check(&self, key: &Key) -> Result<(), String> {
        self.0.check(key)?;
        self.1.check(key)?;
        self.2.check(key)?;
        self.3.check(key)
    }
}
