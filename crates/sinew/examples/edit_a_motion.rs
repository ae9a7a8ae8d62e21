//! Lifts a foot in a walk: `cargo run --release -p sinew --example edit_a_motion`.

use glam::DVec3;
use sinew::motion::edit::{MotionEdit, MotionEditOptions, Pin};

fn main() -> sinew::Result<()> {
    let character = sinew::demo::character();
    let clip = character.find_clip("walk").expect("the demo walks");
    let foot = character.skeleton.find("RightFoot").expect("the demo has feet");
    let (skeleton, base, options) = (&character.skeleton, &character.base_pose, MotionEditOptions::default());
    let mut edit = MotionEdit::new(skeleton, base, clip, 30.0, 1..=22, options)?;

    let position = edit.source_position(foot, 11).expect("a frame of the range") + DVec3::new(0.0, 0.2, 0.05);
    edit.pin(Pin { joint: foot, frame: 11, position, orientation: None })?;
    let report = edit.solve()?;
    println!("the foot is {:.1} mm from its pin", 1e3 * report.pins[0].residual);
    println!("the edited clip \"{}\" lasts {:.2} s", edit.clip().name, edit.clip().seconds());
    Ok(())
}
