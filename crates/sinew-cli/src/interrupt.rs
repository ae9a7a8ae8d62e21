//! Ctrl+C and SIGTERM remove unfinished files; then the program ends by the signal, as a shell expects.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// Cleans up when the program is interrupted. A signal that is ignored, as a script does for work in the background, stays
/// so. Without a handler nothing is lost but the cleaning.
pub fn clean_up() {
    let ignored = ignored_signals();
    let handled = [SIGINT, SIGTERM].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    let Ok(mut signals) = Signals::new(handled) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            sinew_io::remove_unfinished_files();
            let _ = emulate_default_handler(signal);
        }
    });
}

/// A bit for each ignored signal, from Linux's account of this process; none elsewhere.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
