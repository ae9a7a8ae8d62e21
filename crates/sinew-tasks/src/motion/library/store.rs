//! A library as a file.

use super::graph_layout::COORDINATES;
use super::{FileEntry, Graph, Library};
use crate::{Error, Result, files};
use serde::{Deserialize, Serialize};
use sinew::motion::search::{HEIGHTS, HOP_SECONDS, WINDOW, WINDOW_SECONDS};
use sinew_io::npz::{self, Archive, Member};
use std::path::Path;

/// The version of the format; a library of another version is built again.
const VERSION: u32 = 1;
const ABOUT: &str = "motions.json";

#[derive(Serialize, Deserialize)]
struct About {
    version: u32,
    window_seconds: f64,
    hop_seconds: f64,
    files: Vec<FileEntry>,
}

impl Library {
    /// Writes a library aside and renames it.
    pub fn save(&self, path: &Path) -> Result<()> {
        let about = About {
            version: VERSION,
            window_seconds: WINDOW_SECONDS,
            hop_seconds: HOP_SECONDS,
            files: self.files.clone(),
        };
        let about = serde_json::to_string_pretty(&about).map_err(Error::Json)?;
        let graph = self.graph.as_ref().map(Graph::to_bytes).transpose()?;
        let mut members = vec![
            (ABOUT, Member::Text(&about)),
            ("windows", Member::Floats { columns: WINDOW, values: &self.windows }),
            ("heights", Member::Floats { columns: HEIGHTS, values: &self.heights }),
        ];
        if let (Some(graph), Some(bytes)) = (&self.graph, &graph) {
            members.push(("graph", Member::Bytes(bytes)));
            members.push(("graph_basis", Member::Floats { columns: COORDINATES, values: graph.basis() }));
        }
        Ok(npz::write(path, &members)?)
    }

    /// Reads a library.
    pub fn open(path: &Path) -> Result<Self> {
        let bytes = files::read(path)?;
        Self::from_bytes(&bytes).map_err(|error| Error::NotAnIndex { path: path.into(), source: Box::new(error) })
    }

    /// Reads the bytes of a library's file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let archive = Archive::read(bytes)?;
        let broken = |what: String| Error::BrokenIndex { what };
        let about: About =
            serde_json::from_str(archive.text(ABOUT)?).map_err(|error| broken(format!("its {ABOUT}: {error}")))?;
        if about.version != VERSION {
            return Err(broken(format!("it has version {}, and this program writes version {VERSION}", about.version)));
        }
        let mut library = Self {
            files: about.files,
            windows: archive.floats("windows", WINDOW)?,
            heights: archive.floats("heights", HEIGHTS)?,
            graph: None,
        };
        if !library.is_consistent() {
            return Err(broken(format!("its arrays do not have the windows that its {ABOUT} lists")));
        }
        if archive.has("graph") {
            let basis = archive.floats("graph_basis", COORDINATES)?;
            library.graph = Some(Graph::from_parts(archive.bytes("graph")?, basis, library.window_count())?);
        }
        Ok(library)
    }
}
