//! `sinew motion evaluate`: the quality of search on labelled motions.

use crate::failure::{Context, Result};
use crate::files;
use crate::terminal::{print, progress};
use clap::Args;
use sinew::motion::search::Rates;
use sinew_tasks::motion::evaluate::{self, Classes, Described, Evaluation};
use std::path::PathBuf;

/// Measure the quality of search on labelled motions
///
/// Every motion is the query once, and all others are ranked. Printed are the share whose nearest motion is of the same
/// class (nn1) and the mean average precision (map), for sinew's search and for baselines (single principal directions of
/// distances, positions and rotations), and the confusion of classes. Of a file with several clips the first counts.
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

pub fn run(arguments: &Arguments) -> Result<()> {
    let labels = evaluate::read(&arguments.labels)?;
    let paths = evaluate::find(&arguments.folder, &labels)?;
    let classes = Classes::new(&labels)?;
    let bar = progress::bar(paths.len(), "reading motions");
    let described = paths.iter().map(|path| {
        bar.inc(1);
        Described::new(&files::load(path)?.character).at(path)
    });
    let described: Vec<Described> = described.collect::<Result<_>>()?;
    bar.finish_and_clear();
    let evaluation = Evaluation::new(&described, &classes);
    if arguments.json {
        return print(serde_json::to_string_pretty(&evaluation)?);
    }
    let Classes { names, of_motions } = &classes;
    print(format_args!("{} motions of {} classes, each against all others", of_motions.len(), names.len()))?;
    print(format_args!("\n{:10}  {:>5}  {:>5}", "", "nn1", "map"))?;
    for (name, rates) in evaluation.named() {
        print(format_args!("{name:10}  {:.3}  {:.3}", rates.nn1, rates.map))?;
    }
    for (name, rates) in evaluation.named() {
        print(format_args!("\n{name}: class of the nearest in %, a row for each class\n{}", matrix(names, rates)))?;
    }
    Ok(())
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
