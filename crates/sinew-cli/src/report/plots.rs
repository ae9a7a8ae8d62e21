//! Plots over time for pages.

use glam::DVec2;
use sinew_render::plot::{Plot, Series};

/// A single line.
pub fn line(title: &str, unit: &str, points: Vec<DVec2>) -> String {
    figure(plot(title, unit, vec![Series { name: String::new(), points }]))
}

/// Lines over seconds.
pub fn plot(title: &str, unit: &str, series: Vec<Series>) -> Plot {
    Plot { title: title.into(), x_label: "seconds".into(), y_label: unit.into(), series, ..Plot::default() }
}

/// A plot in a page.
pub fn figure(plot: Plot) -> String {
    format!("<figure>{}</figure>\n", plot.to_svg())
}
