//! `sinew motion evaluate`: how often search is right on motions whose classes are known.

use super::labels::{self, Label};
use crate::say::say;
use crate::{files, progress};
use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use sinew::motion::search::baseline::{self, Representation};
use sinew::motion::search::{Motion, Query, Rates};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Tell how often search is right on labelled motions
///
/// Every motion looks for its like among all others. Told are the share whose nearest is of their own class (nn1) and
/// the mean average precision (map), for search as sinew does it and for single principal directions of distances,
/// positions and rotations, and how often classes are taken for each other. Of a file with several clips the first
/// counts.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew motion evaluate motions/ --labels labels.csv\n  sinew motion evaluate motions/ --labels labels.csv --json"
)]
pub struct Arguments {
    /// The folder of the motions
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// A table with the columns file and class
    #[arg(long, value_name = "CSV")]
    labels: PathBuf,

    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    sinew: Pair,
    distances: Pair,
    positions: Pair,
    rotations: Pair,
}

#[derive(Serialize)]
struct Pair {
    nn1: f64,
    map: f64,
}

impl From<&Rates> for Pair {
    fn from(rates: &Rates) -> Self {
        Self { nn1: rates.nn1, map: rates.map }
    }
}

/// What one motion is compared by.
struct Described {
    motion: Motion,
    query: Query,
    directions: [Vec<f64>; 3],
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let labels = labels::read(&arguments.labels)?;
    let paths = labels::find(&arguments.folder, &labels)?;
    let (names, classes) = classes(&labels)?;
    let bar = progress::bar(paths.len(), "reading motions");
    let described = paths.iter().map(|path| {
        bar.inc(1);
        describe(path).with_context(|| path.display().to_string())
    });
    let described: Vec<Described> = described.collect::<Result<_>>()?;
    bar.finish_and_clear();
    let rates = |similarity: &dyn Fn(&Described, &Described) -> f64| {
        Rates::of(&classes, names.len(), |a, b| similarity(&described[a], &described[b]))
    };
    let sinew = rates(&|a, b| a.query.best(b.motion.whole()));
    let [distances, positions, rotations] =
        [0, 1, 2].map(|k| rates(&|a, b| baseline::similarity(&a.directions[k], &b.directions[k])));
    if arguments.json {
        let [sinew, distances, positions, rotations] = [&sinew, &distances, &positions, &rotations].map(Pair::from);
        return say(serde_json::to_string_pretty(&Summary { sinew, distances, positions, rotations })?);
    }
    let all = [("sinew", &sinew), ("distances", &distances), ("positions", &positions), ("rotations", &rotations)];
    say(format_args!("{} motions of {} classes, each against all others", classes.len(), names.len()))?;
    say(format_args!("\n{:10}  {:>5}  {:>5}", "", "nn1", "map"))?;
    for (name, rates) in all {
        say(format_args!("{name:10}  {:.3}  {:.3}", rates.nn1, rates.map))?;
    }
    for (name, rates) in all {
        say(format_args!("\n{name}: class of the nearest in %, a row for each class\n{}", matrix(&names, rates)))?;
    }
    Ok(())
}

/// The names of all classes in order, and the class of each motion.
fn classes(labels: &[Label]) -> Result<(Vec<String>, Vec<usize>)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    labels.iter().for_each(|label| *counts.entry(&label.class).or_default() += 1);
    if counts.values().all(|&count| count < 2) {
        bail!("no class has two motions, so there is nothing to find");
    }
    let names: Vec<String> = counts.keys().map(|name| name.to_string()).collect();
    let class = |label: &Label| names.iter().position(|name| *name == label.class).unwrap_or_default();
    let classes = labels.iter().map(class).collect();
    Ok((names, classes))
}

fn describe(path: &Path) -> Result<Described> {
    let character = files::load(path)?.character;
    let clip = character.clips.first().context("it has no clip")?;
    let motion = Motion::of(&character.skeleton, &character.base_pose, clip, None)?;
    let direction =
        |representation| baseline::direction(&character.skeleton, &character.base_pose, clip, representation);
    let [distances, positions, rotations] = Representation::ALL.map(direction);
    Ok(Described { query: Query::new(motion.clone()), motion, directions: [distances?, positions?, rotations?] })
}

fn matrix(names: &[String], rates: &Rates) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let numbers: String = (1..=names.len()).map(|number| format!(" {number:>4}")).collect();
    let mut lines = vec![format!("{:w$}{numbers}", "", w = width + 4)];
    for (k, (name, row)) in names.iter().zip(&rates.confusion).enumerate() {
        let cell = |share: &f64| if *share > 0.0 { format!(" {:4.0}", 100.0 * share) } else { "    .".into() };
        lines.push(format!("{:>2}  {name:width$}{}", k + 1, row.iter().map(cell).collect::<String>()));
    }
    lines.join("\n")
}
