//! The folder of a document, from which it may pull in other files.
//!
//! A document from elsewhere decides what is read. So it must be a regular file inside the folder after links are
//! resolved: no file from elsewhere, no device, no pipe. All files together have a budget, which is checked before
//! each is read.

use crate::atomic_file::folder_of;
use std::cell::Cell;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// The most bytes that a document may pull in: as many as half of the largest GLB has.
pub(crate) const MAX_SIDE_BYTES: u64 = 1 << 31;

/// Why more are refused.
pub(crate) const TOO_MANY_BYTES: &str = "with it, the document takes more than 2 GiB from other files";

/// The folder of a document.
pub(crate) struct Folder<'a> {
    path: &'a Path,
    bytes_left: Cell<u64>,
}

impl<'a> Folder<'a> {
    /// The folder that a file lies in.
    pub fn of(file: &'a Path) -> Self {
        Self::with_budget(file, MAX_SIDE_BYTES)
    }

    fn with_budget(file: &'a Path, bytes: u64) -> Self {
        Self { path: folder_of(file), bytes_left: Cell::new(bytes) }
    }

    /// The names of its files.
    pub fn list(&self) -> Result<Vec<String>> {
        let name = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        Ok(std::fs::read_dir(self.path)?.flatten().map(name).collect())
    }

    /// The bytes of a file, by its path from the folder.
    pub fn read(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.path.join(name).canonicalize()?;
        if !path.starts_with(self.path.canonicalize()?) {
            return Err(refusal("it is a link to a file outside the folder; put a copy there instead"));
        }
        let found = path.metadata()?;
        if !found.is_file() {
            return Err(refusal("it is no regular file"));
        }
        let Some(left) = self.bytes_left.get().checked_sub(found.len()) else {
            return Err(refusal(TOO_MANY_BYTES));
        };
        self.bytes_left.set(left);
        let mut bytes = Vec::new();
        // A file that grows meanwhile is cut off.
        std::fs::File::open(path)?.take(found.len()).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn refusal(why: &str) -> Error {
    Error::new(ErrorKind::PermissionDenied, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_together_have_a_budget() {
        let place = tempfile::tempdir().unwrap();
        let document = place.path().join("a.gltf");
        std::fs::write(place.path().join("60.bin"), [1; 60]).unwrap();
        let folder = Folder::with_budget(&document, 100);
        assert_eq!(folder.read("60.bin").unwrap(), [1; 60]);
        assert!(folder.read("60.bin").unwrap_err().to_string().contains("2 GiB"));
        assert_eq!(Folder::with_budget(&document, 60).read("60.bin").unwrap().len(), 60);
    }

    #[test]
    #[cfg(unix)]
    fn a_file_is_inside_and_regular() {
        use std::os::unix::fs::symlink;
        let place = tempfile::tempdir().unwrap();
        let inside = place.path().join("inside");
        std::fs::create_dir_all(inside.join("textures")).unwrap();
        std::fs::write(place.path().join("secret"), "secret").unwrap();
        std::fs::write(inside.join("textures/skin.png"), "skin").unwrap();
        symlink(place.path().join("secret"), inside.join("outside.bin")).unwrap();
        symlink(inside.join("textures/skin.png"), inside.join("skin.png")).unwrap();
        symlink("/dev/zero", inside.join("zeros.bin")).unwrap();
        let document = inside.join("a.gltf");
        let folder = Folder::of(&document);
        assert_eq!(folder.read("skin.png").unwrap(), b"skin");
        assert_eq!(folder.read("textures/skin.png").unwrap(), b"skin");
        for (name, why) in [
            ("outside.bin", "outside the folder"),
            ("../secret", "outside the folder"),
            ("zeros.bin", "outside the folder"),
            ("textures", "no regular file"),
        ] {
            let refused = folder.read(name).unwrap_err().to_string();
            assert!(refused.contains(why), "{name}: {refused}");
        }
        assert_eq!(folder.read("absent.bin").unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_pipe_is_refused_instead_of_waited_for() {
        let place = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("mkfifo").arg(place.path().join("pipe.bin")).status().unwrap();
        assert!(made.success());
        let document = place.path().join("a.gltf");
        assert!(Folder::of(&document).read("pipe.bin").unwrap_err().to_string().contains("no regular file"));
    }
}
