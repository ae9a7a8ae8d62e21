//! Groups of options that several commands share.

pub mod cage;
pub mod frame_range;
pub mod markers;
pub mod method;
pub mod moment;
pub mod motion;
pub mod setting;
pub mod skeleton;
pub mod stack;
