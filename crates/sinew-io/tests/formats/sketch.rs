//! Outlines of muscles from drawings: what they are, and what is refused.

use glam::DVec2;
use proptest::prelude::*;
use sinew::deform::muscle::Sketch;
use sinew_io::sketch::read;

fn svg(content: &str) -> String {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 50\">\n{content}\n</svg>")
}

fn outline(content: &str) -> Vec<DVec2> {
    read(svg(content).as_bytes()).unwrap_or_else(|problem| panic!("{content}: {problem}"))
}

fn refused(bytes: impl AsRef<[u8]>) -> String {
    read(bytes.as_ref()).unwrap_err().to_string()
}

/// The smallest and the largest corner, and the area.
fn measured(outline: &[DVec2]) -> (DVec2, DVec2, f64) {
    let next = |k: usize| outline[(k + 1) % outline.len()];
    let area: f64 = outline.iter().enumerate().map(|(k, corner)| corner.perp_dot(next(k)) / 2.0).sum();
    let low = outline.iter().copied().reduce(DVec2::min).unwrap();
    (low, outline.iter().copied().reduce(DVec2::max).unwrap(), area.abs())
}

#[track_caller]
fn assert_measures(outline: &[DVec2], low: [f64; 2], high: [f64; 2], area: f64) {
    let measured = measured(outline);
    let is_near = |a: DVec2, b: [f64; 2]| a.distance(b.into()) < 0.05;
    assert!(is_near(measured.0, low) && is_near(measured.1, high), "{measured:?}");
    assert!((measured.2 - area).abs() < 2e-3 * area, "{measured:?}");
}

#[test]
fn every_shape_has_its_outline() {
    assert_measures(&outline("<rect x=\"10\" y=\"5\" width=\"30\" height=\"4\"/>"), [10.0, 5.0], [40.0, 9.0], 120.0);
    let circle = "<circle cx=\"20px\" cy=\"20\" r=\"10\"/>";
    assert_measures(&outline(circle), [10.0; 2], [30.0; 2], std::f64::consts::PI * 100.0);
    let ellipse = "<ellipse cx=\"0\" cy=\"0\" rx=\"10\" ry=\"2\"/>";
    assert_measures(&outline(ellipse), [-10.0, -2.0], [10.0, 2.0], std::f64::consts::PI * 20.0);
    for tag in ["polygon", "polyline"] {
        let triangle = outline(&format!("<{tag} points=\"0,0 20,0 0 10\"/>"));
        assert_measures(&triangle, [0.0; 2], [20.0, 10.0], 100.0);
    }
    // Half a disc by an arc, and a leaf of two curves.
    let half = "<path d=\"M0 0A10 10 0 0 1 20 0z\"/>";
    assert_measures(&outline(half), [0.0, -10.0], [20.0, 0.0], std::f64::consts::PI * 50.0);
    let leaf = "<path d=\"M0,0 Q10,10 20,0 C20,0 10-10 0 0\"/>";
    assert_measures(&outline(leaf), [0.0, -4.444], [20.0, 5.0], 20.0 * 10.0 / 3.0 + 60.0);
}

#[test]
fn of_several_shapes_the_largest_counts_and_paper_and_what_is_hidden_do_not() {
    let small = "<circle r=\"1\"/>";
    let large = "<rect x=\"1\" y=\"2\" width=\"20\" height=\"2\"/>";
    for other in [
        "",
        "<rect width=\"100%\" height=\"100%\"/>",
        "<rect width=\"100\" height=\"50\" fill=\"white\"/>",
        "<defs><circle r=\"40\"/></defs>",
        "<g style=\"opacity:1; display : none\"><circle r=\"40\"/></g>",
        "<path fill=\"none\" d=\"M0 0 L90 0 L90 40\"/>",
        "<g style=\"fill:none\"><polyline points=\"0,0 90,0 90,40\"/></g>",
        "<text>muscle</text>",
    ] {
        assert_measures(&outline(&format!("{small}{other}{large}")), [1.0, 2.0], [21.0, 4.0], 40.0);
    }
    let nearly_closed = "<path fill=\"none\" d=\"M0 0 L90 0 L90 40 L0 40 L0 1\"/>";
    assert_measures(&outline(&format!("{large}{nearly_closed}")), [0.0; 2], [90.0, 40.0], 3600.0);
    let with_a_hole = "<path d=\"M0 0H50V20H0Z M5 5H10V10H5Z\"/>";
    assert_measures(&outline(with_a_hole), [0.0; 2], [50.0, 20.0], 1000.0);
}

#[test]
fn transforms_of_elements_and_groups_are_followed() {
    let nested = "<g transform=\"translate(5 0)\"><g transform=\"rotate(90)\">\
        <rect transform=\"scale(2, 1)\" width=\"10\" height=\"3\"/></g></g>";
    assert_measures(&outline(nested), [2.0, 0.0], [5.0, 20.0], 60.0);
    // A small shape that is shown large.
    let scaled = "<rect width=\"9\" height=\"9\"/><circle transform=\"scale(20)\" r=\"1\"/>";
    assert_measures(&outline(scaled), [-20.0; 2], [20.0; 2], std::f64::consts::PI * 400.0);
}

#[test]
fn what_drawing_programs_write_around_a_shape_does_not_matter() {
    let file = "\u{feff}<?xml version=\"1.0\"?>\n<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"svg11.dtd\">\n\
        <svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\"><!-- a --><svg:path d=\"m 1,1 h 4 v 4 z\"/></svg:svg>";
    assert_measures(&read(file.as_bytes()).unwrap(), [1.0; 2], [5.0; 2], 8.0);
}

#[test]
fn drawings_that_cannot_be_read_are_refused_with_the_line_and_what_to_do() {
    for (content, words) in [
        ("", ["no closed shape", "draw one"]),
        ("<path d=\"M0 0 L5 5\"/>", ["no closed shape", "draw one"]),
        ("<path d=\"M0 0 L5 x\"/>", ["line 2, <path>", "cannot be read"]),
        ("<path d=\"M0 0 L1e300 5 L0 3z\"/>", ["line 2, <path>", "beyond 1e9"]),
        ("<path d=\"M0 0 A1e99 1e99 0 1 1 1e99 1z\"/>", ["line 2, <path>", "beyond 1e9"]),
        ("\n<polygon points=\"0,0 1,nan 2,2\"/>", ["line 3, <polygon>", "1,nan"]),
        ("<polygon points=\"0,0 1e99,0 2,2\"/>", ["line 2, <polygon>", "beyond 1e9"]),
        ("<circle r=\"inf\"/>", ["line 2, <circle>", "r=\"inf\""]),
        ("<circle r=\"3mm\"/>", ["line 2, <circle>", "without a unit"]),
        ("<g transform=\"turn(1)\"/>", ["line 2, <g>", "turn(1)"]),
        ("<g transform=\"scale(1e9)\"><circle r=\"1e9\"/></g>", ["line 2, <circle>", "smaller"]),
        ("<g>", ["line", "expected 'g' tag"]),
    ] {
        let error = refused(svg(content));
        assert!(words.iter().all(|word| error.contains(word)), "{content} gave {error}");
    }
    let whole = svg("<circle r=\"3\"/>");
    for cut in [whole.len() / 2, whole.len() - 2] {
        assert!(refused(&whole[..cut]).contains("line"), "{cut}");
    }
    for (bytes, word) in [
        (&b""[..], "is empty"),
        (b"\x1f\x8b\x08", "save the sketch as plain SVG"),
        (b"GIF89a", "no SVG and no PNG"),
        (b"<html/>", "not <svg>"),
        (b"<svg>\xff</svg>", "byte 5"),
        (b"\x89PNG\r\n\x1a\n", "cannot be read"),
    ] {
        assert!(refused(bytes).contains(word), "{} gave {}", bytes.escape_ascii(), refused(bytes));
    }
}

#[test]
fn deep_and_long_drawings_end_soon() {
    let deep = 100_000;
    let nested =
        |inside: &str| svg(&format!("{}{inside}{}", "<g transform=\"scale(1)\">".repeat(deep), "</g>".repeat(deep)));
    assert!(read(nested("<circle r=\"3\"/>").as_bytes()).is_ok());
    assert!(refused(nested("")).contains("no closed shape"));
    assert!(refused(&nested("")[..deep]).contains("line"));
    let zigzag = |pieces: usize| svg(&format!("<path d=\"M0 0{}z\"/>", "l1 2l1-1".repeat(pieces / 2)));
    assert!(read(zigzag(1000).as_bytes()).is_ok());
    assert!(refused(zigzag(200_000)).contains("simplify"));
    let laughs = "<!DOCTYPE svg [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\
        <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\">]><svg><text>&d;&d;</text></svg>";
    assert!(refused(laughs).contains("line"));
}

/// A picture of gray and alpha by a function of column and row.
fn png(width: u32, height: u32, pixel: impl Fn(f64, f64) -> [u8; 2]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::GrayscaleAlpha);
    let pixels: Vec<u8> = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .flat_map(|(x, y)| pixel(x.into(), y.into()))
        .collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    file
}

/// The distance from an ellipse of 80 by 20 around (100, 50), about, in pixels.
fn from_ellipse(x: f64, y: f64) -> f64 {
    let (x, y) = (x - 99.5, y - 49.5);
    let scaled = (x / 80.0).hypot(y / 20.0);
    let slope = (x / 6400.0).hypot(y / 400.0) / scaled.max(1e-9);
    (scaled - 1.0) / slope.max(1e-9)
}

#[test]
fn a_silhouette_is_found_in_any_ink_on_any_paper() {
    let area = std::f64::consts::PI * 80.0 * 20.0;
    let ink = |is_ink: bool, ink: [u8; 2], paper: [u8; 2]| if is_ink { ink } else { paper };
    for (drawn, paper) in
        [([0, 255], [255, 255]), ([90, 255], [220, 255]), ([255, 255], [20, 255]), ([255, 200], [0, 0])]
    {
        let solid = png(200, 100, |x, y| ink(from_ellipse(x, y) < 0.0, drawn, paper));
        let contour = png(200, 100, |x, y| ink((-3.0..0.0).contains(&from_ellipse(x, y)), drawn, paper));
        for file in [solid, contour] {
            let (low, high, measured) = measured(&read(&file).unwrap());
            assert!(low.distance(DVec2::new(20.0, 30.0)) < 2.0 && high.distance(DVec2::new(180.0, 70.0)) < 2.0);
            assert!((measured - area).abs() < 0.02 * area, "{drawn:?} on {paper:?}: {measured} for {area}");
        }
    }
}

#[test]
fn of_several_silhouettes_the_largest_counts_and_large_pictures_are_made_smaller() {
    let dots = |x: f64, y: f64| (x % 40.0 < 5.0 && y % 25.0 < 5.0) || from_ellipse(x, y) < 0.0;
    let file = png(200, 100, |x, y| [if dots(x, y) { 0 } else { 255 }, 255]);
    let sketch = Sketch::new(&read(&file).unwrap()).unwrap();
    assert!((sketch.start().distance(sketch.end()) - 160.0).abs() < 6.0, "{sketch:?}");
    // A line of two pixels, sixteen times as large.
    let line = |x: f64, y: f64| (-0.25..0.0).contains(&from_ellipse(x / 16.0, y / 16.0));
    let file = png(3200, 1600, |x, y| [if line(x, y) { 0 } else { 255 }, 255]);
    let (low, high, _) = measured(&read(&file).unwrap());
    assert!(((high - low) / (high - low).y).x - 4.0 < 0.1, "{low} {high}");
}

#[test]
fn pictures_without_a_silhouette_are_refused_with_what_to_do() {
    assert!(refused(png(40, 30, |_, _| [200, 255])).contains("nothing drawn"));
    assert!(refused(png(40, 30, |_, _| [0, 0])).contains("nothing drawn"));
    assert!(refused(png(40, 30, |x, y| [if x + y == 20.0 { 0 } else { 255 }, 255])).contains("draw it larger"));
    let open = |x: f64, y: f64| (-3.0..0.0).contains(&from_ellipse(x, y)) && x < 170.0;
    assert!(refused(png(200, 100, |x, y| [if open(x, y) { 0 } else { 255 }, 255])).contains("close the contour"));
    let whole = png(200, 100, |x, y| [if from_ellipse(x, y) < 0.0 { 0 } else { 255 }, 255]);
    for cut in [8, 20, 40, whole.len() / 2] {
        assert!(refused(&whole[..cut]).contains("cannot be read"), "{cut}: {}", refused(&whole[..cut]));
    }
}

#[test]
fn a_huge_picture_is_refused_by_its_header() {
    let mut file = png(200, 100, |_, _| [0, 255]);
    file[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    // The checksum of the header, which would be wrong.
    let sum = crc32fast::hash(&file[12..29]).to_be_bytes();
    file[29..33].copy_from_slice(&sum);
    assert!(refused(file).contains("65536 by 65536 pixels"));
}

fn seeds() -> Vec<Vec<u8>> {
    let shapes = "<g transform=\"rotate(30 1 2)\"><path d=\"M0 0C1 2 3 4 5 6A9 3 20 0 1 3-3z\"/></g><rect width=\"3\" \
        height=\"4\"/><polygon points=\"0,0 5,0 5,9\"/><ellipse rx=\"2\" ry=\"1\" style=\"fill:none\"/>";
    vec![svg(shapes).into_bytes(), png(40, 30, |x, y| [if (x - 20.0).hypot(y - 15.0) < 9.0 { 0 } else { 255 }, 255])]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_files_never_panic_and_outlines_are_finite(
        which in 0usize..2,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = seeds().swap_remove(which);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(outline) = read(&bytes) {
            prop_assert!(outline.len() > 2 && outline.iter().all(|corner| corner.is_finite()));
            let _ = Sketch::new(&outline);
        }
    }

    #[test]
    fn random_bytes_never_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..500), start in 0usize..3) {
        let start: &[u8] = [&b""[..], b"<svg", b"\x89PNG\r\n\x1a\n"][start];
        bytes.splice(0..0, start.iter().copied());
        prop_assert!(read(&bytes).is_err());
    }

    #[test]
    fn data_of_paths_never_panics(data in "[MmLlHhVvCcSsQqTtAaZz0-9., eE+-]{0,80}") {
        if let Ok(outline) = read(svg(&format!("<path d=\"{data}\"/>")).as_bytes()) {
            prop_assert!(outline.iter().all(|corner| corner.is_finite()));
        }
    }
}
