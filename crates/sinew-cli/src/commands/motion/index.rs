//! `sinew motion index`: a folder of motions, prepared for searching.

use crate::failure::{Result, refuse};
use crate::terminal::{note, print, progress, warn};
use clap::Args;
use sinew_io::AtomicFile;
use sinew_tasks::Error;
use sinew_tasks::motion::library::{Changes, Library};
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
    #[arg(short, long, value_name = "OUT.npz")]
    output: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { folder, output } = arguments;
    if output.extension().is_none_or(|extension| extension != "npz") {
        refuse!("{}: an index is written as .npz", output.display());
    }
    // Whether it can be written is known before the work.
    drop(AtomicFile::new(output)?);
    let before = match output.exists() {
        true => Library::open(output).unwrap_or_else(|error| {
            note(format_args!("warning: {}; every motion is read again", error.one_sentence()));
            Library::default()
        }),
        false => Library::default(),
    };
    let (mut library, changes) = read_folder(folder, before)?;
    let bar = progress::spinner("linking windows");
    library.make_approximate_if_large()?;
    bar.finish_and_clear();
    library.save(output)?;
    let Changes { read, unchanged, removed } = changes;
    print(format_args!(
        "{}: {} clips, {} windows; {read} files read, {unchanged} unchanged, {removed} removed",
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
            warn(&file.file, problem);
        }
    }
    if library.clip_count() == 0 {
        return Err(Error::NoMotions { path: folder.into() }.into());
    }
    Ok((library, changes))
}
