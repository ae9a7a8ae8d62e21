//! Markers that were taken away and are found again, beside what everybody does with gaps.

mod baselines;
mod captures;

use captures::{Capture, Dice, closest};
use glam::{DQuat, DVec3, Vec3};
use rayon::prelude::*;
use sinew::motion::markers::{MarkerGraph, Markers, Swap, fill, find_swaps, undo_swaps};

/// Neighbours that may be lost together with a marker.
const AROUND: usize = 8;

/// A capture without one of its markers and a part of its closest neighbours, for some seconds.
fn with_gap(truth: &Markers, seconds: f64, share: f64, dice: &mut Dice) -> Option<(Markers, Vec<(usize, usize)>)> {
    let length = (seconds * truth.rate()).round() as usize;
    if length + 20 > truth.frames() {
        return None;
    }
    let start = 5 + dice.below(truth.frames() - length - 10);
    let marker = dice.below(truth.count());
    let mut lost = vec![marker];
    let mut around = closest(truth, marker);
    around.truncate(AROUND);
    for _ in 0..(share * AROUND as f64).round() as usize {
        lost.push(around.swap_remove(dice.below(around.len())));
    }
    let mut holed = truth.clone();
    let places: Vec<(usize, usize)> = lost.iter().flat_map(|&m| (start..start + length).map(move |f| (f, m))).collect();
    places.iter().for_each(|&(frame, m)| holed.set(frame, m, None));
    Some((holed, places))
}

/// The sum of errors, the largest and how many, in millimetres.
#[derive(Debug, Default, Clone, Copy)]
struct Errors {
    sum: f64,
    largest: f64,
    count: usize,
}

impl Errors {
    fn add(&mut self, truth: &Markers, filled: &Markers, places: &[(usize, usize)]) {
        for &(frame, marker) in places {
            let error = 1e3 * truth.get(frame, marker).unwrap().distance(filled.get(frame, marker).unwrap());
            self.sum += error;
            self.largest = self.largest.max(error);
            self.count += 1;
        }
    }

    fn join(&mut self, other: &Self) {
        self.sum += other.sum;
        self.largest = self.largest.max(other.largest);
        self.count += other.count;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }
}

type Method = fn(&Markers) -> Markers;

fn ours(markers: &Markers) -> Markers {
    fill(markers, &MarkerGraph::find(markers)).unwrap().markers
}

const METHODS: [(&str, Method); 4] = [
    ("sinew", ours),
    ("linear", baselines::linear),
    ("cubic", baselines::cubic),
    ("PCA", baselines::principal_components),
];

/// Gaps in all captures, filled by all methods; captures are worked on in parallel and added up in order.
fn row(captures: &[Capture], seconds: f64, share: f64, rounds: u64) -> [Errors; 4] {
    let of_capture = |(k, capture): (usize, &Capture)| {
        let mut errors = [Errors::default(); 4];
        for round in 0..rounds {
            let mut dice = Dice(1000 * k as u64 + round);
            (0..8).for_each(|_| _ = dice.roll());
            let Some((holed, places)) = with_gap(&capture.truth, seconds, share, &mut dice) else { continue };
            for ((_, method), errors) in METHODS.iter().zip(&mut errors) {
                errors.add(&capture.truth, &method(&holed), &places);
            }
        }
        errors
    };
    let all: Vec<[Errors; 4]> = captures.par_iter().enumerate().map(of_capture).collect();
    let mut sum = [Errors::default(); 4];
    all.iter().for_each(|one| sum.iter_mut().zip(one).for_each(|(sum, one)| sum.join(one)));
    sum
}

const SHARES: [f64; 3] = [0.0, 0.25, 0.5];

/// Whether the mean and the largest error are lower than those of all others.
fn assert_best(what: &str, seconds: f64, share: f64, [ours, others @ ..]: [Errors; 4]) {
    assert!(ours.count > 0);
    for other in others {
        assert!(ours.mean() < other.mean(), "{what}, {seconds} s, {share}: {ours:?} {other:?}");
        assert!(ours.largest < other.largest, "{what}, {seconds} s, {share}: {ours:?} {other:?}");
    }
}

/// A gap of every kind in every motion.
#[test]
fn gaps_are_filled_better_than_by_curves_and_components() {
    for (what, captures) in [("joints", captures::joints()), ("skin", captures::surfaces(52, 4))] {
        if captures.is_empty() {
            return;
        }
        for seconds in [0.6, 1.0, 2.0, 4.0] {
            for share in SHARES {
                assert_best(what, seconds, share, row(&captures, seconds, share, 1));
            }
        }
    }
}

/// The others that keep their distance to a marker exactly.
fn constant(truth: &Markers, marker: usize) -> Vec<usize> {
    let keeps = |&other: &usize| {
        let distance = |frame: usize| truth.get(frame, marker).unwrap().distance(truth.get(frame, other).unwrap());
        let first = distance(0);
        other != marker && (0..truth.frames()).all(|frame| (distance(frame) - first).abs() < 5e-4)
    };
    (0..truth.count()).filter(keeps).collect()
}

/// Whether three of some markers are far from a line in a frame.
fn span_a_plane(truth: &Markers, frame: usize, markers: &[usize]) -> bool {
    let at = |k: usize| truth.get(frame, markers[k]).unwrap();
    let is_wide = |a: DVec3, b: DVec3, c: DVec3| {
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        (b - a).cross(c - a).length() > 0.1 * longest * longest
    };
    let count = markers.len();
    (0..count).any(|a| (0..a).any(|b| (0..b).any(|c| is_wide(at(a), at(b), at(c)))))
}

/// Every joint that three others hold, lost for two seconds at the beginning, in the middle and at the end.
#[test]
fn joints_with_three_rigid_neighbours_are_found_or_reported() {
    let captures = captures::joints();
    let largest = |truth: &Markers, marker: usize, start: usize| -> (f64, bool) {
        let lost = start..start + (2.0 * truth.rate()) as usize;
        let mut holed = truth.clone();
        lost.clone().for_each(|frame| holed.set(frame, marker, None));
        let filling = fill(&holed, &MarkerGraph::find(&holed)).unwrap();
        let error = |f: usize| truth.get(f, marker).unwrap().distance(filling.markers.get(f, marker).unwrap());
        (lost.map(error).fold(0.0, f64::max), filling.gaps[0].is_confident)
    };
    let of_capture = |capture: &Capture| -> Vec<(f64, bool)> {
        let truth = &capture.truth;
        let length = (2.0 * truth.rate()) as usize;
        let Some(room) = truth.frames().checked_sub(length + 10).filter(|&room| room >= 10) else { return Vec::new() };
        let middle = 5 + room / 2;
        let is_held = |&marker: &usize| {
            let others = constant(truth, marker);
            (middle..middle + length).all(|frame| span_a_plane(truth, frame, &others))
        };
        let held: Vec<usize> = (0..truth.count()).filter(is_held).collect();
        let starts = [5, middle, 5 + room];
        held.iter().flat_map(|&marker| starts.map(|start| largest(truth, marker, start))).collect()
    };
    let found: Vec<(f64, bool)> = captures.par_iter().flat_map_iter(of_capture).collect();
    let count = |of: fn(&(f64, bool)) -> bool| found.iter().filter(|f| of(f)).count();
    let (far, sure, wrong) = (count(|f| f.0 > 0.01), count(|f| f.1), count(|f| f.1 && f.0 > 0.01));
    println!("{} held: {far} beyond 10 mm, {sure} confident, {wrong} of these beyond 10 mm", found.len());
    assert_eq!(wrong, 0, "of {}", found.len());
    assert!(far * 25 <= found.len(), "{far} of {}", found.len());
    assert!(sure * 5 >= 4 * found.len(), "{sure} of {}", found.len());
}

/// Gaps of every kind with high confidence are accurate, except for a few.
#[test]
fn confidence_is_seldom_wrong() {
    let captures: Vec<Capture> = captures::joints().into_iter().chain(captures::surfaces(52, 4)).collect();
    let of_capture = |(k, capture): (usize, &Capture)| -> Vec<f64> {
        let truth = &capture.truth;
        let mut largest = Vec::new();
        for (seconds, share) in [0.6, 1.0, 2.0, 4.0].into_iter().flat_map(|s| SHARES.map(|share| (s, share))) {
            let mut dice = Dice(1000 * k as u64 + 500);
            (0..8).for_each(|_| _ = dice.roll());
            let Some((holed, _)) = with_gap(truth, seconds, share, &mut dice) else { continue };
            let filling = fill(&holed, &MarkerGraph::find(&holed)).unwrap();
            let found = |f: usize, m: usize| truth.get(f, m).unwrap().distance(filling.markers.get(f, m).unwrap());
            for filled in filling.gaps.iter().filter(|filled| filled.is_confident) {
                let errors = filled.gap.frames.clone().map(|frame| found(frame, filled.gap.marker));
                largest.push(errors.fold(0.0, f64::max));
            }
        }
        largest
    };
    let largest: Vec<f64> = captures.par_iter().enumerate().flat_map_iter(of_capture).collect();
    let wrong = largest.iter().filter(|&&error| error > 0.01).count();
    let worst = 1e3 * largest.iter().copied().fold(0.0, f64::max);
    println!("{} gaps confident: {wrong} beyond 10 mm, the worst {worst:.0} mm", largest.len());
    assert!(wrong * 25 <= largest.len(), "{wrong} of {}", largest.len());
}

/// A rigid head: four markers that keep all their distances, on a body that moves.
#[test]
fn a_marker_that_others_hold_is_where_it_was() {
    let Some(capture) = captures::joints().into_iter().find(|c| c.name.contains("salsa")) else { return };
    let body = &capture.truth;
    let corners = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.12, 0.0], [0.03, 0.05, 0.09]].map(DVec3::from);
    let labels: Vec<String> = (0..4).map(|k| format!("H{k}")).chain(body.labels().iter().cloned()).collect();
    let mut positions = Vec::new();
    for frame in 0..body.frames() {
        let seen = |marker: usize| body.get(frame, marker).unwrap();
        let turn = DQuat::from_rotation_arc(DVec3::X, (seen(1) - seen(5)).normalize());
        positions.extend(corners.map(|c| (seen(0) + turn * c).as_vec3()));
        positions.extend((0..body.count()).map(|marker| seen(marker).as_vec3()));
    }
    let truth = Markers::new(labels, body.rate(), Some(1.0), positions).unwrap();
    let mut holed = truth.clone();
    let lost = 40..100;
    lost.clone().for_each(|frame| holed.set(frame, 3, None));
    let filling = fill(&holed, &MarkerGraph::find(&holed)).unwrap();
    let error = |frame: usize| truth.get(frame, 3).unwrap().distance(filling.markers.get(frame, 3).unwrap());
    let largest = lost.map(error).fold(0.0, f64::max);
    assert!(largest < 1e-3, "{largest}");
    assert!(filling.gaps[0].is_confident, "{:?}", filling.gaps[0]);
    assert!(filling.gaps[0].confidence.iter().all(|&c| c > 0.5));
}

#[test]
fn a_joint_without_rigid_neighbours_is_filled_and_reported() {
    let Some(capture) = captures::joints().into_iter().find(|c| c.name.contains("walk")) else { return };
    let mut holed = capture.truth.clone();
    let hand = holed.labels().iter().position(|l| l.contains("LeftForeArm")).unwrap();
    (30..70).for_each(|frame| holed.set(frame, hand, None));
    let filling = fill(&holed, &MarkerGraph::find(&holed)).unwrap();
    assert!(!filling.gaps[0].is_confident);
    assert!(filling.gaps[0].confidence.iter().all(|&c| c < 0.5));
    assert!(filling.markers.missing_share() == 0.0);
}

#[test]
fn what_was_seen_stays_and_units_do_not_matter() {
    let Some(capture) = captures::joints().into_iter().nth(3) else { return };
    let (holed, places) = with_gap(&capture.truth, 1.0, 0.25, &mut Dice(5)).unwrap();
    let filled = ours(&holed);
    for frame in 0..holed.frames() {
        for marker in (0..holed.count()).filter(|&m| holed.is_seen(frame, m)) {
            assert_eq!(filled.get(frame, marker), holed.get(frame, marker));
        }
    }
    let scaled = holed.positions().iter().map(|p| *p * 1024.0).collect();
    let millimetres = Markers::new(holed.labels().to_vec(), holed.rate(), Some(1.0 / 1024.0), scaled).unwrap();
    let again = ours(&millimetres);
    for (frame, marker) in places {
        let (a, b) = (filled.get(frame, marker).unwrap(), again.get(frame, marker).unwrap() / 1024.0);
        assert!(a.distance(b) < 1e-4, "{a} {b}");
    }
}

#[test]
fn swapped_labels_are_found_and_given_back() {
    let Some(capture) = captures::joints().into_iter().find(|c| c.name == "02_01") else { return };
    let find = |name: &str| capture.truth.labels().iter().position(|label| label == name).unwrap();
    let (a, b) = (find("LeftFoot"), find("RightFoot"));
    let clean = &capture.truth;
    assert_eq!(find_swaps(clean, &MarkerGraph::find(clean)), []);
    let mut swapped = clean.clone();
    (100..160).for_each(|frame| swapped.exchange(frame, a, b));
    let swaps = find_swaps(&swapped, &MarkerGraph::find(&swapped));
    assert_eq!(swaps, [Swap { a: a.min(b), b: a.max(b), frames: 100..160 }]);
    undo_swaps(&mut swapped, &swaps);
    assert!(swapped == *clean);
}

#[test]
fn nothing_seen_is_refused_and_a_marker_never_seen_is_left() {
    let labels = || vec!["A".to_owned(), "B".to_owned()];
    let lost = Markers::new(labels(), 100.0, None, vec![Vec3::NAN; 20]).unwrap();
    assert!(fill(&lost, &MarkerGraph::find(&lost)).is_err());
    let positions = (0..10).flat_map(|k| [Vec3::splat(k as f32), Vec3::NAN]).collect();
    let half = Markers::new(labels(), 100.0, None, positions).unwrap();
    let filling = fill(&half, &MarkerGraph::find(&half)).unwrap();
    assert_eq!((filling.never_seen, filling.gaps.len()), (vec![1], 0));
    assert!(Markers::new(labels(), 100.0, None, Vec::new()).is_err());
    assert!(Markers::new(labels(), f64::NAN, None, vec![Vec3::ZERO; 2]).is_err());
    let single = Markers::new(vec!["A".into()], 100.0, None, vec![Vec3::ONE, Vec3::NAN, Vec3::ZERO]).unwrap();
    let filling = fill(&single, &MarkerGraph::find(&single)).unwrap();
    assert!(filling.markers.get(1, 0).is_some_and(|p| p.length() < 3.0));
}

#[test]
#[ignore = "prints the table of docs/markers.md"]
fn table() {
    for (what, captures) in [("joints", captures::joints()), ("skin", captures::surfaces(52, 4))] {
        println!("| {what}: gap, s | neighbours lost | sinew | linear | cubic | PCA |");
        println!("|---:|---:|---:|---:|---:|---:|");
        for seconds in [0.3, 0.6, 1.0, 2.0, 4.0] {
            for share in SHARES {
                let errors = row(&captures, seconds, share, 3);
                let cells = errors.map(|e| format!("{:.1} / {:.0}", e.mean(), e.largest));
                println!("| {seconds} | {:.0} % | {} |", 100.0 * share, cells.join(" | "));
                if seconds > 0.5 {
                    assert_best(what, seconds, share, errors);
                }
            }
        }
    }
}
