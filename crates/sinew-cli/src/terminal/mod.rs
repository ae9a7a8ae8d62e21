//! Stdout for results, stderr for warnings and progress.

pub mod progress;

use crate::failure::{Failure, Result};
use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// Prints a line on stdout. A closed pipe, such as that of `head`, is no error.
pub fn print(line: impl Display) -> Result<()> {
    match writeln!(std::io::stdout(), "{line}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(Failure::Stdout),
    }
}

/// Prints a warning about a file or a character on stderr.
pub fn warn(about: impl Display, warning: impl Display) {
    eprintln!("warning: {about}: {warning}");
}
