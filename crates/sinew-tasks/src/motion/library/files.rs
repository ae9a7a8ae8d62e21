//! The motion files in a folder.

use super::{ClipEntry, FileEntry, Stamp};
use crate::{Error, Result};
use sinew::motion::search::Motion;
use sinew_io::Format;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

const FORMATS: [Format; 5] = [Format::Bvh, Format::Amc, Format::Glb, Format::Gltf, Format::Fbx];

/// A file as the folder lists it.
pub struct Listed {
    /// Its path.
    pub path: PathBuf,
    /// Its path from the folder, with `/` between names.
    pub file: String,
    pub(super) seen: Result<Stamp, String>,
}

/// Every file of a motion format in a folder and the folders in it, in order of path. Links to folders are not
/// followed; a folder inside that cannot be listed is an entry of its own.
pub fn list(folder: &Path) -> Result<Vec<Listed>> {
    if !folder.is_dir() {
        return Err(Error::NoFolder { path: folder.into() });
    }
    let mut folders = Vec::new();
    let mut listed = list_one(folder, folder, &mut folders).map_err(|source| Error::Io {
        action: "list",
        path: folder.into(),
        source,
    })?;
    while let Some(current) = folders.pop() {
        match list_one(folder, &current, &mut folders) {
            Ok(more) => listed.extend(more),
            Err(error) => {
                let problem = format!("the folder cannot be listed: {error}");
                listed.push(Listed { file: name_from(folder, &current), path: current, seen: Err(problem) });
            }
        }
    }
    listed.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(listed)
}

/// The motions in one folder; the folders in it are added to those that are still to be listed.
fn list_one(from: &Path, folder: &Path, folders: &mut Vec<PathBuf>) -> std::io::Result<Vec<Listed>> {
    let (mut motions, mut skeletons) = (Vec::new(), 0u64);
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            folders.push(path);
            continue;
        }
        match Format::of(&path) {
            Ok(Format::Asf) => {
                let sum = entry.metadata().map_or(0, |about| about.len().wrapping_add(modified(&about)));
                skeletons = skeletons.wrapping_add(sum);
            }
            Ok(format) if FORMATS.contains(&format) => motions.push((path, format)),
            _ => {}
        }
    }
    let listed = motions.into_iter().map(|(path, format)| {
        let skeletons = if format == Format::Amc { skeletons } else { 0 };
        let seen = Stamp::of(&path, skeletons).map_err(|error| format!("it cannot be read: {error}"));
        Listed { file: name_from(from, &path), path, seen }
    });
    Ok(listed.collect())
}

fn name_from(folder: &Path, path: &Path) -> String {
    let names: Vec<_> = path.strip_prefix(folder).unwrap_or(path).iter().map(|n| n.to_string_lossy()).collect();
    names.join("/")
}

/// Nanoseconds since 1970.
fn modified(about: &Metadata) -> u64 {
    let since = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
}

impl Stamp {
    pub(super) fn of(path: &Path, skeletons: u64) -> std::io::Result<Self> {
        let about = std::fs::metadata(path)?;
        Ok(Self { bytes: about.len(), modified: modified(&about), skeletons })
    }
}

impl Listed {
    /// Reads its clips; those that cannot be searched are problems of the entry.
    pub(super) fn read(&self) -> (FileEntry, Vec<Motion>) {
        let mut entry = FileEntry { file: self.file.clone(), stamp: None, clips: Vec::new(), problems: Vec::new() };
        let stamp = match &self.seen {
            Ok(stamp) => *stamp,
            Err(problem) => {
                entry.problems.push(problem.clone());
                return (entry, Vec::new());
            }
        };
        let character = match sinew_io::load(&self.path) {
            Ok(asset) => asset.character,
            Err(error) => {
                entry.problems.push(error.problem.to_string());
                return (entry, Vec::new());
            }
        };
        entry.stamp = Some(stamp);
        if character.clips.is_empty() {
            entry.problems.push("it has no clip".into());
        }
        let mut motions = Vec::new();
        for clip in &character.clips {
            match Motion::of(&character.skeleton, &character.base_pose, clip, None) {
                Err(error) => entry.problems.push(error.to_string()),
                Ok(motion) => {
                    let windows = motion.whole().len();
                    entry.clips.push(ClipEntry { clip: clip.name.clone(), start: clip.range().0, windows });
                    motions.push(motion);
                }
            }
        }
        // A skeleton without landmarks has one reason for all its clips.
        entry.problems.dedup();
        (entry, motions)
    }
}
