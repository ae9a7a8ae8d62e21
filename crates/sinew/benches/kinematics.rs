//! Milliseconds of distance kinematics, beside the figure of L13 section 3.6.3.
//!
//! `cargo bench -p sinew --bench kinematics` prints a Markdown table, best times on one thread: postures of 31
//! joints with 30 hard distances and 124 soft ones against four places, each from the posture before.

use glam::{DQuat, DVec3};
use sinew::motion::distance_geometry::{Constraint, Kinematics};
use sinew_testing::timing::best_milliseconds;

const SECONDS: f64 = 0.5;
const JOINTS: usize = 31;
const FRAMES: usize = 100;

fn parent(joint: usize) -> usize {
    if joint % 5 == 1 { 0 } else { joint - 1 }
}

fn posture(seconds: f64) -> Vec<DVec3> {
    let mut positions = vec![DVec3::new(1.2 * seconds, 1.0, 0.0)];
    for joint in 1..JOINTS {
        let k = joint as f64;
        let swing = DQuat::from_rotation_x(0.5 * (6.0 * seconds + k).sin());
        let bone = swing * DVec3::new(k.cos(), -1.0, (1.7 * k).sin()).normalize() * 0.25;
        positions.push(positions[parent(joint)] + bone);
    }
    positions
}

fn main() {
    println!("| from | steps | a posture, ms | L13: a posture, ms |");
    println!("|---|---:|---:|---:|");
    let frames: Vec<Vec<DVec3>> = (0..FRAMES).map(|k| posture(k as f64 / 30.0)).collect();
    let references = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|r| r * 2.0);
    let spheres = |positions: &[DVec3]| -> Vec<Constraint> {
        let sphere = |(point, p): (usize, &DVec3)| {
            references.map(|center| Constraint::Sphere { point: point as u32, center, radius: p.distance(center) })
        };
        positions.iter().enumerate().flat_map(sphere).collect()
    };
    let wanted: Vec<Vec<Constraint>> = frames.iter().map(|frame| spheres(frame)).collect();
    let bone = |joint: usize| Constraint::Distance { a: joint as u32, b: parent(joint) as u32, length: 0.25 };
    let soft = wanted[0].iter().map(|&c| (c, 1.0)).collect();
    let mut kinematics = Kinematics::new(JOINTS, &[], (1..JOINTS).map(bone).collect(), soft).unwrap();
    kinematics.tolerance = 1e-6;
    let mut rest = vec![DVec3::new(0.0, 1.0, 0.0)];
    (1..JOINTS).for_each(|joint| rest.push(rest[parent(joint)] + DVec3::new((joint as f64).cos(), -0.5, 0.1)));
    for (name, from_rest) in [("the posture before", false), ("the rest pose", true)] {
        let mut positions = frames[0].clone();
        let mut steps = 0;
        let time = best_milliseconds(SECONDS, || {
            steps = 0;
            for wanted in &wanted {
                for (index, constraint) in wanted.iter().enumerate() {
                    kinematics.set_soft(index, *constraint).unwrap();
                }
                if from_rest {
                    positions.copy_from_slice(&rest);
                }
                steps += kinematics.solve(&mut positions).iterations;
            }
        });
        println!("| {name} | {:.1} | {:.4} | {:.1} |", steps as f64 / FRAMES as f64, time / FRAMES as f64, 1e3 / 110.0);
    }
}
