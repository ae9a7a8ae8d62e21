//! Tests with optional requirements skip with a message.

use std::collections::BTreeSet;
use std::io::{Write, stderr};
use std::sync::{Mutex, PoisonError};

/// Prints `skipped: WHAT`, once per program, past the test runner, which hides the output of tests that pass.
fn skip(what: &str) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if PRINTED.lock().unwrap_or_else(PoisonError::into_inner).insert(what.to_owned()) {
        _ = writeln!(stderr(), "skipped: {what}");
    }
}

/// Skips with a message what continuous integration must not skip.
///
/// # Panics
/// If the environment variable `CI` is `true`.
pub fn skip_unless_ci(what: &str) {
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "skipped in continuous integration: {what}");
    skip(what);
}
