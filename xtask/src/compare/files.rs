//! The files of a folder, and which of them a command wrote.

use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// The lengths and times of change of all files in a folder, by their path in it.
pub struct Snapshot(BTreeMap<String, (u64, SystemTime)>);

impl Snapshot {
    /// The folder as it is now.
    pub fn of(folder: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        collect(folder, "", &mut files)?;
        Ok(Self(files))
    }

    /// The files that are new, written again or gone since then.
    pub fn changes(&self, folder: &Path) -> Result<BTreeSet<String>> {
        let now = Self::of(folder)?;
        let is_changed = |name: &&String| self.0.get(*name) != now.0.get(*name);
        Ok(self.0.keys().chain(now.0.keys()).filter(is_changed).cloned().collect())
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, (u64, SystemTime)>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let metadata = entry.metadata()?;
        if metadata.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name, (metadata.len(), metadata.modified()?));
        }
    }
    Ok(())
}
