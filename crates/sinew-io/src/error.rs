use std::path::{Path, PathBuf};

/// A file that could not be read or written, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct Error {
    /// The file.
    pub path: PathBuf,
    /// The problem.
    #[source]
    pub problem: Problem,
}

/// A problem of a file. Readers of bytes return this; [`Error`] adds the path.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The operating system refused.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// A file that this one refers to could not be read.
    #[error("it refers to \"{name}\", which cannot be read: {source}")]
    Missing {
        /// The reference as written.
        name: String,
        /// Why not.
        source: std::io::Error,
    },
    /// The content breaks the format's rules.
    #[error("{at}: {why}")]
    Malformed {
        /// Where: a line, an accessor, a byte offset.
        at: String,
        /// The problem there.
        why: String,
    },
    /// Something that Sinew does not read or write.
    #[error("{what}; {hint}")]
    Unsupported {
        /// What it is.
        what: String,
        /// The alternative.
        hint: String,
    },
    /// The content is well-formed but no usable character or motion.
    #[error(transparent)]
    Engine(#[from] sinew::Error),
}

sinew::from_engine_errors!(Problem::Engine);

impl Problem {
    /// Content that breaks the format's rules.
    pub fn malformed(at: impl Into<String>, why: impl Into<String>) -> Self {
        Self::Malformed { at: at.into(), why: why.into() }
    }

    /// Something that Sinew does not read or write, and what to do instead.
    pub fn unsupported(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into(), hint: hint.into() }
    }

    /// Adds the path.
    pub fn at(self, path: &Path) -> Error {
        Error { path: path.into(), problem: self }
    }
}
