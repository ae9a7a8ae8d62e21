//! The program from outside: what it writes, says and answers, in folders of its own.

mod bake;
mod bench;
mod bind;
mod cage;
mod convert;
mod demo;
mod errors;
#[path = "../../../sinew-io/tests/gltf_validator/mod.rs"]
mod gltf_validator;
mod inspect;
mod markers;
mod motion;
mod muscle;
mod pose;
mod recipe;
#[allow(dead_code, reason = "the reader's tests use the rest")]
#[path = "../../../sinew-io/tests/reference_skin/mod.rs"]
mod reference_skin;
mod render;
#[path = "../../../sinew-io/tests/shared_data/mod.rs"]
mod shared_data;
