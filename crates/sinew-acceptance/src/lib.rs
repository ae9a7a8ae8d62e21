//! Sweeps of the engine over all shared characters and motions. The crate has tests only.
//!
//! A test belongs here if it judges what the engine makes of real files: every character in every clip keeps its
//! volume, automatic weights are near the painted ones, a repaired capture is near the truth. A test of a reader or a
//! writer belongs to `sinew-io`, also if it reads every shared file; a test on shapes made for the purpose belongs to
//! the crate that it tests.
//!
//! The tests read `SINEW_DATA` or `shared/data` beside the workspace, and skip with a message where neither
//! is there. In continuous integration that is a failure.
//!
//! Budget: the sweeps are the longest part of `cargo test --release`. A new sweep reads each file once, thins frames
//! and vertices where the figure allows it, and leaves the sum of the crate where it was. Measured: see CONTRIBUTING.
