//! Errors of deforming a character. Every message names the mesh or muscle.

/// An error of deforming a character.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A mesh or a linear system that cannot be used.
    #[error(transparent)]
    Geometry(#[from] sinew_geometry::Error),
    /// Flesh that cannot be.
    #[error(transparent)]
    Flesh(#[from] sinew_flesh::Error),
    /// A character without a skeleton that carries its skin.
    #[error("flesh hangs on bones, and no joint carries any of the skin; bind the meshes first (sinew bind)")]
    NoBones,
    /// A skin without an inside.
    #[error("there is no inside to fill with flesh in {meshes}: {why}; close the surface, or give it a thickness")]
    NoInside {
        /// The meshes.
        meshes: String,
        /// Where it is open.
        why: String,
    },
    /// Limbs that are too thin for flesh.
    #[error(
        "the skin is flatter than a {part}th of its extent at {joints}, which is too thin for flesh; give it a thickness, or \
         leave the mesh out (recipe: [flesh] leave_out)"
    )]
    TooThin {
        /// The joints of the limbs.
        joints: String,
        /// The extent of the body, in thicknesses that can just be filled.
        part: usize,
    },
    /// A skeleton beside its skin.
    #[error(
        "no bone lies inside the skin, so that flesh has nothing to hang on; check that the meshes and the skeleton are in \
         one place and of one size"
    )]
    BonesOutside,
    /// A mesh that is named as a bone and cannot be one.
    #[error("[flesh] bone_meshes: mesh \"{mesh}\" {why}")]
    BoneMesh {
        /// The mesh.
        mesh: String,
        /// The problem, and the remedy.
        why: String,
    },
    /// A field that cannot be used.
    #[error(transparent)]
    Field(#[from] sinew_field::Error),
    /// A character that cannot be used.
    #[error(transparent)]
    Rig(#[from] sinew_rig::Error),
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
    /// A row of a table of neighbours that ends before it starts, or outside the table.
    #[error("the neighbours of vertex {vertex} are not a range of the table's {entries} entries")]
    NeighborRowOutOfRange {
        /// The vertex.
        vertex: usize,
        /// The table's length.
        entries: usize,
    },
    /// A muscle that cannot be.
    #[error("muscle \"{muscle}\" {why}")]
    Muscle {
        /// The muscle, or the piece of fat.
        muscle: String,
        /// The problem, and the remedy.
        why: String,
    },
    /// An outline to which no profile of a muscle can be fitted.
    #[error("the sketch {why}")]
    Sketch {
        /// The problem, and the remedy.
        why: &'static str,
    },
    /// A set of muscles that is in a file.
    #[error("there is no set of muscles \"{set}\"; use \"humanoid\", \"quadruped\", or the path of a file with one")]
    NoMuscleSet {
        /// The name in the recipe.
        set: String,
    },
    /// A recipe that cannot be read.
    #[error("{0}")]
    Recipe(String),
}

/// The result of what can be wrong with a character that is to be deformed.
pub type Result<T, E = Error> = std::result::Result<T, E>;
