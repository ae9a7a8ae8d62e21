//! Files and folders under construction, so that a program that is interrupted leaves none behind.

use std::collections::BTreeSet;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempDir};

/// The beginning of the names of hidden files and folders beside results.
pub(crate) const PREFIX: &str = ".sinew-";

/// A signal ends the whole process, so there is one list in it.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn list() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all files and folders under construction, for a program that is interrupted and ends right after. A thread
/// that wants to begin or finish one then waits for that end.
pub fn remove_unfinished_files() {
    let list = list();
    for path in &*list {
        let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    }
    std::mem::forget(list);
}

/// A folder that no other user can look into, removed with all it has when it is dropped or the program is interrupted.
pub struct TemporaryFolder {
    // In this order: the folder is removed before its entry.
    folder: TempDir,
    _entry: Unfinished,
}

impl TemporaryFolder {
    /// Creates the folder inside another, with a name that begins so.
    pub fn new(parent: &Path, prefix: &str) -> Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let mut list = list();
        let folder = builder.tempdir_in(parent)?;
        list.insert(folder.path().into());
        let entry = Unfinished(folder.path().into());
        Ok(Self { folder, _entry: entry })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The entry of a file or folder in the list, removed from it when dropped.
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    /// Creates a hidden file in a folder, with the permissions of any new file.
    pub fn file(folder: &Path) -> Result<(NamedTempFile, Self)> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut list = list();
        let file = builder.tempfile_in(folder)?;
        list.insert(file.path().into());
        let entry = Self(file.path().into());
        Ok((file, entry))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        list().remove(&self.0);
    }
}
