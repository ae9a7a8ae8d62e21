//! The report of a binding as a page.

use super::bind_pictures::BindPictures;
use super::html::{self, escape};
use crate::picture::joint_colors::JointColors;
use sinew::bind::BindReport;
use sinew_io::Asset;
use sinew_render::Palette;
use sinew_render::color::to_hex;
use sinew_tasks::bind::{Counted, Milliseconds, Report, Share};
use std::fmt::Write;

/// The page. `method` names the source of the weights.
pub fn to_html(report: &Report, asset: &Asset, method: &str, pictures: &BindPictures) -> String {
    let mut body = summary(report, method);
    body += &html::figures("trio", &pictures.overview);
    body += &sentences("Repairs", &report.binding.repairs);
    body += &sentences("Warnings about the file", &asset.warnings);
    if !pictures.joints.is_empty() {
        body += &weights_heading(report, pictures.joints.len());
        body += &html::figures("thumbs", &pictures.joints);
    }
    body += &joint_table(report, asset);
    html::page(&format!("{}: binding", asset.character.name), &body)
}

fn summary(report: &Report, method: &str) -> String {
    let BindReport { vertices, weighted, islands, .. } = report.binding;
    let everything = if vertices == weighted { "all".into() } else { format!("only {weighted}") };
    let rows = [
        ("vertices", vertices.to_string()),
        ("with weights that sum to one", everything),
        ("joints with weight", format!("{} of {}", report.weighted_joints(), report.binding.joints.len())),
        ("islands, which follow the surface around or below them", islands.to_string()),
        ("repairs", report.binding.repairs.len().to_string()),
        ("largest pruned share of a vertex", Share(report.binding.pruning_error).to_string()),
    ];
    let mut html =
        format!("<p>Weights by {}, found in {}.</p>\n<div class=\"row\"><table>", escape(method), report.milliseconds);
    for (what, value) in rows {
        let _ = writeln!(html, "<tr><th>{what}</th><td class=\"number\">{value}</td></tr>");
    }
    html += "</table>\n";
    html += &phases(report.milliseconds);
    html + "</div>\n<p>Every joint has a colour; a vertex has the mixture of its joints' colours.</p>\n"
}

fn weights_heading(report: &Report, shown: usize) -> String {
    let stops: Vec<String> = (0..=8).map(|k| to_hex(Palette::Weight.at(k as f32 / 8.0))).collect();
    let which = match report.weighted_joints() {
        count if count > shown => format!("The {shown} joints that move most, of {count}"),
        _ => "Joint by joint".into(),
    };
    format!(
        "<h2>{which}</h2>\n<p>Weight 0<span class=\"scale\" style=\"background:linear-gradient(90deg,{})\"></span>1; \
         the number is the joint's share of the whole skin.</p>\n",
        stops.join(",")
    )
}

fn joint_table(report: &Report, asset: &Asset) -> String {
    let colors = JointColors::new(&asset.character);
    let most = report.binding.joints.iter().map(|joint| joint.mean_weight).fold(f64::MIN_POSITIVE, f64::max);
    let mut table = String::from(
        "<h2>Joints</h2>\n<table><tr><th>joint</th><th>vertices</th><th colspan=\"2\">mean weight</th></tr>\n",
    );
    for joint in &report.binding.joints {
        let color = asset.character.skeleton.find(&joint.name).map(|found| to_hex(colors.of(found)));
        let _ = writeln!(
            table,
            "<tr><td><span class=\"swatch\" style=\"background:{}\"></span>{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{:.2} %</td><td>{}</td></tr>",
            color.unwrap_or_default(),
            escape(&joint.name),
            joint.vertices,
            100.0 * joint.mean_weight,
            bar(joint.mean_weight / most)
        );
    }
    let idle = report.binding.joints.len() - report.weighted_joints();
    if idle > 0 {
        let _ = writeln!(table, "</table>\n<p>{} without a vertex.</p>", Counted(idle, "joint", "joints"));
        return table;
    }
    table + "</table>\n"
}

fn phases(milliseconds: Milliseconds) -> String {
    let phases = [
        ("voxels", milliseconds.voxels),
        ("distances", milliseconds.distances),
        ("factorisation", milliseconds.factorisation),
        ("solves", milliseconds.solves),
        ("pruning", milliseconds.pruning),
        ("total", milliseconds.total),
    ];
    let mut table = String::from("<table>");
    for (phase, spent) in phases {
        let share = spent / milliseconds.total.max(f64::MIN_POSITIVE);
        let _ =
            writeln!(table, "<tr><th>{phase}</th><td class=\"number\">{spent:.1} ms</td><td>{}</td></tr>", bar(share));
    }
    table + "</table>\n"
}

/// Sentences under a heading, if there are any.
fn sentences(heading: &str, sentences: &[String]) -> String {
    match sentences {
        [] => String::new(),
        _ => format!("<h2>{heading}</h2>\n{}", html::warnings(sentences)),
    }
}

/// A bar for a share of the longest one.
fn bar(share: f64) -> String {
    format!("<span class=\"bar\" style=\"width:{:.2}rem\"></span>", 14.0 * share.clamp(0.0, 1.0))
}
