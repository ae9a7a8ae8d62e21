//! How does a capture come to a mesh: with its gaps filled, in the mesh's units and axes?

use super::place::Placed;
use crate::Clock;
use crate::markers::repair;
use anyhow::{Result, bail};
use glam::{DMat3, DQuat, DVec3};
use sinew::markers::{MarkerGraph, Markers};

/// From the space of a capture to that of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fitted {
    /// What lengths are multiplied by.
    pub scale: f64,
    /// Then how the axes are turned.
    pub turn: DQuat,
}

impl Fitted {
    /// Nothing is changed.
    pub const IDENTITY: Self = Self { scale: 1.0, turn: DQuat::IDENTITY };

    /// Where a place of the capture is.
    pub fn apply(&self, place: DVec3) -> DVec3 {
        self.turn * (place * self.scale)
    }
}

/// A capture whose markers are those of a cage, ready to be followed.
pub struct Capture {
    markers: Markers,
    fitted: Fitted,
    /// For each marker of the cage its number in the capture.
    columns: Vec<usize>,
    /// What there is to know.
    pub warnings: Vec<String>,
}

impl Capture {
    /// Repairs a capture and fits it to markers on a mesh. The scale is found from distances that hardly change, unless
    /// it is given; which axis is up from the posture of the first complete frame.
    pub fn new(capture: &Markers, placed: &[Placed], up: DVec3, scale: Option<f64>, clock: Clock<'_>) -> Result<Self> {
        if let Some(scale) = scale.filter(|scale| !(scale.is_finite() && *scale > 0.0)) {
            bail!("the scale of a capture must be above 0, not {scale}");
        }
        let mut warnings = Vec::new();
        let markers = match capture.missing_share() > 0.0 {
            true => {
                let (filled, told) = repair(capture, None, false, clock)?;
                warnings.push(told.to_string().lines().next().unwrap_or_default().to_owned());
                filled
            }
            false => capture.clone(),
        };
        let mut columns = Vec::new();
        for Placed { label, .. } in placed {
            let Some(column) = markers.labels().iter().position(|name| name == label) else {
                let known = markers.labels().iter().map(String::as_str);
                let hint = crate::suggest::similar(label, known)
                    .map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
                bail!("the capture has no marker \"{label}\"{hint}");
            };
            if (0..markers.frames()).any(|frame| !markers.is_seen(frame, column)) {
                bail!("marker \"{label}\" was never seen; leave it out of the places");
            }
            columns.push(column);
        }
        if columns.is_empty() {
            bail!("no marker of the capture has a place on the mesh");
        }
        let unused: Vec<&str> = (0..markers.count())
            .filter(|column| !columns.contains(column))
            .map(|column| markers.labels()[column].as_str())
            .collect();
        if !unused.is_empty() {
            warnings.push(format!(
                "{} markers have no place and are not followed: {}",
                unused.len(),
                unused.join(", ")
            ));
        }
        let scale = scale.unwrap_or_else(|| fitting_scale(&markers, placed, &columns));
        let turn = upright(&markers, placed, &columns, up);
        Ok(Self { markers, fitted: Fitted { scale, turn }, columns, warnings })
    }

    /// How it was brought to the mesh.
    pub fn fitted(&self) -> Fitted {
        self.fitted
    }

    /// How long it is.
    pub fn seconds(&self) -> f64 {
        (self.markers.frames() - 1) as f64 / self.markers.rate()
    }

    /// Where the markers are at a time, in the order of the cage, between frames in a straight line.
    pub fn places(&self, seconds: f64) -> impl Iterator<Item = DVec3> + '_ {
        let last = self.markers.frames() - 1;
        let frame = (seconds * self.markers.rate()).clamp(0.0, last as f64);
        let (before, share) = (frame.floor() as usize, frame.fract());
        self.columns.iter().map(move |&column| {
            let at = |frame: usize| self.markers.get(frame.min(last), column).unwrap_or(DVec3::NAN);
            self.fitted.apply(at(before).lerp(at(before + 1), share))
        })
    }
}

/// The median of what distances on the mesh are to those of the capture: of pairs that hardly change theirs, or of all.
fn fitting_scale(markers: &Markers, placed: &[Placed], columns: &[usize]) -> f64 {
    let graph = MarkerGraph::find(markers);
    let ratios = |needs_constant: bool| {
        let mut ratios = Vec::new();
        for a in 0..placed.len() {
            for b in 0..a {
                let pair = graph.pair(columns[a], columns[b]);
                let length = match needs_constant {
                    true => pair.length,
                    false => distance(markers, columns[a], columns[b]),
                };
                let on_mesh = placed[a].position.distance(placed[b].position);
                if (pair.is_near_constant || !needs_constant) && length.is_finite() && length > 0.0 && on_mesh > 0.0 {
                    ratios.push(on_mesh / length);
                }
            }
        }
        ratios.sort_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).copied()
    };
    ratios(true).or_else(|| ratios(false)).unwrap_or(1.0)
}

fn distance(markers: &Markers, a: usize, b: usize) -> f64 {
    markers.get(0, a).zip(markers.get(0, b)).map_or(f64::NAN, |(a, b)| a.distance(b))
}

/// The turn between axes that brings the capture's up to the mesh's; which it is, its first frame tells.
fn upright(markers: &Markers, placed: &[Placed], columns: &[usize], up: DVec3) -> DQuat {
    let seen: Vec<(DVec3, DVec3)> =
        columns.iter().zip(placed).filter_map(|(&c, p)| Some((markers.get(0, c)?, p.position))).collect();
    let middle = |pick: fn(&(DVec3, DVec3)) -> DVec3| seen.iter().map(pick).sum::<DVec3>() / seen.len().max(1) as f64;
    let (from, to) = (middle(|pair| pair.0), middle(|pair| pair.1));
    let mut sum = DMat3::ZERO;
    for (captured, rest) in &seen {
        let (captured, rest) = (*captured - from, *rest - to);
        sum += DMat3::from_cols(rest * captured.x, rest * captured.y, rest * captured.z);
    }
    let turn = sinew::cage::nearest_rotation(sum, DQuat::IDENTITY);
    let axes = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
    let upward = |axis: &DVec3| (turn * *axis).dot(up);
    let captured_up = axes.into_iter().max_by(|a, b| upward(a).total_cmp(&upward(b))).unwrap_or(up);
    match seen.len() < 3 {
        true => DQuat::IDENTITY,
        false => DQuat::from_rotation_arc(captured_up, up.normalize_or(DVec3::Y)),
    }
}
