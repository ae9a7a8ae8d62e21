//! `cargo xtask pictures`

use crate::script::{Capture, Program, Script, Section, Step, Workplace};
use crate::workspace::{expect_no_arguments, root};
use anyhow::Result;
use std::env::var_os;
use std::fs;
use std::process::ExitCode;

/// What the command does.
pub const HELP: &str = "makes the pictures of the README and the guides again

Makes docs/images from the recipes in docs/recipes, with the program that `cargo run --release` builds or the one that
SINEW names. Some pictures show characters of the test data, SINEW_DATA or ../shared/data; without it they stay as they
are. The pictures of docs/studio.md are made by `node xtask/studio-pictures.mjs`, in Chromium.";

/// Makes the pictures.
pub fn run(arguments: &[String]) -> Result<ExitCode> {
    expect_no_arguments(arguments)?;
    let program = var_os("SINEW").map_or(Ok(Program::Cargo), Program::at)?;
    let workplace = Workplace::new(program)?;
    workplace.run_script(&script())?;
    for entry in fs::read_dir(workplace.folder().join("docs/images"))? {
        let entry = entry?;
        fs::copy(entry.path(), root().join("docs/images").join(entry.file_name()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The commands that make the pictures, into docs/images.
pub fn script() -> Script {
    let mut sections = vec![
        Section::of_lines(["sinew demo"]),
        volume(),
        implicit(),
        animal(),
        flesh(),
        hard_poses(),
        knee(),
        binding(),
    ];
    sections.extend([cage(), fox_cage(), muscles(), fox_muscles(), captured_muscles(), motion(), belly()]);
    Script { name: "pictures".into(), sections }
}

const MANNEQUIN: &str = "sinew-demo/mannequin.glb";
const TUBE: &str = "sinew-demo/tube.glb";
const FOX: &str = "data/gltf/Fox.glb";
/// Skins that pass through themselves at joints, and one that does not.
const IMPLICIT: &str = "linear,dual-quaternion,dual-quaternion+implicit";

/// Vertices of the fox's skinned run as the capture of eight markers.
pub const FOX_CAPTURE: Capture = Capture {
    stem: "fox",
    frames_per_second: 24.0,
    markers: &[
        ("NOSE", 29),
        ("CROWN", 421),
        ("TAIL", 60),
        ("RUMP", 400),
        ("LFORE", 1325),
        ("RFORE", 1495),
        ("LHIND", 1295),
        ("RHIND", 1465),
    ],
    output: "fox.csv",
};

/// The command that draws a file into docs/images.
fn render(file: &str, options: &str, picture: &str) -> String {
    format!("sinew render {file} {options} -o docs/images/{picture}.png")
}

/// The command that writes a pose of one joint.
fn pose(joint: &str, axis: &str, degrees: i32, file: &str) -> String {
    format!(r#"echo '{{"joints": {{"{joint}": {{"axis": [{axis}], "degrees": {degrees}}}}}}}' >{file}"#)
}

fn volume() -> Section {
    let curl = r#"--clip "elbow curl" --time 1.5"#;
    let mut lines = vec![
        // What sinew demo draws, smaller.
        render(
            MANNEQUIN,
            &format!(
                "{curl} --methods linear,linear+exact,dual-quaternion,dual-quaternion+exact --color volume \
                 --focus LeftForeArm --view 62,6 --size 1060x420"
            ),
            "elbow",
        ),
        // Before and after.
        render(
            MANNEQUIN,
            &format!("{curl} --methods linear,linear+exact --focus LeftForeArm --view 62,6 --size 900x480"),
            "elbow-exact",
        ),
        render(
            MANNEQUIN,
            r#"--clip "knee bend" --time 1.5 --methods linear,linear+exact --focus LeftLeg --view 75,4 --size 900x480"#,
            "knee-exact",
        ),
    ];
    // The tube at 90°, skin alone beside the profile: rubber is seen from the outside of the bend, the others from the
    // side.
    for (profile, view) in
        [("isotropic", "20,10"), ("rubber", "20,10"), ("muscle", "100,12"), ("folds", "100,12"), ("curves", "100,12")]
    {
        let options = format!(
            "--clip bend --time 1 --methods linear,linear+exact --recipe docs/recipes/{profile}.sinew.toml \
             --view {view} --size 760x420"
        );
        lines.push(render(TUBE, &options, &format!("tube-{profile}")));
    }
    lines.push(render(
        TUBE,
        "--clip bend --time 0.5,0.75,1 --recipe docs/recipes/blend.sinew.toml --view 100,12 --size 1100x420",
        "tube-blend",
    ));
    lines.push(render(
        MANNEQUIN,
        &format!(
            "{curl} --methods dual-quaternion,dual-quaternion+exact --recipe docs/recipes/breathing.sinew.toml \
             --focus Spine1 --color displacement --view 70,4 --size 900x460"
        ),
        "breathing",
    ));
    Section::of_lines(lines)
}

/// A mesh without a rig gets one.
fn binding() -> Section {
    Section::of_lines([
        format!("sinew convert {MANNEQUIN} body.obj"),
        "sinew bind body.obj --fit humanoid -o fitted.glb".into(),
        render("fitted.glb", "--color joints --skeleton --view 20,5 --size 900x600", "bind-joints"),
    ])
}

/// Joints that keep their shape and their two sides apart.
fn implicit() -> Section {
    let methods = format!("--methods {IMPLICIT}");
    Section::of_lines([
        pose("LeftForeArm", "-0.2, -0.16, 0.97", 140, "elbow.json"),
        render(
            MANNEQUIN,
            &format!("--pose elbow.json {methods} --focus LeftForeArm --view 10,4 --size 1200x460"),
            "implicit-elbow",
        ),
        render(
            MANNEQUIN,
            &format!("--pose docs/poses/fist.json {methods} --focus LeftHandMiddle1 --view -60,-20 --size 1200x460"),
            "implicit-fist",
        ),
        render(
            MANNEQUIN,
            &format!(r#"--clip "knee bend" --time 1.5 {methods} --focus LeftUpLeg --view 20,0 --size 1200x460"#),
            "implicit-hips",
        ),
        render(TUBE, &format!("--clip bend --time 1 {methods} --view 100,12 --size 1100x420"), "implicit-tube"),
        pose("bend", "-1, 0, 0", 120, "tube.json"),
        render(
            TUBE,
            "--pose tube.json --methods dual-quaternion,dual-quaternion+implicit,dual-quaternion+implicit+exact \
             --color volume --view 100,12 --size 1100x420",
            "implicit-volume",
        ),
        pose("LeftLeg", "1, 0, 0", 130, "knee.json"),
        render(
            MANNEQUIN,
            &format!("--pose knee.json {methods} --focus LeftLeg --view 75,4 --size 1200x460"),
            "implicit-knee",
        ),
    ])
}

fn animal() -> Section {
    Section::of_lines([render(
        "data/gltf/quaternius_Trex.glb",
        &format!(r#"--clip "Armature|TRex_Jump" --time 0.5 --methods {IMPLICIT} --view 80,4 --size 1200x460"#),
        "implicit-animal",
    )])
}

/// Skin on elastic flesh.
fn flesh() -> Section {
    Section::of_lines([render(
        MANNEQUIN,
        r#"--clip "elbow curl" --time 1 --methods linear,dual-quaternion,dual-quaternion+flesh --focus LeftForeArm --size 1200x480"#,
        "flesh-elbow",
    )])
}

/// Poses in which skin meets skin, without flesh and with it.
fn hard_poses() -> Section {
    let figure = "data/gltf/makehuman_male_cmu31.glb";
    let both = "--methods linear,linear+flesh --size 1100x560";
    let poses = [
        ("squat", "--focus LeftUpLeg --view 130,8"),
        ("sitting", "--focus LeftUpLeg --view 50,15"),
        ("crossed-arms", "--focus RightForeArm --view 0,10"),
        ("hand-on-chest", "--focus RightForeArm --view -30,8"),
    ];
    let mut lines: Vec<String> = poses
        .iter()
        .map(|(pose, view)| {
            render(figure, &format!("--pose docs/poses/{pose}.json {view} {both}"), &format!("flesh-{pose}"))
        })
        .collect();
    lines.extend([
        render(
            MANNEQUIN,
            &format!("--pose docs/poses/fist.json --focus LeftHandMiddle1 --view -60,-20 {both}"),
            "flesh-fist",
        ),
        render(FOX, &format!("--clip Run --time 0.35 --view 60,8 {both}"), "flesh-fox"),
        render(
            "data/gltf/quaternius_Trex.glb",
            &format!(r#"--clip "Armature|TRex_Death" --time 1.2 --view 60,8 {both}"#),
            "flesh-dinosaur",
        ),
    ]);
    Section::of_lines(lines)
}

/// The knee that is measured against a simulation.
fn knee() -> Section {
    Section::of_lines([
        pose("LeftLeg", "0.995, 0.1, 0.004", 124, "knee.json"),
        render(
            "data/gltf/makehuman_male_cmu31.glb",
            "--pose knee.json --methods dual-quaternion,dual-quaternion+flesh --focus LeftLeg --view 60,10 --size 1000x500",
            "flesh-knee",
        ),
        pose("LeftLeg", "0.995, 0.1, 0.004", 84, "knee-90.json"),
        bones("reference"),
        bones("anatomical"),
    ])
}

/// The bones of a preset in that knee.
fn bones(preset: &str) -> String {
    let options = "--pose knee-90.json --show bones --focus LeftLeg --view 60,10 --size 560x480";
    let file = "data/gltf/makehuman_male_cmu31.glb";
    render(file, &format!("{options} --bones {preset}"), &format!("bones-{preset}"))
}

/// A figure that walks without weights.
fn cage() -> Section {
    Section::of_lines([
        format!("sinew cage drive {MANNEQUIN} --clip walk --vertices 700 --offset 0.008 -o caged.glb"),
        render("caged.glb", "--time 0,0.3,0.6 --view 40,5 --size 1000x500", "cage-walk"),
    ])
}

/// A fox that eight markers move.
fn fox_cage() -> Section {
    let recipe = "--recipe docs/recipes/fox.sinew.toml";
    let mut section =
        Section::of_lines([format!("sinew bake {FOX} --clip Run --fps 24 --skin linear -o {}.obj", FOX_CAPTURE.stem)]);
    section.steps.push(Step::Capture(FOX_CAPTURE));
    let mut lines = vec![
        format!("sinew cage build {FOX} {recipe} -o fox.cage"),
        format!("sinew cage build {FOX} {recipe} -o fox-cage.glb"),
        render("fox-cage.glb", "--wireframe --view 60,8 --size 700x420", "cage-fox"),
    ];
    for limits in ["off", "on"] {
        lines.push(format!(
            "sinew cage drive fox.cage --markers {} --marker-scale 1 --fps 24 {recipe} --limits {limits} \
             -o limits-{limits}.glb",
            FOX_CAPTURE.output
        ));
        lines.push(render(
            &format!("limits-{limits}.glb"),
            "--time 0.1,0.3,0.5 --view 60,8 --size 1200x460",
            &format!("cage-limits-{limits}"),
        ));
    }
    section.steps.extend(lines.into_iter().map(Step::Shell));
    section
}

fn muscles() -> Section {
    let curl = r#"--clip "elbow curl" --time 0.8"#;
    let sketch = |name: &str| format!("sinew muscle sketch docs/sketches/{name}.svg -o docs/images/sketch-{name}.svg");
    let leg = "--show muscles --focus LeftLeg --view 15,0 --size 420x560";
    Section::of_lines([
        render(
            MANNEQUIN,
            &format!("{curl} --muscles humanoid --show muscles --view 30,6 --size 900x700"),
            "muscles-ecorche",
        ),
        render(
            MANNEQUIN,
            &format!(
                "{curl} --methods dual-quaternion+implicit,dual-quaternion+implicit+muscles \
                 --recipe docs/recipes/muscle-curl.sinew.toml --focus LeftForeArm --view 20,10 --size 1200x520"
            ),
            "muscles-curl",
        ),
        sketch("two-bellies"),
        sketch("biceps"),
        render(MANNEQUIN, &format!("--muscles humanoid {leg}"), "muscles-set"),
        render(MANNEQUIN, &format!("--recipe docs/recipes/muscle-sketch.sinew.toml {leg}"), "muscles-sketch"),
    ])
}

fn fox_muscles() -> Section {
    let options = "--muscles quadruped --show muscles --view 80,12 --size 760x520";
    Section::of_lines([render(FOX, options, "muscles-fox")])
}

fn captured_muscles() -> Section {
    let jump = "--motion data/mocap/cmu30/jump__13_11.bvh --time 2.5,2.5667,2.6333 --color displacement";
    let picture = |name: &str, camera: &str| {
        let options = format!("{jump} --recipe docs/recipes/muscle-{name}.sinew.toml {camera} --size 1200x460");
        render("data/gltf/makehuman_male_cmu31.glb", &options, &format!("muscles-{name}"))
    };
    let calf = "--focus LeftLeg --view 120,5";
    Section::of_lines([picture("loose", calf), picture("stiff", calf), picture("belly", "--focus Spine --view 60,5")])
}

/// A step that is higher than it was captured.
fn motion() -> Section {
    let walk = "--clip walk --time 0.2333,0.3667,0.5 --skeleton --view 70,5 --size 1000x420";
    Section::of_lines([
        format!(
            "sinew motion edit {MANNEQUIN} --clip walk --range 1:22 --pin RightFoot@11+=0,0.22,0.05 \
             --pin LeftFoot@7+=0,0,0 --pin LeftFoot@11+=0,0,0 --pin LeftFoot@15+=0,0,0 -o step.glb"
        ),
        render(MANNEQUIN, walk, "walk-mannequin"),
        render("step.glb", walk, "walk-step"),
    ])
}

/// The belly folds of an animal that bends its back.
fn belly() -> Section {
    let poses = [8, 11, 14].map(|degrees| {
        let file = format!("{degrees}.json");
        let options = format!(
            "--pose {file} --methods linear,linear+exact --recipe docs/recipes/belly.sinew.toml --view 115,0 \
             --size 760x400"
        );
        let picture = render("data/gltf/spot_rigged.glb", &options, &format!("belly-{degrees}"));
        [pose("back-back", "1, 0, 0", -degrees, &file), picture]
    });
    Section::of_lines(poses.concat())
}
