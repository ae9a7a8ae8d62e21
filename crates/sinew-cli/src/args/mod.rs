//! Groups of options that several commands share.

pub mod cage;
pub mod frame_range;
pub mod markers;
pub mod method;
pub mod moment;
pub mod motion;
pub mod skeleton;
pub mod stack;

use crate::failure::{Result, refuse};
use sinew::recipe::{MAX_FPS, Recipe, is_frame_rate};

/// Sets the frame rate of a recipe to that of `--fps`, if it is given.
pub fn apply_fps(recipe: &mut Recipe, fps: Option<f64>) -> Result<()> {
    if let Some(fps) = fps {
        if !is_frame_rate(fps) {
            refuse!("--fps must be above 0 and at most {MAX_FPS}, not {fps}");
        }
        recipe.bake.fps = fps;
    }
    Ok(())
}
