//! Errors of motions and markers. Every message names the clip, joint or marker.

/// An error of a motion or of markers.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A mesh or a linear system that cannot be used.
    #[error(transparent)]
    Geometry(#[from] sinew_geometry::Error),
    /// A character that cannot be used.
    #[error(transparent)]
    Rig(#[from] sinew_rig::Error),
    /// Frames that a clip does not have, or too few to edit.
    #[error(
        "clip \"{clip}\" cannot be edited from frame {first} to {last}: it has frames 0 to {}, and a range needs {least} \
         of them",
        count - 1
    )]
    FrameRange {
        /// The clip.
        clip: String,
        /// The first frame asked for.
        first: usize,
        /// The last.
        last: usize,
        /// How many frames the clip has, at least one.
        count: usize,
        /// The shortest range.
        least: usize,
    },
    /// A skeleton without a joint that could be moved.
    #[error("the skeleton has no joint to edit; give a motion that moves one")]
    NoJoints,
    /// A pin in a fixed frame.
    #[error(
        "\"{joint}\" cannot be pinned in frame {frame}: pins may be in frames {first} to {last}, for the frames around \
         them blend into the rest of the clip; choose a wider range"
    )]
    PinFrame {
        /// The joint.
        joint: String,
        /// The pin's frame.
        frame: usize,
        /// The first that can be pinned.
        first: usize,
        /// The last.
        last: usize,
    },
    /// A range that is to end freely in the middle of its clip.
    #[error("an end of the edited range is to be free, but clip \"{clip}\" goes on there; the motion would jump")]
    FreeEnd {
        /// The clip.
        clip: String,
    },
    /// Points without a fixed one.
    #[error("vertex {vertex} is not connected to a fixed vertex; fix a vertex of every connected part")]
    Unanchored {
        /// The first such vertex.
        vertex: usize,
    },
    /// A constraint with numbers that mean nothing, or another one than was prepared.
    #[error(
        "the constraint on points {points:?} is not finite, has a negative length or a normal that is not of length \
         one, or is of another kind than the one it replaces"
    )]
    Constraint {
        /// The points it is about.
        points: (u32, Option<u32>),
    },
    /// Hard constraints that exclude each other.
    #[error("the hard constraints {first} and {second} contradict each other: {why}; make one of them soft")]
    Contradiction {
        /// The place of one in the list.
        first: usize,
        /// The place of the other.
        second: usize,
        /// In which way.
        why: &'static str,
    },
    /// A point that the placed ones do not determine.
    #[error("point {point} cannot be placed: it needs distances to four placed points that are not in a plane")]
    CannotPlace {
        /// The point.
        point: usize,
    },
    /// A motion without a duration.
    #[error("clip \"{clip}\" lasts {seconds} s; a motion to be searched needs at least {least} s")]
    MotionTooShort {
        /// The clip.
        clip: String,
        /// Its length.
        seconds: f64,
        /// The least length.
        least: f64,
    },
    /// A motion with NaN or infinity, or whose limbs have no length.
    #[error("clip \"{clip}\" has joint positions that are not finite, or a body of size zero, at {seconds} s")]
    MotionNotFinite {
        /// The clip.
        clip: String,
        /// The first such moment.
        seconds: f64,
    },
    /// A capture in which there is nothing to repair, or to repair from.
    #[error("there are no markers in this capture: {what}")]
    NoMarkers {
        /// The missing thing.
        what: &'static str,
    },
    /// A motion that shares no joint with the character.
    #[error("{0}")]
    Mapping(String),
}

/// The result of what can be wrong with a motion or a set of markers.
pub type Result<T, E = Error> = std::result::Result<T, E>;
