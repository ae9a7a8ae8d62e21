//! Autodesk FBX, read through [`ufbx`].
//!
//! The file's own units and axes are kept. A part's vertices are the FBX control points in their
//! order, so values that FBX gives to corners are reduced to one per vertex. Scale inheritance and
//! geometric transforms, which FBX has beyond a plain tree of transforms, become helper nodes or go
//! into the geometry, so that `world = parent · local` holds everywhere.

mod clip;
mod convert;
mod material;
mod mesh;
mod mesh_node;
mod read;
mod skeleton;
mod skin;

pub use read::read;
