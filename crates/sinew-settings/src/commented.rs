//! Settings as TOML that a person edits: every key with its value, what it means, its limits and its unit.

use crate::Settings;
use crate::schema::{Key, Kind, Table};
use toml::Value;

/// The longest line.
const WIDTH: usize = 110;

/// Every key with its value and a comment, which reads back as the same settings.
///
/// A key without a value stands behind a `#`, with what `held` has in its place, or else with what its declaration
/// shows. Tables with names and lists of tables have their example behind a `#`.
///
/// # Panics
/// If a whole number is beyond those of TOML, which end at 2⁶³.
pub fn commented<T: Settings>(settings: &T, held: &toml::Table) -> String {
    let values = toml::Table::try_from(settings).expect("whole numbers below 2^63");
    let mut text = Text::default();
    text.table(&T::TABLE, "", &values, held);
    text.0
}

/// A text that grows line by line.
#[derive(Default)]
struct Text(String);

impl Text {
    fn table(&mut self, table: &Table, path: &str, values: &toml::Table, held: &toml::Table) {
        let (tables, plain): (Vec<&Key>, Vec<&Key>) = table.keys.iter().partition(|key| key.kind.is_tabular());
        for key in plain {
            self.comment(&key.help());
            self.choices(key);
            match (values.get(key.name), held.get(key.name)) {
                (Some(value), _) => self.line(&format!("{} = {}", key.name, inline(value))),
                (None, Some(value)) => self.line(&format!("#{} = {}", key.name, inline(value))),
                (None, None) => self.line(&format!("#{} = {}", key.name, key.shown)),
            }
        }
        for key in tables {
            let path = if path.is_empty() { key.name.into() } else { format!("{path}.{}", key.name) };
            self.below(key, &path, values.get(key.name), held.get(key.name));
        }
    }

    /// A key that has tables of its own.
    fn below(&mut self, key: &Key, path: &str, value: Option<&Value>, held: Option<&Value>) {
        match (key.kind, value) {
            (Kind::Table(table), Some(Value::Table(values))) => {
                self.header(&format!("[{path}]"));
                self.comment(&key.help());
                self.0.push('\n');
                self.table(table, path, values, held.and_then(Value::as_table).unwrap_or(&toml::Table::new()));
            }
            (Kind::Named(Kind::Table(table)), Some(Value::Table(entries))) => {
                self.example(key, &format!("[{path}.{}]", bare(key.entry)));
                for (name, entry) in entries {
                    self.entry(table, &format!("[{path}.{}]", quoted(name)), entry);
                }
            }
            (Kind::List(Kind::Table(table)), Some(Value::Array(entries))) => {
                let header = format!("[[{path}]]");
                self.example(key, &header);
                entries.iter().for_each(|entry| self.entry(table, &header, entry));
            }
            _ => {}
        }
    }

    fn example(&mut self, key: &Key, header: &str) {
        self.comment(&key.help());
        self.line(&format!("#{header}"));
        key.example.iter().for_each(|line| self.line(&format!("#{line}")));
    }

    /// A table of which only keys with values are written.
    fn entry(&mut self, table: &Table, header: &str, values: &Value) {
        self.header(header);
        for key in table.keys {
            if let Some(value) = values.get(key.name) {
                self.line(&format!("{} = {}", key.name, inline(value)));
            }
        }
    }

    fn header(&mut self, header: &str) {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.line(header);
    }

    /// A comment. Between it and the key before it is an empty line.
    fn comment(&mut self, comment: &str) {
        let before = self.0.lines().last().unwrap_or_default();
        if !before.is_empty() && !before.starts_with('[') {
            self.0.push('\n');
        }
        wrapped(comment, WIDTH).iter().for_each(|line| self.line(&format!("# {line}")));
    }

    fn choices(&mut self, key: &Key) {
        let Kind::Choice(choices) = key.kind else { return };
        for choice in choices.all {
            let lines = wrapped(&format!("{}: {}", quoted(choice.name), choice.sentences()), WIDTH - 4);
            for (k, line) in lines.iter().enumerate() {
                self.line(&format!("#   {}{line}", if k == 0 { "" } else { "  " }));
            }
        }
    }

    fn line(&mut self, line: &str) {
        self.0 += line;
        self.0.push('\n');
    }
}

/// A paragraph in lines of at most so many characters, if its words are not longer.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// A value on one line. A number with a fraction is seen to be one.
fn inline(value: &Value) -> String {
    match value {
        Value::Float(number) if number.is_nan() => "nan".into(),
        Value::Float(number) => format!("{number:?}"),
        Value::String(text) => quoted(text),
        Value::Array(values) => format!("[{}]", values.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Table(table) => {
            let entries: Vec<String> =
                table.iter().map(|(name, value)| format!("{} = {}", bare(name), inline(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Value::Boolean(_) | Value::Integer(_) | Value::Datetime(_) => value.to_string(),
    }
}

/// A key without quotes, if it can be without.
fn bare(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(is_bare) { name.into() } else { quoted(name) }
}

/// A basic string of TOML, which is also one of JavaScript.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => quoted += &format!("\\u{:04X}", u32::from(control)),
            character => quoted.push(character),
        }
    }
    quoted + "\""
}
