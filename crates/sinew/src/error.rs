//! The errors of all of Sinew's crates, as one type.

/// An error of a character, a motion or a request. Every message names the thing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A mesh or a linear system that cannot be used.
    #[error(transparent)]
    Geometry(#[from] sinew_geometry::Error),
    /// A field that cannot be used.
    #[error(transparent)]
    Field(#[from] sinew_field::Error),
    /// A character that cannot be used.
    #[error(transparent)]
    Rig(#[from] sinew_rig::Error),
    /// A character that cannot be deformed.
    #[error(transparent)]
    Deform(#[from] sinew_deform::Error),
    /// A mesh that cannot be bound, or a skeleton that cannot be fitted.
    #[error(transparent)]
    Bind(#[from] sinew_bind::Error),
    /// A motion that cannot be edited, retargeted, searched or repaired.
    #[error(transparent)]
    Motion(#[from] sinew_motion::Error),
    /// A cage that cannot be built or driven.
    #[error(transparent)]
    Cage(#[from] sinew_cage::Error),
    /// A recipe that cannot be read.
    #[error("{0}")]
    Recipe(String),
}

/// The result of everything that can go wrong while a character is built.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Implements `From` for the error of each engine crate, by way of [`Error`], for an error type with a variant that
/// holds one: `sinew::from_engine_errors!(Problem::Engine)`.
#[macro_export]
macro_rules! from_engine_errors {
    ($error:ident :: $variant:ident) => {
        $crate::from_engine_errors!(@each $error, $variant, geometry, field, rig, deform, bind, motion, cage);
    };
    (@each $error:ident, $variant:ident, $($source:ident),*) => {
        $(impl From<$crate::$source::Error> for $error {
            fn from(error: $crate::$source::Error) -> Self {
                Self::$variant(error.into())
            }
        })*
    };
}
