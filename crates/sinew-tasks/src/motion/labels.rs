//! The classes of motions: a CSV with the columns `file` and `class`; other columns are ignored.

use super::library::{self, Listed};
use crate::{Context, Error, Result, files};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A motion with its class.
#[derive(Debug, PartialEq)]
pub struct Label {
    /// The file: its path from a folder, or its name alone.
    pub file: String,
    /// The class.
    pub class: String,
}

/// Reads a table of labels.
pub fn read(path: &Path) -> Result<Vec<Label>> {
    parse(&files::read_text(path)?).with_context(|| path.display().to_string())
}

fn parse(text: &str) -> Result<Vec<Label>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let header = lines.next().map(|(_, line)| cells(line)).unwrap_or_default();
    let column = |name: &'static str| {
        let place = header.iter().position(|cell| cell.trim().eq_ignore_ascii_case(name));
        place.ok_or(Error::LabelColumn { column: name })
    };
    let (file, class) = (column("file")?, column("class")?);
    let mut labels = Vec::new();
    for (number, line) in lines {
        let cells = cells(line);
        match (cells.get(file), cells.get(class)) {
            (Some(file), Some(class)) if !file.trim().is_empty() && !class.trim().is_empty() => {
                labels.push(Label { file: file.trim().into(), class: class.trim().into() });
            }
            _ => return Err(Error::LabelLine { line: number + 1 }),
        }
    }
    if labels.is_empty() {
        return Err(Error::NoLabels);
    }
    Ok(labels)
}

/// The cells of a line; in quotes a comma is a comma, and two quotes are one.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let cell = cells.len() - 1;
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cells[cell].push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells[cell].push(letter),
        }
    }
    cells
}

/// The paths of labelled files in a folder: by their path from there, or by their name alone in the folders inside it.
pub fn find(folder: &Path, labels: &[Label]) -> Result<Vec<PathBuf>> {
    let mut by_name: HashMap<String, Vec<PathBuf>> = HashMap::new();
    for Listed { path, .. } in library::list(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        by_name.entry(name).or_default().push(path);
    }
    let place = |label: &Label| {
        let direct = folder.join(&label.file);
        if direct.is_file() {
            return Ok(direct);
        }
        match by_name.get(&label.file).map(Vec::as_slice) {
            Some([only]) => Ok(only.clone()),
            Some(several) => {
                Err(Error::AmbiguousLabel { file: label.file.clone(), count: several.len(), folder: folder.into() })
            }
            None => Err(Error::LabelWithoutFile { file: label.file.clone(), folder: folder.into() }),
        }
    };
    labels.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_and_quotes_are_understood() {
        let text = "subject,class,note,file\n1,walk,\"slow, \"\"old\"\"\",a.bvh\n\n2,run,,b.bvh\n";
        let label = |file: &str, class: &str| Label { file: file.into(), class: class.into() };
        assert_eq!(parse(text).unwrap(), [label("a.bvh", "walk"), label("b.bvh", "run")]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert!(error("file,kind\na,b").contains("\"class\""));
        assert!(error("file,class\na.bvh\n").contains("line 2"));
        assert!(error("file,class\n").contains("no file"));
        assert!(error("").contains("\"file\""));
    }
}
