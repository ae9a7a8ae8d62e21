//! The clean characters that others are made from, bound once.

use super::judge::{Row, bound, options, rows};
use super::shapes::{doll, stripped};
use sinew::demo;
use sinew::rig::Character;
use std::sync::LazyLock;

/// A character that is not bound yet, and the weights of four influences that it gets.
pub struct Sample {
    pub name: &'static str,
    pub character: Character,
    pub rows: Vec<Row>,
}

impl Sample {
    pub fn new(name: &'static str, character: Character) -> Self {
        let rows = rows(&bound(&character, &options(4)));
        Self { name, character, rows }
    }
}

/// A body of one piece, a limb, and a doll of loose parts.
pub static SAMPLES: LazyLock<[Sample; 3]> = LazyLock::new(|| {
    [
        Sample::new("mannequin", stripped(&demo::character())),
        Sample::new("tube", stripped(&demo::tube())),
        Sample::new("doll", doll()),
    ]
});
