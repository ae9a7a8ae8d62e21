//! Scripts of `sinew` commands, and the folder they run in.
//!
//! Commands are lines for bash, as a reader of the README or a guide types them. They find the recipes, poses and
//! sketches of the guides in `docs/`, and test data in `data/`.

use crate::workspace::{data_folder, root};
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Commands that run one after the other.
pub struct Script {
    /// The document that has them.
    pub name: String,
    /// Parts that do not need each other.
    pub sections: Vec<Section>,
}

/// Steps that need each other: where the data of one is missing, all are left out.
#[derive(Default)]
pub struct Section {
    pub steps: Vec<Step>,
}

/// One step of a script.
#[derive(Clone)]
pub enum Step {
    /// A line for bash.
    Shell(String),
    /// Writes positions of vertices over the frames of an animation as a capture of markers.
    Capture(Capture),
}

/// The vertices of numbered OBJ files, `STEM.*.obj`, as markers in a CSV file.
#[derive(Clone)]
pub struct Capture {
    pub stem: &'static str,
    pub frames_per_second: f64,
    /// The names of the markers and the vertices they are on.
    pub markers: &'static [(&'static str, usize)],
    pub output: &'static str,
}

impl Step {
    /// The line for bash, if that is what the step is.
    pub fn line(self) -> Option<String> {
        match self {
            Self::Shell(line) => Some(line),
            Self::Capture(_) => None,
        }
    }
}

impl Section {
    /// A section of lines for bash.
    pub fn of_lines<T: Into<String>>(lines: impl IntoIterator<Item = T>) -> Self {
        Self { steps: lines.into_iter().map(|line| Step::Shell(line.into())).collect() }
    }

    /// The paths in the folder of test data that the section needs.
    fn data(&self) -> Vec<&str> {
        let lines = self.steps.iter().filter_map(|step| match step {
            Step::Shell(line) => Some(line),
            Step::Capture(_) => None,
        });
        lines.flat_map(|line| line.split_whitespace()).filter_map(|word| word.strip_prefix("data/")).collect()
    }

    /// A file or folder of test data that the section needs and that is not there.
    pub fn missing_data(&self) -> Option<PathBuf> {
        self.data().into_iter().map(|path| data_folder().join(path)).find(|path| !path.exists())
    }
}

/// The lines of the shell blocks of a document, continued lines joined. In blocks without a language, lines that begin
/// with `$ `.
pub fn shell_lines(markdown: &str) -> Vec<String> {
    let (mut block, mut lines) = (None, Vec::<String>::new());
    let mut is_continued = false;
    for line in markdown.lines() {
        if let Some(language) = line.strip_prefix("```") {
            block = if block.is_none() { Some(language) } else { None };
            continue;
        }
        let command = match block {
            Some("sh") => Some(line),
            Some("") => line.strip_prefix("$ "),
            _ => None,
        };
        let Some(command) = command.filter(|line| !line.is_empty() && !line.starts_with('#')) else { continue };
        let (part, continues) = command.strip_suffix('\\').map_or((command, false), |part| (part, true));
        match lines.last_mut().filter(|_| is_continued) {
            Some(last) => *last += part.trim_start(),
            None => lines.push(part.into()),
        }
        is_continued = continues;
    }
    lines
}

/// The program that a script calls `sinew`.
pub enum Program {
    /// The one that `cargo run --release` builds.
    Cargo,
    /// An executable file.
    File(PathBuf),
}

impl Program {
    /// A program by its path, which may be relative.
    pub fn at(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Ok(Self::File(path.canonicalize().with_context(|| format!("there is no program {}", path.display()))?))
    }

    /// The shell function `sinew`.
    fn function(&self) -> String {
        match self {
            Self::Cargo => format!(
                "sinew() {{ cargo run --release --quiet --manifest-path {} -- \"$@\"; }}",
                quoted(&root().join("Cargo.toml"))
            ),
            Self::File(path) => format!("sinew() {{ {} \"$@\"; }}", quoted(path)),
        }
    }
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// A temporary folder in which a program runs scripts.
pub struct Workplace {
    folder: TempDir,
    program: Program,
}

impl Workplace {
    /// A new folder with the files of the guides.
    pub fn new(program: Program) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        for part in ["recipes", "poses", "sketches"] {
            let path = Path::new("docs").join(part);
            copy(&root().join(&path), &folder.path().join(&path))?;
        }
        fs::create_dir(folder.path().join("docs/images"))?;
        Ok(Self { folder, program })
    }

    /// The path of the folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Copies the test data that a section needs. Programs keep files beside their input, so each has a copy.
    pub fn bring_data(&self, section: &Section) -> Result<()> {
        for path in section.data() {
            let place = self.folder().join("data").join(path);
            if !place.exists() {
                copy(&data_folder().join(path), &place)?;
            }
        }
        Ok(())
    }

    /// Runs a step whose output goes where ours goes; an error if it fails.
    pub fn run(&self, step: &Step) -> Result<()> {
        match step {
            Step::Shell(line) => {
                let status = self.bash(line).status().context("cannot start bash")?;
                if !status.success() {
                    bail!("{line}: {status}");
                }
                Ok(())
            }
            Step::Capture(capture) => capture.write(self.folder()),
        }
    }

    /// Bash with a line to run in the folder.
    pub fn bash(&self, line: &str) -> Command {
        let mut bash = Command::new("bash");
        bash.args(["-euo", "pipefail", "-c", &format!("{}\n{line}", self.program.function())]);
        bash.current_dir(self.folder()).stdin(Stdio::null());
        bash
    }

    /// Runs a whole script, and prints every command. Sections whose data is missing are left out.
    pub fn run_script(&self, script: &Script) -> Result<()> {
        for section in &script.sections {
            if let Some(missing) = section.missing_data() {
                println!("left out, no {}", missing.display());
                continue;
            }
            self.bring_data(section)?;
            for step in &section.steps {
                if let Step::Shell(line) = step {
                    println!("$ {line}");
                }
                self.run(step)?;
            }
        }
        Ok(())
    }
}

impl Capture {
    /// Writes the CSV file into the folder that has the OBJ files.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let mut text = String::from("time");
        for (name, _) in self.markers {
            text += &format!(",{name}.x,{name}.y,{name}.z");
        }
        text.push('\n');
        for (frame, path) in self.frames(folder)?.iter().enumerate() {
            let surface = fs::read_to_string(path)?;
            let vertices: Vec<&str> = surface.lines().filter_map(|line| line.strip_prefix("v ")).collect();
            text += &six_digits(frame as f64 / self.frames_per_second);
            for &(name, vertex) in self.markers {
                let position = vertices.get(vertex).with_context(|| format!("{name} is on no vertex"))?;
                text += &format!(",{}", position.replace(' ', ","));
            }
            text.push('\n');
        }
        Ok(fs::write(folder.join(self.output), text)?)
    }

    /// The OBJ files in their order.
    fn frames(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let mut frames = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with(&format!("{}.", self.stem)) && name.ends_with(".obj") {
                frames.push(path);
            }
        }
        frames.sort();
        Ok(frames)
    }
}

/// A number with six significant digits at most, as `%g` of C prints times of a few seconds.
fn six_digits(number: f64) -> String {
    let scientific: f64 = format!("{number:.5e}").parse().unwrap_or(number);
    scientific.to_string()
}

/// Copies a file or a folder with everything in it. Times of change are kept: an index of motions has them.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    let copied = || -> std::io::Result<()> {
        fs::create_dir_all(to.parent().unwrap_or(to))?;
        fs::write(to, fs::read(from)?)?;
        File::options().append(true).open(to)?.set_modified(fs::metadata(from)?.modified()?)
    };
    copied().with_context(|| format!("cannot copy {}", from.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_shell_blocks_are_found_and_joined() {
        let markdown = "text\n```sh\n# why\nsinew demo\n\nsinew pose a \\\n  -o b\n```\n```toml\nx = 1\n```\n\
                        ```\n$ sinew search a\nits answer\n```\n";
        assert_eq!(shell_lines(markdown), ["sinew demo", "sinew pose a -o b", "sinew search a"]);
    }

    #[test]
    fn times_have_six_digits() {
        assert_eq!(six_digits(0.0), "0");
        assert_eq!(six_digits(1.0 / 24.0), "0.0416667");
        assert_eq!(six_digits(25.0 / 24.0), "1.04167");
    }
}
