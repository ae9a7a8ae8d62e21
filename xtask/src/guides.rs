//! The commands of the README and of the guides in `docs/`.

use crate::pictures::FOX_CAPTURE;
use crate::script::{Script, Section, Step, shell_lines};
use crate::workspace::root;
use anyhow::{Context, Result};
use std::fs;

/// How commands begin that scripts leave out: tests, benchmarks, chores, and the studio, which runs until it is interrupted.
const LEFT_OUT: [&str; 6] = ["cargo test", "cargo bench", "cargo xtask", "python3", "git clone", "sinew studio"];

/// The README's commands.
pub fn readme() -> Result<Script> {
    let lines = commands("README.md")?;
    Ok(Script { name: "README.md".into(), sections: vec![Section::of_lines(lines)] })
}

/// The commands of all guides. Files that a guide leaves to the reader are made first, from the demo's character or from
/// test data; every guide finds the demo's files.
pub fn guides() -> Result<Vec<Script>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("docs"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") {
            names.push(format!("docs/{name}"));
        }
    }
    names.sort();
    names.into_iter().map(guide).collect()
}

fn guide(name: String) -> Result<Script> {
    let mut steps = prepared(&name);
    // The recipes of the volume guide are one command with a name to fill in; the pictures have them all.
    let lines = commands(&name)?.into_iter().map(|line| line.replace("NAME", "muscle"));
    steps.extend(lines.map(Step::Shell));
    if steps.iter().any(|step| matches!(step, Step::Shell(line) if line.contains("sinew-demo/"))) {
        steps.retain(|step| !matches!(step, Step::Shell(line) if line == "sinew demo"));
        steps.insert(0, Step::Shell("sinew demo".into()));
    }
    Ok(Script { name, sections: vec![Section { steps }] })
}

/// The commands of a document.
fn commands(document: &str) -> Result<Vec<String>> {
    let markdown = fs::read_to_string(root().join(document)).with_context(|| format!("cannot read {document}"))?;
    let lines = shell_lines(&markdown).into_iter().map(|line| line.replacen("cargo run --release -- ", "sinew ", 1));
    Ok(lines.filter(|line| !LEFT_OUT.iter().any(|start| line.starts_with(start))).collect())
}

/// The steps that make what a guide's commands read.
fn prepared(guide: &str) -> Vec<Step> {
    let lines: &[&str] = match guide {
        "docs/binding.md" => &[
            "cp sinew-demo/mannequin.glb hero.glb",
            "sinew convert hero.glb body.obj",
            "sinew convert hero.glb joints.toml",
            "cp body.obj coat.obj",
        ],
        "docs/cage.md" => &[
            "cp data/gltf/Fox.glb Fox.glb",
            "cp docs/recipes/fox.sinew.toml fox.sinew.toml",
            "sinew bake Fox.glb --clip Run --fps 24 --skin linear -o fox.obj",
        ],
        "docs/markers.md" => &["cp data/markers/walking5.c3d take.c3d"],
        "docs/motion-editing.md" => &[
            r#"printf '[motion]\nrange = [1, 22]\n[[motion.pins]]\njoint = "RightFoot"\nframe = 11\noffset = [0.0, 0.22, 0.05]\n' >step.sinew.toml"#,
            "sinew convert sinew-demo/mannequin.glb walk.bvh",
            "cp walk.bvh a.bvh",
            "cp walk.bvh b.bvh",
            "sinew convert sinew-demo/mannequin.glb child.obj",
            "sinew bind child.obj --fit humanoid -o child.glb",
            "cp sinew-demo/mannequin.glb hero.glb",
            // A step of 10 cm before the walker.
            r"printf 'v -2 0.1 0.5\nv 2 0.1 0.5\nv 2 0.1 4\nv -2 0.1 4\nf 4 3 2 1\n' >stairs.obj",
        ],
        "docs/motion-search.md" => &[
            "cp -rp data/mocap/cmu30 cmu30",
            "cp -rp cmu30 mocap",
            "cp cmu30/cartwheel__49_06.bvh cartwheel.bvh",
            "cp data/mocap/labels.csv labels.csv",
        ],
        _ => &[],
    };
    let mut steps = Section::of_lines(lines.iter().copied()).steps;
    if guide == "docs/cage.md" {
        steps.push(Step::Capture(FOX_CAPTURE));
    }
    steps
}
