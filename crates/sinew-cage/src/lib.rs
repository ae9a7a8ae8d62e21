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
//!
//! ```
//! use glam::DQuat;
//! use sinew_cage::{Cage, CageOptions, ControlMesh, Driver, DriverOptions, Embedding, EmbeddingMethod};
//!
//! let tube = sinew_demo::tube();
//! let mesh = &tube.parts[0].mesh;
//! let options = CageOptions { vertices: 80, offset: 0.03, ..CageOptions::default() };
//! let cage = Cage::build(&mesh.positions, &mesh.faces, &[], &options, &mut |_| {})?;
//! let control = ControlMesh::build(&cage, &mesh.positions, Some(&tube.skeleton), &[], &mut |_| {})?;
//! let mut driver = Driver::new(&control, &control.joint_handles(100.0), DriverOptions::default())?;
//! let mut embedding = Embedding::new(&control, &mesh.positions, &[], EmbeddingMethod::Continuous)?;
//!
//! // Then for every frame: where the joints are, and where the mesh goes.
//! let mut pose = tube.skeleton.rest_pose();
//! pose.joints[1].rotation = DQuat::from_rotation_x(1.0);
//! let mut world = tube.skeleton.rest_world();
//! tube.skeleton.world(&pose, &mut world);
//! driver.pose(&world);
//! assert_eq!(driver.solve().inverted, 0);
//! let mut positions = mesh.positions.clone();
//! embedding.deform(driver.positions(), driver.rotations(), &mut positions, &mut []);
//! # Ok::<(), sinew_cage::Error>(())
//! ```

mod bone_goals;
mod bone_starts;
mod build;
mod cavity;
mod cells;
mod check;
mod control_mesh;
mod decimate;
mod delaunay;
mod driver;
mod driver_options;
mod embed;
mod error;
mod filling;
mod green;
mod improvement;
mod inside;
mod limits;
mod momentum;
mod offset;
mod quadric;
mod quality;
mod recipe;
mod recover;
mod release;
mod restore;
mod rotation;
mod tetrahedron_green;
mod untangle;
mod vicinity;

pub use build::{Cage, CageOptions};
pub use control_mesh::ControlMesh;
pub use driver::{Driver, DriverOutcome};
pub use driver_options::{DriverOptions, Handle};
pub use embed::Embedding;
pub use error::{Error, Result};
pub use green::GreenCoordinates;
pub use inside::{Anchor, ControlBone};
pub use limits::JointRange;
pub use quality::{SLIVER, TetrahedraQuality};
pub use recipe::{CAGE_VERTICES, CageRecipe, EmbeddingMethod, MarkerPlace, RangeRecipe, ReleaseKind};
pub use recover::Recorder;
pub use release::Release;
pub use rotation::nearest_rotation;
