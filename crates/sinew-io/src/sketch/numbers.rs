//! Numbers of SVG attributes, which may follow each other without space between them: `1.5.5-2e3` is three.

use kurbo::Affine;

/// A number beyond this is no place of a drawing.
pub const LARGEST: f64 = 1e9;

/// The numbers of a list; none where something else stands in it.
pub fn list(text: &str) -> Option<Vec<f64>> {
    let is_between = |c: char| c.is_ascii_whitespace() || c == ',';
    let mut rest = text.trim_start_matches(is_between);
    let mut numbers = Vec::new();
    while !rest.is_empty() {
        let (number, after) = rest.split_at(length(rest));
        numbers.push(number.parse().ok()?);
        rest = after.trim_start_matches(is_between);
    }
    Some(numbers)
}

/// The largest of the numbers in the data of a path, whatever else is in there and whatever their sign.
pub fn largest(path: &str) -> f64 {
    let (mut rest, mut largest) = (path, 0.0f64);
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit() || c == '.') {
        let (number, after) = rest[start..].split_at(length(&rest[start..]).max(1));
        largest = largest.max(number.parse().unwrap_or(0.0));
        rest = after;
    }
    largest
}

/// Bytes of the number that a text starts with; none where there is no number.
fn length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = |at: usize| usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let mut end = sign(0);
    end += digits(end);
    if bytes.get(end) == Some(&b'.') {
        end += 1;
        end += digits(end);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let exponent = end + 1 + sign(end + 1);
        match digits(exponent) {
            0 => {}
            count => end = exponent + count,
        }
    }
    end
}

/// So much of a text as an error shows.
pub fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A `transform` attribute: its parts from the left to the right are from the outside to the inside.
pub fn transform(text: &str) -> Result<Affine, String> {
    let mut all = Affine::IDENTITY;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let unknown = || format!("has a transform that cannot be read: \"{}\"", excerpt(rest));
        let (name, after) = rest.split_once('(').ok_or_else(unknown)?;
        let (numbers, after) = after.split_once(')').ok_or_else(unknown)?;
        let numbers = list(numbers).ok_or_else(unknown)?;
        all *= match (name.trim_matches(|c: char| c == ',' || c.is_ascii_whitespace()), numbers.as_slice()) {
            ("translate", &[x]) => Affine::translate((x, 0.0)),
            ("translate", &[x, y]) => Affine::translate((x, y)),
            ("scale", &[all]) => Affine::scale(all),
            ("scale", &[x, y]) => Affine::scale_non_uniform(x, y),
            ("rotate", &[degrees]) => Affine::rotate(degrees.to_radians()),
            ("rotate", &[degrees, x, y]) => Affine::rotate_about(degrees.to_radians(), (x, y)),
            ("skewX", &[degrees]) => Affine::skew(degrees.to_radians().tan(), 0.0),
            ("skewY", &[degrees]) => Affine::skew(0.0, degrees.to_radians().tan()),
            ("matrix", &[a, b, c, d, e, f]) => Affine::new([a, b, c, d, e, f]),
            _ => return Err(unknown()),
        };
        rest = after.trim_start();
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kurbo::Point;

    #[test]
    fn numbers_need_no_space_between_them() {
        assert_eq!(list(" 1.5.5-2e3,+4\n7E-1 "), Some(vec![1.5, 0.5, -2e3, 4.0, 0.7]));
        assert_eq!(list(""), Some(vec![]));
        for wrong in ["1 x", "1;2", "--1", ".", "1 2%", "e5"] {
            assert_eq!(list(wrong), None, "{wrong}");
        }
        assert_eq!(largest("M-3.5.5L1e2,7z"), 100.0);
        assert_eq!(largest(&"9".repeat(400)), f64::INFINITY);
        assert_eq!(largest("M . . . Z"), 0.0);
    }

    #[test]
    fn transforms_go_from_the_outside_to_the_inside() {
        let at = |text: &str| transform(text).unwrap() * Point::new(1.0, 0.0);
        let near = |text: &str, x: f64, y: f64| assert!(at(text).distance(Point::new(x, y)) < 1e-12, "{text}");
        near("", 1.0, 0.0);
        near("translate(10 20) scale(2)", 12.0, 20.0);
        near("scale(2), translate(10 20)", 22.0, 40.0);
        near("rotate(90)", 0.0, 1.0);
        near("rotate(90, 1, 1)", 2.0, 1.0);
        near("skewY(45)", 1.0, 1.0);
        near("matrix(1 2 3 4 5 6)", 6.0, 8.0);
        for wrong in ["turn(3)", "scale", "scale(1", "scale(1 2 3)", "scale(a)", ")("] {
            assert!(transform(wrong).unwrap_err().contains(wrong), "{wrong}");
        }
    }
}
