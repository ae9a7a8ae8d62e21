//! SVG: the largest closed shape of a drawing.
//!
//! A shape is closed if its path is closed, if its ends meet, or if SVG fills it, which adds a straight line from its
//! end to its start. The pieces of a path count separately, so that holes do not matter.

use super::numbers::{self, LARGEST, excerpt};
use crate::Problem;
use glam::DVec2;
use kurbo::{Affine, BezPath, CubicBez, Ellipse, ParamCurve, PathEl, Point, QuadBez, Rect, Shape};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::HashMap;

/// The largest file and the longest data of a path in bytes, the most elements of a file and pieces of a path.
const MOST_BYTES: usize = 16 << 20;
const MOST_DATA: usize = 1 << 20;
const MOST_NODES: u32 = 1 << 20;
const MOST_PIECES: usize = 100_000;
/// Lines in place of a curved piece.
const LINES: usize = 32;
/// The ends of an outline meet if they are no farther apart, of its extent.
const GAP: f64 = 0.05;
/// How far the cubics of an ellipse may be from it, of its radius.
const ROUND: f64 = 1e-4;
/// Elements whose content is drawn elsewhere, or not at all.
const NOT_DRAWN: [&str; 7] = ["defs", "symbol", "clipPath", "mask", "marker", "pattern", "metadata"];

pub fn read(bytes: &[u8]) -> Result<Vec<DVec2>, Problem> {
    if bytes.len() > MOST_BYTES {
        let what = format!("the drawing has {} MiB", bytes.len() >> 20);
        return Err(Problem::unsupported(what, "remove what is not the outline, at most 16 MiB are read"));
    }
    let no_text = |error: std::str::Utf8Error| {
        Problem::malformed(format!("byte {}", error.valid_up_to()), "is no UTF-8; save the sketch as plain SVG")
    };
    let text = std::str::from_utf8(bytes).map_err(no_text)?;
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| Problem::malformed(format!("line {}", error.pos().row), error.to_string()))?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        let why = format!("is <{}>, not <svg>; save the sketch as SVG", root.tag_name().name());
        return Err(Problem::malformed("the first element", why));
    }
    let page = page(&root);
    let mut above: HashMap<_, Inherited> = HashMap::new();
    let mut largest = (0.0, Vec::new());
    for node in root.descendants().filter(Node::is_element) {
        let refused = |why: String| {
            let line = document.text_pos_at(node.range().start).row;
            Problem::malformed(format!("line {line}, <{}>", node.tag_name().name()), why)
        };
        let parent = node.parent().and_then(|parent| above.get(&parent.id())).copied().unwrap_or_default();
        let own = parent.passed_to(&node).map_err(refused)?;
        above.insert(node.id(), own);
        if !own.is_drawn {
            continue;
        }
        let Some(path) = path(&node, page).map_err(refused)? else { continue };
        for outline in outlines(&(own.transform * path), own.is_filled) {
            if !outline.iter().all(|corner| corner.abs().max_element() <= LARGEST) {
                return Err(refused(format!("has places beyond {LARGEST:e}; make the drawing smaller")));
            }
            let area = area(&outline);
            if area > largest.0 {
                largest = (area, outline);
            }
        }
    }
    if largest.1.is_empty() {
        let why = "has no closed shape; draw one as a path, polygon, polyline, circle, ellipse or rect, and turn text \
            and clones into paths";
        return Err(Problem::malformed("the drawing", why));
    }
    Ok(largest.1)
}

/// The properties that an element and its children inherit.
#[derive(Clone, Copy)]
struct Inherited {
    transform: Affine,
    is_drawn: bool,
    is_filled: bool,
}

impl Default for Inherited {
    fn default() -> Self {
        Self { transform: Affine::IDENTITY, is_drawn: true, is_filled: true }
    }
}

impl Inherited {
    fn passed_to(self, node: &Node) -> Result<Self, String> {
        let own = node.attribute("transform").map(numbers::transform).transpose()?.unwrap_or(Affine::IDENTITY);
        let is_hidden = NOT_DRAWN.contains(&node.tag_name().name()) || property(node, "display") == Some("none");
        Ok(Self {
            transform: self.transform * own,
            is_drawn: self.is_drawn && !is_hidden,
            is_filled: property(node, "fill").map_or(self.is_filled, |fill| fill != "none"),
        })
    }
}

/// A property of an element by its style, or by the attribute of that name.
fn property<'a>(node: &Node<'a, '_>, name: &str) -> Option<&'a str> {
    let styles = node.attribute("style").unwrap_or_default().split(';').filter_map(|style| style.split_once(':'));
    let style = styles.map(|(key, value)| (key.trim(), value.trim())).find(|(key, _)| *key == name);
    style.map(|(_, value)| value).or_else(|| node.attribute(name).map(str::trim))
}

/// The page of a drawing, if it has one.
fn page(root: &Node) -> Option<Rect> {
    if let Some([x, y, width, height]) = root.attribute("viewBox").and_then(numbers::list).as_deref() {
        return Some(Rect::from_origin_size((*x, *y), (*width, *height)));
    }
    let side = |name: &str| root.attribute(name).and_then(|side| side.trim_end_matches("px").parse().ok());
    Some(Rect::from_origin_size((0.0, 0.0), (side("width")?, side("height")?)))
}

/// The path of an element that is a shape, except for a rectangle that covers the page: that is the paper.
fn path(node: &Node, page: Option<Rect>) -> Result<Option<BezPath>, String> {
    let length = |name: &str| match node.attribute(name) {
        None => Ok(0.0),
        Some(text) => match text.trim().trim_end_matches("px").parse::<f64>() {
            Ok(value) if value.abs() <= LARGEST => Ok(value),
            _ => Err(format!("has {name}=\"{}\"; use a number without a unit", excerpt(text))),
        },
    };
    let ellipse = |x: f64, y: f64| -> Result<BezPath, String> {
        let ellipse = Ellipse::new((length("cx")?, length("cy")?), (x, y), 0.0);
        Ok(ellipse.to_path(ROUND * x.abs().max(y.abs()).max(f64::MIN_POSITIVE)))
    };
    Ok(Some(match node.tag_name().name() {
        "path" => data(node.attribute("d").unwrap_or_default())?,
        "polygon" => points(node, true)?,
        "polyline" => points(node, false)?,
        "circle" => ellipse(length("r")?, length("r")?)?,
        "ellipse" => ellipse(length("rx")?, length("ry")?)?,
        "rect" if ["width", "height"].iter().any(|side| node.attribute(*side).is_some_and(|s| s.ends_with('%'))) => {
            return Ok(None);
        }
        "rect" => {
            let (corner, size) = ((length("x")?, length("y")?), (length("width")?, length("height")?));
            let rect = Rect::from_origin_size(corner, size);
            if page.is_some_and(|page| rect.union(page) == rect) {
                return Ok(None);
            }
            rect.to_path(ROUND)
        }
        _ => return Ok(None),
    }))
}

fn data(text: &str) -> Result<BezPath, String> {
    // Arcs become as many pieces as their radii ask for, so that these must be known to be small.
    if numbers::largest(text) > LARGEST {
        return Err(format!("has numbers beyond {LARGEST:e}; make the drawing smaller"));
    }
    if text.len() > MOST_DATA {
        return Err(too_long());
    }
    let path = BezPath::from_svg(text).map_err(|error| format!("has data that cannot be read: {error}"))?;
    if path.elements().len() > MOST_PIECES {
        return Err(too_long());
    }
    Ok(path)
}

fn too_long() -> String {
    format!("has more than {MOST_PIECES} pieces, or 1 MiB of data; simplify the path")
}

fn points(node: &Node, is_closed: bool) -> Result<BezPath, String> {
    let text = node.attribute("points").unwrap_or_default();
    let numbers =
        numbers::list(text).ok_or_else(|| format!("has points that cannot be read: \"{}\"", excerpt(text)))?;
    if numbers.len() > 2 * MOST_PIECES {
        return Err(too_long());
    }
    let mut corners = numbers.chunks_exact(2).map(|pair| Point::new(pair[0], pair[1]));
    let mut path: BezPath = corners.next().map(PathEl::MoveTo).into_iter().collect();
    path.extend(corners.map(PathEl::LineTo));
    if is_closed && !path.elements().is_empty() {
        path.close_path();
    }
    Ok(path)
}

/// The closed pieces of a path as polygons.
fn outlines(path: &BezPath, is_filled: bool) -> Vec<Vec<DVec2>> {
    let mut outlines = Vec::new();
    let mut outline: Vec<Point> = Vec::new();
    let mut finish = |outline: &mut Vec<Point>, is_closed: bool| {
        let corners: Vec<DVec2> = outline.drain(..).map(|p| DVec2::new(p.x, p.y)).collect();
        if corners.len() > 2 && (is_closed || ends_meet(&corners)) {
            outlines.push(corners);
        }
    };
    let places = || (1..=LINES).map(|k| k as f64 / LINES as f64);
    for &piece in path.elements() {
        let last = outline.last().copied().unwrap_or_default();
        match piece {
            PathEl::MoveTo(start) => {
                finish(&mut outline, is_filled);
                outline.push(start);
            }
            PathEl::LineTo(end) => outline.push(end),
            PathEl::QuadTo(a, end) => outline.extend(places().map(|t| QuadBez::new(last, a, end).eval(t))),
            PathEl::CurveTo(a, b, end) => outline.extend(places().map(|t| CubicBez::new(last, a, b, end).eval(t))),
            PathEl::ClosePath => finish(&mut outline, true),
        }
    }
    finish(&mut outline, is_filled);
    outlines
}

fn ends_meet(corners: &[DVec2]) -> bool {
    let [first, last] = [corners[0], corners[corners.len() - 1]];
    let extent = corners.iter().map(|corner| corner.distance(first)).fold(0.0, f64::max);
    first.distance(last) <= GAP * extent
}

/// The area of a polygon, seen from its first corner so that its distance from zero does not cost digits.
fn area(corners: &[DVec2]) -> f64 {
    let of = |pair: &[DVec2]| (pair[0] - corners[0]).perp_dot(pair[1] - corners[0]) / 2.0;
    corners.windows(2).map(of).sum::<f64>().abs()
}
