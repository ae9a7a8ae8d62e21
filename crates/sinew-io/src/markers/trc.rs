//! TRC, as OpenSim and Motion Analysis write it: names and values of settings in lines 2 and 3, names of markers over
//! their x in line 4, axes in line 5, then a row of number, time and places per frame. A lost marker's cells are empty.
//!
//! Cells are separated by tabs, or by commas in files that went through a spreadsheet. Some programs count markers
//! otherwise than they name them, twice as many for one; the names decide.

use super::columns::{Layout, meters, read_rows, texts};
use super::lines::lines;
use super::table::{Missing, Table, line_start};
use crate::Problem;
use sinew::motion::markers::Markers;

pub(super) fn read(bytes: &[u8], warnings: &mut Vec<String>) -> Result<(Markers, Table), Problem> {
    let has_tabs = lines(bytes).next().is_some_and(|line| bytes[line].contains(&b'\t'));
    let separator = if has_tabs { b'\t' } else { b',' };
    let header: Vec<Vec<String>> = lines(bytes).take(5).map(|line| texts(bytes, line, separator)).collect();
    let [kind, keys, values, names, _axes] = header.as_slice() else {
        return Err(Problem::malformed("TRC header", format!("it has {} lines, but 5 are needed", header.len())));
    };
    if !kind[0].eq_ignore_ascii_case("PathFileType") {
        return Err(Problem::malformed("line 1", "a TRC file begins with PathFileType"));
    }
    let setting = |name: &str| {
        let column = keys.iter().position(|key| key.eq_ignore_ascii_case(name))?;
        values.get(column).filter(|value| !value.is_empty())
    };
    let rate = setting("DataRate").or_else(|| setting("CameraRate"));
    let rate = rate.ok_or_else(|| Problem::malformed("line 2", "it has no DataRate"))?;
    let rate: f64 = rate.parse().map_err(|_| Problem::malformed("line 3", format!("\"{rate}\" is no rate")))?;
    let named = names.iter().enumerate().skip(2).filter(|(_, name)| !name.is_empty());
    let (columns, labels): (Vec<usize>, Vec<String>) = named.map(|(column, name)| (column, name.clone())).unzip();
    if let Some(count) = setting("NumMarkers").and_then(|count| count.parse::<usize>().ok())
        && count != labels.len()
    {
        let named = labels.len();
        warnings
            .push(format!("line 3: NumMarkers is {count}, but {named} markers are named in line 4; these are read"));
    }
    let layout = Layout {
        labels,
        columns,
        separator,
        missing: Missing::Empty,
        meters_per_unit: setting("Units").and_then(|unit| meters(unit)),
        rate: Some(rate),
        time_column: None,
    };
    let read = read_rows(bytes, line_start(bytes, 5), layout)?;
    if let Some(count) = setting("NumFrames").and_then(|count| count.parse::<usize>().ok())
        && count != read.0.frames()
    {
        let why = format!("NumFrames is {count}, but {} rows follow; is the file cut off?", read.0.frames());
        return Err(Problem::malformed("line 3", why));
    }
    Ok(read)
}
