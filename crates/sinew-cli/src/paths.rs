//! The paths that a command reads and writes.
//!
//! An argument whose value is called `OUT`, or `OUT.json` and the like, is written; every other path is read. A result
//! replaces no input and no file that an input refers to, in any command, and an error names a file. Two paths are the same if they lead to the same file,
//! by links or by another name of its folder.

use crate::failure::{Result, refuse};
use clap::{Arg, ArgMatches, Command};
use same_file::is_same_file;
use std::path::{Path, PathBuf};

/// The paths among the arguments of a command.
pub struct Paths {
    inputs: Vec<PathBuf>,
    outputs: Vec<PathBuf>,
}

impl Paths {
    /// The paths of a command and its subcommand.
    pub fn of(mut command: &Command, mut matches: &ArgMatches) -> Self {
        let mut paths = Self { inputs: Vec::new(), outputs: Vec::new() };
        loop {
            for argument in command.get_arguments() {
                let Ok(Some(found)) = matches.try_get_many::<PathBuf>(argument.get_id().as_str()) else { continue };
                let list = if is_output(argument) { &mut paths.outputs } else { &mut paths.inputs };
                list.extend(found.cloned());
            }
            let Some((name, inside)) = matches.subcommand() else { return paths };
            let Some(subcommand) = command.find_subcommand(name) else { return paths };
            (command, matches) = (subcommand, inside);
        }
    }

    /// Refuses an output that is an input or another output, before any work.
    pub fn check(&self) -> Result<()> {
        for (index, output) in self.outputs.iter().enumerate() {
            check_output(output)?;
            self.inputs.iter().try_for_each(|input| refuse_replacing(input, output))?;
            if output.is_file() {
                let beside = self.inputs.iter().flat_map(|input| sinew_io::side_files(input));
                beside.into_iter().try_for_each(|input| refuse_replacing(&input, output))?;
            }
            let is_same = |other: &PathBuf| other == output || is_same_file(other, output).unwrap_or(false);
            if self.outputs[..index].iter().any(is_same) {
                refuse!("{}: two results would be written to this file; give them two names", output.display());
            }
        }
        Ok(())
    }

    /// A message about these paths: with the first input before it, unless it names one itself.
    pub fn named(&self, message: String) -> String {
        let is_named = self.inputs.iter().chain(&self.outputs).any(|path| message.contains(&*path.to_string_lossy()));
        match self.inputs.first() {
            Some(input) if !is_named => format!("{}: {message}", input.display()),
            _ => message,
        }
    }
}

/// Refuses an output that is an input. Folders, which many commands read from and write into, are no files.
pub fn refuse_replacing(input: &Path, output: &Path) -> Result<()> {
    if output.is_file() && is_same_file(input, output).unwrap_or(false) {
        refuse_as_input(output)?;
    }
    Ok(())
}

/// Refuses a bake to numbered files that may replace an input.
pub fn refuse_replacing_by_frames(input: &Path, output: &Path) -> Result<()> {
    if is_frame_of(input, output) {
        refuse!("{}: its frames would replace {}; give it another name", output.display(), input.display());
    }
    Ok(())
}

/// Refuses an output that is an input.
pub fn refuse_as_input(output: &Path) -> Result<()> {
    refuse!("{}: the result would replace its own input; give it another name or folder", output.display())
}

/// Refuses a format that is only read, before any work.
pub fn check_output(output: &Path) -> Result<()> {
    if output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("vrm")) {
        refuse!("{}: Sinew reads VRM but does not write it; use .glb", output.display());
    }
    Ok(())
}

/// Whether an input, `walk.0012.obj`, is named as a frame of a bake to the output, `walk.obj`.
fn is_frame_of(input: &Path, output: &Path) -> bool {
    let (Some(name), Some(stem)) = (input.file_name(), output.file_stem()) else { return false };
    let (name, stem) = (name.to_string_lossy(), stem.to_string_lossy());
    let number = name.strip_prefix(&*stem).and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".obj"));
    let is_obj = output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("obj"));
    is_obj
        && number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        && is_same_file(folder(input), folder(output)).unwrap_or(false)
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn is_output(argument: &Arg) -> bool {
    let name = argument.get_value_names().and_then(|names| names.first());
    name.is_some_and(|name| name.starts_with("OUT"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// The arguments of all commands that take a value, with the command's name.
    fn arguments(command: &Command, all: &mut Vec<(String, Arg)>) {
        let name = |argument: &Arg| (command.get_name().to_owned(), argument.clone());
        all.extend(command.get_arguments().filter(|argument| argument.get_value_names().is_some()).map(name));
        command.get_subcommands().for_each(|subcommand| arguments(subcommand, all));
    }

    #[test]
    fn a_message_names_a_file() {
        let paths = Paths { inputs: vec!["a.glb".into(), "r.toml".into()], outputs: vec!["o.glb".into()] };
        assert_eq!(paths.named("there is no joint \"x\"".into()), "a.glb: there is no joint \"x\"");
        for message in ["r.toml: line 2", "o.glb: no room", "a.glb has no clip"] {
            assert_eq!(paths.named(message.into()), message);
        }
    }

    #[test]
    fn what_is_written_is_called_so() {
        let mut all = Vec::new();
        arguments(&crate::Program::command(), &mut all);
        let outputs: Vec<_> = all.iter().filter(|(_, argument)| is_output(argument)).collect();
        assert!(outputs.len() > 15, "{}", outputs.len());
        for (command, argument) in &all {
            let (id, help) = (argument.get_id().as_str(), argument.get_help().map(|help| help.to_string()));
            let help = help.unwrap_or_default();
            let sounds_written = id.starts_with("output")
                || id == "report"
                || help.starts_with("Where to write")
                || help.starts_with("Write ");
            assert!(!sounds_written || is_output(argument), "{command} {id}: call its value OUT");
        }
    }
}
