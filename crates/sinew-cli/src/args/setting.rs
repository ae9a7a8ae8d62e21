//! Options that are settings: help, values and limits from their declarations.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sinew::recipe::{Choice, Key, Kind, Value};
use std::fmt::Display;
use std::str::FromStr;

/// The help of an option over a key of a recipe: sentences, limits and default.
pub fn help(key: &Key) -> String {
    let default = match key.default_text().as_deref() {
        Some("true") => "on".into(),
        Some("false") => "off".into(),
        Some(text) => text.to_owned(),
        None => "none".into(),
    };
    format!("{} [default: {default}, or the recipe's]", sentences(key))
}

/// The same for a key of settings that no recipe has.
pub fn plain_help(key: &Key) -> String {
    match key.default_text() {
        Some(default) => format!("{} [default: {default}]", sentences(key)),
        None => sentences(key),
    }
}

fn sentences(key: &Key) -> String {
    key.help().trim_end_matches('.').into()
}

/// What reads the name of a choice; the help explains each.
pub fn choice<T>(key: &'static Key) -> impl TypedValueParser<Value = T>
where
    T: Value + FromStr<Err: Display> + Clone + Send + Sync + 'static,
{
    let choices = if let Kind::Choice(choices) = key.kind { choices.all } else { &[] };
    let explained =
        |choice: &Choice| PossibleValue::new(choice.name).help(choice.sentences().trim_end_matches('.').to_owned());
    let parse = key.parser::<T>();
    PossibleValuesParser::new(choices.iter().map(explained)).try_map(move |name| parse(&name).map_err(Unknown))
}

/// A name that is no choice, which the parser before it leaves none of.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Unknown(String);

/// What reads "on" or "off".
pub fn switch() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|name| name == "on")
}
