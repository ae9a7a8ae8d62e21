//! Files in and out: loading with warnings, batches, and where results go.

use crate::say::say;
use anyhow::{Context, Result, bail};
use sinew_io::{Asset, Format, WriteAside};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Reads a file and says on stderr what was repaired or left out.
pub fn load(path: &Path) -> Result<Asset> {
    let asset = read(path)?;
    for warning in &asset.warnings {
        eprintln!("warning: {}: {warning}", path.display());
    }
    Ok(asset)
}

/// Reads a file in silence.
pub fn read(path: &Path) -> Result<Asset> {
    if path.is_dir() {
        bail!("{} is a folder; give a file", path.display());
    }
    Ok(sinew_io::load(path)?)
}

/// Reads a file that must have a mesh.
pub fn load_character(path: &Path) -> Result<Asset> {
    load_with_mesh(path, "a rigged character (.glb, .gltf or .fbx)")
}

/// Reads a file that must have a mesh, rigged or not.
pub fn load_mesh(path: &Path) -> Result<Asset> {
    load_with_mesh(path, "a mesh (.glb, .gltf, .fbx, .obj or .ply)")
}

fn load_with_mesh(path: &Path, wanted: &str) -> Result<Asset> {
    let asset = load(path)?;
    if asset.character.vertex_count() == 0 {
        bail!("{}: it has no mesh; give {wanted}", path.display());
    }
    Ok(asset)
}

/// Whether a report can be written, which is found out before the work and not after it.
pub fn check_report(path: &Path) -> Result<()> {
    if !matches!(path.extension().and_then(|e| e.to_str()), Some("json" | "html")) {
        bail!("{}: a report is written as .json or .html", path.display());
    }
    drop(WriteAside::new(path)?);
    Ok(())
}

/// A path as it is called from a folder: relative where the two have something in common.
pub fn relative(path: &Path, folder: &Path) -> Result<PathBuf> {
    let whole = |path: &Path| std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()));
    let (path, folder) = (whole(path)?, whole(folder)?);
    let common = path.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return Ok(path);
    }
    let up = folder.components().skip(common).map(|_| std::path::Component::ParentDir);
    Ok(up.chain(path.components().skip(common)).collect())
}

/// Writes text or bytes aside and renames.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    WriteAside::write(path, bytes.as_ref())?;
    Ok(())
}

/// One input with its output, or many into a folder.
pub enum Work {
    /// A single file.
    One(PathBuf, PathBuf),
    /// Several files, each with its place in the output folder.
    Batch(Vec<(PathBuf, PathBuf)>),
}

/// Decides between a file and a batch: several inputs, or a folder, go into an output folder, with
/// `extension` for the results.
pub fn plan(inputs: &[PathBuf], output: &Path, accepted: &[Format], extension: &str) -> Result<Work> {
    if let [input] = inputs
        && !input.is_dir()
        && !output.is_dir()
        && !ends_with_separator(output)
    {
        refuse_replacing(input, output)?;
        return Ok(Work::One(input.clone(), output.into()));
    }
    if !output.is_dir() && !ends_with_separator(output) && Format::of(output).is_ok() {
        bail!("{}: several files go into a folder, and this is the name of a file", output.display());
    }
    let mut files = Vec::new();
    for input in inputs {
        if !input.is_dir() {
            files.push(input.clone());
            continue;
        }
        let mut inside: Vec<PathBuf> = std::fs::read_dir(input)
            .with_context(|| format!("cannot list {}", input.display()))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| Format::of(path).is_ok_and(|format| accepted.contains(&format)))
            .collect();
        inside.sort();
        files.append(&mut inside);
    }
    if files.is_empty() {
        let known: Vec<_> = accepted.iter().map(|f| format!(".{}", f.extension())).collect();
        bail!("there is no file to work on; a folder must contain one of {}", known.join(", "));
    }
    let pieces = name_outputs(files, output, extension);
    let mut taken = HashSet::new();
    for (input, output) in &pieces {
        refuse_replacing(input, output)?;
        if !taken.insert(output) {
            bail!("two inputs would be written to {}; rename one, or use two folders", output.display());
        }
    }
    Ok(Work::Batch(pieces))
}

/// A result must not take the place of what it is made from.
pub fn refuse_replacing(input: &Path, output: &Path) -> Result<()> {
    if let (Ok(from), Ok(to)) = (input.canonicalize(), output.canonicalize())
        && from == to
    {
        bail!("{}: the result would replace its own input; give it another name or folder", output.display());
    }
    Ok(())
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

/// Makes the output folder, does every piece of a batch, goes on after failures, and sums up.
pub fn run_batch(pieces: &[(PathBuf, PathBuf)], mut work: impl FnMut(&Path, &Path) -> Result<()>) -> Result<()> {
    let mut failures = 0;
    if let Some(folder) = pieces.first().and_then(|(_, output)| output.parent()) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    for (input, output) in pieces {
        match work(input, output) {
            Ok(()) => say(format_args!("{} -> {}", input.display(), output.display()))?,
            Err(error) => {
                failures += 1;
                let (file, told) = (input.display().to_string(), sinew_tasks::one_sentence(&error));
                let place = if told.contains(&file) { String::new() } else { format!("{file}: ") };
                eprintln!("error: {place}{told}");
            }
        }
    }
    say(format_args!("{} of {} files done", pieces.len() - failures, pieces.len()))?;
    if failures > 0 {
        bail!("{failures} of {} files failed, as said above", pieces.len());
    }
    Ok(())
}
