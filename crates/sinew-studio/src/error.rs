//! Errors of the studio.

use std::io;
use std::path::PathBuf;

/// A request that cannot be answered, or a server that cannot run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The engine refuses.
    #[error(transparent)]
    Engine(#[from] sinew::Error),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] sinew_io::Error),
    /// The operating system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A task such as a binding or a bake failed.
    #[error("{}", .0.one_sentence())]
    Task(#[from] sinew_tasks::Error),
    /// A motion cannot be used.
    #[error("\"{name}\": {source}")]
    Motion {
        /// The motion.
        name: String,
        /// The reason.
        source: Box<Self>,
    },
    /// A motion edit failed, with the reason as a sentence.
    #[error("{0}")]
    MotionEdit(String),
    /// The content of a file cannot be read or written.
    #[error("{name}: {source}")]
    Content {
        /// The file.
        name: String,
        /// The reason.
        source: sinew_io::Problem,
    },
    /// The engine has dropped a character.
    #[error("the engine does not have this character any more; open its file again")]
    UnknownCharacter,
    /// A job has a defect.
    #[error("the engine failed; please report what you did")]
    Panicked,
    /// A recipe of the page is wrong.
    #[error("this is not a valid recipe: {0}")]
    Recipe(serde_json::Error),
    /// A pose cannot be written.
    #[error("the pose cannot be written: {0}")]
    Pose(serde_json::Error),
    /// A clip does not exist.
    #[error("\"{character}\" has no clip {clip}")]
    UnknownClip {
        /// The character.
        character: String,
        /// The index of the clip.
        clip: usize,
    },
    /// A joint does not exist.
    #[error("there is no joint \"{0}\"")]
    UnknownJoint(String),
    /// A joint has no bone.
    #[error("joint \"{0}\" has no bone that a plane could go through")]
    NoBone(String),
    /// The implicit skin is off.
    #[error("limbs have fields only where the implicit skin is on")]
    NoFields,
    /// A demo does not exist.
    #[error("there is no figure \"{0}\"; there are mannequin and tube")]
    UnknownDemo(String),
    /// A request to open has no files.
    #[error("there is no file to open")]
    NoFile,
    /// A range of the payload is wrong.
    #[error("the file \"{0}\" lies outside its message")]
    OutsidePayload(String),
    /// A motion was opened without a character.
    #[error("\"{0}\" has no mesh: open a character first, then drop the motion on it")]
    NoMesh(String),
    /// A file has nothing to show.
    #[error("\"{0}\" has neither a mesh nor a motion")]
    NoMotion(String),
    /// A file has no skeleton.
    #[error("\"{0}\" has no skeleton")]
    NoSkeleton(String),
    /// A setting is out of its range.
    #[error("{0}")]
    Setting(String),
    /// A range of frames is wrong.
    #[error("frames {first} to {last} are no range of a clip of {count} frames")]
    FrameRange {
        /// The first frame.
        first: usize,
        /// The last frame.
        last: usize,
        /// The frames of the clip.
        count: usize,
    },
    /// A time is wrong.
    #[error("a time must be a number of seconds, not {0}")]
    Time(f64),
    /// A rotation is wrong.
    #[error("the turn of joint \"{0}\" is no rotation")]
    Rotation(String),
    /// The position of a handle is wrong.
    #[error("the position of a handle must be three finite numbers")]
    HandlePosition,
    /// A format is wrong.
    #[error("a bake is written as glb, usda or pc2, not {0}")]
    BakeFormat(String),
    /// The engine runs in a page.
    #[error("files cannot be written here; use the program sinew")]
    NoDownloads,
    /// There is no folder for baked files.
    #[error("no temporary folder can be made for exports: {0}")]
    TemporaryFolder(io::Error),
    /// The page cancelled a job.
    #[error("cancelled")]
    Cancelled,
    /// The page started too many jobs.
    #[error("too many jobs run already; wait for one")]
    TooManyJobs,
    /// The program was built without the engine for the browser.
    #[error(
        "this build of sinew has no engine for the browser: run `cargo xtask browser` in the repository, then build \
         sinew again"
    )]
    NoBrowserEngine,
    /// A file of the page is missing or broken.
    #[error("the page in this program is broken: {0}; build sinew again")]
    BrokenPage(String),
    /// A folder cannot be made.
    #[error("cannot make the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The port of the server is taken.
    #[error("port {port} cannot be used: {source}; choose another, or 0 for any that is free")]
    Port {
        /// The port.
        port: u16,
        /// The reason.
        source: io::Error,
    },
}

/// A result of the studio.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The chain of causes as one sentence, without the repetitions that nested errors bring.
    pub fn sentence(&self) -> String {
        sinew_tasks::one_sentence(self)
    }
}

sinew::from_engine_errors!(Error::Engine);
