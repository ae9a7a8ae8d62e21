//! The real files that tests read: in `SINEW_DATA`, or in `shared/data` beside the workspace.

use crate::skip::skip_unless_ci;
use std::path::{Path, PathBuf};

/// The folder of real files. If it is absent, the test is skipped with a message; in continuous integration
/// that is a failure.
pub fn folder() -> Option<PathBuf> {
    let beside = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    let folder = std::env::var_os("SINEW_DATA").map_or_else(|| beside.to_path_buf(), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    skip_unless_ci(&format!("tests that need {}, which is not there", folder.display()));
    None
}

/// Every file of some extensions in one of the folders, in order of name.
fn paths(subfolder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let Some(folder) = folder() else { return Vec::new() };
    let entries = std::fs::read_dir(folder.join(subfolder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| extensions.iter().any(|wanted| e == *wanted)));
    paths.sort();
    let is_here = |row: &ManifestRow| Path::new(row.text("file")).parent() == Some(Path::new(subfolder));
    let listed = extensions.iter().flat_map(|extension| manifest(subfolder, extension)).filter(is_here).count();
    assert!(paths.len() >= listed.max(1), "{} of {listed} files {extensions:?} are in {subfolder}", paths.len());
    paths
}

/// Every BVH file.
pub fn motions() -> Vec<PathBuf> {
    let folders = ["mocap", "mocap/cmu30", "mocap/cmu_native"];
    folders.iter().flat_map(|folder| paths(folder, &["bvh"])).collect()
}

/// Every glTF file.
pub fn gltf_files() -> Vec<PathBuf> {
    paths("gltf", &["glb", "gltf"])
}

/// Name and content of every file of an extension in one of the folders.
pub fn files(subfolder: &str, extension: &str) -> Vec<(String, Vec<u8>)> {
    let name = |path: &Path| format!("{subfolder}/{}", path.file_name().unwrap().to_str().unwrap());
    paths(subfolder, &[extension]).iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

/// Rows of the manifest as `(file, columns)`, for one folder and extension.
pub fn manifest(subfolder: &str, extension: &str) -> Vec<ManifestRow> {
    let Some(folder) = folder() else { return Vec::new() };
    let text = std::fs::read_to_string(folder.join("MANIFEST.csv")).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<String>>());
    let header = lines.next().unwrap();
    let rows = lines.map(|cells| ManifestRow { header: header.clone(), cells });
    let wanted = |row: &ManifestRow| {
        let file = row.text("file");
        file.starts_with(&format!("{subfolder}/")) && file.ends_with(&format!(".{extension}"))
    };
    let rows: Vec<ManifestRow> = rows.filter(wanted).collect();
    assert!(!rows.is_empty(), "no .{extension} of {subfolder} is in the manifest");
    rows
}

/// The row of a file in the manifest.
pub struct ManifestRow {
    header: Vec<String>,
    cells: Vec<String>,
}

impl ManifestRow {
    /// A cell by its column's name.
    pub fn text(&self, column: &str) -> &str {
        let index = self.header.iter().position(|name| name == column).unwrap();
        &self.cells[index]
    }

    /// A count; none where the cell is empty.
    pub fn count(&self, column: &str) -> Option<usize> {
        let digits: String = self.text(column).chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    }
}
