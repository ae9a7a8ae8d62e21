//! The rows of the shared reference.

use super::metric::Distance;
use glam::DVec3;
use sinew_testing::shared_data;
use std::collections::HashMap;

/// What was measured of a method on a character.
pub struct Reference {
    pub vertices: usize,
    pub distance: Distance,
}

impl Reference {
    pub fn read(rig: &str, method: &str) -> Self {
        let rows = rows("binding.csv");
        let row = rows.iter().find(|row| row["rig"] == rig && row["method"] == method);
        let row = row.unwrap_or_else(|| panic!("the reference has no row \"{method}\" of {rig}"));
        Self {
            vertices: row["vertices"].parse().unwrap(),
            distance: Distance {
                tv: number(row, "tv"),
                sweep_mean: number(row, "sweep_mean"),
                sweep_per_authored: number(row, "sweep_per_authored"),
            },
        }
    }
}

/// Head and tail of the bones that a character was measured with, by joint of its skin.
pub fn bones(rig: &str) -> Vec<(usize, [DVec3; 2])> {
    let point = |row: &Row, columns: [&str; 3]| DVec3::from(columns.map(|column| number(row, column)));
    let bone = |row: &Row| [point(row, ["hx", "hy", "hz"]), point(row, ["tx", "ty", "tz"])];
    let rows = rows("binding_bones.csv");
    rows.iter().filter(|row| row["rig"] == rig).map(|row| (row["joint"].parse().unwrap(), bone(row))).collect()
}

type Row = HashMap<String, String>;

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap()
}

fn rows(file: &str) -> Vec<Row> {
    let path = shared_data::folder().expect("characters come from the same folder").join("reference").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let header: Vec<String> = lines.next().unwrap().collect();
    lines.map(|cells| header.iter().cloned().zip(cells).collect()).collect()
}
