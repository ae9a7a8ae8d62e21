//! Milliseconds of dragging a pin in a clip of 10 000 frames of 31 joints.
//!
//! `cargo bench -p sinew --bench motion_edit` prints a Markdown table, best times on one thread: the preparation of a
//! window, the first solve with a new pin, which factors the system, and every further solve while the pin is dragged.

use glam::{DQuat, DVec3};
use sinew::motion::edit::{MotionEdit, MotionEditOptions, Pin};
use sinew::rig::{Clip, Joint, Pose, Skeleton, Transform};
use sinew_testing::timing::best_milliseconds;

const SECONDS: f64 = 1.0;
const FPS: f64 = 30.0;
const FRAMES: usize = 10_000;
const JOINTS: usize = 31;

fn skeleton() -> Skeleton {
    let joint = |k: usize| {
        let parent = if k % 5 == 1 { 0 } else { k.max(1) - 1 };
        let bone = DVec3::new((k as f64).cos(), -1.0, (1.7 * k as f64).sin()).normalize() * 0.25;
        let rest = Transform::from_translation(if k == 0 { DVec3::Y } else { bone });
        Joint { name: format!("joint {k}"), parent: (k > 0).then_some(parent), rest, ..Joint::default() }
    };
    Skeleton::new((0..JOINTS).map(joint).collect()).unwrap().0
}

fn clip(skeleton: &Skeleton) -> Clip {
    let times: Vec<f64> = (0..FRAMES).map(|k| k as f64 / FPS).collect();
    let pose = |seconds: &f64| {
        let mut pose = skeleton.rest_pose();
        pose.joints[0].translation.x = 1.2 * seconds;
        for (k, joint) in pose.joints.iter_mut().enumerate() {
            joint.rotation = DQuat::from_rotation_x(0.4 * (6.0 * seconds + k as f64).sin());
        }
        pose
    };
    let poses: Vec<Pose> = times.iter().map(pose).collect();
    Clip::from_poses("walk", &times, &poses)
}

fn main() {
    let skeleton = skeleton();
    let clip = clip(&skeleton);
    let base = skeleton.rest_pose();
    println!("| window, frames | prepare, ms | first solve, ms | drag, ms | drags per second |");
    println!("|---:|---:|---:|---:|---:|");
    for window in [30, 60, 120] {
        let first = FRAMES / 2 - window / 2;
        let new = || {
            let range = first..=first + window;
            MotionEdit::new(&skeleton, &base, &clip, FPS, range, MotionEditOptions::default()).unwrap()
        };
        let prepare = best_milliseconds(SECONDS, || drop(new()));
        let mut edit = new();
        let (joint, frame) = (JOINTS - 1, FRAMES / 2);
        let place = edit.source_position(joint, frame).unwrap();
        let pin = |edit: &mut MotionEdit<'_>| {
            edit.clear();
            let position = place + DVec3::new(0.05, 0.1, 0.02);
            edit.pin(Pin { joint, frame, position, orientation: None }).unwrap()
        };
        let whole = best_milliseconds(SECONDS, || {
            let mut edit = new();
            pin(&mut edit);
            edit.solve().unwrap();
        });
        let number = pin(&mut edit);
        let mut step = 0.0;
        let drag = best_milliseconds(SECONDS, || {
            step += 0.1;
            edit.drag(number, place + DVec3::new(0.05, 0.1 + 0.02 * f64::sin(step), 0.02)).unwrap();
            edit.solve().unwrap();
        });
        println!("| {window} | {prepare:.1} | {:.1} | {drag:.1} | {:.0} |", whole - prepare, 1e3 / drag);
    }
}
