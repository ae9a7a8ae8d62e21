//! The program from outside: its files, its output and its exit codes, in folders of its own.

mod bake;
mod bench;
mod bind;
mod cage;
mod convert;
mod demo;
mod errors;
mod inspect;
mod markers;
mod motion;
mod muscle;
mod pose;
mod recipe;
mod render;
