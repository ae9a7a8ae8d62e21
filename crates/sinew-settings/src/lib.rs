//! Settings that are declared once: type, default, range, unit and one sentence.
//!
//! [`settings!`](crate::settings) declares a table of keys, [`choices!`](crate::choices) the names that a key can have.
//! From the declaration follow
//!
//! - the struct with its defaults,
//! - reading and writing with serde, where a wrong value is an error at its own line,
//! - a [commented text](commented) with every key,
//! - the [types](typescript::types) and the [limits](typescript::schema) of a page,
//! - the [help](Key::help) and the [parser](Key::parser) of an option on the command line.
//!
//! ```
//! use sinew_settings::{Settings, settings};
//!
//! settings! {
//!     /// A damped oscillation.
//!     pub struct Shake {
//!         /// How often it swings; 0 for not at all.
//!         frequency: f64 = 0.0, within(0.0, 100.0), unit("swings per second");
//!         /// The share of critical damping.
//!         damping: f64 = 0.3, above(0.0, 10.0);
//!     }
//! }
//!
//! assert_eq!(Shake::default().damping, 0.3);
//! let error = toml::from_str::<Shake>("frequency = 2\ndamping = 0").unwrap_err().to_string();
//! assert!(error.contains("line 2") && error.contains("damping must be above 0 and at most 10, not 0"));
//! let help = "How often it swings; 0 for not at all. From 0 to 100 swings per second.";
//! assert_eq!(Shake::key("frequency").help(), help);
//! ```

mod commented;
mod declare;
mod keys;
mod read;
mod schema;
pub mod typescript;
mod value;

pub use commented::commented;
pub use keys::Keys;
pub use read::{KeyReader, read, write_key};
pub use schema::{Choice, Choices, Key, Kind, Places, Range, Table};
#[doc(hidden)]
pub use serde;
pub use value::{Value, to_toml};

use serde::de::{DeserializeOwned, MapAccess};
use serde::ser::Serialize;

/// A table of settings, as [`settings!`](crate::settings) declares it.
pub trait Settings: Default + Serialize + DeserializeOwned {
    /// Its keys.
    const TABLE: Table;

    /// The names of its keys.
    const NAMES: &'static [&'static str];

    /// Reads the value of a key, which comes next, and checks it.
    fn read_key<'de, M: MapAccess<'de>>(&mut self, key: &'static Key, map: &mut M) -> Result<(), M::Error>;

    /// One of its keys.
    ///
    /// # Panics
    /// If there is no key of that name.
    fn key(name: &str) -> &'static Key {
        Self::TABLE.key(name).unwrap_or_else(|| panic!("{} has no key \"{name}\"", Self::TABLE.name))
    }
}
