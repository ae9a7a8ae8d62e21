//! glTF: the shared characters, small files made here, and everything that can be wrong with a file.

mod bad;
mod compressed;
mod plain_skin;
mod real;
mod sample;
mod synthetic;
mod validator;
