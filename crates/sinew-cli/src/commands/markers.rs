//! `sinew markers`: inspect captures of markers, and fill their gaps.

use crate::failure::{Context, Result, refuse};
use crate::terminal::{print, progress};
use crate::{files, report as reports};
use clap::{Args, Subcommand};
use sinew_io::markers::{MarkerFormat, read_links, write_links};
use sinew_tasks::markers::{links, repair, summary};
use std::path::{Path, PathBuf};

/// Inspect a capture of markers, or fill its gaps
///
/// Reads C3D, TSV of Qualisys, TRC of OpenSim, and CSV (time,NAME.x,NAME.y,NAME.z,…, or as Nexus and Motive export it).
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew markers info take.c3d\n  sinew markers fill take.c3d -o filled.c3d --report gaps.json"
)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show markers, gaps, near-constant distances and swapped labels
    Info {
        /// The capture: .c3d, .tsv, .trc or .csv
        file: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Write the graph of neighbours, to edit and pass to fill
        #[arg(long, value_name = "OUT.toml")]
        graph: Option<PathBuf>,
    },
    /// Fill gaps from the motion of neighbouring markers and of the marker before and after
    ///
    /// The result is the same file with the missing positions filled in. A marker with fewer than three visible neighbours
    /// is filled as well, with low confidence.
    Fill {
        /// The capture: .c3d, .tsv, .trc or .csv
        file: PathBuf,
        /// Where to write, in the same format
        #[arg(short, long, value_name = "OUT")]
        output: PathBuf,
        /// Which markers are neighbours, and which distances are constant: .toml [default: found in the capture]
        #[arg(long, value_name = "FILE")]
        graph: Option<PathBuf>,
        /// Write gaps, confidence per frame and swaps: .json
        #[arg(long, value_name = "OUT")]
        report: Option<PathBuf>,
        /// Swap swapped labels back before filling
        #[arg(long)]
        fix_swaps: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.action {
        Action::Info { file, json, graph } => {
            let capture = files::load_markers(file)?;
            if let Some(path) = graph {
                files::write(path, write_links(&links(&capture.markers)))?;
            }
            let summary = summary(&capture);
            if *json { print(serde_json::to_string_pretty(&summary)?) } else { print(summary) }
        }
        Action::Fill { file, output, graph, report, fix_swaps, json } => {
            check_outputs(file, output, report.as_deref())?;
            let capture = files::load_markers(file)?;
            let links = graph.as_deref().map(load_links).transpose()?;
            let (markers, repaired) =
                repair(&capture.markers, links.as_deref(), *fix_swaps, &progress::clock()).at(file)?;
            capture.save(output, &markers)?;
            if let Some(path) = report {
                reports::write_json(path, &repaired)?;
            }
            if *json {
                print(serde_json::to_string_pretty(&repaired)?)
            } else {
                print(format_args!("{}: {repaired}", output.display()))
            }
        }
    }
}

/// Checks before the work that the outputs can be written.
fn check_outputs(file: &Path, output: &Path, report: Option<&Path>) -> Result<()> {
    let format = MarkerFormat::of(file)?;
    if MarkerFormat::of(output)? != format {
        refuse!("{}: a capture is written back in its own format, .{}", output.display(), format.extension());
    }
    if let Some(report) = report {
        reports::check(report, &["json"])?;
    }
    Ok(())
}

fn load_links(path: &Path) -> Result<Vec<sinew_io::markers::Link>> {
    let bytes = sinew_tasks::files::read(path)?;
    Ok(read_links(&bytes).map_err(|problem| problem.at(path))?)
}
