use crate::misplacement::Misplacement;
use std::error::Error as StdError;
use std::fmt::Display;
use std::path::PathBuf;

/// The result of a task.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a task cannot be done. Every sentence names the joint, the marker or the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The engine refuses the input.
    #[error(transparent)]
    Engine(#[from] sinew::Error),
    /// A file has the wrong content or cannot be written.
    #[error(transparent)]
    File(#[from] sinew_io::Error),
    /// Bytes have the wrong content.
    #[error(transparent)]
    Content(#[from] sinew_io::Problem),
    /// The operating system refuses to open a file or a folder.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The attempt: "read", "list", …
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// Another error, and the part of the input it is about.
    #[error("{what}")]
    Context {
        /// The part of the input.
        what: String,
        /// The error.
        source: Box<Error>,
    },
    /// Data cannot be written as JSON.
    #[error("the result cannot be written as JSON")]
    Json(#[source] serde_json::Error),

    /// A name that no joint has.
    #[error("there is no joint \"{name}\"{}", did_you_mean(similar))]
    UnknownJoint {
        /// The name.
        name: String,
        /// The most similar name of a joint.
        similar: Option<String>,
    },
    /// A name that no clip has.
    #[error("there is no clip \"{name}\" in \"{character}\"; it has {}", numbered(known))]
    UnknownClip {
        /// The name.
        name: String,
        /// The character.
        character: String,
        /// The names of its clips.
        known: Vec<String>,
    },
    /// A character without a clip.
    #[error("\"{character}\" has no clip")]
    NoClip {
        /// The character.
        character: String,
    },
    /// A deformed surface with coordinates that are not finite.
    #[error(
        "mesh \"{mesh}\" has coordinates that are not finite at {seconds:.3} s; a joint of the motion is scaled or moved \
         too far"
    )]
    SurfaceNotFinite {
        /// The mesh.
        mesh: String,
        /// The time.
        seconds: f64,
    },

    /// Text that is not a pose file.
    #[error("this is not a pose file")]
    NotAPose(#[source] serde_json::Error),
    /// A rotation without an axis or an angle.
    #[error("joint \"{joint}\" needs an axis that is not zero and a finite angle")]
    Rotation {
        /// The joint.
        joint: String,
    },

    /// A mesh to be bound again that has no skeleton.
    #[error("the mesh has no skeleton of its own")]
    NoOwnSkeleton,
    /// A skeleton that is not where its mesh is.
    #[error("{near} of the skeleton's {joints} joints are near the mesh: {misplacement}")]
    SkeletonOutside {
        /// How many joints are near the mesh.
        near: usize,
        /// How many joints there are.
        joints: usize,
        /// Where both are.
        misplacement: Misplacement,
    },

    /// Two pins of one joint in one frame.
    #[error("\"{joint}\" is pinned twice in frame {frame}; remove one of the two pins")]
    PinnedTwice {
        /// The joint.
        joint: String,
        /// The frame.
        frame: usize,
    },
    /// A pin outside the edited frames.
    #[error("frame {frame} is not in the range, which has frames {first} to {last}")]
    PinOutsideRange {
        /// The frame of the pin.
        frame: usize,
        /// The first edited frame.
        first: usize,
        /// The last edited frame.
        last: usize,
    },
    /// A pin with two goals, or with none.
    #[error("a pin has either a position or an offset")]
    PinGoal,
    /// A pin that turns about an axis of length zero.
    #[error("the axis of its turn has no direction")]
    PinAxis,
    /// Two motions or bodies that stand along different axes.
    #[error("the two motions, and the two bodies, must have the same axis up")]
    UpAxesDiffer,
    /// Two motions whose bodies never touch.
    #[error("the two motions do not touch anywhere; retarget each by itself")]
    NoBodyContact,

    /// A link between markers that names one the capture does not have.
    #[error("a link names the marker \"{label}\", which the capture does not have{}", did_you_mean(similar))]
    UnknownLinkMarker {
        /// The label.
        label: String,
        /// The most similar label.
        similar: Option<String>,
    },
    /// A marker that the capture does not have.
    #[error("the capture has no marker \"{label}\"{}", did_you_mean(similar))]
    UnknownMarker {
        /// The label.
        label: String,
        /// The most similar label.
        similar: Option<String>,
    },
    /// A marker without a single visible frame.
    #[error("marker \"{label}\" is missing in every frame; leave it out of the places")]
    MarkerNeverSeen {
        /// The label.
        label: String,
    },
    /// A capture with no marker that is placed on the mesh.
    #[error("no marker of the capture has a place on the mesh")]
    NoMarkerPlaced,
    /// A capture scale that is zero, negative or not finite.
    #[error("the scale of a capture must be above 0, not {scale}")]
    CaptureScale {
        /// The scale.
        scale: f64,
    },
    /// A frame that the capture does not have.
    #[error("there is no frame {frame}; the capture has {count} frames, counted from 0")]
    UnknownFrame {
        /// The frame.
        frame: usize,
        /// How many frames there are.
        count: usize,
    },
    /// A marker position with NaN or infinity.
    #[error("the position is not finite")]
    MarkerNotFinite,
    /// A vertex number outside the file.
    #[error("there is no vertex {vertex}; the file has {count}")]
    UnknownVertex {
        /// The number.
        vertex: usize,
        /// How many vertices there are.
        count: usize,
    },
    /// A marker that is placed in two ways, or in none.
    #[error("a marker has a position, a vertex or a joint, and only one of them")]
    MarkerGoal,
    /// A marker that is placed along a direction of length zero.
    #[error("the direction it lies toward is zero")]
    MarkerDirection,
    /// A mesh without a surface to put markers on.
    #[error("the mesh has no faces")]
    NoFaces,
    /// A mesh without vertices.
    #[error("the mesh has no vertices")]
    NoVertices,
    /// A marker nowhere near the mesh.
    #[error(
        "marker \"{label}\" is {distance:.3} away from a mesh that is {size:.3} across; place it on the mesh, in its units"
    )]
    MarkerFarAway {
        /// The label.
        label: String,
        /// The distance to the cage.
        distance: f64,
        /// The diagonal of the mesh's box.
        size: f64,
    },
    /// Two markers at one point.
    #[error("markers \"{first}\" and \"{second}\" are in the same place; leave one out or move it")]
    MarkersCoincide {
        /// The label of one.
        first: String,
        /// The label of the other.
        second: String,
    },
    /// A body on which the marker template cannot be placed.
    #[error("a template needs a body with two legs whose joints have usual names; place the markers by hand")]
    NoTemplateBody,
    /// A capture without a marker of the template.
    #[error("the capture has none of the template's markers, which are {}", known.join(", "))]
    NoTemplateMarker {
        /// The labels of the template.
        known: Vec<String>,
    },

    /// A clip that is to drive a mesh without a skeleton.
    #[error("joints cannot be followed, as there is no skeleton; give one, or markers")]
    NoJointsToFollow,
    /// A handle that is not in the cage.
    #[error("{handle} has no vertex in the cage, so it cannot be moved")]
    HandleWithoutVertex {
        /// The joint or marker.
        handle: String,
    },
    /// A handle number out of range.
    #[error("there is no handle {handle}; there are {count}")]
    UnknownHandle {
        /// The number.
        handle: usize,
        /// How many handles there are.
        count: usize,
    },
    /// Limits on a joint that has nothing to turn against.
    #[error("no bone of this joint has a parent bone, so it cannot be limited")]
    NothingToLimit,
    /// Text that is not a cage file.
    #[error("this is not a cage file")]
    NotACage(#[source] serde_json::Error),
    /// A cage file of another version.
    #[error("the cage has version {found}, and this program reads version {supported}")]
    CageVersion {
        /// The version of the file.
        found: u32,
        /// The version that is read.
        supported: u32,
    },
    /// A cage file that contradicts itself.
    #[error("the cage names {labels} markers and has {vertices}")]
    CageMarkers {
        /// How many labels it has.
        labels: usize,
        /// How many vertices.
        vertices: usize,
    },
    /// A mesh that has changed since its cage was built.
    #[error("{}: vertex {vertex} is not where it was when the cage was made; build the cage again", path.display())]
    CageMeshChanged {
        /// The mesh.
        path: PathBuf,
        /// The first vertex that is elsewhere.
        vertex: usize,
    },

    /// A folder that does not exist.
    #[error("{}: there is no such folder; give one with motions in it", path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A folder without a motion.
    #[error(
        "{}: there is no motion to search in it; it must contain .bvh, .amc, .glb, .gltf or .fbx files of people",
        path.display()
    )]
    NoMotions {
        /// The folder.
        path: PathBuf,
    },
    /// A file that is not an index of motions.
    #[error("{} is no index of motions", path.display())]
    NotAnIndex {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: Box<Error>,
    },
    /// An index with content that cannot be used.
    #[error("{what}")]
    BrokenIndex {
        /// The problem.
        what: String,
    },
    /// The approximate index cannot be built or searched.
    #[error("{what}: {why}")]
    ApproximateIndex {
        /// The step that failed.
        what: &'static str,
        /// The reason.
        why: String,
    },
    /// A table of labels without a column.
    #[error("its first line has no column \"{column}\"; it needs \"file\" and \"class\"")]
    LabelColumn {
        /// The column.
        column: &'static str,
    },
    /// A line of a table of labels with an empty cell.
    #[error("line {line} has no file or no class")]
    LabelLine {
        /// The line, counted from 1.
        line: usize,
    },
    /// A table of labels without a row.
    #[error("it labels no file")]
    NoLabels,
    /// Labels of which no two agree.
    #[error("no class has two motions, so there is nothing to find")]
    NoClassOfTwo,
    /// A labelled file that is in several folders.
    #[error("\"{file}\" is in {count} folders below {}; label it with its path from there", folder.display())]
    AmbiguousLabel {
        /// The file.
        file: String,
        /// In how many folders.
        count: usize,
        /// The folder that was searched.
        folder: PathBuf,
    },
    /// A labelled file that is in no folder.
    #[error("\"{file}\" is labelled, but it is not in {}", folder.display())]
    LabelWithoutFile {
        /// The file.
        file: String,
        /// The folder that was searched.
        folder: PathBuf,
    },
}

sinew::from_engine_errors!(Error::Engine);

impl Error {
    /// The error and its causes as one sentence.
    pub fn one_sentence(&self) -> String {
        one_sentence(self)
    }

    /// The error below all [`Error::Context`].
    pub fn root(&self) -> &Self {
        match self {
            Self::Context { source, .. } => source.root(),
            root => root,
        }
    }
}

/// An error and its causes as one sentence, without the repetitions that nested errors bring.
pub fn one_sentence(error: &(dyn StdError + 'static)) -> String {
    let mut text = String::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let cause = error.to_string();
        next = error.source();
        if !text.contains(&cause) {
            if !text.is_empty() {
                text.push_str(": ");
            }
            text.push_str(&cause);
        }
    }
    text
}

/// Adds to an error the part of the input it is about.
pub trait Context<T> {
    /// Names the part.
    fn context(self, what: impl Display) -> Result<T>;

    /// Names the part, in words that are made for errors alone.
    fn with_context<W: Display>(self, what: impl FnOnce() -> W) -> Result<T>;
}

impl<T, E: Into<Error>> Context<T> for Result<T, E> {
    fn context(self, what: impl Display) -> Result<T> {
        self.with_context(|| what)
    }

    fn with_context<W: Display>(self, what: impl FnOnce() -> W) -> Result<T> {
        self.map_err(|error| Error::Context { what: what().to_string(), source: Box::new(error.into()) })
    }
}

fn did_you_mean(similar: &Option<String>) -> String {
    similar.as_ref().map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}

fn numbered(names: &[String]) -> String {
    if names.is_empty() {
        return "none at all".into();
    }
    let names: Vec<_> = names.iter().enumerate().map(|(k, name)| format!("{k}: \"{name}\"")).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_follow_without_repetition() {
        let missing = std::io::Error::other("there is no such file");
        let inner: Result<()> = Err(Error::Io { action: "read", path: "a.svg".into(), source: missing });
        let error = inner.context("a.toml").context("a.toml: cannot read a.svg").unwrap_err();
        assert_eq!(error.one_sentence(), "a.toml: cannot read a.svg: there is no such file");
        assert!(matches!(error.root(), Error::Io { .. }));
    }
}
