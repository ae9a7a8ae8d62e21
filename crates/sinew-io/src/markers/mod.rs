//! Captures of markers from and to files: C3D, TSV of Qualisys, TRC of OpenSim, and CSV as Vicon Nexus, Motive and
//! plain tables have it.
//!
//! A [`MarkerFile`] keeps the file as it came. Written back, only the markers that were lost and are found differ:
//! every other byte, from headers to forces, is what it was.

mod c3d;
mod c3d_numbers;
mod c3d_parameters;
mod columns;
mod csv;
mod graph_toml;
mod lines;
mod table;
mod trc;
mod tsv;

use crate::{AtomicFile, Error, Problem};
pub use graph_toml::{Link, read_links, write_links};
use sinew::motion::markers::Markers;
use std::path::Path;

/// A format of marker files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkerFormat {
    /// `.c3d`
    C3d,
    /// `.tsv`
    Tsv,
    /// `.trc`
    Trc,
    /// `.csv`
    Csv,
}

impl MarkerFormat {
    const ALL: [Self; 4] = [Self::C3d, Self::Tsv, Self::Trc, Self::Csv];

    /// The usual extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::C3d => "c3d",
            Self::Tsv => "tsv",
            Self::Trc => "trc",
            Self::Csv => "csv",
        }
    }

    /// The format of a file by its extension.
    pub fn of(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let known = Self::ALL.into_iter().find(|format| format.extension() == extension);
        known.ok_or_else(|| {
            let what = format!("\".{extension}\" is no format of markers");
            Problem::unsupported(what, "use .c3d, .tsv, .trc or .csv").at(path)
        })
    }
}

/// A capture and the file it is from.
#[derive(Debug, Clone)]
pub struct MarkerFile {
    /// The capture.
    pub markers: Markers,
    /// The format.
    pub format: MarkerFormat,
    /// Repairs and assumptions.
    pub warnings: Vec<String>,
    document: Document,
}

#[derive(Debug, Clone)]
enum Document {
    C3d(c3d::C3d),
    Table(table::Table),
}

impl MarkerFile {
    /// Reads a file's content.
    pub fn read(bytes: &[u8], format: MarkerFormat) -> Result<Self, Problem> {
        let mut warnings = Vec::new();
        let (markers, document) = match format {
            MarkerFormat::C3d => {
                let (markers, c3d) = c3d::read(bytes, &mut warnings)?;
                (markers, Document::C3d(c3d))
            }
            MarkerFormat::Tsv => from_table(tsv::read(bytes)?)?,
            MarkerFormat::Trc => from_table(trc::read(bytes, &mut warnings)?)?,
            MarkerFormat::Csv => from_table(csv::read(bytes)?)?,
        };
        Ok(Self { markers, format, warnings, document })
    }

    /// Reads a file by its extension.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let format = MarkerFormat::of(path)?;
        let bytes = std::fs::read(path).map_err(|error| Problem::from(error).at(path))?;
        Self::read(&bytes, format).map_err(|problem| problem.at(path))
    }

    /// The file with other places for its markers. Places that are as they were keep their bytes.
    ///
    /// # Panics
    /// If these are not as many markers and frames as were read.
    pub fn to_bytes(&self, markers: &Markers) -> Vec<u8> {
        assert_eq!(markers.positions().len(), self.markers.positions().len(), "another capture");
        match &self.document {
            Document::C3d(c3d) => c3d.with(&self.markers, markers),
            Document::Table(table) => table.with(&self.markers, markers),
        }
    }

    /// Writes the file with other places for its markers.
    pub fn save(&self, path: &Path, markers: &Markers) -> Result<(), Error> {
        AtomicFile::write(path, &self.to_bytes(markers))
    }
}

fn from_table((markers, table): (Markers, table::Table)) -> Result<(Markers, Document), Problem> {
    Ok((markers, Document::Table(table)))
}
