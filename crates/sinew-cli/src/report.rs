//! The report of a bake, as JSON for programs and as a page for people.

use base64::prelude::{BASE64_STANDARD, Engine};
use glam::DVec2;
use serde::Serialize;
use sinew::rig::{Character, Pose};
use sinew_render::plot::{Plot, Series};

/// What a bake did, frame by frame.
#[derive(Serialize, Default)]
pub struct Report {
    /// One entry per frame.
    pub frames: Vec<FrameReport>,
    /// One entry per joint that moves.
    pub joints: Vec<JointReport>,
    /// Everything that was repaired or left out.
    pub warnings: Vec<String>,
}

/// One frame.
#[derive(Serialize)]
pub struct FrameReport {
    /// Seconds in the clip.
    pub time: f64,
    /// The volume that the frame ought to have; null for open meshes.
    pub volume_rest: Option<f64>,
    /// The volume of the skin alone.
    pub volume_base: Option<f64>,
    /// The volume of the finished surface.
    pub volume: Option<f64>,
    /// The farthest that the stages after the skin moved a vertex.
    pub max_displacement: f64,
    /// Pairs of triangles that intersect.
    pub intersections: usize,
    /// What the frame took to compute.
    pub milliseconds: f64,
}

/// One joint over the clip.
#[derive(Serialize)]
pub struct JointReport {
    /// Its name.
    pub name: String,
    /// The largest angle that it turns away from its rest pose.
    pub max_degrees: f64,
}

/// Gathers how far the joints turn.
pub struct JointTurns(Vec<f64>);

impl JointTurns {
    pub fn new(character: &Character) -> Self {
        Self(vec![0.0; character.skeleton.len()])
    }

    pub fn include(&mut self, character: &Character, pose: &Pose) {
        for ((largest, joint), local) in self.0.iter_mut().zip(character.skeleton.joints()).zip(&pose.joints) {
            *largest = largest.max(joint.rest.rotation.angle_between(local.rotation).to_degrees());
        }
    }

    pub fn report(&self, character: &Character) -> Vec<JointReport> {
        let joints = character.joints().filter(|&j| self.0[j] > 0.01);
        joints
            .map(|j| JointReport { name: character.skeleton.joints()[j].name.clone(), max_degrees: self.0[j] })
            .collect()
    }
}

impl Report {
    /// The page: plots over time, a table of joints, and pictures.
    pub fn to_html(&self, title: &str, pictures: &[(String, Vec<u8>)]) -> String {
        let mut body = format!("<h1>{}</h1>\n", escape(title));
        if let (Some(first), Some(last)) = (self.frames.first(), self.frames.last()) {
            let mean = self.frames.iter().map(|f| f.milliseconds).sum::<f64>() / self.frames.len() as f64;
            body += &format!(
                "<p>{} frames from {:.3} s to {:.3} s, {mean:.2} ms each.</p>\n",
                self.frames.len(),
                first.time,
                last.time
            );
        }
        for (caption, png) in pictures {
            body += &format!(
                "<figure><img alt=\"{0}\" src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
                escape(caption),
                BASE64_STANDARD.encode(png)
            );
        }
        body += &self.volume_plot();
        if self.frames.iter().any(|f| f.intersections > 0) {
            body += &self.plot("Intersecting pairs of triangles", "pairs", |f| Some(f.intersections as f64));
        } else {
            body += "<p>No frame intersects itself.</p>\n";
        }
        body += &self.plot("Time to compute a frame", "milliseconds", |f| Some(f.milliseconds));
        if !self.joints.is_empty() {
            body += "<h2>Joints that move</h2>\n<table><tr><th>joint</th><th>largest turn from rest</th></tr>\n";
            for joint in &self.joints {
                body += &format!("<tr><td>{}</td><td>{:.1}°</td></tr>\n", escape(&joint.name), joint.max_degrees);
            }
            body += "</table>\n";
        }
        for warning in &self.warnings {
            body += &format!("<p class=\"warning\">{}</p>\n", escape(warning));
        }
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n<style>{STYLE}</style></head>\n\
             <body>\n{body}</body></html>\n",
            escape(title)
        )
    }

    /// Base and final volume in per cent of the rest volume.
    fn volume_plot(&self) -> String {
        let percent = |pick: fn(&FrameReport) -> Option<f64>| {
            let point = |f: &FrameReport| Some(DVec2::new(f.time, 100.0 * pick(f)? / f.volume_rest?));
            self.frames.iter().filter_map(point).collect::<Vec<_>>()
        };
        let skin = Series { name: "skin".into(), points: percent(|f| f.volume_base) };
        let finished = Series { name: "finished surface".into(), points: percent(|f| f.volume) };
        if skin.points.is_empty() {
            return "<p>No mesh is closed, so there is no volume to show.</p>\n".into();
        }
        let series = if skin.points == finished.points { vec![skin] } else { vec![skin, finished] };
        figure(Plot { reference: Some(100.0), ..plot("Volume", "% of rest", series) })
    }

    fn plot(&self, title: &str, unit: &str, pick: impl Fn(&FrameReport) -> Option<f64>) -> String {
        let points = self.frames.iter().filter_map(|f| Some(DVec2::new(f.time, pick(f)?))).collect();
        figure(plot(title, unit, vec![Series { name: String::new(), points }]))
    }
}

fn plot(title: &str, unit: &str, series: Vec<Series>) -> Plot {
    Plot { title: title.into(), x_label: "seconds".into(), y_label: unit.into(), series, ..Plot::default() }
}

fn figure(plot: Plot) -> String {
    format!("<figure>{}</figure>\n", plot.to_svg())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}\
figure{margin:1.5rem 0}img,svg{max-width:100%;height:auto}figcaption{color:#666}\
table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left;border-bottom:1px solid #ddd}\
.warning{background:#fff3d6;padding:.5rem 1rem;border-radius:.3rem}";
