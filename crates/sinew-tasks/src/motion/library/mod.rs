//! Folders of motions, ready to be searched.
//!
//! A [`Library`] has the windows of every clip of every file below a folder. It is stored as one file: an archive of NumPy
//! arrays (`windows`, `heights` and, for large ones, `graph`) with `motions.json`, which lists the files and their clips.
//! An update reads only files whose size or time of change differs, and those that could not be read before.

mod files;
mod graph;
mod graph_layout;
mod search;
mod store;
mod update;

pub use files::{Listed, list};
#[cfg(fuzzing)]
pub use graph::fuzz as fuzz_graph;
pub use search::{Found, Span};
pub use update::Changes;

use crate::Result;
use graph::Graph;
use serde::{Deserialize, Serialize};
use sinew::motion::search::{HEIGHTS, Motion, MotionPart, WINDOW};
use std::ops::Range;

/// Above this many windows an approximate index finds the motions that are then compared exactly.
pub const EXACT_WINDOWS: usize = 100_000;

/// The motions of a folder.
#[derive(Default)]
pub struct Library {
    files: Vec<FileEntry>,
    windows: Vec<f32>,
    heights: Vec<f32>,
    graph: Option<Graph>,
}

/// A file of the folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its path from the folder, with `/` between names.
    pub file: String,
    /// Its size and time of change when it was read; none if it could not be read, so that it is read again.
    pub stamp: Option<Stamp>,
    /// Its clips.
    pub clips: Vec<ClipEntry>,
    /// Why the file, or some of its clips, cannot be searched.
    pub problems: Vec<String>,
}

/// The properties by which a change of a file is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Its size.
    pub bytes: u64,
    /// The time of change, in nanoseconds since 1970.
    pub modified: u64,
    /// A sum over the skeletons (.asf) in the folder of an AMC, which differs when one of them changes.
    pub skeletons: u64,
}

/// A clip of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClipEntry {
    /// Its name.
    pub clip: String,
    /// The time of its first frame in seconds.
    pub start: f64,
    /// How many windows it has.
    pub windows: usize,
}

impl Library {
    /// Motions that are in memory, with their names. They are compared exactly until [`Library::make_approximate`].
    pub fn of_motions(motions: &[(String, Motion)]) -> Self {
        let mut library = Self::default();
        for (name, motion) in motions {
            let part = motion.whole();
            library.windows.extend_from_slice(part.windows);
            library.heights.extend_from_slice(part.heights);
            let clips = vec![ClipEntry { clip: name.clone(), start: 0.0, windows: part.len() }];
            library.files.push(FileEntry { file: name.clone(), stamp: None, clips, problems: Vec::new() });
        }
        library
    }

    /// Makes the approximate index if there are more than [`EXACT_WINDOWS`] and it is not there yet. It takes longer
    /// than many exact searches do, so it is for libraries that are stored.
    pub fn make_approximate_if_large(&mut self) -> Result<()> {
        if self.graph.is_none() && self.window_count() > EXACT_WINDOWS {
            self.make_approximate()?;
        }
        Ok(())
    }

    /// Makes the approximate index, however many windows there are.
    pub fn make_approximate(&mut self) -> Result<()> {
        self.graph = Some(Graph::new(&self.windows)?);
        Ok(())
    }

    /// The files, in order of name.
    pub fn files(&self) -> &[FileEntry] {
        &self.files
    }

    /// How many clips can be searched.
    pub fn clip_count(&self) -> usize {
        self.files.iter().map(|file| file.clips.len()).sum()
    }

    /// How many windows they have.
    pub fn window_count(&self) -> usize {
        self.windows.len() / WINDOW
    }

    /// Whether large libraries are searched by their approximate index.
    pub fn is_approximate(&self) -> bool {
        self.graph.is_some()
    }

    /// Every clip with its file and its windows, in order.
    fn clips(&self) -> impl Iterator<Item = (&FileEntry, &ClipEntry, Range<usize>)> {
        let clips = self.files.iter().flat_map(|file| file.clips.iter().map(move |clip| (file, clip)));
        clips.scan(0, |end, (file, clip)| {
            let start = *end;
            *end += clip.windows;
            Some((file, clip, start..*end))
        })
    }

    fn whole(&self) -> MotionPart<'_> {
        MotionPart { windows: &self.windows, heights: &self.heights }
    }

    /// Whether the arrays have as many windows as the files list.
    fn is_consistent(&self) -> bool {
        let windows =
            self.files.iter().flat_map(|file| &file.clips).try_fold(0usize, |sum, c| sum.checked_add(c.windows));
        let rows =
            |values: &[f32], columns: usize| values.len().is_multiple_of(columns).then_some(values.len() / columns);
        windows.is_some() && rows(&self.windows, WINDOW) == windows && rows(&self.heights, HEIGHTS) == windows
    }
}
