//! Errors of drawing, saving and comparing pictures.

use std::path::PathBuf;

/// A sentence about a picture that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The width, the height or their product is out of bounds.
    #[error(
        "a picture of {width} x {height} pixels cannot be made: each side must be 1 to {max_side} and the area at most {max_pixels} pixels"
    )]
    Size {
        /// The width asked for.
        width: usize,
        /// The height asked for.
        height: usize,
        /// The longest side allowed.
        max_side: usize,
        /// The largest area allowed.
        max_pixels: usize,
    },
    /// The bytes are not a PNG file that can be read.
    #[error("the PNG picture cannot be read: {0}")]
    Decode(#[from] png::DecodingError),
    /// The picture could not be packed into a PNG file.
    #[error("the PNG picture cannot be written: {0}")]
    Encode(#[from] png::EncodingError),
    /// A picture's file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// Two pictures to be compared have different sizes.
    #[error("the pictures differ in size: {} x {} against {} x {}", found.0, found.1, expected.0, expected.1)]
    SizeMismatch {
        /// Width and height of the first.
        found: (usize, usize),
        /// Width and height of the second.
        expected: (usize, usize),
    },
    /// A picture differs from its reference by more than the tolerance.
    #[error(
        "{reference}: the picture differs from its reference ({summary}); see {new} and {difference}, and set SINEW_BLESS=1 to accept the new picture"
    )]
    Mismatch {
        /// The reference.
        reference: PathBuf,
        /// How much they differ, in words.
        summary: String,
        /// Where the new picture was written.
        new: PathBuf,
        /// Where the difference was written.
        difference: PathBuf,
    },
    /// There is no reference to compare a picture with.
    #[error("{reference}: there is no reference picture; the new one is {new}, and SINEW_BLESS=1 accepts it")]
    NoReference {
        /// The reference that was looked for.
        reference: PathBuf,
        /// Where the new picture was written.
        new: PathBuf,
    },
}
