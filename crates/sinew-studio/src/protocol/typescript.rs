//! `web/types/protocol.d.ts`: the messages for the page, generated from the types of this module.

use super::{Answer, Request};
use std::collections::BTreeMap;
use std::path::Path;
use ts_rs::{Config, TS, TypeVisitor};

const COMMAND: &str = "SINEW_BLESS=1 cargo test -p sinew-studio --lib typescript";

/// The types of `recipe.d.ts` that messages refer to.
const RECIPE_TYPES: [&str; 10] = [
    "BindMethodKind",
    "ControllerKind",
    "GammaSource",
    "Keys",
    "MusclePlace",
    "OperatorKind",
    "ProfileKind",
    "Recipe",
    "SkinMethod",
    "VolumeMethod",
];

/// Declarations by name.
struct Declarations {
    config: Config,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only derived types have a file of their own; all others, such as maps, have no declaration.
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(&self.config);
        if self.found.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        self.found.insert(name, format!("{docs}export {}", T::decl(&self.config)));
        T::visit_dependencies(self);
    }
}

fn generated() -> String {
    let config = Config::new().with_large_int("number").with_array_tuple_limit(4);
    let mut declarations = Declarations { config, found: BTreeMap::new() };
    declarations.visit::<Request>();
    declarations.visit::<Answer>();
    let body: Vec<String> = declarations.found.values().map(|declaration| formatted(declaration)).collect();
    format!(
        "// Generated from the Rust types in src/protocol; do not edit. To write it again:\n// {COMMAND}\n\n\
         import type {{\n  {},\n}} from \"./recipe\";\n\n{}",
        RECIPE_TYPES.join(",\n  "),
        body.join("\n")
    )
}

/// A block without comments that is no longer than this stays on one line.
const SHORT: usize = 100;

/// A declaration with one field on a line, and one variant where variants have fields.
fn formatted(declaration: &str) -> String {
    let is_tagged_union = declaration.contains("{ \"type\"");
    let mut text = String::new();
    // Open brackets; a comma ends a line only directly inside of braces.
    let mut open: Vec<char> = Vec::new();
    let mut rest = declaration.trim_end_matches(';');
    while let Some(next) = rest.chars().next() {
        let depth = open.iter().filter(|&&bracket| bracket == '{').count();
        if let Some((words, after)) = rest.strip_prefix("/**").and_then(|comment| comment.split_once("*/")) {
            let words = words.split_whitespace().filter(|word| *word != "*");
            new_line(&mut text, depth);
            text.push_str(&format!("/** {} */", words.collect::<Vec<_>>().join(" ")));
            new_line(&mut text, depth);
            rest = after.trim_start();
            continue;
        }
        if let Some((block, after)) = short_block(rest) {
            text.push_str(&format!("{{ {} }}", block.trim().trim_end_matches(',').replace(',', ";")));
            rest = after;
            continue;
        }
        rest = &rest[next.len_utf8()..];
        match next {
            '{' => {
                text.push(next);
                open.push(next);
                new_line(&mut text, depth + 1);
                rest = rest.trim_start();
            }
            '}' => {
                open.pop();
                new_line(&mut text, depth - 1);
                text.push(next);
            }
            ',' if open.last() == Some(&'{') => {
                text.push(';');
                new_line(&mut text, depth);
                rest = rest.trim_start();
            }
            '=' | '|' if open.is_empty() && is_tagged_union => {
                if next == '=' {
                    text.push(next);
                }
                new_line(&mut text, 1);
                text.push('|');
            }
            '\n' => {}
            _ => {
                match next {
                    '[' | '(' | '<' => open.push(next),
                    ']' | ')' | '>' => drop(open.pop()),
                    _ => {}
                }
                text.push(next);
            }
        }
    }
    format!("{};\n", text.trim_end())
}

/// Begins a line, unless the last one is empty.
fn new_line(text: &mut String, depth: usize) {
    text.truncate(text.trim_end().len());
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&"  ".repeat(depth));
}

/// The inside of a short block at the beginning of a text, and what follows it.
fn short_block(text: &str) -> Option<(&str, &str)> {
    let (block, after) = text.strip_prefix('{')?.split_once('}')?;
    let is_short = block.len() <= SHORT && !block.contains("/*") && !block.contains(['{', '[']);
    is_short.then_some((block, after))
}

#[test]
fn typescript_declarations_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/types/protocol.d.ts");
    let wanted = generated();
    if std::env::var_os("SINEW_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &wanted).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "web/types/protocol.d.ts is not up to date; write it again with\n{COMMAND}");
}
