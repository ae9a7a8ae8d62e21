//! The program from outside: what it writes, says and answers, in folders of its own.

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
