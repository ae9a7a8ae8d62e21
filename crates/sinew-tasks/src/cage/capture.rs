//! A capture that drives a mesh: its gaps filled, in the mesh's units and axes.

use super::fitted::Fitted;
use super::place::Placed;
use crate::markers::repair;
use crate::suggest::similar;
use crate::{Clock, Error, Result};
use glam::{DMat3, DQuat, DVec3};
use sinew::motion::markers::{MarkerGraph, Markers};

/// A capture whose markers are those of a cage, ready to drive it.
pub struct Capture {
    markers: Markers,
    fitted: Fitted,
    /// For each marker of the cage its index in the capture.
    columns: Vec<usize>,
    /// The warnings.
    pub warnings: Vec<String>,
}

impl Capture {
    /// Repairs a capture and fits it to markers on a mesh. Unless the scale is given, it comes from near-constant
    /// distances; the axis up comes from the posture of the first frame.
    pub fn new(capture: &Markers, placed: &[Placed], up: DVec3, scale: Option<f64>, clock: Clock<'_>) -> Result<Self> {
        if let Some(scale) = scale.filter(|scale| !(scale.is_finite() && *scale > 0.0)) {
            return Err(Error::CaptureScale { scale });
        }
        let mut warnings = Vec::new();
        let markers = match capture.missing_share() > 0.0 {
            true => {
                let (filled, report) = repair(capture, None, false, clock)?;
                warnings.push(report.to_string().lines().next().unwrap_or_default().to_owned());
                filled
            }
            false => capture.clone(),
        };
        let mut columns = Vec::new();
        for Placed { label, .. } in placed {
            let Some(column) = markers.labels().iter().position(|name| name == label) else {
                let known = markers.labels().iter().map(String::as_str);
                let similar = similar(label, known).map(str::to_owned);
                return Err(Error::UnknownMarker { label: label.clone(), similar });
            };
            if (0..markers.frames()).any(|frame| !markers.is_seen(frame, column)) {
                return Err(Error::MarkerNeverSeen { label: label.clone() });
            }
            columns.push(column);
        }
        if columns.is_empty() {
            return Err(Error::NoMarkerPlaced);
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

    /// The transform to the mesh.
    pub fn fitted(&self) -> Fitted {
        self.fitted
    }

    /// The duration.
    pub fn seconds(&self) -> f64 {
        (self.markers.frames() - 1) as f64 / self.markers.rate()
    }

    /// The positions of the markers at a time, in the order of the cage, interpolated linearly between frames.
    pub fn positions(&self, seconds: f64) -> impl Iterator<Item = DVec3> + '_ {
        let last = self.markers.frames() - 1;
        let frame = (seconds * self.markers.rate()).clamp(0.0, last as f64);
        let (before, share) = (frame.floor() as usize, frame.fract());
        self.columns.iter().map(move |&column| {
            let at = |frame: usize| self.markers.get(frame.min(last), column).unwrap_or(DVec3::NAN);
            self.fitted.apply(at(before).lerp(at(before + 1), share))
        })
    }
}

/// The median ratio of distances on the mesh to those of the capture, over near-constant pairs, or over all if there are
/// none.
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

/// The rotation from the capture's axis up, found in its first frame, to the mesh's.
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
