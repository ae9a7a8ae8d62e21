//! Milliseconds to describe an hour of motion and to look for five seconds in many hours, exactly.
//!
//! `cargo bench -p sinew --bench search` prints a Markdown table, the best of several runs each on one thread and on
//! all. Motions are variations of the demo figure's clips, of five seconds each.

use sinew::motion::search::{HEIGHTS, Motion, MotionPart, Query, WINDOW};
use sinew_testing::timing::best_milliseconds;
use sinew_testing::varied_motions::VariedMotions;

/// Seconds that each time is the best of.
const SECONDS: f64 = 2.0;
const CLIP_SECONDS: f64 = 5.0;

fn main() {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let all = rayon::ThreadPoolBuilder::new().build().expect("threads");
    println!("{} threads in all", all.current_num_threads());
    println!("| what | one thread | all threads |");
    println!("|---|---|---|");
    let mut varied = VariedMotions::default();
    let hour = varied.clip(3600.0);
    let describe =
        || Motion::of(&varied.character.skeleton, &varied.character.base_pose, &hour, None).expect("a motion");
    let [single, parallel] = [&one, &all].map(|pool| pool.install(|| best_milliseconds(SECONDS, || drop(describe()))));
    println!("| describe 1 hour, {} windows | {single:.0} | {parallel:.0} |", describe().whole().len());
    let mut motion = || {
        let clip = varied.clip(CLIP_SECONDS);
        Motion::of(&varied.character.skeleton, &varied.character.base_pose, &clip, None).expect("a motion")
    };
    let query = Query::new(motion());
    let (mut windows, mut heights) = (Vec::new(), Vec::new());
    for count in [10_000, 100_000, 1_000_000] {
        while windows.len() < count * WINDOW {
            let motion = motion();
            windows.extend_from_slice(motion.whole().windows);
            heights.extend_from_slice(motion.whole().heights);
        }
        let length = query.sides()[0].len();
        let parts: Vec<MotionPart<'_>> = windows
            .chunks(length * WINDOW)
            .zip(heights.chunks(length * HEIGHTS))
            .map(|(windows, heights)| MotionPart { windows, heights })
            .collect();
        let search = || drop(query.find_best(&parts, 10));
        let [single, parallel] = [&one, &all].map(|pool| pool.install(|| best_milliseconds(SECONDS, search)));
        println!("| search {count} windows exactly | {single:.1} | {parallel:.1} |");
    }
}
