//! Every format against real files, against files made here, and against everything that can be wrong with a file.
//!
//! What the engine makes of the files is in `sinew-acceptance`.

mod asf;
mod bvh;
mod fbx;
mod fuzz_seeds;
mod gltf;
mod marker_files;
mod obj;
mod pc2;
mod ply;
mod refined;
mod skeleton_toml;
mod sketch;
mod usda;
mod winding;
