/// What can be wrong with a character, a motion or a request. Every sentence names the thing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A parent chain that comes back to itself.
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
    /// A coordinate with NaN or infinity.
    #[error("mesh \"{mesh}\": {what} of vertex {vertex} is not finite")]
    VertexNotFinite {
        /// The mesh.
        mesh: String,
        /// "position", "normal", …
        what: &'static str,
        /// The first such vertex.
        vertex: usize,
    },
    /// An array whose length does not fit the mesh.
    #[error("mesh \"{mesh}\": {what} has {found} entries, but {expected} are needed")]
    LengthMismatch {
        /// The mesh.
        mesh: String,
        /// The array.
        what: String,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
    },
    /// A face corner outside the mesh.
    #[error("mesh \"{mesh}\": face {face} names vertex {vertex}, but the mesh has {count} vertices")]
    FaceOutOfRange {
        /// The mesh.
        mesh: String,
        /// The face.
        face: usize,
        /// The corner's index.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
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
    /// A share of dual-quaternion skinning that is no share.
    #[error("mesh \"{mesh}\": vertex {vertex} has {share} for its share of dual-quaternion skinning, not 0 to 1")]
    ShareOutOfRange {
        /// The mesh.
        mesh: String,
        /// The vertex.
        vertex: usize,
        /// What it has.
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
    /// More joints, or pairs of joints that meet in a vertex, than an index of 16 bits can tell apart.
    #[error("mesh \"{mesh}\": its {count} joints meet in more than 65536 ways; split the mesh or prune its weights")]
    TooManyJoints {
        /// The mesh.
        mesh: String,
        /// How many it is bound to.
        count: usize,
    },
    /// A joint index of a binding, a part or a track outside the skeleton.
    #[error("{what} names joint {joint}, but the skeleton has {count} joints")]
    JointOutOfRange {
        /// Who names it.
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
        /// What is wrong with it.
        why: String,
    },
    /// A clip far longer than any motion.
    #[error(
        "clip \"{clip}\" is {seconds:.0} s long, which at {fps} fps is more than the {} frames that are sampled; \
         mend its key times or use a lower rate",
        crate::rig::MAX_FRAMES
    )]
    TooManyFrames {
        /// The clip.
        clip: String,
        /// Its length.
        seconds: f64,
        /// The rate asked for.
        fps: f64,
    },
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
    /// A pin where the motion is kept.
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
    /// A surface without an inside.
    #[error(
        "mesh \"{mesh}\" cannot be closed, so it has no volume to keep: next to its {loops} boundary loops there are \
         faces that disagree about which side is out; make the winding consistent, or leave the mesh out \
         (recipe: [volume] leave_out = [\"{mesh}\"])"
    )]
    NotClosable {
        /// The mesh.
        mesh: String,
        /// Its holes.
        loops: usize,
    },
    /// An entry of a sparse matrix outside it.
    #[error("a linear system of {size} unknowns has an entry for unknown {unknown}")]
    UnknownOutOfRange {
        /// The index.
        unknown: u32,
        /// How many unknowns there are.
        size: usize,
    },
    /// A matrix whose factor does not fit memory or indices of 32 bits.
    #[error("a linear system of {size} unknowns is too large to be factored; use a coarser mesh")]
    SystemTooLarge {
        /// How many unknowns there are.
        size: usize,
    },
    /// Points that nothing holds.
    #[error("vertex {vertex} hangs on nothing that is held in place; hold a vertex of every connected part")]
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
    #[error(
        "point {point} cannot be placed: fewer than four placed points that are not in a plane know their distance to it"
    )]
    CannotPlace {
        /// The point.
        point: usize,
    },
    /// A row of a table of neighbours that ends before it starts, or outside the table.
    #[error("the neighbours of vertex {vertex} are not a range of the table's {entries} entries")]
    NeighborRowOutOfRange {
        /// The vertex.
        vertex: usize,
        /// The table's length.
        entries: usize,
    },
    /// A surface that would have more faces than are of use.
    #[error(
        "mesh \"{mesh}\": refining {faces} of its faces once more would leave more than {} faces; \
         refine fewer steps or a smaller region",
        crate::rig::MAX_REFINED_FACES
    )]
    TooFine {
        /// The mesh.
        mesh: String,
        /// How many faces were to be refined.
        faces: usize,
    },
    /// A character without a vertex.
    #[error("there is no mesh to bind; give a file with a mesh (.glb, .gltf, .fbx, .obj or .ply)")]
    NothingToBind,
    /// A skeleton without a joint that could take weight.
    #[error("there is no joint to bind to; give a skeleton or let one be fitted")]
    NoJoints,
    /// A surface over which heat has no equilibrium in f64.
    #[error("weights cannot be spread over the surface: some of its faces are too large or too thin to compute with")]
    NoEquilibrium,
    /// A skeleton nowhere near the mesh.
    #[error(
        "the skeleton is {distance:.3} away from the mesh, which is {size:.3} across; \
         both must be in the same place and units"
    )]
    SkeletonFarAway {
        /// From the box around the mesh to the nearest bone.
        distance: f64,
        /// The diagonal of that box.
        size: f64,
    },
    /// A source of weights without a weighted face.
    #[error("there are no weights to transfer: the source has no face that hangs on a joint; give a rigged character")]
    NothingToTransfer,
    /// A number outside the range in which it makes sense.
    #[error("{what} must be {range}, not {value}")]
    OutOfRange {
        /// What the number is.
        what: &'static str,
        /// The number.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// Saved operator tables that are not ours, or not whole.
    #[error("the saved tables of the field operators {why}; delete them, and they are built again")]
    FieldTables {
        /// What is wrong with them.
        why: &'static str,
    },
    /// A grid that would not fit into memory.
    #[error("a grid of cells of {cell} over a box of {size:?} is too large; use larger cells")]
    GridTooLarge {
        /// The side of a cell.
        cell: f64,
        /// The sides of the box.
        size: [f64; 3],
    },
    /// A surface without a triangle, where one is needed.
    #[error("there is no surface to measure distances to; give a mesh with at least one triangle")]
    NoSurface,
    /// A cage that could not be kept outside its mesh.
    #[error("no cage at an offset of {offset} of the mesh's diagonal stays outside the mesh; use a larger offset")]
    NotEnclosed {
        /// The offset asked for.
        offset: f64,
    },
    /// A marker nowhere near the mesh.
    #[error(
        "marker {marker} is {distance:.3} away from a mesh that is {size:.3} across; place it on the mesh, in its units"
    )]
    MarkerFarAway {
        /// Its place in the list.
        marker: usize,
        /// From the cage to it.
        distance: f64,
        /// The diagonal of the mesh's box.
        size: f64,
    },
    /// Markers that cannot be told apart.
    #[error("markers {first} and {second} are in the same place; leave one out or move it")]
    MarkersCoincide {
        /// The place of one in the list.
        first: usize,
        /// The place of the other.
        second: usize,
    },
    /// A control mesh that cannot be driven.
    #[error("the control mesh is broken: {what}; build the cage again")]
    BrokenControlMesh {
        /// What is wrong.
        what: &'static str,
    },
    /// Nothing that could move the mesh.
    #[error("nothing moves the mesh: give markers, or a skeleton whose joints are to be followed")]
    NoHandles,
    /// No direction that a body stands along.
    #[error("the direction up is zero or not finite; a skeleton is fitted to a body that stands along it")]
    NoUp,
    /// A surface without an inside to put joints into.
    #[error(
        "the surface encloses nothing that a skeleton could be fitted to; give flat parts thickness, close large \
         holes, or bring a skeleton of your own"
    )]
    NothingEnclosed,
    /// A body whose limbs cannot be told apart.
    #[error(
        "no {part} found to fit the skeleton to; check the template and the direction up, stand the character in an \
         A or T pose with its legs apart, or bring a skeleton of your own"
    )]
    NotFound {
        /// What was looked for, with "was" or "were".
        part: &'static str,
    },
    /// A skeleton of whose joints it is not known which is what.
    #[error(
        "no {part} found among the skeleton's joints; head, shoulders, elbows, hands, hips, knees and feet are known by \
         their names (such as LeftUpLeg, thigh.L or FrontUpLeg.L)"
    )]
    NoLandmark {
        /// What was looked for.
        part: String,
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
    #[error("clip \"{clip}\" puts joints at places that are not finite or shrinks the body to nothing at {seconds} s")]
    MotionNotFinite {
        /// The clip.
        clip: String,
        /// The first such moment.
        seconds: f64,
    },
    /// A capture in which there is nothing to repair, or to repair from.
    #[error("there are no markers in this capture: {what}")]
    NoMarkers {
        /// What is missing.
        what: &'static str,
    },
    /// A muscle that cannot be.
    #[error("muscle \"{muscle}\" {why}")]
    Muscle {
        /// The muscle, or the piece of fat.
        muscle: String,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// An outline to which no profile of a muscle can be fitted.
    #[error("the sketch {why}")]
    Sketch {
        /// What is wrong with it, and what to do.
        why: &'static str,
    },
    /// A set of muscles that is in a file.
    #[error("there is no set of muscles \"{set}\"; use \"humanoid\", \"quadruped\", or the path of a file with one")]
    NoMuscleSet {
        /// What the recipe says.
        set: String,
    },
    /// A motion that shares no joint with the character.
    #[error("{0}")]
    Mapping(String),
    /// A recipe that cannot be read.
    #[error("{0}")]
    Recipe(String),
}

impl Error {
    /// Refuses a list whose length does not fit its mesh.
    pub(crate) fn unless_as_long(mesh: &str, what: &str, found: usize, expected: usize) -> crate::Result<()> {
        if found == expected {
            return Ok(());
        }
        Err(Self::LengthMismatch { mesh: mesh.into(), what: what.into(), found, expected })
    }
}
