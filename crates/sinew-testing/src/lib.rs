//! Helpers that the tests and benchmarks of several crates share.
//!
//! A helper lives here as soon as two crates need it. The crates of the engine have this crate as a dev-dependency,
//! although it depends on them: their integration tests and benchmarks see the same types, but in a unit test
//! (`#[cfg(test)]` in `src`) the crate under test is another build than the one this crate was built with. There
//! only the modules without Sinew's types are of use, [`shared_data`], [`skip`], [`timing`] and [`newton`].
//!
//! | module | depends on |
//! |---|---|
//! | [`shared_data`], [`skip`], [`gltf_validator`], [`gltf_compression`], [`allocations`], [`timing`] | the standard library |
//! | [`newton`] | `glam` |
//! | [`shapes`], [`reference_skin`], [`varied_motions`] | `sinew` |
//! | [`assets`], [`reference_frames`] | `sinew` and `sinew-io` |

pub mod allocations;
pub mod assets;
pub mod gltf_compression;
pub mod gltf_validator;
pub mod newton;
pub mod reference_frames;
pub mod reference_skin;
pub mod shapes;
pub mod shared_data;
pub mod skip;
pub mod timing;
pub mod varied_motions;

#[cfg(test)]
mod architecture;
#[cfg(test)]
mod test_layout;
