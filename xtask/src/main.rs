//! The chores of this repository: `cargo xtask COMMAND`.

mod browser;
mod compare;
mod fuzz;
mod guides;
mod pictures;
mod readme;
mod script;
mod sections;
mod vendor;
mod workspace;

use anyhow::{Result, bail};
use std::process::ExitCode;

/// A chore: its name, its help, and what it does with its arguments.
struct Command {
    name: &'static str,
    /// The first line is a summary of the command; the rest is shown by `--help`.
    help: &'static str,
    run: fn(&[String]) -> Result<ExitCode>,
}

const COMMANDS: [Command; 7] = [
    Command { name: "browser", help: browser::HELP, run: browser::run },
    Command { name: "readme", help: readme::HELP, run: readme::run },
    Command { name: "pictures", help: pictures::HELP, run: pictures::run },
    Command { name: "sections", help: sections::HELP, run: sections::run },
    Command { name: "compare", help: compare::HELP, run: compare::run },
    Command { name: "fuzz", help: fuzz::HELP, run: fuzz::run },
    Command { name: "vendor-three", help: vendor::HELP, run: vendor::run },
];

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_help = |argument: &String| ["help", "--help", "-h"].contains(&argument.as_str());
    let Some((name, rest)) = arguments.split_first().filter(|(name, _)| !is_help(name)) else {
        print!("{}", overview());
        return Ok(ExitCode::SUCCESS);
    };
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        bail!("there is no command {name:?}\n\n{}", overview());
    };
    if rest.iter().any(is_help) {
        println!("{}", command.help);
        return Ok(ExitCode::SUCCESS);
    }
    (command.run)(rest)
}

fn overview() -> String {
    let mut text = String::from("cargo xtask COMMAND [--help]\n\n");
    for Command { name, help, .. } in &COMMANDS {
        text += &format!("  {name:14}{}\n", help.lines().next().unwrap_or_default());
    }
    text
}
