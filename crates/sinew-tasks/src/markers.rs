//! A capture of markers: a summary of it, and a repair of its gaps.

use crate::suggest::similar;
use crate::{Error, Result};
use serde::Serialize;
use sinew::motion::markers::{FilledGap, MarkerGraph, Markers, Swap, fill, find_gaps, find_swaps, undo_swaps};
use sinew_io::markers::{Link, MarkerFile};
use std::fmt;

/// The content of a capture.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// The format's extension.
    pub format: &'static str,
    /// The labels.
    pub markers: Vec<String>,
    /// The number of frames.
    pub frames: usize,
    /// Frames a second.
    pub rate: f64,
    /// Metres in the unit of the file; none where it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meters_per_unit: Option<f64>,
    /// The share of positions that are missing.
    pub missing: f64,
    /// The gaps.
    pub gaps: Vec<GapSummary>,
    /// Pairs whose distance hardly changes.
    pub near_constant_pairs: Vec<[String; 2]>,
    /// Markers whose labels are swapped.
    pub swaps: Vec<SwapSummary>,
    /// Everything that was repaired or assumed.
    pub warnings: Vec<String>,
}

/// A gap. Frames count from 0, the last one included.
#[derive(Debug, Serialize)]
pub struct GapSummary {
    /// The marker's label.
    pub marker: String,
    /// The first frame.
    pub first: usize,
    /// The last frame.
    pub last: usize,
    /// The duration.
    pub seconds: f64,
}

/// Two markers whose labels are swapped.
#[derive(Debug, Serialize)]
pub struct SwapSummary {
    /// Their labels.
    pub markers: [String; 2],
    /// The first frame.
    pub first: usize,
    /// The last frame.
    pub last: usize,
    /// Whether the labels were swapped back.
    pub fixed: bool,
}

/// A gap that was filled.
#[derive(Debug, Serialize)]
pub struct FilledSummary {
    /// The gap.
    #[serde(flatten)]
    pub gap: GapSummary,
    /// Markers at near-constant distance that are visible throughout.
    pub held_by: Vec<String>,
    /// Whether these determine its position, with an expected error of at most 10 mm.
    pub confident: bool,
    /// The largest error that is expected, in the file's units.
    pub expected_error: f32,
    /// The confidence of each frame, from 0 to 1; below one half is low.
    pub confidence: Vec<f32>,
}

/// The result of a repair.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The number of frames.
    pub frames: usize,
    /// Frames a second.
    pub rate: f64,
    /// Metres in the unit of the file; none where it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meters_per_unit: Option<f64>,
    /// The share of positions missing before.
    pub missing_before: f64,
    /// The share missing after.
    pub missing_after: f64,
    /// Gaps that were filled.
    pub gaps: Vec<FilledSummary>,
    /// Markers whose labels are swapped.
    pub swaps: Vec<SwapSummary>,
    /// Markers that are visible in no frame and stay missing.
    pub never_seen: Vec<String>,
    /// The time of the repair.
    pub milliseconds: f64,
}

/// Summarises a capture.
pub fn summary(file: &MarkerFile) -> Summary {
    let markers = &file.markers;
    let graph = MarkerGraph::find(markers);
    let label = |marker: usize| markers.labels()[marker].clone();
    Summary {
        format: file.format.extension(),
        markers: markers.labels().to_vec(),
        frames: markers.frames(),
        rate: markers.rate(),
        meters_per_unit: markers.meters_per_unit(),
        missing: markers.missing_share(),
        gaps: find_gaps(markers).iter().map(|gap| gap_summary(markers, gap)).collect(),
        near_constant_pairs: graph.near_constant().map(|(a, b)| [label(a), label(b)]).collect(),
        swaps: find_swaps(markers, &graph).iter().map(|swap| swap_summary(markers, swap, false)).collect(),
        warnings: file.warnings.clone(),
    }
}

/// The links of a capture's graph, to be edited by hand: each marker with its best neighbours.
pub fn links(markers: &Markers) -> Vec<Link> {
    const BEST: usize = 6;
    let graph = MarkerGraph::find(markers);
    let best = |a: usize, b: usize| graph.neighbors(a).iter().take(BEST).any(|&other| other == b);
    let pairs = (0..markers.count()).flat_map(|a| (0..a).map(move |b| (b, a)));
    let linked = pairs.filter(|&(a, b)| best(a, b) || best(b, a));
    let label = |marker: usize| markers.labels()[marker].clone();
    linked.map(|(a, b)| Link { markers: [label(a), label(b)], fixed: graph.pair(a, b).is_near_constant }).collect()
}

/// Fills the gaps of a capture. Swapped labels are reported, and swapped back if `fix_swaps`.
pub fn repair(
    markers: &Markers,
    links: Option<&[Link]>,
    fix_swaps: bool,
    clock: crate::Clock<'_>,
) -> Result<(Markers, Report)> {
    let begin = clock();
    let mut named = markers.clone();
    let mut graph = MarkerGraph::find(&named);
    let swaps = find_swaps(&named, &graph);
    if fix_swaps && !swaps.is_empty() {
        undo_swaps(&mut named, &swaps);
        graph = MarkerGraph::find(&named);
    }
    if let Some(links) = links {
        graph = graph.with_links(&indices(markers, links)?)?;
    }
    let filling = fill(&named, &graph)?;
    let label = |&marker: &usize| markers.labels()[marker].clone();
    let report = Report {
        frames: markers.frames(),
        rate: markers.rate(),
        meters_per_unit: markers.meters_per_unit(),
        missing_before: markers.missing_share(),
        missing_after: filling.markers.missing_share(),
        gaps: filling.gaps.iter().map(|gap| filled_summary(markers, gap)).collect(),
        swaps: swaps.iter().map(|swap| swap_summary(markers, swap, fix_swaps)).collect(),
        never_seen: filling.never_seen.iter().map(label).collect(),
        milliseconds: clock() - begin,
    };
    Ok((filling.markers, report))
}

fn indices(markers: &Markers, links: &[Link]) -> Result<Vec<(usize, usize, bool)>> {
    let find = |name: &String| {
        let known = markers.labels().iter().map(String::as_str);
        let similar = || similar(name, known).map(str::to_owned);
        let unknown = || Error::UnknownLinkMarker { label: name.clone(), similar: similar() };
        markers.labels().iter().position(|label| label == name).ok_or_else(unknown)
    };
    links.iter().map(|link| Ok((find(&link.markers[0])?, find(&link.markers[1])?, link.fixed))).collect()
}

fn gap_summary(markers: &Markers, gap: &sinew::motion::markers::Gap) -> GapSummary {
    GapSummary {
        marker: markers.labels()[gap.marker].clone(),
        first: gap.frames.start,
        last: gap.frames.end - 1,
        seconds: gap.frames.len() as f64 / markers.rate(),
    }
}

fn swap_summary(markers: &Markers, swap: &Swap, fixed: bool) -> SwapSummary {
    let label = |marker: usize| markers.labels()[marker].clone();
    let (first, last) = (swap.frames.start, swap.frames.end - 1);
    SwapSummary { markers: [label(swap.a), label(swap.b)], first, last, fixed }
}

fn filled_summary(markers: &Markers, filled: &FilledGap) -> FilledSummary {
    FilledSummary {
        gap: gap_summary(markers, &filled.gap),
        held_by: filled.rigid_neighbors.iter().map(|&marker| markers.labels()[marker].clone()).collect(),
        confident: filled.is_confident,
        expected_error: filled.expected_errors.iter().copied().fold(0.0, f32::max),
        confidence: filled.confidence.clone(),
    }
}

/// The usual abbreviation of a unit, or its length in metres.
fn unit_name(meters: f64) -> String {
    match meters {
        1.0 => "m".into(),
        0.01 => "cm".into(),
        0.001 => "mm".into(),
        0.0254 => "in".into(),
        other => format!("{other} m"),
    }
}

fn count_of(gaps: usize) -> String {
    format!("{gaps} gap{}", if gaps == 1 { "" } else { "s" })
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.meters_per_unit.map_or("unknown".into(), unit_name);
        writeln!(
            f,
            "{}: {} markers, {} frames at {:.2} Hz, unit: {unit}",
            self.format,
            self.markers.len(),
            self.frames,
            self.rate
        )?;
        writeln!(f, "  {}", self.markers.join(", "))?;
        write!(
            f,
            "{}, {:.2} % missing, {} near-constant distances",
            count_of(self.gaps.len()),
            1e2 * self.missing,
            self.near_constant_pairs.len()
        )?;
        for gap in &self.gaps {
            write!(f, "\n  {gap}")?;
        }
        self.swaps.iter().try_for_each(|swap| write!(f, "\n  {swap}"))
    }
}

impl fmt::Display for GapSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: missing in frames {} to {}, {:.2} s", self.marker, self.first, self.last, self.seconds)
    }
}

impl fmt::Display for SwapSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.markers;
        let what = if self.fixed { "labels were swapped, now corrected" } else { "labels seem swapped" };
        write!(f, "{a} and {b}: {what}, frames {} to {}", self.first, self.last)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let low = self.gaps.iter().filter(|gap| !gap.confident).count();
        write!(f, "{} filled, {low} with low confidence", count_of(self.gaps.len()))?;
        for filled in &self.gaps {
            let trust = if filled.confident { "held" } else { "low confidence" };
            let error = match self.meters_per_unit {
                Some(meters) => format!("{:.1} mm", 1e3 * meters * f64::from(filled.expected_error)),
                None => format!("{:.3} units", filled.expected_error),
            };
            write!(f, "\n  {}; {trust}, expected within {error}", filled.gap)?;
        }
        self.swaps.iter().try_for_each(|swap| write!(f, "\n  {swap}"))?;
        self.never_seen.iter().try_for_each(|marker| write!(f, "\n  {marker}: missing in every frame"))
    }
}
