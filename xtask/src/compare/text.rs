//! Text with numbers in it: words must be the same, numbers may differ by the tolerance.

use super::difference::Difference;
use super::picture;
use anyhow::Result;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

/// What stands for a time that a program measured.
const TIME: &str = "TIME";

/// Compares two texts.
pub fn compare(old: &str, new: &str) -> Difference {
    compare_lines(&without_times(old), &without_times(new), |_| None)
}

/// Compares two texts line by line. Numbers of lines that have a size are relative to it, those of other lines to the
/// larger of 1 and themselves.
pub fn compare_lines(old: &str, new: &str, mut size: impl FnMut(&str) -> Option<f64>) -> Difference {
    let counts = [old, new].map(|text| text.lines().count());
    if counts[0] != counts[1] {
        return Difference::other(format!("{} and {} lines", counts[0], counts[1]));
    }
    let mut total = Difference::default();
    for (index, (old, new)) in old.lines().zip(new.lines()).enumerate() {
        let size = size(old);
        if old == new {
            continue;
        }
        let (old_tokens, new_tokens) = (tokens(old), tokens(new));
        let is_alike = |(a, b): (&Token, &Token)| match (a, b) {
            (Token::Word(a), Token::Word(b)) => a == b,
            (Token::Number(_), Token::Number(_)) => true,
            _ => false,
        };
        if old_tokens.len() != new_tokens.len() || !old_tokens.iter().zip(&new_tokens).all(is_alike) {
            return Difference::other(format!("line {}: {}", index + 1, shortened(old, new)));
        }
        for (a, b) in old_tokens.iter().zip(&new_tokens) {
            if let (Token::Number(a), Token::Number(b)) = (a, b)
                && a != b
            {
                let size = size.unwrap_or_else(|| a.abs().max(b.abs()).max(1.0));
                total.join(Difference::number((a - b).abs() / size));
            }
        }
    }
    if total.is_none() && old != new {
        return Difference::of_encoding();
    }
    total
}

/// Where two lines begin to differ.
fn shortened(old: &str, new: &str) -> String {
    let same = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
    let [old, new] = [old, new].map(|line| line.chars().skip(same.saturating_sub(20)).take(60).collect::<String>());
    format!("{old:?} and {new:?}")
}

#[derive(Debug, PartialEq)]
enum Token<'a> {
    Word(&'a str),
    Number(f64),
}

/// A line as numbers and what is between them. Digits in a name are no number.
fn tokens(line: &str) -> Vec<Token<'_>> {
    let bytes = line.as_bytes();
    let (mut tokens, mut word, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        let is_inside = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || b"_.".contains(&bytes[at - 1]));
        let length = if is_inside { 0 } else { number_length(&bytes[at..]) };
        match line[at..].get(..length).and_then(|text| text.parse().ok()) {
            Some(number) if length > 0 => {
                tokens.extend((word < at).then(|| Token::Word(&line[word..at])));
                tokens.push(Token::Number(number));
                at += length;
                word = at;
            }
            _ => {
                at += 1;
                while !line.is_char_boundary(at) {
                    at += 1;
                }
            }
        }
    }
    tokens.extend((word < line.len()).then(|| Token::Word(&line[word..])));
    tokens
}

/// The length of the number that a text begins with; 0 if it begins with none.
fn number_length(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(text.first().is_some_and(|byte| b"+-".contains(byte)));
    let whole = digits(sign);
    if whole == 0 {
        return 0;
    }
    let mut length = sign + whole;
    if text.get(length) == Some(&b'.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if text.get(length).is_some_and(|byte| b"eE".contains(byte)) {
        let sign = usize::from(text.get(length + 1).is_some_and(|byte| b"+-".contains(byte)));
        let exponent = digits((length + 1 + sign).min(text.len()));
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

/// Text without the times that a program measured: numbers before `ms` with the bar of their row, and the seconds that
/// `bind` took.
fn without_times(text: &str) -> String {
    text.lines().map(|line| line_without_times(line) + "\n").collect()
}

fn line_without_times(line: &str) -> String {
    let parts = tokens(line);
    let mut out = String::new();
    let mut has_time = false;
    for (index, part) in parts.iter().enumerate() {
        let word = |index: usize| match parts.get(index) {
            Some(Token::Word(word)) => *word,
            _ => "",
        };
        let before = if index == 0 { "" } else { word(index - 1) };
        let after = word(index + 1);
        match part {
            Token::Word(word) => out += word,
            Token::Number(number) => {
                let is_milliseconds =
                    after.strip_prefix(" ms").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
                let is_seconds = [" s", " s."].iter().any(|end| after == *end || after.starts_with(" s.<"))
                    && ["; ", "found in "].iter().any(|start| before.ends_with(start));
                let is_bar = has_time && after.starts_with("rem\"");
                has_time |= is_milliseconds;
                if is_milliseconds || is_seconds || is_bar {
                    out += TIME;
                } else {
                    out += &number.to_string();
                }
            }
        }
    }
    if !has_time && !out.contains(TIME) {
        return line.into();
    }
    out.replace(&format!("{TIME} ms"), &format!("{TIME} s"))
}

/// Compares two JSON files, without the times that a program measured.
pub fn compare_json(old: &[u8], new: &[u8]) -> Result<Difference> {
    let [old, new] = [old, new].map(|bytes| -> Result<String> {
        let mut value: Value = serde_json::from_slice(bytes)?;
        drop_times(&mut value);
        Ok(serde_json::to_string_pretty(&value)?)
    });
    Ok(compare_lines(&old?, &new?, |_| None))
}

/// Replaces times: what is called milliseconds, and the phases of a frame.
fn drop_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match name.ends_with("milliseconds") || name == "phases" {
                    true => *field = TIME.into(),
                    false => drop_times(field),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(drop_times),
        _ => {}
    }
}

/// Compares two pages: their text, without measured times and the plot of them, and the pictures in them.
pub fn compare_html(old: &str, new: &str) -> Result<Difference> {
    let (old, old_pictures) = without_pictures(&without_plot_of_times(old));
    let (new, new_pictures) = without_pictures(&without_plot_of_times(new));
    let mut total = compare(&old, &new);
    for (old, new) in old_pictures.iter().zip(&new_pictures).filter(|(old, new)| old != new) {
        total.join(picture::compare(&BASE64_STANDARD.decode(old)?, &BASE64_STANDARD.decode(new)?)?);
    }
    if old_pictures.len() != new_pictures.len() {
        total.join(Difference::other(format!("{} and {} pictures", old_pictures.len(), new_pictures.len())));
    }
    Ok(total)
}

/// A page without the plot of the time that frames took.
fn without_plot_of_times(html: &str) -> String {
    let Some(title) = html.find("Time to compute a frame") else { return html.into() };
    let begin = html[..title].rfind("<svg").unwrap_or(title);
    let end = html[title..].find("</svg>").map_or(html.len(), |end| title + end);
    format!("{}{}", &html[..begin], &html[end..])
}

/// A page with its PNG files taken out, and these in base 64.
fn without_pictures(html: &str) -> (String, Vec<String>) {
    let mut parts = html.split("data:image/png;base64,");
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut pictures = Vec::new();
    for part in parts {
        let end = part.find('"').unwrap_or(part.len());
        pictures.push(part[..end].to_owned());
        text += "PICTURE";
        text += &part[end..];
    }
    (text, pictures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_differ_but_names_may_not() {
        assert!(compare("v 1 2.5e-3 joint1", "v 1 2.5e-3 joint1").is_none());
        assert_eq!(compare("v 1 200", "v 1 201").number, 1.0 / 201.0);
        assert!(compare("joint1 1", "joint2 1").other.is_some());
        assert!(compare("a\nb", "a").other.is_some());
    }

    #[test]
    fn measured_times_are_left_out() {
        assert!(compare("pruned 0.18; 0.71 s", "pruned 0.18; 90 ms").is_none());
        assert!(compare("by heat, found in 0.71 s.</p>", "by heat, found in 90 ms.</p>").is_none());
        let row = |ms: &str, bar: &str| format!("<td>{ms} ms</td><td><span style=\"width:{bar}rem\"></span>");
        assert!(compare(&row("1.0", "2.50"), &row("3.0", "4")).is_none());
        assert!(compare("from 0.00 s to 3.00 s, 1.5 ms each", "from 0.00 s to 3.00 s, 2.5 ms each").is_none());
        assert!(!compare("from 0.00 s to 3.00 s, 1.5 ms each", "from 0.00 s to 4.00 s, 2.5 ms each").is_none());
        let json = |time: f64| format!(r#"{{"frames": [{{"solve_milliseconds": {time}, "volume": 1.5}}]}}"#);
        assert!(compare_json(json(1.0).as_bytes(), json(2.0).as_bytes()).unwrap().is_none());
    }
}
