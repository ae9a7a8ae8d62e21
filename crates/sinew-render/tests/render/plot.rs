//! Line plots.

use glam::DVec2;
use sinew_render::plot::{Plot, Series};

fn series(name: &str, values: &[f64]) -> Series {
    Series { name: name.into(), points: values.iter().enumerate().map(|(k, &v)| DVec2::new(k as f64, v)).collect() }
}

#[test]
fn lines_ticks_and_names_are_there() {
    let plot = Plot {
        title: "Volume <over> time".into(),
        x_label: "time (s)".into(),
        y_label: "volume (%)".into(),
        series: vec![series("linear", &[100.0, 90.0, 85.0]), series("exact & fast", &[100.0, 100.2, 99.9])],
        reference: Some(100.0),
        ..Plot::default()
    };
    let svg = plot.to_svg();
    for expected in ["Volume &lt;over&gt; time", "exact &amp; fast", ">85<", ">90<", ">100<", "stroke-dasharray"] {
        assert!(svg.contains(expected), "{expected} is missing in\n{svg}");
    }
    assert_eq!(svg.matches("stroke-width=\"2\"").count(), 2);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

/// The places of the names, from the `<text>` elements that hold them.
fn places(svg: &str, names: &[String]) -> Vec<(f64, f64)> {
    let number = |line: &str, key: &str| line.split(key).nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    let line = |name: &String| svg.lines().find(|line| line.contains(&format!(">{name}<"))).unwrap();
    names.iter().map(line).map(|line| (number(line, "x=\""), number(line, " y=\""))).collect()
}

#[test]
fn many_names_go_into_rows() {
    let names: Vec<String> = (0..9).map(|k| format!("mixamorig:LeftForeArm{k}")).collect();
    let plot =
        |width| Plot { series: names.iter().map(|n| series(n, &[0.0, 1.0])).collect(), width, ..Plot::default() };
    let wide = places(&plot(3000).to_svg(), &names);
    assert!(wide.iter().all(|place| place.1 == wide[0].1), "room for all: {wide:?}");
    let narrow = places(&plot(720).to_svg(), &names);
    assert!(narrow.iter().all(|place| place.0 < 720.0 - 120.0), "{narrow:?}");
    for pair in narrow.windows(2) {
        let same_row = pair[0].1 == pair[1].1 && pair[1].0 > pair[0].0 + 120.0;
        assert!(same_row || pair[1].1 >= pair[0].1 + 15.0 && pair[1].0 == narrow[0].0, "{narrow:?}");
    }
}

#[test]
fn numbers_that_are_none_break_the_line() {
    let plot = Plot { series: vec![series("", &[1.0, 2.0, f64::NAN, 3.0, 4.0])], ..Plot::default() };
    let svg = plot.to_svg();
    let path = svg.lines().find(|line| line.contains("stroke-width=\"2\"")).unwrap();
    assert_eq!((path.matches('M').count(), path.matches('L').count()), (2, 2), "{path}");
}

#[test]
fn odd_plots_are_still_plots() {
    for values in [&[][..], &[f64::NAN], &[5.0], &[5.0, 5.0], &[f64::MAX, f64::MIN], &[0.0, f64::INFINITY]] {
        for (width, height) in [(0, 0), (720, 320)] {
            let svg = Plot { series: vec![series("a", values)], width, height, ..Plot::default() }.to_svg();
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
