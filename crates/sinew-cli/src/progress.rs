//! A bar on the terminal while work goes on; nothing when stderr is piped.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for a number of steps.
pub fn bar(steps: usize, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}");
    let bar = ProgressBar::new(steps as u64);
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.with_message(what)
}
