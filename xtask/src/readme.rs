//! `cargo xtask readme`

use crate::guides;
use crate::script::{Program, Workplace};
use crate::workspace::expect_no_arguments;
use anyhow::Result;
use std::process::ExitCode;

/// What the command does.
pub const HELP: &str = "runs every command of the README

Runs the commands of the README's shell blocks in order, in a temporary folder, with the program that
`cargo run --release` builds. Left out are the tests, and the studio, which runs until it is interrupted.";

/// Runs the commands.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    expect_no_arguments(arguments)?;
    Workplace::new(Program::Cargo)?.run_script(&guides::readme()?)?;
    Ok(ExitCode::SUCCESS)
}
