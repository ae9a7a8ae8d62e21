//! A recipe as text: every key with its value, what it means and its unit, ready to edit.

use super::{ProfileOptions, Recipe};
use sinew_settings::{commented, to_toml};
use toml::Value;

impl Recipe {
    /// Every key with its value and a comment, ready to edit. [`Recipe::from_toml`] reads it back.
    pub fn to_toml(&self) -> String {
        let profile = Value::Table(held(&self.volume.profile));
        let volume = Value::Table(toml::Table::from_iter([("profile".into(), profile)]));
        let keys = commented(self, &toml::Table::from_iter([("volume".into(), volume)]));
        format!(
            "# A recipe for sinew.\n\
             # What is left out has its default, and options of a command win over it.\n\
             # A key behind a # shows what holds without it; remove the # to set it.\n\
             \n{keys}"
        )
    }
}

/// The values of keys that a profile leaves out, which depend on its kind. They are written as comments, so that
/// another kind brings its own.
fn held(profile: &ProfileOptions) -> toml::Table {
    let kind = ProfileOptions { kind: profile.kind, ..ProfileOptions::default() };
    let held = kind.resolve(&ProfileOptions::default());
    let shares = held.shares.map(|share| (100.0 * share).round() / 100.0);
    let values = [
        ("kind", to_toml(&held.kind)),
        ("shares", to_toml(&shares)),
        ("size", to_toml(&held.sizes[0])),
        ("stretch", to_toml(&[1.0; 3])),
        ("center", to_toml(&held.center)),
        ("frequency", to_toml(&held.frequency)),
        ("largest_bend", to_toml(&held.largest_bend)),
        ("amount", to_toml(&held.amount)),
    ];
    values.into_iter().filter_map(|(name, value)| Some((name.into(), value?))).collect()
}
