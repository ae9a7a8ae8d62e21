//! C3D, the binary format of motion capture (c3d.org): a header of 512 bytes, parameters, then for each frame the
//! points and the samples of other instruments.
//!
//! A point is four numbers: x, y, z, and a residual that is negative for a lost point. They are floats if
//! `POINT:SCALE` is negative and otherwise words, to be multiplied by it. Points are written back in place, with
//! a residual of zero, which marks computed points; no other byte changes.

use super::c3d_numbers::Processor;
use super::c3d_parameters::Parameters;
use super::columns::meters;
use crate::Problem;
use glam::Vec3;
use sinew::motion::markers::Markers;

const BLOCK: usize = 512;

/// A file and where its points are.
#[derive(Debug, Clone)]
pub(super) struct C3d {
    bytes: Vec<u8>,
    processor: Processor,
    start: usize,
    /// Bytes from a frame to the next.
    stride: usize,
    /// Metric units of a word; none where points are floats.
    scale: Option<f32>,
}

/// Reads points with their names.
pub(super) fn read(bytes: &[u8], warnings: &mut Vec<String>) -> Result<(Markers, C3d), Problem> {
    let Some(header) = bytes.first_chunk::<BLOCK>() else {
        let why = format!("it needs {BLOCK} bytes, but the file has {}; is it cut off?", bytes.len());
        return Err(Problem::malformed("C3D header", why));
    };
    if header[1] != 0x50 {
        return Err(Problem::malformed("C3D header", "its second byte is not 80, so this is no C3D file"));
    }
    let parameters = Parameters::read(bytes, header[0])?;
    let processor = parameters.processor;
    let word = |k: usize| processor.word([header[2 * k], header[2 * k + 1]]) as u16;
    let float = |k: usize| processor.float([header[2 * k], header[2 * k + 1], header[2 * k + 2], header[2 * k + 3]]);
    let points = usize::from(word(1));
    let analog = usize::from(word(2));
    let scale = parameters.number("POINT", "SCALE").map_or(float(6), |scale| scale as f32);
    let rate = parameters.number("POINT", "RATE").unwrap_or(f64::from(float(10)));
    if points == 0 {
        return Err(Problem::from(sinew::motion::Error::NoMarkers { what: "the header counts no points" }));
    }
    if !scale.is_finite() || scale == 0.0 {
        return Err(Problem::malformed("C3D parameters", format!("POINT:SCALE must not be {scale}")));
    }
    let size = if scale < 0.0 { 4 } else { 2 };
    let stride = size * (4 * points + analog);
    let block = parameters.number("POINT", "DATA_START").map_or(usize::from(word(8)), |block| block as usize);
    let start = block.saturating_sub(1) * BLOCK;
    let promised = frames(&parameters, word(3), word(4));
    let there = bytes.len().saturating_sub(start) / stride;
    if promised == 0 || there < promised {
        let why = format!("{promised} frames of {points} points are promised, {there} are there; is the file cut off?");
        return Err(Problem::malformed("C3D data", why));
    }
    let scale = (scale > 0.0).then_some(scale);
    let c3d = C3d { bytes: bytes.to_vec(), processor, start, stride, scale };
    let positions =
        (0..promised).flat_map(|f| (0..points).map(move |p| (f, p))).map(|(f, p)| c3d.point(f, p)).collect();
    let labels = labels(&parameters, points, warnings);
    let unit = parameters.texts("POINT", "UNITS").first().and_then(|unit| meters(unit));
    Ok((Markers::new(labels, rate, unit, positions)?, c3d))
}

/// The number of frames: words in the header overflow at 65535, so later programs wrote it elsewhere as well.
fn frames(parameters: &Parameters<'_>, first: u16, last: u16) -> usize {
    let in_header = usize::from(last).saturating_sub(usize::from(first)) + 1;
    let field = |name: &str| parameters.long("TRIAL", name).map(|frame| frame as usize);
    let in_trial = field("ACTUAL_START_FIELD").zip(field("ACTUAL_END_FIELD"));
    let in_trial = in_trial.and_then(|(first, last)| last.checked_sub(first)).map(|count| count + 1);
    let in_points = parameters.number("POINT", "FRAMES").map(|count| count as usize);
    match (in_trial, in_points) {
        (Some(count), _) if last == u16::MAX || count == in_header => count,
        (_, Some(count)) if last == u16::MAX => count,
        (_, Some(0)) => 0,
        _ => in_header,
    }
}

fn labels(parameters: &Parameters<'_>, points: usize, warnings: &mut Vec<String>) -> Vec<String> {
    let mut labels = parameters.texts("POINT", "LABELS");
    for k in 2.. {
        let more = parameters.texts("POINT", &format!("LABELS{k}"));
        if more.is_empty() || labels.len() >= points {
            break;
        }
        labels.extend(more);
    }
    labels.truncate(points);
    if labels.len() < points {
        warnings.push(format!("{} of {points} points have no label and are numbered", points - labels.len()));
        labels.extend((labels.len()..points).map(|k| format!("*{k}")));
    }
    labels
}

impl C3d {
    fn at(&self, frame: usize, point: usize) -> usize {
        self.start + frame * self.stride + point * if self.scale.is_some() { 8 } else { 16 }
    }

    fn point(&self, frame: usize, point: usize) -> Vec3 {
        let at = self.at(frame, point);
        let [x, y, z, residual] = match self.scale {
            None => std::array::from_fn(|k| {
                let b = &self.bytes[at + 4 * k..];
                self.processor.float([b[0], b[1], b[2], b[3]])
            }),
            Some(scale) => std::array::from_fn(|k| {
                let word = f32::from(self.processor.word([self.bytes[at + 2 * k], self.bytes[at + 2 * k + 1]]));
                if k < 3 { scale * word } else { word }
            }),
        };
        if residual < 0.0 || residual.is_nan() { Vec3::NAN } else { Vec3::new(x, y, z) }
    }

    /// The file with the points that differ put in.
    pub fn with(&self, before: &Markers, after: &Markers) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for frame in 0..before.frames() {
            for point in 0..before.count() {
                let place = after.get(frame, point);
                if place != before.get(frame, point) {
                    self.put(&mut bytes, self.at(frame, point), place.map(|p| p.as_vec3()));
                }
            }
        }
        bytes
    }

    fn put(&self, bytes: &mut [u8], at: usize, place: Option<Vec3>) {
        let residual = if place.is_some() { 0.0 } else { -1.0 };
        let [x, y, z] = place.unwrap_or(Vec3::ZERO).to_array();
        for (k, value) in [x, y, z, residual].into_iter().enumerate() {
            match self.scale {
                None => bytes[at + 4 * k..][..4].copy_from_slice(&self.processor.float_bytes(value)),
                Some(scale) => {
                    let value = if k < 3 { (value / scale).round() } else { value };
                    bytes[at + 2 * k..][..2].copy_from_slice(&self.processor.word_bytes(value as i16));
                }
            }
        }
    }
}
