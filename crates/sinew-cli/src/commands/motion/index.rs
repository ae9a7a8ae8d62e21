//! `sinew motion index`: a folder of motions, prepared for searching.

use crate::progress;
use crate::say::say;
use anyhow::{Result, bail};
use clap::Args;
use sinew_io::WriteAside;
use sinew_tasks::library::{Changes, Library};
use std::path::{Path, PathBuf};

/// Prepare a folder of motions for searching
///
/// All motions in the folder and in folders inside it go into one file, which NumPy opens as well. Where the file is
/// there already, only motions that have changed are read again.
#[derive(Args)]
#[command(after_help = "Example:\n  sinew motion index motions/ -o motions.npz")]
pub struct Arguments {
    /// The folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Where to write the index
    #[arg(short, long, value_name = "INDEX.npz")]
    output: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { folder, output } = arguments;
    if output.extension().is_none_or(|extension| extension != "npz") {
        bail!("{}: an index is written as .npz", output.display());
    }
    // Whether it can be written is found out before the work and not after it.
    drop(WriteAside::new(output)?);
    let before = match output.exists() {
        true => Library::open(output).unwrap_or_else(|error| {
            eprintln!("warning: {}; every motion is read again", sinew_tasks::one_sentence(&error));
            Library::default()
        }),
        false => Library::default(),
    };
    let (mut library, changes) = read_folder(folder, before)?;
    let bar = progress::spinner("linking windows");
    library.make_approximate_if_large()?;
    bar.finish_and_clear();
    library.save(output)?;
    let Changes { read, kept, removed } = changes;
    say(format_args!(
        "{}: {} clips, {} windows; {read} files read, {kept} unchanged, {removed} gone",
        output.display(),
        library.clip_count(),
        library.window_count()
    ))
}

/// The motions of a folder, with a warning for each file that cannot be searched; without any it is an error.
pub fn read_folder(folder: &Path, before: Library) -> Result<(Library, Changes)> {
    let bar = progress::spinner("reading motions");
    let result = Library::of_folder(folder, before, || bar.inc(1));
    bar.finish_and_clear();
    let (library, changes) = result?;
    for file in library.files() {
        for problem in &file.problems {
            eprintln!("warning: {}: {problem}", file.file);
        }
    }
    if library.clip_count() == 0 {
        bail!(
            "{}: there is no motion to search in it; it must contain .bvh, .amc, .glb, .gltf or .fbx files of people",
            folder.display()
        );
    }
    Ok((library, changes))
}
