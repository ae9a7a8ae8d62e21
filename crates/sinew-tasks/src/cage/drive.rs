//! A mesh driven through a motion: frame by frame solved, embedded, measured and written.

use super::capture::Capture;
use super::enclose::{BuildReport, Caged};
use super::live::LiveCage;
use super::report::{FrameReport, Milliseconds, Report};
use crate::deform::require_finite;
use crate::measure::Measures;
use crate::{Clock, Error};
use glam::DAffine3;
use sinew::Time;
use sinew::cage::Recorder;
use sinew::deform::skinning::SkinMethod;
use sinew::recipe::{CageRecipe, Recipe, SkinOptions};
use sinew::rig::{Clip, Pose};
use sinew::{Stack, Surface};
use std::path::Path;

/// Solves of the first frame of a capture, which starts from rest instead of the frame before.
const FIRST_SOLVES: usize = 8;

/// The motion that drives the mesh.
pub enum Drives<'a> {
    /// The positions of joints in a clip of the skeleton.
    Clip(&'a Clip),
    /// Markers of a capture.
    Markers(&'a Capture),
}

/// A driven motion.
pub struct Driven {
    /// The measurements.
    pub report: Report,
    /// The rotations of the joints, as a clip; none without a skeleton.
    pub clip: Option<Clip>,
}

/// A motion of a caged character.
pub struct Drive<'a> {
    /// The character.
    pub caged: &'a Caged,
    /// The report of its cage.
    pub build: &'a BuildReport,
    /// The settings.
    pub recipe: &'a CageRecipe,
    /// The motion.
    pub by: Drives<'a>,
    /// Frames a second.
    pub fps: f64,
}

/// Drives a character through a motion and writes its surface, if there is an output. `on_frame` gets the index of every
/// finished frame, their number, the surface and the measurements; its error ends the work and leaves no file.
pub fn drive<E: From<Error>>(
    work: &Drive<'_>,
    output: Option<&Path>,
    clock: Clock<'_>,
    mut on_frame: impl FnMut(usize, usize, &Surface, &FrameReport) -> Result<(), E>,
) -> Result<Driven, E> {
    let Drive { caged, build, recipe, by: drives, fps } = work;
    let fps = *fps;
    let character = &caged.asset.character;
    let has_skeleton = character.joints().next().is_some();
    let begin = clock();
    let (times, start) = match drives {
        Drives::Clip(_) if !has_skeleton => {
            return Err(Error::NoJointsToFollow.into());
        }
        Drives::Clip(clip) => (clip.frame_times(fps).map_err(Error::from)?.collect::<Vec<_>>(), clip.range().0),
        Drives::Markers(capture) => {
            let count = (capture.seconds() * fps + 1e-6).floor() as usize + 1;
            ((0..count).map(|k| k as f64 / fps).collect(), 0.0)
        }
    };
    let by_joints = matches!(drives, Drives::Clip(_));
    let handles = if by_joints { caged.joint_handles() } else { caged.marker_handles() };
    let mut live = LiveCage::new(caged, recipe, &handles)?;
    let mut recorder = has_skeleton.then(|| Recorder::new(&caged.control, &character.skeleton));
    let measures = Measures::new(character)?;
    let volume_rest = measures.volume(&caged.rest);
    let mut skin = (by_joints && character.parts.iter().any(|part| part.skinned))
        .then(|| Stack::new(character, &dual_quaternions()))
        .transpose()
        .map_err(Error::from)?;
    let mut writer = match output {
        Some(path) => Some(sinew_io::bake::bake(path, &caged.asset, start, fps, times.len()).map_err(Error::from)?),
        None => None,
    };
    let factor = clock() - begin;
    let (mut pose, mut skinned) = (Pose::default(), Surface::default());
    let mut world = vec![DAffine3::IDENTITY; character.skeleton.len()];
    let mut frames = Vec::with_capacity(times.len());
    for (index, &seconds) in times.iter().enumerate() {
        let begin = clock();
        let frame = match drives {
            Drives::Clip(clip) => {
                clip.sample(seconds, &character.base_pose, &mut pose);
                character.skeleton.world(&pose, &mut world);
                live.pose(&world);
                live.solve()
            }
            Drives::Markers(capture) => {
                for (handle, place) in capture.positions(seconds).enumerate() {
                    live.drag(handle, place)?;
                }
                if index == 0 {
                    live.start_from_handles();
                    for _ in 1..FIRST_SOLVES {
                        live.solve();
                    }
                }
                live.solve()
            }
        };
        let solved = clock();
        live.embed();
        let embedded = clock();
        let surface = live.surface();
        require_finite(character, surface, seconds)?;
        let skin_distance = skin.as_mut().map(|stack| {
            stack.deform(&pose, Time::alone(seconds), &mut skinned);
            let pairs = surface.positions.iter().zip(&skinned.positions);
            pairs.map(|(a, b)| f64::from(a.distance(*b))).sum::<f64>() / surface.positions.len() as f64
        });
        if let Some(recorder) = &mut recorder {
            recorder.record(live.driver(), seconds);
        }
        let report = FrameReport {
            time: seconds,
            volume_rest,
            volume: measures.volume(surface),
            control_volume_error: frame.volume_error,
            rigidity: frame.outcome.rigidity,
            segment_error: frame.outcome.bone_error,
            handle_error: frame.outcome.handle_error,
            inverted: frame.outcome.inverted,
            skin_distance,
            iterations: frame.outcome.iterations,
            milliseconds: embedded - begin,
            solve_milliseconds: solved - begin,
            surface_milliseconds: embedded - solved,
        };
        if let Some(writer) = &mut writer {
            writer.frame(surface).map_err(Error::from)?;
        }
        on_frame(index, times.len(), surface, &report)?;
        frames.push(report);
    }
    if let Some(writer) = writer {
        writer.finish().map_err(Error::from)?;
    }
    let (capture_scale, mut warnings) = match drives {
        Drives::Clip(_) => (None, Vec::new()),
        Drives::Markers(capture) => (Some(capture.fitted().scale), capture.warnings.clone()),
    };
    warnings.extend(build.warnings.iter().cloned());
    let milliseconds = Milliseconds {
        cage: build.milliseconds[0],
        tetrahedra: build.milliseconds[1],
        factor,
        frames: frames.iter().map(|frame| frame.milliseconds).sum(),
    };
    let name = match drives {
        Drives::Clip(clip) => clip.name.clone(),
        Drives::Markers(_) => "markers".into(),
    };
    Ok(Driven {
        report: Report {
            cage: (*build).clone(),
            embedding: recipe.embedding.name(),
            capture_scale,
            frames,
            milliseconds,
            warnings,
        },
        clip: recorder.map(|recorder| recorder.clip(&name)),
    })
}

fn dual_quaternions() -> Recipe {
    Recipe { skin: SkinOptions { method: SkinMethod::DualQuaternion }, ..Recipe::default() }
}
