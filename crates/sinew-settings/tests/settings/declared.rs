//! What follows from a declaration.

use sinew_settings::{Keys, Settings, choices, commented, settings, typescript};
use std::collections::BTreeMap;

choices! {
    /// A colour.
    pub enum Colour = Blue {
        /// As blood.
        Red = "red",
        /// As the sky.
        Blue = "blue",
    }
}

settings! {
    /// A pin.
    pub struct Pin {
        /// Its joint.
        joint: String = String::new(), required();
        /// How far it is moved.
        offset: Option<[f64; 3]> = None, within(-1.0, 1.0), unit("m");
        /// Whether it is loose.
        loose: bool = false, brief();
    }
}

settings! {
    /// A limit.
    #[derive(Copy)]
    pub struct Limit {
        /// How far it swings.
        swing: f64 = 180.0, within(0.0, 180.0), unit("degrees");
    }
}

settings! {
    /// Everything.
    pub struct Everything {
        /// Its colour.
        colour: Colour = Colour::Blue;
        /// How many there are.
        count: usize = 3, within(1.0, 9.0);
        /// How large it is. A sentence that is long enough to make the comment longer than a line of a screen is wide,
        /// so that it goes on in the next.
        size: Option<f64> = None, above(0.0, 2.0), unit("limb radii"), shown("1.5");
        /// Its curve.
        curve: Option<Vec<[f64; 2]>> = None, places("angle", 0.0, 180.0, "degrees"), within(0.0, 1.0), shown("[[0, 1]]");
        /// A target.
        target: Keys = Keys::Constant(1.0), above(0.0, 10.0), places("time", 0.0, 60.0, "s"), noun("a target");
        /// Names, of which one is no "x".
        names: Vec<String> = Vec::new(), count(0, 2) => |names| no_x(names);
        /// Pins.
        pins: Vec<Pin> = Vec::new(), example("", &["joint = \"Hand\""]);
        /// Limits of joints.
        limits: BTreeMap<String, Limit> = BTreeMap::new(), example("Arm", &["swing = 90.0"]);
        /// The common limit.
        limit: Limit = Limit::default();
    }
    and {
        /// No setting.
        line: usize,
    }
}

fn no_x(names: &[String]) -> Result<(), String> {
    if names.iter().any(|name| name == "x") { Err("x is no name".into()) } else { Ok(()) }
}

fn some() -> Everything {
    let pin = Pin { joint: "a \"b\"\n".into(), offset: Some([0.5, -0.0, 1.0]), loose: true };
    Everything {
        colour: Colour::Red,
        size: Some(0.1),
        target: Keys::Curve(vec![[0.0, 1.0], [2.0, 3.0]]),
        pins: vec![pin, Pin { joint: "c".into(), ..Pin::default() }],
        limits: BTreeMap::from([("Left arm".into(), Limit { swing: 30.0 })]),
        ..Everything::default()
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    assert_eq!(toml::from_str::<Everything>("").unwrap(), Everything::default());
    let read: Everything = toml::from_str("count = 5\n[limit]\nswing = 10").unwrap();
    assert_eq!(read, Everything { count: 5, limit: Limit { swing: 10.0 }, ..Everything::default() });
}

#[test]
fn mistakes_name_their_line() {
    for (text, line, words) in [
        ("colour = \"red\"\ncount = 0", 2, "count must be from 1 to 9, not 0"),
        ("count = -1", 1, "count must be from 1 to 9, not -1"),
        ("\ncount = 1.5", 2, "invalid type"),
        ("colour = \"green\"", 1, "expected `red` or `blue`"),
        ("size = 0", 1, "size must be above 0 and at most 2 limb radii, not 0"),
        ("size = nan", 1, "not NaN"),
        ("curve = []", 1, "at least one point"),
        ("curve = [[0, 1], [0, 1]]", 1, "the angles of a curve must increase, but 0 comes after 0"),
        ("curve = [[181, 1]]", 1, "the angle of a curve's point must be from 0 to 180 degrees, not 181"),
        ("curve = [[1, 2]]", 1, "the value of a curve's point must be from 0 to 1, not 2"),
        ("target = 0", 1, "a target must be above 0 and at most 10, not 0"),
        ("target = [[1, 1],\n[1, 2]]", 1, "the times of a curve must increase"),
        ("target = \"big\"", 1, "pairs of seconds and value"),
        ("names = [\"a\", \"b\", \"c\"]", 1, "names must have 0 to 2 entries, not 3"),
        ("count = 1\nnames = [\"x\"]", 2, "x is no name"),
        ("[[pins]]\noffset = [0, 0, 2]", 2, "offset must be from -1 to 1 m, not 2"),
        ("[[pins]]\nloose = true", 1, "missing field `joint`"),
        ("[limits.a]\nswng = 1", 2, "unknown field `swng`, expected `swing`"),
    ] {
        let error = toml::from_str::<Everything>(text).unwrap_err().to_string();
        assert!(error.contains(&format!("line {line},")) && error.contains(words), "{text:?} gave {error}");
    }
}

#[test]
fn a_commented_text_reads_back() {
    for settings in [Everything::default(), some()] {
        let text = commented(&settings, &toml::Table::new());
        assert_eq!(toml::from_str::<Everything>(&text).unwrap(), settings, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
        for key in Everything::TABLE.keys {
            assert!(text.contains(key.name), "{} is not in {text}", key.name);
        }
    }
}

#[test]
fn a_commented_text_shows_what_holds() {
    let held = toml::Table::from_iter([("size".into(), toml::Value::Float(1.0))]);
    let text = commented(&Everything::default(), &held);
    for words in [
        "# How large it is. ",
        "Above 0 and at most 2 limb radii.\n#size = 1.0\n",
        "#   \"red\": As blood.\n",
        "#[[pins]]\n#joint = \"Hand\"\n",
        "#[limits.Arm]\n#swing = 90.0\n",
        "[limit]\n# The common limit.\n\n# How far it swings. From 0 to 180 degrees.\nswing = 180.0\n",
    ] {
        assert!(text.contains(words), "{words:?} is not in {text}");
    }
}

#[test]
fn a_page_has_types_and_limits() {
    let types = typescript::types(&[&Everything::TABLE]);
    for words in [
        "export type Colour = \"red\" | \"blue\";",
        "  colour: Colour;",
        "  curve?: Point[];",
        "  offset?: Vector3;",
        "  loose?: boolean;",
        "  target: Keys;",
        "  limits: Record<string, Limit>;",
        "  /** How far it swings. From 0 to 180 degrees. */\n  swing: number;",
    ] {
        assert!(types.contains(words), "{words:?} is not in {types}");
    }
    let schema = typescript::schema(&[&Everything::TABLE]);
    let swing = "    swing: { kind: \"number\", min: 0, max: 180, unit: \"degrees\", default: 180, about: \"How far it swings.\" },";
    assert!(schema.contains(swing), "{schema}");
    assert!(schema.contains("places: { min: 0, max: 180, unit: \"degrees\" }"), "{schema}");
    assert!(schema.contains("above: 0, max: 2"), "{schema}");
}

#[test]
fn options_of_the_command_line_are_checked() {
    let count = Everything::key("count");
    assert_eq!(count.parser::<usize>()("4"), Ok(4));
    assert_eq!(count.parser::<usize>()("10"), Err("count must be from 1 to 9, not 10".into()));
    assert_eq!(count.default_text().as_deref(), Some("3"));
    assert_eq!(Everything::key("colour").parser::<Colour>()("blue"), Ok(Colour::Blue));
    assert!("green".parse::<Colour>().unwrap_err().contains("red, blue"));
}
