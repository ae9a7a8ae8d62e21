//! Errors of a character. Every message names the mesh, joint or clip.

/// An error of a character.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A mesh or a linear system that cannot be used.
    #[error(transparent)]
    Geometry(#[from] sinew_geometry::Error),
    /// A cycle of parents.
    #[error("the joint hierarchy has a cycle through \"{joint}\"; a skeleton must be a tree")]
    HierarchyCycle {
        /// A joint on the cycle.
        joint: String,
    },
    /// A parent index outside the skeleton.
    #[error("joint \"{joint}\" names parent {parent}, but the skeleton has {count} joints")]
    ParentOutOfRange {
        /// The child.
        joint: String,
        /// The index it names.
        parent: usize,
        /// How many joints there are.
        count: usize,
    },
    /// A transform with NaN or infinity.
    #[error("joint \"{joint}\" has a transform that is not finite")]
    JointNotFinite {
        /// The joint.
        joint: String,
    },
    /// An influence on a joint that the binding does not have.
    #[error("mesh \"{mesh}\": vertex {vertex} is weighted to joint {joint}, but its skin has {count} joints")]
    InfluenceOutOfRange {
        /// The mesh.
        mesh: String,
        /// The vertex.
        vertex: usize,
        /// The index in the skin's joint list.
        joint: u32,
        /// The list's length.
        count: usize,
    },
    /// Weights that are NaN or infinite.
    #[error("mesh \"{mesh}\": vertex {vertex} has a weight that is not finite; paint it again or re-bind the mesh")]
    WeightNotFinite {
        /// The mesh.
        mesh: String,
        /// The vertex.
        vertex: usize,
    },
    /// Vertices that no joint moves.
    #[error(
        "mesh \"{mesh}\": {count} vertices have no weight at all (the first is {vertex}); \
         give them a joint or re-bind the mesh"
    )]
    Weightless {
        /// The mesh.
        mesh: String,
        /// The first such vertex.
        vertex: usize,
        /// How many there are.
        count: usize,
    },
    /// A share of dual-quaternion skinning outside 0 to 1.
    #[error("mesh \"{mesh}\": vertex {vertex} has {share} for its share of dual-quaternion skinning, not 0 to 1")]
    ShareOutOfRange {
        /// The mesh.
        mesh: String,
        /// The vertex.
        vertex: usize,
        /// The value.
        share: f32,
    },
    /// An inverse bind matrix with NaN or infinity.
    #[error("mesh \"{mesh}\": the inverse bind matrix of the skin's joint {slot} is not finite; re-bind the mesh")]
    BindNotFinite {
        /// The mesh.
        mesh: String,
        /// The index in the skin's joint list.
        slot: usize,
    },
    /// A morph weight with NaN or infinity.
    #[error("\"{character}\": the weight of morph target {morph} is not finite")]
    MorphNotFinite {
        /// The character.
        character: String,
        /// The target's number.
        morph: usize,
    },
    /// More joints, or pairs of joints with a common vertex, than an index of 16 bits can count.
    #[error("mesh \"{mesh}\": its {count} joints meet in more than 65536 ways; split the mesh or prune its weights")]
    TooManyJoints {
        /// The mesh.
        mesh: String,
        /// The number of its joints.
        count: usize,
    },
    /// A joint index of a binding, a part or a track outside the skeleton.
    #[error("{what} names joint {joint}, but the skeleton has {count} joints")]
    JointOutOfRange {
        /// The thing that names it.
        what: String,
        /// The index.
        joint: usize,
        /// How many joints there are.
        count: usize,
    },
    /// A track without keys, with times that do not increase, or with the wrong number of values.
    #[error("clip \"{clip}\": the {what} track of \"{target}\" {why}")]
    Track {
        /// The clip.
        clip: String,
        /// "translation", "rotation", …
        what: &'static str,
        /// The joint or morph target.
        target: String,
        /// The problem.
        why: String,
    },
    /// A clip far longer than any motion.
    #[error(
        "clip \"{clip}\" is {seconds:.0} s long, which at {fps} fps is more than the {} frames that are sampled; \
         correct its key times or use a lower rate",
        crate::limits::MAX_FRAMES
    )]
    TooManyFrames {
        /// The clip.
        clip: String,
        /// Its length.
        seconds: f64,
        /// The rate asked for.
        fps: f64,
    },
    /// A surface that would have too many faces.
    #[error(
        "mesh \"{mesh}\": refining {faces} of its faces once more would leave more than {} faces; \
         refine fewer steps or a smaller region",
        crate::limits::MAX_REFINED_FACES
    )]
    TooFine {
        /// The mesh.
        mesh: String,
        /// The number of faces to refine.
        faces: usize,
    },
    /// A skeleton with unknown joint names.
    #[error(
        "no {part} found among the skeleton's joints; head, shoulders, elbows, hands, hips, knees and feet are known by \
         their names (such as LeftUpLeg, thigh.L or FrontUpLeg.L)"
    )]
    NoLandmark {
        /// The missing part.
        part: String,
    },
    /// An up vector that is zero or not finite.
    #[error("the direction up is zero or not finite; a skeleton is fitted to a body that stands along it")]
    NoUp,
}

/// A result with an error of a character.
pub type Result<T, E = Error> = std::result::Result<T, E>;
