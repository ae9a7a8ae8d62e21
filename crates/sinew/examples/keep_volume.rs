//! Gives a bent elbow its volume back: `cargo run --release -p sinew --example keep_volume`.

use sinew::deform::volume::{VolumeDeformer, VolumeMethod};
use sinew::{Stack, StackOptions, Surface, Time};

fn main() -> sinew::Result<()> {
    let character = sinew::demo::character();
    let clip = character.find_clip("elbow curl").expect("the demo bends its elbows");
    let mut options = StackOptions::default();
    options.volume.method = VolumeMethod::Exact;
    let mut stack = Stack::new(&character, options)?;

    let (mut pose, mut surface) = (character.rest_pose(), Surface::default());
    clip.sample(1.5, &character.base_pose, &mut pose);
    stack.deform(&pose, Time::alone(1.5), &mut surface);
    let volume = stack.get::<VolumeDeformer>().expect("the options ask for it");
    for (joint, change) in volume.joint_changes() {
        let name = &character.skeleton.joints()[joint].name;
        println!("{name}: the skin changed the volume by {:.1} cm³, and it was given back", 1e6 * change);
    }
    Ok(())
}
