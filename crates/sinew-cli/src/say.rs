//! Results on stdout.

use anyhow::{Context, Result};
use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// Prints a line. A reader that has seen enough, such as `head`, is no error.
pub fn say(line: impl Display) -> Result<()> {
    match writeln!(std::io::stdout(), "{line}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to stdout"),
    }
}
