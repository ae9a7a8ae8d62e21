//! Folders of motions as files: what is read again, what is found, and what is refused.

use sinew::demo;
use sinew::motion::search::{HEIGHTS, Motion, Query, WINDOW};
use sinew::rig::{Character, Clip};
use sinew_io::{Asset, Format, npz};
use sinew_tasks::motion::library::{Changes, Library, Span};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

fn save(folder: &Path, name: &str, clips: &[&str]) {
    let mut figure = demo::character();
    figure.clips.retain(|clip| clips.contains(&clip.name.as_str()));
    figure.parts.clear();
    std::fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
    sinew_io::save(&folder.join(name), &Asset::new(figure, Format::Glb)).unwrap();
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    save(folder.path(), "walk.glb", &["walk"]);
    save(folder.path(), "inside/both.glb", &["twist", "knee bend"]);
    std::fs::write(folder.path().join("broken.bvh"), "HIERARCHY").unwrap();
    std::fs::write(folder.path().join("notes.txt"), "no motion").unwrap();
    folder
}

fn of_folder(folder: &TempDir, before: Library) -> (Library, Changes) {
    Library::of_folder(folder.path(), before, || ()).unwrap()
}

fn query(clip: &str) -> Query {
    let figure = demo::character();
    let clip = figure.find_clip(clip).unwrap();
    Query::new(Motion::of(&figure.skeleton, &figure.base_pose, clip, None).unwrap())
}

#[test]
fn only_what_changed_is_read_again() {
    let folder = folder();
    let calls = AtomicUsize::new(0);
    let (first, changes) =
        Library::of_folder(folder.path(), Library::default(), || _ = calls.fetch_add(1, Ordering::Relaxed)).unwrap();
    assert_eq!((changes, calls.into_inner()), (Changes { read: 3, unchanged: 0, removed: 0 }, 3));
    assert_eq!(first.clip_count(), 3);
    let names: Vec<&str> = first.files().iter().map(|file| file.file.as_str()).collect();
    assert_eq!(names, ["broken.bvh", "inside/both.glb", "walk.glb"]);
    assert!(first.files()[0].problems[0].contains("end of the file"), "{:?}", first.files()[0]);

    let index = folder.path().join("index.npz");
    first.save(&index).unwrap();
    let opened = Library::open(&index).unwrap();
    assert_eq!(opened.files(), first.files());
    let (second, changes) = of_folder(&folder, opened);
    // What could not be read is tried again, as it may have been made readable.
    assert_eq!(changes, Changes { read: 1, unchanged: 2, removed: 0 });

    save(folder.path(), "walk.glb", &["walk", "elbow curl"]);
    std::fs::remove_file(folder.path().join("broken.bvh")).unwrap();
    let (third, changes) = of_folder(&folder, second);
    assert_eq!(changes, Changes { read: 1, unchanged: 1, removed: 1 });
    // An index that grew is the one that is made anew.
    let again = of_folder(&folder, Library::default()).0;
    assert_eq!(third.files(), again.files());
    let [a, b] = [&third, &again].map(|library| library.search(&query("elbow curl"), 9, None).unwrap());
    assert_eq!(a, b);
    assert_eq!((a[0].file.as_str(), a[0].clip.as_str()), ("walk.glb", "elbow curl"));
}

#[test]
fn unreadable_files_are_reported_and_left_out() {
    let folder = folder();
    std::fs::write(folder.path().join("alone.amc"), ":DEGREES\n1\nroot 0 0 0 0 0 0\n").unwrap();
    let none = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION\nFrames: 0\n\
        Frame Time: 0.1\n";
    std::fs::write(folder.path().join("no_frames.bvh"), none).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere.bvh", folder.path().join("link.bvh")).unwrap();
    let (library, changes) = of_folder(&folder, Library::default());
    assert_eq!(library.clip_count(), 3);
    assert_eq!(changes.read, library.files().len());
    let problems = |name: &str| library.files().iter().find(|entry| entry.file == name).unwrap().problems.join("; ");
    assert!(problems("alone.amc").contains("ASF"), "{}", problems("alone.amc"));
    assert!(!problems("no_frames.bvh").is_empty() && problems("walk.glb").is_empty());
    #[cfg(unix)]
    assert!(problems("link.bvh").contains("cannot be read"), "{}", problems("link.bvh"));
}

#[test]
fn a_skeleton_that_changes_makes_its_motion_new() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("02_01.amc", ":DEGREES\n1\nroot 0 0 0 0 0 0\n");
    write(
        "02.asf",
        ":root\norder TX TY TZ RX RY RZ\naxis XYZ\nposition 0 0 0\norientation 0 0 0\n:bonedata\n:hierarchy\nbegin\nend\n",
    );
    let first = of_folder(&folder, Library::default()).0;
    assert!(first.files()[0].stamp.is_some(), "{:?}", first.files());
    let (second, changes) = of_folder(&folder, first);
    assert_eq!(changes, Changes { read: 0, unchanged: 1, removed: 0 });
    write(
        "02.asf",
        ":root\norder TX TY TZ RX RY RZ\naxis XYZ\nposition 0 10 0\norientation 0 0 0\n:bonedata\n:hierarchy\nbegin\nend\n",
    );
    assert_eq!(of_folder(&folder, second).1.read, 1);
}

#[test]
fn queries_of_any_length_have_answers() {
    let folder = folder();
    let library = of_folder(&folder, Library::default()).0;
    let figure = demo::character();
    let mut long = figure.find_clip("walk").unwrap().clone();
    for tracks in &mut long.joints {
        tracks.translation.iter_mut().for_each(|track| track.times.iter_mut().for_each(|time| *time *= 60.0));
        tracks.rotation.iter_mut().for_each(|track| track.times.iter_mut().for_each(|time| *time *= 60.0));
    }
    let motion = |span| Motion::of(&figure.skeleton, &figure.base_pose, &long, span).unwrap();
    for query in [motion(None), motion(Some((0.0, 0.07)))] {
        let found = library.search(&Query::new(query), 100, None).unwrap();
        let clips: BTreeSet<&str> = found.iter().map(|found| found.clip.as_str()).collect();
        assert_eq!(clips.len(), library.clip_count());
        assert!(found.iter().all(|found| found.start < found.end && (0.0..=1.0).contains(&found.score)), "{found:?}");
    }
}

#[test]
fn the_query_itself_is_no_answer() {
    let folder = folder();
    let library = of_folder(&folder, Library::default()).0;
    let walk = folder.path().join("walk.glb");
    let all = library.search(&query("walk"), 5, None).unwrap();
    assert_eq!(all[0].file, "walk.glb");
    let range = demo::character().find_clip("walk").unwrap().range();
    let own = Span::new(&walk, "walk", range).unwrap();
    let others = library.search(&query("walk"), 5, Some(&own)).unwrap();
    assert!(others.iter().all(|found| found.file != "walk.glb"), "{others:?}");
}

#[test]
fn a_damaged_index_is_refused() {
    let folder = folder();
    let index = folder.path().join("index.npz");
    of_folder(&folder, Library::default()).0.save(&index).unwrap();
    let whole = std::fs::read(&index).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(&index, bytes).unwrap();
        Library::open(&index).err().map(|error| error.one_sentence())
    };
    assert_eq!(refused(&whole), None);
    assert!(refused(&whole[..whole.len() / 2]).unwrap().contains("is no index of motions"));
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    assert!(refused(&flipped).unwrap().contains("checksum"));
    assert!(refused(b"").is_some());
    // Of another version: the checksum is the first thing that a changed text breaks, so the archive is made anew.
    let about = r#"{"version": 2, "window_seconds": 0.5, "hop_seconds": 0.25, "files": []}"#;
    npz::write(&index, &[("motions.json", npz::Member::Text(about))]).unwrap();
    let error = Library::open(&index).err().unwrap().one_sentence();
    assert!(error.contains("version 2") && error.contains("is no index of motions"), "{error}");
}

/// A graph that leads nowhere must not be walked, even if its checksum is right.
#[test]
fn a_made_up_graph_is_refused() {
    let mut library = Library::of_motions(&many(40));
    library.make_approximate().unwrap();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("index.npz");
    library.save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let archive = npz::Archive::read(&bytes).unwrap();
    let about = archive.text("motions.json").unwrap();
    let [windows, heights] = [("windows", WINDOW), ("heights", HEIGHTS)].map(|(n, c)| archive.floats(n, c).unwrap());
    let basis = archive.floats("graph_basis", 32).unwrap();
    let graph = archive.bytes("graph").unwrap();
    let opens = |graph: &[u8]| {
        let floats = |columns, values| npz::Member::Floats { columns, values };
        let members = [
            ("motions.json", npz::Member::Text(about)),
            ("windows", floats(WINDOW, &windows)),
            ("heights", floats(HEIGHTS, &heights)),
            ("graph_basis", floats(32, &basis)),
            ("graph", npz::Member::Bytes(graph)),
        ];
        npz::write(&path, &members).unwrap();
        Library::open(&path)
    };
    assert!(opens(graph).is_ok());
    for length in [0, 7, 100, graph.len() / 2, graph.len() - 1] {
        assert!(opens(&graph[..length]).is_err(), "cut to {length}");
    }
    // Everything after the windows is structure; whatever is let through can be searched.
    let structure = 8 + 128 * library.window_count();
    let mut refused = 0;
    for place in (structure..graph.len()).step_by(97) {
        let mut damaged = graph.to_vec();
        damaged[place] ^= 0xc0;
        match opens(&damaged) {
            Ok(library) => assert!(!library.search(&query("walk"), 3, None).unwrap().is_empty()),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 20, "{refused}");
}

/// Clips of the demo figure that differ in what they show.
fn many(count: usize) -> Vec<(String, Motion)> {
    let figure = demo::character();
    let piece = |k: usize| -> (Character, Clip, f64) {
        let clip = figure.clips[k % figure.clips.len()].clone();
        let start = 0.02 * (k / figure.clips.len()) as f64 % (0.4 * clip.seconds());
        (figure.clone(), clip, start)
    };
    (0..count)
        .map(piece)
        .enumerate()
        .map(|(k, (figure, clip, skipped))| {
            let (start, end) = clip.range();
            let span = Some((start + skipped, end));
            (format!("{k:04}"), Motion::of(&figure.skeleton, &figure.base_pose, &clip, span).unwrap())
        })
        .collect()
}

#[test]
fn the_approximate_index_finds_what_is_exact() {
    let motions = many(200);
    let exact = Library::of_motions(&motions);
    let mut approximate = Library::of_motions(&motions);
    approximate.make_approximate().unwrap();
    let folder = TempDir::new().unwrap();
    approximate.save(&folder.path().join("index.npz")).unwrap();
    let opened = Library::open(&folder.path().join("index.npz")).unwrap();
    assert!(opened.is_approximate() && !exact.is_approximate());
    for clip in ["walk", "twist", "knee bend", "elbow curl"] {
        let best = exact.search(&query(clip), 5, None).unwrap();
        for library in [&approximate, &opened] {
            let found = library.search(&query(clip), 5, None).unwrap();
            assert!((found[0].score - best[0].score).abs() < 1e-9, "{clip}: {found:?} {best:?}");
        }
    }
}

/// The seed of the fuzzer is an index, and members that overlap are refused before they are summed.
#[test]
fn an_archive_whose_members_overlap_is_refused() {
    let seed = include_bytes!("../../../../fuzz/seeds/index/motions.npz");
    assert!(Library::from_bytes(seed).is_ok());
    // Every entry of the directory names the largest member.
    let mut bytes = seed.to_vec();
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let half = |bytes: &[u8], at: usize| usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
    let directory = word(&bytes, bytes.len() - 6);
    let next = |bytes: &[u8], at: usize| at + 46 + half(bytes, at + 28);
    let largest = next(&bytes, directory);
    let third = next(&bytes, largest);
    for (from, length) in [(16, 12), (42, 4)] {
        bytes.copy_within(largest + from..largest + from + length, third + from);
    }
    let error = Library::from_bytes(&bytes).err().unwrap().to_string();
    assert!(error.contains("member 2") && error.contains("directory is broken"), "{error}");
}
