//! glTF: the shared characters, small files made here, and everything that can be wrong with a file.

mod bad;
#[path = "../gltf_validator/mod.rs"]
mod gltf_validator;
mod plain_skin;
mod real;
mod sample;
#[path = "../shared_data/mod.rs"]
mod shared_data;
mod synthetic;
mod validator;
