//! Settings for a page: their types for TypeScript, and a module with their limits.

use crate::commented::{quoted, wrapped};
use crate::schema::{Choices, Key, Kind, Range, Table, paragraph};

/// The longest line of a comment.
const WIDTH: usize = 112;

/// The types of tables, and of what they hold, as a file of declarations.
///
/// They are what [`Settings`](crate::Settings) are written as: a key that may have no value is optional.
pub fn types(tables: &[&'static Table]) -> String {
    let found = Found::of(tables);
    let mut text = String::from(
        "export type Vector3 = [number, number, number];\n\
         /** A point of a curve: place (or seconds) and value. */\n\
         export type Point = [number, number];\n\
         /** One value, or values at moments of a clip. */\n\
         export type Keys = number | Point[];\n",
    );
    for choices in found.choices {
        let names: Vec<String> = choices.all.iter().map(|choice| quoted(choice.name)).collect();
        text += &format!(
            "\n{}export type {} = {};\n",
            comment(&paragraph(choices.about), ""),
            choices.name,
            names.join(" | ")
        );
    }
    for table in found.tables {
        text += &format!("\n{}export interface {} {{\n", comment(&paragraph(table.about), ""), table.type_name());
        for key in table.keys {
            let mark = if key.is_optional || key.is_brief { "?" } else { "" };
            text += &format!("{}  {}{mark}: {};\n", comment(&key.help(), "  "), key.name, type_of(&key.kind));
        }
        text += "}\n";
    }
    text
}

/// A module whose `schema` has for each table, by the name of its type, and each key: `kind`, `min` (or `above`), `max`
/// and `unit` of its numbers, `places` of a curve's points, `count` of a list, `default`, and its sentences as `about`.
pub fn schema(tables: &[&'static Table]) -> String {
    let mut text = String::from("export const schema = {\n");
    for table in Found::of(tables).tables {
        text += &format!("  {}: {{\n", table.type_name());
        for key in table.keys {
            text += &format!("    {}: {{ {} }},\n", key.name, facts(key).join(", "));
        }
        text += "  },\n";
    }
    text + "};\n"
}

impl Table {
    /// The name of its type on a page: options that belong to a recipe are called so there.
    fn type_name(&self) -> String {
        self.name.strip_suffix("Options").map_or_else(|| self.name.into(), |name| format!("{name}Recipe"))
    }
}

/// Tables and choices, each once, those that others hold first.
#[derive(Default)]
struct Found {
    tables: Vec<&'static Table>,
    choices: Vec<&'static Choices>,
}

impl Found {
    fn of(tables: &[&'static Table]) -> Self {
        let mut found = Self::default();
        tables.iter().for_each(|table| found.add(&Kind::Table(table)));
        found
    }

    fn add(&mut self, kind: &Kind) {
        match *kind {
            Kind::Table(table) if self.tables.iter().all(|known| known.name != table.name) => {
                table.keys.iter().for_each(|key| self.add(&key.kind));
                self.tables.push(table);
            }
            Kind::Choice(choices) if self.choices.iter().all(|known| known.name != choices.name) => {
                self.choices.push(choices);
            }
            Kind::Array(kind, _) | Kind::List(kind) | Kind::Named(kind) => self.add(kind),
            Kind::Tuple(kinds) => kinds.iter().for_each(|kind| self.add(kind)),
            _ => {}
        }
    }
}

fn type_of(kind: &Kind) -> String {
    match kind {
        Kind::Bool => "boolean".into(),
        Kind::Number | Kind::Whole => "number".into(),
        Kind::Text => "string".into(),
        Kind::Keys => "Keys".into(),
        Kind::Choice(choices) => choices.name.into(),
        Kind::Array(Kind::Number, 2) => "Point".into(),
        Kind::Array(Kind::Number, 3) => "Vector3".into(),
        Kind::Array(kind, count) => format!("[{}]", vec![type_of(kind); *count].join(", ")),
        Kind::Tuple(kinds) => format!("[{}]", kinds.iter().map(type_of).collect::<Vec<_>>().join(", ")),
        Kind::List(kind) => format!("{}[]", type_of(kind)),
        Kind::Table(table) => table.type_name(),
        Kind::Named(kind) => format!("Record<string, {}>", type_of(kind)),
    }
}

/// What a page needs to know of a key.
fn facts(key: &Key) -> Vec<String> {
    let mut facts = vec![format!("kind: {}", quoted(kind_name(&key.kind)))];
    match innermost(&key.kind) {
        Kind::Choice(choices) => {
            let choices = choices.all.iter();
            let one = choices.map(|c| format!("{{ name: {}, about: {} }}", quoted(c.name), quoted(&c.sentences())));
            facts.push(format!("choices: [{}]", one.collect::<Vec<_>>().join(", ")));
        }
        Kind::Table(table) => facts.push(format!("table: {}", quoted(&table.type_name()))),
        _ => {}
    }
    facts.extend(key.range.map(|range| limits(&range, key.unit)));
    facts.extend(key.places.map(|places| format!("places: {{ {} }}", limits(&places.range, places.unit))));
    facts.extend(key.count.map(|(least, most)| format!("count: [{least}, {most}]")));
    if !key.kind.is_tabular() {
        facts.extend((key.default)().map(|value| format!("default: {}", json(&value))));
    }
    facts.push(format!("about: {}", quoted(&key.sentences())));
    facts
}

fn limits(range: &Range, unit: &str) -> String {
    let Range { low, high, excludes_low } = range;
    format!("{}: {low}, max: {high}, unit: {}", if *excludes_low { "above" } else { "min" }, quoted(unit))
}

fn innermost<'a>(kind: &'a Kind) -> &'a Kind {
    match kind {
        Kind::List(kind) | Kind::Named(kind) | Kind::Array(kind, _) => innermost(kind),
        kind => kind,
    }
}

fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Bool => "bool",
        Kind::Number => "number",
        Kind::Whole => "whole",
        Kind::Text => "text",
        Kind::Keys => "keys",
        Kind::Choice(_) => "choice",
        Kind::Array(..) | Kind::Tuple(_) => "array",
        Kind::List(_) => "list",
        Kind::Table(_) => "table",
        Kind::Named(_) => "named",
    }
}

fn comment(text: &str, indent: &str) -> String {
    let lines = wrapped(text, WIDTH - indent.len());
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let lines: String = lines.iter().map(|line| format!("{indent} * {line}\n")).collect();
            format!("{indent}/**\n{lines}{indent} */\n")
        }
    }
}

fn json(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => quoted(text),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Array(values) => format!("[{}]", values.iter().map(json).collect::<Vec<_>>().join(", ")),
        toml::Value::Table(table) => {
            let entries = table.iter().map(|(name, value)| format!("{}: {}", quoted(name), json(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
