//! Files that are whole or absent.

use crate::unfinished::Unfinished;
use crate::{Error, Problem};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file under construction beside its destination; [`AtomicFile::finish`] renames it into place.
/// Dropped before that, it leaves nothing behind.
pub struct AtomicFile {
    path: PathBuf,
    file: BufWriter<tempfile::NamedTempFile>,
    unfinished: Unfinished,
}

impl AtomicFile {
    /// Begins a file in the destination's folder. What is there and is no regular file, a pipe or a device, is refused.
    pub fn new(path: &Path) -> Result<Self, Error> {
        check_destination(path).map_err(|problem| problem.at(path))?;
        let folder = folder_of(path);
        let (file, unfinished) =
            Unfinished::file(folder).map_err(|error| cannot_write_into(folder, &error).at(path))?;
        Ok(Self { path: path.into(), file: BufWriter::new(file), unfinished })
    }

    /// Puts the finished file in place, with the permissions of the file that it replaces. Its bytes are on the disk
    /// before its name is, so that not even a power failure leaves half of it.
    pub fn finish(self) -> Result<(), Error> {
        let Self { path, file, unfinished } = self;
        let put = || -> std::io::Result<()> {
            let file = file.into_inner().map_err(|error| error.into_error())?;
            if let Ok(replaced) = path.metadata() {
                file.as_file().set_permissions(replaced.permissions())?;
            }
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        let result = put().map_err(|error| Problem::from(without_path(error)).at(&path));
        drop(unfinished);
        result
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
        self.file.write(bytes).map_err(without_path)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush().map_err(without_path)
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, position: SeekFrom) -> std::io::Result<u64> {
        self.file.seek(position).map_err(without_path)
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

/// Refuses a destination that cannot be replaced by a file.
fn check_destination(path: &Path) -> Result<(), Problem> {
    let Ok(present) = path.metadata() else { return Ok(()) };
    if present.is_file() {
        return Ok(());
    }
    let what = if present.is_dir() { "there is a folder of this name" } else { "this is a pipe or a device, no file" };
    Err(Problem::unsupported(what, "choose another name"))
}

/// An error without the temporary file's name, which the user does not know.
fn without_path(error: std::io::Error) -> std::io::Error {
    let text = error.to_string();
    std::io::Error::new(error.kind(), text.split(" at path ").next().unwrap_or(&text).to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_new_file_has_the_usual_mode_and_a_replaced_one_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let (usual, ours) = (folder.path().join("usual"), folder.path().join("ours"));
        std::fs::write(&usual, "").unwrap();
        AtomicFile::write(&ours, b"1").unwrap();
        assert_eq!(mode(&ours), mode(&usual));
        for wanted in [0o600, 0o664] {
            std::fs::set_permissions(&ours, std::fs::Permissions::from_mode(wanted)).unwrap();
            AtomicFile::write(&ours, b"2").unwrap();
            assert_eq!((mode(&ours), std::fs::read(&ours).unwrap()), (wanted, b"2".to_vec()));
        }
    }

    #[test]
    fn folders_and_devices_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: &Path| AtomicFile::write(path, b"1").unwrap_err().to_string();
        assert!(refused(folder.path()).contains("folder"), "{}", refused(folder.path()));
        let device = folder.path().join("null.glb");
        std::os::unix::fs::symlink("/dev/null", &device).unwrap();
        assert!(refused(&device).contains("device"), "{}", refused(&device));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left");
    }
}
