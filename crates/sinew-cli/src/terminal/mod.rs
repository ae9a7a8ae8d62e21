//! Stdout for results, stderr for warnings and progress.

pub mod progress;

use crate::failure::{Failure, Result};
use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// Prints lines on stdout. A closed pipe, such as that of `head`, is no error.
pub fn print(line: impl Display) -> Result<()> {
    match writeln!(std::io::stdout(), "{}", printable(line)) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(Failure::Stdout),
    }
}

/// Prints lines on stderr.
pub fn note(line: impl Display) {
    eprintln!("{}", printable(line));
}

/// Prints a warning about a file or a character on stderr.
pub fn warn(about: impl Display, warning: impl Display) {
    note(format_args!("warning: {about}: {warning}"));
}

/// The text without control characters, with which a name from a file could rewrite or command the terminal. Ends of lines
/// and tabs stay.
fn printable(text: impl Display) -> String {
    let is_harmless = |letter: char| !letter.is_control() || matches!(letter, '\n' | '\t');
    text.to_string().replace(|letter: char| !is_harmless(letter), "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_command_the_terminal() {
        assert_eq!(printable("a\x1b]0;title\x07b\r\n\tc\u{9b}2J"), "a\u{fffd}]0;title\u{fffd}b\u{fffd}\n\tc\u{fffd}2J");
        assert_eq!(printable("Körper „ab“ 👍"), "Körper „ab“ 👍");
    }
}
