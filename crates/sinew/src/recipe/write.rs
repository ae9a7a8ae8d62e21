//! A recipe as text: every key with its value, what it means and its unit, ready to edit.
//!
//! Keys of profiles whose default depends on the kind are written as comments, so that another kind brings
//! its own defaults.

use super::{
    ControllerKind, DEFAULT_SIZE, GammaSource, JointFieldOptions, LimitRecipe, MotionRecipe, OperatorKind, PinRecipe,
    ProfileKind, ProfileOptions, Recipe, RefineOptions, ShakeOptions, Target, TurnRecipe, VolumeMethod,
};
use sinew_deform::muscle::{Keys, MuscleChange, NamedFat, Place};
use sinew_deform::skinning::SkinMethod;
use sinew_settings::limits::{MAX_FPS, MAX_STEPS, SAMPLES};
use std::fmt::Display;

impl Recipe {
    /// Every key with its value and a comment, ready to edit. [`Recipe::from_toml`] reads it back.
    pub fn to_toml(&self) -> String {
        let mut text = Text(String::from("# A recipe for sinew.\n"));
        text.about("What is left out has its default, and options of a command win over it.");
        text.about("A key behind a # shows what holds without it; remove the # to set it.");
        text.table("[skin]");
        text.about(&format!(
            "How the skin follows the joints: {} (optimised centres of rotation).",
            one_of(&SkinMethod::ALL.map(SkinMethod::name))
        ));
        text.key("method", quoted(self.skin.method.name()));
        self.write_implicit(&mut text);
        self.write_muscles(&mut text);
        self.write_volume(&mut text);
        text.table("[bake]");
        text.about(&format!("Frames per second, above 0 and at most {MAX_FPS}."));
        text.key("fps", number(self.bake.fps));
        self.write_motion(&mut text);
        self.write_cage(&mut text);
        text.0
    }

    fn write_motion(&self, text: &mut Text) {
        let MotionRecipe { range, keep_contacts, stay, free_start, free_end, pins, limits } = &self.motion;
        text.table("[motion]");
        text.about(
            "What \"sinew motion edit\" changes in a clip; the guide is docs/motion-editing.md in Sinew's source.",
        );
        text.about("The first and the last frame that may change, from 0 in the clip's own frames; without it all.");
        match range {
            Some([first, last]) => text.key("range", format_args!("[{first}, {last}]")),
            None => text.key("#range", "[30, 90]"),
        }
        text.about("Whether feet that stand stay where they stand.");
        text.key("keep_contacts", keep_contacts);
        text.about(
            "How strongly everything is drawn to the source, 0 to 1000000: larger keeps an edit nearer to its pins.",
        );
        text.key("stay", number(*stay));
        text.about("Whether the clip's first and last frames may change, where the range has them.");
        text.key("free_start", free_start);
        text.key("free_end", free_end);
        text.about(
            "Joints that are to be somewhere in a frame: at a position of the world, or by an offset from where",
        );
        text.about("they are, and turned about an axis of the world if one wants, in the file's units and axes.");
        text.0 += "#[[motion.pins]]\n#joint = \"LeftFoot\"\n#frame = 60\n#offset = [0.0, 0.3, 0.0]\n";
        text.0 += "#turn = { axis = [1.0, 0.0, 0.0], degrees = 20.0 }\n";
        for PinRecipe { joint, frame, position, offset, turn } in pins {
            text.table("[[motion.pins]]");
            text.key("joint", quoted(joint));
            text.key("frame", frame);
            for (key, place) in [("position", position), ("offset", offset)] {
                if let Some(place) = place {
                    text.key(key, three(*place));
                }
            }
            if let Some(TurnRecipe { axis, degrees }) = turn {
                text.key("turn", format_args!("{{ axis = {}, degrees = {degrees:?} }}", three(*axis)));
            }
        }
        text.about(
            "How far joints may turn from their rest: the swing of the bone and the twist about it, in degrees.",
        );
        text.0 += "#[motion.limits.LeftForeArm]\n#swing = 150.0\n#twist = 90.0\n";
        for (joint, LimitRecipe { swing, twist }) in limits {
            text.table(&format!("[motion.limits.{}]", quoted(joint)));
            text.key("swing", number(*swing));
            text.key("twist", number(*twist));
        }
    }

    fn write_implicit(&self, text: &mut Text) {
        let implicit = &self.implicit;
        text.table("[implicit]");
        text.about(
            "Whether joints that bend keep their shape and their two sides apart, with the fields of their limbs;",
        );
        text.about("the guide, with pictures, is docs/implicit.md in Sinew's source.");
        text.key("on", implicit.on);
        text.about("Whether a frame goes on from the frame before: faster, but a frame is not the same by itself.");
        text.key("continues", implicit.continues);
        text.about(&format!(
            "Samples of a limb's surface that its field goes through at first, {} to {}.",
            SAMPLES.start(),
            SAMPLES.end()
        ));
        text.key("samples", implicit.samples);
        text.about(
            "Whether the fields, which take a second or two to find, are kept for the next time: in a file beside the",
        );
        text.about("character, with its name and \".sinew-fields\".");
        text.key("keep", implicit.keep);
        text.about("Names of meshes that are left as they are.");
        text.key("leave_out", list(implicit.leave_out.iter().map(|name| quoted(name))));
        text.table("[implicit.joint]");
        text.about("What happens at every joint that has no table of its own.");
        for (name, about, value, otherwise) in joint_field_keys(&implicit.joint) {
            text.about(&about);
            match value {
                Some(value) => text.key(name, value),
                None => text.key(&format!("#{name}"), otherwise),
            }
        }
        text.about(
            "What happens at single joints, with what is left out as above. A joint that is named does what it is",
        );
        text.about("told; all others are tried first, and left alone where they would make more crossings.");
        text.0 += "#[implicit.joints.LeftForeArm]\n#operator = \"bulge\"\n#amount = 0.5\n";
        for (name, joint) in &implicit.joints {
            text.table(&format!("[implicit.joints.{}]", quoted(name)));
            for (name, _, value, _) in joint_field_keys(joint) {
                if let Some(value) = value {
                    text.key(name, value);
                }
            }
        }
        text.about(
            "Samples of single limbs, by the joint that carries them, instead of those that are found: a point of the",
        );
        text.about("rest pose and the direction outwards there, six numbers each, in the file's units and axes.");
        text.0 += "#[implicit.limbs.LeftForeArm]\n#samples = [[0.4, 1.2, 0.05, 0.0, 0.0, 1.0], ...]\n";
        for (name, limb) in &implicit.limbs {
            text.table(&format!("[implicit.limbs.{}]", quoted(name)));
            text.key("samples", list(limb.samples.iter().map(|sample| list(sample.map(number)))));
        }
    }

    fn write_muscles(&self, text: &mut Text) {
        let muscles = &self.muscles;
        text.table("[muscles]");
        text.about(
            "Which muscles are under the skin: \"off\", \"humanoid\", \"quadruped\", or the file of a set, seen from",
        );
        text.about("this one. The guide, with pictures, is docs/muscles.md in Sinew's source.");
        text.key("set", quoted(&muscles.set));
        text.about("How much of what they do the skin shows, 0 to 1.");
        text.key("amount", number(muscles.amount));
        text.about("How much the motion itself tenses muscles that have no keys, 0 to 1.");
        text.key("auto", number(muscles.auto));
        text.about(
            "How tense all muscles are that say nothing else, above 0 and at most 1: less shakes more. Without it",
        );
        text.about("as the set has it.");
        match muscles.stiffness {
            Some(stiffness) => text.key("stiffness", number(stiffness)),
            None => text.key("#stiffness", number(0.9)),
        }
        text.about("The share of its velocity that a muscle keeps in 1/300 s, above 0 and at most 1.");
        text.key("damping", number(muscles.damping));
        text.about("The share that it loses of what it slides over a bone in that time, 0 to 1.");
        text.key("friction", number(muscles.friction));
        text.about("Whether the skin is kept from passing through itself where muscles swell.");
        text.key("contacts", muscles.contacts);
        text.about("Names of meshes that are left as they are.");
        text.key("leave_out", list(muscles.leave_out.iter().map(|name| quoted(name))));
        text.about("Names of closed meshes that are bones, in place of capsules.");
        text.key("bones", list(muscles.bones.iter().map(|name| quoted(name))));
        text.about(
            "What is different about single muscles, on both sides or with \"left \" or \"right \" before the name:",
        );
        text.about(
            "activation, width (a factor), eccentricity and stiffness as one value or as pairs of seconds and value;",
        );
        text.about(
            "off = true, or from, through, to, fibres, radius, shape, series, part, group and deep as in the file of a",
        );
        text.about(
            "set; or sketch = \"biceps.svg\", an SVG or PNG file beside this one in which its profile is drawn.",
        );
        text.0 += "#[muscles.muscle.\"biceps brachii\"]\n#activation = [[0.0, 0.0], [1.5, 1.0]]\n#width = 1.1\n";
        for (name, change) in &muscles.muscle {
            text.table(&format!("[muscles.muscle.{}]", quoted(name)));
            for (key, value) in change_keys(change) {
                text.key(key, value);
            }
        }
        text.about(
            "Fat beside that of the set: an ellipsoid that swings, with half its lengths along, to the front and out.",
        );
        text.0 += "#[[muscles.fat]]\n#name = \"belly\"\n#at = [\"lumbar\", 0.3, 0.45, 0.0]\n#radii = [0.25, 0.3, 0.5]\n#stiffness = 0.1\n";
        for NamedFat { name, at, radii, stiffness } in &muscles.fat {
            text.table("[[muscles.fat]]");
            text.key("name", quoted(name));
            text.key("at", place(at));
            text.key("radii", three(*radii));
            text.key("stiffness", number(*stiffness));
        }
    }

    fn write_volume(&self, text: &mut Text) {
        let volume = &self.volume;
        text.table("[volume]");
        text.about("The guide, with pictures and ready-made recipes, is docs/volume.md in Sinew's source.");
        text.about(&format!(
            "How the volume that the skin loses or gains is undone: {}.",
            one_of(&VolumeMethod::ALL.map(VolumeMethod::name))
        ));
        text.about(
            "\"exact\" goes axis after axis with the profiles below, \"linear\" all axes at once and only nearly,",
        );
        text.about("\"normal\" along the normals, \"laplacian\" along the normals and smoothly.");
        text.key("method", quoted(volume.method.name()));
        text.about(&format!(
            "Where it is undone: {}. The first is the shapes below, the others are",
            one_of(&GammaSource::ALL.map(GammaSource::name))
        ));
        text.about("[1 - w^q]^p of the skin weights w, smoothly or of the largest weight alone.");
        text.key("gamma", quoted(volume.gamma.name()));
        text.about("p and q of that formula, above 0 and at most 100.");
        text.key("weights_p", number(volume.weights_p));
        text.key("weights_q", number(volume.weights_q));
        text.about(
            "A painted vertex attribute, such as \"_GAMMA\" or \"COLOR_0\": its first number, 0 to 1, multiplies",
        );
        text.about("the correction, and where it is 0 the skin stays as it is. Empty for none.");
        text.key("paint", quoted(&volume.paint));
        text.about("For \"laplacian\": how much smoothness weighs against small displacements, 0 to 1000000.");
        text.key("smoothness", number(volume.smoothness));
        text.about("Whether the two sides of a sharp bend are kept apart.");
        text.key("contacts", volume.contacts);
        text.about("Names of meshes that are left as they are.");
        text.key("leave_out", list(volume.leave_out.iter().map(|name| quoted(name))));
        text.about(
            "The volume to have, as a share of the rest volume: a number, or pairs of seconds and share that are",
        );
        text.about("joined by a smooth curve, such as [[0.0, 1.0], [1.5, 1.1], [3.0, 1.0]] for a breath.");
        let target = match &volume.target {
            Target::Constant(share) => number(*share),
            Target::Curve(points) => pairs(points),
        };
        text.key("target", target);
        text.about("The joint around which a target other than 1 breathes; empty for the whole surface.");
        text.key("target_joint", quoted(&volume.target_joint));

        text.table("[volume.profile]");
        text.about("The shape of the correction at every joint that has no table of its own.");
        text.profile(&volume.profile);

        text.about("The shape at single joints. A joint that names its own kind takes nothing from [volume.profile];");
        text.about("otherwise what it leaves out comes from there.");
        text.0 += "#[volume.joints.LeftForeArm]\n#kind = \"muscle\"\n#size = 1.5\n";
        for (name, profile) in &volume.joints {
            text.table(&format!("[volume.joints.{}]", quoted(name)));
            for key in profile_keys(profile) {
                if let Some(value) = key.value {
                    text.key(key.name, value);
                }
            }
        }

        let RefineOptions { steps, threshold } = volume.refine;
        text.table("[volume.refine]");
        text.about(&format!(
            "Steps of subdivision around the joints that bend, 0 to {MAX_STEPS}; 0 leaves the mesh as it is."
        ));
        text.key("steps", steps);
        text.about("Faces are subdivided where the correction's weight passes this, 0 to 1.");
        text.key("threshold", number(threshold));

        let ShakeOptions { frequency, damping } = volume.shake;
        text.table("[volume.shake]");
        text.about("How often the correction swings after a stop, in swings per second, 0 to 100; 0 for not at all.");
        text.key("frequency", number(frequency));
        text.about("The share of critical damping, above 0 and at most 10: small swings long, 1 does not overshoot.");
        text.key("damping", number(damping));
    }
}

/// The keys of what happens at a joint: name, comment, value, and what holds without one.
fn joint_field_keys(joint: &JointFieldOptions) -> [(&'static str, String, Option<String>, String); 4] {
    let JointFieldOptions { operator, controller, curve, amount } = joint;
    [
        (
            "operator",
            format!("How the two limbs become one: {}.", one_of(&OperatorKind::ALL.map(OperatorKind::name))),
            operator.map(|kind| quoted(kind.name())),
            quoted(OperatorKind::default().name()),
        ),
        (
            "controller",
            format!(
                "From which angle between the limbs on: {}: from 90 to\n\
                 120 degrees, 45 to 135, 90 to 180, or as the curve says.",
                one_of(&ControllerKind::ALL.map(ControllerKind::name))
            ),
            controller.map(|kind| quoted(kind.name())),
            quoted(ControllerKind::default().name()),
        ),
        (
            "curve",
            "For \"curve\": pairs of an angle in degrees, 0 to 180, and the effect there, 0 to 1.".into(),
            curve.as_deref().map(pairs),
            pairs(&[[90.0, 0.0], [120.0, 1.0]]),
        ),
        (
            "amount",
            "How much of it is wanted, 0 to 1; 0 leaves a joint as the skin has it.".into(),
            amount.map(number),
            number(1.0),
        ),
    ]
}

/// The keys that a change of a muscle sets.
fn change_keys(change: &MuscleChange) -> Vec<(&'static str, String)> {
    let places = |places: &Option<Vec<Place>>| places.as_ref().map(|places| list(places.iter().map(place)));
    let keys = |keys: &Option<Keys>| {
        keys.as_ref().map(|keys| match keys {
            Keys::Constant(value) => number(*value),
            Keys::Curve(points) => pairs(points),
        })
    };
    let all = [
        ("off", change.off.then(|| "true".into())),
        ("from", places(&change.from)),
        ("through", places(&change.through)),
        ("to", places(&change.to)),
        ("fibres", change.fibres.map(|count| count.to_string())),
        ("radius", change.radius.map(number)),
        ("shape", change.shape.map(|shape| list(shape.map(|value| value.to_string())))),
        ("series", change.series.as_ref().map(|series| list(series.iter().copied().map(number)))),
        ("sketch", change.sketch.as_ref().map(|sketch| quoted(&sketch.file))),
        ("part", change.part.map(|part| quoted(part.name()))),
        ("group", change.group.as_deref().map(quoted)),
        ("deep", change.deep.map(|deep| deep.to_string())),
        ("activation", keys(&change.activation)),
        ("eccentricity", keys(&change.eccentricity)),
        ("width", keys(&change.width)),
        ("stiffness", keys(&change.stiffness)),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn place(&(segment, along, front, out): &Place) -> String {
    list([quoted(segment.name()), number(along), number(front), number(out)])
}

/// A key of a profile.
struct ProfileKey {
    name: &'static str,
    /// What the file sets it to.
    value: Option<String>,
    /// What holds where the file says nothing; an example for curves.
    otherwise: String,
    about: String,
}

fn profile_keys(profile: &ProfileOptions) -> [ProfileKey; 11] {
    let defaults =
        ProfileOptions { kind: profile.kind, ..ProfileOptions::default() }.resolve(&ProfileOptions::default());
    let key = |name, value, otherwise, about: &str| ProfileKey { name, value, otherwise, about: about.into() };
    let kinds = one_of(&ProfileKind::ALL.map(ProfileKind::name));
    let curve = |points: &Option<Vec<[f64; 2]>>| points.as_deref().map(pairs);
    let hill = || pairs(&[[-1.5, 0.0], [0.0, 1.0], [1.5, 0.0]]);
    [
        key(
            "kind",
            profile.kind.map(|kind| quoted(kind.name())),
            quoted(defaults.kind.name()),
            &format!("Its kind: {kinds}."),
        ),
        key(
            "shares",
            profile.shares.map(three),
            three(defaults.shares.map(|share| (100.0 * share).round() / 100.0)),
            "Shares of the correction along the parent bone, along the axis of the bend, and towards its inside:\n\
             numbers from 0, which are divided by their sum.",
        ),
        key(
            "size",
            profile.size.map(number),
            number(DEFAULT_SIZE),
            "How far the correction reaches, in limb radii, above 0 and at most 100. Left out, it reaches less where the next joint\n\
             is near.",
        ),
        key(
            "stretch",
            profile.stretch.map(three),
            three([1.0; 3]),
            "The reach along each of these axes, in multiples of size.",
        ),
        key(
            "center",
            profile.center.map(number),
            number(defaults.center),
            "How far up the parent bone the middle lies, in limb radii, -100 to 100.",
        ),
        key(
            "frequency",
            profile.frequency.map(number),
            number(defaults.frequency),
            "For \"folds\" and \"blend\": waves per limb radius, 0 to 100.",
        ),
        key(
            "largest_bend",
            profile.largest_bend.map(number),
            number(defaults.largest_bend),
            "For \"blend\": the bend in degrees at which it has become all folds, above 0 and at most 180.",
        ),
        key(
            "amount",
            profile.amount.map(number),
            number(defaults.amount),
            "How much of the joint's change of volume is undone, 0 to 1.",
        ),
        key(
            "along",
            curve(&profile.along),
            hill(),
            "For \"curves\": pairs of place, in limb radii from the joint, and value from 0; along the parent bone,\n\
             along the axis of the bend, and towards its inside. For a curve that is left out the size decides.",
        ),
        key("across", curve(&profile.across), hill(), ""),
        key("inward", curve(&profile.inward), hill(), ""),
    ]
}

/// What a person reads and edits, growing line by line.
pub(super) struct Text(pub String);

impl Text {
    pub fn table(&mut self, header: &str) {
        self.0 += &format!("\n{header}\n");
    }

    /// A comment. Between it and the key before it is an empty line.
    pub fn about(&mut self, comment: &str) {
        let before = self.0.lines().last().unwrap_or_default();
        if !comment.is_empty() && !["# ", "["].iter().any(|start| before.starts_with(start)) {
            self.0.push('\n');
        }
        for line in comment.lines() {
            self.0 += &format!("# {line}\n");
        }
    }

    pub fn key(&mut self, name: &str, value: impl Display) {
        self.0 += &format!("{name} = {value}\n");
    }

    /// Every key of a profile: those that are set, and the others behind a #.
    fn profile(&mut self, profile: &ProfileOptions) {
        for ProfileKey { name, value, otherwise, about } in profile_keys(profile) {
            self.about(&about);
            match value {
                Some(value) => self.key(name, value),
                None => self.key(&format!("#{name}"), otherwise),
            }
        }
    }
}

pub(super) fn one_of(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// A number that is seen to be one with a fraction.
pub(super) fn number(value: f64) -> String {
    format!("{value:?}")
}

pub(super) fn three(values: [f64; 3]) -> String {
    list(values.map(number))
}

fn pairs(points: &[[f64; 2]]) -> String {
    list(points.iter().map(|&[x, y]| format!("[{x:?}, {y:?}]")))
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}

/// A basic string of TOML, which is also a key.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => quoted += &format!("\\u{:04X}", u32::from(control)),
            character => quoted.push(character),
        }
    }
    quoted + "\""
}
