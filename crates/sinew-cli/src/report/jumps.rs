//! The jumps of a bake in words, for the terminal and for the page.

use sinew_tasks::bake::JumpReport;

/// One sentence for the terminal.
pub fn sentence(report: &JumpReport) -> String {
    let mut text = format!("jumps: {} at 30 per second", counted(report.jumps, report));
    if report.jumps > 0 {
        text += &format!(", {} beyond the skin alone", report.jumps_beyond_skin);
        if report.jumps_of_yielding > 0 {
            text += &format!(" ({} where bones are driven through other parts)", report.jumps_of_yielding);
        }
        text += &format!("; the largest {}", largest(report));
    }
    text
}

/// The rows of the page's table.
pub fn rows(report: &JumpReport) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        ("intervals that jump, skin alone", counted(report.jumps_of_skin, report)),
        ("intervals that jump, finished", counted(report.jumps, report)),
        ("intervals that jump, finished beyond skin alone", counted(report.jumps_beyond_skin, report)),
    ];
    if report.yielding_intervals > 0 {
        let count = format!("{} of {} intervals", report.jumps_of_yielding, report.yielding_intervals);
        rows.push(("of these, where bones are driven through other parts", count));
    }
    rows.push(("largest jump", largest(report)));
    rows
}

fn counted(jumps: usize, report: &JumpReport) -> String {
    let all = report.jump_intervals;
    match all {
        0 => "no interval".into(),
        _ => format!("{jumps} of {all} intervals ({:.1} %)", 100.0 * jumps as f64 / all as f64),
    }
}

fn largest(report: &JumpReport) -> String {
    let Some(place) = &report.place else { return "none".into() };
    let percent = 100.0 * report.jump_worst / report.jump_height;
    let (vertex, joint, time) = (place.jump_vertex, &place.jump_joint, place.jump_time);
    format!("{percent:.2} % of the height, at {time:.3} s, vertex {vertex} on {joint}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_tasks::bake::JumpPlace;

    fn report() -> JumpReport {
        JumpReport {
            jumps: 12,
            jump_intervals: 300,
            jump_share: Some(0.04),
            jumps_of_skin: 5,
            jumps_beyond_skin: 8,
            yielding_intervals: 20,
            jumps_of_yielding: 3,
            jump_worst: 0.025,
            place: Some(JumpPlace { jump_vertex: 4711, jump_joint: "LeftForeArm".into(), jump_time: 1.2375 }),
            jump_height: 2.0,
        }
    }

    #[test]
    fn the_largest_jump_is_named_with_its_place() {
        let expected = "jumps: 12 of 300 intervals (4.0 %) at 30 per second, 8 beyond the skin alone \
                        (3 where bones are driven through other parts); \
                        the largest 1.25 % of the height, at 1.238 s, vertex 4711 on LeftForeArm";
        assert_eq!(sentence(&report()), expected);
        let values: Vec<String> = rows(&report()).into_iter().map(|(_, value)| value).collect();
        assert!(values[0].starts_with("5 of 300") && values[3] == "3 of 20 intervals", "{values:?}");
        assert!(values[4].contains("vertex 4711"), "{values:?}");
    }

    #[test]
    fn without_jumps_there_is_no_largest() {
        let none = JumpReport { jumps: 0, yielding_intervals: 0, jumps_of_yielding: 0, place: None, ..report() };
        assert_eq!(sentence(&none), "jumps: 0 of 300 intervals (0.0 %) at 30 per second");
        assert_eq!(rows(&none)[3].1, "none");
        let still = JumpReport { jump_intervals: 0, ..none };
        assert_eq!(sentence(&still), "jumps: no interval at 30 per second");
    }
}
