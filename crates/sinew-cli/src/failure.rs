//! Why a command fails, and the message on stderr.

use crate::alignment::options_of;
use sinew_render::RenderError;
use sinew_tasks::Error;
use std::fmt::Display;
use std::path::Path;

/// The result of a command or a part of it.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why a command fails. The exit code is 1 for all of them; wrong usage, which has 2, ends the program while arguments
/// are parsed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The request cannot be met, with the reason.
    #[error("{0}")]
    Request(String),
    /// The input is bad.
    #[error(transparent)]
    Task(#[from] Error),
    /// A picture cannot be drawn.
    #[error(transparent)]
    Picture(#[from] RenderError),
    /// Data cannot be written as JSON.
    #[error("the result cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    /// Stdout cannot be written to.
    #[error("cannot write to stdout")]
    Stdout(#[source] std::io::Error),
    /// The studio cannot be served or exported.
    #[error(transparent)]
    Studio(Box<sinew_studio::Error>),
    /// Another failure, and its subject.
    #[error("{what}")]
    Context {
        /// The file, or the part of the request.
        what: String,
        /// The failure.
        source: Box<Failure>,
    },
}

/// Ends a function with [`Failure::Request`].
macro_rules! refuse {
    ($($words:tt)*) => {
        return Err($crate::failure::Failure::Request(format!($($words)*)))
    };
}
pub(crate) use refuse;

impl Failure {
    /// The failure and its causes in one sentence, and the option that helps.
    pub fn message(&self) -> String {
        sinew_tasks::one_sentence(self) + &self.hint()
    }

    fn hint(&self) -> String {
        match self {
            Self::Context { source, .. } => source.hint(),
            Self::Task(error) => hint(error.root()),
            _ => String::new(),
        }
    }
}

/// The options of this program that resolve an error of the libraries.
fn hint(error: &Error) -> String {
    match error {
        Error::Engine(sinew::Error::Bind(sinew::bind::Error::NoJoints)) => " (--skeleton FILE, --fit humanoid)".into(),
        Error::NoOwnSkeleton => {
            "; give one with --skeleton FILE, let one be placed with --fit humanoid, or take that of \
                                 a rigged character with --from RIGGED"
                .into()
        }
        Error::SkeletonOutside { misplacement, .. } => {
            options_of(misplacement).map_or_else(String::new, |options| format!("; use {options}"))
        }
        Error::UnknownJoint { similar: None, .. } => "; sinew inspect lists them".into(),
        Error::NotAnIndex { .. } => "; make one with sinew motion index DIR -o INDEX.npz".into(),
        _ => String::new(),
    }
}

sinew::from_engine_errors!(Failure::Task);

impl From<sinew::Error> for Failure {
    fn from(error: sinew::Error) -> Self {
        Self::Task(error.into())
    }
}

impl From<sinew_studio::Error> for Failure {
    fn from(error: sinew_studio::Error) -> Self {
        Self::Studio(Box::new(error))
    }
}

impl From<sinew_io::Error> for Failure {
    fn from(error: sinew_io::Error) -> Self {
        Self::Task(error.into())
    }
}

/// Adds its subject to a failure.
pub trait Context<T> {
    /// Names the file.
    fn at(self, path: &Path) -> Result<T>;

    /// Names the part of the request.
    fn with_context<W: Display>(self, what: impl FnOnce() -> W) -> Result<T>;
}

impl<T, E: Into<Failure>> Context<T> for Result<T, E> {
    fn at(self, path: &Path) -> Result<T> {
        self.with_context(|| path.display())
    }

    fn with_context<W: Display>(self, what: impl FnOnce() -> W) -> Result<T> {
        self.map_err(|error| Failure::Context { what: what().to_string(), source: Box::new(error.into()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_named_at_the_end() {
        let unknown: Result<(), Error> = Err(Error::UnknownJoint { name: "elbow".into(), similar: None });
        let message = unknown.at(Path::new("pose.json")).unwrap_err().message();
        assert_eq!(message, "pose.json: there is no joint \"elbow\"; sinew inspect lists them");
        let none: Result<(), sinew::bind::Error> = Err(sinew::bind::Error::NoJoints);
        assert!(none.at(Path::new("a.glb")).unwrap_err().message().ends_with("(--skeleton FILE, --fit humanoid)"));
    }
}
