//! The report of a driven mesh as a page: numbers, pictures, plots over time.

use super::html;
use super::plots;
use crate::failure::Result;
use crate::picture::{Picture, Style};
use glam::{DAffine3, DVec2};
use sinew::Surface;
use sinew_tasks::cage::{Caged, Drive, FrameReport, Placed, Report};
use std::fmt::Write;

/// The number of moments of a motion that are shown.
const SHOWN: usize = 4;

/// Surfaces of some moments of a motion.
pub struct Moments {
    is_wanted: bool,
    fps: f64,
    surfaces: Vec<(f64, Surface)>,
}

impl Moments {
    pub fn new(work: &Drive<'_>, is_wanted: bool) -> Self {
        Self { is_wanted, fps: work.fps, surfaces: Vec::new() }
    }

    /// Stores a frame if it will be shown.
    pub fn include(&mut self, index: usize, count: usize, surface: &Surface) {
        let is_shown = (0..SHOWN).any(|k| index == (count - 1) * k / (SHOWN - 1));
        if self.is_wanted && is_shown {
            self.surfaces.push((index as f64 / self.fps, surface.clone()));
        }
    }
}

/// The page.
pub fn to_html(report: &Report, caged: &Caged, placed: &[Placed], moments: &Moments) -> Result<String> {
    let mut body = format!("<p>{report}.</p>\n{}", summary(report, placed));
    let mut sheet = Picture::new(&caged.asset, Style { width: 1280, height: 500, ..Style::default() });
    let world: Vec<DAffine3> = caged.asset.character.skeleton.rest_world();
    for (seconds, surface) in &moments.surfaces {
        sheet.add_deformed(format!("{seconds:.2} s"), surface.clone(), &Surface::default(), world.clone())?;
    }
    if !moments.surfaces.is_empty() {
        body += &html::figures("row", &[("The motion".into(), sheet.to_png()?)]);
    }
    body += "<div class=\"row\">\n";
    body += &line("Volume", "% of rest", report, |f| 100.0 * (1.0 + f.volume_error()));
    body += &line("Rigidity", "relative error of edges", report, |f| f.rigidity);
    body += &line("Bone lengths", "largest relative error", report, |f| f.segment_error);
    body += &line("Largest handle error", "file units", report, |f| f.handle_error);
    if report.frames.iter().any(|frame| frame.skin_distance.is_some()) {
        body += &line("Mean distance from the skinned mesh", "file units", report, |f| f.skin_distance.unwrap_or(0.0));
    }
    body += &line("Inverted tetrahedra", "count", report, |f| f.inverted as f64);
    body += &line("Time to compute a frame", "milliseconds", report, |f| f.milliseconds);
    body += "</div>\n";
    body += &html::warnings(&report.warnings);
    Ok(html::page(&format!("{}: driven by a cage", caged.asset.character.name), &body))
}

fn summary(report: &Report, placed: &[Placed]) -> String {
    let mut rows = vec![
        ("cage", report.cage.to_string()),
        ("embedding", report.embedding.into()),
        ("largest change of volume", format!("{:.3} %", 100.0 * report.volume_error())),
        ("largest rigidity error", format!("{:.4}", report.most(|f| f.rigidity))),
        ("largest error of a bone length", format!("{:.2e}", report.most(|f| f.segment_error))),
        ("largest handle error", format!("{:.4} file units", report.most(|f| f.handle_error))),
        ("most inverted tetrahedra", report.most(|f| f.inverted as f64).to_string()),
        ("building the cage", format!("{:.0} ms", report.milliseconds.cage)),
        ("filling it", format!("{:.0} ms", report.milliseconds.tetrahedra)),
        ("preparing the solver and the mesh", format!("{:.0} ms", report.milliseconds.factor)),
    ];
    if let Some(scale) = report.capture_scale {
        let labels: Vec<&str> = placed.iter().map(|placed| placed.label.as_str()).collect();
        rows.push(("markers", format!("{} ({})", labels.len(), html::escape(&labels.join(", ")))));
        rows.push(("scale of the capture", format!("{scale:.4}")));
    }
    let mut table = String::from("<table>");
    for (what, value) in rows {
        let _ = writeln!(table, "<tr><th>{what}</th><td>{value}</td></tr>");
    }
    table + "</table>\n"
}

/// A single line over the frames.
fn line(title: &str, unit: &str, report: &Report, pick: impl Fn(&FrameReport) -> f64) -> String {
    plots::line(title, unit, report.frames.iter().map(|frame| DVec2::new(frame.time, pick(frame))).collect())
}
