//! Markers, joints or dragged handles move a mesh: no rig, no painted weights [L13 ch. 9].
//!
//! ```text
//! Mesh ──► Cage ──► ControlMesh ──► Driver ──► Embedding ──► Surface
//!           ▲           ▲            │  ▲
//!      a closed hull   skeleton,     │  handles, limits
//!                      markers       └► joint rotations
//! ```
//!
//! [`Cage`] is a coarse closed surface around the mesh. [`ControlMesh`] fills it with tetrahedra that have
//! joints, points along the bones and markers among their vertices. [`Driver`] lets it follow handles, as rigid as
//! possible and with the lengths of bones kept; [`Embedding`] carries the mesh along, or [`GreenCoordinates`] do;
//! [`Recorder`] finds the rotations of the skeleton's joints.

mod bone_goals;
mod build;
mod control_mesh;
mod decimate;
mod delaunay;
mod driver;
mod embed;
mod green;
mod inside;
mod limits;
mod offset;
mod quadric;
mod recover;
mod release;
mod restore;
mod rotation;
mod untangle;
mod vicinity;

pub use build::{Cage, CageOptions};
pub use control_mesh::{ControlMesh, SLIVER, TetrahedraQuality};
pub use driver::{Driver, DriverOptions, DriverOutcome, Handle};
pub use embed::{Embedding, EmbeddingMethod};
pub use green::GreenCoordinates;
pub use inside::ControlBone;
pub use limits::JointRange;
pub use recover::Recorder;
pub use release::Release;
