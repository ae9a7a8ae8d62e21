//! The arrows of ARCHITECTURE.md: every crate uses only those above it in the table of crates, and no two modules use
//! each other.
//!
//! Crates are read from their manifests, modules from their `use` lines; a name that a parent module re-exports counts
//! for the module it comes from. Tests may use anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module by its path from the root of its crate.
type Module = Vec<String>;

/// The root of the workspace.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The crates of ARCHITECTURE.md's table, in its order.
fn crates_of_the_table(text: &str) -> Vec<String> {
    let section = text.split("\n## Crates\n").nth(1).unwrap_or_default().split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    rows.map(|(name, _)| name.to_string()).collect()
}

/// The crates of the workspace that a manifest's dependencies name; those for tests alone do not count.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut is_counted = false;
    let mut names = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_counted = line.ends_with("dependencies]") && !line.contains("dev-dependencies");
        } else if is_counted && line.starts_with("sinew") {
            names.extend(line.split(['.', ' ', '=']).next().map(String::from));
        }
    }
    names
}

/// The source files of a folder and those below, each with the path of its module.
fn modules(folder: &Path, path: &Module, found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let (file, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if file.is_dir() {
            let below = path.iter().cloned().chain([name]).collect();
            modules(&file, &below, found);
        } else if let Some(stem) = name.strip_suffix(".rs").filter(|stem| *stem != "tests") {
            let is_folder = matches!(stem, "lib" | "main" | "mod");
            let own = path.iter().cloned().chain((!is_folder).then(|| stem.to_string())).collect();
            let text = fs::read_to_string(&file).expect("a source file");
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_string();
            found.insert(own, code);
        }
    }
}

/// The paths of a tree such as `a::{b, c::d}`.
fn expand(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let name = tree.split(" as ").next().unwrap_or_default();
        return vec![name.split("::").map(|part| part.trim().to_string()).collect()];
    };
    let before: Vec<String> = tree[..open].split("::").filter(|part| !part.is_empty()).map(String::from).collect();
    let inside = tree[open + 1..].trim_end().trim_end_matches('}');
    let (mut items, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, character) in inside.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&inside[start..at]);
                start = at + 1;
            }
            _ => (),
        }
    }
    items.push(&inside[start..]);
    let items = items.into_iter().filter(|item| !item.trim().is_empty());
    items.flat_map(expand).map(|path| before.iter().cloned().chain(path).collect()).collect()
}

/// The paths that a file's `use` lines name, and whether each is passed on with `pub`.
fn uses(code: &str) -> Vec<(Vec<String>, bool)> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let line = rest[..at].rsplit('\n').next().unwrap_or_default().trim();
        rest = &rest[at + 4..];
        if !(line.is_empty() || line.starts_with("pub") && !line.contains(' ')) {
            continue;
        }
        let Some((statement, after)) = rest.split_once(';') else { break };
        found.extend(expand(&statement.replace('\n', " ")).into_iter().map(|path| (path, !line.is_empty())));
        rest = after;
    }
    found
}

/// The module in which a path used by another one ends.
fn resolve(user: &Module, path: &[String], found: &BTreeMap<Module, String>) -> Option<Module> {
    let mut at: Module = user.clone();
    let mut parts = path;
    match parts.first()?.as_str() {
        "crate" => (at, parts) = (Vec::new(), &parts[1..]),
        "self" => parts = &parts[1..],
        "super" => {
            while parts.first().is_some_and(|part| part == "super") {
                at.pop();
                parts = &parts[1..];
            }
        }
        first => {
            let child: Module = user.iter().cloned().chain([first.to_string()]).collect();
            found.contains_key(&child).then_some(())?;
        }
    }
    for part in parts {
        let child: Module = at.iter().cloned().chain([part.clone()]).collect();
        if found.contains_key(&child) {
            at = child;
            continue;
        }
        let exports = uses(found.get(&at)?).into_iter().filter(|(_, is_public)| *is_public);
        let source = exports.map(|(path, _)| path).find(|path| path.last() == Some(part) && path.len() > 1);
        return match source.and_then(|path| resolve(&at, &path, found)) {
            Some(module) => Some(module),
            None => Some(at),
        };
    }
    Some(at)
}

/// The modules of a folder that use each other, in a circle.
fn circle(arrows: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    let reached = |from: &String| {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut next: Vec<&String> = arrows.get(from).into_iter().flatten().collect();
        while let Some(module) = next.pop() {
            if seen.insert(module.clone()) {
                next.extend(arrows.get(module).into_iter().flatten());
            }
        }
        seen
    };
    let is_in = |module: &&String| reached(module).contains(*module);
    let first = arrows.keys().find(is_in)?;
    let members = reached(first).into_iter().filter(|module| reached(module).contains(first));
    Some(members.collect())
}

#[test]
fn every_crate_uses_only_those_above_it() {
    let table = crates_of_the_table(&fs::read_to_string(workspace().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md"));
    let place = |name: &str| table.iter().position(|known| known == name);
    for entry in fs::read_dir(workspace().join("crates")).expect("the crates").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(manifest) = fs::read_to_string(entry.path().join("Cargo.toml")) else { continue };
        let own = place(&name).unwrap_or_else(|| panic!("{name} is not in the table of crates of ARCHITECTURE.md"));
        for used in dependencies(&manifest) {
            assert!(place(&used).is_some_and(|place| place < own), "{name} must not use {used}, which is not above it");
        }
    }
    for name in &table {
        assert!(workspace().join("crates").join(name).is_dir(), "ARCHITECTURE.md names {name}, which does not exist");
    }
}

#[test]
fn no_two_modules_use_each_other() {
    let mut circles = Vec::new();
    for entry in fs::read_dir(workspace().join("crates")).expect("the crates").flatten() {
        let sources = entry.path().join("src");
        if !sources.is_dir() {
            continue;
        }
        let mut found = BTreeMap::new();
        modules(&sources, &Vec::new(), &mut found);
        let mut folders: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for (user, code) in &found {
            for used in uses(code).iter().filter_map(|(path, _)| resolve(user, path, &found)) {
                let common = user.iter().zip(&used).take_while(|(a, b)| a == b).count();
                if let (Some(from), Some(to)) = (user.get(common), used.get(common)) {
                    let arrows = folders.entry(user[..common].to_vec()).or_default();
                    arrows.entry(from.clone()).or_default().insert(to.clone());
                }
            }
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        let each = folders.iter().filter_map(|(folder, arrows)| Some((folder.join("::"), circle(arrows)?)));
        circles.extend(each.map(|(folder, members)| format!("{name} {folder}: {}", members.join(", "))));
    }
    assert!(circles.is_empty(), "modules that use each other:\n{}", circles.join("\n"));
}

#[test]
fn trees_of_use_lines_are_read() {
    let code = "use a::{b, c::{d as e, f}};\npub(crate) use super::g;\nlet reuse = 3;\n";
    let paths: Vec<String> = uses(code).iter().map(|(path, public)| format!("{} {public}", path.join("::"))).collect();
    assert_eq!(paths, ["a::b false", "a::c::d false", "a::c::f false", "super::g true"]);
}

#[test]
fn circles_are_found() {
    let arrows = |pairs: &[(&str, &str)]| {
        let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (a, b) in pairs {
            arrows.entry((*a).into()).or_default().insert((*b).into());
        }
        arrows
    };
    assert_eq!(circle(&arrows(&[("a", "b"), ("b", "c")])), None);
    assert_eq!(circle(&arrows(&[("a", "b"), ("b", "c"), ("c", "b")])), Some(vec!["b".into(), "c".into()]));
}
