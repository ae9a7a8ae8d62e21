//! The report of a bake as a page: numbers, pictures of the highlights, plots over time, and a table of joints.

mod flesh;
mod muscles;

use crate::report::html::{self, escape};
use crate::report::jumps;
use crate::report::plots::{self, figure, plot};
use glam::DVec2;
use sinew_render::plot::{Plot, Series};
use sinew_tasks::bake::{FrameReport, ImplicitReport, Report};
use std::fmt::Write;

/// Pictures in a row under one heading.
pub struct Pictures {
    /// The caption; may be empty.
    pub heading: String,
    /// Caption and PNG of each.
    pub images: Vec<(String, Vec<u8>)>,
}

/// The most lines of a plot of joints or muscles.
const LINES_SHOWN: usize = 6;

/// The page. `corrected` is true with stages after the skin, whose effect is then shown.
pub fn to_html(report: &Report, title: &str, pictures: &[Pictures], corrected: bool) -> String {
    Page(report).to_html(title, pictures, corrected)
}

/// A report on its way to a page.
struct Page<'a>(&'a Report);

impl Page<'_> {
    fn to_html(&self, title: &str, pictures: &[Pictures], corrected: bool) -> String {
        let mut body = self.summary(corrected);
        for row in pictures {
            body += &row.to_html();
        }
        body += "<div class=\"row\">\n";
        body += &self.volume_plot();
        if corrected {
            body += &self.joint_plot();
            body += &line("Largest displacement", "file units", &self.0.frames, |f| f.max_displacement);
            // The ends have no second difference.
            let inner = self.0.frames.get(1..self.0.frames.len().saturating_sub(1)).unwrap_or_default();
            body += &line("Flicker: largest second difference", "file units", inner, |f| f.max_second_difference);
        }
        body += &self.activation_plot();
        body += &self.muscle_volume_plot();
        body += &self.intersection_plot();
        body += &line("Time to compute a frame", "milliseconds", &self.0.frames, |f| f.milliseconds);
        body += "</div>\n";
        body += &self.joint_table(corrected);
        body += &html::warnings(&self.0.warnings);
        html::page(title, &body)
    }

    fn summary(&self, corrected: bool) -> String {
        let (Some(first), Some(last)) = (self.0.frames.first(), self.0.frames.last()) else { return String::new() };
        let mean = self.0.frames.iter().map(|f| f.milliseconds).sum::<f64>() / self.0.frames.len() as f64;
        let mut text = format!(
            "<p>{} frames from {:.3} s to {:.3} s, {mean:.2} ms each.</p>\n",
            self.0.frames.len(),
            first.time,
            last.time
        );
        let mut rows = Vec::new();
        if corrected {
            let largest = |pick: fn(&FrameReport) -> f64| self.0.frames.iter().map(pick).fold(0.0, f64::max);
            rows.extend([
                ("largest change of volume, skin alone", self.largest_change(|f| f.volume_base)),
                ("largest change of volume, finished", self.largest_change(|f| f.volume)),
                ("largest displacement", format!("{:.5} file units", largest(|f| f.max_displacement))),
                ("largest second difference", format!("{:.6} file units", largest(|f| f.max_second_difference))),
                ("most intersections, skin alone", largest(|f| f.intersections_base as f64).to_string()),
                ("most intersections, finished", largest(|f| f.intersections as f64).to_string()),
            ]);
            rows.extend(self.implicit_rows());
            rows.extend(self.flesh_rows());
            rows.extend(self.muscle_rows());
        }
        rows.extend(
            self.0.jumps.iter().flat_map(|jumps| jumps::rows(jumps)).map(|(what, value)| (what, escape(&value))),
        );
        if !rows.is_empty() {
            text += "<table>";
            for (what, value) in rows {
                let _ = writeln!(text, "<tr><th>{what}</th><td>{value}</td></tr>");
            }
            text += "</table>\n";
        }
        text
    }

    /// The largest measurements of the implicit skin over the clip.
    fn implicit_rows(&self) -> Vec<(&'static str, String)> {
        let frames: Vec<&ImplicitReport> = self.0.frames.iter().filter_map(|frame| frame.implicit.as_ref()).collect();
        let most = |pick: fn(&ImplicitReport) -> usize| {
            frames.iter().map(|frame| pick(frame)).max().unwrap_or_default().to_string()
        };
        match frames.is_empty() {
            true => Vec::new(),
            false => vec![
                ("most points moved", most(|f| f.moved)),
                ("most points that touch another limb", most(|f| f.touching)),
            ],
        }
    }

    /// The volume that is farthest from rest, as a signed share of it.
    fn largest_change(&self, pick: fn(&FrameReport) -> Option<f64>) -> String {
        let changes = self.0.frames.iter().filter_map(|f| Some(100.0 * (pick(f)? / f.volume_rest? - 1.0)));
        match changes.max_by(|a, b| a.abs().total_cmp(&b.abs())) {
            Some(percent) if percent.abs() < 0.001 => format!("{percent:+.1e} %"),
            Some(percent) => format!("{percent:+.3} %"),
            None => "no mesh is closed".into(),
        }
    }

    /// Base and final volume in per cent of the rest volume.
    fn volume_plot(&self) -> String {
        let percent = |pick: fn(&FrameReport) -> Option<f64>| {
            let point = |f: &FrameReport| Some(DVec2::new(f.time, 100.0 * pick(f)? / f.volume_rest?));
            self.0.frames.iter().filter_map(point).collect::<Vec<_>>()
        };
        let skin = Series { name: "skin".into(), points: percent(|f| f.volume_base) };
        let finished = Series { name: "finished surface".into(), points: percent(|f| f.volume) };
        if skin.points.is_empty() {
            return "<p>No mesh is closed, so there is no volume to show.</p>\n".into();
        }
        let series = if skin.points == finished.points { vec![skin] } else { vec![skin, finished] };
        figure(Plot { reference: Some(100.0), ..plot("Volume", "% of rest", series) })
    }

    /// The joints that change the skin's volume most, a line each.
    fn joint_plot(&self) -> String {
        let mut joints: Vec<_> = self.0.joints.iter().filter(|j| j.max_volume_change != 0.0).collect();
        joints.sort_by(|a, b| b.max_volume_change.abs().total_cmp(&a.max_volume_change.abs()));
        if joints.is_empty() {
            return String::new();
        }
        let in_percent = self.0.frames.iter().all(|f| f.volume_rest.is_some());
        let line = |name: &String| {
            let point = |f: &FrameReport| {
                let change = f.joints.get(name).copied().unwrap_or(0.0);
                DVec2::new(f.time, f.volume_rest.filter(|_| in_percent).map_or(change, |rest| 100.0 * change / rest))
            };
            Series { name: name.clone(), points: self.0.frames.iter().map(point).collect() }
        };
        let series = joints.iter().take(LINES_SHOWN).map(|joint| line(&joint.name)).collect();
        let title = match joints.len() {
            0..=LINES_SHOWN => "Volume change by joint".into(),
            count => format!("Volume change by joint, the largest {LINES_SHOWN} of {count}"),
        };
        let unit = if in_percent { "% of rest" } else { "cubed file units" };
        figure(Plot { reference: Some(0.0), ..plot(&title, unit, series) })
    }

    fn intersection_plot(&self) -> String {
        let line = |name: &str, pick: fn(&FrameReport) -> usize| {
            let points = self.0.frames.iter().map(|f| DVec2::new(f.time, pick(f) as f64)).collect();
            Series { name: name.into(), points }
        };
        let (skin, left) = (line("skin", |f| f.intersections_base), line("finished surface", |f| f.intersections));
        if self.0.frames.iter().all(|f| f.intersections == 0 && f.intersections_base == 0) {
            return "<p>No frame intersects itself.</p>\n".into();
        }
        let series = if skin.points == left.points { vec![left] } else { vec![skin, left] };
        figure(plot("Intersecting pairs of triangles", "pairs", series))
    }

    fn joint_table(&self, corrected: bool) -> String {
        if self.0.joints.is_empty() {
            return String::new();
        }
        let rest = self.0.frames.first().and_then(|f| f.volume_rest);
        let has_flesh = self.0.joints.iter().any(|joint| joint.flesh_volume.is_some());
        let mut table =
            String::from("<h2>Joints that move</h2>\n<table><tr><th>joint</th><th>largest turn from rest</th>");
        if corrected {
            table += "<th>largest change of the skin's volume</th>";
        }
        if has_flesh {
            table += "<th>largest change of its flesh's volume</th>";
        }
        table += "</tr>\n";
        for joint in &self.0.joints {
            let _ = write!(table, "<tr><td>{}</td><td>{:.1}°</td>", escape(&joint.name), joint.max_degrees);
            if corrected {
                let change = joint.max_volume_change;
                let _ = match rest {
                    _ if change == 0.0 => write!(table, "<td>none</td>"),
                    Some(rest) => write!(table, "<td>{:+.3} % of the whole</td>", 100.0 * change / rest),
                    None => write!(table, "<td>{change:+.3e} cubed file units</td>"),
                };
            }
            if has_flesh {
                let change = |volume: f64| format!("{:+.2} %", 100.0 * (volume - 1.0));
                let _ = write!(table, "<td>{}</td>", joint.flesh_volume.map_or_else(|| "no flesh".into(), change));
            }
            table += "</tr>\n";
        }
        table + "</table>\n"
    }
}

impl Pictures {
    fn to_html(&self) -> String {
        let mut html = String::new();
        if !self.heading.is_empty() {
            html += &format!("<h2>{}</h2>\n", escape(&self.heading));
        }
        html + &html::figures("row", &self.images)
    }
}

/// A single line over the frames of a bake.
fn line(title: &str, unit: &str, frames: &[FrameReport], pick: impl Fn(&FrameReport) -> f64) -> String {
    plots::line(title, unit, frames.iter().map(|f| DVec2::new(f.time, pick(f))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_tasks::bake::JointReport;
    use sinew_tasks::bake::{FleshFrame, FleshRegion};
    use std::collections::BTreeMap;

    fn report() -> Report {
        let joints: Vec<String> = (0..8).map(|k| format!("joint{k}")).collect();
        let frame = |k: usize| FrameReport {
            time: k as f64,
            volume_rest: Some(2.0),
            volume_base: Some(2.0 - 0.1 * k as f64),
            volume: Some(2.0),
            max_displacement: 0.25,
            max_second_difference: 0.125,
            intersections_base: 9,
            intersections: 4,
            milliseconds: 1.0,
            joints: joints.iter().map(|name| (name.clone(), -0.01 * k as f64)).collect::<BTreeMap<_, _>>(),
            ..FrameReport::default()
        };
        let joint = |(k, name): (usize, &String)| JointReport {
            name: name.clone(),
            max_degrees: 90.0,
            max_volume_change: -0.01 * k as f64,
            flesh_volume: None,
        };
        Report {
            frames: (0..4).map(frame).collect(),
            joints: joints.iter().enumerate().map(joint).collect(),
            warnings: vec!["mesh \"<hat>\" was capped".into()],
            ..Report::default()
        }
    }

    #[test]
    fn a_corrected_page_shows_skin_and_result() {
        let row = Pictures { heading: "At 1.00 s".into(), images: vec![("a & b".into(), vec![1, 2, 3])] };
        let page = to_html(&report(), "\"Hero\": walk", &[row], true);
        let titles = [
            "Volume",
            "Volume change by joint, the largest 6 of 7",
            "Largest displacement",
            "Flicker",
            "Intersecting",
            "Time",
        ];
        assert!(titles.iter().all(|title| page.contains(title)), "{page}");
        assert_eq!(page.matches("<svg").count(), titles.len());
        for words in ["-15.000 %", "+0.0e0 %", "0.25000 file units", "0.125000 file units", "-3.500 % of the whole"] {
            assert!(page.contains(words), "{words} is not in {page}");
        }
        for words in ["&quot;Hero&quot;", "a &amp; b", "&lt;hat&gt;", ">joint7<"] {
            assert!(page.contains(words), "{words} is not in {page}");
        }
        let lines = page.split("the largest 6 of 7").nth(2).unwrap().split("</svg>").next().unwrap();
        assert!(lines.contains(">joint7<") && lines.contains(">joint2<") && !lines.contains(">joint1<"), "{lines}");
    }

    #[test]
    fn the_page_has_the_volume_of_flesh_by_joint() {
        let mut report = report();
        for (frame, volume) in report.frames.iter_mut().zip([1.0, 0.99, 1.003, 1.0]) {
            let worst_region = Some(FleshRegion { joint: "knee & shin".into(), volume: 2.0 * volume - 1.0 });
            frame.flesh = Some(FleshFrame { volume, worst_region, ..FleshFrame::default() });
        }
        report.joints[3].flesh_volume = Some(0.98);
        let page = to_html(&report, "Hero", &[], true);
        for words in ["-1.00 % (at", "-2.00 % (knee &amp; shin, at", "<td>-2.00 %</td>", "<td>no flesh</td>"] {
            assert!(page.contains(words), "{words} is not in {page}");
        }
    }

    #[test]
    fn a_page_of_skin_alone_does_not_speak_of_corrections() {
        let mut report = report();
        for frame in &mut report.frames {
            frame.volume = frame.volume_base;
            frame.intersections_base = 0;
            frame.intersections = 0;
        }
        let page = to_html(&report, "Hero", &[], false);
        assert_eq!(page.matches("<svg").count(), 2);
        for words in ["displacement", "Flicker", "largest change", "finished"] {
            assert!(!page.contains(words), "{words} is in {page}");
        }
        assert!(page.contains("No frame intersects itself"));
    }
}
