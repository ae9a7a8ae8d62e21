//! Activation that follows from the motion alone.

use glam::{DAffine3, DQuat, DVec3};
use sinew::deform::muscle::profile::{Beta, ProfilePair};
use sinew::deform::muscle::{Attachment, AutoActivation, Muscle, Shape};

const ELBOW: DVec3 = DVec3::new(0.0, -0.3, 0.0);

fn pose(flexion: f64) -> [DAffine3; 2] {
    [DAffine3::IDENTITY, DAffine3::from_rotation_translation(DQuat::from_rotation_x(-flexion), ELBOW)]
}

/// A flexor and an extensor of the elbow.
fn arm() -> AutoActivation {
    let muscle = |name: &str, ends: [[f64; 3]; 2]| Muscle {
        name: name.into(),
        path: (0..2).map(|k| Attachment { joint: k, position: DVec3::from(ends[k]) }).collect(),
        normals: [DVec3::X; 2],
        shape: Shape { profiles: ProfilePair::constant(Beta::new(3, 3).unwrap()), width: 0.015, eccentricity: 0.0 },
        stiffness: 0.7,
        group: None,
        part: 0,
    };
    let muscles = [
        muscle("flexor", [[0.0, -0.01, 0.03], [0.0, -0.35, 0.02]]),
        muscle("extensor", [[0.0, -0.05, -0.02], [0.0, -0.29, -0.025]]),
    ];
    AutoActivation::new(&muscles, &pose(0.0))
}

/// Up within half a second, held, down again.
fn curl(seconds: f64) -> f64 {
    let smooth = |t: f64| t.clamp(0.0, 1.0).powi(2) * (3.0 - 2.0 * t.clamp(0.0, 1.0));
    2.2 * (smooth((seconds - 0.5) / 0.5) - smooth((seconds - 1.5) / 0.5))
}

fn run(fps: f64, gain: f64) -> Vec<[f64; 2]> {
    let mut arm = arm();
    let frames = 0..=(3.0 * fps) as usize;
    frames.map(|frame| arm.advance(&pose(curl(frame as f64 / fps)), 1.0 / fps, gain).try_into().unwrap()).collect()
}

#[test]
fn who_bends_the_arm_works() {
    let seen = run(60.0, 1.0);
    assert!(seen.iter().flatten().all(|a| (0.0..=1.0).contains(a)));
    assert_eq!(seen[10], [0.0, 0.0], "at rest nobody works");
    let held = seen[80];
    assert!(held[0] > 0.6 && held[1] < 0.05, "{held:?}");
    // The extensor brakes the lift, and later starts the way down.
    let braking = seen[45..75].iter().map(|a| a[1]).fold(0.0, f64::max);
    assert!(braking > 0.05, "{braking}");
    assert!(seen[180][0] < 0.05, "afterwards it lets go: {:?}", seen[180]);
}

#[test]
fn the_dial_scales_it_and_the_frame_rate_does_not_matter() {
    assert!(run(30.0, 0.0).iter().flatten().all(|&a| a == 0.0));
    let (full, half) = (run(60.0, 1.0), run(60.0, 0.5));
    assert!((half[80][0] - 0.5 * full[80][0]).abs() < 1e-9);
    let (slow, fast) = (run(30.0, 1.0), run(240.0, 1.0));
    for second in 1..=12 {
        let at = |seen: &[[f64; 2]], fps: f64| seen[(fps * 0.25 * f64::from(second)) as usize];
        let (a, b) = (at(&slow, 30.0), at(&fast, 240.0));
        assert!((a[0] - b[0]).abs() < 0.12 && (a[1] - b[1]).abs() < 0.12, "{second}: {a:?} {b:?}");
    }
}

#[test]
fn bad_frames_do_no_harm() {
    let mut arm = arm();
    arm.advance(&pose(1.0), 0.0, 1.0);
    let before = arm.advance(&pose(1.0), 1.0 / 30.0, 1.0).to_vec();
    arm.advance(&[DAffine3::NAN; 2], 1.0 / 30.0, 1.0);
    arm.advance(&pose(1.0), f64::NAN, 1.0);
    let after = arm.advance(&pose(1.0), 1.0 / 30.0, 1.0);
    assert!(after.iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-3), "{after:?} {before:?}");
}
