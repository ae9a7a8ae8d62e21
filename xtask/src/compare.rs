//! `cargo xtask compare`
//!
//! Two programs run the same commands, each in a folder of its own. After each command the files that it wrote are
//! compared, and what it printed.

mod difference;
mod files;
mod geometry;
mod gltf;
mod picture;
mod text;

use crate::script::{Program, Script, Section, Step, Workplace};
use crate::{guides, pictures};
use anyhow::{Context, Result, bail};
use difference::Difference;
use files::Snapshot;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::process::ExitCode;
use std::time::Instant;

/// What the command does.
pub const HELP: &str = "compares what two programs write: compare OLD NEW [--tolerance T] [--pixels N] [DOCUMENT …]

Runs the commands of the README, of the guides and of the pictures with the programs OLD and NEW, and compares every file
they write and their standard output. Times that a program measures are left out. DOCUMENT names one or more of
README.md, docs/cage.md and so on, and pictures; without it all run.

  --tolerance T   largest difference of a number, 0 unless given: lengths in geometry relative to the diagonal of the
                  bounding box, other numbers relative to the larger of 1 and their size
  --pixels N      pixels of a picture that may differ, 0 unless given

Prints a line for each command, and exits with 1 if anything differs by more.";

/// Compares two programs.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    let Options { old, new, allowed, documents } = Options::from(arguments)?;
    let places = [Workplace::new(Program::at(old)?)?, Workplace::new(Program::at(new)?)?];
    let mut comparison = Comparison { places, allowed, done: HashSet::new(), commands: 0, differing: 0 };
    println!("{:>8} {:>8} {:>6}  {:<32} command", "old, s", "new, s", "files", "difference");
    for script in scripts(&documents)? {
        println!("\n{}", script.name);
        for section in &script.sections {
            comparison.run(section)?;
        }
        comparison.done.extend(script.sections.into_iter().flat_map(|section| section.steps).filter_map(Step::line));
    }
    let Comparison { commands, differing, .. } = comparison;
    println!("\n{commands} commands, {differing} with differences");
    Ok(if differing == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The scripts of some documents, or all.
fn scripts(documents: &[String]) -> Result<Vec<Script>> {
    let mut scripts = vec![guides::readme()?];
    scripts.extend(guides::guides()?);
    scripts.push(pictures::script());
    if let Some(unknown) = documents.iter().find(|name| !scripts.iter().any(|script| script.name == **name)) {
        bail!("there is no document {unknown:?} with commands");
    }
    scripts.retain(|script| documents.is_empty() || documents.contains(&script.name));
    Ok(scripts)
}

struct Options {
    old: String,
    new: String,
    allowed: Allowed,
    documents: Vec<String>,
}

/// How much may differ.
struct Allowed {
    number: f64,
    pixels: usize,
}

impl Options {
    fn from(arguments: &[String]) -> Result<Self> {
        let mut allowed = Allowed { number: 0.0, pixels: 0 };
        let mut names = Vec::new();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().with_context(|| format!("{argument} needs a number"));
            match argument.as_str() {
                "--tolerance" => allowed.number = value()?.parse().context("--tolerance is no number")?,
                "--pixels" => allowed.pixels = value()?.parse().context("--pixels is no whole number")?,
                _ if argument.starts_with("--") => bail!("unknown option {argument}"),
                _ => names.push(argument.clone()),
            }
        }
        let mut names = names.into_iter();
        let (Some(old), Some(new)) = (names.next(), names.next()) else {
            bail!("compare needs two programs: cargo xtask compare OLD NEW");
        };
        Ok(Self { old, new, allowed, documents: names.collect() })
    }
}

struct Comparison {
    places: [Workplace; 2],
    allowed: Allowed,
    /// The lines of earlier documents, which need not run again.
    done: HashSet<String>,
    commands: usize,
    differing: usize,
}

/// What a program did with a command.
struct Outcome {
    seconds: f64,
    printed: Vec<u8>,
    /// The last line of its messages, where it failed.
    failure: Option<String>,
    written: BTreeSet<String>,
}

impl Comparison {
    fn run(&mut self, section: &Section) -> Result<()> {
        if let Some(missing) = section.missing_data() {
            println!("left out, no {}", missing.display());
            return Ok(());
        }
        for place in &self.places {
            place.bring_data(section)?;
        }
        for step in &section.steps {
            match step {
                Step::Shell(line) if line.starts_with("sinew ") => self.compare(line)?,
                _ => self.places.iter().try_for_each(|place| place.run(step))?,
            }
        }
        Ok(())
    }

    /// Runs a command with both programs and prints a line.
    fn compare(&mut self, line: &str) -> Result<()> {
        if self.done.contains(line) {
            return Ok(());
        }
        let [old, new] = [outcome(&self.places[0], line)?, outcome(&self.places[1], line)?];
        let mut total = Difference::of_failures(old.failure.as_deref(), new.failure.as_deref());
        let mut details = Vec::new();
        let mut add = |name: &str, difference: Difference| {
            if !difference.is_none() {
                details.push(format!("{name}: {difference}"));
                total.join(difference);
            }
        };
        let printed = [&old.printed, &new.printed].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        add("standard output", text::compare(&printed[0], &printed[1]));
        let names: BTreeSet<&String> = old.written.union(&new.written).collect();
        for name in &names {
            let [a, b] = [0, 1].map(|which| fs::read(self.places[which].folder().join(name)).ok());
            add(name, difference::of_files(name, a, b)?);
        }
        self.commands += 1;
        let differs = total.exceeds(self.allowed.number, self.allowed.pixels);
        self.differing += usize::from(differs);
        let summary = match (total.is_none(), differs) {
            (true, _) => "none".into(),
            (false, true) => format!("DIFFERS {}", total.figures()),
            (false, false) => total.figures(),
        };
        let command = line.split(" #").next().unwrap_or(line).trim_end();
        println!("{:8.2} {:8.2} {:6}  {summary:<32} {command}", old.seconds, new.seconds, names.len());
        for detail in details.iter().chain(&total.failure) {
            println!("{:26}{detail}", "");
        }
        Ok(())
    }
}

/// Runs a command in a place.
fn outcome(place: &Workplace, line: &str) -> Result<Outcome> {
    let before = Snapshot::of(place.folder())?;
    let begin = Instant::now();
    let output = place.bash(line).output().context("cannot start bash")?;
    let seconds = begin.elapsed().as_secs_f64();
    let failure = (!output.status.success()).then(|| {
        let messages = String::from_utf8_lossy(&output.stderr);
        messages.lines().last().unwrap_or("it fails without a message").to_owned()
    });
    Ok(Outcome { seconds, printed: output.stdout, failure, written: before.changes(place.folder())? })
}
