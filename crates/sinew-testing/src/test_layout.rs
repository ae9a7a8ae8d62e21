//! Every crate has one integration-test program, and every file below it is one of its modules.

use std::path::{Path, PathBuf};

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

/// The sources in a folder of modules that its root does not declare. A file without `mod` compiles never, and its
/// tests would be lost without a word.
fn undeclared(folder: &Path, root: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(root).unwrap();
    let declares = |path: &Path| text.contains(&format!("mod {};", path.file_stem().unwrap().to_str().unwrap()));
    let mut found = Vec::new();
    for path in entries(folder) {
        let module_root = path.join("mod.rs");
        let is_source = path.extension().is_some_and(|extension| extension == "rs") && path != root;
        if (is_source || module_root.is_file()) && !declares(&path) {
            found.push(path);
        } else if module_root.is_file() {
            found.extend(undeclared(&path, &module_root));
        }
    }
    found
}

#[test]
fn every_crate_has_one_test_program_and_it_has_every_file() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut programs = 0;
    for tests in entries(&crates).iter().map(|path| path.join("tests")).filter(|path| path.is_dir()) {
        let files = entries(&tests);
        let loose: Vec<&PathBuf> = files.iter().filter(|path| path.extension().is_some_and(|e| e == "rs")).collect();
        assert!(loose.is_empty(), "programs of their own, which cost a link each: {loose:?}");
        let roots: Vec<PathBuf> = files.iter().map(|path| path.join("main.rs")).filter(|path| path.is_file()).collect();
        let [root] = &roots[..] else { panic!("{} has {} programs", tests.display(), roots.len()) };
        let lost = undeclared(root.parent().unwrap(), root);
        assert!(lost.is_empty(), "no module has these files: {lost:?}");
        programs += 1;
    }
    assert!(programs > 0, "no tests below {}", crates.display());
}
