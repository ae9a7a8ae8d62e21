//! `sinew markers`.

use crate::bench::Bench;

/// Four corners of a box that turns, the first of which is lost for some frames.
fn capture(lost: std::ops::Range<usize>) -> String {
    let mut text = "time,A.x,A.y,A.z,B.x,B.y,B.z,C.x,C.y,C.z,D.x,D.y,D.z\n".to_owned();
    for frame in 0..60 {
        let (sine, cosine) = (0.05 * frame as f64).sin_cos();
        let mut row = format!("{:.3}", frame as f64 / 100.0);
        for (k, [x, y, z]) in [[0.3, 0.1, 0.2], [0.0, 0.0, 0.0], [0.4, 0.0, 0.0], [0.0, 0.4, 0.1]].iter().enumerate() {
            let place = [x * cosine - y * sine, x * sine + y * cosine, z + 0.01 * frame as f64];
            let cells = place.map(|v| if k == 0 && lost.contains(&frame) { String::new() } else { format!("{v:.6}") });
            row += &format!(",{}", cells.join(","));
        }
        text += &(row + "\n");
    }
    text
}

fn places(text: &str) -> Vec<Vec<f64>> {
    text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect()).collect()
}

#[test]
fn a_lost_corner_is_found_and_nothing_else_changes() {
    let bench = Bench::new();
    bench.write("take.csv", capture(20..40));
    let printed = bench.done(&["markers", "info", "take.csv", "--graph", "graph.toml"]);
    for words in ["4 markers", "60 frames", "100.00 Hz", "1 gap", "A: missing in frames 20 to 39"] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    let printed = bench.done(&["markers", "fill", "take.csv", "-o", "out.csv", "--report", "r.json"]);
    assert!(printed.contains("1 gap filled, 0 with low confidence"), "{printed}");
    let (found, truth) = (places(&bench.text("out.csv")), places(&capture(0..0)));
    for (a, b) in found.iter().flatten().zip(truth.iter().flatten()) {
        assert!((a - b).abs() < 1e-3, "{a} {b}");
    }
    let report = bench.json("r.json");
    assert_eq!(report["gaps"][0]["marker"], "A");
    assert_eq!(report["gaps"][0]["confidence"].as_array().unwrap().len(), 20);
    assert_eq!(report["missing_after"], 0.0);
    let same = bench.done(&["markers", "fill", "take.csv", "-o", "again.csv", "--graph", "graph.toml", "--json"]);
    assert!(serde_json::from_str::<serde_json::Value>(&same).unwrap()["gaps"].is_array());
    assert_eq!(bench.listing(), ["again.csv", "graph.toml", "out.csv", "r.json", "take.csv"]);
}

#[test]
fn swapped_labels_are_reported_and_fixed() {
    let bench = Bench::new();
    let swap = |(k, line): (usize, &str)| {
        let mut cells: Vec<&str> = line.split(',').collect();
        if (31..51).contains(&k) {
            (4..7).for_each(|c| cells.swap(c, c + 3));
        }
        cells.join(",") + "\n"
    };
    let whole = capture(0..0);
    bench.write("take.csv", whole.lines().enumerate().map(swap).collect::<String>());
    let printed = bench.done(&["markers", "info", "take.csv"]);
    assert!(printed.contains("B and C: labels seem swapped, frames 30 to 49"), "{printed}");
    bench.done(&["markers", "fill", "take.csv", "-o", "out.csv", "--fix-swaps"]);
    assert_eq!(places(&bench.text("out.csv")), places(&whole));
}

#[test]
fn bad_captures_and_requests_are_refused() {
    let bench = Bench::new();
    bench.write("take.csv", capture(20..40));
    bench.write("lost.csv", "time,A.x,A.y,A.z\n0,,,\n1,,,\n");
    bench.write("cut.c3d", [2, 0x50, 0]);
    bench.write("graph.toml", "[[link]]\nmarkers = [\"A\", \"BB\"]\n");
    bench.write("take.bvh", "");
    for (arguments, words) in [
        (&["fill", "take.csv", "-o", "out.trc"][..], "own format, .csv"),
        (&["fill", "take.csv", "-o", "take.csv"], "replace its own input"),
        (&["fill", "take.csv", "-o", "out.csv", "--report", "r.html"], ".json"),
        (&["fill", "take.csv", "-o", "out.csv", "--graph", "graph.toml"], "did you mean \"B\""),
        (&["fill", "lost.csv", "-o", "out.csv"], "none is seen"),
        (&["info", "cut.c3d"], "C3D header"),
        (&["info", "missing.c3d"], "missing.c3d"),
        (&["info", "take.bvh"], "use .c3d"),
    ] {
        let before = bench.listing();
        let answer = bench.run(&[&["markers"], arguments].concat());
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(1), ""), "{answer:?}");
        assert!(answer.stderr.starts_with("error: ") && answer.stderr.contains(words), "{words}: {answer:?}");
        assert_eq!(bench.listing(), before);
    }
}
