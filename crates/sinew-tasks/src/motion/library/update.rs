//! A library of a folder, made from an older one and the files that changed.

use super::files::{self, Listed};
use super::{FileEntry, Library};
use crate::Result;
use rayon::prelude::*;
use sinew::motion::search::{Motion, MotionPart};
use std::collections::HashMap;
use std::path::Path;

/// How a library differs from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changes {
    /// Files that were read.
    pub read: usize,
    /// Files that have not changed.
    pub unchanged: usize,
    /// Files that no longer exist.
    pub removed: usize,
}

enum Piece<'a> {
    Unchanged(&'a FileEntry, MotionPart<'a>),
    Read(FileEntry, Vec<Motion>),
}

impl Library {
    /// The motions below a folder. Entries of unchanged files are taken from the library `before`, and so is
    /// the approximate index if nothing changed. `on_file` is called for every finished file, from any thread.
    pub fn of_folder(folder: &Path, before: Self, on_file: impl Fn() + Sync) -> Result<(Self, Changes)> {
        let listed = files::list(folder)?;
        let known = before.by_file();
        let piece = |listed: &Listed| {
            let unchanged = known
                .get(listed.file.as_str())
                .filter(|(entry, _)| entry.stamp.is_some() && entry.stamp.as_ref() == listed.seen.as_ref().ok());
            let piece = match unchanged {
                Some(&(entry, part)) => Piece::Unchanged(entry, part),
                None => {
                    let (entry, motions) = listed.read();
                    Piece::Read(entry, motions)
                }
            };
            on_file();
            piece
        };
        let pieces: Vec<Piece<'_>> = listed.par_iter().map(piece).collect();
        let unchanged = pieces.iter().filter(|piece| matches!(piece, Piece::Unchanged(..))).count();
        let still_there = listed.iter().filter(|listed| known.contains_key(listed.file.as_str())).count();
        let changes = Changes { read: pieces.len() - unchanged, unchanged, removed: known.len() - still_there };
        drop(known);
        let mut library = Self::default();
        for piece in pieces {
            library.add(piece);
        }
        let same = library.files == before.files;
        library.graph = before.graph.filter(|_| same);
        Ok((library, changes))
    }

    fn by_file(&self) -> HashMap<&str, (&FileEntry, MotionPart<'_>)> {
        let mut first = 0;
        let parts = self.files.iter().map(|entry| {
            let count: usize = entry.clips.iter().map(|clip| clip.windows).sum();
            let part = self.whole().part(first..first + count);
            first += count;
            (entry.file.as_str(), (entry, part))
        });
        parts.collect()
    }

    fn add(&mut self, piece: Piece<'_>) {
        let mut take = |part: MotionPart<'_>| {
            self.windows.extend_from_slice(part.windows);
            self.heights.extend_from_slice(part.heights);
        };
        match piece {
            Piece::Unchanged(entry, part) => {
                take(part);
                self.files.push(entry.clone());
            }
            Piece::Read(entry, motions) => {
                motions.iter().for_each(|motion| take(motion.whole()));
                self.files.push(entry);
            }
        }
    }
}
