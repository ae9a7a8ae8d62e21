//! Sections as SVG: a row of panels for each angle, a column for each method.
//!
//! A panel has the simulated flesh as a filled shape, the skin as a line, and what lies between them in the colour of the
//! line.

use super::METHODS;
use glam::{DVec2, dvec2};

/// The sections at one angle, in limb radii from the joint, the outside of the bend up.
pub struct Row {
    pub degrees: f64,
    /// The lines of the simulated flesh.
    pub flesh: Vec<Vec<DVec2>>,
    /// The lines of the skin, for each method.
    pub skins: Vec<Vec<Vec<DVec2>>>,
}

/// What a panel shows, in limb radii: its corner at the upper left, and its size. Its corners are 3.5 limb radii from the
/// joint at most, so that no end of a simulated limb shows.
const CORNER: DVec2 = dvec2(-2.15, 1.35);
const SIZE: DVec2 = dvec2(4.3, 4.05);
/// Pixels in a limb radius.
const SCALE: f64 = 52.0;
/// Pixels between panels, at the side for the angles, above for the names, and below for the key.
const GAP: f64 = 8.0;
const SIDE: f64 = 56.0;
const HEAD: f64 = 34.0;
const FOOT: f64 = 44.0;
/// Pixels by which a simplified line may be off: less than shows.
const TOLERANCE: f64 = 0.1;

const FLESH: &str = "#f2c9ad";
/// The edge of the flesh, which shows its crease.
const EDGE: &str = "#a0714f";
const TEXT: &str = "#222";
const PAPER: &str = "#fff";
const GROUND: &str = "#f4f4f2";
/// The opacity of what lies between flesh and skin.
const SHADE: f64 = 0.6;

/// Draws the rows.
pub fn draw(rows: &[Row]) -> String {
    let step = SIZE * SCALE + GAP;
    let (width, bottom) = (SIDE + step.x * METHODS.len() as f64, HEAD + step.y * rows.len() as f64);
    let height = bottom + FOOT;
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="sans-serif" font-size="15" fill="{TEXT}">
<rect width="100%" height="100%" fill="{PAPER}"/>
"#
    );
    for (column, method) in METHODS.iter().enumerate() {
        let middle = SIDE + step.x * (column as f64 + 0.5);
        svg += &format!(
            r#"<text x="{middle:.0}" y="22" text-anchor="middle" font-weight="bold" fill="{}">{}</text>
"#,
            method.color, method.name
        );
    }
    for (index, row) in rows.iter().enumerate() {
        let top = HEAD + step.y * index as f64;
        svg += &format!(
            r#"<text x="{:.0}" y="{:.0}" text-anchor="middle" font-weight="bold">{}°</text>
"#,
            SIDE / 2.0,
            top + step.y / 2.0,
            row.degrees
        );
        let flesh = path(&row.flesh);
        for (column, (method, skin)) in METHODS.iter().zip(&row.skins).enumerate() {
            let left = SIDE + step.x * column as f64;
            svg += &panel(dvec2(left, top), &flesh, &path(&[outline(skin)]), method.color);
        }
    }
    svg + &key(bottom + FOOT / 2.0 - GAP) + "</svg>\n"
}

/// Flesh and skin. What is inside one of them only is inside both paths together by the even-odd rule.
fn panel(corner: DVec2, flesh: &str, skin: &str, color: &str) -> String {
    let size = SIZE * SCALE;
    format!(
        r#"<svg x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" fill-rule="evenodd">
<rect width="100%" height="100%" fill="{GROUND}"/>
<path d="{flesh}" fill="{FLESH}" stroke="{EDGE}" stroke-width=".7"/>
<path d="{flesh}{skin}" fill="{color}" fill-opacity="{SHADE}"/>
<path d="{skin}" fill="none" stroke="{color}" stroke-width="2" stroke-linejoin="round"/>
</svg>
"#,
        corner.x, corner.y, size.x, size.y
    )
}

/// What the colours mean, and a bar of one limb radius.
fn key(middle: f64) -> String {
    let mut svg = String::new();
    let mut entry = |x: f64, length: f64, sign: &str, name: &str| {
        svg += &format!(
            r#"<g transform="translate({x:.0} {middle:.0})">{sign}<text x="{:.0}" y="5">{name}</text></g>
"#,
            length + 8.0
        );
    };
    let area = |fill: &str, opacity: f64| {
        format!(r#"<rect y="-8" width="26" height="16" fill="{fill}" fill-opacity="{opacity}"/>"#)
    };
    entry(SIDE, 26.0, &area(FLESH, 1.0), "simulated flesh");
    entry(SIDE + 170.0, 26.0, &format!(r#"<path d="M0 0h26" stroke="{TEXT}" stroke-width="2"/>"#), "skin");
    entry(SIDE + 260.0, 26.0, &area(TEXT, SHADE), "between the two, or skin through itself");
    let bar = format!(r#"<path d="M0 -5v10M0 0h{SCALE}M{SCALE} -5v10" fill="none" stroke="{TEXT}" stroke-width="2"/>"#);
    entry(SIDE + 610.0, SCALE, &bar, "one limb radius");
    svg
}

/// The lines of a limb joined to its outline: each goes on with the line that ends nearest, across the end of the limb.
fn outline(lines: &[Vec<DVec2>]) -> Vec<DVec2> {
    let mut rest = lines.to_vec();
    let mut outline = rest.pop().unwrap_or_default();
    while let Some(&end) = outline.last() {
        let ends = rest.iter().enumerate().flat_map(|(index, line)| {
            let both = [(false, line.first()), (true, line.last())];
            both.map(|(is_reversed, point)| (index, is_reversed, point.map_or(f64::INFINITY, |p| p.distance(end))))
        });
        let Some((index, is_reversed, _)) = ends.min_by(|a, b| a.2.total_cmp(&b.2)) else { break };
        let mut line = rest.swap_remove(index);
        if is_reversed {
            line.reverse();
        }
        outline.extend(line);
    }
    outline
}

/// Closed lines as the data of a path, in pixels from the corner of the panel.
fn path(lines: &[Vec<DVec2>]) -> String {
    let mut data = String::new();
    for line in lines {
        let pixels: Vec<DVec2> = line.iter().map(|&point| (point - CORNER) * dvec2(SCALE, -SCALE)).collect();
        for (index, point) in simplified(&pixels).into_iter().enumerate() {
            data += &format!("{}{:.1} {:.1}", if index == 0 { 'M' } else { 'L' }, point.x, point.y);
        }
        data.push('Z');
    }
    data
}

/// A line with as few of its points as keep it within the tolerance (Douglas and Peucker 1973).
fn simplified(line: &[DVec2]) -> Vec<DVec2> {
    let [first, .., last] = *line else { return line.to_vec() };
    let off = |point: DVec2| {
        let share =
            ((point - first).dot(last - first) / first.distance_squared(last).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        point.distance(first.lerp(last, share))
    };
    let farthest = (1..line.len() - 1).max_by(|&a, &b| off(line[a]).total_cmp(&off(line[b])));
    match farthest.filter(|&index| off(line[index]) > TOLERANCE) {
        Some(index) => {
            let mut kept = simplified(&line[..=index]);
            kept.pop();
            kept.extend(simplified(&line[index..]));
            kept
        }
        None => vec![first, last],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sides_of_a_limb_make_one_outline() {
        let sides = [[dvec2(0.0, 1.0), dvec2(3.0, 1.0)], [dvec2(0.0, 0.0), dvec2(3.0, 0.0)]].map(Vec::from);
        let outline = outline(&sides);
        assert_eq!(outline, [dvec2(0.0, 0.0), dvec2(3.0, 0.0), dvec2(3.0, 1.0), dvec2(0.0, 1.0)]);
    }

    #[test]
    fn simplified_line_keeps_its_corners() {
        let line = [(0.0, 0.0), (1.0, 0.05), (2.0, 0.0), (2.0, 1.0), (2.0, 2.0)].map(|(x, y)| dvec2(x, y));
        assert_eq!(simplified(&line), [line[0], line[2], line[4]]);
    }
}
