//! `sinew motion search`: motions that are similar to an example.

use super::index::read_folder;
use crate::args::frame_range::FrameRange;
use crate::failure::{Context, Result, refuse};
use crate::files;
use crate::terminal::print;
use clap::Args;
use sinew::motion::search::{Motion, Query};
use sinew_tasks::find;
use sinew_tasks::motion::library::{Found, Library, Span};
use std::path::{Path, PathBuf};

/// Find motions like an example
///
/// Skeletons may differ in names and proportions. Of longer motions the most similar parts are printed, in seconds. A
/// score of 1 is the same motion. The example itself is left out.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew motion search cartwheel.bvh --in motions/\n  sinew motion search long.bvh --range 120:180 --in motions.npz --top 5 --json"
)]
pub struct Arguments {
    /// The example (.bvh, .amc, .glb, .gltf, .fbx)
    query: PathBuf,

    /// A folder of motions, or an index of one
    #[arg(long = "in", value_name = "DIR|INDEX")]
    place: PathBuf,

    /// Clip of the example by name, or by index from 0 [default: the first]
    #[arg(long, value_name = "NAME|INDEX")]
    clip: Option<String>,

    /// Frames of the example to look for, counted from 0, both included [default: all]
    #[arg(long, value_name = "A:B")]
    range: Option<FrameRange>,

    /// The number of results
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    /// Print JSON for other programs: file, clip, start and end in seconds, and a score from 0 to 1
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let (query, own) = query(arguments)?;
    let library = library(&arguments.place)?;
    let found = library.search(&query, arguments.top, Some(&own))?;
    print(if arguments.json { serde_json::to_string_pretty(&found)? } else { text(&found) })
}

fn query(arguments: &Arguments) -> Result<(Query, Span)> {
    let path = &arguments.query;
    let character = files::load(path)?.character;
    let clip = find::clip(&character, arguments.clip.as_deref()).at(path)?;
    let span = match arguments.range {
        Some(range) => range.seconds(clip).at(path)?,
        None => clip.range(),
    };
    let motion = Motion::of(&character.skeleton, &character.base_pose, clip, Some(span)).at(path)?;
    Ok((Query::new(motion), Span::new(path, &clip.name, span)?))
}

fn library(place: &Path) -> Result<Library> {
    if place.is_dir() {
        return Ok(read_folder(place, Library::default())?.0);
    }
    if !place.exists() {
        refuse!("{}: there is no such folder or index", place.display());
    }
    Ok(Library::open(place)?)
}

fn text(found: &[Found]) -> String {
    if found.is_empty() {
        return "there is no other motion to compare with".into();
    }
    let width = found.iter().map(|found| found.file.chars().count()).max().unwrap_or(0);
    let line = |found: &Found| {
        let Found { file, clip, start, end, score } = found;
        format!("{score:.3}  {file:width$}  {start:7.2} to {end:7.2} s  {clip}")
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}
