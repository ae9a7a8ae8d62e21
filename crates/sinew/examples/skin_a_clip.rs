//! Skins a clip frame by frame: `cargo run --release -p sinew --example skin_a_clip`.

use sinew::deform::skinning::SkinMethod;
use sinew::rig::Pose;
use sinew::{Stack, StackOptions, Surface, Time};

fn main() -> sinew::Result<()> {
    let character = sinew::demo::character(); // or sinew_io::load(path)?.character
    let clip = character.find_clip("walk").expect("the demo walks");
    let mut options = StackOptions::default();
    options.skin.method = SkinMethod::DualQuaternion;
    let mut stack = Stack::new(&character, options)?; // checks and prepares everything

    let (fps, mut pose, mut surface) = (30.0, Pose::default(), Surface::default());
    for seconds in clip.frame_times(fps)? {
        clip.sample(seconds, &character.base_pose, &mut pose);
        stack.deform(&pose, Time { seconds, delta: 1.0 / fps }, &mut surface); // cannot fail, allocates nothing
        let lowest = surface.positions.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
        println!("{seconds:.3} s: the lowest vertex is at {lowest:.3} m");
    }
    Ok(())
}
