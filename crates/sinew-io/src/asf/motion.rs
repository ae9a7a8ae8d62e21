//! The motion file: for each frame, the values of every bone that moves.

use super::FRAMES_PER_SECOND;
use super::skeleton::{AcclaimBone, AcclaimSkeleton, Freedom, turn};
use crate::Problem;
use crate::scan::{Scanner, quoted};
use glam::{DQuat, DVec3, Quat, Vec3};
use sinew::rig::{Clip, JointTracks, Track};
use std::collections::HashMap;

/// Keys of one bone.
#[derive(Default)]
struct Keys {
    translations: Vec<Vec3>,
    rotations: Vec<Quat>,
}

/// Reads a motion of a skeleton.
pub(super) fn read(skeleton: &AcclaimSkeleton, amc: &[u8], warnings: &mut Vec<String>) -> Result<Clip, Problem> {
    let bones: HashMap<&[u8], usize> = skeleton.bones.iter().enumerate().map(|(i, b)| (b.name.as_bytes(), i)).collect();
    let mut keys: Vec<Keys> = skeleton.bones.iter().map(|_| Keys::default()).collect();
    let mut frames: Vec<usize> = Vec::new();
    let mut scanner = Scanner::new(amc);
    let mut degrees = header(&mut scanner, skeleton.degrees)?;
    while !scanner.peek().is_empty() {
        let word = scanner.peek();
        if word.starts_with(b":") {
            degrees = header(&mut scanner, degrees)?;
            continue;
        }
        if word[0].is_ascii_digit() {
            complete(skeleton, &keys, &frames, &scanner)?;
            let number = scanner.count("a frame number")?;
            if let Some(last) = frames.last().filter(|&&last| last >= number) {
                return Err(scanner.malformed_here(format!("frame {number} comes after frame {last}")));
            }
            frames.push(number);
            continue;
        }
        let Some(&index) = bones.get(word) else {
            return Err(
                scanner.malformed(format!("expected a frame number or a bone of the skeleton, found {}", quoted(word)))
            );
        };
        let bone = &skeleton.bones[index];
        if frames.is_empty() {
            return Err(scanner.malformed(format!("expected a frame number before bone \"{}\"", bone.name)));
        }
        if keys[index].rotations.len() == frames.len() {
            return Err(scanner.malformed(format!("bone \"{}\" comes twice in this frame", bone.name)));
        }
        scanner.word();
        keys[index].push(skeleton, bone, &mut scanner, degrees)?;
    }
    complete(skeleton, &keys, &frames, &scanner)?;
    let Some(&first) = frames.first() else {
        return Err(scanner.malformed("the file has 0 frames; a motion needs at least one"));
    };
    let stretched = skeleton.bones.iter().filter(|b| b.freedoms.contains(&Freedom::Length));
    warnings.extend(stretched.map(|b| format!("bone \"{}\" changes its length, which is left out", b.name)));
    let times: Vec<f64> = frames.iter().map(|&frame| (frame - first) as f64 / FRAMES_PER_SECOND).collect();
    let tracks = keys.into_iter().zip(&skeleton.bones).enumerate();
    let joints = tracks.filter_map(|(joint, (keys, bone))| keys.tracks(joint, bone, &times)).collect();
    Ok(Clip { name: "motion".into(), joints, morphs: Vec::new() })
}

/// Lines that start with a colon: whether angles are in degrees from here on.
fn header(scanner: &mut Scanner<'_>, mut degrees: bool) -> Result<bool, Problem> {
    while scanner.peek().starts_with(b":") {
        match scanner.word().to_ascii_lowercase().as_slice() {
            b":degrees" => degrees = true,
            b":radians" => degrees = false,
            _ => scanner.skip_line(),
        }
    }
    Ok(degrees)
}

/// Checks that a finished frame has every bone that the frames before it had.
fn complete(skeleton: &AcclaimSkeleton, keys: &[Keys], frames: &[usize], scanner: &Scanner<'_>) -> Result<(), Problem> {
    let is_partial = |keys: &Keys| !keys.rotations.is_empty() && keys.rotations.len() != frames.len();
    match (keys.iter().position(is_partial), frames.last()) {
        (Some(bone), Some(frame)) => {
            let name = &skeleton.bones[bone].name;
            Err(scanner.malformed_here(format!(
                "bone \"{name}\" moves in some frames only; frame {frame} or one before it lacks it"
            )))
        }
        (_, Some(frame)) if keys.iter().all(|k| k.rotations.is_empty()) => {
            Err(scanner.malformed_here(format!("frame {frame} has no bones")))
        }
        _ => Ok(()),
    }
}

impl Keys {
    fn push(
        &mut self,
        skeleton: &AcclaimSkeleton,
        bone: &AcclaimBone,
        scanner: &mut Scanner<'_>,
        degrees: bool,
    ) -> Result<(), Problem> {
        let mut translation = DVec3::ZERO;
        let mut rotation = DQuat::IDENTITY;
        let line = scanner.position();
        let values = values_on_line(scanner)?;
        if values.len() != bone.freedoms.len() {
            let why = format!(
                "bone \"{}\" has {} degrees of freedom, found {} values",
                bone.name,
                bone.freedoms.len(),
                values.len()
            );
            return Err(scanner.malformed_at(line, why));
        }
        for (freedom, value) in bone.freedoms.iter().zip(values) {
            match *freedom {
                Freedom::Translation(axis) => translation[axis] = value,
                Freedom::Rotation(axis) => rotation = turn(axis, value, degrees) * rotation,
                Freedom::Length => {}
            }
        }
        let rotation = (bone.frame * rotation * bone.frame.inverse()).as_quat();
        let opposite = self.rotations.last().is_some_and(|last| last.dot(rotation) < 0.0);
        self.rotations.push(if opposite { -rotation } else { rotation });
        self.translations.push((skeleton.start(bone) + bone.frame * translation).as_vec3());
        Ok(())
    }

    fn tracks(self, joint: usize, bone: &AcclaimBone, times: &[f64]) -> Option<JointTracks> {
        let has = |kind: fn(&Freedom) -> bool| !self.rotations.is_empty() && bone.freedoms.iter().any(kind);
        let moves = has(|f| matches!(f, Freedom::Translation(_)));
        let turns = has(|f| matches!(f, Freedom::Rotation(_)));
        (moves || turns).then(|| JointTracks {
            joint,
            translation: moves.then(|| Track::linear(times.to_vec(), self.translations)),
            rotation: turns.then(|| Track::linear(times.to_vec(), self.rotations)),
            scale: None,
        })
    }
}

/// The numbers on what is left of the line.
fn values_on_line(scanner: &mut Scanner<'_>) -> Result<Vec<f64>, Problem> {
    let mut values = Vec::new();
    while scanner.more_on_line() {
        values.push(scanner.number("a value")?);
    }
    Ok(values)
}
