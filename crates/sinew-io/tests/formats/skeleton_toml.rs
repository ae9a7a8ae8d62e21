//! Plain skeleton files: what they mean, what is wrong with them, and that they survive writing.

use glam::DVec3;
use sinew::rig::{Character, JointKind};
use sinew_io::{Asset, Format, skeleton_toml};
use sinew_testing::shared_data;

const ARM: &str = r#"
# A comment.
[[joint]]
name = "hand"
parent = "arm"
head = [1, 0.5, 0]
tail = [1.5, 0.5, 0.0]

[[joint]]
name = "arm"
head = [0, 0, 0]
tail = [1, 0.5, 0]
"#;

fn read(text: &str) -> Result<Character, String> {
    skeleton_toml::read(text.as_bytes()).map(|asset| asset.character).map_err(|problem| problem.to_string())
}

#[test]
fn joints_stand_at_their_heads_and_leaves_end_at_their_tails() {
    let arm = read(ARM).unwrap();
    let names: Vec<_> = arm.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["arm", "hand"], "parents come first");
    let world = arm.skeleton.rest_world();
    assert!(world[0].translation.length() < 1e-12);
    assert!(world[1].translation.distance(DVec3::new(1.0, 0.5, 0.0)) < 1e-12);
    assert_eq!(arm.skeleton.joints()[0].tip, None);
    let tip = world[1].transform_point3(arm.skeleton.joints()[1].tip.unwrap());
    assert!(tip.distance(DVec3::new(1.5, 0.5, 0.0)) < 1e-12);
    arm.check().unwrap();
}

/// Every message names the line and the thing.
#[test]
fn errors_name_their_line() {
    for (text, words) in [
        ("", &["no [[joint]]"][..]),
        ("# nothing\n", &["no [[joint]]"]),
        (&ARM.replace("parent = \"arm\"", "parent = \"am\""), &["line 5", "\"hand\"", "\"am\"", "no such joint"]),
        (&ARM.replace("\"hand\"", "\"arm\""), &["line 10", "\"arm\" already", "line 4"]),
        (&ARM.replace("\"hand\"", "\"\""), &["line 4", "needs a name"]),
        (&ARM.replace("name = \"arm\"", "name = \"arm\"\nparent = \"hand\""), &["line 4", "cycle", "\"hand\""]),
        (&ARM.replace("parent = \"arm\"", "parent = \"hand\""), &["line 4", "cycle", "\"hand\""]),
        (&ARM.replace("[1.5,", "[nan,"), &["line 7", "tail of \"hand\"", "not finite"]),
        (&ARM.replace("[0, 0, 0]", "[0, -inf, 0]"), &["line 11", "head of \"arm\""]),
        (&ARM.replace("[0, 0, 0]", "[0, 1e300, 0]"), &["line 11", "head of \"arm\""]),
        (&ARM.replace("[0, 0, 0]", "[0, 0]"), &["line 11", "3"]),
        (&ARM.replace("[0, 0, 0]", "[0, 0, 0, 0]"), &["line 11", "3"]),
        (&ARM.replace("[0, 0, 0]", "\"here\""), &["line 11"]),
        (&ARM.replace("head = [0, 0, 0]\n", ""), &["line 9", "head"]),
        (&ARM.replace("tail = [1, 0.5, 0]", "tial = [1, 0.5, 0]"), &["line 12", "tial", "tail"]),
        (&ARM.replace("[[joint]]", "[[bone]]"), &["line 3", "bone", "joint"]),
        (&ARM.replace("head = [1,", "head = [1 1"), &["line 6"]),
    ] {
        let error = read(text).unwrap_err();
        println!("{error}");
        for word in words {
            assert!(error.contains(word), "{word:?} is not in {error:?}");
        }
        assert!(!error.contains('\n'), "one line: {error:?}");
    }
    assert!(skeleton_toml::read(b"\xff\xfe").unwrap_err().to_string().contains("UTF-8"));
}

#[test]
fn long_chains_are_read_without_recursion() {
    let joint = |k: usize| {
        let parent = if k == 0 { String::new() } else { format!("parent = \"{}\"\n", k - 1) };
        format!("[[joint]]\nname = \"{k}\"\n{parent}head = [0, {k}, 0]\ntail = [0, {}, 0]\n", k + 1)
    };
    let text: String = (0..20_000).rev().map(joint).collect();
    let chain = read(&text).unwrap();
    assert_eq!(chain.skeleton.len(), 20_000);
    let world = chain.skeleton.rest_world();
    assert!(world[19_999].translation.distance(DVec3::Y * 19_999.0) < 1e-6);
}

fn assert_joints_survive(name: &str, asset: &Asset) {
    let character = &asset.character;
    let text = skeleton_toml::write(asset).unwrap();
    let again = skeleton_toml::read(&text).unwrap_or_else(|problem| panic!("{name}: {problem}")).character;
    let (before, after) = (character.skeleton.rest_world(), again.skeleton.rest_world());
    let size = before.iter().map(|m| m.translation.length()).fold(0.0, f64::max);
    assert_eq!(again.skeleton.len(), character.joints().count(), "{name}");
    for joint in character.joints() {
        let what = &character.skeleton.joints()[joint];
        let found = again.skeleton.find(&what.name).unwrap();
        let distance = after[found].translation.distance(before[joint].translation);
        assert!(distance <= 1e-6 * size, "{name}: {} is {distance} away", what.name);
        let tip = |world: &[glam::DAffine3], joint: usize, tip: Option<DVec3>| {
            tip.map(|tip| world[joint].transform_point3(tip))
        };
        let is_leaf = again.skeleton.joints().iter().all(|other| other.parent != Some(found));
        let written = tip(&before, joint, what.tip).filter(|_| is_leaf);
        let kept = tip(&after, found, again.skeleton.joints()[found].tip);
        assert!(written.is_none_or(|written| kept.unwrap().distance(written) <= 1e-5 * size), "{name}: {}", what.name);
        let above = again.skeleton.joints()[found].parent.map(|parent| again.skeleton.joints()[parent].name.clone());
        let mut expected = what.parent;
        while let Some(node) = expected.filter(|&node| character.skeleton.joints()[node].kind == JointKind::Node) {
            expected = character.skeleton.joints()[node].parent;
        }
        assert_eq!(above, expected.map(|joint| character.skeleton.joints()[joint].name.clone()), "{name}");
    }
}

#[test]
fn joints_survive_writing_and_reading() {
    assert_joints_survive("mannequin", &Asset::new(sinew::demo::character(), Format::Glb));
    let strange = ARM.replace("\"hand\"", r#""a \"b\"\n\\c""#);
    assert_joints_survive("strange names", &skeleton_toml::read(strange.as_bytes()).unwrap());
    let files = shared_data::gltf_files().into_iter().chain(shared_data::motions().into_iter().take(1));
    for path in files {
        let asset = sinew_io::load(&path).unwrap();
        let mut names: Vec<_> = asset.character.joints().map(|j| &asset.character.skeleton.joints()[j].name).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(_) => assert!(skeleton_toml::write(&asset).unwrap_err().to_string().contains("rename them")),
            None => assert_joints_survive(&path.display().to_string(), &asset),
        }
    }
}

#[test]
fn what_has_no_joints_is_not_written() {
    let nothing = Asset::new(Character::default(), Format::Glb);
    assert!(skeleton_toml::write(&nothing).unwrap_err().to_string().contains("no joint"));
}

#[test]
fn a_file_is_read_by_its_extension() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.toml");
    std::fs::write(&path, ARM).unwrap();
    let asset = sinew_io::load(&path).unwrap();
    assert_eq!((asset.format, asset.meters_per_unit, asset.character.name.as_str()), (Format::Toml, None, "arm"));
    sinew_io::save(&folder.path().join("copy.toml"), &asset).unwrap();
    let copy = sinew_io::load(&folder.path().join("copy.toml")).unwrap();
    assert_eq!(copy.character.skeleton.len(), 2);
}
