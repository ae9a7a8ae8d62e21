//! Recipes that are written and read back, and mistakes in them.

use super::*;
use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use sinew_cage::EmbeddingMethod;
use sinew_deform::muscle::{Keys, MuscleChange, NamedFat, Segment, Sketch, Sketched};
use sinew_deform::skinning::SkinMethod;

fn skin() -> impl Strategy<Value = SkinOptions> {
    proptest::sample::select(SkinMethod::ALL.to_vec()).prop_map(|method| SkinOptions { method })
}

/// Points from left to right: places are small multiples of an odd fraction, so that digits are many.
fn curve(values: std::ops::Range<f64>) -> impl Strategy<Value = Vec<[f64; 2]>> {
    let places = btree_set(-300i32..300, 1..6);
    (places, vec(values, 6)).prop_map(|(places, values)| {
        places.into_iter().zip(values).map(|(place, value)| [f64::from(place) / 7.0, value]).collect()
    })
}

/// Shares of which at least one is above zero.
fn shares() -> impl Strategy<Value = [f64; 3]> {
    (0usize..3, 0.001..5.0f64, [0.0..5.0f64, 0.0..5.0, 0.0..5.0]).prop_map(|(axis, share, mut shares)| {
        shares[axis] = share;
        shares
    })
}

fn profile() -> impl Strategy<Value = ProfileOptions> {
    let kind = proptest::sample::select(ProfileKind::ALL.to_vec());
    let stretch = [0.01..9.0f64, 0.01..9.0, 0.01..9.0];
    (
        (option::of(kind), option::of(shares()), option::of(0.01..100.0f64), option::of(stretch)),
        (option::of(-100.0..100.0f64), option::of(0.0..100.0f64), option::of(0.01..180.0f64), option::of(0.0..1.0f64)),
        (option::of(curve(0.0..2.0)), option::of(curve(0.0..2.0)), option::of(curve(0.0..2.0))),
    )
        .prop_map(|(first, second, (along, across, inward))| {
            let (kind, shares, size, stretch) = first;
            let (center, frequency, largest_bend, amount) = second;
            ProfileOptions {
                kind,
                shares,
                size,
                stretch,
                center,
                frequency,
                largest_bend,
                amount,
                along,
                across,
                inward,
            }
        })
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![(0.01..100.0f64).prop_map(Target::Constant), curve(0.01..100.0).prop_map(Target::Curve)]
}

fn volume() -> impl Strategy<Value = VolumeOptions> {
    let method = proptest::sample::select(VolumeMethod::ALL.to_vec());
    let gamma = proptest::sample::select(GammaSource::ALL.to_vec());
    (
        (method, gamma, 0.01..100.0f64, 0.01..100.0f64, any::<String>(), 0.0..1e6f64, any::<bool>()),
        (vec(any::<String>(), 0..3), target(), any::<String>(), profile(), btree_map(any::<String>(), profile(), 0..4)),
        (0..=4usize, 0.0..=1.0f64, 0.0..=100.0f64, 0.01..10.0f64),
    )
        .prop_map(|(first, second, (steps, threshold, frequency, damping))| {
            let (method, gamma, weights_p, weights_q, paint, smoothness, contacts) = first;
            let (leave_out, target, target_joint, profile, joints) = second;
            VolumeOptions {
                method,
                gamma,
                weights_p,
                weights_q,
                paint,
                smoothness,
                contacts,
                leave_out,
                target,
                target_joint,
                profile,
                joints,
                refine: RefineOptions { steps, threshold },
                shake: ShakeOptions { frequency, damping },
            }
        })
}

fn three() -> impl Strategy<Value = [f64; 3]> {
    [-9.0..9.0f64, -9.0..9.0, -9.0..9.0]
}

fn motion() -> impl Strategy<Value = MotionRecipe> {
    let turn = (three(), -720.0..720.0f64).prop_map(|(axis, degrees)| TurnRecipe { axis, degrees });
    let pin = (any::<String>(), 0..9999usize, option::of(three()), option::of(three()), option::of(turn));
    let pin = pin.prop_map(|(joint, frame, position, offset, turn)| PinRecipe { joint, frame, position, offset, turn });
    let limit = (0.0..=180.0f64, 0.0..=180.0f64).prop_map(|(swing, twist)| LimitRecipe { swing, twist });
    let frames = option::of([0..999usize, 0..999]);
    let switches = [any::<bool>(), any::<bool>(), any::<bool>()];
    (frames, switches, 0.0..1e6f64, vec(pin, 0..4), btree_map(any::<String>(), limit, 0..3)).prop_map(
        |(range, [keep_contacts, free_start, free_end], stay, pins, limits)| MotionRecipe {
            range,
            keep_contacts,
            stay,
            free_start,
            free_end,
            pins,
            limits,
        },
    )
}

fn joint_field() -> impl Strategy<Value = JointFieldOptions> {
    let operator = option::of(proptest::sample::select(OperatorKind::ALL.to_vec()));
    let controller = option::of(proptest::sample::select(ControllerKind::ALL.to_vec()));
    let knot =
        (0.0..89.0f64, 0.0..=1.0f64, 90.0..=180.0f64, 0.0..=1.0f64).prop_map(|(a, x, b, y)| vec![[a, x], [b, y]]);
    (operator, controller, option::of(knot), option::of(0.0..=1.0f64))
        .prop_map(|(operator, controller, curve, amount)| JointFieldOptions { operator, controller, curve, amount })
}

fn implicit() -> impl Strategy<Value = ImplicitOptions> {
    let joints = btree_map(any::<String>(), joint_field(), 0..4);
    let normal = [-1.0..1.0f64, -1.0..1.0, 0.5..1.0];
    let sample = ([-1e3..1e3f64, -1e3..1e3, -1e3..1e3], normal).prop_map(|([x, y, z], [u, v, w])| [x, y, z, u, v, w]);
    let limb = vec(sample, 4..8).prop_map(|samples| LimbOptions { samples });
    let limbs = btree_map(any::<String>(), limb, 0..3);
    let switches = [any::<bool>(), any::<bool>(), any::<bool>()];
    (switches, 10..=200usize, vec(any::<String>(), 0..3), joint_field(), joints, limbs).prop_map(
        |([on, apart, keep], samples, leave_out, joint, joints, limbs)| ImplicitOptions {
            on,
            apart,
            samples,
            keep,
            leave_out,
            joint,
            joints,
            limbs,
        },
    )
}

fn flesh() -> impl Strategy<Value = FleshOptions> {
    let fineness = proptest::sample::select(Fineness::ALL.to_vec());
    let joint = (option::of(0.05..=0.9f64), three(), 0.1..=1000.0f64)
        .prop_map(|(radius, offset, softness)| JointFleshOptions { radius, offset, softness });
    let bones = proptest::sample::select(BonePreset::ALL.to_vec());
    let names = || vec(any::<String>(), 0..3);
    let shake =
        (0.0..=100.0f64, 0.01..=10.0f64).prop_map(|(frequency, damping)| FleshShakeOptions { frequency, damping });
    (fineness, bones, names(), names(), 1.0..=100.0f64, shake, btree_map(any::<String>(), joint, 0..4)).prop_map(
        |(fineness, bones, leave_out, bone_meshes, muscle_stiffness, shake, joints)| FleshOptions {
            fineness,
            bones,
            leave_out,
            bone_meshes,
            muscle_stiffness,
            shake,
            joints,
        },
    )
}

fn cage() -> impl Strategy<Value = CageRecipe> {
    let embedding = proptest::sample::select(EmbeddingMethod::ALL.to_vec());
    let release = proptest::sample::select(ReleaseKind::ALL.to_vec());
    let range = || (-180.0..=0.0f64, 0.0..=180.0f64).prop_map(|(low, high)| [low, high]);
    let limit = (range(), range(), range()).prop_map(|(twist, bend, sideways)| RangeRecipe { twist, bend, sideways });
    let place =
        (option::of(three()), option::of(0..9999usize), option::of(any::<String>()), 0.0..=1.0f64, option::of(three()));
    let place = place.prop_map(|(position, vertex, joint, along, toward)| MarkerPlace {
        position,
        vertex,
        joint,
        along,
        toward,
    });
    let numbers = (8..=100_000usize, 0.001..=0.5f64, 1.0..=10.0f64, 0.001..1e6f64, 0.001..1e6f64, 0.001..100.0f64);
    let counts = (0..=1000usize, 1..=10_000usize);
    let tables = (btree_map(any::<String>(), limit, 0..3), btree_map(any::<String>(), place, 0..3));
    (embedding, release, numbers, counts, tables).prop_map(|(embedding, release, numbers, counts, tables)| {
        let (vertices, offset, joint_detail, pull, bones, release_exponent) = numbers;
        let ((volume_sweeps, iterations), (limits, markers)) = (counts, tables);
        CageRecipe {
            vertices,
            offset,
            joint_detail,
            embedding,
            pull,
            bones,
            release,
            release_exponent,
            volume_sweeps,
            iterations,
            limits,
            markers,
        }
    })
}

fn keys(values: std::ops::Range<f64>) -> impl Strategy<Value = Keys> {
    prop_oneof![values.clone().prop_map(Keys::Constant), curve(values).prop_map(Keys::Curve)]
}

/// One of the three kinds of profile, or none.
fn muscle_profile() -> impl Strategy<Value = MuscleChange> {
    let small = -0.1..0.1f64;
    prop_oneof![
        Just(MuscleChange::default()),
        [2..9u8, 2..9, 2..9, 2..9].prop_map(|shape| MuscleChange { shape: Some(shape), ..Default::default() }),
        (1.0..2.0f64, vec(small, 0..4)).prop_map(|(first, mut series)| {
            series.insert(0, first);
            MuscleChange { series: Some(series), ..Default::default() }
        }),
        any::<String>()
            .prop_map(|file| MuscleChange { sketch: Some(Sketched { file, fitted: None }), ..Default::default() }),
    ]
}

fn muscle_change() -> impl Strategy<Value = MuscleChange> {
    let place = || (-4.0..4.0f64, -4.0..4.0f64, -4.0..4.0f64).prop_map(|(a, b, c)| (Segment::UpperArm, a, b, c));
    (
        (any::<bool>(), option::of(vec(place(), 1..3)), option::of(vec(place(), 0..3)), option::of(1..16usize)),
        (option::of(0.01..1.0f64), muscle_profile(), option::of(any::<String>())),
        (
            option::of(keys(0.0..1.0)),
            option::of(keys(0.0..0.9)),
            option::of(keys(0.5..9.0)),
            option::of(keys(0.1..1.0)),
        ),
    )
        .prop_map(|((off, from, through, fibres), (radius, profile, group), keys)| {
            let MuscleChange { shape, series, sketch, .. } = profile;
            let (activation, eccentricity, width, stiffness) = keys;
            let (part, deep) = (Some(Segment::Thigh), Some(off));
            MuscleChange {
                off,
                from,
                through,
                to: None,
                fibres,
                radius,
                shape,
                series,
                sketch,
                part,
                group,
                deep,
                activation,
                eccentricity,
                width,
                stiffness,
            }
        })
}

fn muscles() -> impl Strategy<Value = MuscleOptions> {
    let set = proptest::sample::select(vec!["off", "humanoid", "my set.toml"]);
    let names = proptest::sample::select(vec!["soleus", "left biceps brachii", "triceps brachii, long head"]);
    let fat = (any::<String>(), [0.01..1.0f64, 0.01..1.0, 0.01..1.0], 0.01..1.0f64)
        .prop_map(|(name, radii, stiffness)| NamedFat { name, at: (Segment::Lumbar, 0.1, 0.2, 0.0), radii, stiffness });
    (
        (set, 0.0..=1.0f64, 0.0..=1.0f64, option::of(0.01..1.0f64), 0.01..1.0f64, 0.0..=1.0f64),
        (any::<bool>(), vec(any::<String>(), 0..3), vec(any::<String>(), 0..3), vec(fat, 0..3)),
        btree_map(names.prop_map(String::from), muscle_change(), 0..3),
    )
        .prop_map(
            |((set, amount, auto, stiffness, damping, friction), (contacts, leave_out, bones, fat), muscle)| {
                let set = set.into();
                MuscleOptions {
                    set,
                    amount,
                    auto,
                    stiffness,
                    damping,
                    friction,
                    contacts,
                    leave_out,
                    bones,
                    muscle,
                    fat,
                    file: None,
                    lines: MuscleLines::default(),
                }
            },
        )
}

proptest! {
    #[test]
    fn a_written_recipe_reads_back(
        skin in skin(), implicit in implicit(), flesh in flesh(), muscles in muscles(), volume in volume(),
        fps in 0.001..=1000.0f64, motion in motion(), cage in cage(),
    ) {
        let recipe = Recipe { skin, implicit, flesh, muscles, volume, bake: BakeRecipe { fps }, motion, cage };
        let text = recipe.to_toml();
        prop_assert_eq!(Recipe::from_toml(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?, recipe);
    }
}

#[test]
fn an_empty_recipe_is_the_default() {
    assert_eq!(Recipe::from_toml("").unwrap(), Recipe::default());
}

/// What is shown behind a # is what holds without it: the recipe with every # removed has the same profile,
/// but for the curves, which are examples, and for giving way to the next joints, which a chosen size does not.
#[test]
fn keys_behind_a_hash_show_the_defaults() {
    for kind in ProfileKind::ALL {
        let profile = ProfileOptions { kind: Some(kind), ..ProfileOptions::default() };
        let recipe = Recipe { volume: VolumeOptions { profile, ..VolumeOptions::default() }, ..Recipe::default() };
        let text = recipe.to_toml();
        let is_key =
            |line: &&str| line.split_once(" = ").is_some_and(|(key, _)| !key.trim_start_matches('#').contains(' '));
        let (start, end) = (text.find("[volume.profile]").unwrap(), text.find("# The shape at single").unwrap());
        let keys: Vec<&str> = text[start..end].lines().filter(is_key).collect();
        assert_eq!(keys.len(), 11, "{keys:?}");
        let all = format!("[volume.profile]\n{}", keys.join("\n").replace('#', ""));
        let [shown, held] = [Recipe::from_toml(&all).unwrap(), recipe].map(|recipe| recipe.volume.profile_of(""));
        for (shown, held) in shown.shares.iter().zip(held.shares) {
            assert!((shown - held).abs() < 1e-9, "{all}");
        }
        let plain =
            |profile: Profile| Profile { shares: [0.0; 3], is_sized: true, curves: Default::default(), ..profile };
        assert_eq!(plain(shown), plain(held));
    }
}

#[test]
fn the_example_of_a_joint_is_one() {
    let text = Recipe::default().to_toml();
    let example: Vec<&str> = text.lines().skip_while(|line| *line != "#[volume.joints.LeftForeArm]").take(3).collect();
    let recipe = Recipe::from_toml(&example.join("\n").replace('#', "")).unwrap();
    assert_eq!(recipe.volume.profile_of("LeftForeArm").kind, ProfileKind::Muscle);
}

#[test]
fn of_two_changes_of_a_muscle_the_one_with_the_longer_name_counts() {
    // By the alphabet "triceps brachii" would come after "left triceps brachii".
    let text = "[muscles]\nset = \"humanoid\"\n[muscles.muscle.\"triceps brachii\"]\nwidth = 1.2\nshape = [3, 3, 5, 5]\n\
        stiffness = 0.5\n[muscles.muscle.\"left triceps brachii\"]\nwidth = 0.8\nshape = [4, 4, 6, 6]\n";
    let muscles = Recipe::from_toml(text).unwrap().muscles;
    let head = "triceps brachii, long head";
    let [left, right] = ["left", "right"].map(|side| muscles.change_of(&format!("{side} {head}")));
    assert_eq!((&left.width, &right.width), (&Some(Keys::Constant(0.8)), &Some(Keys::Constant(1.2))));
    assert_eq!((left.stiffness, right.shape), (Some(Keys::Constant(0.5)), Some([3, 3, 5, 5])));
    let shapes =
        muscles.sets().unwrap().map(|set| set.muscles.iter().find(|muscle| muscle.name == head).unwrap().shape);
    assert_eq!(shapes, [[4, 4, 6, 6], [3, 3, 5, 5]]);
    assert_eq!(muscles.change_of("left soleus"), MuscleChange::default());
}

/// The outline of two bellies, and that of a spindle with its belly to the right.
fn drawn() -> [Sketch; 2] {
    let outline = |radius: fn(f64) -> f64| {
        let side = |k: u32, sign: f64| {
            let place = f64::from(k) / 100.0;
            glam::DVec2::new(8.0 * place, sign * radius(place))
        };
        let outline: Vec<_> = (0..100).map(|k| side(k, -1.0)).chain((1..=100).rev().map(|k| side(k, 1.0))).collect();
        Sketch::new(&outline).unwrap()
    };
    let bellies = |place: f64| {
        let angle = std::f64::consts::PI * place;
        angle.sin() + 0.6 * (3.0 * angle).sin()
    };
    [outline(bellies), outline(|place| 9.0 * place.powi(4) * (1.0 - place))]
}

#[test]
fn a_sketch_is_the_profile_of_a_muscle_once_it_was_read() {
    let text = "[muscles]\nset = \"humanoid\"\n[muscles.muscle.soleus]\nsketch = \"a.svg\"\n\
        [muscles.muscle.\"left soleus\"]\nsketch = \"b.png\"\n[muscles.muscle.\"right soleus\"]\nwidth = 1.1\n";
    let mut muscles = Recipe::from_toml(text).unwrap().muscles;
    let error = muscles.at_line(muscles.sets().unwrap_err()).to_string();
    assert!(error.contains("line 3,") && error.contains("\"a.svg\"") && error.contains("not read"), "{error}");

    let [bellies, spindle] = drawn().map(|sketch| sketch.fitted());
    for (_, sketch) in muscles.unread_sketches() {
        sketch.fitted = Some(if sketch.file == "a.svg" { bellies.clone() } else { spindle.clone() });
    }
    assert_eq!(muscles.unread_sketches().count(), 0);
    let of_side = muscles.sets().unwrap().map(|set| set.muscles.into_iter().find(|one| one.name == "soleus").unwrap());
    let [left, right] = of_side;
    let unchanged = muscles.unchanged().unwrap().muscles.into_iter().find(|one| one.name == "soleus").unwrap();
    assert_eq!((left.shape, left.series.clone()), ([5, 2, 5, 2], None));
    assert_eq!((right.shape, &right.series), (unchanged.shape, &bellies.change().series));
    assert_eq!([left.radius, right.radius], [unchanged.radius; 2], "the width is not that of the sketch");
    let change = muscles.change_of("right soleus");
    assert_eq!(change.sketch.unwrap().file, "a.svg");
}

#[test]
fn a_sketch_gives_a_new_muscle_its_radius() {
    let text = "[muscles]\nset = \"humanoid\"\n[muscles.muscle.mine]\nfrom = [[\"thigh\", 0, 0, 0]]\n\
        to = [[\"shank\", 0, 0, 0]]\npart = \"thigh\"\nsketch = \"a.svg\"\n";
    let mut muscles = Recipe::from_toml(text).unwrap().muscles;
    let spindle = drawn()[1].fitted();
    muscles.unread_sketches().for_each(|(_, sketch)| sketch.fitted = Some(spindle.clone()));
    let [left, _] = muscles.sets().unwrap();
    assert_eq!(left.muscles.iter().find(|one| one.name == "mine").unwrap().radius, spindle.radius);
}

#[test]
fn what_happens_at_a_joint_comes_from_its_own_table_first() {
    let text = "[implicit.joint]\noperator = \"union\"\namount = 0.25\n[implicit.joints.knee]\noperator = \"bulge\"\n";
    let recipe = Recipe::from_toml(text).unwrap().implicit;
    let [knee, elbow] = ["knee", "elbow"].map(|joint| recipe.field_of(joint));
    assert_eq!((knee.operator, knee.amount), (OperatorKind::Bulge, 0.25));
    assert_eq!((elbow.operator, elbow.amount), (OperatorKind::Union, 0.25));
    let curve = "[implicit.joint]\ncontroller = \"curve\"\ncurve = [[10.0, 0.0], [20.0, 1.0]]\n";
    let controller = Recipe::from_toml(curve).unwrap().implicit.field_of("").controller;
    assert!(controller.at(0.1) < 1e-6 && controller.at(0.5) > 0.999);
    for wrong in ["samples = 5", "joint = { amount = 1.5 }", "joint = { curve = [[200.0, 0.0]] }", "join = 1"] {
        assert!(Recipe::from_toml(&format!("[implicit]\n{wrong}\n")).is_err(), "{wrong}");
    }
}

#[test]
fn the_examples_of_an_edit_are_ones() {
    let text = Recipe::default().to_toml();
    let example: Vec<&str> = text.lines().skip_while(|line| *line != "#[[motion.pins]]").collect();
    let example: Vec<&str> = example.into_iter().filter_map(|line| line.strip_prefix('#')).collect();
    let example: Vec<&str> = example.into_iter().filter(|line| !line.starts_with(' ')).collect();
    let recipe = Recipe::from_toml(&example.join("\n")).unwrap();
    assert_eq!(recipe.motion.pins[0].offset, Some([0.0, 0.3, 0.0]));
    assert_eq!(recipe.motion.limits["LeftForeArm"], LimitRecipe { swing: 150.0, twist: 90.0 });
    assert_eq!(recipe.cage.limits["LeftForeArm"].bend, [0.0, 140.0]);
    assert_eq!(recipe.cage.markers["LELB"].joint.as_deref(), Some("LeftForeArm"));
}

#[test]
fn lines_fit_a_screen() {
    let text = Recipe::default().to_toml();
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
}

#[test]
fn whole_numbers_are_numbers() {
    let recipe = Recipe::from_toml("[volume]\ntarget = 2\n[volume.profile]\nsize = 3\nshares = [1, 0, 1]\n").unwrap();
    assert_eq!(recipe.volume.target, Target::Constant(2.0));
    assert_eq!(recipe.volume.profile_of("").shares, [0.5, 0.0, 0.5]);
}

#[test]
fn mistakes_name_their_line() {
    for (text, line, word) in [
        ("[skin]\nmethud = \"linear\"\n", 2, "methud"),
        ("[skin]\nmethod = \"quadratic\"\n", 2, "quadratic"),
        ("\n\n[bake]\nfps = 0\n", 4, "fps must be above 0 and at most 1000, not 0"),
        ("[bake]\nfps = nan\n", 2, "not NaN"),
        ("[bake\n", 1, ""),
        ("[volume]\nmethod = \"most\"\n", 2, "laplacian"),
        ("[volume]\ngamma = \"painted\"\n", 2, "weights-max"),
        ("[volume]\ncontacts = 1\n", 2, "boolean"),
        ("[volume]\nleave_out = \"Hat\"\n", 2, "sequence"),
        ("[volume]\n\nweights_p = 0\n", 3, "weights_p must be above 0"),
        ("[volume]\nweights_q = -1.0\n", 2, "weights_q must be above 0"),
        ("[volume]\nsmoothness = inf\n", 2, "smoothness must be from 0 to 1000000"),
        ("[volume]\ntarget = 0.0\n", 2, "a target must be above 0"),
        ("[volume]\ntarget = nan\n", 2, "a target"),
        ("[volume]\ntarget = []\n", 2, "at least one point"),
        ("[volume]\ntarget = \"big\"\n", 2, "pairs of seconds and value"),
        ("[volume]\ntarget = [[1.0, 1.0], [1.0, 1.1]]\n", 2, "times of a curve must increase, but 1 comes after 1"),
        ("[volume]\ntarget = [[0.0, -1.0]]\n", 2, "a target"),
        ("[volume]\ntarget = [[0.0]]\n", 2, ""),
        ("[volume.profile]\nkind = \"balloon\"\n", 2, "isotropic"),
        ("[volume.profile]\nshares = [0, 0, 0]\n", 2, "must be above 0"),
        ("[volume.profile]\nshares = [1, 0, -1]\n", 2, "a share must be from 0"),
        ("[volume.profile]\nshares = [1, 2]\n", 2, ""),
        ("[volume.profile]\nsize = 0\n", 2, "limb radii"),
        ("[volume.profile]\nsize = 101\n", 2, "at most 100 limb radii"),
        ("[volume.profile]\nstretch = [1, 0, 1]\n", 2, "stretch must be above 0"),
        ("[volume.profile]\ncenter = nan\n", 2, "center"),
        ("[volume.profile]\nfrequency = -1\n", 2, "frequency"),
        ("[volume.profile]\nlargest_bend = 270\n", 2, "at most 180 degrees"),
        ("[volume.profile]\namount = 1.5\n", 2, "amount must be from 0 to 1"),
        ("[volume.profile]\nalong = [[0, 1], [-1, 1]]\n", 2, "places of a curve must increase, but -1 comes after 0"),
        ("[volume.profile]\nacross = [[0, -1]]\n", 2, "value of a curve's point"),
        ("[volume.profile]\ninward = [[nan, 1]]\n", 2, "place of a curve's point"),
        ("[volume.joints.Elbow]\nkind = \"muscle\"\nsize = -1\n", 3, "size must be above 0"),
        ("[volume.joints.Elbow]\nsise = 1\n", 2, "sise"),
        ("[volume.refine]\nsteps = 5\n", 2, "steps must be from 0 to 4, not 5"),
        ("[volume.refine]\nsteps = -1\n", 2, "not -1"),
        ("[volume.refine]\nthreshold = 2\n", 2, "threshold must be from 0 to 1"),
        ("[volume.shake]\nfrequency = -2\n", 2, "swings per second"),
        ("[volume.shake]\ndamping = 0\n", 2, "damping must be above 0"),
        ("[muscles]\namount = 2\n", 2, "amount must be from 0 to 1"),
        ("[muscles]\nauto = -1\n", 2, "auto must be from 0 to 1"),
        ("[muscles]\nstiffness = 0\n", 2, "stiffness must be above 0"),
        (
            "[muscles]\nset = \"humanoid\"\n\n[muscles.muscle.bicepts]\nwidth = 1.2\n",
            4,
            "\"bicepts\" is not in the set",
        ),
        ("[muscles.muscle.soleus]\nwidth = 99\n", 2, "99"),
        ("[muscles.muscle.soleus]\nactivation = \"much\"\n", 2, "pairs of seconds and value"),
        ("[muscles.muscle.soleus]\nactivation = [[1.0, 0.5], [1.0, 0.7]]\n", 2, "later than"),
        ("[muscles.muscle.soleus]\nshape = [1, 3, 4, 7]\n", 2, "alpha and beta must be from 2 to 9"),
        ("[muscles.muscle.soleus]\nseries = [1.0, 2.0]\n", 2, "nowhere below 0"),
        ("[muscles.muscle.soleus]\nseries = []\n", 2, "norm"),
        ("[muscles.muscle.soleus]\nsketch = 3\n", 2, "string"),
        ("[muscles.muscle.soleus]\nsketch = \"a.svg\"\nshape = [3, 3, 4, 7]\n", 1, "in shape and sketch; keep one"),
        ("[muscles.muscle.soleus]\nfrom = [[\"tail\", 0, 0, 0]]\n", 2, "tail"),
        (
            "[muscles]\nset = \"humanoid\"\n[muscles.muscle.x]\nfrom = [[\"thigh\", 0, 0, 0]]\nto = [[\"thigh\", 0, 0, 0]]\nradius = 0.1\npart = \"thigh\"\n",
            3,
            "has no length",
        ),
        (
            "[[muscles.fat]]\nname = \"a\"\nat = [\"lumbar\", 0, 0, 0]\nradii = [0, 1, 1]\n",
            4,
            "a radius must be above 0",
        ),
        ("[motion]\nrange = [1]\n", 2, ""),
        ("[motion]\nstay = -1\n", 2, "stay must be from 0"),
        ("[[motion.pins]]\njoint = \"a\"\nfram = 3\n", 3, "fram"),
        ("[motion.limits.a]\nswing = 200\n", 2, "from 0 to 180 degrees"),
        ("[cage]\nvertices = 3\n", 2, "vertices must be from 8"),
        ("[cage]\noffset = 0\n", 2, "offset must be above 0"),
        ("[cage]\nembedding = \"gren\"\n", 2, "green"),
        ("[cage]\niterations = 0\n", 2, "iterations must be from 1"),
        ("[cage.limits.a]\nbend = [10, 90]\n", 2, "from -180 to 0 degrees"),
        ("[cage.markers.a]\nalong = 2\n", 2, "along must be from 0 to 1"),
        ("[cage.markers.a]\nvertx = 2\n", 2, "vertx"),
    ] {
        let error = Recipe::from_toml(text).unwrap_err().to_string();
        assert!(error.contains(&format!("line {line},")) && error.contains(word), "{text:?} gave {error}");
    }
}

#[test]
fn chosen_samples_must_be_points_with_normals() {
    let refusal = |samples: &str| {
        let text = format!("[implicit.limbs.Arm]\nsamples = [{samples}]");
        Recipe::from_toml(&text).map(|_| ()).unwrap_err().to_string()
    };
    let good = "[0, 0, 1, 0, 0, 1], [1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 0]";
    assert!(refusal(good).contains("4 to 400 samples, not 3"), "{}", refusal(good));
    let flat = format!("{good}, [0, 0, 0, 0, 0, 0]");
    assert!(refusal(&flat).contains("sample 3 is no point with a normal"), "{}", refusal(&flat));
    let text = format!("[implicit.limbs.Arm]\nsamples = [{good}, [0, 0, -1, 0, 0, -2]]");
    assert_eq!(Recipe::from_toml(&text).unwrap().implicit.samples_of("Arm")[3].normal, -glam::DVec3::Z);
}

/// Every example that is written behind a # is one that can be read.
#[test]
fn every_example_reads() {
    let text = Recipe::default().to_toml();
    let lines = text.lines().map(|line| match line.strip_prefix('#') {
        Some(rest) if !rest.starts_with(' ') => rest,
        _ => line,
    });
    let recipe = Recipe::from_toml(&lines.collect::<Vec<_>>().join("\n")).unwrap();
    assert_eq!(recipe.implicit.limbs["LeftForeArm"].samples.len(), 4);
    assert_eq!(recipe.muscles.fat[0].name, "belly");
    assert_eq!(recipe.motion.range, Some([30, 90]));
}

/// The page's types and limits are those of the declarations; SINEW_BLESS=1 writes them.
#[test]
fn the_page_has_the_declared_types_and_limits() {
    let web = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../sinew-studio/web");
    for (file, text) in [("types/recipe.d.ts", page_types()), ("state/schema.js", page_schema())] {
        let path = web.join(file);
        if std::env::var_os("SINEW_BLESS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "{file} is not as declared; SINEW_BLESS=1 cargo test -p sinew --lib recipe writes it");
    }
}
