//! The common interface of all formats of a moving surface.

use crate::Error;
use sinew::Surface;

/// A bake under construction. Frames come in order, equally spaced.
pub trait BakeWriter {
    /// Appends a frame.
    fn frame(&mut self, surface: &Surface) -> Result<(), Error>;
    /// Puts the finished file in place.
    fn finish(self: Box<Self>) -> Result<(), Error>;
}
