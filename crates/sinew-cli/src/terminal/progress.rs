//! A progress bar on the terminal, and a clock; nothing is drawn when stderr is piped.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Instant;

/// A bar for a number of steps.
pub fn bar(steps: usize, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}");
    let bar = ProgressBar::new(steps as u64);
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.with_message(what)
}

/// Advances a bar by one of `steps` steps.
pub fn advance(bar: &ProgressBar, steps: usize) {
    bar.set_length(steps as u64);
    bar.inc(1);
}

/// A count of steps whose total is unknown.
pub fn spinner(what: &'static str) -> ProgressBar {
    let bar = ProgressBar::no_length();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {pos}") {
        bar.set_style(style);
    }
    bar.with_message(what)
}

/// A clock that returns milliseconds since it was made.
pub fn clock() -> impl Fn() -> f64 {
    let begin = Instant::now();
    move || 1e3 * begin.elapsed().as_secs_f64()
}
