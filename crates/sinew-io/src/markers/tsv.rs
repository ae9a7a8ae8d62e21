//! TSV of Qualisys: a setting per line, a line of names, maybe a line of column titles, then a row per frame, in
//! millimetres. A lost marker is three zeros or three empty cells.

use super::columns::{Layout, cells, read_rows, text, texts};
use super::lines::lines;
use super::table::{Missing, Table};
use crate::Problem;
use sinew::motion::markers::Markers;

const TAB: u8 = b'\t';
const MOST_SETTINGS: usize = 64;

pub(super) fn read(bytes: &[u8]) -> Result<(Markers, Table), Problem> {
    let (mut rate, mut labels, mut promised) = (None, None, [None; 2]);
    let mut first = bytes.len();
    for line in lines(bytes).take(MOST_SETTINGS) {
        let words = texts(bytes, line.clone(), TAB);
        let count = || words.get(1).and_then(|word| word.parse::<usize>().ok());
        match words[0].to_ascii_uppercase().as_str() {
            "FREQUENCY" => rate = words.get(1).and_then(|word| word.parse::<f64>().ok()),
            "NO_OF_FRAMES" => promised[0] = count(),
            "NO_OF_MARKERS" => promised[1] = count(),
            "MARKER_NAMES" => labels = Some(words[1..].iter().filter(|name| !name.is_empty()).cloned().collect()),
            _ if labels.is_some() && is_row(bytes, &line) => {
                first = line.start;
                break;
            }
            _ => {}
        }
    }
    let labels: Vec<String> =
        labels.ok_or_else(|| Problem::malformed("TSV header", "there is no line MARKER_NAMES; export 3D data"))?;
    let rate = rate.ok_or_else(|| Problem::malformed("TSV header", "there is no line FREQUENCY"))?;
    if let Some(count) = promised[1].filter(|&count| count != labels.len()) {
        let why = format!("NO_OF_MARKERS is {count}, but {} are named", labels.len());
        return Err(Problem::malformed("TSV header", why));
    }
    // Rows may begin with a frame's number and time.
    let width = lines(&bytes[first..]).next().map_or(0, |line| {
        let row = cells(&bytes[first..], line, TAB);
        let trailing = row.last().is_some_and(|cell| text(&bytes[first..], cell).is_empty());
        let extra = row.len().saturating_sub(3 * labels.len());
        if trailing && extra % 2 == 1 { extra - 1 } else { extra }
    });
    let columns = (0..labels.len()).map(|k| width.min(2) + 3 * k).collect();
    let layout = Layout {
        labels,
        columns,
        separator: TAB,
        missing: Missing::Zero,
        meters_per_unit: Some(1e-3),
        rate: Some(rate),
        time_column: None,
    };
    let read = read_rows(bytes, first, layout)?;
    if let Some(count) = promised[0].filter(|&count| count != read.0.frames()) {
        let why = format!("NO_OF_FRAMES is {count}, but {} rows follow; is the file cut off?", read.0.frames());
        return Err(Problem::malformed("TSV header", why));
    }
    Ok(read)
}

/// Whether a line holds numbers and no titles.
fn is_row(bytes: &[u8], line: &std::ops::Range<usize>) -> bool {
    let words = texts(bytes, line.clone(), TAB);
    words.len() >= 3 && words.iter().all(|word| word.is_empty() || word.parse::<f64>().is_ok())
}
