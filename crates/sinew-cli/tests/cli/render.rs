//! `sinew render`.

use crate::bench::Bench;
use glam::Vec3;
use sinew_render::Image;
use sinew_render::testing::{Tolerance, compare, difference};
use std::path::Path;

/// A small picture of the tube.
fn picture(bench: &Bench, arguments: &[&str]) -> Image {
    let common = ["render", "tube.glb", "--size", "160x120", "-o", "out.png"];
    assert_eq!(bench.done(&[&common, arguments].concat()), "out.png\n");
    let image = Image::from_png(&bench.read("out.png")).unwrap();
    assert_eq!((image.width(), image.height()), (160, 120), "{arguments:?}");
    image
}

#[test]
fn every_colour_and_flag_gives_a_picture_of_its_own() {
    let bench = Bench::with_tube();
    let bent = ["--clip", "bend", "--time", "1.5"];
    let flags: [&[&str]; 10] = [
        &[],
        &["--color", "weight:bend"],
        &["--color", "displacement"],
        &["--color", "volume"],
        &["--wireframe"],
        &["--skeleton"],
        &["--skin", "linear"],
        &["--skin", "rigid"],
        &["--methods", "linear,dual-quaternion,centers"],
        &["--view", "-120,45"],
    ];
    let pictures = flags.map(|flag| picture(&bench, &[&bent, flag].concat()));
    for (a, first) in pictures.iter().enumerate() {
        for (b, second) in pictures.iter().enumerate().skip(a + 1) {
            let apart = difference(first, second).unwrap().pixels_beyond(8);
            assert!(apart > 20, "{:?} and {:?} differ in {apart} pixels", flags[a], flags[b]);
        }
    }
    let none = picture(&bench, &[&bent[..], &["--color", "none"]].concat());
    assert_eq!(none.to_srgb8(), pictures[0].to_srgb8());
}

#[test]
fn times_stand_side_by_side() {
    let bench = Bench::with_tube();
    let before = picture(&bench, &["--time", "-1"]);
    let one = picture(&bench, &["--time", "0.5"]);
    let three = picture(&bench, &["--clip", "bend", "--time", "-1,1,1.5"]);
    assert!(difference(&one, &three).unwrap().pixels_beyond(8) > 100);
    // Only the title distinguishes the time before the clip from its start.
    let apart = difference(&before, &one).unwrap();
    assert!(apart.pixels_beyond(8) < 1000, "{}", apart.pixels_beyond(8));
}

#[test]
fn the_bent_tube_looks_like_its_reference() {
    let bench = Bench::with_tube();
    let common = ["render", "tube.glb", "--size", "320x240", "--view", "75,20", "--color", "volume", "-o", "out.png"];
    let bent = ["--clip", "bend", "--time", "1.5", "--methods", "linear,dual-quaternion", "--skeleton"];
    bench.done(&[&common[..], &bent].concat());
    let image = Image::from_png(&bench.read("out.png")).unwrap();
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures/bent-tube.png");
    compare(&image, &reference, &Tolerance::default()).unwrap();
}

#[test]
fn skins_stand_beside_their_corrections() {
    let bench = Bench::with_tube();
    let bent = ["--clip", "bend", "--time", "1.5"];
    let drawn = |flags: &[&str]| picture(&bench, &[&bent, flags].concat());
    let both = drawn(&["--methods", "linear,linear+exact"]);
    assert_eq!(both.to_srgb8(), drawn(&["--methods", "linear+off,linear+exact"]).to_srgb8());
    // A method without a volume of its own has that of --volume, not that of the recipe.
    assert_eq!(
        drawn(&["--methods", "linear,centers", "--volume", "exact"]).to_srgb8(),
        drawn(&["--methods", "linear+exact,centers+exact"]).to_srgb8()
    );
    bench.write("r.sinew.toml", "[volume]\nmethod = \"exact\"\n");
    assert_eq!(drawn(&["--methods", "linear,linear+exact", "--recipe", "r.sinew.toml"]).to_srgb8(), both.to_srgb8());
    for flags in [&["--methods", "linear,linear+normal"][..], &["--methods", "linear,linear"]] {
        let apart = difference(&both, &drawn(flags)).unwrap().pixels_beyond(8);
        assert!(apart > 20, "titles name the method: {flags:?} differs in {apart} pixels");
    }
}

/// Linear skin against itself has no displacement, so only the legend differs.
#[test]
fn displacement_is_from_the_skin_alone_where_something_follows_it() {
    let bench = Bench::with_tube();
    let bent = ["--clip", "bend", "--time", "1.5", "--color", "displacement"];
    let drawn = |flags: &[&str]| picture(&bench, &[&bent, flags].concat());
    let from_linear = drawn(&["--skin", "dual-quaternion"]);
    let from_itself = drawn(&["--skin", "dual-quaternion", "--volume", "exact"]);
    assert!(difference(&from_linear, &from_itself).unwrap().pixels_beyond(8) > 20);
}

#[test]
fn bones_show_through_the_skin() {
    let bench = Bench::with_tube();
    let bent = ["--clip", "bend", "--time", "1"];
    let drawn = |flags: &[&str]| picture(&bench, &[&bent, flags].concat());
    let (skin, bones) = (drawn(&[]), drawn(&["--show", "bones"]));
    assert!(difference(&skin, &bones).unwrap().pixels_beyond(8) > 500);
    // They are those of the recipe.
    bench.write("r.sinew.toml", "[flesh.joints.bend]\nradius = 0.7\n");
    let thick = drawn(&["--show", "bones", "--recipe", "r.sinew.toml"]);
    assert!(difference(&thick, &bones).unwrap().pixels_beyond(8) > 100);
    bench.write("r.sinew.toml", "[flesh]\nbone_meshes = [\"femur\"]\n[flesh.joints.Bend]\nradius = 0.7\n");
    let answer = bench.run(&["render", "tube.glb", "--show", "bones", "--recipe", "r.sinew.toml", "-o", "out.png"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    for words in ["[flesh.joints]: there is no joint \"Bend\"", "bone_meshes: there is no mesh \"femur\""] {
        assert!(answer.stderr.contains(words), "{answer:?}");
    }
}

/// A bone that is a mesh is drawn as a bone, and an open one is refused.
#[test]
fn meshes_are_bones() {
    let bench = Bench::with_tube();
    let mut figure = bench.load("tube.glb").character;
    let mut bone = figure.parts[0].clone();
    bone.mesh.name = "bone".into();
    bone.mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(0.5 * p.x, 0.5 * p.y, 0.25 + 0.95 * p.z));
    figure.parts.push(bone.clone());
    bench.save("boned.glb", figure.clone());
    bench.write("r.sinew.toml", "[flesh]\nbone_meshes = [\"bone\"]\n");
    let render = ["--show", "bones", "--size", "160x120", "-o", "out.png"];
    let draw = |file: &str, more: &[&str]| bench.run(&[&["render", file], &render[..], more].concat());
    let picture = |more: &[&str]| {
        let answer = draw("boned.glb", more);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        (Image::from_png(&bench.read("out.png")).unwrap(), answer.stderr)
    };
    let ((own, _), (given, warning)) = (picture(&[]), picture(&["--recipe", "r.sinew.toml"]));
    assert!(difference(&own, &given).unwrap().pixels_beyond(8) > 100);
    assert!(warning.contains("bone mesh \"bone\" has 5"), "{warning}");
    let mesh = &mut figure.parts.last_mut().unwrap().mesh;
    mesh.faces.pop();
    mesh.primitives[0].faces.end -= 1;
    bench.save("open.glb", figure);
    let answer = draw("open.glb", &["--recipe", "r.sinew.toml"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(answer.stderr.contains("mesh \"bone\" is open along 3 edges"), "{answer:?}");
}
