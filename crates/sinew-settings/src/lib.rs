#![allow(missing_docs)]
//! What a person can set, and within which limits.

pub mod limits;
