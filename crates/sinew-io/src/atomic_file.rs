//! Files that are whole or absent.

use crate::{Error, Problem};
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file under construction beside its destination; [`AtomicFile::finish`] renames it into place.
/// Dropped before that, it leaves nothing behind.
pub struct AtomicFile {
    path: PathBuf,
    file: BufWriter<tempfile::NamedTempFile>,
}

impl AtomicFile {
    /// Begins a file in the destination's folder.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let folder = folder_of(path);
        let file = tempfile::Builder::new().prefix(".sinew-").tempfile_in(folder);
        let file = file.map_err(|error| cannot_write_into(folder, &error).at(path))?;
        Ok(Self { path: path.into(), file: BufWriter::new(file) })
    }

    /// Puts the finished file in place.
    pub fn finish(self) -> Result<(), Error> {
        let Self { path, file } = self;
        let file = file.into_inner().map_err(|error| Problem::from(error.into_error()).at(&path))?;
        set_usual_permissions(file.as_file()).map_err(|error| Problem::from(error).at(&path))?;
        file.persist(&path).map_err(|error| Problem::from(error.error).at(&path))?;
        Ok(())
    }

    /// Writes a whole file at once.
    pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let mut file = Self::new(path)?;
        file.write_all(bytes).map_err(|error| Problem::from(error).at(path))?;
        file.finish()
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, position: SeekFrom) -> std::io::Result<u64> {
        self.file.seek(position)
    }
}

/// The folder that a file lies in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The reason why a temporary file could not be created. The error itself names that file, which the user does not
/// know.
pub(crate) fn cannot_write_into(folder: &Path, error: &std::io::Error) -> Problem {
    let shown = folder.display();
    if !folder.exists() {
        return Problem::unsupported(format!("there is no folder \"{shown}\""), "make it first or write elsewhere");
    }
    let what = format!("nothing can be written into \"{shown}\": {}", error.kind());
    Problem::unsupported(what, "choose a folder that you may write into")
}

/// Temporary files are private to their owner; a finished one is readable as any other.
#[cfg(unix)]
fn set_usual_permissions(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_usual_permissions(_file: &File) -> std::io::Result<()> {
    Ok(())
}
