//! The parts of a library's motions that are like a query.

use super::{Library, Stamp};
use crate::{Error, Result};
use serde::Serialize;
use sinew::motion::search::{MotionPart, Query, WINDOW};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// Windows of the query, of each side, whose neighbours the approximate index is asked for.
const ASKED: usize = 8;
/// Neighbours that are asked for.
const NEIGHBOURS: usize = 128;
/// Clips that are compared exactly, at least, and for each answer that is wanted.
const CANDIDATES: usize = 128;
const CANDIDATES_PER_ANSWER: usize = 16;

/// A part of a clip that is like the query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// Path of its file from the library's folder.
    pub file: String,
    /// The clip in the file.
    pub clip: String,
    /// Start in the clip's own time in seconds.
    pub start: f64,
    /// End in the clip's own time in seconds.
    pub end: f64,
    /// From 0 to 1.
    pub score: f64,
}

/// The part of a clip that is the query, which is no answer to it.
pub struct Span {
    name: String,
    stamp: Stamp,
    clip: String,
    seconds: (f64, f64),
}

impl Span {
    /// A part of a clip in a file.
    pub fn new(path: &Path, clip: &str, seconds: (f64, f64)) -> Result<Self> {
        let stamp = Stamp::of(path, 0).map_err(|source| Error::Io { action: "read", path: path.into(), source })?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, stamp, clip: clip.into(), seconds })
    }
}

impl Library {
    /// The parts of all clips that are most like a query, the best first, but not those that share time with what the
    /// query was cut out of.
    pub fn search(&self, query: &Query, count: usize, own: Option<&Span>) -> Result<Vec<Found>> {
        let clips: Vec<_> = self.clips().collect();
        let ranges: Vec<Range<usize>> = clips.iter().map(|(_, _, range)| range.clone()).collect();
        // Parts of the query's own clip may be among the best, and are then left out.
        let wanted = count + own.map_or(0, |_| OWN_PARTS);
        let candidates = self.candidates(query, &ranges, wanted)?;
        let parts: Vec<MotionPart<'_>> = candidates.iter().map(|&k| self.whole().part(ranges[k].clone())).collect();
        let answer = |(part, matched): (usize, sinew::motion::search::Match)| {
            let (file, clip, _) = &clips[candidates[part]];
            let (start, end) = matched.seconds();
            let found = Found {
                file: file.file.clone(),
                clip: clip.clip.clone(),
                start: clip.start + start,
                end: clip.start + end,
                score: matched.score,
            };
            let is_own = own.is_some_and(|own| {
                let same_stamp =
                    file.stamp.is_some_and(|s| (s.bytes, s.modified) == (own.stamp.bytes, own.stamp.modified));
                let same_file = same_stamp && file.file.rsplit('/').next() == Some(&own.name);
                same_file && own.clip == clip.clip && found.start < own.seconds.1 && own.seconds.0 < found.end
            });
            (!is_own).then_some(found)
        };
        Ok(query.find_best(&parts, wanted).into_iter().filter_map(answer).take(count).collect())
    }

    /// The clips to compare: all of them, or those that the approximate index finds near the query. A clip is as far
    /// from a side of the query as the nearest windows found of it are from those asked for; where none is found, one
    /// is at least as far as the farthest found.
    fn candidates(&self, query: &Query, clips: &[Range<usize>], answers: usize) -> Result<Vec<usize>> {
        let Some(graph) = &self.graph else { return Ok((0..clips.len()).collect()) };
        let mut far: BTreeMap<usize, f64> = BTreeMap::new();
        for side in query.sides() {
            let found = graph.nearest(&asked(side), NEIGHBOURS)?;
            let farthest = |near: &[(usize, f32)]| near.last().map_or(0.0, |&(_, square)| f64::from(square).sqrt());
            let most: f64 = found.iter().map(|near| farthest(near)).sum();
            let mut of_side: BTreeMap<usize, f64> = BTreeMap::new();
            for near in &found {
                let mut seen = BTreeSet::new();
                for &(window, square) in near {
                    let clip = clips.partition_point(|range| range.end <= window);
                    if clip < clips.len() && seen.insert(clip) {
                        *of_side.entry(clip).or_insert(most) -= farthest(near) - f64::from(square).sqrt();
                    }
                }
            }
            for (clip, distance) in of_side {
                far.entry(clip).and_modify(|least| *least = least.min(distance)).or_insert(distance);
            }
        }
        let mut nearest: Vec<(usize, f64)> = far.into_iter().collect();
        // A stable sort keeps the order of clips where they are equally far.
        nearest.sort_by(|a, b| a.1.total_cmp(&b.1));
        nearest.truncate(CANDIDATES.max(CANDIDATES_PER_ANSWER * answers));
        Ok(nearest.into_iter().map(|(clip, _)| clip).collect())
    }
}

/// The most matches of one clip, which may all overlap with the query.
const OWN_PARTS: usize = 4;

/// Windows of a motion, evenly over its length.
fn asked(motion: MotionPart<'_>) -> Vec<&[f32]> {
    let count = motion.len().min(ASKED);
    let window = |k: usize| motion.windows.chunks_exact(WINDOW).nth(k * motion.len() / count);
    (0..count).filter_map(window).collect()
}
