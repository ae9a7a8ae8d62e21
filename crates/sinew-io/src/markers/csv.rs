//! CSV in three layouts: `time,NAME.x,NAME.y,NAME.z,…`, the trajectories of Vicon Nexus, and the takes of Motive. An
//! empty cell is a missing value.

use super::columns::{Layout, meters, read_rows, texts};
use super::lines::lines;
use super::table::{Missing, Table};
use crate::Problem;
use sinew::motion::markers::Markers;
use std::ops::Range;

const COMMA: u8 = b',';
/// So many lines are searched for a header.
const MOST_LINES: usize = 64;

pub(super) fn read(bytes: &[u8]) -> Result<(Markers, Table), Problem> {
    let mut head = lines(bytes).take(MOST_LINES);
    let Some(first) = head.next() else {
        return Err(Problem::malformed("line 1", "the file is empty"));
    };
    let words = texts(bytes, first.clone(), COMMA);
    if words[0].eq_ignore_ascii_case("Format Version") {
        return motive(bytes, &words);
    }
    if words.iter().any(|word| axis_of(word).is_some()) {
        return plain(bytes, first, &words);
    }
    let trajectories = lines(bytes).find(|line| texts(bytes, line.clone(), COMMA)[0] == "Trajectories");
    match trajectories {
        Some(line) => nexus(bytes, line),
        None => Err(Problem::malformed(
            "line 1",
            "no layout of markers that is known; begin with \"time,NAME.x,NAME.y,NAME.z,…\", or export trajectories \
             from Nexus or Motive",
        )),
    }
}

/// The name and the axis of `NAME.x` or `NAME_X`.
fn axis_of(word: &str) -> Option<(&str, usize)> {
    let (name, axis) = word.rsplit_once(['.', '_', ' ', ':'])?;
    let axis = ["x", "y", "z"].iter().position(|known| axis.eq_ignore_ascii_case(known))?;
    Some((name, axis))
}

fn plain(bytes: &[u8], header: Range<usize>, words: &[String]) -> Result<(Markers, Table), Problem> {
    let time = words.iter().position(|word| word.to_ascii_lowercase().starts_with("time"));
    let time = time.ok_or_else(|| Problem::malformed("line 1", "it has no column \"time\", in seconds"))?;
    let (mut labels, mut columns) = (Vec::new(), Vec::new());
    for (column, word) in words.iter().enumerate() {
        let Some((name, 0)) = axis_of(word) else { continue };
        let follows = |axis: usize| words.get(column + axis).and_then(|w| axis_of(w)) == Some((name, axis));
        if !follows(1) || !follows(2) {
            return Err(Problem::malformed("line 1", format!("{word} must be followed by the y and z of \"{name}\"")));
        }
        labels.push(name.to_owned());
        columns.push(column);
    }
    let layout = Layout {
        labels,
        columns,
        separator: COMMA,
        missing: Missing::Empty,
        meters_per_unit: None,
        rate: None,
        time_column: Some(time),
    };
    read_rows(bytes, next_line(bytes, &header), layout)
}

/// `Trajectories`, the rate, names over their x, titles, units, rows up to an empty line.
fn nexus(bytes: &[u8], start: Range<usize>) -> Result<(Markers, Table), Problem> {
    let after: Vec<Range<usize>> = lines(&bytes[start.start..])
        .map(|line| start.start + line.start..start.start + line.end)
        .skip(1)
        .take(4)
        .collect();
    let [rate, names, titles, units] = after.as_slice() else {
        return Err(Problem::malformed("Trajectories", "the rate, names, titles and units must follow"));
    };
    let word = texts(bytes, rate.clone(), COMMA).swap_remove(0);
    let rate = word.parse().map_err(|_| Problem::malformed("Trajectories", format!("\"{word}\" is no rate")))?;
    let names = texts(bytes, names.clone(), COMMA);
    let titles = texts(bytes, titles.clone(), COMMA);
    let is_place = |column: usize| (0..3).all(|k| titles.get(column + k).is_some_and(|t| t == ["X", "Y", "Z"][k]));
    let named = names.iter().enumerate().filter(|&(column, name)| !name.is_empty() && is_place(column));
    let (columns, labels): (Vec<usize>, Vec<String>) = named.map(|(column, name)| (column, name.clone())).unzip();
    let unit = columns.first().and_then(|&column| texts(bytes, units.clone(), COMMA).get(column).cloned());
    let layout = Layout {
        labels,
        columns,
        separator: COMMA,
        missing: Missing::Empty,
        meters_per_unit: unit.and_then(|unit| meters(&unit)),
        rate: Some(rate),
        time_column: None,
    };
    read_rows(bytes, next_line(bytes, units), layout)
}

/// Settings in pairs in line 1; rows of type, name, kind and axis; rows of numbers after `Frame,Time (Seconds)`.
fn motive(bytes: &[u8], settings: &[String]) -> Result<(Markers, Table), Problem> {
    let setting = |name: &str| settings.iter().position(|w| w == name).and_then(|k| settings.get(k + 1));
    let rate = setting("Export Frame Rate").or_else(|| setting("Capture Frame Rate"));
    let rate = rate.and_then(|rate| rate.parse().ok());
    let rate = rate.ok_or_else(|| Problem::malformed("line 1", "it has no Export Frame Rate"))?;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let titles = lines(bytes).take(MOST_LINES).find(|line| {
        let words = texts(bytes, line.clone(), COMMA);
        let is_titles = words[0] == "Frame";
        rows.push(words);
        is_titles
    });
    let titles = titles.ok_or_else(|| Problem::malformed("header", "there is no line that begins with Frame"))?;
    let axes = rows.pop().unwrap_or_default();
    let row = |is: &dyn Fn(&[String]) -> bool| rows.iter().find(|row| is(row));
    let types = row(&|row| row.iter().any(|word| word == "Marker"));
    let names = row(&|row| row.iter().any(|word| word == "Name"));
    let (Some(types), Some(names)) = (types, names) else {
        return Err(Problem::malformed("header", "it has no lines of types and names; export markers"));
    };
    let is_place = |column: usize| {
        (0..3).all(|k| axes.get(column + k).is_some_and(|axis| axis == ["X", "Y", "Z"][k]))
            && types.get(column).is_some_and(|kind| kind == "Marker")
    };
    let columns: Vec<usize> = (0..axes.len()).filter(|&column| is_place(column)).collect();
    let labels = columns.iter().map(|&column| names.get(column).cloned().unwrap_or_default()).collect();
    let layout = Layout {
        labels,
        columns,
        separator: COMMA,
        missing: Missing::Empty,
        meters_per_unit: setting("Length Units").and_then(|unit| meters(unit)),
        rate: Some(rate),
        time_column: None,
    };
    read_rows(bytes, next_line(bytes, &titles), layout)
}

fn next_line(bytes: &[u8], line: &Range<usize>) -> usize {
    let rest = &bytes[line.end..];
    rest.iter().position(|&b| b == b'\n').map_or(bytes.len(), |k| line.end + k + 1)
}
