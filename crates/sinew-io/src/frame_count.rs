//! A bake's promise: how many frames, of how many vertices.

use crate::{Error, Problem};
use sinew::Surface;
use std::path::{Path, PathBuf};

/// Counts the frames of a bake and refuses what was not promised.
pub(crate) struct FrameCount {
    path: PathBuf,
    vertices: usize,
    promised: usize,
    taken: usize,
}

impl FrameCount {
    /// A bake of `promised` frames of `vertices` vertices into `path`.
    pub fn new(path: &Path, vertices: usize, promised: usize) -> Self {
        Self { path: path.into(), vertices, promised, taken: 0 }
    }

    /// The file that the bake goes to.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many frames were promised.
    pub fn promised(&self) -> usize {
        self.promised
    }

    /// Takes the next frame and gives its number from 0.
    pub fn take(&mut self, surface: &Surface) -> Result<usize, Error> {
        for (what, found) in [("positions", surface.positions.len()), ("normals", surface.normals.len())] {
            if found != self.vertices {
                let why = format!(
                    "it has {found} {what}, but the bake was begun for {}; bake the character that it was made from",
                    self.vertices
                );
                return Err(Problem::malformed(format!("frame {}", self.taken), why).at(&self.path));
            }
        }
        if self.taken == self.promised {
            let why = format!("it was begun for {} frames, but more came", self.promised);
            return Err(Problem::malformed("the bake", why).at(&self.path));
        }
        self.taken += 1;
        Ok(self.taken - 1)
    }

    /// Checks that every promised frame came.
    pub fn finish(&self) -> Result<(), Error> {
        if self.taken == self.promised {
            return Ok(());
        }
        let why = format!("it was begun for {} frames, but only {} came", self.promised, self.taken);
        Err(Problem::malformed("the bake", why).at(&self.path))
    }
}
