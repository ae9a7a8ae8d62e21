//! The description of settings: tables, keys, ranges and choices.

use std::fmt;

/// A table of keys.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// The name of the type.
    pub name: &'static str,
    /// The lines of its documentation.
    pub about: &'static [&'static str],
    /// The keys, in the order in which people read them.
    pub keys: &'static [Key],
}

impl Table {
    /// The key of a name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

/// A key of a table. The functions that return `Self` are the rules of a declaration.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The lines of its documentation.
    pub about: &'static [&'static str],
    /// What its value is.
    pub kind: Kind,
    /// Whether it has no value where it is left out.
    pub is_optional: bool,
    /// Whether it must not be left out.
    pub is_required: bool,
    /// Whether it is left out of what is written where it is false or 0.
    pub is_brief: bool,
    /// Where the numbers of its value lie.
    pub range: Option<Range>,
    /// The unit of those numbers; may be empty.
    pub unit: &'static str,
    /// For curves: the first numbers of the pairs.
    pub places: Option<Places>,
    /// For lists: the least and the largest length.
    pub count: Option<(usize, usize)>,
    /// The subject of an error about a number; empty for the name of the key.
    pub noun: &'static str,
    /// What a commented text shows where the key is left out, as TOML.
    pub shown: &'static str,
    /// For tables with names: the name of the example.
    pub entry: &'static str,
    /// For tables with names and lists of tables: the lines of the example, as TOML.
    pub example: &'static [&'static str],
    /// Its default; none where it has no value.
    pub default: fn() -> Option<toml::Value>,
}

impl Key {
    /// A key without rules.
    pub const fn new(
        name: &'static str,
        about: &'static [&'static str],
        kind: Kind,
        is_optional: bool,
        default: fn() -> Option<toml::Value>,
    ) -> Self {
        Self {
            name,
            about,
            kind,
            is_optional,
            is_required: false,
            is_brief: false,
            range: None,
            unit: "",
            places: None,
            count: None,
            noun: "",
            shown: "",
            entry: "",
            example: &[],
            default,
        }
    }

    /// Numbers from `low` to `high`.
    pub const fn within(self, low: f64, high: f64) -> Self {
        Self { range: Some(Range { low, high, excludes_low: false }), ..self }
    }

    /// Numbers above `low` and up to `high`.
    pub const fn above(self, low: f64, high: f64) -> Self {
        Self { range: Some(Range { low, high, excludes_low: true }), ..self }
    }

    /// The unit of the numbers.
    pub const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Pairs are points of a curve: their first numbers increase and lie from `low` to `high`. `noun` is what one is.
    pub const fn places(self, noun: &'static str, low: f64, high: f64, unit: &'static str) -> Self {
        Self { places: Some(Places { noun, range: Range { low, high, excludes_low: false }, unit }), ..self }
    }

    /// A list is so long.
    pub const fn count(self, least: usize, most: usize) -> Self {
        Self { count: Some((least, most)), ..self }
    }

    /// The subject of an error, such as "a share".
    pub const fn noun(self, noun: &'static str) -> Self {
        Self { noun, ..self }
    }

    /// What a commented text shows where the key is left out.
    pub const fn shown(self, shown: &'static str) -> Self {
        Self { shown, ..self }
    }

    /// An example of a table with a name, or of a table in a list (whose name is empty).
    pub const fn example(self, entry: &'static str, example: &'static [&'static str]) -> Self {
        Self { entry, example, ..self }
    }

    /// The key must not be left out.
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// The key is left out of what is written where it is false or 0.
    pub const fn brief(self) -> Self {
        Self { is_brief: true, ..self }
    }

    /// Its documentation as one paragraph.
    pub fn sentences(&self) -> String {
        paragraph(self.about)
    }

    /// Where its numbers lie, such as "above 0 and at most 100 limb radii".
    pub fn limits(&self) -> Option<String> {
        let range = self.range.map(|range| with_unit(range.to_string(), self.unit));
        match (self.places, range) {
            (Some(Places { noun, range: places, unit }), Some(values)) => {
                Some(format!("{noun}s {} and values {values}", with_unit(places.to_string(), unit)))
            }
            (_, range) => range,
        }
    }

    /// The help of an option: its sentences and its limits.
    pub fn help(&self) -> String {
        match self.limits() {
            Some(limits) => format!("{} {}.", self.sentences(), capitalized(&limits)),
            None => self.sentences(),
        }
    }

    /// Its default as people write it; none where it has no value.
    pub fn default_text(&self) -> Option<String> {
        (self.default)().map(|value| match value {
            toml::Value::String(text) => text,
            toml::Value::Float(number) => number.to_string(),
            other => other.to_string(),
        })
    }

    /// Refuses a number out of range.
    pub fn check(&self, value: f64) -> Result<(), String> {
        self.check_as(self.name, value)
    }

    /// Refuses a number out of range, with another subject if the declaration has none.
    pub(crate) fn check_as(&self, noun: &str, value: f64) -> Result<(), String> {
        let noun = if self.noun.is_empty() { noun } else { self.noun };
        self.range.map_or(Ok(()), |range| range.check(noun, self.unit, value))
    }

    /// Refuses a list of a wrong length.
    pub(crate) fn check_count(&self, length: usize) -> Result<(), String> {
        match self.count {
            Some((least, most)) if !(least..=most).contains(&length) => {
                Err(format!("{} must have {least} to {most} entries, not {length}", self.name))
            }
            _ => Ok(()),
        }
    }
}

/// Where numbers lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The lowest, or the number that all are above.
    pub low: f64,
    /// The highest.
    pub high: f64,
    /// Whether the lowest is not one of them.
    pub excludes_low: bool,
}

impl Range {
    /// Whether a number lies there.
    pub fn contains(&self, value: f64) -> bool {
        let is_high_enough = if self.excludes_low { value > self.low } else { value >= self.low };
        is_high_enough && value <= self.high
    }

    fn check(&self, noun: &str, unit: &str, value: f64) -> Result<(), String> {
        if self.contains(value) {
            return Ok(());
        }
        Err(format!("{noun} must be {}, not {value}", with_unit(self.to_string(), unit)))
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { low, high, excludes_low } = self;
        if *excludes_low { write!(f, "above {low} and at most {high}") } else { write!(f, "from {low} to {high}") }
    }
}

/// The first numbers of a curve's points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Places {
    /// What one is, such as "angle".
    pub noun: &'static str,
    /// Where they lie.
    pub range: Range,
    /// Their unit; may be empty.
    pub unit: &'static str,
}

impl Places {
    /// Refuses a curve without points, and places that are out of range or do not increase.
    pub(crate) fn check(&self, places: &[f64]) -> Result<(), String> {
        let Self { noun, range, unit } = self;
        if places.is_empty() {
            return Err("a curve needs at least one point".into());
        }
        places.iter().try_for_each(|&place| range.check(&format!("the {noun} of a curve's point"), unit, place))?;
        match places.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => Err(format!("the {noun}s of a curve must increase, but {} comes after {}", pair[1], pair[0])),
            None => Ok(()),
        }
    }
}

/// What a value is.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// True or false.
    Bool,
    /// A number.
    Number,
    /// A whole number from 0.
    Whole,
    /// A text.
    Text,
    /// A number, or a curve of pairs.
    Keys,
    /// One of some names.
    Choice(&'static Choices),
    /// So many values of one kind.
    Array(&'static Kind, usize),
    /// Values of these kinds.
    Tuple(&'static [Kind]),
    /// Any number of values.
    List(&'static Kind),
    /// A table of keys.
    Table(&'static Table),
    /// Values by name.
    Named(&'static Kind),
}

impl Kind {
    /// Whether it stands under a header of its own in TOML.
    pub(crate) fn is_tabular(&self) -> bool {
        matches!(self, Self::Table(_) | Self::Named(_) | Self::List(Self::Table(_)))
    }
}

/// Names that a value can have.
#[derive(Debug, Clone, Copy)]
pub struct Choices {
    /// The name of the type.
    pub name: &'static str,
    /// The lines of its documentation.
    pub about: &'static [&'static str],
    /// The choices, in the order of the help.
    pub all: &'static [Choice],
}

/// A name that a value can have.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The name.
    pub name: &'static str,
    /// The lines of its documentation.
    pub about: &'static [&'static str],
}

impl Choice {
    /// Its documentation as one paragraph.
    pub fn sentences(&self) -> String {
        paragraph(self.about)
    }
}

pub(crate) fn paragraph(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

pub(crate) fn capitalized(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

fn with_unit(range: String, unit: &str) -> String {
    if unit.is_empty() { range } else { format!("{range} {unit}") }
}
