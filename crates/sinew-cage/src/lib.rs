//! Cage deformation: markers, joints or dragged handles move a mesh without a rig or painted weights.
//!
//! The method is that of Le Naour 2013, ch. 9, which the sources of this crate cite as \[L13\] by equation.
//!
//! ```text
//! Mesh ──► Cage ──► ControlMesh ──► Driver ──► Embedding ──► Surface
//!           ▲           ▲            │  ▲
//!      a closed hull   skeleton,     │  handles, limits
//!                      markers       └► joint rotations
//! ```
//!
//! [`Cage`] is a coarse closed surface around the mesh. [`ControlMesh`] fills it with tetrahedra whose vertices include
//! joints, points along the bones and markers. [`Driver`] deforms the control mesh as rigidly as possible to follow its
//! handles, with bones of constant length. [`Embedding`] or [`GreenCoordinates`] interpolate the mesh. [`Recorder`]
//! computes the rotations of the skeleton's joints.
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
//! // For every frame: pose the joints, solve, and deform the mesh.
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

mod arap;
mod build;
mod control_mesh;
mod embed;
mod error;
mod pose_mesh;
mod recipe;
mod recorder;
mod tetrahedralize;
mod untangle;

pub use arap::{Driver, DriverOptions, DriverOutcome, JointRange, Release, nearest_rotation};
pub use build::{Cage, CageOptions};
pub use control_mesh::{ControlMesh, Handle};
pub use embed::{Embedding, GreenCoordinates};
pub use error::{Error, Result};
pub use pose_mesh::pose_mesh;
pub use recipe::{CageRecipe, EmbeddingMethod, MarkerPlace, RangeRecipe, ReleaseKind};
pub use recorder::Recorder;
pub use tetrahedralize::{Anchor, ControlBone, SLIVER, TetrahedraQuality};
