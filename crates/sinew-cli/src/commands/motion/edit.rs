//! `sinew motion edit`: pins move joints of a motion.

use super::output;
use crate::args::frame_range::FrameRange;
use crate::failure::{Context, Result, refuse};
use crate::terminal::{print, warn};
use crate::{files, report as reports};
use clap::Args;
use sinew::recipe::{LimitRecipe, MotionRecipe, PinRecipe, TurnRecipe};
use sinew_io::Format;
use sinew_tasks::find;
use sinew_tasks::motion::EditReport;
use sinew_tasks::motion::edit::{Edited, edited};
use std::path::PathBuf;

/// Move joints in some frames of a motion, and adapt the rest
///
/// Joints without a pin keep their style of motion, and feet keep their contacts with the ground. At the ends of the range
/// the motion blends into the original. Frames count from 0 in the clip's own frames; positions are in the file's units
/// and axes.
#[derive(Args)]
#[command(
    after_help = "Example:\n  sinew motion edit walk.bvh --range 30:90 --pin LeftFoot@60+=0,12,0 -o step.bvh\n  sinew motion edit hero.glb --clip wave --pin RightHand@40=0.3,1.2,0.4 --limit RightForeArm=150,90 -o hero2.glb\n  sinew motion edit walk.bvh --recipe step.sinew.toml -o step.bvh --report step.json"
)]
pub struct Arguments {
    /// A motion, or a character with motions (.bvh, .amc, .glb, .gltf, .fbx)
    file: PathBuf,

    /// Clip by name, or by index from 0 [default: the first]
    #[arg(long, value_name = "NAME|INDEX")]
    clip: Option<String>,

    /// Frames that may change, both included [default: all]
    #[arg(long, value_name = "A:B")]
    range: Option<FrameRange>,

    /// The position of a joint in a frame: JOINT@FRAME=X,Y,Z, or an offset: JOINT@FRAME+=X,Y,Z
    #[arg(long = "pin", value_name = "JOINT@FRAME=X,Y,Z", value_parser = pin, allow_hyphen_values = true)]
    pins: Vec<PinRecipe>,

    /// Turn a pinned joint about an axis of the world by degrees: JOINT@FRAME=X,Y,Z,DEGREES
    #[arg(long = "turn", value_name = "JOINT@FRAME=X,Y,Z,DEGREES", value_parser = turn, allow_hyphen_values = true)]
    turns: Vec<(String, usize, TurnRecipe)>,

    /// How far a joint may swing and twist from its rest, in degrees
    #[arg(long = "limit", value_name = "JOINT=SWING,TWIST", value_parser = limit)]
    limits: Vec<(String, LimitRecipe)>,

    /// Do not keep the contacts of feet
    #[arg(long)]
    no_contacts: bool,

    /// Let the clip's first frames change, where the range has them
    #[arg(long)]
    free_start: bool,

    /// Let the clip's last frames change, where the range has them
    #[arg(long)]
    free_end: bool,

    /// A recipe with a table `motion`; options on the command line are added to it
    #[arg(long, value_name = "FILE.sinew.toml")]
    recipe: Option<PathBuf>,

    /// Where to write the motion (.bvh), or the character with it (.glb, .gltf)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Write pins, contacts and errors as JSON
    #[arg(long, value_name = "OUT.json")]
    report: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { file, output, .. } = arguments;
    output::check(output, arguments.report.as_deref())?;
    let recipe = recipe(arguments)?;
    if recipe.pins.is_empty() {
        refuse!("there is nothing to do; pin a joint with --pin JOINT@FRAME=X,Y,Z or in a recipe");
    }
    let mut asset = files::load(file)?;
    let index = find::clip_index(&asset.character, arguments.clip.as_deref()).at(file)?;
    let clip = &asset.character.clips[index];
    let Edited { clip, report, missed } = edited(&asset.character, clip, asset.up.direction(), &recipe).at(file)?;
    missed.iter().for_each(|sentence| warn(file.display(), sentence));
    let report = EditReport::new(&asset.character, &report, missed);
    if Format::of(output)? == Format::Bvh {
        asset.character.clips = vec![clip];
    } else {
        asset.character.clips[index] = clip;
    }
    sinew_io::save(output, &asset)?;
    if let Some(path) = &arguments.report {
        reports::write_json(path, &report)?;
    }
    print(format_args!("{}: {report}", output.display()))
}

/// The recipe's edit with the options applied.
fn recipe(arguments: &Arguments) -> Result<MotionRecipe> {
    let mut recipe = match &arguments.recipe {
        Some(path) => sinew_tasks::recipe::load(path)?.motion,
        None => MotionRecipe::default(),
    };
    if let Some(FrameRange { first, last }) = arguments.range {
        recipe.range = Some([first, last]);
    }
    recipe.pins.extend(arguments.pins.iter().cloned());
    recipe.limits.extend(arguments.limits.iter().cloned());
    recipe.keep_contacts &= !arguments.no_contacts;
    recipe.free_start |= arguments.free_start;
    recipe.free_end |= arguments.free_end;
    for (joint, frame, turn) in &arguments.turns {
        let pin = recipe.pins.iter_mut().find(|pin| (&pin.joint, pin.frame) == (joint, *frame));
        match pin {
            Some(pin) => pin.turn = Some(*turn),
            None => recipe.pins.push(PinRecipe {
                joint: joint.clone(),
                frame: *frame,
                position: None,
                offset: Some([0.0; 3]),
                turn: Some(*turn),
            }),
        }
    }
    Ok(recipe)
}

fn pin(text: &str) -> Result<PinRecipe, String> {
    let wrong = || "a pin is JOINT@FRAME=X,Y,Z, such as LeftHand@40=0.3,1.2,0.4".to_owned();
    let (place, numbers) = text.rsplit_once('=').ok_or_else(wrong)?;
    let (place, is_offset) = place.strip_suffix('+').map_or((place, false), |place| (place, true));
    let (joint, frame) = joint_and_frame(place).ok_or_else(wrong)?;
    let place: [f64; 3] = numbers_of(numbers).ok_or_else(wrong)?;
    let (position, offset) = if is_offset { (None, Some(place)) } else { (Some(place), None) };
    Ok(PinRecipe { joint, frame, position, offset, turn: None })
}

fn turn(text: &str) -> Result<(String, usize, TurnRecipe), String> {
    let wrong = || "a turn is JOINT@FRAME=X,Y,Z,DEGREES, such as LeftHand@40=0,1,0,30".to_owned();
    let (place, numbers) = text.rsplit_once('=').ok_or_else(wrong)?;
    let (joint, frame) = joint_and_frame(place).ok_or_else(wrong)?;
    let [x, y, z, degrees] = numbers_of(numbers).ok_or_else(wrong)?;
    Ok((joint, frame, TurnRecipe { axis: [x, y, z], degrees }))
}

fn limit(text: &str) -> Result<(String, LimitRecipe), String> {
    let wrong = || "a limit is JOINT=SWING,TWIST in degrees from 0 to 180, such as LeftForeArm=150,90".to_owned();
    let (joint, numbers) = text.rsplit_once('=').ok_or_else(wrong)?;
    let [swing, twist] = numbers_of(numbers).ok_or_else(wrong)?;
    if ![swing, twist].iter().all(|angle| (0.0..=180.0).contains(angle)) {
        return Err(wrong());
    }
    Ok((joint.into(), LimitRecipe { swing, twist }))
}

fn joint_and_frame(text: &str) -> Option<(String, usize)> {
    let (joint, frame) = text.rsplit_once('@')?;
    Some((joint.into(), frame.trim().parse().ok()?))
}

fn numbers_of<const N: usize>(text: &str) -> Option<[f64; N]> {
    let numbers: Vec<f64> = text.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok().filter(|numbers: &[f64; N]| numbers.iter().all(|number| number.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_read_as_they_are_written() {
        let made = pin("mixamorig:Left@Hand@40=0.5,-1,2e1").unwrap();
        assert_eq!((made.joint.as_str(), made.frame), ("mixamorig:Left@Hand", 40));
        assert_eq!((made.position, made.offset), (Some([0.5, -1.0, 20.0]), None));
        let moved = pin("Hips@0+=0, 0.1, 0").unwrap();
        assert_eq!((moved.position, moved.offset), (None, Some([0.0, 0.1, 0.0])));
        for wrong in ["Hips", "Hips@3", "Hips=1,2,3", "Hips@x=1,2,3", "Hips@3=1,2", "Hips@3=1,2,nan", "Hips@-3=1,2,3"] {
            assert!(pin(wrong).is_err(), "{wrong}");
        }
        assert_eq!(turn("Hand@4=0,1,0,-30").unwrap().2.degrees, -30.0);
        assert!(limit("Elbow=150,90").is_ok() && limit("Elbow=190,90").is_err() && limit("Elbow=1").is_err());
    }
}
