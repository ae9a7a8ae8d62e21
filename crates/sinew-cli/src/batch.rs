//! One input and one output, or several inputs into an output folder.

use crate::failure::{Result, refuse};
use crate::files::make_folder;
use crate::paths::{check_output, refuse_as_input, refuse_replacing};
use crate::terminal::{note, print};
use same_file::Handle;
use sinew_io::Format;
use sinew_tasks::Error;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The inputs with their outputs.
pub enum Inputs {
    /// A single file.
    One(PathBuf, PathBuf),
    /// Several files, each with its path in the output folder.
    Batch(Vec<(PathBuf, PathBuf)>),
}

/// Decides between a file and a batch: several inputs, or a folder, go into an output folder, with
/// `extension` for the results.
/// `others` are files that the command reads too.
pub fn plan(
    inputs: &[PathBuf],
    output: &Path,
    accepted: &[Format],
    extension: &str,
    others: &[Option<&PathBuf>],
) -> Result<Inputs> {
    if let [input] = inputs
        && !input.is_dir()
        && !output.is_dir()
        && !ends_with_separator(output)
    {
        check_output(output)?;
        refuse_replacing(input, output)?;
        return Ok(Inputs::One(input.clone(), output.into()));
    }
    if !output.is_dir() && !ends_with_separator(output) && Format::of(output).is_ok() {
        refuse!("{}: several files go into a folder, and this is the name of a file", output.display());
    }
    let mut files = Vec::new();
    for input in inputs {
        if !input.is_dir() {
            files.push(input.clone());
            continue;
        }
        let mut inside: Vec<PathBuf> = std::fs::read_dir(input)
            .map_err(|source| Error::Io { action: "list", path: input.clone(), source })?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| Format::of(path).is_ok_and(|format| accepted.contains(&format)))
            .collect();
        inside.sort();
        files.append(&mut inside);
    }
    if files.is_empty() {
        let known: Vec<_> = accepted.iter().map(|f| format!(".{}", f.extension())).collect();
        refuse!("there is no file to work on; a folder must contain one of {}", known.join(", "));
    }
    let pieces = name_outputs(files, output, extension);
    let mut taken = HashSet::new();
    let inputs = pieces.iter().map(|(input, _)| input).chain(others.iter().copied().flatten());
    let read: HashSet<Handle> = inputs.filter_map(|input| Handle::from_path(input).ok()).collect();
    for (_, output) in &pieces {
        if Handle::from_path(output).is_ok_and(|file| read.contains(&file)) {
            refuse_as_input(output)?;
        }
        if !taken.insert(output) {
            refuse!("two inputs would be written to {}; rename one, or use two folders", output.display());
        }
    }
    Ok(Inputs::Batch(pieces))
}

/// `a.glb` becomes `OUT/a.EXT`; where two inputs have the same stem, their extension stays in the name.
fn name_outputs(files: Vec<PathBuf>, folder: &Path, extension: &str) -> Vec<(PathBuf, PathBuf)> {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_os_string();
    let mut seen = HashSet::new();
    let repeated: HashSet<_> = files.iter().map(|f| stem(f)).filter(|s| !seen.insert(s.clone())).collect();
    let place = |file: &Path| {
        let mut name = if repeated.contains(&stem(file)) {
            file.file_name().unwrap_or_default().to_os_string()
        } else {
            stem(file)
        };
        name.push(format!(".{extension}"));
        folder.join(name)
    };
    files.into_iter().map(|file| (file.clone(), place(&file))).collect()
}

fn ends_with_separator(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

/// Makes the output folder, works on every file, continues after failures, and prints a summary.
pub fn run(pieces: &[(PathBuf, PathBuf)], mut work: impl FnMut(&Path, &Path) -> Result<()>) -> Result<()> {
    let mut failures = 0;
    if let Some(folder) = pieces.first().and_then(|(_, output)| output.parent()) {
        make_folder(folder)?;
    }
    for (input, output) in pieces {
        match work(input, output) {
            Ok(()) => print(format_args!("{} -> {}", input.display(), output.display()))?,
            Err(failure) => {
                failures += 1;
                let (file, message) = (input.display().to_string(), failure.message());
                let place = if message.contains(&file) { String::new() } else { format!("{file}: ") };
                note(format_args!("error: {place}{message}"));
            }
        }
    }
    print(format_args!("{} of {} files done", pieces.len() - failures, pieces.len()))?;
    if failures > 0 {
        let folder = pieces.first().and_then(|(_, output)| output.parent()).unwrap_or(Path::new("."));
        refuse!("{}: {failures} of {} files failed; see above", folder.display(), pieces.len());
    }
    Ok(())
}
