//! Milliseconds to look for five seconds in a library of many hours.
//!
//! `cargo bench -p sinew-tasks --features library --bench library [-- WINDOWS]` prints a Markdown table: how long it takes
//! to make the approximate index and to search with it (the best of several runs, mean over the queries), and how many of the ten best answers
//! of an exact search it finds, over several queries. Motions are variations of the demo figure's clips.

use sinew::motion::search::{Motion, Query};
use sinew_tasks::motion::library::{EXACT_WINDOWS, Library};
use sinew_testing::timing::best_milliseconds;
use sinew_testing::varied_motions::VariedMotions;
use std::time::Instant;

const CLIP_SECONDS: f64 = 5.0;
const QUERIES: usize = 10;
const ANSWERS: usize = 10;

fn main() {
    let most = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    let mut varied = VariedMotions::default();
    let mut motion = || {
        let clip = varied.clip(CLIP_SECONDS);
        Motion::of(&varied.character.skeleton, &varied.character.base_pose, &clip, None).expect("a motion")
    };
    let queries: Vec<Query> = (0..QUERIES).map(|_| Query::new(motion())).collect();
    println!("{} threads", rayon::current_num_threads());
    println!("| windows | index, s | search, ms | exact, ms | found of the best {ANSWERS} |");
    println!("|---|---|---|---|---|");
    let mut motions = Vec::new();
    let mut count = 0;
    for size in [EXACT_WINDOWS + 1, most] {
        while count < size {
            let motion = motion();
            count += motion.whole().len();
            motions.push((format!("{}", motions.len()), motion));
        }
        let exact = Library::of_motions(&motions);
        let mut library = Library::of_motions(&motions);
        let begin = Instant::now();
        library.make_approximate().expect("an index");
        let seconds = begin.elapsed().as_secs_f64();
        let search = |library: &Library, query: &Query| library.search(query, ANSWERS, None).expect("answers");
        let mut found = 0;
        for query in &queries {
            let (best, answers) = (search(&exact, query), search(&library, query));
            found += best.iter().filter(|best| answers.contains(best)).count();
        }
        let [approximate, exactly] = [&library, &exact].map(|library| {
            let times = queries.iter().map(|query| best_milliseconds(0.3, || drop(search(library, query))));
            times.sum::<f64>() / QUERIES as f64
        });
        let share = found as f64 / (QUERIES * ANSWERS) as f64;
        println!("| {count} | {seconds:.1} | {approximate:.1} | {exactly:.1} | {share:.3} |");
    }
}
